# Componer un problema: la posición, el objetivo, la solución, la prueba.

compose-title = Componer: { $variant }
compose-to-problems = Volver a los problemas
compose-about = Coloca una posición, juega tu solución y pide que se demuestre. El servidor examina cada jugada de ambos bandos y dice si existe otra solución. Solo se publica un problema demostrado.

## La posición

compose-fen = Partir de una FEN
compose-fen-read = Colocarla
compose-take = Usar esta posición

## El objetivo y la solución

compose-board = Tu problema
compose-goal = El objetivo
compose-turns = Jugadas
compose-goal-hint = Solo una victoria forzada puede demostrarse. «Una jugada claramente mejor» se basa en un cálculo, que no demuestra nada: eso no se compone aquí.
compose-solution = La solución
compose-solution-hint = Juégala en el tablero, por ambos bandos. Basta la primera jugada: la demostración encuentra el resto. Retrocede y juega otra respuesta para añadir una línea.
compose-remove = Quitar
compose-remove-line = Quitar la línea { $line }
compose-back = Jugada anterior
compose-start = Inicio
compose-edit = Cambiar la posición

## La prueba

compose-proof = La demostración
compose-prove = Demostrar
compose-proving = El servidor examina todas las jugadas…
compose-name = Título (opcional)
compose-name-hint = Se publica con el nombre de { $name }.
compose-publish = Publicar
compose-needs-account = Para publicar hace falta una cuenta: un problema lleva el nombre de quien lo compuso.
compose-account = Crear una cuenta
proof-proved = Demostrado
proof-proved-why = Una sola primera jugada alcanza el objetivo, y nada lo alcanza antes.
proof-known = Esta posición ya es un problema
proof-known-link = Ver ese problema
proof-second = { $count ->
    [one] Hay otra solución
   *[other] Hay { $count } soluciones más
  }
proof-second-all = Varias primeras jugadas alcanzan el objetivo:
proof-second-own = { $turn } alcanza el objetivo, pero esto también:
proof-sooner = El objetivo se alcanza antes
proof-refuted = { $turn } no alcanza el objetivo
proof-refuted-reply = El rival responde { $turn }, y la victoria ya no llega a tiempo.
proof-refuted-end = Así la partida terminaría sin vencedor.
proof-instead = Lo que alcanza el objetivo en su lugar:
proof-no-win = No hay solución
proof-no-win-why = { $count ->
    [one] No se gana en una jugada.
   *[other] No se puede ganar en { $count } jugadas si el rival se defiende bien.
  }
proof-too-hard = Demasiado difícil de demostrar aquí
proof-too-hard-why = Tras { NUMBER($count) } posiciones el problema no está ni demostrado ni refutado. Prueba con un objetivo más corto o menos piezas.
proof-unfit = Esta composición no se puede examinar

## Lo que se rechaza

error-problem-known = Esta posición ya es un problema ({ $id }).
error-problem-title = Un título tiene de 1 a { $limit } caracteres legibles.
error-problem-second-solution = Hay otra solución: { $line }.
error-problem-sooner = El objetivo se alcanza en { $turns } { $turns ->
    [one] jugada
   *[other] jugadas
  }: { $line }.
error-problem-refuted = { $line } no alcanza el objetivo: { $reply } lo refuta.
error-problem-no-winner = Tras { $line }, la partida termina sin ganador.
error-problem-no-win = Nada alcanza el objetivo a tiempo.
error-problem-too-hard = Tras { $nodes } posiciones sigue sin decidirse nada.
error-problem-unfit = Esta composición no se puede examinar.
error-compose-turns = El número de jugadas hasta la victoria debe ser de 1 a { $limit }.
error-compose-goal = Solo una victoria forzada puede demostrarse.
error-compose-too-many-lines = Son demasiadas líneas.
error-compose-line-too-long = Una línea sigue más allá del objetivo.
error-compose-two-first-turns = Tus líneas empiezan con dos jugadas distintas ({ $one } y { $other }): serían dos soluciones.
