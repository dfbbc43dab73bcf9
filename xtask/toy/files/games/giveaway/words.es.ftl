variant-giveaway = Giveaway
about-giveaway = Capturar es obligatorio, y gana quien se queda sin jugadas.
diagram-giveaway = Posición inicial de Giveaway

draws-club-giveaway = Cincuenta jugadas sin captura ni jugada de peón, o tres veces la misma posición: tablas al instante.
draws-fide-giveaway = Estas tablas se reclaman; solo son automáticas a las 75 jugadas o cuando la posición aparece por quinta vez.

## How each piece moves and captures, in one sentence each, and the clause that says it

goes-giveaway-pawn = Avanza una casilla de frente, nunca dos.
captures-giveaway-pawn = En diagonal, una casilla hacia delante.
clause-giveaway-pawn = G5
goes-giveaway-knight = Salta en forma de L, dos casillas en línea recta y una de lado, por encima de todo.
captures-giveaway-knight = Lo que haya en la casilla a la que llega.
clause-giveaway-knight = G4
goes-giveaway-bishop = En diagonal, hasta donde el camino esté libre.
captures-giveaway-bishop = La primera pieza rival de su diagonal.
clause-giveaway-bishop = G4
goes-giveaway-rook = Por la columna o la fila, hasta donde el camino esté libre.
captures-giveaway-rook = La primera pieza rival de su línea.
clause-giveaway-rook = G4
goes-giveaway-queen = Como la torre o como el alfil, hasta donde el camino esté libre.
captures-giveaway-queen = La primera pieza rival de su línea o su diagonal.
clause-giveaway-queen = G4
goes-giveaway-king = Una casilla en cualquier dirección.
captures-giveaway-king = Lo que haya en la casilla a la que llega.
clause-giveaway-king = G3
