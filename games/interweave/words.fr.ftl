# Les mots de ce jeu. Un rôle que plusieurs jeux partagent est nommé par le premier d’entre eux.

variant-interweave = Interweave
about-interweave = Chaque pièce reste sur sa couleur et prend sur l’autre. Prendre est obligatoire, les prises s’enchaînent ; un roi pris, et c’est gagné.
diagram-interweave = Position de départ d’Interweave

## Ce que les deux règles de nulle veulent dire ici

draws-club-interweave = Cinquante coups sans prise ni coup de pion : nulle aussitôt. Qui ramène la même position pour la troisième fois perd.
draws-fide-interweave = La nulle par cinquante coups se réclame ; elle est automatique à 75. Qui ramène la même position pour la troisième fois perd.

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
