# The playing house: hall, clocks, what players propose to each other, accounts.

## The pages

nav-label-site = The site
nav-play = Play
nav-hall = Hall
nav-games = Games
nav-waiting = { $count ->
    [one] is waiting for an answer
   *[other] are waiting for an answer
  }
nav-rules = Rules
nav-learn = Exercises
nav-problems = Problems
nav-account = Account

## A new game

opponent-anyone = anyone who comes
opponent-friend = someone, by a link
opponent-named = a member, by name
home-name = Their name
home-seek = Offer in the hall
home-challenge = Send the challenge
home-more = More settings: start, touch-move, draws…
home-needs-account = Correspondence needs an account.
home-all-games = All your games
home-learn = Learn and practise
home-drills = One rule at a time, on the board, and you are told why.
home-problems = One move alone does it: find it.
clock-title = The clock
clock-unlimited = no clock
clock-other = other…
clock-kind = How it counts
clock-kind-fischer = Fischer
clock-kind-delay = delay
clock-kind-correspondence = correspondence
clock-about-fischer = Each move played adds seconds.
clock-about-delay = At each move the clock waits before it runs.
clock-about-correspondence = Each move has its days.
clock-field-minutes = Minutes each
clock-field-fischer = Seconds added per move
clock-field-delay = Seconds of delay per move
clock-field-days = Days per move
clock-keep = Keep this clock
clock-forget = Forget this clock
clock-delay-short = { $minutes } (delay { $delay } s)
clock-days-per-turn = { $days ->
    [one] { $days } day per move
   *[other] { $days } days per move
  }
start-title = The start position
start-usual = usual
start-kings-facing = kings facing each other
start-same = shuffled, the same for both
start-different = shuffled, different
start-number = by its number
start-number-label = Number of the shuffle
start-fen = a position (FEN)
option-touch-move = Touch-move
option-touch-move-hint = Touching a piece binds you to move it, or to take it if it is the opponent’s. Saying “J’adoube” before touching lifts this.
draw-rules-title = Draws
draw-rules-club = club
draw-rules-fide = FIDE
draw-rules-club-short = draws: club
draw-rules-fide-short = draws: FIDE
mood-title = The mood
mood-casual-hint = Moves may be taken back if the opponent agrees.
mood-serious-hint = No move is taken back.
setting-casual = casual
setting-serious = serious
setting-touch-move = touch-move
setting-fide = FIDE draws
setting-shuffled = shuffled start
setting-position = chosen position
setting-match = match of { $games } games
match-length = How many games
match-best-of = { $games ->
    [1] just one
   *[other] best of { $games }
  }
time-left-days = { $days ->
    [one] { $days } day left
   *[other] { $days } days left
  }
time-left-hours = { $hours ->
    [0] less than an hour
    [one] { $hours } hour left
   *[other] { $hours } hours left
  }

## The hall

hall-title = The hall
hall-propose = Offer a game
hall-received = You are challenged
hall-mine = Your offers
hall-mine-hint = The game opens here as soon as someone accepts. Stay in the hall.
hall-for-anyone = for anyone who comes
hall-for = for { $name }
hall-withdraw = Withdraw
hall-seeks = Looking for an opponent
hall-no-seeks = Nobody is looking right now. Offer a game.
hall-somebody = somebody
hall-games = Games in progress
hall-no-games = No game to watch for now.
hall-people = Who is here
hall-unnamed = { $count ->
    [one] { $count } visitor without a name
   *[other] { $count } visitors without a name
  }
hall-also-unnamed = { $count ->
    [one] and { $count } visitor without a name
   *[other] and { $count } visitors without a name
  }
hall-started = Your game begins.
hall-challenged = You are challenged.
wants-white = wants White
wants-black = wants Black
filter-all = all
pace-live = with a clock
pace-correspondence = by correspondence
pace-unlimited = no clock

## My games

games-waiting = Your turn
games-none-waiting = No game is waiting for you.
games-playing = In progress
games-finished = Finished
games-none-finished = No finished game.
games-more = Show more
games-pgn = Download as PGN
next-game = { $count ->
    [one] Next game
   *[other] Next game ({ $count } are waiting)
  }
game-against-named = against { $name }
game-called-off = called off

## At the table

player-you = You
player-away = away
clock-days = { $days ->
    [one] { $days } day
   *[other] { $days } days
  }
clock-spoken = Clock, { $name }: { $days ->
    [0] { $hours ->
      [0] { $minutes } min { $seconds } s
     *[other] { $hours } h { $minutes } min { $seconds } s
    }
   *[other] { $days } d { $hours } h
  }
clock-left = { $seconds ->
    [60] You have one minute left.
   *[other] You have { $seconds } seconds left.
  }
first-turn = { $who ->
    [you] First move: you have { $seconds } s left.
   *[them] First move: the other side has { $seconds } s left.
  }
first-turn-days = { $who ->
    [you] First move: you have { $days } d left.
   *[them] First move: the other side has { $days } d left.
  }
interrupted = The server was down for { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
  }; nobody is charged for it.
tab-yours = ● Your move
tab-theirs = Their move
tab-over = Over
turn-confirm = Confirm the move
confirm-again = Once more to: { $action }
confirm-turn-title = Move to confirm
confirm-turn = Play { $turn }?
confirm-turn-send = Play this move
confirm-turn-back = Take it back
chain-stands = Released: the step stands.
plan-title = Premove
plan-drop = Cancel
plan-hint = A right click, Escape or a click elsewhere cancels it.
plan-dropped = The premove was no longer possible.
touch-title = Touch-move:
touch-man = { $piece } on { $square }
touch-nothing = nothing is touched.
touch-free = { $men }; without a legal move, this binds nobody.
touch-adjusting = { $who ->
    [you] you adjust; the next piece touched does not bind you.
    [white] White adjusts.
   *[black] Black adjusts.
  }
touch-must-move = { $who ->
    [you] you must move: { $own }.
    [white] White must move: { $own }.
   *[black] Black must move: { $own }.
  }
touch-must-take = { $who ->
    [you] you must take: { $enemy }.
    [white] White must take: { $enemy }.
   *[black] Black must take: { $enemy }.
  }
touch-must-take-with = { $who ->
    [you] you must take: { $enemy }, with: { $own }.
    [white] White must take: { $enemy }, with: { $own }.
   *[black] Black must take: { $enemy }, with: { $own }.
  }
adjust = J’adoube
adjust-hint = Say it before touching: the piece touched next binds you to nothing.
mark-planned = premove
mark-touched = touched
offer-received-draw = Your opponent offers a draw.
offer-received-takeback = Your opponent would like to take the move back.
offer-received-rematch = Your opponent offers a rematch.
offer-sent-draw = You have offered a draw.
offer-sent-takeback = You have asked to take your move back.
offer-sent-rematch = You have offered a rematch.
offer-declined-draw = The draw offer is declined.
offer-declined-takeback = The move stands.
offer-declined-rematch = No rematch this time.
confirm-accept-draw = Agree to a draw
confirm-accept-takeback = Give the move back
confirm-accept-rematch = Play again
action-accept = Accept
action-decline = Decline
action-abort = Call off
confirm-abort = Call off for good
confirm-draw = Offer for good
action-claim-draw = Claim a draw
confirm-claim-draw = Claim for good
action-takeback = Take back
confirm-takeback = Ask to take back
action-give-time = Give { $seconds } s
action-claim-left = Claim the win
confirm-claim-left = Claim for good
opponent-away = Your opponent has left; the win can be claimed in { $seconds } s
confirm-rematch = Offer the rematch
rematch-go = Go to the rematch
rematch-agreed = The rematch begins.
taken-back = { $count ->
    [one] One move is taken back.
   *[other] { $count } moves are taken back.
  }
time-given = Your opponent gives you { $seconds } seconds.
match-title = The match
match-game = Game { $number } of a best of { $games }
match-over = the match is over
match-next = Next game of the match
watchers = { $count ->
    [one] { $count } watcher
   *[other] { $count } watchers
  }
zen-leave = Leave zen mode

## The chat

chat-players = Between the players
chat-watchers = Between the watchers
chat-lines = Conversation
chat-empty = Nobody has said anything.
chat-say = Say something
chat-send = Say
chat-watcher = Watcher
chat-mute = Mute
chat-unmute = { $count ->
    [one] Read the muted one again
   *[other] Read the { $count } muted again
  }
chat-report-insult = Report an insult
chat-report-spam = Report spam
chat-report-other = Report something else
chat-reported = (reported)

## Conditional moves

conditions-title = Conditional moves
conditions-text = If your opponent plays what you foresee, the server answers at once for you. They see nothing of it.
conditions-line = If { $reply }, then { $answer }
conditions-go-on = go on from here
conditions-remove = remove
conditions-remove-line = Remove what follows { $reply }
conditions-diagram = Position to go on from
conditions-if = If your opponent plays
conditions-then = I answer
conditions-add = Add

## Settings

settings-title = Settings
settings-page = Settings
settings-all = All settings
settings-kept = These choices are kept by this browser.
settings-play = Playing
settings-board = The board
settings-sound = Sounds and notices
settings-confirmation = Confirm moves
confirmation-never = never
confirmation-correspondence = by correspondence
confirmation-always = always
settings-confirmation-hint = Where touch-move is agreed, a released move stands: there is nothing to confirm.
settings-premoves = Premoves while the opponent thinks
settings-zen = Zen mode: nothing but the game (key Z)
settings-hints = Show where the piece in hand can go
settings-glides = Pieces glide
settings-sounds = Sounds
settings-volume = Volume
percent = { $value }%
notices-turn-on = Let the browser notify me
notices-turn-off = Stop notifying me
notices-on = The browser tells you when it is your move.
notices-denied = The browser refuses notices for this site; its own settings decide.
notices-unsupported = This browser has no notices.

## The account

account-title = Account
account-lead = You play here without an account. An account keeps your games everywhere, and allows correspondence and challenges by name.
account-way = What to do?
account-sign-in = sign in
account-register = register
account-recovery = forgotten password
account-about-sign-in = Find your games and challenges again.
account-about-register = Your games as a visitor are kept.
account-about-recovery = If the account has an address, a link will be sent there.
account-submit-sign-in = Sign in
account-submit-register = Create the account
account-submit-recovery = Ask for a link
account-recovery-asked = It has been asked for. Look at your mail.
account-name = Name
account-name-hint = 3 to 20 letters, digits, hyphens.
account-password = Password
account-password-hint = At least 8 characters; a sentence does very well.
account-email = E-mail address (optional)
account-email-hint = For a forgotten password and moves by correspondence. Nothing else.
account-mail = E-mails
account-email-unconfirmed = The address { $email } is not confirmed yet: a link was sent there. Nothing else is, until it is.
account-email-send = Send the link again
account-email-sent = The link is on its way. It is good for two days.
account-reminders = Remind me by e-mail when it is my turn
mail-link-confirm-title = Confirm the address
mail-link-confirm-hint = This address is used if you forget your password, and to warn you.
mail-link-confirm-button = Confirm
mail-link-confirm-done = The address is confirmed.
mail-link-stop-title = Stop the reminders
mail-link-stop-hint = You will no longer be told by e-mail when it is your turn. Your account page can turn this on again.
mail-link-stop-button = Stop
mail-link-stop-done = The reminders have stopped.
account-since = Member since { $date }
account-sign-out = Sign out
account-data = Your data
account-analyses = Your analyses
account-export = All your games (PGN)
account-export-data = Everything we keep (JSON)
account-sessions = Sign-ins
session-unknown = Unknown browser
session-used = Last used: { $date }
session-current = this one
session-end = End
account-code = Code
account-code-hint = The six digits shown by your app, or a recovery code.
account-two-steps = Two-step sign-in
account-two-steps-about = Signing in then also asks for a code from an app on your phone, so your password alone is not enough. Any authenticator app works.
account-two-steps-begin = Set up
account-two-steps-scan = Scan this with your app or type in the key below. Then enter the code that the app shows.
account-two-steps-qr = QR code with the key below
account-two-steps-key = Key for the app
account-two-steps-copy-key = Copy the key
account-two-steps-app-code = Code shown by the app
account-two-steps-confirm = Turn on
account-two-steps-cancel = Cancel
account-two-steps-codes = Two-step sign-in is on, and you have been signed out everywhere else. Store these recovery codes where you can find them without your phone. Each works once. They will not be shown again.
account-two-steps-codes-new = These recovery codes replace the old ones. Store them where you can find them without your phone. Each works once. They will not be shown again.
account-two-steps-copy-codes = Copy the codes
account-two-steps-save-codes = Save as a file
account-two-steps-kept = I have stored them
account-two-steps-on = { $left ->
    [0] It is on. You have no recovery codes left: create new ones.
    [one] It is on. You have one recovery code left.
   *[other] It is on. You have { $left } recovery codes left.
}
account-two-steps-renew = New recovery codes
account-two-steps-end = Turn off
account-two-steps-end-confirm = Yes, turn it off
account-two-steps-ended = Two-step sign-in is off.
account-change = Change
account-new-password = New password
account-new-password-hint = Leave empty to keep the old one. Changing it ends the other sign-ins.
account-present-password = Current password
account-save = Save
account-changed = It is saved.
account-delete = Delete the account
account-delete-confirm = Delete for ever
account-delete-hint = Deleting needs your current password and cannot be undone.
