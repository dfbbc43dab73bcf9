# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-ultima = Ultima
about-ultima = Las reglas originales de Robert Abbott: una pieza inmovilizada lo sigue estando, salvo que su propio bando la retire.
diagram-ultima = Posición inicial de Ultima

## Qué significan aquí las dos reglas de tablas

draws-club-ultima = Cincuenta jugadas sin que una pieza salga del tablero, o tres veces la misma posición: tablas al instante.
draws-fide-ultima = Estas tablas se reclaman; solo son automáticas a las 75 jugadas o cinco repeticiones.
