# E-mails sent by the server. Plain text; links are on separate lines, so that they stay intact.

mail-confirm-subject = Confirm your address
mail-confirm-text =
    The account { $name } on { $site } was given this e-mail address.

    If it is yours, confirm the address within { $hours } hours:

    { $link }

    If not, do nothing: until the address is confirmed, nothing else will be sent to it.
mail-recovery-subject = Choose a new password
mail-recovery-text =
    A new password was requested for the account { $name } on { $site }.

    { $hours ->
        [one] To choose it, open this link within an hour:
       *[other] To choose it, open this link within { $hours } hours:
    }

    { $link }

    If this was not you, ignore this e-mail: your password stays the same.
mail-reminder-subject = { $count ->
    [one] It is your turn
   *[other] It is your turn in { $count } games
  }
mail-reminder-text =
    { $name }, { $count ->
        [one] a game is waiting for your move:
       *[other] { $count } games are waiting for your move:
    }

    { $games }

    { $more ->
        [0] All your games:
        [one] One more game is waiting for your move. All your games:
       *[other] { $more } more games are waiting for your move. All your games:
    }
    { $link }

    You will get no further reminder about a game until you have opened it.
    To stop all reminders:

    { $stop }
mail-warning-subject = { $count ->
    [one] Your time to move is running out
   *[other] Your time is running out in { $count } games
  }
mail-warning-text =
    { $name }, you will lose on time unless you move:

    { $games }

    Only one warning is sent per move. All your games:
    { $link }

    To stop all reminders:

    { $stop }
# A time in these e-mails.
mail-date = { $year }-{ $month }-{ $day } at { $time }
# A game in these e-mails; the next line is its address.
mail-game = { $game } against { $opponent }, { $left }
mail-opponent-unnamed = a guest
mail-left-days = { $number ->
    [one] { $number } day left
   *[other] { $number } days left
  }
mail-left-hours = { $number ->
    [one] { $number } hour left
   *[other] { $number } hours left
  }
mail-left-minutes = { $number ->
    [one] { $number } minute left
   *[other] { $number } minutes left
  }
# Notifications in browsers.
push-turn-title = It is your turn
push-turn-body = { $game } against { $opponent }
push-warning-title = Your time is running out
push-warning-body = { $game } against { $opponent }, { $left }
push-stop = Stop on this device
mail-device-subject = New sign-in to your account
mail-device-text =
    Someone signed in to the account { $name } on { $site } from a new browser on { $date } (UTC).

    If this was you, ignore this e-mail. If not, change the password and end the other sessions:

    { $link }
mail-password-subject = Your password was changed
mail-password-text =
    The password of the account { $name } on { $site } was changed on { $date } (UTC). All other sessions have been ended.

    If this was not you, ask for a link to choose a new password:

    { $link }
mail-address-subject = Your e-mail address was changed
mail-address-text =
    As of { $date } (UTC), the account { $name } on { $site } no longer uses this e-mail address. Nothing else will be sent here for this account.

    If this was not you, change the password while you are still signed in:

    { $link }
mail-second-factor-on-subject = Two-step sign-in is on
mail-second-factor-on-text =
    As of { $date } (UTC), signing in to the account { $name } on { $site } also needs a code from your app. All other sessions have been ended.

    If this was not you, someone knows your password: contact the operators of this site.

    Your account page:

    { $link }
mail-second-factor-off-subject = Two-step sign-in is off
mail-second-factor-off-text =
    As of { $date } (UTC), signing in to the account { $name } on { $site } needs only the password.

    If this was not you, change the password and turn two-step sign-in on again:

    { $link }
mail-identity-subject = Another way to sign in
mail-identity-text =
    As of { $date } (UTC), an identity provider also gives access to the account { $name } on { $site }.

    If this was not you, remove this way to sign in and change the password:

    { $link }
