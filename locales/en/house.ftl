# The pages: navigation, new games, the hall, games in progress, the chat, settings.

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

opponent-anyone = anyone
opponent-friend = a friend, by link
opponent-named = a member, by name
home-name = Opponent’s name
home-seek = Post in the hall
home-challenge = Send the challenge
home-more = More settings: starting position, touch-move, draws…
home-needs-account = Correspondence games need an account.
home-all-games = All your games
home-learn = Learn and practise
home-begin = Never played? Start here
home-drills = One rule at a time, on the board, with explanations.
home-problems = Only one move works: find it.
clock-title = Time control
clock-unlimited = no clock
clock-other = other…
clock-kind = Time control
clock-kind-fischer = Fischer
clock-kind-delay = delay
clock-kind-correspondence = correspondence
clock-about-fischer = Each move adds seconds to your clock.
clock-about-delay = On each move your clock starts only after a delay.
clock-about-correspondence = You have one or more days for each move.
clock-field-minutes = Minutes each
clock-field-fischer = Seconds added per move
clock-field-delay = Seconds of delay per move
clock-field-days = Days per move
clock-keep = Save this time control
clock-forget = Delete this time control
clock-delay-short = { $minutes } (delay { $delay } s)
clock-days-per-turn = { $days ->
    [one] { $days } day per move
   *[other] { $days } days per move
  }
start-title = The starting position
start-usual = usual
start-kings-facing = kings facing each other
start-same = shuffled, the same for both sides
start-different = shuffled, different for each side
start-number = by number
start-number-label = Number of the starting position
start-fen = a position (FEN)
option-touch-move = Touch-move
option-touch-move-hint = If you touch a piece, you must move it, or capture it if it is your opponent’s. Say “J’adoube” before touching a piece to avoid this.
draw-rules-title = Draw rules
draw-rules-club = club
draw-rules-fide = FIDE
draw-rules-club-short = draws: club
draw-rules-fide-short = draws: FIDE
mood-title = Kind of game
mood-casual-hint = Moves can be taken back if the opponent agrees.
mood-serious-hint = Moves cannot be taken back.
setting-casual = casual
setting-serious = serious
setting-touch-move = touch-move
setting-fide = FIDE draws
setting-shuffled = shuffled start
setting-position = custom position
setting-match = best of { $games } games
match-length = Number of games
match-best-of = { $games ->
    [1] just one
   *[other] best of { $games }
  }
time-left-days = { $days ->
    [one] { $days } day left
   *[other] { $days } days left
  }
time-left-hours = { $hours ->
    [0] less than an hour left
    [one] { $hours } hour left
   *[other] { $hours } hours left
  }

## The hall

connection-offline = No network. Still available:
connection-lost = The server is not responding; trying again…
hall-title = Hall
hall-received = Challenges to you
hall-mine = Your offers
hall-mine-hint = The game opens as soon as someone accepts, whatever page you are on. Offers open to anyone last only as long as you have a page of this site open, except for correspondence games.
hall-for-anyone = open to anyone
hall-for = for { $name }
hall-withdraw = Withdraw
hall-action = { $action }: { $who }, { $game }, { $clock }
hall-seeks = Open offers
hall-seeks-below = Open offers: { $count }
hall-gone = No longer open
hall-no-seeks = Nobody is looking for an opponent right now. Choose a time control and wait for an opponent.
hall-without-name = someone
hall-games = Games in progress
hall-no-games = There are no games to watch right now.
hall-people = Who is here
hall-unnamed = { $count ->
    [one] { $count } guest
   *[other] { $count } guests
  }
hall-also-unnamed = { $count ->
    [one] and { $count } guest
   *[other] and { $count } guests
  }
wants-white = wants White
wants-black = wants Black
filter-all = all
pace-live = with a clock
pace-correspondence = by correspondence
pace-unlimited = no clock

## My games

games-waiting = Your turn
games-none-waiting = { $machine ->
    [0] No game is waiting for you.
    [one] Nobody is waiting for you. It is your turn in one game against the machine.
   *[other] Nobody is waiting for you. It is your turn in { $machine } games against the machine.
  }
games-machine-continue = Continue against the machine
games-playing = In progress
games-machine = Against the machine
games-tick = Select: { $game }
games-leave = { $count ->
    [0] Resign the selected games
    [one] Resign the selected game
   *[other] Resign the { $count } selected games
  }
games-leave-confirm = { $count ->
    [one] Yes, resign
   *[other] Yes, resign all { $count }
  }
games-finished = Finished
games-none-finished = No finished games.
games-more = Show more
games-pgn = Download as PGN
next-game = { $count ->
    [one] Next game
   *[other] Next game ({ $count } are waiting)
  }
game-against-named = against { $name }
game-between-unnamed = between two guests
game-called-off = aborted

## During a game

player-you = You
player-away = away
clock-days = { $days ->
    [one] { $days } day
   *[other] { $days } days
  }
clock-spoken = Clock, { $name }: { $days ->
    [0] { $hours ->
      [0] { $minutes } min { $seconds } s
     *[other] { $hours } h { $minutes } min { $seconds } s
    }
   *[other] { $days } d { $hours } h
  }
clock-left = { $seconds ->
    [60] You have one minute left.
   *[other] You have { $seconds } seconds left.
  }
first-turn = { $who ->
    [you] First move: you have { $time } left.
   *[them] First move: { $time } left.
  }
first-turn-days = { $who ->
    [you] First move: you have { $days } d left.
   *[them] First move: { $days } d left.
  }
interrupted = The server was down for { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
  }; this time is not counted.
tab-yours = ● Your move
tab-theirs = Their move
tab-over = Over
tab-offer = ● Offer
turn-confirm = Confirm the move
confirm-again = Press again to confirm: { $action }
confirm-turn-title = Move to confirm
confirm-turn = Play { $turn }?
confirm-turn-send = Play this move
confirm-turn-back = Take it back
chain-stands = You let go of the piece: the step stands.
plan-title = Premove
plan-drop = Cancel
plan-hint = Right-click, press Escape or click elsewhere to cancel it.
plan-dropped = The premove was no longer possible.
touch-title = Touch-move:
touch-man = { $piece } on { $square }
touch-nothing = nothing has been touched.
touch-free = { $men }; no legal move, so no obligation.
touch-adjusting = { $who ->
    [you] you are adjusting; the next piece touched does not bind you.
    [white] White is adjusting.
   *[black] Black is adjusting.
  }
touch-must-move = { $who ->
    [you] you must move this piece ({ $own }).
    [white] White must move this piece ({ $own }).
   *[black] Black must move this piece ({ $own }).
  }
touch-must-take = { $who ->
    [you] you must capture this piece ({ $enemy }).
    [white] White must capture this piece ({ $enemy }).
   *[black] Black must capture this piece ({ $enemy }).
  }
touch-must-take-with = { $who ->
    [you] you must capture your opponent’s piece ({ $enemy }) with yours ({ $own }).
    [white] White must capture the opposing piece ({ $enemy }) with this one ({ $own }).
   *[black] Black must capture the opposing piece ({ $enemy }) with this one ({ $own }).
  }
adjust = J’adoube
adjust-hint = Say it before touching a piece, and the touch is not binding.
mark-planned = premove
mark-touched = touched
mark-binding = touched, binding
offer-received-draw =
    { $who ->
        [white] White offers a draw.
        [black] Black offers a draw.
       *[you] Your opponent offers a draw.
    }
offer-received-takeback =
    { $who ->
        [white] White asks to take back a move.
        [black] Black asks to take back a move.
       *[you] Your opponent asks to take back a move.
    }
offer-received-rematch =
    { $who ->
        [white] White offers a rematch.
        [black] Black offers a rematch.
       *[you] Your opponent offers a rematch.
    }
offer-sent-draw = You have offered a draw.
offer-sent-takeback = You have asked to take back your move.
offer-sent-rematch = You have offered a rematch.
offer-declined-draw = The draw offer was declined.
offer-declined-takeback = The takeback was declined.
offer-declined-rematch = The rematch was declined.
confirm-accept-draw = Agree to a draw
confirm-accept-takeback = Allow the takeback
confirm-accept-rematch = Play the rematch
action-accept = Accept
action-decline = Decline
action-abort = Abort the game
confirm-abort = Confirm: abort
confirm-draw = Confirm the offer
action-claim-draw = Claim a draw
confirm-claim-draw = Confirm the claim
action-takeback = Take back
confirm-takeback = Ask for a takeback
action-give-time = Give { $seconds } s
action-claim-left = Claim the win
confirm-claim-left = Confirm the claim
opponent-away = Your opponent has left; you can claim the win in { $seconds } s.
opponent-left = Your opponent has left; you can claim the win.
rematch-go = Go to the rematch
rematch-agreed = The rematch has begun.
taken-back = { $count ->
    [one] One move was taken back.
   *[other] { $count } moves were taken back.
  }
time-given =
    { $who ->
        [white] White has given Black { $seconds } seconds.
        [black] Black has given White { $seconds } seconds.
       *[you] Your opponent has given you { $seconds } seconds.
    }
match-title = The match
match-game = Game { $number }, best of { $games }
match-over = the match is over
match-next = Next game of the match
watchers = { $count ->
    [one] { $count } spectator
   *[other] { $count } spectators
  }
zen-leave = Show everything
zen-enter = Show only the game

## The chat

chat-players = Players’ chat
chat-watchers = Spectators’ chat
chat-lines = Conversation
chat-empty = No messages yet.
chat-say = Write a message
chat-send = Send
chat-watcher = Spectator
chat-mute = Mute
chat-unmute = { $count ->
    [one] Unmute the muted author
   *[other] Unmute the { $count } muted authors
  }
chat-report-insult = Report an insult
chat-report-spam = Report spam
chat-report-other = Report something else
chat-reported = (reported)

## Conditional moves

conditions-title = Conditional moves
conditions-text = If your opponent plays the move you expect, the server plays your reply at once. Your opponent cannot see this.
conditions-line = If { $reply }, then { $answer }
conditions-go-on = continue from here
conditions-after = After “{ $lines }”:
conditions-from-start = back to the current position
conditions-remove = remove
conditions-remove-line = Remove what follows { $reply }
conditions-diagram = Position to continue from
conditions-if = If your opponent plays
conditions-then = I reply
conditions-add = Add

## Settings

settings-title = Settings
settings-page = Settings
settings-all = All settings
settings-kept = These settings are stored in this browser and, when you are signed in, with your account.
settings-board-colour = Board
board-brown = brown
board-green = green
board-blue = blue
board-grey = grey
board-maple = maple
board-walnut = walnut
settings-board-size = Board size
board-resize = Board size
settings-notation = Pieces in notation
notation-letters = letters
notation-figurines = figurines
settings-auto-promotion = Promote to a queen without asking, in chess
settings-sounds-hear = Listen to the sounds
sound-move = Move
sound-take = Capture
sound-check = Check
sound-low-time = Low time
sound-start = Start
sound-end = End
sound-notice = Notification
settings-play = Playing
settings-board = The board
settings-sound = Sounds and notifications
settings-confirmation = Confirm moves
confirmation-never = never
confirmation-correspondence = in correspondence games
confirmation-always = always
settings-confirmation-hint = With touch-move, a piece that has been let go has moved: there is nothing to confirm.
settings-premoves = Premoves while your opponent thinks
settings-zen = Zen mode: only the game (key Z)
settings-hints = Show where the selected piece can go
settings-glides = Animate the moves
settings-sounds = Sounds
settings-volume = Volume
percent = { $value }%
notices-turn-on = Allow notifications
notices-turn-off = Turn off notifications
notices-on = Your browser tells you when you are challenged, when a game begins and when it is your turn, as long as a page of this site is open.
notices-denied = Your browser blocks notifications from this site. You can change this in its settings.
notices-unsupported = This browser cannot show notifications on this page. On an iPhone or iPad, add the site to the home screen first. Otherwise you still have the sound, the tab title and, in correspondence games, e-mail.

## Blocking someone

block-do = Block
block-name-confirm = Yes, block { $name }
block-done = { $name } is blocked.
