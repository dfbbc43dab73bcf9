# Names and descriptions for this game. A role shared by several games is named in the first of them.

variant-ultima = Ultima
about-ultima = Robert Abbott’s original rules: nothing frees a frozen piece while it touches the immobilizer, but its own side may take it off the board.
diagram-ultima = Starting position of Ultima
first-look-ultima = The white pawn moves to c4. It pinches the black leaper and the black coordinator against two white pieces, and captures both at once.

## The two sets of draw rules

draws-club-ultima = Fifty moves without a piece leaving the board, or the same position three times: drawn at once.
draws-fide-ultima = Fifty moves without a piece leaving the board, or the same position three times: a draw if claimed; automatic after 75 moves, or when the same position occurs for the fifth time.

## How each piece moves, and what it captures: as in Baroque

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
