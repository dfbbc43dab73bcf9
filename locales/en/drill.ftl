# The exercises: small tasks, one rule at a time. The words of each are in games/GAME/drills.en.ftl.

drills-of = Exercises: { $variant }
drills-lead = Small tasks, one rule at a time, from the simplest to the trickiest. What you have solved is remembered by this browser.
drills-choose = The game
drills-solved = { $solved } of { $all } solved
drills-done = solved
drills-rules = The rules
drills-all = All exercises
drills-none = There is no such exercise.
drill-place = Exercise { $number } of { $all }
drill-clause = Rule { $clause }
drill-before = So far: { $turns }
drill-show-hint = A hint
drill-retry = Try again
drill-next = Next one
drill-check = Check
drill-yes = Yes
drill-no = No
drill-right = Right
drill-wrong = Not yet
drill-goes-on = Go on taking.
drill-go-on = Good. The other side replies { $turn }: go on.
drill-chosen = chosen
drill-missing = { $count ->
    [one] One more square is missing.
   *[other] { $count } more squares are missing.
  }
drill-replies = { $count ->
    [one] The other side has one move left: { $turn }.
   *[other] The other side has { $count } moves left, { $turn } for instance.
  }
drill-over = The game is then over ({ $outcome }).
drill-not-takes = That is not what was to be taken.
drill-not-forced = After this move the other side can still get out of it.
drill-not-most = More can be taken.
drill-not-ends = That does not end the game so.
drill-not-parries = The check is parried, but not the way that is asked for.
drill-not-checks = That gives no check.
drill-not-castles = That is not castling.
drill-not-passes = That is no taking in passing.
drill-not-promotes = That is not what the pawn was to become.
drill-not-frees = The man is still frozen.
drill-not-freezes = That does not freeze the man.
drill-not-dies = Somebody can still mate.
drill-not-repeats = That position has not been there twice before.
drill-not-dead = Look again at what pawns and kings can still do.
drill-not-over = Look: is there a check, and is a move left?
drill-not-legal = The rules say otherwise.

## The groups

drill-group-pawn = The pawn
drill-group-king = The king
drill-group-check = Check
drill-group-mate = Mate
drill-group-promotion = Promotion
drill-group-turns = In two moves
