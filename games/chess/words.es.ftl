# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-chess = Ajedrez
about-chess = El ajedrez ortodoxo, como se juega en todas partes. Gana quien da mate al rey.
diagram-chess = Posición inicial del ajedrez

## Qué significan aquí las dos reglas de tablas

draws-club-chess = Cincuenta jugadas sin captura ni jugada de peón, o tres veces la misma posición: tablas al instante. Rey y dos caballos contra rey: también tablas.
draws-fide-chess = Estas tablas se reclaman; solo son automáticas a las 75 jugadas o cinco repeticiones. Rey y dos caballos contra rey se juega.

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
