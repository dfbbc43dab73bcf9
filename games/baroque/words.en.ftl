# Names and descriptions for this game. A role shared by several games is named in the first of them.

variant-baroque = Baroque
about-baroque = Most pieces move like a queen, but each captures in its own way: by pinching, by leaping, by moving away.
diagram-baroque = Starting position of Baroque
first-look-baroque = The white pawn moves to c4. It pinches the black leaper and the black coordinator against two white pieces, and captures both at once.

## The two sets of draw rules

draws-club-baroque = Fifty moves without a capture, or the same position three times: drawn at once.
draws-fide-baroque = Fifty moves without a capture, or the same position three times: a draw if claimed; automatic after 75 moves, or when the same position occurs for the fifth time.

## Its pieces: name with colour, name with article, and letter

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
the-pincer-pawn = { $color ->
    [white] the white pincer pawn
   *[black] the black pincer pawn
  }
the-long-leaper = { $color ->
    [white] the white long leaper
   *[black] the black long leaper
  }
the-chameleon = { $color ->
    [white] the white chameleon
   *[black] the black chameleon
  }
the-coordinator = { $color ->
    [white] the white coordinator
   *[black] the black coordinator
  }
the-withdrawer = { $color ->
    [white] the white withdrawer
   *[black] the black withdrawer
  }
the-immobilizer = { $color ->
    [white] the white immobilizer
   *[black] the black immobilizer
  }
letter-pincer-pawn = P
letter-long-leaper = N
letter-chameleon = B
letter-coordinator = R
letter-withdrawer = Q
letter-immobilizer = M

## How each piece moves, what it captures, and the clause that says so

goes-baroque-pincer-pawn = Like a rook in chess.
captures-baroque-pincer-pawn = Where it arrives, every enemy pinched between it and a friend along its file or rank.
clause-baroque-pincer-pawn = B6
goes-baroque-long-leaper = Like a queen in chess.
captures-baroque-long-leaper = All the enemies it leaps over in a straight line, if the square behind each is empty.
clause-baroque-long-leaper = B8
goes-baroque-chameleon = Like a queen in chess.
captures-baroque-chameleon = Each piece the way that piece itself captures; it freezes an immobilizer next to it.
clause-baroque-chameleon = B10
goes-baroque-coordinator = Like a queen in chess.
captures-baroque-coordinator = Enemies on the other two corners of the rectangle it forms with its king.
clause-baroque-coordinator = B7
goes-baroque-withdrawer = Like a queen in chess.
captures-baroque-withdrawer = An enemy next to it, by moving directly away from it.
clause-baroque-withdrawer = B9
goes-baroque-king = One square in any direction.
captures-baroque-king = By landing on the enemy, as in chess.
clause-baroque-king = B3
goes-baroque-immobilizer = Like a queen in chess.
captures-baroque-immobilizer = Nothing: it freezes every enemy next to it.
clause-baroque-immobilizer = B5
