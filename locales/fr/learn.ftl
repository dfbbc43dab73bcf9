### Les pages de règles

rules-of = Règles : { $variant }
rules-choose = Le jeu
rules-contents = Sur cette page
rules-drills = Exercices
rules-marks = Sur les diagrammes : en vert, où l’on va ; en rouge, ce qui est pris ; la flèche brune, un coup illégal.
diagram-back = Position initiale
diagram-turn = { $color ->
    [white] Aux Blancs de jouer
   *[black] Aux Noirs de jouer
  }
diagram-played = { $color ->
    [white] Les Blancs : { $turn }
   *[black] Les Noirs : { $turn }
  }
diagram-taken = pris : { $squares }
diagram-check = échec
diagram-over = Plus aucun coup n’est possible.
diagram-goes-on = Continuez la prise.
