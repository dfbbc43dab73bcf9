# Administration of the house: members, reports, games, pupils, settings, audit log.

admin-title = Administration
admin-section-title = Administration: { $section }
admin-overview = Overview
admin-members = Members
admin-reports = Reports
admin-games = Games
admin-pupils = Pupils
admin-settings = House settings
admin-pages = Legal pages
admin-audit = Audit log
admin-start = first steps
admin-not-yours = Your role does not give access to this page.
admin-as-administrator = You administer this house.
admin-as-moderator = You moderate: you handle reports, silence members and close accounts.
admin-as-teacher = You create accounts for your pupils and reset their passwords.
admin-as-arbiter = You are an arbiter: you can end a game, with or without a result.
admin-statistics = The house in figures
admin-count-members = members
admin-count-recent = seen in the last 30 days
admin-count-pending = awaiting approval
admin-count-closed = closed accounts
admin-count-pupils = pupils
admin-count-games = games
admin-count-playing = games being played
admin-count-newGames = new in the last 30 days
admin-count-openReports = reports to handle
admin-more = Show more
admin-done = Done.
admin-operator = the command line
report-by-unknown = the command line, or an account deleted since

## Roles

role-none = no role
role-administrator = administrator
role-moderator = moderator
role-teacher = teacher
role-arbiter = arbiter
state-open = open
state-pending = awaiting approval
state-closed = closed

## Members

admin-invite = Invite
admin-invite-about = Anyone with an invitation link can register, whatever the registration setting is.
admin-invite-uses = Number of accounts
admin-invite-days = Valid for (days)
admin-invite-make = Create a link
admin-invite-hand = Here is the link. It will not be shown again: copy it now.
admin-role = Role
admin-role-hint = The house always keeps at least one administrator.
admin-role-pupil = This is a pupil’s account. If it gets a role, its teacher can no longer close it or reset its password.
admin-class-size = { $count ->
    [one] { $name } (one pupil)
   *[other] { $name } ({ $count } pupils)
  }
admin-classes = Classes: { $classes }.
admin-hand-over = Before you close or delete this account, or take away its role, give its classes to somebody else. Otherwise nobody but the administrators will see them under “Pupils”.
admin-hand-over-link = Give a class to another teacher
admin-link = Link
admin-copy = Copy the link
admin-find = Find a name
admin-view = Show
admin-view-all = all
admin-view-pending = awaiting approval
admin-view-closed = closed
admin-view-staff = with a role
admin-no-members = No account matches.
admin-unused = no open session
admin-used = last used on { $date }
admin-teacher = pupil of { $name }
admin-silenced = silenced
admin-silenced-until = silenced until { $date }
admin-out-of-reach = This account has a role: only administrators can change it.
admin-approve = Approve
admin-close = Close the account
admin-close-confirm = Yes, close it
admin-reopen = Reopen the account
admin-end-sessions = { $count ->
    [one] End its session
   *[other] End its { $count } sessions
  }
admin-reset-pupil = New password
admin-reset-password = Link for a new password
admin-reset-hand = Give this link to the owner of the account and to nobody else. It can be used once, within three days, and will not be shown again.
admin-second-factor-off = Turn off two-step sign-in
admin-silence-for = Silence in the chat
admin-silence-1 = one day
admin-silence-7 = one week
admin-silence-30 = one month
admin-silence-forever = until further notice
admin-silence = Silence
admin-unsilence = Let this member chat again
admin-new-name = New name
admin-rename = Rename

## Reports

report-all = Also show the reports that have been handled
report-none = There are no reports to handle.
report-of = Report of { $date }
report-by = Reported by { $name } on { $date }.
report-visitor = a guest without an account
report-visitor-number = guest { $number }
report-reason-insult = Insult
report-reason-spam = Spam
report-reason-other = Another reason
report-game = See the game
report-line = Reported message:
report-note = What was done
report-uphold = Justified
report-dismiss = Not justified
report-silence = Silence { $name } for a week
report-silenced = { $name } is silenced for a week
report-silenced-note = Silenced for a week.
report-upheld = Found justified by { $name } on { $date }.
report-dismissed = Dismissed by { $name } on { $date }.

## Games

admin-game-address = Address of the game
admin-game-hint = Paste the address of the game’s page.
admin-game-look = Find
admin-game-hide = Remove from the hall
admin-game-show = Put back in the hall
admin-game-end-about = Ending the game is final.
admin-result-white = White wins
admin-result-black = Black wins
admin-result-draw = Draw
admin-result-none = No result
admin-result-confirm = Yes, end the game

## Pupils

pupils-add = Add a class
pupils-about = Pupils’ accounts have no e-mail address. You get a sheet of passwords to print.
pupils-class = Class
pupils-names = First names, one per line
pupils-names-hint = 3 to 20 characters, no spaces, and no name twice: add an initial, as in “Emma-D”. A column or a row pasted from a spreadsheet works too.
pupils-table = The list has several columns, and each cell would become an account. Paste only the column with the first names.
pupils-duplicates = In the list more than once: { $names }.
pupils-length = Too short or too long (3 to 20 characters): { $names }.
pupils-space = With a space: { $names }.
pupils-characters = With a character that is not allowed, given in brackets: { $names }.
pupils-form = No letters or digits, letters from several alphabets, or a misplaced dot or apostrophe: { $names }.
pupils-reserved = Reserved for the house: { $names }.
pupils-taken = Already taken: { $names }.
pupils-alike = Too similar to the name of an account, or to another name in the list: { $names }.
pupils-retired = { $date ->
    [never] Names of deleted accounts, which stay reserved: { $names }.
   *[other] Names of deleted accounts, free again by { $date }: { $names }.
  }
pupils-make = { $count ->
    [0] Create the accounts
    [one] Create one account
   *[other] Create { $count } accounts
  }
pupils-once = These passwords will not be shown again. Print them or write them down now.
pupils-sheet = Passwords: { $class }
pupils-sheet-new = New passwords: { $class }
pupils-address = Address
pupils-print = Print
pupils-copy = Copy the list
pupils-leave = This sheet of passwords has been neither printed nor copied, and it will not be shown again. Leave the page anyway?
pupils-leave-early = The sheet of passwords is about to appear, and it will be shown only once. Leave the page anyway?
pupils-renew = Make a new sheet of passwords
pupils-renew-about = The chosen pupils get new passwords and are signed out: the old passwords stop working.
pupils-renew-all = { $count ->
    [one] The whole class (one pupil)
   *[other] The whole class ({ $count } pupils)
  }
pupils-renew-which = Pupils
pupils-renew-make = { $count ->
    [0] Make new passwords
    [one] Make a new password
   *[other] Make { $count } new passwords
  }
pupils-renew-confirm = Yes, replace
classes-all = All classes
classes-about = Open a class to give it to another teacher, or to make new passwords.
classes-none = There is no class yet.
classes-teacher = teacher: { $name }
classes-no-teacher = without a teacher
classes-to = Give to
classes-to-hint = The pupils keep their accounts and their passwords.
classes-choose = choose
classes-name = Name of the class
classes-name-hint = Change it if this teacher already has a class of this name.
classes-give = Give the class

## Settings

house-name = Name of the house
house-name-hint = Shown at the top of every page.
house-contact = Contact
house-contact-hint = An e-mail or postal address; shown on the legal pages.
house-registration = Who may register?
house-registration-open = everybody
house-registration-invitation = by invitation
house-registration-approval = after approval
house-registration-closed = nobody
house-registration-about-open = The account can be used at once.
house-registration-about-invitation = A link is needed; create one under “Members”.
house-registration-about-approval = Everybody can register, but the account opens only once you have approved it.
house-registration-about-closed = You can still invite people, and teachers can add their pupils.
house-chat = Who may write in the chat?
house-chat-everybody = everybody
house-chat-no-pupils = all but pupils
house-chat-nobody = nobody
house-games = Games on offer
house-clocks = Time controls on offer
house-clocks-all = any that players choose
house-clocks-some = only these
house-offer-hint = The home page, the hall and challenges offer nothing else. Current games continue, and the machine can always be played without a clock.
house-notice = Notice to all
house-notice-hint = Shown at the top of every page, for instance before planned downtime. Leave this empty to remove the notice.

## First steps

start-step = Step { $step } of { $steps }
start-name = The house
start-registration = Registration
start-chat = The chat
start-offer = Games and time controls
start-done = The house is ready
start-done-about = All of this can be changed later under “House settings”. What you may still want to do:
start-pages = Complete the legal notice and the privacy page
start-pupils = Add a class
start-members = Invite members and assign roles
start-two-steps = Protect your account with two-step sign-in
start-back = Back
start-next = Continue
start-end = Finish

## Legal pages

page-about = Two pages are linked at the bottom of every page of the site. A template is provided; you are responsible for the text.
page-which = Page
page-is-model = This is the template. Save it to make it your own text.
page-is-own = This is your house’s own text.
page-text = Text
page-hint = An empty line separates paragraphs; “##” begins a heading, “-” a list, and text between double asterisks is bold. Names in braces are placeholders: the current name, contact and retention times are filled in.
page-model = Return to the template
page-model-confirm = Yes, delete our text
page-shown = Preview

## Audit log

audit-about = Every administrative action is recorded here. No entry can be changed unnoticed: each contains a hash of all those before it.
audit-check = Check the log
audit-whole = { $count ->
    [one] One entry, in order.
   *[other] { $count } entries, all in order.
  }
audit-broken = Entry { $number } does not follow the one before it: the log has been changed.
audit-deleted = a deleted account
act-invite = created an invitation
act-approve = approved
act-rename = renamed
act-silence = silenced
act-unsilence = unsilenced
act-close = closed the account of
act-reopen = reopened the account of
act-delete = deleted an account
act-reset-password = created a password link for
act-end-sessions = ended the sessions of
act-second-factor-off = turned off two-step sign-in for
act-set-role = changed the role of
act-add-pupils = added pupils:
act-reset-pupil = reset the password of
act-reset-pupils = reset the passwords of
act-give-class = gave a class (former teacher, new teacher, class):
act-handle-report = handled the report
act-hide-game = changed whether the hall shows the game
act-adjudicate = ended the game
act-set-house = changed the house settings
act-set-page = changed the page
act-claim = took a role by invitation:
detail-role = role:
detail-name = name:
detail-from = former name:
detail-days = days:
detail-uses = accounts:
detail-outcome = outcome:
detail-note = note:
detail-hidden = hidden:
detail-result = result:
detail-count = number:
detail-characters = characters:
detail-registration = registration:
detail-chat = chat:
detail-contact = contact:
detail-notice = notice:
detail-games = games:
detail-clocks = time controls:
audit-value-upheld = upheld
audit-value-dismissed = dismissed
audit-value-true = yes
audit-value-false = no
audit-value-changed = changed
audit-value-empty = (empty)
audit-value-all = all

## An invitation from the house

join-title = Welcome to { $house }
join-as-administrator = This link makes you an administrator of the house.
join-as-moderator = This link makes you a moderator.
join-as-teacher = This link makes you a teacher.
join-as-arbiter = This link makes you an arbiter.
join-signed-in = You are signed in as { $name }.
join-take = Take this role
join-already = You already have an account, { $name }: you do not need this invitation.

## Refusals

error-not-allowed = Your role does not allow this.
error-last-administrator = The house needs an administrator: first give this role to another account.
error-not-pending = This account is not waiting for approval.
error-closed-already = This account is closed already.
error-not-closed = This account is not closed.
error-silenced-already = This account is already silenced for that long.
error-not-silenced = This account is not silenced.
error-no-sessions = This account has no open sessions.
error-same-role = This account has this role already.
error-same-name = This account has this name already.
error-hidden-already = This game is already hidden from the hall.
error-not-hidden = This game is not hidden from the hall.
error-report-handled = This report has already been handled: its recorded outcome stands.
error-house-invitation-not-found = This link has been used or has expired. Ask for another one.
error-pupil-names = No account was created, because some names cannot be used.
error-pupil-count = At most { $limit } names can be added to a class at a time.
error-not-a-pupil = This account was not created by a teacher.
error-not-a-teacher = The teacher’s account must be open and have the role of teacher or administrator.
error-class-not-found = This class is gone: it was given to somebody else, or it has another name.
error-class-name-taken = This teacher already has a class of this name: give it another name.
error-same-class = This teacher already has this class.
error-name-retired = { $date ->
    [never] This is, or looks like, the name of a deleted account, which stays reserved.
   *[other] This is, or looks like, the name of a deleted account. It is free again on { $date }.
  }
error-house-clocks = A house offers at most { $limit } time controls.
error-house-text = This text must be one line of at most { $limit } characters.
error-page-placeholder = There is no placeholder { $name }. The placeholders are { $known }.
error-page-text = A page can have at most { $limit } characters.
error-report-not-found = This report no longer exists.
