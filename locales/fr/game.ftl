# Les pièces, leurs lettres, et la fin des parties.

## Pièces : le nom avec la couleur

piece-pawn = { $color ->
    [white] pion blanc
   *[black] pion noir
  }
piece-knight = { $color ->
    [white] cavalier blanc
   *[black] cavalier noir
  }
piece-bishop = { $color ->
    [white] fou blanc
   *[black] fou noir
  }
piece-rook = { $color ->
    [white] tour blanche
   *[black] tour noire
  }
piece-queen = { $color ->
    [white] dame blanche
   *[black] dame noire
  }
piece-king = { $color ->
    [white] roi blanc
   *[black] roi noir
  }
piece-pincer-pawn = { $color ->
    [white] pion pinceur blanc
   *[black] pion pinceur noir
  }
piece-long-leaper = { $color ->
    [white] sauteur long blanc
   *[black] sauteur long noir
  }
piece-chameleon = { $color ->
    [white] caméléon blanc
   *[black] caméléon noir
  }
piece-coordinator = { $color ->
    [white] coordinateur blanc
   *[black] coordinateur noir
  }
piece-withdrawer = { $color ->
    [white] retireur blanc
   *[black] retireur noir
  }
piece-immobilizer = { $color ->
    [white] immobiliseur blanc
   *[black] immobiliseur noir
  }
piece-leaper = { $color ->
    [white] sauteur blanc
   *[black] sauteur noir
  }
piece-remover = { $color ->
    [white] supprimeur blanc
   *[black] supprimeur noir
  }
piece-smasher = { $color ->
    [white] frappeur blanc
   *[black] frappeur noir
  }

## Lettres, à l’écran seulement : celles des pièces d’échecs dont chacune emprunte la figure

letter-pawn = P
letter-knight = C
letter-bishop = F
letter-rook = T
letter-queen = D
letter-king = R
letter-pincer-pawn = P
letter-long-leaper = C
letter-chameleon = F
letter-coordinator = T
letter-withdrawer = D
letter-immobilizer = I
letter-leaper = C
letter-remover = F
letter-smasher = T

## Fin de partie

result-white = Les blancs gagnent
result-black = Les noirs gagnent
result-none = Partie annulée
result-draw = Partie nulle
reason-checkmate = échec et mat
reason-stalemate = pat, le camp au trait n’a plus de coup
reason-insufficient-material = matériel insuffisant pour mater
reason-dead-position = position morte, plus aucun camp ne peut mater
reason-fifty-moves = règle des cinquante coups
reason-repetition = la même position pour la troisième fois
reason-repetition-lost = le perdant a ramené la même position pour la troisième fois
reason-agreement = d’un commun accord
reason-resignation = par abandon
reason-no-moves = le camp au trait n’a plus de coup
reason-king-captured = un roi est pris
reason-time-out = temps écoulé
reason-time-out-unwinnable = temps écoulé, mais l’autre camp ne pouvait plus gagner
reason-abandonment = un joueur a quitté la partie
reason-aborted = avant d’avoir commencé
reason-no-first-turn = le premier coup n’est pas venu
reason-forfeit = forfait : la partie n’a pas été commencée
