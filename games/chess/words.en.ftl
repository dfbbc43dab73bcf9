# Names and descriptions for this game. A role shared by several games is named in the first of them.

variant-chess = Chess
about-chess = Orthodox chess, as played everywhere. You win by checkmating the king.
diagram-chess = Starting position of chess

## Its shuffled starts, by the name that players look for

start-same-chess = Chess960: shuffled, the same for both sides
start-different-chess = Double Chess960: a different position for each side
start-number-chess = Chess960, by number
start-number-label-chess = Number of the Chess960 position (518 is the usual one)
setting-shuffled-chess = Chess960

## The two sets of draw rules

draws-club-chess = Fifty moves without a capture or a pawn move, or the same position three times: drawn at once. King and two knights against king: drawn too.
draws-fide-chess = Fifty moves without a capture or a pawn move, or the same position three times: a draw if claimed; automatic after 75 moves, or when the same position occurs for the fifth time. King and two knights against king: the game goes on.

## Its pieces: name with colour, name with article, and letter

piece-pawn = { $color ->
    [white] white pawn
   *[black] black pawn
  }
piece-knight = { $color ->
    [white] white knight
   *[black] black knight
  }
piece-bishop = { $color ->
    [white] white bishop
   *[black] black bishop
  }
piece-rook = { $color ->
    [white] white rook
   *[black] black rook
  }
piece-queen = { $color ->
    [white] white queen
   *[black] black queen
  }
piece-king = { $color ->
    [white] white king
   *[black] black king
  }
the-pawn = { $color ->
    [white] the white pawn
   *[black] the black pawn
  }
the-knight = { $color ->
    [white] the white knight
   *[black] the black knight
  }
the-bishop = { $color ->
    [white] the white bishop
   *[black] the black bishop
  }
the-rook = { $color ->
    [white] the white rook
   *[black] the black rook
  }
the-queen = { $color ->
    [white] the white queen
   *[black] the black queen
  }
the-king = { $color ->
    [white] the white king
   *[black] the black king
  }
letter-pawn = P
letter-knight = N
letter-bishop = B
letter-rook = R
letter-queen = Q
letter-king = K

## How each piece moves, what it captures, and the clause that says so

goes-chess-pawn = One square straight ahead, or two from its starting rank.
captures-chess-pawn = One square diagonally ahead; also, en passant, an enemy pawn that has just advanced two squares.
clause-chess-pawn = C7
goes-chess-knight = Leaps two squares straight and one to the side, over anything.
captures-chess-knight = An enemy piece on the square where it lands.
clause-chess-knight = C6
goes-chess-bishop = Diagonally, as far as the way is clear.
captures-chess-bishop = The first enemy piece on a diagonal, if nothing is in the way.
clause-chess-bishop = C5
goes-chess-rook = Along its file or rank, as far as the way is clear.
captures-chess-rook = The first enemy piece on its file or rank, if nothing is in the way.
clause-chess-rook = C5
goes-chess-queen = Like a rook or a bishop, as far as the way is clear.
captures-chess-queen = The first enemy piece on its file, its rank or a diagonal, if nothing is in the way.
clause-chess-queen = C5
goes-chess-king = One square in any direction, never onto an attacked square; it may castle once.
captures-chess-king = An enemy piece next to it, if nothing protects it.
clause-chess-king = C4
