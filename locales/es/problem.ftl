# Los problemas: una posición, una jugada que lo consigue.

problems-of = Problemas: { $variant }
problem-standing = Tu puntuación
problem-streak = Racha
problem-count = Resueltos
problem-of-all = { $solved } de { $all }
problem-mate = { $count ->
    [one] Da mate en una jugada.
   *[other] Da mate en { $count } jugadas.
  }
problem-win = { $count ->
    [one] Gana en una jugada.
   *[other] Gana en { $count } jugadas.
  }
problem-gain = Una jugada es claramente mejor que todas las demás. Encuéntrala.
problem-level = Dificultad { $rating }
problem-go-on = Bien. El rival responde { $turn }. Te toca seguir.
problem-chain = Sigue capturando.
problem-right = Correcto
problem-right-win = Así se gana, y ninguna otra primera jugada gana a tiempo.
problem-right-gain = Era, con diferencia, la mejor jugada.
problem-wrong = No es la jugada correcta
problem-refuted = Tras { $turn }, la victoria ya no llega a tiempo.
problem-drawn = Así la partida acabaría sin ganador.
problem-late = Esa jugada no gana a tiempo.
problem-worse = Otra jugada es claramente mejor.
problem-refuting = El motor busca la respuesta…
problem-reply = { $color ->
    [white] Las blancas responden { $turn } y { $gain }.
   *[black] Las negras responden { $turn } y { $gain }.
  }
problem-rated = Puntuación: { $before } → { $after }
problem-solution = La solución: { $turns }
problem-retry = Otra vez
problem-show = Ver la solución
problem-next = Problema siguiente
problem-analyse = Analizar la posición
problem-link = Enlace a este problema
problem-none = Ese problema no existe.
problem-none-yet = Todavía no hay problemas en este juego.
problem-kept = Este navegador guarda tu puntuación; con una cuenta te sigue a todas partes. Solo cuenta el primer intento.
problem-kept-account = El servidor calcula y guarda tu puntuación, con tu cuenta: te sigue a todas partes. Solo cuenta el primer intento. Los problemas resueltos sin cuenta no entran en la puntuación.
problem-unknown = Esta jugada no está en la solución; comprobar si también gana llevaría aquí demasiado tiempo.
problem-scene = Tu rival acaba de jugar { $turn }.
problem-hint-ask = Una pista
problem-hint-piece = Pista: la pieza que debe jugar está en { $square } ({ $piece }).
problem-hint = Pista: de { $from } a { $to }.
problem-hint-stays = Pista: la pieza de { $from } se queda en su casilla.
problem-help-counts = Para la puntuación, pedir una pista o la solución cuenta como un intento fallido.
problem-steps = La solución, jugada a jugada
problem-steps-keys = Las flechas izquierda y derecha, Inicio y Fin recorren la solución.
problem-line-thinking = El motor calcula la continuación…
problem-line-failed = El motor no está disponible: la continuación no se muestra.
problem-line-continues = El motor continúa:
problem-line-gain = { $color ->
    [white] Las blancas { $gain }.
   *[black] Las negras { $gain }.
  }
# Lo que gana un bando: después de «Las blancas» o «Las blancas responden Txd4 y».
problem-gains = ganan { $pieces }
problem-gains-for = ganan { $pieces } a cambio de { $lost }
problem-gains-win = ganan la partida en { $count } { $count ->
    [one] jugada
   *[other] jugadas
  }
problem-gains-advantage = obtienen una clara ventaja
problem-themes = Temas: { $themes }
problem-continue = Seguir desde aquí contra la máquina
problem-filter = Tema de los próximos problemas
problem-filter-all = Todos los problemas ({ $count })
problem-filter-option = { $name } ({ $count })
problem-filter-gain = La única buena jugada
problem-filter-mate = { $count ->
    [one] Mate en una jugada
   *[other] Mate en { $count } jugadas
  }
problem-filter-win = { $count ->
    [one] Victoria en una jugada
   *[other] Victoria en { $count } jugadas
  }

## Problemas compuestos

composed-title = Compuestos por los jugadores
composed-compose = Componer un problema
composed-none = Todavía no se ha publicado ninguno. ¡Publica el primero!
composed-untitled = Sin título
composed-by = de { $name }
composed-by-deleted = de una cuenta eliminada
composed-mine = tuyo
composed-proved = demostrado, sin puntuación
composed-withdraw = Retirar este problema
composed-withdraw-confirm = Sí, retirar
solution-title = La solución entera
solution-others = (o { $turns })
solution-incomplete = El árbol es mayor: el resto no se muestra.
error-problem-not-found = Este problema no existe.

## Los temas, deducidos de la posición y de la solución

problem-theme-mate = mate
problem-theme-no-moves = el rival se queda sin jugadas
problem-theme-king-capture = captura de un rey
problem-theme-double-capture = varias capturas en una jugada
problem-theme-chain = cadena de capturas
problem-theme-pincer = captura en pinza
problem-theme-coordination = captura por coordinación
problem-theme-leap = captura por salto
problem-theme-withdrawal = captura por alejamiento
problem-theme-approach = captura por aproximación
problem-theme-removal = captura sin moverse
problem-theme-imitation = captura por un camaleón
problem-theme-en-passant = captura al paso
problem-theme-freeze = inmovilización
problem-theme-giving-up = pieza inmovilizada retirada
problem-theme-fork = horquilla
problem-theme-discovered-check = jaque a la descubierta
problem-theme-double-check = jaque doble
problem-theme-sacrifice = sacrificio
problem-theme-promotion = promoción
problem-theme-castling = enroque
problem-theme-quiet-key = primera jugada tranquila
