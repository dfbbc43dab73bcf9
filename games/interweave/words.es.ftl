# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-interweave = Interweave
about-interweave = Cada pieza se queda en su color y captura en el otro. Capturar es obligatorio y las capturas se encadenan; quien toma un rey, gana.
diagram-interweave = Posición inicial de Interweave

## Qué significan aquí las dos reglas de tablas

draws-club-interweave = Cincuenta jugadas sin captura ni jugada de peón: tablas al instante. Quien repite la misma posición por tercera vez pierde.
draws-fide-interweave = Las tablas por cincuenta jugadas se reclaman; son automáticas a las 75. Quien repite la misma posición por tercera vez pierde.

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
