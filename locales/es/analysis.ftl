### El análisis: el tablero, el motor, el editor, el informe

analysis-title = Análisis
analysis-title-of = Análisis: { $variant }
analysis-empty = Haz una jugada en el tablero, o abre una partida.
analysis-over = La partida ha terminado en esta posición.
analysis-keys = ← y → siguen la línea, ↑ y ↓ pasan de una variante a otra, Inicio y Fin van a los extremos.
analysis-link-refused = Este enlace no se ha podido leer entero.
analysis-edit = Modificar la posición
analysis-compose = Componer un problema
analysis-previous = Análisis anterior
analysis-kept = El análisis queda en este navegador, aunque se cierre la página.

## El motor

analysis-engine = Motor
analysis-engine-on = Calcular
analysis-thinking = El motor se prepara…
analysis-depth = Profundidad { $depth }/{ $selective }
analysis-nodes = { $count } posiciones
analysis-speed = { $count }/s
analysis-finished = terminado
analysis-lines = Mejores líneas
analysis-line-count = Líneas
analysis-thread-count = Hilos
analysis-threat-show = Mostrar la amenaza
analysis-threat = { $color ->
    [white] Si les tocara a las blancas, jugarían así. { $turn }
   *[black] Si les tocara a las negras, jugarían así. { $turn }
  }
analysis-threat-none = Quien tiene el turno está en jaque y no puede pasar: aquí no hay amenaza que mostrar.
analysis-score-none = Todavía sin evaluación
analysis-score-mate = { $color ->
    [white] Las blancas ganan en { $count } { $count ->
        [one] jugada
       *[other] jugadas
      }.
   *[black] Las negras ganan en { $count } { $count ->
        [one] jugada
       *[other] jugadas
      }.
  }
analysis-score-pawns = { $side ->
    [white] Las blancas están mejor ({ $score }).
    [black] Las negras están mejor ({ $score }).
   *[none] La posición está equilibrada ({ $score }).
  }

## Las jugadas, sus marcas y sus variantes

analysis-variation = Variante: { $turn }
analysis-variation-of = Variante { $number } de { $count }.
analysis-notes = Comentar esta jugada
analysis-marks = Marca de { $turn }
analysis-mark-good = Buena jugada
analysis-mark-mistake = Error
analysis-mark-brilliant = Jugada brillante
analysis-mark-blunder = Error grave
analysis-mark-interesting = Jugada interesante
analysis-mark-dubious = Jugada dudosa
analysis-comment = Comentario sobre { $turn }
analysis-comment-start = Comentario antes de la primera jugada
analysis-promote = Promover la variante
analysis-remove = Borrar desde aquí
analysis-remove-confirm = Sí, borrar

## Abrir y guardar

analysis-open-game = Abrir una partida
analysis-open = Abrir una FEN o un PGN
analysis-open-text = Pega una FEN o un PGN
analysis-open-read = Leer
analysis-open-file = Elegir un archivo
analysis-open-games = { $count ->
    [one] Una partida
   *[other] { $count } partidas
  }
analysis-open-first = Se muestran las primeras { $count } partidas de { $total }.
analysis-open-more = { $count ->
    [one] Una observación más.
   *[other] { $count } observaciones más.
  }
analysis-game-name = { $number }. { $white } – { $black }
analysis-read = Lectura terminada.
analysis-broken-turn = Línea { $line }, media jugada { $number }:
analysis-broken-line = Línea { $line }:
analysis-broken-read = { $count ->
    [0] Solo se ha podido leer la posición inicial.
    [one] Se ha leído la media jugada anterior.
   *[other] Se han leído las { $count } medias jugadas anteriores.
  }
analysis-broken-nothing = No se ha podido leer nada de esta partida.
analysis-save = Compartir y guardar
analysis-link-copy = Copiar el enlace

## Guardar en la cuenta

saved-title = Tus análisis
saved-summary = Guardar en la cuenta
saved-is-saved = guardado
saved-is-changed = modificado
saved-needs-account = Entra en tu cuenta para guardar análisis en ella.
saved-name = Nombre del análisis
saved-name-of = { $variant }, { $date }
saved-save = Guardar
saved-save-copy = Guardar una copia
saved-copy-of = { $name } (copia)
saved-done = El análisis está guardado en tu cuenta.
saved-conflict = Este análisis se ha guardado entretanto en otra pestaña o en otro navegador. No se ha sobrescrito nada.
saved-take-other = Ver la otra versión
saved-keep-both = Guardar las dos
saved-overwrite = Reemplazar la otra
saved-overwrite-confirm = Sí, reemplazar
saved-none = Todavía no tienes ningún análisis aquí. Abre el tablero de análisis y después «Guardar en la cuenta».
saved-count = { $count } de { $limit } posibles
saved-download = Todos en un archivo (PGN)
saved-changed-at = { $date }
saved-rename = Cambiar el nombre
saved-rename-this = Cambiar el nombre de { $name }
saved-renamed = El análisis tiene un nombre nuevo.
saved-delete = Borrar
saved-delete-confirm = Sí, borrar
saved-deleted = El análisis se ha borrado.
error-analysis-not-found = Tu cuenta no tiene este análisis. Quizá se haya borrado.
error-analysis-changed = Este análisis ha cambiado entretanto; aquí está tal como es ahora. Inténtalo de nuevo.
error-too-many-analyses = Una cuenta guarda { $limit } análisis como máximo. Borra uno.
error-bad-analysis-name = El nombre de un análisis tiene de 1 a { $limit } caracteres, en una línea.
error-bad-pgn = Línea { $line }: este PGN no se puede leer.
error-pgn-games = Un análisis es una sola partida, con sus variantes.
error-too-large = Es demasiado largo para la cuenta. Guárdalo en un archivo, que no tiene ese límite.

## El editor de posiciones

editor-title = Componer la posición
editor-board = Tablero para componer la posición
editor-hint = Arrastra las piezas al tablero, y fuera de él para quitarlas; el botón derecho o una pulsación larga también las quita. O elige una pieza y luego sus casillas.
editor-tool = Pieza por colocar
editor-move = Mover
editor-erase = Quitar
editor-picked = { $piece } en { $square }, por colocar.
editor-turn = Turno
editor-turn-of = { $color ->
    [white] De las blancas
   *[black] De las negras
  }
editor-castling = Enroques aún posibles
editor-castling-rook = con la torre de { $square }
editor-reserves = Reservas
editor-fine = Esta posición se puede jugar.
editor-done = Analizar
editor-empty = Vaciar
editor-initial = Posición inicial

## El informe

report-title = Informe
report-about = El motor examina cada posición de la línea principal ({ $nodes } posiciones calculadas para cada una), en este navegador.
report-make = Hacer el informe
report-making = El motor repasa la partida…
report-graph = Curva de la evaluación, jugada a jugada; la tabla dice lo mismo
report-accuracy = Precisión: { $percent } %
report-count-inaccuracy = { $count } { $count ->
    [one] imprecisión
   *[other] imprecisiones
  }
report-count-mistake = { $count } { $count ->
    [one] error
   *[other] errores
  }
report-count-blunder = { $count } { $count ->
    [one] error grave
   *[other] errores graves
  }
report-verdict-inaccuracy = imprecisión
report-verdict-mistake = error
report-verdict-blunder = error grave
report-mistakes = Jugadas por revisar
report-mistake = – { $verdict }, { $percent } % de puntos perdidos.
report-better = Mejor: { $line }
report-retry = Reintentar desde aquí
report-annotate = Anotarlo en la partida
report-clean = Con ninguna jugada se perdió mucho.
report-table = Tabla, jugada a jugada
report-column-turn = Jugada
report-column-score = Evaluación
report-column-loss = Pérdida
report-column-verdict = Juicio
report-percent = { $percent } %
report-how = La pérdida se cuenta en puntos esperados. Con { $nodes } posiciones por jugada el motor puede equivocarse un poco.

## El ejercicio

exercise-title = Reintentar
exercise-task = { $color ->
    [white] Las blancas jugaron { $turn }. Encuentra algo mejor.
   *[black] Las negras jugaron { $turn }. Encuentra algo mejor.
  }
exercise-play = Juega en el tablero.
exercise-judging = El motor juzga esta jugada…
exercise-grade-best = ¡Es la mejor jugada!
exercise-grade-good = Bien jugado: vale lo mismo que la mejor.
exercise-grade-fair = Buena jugada; hay una un poco mejor ({ $percent } % de puntos perdidos).
exercise-grade-wrong = Esta jugada pierde un { $percent } % de los puntos. Sigue buscando.
exercise-again = Otra jugada
exercise-show = Ver la solución
exercise-next = Error siguiente
exercise-leave = Volver al análisis

## Rechazos

error-analysis-not-over = Esta partida no ha terminado; podrás analizarla después.
error-engine-load = No se ha podido cargar el motor. Comprueba la conexión y vuelve a intentarlo.
error-engine-memory = Este navegador no tiene memoria suficiente para el motor.
error-engine-network = La red de evaluación recibida está dañada. Recarga la página.
error-pgn = Este PGN no se puede leer.
error-pgn-empty = No hay ninguna partida en este texto.
error-pgn-variant = El juego «{ $text }» no existe aquí. La etiqueta Variant puede ser { $known }.
error-pgn-tag = «{ $text }» no es una etiqueta. Escribe [Nombre "valor"].
error-pgn-open-comment = El comentario que empieza aquí nunca se cierra con «{"}"}».
error-pgn-open-variation = Hay una variante sin cerrar: falta el «)».
error-pgn-closes-nothing = «{ $text }» no cierra nada.
error-pgn-too-deep = Las variantes están demasiado anidadas.
error-pgn-too-long = Este texto es demasiado largo.
error-pgn-blocks-differ = Los dos bloques del archivo difieren en la media jugada { $number }.
error-pgn-loose-tag = «{ $text }» se lee como etiqueta, pero debería escribirse [Nombre "valor"].
error-pgn-tag-in-movetext = Una etiqueta en medio de las jugadas: la partida siguiente empieza ahí.
error-pgn-unknown-sign = «{ $text }» no significa nada aquí y se omite.
error-pgn-result = «{ $text }» no es un resultado. Los resultados son 1-0, 0-1, 1/2-1/2 y *.
error-pgn-cut-variation = Aquí se ha cortado una variante.
error-pgn-too-much = { $what ->
    [tags] Hay demasiadas etiquetas; el resto se omite.
    [tag-value] El valor de una etiqueta es demasiado largo; el resto se omite.
    [marks] Una jugada lleva demasiadas marcas; el resto se omite.
    [comments] Una jugada lleva demasiados comentarios; el resto se omite.
    [comment] Un comentario es demasiado largo; el resto se omite.
    [variations] Una jugada tiene demasiadas variantes; el resto se omite.
   *[other] Hay demasiadas jugadas; el resto de las variantes se omite.
  }
error-pgn-no-turn = Se omite una marca o una variante que no pertenece a ninguna jugada.
error-pgn-compressed = Este archivo está comprimido ({ $kind }). Descomprímelo primero.
error-pgn-markup = Esto es una página web. Descarga el archivo PGN.
error-pgn-other-file = Este archivo no es un PGN.
error-turn-null-move = Aquí no es posible una jugada nula: el rey está en jaque.
