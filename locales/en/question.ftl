# Question mode: where a man goes, what it takes and how, what holds it, why a move is not legal.

## Question mode

question-toggle = Ask why
question-hint = Point at a man to learn what it can do. Choose it, then a square, to learn why or why not.
question-label = Answer
question-man = { $man } on { $at }
question-tried = { $man } from { $from } to { $to }: not legal
question-legal = { $man } from { $from } to { $to }: legal
question-in-place = { $man } on { $at }, where it stands: legal
question-given-up = { $man } on { $at }, off the board: legal
question-goes = Goes to { $squares } without taking.
question-would-go = Would go to { $squares } without taking.
question-gives-up = Its side may take it off the board instead of moving.
question-would-give-up = Its side could take it off the board instead of moving.
question-nowhere = Cannot go anywhere.
question-takes-nothing = Nothing is taken.
question-at = On { $squares }: { $words }
question-in-place-at = Where it stands: { $words }
question-imitating = { $words }, the way its victim takes
question-goes-on = { $words }, then must go on taking
question-threat = { $by } goes from { $from } to { $to } and { $words }
question-threat-in-place = { $by } on { $from } stays and { $words }
question-castling = Castling to { $to }: the rook on { $rook } goes to { $beside }.
question-also = { $words }; { $more }
question-clause = Rule { $clause }

## How a man takes: what follows its name

way-landing = takes { $victim } by landing on { $at }
way-en-passant = takes { $victim } on { $at } en passant
way-pincer = takes { $victim } on { $at }, pinched against the man on { $with }
way-coordination = takes { $victim } on { $at }, at a corner of the rectangle with the king on { $with }
way-leap = takes { $victim } on { $at } by leaping over
way-withdrawal = takes { $victim } on { $at } by withdrawing straight away
way-approach = takes { $victim } on { $at } by stopping right before it
way-short-leap = takes { $victim } on { $at } by leaping to the square right behind
way-long-leap = takes { $victim } on { $at } by a long leap
way-double-knight-leap = takes { $victim } on { $at }, in the middle of a double knight’s leap
way-removal = removes { $victim } on { $at } without moving
way-custodian = takes { $victim } on { $at }, closed in against the man on { $with }
way-other = takes { $victim } on { $at }

## Why not

why-game-over = The game is over ({ $outcome }).
why-not-your-turn = { $color ->
    [white] It is White’s turn.
   *[black] It is Black’s turn.
  }
why-pass = A turn cannot be passed.
why-no-man = The square { $at } is empty.
why-not-your-man = { $color ->
    [white] It is White’s turn, and this man is black.
   *[black] It is Black’s turn, and this man is white.
  }
why-does-not-move-so = { $man } never moves so.
why-not-from-start = A pawn advances two squares only from its starting rank.
why-other-shade = { $man } stays on squares of its colour.
why-odd-distance = In a straight line, { $man } goes an even number of squares; here it would be { $distance }.
why-own-man = { $other } of the same side already stands on { $at }.
why-occupied = { $other } stands on { $at }, and { $man } does not take by landing.
why-blocked = { $other } on { $at } stands in the way.
why-nothing-to-take = This is only played to take, and there is nothing to take here.
why-nothing-to-leap = To leap so, an enemy would have to stand on { $at }.
why-leap-over-friend = A friend is not leapt over: { $other } stands on { $at }.
why-leap-over-other = A chameleon leaps over long leapers only, and { $other } stands on { $at }.
why-leap-even-distance = { $man } leaps only over an enemy at an odd distance; { $other } on { $at } is at an even one.
why-two-in-a-row = Two men in a row are not leapt over: { $other } on { $at }, { $second } on { $behind }.
why-two-in-one-leap = One leap goes over one man only; there are { $other } on { $at } and { $second } on { $behind }.
why-no-room-behind = Behind { $other } on { $at }, the square { $behind } is not free: { $second } stands there.
why-en-passant-not-possible = { $other } on { $at } has not just advanced two squares: it cannot be taken en passant.
why-en-passant-exposes = Taking en passant would expose the king: { $threat }.
why-pinned = This man is pinned to its king by { $other } on { $place }; it can only stay on that line.
why-check-not-parried = { $other } on { $at } gives check: that must be parried first.
why-double-check = Double check, among others by { $other } on { $at }: only the king can move.
why-king-exposed = The king could then be taken: { $threat }.
why-king-left-in-check = The king would stay in check: { $threat }.
why-castling-right-lost = Castling with the rook on { $at } is not possible any more: it or the king has moved.
why-castling-no-rook = There is no rook on { $at } to castle with.
why-castling-between = { $other } on { $place } stands in the way of castling.
why-castling-in-check = A king in check does not castle, and { $other } on { $place } attacks it.
why-castling-crosses = Castling, the king would cross { $at }, a square attacked by { $other } on { $place }.
why-castling-lands-on = Castling, the king would land on { $at }, a square attacked by { $other } on { $place }.
why-frozen-by-immobilizer = This man is frozen by { $other } on { $at }.
why-frees-only-others = This man is frozen by { $other } on { $at }: beside it, it frees the others, not itself.
why-frozen-by-chameleon = This immobilizer is frozen by { $other } on { $at }.
why-taking-compulsory = Taking is compulsory. What can be taken: { $instead }.
why-chain-goes-on = { $other } on { $at } has just taken and must go on: { $instead }.
why-promotion-missing = The pawn must become another man ({ $choices }).
why-promotion-not-here = { $man } does not become anything here.
why-promotion-role = A pawn never becomes that; it may become: { $choices }.
why-not-in-reserve = No such man is in reserve; the pawn may become: { $choices }.
why-no-man-to-become = On the last rank the pawn must become a man in reserve, and there is none.
why-other = The rules do not allow it.
