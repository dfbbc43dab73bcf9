# Les mots de ce jeu. Un rôle que plusieurs jeux partagent est nommé par le premier d’entre eux.

variant-chess = Échecs
about-chess = Les échecs orthodoxes, tels qu’on les joue partout. On gagne en matant le roi.
diagram-chess = Position de départ des échecs

## Ce que les deux règles de nulle veulent dire ici

draws-club-chess = Cinquante coups sans prise ni coup de pion, ou trois fois la même position : nulle aussitôt. Roi et deux cavaliers contre roi : nulle aussi.
draws-fide-chess = Ces nulles se réclament ; elles ne sont automatiques qu’à 75 coups ou cinq répétitions. Roi et deux cavaliers contre roi se joue.

## Ses pièces : le nom avec la couleur, avec l’article, et la lettre à l’écran

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
the-pawn = { $color ->
    [white] le pion blanc
   *[black] le pion noir
  }
the-knight = { $color ->
    [white] le cavalier blanc
   *[black] le cavalier noir
  }
the-bishop = { $color ->
    [white] le fou blanc
   *[black] le fou noir
  }
the-rook = { $color ->
    [white] la tour blanche
   *[black] la tour noire
  }
the-queen = { $color ->
    [white] la dame blanche
   *[black] la dame noire
  }
the-king = { $color ->
    [white] le roi blanc
   *[black] le roi noir
  }
letter-pawn = P
letter-knight = C
letter-bishop = F
letter-rook = T
letter-queen = D
letter-king = R
