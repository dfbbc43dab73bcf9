# The words of this game. A role that several games share is named by the first of them.

variant-interweave = Interweave
about-interweave = Each piece stays on its colour and takes on the other. Taking is compulsory and goes on in chains; take one king and you have won.
diagram-interweave = Starting position of Interweave

## What the two rules of draws mean here

draws-club-interweave = Fifty moves without a capture or a pawn move: drawn at once. A player who brings about the same position for the third time loses.
draws-fide-interweave = The fifty-move draw is claimed; it is automatic at 75. A player who brings about the same position for the third time loses.

## Its pieces: the name with the colour, with the article, and the letter on the screen

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
