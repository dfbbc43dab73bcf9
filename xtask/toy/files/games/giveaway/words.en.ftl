variant-giveaway = Giveaway
about-giveaway = Taking is compulsory, and the side that has no move left wins.
diagram-giveaway = Starting position of Giveaway

draws-club-giveaway = Fifty moves without a capture or a pawn move, or the same position three times: drawn at once.
draws-fide-giveaway = Fifty moves without a capture or a pawn move, or the same position three times: a draw if claimed; automatic after 75 moves, or when the same position occurs for the fifth time.

## How each piece moves, what it captures, and the clause that says so

goes-giveaway-pawn = One square straight ahead, never two.
captures-giveaway-pawn = One square diagonally ahead.
clause-giveaway-pawn = G5
goes-giveaway-knight = Leaps two squares straight and one to the side, over anything.
captures-giveaway-knight = An enemy piece on the square where it lands.
clause-giveaway-knight = G4
goes-giveaway-bishop = Diagonally, as far as the way is clear.
captures-giveaway-bishop = The first enemy piece on a diagonal, if nothing is in the way.
clause-giveaway-bishop = G4
goes-giveaway-rook = Along its file or rank, as far as the way is clear.
captures-giveaway-rook = The first enemy piece on its file or rank, if nothing is in the way.
clause-giveaway-rook = G4
goes-giveaway-queen = Like a rook or a bishop, as far as the way is clear.
captures-giveaway-queen = The first enemy piece on its file, its rank or a diagonal, if nothing is in the way.
clause-giveaway-queen = G4
goes-giveaway-king = One square in any direction.
captures-giveaway-king = An enemy piece next to it.
clause-giveaway-king = G3
