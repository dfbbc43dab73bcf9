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
problem-go-on = Bien. El rival responde { $turn }: sigue.
problem-chain = Sigue capturando.
problem-right = Correcto
problem-right-win = Eso gana, y ninguna otra primera jugada ganaba a tiempo.
problem-right-gain = Era la única jugada buena, con diferencia.
problem-wrong = No es eso
problem-refuted = Tras { $turn }, la victoria ya no llega a tiempo.
problem-drawn = La partida acabaría así sin ganador.
problem-late = Esa jugada no gana a tiempo.
problem-worse = Otra jugada es claramente mejor.
problem-rated = Puntuación: { $before } → { $after }
problem-solution = La solución: { $turns }
problem-retry = Otra vez
problem-show = Ver la solución
problem-next = Problema siguiente
problem-analyse = Analizar la posición
problem-link = Enlace a este problema
problem-none = Ese problema no existe.
problem-none-yet = Todavía no hay problemas en este juego.
problem-kept = Tu puntuación la guarda este navegador; la de una cuenta te sigue a todas partes. Solo cuenta el primer intento.
problem-kept-account = El servidor calcula y guarda tu puntuación, con tu cuenta: te sigue a todas partes. Solo cuenta el primer intento. Lo que este navegador contó sin cuenta no entra en ella.
problem-unknown = Esta jugada no está en la solución, y probarla aquí llevaría demasiado tiempo.

## Problemas compuestos

composed-title = Compuestos por los jugadores
composed-compose = Componer un problema
composed-none = Nadie ha publicado ninguno todavía. ¡Publica el primero!
composed-untitled = Sin título
composed-by = de { $name }
composed-by-nobody = de un antiguo jugador
composed-mine = tuyo
composed-proved = probado, sin puntuación
composed-withdraw = Retirar este problema
composed-withdraw-confirm = Retirarlo de verdad
solution-title = La solución entera
solution-others = (o { $turns })
solution-incomplete = El árbol es mayor: el resto no se muestra.
error-problem-not-found = Este problema no existe.
