### The pages of rules

rules-of = Rules: { $variant }
rules-choose = The game
rules-contents = On this page
rules-drills = Exercises
diagram-back = Put back
diagram-turn = { $color ->
    [white] White to move
   *[black] Black to move
  }
diagram-played = { $color ->
    [white] White: { $turn }
   *[black] Black: { $turn }
  }
diagram-taken = taken: { $squares }
diagram-check = check
diagram-over = No move is possible any more.
diagram-goes-on = Go on taking.
