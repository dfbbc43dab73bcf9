# Sala, relojes, propuestas, cuentas.

## Las páginas

nav-label-site = El sitio
nav-play = Jugar
nav-hall = Sala
nav-games = Partidas
nav-waiting = { $count ->
    [one] espera respuesta
   *[other] esperan respuesta
  }
nav-rules = Reglas
nav-learn = Ejercicios
nav-problems = Problemas
nav-account = Cuenta

## Una partida nueva

opponent-anyone = cualquier rival
opponent-friend = un amigo, con un enlace
opponent-named = un miembro, por su nombre
home-name = Nombre del rival
home-seek = Proponer en la sala
home-challenge = Enviar el desafío
home-more = Más ajustes: posición inicial, pieza tocada, tablas…
home-needs-account = Las partidas por correspondencia requieren una cuenta.
home-all-games = Todas tus partidas
home-learn = Aprender y practicar
home-begin = ¿No has jugado nunca? Empieza aquí
home-drills = Una regla cada vez, en el tablero, con su explicación.
home-problems = Solo una jugada es la buena: encuéntrala.
clock-title = Ritmo
clock-unlimited = sin reloj
clock-other = otro…
clock-kind = Tipo de ritmo
clock-kind-fischer = Fischer
clock-kind-delay = demora
clock-kind-correspondence = correspondencia
clock-about-fischer = Cada jugada añade segundos.
clock-about-delay = En cada jugada, el reloj no arranca hasta pasados unos segundos de demora.
clock-about-correspondence = Cada jugador tiene uno o varios días para cada jugada.
clock-field-minutes = Minutos por jugador
clock-field-fischer = Segundos añadidos por jugada
clock-field-delay = Segundos de demora por jugada
clock-field-days = Días por jugada
clock-keep = Guardar este ritmo
clock-forget = Olvidar este ritmo
clock-delay-short = { $minutes } (demora { $delay } s)
clock-days-per-turn = { $days ->
    [one] { $days } día por jugada
   *[other] { $days } días por jugada
  }
start-title = La posición inicial
start-usual = habitual
start-kings-facing = reyes frente a frente
start-same = mezclada, la misma para los dos bandos
start-different = mezclada, distinta para cada bando
start-number = por su número
start-number-label = Número de la posición inicial
start-fen = una posición (FEN)
option-touch-move = Pieza tocada, pieza jugada
option-touch-move-hint = Tocar una pieza obliga a jugarla, o a capturarla si es del rival, salvo que antes se diga «J’adoube».
draw-rules-title = Reglas de tablas
draw-rules-club = club
draw-rules-fide = FIDE
draw-rules-club-short = tablas: club
draw-rules-fide-short = tablas: FIDE
mood-title = Tipo de partida
mood-casual-hint = Se puede deshacer una jugada si el rival acepta.
mood-serious-hint = Ninguna jugada se deshace.
setting-casual = amistosa
setting-serious = seria
setting-touch-move = pieza tocada
setting-fide = tablas FIDE
setting-shuffled = posición inicial mezclada
setting-position = posición elegida
setting-match = match al mejor de { $games } partidas
match-length = Número de partidas
match-best-of = { $games ->
    [1] una sola
   *[other] al mejor de { $games }
  }
time-left-days = { $days ->
    [one] queda { $days } día
   *[other] quedan { $days } días
  }
time-left-hours = { $hours ->
    [0] menos de una hora
    [one] queda { $hours } hora
   *[other] quedan { $hours } horas
  }

## La sala

connection-offline = Sin red. Siguen disponibles:
connection-lost = El servidor no responde; nuevo intento…
hall-title = La sala
hall-received = Te desafían
hall-mine = Tus propuestas
hall-mine-hint = En cuanto alguien acepte, se abre la partida, estés en la página que estés. Tus propuestas abiertas a cualquiera solo duran mientras tengas abierta una página de este sitio, salvo las de partidas por correspondencia.
hall-for-anyone = abierta a todos
hall-for = para { $name }
hall-withdraw = Retirar
hall-action = { $action }: { $who }, { $game }, { $clock }
hall-seeks = Propuestas abiertas
hall-seeks-below = Propuestas: { $count }
hall-gone = Ya no está abierta
hall-no-seeks = Nadie busca rival en este momento. Elige un ritmo para ponerte a la espera.
hall-without-name = alguien
hall-games = Partidas en curso
hall-no-games = No hay ninguna partida que ver por ahora.
hall-people = En la sala
hall-unnamed = { $count ->
    [one] { $count } visitante sin nombre
   *[other] { $count } visitantes sin nombre
  }
hall-also-unnamed = { $count ->
    [one] y { $count } visitante sin nombre
   *[other] y { $count } visitantes sin nombre
  }
wants-white = quiere las blancas
wants-black = quiere las negras
filter-all = todo
pace-live = con reloj
pace-correspondence = por correspondencia
pace-unlimited = sin reloj

## Mis partidas

games-waiting = Te toca jugar
games-none-waiting = { $machine ->
    [0] Ninguna partida te espera.
    [one] Nadie te espera. Contra la máquina, te toca en una partida.
   *[other] Nadie te espera. Contra la máquina, te toca en { $machine } partidas.
  }
games-machine-continue = Continuar contra la máquina
games-playing = En curso
games-machine = Contra la máquina
games-tick = Elegir: { $game }
games-leave = { $count ->
    [0] Abandonar las partidas elegidas
    [one] Abandonar la partida elegida
   *[other] Abandonar las { $count } partidas elegidas
  }
games-leave-confirm = { $count ->
    [one] Abandonar de verdad
   *[other] Abandonar las { $count } de verdad
  }
games-finished = Terminadas
games-none-finished = Ninguna partida terminada.
games-more = Ver más
games-pgn = Descargar en PGN
next-game = { $count ->
    [one] Partida siguiente
   *[other] Partida siguiente (te esperan { $count })
  }
game-against-named = contra { $name }
game-between-unnamed = entre dos visitantes
game-called-off = anulada

## En la mesa

player-you = Tú
player-away = ausente
clock-days = { $days ->
    [one] { $days } día
   *[other] { $days } días
  }
clock-spoken = Reloj, { $name }: { $days ->
    [0] { $hours ->
      [0] { $minutes } min { $seconds } s
     *[other] { $hours } h { $minutes } min { $seconds } s
    }
   *[other] { $days } d { $hours } h
  }
clock-left = { $seconds ->
    [60] Te queda un minuto.
   *[other] Te quedan { $seconds } segundos.
  }
first-turn = { $who ->
    [you] Primera jugada: tienes { $time }.
   *[them] Primera jugada: quedan { $time }.
  }
first-turn-days = { $who ->
    [you] Primera jugada: tienes { $days } d.
   *[them] Primera jugada: plazo de { $days } d.
  }
interrupted = El servidor estuvo parado { $seconds ->
    [one] { $seconds } segundo
   *[other] { $seconds } segundos
  }; ese tiempo no se le descuenta a nadie.
tab-yours = ● Te toca
tab-theirs = Le toca al rival
tab-over = Terminada
tab-offer = ● Propuesta
turn-confirm = Confirma la jugada
confirm-again = Pulsa otra vez para confirmar: { $action }
confirm-turn-title = Jugada por confirmar
confirm-turn = ¿Jugar { $turn }?
confirm-turn-send = Hacer esta jugada
confirm-turn-back = Deshacerla
chain-stands = Pieza soltada: el paso queda jugado.
plan-title = Jugada anticipada
plan-drop = Cancelar
plan-hint = Se cancela con clic derecho, con Escape o con un clic en otro sitio.
plan-dropped = La jugada anticipada ya no era posible.
touch-title = Pieza tocada:
touch-man = { $piece } en { $square }
touch-nothing = ninguna por ahora.
touch-free = { $men }; no hay jugada legal, así que no hay obligación.
touch-adjusting = { $who ->
    [you] compones; la próxima pieza tocada no te obliga.
    [white] las blancas componen.
   *[black] las negras componen.
  }
touch-must-move = { $who ->
    [you] debes jugar esta pieza ({ $own }).
    [white] las blancas deben jugar esta pieza ({ $own }).
   *[black] las negras deben jugar esta pieza ({ $own }).
  }
touch-must-take = { $who ->
    [you] debes capturar esta pieza ({ $enemy }).
    [white] las blancas deben capturar esta pieza ({ $enemy }).
   *[black] las negras deben capturar esta pieza ({ $enemy }).
  }
touch-must-take-with = { $who ->
    [you] debes capturar la pieza rival ({ $enemy }) con la tuya ({ $own }).
    [white] las blancas deben capturar la pieza rival ({ $enemy }) con la suya ({ $own }).
   *[black] las negras deben capturar la pieza rival ({ $enemy }) con la suya ({ $own }).
  }
adjust = J’adoube
adjust-hint = Dilo antes de tocar: la pieza que toques después no obliga a nada.
mark-planned = jugada anticipada
mark-touched = pieza tocada
mark-binding = pieza tocada, que obliga
offer-received-draw =
    { $who ->
        [white] Las blancas ofrecen tablas.
        [black] Las negras ofrecen tablas.
       *[you] El rival ofrece tablas.
    }
offer-received-takeback =
    { $who ->
        [white] Las blancas quieren deshacer su jugada.
        [black] Las negras quieren deshacer su jugada.
       *[you] El rival quiere deshacer su jugada.
    }
offer-received-rematch =
    { $who ->
        [white] Las blancas ofrecen la revancha.
        [black] Las negras ofrecen la revancha.
       *[you] El rival ofrece la revancha.
    }
offer-sent-draw = Has ofrecido tablas.
offer-sent-takeback = Has pedido deshacer tu jugada.
offer-sent-rematch = Has ofrecido la revancha.
offer-declined-draw = La oferta de tablas ha sido rechazada.
offer-declined-takeback = La petición de deshacer la jugada ha sido rechazada.
offer-declined-rematch = La revancha ha sido rechazada.
confirm-accept-draw = Acordar tablas
confirm-accept-takeback = Permitir que se deshaga
confirm-accept-rematch = Jugar la revancha
action-accept = Aceptar
action-decline = Rechazar
action-abort = Anular la partida
confirm-abort = Confirmar la anulación
confirm-draw = Confirmar la oferta
action-claim-draw = Reclamar tablas
confirm-claim-draw = Confirmar la reclamación
action-takeback = Deshacer
confirm-takeback = Pedir deshacer la jugada
action-give-time = Dar { $seconds } s
action-claim-left = Reclamar la victoria
confirm-claim-left = Confirmar la reclamación
opponent-away = El rival se ha ido; podrás reclamar la victoria dentro de { $seconds } s.
opponent-left = El rival se ha ido; puedes reclamar la victoria.
rematch-go = Ir a la revancha
rematch-agreed = Empieza la revancha.
taken-back = { $count ->
    [one] Se ha deshecho una jugada.
   *[other] Se han deshecho { $count } jugadas.
  }
time-given =
    { $who ->
        [white] Las blancas dan { $seconds } segundos a su rival.
        [black] Las negras dan { $seconds } segundos a su rival.
       *[you] El rival te da { $seconds } segundos.
    }
match-title = El match
match-game = Partida { $number } de un match al mejor de { $games }
match-over = match terminado
match-next = Siguiente partida del match
watchers = { $count ->
    [one] { $count } espectador
   *[other] { $count } espectadores
  }
zen-leave = Mostrar todo
zen-enter = Mostrar solo la partida

## La conversación

chat-players = Entre jugadores
chat-watchers = Entre espectadores
chat-lines = Chat
chat-empty = Todavía no hay mensajes.
chat-say = Escribir un mensaje
chat-send = Enviar
chat-watcher = Espectador
chat-mute = Silenciar
chat-unmute = { $count ->
    [one] Dejar de silenciar al autor
   *[other] Dejar de silenciar a los { $count } autores
  }
chat-report-insult = Denunciar un insulto
chat-report-spam = Denunciar un mensaje no deseado
chat-report-other = Denunciar otra cosa
chat-reported = (denunciado)

## Jugadas condicionales

conditions-title = Jugadas condicionales
conditions-text = Si el rival juega lo previsto, el servidor responde al instante por ti. El rival no lo ve.
conditions-line = Si { $reply }, entonces { $answer }
conditions-go-on = seguir desde aquí
conditions-after = Después de «{ $lines }»:
conditions-from-start = volver a la posición de la partida
conditions-remove = quitar
conditions-remove-line = Quitar lo que sigue a { $reply }
conditions-diagram = Posición desde la que sigues
conditions-if = Si el rival juega
conditions-then = yo respondo
conditions-add = Añadir

## Ajustes

settings-title = Ajustes
settings-page = Ajustes
settings-all = Todos los ajustes
settings-kept = Estos ajustes se guardan en este navegador y, si has iniciado sesión, en tu cuenta.
settings-board-colour = Tablero
board-brown = marrón
board-green = verde
board-blue = azul
board-grey = gris
board-maple = arce
board-walnut = nogal
settings-board-size = Tamaño del tablero
board-resize = Tamaño del tablero
settings-notation = Piezas en la notación
notation-letters = letras
notation-figurines = figuras
settings-auto-promotion = Promoción a dama sin preguntar, en ajedrez
settings-sounds-hear = Escuchar los sonidos
sound-move = Jugada
sound-take = Captura
sound-check = Jaque
sound-low-time = Poco tiempo
sound-start = Inicio
sound-end = Final
sound-notice = Notificación
settings-play = Jugar
settings-board = El tablero
settings-sound = Sonidos y notificaciones
settings-confirmation = Confirmar las jugadas
confirmation-never = nunca
confirmation-correspondence = en partidas por correspondencia
confirmation-always = siempre
settings-confirmation-hint = Con pieza tocada, una pieza soltada está jugada: no hay nada que confirmar.
settings-premoves = Jugadas anticipadas mientras el rival piensa
settings-zen = Modo zen: solo la partida (tecla Z)
settings-hints = Mostrar adónde puede ir la pieza elegida
settings-glides = Animar los movimientos
settings-sounds = Sonidos
settings-volume = Volumen
percent = { $value } %
notices-turn-on = Activar las notificaciones
notices-turn-off = Desactivar las notificaciones
notices-on = El navegador te avisa de los desafíos, de las partidas que empiezan y de que te toca jugar, mientras tengas abierta una página de este sitio.
notices-denied = El navegador bloquea las notificaciones de este sitio. Se puede cambiar en sus ajustes.
notices-unsupported = Este navegador no puede mostrar notificaciones en esta página. En un iPhone o iPad, añade antes el sitio a la pantalla de inicio. Si no, te quedan el sonido, el título de la pestaña y, en las partidas por correspondencia, el correo.

## Bloquear a alguien

block-do = Bloquear
block-name-confirm = Sí, bloquear a { $name }
block-done = Has bloqueado a { $name }.
