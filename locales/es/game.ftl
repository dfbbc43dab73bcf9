# Cómo acaban las partidas.

## Final de la partida

result-white = Ganan las blancas
result-black = Ganan las negras
result-you-won = Has ganado
result-you-lost = Has perdido
result-none = Partida anulada
result-draw = Tablas
reason-checkmate = jaque mate
reason-stalemate = ahogado, sin jugada legal para el bando que tiene el turno
reason-insufficient-material = material insuficiente para dar mate
reason-dead-position = posición muerta, en la que ningún bando puede ya dar mate
reason-fifty-moves = regla de las cincuenta jugadas
reason-seventy-five-moves = regla de las setenta y cinco jugadas
reason-repetition = repetición de la misma posición
reason-repetition-lost = la misma posición aparece por tercera vez; pierde el bando que la ha repetido
reason-fivefold-repetition = quinta aparición de la misma posición
reason-agreement = de común acuerdo
reason-resignation = por abandono
reason-no-moves = el bando que tiene el turno no tiene ninguna jugada legal
reason-king-captured = un rey ha sido capturado
reason-time-out = tiempo agotado
reason-time-out-unwinnable = tiempo agotado, pero el otro bando ya no podía ganar
reason-abandonment = un jugador se ha ido
reason-aborted = antes de que jugaran los dos bandos
reason-no-first-turn = la primera jugada no se ha hecho a tiempo
reason-forfeit = por incomparecencia, sin que la partida llegara a empezar
reason-adjudication = decisión del árbitro
