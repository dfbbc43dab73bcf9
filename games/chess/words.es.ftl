# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-chess = Ajedrez
about-chess = El ajedrez ortodoxo, como se juega en todas partes. Gana quien da mate al rey.
diagram-chess = Posición inicial del ajedrez

## Sus posiciones iniciales mezcladas, por el nombre que buscan los jugadores

start-same-chess = Chess960: mezclada, igual para ambos
start-different-chess = Chess960 doble: una posición por bando
start-number-chess = Chess960, por su número
start-number-label-chess = Número de la posición Chess960 (518: la habitual)
setting-shuffled-chess = Chess960

## Qué significan aquí las dos reglas de tablas

draws-club-chess = Cincuenta jugadas sin captura ni jugada de peón, o tres veces la misma posición: tablas al instante. Rey y dos caballos contra rey: también tablas.
draws-fide-chess = Cincuenta jugadas sin captura ni jugada de peón, o tres veces la misma posición: tablas si se reclaman; automáticas a las 75 jugadas o cuando la posición aparece por quinta vez. El final de rey y dos caballos contra rey se sigue jugando.

## Sus piezas: el nombre con el color, con el artículo, y la letra en la pantalla

piece-pawn = { $color ->
    [white] peón blanco
   *[black] peón negro
  }
piece-knight = { $color ->
    [white] caballo blanco
   *[black] caballo negro
  }
piece-bishop = { $color ->
    [white] alfil blanco
   *[black] alfil negro
  }
piece-rook = { $color ->
    [white] torre blanca
   *[black] torre negra
  }
piece-queen = { $color ->
    [white] dama blanca
   *[black] dama negra
  }
piece-king = { $color ->
    [white] rey blanco
   *[black] rey negro
  }
the-pawn = { $color ->
    [white] el peón blanco
   *[black] el peón negro
  }
the-knight = { $color ->
    [white] el caballo blanco
   *[black] el caballo negro
  }
the-bishop = { $color ->
    [white] el alfil blanco
   *[black] el alfil negro
  }
the-rook = { $color ->
    [white] la torre blanca
   *[black] la torre negra
  }
the-queen = { $color ->
    [white] la dama blanca
   *[black] la dama negra
  }
the-king = { $color ->
    [white] el rey blanco
   *[black] el rey negro
  }
letter-pawn = P
letter-knight = C
letter-bishop = A
letter-rook = T
letter-queen = D
letter-king = R

## Cómo se mueve cada pieza, qué captura y la cláusula que lo dice

goes-chess-pawn = Avanza una casilla de frente, o dos desde su fila inicial.
captures-chess-pawn = En diagonal, una casilla hacia delante; al paso, el peón que acaba de avanzar dos casillas.
clause-chess-pawn = C7
goes-chess-knight = Salta en forma de L, dos casillas en línea recta y una de lado, por encima de todo.
captures-chess-knight = Lo que haya en la casilla a la que llega.
clause-chess-knight = C6
goes-chess-bishop = En diagonal, hasta donde el camino esté libre.
captures-chess-bishop = La primera pieza que encuentra en su diagonal, si es contraria.
clause-chess-bishop = C5
goes-chess-rook = Por la columna o la fila, hasta donde el camino esté libre.
captures-chess-rook = La primera pieza que encuentra en su línea, si es contraria.
clause-chess-rook = C5
goes-chess-queen = Como la torre o como el alfil, hasta donde el camino esté libre.
captures-chess-queen = La primera pieza que encuentra en su línea o su diagonal, si es contraria.
clause-chess-queen = C5
goes-chess-king = Una casilla en cualquier dirección, nunca a una casilla atacada; una vez por partida puede enrocar.
captures-chess-king = La pieza contraria vecina, si nada la protege.
clause-chess-king = C4
