variant-giveaway = Giveaway
about-giveaway = La prise est obligatoire, et qui n’a plus de coup gagne.
diagram-giveaway = Position de départ de Giveaway

draws-club-giveaway = Cinquante coups sans prise ni coup de pion, ou trois fois la même position : nulle aussitôt.
draws-fide-giveaway = Ces nulles se réclament ; elles ne sont automatiques qu’à 75 coups ou cinq répétitions.
