# Refusals and errors: each sentence says what to do, if anything can be done.

## The network and the server

error-unknown = Something went wrong. Try again.
error-network = The server is not responding. Check your connection, then try again.
error-page-outdated = The site has been updated since this page was loaded. Reload it.
error-server = The server returned an error ({ $status }). Try again in a moment.
error-internal = Something went wrong on the server. Try again.
error-not-saved = The server could not confirm that this was saved. Try again.
error-timeout = This took too long. Try again.
error-too-many = Too many requests. Wait a little, then try again.
error-not-found = This address does not exist.
error-game-not-found = This game does not exist.
error-invitation-not-found = This invitation does not exist. Ask for a new link.
error-invitation-used = Someone else has already taken this seat.
error-not-a-player = Only the two players may do this.
error-account-pending = This account is waiting for an administrator’s approval.
error-account-closed = This account has been closed. Write to the house’s contact address.
error-silenced = You cannot write in the chat for the time being.
error-chat-closed = The house has closed the chat.
error-foreign-origin = This request comes from another site.
error-outside-path = The house is at { $address }.
error-unknown-host = This server does not answer to the name { $host }; its operator can change that with public_origin.

## Creating a game

error-variant = This game is not supported here.
error-game-not-offered = This house does not offer this game.
error-clock-not-offered = This house does not offer this time control. Choose another one.
error-unknown-variant = This game is not supported here.
error-bad-position = This starting position cannot be played.
error-bad-square = A square is written a1 to h8, not “{ $square }”.
error-position-over = The game is already over in this position.

## During a game

error-not-started = The game has not begun.
error-game-over = The game is over.
error-not-your-turn = It is not your turn.
error-other-position = The position has changed in the meantime. Look at the board and move again.
error-draw-offer-stands = A draw offer is already waiting for an answer.
error-draw-offered-this-turn = You have already offered a draw on this move.
error-no-draw-offer = There is no draw offer.
error-nothing-to-claim = There is no draw to claim.
error-seat-taken = This seat is taken.
error-already-seated = You are already at the table.

## A move

error-turn = This move cannot be read.
error-turn-syntax = “{ $turn }” is not a move. Write, for example, e2e4.
error-turn-game-over = The game is over.
error-turn-empty-square = The square { $square } is empty.
error-turn-not-your-man = The piece on { $square } is { $color ->
    [white] White’s
   *[black] Black’s
  }.
error-turn-promotion-missing = On { $square } you must promote: add the letter of the piece.
error-turn-unfinished = The piece on { $square } can capture again and must do so.
error-turn-no-match = “{ $turn }” is not a legal move here.
error-turn-ambiguous = “{ $turn }” could mean { $matches }. Write one of them.
error-turn-illegal = Illegal move: the piece on { $from } cannot go to { $to }.

## Reading a FEN

error-fen = This FEN cannot be read.
error-fen-empty = The FEN is empty.
error-fen-too-long = This text is too long for a FEN.
error-fen-rank-count = Ranks in this FEN: { $found }. There must be 8, separated by “/”.
error-fen-rank-too-long = Rank { $rank } has more than 8 squares.
error-fen-unknown-man = Rank { $rank }: “{ $letter }” is not a piece of this game. The letters are { $letters }.
error-fen-turn = “{ $text }” is not a side: write “w” (White) or “b” (Black).
error-fen-castling = “{ $letter }” in “{ $text }” is not a possible castling right: king and rook must be in place. Write “-” or letters from KQkq.
error-fen-left-out-castling = The castling right “{ $letter }” was removed: king and rook are not in place.
error-fen-left-out-en-passant = The en passant square { $square } was removed: no pawn can have crossed it.
error-fen-left-out-operations = Removed: “{ $text }”.
error-fen-en-passant = “{ $text }” is not an en passant square. Write “-” if there is none.
error-fen-reserve = “{ $text }” is not a valid reserve.
error-fen-halfmove-clock = “{ $text }” is not a number of half-moves.
error-fen-fullmove-number = “{ $text }” is not a move number.
error-fen-too-many-fields = The FEN ends with an extra “{ $text }”.

## A position that cannot be played

error-setup = This position cannot be played.
error-setup-kings = { $color ->
    [white] White has
   *[black] Black has
  } { $found ->
    [0] no king
    [1] one king
   *[other] { $found } kings
  }; { $most ->
    [1] there must be exactly one.
   *[other] there must be { $most }, or fewer if the last move captured a king.
  }
error-setup-both-lost-a-king = Both sides have lost a king; the game ends as soon as one is captured.
error-setup-too-many-men = { $color ->
    [white] White has
   *[black] Black has
  } { $found } pieces; at most 16 are allowed.
error-setup-pawn-rank = A pawn cannot stand on { $square }.
error-setup-opponent-in-check = { $color ->
    [white] White
   *[black] Black
  } has just moved and left its own king in check.
error-setup-castling = The rook on { $square } cannot castle: king and rook must be in place.
error-setup-castling-twice = The rook on { $square } cannot castle: of two rooks on one side of the king, at most one can.
error-setup-no-castling = There is no castling in this game.
error-setup-en-passant = No pawn can have crossed { $square } with the last move.
error-setup-reserve = { $color ->
    [white] White
   *[black] Black
  } has pieces in reserve that cannot return.

## Refused requests

error-your-turn = It is your turn.
error-first-turns-played = The game is under way and can no longer be aborted. Resign, or offer a draw.
error-first-turns-open = The game is not yet under way; you may abort it.
error-still-there = You can claim the win only once your opponent has been away for { $seconds } s.
error-correspondence = In a correspondence game, nobody has to be present.
error-not-casual = Moves can be taken back in casual games only.
error-nothing-to-take-back = You have no move to take back.
error-takeback-stands = A takeback request is already waiting for an answer.
error-takeback-proposed-here = You have already asked for a takeback on this move.
error-no-takeback = There is no takeback request.
error-no-clock = No time can be given in this game.
error-time-enough = Your opponent has enough time.
error-no-touch-move = This game is played without touch-move.
error-touched-must-move = Touch-move: the piece on { $own } must move.
error-touched-must-take = Touch-move: the piece on { $enemy } must be captured.
error-touched-must-take-with = Touch-move: the piece on { $own } must capture the piece on { $enemy }.
error-touch-empty-square = There is nothing to touch on { $square }.
error-touched-already = The piece on { $square } has already been touched.
error-adjusting-already = You are already adjusting.
error-adjusted-enough = You cannot adjust any more pieces on this move.
error-enough-this-turn = You can touch pieces, make offers or change conditional moves at most { $limit } times per move.
error-enough-in-game = You have touched pieces, made offers or changed conditional moves { $limit } times in this game, the maximum for now. Each move raises the maximum.
error-command-used = This command has already been used for something else. Reload the page.
error-not-correspondence = Conditional moves are for correspondence games.
error-too-many-conditions = At most { $limit } conditional moves are allowed.
error-conditions-too-deep = At most { $limit } conditional moves in a row are allowed.
error-condition-twice = “{ $turn }” already has a reply.
error-condition-illegal = “{ $turn }” is not legal there.
error-not-over = The game is not over.
error-rematch-stands = A rematch has already been offered.
error-rematch-missing = The rematch has not been created yet.
error-rematch-offered = Your offer of a rematch was declined.
error-no-rematch = There is no rematch offer.
error-rematch-agreed = The rematch has already been agreed.
error-clock-initial = The initial time must be between one second and three hours, or zero if each move adds time.
error-clock-per-turn = The time per move must be at most three minutes, and at least one second if there is no initial time.
error-clock-days = Choose 1 to 14 days per move.

## Accounts, hall, chat

error-account-needed = This needs an account.
error-not-yours = This is not yours.
error-not-signed-in = You are not signed in.
error-bad-cursor = This page of the list does not exist. Go back to the first page.
error-other-origin = Do this at the public address of the house.
error-bad-language = “{ $language }” is not a supported language; choose fr, en or es.
error-seek-not-found = This offer is no longer there.
error-own-seek = This is your own offer.
error-challenge-not-found = This challenge is no longer there.
error-maker-away = This player has just left. A live game begins when you are both here.
error-blocked = This account accepts neither challenges nor messages from you.
error-blocked-by-you = You have blocked this account. First unblock it, on your account page.
error-own-block = You cannot block yourself.
error-too-many-blocks = An account can block at most { $limit } others.
error-push-service = “{ $host }” is not a notification service that this server sends to.
error-push-keys = The keys given by the browser cannot be used. Try again, or update the browser.
error-push-device-not-found = Notifications are already off for this device.
error-own-challenge = You cannot challenge yourself.
error-player-not-found = There is no player with this name.
error-too-many-seeks = You have enough offers already. Withdraw one.
error-hall-full = The hall is full. Try again later.
error-too-many-challenges = This player already has { $limit } open challenges. Try again later.
error-too-many-from-here = There are too many offers from your network (at most { $limit }). Try again later.
error-account-full = An account can store at most { $limit } bytes of analyses and problems. Delete some.
error-low-disk = The server is running out of space: games in progress continue, but nothing new can be created.
error-chat-line-not-found = This message does not exist.
error-chat-text = A message must have 1 to { $limit } characters.
error-chat-too-fast = You are writing too fast. Wait a little.
error-position-twice = The starting position was given twice.
error-bad-shuffle = Starting position { $number } does not exist; there are { $limit }, numbered from 0.
error-bad-games = A match must have 1 to { $limit } games.
error-busy = The server is busy. Try again in a moment.
error-mail = The e-mail could not be sent. Try again.
error-no-room = The server is out of space; nothing was saved.
error-diagram = This diagram cannot be drawn.
error-bad-preference = This setting cannot be stored: { $name }
error-too-many-preferences = Your account already stores too many settings.

## Fields of a form

field-missing = Fill in this field.
field-too-short = At least { $min } characters.
field-too-long = At most { $max } characters.
field-email = This is not an e-mail address.
field-range = A number from { $min } to { $max }.
field-number = A whole number.
field-wrong-form = This field is not filled in correctly.
