# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-baroque = Baroque
about-baroque = La mayoría de las piezas se mueven como la dama, pero cada una captura a su manera: pinzando, saltando, alejándose.
diagram-baroque = Posición inicial de Baroque
first-look-baroque = El peón blanco va a c4: pinza el saltador y el coordinador negros contra dos piezas blancas, y los captura de una vez.

## Qué significan aquí las dos reglas de tablas

draws-club-baroque = Cincuenta jugadas sin captura, o tres veces la misma posición: tablas al instante.
draws-fide-baroque = Cincuenta jugadas sin captura, o tres veces la misma posición: tablas si se reclaman; automáticas a las 75 jugadas o cuando la posición aparece por quinta vez.

## Sus piezas: el nombre con el color, con el artículo, y la letra en la pantalla

piece-pincer-pawn = { $color ->
    [white] peón pinza blanco
   *[black] peón pinza negro
  }
piece-long-leaper = { $color ->
    [white] saltador largo blanco
   *[black] saltador largo negro
  }
piece-chameleon = { $color ->
    [white] camaleón blanco
   *[black] camaleón negro
  }
piece-coordinator = { $color ->
    [white] coordinador blanco
   *[black] coordinador negro
  }
piece-withdrawer = { $color ->
    [white] retirador blanco
   *[black] retirador negro
  }
piece-immobilizer = { $color ->
    [white] inmovilizador blanco
   *[black] inmovilizador negro
  }
the-pincer-pawn = { $color ->
    [white] el peón pinza blanco
   *[black] el peón pinza negro
  }
the-long-leaper = { $color ->
    [white] el saltador largo blanco
   *[black] el saltador largo negro
  }
the-chameleon = { $color ->
    [white] el camaleón blanco
   *[black] el camaleón negro
  }
the-coordinator = { $color ->
    [white] el coordinador blanco
   *[black] el coordinador negro
  }
the-withdrawer = { $color ->
    [white] el retirador blanco
   *[black] el retirador negro
  }
the-immobilizer = { $color ->
    [white] el inmovilizador blanco
   *[black] el inmovilizador negro
  }
letter-pincer-pawn = P
letter-long-leaper = C
letter-chameleon = A
letter-coordinator = T
letter-withdrawer = D
letter-immobilizer = I

## Cómo se mueve cada pieza, qué captura y la cláusula que lo dice

goes-baroque-pincer-pawn = Como la torre del ajedrez.
captures-baroque-pincer-pawn = Al llegar, todo contrario pinzado entre él y un amigo, en la fila o la columna.
clause-baroque-pincer-pawn = B6
goes-baroque-long-leaper = Como la dama del ajedrez.
captures-baroque-long-leaper = En línea recta, todos los contrarios que salta, si está vacía la casilla que hay detrás de cada uno.
clause-baroque-long-leaper = B8
goes-baroque-chameleon = Como la dama del ajedrez.
captures-baroque-chameleon = Cada pieza como captura ella; inmoviliza al inmovilizador que toca.
clause-baroque-chameleon = B10
goes-baroque-coordinator = Como la dama del ajedrez.
captures-baroque-coordinator = Los contrarios que están en las otras dos esquinas del rectángulo que forma con su rey.
clause-baroque-coordinator = B7
goes-baroque-withdrawer = Como la dama del ajedrez.
captures-baroque-withdrawer = El contrario que toca, alejándose de él en línea recta.
clause-baroque-withdrawer = B9
goes-baroque-king = Una casilla en cualquier dirección.
captures-baroque-king = Llegando a la casilla del contrario, como en el ajedrez.
clause-baroque-king = B3
goes-baroque-immobilizer = Como la dama del ajedrez.
captures-baroque-immobilizer = Nada: inmoviliza a todos los contrarios que toca.
clause-baroque-immobilizer = B5
