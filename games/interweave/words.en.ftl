# Texts of this game. A role shared by several games is named in the first of them.

variant-interweave = Interweave
about-interweave = Each piece stays on its colour and captures on the other. Capturing is compulsory and continues in chains; capture a king and you win.
diagram-interweave = Starting position of Interweave

## The two sets of draw rules

draws-club-interweave = Fifty moves without a capture or a pawn move: drawn at once. A player who brings about the same position for the third time loses.
draws-fide-interweave = The fifty-move draw is claimed; it is automatic at 75. A player who brings about the same position for the third time loses.

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
