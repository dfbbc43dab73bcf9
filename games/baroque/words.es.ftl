# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-baroque = Baroque
about-baroque = Casi todas las piezas mueven como la dama, pero cada una captura a su manera: en pinza, saltando, retirándose.
diagram-baroque = Posición inicial de Baroque

## Qué significan aquí las dos reglas de tablas

draws-club-baroque = Cincuenta jugadas sin captura, o tres veces la misma posición: tablas al instante.
draws-fide-baroque = Estas tablas se reclaman; solo son automáticas a las 75 jugadas o cinco repeticiones.

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
