# Les mots de ce jeu. Un rôle que plusieurs jeux partagent est nommé par le premier d’entre eux.

variant-baroque = Baroque
about-baroque = La plupart des pièces vont comme la dame, mais chacune prend à sa manière : en pinçant, en sautant, en s’éloignant.
diagram-baroque = Position de départ de Baroque
first-look-baroque = Le pion blanc vient en c4 : il pince le sauteur et le coordinateur noirs contre deux pièces blanches, et les prend tous les deux d’un coup.

## Ce que les deux règles de nulle veulent dire ici

draws-club-baroque = Cinquante coups sans prise, ou trois fois la même position : nulle aussitôt.
draws-fide-baroque = Cinquante coups sans prise, ou trois fois la même position : nulle, si on la réclame ; automatique à 75 coups ou à la cinquième fois.

## Ses pièces : le nom avec la couleur, avec l’article, et la lettre à l’écran

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
the-pincer-pawn = { $color ->
    [white] le pion pinceur blanc
   *[black] le pion pinceur noir
  }
the-long-leaper = { $color ->
    [white] le sauteur long blanc
   *[black] le sauteur long noir
  }
the-chameleon = { $color ->
    [white] le caméléon blanc
   *[black] le caméléon noir
  }
the-coordinator = { $color ->
    [white] le coordinateur blanc
   *[black] le coordinateur noir
  }
the-withdrawer = { $color ->
    [white] le retireur blanc
   *[black] le retireur noir
  }
the-immobilizer = { $color ->
    [white] l’immobiliseur blanc
   *[black] l’immobiliseur noir
  }
letter-pincer-pawn = P
letter-long-leaper = C
letter-chameleon = F
letter-coordinator = T
letter-withdrawer = D
letter-immobilizer = I

## Comment va chaque pièce, ce qu’elle prend et la clause qui le dit

goes-baroque-pincer-pawn = Comme la tour des échecs.
captures-baroque-pincer-pawn = En arrivant, tout ennemi pincé entre lui et un ami, sur la rangée ou la colonne.
clause-baroque-pincer-pawn = B6
goes-baroque-long-leaper = Comme la dame des échecs.
captures-baroque-long-leaper = En ligne droite, tous les ennemis qu’il saute, si la case derrière chacun est vide.
clause-baroque-long-leaper = B8
goes-baroque-chameleon = Comme la dame des échecs.
captures-baroque-chameleon = Chaque pièce comme cette pièce prendrait ; il fige l’immobiliseur qu’il touche.
clause-baroque-chameleon = B10
goes-baroque-coordinator = Comme la dame des échecs.
captures-baroque-coordinator = Les ennemis aux deux autres coins du rectangle qu’il forme avec son roi.
clause-baroque-coordinator = B7
goes-baroque-withdrawer = Comme la dame des échecs.
captures-baroque-withdrawer = L’ennemi qu’il touche, en s’en éloignant tout droit.
clause-baroque-withdrawer = B9
goes-baroque-king = D’une case dans toutes les directions.
captures-baroque-king = En arrivant sur l’ennemi, comme aux échecs.
clause-baroque-king = B3
goes-baroque-immobilizer = Comme la dame des échecs.
captures-baroque-immobilizer = Rien, mais il fige tous les ennemis qu’il touche.
clause-baroque-immobilizer = B5
