### The rule pages

rules-of = Rules: { $variant }
rules-choose = The game
rules-contents = On this page
rules-drills = Exercises
rules-marks = In the diagrams, green shows where a piece goes, red what is captured, a brown arrow an illegal move.
diagram-back = Reset
diagram-turn = { $color ->
    [white] White to move
   *[black] Black to move
  }
diagram-played = { $color ->
    [white] White: { $turn }
   *[black] Black: { $turn }
  }
diagram-taken = captured: { $squares }
diagram-check = check
diagram-over = No legal move is left.
diagram-goes-on = Continue capturing.
