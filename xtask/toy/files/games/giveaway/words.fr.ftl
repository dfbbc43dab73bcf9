variant-giveaway = Giveaway
about-giveaway = La prise est obligatoire, et qui n’a plus de coup gagne.
diagram-giveaway = Position de départ de Giveaway

draws-club-giveaway = Cinquante coups sans prise ni coup de pion, ou trois fois la même position : nulle aussitôt.
draws-fide-giveaway = Ces nulles se réclament ; elles ne sont automatiques qu’à 75 coups ou cinq répétitions.

## How each piece moves and captures, in one sentence each, and the clause that says it

goes-giveaway-pawn = Avance d’une case droit devant, jamais de deux.
captures-giveaway-pawn = Une case en diagonale vers l’avant.
clause-giveaway-pawn = G5
goes-giveaway-knight = Saute à deux cases tout droit et une de côté, par-dessus tout.
captures-giveaway-knight = Ce qui se trouve sur sa case d’arrivée.
clause-giveaway-knight = G4
goes-giveaway-bishop = En diagonale, aussi loin que la voie est libre.
captures-giveaway-bishop = La première pièce adverse sur sa diagonale.
clause-giveaway-bishop = G4
goes-giveaway-rook = Le long de la colonne ou de la rangée, aussi loin que la voie est libre.
captures-giveaway-rook = La première pièce adverse sur sa ligne.
clause-giveaway-rook = G4
goes-giveaway-queen = Comme la tour ou comme le fou, aussi loin que la voie est libre.
captures-giveaway-queen = La première pièce adverse sur sa ligne ou sa diagonale.
clause-giveaway-queen = G4
goes-giveaway-king = D’une case dans toutes les directions.
captures-giveaway-king = Ce qui se trouve sur sa case d’arrivée.
clause-giveaway-king = G3
