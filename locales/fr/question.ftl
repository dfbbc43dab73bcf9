# Le mode question : où va une pièce, ce qu’elle prend et comment, ce qui la retient, pourquoi un coup est illégal.

## Le mode question

question-toggle = Demander pourquoi
question-hint = Montrez une pièce pour savoir ce qu’elle peut faire. Choisissez-la, puis une case, pour savoir si elle peut y aller, et pourquoi.
question-label = Réponse
question-man = { $man } en { $at }
question-tried = { $man } en { $from }, vers { $to } : coup illégal
question-legal = { $man } en { $from }, vers { $to } : coup légal
question-in-place = { $man } en { $at }, sur place : coup légal
question-given-up = { $man } en { $at }, hors de l’échiquier : coup légal
question-goes = Va en { $squares } sans prendre.
question-would-go = Irait en { $squares } sans prendre.
question-gives-up = Son camp peut la retirer de l’échiquier : cela compte pour un coup.
question-would-give-up = Son camp pourrait la retirer de l’échiquier : cela compterait pour un coup.
question-nowhere = Ne peut aller nulle part.
question-takes-nothing = Rien n’est pris.
question-at = En { $squares } : { $words }.
question-in-place-at = Sur place : { $words }.
question-instead-in-place = { $at } sur place ({ $victims })
question-imitating = { $words }, à la façon de sa victime
question-goes-on = { $words }, puis doit continuer la prise
question-threat = { $by } en { $from } va en { $to } et { $words }
question-threat-in-place = { $by } en { $from } reste sur place et { $words }
question-castling = Roque en { $to } : la tour en { $rook } va en { $beside }.
question-also = { $words } ; { $more }
question-clause = Règle { $clause }

## Comment on prend : ce qui suit le nom de qui prend

way-landing = prend { $victim } en { $at }, en y arrivant
way-en-passant = prend { $victim } en { $at } en passant
way-pincer = prend { $victim } en { $at }, pincé contre la pièce en { $with }
way-coordination = prend { $victim } en { $at }, au coin du rectangle formé avec le roi en { $with }
way-leap = prend { $victim } en { $at } en sautant par-dessus
way-withdrawal = prend { $victim } en { $at } en s’éloignant tout droit
way-approach = prend { $victim } en { $at } en s’arrêtant juste devant
way-short-leap = prend { $victim } en { $at } en sautant par-dessus, sur la case juste derrière
way-long-leap = prend { $victim } en { $at } d’un saut long
way-double-knight-leap = prend { $victim } en { $at }, au milieu d’un double saut de cavalier
way-removal = supprime { $victim } en { $at } sans bouger
way-custodian = prend { $victim } en { $at }, encadré avec l’aide de la pièce en { $with }
way-other = prend { $victim } en { $at }

## Pourquoi non

why-game-over = La partie est finie ({ $outcome }).
why-not-your-turn = { $color ->
    [white] C’est aux Blancs de jouer.
   *[black] C’est aux Noirs de jouer.
  }
why-pass = On ne passe pas son tour.
why-no-man = La case { $at } est vide.
why-not-your-man = { $color ->
    [white] C’est aux Blancs de jouer, et cette pièce est noire.
   *[black] C’est aux Noirs de jouer, et cette pièce est blanche.
  }
why-invalid-movement = { $man } ne se déplace jamais ainsi.
why-not-from-start = Le pion n’avance de deux cases que depuis sa rangée de départ.
why-wrong-square-color = { $man } ne quitte jamais la couleur de sa case.
why-odd-distance = Sur la rangée ou la colonne, { $man } avance d’un nombre pair de cases ; ici, ce serait { $distance }.
why-own-man = { $other }, du même camp, est déjà en { $at }.
why-own-men = Son propre camp occupe { $squares }.
why-occupied = { $other } occupe { $at }, et { $man } ne prend pas en arrivant sur l’ennemi.
why-occupied-by-several = Le camp adverse occupe { $squares }, et { $man } ne prend pas en arrivant sur l’ennemi.
why-blocked = { $other } en { $at } barre le chemin.
why-blocked-by-several = Des pièces barrent le chemin en { $squares }.
why-nothing-to-take = Ce coup ne se joue que pour prendre, et il n’y a rien à prendre ici.
why-nothing-to-leap = Pour sauter ainsi, il faudrait un ennemi en { $at }.
why-leap-over-friend = On ne saute pas par-dessus un ami : { $other } est en { $at }.
why-leap-over-friends = On ne saute pas par-dessus un ami : il y en a en { $squares }.
why-leap-over-other = Le caméléon ne saute que par-dessus les sauteurs longs, et en { $at } se trouve { $other }.
why-leap-even-distance = { $man } ne saute que par-dessus un ennemi à distance impaire ; { $other } en { $at } est à distance paire.
why-two-in-a-row = On ne saute pas deux pièces qui se suivent : { $other } en { $at }, { $second } en { $behind }.
why-two-in-one-leap = Un saut ne passe par-dessus qu’une seule pièce ; il y a { $other } en { $at } et { $second } en { $behind }.
why-no-room-behind = Derrière { $other } en { $at }, la case { $behind } n’est pas libre : { $second } s’y trouve.
why-en-passant-not-possible = { $other } en { $at } ne vient pas d’avancer de deux cases : la prise en passant n’est pas possible.
why-en-passant-exposes = La prise en passant découvrirait le roi : { $threat }.
why-pinned = Cette pièce est clouée devant son roi par { $other } en { $place } ; elle ne peut pas quitter la ligne du clouage.
why-check-not-parried = { $other } en { $at } donne échec : il faut d’abord parer cet échec.
why-double-check = Échec double (l’une des pièces est { $other } en { $at }) : seul le roi peut jouer.
why-king-exposed = Le roi pourrait alors être pris : { $threat }.
why-king-left-in-check = Le roi resterait en échec : { $threat }.
why-castling-right-lost = On ne peut plus roquer avec la tour en { $at } : elle ou le roi a déjà joué.
why-castling-no-rook = Il n’y a pas de tour en { $at } pour roquer.
why-castling-between = { $other } en { $place } empêche de roquer.
why-castling-in-check = On ne roque pas quand on est en échec, et { $other } en { $place } attaque le roi.
why-castling-crosses = En roquant, le roi passerait par { $at }, case attaquée par { $other } en { $place }.
why-castling-lands-on = En roquant, le roi arriverait en { $at }, case attaquée par { $other } en { $place }.
why-frozen-by-immobilizer = Cette pièce est figée par { $other } en { $at }.
why-frees-only-others = Cette pièce est figée par { $other } en { $at } : à son contact, elle libère les autres, pas elle-même.
why-frozen-by-chameleon = Cet immobiliseur est figé par { $other } en { $at }.
why-taking-compulsory = Prendre est obligatoire. Prises possibles : { $instead }.
why-chain-goes-on = { $other } en { $at } vient de prendre et doit continuer : { $instead }.
why-promotion-missing = Le pion doit devenir une autre pièce ({ $choices }).
why-promotion-not-here = { $man } ne se promeut pas ici.
why-promotion-role = Un pion ne devient jamais cette pièce ; il peut devenir : { $choices }.
why-not-in-reserve = Cette pièce n’est pas en réserve ; le pion peut devenir : { $choices }.
why-no-man-in-reserve = Sur la dernière rangée, le pion doit devenir une pièce de la réserve, et la réserve est vide.
why-other = Les règles ne le permettent pas.
