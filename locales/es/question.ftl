# El modo pregunta: adónde va una pieza, qué captura y cómo, qué la retiene, por qué una jugada es ilegal.

## El modo pregunta

question-toggle = Preguntar por qué
question-hint = Señala una pieza para saber qué puede hacer. Elígela, y luego una casilla, para saber por qué sí o por qué no.
question-label = Respuesta
question-man = { $man } en { $at }
question-tried = { $man } de { $from } a { $to }: jugada ilegal
question-legal = { $man } de { $from } a { $to }: jugada legal
question-in-place = { $man } en { $at }, sin moverse: jugada legal
question-given-up = { $man } de { $at } sale del tablero: jugada legal
question-goes = Va a { $squares } sin capturar.
question-would-go = Iría a { $squares } sin capturar.
question-gives-up = Su bando puede retirar esta pieza del tablero en lugar de mover.
question-would-give-up = Su bando podría retirar esta pieza del tablero en lugar de mover.
question-nowhere = No puede ir a ninguna casilla.
question-takes-nothing = No se captura nada.
question-at = En { $squares }: { $words }.
question-in-place-at = Sin moverse: { $words }.
question-instead-in-place = { $at } sin moverse ({ $victims })
question-imitating = { $words }, a la manera de su víctima
question-goes-on = { $words }, y luego debe seguir capturando
question-threat = { $by } va de { $from } a { $to } y { $words }
question-threat-in-place = { $by } en { $from } se queda y { $words }
question-castling = Enroque a { $to }: la torre de { $rook } va a { $beside }.
question-also = { $words }; { $more }
question-clause = Regla { $clause }

## Cómo se captura: lo que sigue al nombre de quien captura

way-landing = captura { $victim } al llegar a { $at }
way-en-passant = captura { $victim } de { $at } al paso
way-pincer = captura { $victim } de { $at } en pinza contra la pieza de { $with }
way-coordination = captura { $victim } de { $at }, en una esquina del rectángulo con el rey de { $with }
way-leap = captura { $victim } de { $at } saltando por encima
way-withdrawal = captura { $victim } de { $at } al alejarse en línea recta
way-approach = captura { $victim } de { $at } al detenerse justo delante
way-short-leap = captura { $victim } de { $at } saltando a la casilla de detrás
way-long-leap = captura { $victim } de { $at } con un salto largo
way-double-knight-leap = captura { $victim } de { $at }, en medio de un doble salto de caballo
way-removal = suprime { $victim } de { $at } sin moverse
way-custodian = captura { $victim } de { $at }, al encerrarlo con ayuda de la pieza de { $with }
way-other = captura { $victim } de { $at }

## Por qué no

why-game-over = La partida ha terminado ({ $outcome }).
why-not-your-turn = { $color ->
    [white] Les toca a las blancas.
   *[black] Les toca a las negras.
  }
why-pass = No se puede pasar el turno.
why-no-man = La casilla { $at } está vacía.
why-not-your-man = { $color ->
    [white] Les toca a las blancas, y esta pieza es negra.
   *[black] Les toca a las negras, y esta pieza es blanca.
  }
why-invalid-movement = { $man } nunca se mueve así.
why-not-from-start = El peón avanza dos casillas solo desde su fila inicial.
why-wrong-square-color = { $man } nunca cambia de color de casilla.
why-odd-distance = Por la fila o la columna, { $man } avanza un número par de casillas; aquí la distancia es { $distance }.
why-own-man = { $other }, del mismo bando, ya está en { $at }.
why-own-men = Su propio bando ocupa { $squares }.
why-occupied = { $other } ocupa { $at }, y { $man } no captura al llegar a la casilla.
why-occupied-by-several = El bando contrario ocupa { $squares }, y { $man } no captura al llegar a esas casillas.
why-blocked = { $other } en { $at } cierra el paso.
why-blocked-by-several = Hay piezas que cierran el paso en { $squares }.
why-nothing-to-take = Este movimiento solo sirve para capturar, y aquí no hay nada que capturar.
why-nothing-to-leap = Para saltar así, tendría que haber un contrario en { $at }.
why-leap-over-friend = No se salta por encima de un amigo: { $other } está en { $at }.
why-leap-over-friends = No se salta por encima de los amigos: los hay en { $squares }.
why-leap-over-other = El camaleón solo salta por encima de los saltadores largos, y en { $at } está { $other }.
why-leap-even-distance = { $man } solo salta por encima de un contrario a distancia impar; { $other } en { $at } está a distancia par.
why-two-in-a-row = No se saltan dos piezas seguidas: { $other } en { $at }, { $second } en { $behind }.
why-two-in-one-leap = Un salto solo pasa por encima de una pieza; en el camino están { $other } en { $at } y { $second } en { $behind }.
why-no-room-behind = No se puede saltar { $other } de { $at }: detrás, la casilla { $behind } no está libre; allí está { $second }.
why-en-passant-not-possible = { $other } en { $at } no ha avanzado dos casillas en la última jugada: no se puede capturar al paso.
why-en-passant-exposes = La captura al paso descubriría al rey: { $threat }.
why-pinned = Esta pieza está clavada ante su rey por { $other } de { $place }; no puede salir de esa línea.
why-check-not-parried = { $other } en { $at } da jaque: primero hay que parar el jaque.
why-double-check = Jaque doble (una de las piezas es { $other } de { $at }): solo puede jugar el rey.
why-king-exposed = El rey podría entonces ser capturado: { $threat }.
why-king-left-in-check = El rey seguiría en jaque: { $threat }.
why-castling-right-lost = Ya no se puede enrocar con la torre de { $at }: ella o el rey ya se han movido.
why-castling-no-rook = No hay torre en { $at } para enrocar.
why-castling-between = { $other } en { $place } impide enrocar.
why-castling-in-check = No se enroca estando en jaque, y { $other } en { $place } ataca al rey.
why-castling-crosses = Al enrocar, el rey pasaría por { $at }, casilla atacada por { $other } de { $place }.
why-castling-lands-on = Al enrocar, el rey llegaría a { $at }, casilla atacada por { $other } de { $place }.
why-frozen-by-immobilizer = Esta pieza está inmovilizada por { $other } de { $at }.
why-frees-only-others = Esta pieza está inmovilizada por { $other } de { $at }: al tocarlo libera a las demás de su bando, pero no a sí misma.
why-frozen-by-chameleon = Este inmovilizador está inmovilizado por { $other } de { $at }.
why-taking-compulsory = Capturar es obligatorio. Capturas posibles: { $instead }.
why-chain-goes-on = { $other } en { $at } acaba de capturar y debe seguir: { $instead }.
why-promotion-missing = El peón debe convertirse en otra pieza ({ $choices }).
why-promotion-not-here = { $man } no promociona aquí.
why-promotion-role = Un peón nunca se convierte en eso; puede convertirse en: { $choices }.
why-not-in-reserve = Esa pieza no está en la reserva; el peón puede convertirse en: { $choices }.
why-no-man-in-reserve = En la última fila el peón debe convertirse en una pieza de la reserva, y la reserva está vacía.
why-other = Las reglas no lo permiten.
