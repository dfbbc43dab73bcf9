# The exercises: small tasks, one rule at a time. Their wording is in games/GAME/drills.en.ftl.

drills-of = Exercises: { $variant }
drills-lead = Small tasks, one rule at a time, in the order in which to learn them. Each lesson begins with its rule, to be read first; its exercises follow, from easy to hard. After the lessons come small games. This browser remembers what you have solved.
drills-choose = The game
drills-solved = { $solved } of { $all } solved
drills-done = solved
drills-rules = The rules
drills-all = All exercises
drills-none = This exercise does not exist.
drills-start = Start: { $title }
drills-next = Continue: { $title }
drills-group-solved = { $solved } of { $all }
drills-rule = The rule
drills-practices = Small games
drills-practices-note = For when you have done all the lessons: there are usually fewer pieces than in a full game, and the machine does not play at full strength. You win in the same way as in a real game.
drills-practice = Play
drills-then = What next?
drills-then-problems = The problems
drills-then-play = A full game
drill-place = Exercise { $number } of { $all }
drill-clause = Rule { $clause }
drill-difficulty = { $difficulty ->
    [easy] easy
    [medium] medium
   *[hard] hard
  }
drill-optional = optional
drill-how-turn = Touch the piece to move, then its destination.
drill-how-squares = Touch each square asked for, then “Check”.
drill-how-choice = Look at the position, then answer Yes or No.
drill-how-keyboard = With the keyboard: the arrow keys, then Enter.
drill-square-names = A square is named by its file, a to h, then its rank, 1 to 8, marked on the edge of the board: d2 is the square on the d-file and the second rank.
drill-square-names-rule = How squares are named
drill-before = So far: { $turns }
drill-show-hint = A hint
drill-retry = Try again
drill-next = Next exercise
drill-check = Check
drill-yes = Yes
drill-no = No
drill-right = Right
drill-taken-back = Your move is taken back: try again.
drill-wrong = That is not it
drill-goes-on = Continue capturing.
drill-go-on = Good. Your opponent replies: { $turn } Your turn.
drill-chosen = chosen
drill-extra = { $square } is not one of them. { $why }
drill-missing = { $count ->
    [one] One more square is missing.
   *[other] { $count } more squares are missing.
  }
drill-not-takes = That is not the capture asked for.
drill-not-forced = After this move, success is not certain.
drill-not-most = You can capture more.
drill-not-ends = That move does not end the game.
drill-not-ended-so = The game ends, but not in the way asked for.
drill-not-wins = That move does not win the game.
drill-not-parries = The check is parried, but not in the way asked for.
drill-not-checks = That move does not give check.
drill-not-castles = That is not castling.
drill-not-passes = That is not an en passant capture.
drill-not-promotes = That is not the promotion asked for.
drill-not-frees = The piece is still frozen.
drill-not-freezes = That does not freeze the piece.
drill-not-dies = At least one side can still mate.
drill-not-repeats = The position after that move has not occurred twice before.
drill-not-avoids = After that move the position would occur for the third time.

## What a wrong move does, and why that is not enough

drill-why-man = { $man } on { $at }
drill-why-over = The game is then over ({ $outcome }).
drill-why-stays = Still on the board: { $men }.
drill-why-too-many = Captured, but not asked for: { $men }.
drill-why-retaken = { $man } on { $from } can recapture on { $to }.
drill-why-unreachable = To { $at }? { $why }
drill-why-landing = To capture on { $at }, a piece must go to that square; here { $man } goes to { $to }.
drill-why-other-man = Another piece must move to make this capture.
drill-why-pincer-diagonal = Moving diagonally, from { $from } to { $to }, { $man } does not pinch.
drill-why-pincer-far = On { $to }, { $man } is not right beside { $at }, on its rank or file.
drill-why-pincer-edge = Seen from { $to }, there is no square behind { $at }: no friend can help capture the piece.
drill-why-pincer-alone = Seen from { $to }, there is no friend right behind { $at }, on { $behind }.
drill-why-aligned = On { $to }, { $man } is on the rank or file of its king ({ $king }): no rectangle.
drill-why-corners = Between { $to } and the king on { $king }, the other corners of the rectangle are { $one } and { $other }, not { $at }.
drill-why-en-passant = An en passant capture must be made as if the other pawn had advanced only one square.
drill-why-leap = Going from { $from } to { $to } does not leap over { $at }.
drill-why-withdrawal = Going from { $from } to { $to }, { $man } does not start next to { $at } and move directly away from it.
drill-why-approach = Going from { $from } to { $to }, { $man } does not move along the rank or file to the square right in front of { $at }.
drill-why-count = Pieces captured by this move: { $count }. Another move captures { $most }.
drill-why-no-check = { $man } on { $from } is not in check.
drill-why-no-attack = On { $from }, { $man } does not attack the king on { $at }.
drill-why-left = Left on the board, besides the kings: { $men }.
drill-why-king-moved = { $man } moved out of check.
drill-why-king-stayed = Nothing is captured, and the king has not moved.
drill-why-king-still = { $man } has not moved.
drill-why-king-one-square = { $man } has moved only one square: in castling, it goes two squares towards a rook.
drill-why-no-promotion = No pawn has become another piece.
drill-why-promoted = The pawn has become: { $piece }.
drill-why-not-touching = On { $from }, { $man } does not touch { $at }.
drill-why-mobile = Able to move, besides the kings: { $men }.
drill-why-occurs = { $count ->
    [one] After that move the position occurs for the first time.
    [2] After that move the position has occurred twice.
   *[other] After that move the position has occurred { $count } times.
  }
drill-why-replies = { $count ->
    [one] Your opponent still has one move: { $turn }.
   *[other] Your opponent still has { $count } moves, for instance: { $turn }.
  }
drill-why-held = { $why }
drill-why-refuted = Your opponent may reply: { $turn } After that, no move reaches the goal.
drill-why-out-of-reach = Whatever your opponent replies, your next move cannot reach the goal.

## The groups

drill-group-pawn = The pawn
drill-group-king = The king
drill-group-check = Check
drill-group-mate = Mate
drill-group-promotion = Promotion
drill-group-turns = In two moves
