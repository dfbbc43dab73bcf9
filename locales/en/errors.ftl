# Refusals and troubles: a sentence that says what to do where one can.

## The network and the server

error-unknown = Something went wrong. Try again.
error-network = The server does not answer. Check the connection, then try again.
error-page-outdated = This page is older than the server, which has been updated. Reload it.
error-server = The server answered with an error ({ $status }). Try again in a moment.
error-internal = The server made a mistake; nothing was saved. Try again.
error-not-saved = Nothing could be saved. Try again.
error-timeout = This took too long. Try again.
error-too-many = That was too much at once. Wait a little.
error-not-found = There is nothing at this address.
error-game-not-found = There is no such game.
error-invitation-not-found = There is no such invitation. Ask for a new link.
error-invitation-used = Somebody else has already taken this seat.
error-not-a-player = Only the two players may do this.
error-foreign-origin = This request comes from another site.
error-unknown-host = This server does not go by the name { $host }; its operator can set public_origin.

## Creating a game

error-variant = This game is not known here.
error-unknown-variant = This game is not known here.
error-bad-position = This starting position cannot be played.
error-bad-square = A square is written a1 to h8, not “{ $square }”.
error-position-over = In this position the game is already over.

## The course of the game

error-not-started = The game has not begun.
error-game-over = The game is over.
error-not-your-turn = It is not your turn.
error-other-position = The position has changed meanwhile. Look at the board and play again.
error-draw-offer-stands = A draw offer is already waiting for an answer.
error-draw-offered-this-turn = You have already offered a draw on this move.
error-no-draw-offer = Nobody offers a draw.
error-nothing-to-claim = There is no draw to claim.
error-seat-taken = This seat is taken.
error-already-seated = You are already at the table.

## A move

error-turn = This move cannot be read.
error-turn-syntax = “{ $turn }” is not a move. Write for example e2e4.
error-turn-game-over = The game is over.
error-turn-empty-square = The square { $square } is empty.
error-turn-not-your-man = The piece on { $square } is { $color ->
    [white] White’s
   *[black] Black’s
  }.
error-turn-promotion-missing = On { $square } you must promote: add the letter of the piece.
error-turn-unfinished = The piece on { $square } can take again: it must go on.
error-turn-no-match = “{ $turn }” is no legal move here.
error-turn-ambiguous = “{ $turn }” may mean { $matches }. Say which.
error-turn-illegal = Illegal move: the piece on { $from } cannot go to { $to }.

## Reading a FEN

error-fen = This FEN cannot be read.
error-fen-empty = The FEN is empty.
error-fen-too-long = This text is too long for a FEN.
error-fen-rank-count = The board has { $found } ranks; there must be 8, separated by “/”.
error-fen-rank-too-long = Rank { $rank } has more than 8 squares.
error-fen-unknown-man = Rank { $rank }: “{ $letter }” is no piece of this game. The letters are { $letters }.
error-fen-turn = There is no side “{ $text }”: it is “w” (White) or “b” (Black).
error-fen-castling = “{ $letter }” in “{ $text }” will not do for castling: king and rook must be in place. Write “-” or letters out of KQkq.
error-fen-left-out-castling = The castling right “{ $letter }” is left out: king and rook are not in place.
error-fen-left-out-en-passant = The en passant square { $square } is left out: no pawn can have crossed it.
error-fen-left-out-operations = Left out: “{ $text }”.
error-fen-en-passant = “{ $text }” will not do for en passant. Write “-” if there is none.
error-fen-reserve = “{ $text }” will not do for the pieces to put back.
error-fen-halfmove-clock = “{ $text }” is no count of half-moves.
error-fen-fullmove-number = “{ $text }” is no move number.
error-fen-too-many-fields = “{ $text }” is too much at the end of the FEN.

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
   *[other] there must be { $most }, or fewer if the last move took them.
  }
error-setup-both-lost-a-king = Both sides have lost a king; the game ends with the first.
error-setup-too-many-men = { $color ->
    [white] White has
   *[black] Black has
  } { $found } pieces; 16 at most.
error-setup-pawn-rank = No pawn can stand on { $square }.
error-setup-opponent-in-check = { $color ->
    [white] White
   *[black] Black
  } has just moved and left the king to be taken.
error-setup-castling = The rook on { $square } cannot castle: king and rook must be in place.
error-setup-castling-twice = The rook on { $square } cannot castle: of two rooks on one side of the king, only the outer one can.
error-setup-no-castling = There is no castling in this game.
error-setup-en-passant = No pawn can have crossed { $square } with the last move.
error-setup-reserve = { $color ->
    [white] White
   *[black] Black
  } has pieces in reserve that do not come back.

## What the house refuses

error-your-turn = It is your own turn.
error-first-turns-played = The game is under way and cannot be called off. Resign, or offer a draw.
error-first-turns-open = The game is not yet under way; you may call it off.
error-still-there = Your opponent has not been away for { $seconds } s.
error-correspondence = By correspondence nobody has to be there.
error-not-casual = Moves are taken back in casual games only.
error-nothing-to-take-back = You have no move to take back.
error-takeback-stands = A request to take back is already waiting for an answer.
error-takeback-proposed-here = You have already asked at this move.
error-no-takeback = Nobody asks to take back.
error-no-clock = This game has no clock.
error-time-enough = Your opponent has time enough.
error-no-touch-move = This game is played without touch-move.
error-touched-must-move = Touch-move: the piece on { $own } must move.
error-touched-must-take = Touch-move: the piece on { $enemy } must be taken.
error-touched-must-take-with = Touch-move: the piece on { $own } must take the one on { $enemy }.
error-touch-empty-square = There is nothing to touch on { $square }.
error-touched-already = The piece on { $square } is touched already.
error-adjusting-already = You are already adjusting.
error-adjusted-enough = That is enough adjusting for this move.
error-enough-this-turn = Enough touching and offering for this move: no more than { $limit } times. Move.
error-enough-in-game = Enough touching and offering for this game: no more than { $limit } times so far. Go on by moving.
error-command-used = This command was already used for something else. Reload the page.
error-not-correspondence = Conditional moves are for correspondence.
error-too-many-conditions = No more than { $limit } conditional moves.
error-conditions-too-deep = No more than { $limit } conditional moves in a row.
error-condition-twice = “{ $turn }” has an answer already.
error-condition-illegal = “{ $turn }” is not legal there.
error-not-over = The game is not over.
error-rematch-stands = A rematch is already offered.
error-rematch-missing = The game of the rematch has not been created yet.
error-rematch-offered = Your opponent does not want a rematch.
error-no-rematch = Nobody offers a rematch.
error-rematch-agreed = The rematch is already agreed.
error-clock-initial = The clock cannot begin with that: from a second to three hours.
error-clock-per-turn = Those seconds per move will not do: three minutes at most, and at least one without a starting time.
error-clock-days = 1 to 14 days per move.

## Accounts, hall, chat

error-account-needed = This needs an account.
error-not-yours = This is not yours.
error-sign-in-failed = This name and this password do not go together.
error-not-signed-in = You are not signed in.
error-signed-in-already = You are already signed in.
error-wrong-password = This is not the right password.
error-bad-cursor = This page of the list does not exist. Go back to the first page.
error-second-factor-needed = This account also needs a code from the authenticator app or a recovery code.
error-second-factor-wrong = Wrong code, or a code that was already used. Wait for the next one.
error-second-factor-on = Two-step sign-in is already on.
error-second-factor-off = Two-step sign-in is off.
error-name-taken = This name is taken. Choose another.
error-bad-name = A name has 3 to 20 characters: letters of one alphabet, digits, and hyphens, dots or apostrophes between them.
error-name-alike = This name looks like that of another account. Choose one that cannot be mistaken for it.
error-name-reserved = This name is reserved for the house. Choose another.
error-bad-password = A password has 8 to 128 characters.
error-password-common = This password is one of those that are tried first. Take several words that have nothing to do with each other.
error-password-simple = This password is a sequence, a repetition or a date. Take several words that have nothing to do with each other.
error-password-context = This password is made of your name, your address or words of this house. Take others.
error-bad-email = This e-mail address will not do.
error-session-not-found = This sign-in is no more.
error-mail-link-not-found = This link has been used, is too old, or belongs to another address.
error-nothing-to-confirm = No address of this account waits to be confirmed.
error-bad-language = No language is called “{ $language }”; there are fr, en and es.
error-recovery-not-found = This link has been used or is too old. Ask for another.
error-seek-not-found = This offer is no longer there.
error-own-seek = This is your own offer.
error-challenge-not-found = This challenge is no longer there.
error-own-challenge = Nobody challenges themselves.
error-player-not-found = Nobody has that name.
error-too-many-seeks = You have enough offers already. Withdraw one.
error-hall-full = The hall has no place left for now. Try again later.
error-too-many-challenges = This player has { $limit } challenges waiting already. Try again later.
error-too-many-from-here = Too many offers come from your network ({ $limit } at most). Try again later.
error-account-full = An account keeps at most { $limit } bytes of analyses and problems. Delete some.
error-low-disk = The server has hardly any room left: nothing new begins, but games go on.
error-chat-line-not-found = There is no such line.
error-chat-text = This text will not do: 1 to { $limit } characters.
error-chat-too-fast = Not so fast. Wait a little before speaking again.
error-position-twice = The start position is given twice.
error-bad-shuffle = There is no shuffle { $number }; there are { $limit }, counted from 0.
error-bad-games = A match has 1 to { $limit } games.
error-busy = Too many at once. Try again in a moment.
error-mail = The mail was not sent. Try again.
error-no-room = The server has no room left; nothing was saved.
error-diagram = This diagram cannot be drawn.
