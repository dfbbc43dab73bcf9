# Les mots de ce jeu. Un rôle que plusieurs jeux partagent est nommé par le premier d’entre eux.

variant-ultima = Ultima
about-ultima = Les règles d’origine de Robert Abbott : rien ne libère une pièce figée tant qu’elle touche l’immobiliseur, mais son propre camp peut la retirer.
diagram-ultima = Position de départ d’Ultima
first-look-ultima = Le pion blanc vient en c4 : il pince le sauteur et le coordinateur noirs contre deux pièces blanches, et les prend tous les deux d’un coup.

## Ce que les deux règles de nulle veulent dire ici

draws-club-ultima = Cinquante coups sans qu’une pièce quitte l’échiquier, ou trois fois la même position : nulle aussitôt.
draws-fide-ultima = Cinquante coups sans qu’une pièce quitte l’échiquier, ou trois fois la même position : nulle, si on la réclame ; automatique à 75 coups ou à la cinquième fois.

## Comment va chaque pièce et ce qu’elle prend : comme au Baroque

goes-ultima-pincer-pawn = { goes-baroque-pincer-pawn }
captures-ultima-pincer-pawn = { captures-baroque-pincer-pawn }
clause-ultima-pincer-pawn = U6
goes-ultima-long-leaper = { goes-baroque-long-leaper }
captures-ultima-long-leaper = { captures-baroque-long-leaper }
clause-ultima-long-leaper = U8
goes-ultima-chameleon = { goes-baroque-chameleon }
captures-ultima-chameleon = { captures-baroque-chameleon }
clause-ultima-chameleon = U10
goes-ultima-coordinator = { goes-baroque-coordinator }
captures-ultima-coordinator = { captures-baroque-coordinator }
clause-ultima-coordinator = U7
goes-ultima-withdrawer = { goes-baroque-withdrawer }
captures-ultima-withdrawer = { captures-baroque-withdrawer }
clause-ultima-withdrawer = U9
goes-ultima-king = { goes-baroque-king }
captures-ultima-king = { captures-baroque-king }
clause-ultima-king = U3
goes-ultima-immobilizer = { goes-baroque-immobilizer }
captures-ultima-immobilizer = { captures-baroque-immobilizer }
clause-ultima-immobilizer = U5
