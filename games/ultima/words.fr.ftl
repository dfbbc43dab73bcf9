# Les mots de ce jeu. Un rôle que plusieurs jeux partagent est nommé par le premier d’entre eux.

variant-ultima = Ultima
about-ultima = Les règles d’origine de Robert Abbott : une pièce figée le reste, à moins que son propre camp ne la retire.
diagram-ultima = Position de départ d’Ultima

## Ce que les deux règles de nulle veulent dire ici

draws-club-ultima = Cinquante coups sans qu’une pièce quitte l’échiquier, ou trois fois la même position : nulle aussitôt.
draws-fide-ultima = Ces nulles se réclament ; elles ne sont automatiques qu’à 75 coups ou cinq répétitions.
