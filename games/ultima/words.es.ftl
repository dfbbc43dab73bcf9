# Las palabras de este juego. Un papel que comparten varios juegos lo nombra el primero de ellos.

variant-ultima = Ultima
about-ultima = Las reglas originales de Robert Abbott: nada libera a una pieza inmovilizada mientras toque al inmovilizador, pero su propio bando puede retirarla.
diagram-ultima = Posición inicial de Ultima
first-look-ultima = El peón blanco va a c4: pinza el saltador y el coordinador negros contra dos piezas blancas, y los captura de una vez.

## Qué significan aquí las dos reglas de tablas

draws-club-ultima = Cincuenta jugadas sin que ninguna pieza salga del tablero, o tres veces la misma posición: tablas al instante.
draws-fide-ultima = Cincuenta jugadas sin que ninguna pieza salga del tablero, o tres veces la misma posición: tablas si se reclaman; automáticas a las 75 jugadas o cuando la posición aparece por quinta vez.

## Cómo se mueve cada pieza y qué captura: como en Baroque

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
