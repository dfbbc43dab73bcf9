# El sitio: títulos, botones, estados.

site-name = adoube
skip-to-content = Ir al contenido
page-title = { $page } – adoube
language = Idioma
nav-menu = Menú
theme = Apariencia
theme-system = Auto
theme-light = Claro
theme-dark = Oscuro
footer-note = Sin publicidad ni rastreo. Se juega sin cuenta.
footer-legal = Aviso legal
footer-privacy = Datos personales
footer-admin = Administración

## Inicio

home-title = ¿A qué jugamos?
home-lead = El ajedrez, y tres juegos en el mismo tablero en los que cada pieza captura a su manera: Baroque, Ultima e Interweave. Contra un amigo, contra cualquiera o contra la máquina, sin cuenta.
home-lead-offered = { $games }: contra un amigo, contra cualquiera o contra la máquina, sin cuenta.
home-quick-machine = { $variant } contra la máquina
home-quick-opponent = Encontrar rival
home-look-title = Una jugada de { $variant }
home-look-play = Probar { $variant } contra la máquina
home-look-rules = Las reglas
home-look-again = Volver a ver la jugada
home-look-stop = Parar la animación
home-game = El juego
home-opponent = El rival
opponent-machine = La máquina
home-level = Su fuerza
level-1 = infantil
level-2 = suave
level-3 = tranquila
level-4 = aplicada
level-5 = seria
level-6 = avezada
level-7 = dura
level-8 = temible
level-9 = implacable
level-10 = a plena fuerza
level-of = Nivel { $number }: { $name }
level-elo-rating = unos { $elo } Elo
level-elo-above = { $elo } puntos Elo más que el nivel { $below }
level-elo-above-at-least = al menos { $elo } puntos Elo más que el nivel { $below }
level-elo-short = ≈ { $elo } Elo
level-elo-more = +{ $elo } Elo
level-elo-less = −{ $elo } Elo
home-color = Tu color
color-white = Blancas
color-black = Negras
color-random = Al azar
home-fen = Posición inicial (FEN)
home-fen-hint = Déjalo vacío para la posición habitual.
home-fen-valid = Posición correcta: { $turn ->
    [white] juegan las blancas.
   *[black] juegan las negras.
  }
home-play = Jugar
home-create-link = Crear el enlace
home-creating = Un momento…
home-my-games = Tus partidas
home-running = Tus partidas en curso
game-against-machine = contra la máquina, nivel { $number } ({ $level })
game-against-person = contra un rival
game-against-nobody = por invitación
game-moves = { $count ->
    [0] ninguna jugada
    [one] { $count } jugada
   *[other] { $count } jugadas
  }
game-your-turn = te toca
game-their-turn = le toca al rival
game-won = ganada
game-lost = perdida
game-drawn = tablas
game-watching = ver
game-waiting = a la espera
game-over = terminada

## Partida

game-title = { $variant }, partida
game-title-against = { $variant }: tú – { $name }
game-title-watched = { $variant }: { $white } – { $black }
player-opponent = Rival
player-white = Las blancas
player-black = Las negras
player-machine = Máquina, { $level }
player-open = Puesto libre
reserve = Reserva
reserve-short = reserva
taken-men = Piezas capturadas
men-ahead = { $count ->
    [one] una pieza de ventaja
   *[other] { $count } piezas de ventaja
  }
turn-yours = Te toca jugar
turn-theirs = Le toca al rival
turn-machine = La máquina piensa…
turn-white = Juegan las blancas
turn-black = Juegan las negras
turn-continue = Sigue capturando
turn-sending = Jugada enviada…
turn-not-sent = Jugada aún no enviada: saldrá en cuanto vuelva la conexión.
turn-check = jaque
status-waiting = A la espera de un rival
status-past = Posición tras la jugada { $number }
status-start = Posición inicial
back-to-live = Volver a la partida
invite-title = Invita a alguien
invite-text = Envía este enlace a tu rival. La partida empieza en cuanto se una.
invite-link = Enlace de invitación
invite-lost = Este navegador ya no guarda el enlace. Crea otra partida para obtener uno nuevo.
copied = Copiado
copy-link = Copiar el enlace
moves-title = Jugadas
moves-none = Ninguna jugada todavía.
move-number = Jugada { $number }
nav-label = Recorrer la partida
nav-first = Inicio
nav-previous = Jugada anterior
nav-next = Jugada siguiente
nav-last = Final
nav-keys = Las flechas izquierda y derecha, Inicio y Fin recorren la partida.
play-by-text = Escribir una jugada
play-by-text-hint = Por ejemplo, { $example }
play-submit = Jugar
chain-title = Captura en curso
chain-undo = Deshacer el paso
chain-hint = Retroceso deshace el último paso; Escape, todos.
promotion-title = Promoción
promotion-none = Seguir siendo peón
action-resign = Abandonar
action-resign-confirm = Confirmar el abandono
action-offer-draw = Ofrecer tablas
action-flip = Girar el tablero
action-rematch = Revancha
action-easier = Más fácil: { $level }
action-harder = Más difícil: { $level }
action-other-game = Otro juego
opponent-joined = Tu rival ha llegado.
players-joined = Los dos jugadores están aquí.
settings-pieces = Piezas
pieces-classic = Clásicas
pieces-silhouette = Siluetas
pieces-mechanism = Mecánicas
settings-coordinates = Coordenadas
share-title = Compartir
share-link-copy = Copiar el enlace de la partida
share-picture = Descargar la imagen
share-animation = Descargar la animación (GIF)
share-pgn-copy = Copiar el PGN
share-pgn-download = Descargar el PGN
share-fen = FEN de la posición
share-fen-copy = Copiar la FEN
connection-connecting = Conectando…
connection-reconnecting = Conexión perdida; nuevo intento…
connection-silent = El servidor no responde…
loading = Cargando…
board-label = Tablero
error-title = Algo ha fallado
failure-title = No se ha podido cargar
failure-missing = No se encuentra
retry = Reintentar
retrying = Nuevo intento en un momento…
failure-meanwhile = Mientras tanto, siguen disponibles:
reload = Recargar la página

## Invitación

invitation-title = Invitación
invitation-watch = Ver la partida

## Página ausente

not-found-title = Página no encontrada
not-found-text = Esta página no existe o ya no existe.
not-found-home = Volver al inicio

## Anuncios para lectores de pantalla

announce-move = { $piece } de { $from } a { $to }
announce-in-place = { $piece } en { $from }, sin moverse
announce-given-up = { $piece } de { $from } sale del tablero
announce-null-move = { $color ->
    [white] Las blancas pasan
   *[other] Las negras pasan
  }
announce-on = luego a { $to }
announce-takes = captura en { $squares }
announce-promotion = promociona a { $piece }
announce-check = jaque
announce-result = { $result }: { $reason }.

## El tablero, casilla por casilla

square-empty = { $square }, vacía
square-piece = { $square }, { $piece }
mark-selected = en la mano
mark-must-continue = debe continuar
mark-in-place = puede capturar sin moverse
mark-give-up = puede salir del tablero
mark-target = destino posible
mark-takes = captura en { $squares }
mark-taken = esta pieza sería capturada
mark-check = en jaque
mark-last-move = última jugada
mark-last-taken = aquí se ha capturado una pieza
mark-endangered = se puede capturar
mark-pending = paso de la captura
hand-taken = { $piece } en { $square }, en la mano. { $count ->
    [0] Ningún destino.
    [one] Un destino: { $squares }.
   *[other] { $count } destinos: { $squares }.
  }
hand-empty = Pieza soltada
cancel = Cancelar
close = Cerrar

## Al análisis, cuyos mensajes van aparte

nav-analysis = Análisis
analysis-link = Analizar
analysis-of-game = Analizar la partida

## Las piezas, junto al tablero

men-title = Las piezas
men-goes = Movimiento:
men-captures = Captura:
men-letter = Letra:
men-no-letter = ninguna

## Teclas y ratón

keys-title = Teclas y ratón
key-Home = Inicio
key-End = Fin
key-wheel = rueda
key-Tab = Tab
key-Backspace = Retroceso
key-Escape = Escape
key-right-click = clic derecho
keys-step = una jugada atrás, adelante
keys-ends = principio y fin de la partida
keys-wheel = recorrer la partida, con el puntero sobre el tablero
keys-flip = girar el tablero
keys-zen = mostrar solo la partida, o todo
keys-board = ir al tablero; allí las flechas cambian de casilla, Intro toma y suelta la pieza
keys-undo = deshacer el último paso de una captura
keys-escape = cerrar lo que esté abierto, o cancelar la captura o la jugada anticipada
keys-right-click = dibujar círculos y flechas, o cancelar la jugada anticipada
keys-list = esta lista
