# Rechazos y problemas: una frase que dice qué hacer cuando se puede.

## La red y el servidor

error-unknown = Algo no ha funcionado. Inténtalo de nuevo.
error-network = El servidor no responde. Comprueba la conexión e inténtalo de nuevo.
error-page-outdated = Esta página es más antigua que el servidor, que se ha actualizado. Recárgala.
error-server = El servidor ha respondido con un error ({ $status }). Inténtalo dentro de un momento.
error-internal = Ha habido un error en el servidor. Inténtalo de nuevo.
error-not-saved = No se ha podido confirmar que se haya guardado. Inténtalo de nuevo.
error-timeout = Ha tardado demasiado. Inténtalo de nuevo.
error-too-many = Demasiadas peticiones a la vez. Espera un poco.
error-not-found = No hay nada en esta dirección.
error-game-not-found = Esta partida no existe.
error-invitation-not-found = Esta invitación no existe. Pide un enlace nuevo.
error-invitation-used = Otra persona ya ha ocupado este puesto.
error-not-a-player = Solo los dos jugadores pueden hacer esto.
error-account-pending = Esta cuenta espera la aprobación de la administración.
error-account-closed = Esta cuenta se ha cerrado. Dirígete al contacto de la casa.
error-silenced = Por ahora no puedes escribir en el chat.
error-chat-closed = La casa ha cerrado el chat.
error-foreign-origin = Esta petición viene de otro sitio.
error-outside-path = La casa está en { $address }.
error-unknown-host = Este servidor no se llama { $host }; quien lo administra puede ajustar public_origin.

## Crear una partida

error-variant = Ese juego no existe aquí.
error-game-not-offered = La casa no ofrece este juego.
error-clock-not-offered = La casa no ofrece este ritmo. Elige otro.
error-unknown-variant = Ese juego no existe aquí.
error-bad-position = Esta posición inicial no se puede jugar.
error-bad-square = «{ $square }» no es una casilla: van de a1 a h8.
error-position-over = En esta posición la partida ya ha terminado.

## El curso de la partida

error-not-started = La partida no ha empezado.
error-game-over = La partida ha terminado.
error-not-your-turn = No te toca jugar.
error-other-position = La posición ha cambiado entretanto. Mira el tablero y juega de nuevo.
error-draw-offer-stands = Ya hay una oferta de tablas a la espera de respuesta.
error-draw-offered-this-turn = Ya has ofrecido tablas en esta jugada.
error-no-draw-offer = Nadie ha ofrecido tablas.
error-nothing-to-claim = No hay tablas que reclamar.
error-seat-taken = Este puesto está ocupado.
error-already-seated = Ya ocupas un puesto en esta partida.

## Una jugada

error-turn = Esta jugada no se puede leer.
error-turn-syntax = «{ $turn }» no es una jugada. Escribe, por ejemplo, e2e4.
error-turn-game-over = La partida ha terminado.
error-turn-empty-square = La casilla { $square } está vacía.
error-turn-not-your-man = La pieza de { $square } es de las { $color ->
    [white] blancas
   *[black] negras
  }.
error-turn-promotion-missing = En { $square } hay que promocionar: añade la letra de la pieza.
error-turn-unfinished = La pieza de { $square } puede capturar más: debe continuar.
error-turn-no-match = «{ $turn }» no es una jugada legal aquí.
error-turn-ambiguous = «{ $turn }» puede significar { $matches }. Precisa cuál.
error-turn-illegal = Jugada ilegal: la pieza de { $from } no puede ir a { $to }.

## Leer una FEN

error-fen = Esta FEN no se puede leer.
error-fen-empty = La FEN está vacía.
error-fen-too-long = Este texto es demasiado largo para una FEN.
error-fen-rank-count = Filas en esta FEN: { $found }. Hacen falta 8, separadas por «/».
error-fen-rank-too-long = La fila { $rank } tiene más de 8 casillas.
error-fen-unknown-man = Fila { $rank }: «{ $letter }» no es una pieza de este juego. Las letras son { $letters }.
error-fen-turn = El turno «{ $text }» no existe: es «w» (blancas) o «b» (negras).
error-fen-castling = «{ $letter }» en «{ $text }» no es un derecho de enroque posible: el rey y la torre deben estar en su sitio. Escribe «-» o letras de KQkq.
error-fen-left-out-castling = Se omite el derecho de enroque «{ $letter }»: el rey y la torre no están en su sitio.
error-fen-left-out-en-passant = Se omite la casilla de captura al paso { $square }: ningún peón ha podido cruzarla.
error-fen-left-out-operations = Se omite: «{ $text }».
error-fen-en-passant = «{ $text }» no es una casilla de captura al paso. Escribe «-» si no la hay.
error-fen-reserve = «{ $text }» no es una reserva válida.
error-fen-halfmove-clock = «{ $text }» no es una cuenta de medias jugadas.
error-fen-fullmove-number = «{ $text }» no es un número de jugada.
error-fen-too-many-fields = «{ $text }» sobra al final de la FEN.

## Una posición que no se puede jugar

error-setup = Esta posición no se puede jugar.
error-setup-kings = { $color ->
    [white] Las blancas
   *[black] Las negras
  } { $found ->
    [0] no tienen rey
    [1] tienen un rey
   *[other] tienen { $found } reyes
  }; { $most ->
    [1] debe haber exactamente uno.
   *[other] tiene que haber { $most }, o menos si la última jugada capturó alguno.
  }
error-setup-both-lost-a-king = Ambos bandos han perdido un rey; la partida termina en cuanto se captura el primero.
error-setup-too-many-men = { $color ->
    [white] Las blancas tienen
   *[black] Las negras tienen
  } { $found } piezas; 16 como máximo.
error-setup-pawn-rank = Ningún peón puede estar en { $square }.
error-setup-opponent-in-check = { $color ->
    [white] Las blancas acaban
   *[black] Las negras acaban
  } de jugar y han dejado a su rey en jaque.
error-setup-castling = La torre de { $square } no puede enrocar: rey y torre deben estar en su sitio.
error-setup-castling-twice = La torre de { $square } no puede enrocar: de dos torres en el mismo lado del rey, solo una puede enrocar.
error-setup-no-castling = En este juego no hay enroque.
error-setup-en-passant = Ningún peón ha podido cruzar { $square } en la última jugada.
error-setup-reserve = { $color ->
    [white] Las blancas
   *[black] Las negras
  } tienen en reserva piezas que no pueden volver.

## Lo que la casa rechaza

error-your-turn = Te toca a ti.
error-first-turns-played = La partida ya está en marcha y no puede anularse. Abandona u ofrece tablas.
error-first-turns-open = La partida aún no está en marcha; puedes anularla.
error-still-there = Solo podrás reclamar cuando el rival lleve { $seconds } s ausente.
error-correspondence = En una partida por correspondencia nadie tiene que estar presente.
error-not-casual = Solo se deshacen jugadas en partidas amistosas.
error-nothing-to-take-back = No tienes ninguna jugada que deshacer.
error-takeback-stands = Ya hay una petición de deshacer una jugada a la espera de respuesta.
error-takeback-proposed-here = Ya has pedido deshacer una jugada en este turno.
error-no-takeback = Nadie ha pedido deshacer una jugada.
error-no-clock = En esta partida no se puede dar tiempo.
error-time-enough = El rival tiene tiempo de sobra.
error-no-touch-move = Esta partida se juega sin pieza tocada.
error-touched-must-move = Pieza tocada: hay que jugar la pieza de { $own }.
error-touched-must-take = Pieza tocada: hay que capturar la pieza de { $enemy }.
error-touched-must-take-with = Piezas tocadas: la pieza de { $own } debe capturar la pieza de { $enemy }.
error-touch-empty-square = No hay nada que tocar en { $square }.
error-touched-already = La pieza de { $square } ya está tocada.
error-adjusting-already = Ya estás componiendo.
error-adjusted-enough = No puedes componer más en esta jugada.
error-enough-this-turn = Se permiten como máximo { $limit } toques, propuestas o cambios de jugadas condicionales por jugada.
error-enough-in-game = Has hecho { $limit } toques, propuestas o cambios de jugadas condicionales en esta partida: es el máximo por ahora. Cada jugada aumenta ese máximo.
error-command-used = Esta orden ya se ha usado para otra cosa. Recarga la página.
error-not-correspondence = Las jugadas condicionales son solo para partidas por correspondencia.
error-too-many-conditions = No más de { $limit } jugadas condicionales.
error-conditions-too-deep = No más de { $limit } jugadas condicionales seguidas.
error-condition-twice = «{ $turn }» ya tiene respuesta.
error-condition-illegal = «{ $turn }» no es una jugada legal ahí.
error-not-over = La partida no ha terminado.
error-rematch-stands = Ya se ha ofrecido una revancha.
error-rematch-missing = La partida de la revancha aún no se ha creado.
error-rematch-offered = Tu oferta de revancha ha sido rechazada.
error-no-rematch = Nadie ha ofrecido la revancha.
error-rematch-agreed = La revancha ya está acordada.
error-clock-initial = El tiempo inicial debe estar entre un segundo y tres horas.
error-clock-per-turn = El tiempo por jugada es de tres minutos como máximo, y de un segundo como mínimo si no hay tiempo inicial.
error-clock-days = Elige de 1 a 14 días por jugada.

## Cuentas, sala, conversación

error-account-needed = Esto requiere una cuenta.
error-not-yours = Esto no es tuyo.
error-not-signed-in = No has entrado en tu cuenta.
error-bad-cursor = Esta página de la lista no existe. Empieza por la primera.
error-other-origin = Hazlo en la dirección pública de la casa.
error-bad-language = El idioma «{ $language }» no está disponible; elige fr, en o es.
error-seek-not-found = Esa propuesta ya no existe.
error-own-seek = Es tu propia propuesta.
error-challenge-not-found = Ese desafío ya no existe.
error-maker-away = Esta persona acaba de irse. Una partida con reloj empieza cuando los dos jugadores están aquí.
error-blocked = Esta cuenta no recibe de ti ni desafíos ni mensajes.
error-blocked-by-you = Has bloqueado esta cuenta. Desbloquéala antes, en la página de tu cuenta.
error-own-block = No puedes bloquear tu propia cuenta.
error-too-many-blocks = Puedes bloquear { $limit } cuentas como máximo.
error-push-service = «{ $host }» no es un servicio al que este servidor envíe notificaciones.
error-push-keys = Las claves que da el navegador no se pueden usar. Inténtalo otra vez o actualiza el navegador.
error-push-device-not-found = Este dispositivo ya no recibe notificaciones.
error-own-challenge = Un desafío debe ir dirigido a otra persona.
error-player-not-found = Nadie tiene ese nombre.
error-too-many-seeks = Ya tienes demasiadas propuestas. Retira una.
error-hall-full = La sala está llena por ahora. Inténtalo más tarde.
error-too-many-challenges = Esta persona ya tiene { $limit } desafíos pendientes. Inténtalo más tarde.
error-too-many-from-here = Llegan demasiadas propuestas desde tu red ({ $limit } como máximo). Inténtalo más tarde.
error-account-full = Una cuenta guarda como máximo { $limit } bytes de análisis y problemas. Borra algunos.
error-low-disk = Al servidor casi no le queda espacio: las partidas en curso siguen, pero no se puede crear nada nuevo.
error-chat-line-not-found = Ese mensaje no existe.
error-chat-text = Un mensaje tiene de 1 a { $limit } caracteres.
error-chat-too-fast = Escribes demasiado deprisa. Espera un poco.
error-position-twice = La posición inicial se ha indicado dos veces.
error-bad-shuffle = No existe la mezcla { $number }; hay { $limit }, numeradas desde el 0.
error-bad-games = Un match tiene de 1 a { $limit } partidas.
error-busy = El servidor está ocupado. Inténtalo dentro de un momento.
error-mail = No se ha podido enviar el correo. Inténtalo de nuevo.
error-no-room = Al servidor no le queda espacio; no se ha guardado nada.
error-diagram = Este diagrama no se puede dibujar.
error-bad-preference = Este ajuste no se puede guardar: { $name }
error-too-many-preferences = Tu cuenta ya guarda demasiados ajustes.

## Los campos de un formulario

field-missing = Rellena este campo.
field-too-short = Al menos { $min } caracteres.
field-too-long = Como máximo { $max } caracteres.
field-email = No es una dirección de correo.
field-range = Un número de { $min } a { $max }.
field-number = Un número entero.
field-wrong-form = Este campo no tiene el formato correcto.
