# Los ejercicios: pequeñas tareas, una regla cada vez. Las palabras de cada uno están en games/JUEGO/drills.es.ftl.

drills-of = Ejercicios: { $variant }
drills-lead = Pequeñas tareas, una regla cada vez, en el orden en que se aprenden. Cada lección tiene su regla, que se lee primero, y luego sus ejercicios, del más fácil al más difícil. Después de las lecciones vienen pequeñas partidas. Este navegador recuerda lo que has resuelto.
drills-choose = El juego
drills-solved = { $solved } de { $all } resueltos
drills-done = resuelto
drills-rules = Las reglas
drills-all = Todos los ejercicios
drills-none = Ese ejercicio no existe.
drills-next = Continuar: { $title }
drills-group-solved = { $solved } de { $all }
drills-rule = La regla
drills-practices = Partidas pequeñas
drills-practices-note = Para cuando conozcas todas las lecciones: pocas piezas, y la máquina no juega fuerte. Se gana como en una partida de verdad.
drills-practice = Jugar
drills-then = Y después
drills-then-problems = Los problemas
drills-then-play = Una partida entera
drill-place = Ejercicio { $number } de { $all }
drill-clause = Regla { $clause }
drill-difficulty = { $difficulty ->
    [easy] fácil
    [middle] medio
   *[hard] difícil
  }
drill-optional = opcional
drill-before = Hasta aquí: { $turns }
drill-show-hint = Una pista
drill-retry = Otra vez
drill-next = El siguiente
drill-check = Comprobar
drill-yes = Sí
drill-no = No
drill-right = Correcto
drill-wrong = No es eso
drill-goes-on = Sigue capturando.
drill-go-on = Bien. El rival responde { $turn }: sigue.
drill-chosen = elegida
drill-extra = La casilla { $square } sobra. { $why }
drill-missing = { $count ->
    [one] Falta todavía una casilla.
   *[other] Faltan todavía { $count } casillas.
  }
drill-replies = { $count ->
    [one] Al rival le queda una jugada: { $turn }.
   *[other] Al rival le quedan { $count } jugadas, por ejemplo { $turn }.
  }
drill-over = La partida acaba entonces ({ $outcome }).
drill-not-takes = No es la captura que se pide.
drill-not-forced = Con esta jugada el éxito no es seguro.
drill-not-most = Se puede capturar más.
drill-not-ends = Esa jugada no acaba la partida.
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

## Los grupos

drill-group-pawn = El peón
drill-group-king = El rey
drill-group-check = El jaque
drill-group-mate = El mate
drill-group-promotion = La promoción
drill-group-turns = En dos jugadas
