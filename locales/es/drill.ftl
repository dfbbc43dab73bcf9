# Los ejercicios: pequeñas tareas, una regla cada vez. Las palabras de cada uno están en games/JUEGO/drills.es.ftl.

drills-of = Ejercicios: { $variant }
drills-lead = Pequeñas tareas, una regla cada vez, en el orden en que se aprenden. Cada lección tiene su regla, que se lee primero, y luego sus ejercicios, del más fácil al más difícil. Después de las lecciones vienen pequeñas partidas. Este navegador recuerda lo que has resuelto.
drills-choose = El juego
drills-solved = { $solved } de { $all } resueltos
drills-done = resuelto
drills-rules = Las reglas
drills-all = Todos los ejercicios
drills-none = Ese ejercicio no existe.
drills-start = Empezar: { $title }
drills-next = Continuar: { $title }
drills-group-solved = { $solved } de { $all }
drills-rule = La regla
drills-practices = Partidas pequeñas
drills-practices-note = Para cuando conozcas todas las lecciones: casi siempre hay menos piezas que en una partida entera, y la máquina no juega fuerte. Se gana como en una partida de verdad.
drills-practice = Jugar
drills-then = Y después
drills-then-problems = Los problemas
drills-then-play = Una partida entera
drill-place = Ejercicio { $number } de { $all }
drill-clause = Regla { $clause }
drill-difficulty = { $difficulty ->
    [easy] fácil
    [medium] medio
   *[hard] difícil
  }
drill-optional = opcional
drill-how-turn = Toca la pieza que quieres jugar y luego su casilla de llegada.
drill-how-squares = Toca cada casilla pedida y luego «Comprobar».
drill-how-choice = Mira la posición y responde «Sí» o «No».
drill-how-keyboard = Con el teclado: las flechas y luego Intro.
drill-square-names = Una casilla se nombra por su columna (de la a hasta la h) y luego por su fila (de la 1 a la 8), indicadas en el borde del tablero: d2 es la casilla de la columna d en la segunda fila.
drill-square-names-rule = El nombre de las casillas
drill-before = Hasta aquí: { $turns }
drill-show-hint = Una pista
drill-retry = Otra vez
drill-next = El siguiente
drill-check = Comprobar
drill-yes = Sí
drill-no = No
drill-right = Correcto
drill-taken-back = Tu jugada se ha deshecho: inténtalo otra vez.
drill-wrong = No es eso
drill-goes-on = Sigue capturando.
drill-go-on = Bien. El rival ha respondido. { $turn } Te toca seguir.
drill-chosen = elegida
drill-extra = La casilla { $square } sobra. { $why }
drill-missing = { $count ->
    [one] Falta todavía una casilla.
   *[other] Faltan todavía { $count } casillas.
  }
drill-not-takes = No es la captura que se pide.
drill-not-forced = Con esta jugada el éxito no es seguro.
drill-not-most = Se puede capturar más.
drill-not-ends = Esa jugada no acaba la partida.
drill-not-ended-so = La partida acaba, pero no como se pide.
drill-not-wins = Esa jugada no gana la partida.
drill-not-parries = El jaque queda parado, pero no como se pide.
drill-not-checks = Esa jugada no da jaque.
drill-not-castles = Eso no es un enroque.
drill-not-passes = Eso no es una captura al paso.
drill-not-promotes = No es la promoción que se pide.
drill-not-frees = La pieza sigue inmovilizada.
drill-not-freezes = Así la pieza no queda inmovilizada.
drill-not-dies = Un bando todavía puede dar mate.
drill-not-repeats = Esa posición no ha aparecido dos veces antes.
drill-not-avoids = Esa posición aparecería por tercera vez.

## Lo que hace una jugada errónea, y por qué no basta

drill-why-man = { $man } en { $at }
drill-why-over = La partida acaba entonces ({ $outcome }).
drill-why-stays = Aún en el tablero: { $men }.
drill-why-too-many = Piezas capturadas de más: { $men }.
drill-why-retaken = { $man } en { $from } puede recapturar en { $to }.
drill-why-unreachable = ¿A { $at }? { $why }
drill-why-landing = Para capturar en { $at } hay que ir a esa casilla; aquí { $man } va a { $to }.
drill-why-other-man = Para esta captura debe jugar otra pieza.
drill-why-pincer-diagonal = Yendo en diagonal, de { $from } a { $to }, { $man } no pinza.
drill-why-pincer-far = En { $to }, { $man } no está justo al lado de { $at }, en la fila o la columna.
drill-why-pincer-edge = Para capturar desde { $to } haría falta un amigo justo detrás de { $at }, pero allí se acaba el tablero.
drill-why-pincer-alone = Para capturar desde { $to } falta un amigo justo detrás de { $at }, en { $behind }.
drill-why-aligned = En { $to }, { $man } está en la fila o la columna de su rey ({ $king }): no hay rectángulo.
drill-why-corners = De { $to } al rey en { $king }, las otras esquinas del rectángulo son { $one } y { $other }, no { $at }.
drill-why-en-passant = La captura al paso se hace como si el peón contrario solo hubiera avanzado una casilla.
drill-why-leap = De { $from } a { $to } no se salta por encima de { $at }.
drill-why-withdrawal = Para capturar en { $at }, { $man } tendría que tocar la pieza y alejarse de ella en línea recta; de { $from } a { $to } no lo hace.
drill-why-approach = De { $from } a { $to }, { $man } no avanza por la fila o la columna hacia { $at } hasta quedar justo delante.
drill-why-count = Piezas que captura esta jugada: { $count }. Otra captura { $most }.
drill-why-no-check = { $man } en { $from } no está en jaque.
drill-why-no-attack = En { $from }, { $man } no ataca al rey en { $at }.
drill-why-left = Aún en el tablero, además de los reyes: { $men }.
drill-why-king-moved = Se ha movido { $man }.
drill-why-king-stayed = No se captura nada, y el rey no se ha movido.
drill-why-king-still = { $man } no se ha movido.
drill-why-king-one-square = { $man } solo se ha movido una casilla: al enrocar, se mueve dos hacia una torre.
drill-why-no-promotion = Ningún peón se ha convertido en otra pieza.
drill-why-promoted = El peón se ha convertido en { $piece }.
drill-why-not-touching = En { $from }, { $man } no toca { $at }.
drill-why-mobile = Piezas que todavía pueden moverse, sin contar los reyes: { $men }.
drill-why-occurs = { $count ->
    [one] Después de esa jugada la posición aparece por primera vez.
   *[other] Después de esa jugada la posición ha aparecido { $count } veces.
  }
drill-why-replies = { $count ->
    [one] Al rival le queda una jugada: { $turn }.
   *[other] Al rival le quedan { $count } jugadas, por ejemplo, { $turn }.
  }
drill-why-held = { $why }
drill-why-refuted = El rival puede responder así. { $turn } Entonces ya ninguna jugada alcanza el objetivo.
drill-why-out-of-reach = Responda lo que responda el rival, la jugada siguiente no alcanza el objetivo.

## Los grupos

drill-group-pawn = El peón
drill-group-king = El rey
drill-group-check = El jaque
drill-group-mate = El mate
drill-group-promotion = La promoción
drill-group-turns = En dos jugadas
