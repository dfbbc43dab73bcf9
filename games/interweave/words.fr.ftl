# Les mots de ce jeu. Un rôle que plusieurs jeux partagent est nommé par le premier d’entre eux.

variant-interweave = Interweave
about-interweave = Chaque pièce reste sur la couleur de sa case et prend sur l’autre. Prendre est obligatoire, les prises s’enchaînent ; un roi pris, et c’est gagné.
diagram-interweave = Position de départ d’Interweave
first-look-interweave = Le supprimeur blanc, en e4, enlève sans bouger les deux pions noirs qui le touchent.

## Ce que les deux règles de nulle veulent dire ici

draws-club-interweave = Cinquante coups sans prise ni coup de pion : nulle aussitôt. Qui ramène la même position pour la troisième fois perd.
draws-fide-interweave = Il faut réclamer la nulle des cinquante coups ; elle est automatique à 75. Qui ramène la même position pour la troisième fois perd.

## Ses pièces : le nom avec la couleur, avec l’article, et la lettre à l’écran

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
the-leaper = { $color ->
    [white] le sauteur blanc
   *[black] le sauteur noir
  }
the-remover = { $color ->
    [white] le supprimeur blanc
   *[black] le supprimeur noir
  }
the-smasher = { $color ->
    [white] le frappeur blanc
   *[black] le frappeur noir
  }
letter-leaper = C
letter-remover = F
letter-smasher = T

## Comment va chaque pièce, ce qu’elle prend et la clause qui le dit

goes-interweave-pawn = D’une case en diagonale vers l’avant, ou de deux depuis sa rangée de départ.
captures-interweave-pawn = Droit devant, par un saut court ; et tout ennemi voisin, sur la rangée ou la colonne, qui a un ami du pion juste derrière.
clause-interweave-pawn = I9
goes-interweave-leaper = En diagonale, ou d’un nombre pair de cases sur la rangée ou la colonne, ou d’un double saut de cavalier.
captures-interweave-leaper = L’ennemi au milieu de son double saut, ou celui qu’il saute, à distance impaire, sur la rangée ou la colonne.
clause-interweave-leaper = I7
goes-interweave-remover = En diagonale, aussi loin que la voie est libre.
captures-interweave-remover = Sans bouger, tous les ennemis voisins à la fois, sur la rangée et la colonne.
clause-interweave-remover = I8
goes-interweave-smasher = En diagonale, ou d’un nombre pair de cases sur la rangée ou la colonne.
captures-interweave-smasher = Après un coup le long de la rangée ou de la colonne, l’ennemi juste devant lui, dans la même direction.
clause-interweave-smasher = I6
goes-interweave-king = D’une case en diagonale.
captures-interweave-king = Par un saut court par-dessus un ennemi voisin, sur la rangée ou la colonne.
clause-interweave-king = I5
