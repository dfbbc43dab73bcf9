# Les exercices : de petites tâches, une règle à la fois. Les mots de chacun sont dans games/JEU/drills.fr.ftl.

drills-of = Exercices : { $variant }
drills-lead = De petites tâches, une règle à la fois, dans l’ordre où l’on apprend. À chaque leçon sa règle, à lire d’abord, puis ses exercices, du plus facile au plus difficile. Après les leçons viennent de petites parties. Ce navigateur retient ce que vous avez réussi.
drills-choose = Le jeu
drills-solved = Exercices réussis : { $solved } sur { $all }
drills-done = réussi
drills-rules = Les règles
drills-all = Tous les exercices
drills-none = Cet exercice n’existe pas.
drills-start = Commencer : { $title }
drills-next = Continuer : { $title }
drills-group-solved = { $solved } sur { $all }
drills-rule = La règle
drills-practices = De petites parties
drills-practices-note = À jouer quand vous connaîtrez toutes les leçons. Il y a le plus souvent moins de pièces que dans une partie entière, et la machine ne joue pas fort. On gagne comme dans une vraie partie.
drills-practice = Jouer
drills-then = Et ensuite
drills-then-problems = Les problèmes
drills-then-play = Une partie entière
drill-place = Exercice { $number } sur { $all }
drill-clause = Règle { $clause }
drill-difficulty = { $difficulty ->
    [easy] facile
    [medium] moyen
   *[hard] difficile
  }
drill-optional = facultatif
drill-how-turn = Touchez la pièce à jouer, puis sa case d’arrivée.
drill-how-squares = Touchez chaque case demandée, puis « Vérifier ».
drill-how-choice = Regardez la position, puis répondez par Oui ou par Non.
drill-how-keyboard = Au clavier : les flèches, puis Entrée.
drill-square-names = Une case se nomme par sa colonne, de a à h, puis sa rangée, de 1 à 8, inscrites au bord de l’échiquier : d2 est la case de la colonne d sur la deuxième rangée.
drill-square-names-rule = Le nom des cases
drill-before = Jusqu’ici : { $turns }
drill-show-hint = Un indice
drill-retry = Réessayer
drill-next = Le suivant
drill-check = Vérifier
drill-yes = Oui
drill-no = Non
drill-right = Exact
drill-taken-back = Votre coup est repris : essayez encore.
drill-wrong = Ce n’est pas cela
drill-goes-on = Continuez la prise.
drill-go-on = Bien. L’adversaire a répondu. { $turn } À vous de continuer.
drill-chosen = choisie
drill-extra = La case { $square } est de trop. { $why }
drill-missing = { $count ->
    [one] Il manque encore une case.
   *[other] Il manque encore { $count } cases.
  }
drill-not-takes = Ce n’est pas la prise demandée.
drill-not-forced = Ce coup ne mène pas au but à coup sûr.
drill-not-most = On peut prendre davantage.
drill-not-ends = Ce coup ne finit pas la partie.
drill-not-ended-so = La partie finit, mais pas de la façon demandée.
drill-not-wins = Ce coup ne gagne pas la partie.
drill-not-parries = L’échec est paré, mais pas de la façon demandée.
drill-not-checks = Ce coup ne donne pas échec.
drill-not-castles = Ce n’est pas un roque.
drill-not-passes = Ce n’est pas une prise en passant.
drill-not-promotes = Ce n’est pas la promotion demandée.
drill-not-frees = La pièce reste figée.
drill-not-freezes = La pièce n’est pas figée ainsi.
drill-not-dies = Un camp peut encore mater.
drill-not-repeats = Avant ce coup, cette position n’était pas encore apparue deux fois.
drill-not-avoids = Cette position apparaîtrait pour la troisième fois.

## Ce que fait un coup faux, et pourquoi cela ne suffit pas

drill-why-man = { $man } en { $at }
drill-why-over = La partie est alors finie ({ $outcome }).
drill-why-stays = Toujours sur l’échiquier : { $men }.
drill-why-too-many = Pièces prises en trop : { $men }.
drill-why-retaken = { $man } en { $from } peut reprendre en { $to }.
drill-why-unreachable = Vers { $at } ? { $why }
drill-why-landing = Pour prendre en { $at }, il faut aller sur cette case ; ici, { $man } va en { $to }.
drill-why-other-man = Pour cette prise, c’est une autre pièce qui doit jouer.
drill-why-pincer-diagonal = En allant en diagonale de { $from } à { $to }, { $man } ne pince pas.
drill-why-pincer-far = En { $to }, { $man } n’est pas juste à côté de { $at }, sur la rangée ou la colonne.
drill-why-pincer-edge = Vu de { $to }, il n’y a plus de case derrière { $at } : pas d’ami pour aider à prendre.
drill-why-pincer-alone = Vu de { $to }, il n’y a pas d’ami juste derrière { $at }, en { $behind }.
drill-why-aligned = En { $to }, { $man } est sur la rangée ou la colonne de son roi ({ $king }) : pas de rectangle.
drill-why-corners = Le rectangle qui va de { $to } au roi en { $king } a pour autres coins { $one } et { $other }, et non { $at }.
drill-why-en-passant = En passant, un pion prend comme si l’autre n’avait avancé que d’une case.
drill-why-leap = Pour aller de { $from } à { $to }, on ne passe pas par-dessus { $at }.
drill-why-withdrawal = Pour prendre la pièce en { $at }, il faut partir d’une case voisine d’elle et s’en éloigner tout droit : de { $from } à { $to }, { $man } ne le fait pas.
drill-why-approach = De { $from } à { $to }, { $man } n’avance pas, le long de la rangée ou de la colonne, jusque devant { $at }.
drill-why-count = Pièces prises par ce coup : { $count }. Un autre en prend { $most }.
drill-why-no-check = { $man } en { $from } n’est pas en échec.
drill-why-no-attack = En { $from }, { $man } n’attaque pas le roi en { $at }.
drill-why-left = Il reste, en plus des rois : { $men }.
drill-why-king-moved = C’est { $man } qui a bougé.
drill-why-king-stayed = Rien n’est pris, et le roi n’a pas bougé.
drill-why-king-still = { $man } n’a pas bougé.
drill-why-king-one-square = { $man } ne s’est déplacé que d’une case : en roquant, il se déplace de deux cases vers une tour.
drill-why-no-promotion = Aucun pion n’est devenu une autre pièce.
drill-why-promoted = Le pion est devenu : { $piece }.
drill-why-not-touching = En { $from }, { $man } ne touche pas { $at }.
drill-why-mobile = Pièces qui peuvent encore bouger, rois exceptés : { $men }.
drill-why-occurs = { $count ->
    [one] Après ce coup, la position apparaît pour la première fois.
   *[other] Après ce coup, la position apparaît pour la { $count }ᵉ fois.
  }
drill-why-replies = { $count ->
    [one] L’adversaire a encore un coup : { $turn }.
   *[other] L’adversaire a encore { $count } coups, par exemple { $turn }.
  }
drill-why-held = { $why }
drill-why-refuted = L’adversaire peut répondre ainsi. { $turn } Plus aucun coup ne mène alors au but.
drill-why-out-of-reach = Quoi que réponde l’adversaire, aucun coup ne mène ensuite au but.

## Les groupes

drill-group-pawn = Le pion
drill-group-king = Le roi
drill-group-check = L’échec
drill-group-mate = Le mat
drill-group-promotion = La promotion
drill-group-turns = En deux coups
