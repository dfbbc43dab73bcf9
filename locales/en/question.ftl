# Question mode: where a piece can go, what it captures and how, what restrains it, why a move is illegal.

## Question mode

question-toggle = Ask why
question-hint = Point at a piece to learn what it can do. Select it, then a square, to learn why or why not.
question-label = Answer
question-man = { $man } on { $at }
question-tried = { $man } from { $from } to { $to }: not legal
question-legal = { $man } from { $from } to { $to }: legal
question-in-place = { $man } on { $at }, without moving: legal
question-given-up = { $man } on { $at }, off the board: legal
question-goes = Goes to { $squares } without capturing.
question-would-go = Would go to { $squares } without capturing.
question-gives-up = Its side may take it off the board instead of moving.
question-would-give-up = Its side could take it off the board instead of moving.
question-nowhere = Cannot move.
question-takes-nothing = Captures nothing.
question-at = On { $squares }: { $words }.
question-in-place-at = Without moving: { $words }.
question-instead-in-place = { $at } without moving ({ $victims })
question-imitating = { $words }, capturing the way its victim does
question-goes-on = { $words }, then must continue capturing
question-threat = { $by } goes from { $from } to { $to } and { $words }
question-threat-in-place = { $by } on { $from } stays and { $words }
question-castling = Castling to { $to }: the rook on { $rook } goes to { $beside }.
question-also = { $words }; { $more }
question-clause = Rule { $clause }

## How a piece captures: the text after its name

way-landing = captures { $victim } by landing on { $at }
way-en-passant = captures { $victim } on { $at } en passant
way-pincer = captures { $victim } on { $at }, pinched against the piece on { $with }
way-coordination = captures { $victim } on { $at }, at a corner of the rectangle with the king on { $with }
way-leap = captures { $victim } on { $at } by leaping over it
way-withdrawal = captures { $victim } on { $at } by moving directly away from it
way-approach = captures { $victim } on { $at } by stopping right in front of it
way-short-leap = captures { $victim } on { $at } by leaping to the square right behind it
way-long-leap = captures { $victim } on { $at } by a long leap
way-double-knight-leap = captures { $victim } on { $at }, in the middle of a double knight’s leap
way-removal = removes { $victim } on { $at } without moving
way-custodian = captures { $victim } on { $at }, enclosed with the help of the piece on { $with }
way-other = captures { $victim } on { $at }

## Why not

why-game-over = The game is over ({ $outcome }).
why-not-your-turn = { $color ->
    [white] It is White’s turn.
   *[black] It is Black’s turn.
  }
why-pass = You may not pass.
why-no-man = The square { $at } is empty.
why-not-your-man = { $color ->
    [white] It is White’s turn, and this piece is black.
   *[black] It is Black’s turn, and this piece is white.
  }
why-invalid-movement = { $man } does not move like that.
why-not-from-start = A pawn advances two squares only from its starting rank.
why-wrong-square-color = { $man } always stays on squares of the same colour.
why-odd-distance = Along a rank or file, { $man } moves an even number of squares; here it would be { $distance }.
why-own-man = { $other } on { $at } belongs to the same side.
why-own-men = Its own side occupies { $squares }.
why-occupied = { $other } is on { $at }, and { $man } does not capture by landing.
why-occupied-by-several = The other side occupies { $squares }, and { $man } does not capture by landing.
why-blocked = { $other } on { $at } is in the way.
why-blocked-by-several = Pieces on { $squares } are in the way.
why-nothing-to-take = This move is possible only as a capture, and there is nothing to capture here.
why-nothing-to-leap = For this leap, an enemy piece would have to be on { $at }.
why-leap-over-friend = It cannot leap over a piece of its own side: { $other } is on { $at }.
why-leap-over-friends = It cannot leap over pieces of its own side: they are on { $squares }.
why-leap-over-other = A chameleon leaps over long leapers only, and { $other } is on { $at }.
why-leap-even-distance = { $man } leaps only over an enemy at an odd distance; { $other } on { $at } is at an even one.
why-two-in-a-row = It cannot leap over two pieces in a row: { $other } on { $at }, { $second } on { $behind }.
why-two-in-one-leap = One leap crosses only one piece; here there are { $other } on { $at } and { $second } on { $behind }.
why-no-room-behind = The square { $behind } behind { $other } on { $at } is occupied by { $second }.
why-en-passant-not-possible = { $other } on { $at } has not just advanced two squares, so it cannot be captured en passant.
why-en-passant-exposes = Capturing en passant would expose the king: { $threat }.
why-pinned = This piece is pinned to its king by { $other } on { $place }; it must stay on that line.
why-check-not-parried = { $other } on { $at } gives check, which must be parried.
why-double-check = Double check (one of the pieces is { $other } on { $at }): only the king can move.
why-king-exposed = The king could then be captured: { $threat }.
why-king-left-in-check = The king would still be in check: { $threat }.
why-castling-right-lost = Castling with the rook on { $at } is no longer possible: the rook or the king has moved.
why-castling-no-rook = There is no rook on { $at } to castle with.
why-castling-between = { $other } on { $place } is in the way of castling.
why-castling-in-check = A king in check cannot castle, and { $other } on { $place } attacks it.
why-castling-crosses = In castling, the king would cross { $at }, a square attacked by { $other } on { $place }.
why-castling-lands-on = In castling, the king would land on { $at }, a square attacked by { $other } on { $place }.
why-frozen-by-immobilizer = This piece is frozen by { $other } on { $at }.
why-frees-only-others = This piece is frozen by { $other } on { $at }: by touching it, this piece frees the others, but not itself.
why-frozen-by-chameleon = This immobilizer is frozen by { $other } on { $at }.
why-taking-compulsory = Capturing is compulsory. Possible captures: { $instead }.
why-chain-goes-on = { $other } on { $at } has just captured and must continue: { $instead }.
why-promotion-missing = The pawn must promote ({ $choices }).
why-promotion-not-here = { $man } does not promote here.
why-promotion-role = A pawn cannot promote to that; it can promote to: { $choices }.
why-not-in-reserve = No such piece is in reserve; the pawn can promote to: { $choices }.
why-no-man-in-reserve = On the last rank the pawn must promote to a piece in reserve, and there is none.
why-other = The rules do not allow this.
