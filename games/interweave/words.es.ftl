# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-interweave = Interweave
about-interweave = Cada pieza se queda en su color y captura en el otro. Capturar es obligatorio y las capturas se encadenan; quien captura un rey gana.
diagram-interweave = Posición inicial de Interweave
first-look-interweave = El supresor blanco de e4 quita, sin moverse, los dos peones negros que lo tocan.

## Qué significan aquí las dos reglas de tablas

draws-club-interweave = Cincuenta jugadas sin captura ni jugada de peón: tablas al instante. Si la misma posición aparece por tercera vez, pierde quien la repite.
draws-fide-interweave = Las tablas por cincuenta jugadas hay que reclamarlas; son automáticas a las 75. Si la misma posición aparece por tercera vez, pierde quien la repite.

## Sus piezas: el nombre con el color, con el artículo, y la letra en la pantalla

piece-leaper = { $color ->
    [white] saltador blanco
   *[black] saltador negro
  }
piece-remover = { $color ->
    [white] supresor blanco
   *[black] supresor negro
  }
piece-smasher = { $color ->
    [white] percutor blanco
   *[black] percutor negro
  }
the-leaper = { $color ->
    [white] el saltador blanco
   *[black] el saltador negro
  }
the-remover = { $color ->
    [white] el supresor blanco
   *[black] el supresor negro
  }
the-smasher = { $color ->
    [white] el percutor blanco
   *[black] el percutor negro
  }
letter-leaper = C
letter-remover = A
letter-smasher = T

## Cómo se mueve cada pieza, qué captura y la cláusula que lo dice

goes-interweave-pawn = Una casilla en diagonal hacia delante, o dos desde su fila inicial.
captures-interweave-pawn = De frente, con un salto corto; y todo contrario vecino de su fila o columna con un amigo del peón justo detrás.
clause-interweave-pawn = I9
goes-interweave-leaper = En diagonal, o un número par de casillas por la fila o la columna, o con un doble salto de caballo.
captures-interweave-leaper = El contrario en medio de su doble salto, o uno de su fila o columna a distancia impar, saltando por encima.
clause-interweave-leaper = I7
goes-interweave-remover = En diagonal, hasta donde el camino esté libre.
captures-interweave-remover = Sin moverse, a la vez, todos los contrarios vecinos de su fila y su columna.
clause-interweave-remover = I8
goes-interweave-smasher = En diagonal, o un número par de casillas por la fila o la columna.
captures-interweave-smasher = Tras moverse por la fila o la columna, el contrario que hay justo delante, en la misma dirección.
clause-interweave-smasher = I6
goes-interweave-king = Una casilla en diagonal.
captures-interweave-king = Con un salto corto por encima de un contrario vecino, en la fila o la columna.
clause-interweave-king = I5
