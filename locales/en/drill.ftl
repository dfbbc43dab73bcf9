# The exercises: small tasks, one rule at a time. Their texts are in games/GAME/drills.en.ftl.

drills-of = Exercises: { $variant }
drills-lead = Small tasks, one rule at a time, in the order of learning. Each lesson begins with its rule, to be read first; its exercises follow, from easy to hard. After the lessons come small games. This browser remembers what you have solved.
drills-choose = The game
drills-solved = { $solved } of { $all } solved
drills-done = solved
drills-rules = The rules
drills-all = All exercises
drills-none = This exercise does not exist.
drills-next = Continue: { $title }
drills-group-solved = { $solved } of { $all }
drills-rule = The rule
drills-practices = Small games
drills-practices-note = For when you have done all the lessons: only a few pieces, and the machine does not play at full strength. You win as in a real game.
drills-practice = Play
drills-then = What next?
drills-then-problems = The problems
drills-then-play = A whole game
drill-place = Exercise { $number } of { $all }
drill-clause = Rule { $clause }
drill-difficulty = { $difficulty ->
    [easy] easy
    [middle] medium
   *[hard] hard
  }
drill-optional = optional
drill-before = So far: { $turns }
drill-show-hint = A hint
drill-retry = Try again
drill-next = Next exercise
drill-check = Check
drill-yes = Yes
drill-no = No
drill-right = Right
drill-wrong = That is not it
drill-goes-on = Continue capturing.
drill-go-on = Good. Your opponent replies { $turn }: continue.
drill-chosen = chosen
drill-extra = { $square } is not one of them. { $why }
drill-missing = { $count ->
    [one] One more square is missing.
   *[other] { $count } more squares are missing.
  }
drill-replies = { $count ->
    [one] Your opponent still has one move: { $turn }.
   *[other] Your opponent still has { $count } moves, { $turn } for instance.
  }
drill-over = The game is then over ({ $outcome }).
drill-not-takes = That is not the capture asked for.
drill-not-forced = After this move, success is not certain.
drill-not-most = You can capture more.
drill-not-ends = That move does not end the game.
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

## The groups

drill-group-pawn = The pawn
drill-group-king = The king
drill-group-check = Check
drill-group-mate = Mate
drill-group-promotion = Promotion
drill-group-turns = In two moves
