# Les exercices : de petites tâches, une règle à la fois. Les mots de chacun sont dans games/JEU/drills.fr.ftl.

drills-of = Exercices : { $variant }
drills-lead = De petites tâches, une règle à la fois, dans l’ordre où l’on apprend. À chaque leçon sa règle, à lire d’abord, puis ses exercices, du plus facile au plus difficile. Après les leçons viennent de petites parties. Ce navigateur retient ce que vous avez réussi.
drills-choose = Le jeu
drills-solved = { $solved } sur { $all } réussis
drills-done = réussi
drills-rules = Les règles
drills-all = Tous les exercices
drills-none = Cet exercice n’existe pas.
drills-next = Continuer : { $title }
drills-group-solved = { $solved } sur { $all }
drills-rule = La règle
drills-practices = De petites parties
drills-practices-note = Quand vous connaissez toutes les leçons : peu de pièces, et la machine ne joue pas fort. On gagne comme dans une vraie partie.
drills-practice = Jouer
drills-then = Et ensuite
drills-then-problems = Les problèmes
drills-then-play = Une partie entière
drill-place = Exercice { $number } sur { $all }
drill-clause = Règle { $clause }
drill-difficulty = { $difficulty ->
    [easy] facile
    [middle] moyen
   *[hard] difficile
  }
drill-optional = facultatif
drill-before = Jusqu’ici : { $turns }
drill-show-hint = Un indice
drill-retry = Réessayer
drill-next = Le suivant
drill-check = Vérifier
drill-yes = Oui
drill-no = Non
drill-right = Exact
drill-wrong = Ce n’est pas cela
drill-goes-on = Continuez la prise.
drill-go-on = Bien. L’adversaire répond { $turn } : continuez.
drill-chosen = choisie
drill-extra = La case { $square } est de trop. { $why }
drill-missing = { $count ->
    [one] Il manque encore une case.
   *[other] Il manque encore { $count } cases.
  }
drill-replies = { $count ->
    [one] L’adversaire a encore un coup : { $turn }.
   *[other] L’adversaire a encore { $count } coups, par exemple { $turn }.
  }
drill-over = La partie est alors finie ({ $outcome }).
drill-not-takes = Ce n’est pas la prise demandée.
drill-not-forced = Ce coup ne mène pas au but à coup sûr.
drill-not-most = On peut prendre davantage.
drill-not-ends = Ce coup ne finit pas la partie.
drill-not-parries = L’échec est paré, mais pas de la façon demandée.
drill-not-checks = Ce coup ne donne pas échec.
drill-not-castles = Ce n’est pas un roque.
drill-not-passes = Ce n’est pas une prise en passant.
drill-not-promotes = Ce n’est pas la promotion demandée.
drill-not-frees = La pièce reste figée.
drill-not-freezes = La pièce n’est pas figée ainsi.
drill-not-dies = Un camp peut encore mater.
drill-not-repeats = Cette position n’est pas encore apparue deux fois.
drill-not-avoids = Cette position apparaîtrait pour la troisième fois.

## Les groupes

drill-group-pawn = Le pion
drill-group-king = Le roi
drill-group-check = L’échec
drill-group-mate = Le mat
drill-group-promotion = La promotion
drill-group-turns = En deux coups
