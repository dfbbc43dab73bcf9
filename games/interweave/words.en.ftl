# Names and descriptions for this game. A role shared by several games is named in the first of them.

variant-interweave = Interweave
about-interweave = Each piece stays on squares of one colour and captures on squares of the other. Capturing is compulsory and continues in chains; capture a king and you win.
diagram-interweave = Starting position of Interweave
first-look-interweave = The white remover on e4 captures both black pawns beside it, without moving.

## The two sets of draw rules

draws-club-interweave = Fifty moves without a capture or a pawn move: drawn at once. A player who brings about the same position for the third time loses.
draws-fide-interweave = The fifty-move draw has to be claimed; it is automatic only after 75 moves. A player who brings about the same position for the third time loses.

## Its pieces: name with colour, name with article, and letter

piece-leaper = { $color ->
    [white] white leaper
   *[black] black leaper
  }
piece-remover = { $color ->
    [white] white remover
   *[black] black remover
  }
piece-smasher = { $color ->
    [white] white smasher
   *[black] black smasher
  }
the-leaper = { $color ->
    [white] the white leaper
   *[black] the black leaper
  }
the-remover = { $color ->
    [white] the white remover
   *[black] the black remover
  }
the-smasher = { $color ->
    [white] the white smasher
   *[black] the black smasher
  }
letter-leaper = N
letter-remover = B
letter-smasher = R

## How each piece moves, what it captures, and the clause that says so

goes-interweave-pawn = One square diagonally ahead, or two from its starting rank.
captures-interweave-pawn = Straight ahead by a short leap; and, on arriving, every enemy next to it on its file or rank that has a friend of the pawn right behind.
clause-interweave-pawn = I9
goes-interweave-leaper = Diagonally; or an even number of squares along its file or rank; or by a double knight’s leap.
captures-interweave-leaper = The enemy in the middle of its double leap, or one at an odd distance on its file or rank, by leaping over it.
clause-interweave-leaper = I7
goes-interweave-remover = Diagonally, as far as the way is clear.
captures-interweave-remover = Without moving: all enemies next to it on its file and rank, at once.
clause-interweave-remover = I8
goes-interweave-smasher = Diagonally, or an even number of squares along its file or rank.
captures-interweave-smasher = After a move along its file or rank, the enemy on the next square in that direction.
clause-interweave-smasher = I6
goes-interweave-king = One square diagonally.
captures-interweave-king = An enemy next to it on its file or rank, by a short leap over it.
clause-interweave-king = I5
