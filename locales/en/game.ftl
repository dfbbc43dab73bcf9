# The pieces, their letters, and how games end.

## Pieces: the name with its colour

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
piece-pincer-pawn = { $color ->
    [white] white pincer pawn
   *[black] black pincer pawn
  }
piece-long-leaper = { $color ->
    [white] white long leaper
   *[black] black long leaper
  }
piece-chameleon = { $color ->
    [white] white chameleon
   *[black] black chameleon
  }
piece-coordinator = { $color ->
    [white] white coordinator
   *[black] black coordinator
  }
piece-withdrawer = { $color ->
    [white] white withdrawer
   *[black] black withdrawer
  }
piece-immobilizer = { $color ->
    [white] white immobilizer
   *[black] black immobilizer
  }
piece-leaper = { $color ->
    [white] white leaper
   *[black] black leaper
  }
piece-remover = { $color ->
    [white] white remover
   *[black] black remover
  }
piece-smasher = { $color ->
    [white] white smasher
   *[black] black smasher
  }

## Letters, on screen only: those of the chess pieces whose shape each one borrows

letter-pawn = P
letter-knight = N
letter-bishop = B
letter-rook = R
letter-queen = Q
letter-king = K
letter-pincer-pawn = P
letter-long-leaper = N
letter-chameleon = B
letter-coordinator = R
letter-withdrawer = Q
letter-immobilizer = M
letter-leaper = N
letter-remover = B
letter-smasher = R

## How a game ended

result-white = White wins
result-black = Black wins
result-none = Called off
result-draw = Draw
reason-checkmate = checkmate
reason-stalemate = stalemate, the side to move has no move left
reason-insufficient-material = not enough material to mate
reason-dead-position = dead position, neither side can mate any more
reason-fifty-moves = fifty-move rule
reason-repetition = the same position for the third time
reason-repetition-lost = the loser brought about the same position for the third time
reason-agreement = by agreement
reason-resignation = by resignation
reason-no-moves = the side to move has no move left
reason-king-captured = a king is taken
reason-time-out = out of time
reason-time-out-unwinnable = out of time, but the other side could no longer win
reason-abandonment = a player has left
reason-aborted = before it began
reason-no-first-turn = the first move did not come
reason-forfeit = forfeit: the game was not begun
