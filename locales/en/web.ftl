# The site: titles, buttons, states.

site-name = adoube
skip-to-content = Skip to content
page-title = { $page } – adoube
language = Language
nav-menu = Menu
theme = Appearance
theme-system = Auto
theme-light = Light
theme-dark = Dark
footer-note = No ads, no tracking. No account needed to play.
footer-legal = Legal notice
footer-privacy = Privacy
footer-admin = Administration

## Home

home-title = What shall we play?
home-lead = Chess, and three games on the same board in which each piece captures in its own way: Baroque, Ultima and Interweave. Against a friend, whoever happens to be here, or the machine. No account needed.
home-lead-offered = { $games }: against a friend, whoever happens to be here, or the machine. No account needed.
home-quick-machine = { $variant } against the machine
home-quick-opponent = Find an opponent
home-look-title = A move in { $variant }
home-look-play = Try { $variant } against the machine
home-look-rules = The rules
home-look-again = Show the move again
home-look-stop = Stop the animation
home-game = The game
home-opponent = The opponent
opponent-machine = The machine
home-level = Strength
level-1 = very gentle
level-2 = gentle
level-3 = easygoing
level-4 = careful
level-5 = serious
level-6 = seasoned
level-7 = tough
level-8 = formidable
level-9 = relentless
level-10 = full strength
level-of = Level { $number }: { $name }
level-elo-rating = about { $elo } Elo
level-elo-above = { $elo } Elo above level { $below }
level-elo-above-at-least = at least { $elo } Elo above level { $below }
level-elo-short = ≈ { $elo } Elo
level-elo-more = +{ $elo } Elo
level-elo-less = −{ $elo } Elo
home-color = Your colour
color-white = White
color-black = Black
color-random = Random
home-fen = Starting position (FEN)
home-fen-hint = Leave empty for the standard position.
home-fen-valid = The position can be played, { $turn ->
    [white] White to move.
   *[black] Black to move.
  }
home-play = Play
home-create-link = Create the link
home-creating = One moment…
home-my-games = Your games
home-running = Your games in progress
game-against-machine = against the machine, level { $number } ({ $level })
game-against-person = against an opponent
game-against-nobody = by invitation
game-moves = { $count ->
    [0] no moves
    [one] { $count } move
   *[other] { $count } moves
  }
game-your-turn = your turn
game-their-turn = their turn
game-won = won
game-lost = lost
game-drawn = drawn
game-watching = watch
game-waiting = waiting
game-over = finished

## Game

game-title = { $variant } game
game-title-against = { $variant } against { $name }
game-title-watched = { $variant }: { $white } – { $black }
player-opponent = Opponent
player-white = White
player-black = Black
player-machine = Machine, { $level }
player-open = Open seat
reserve = Reserve
reserve-short = reserve
taken-men = Captured pieces
men-ahead = { $count ->
    [one] one piece ahead
   *[other] { $count } pieces ahead
  }
turn-yours = Your turn
turn-theirs = Your opponent’s turn
turn-machine = The machine is thinking…
turn-white = White to move
turn-black = Black to move
turn-continue = Continue capturing
turn-sending = Move sent…
turn-not-sent = Move not sent yet: it will go out as soon as the connection is back.
turn-check = check
status-waiting = Waiting for an opponent
status-past = Position after move { $number }
status-start = Starting position
back-to-live = Back to the game
invite-title = Invite someone
invite-text = Send this link to your opponent. The game begins as soon as they join.
invite-link = Invitation link
invite-lost = This browser no longer has the link. Create a new game to get another.
copied = Copied
copy-link = Copy the link
moves-title = Moves
moves-none = No moves yet.
move-number = Move { $number }
nav-label = Step through the game
nav-first = Start
nav-previous = Previous move
nav-next = Next move
nav-last = End
nav-keys = Use the left and right arrow keys, Home and End to step through the game.
play-by-text = Type a move
play-by-text-hint = For example { $example }
play-submit = Play
chain-title = Capture in progress
chain-undo = Undo the step
chain-hint = Backspace undoes the last step, Escape undoes all of them.
promotion-title = Promotion
promotion-none = Stay a pawn
action-resign = Resign
action-resign-confirm = Confirm resignation
action-offer-draw = Offer a draw
action-flip = Flip the board
action-rematch = Rematch
action-easier = Easier: { $level }
action-harder = Harder: { $level }
action-other-game = Another game
opponent-joined = Your opponent has joined.
players-joined = Both players are here.
settings-pieces = Pieces
pieces-classic = Classic
pieces-silhouette = Silhouettes
pieces-mechanism = Mechanism
settings-coordinates = Coordinates
share-title = Share
share-link-copy = Copy the link to the game
share-picture = Download the picture
share-animation = Download the animation (GIF)
share-pgn-copy = Copy the PGN
share-pgn-download = Download the PGN
share-fen = FEN of the position
share-fen-copy = Copy the FEN
connection-connecting = Connecting…
connection-reconnecting = Connection lost, trying again…
connection-silent = The server is not responding…
loading = Loading…
board-label = Board
error-title = Something went wrong
failure-title = This could not be loaded
failure-missing = Not found
retry = Try again
retrying = Trying again in a moment…
failure-meanwhile = Meanwhile, still available:
reload = Reload the page

## Invitation

invitation-title = Invitation
invitation-watch = Watch the game

## Missing page

not-found-title = Page not found
not-found-text = This page does not exist, or no longer exists.
not-found-home = Back to the home page

## Announcements for screen readers

announce-move = { $piece } from { $from } to { $to }
announce-in-place = { $piece } on { $from }, without moving
announce-given-up = { $piece } on { $from }, off the board
announce-null-move = { $color ->
    [white] White passes
   *[other] Black passes
  }
announce-on = then to { $to }
announce-takes = captures on { $squares }
announce-promotion = promotes to { $piece }
announce-check = check
announce-result = { $result }: { $reason }.

## The board, square by square

square-empty = { $square }, empty
square-piece = { $square }, { $piece }
mark-selected = selected
mark-must-continue = must continue
mark-in-place = can capture without moving
mark-give-up = can be given up
mark-target = possible destination
mark-takes = captures on { $squares }
mark-taken = would be captured
mark-check = in check
mark-last-move = last move
mark-last-taken = a piece was captured here
mark-endangered = can be captured
mark-pending = part of the current capture
hand-taken = { $piece } on { $square }, selected. { $count ->
    [0] No destination.
    [one] One destination: { $squares }.
   *[other] { $count } destinations: { $squares }.
  }
hand-empty = Piece put down
cancel = Cancel
close = Close

## Links to the analysis, whose messages are in a separate file

nav-analysis = Analysis
analysis-link = Analyse
analysis-of-game = Analyse the game

## The pieces, beside the board

men-title = The pieces
men-goes = Move:
men-captures = Capture:
men-letter = Letter:
men-no-letter = none

## Keys and mouse

keys-title = Keys and mouse
key-Home = Home
key-End = End
key-wheel = wheel
key-Tab = Tab
key-Backspace = Backspace
key-Escape = Esc
key-right-click = right-click
keys-step = one move back or forward
keys-ends = start and end of the game
keys-wheel = step through the game, with the pointer over the board
keys-flip = flip the board
keys-zen = show only the game, or everything again
keys-board = go to the board; there the arrow keys move from square to square, Enter picks up and puts down
keys-undo = undo the last step of a capture
keys-escape = close what is open, or cancel the capture or the premove
keys-right-click = draw circles and arrows, or cancel the premove
keys-list = this list
