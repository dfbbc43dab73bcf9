### Las páginas de reglas

rules-of = Reglas: { $variant }
rules-choose = El juego
rules-contents = En esta página
rules-drills = Ejercicios
rules-marks = En los diagramas: en verde, adónde se va; en rojo, lo que se captura; la flecha marrón, una jugada ilegal.
diagram-back = Restablecer
diagram-turn = { $color ->
    [white] Juegan las blancas
   *[black] Juegan las negras
  }
diagram-played = { $color ->
    [white] Las blancas: { $turn }
   *[black] Las negras: { $turn }
  }
diagram-taken = capturado: { $squares }
diagram-check = jaque
diagram-over = Ya no hay ninguna jugada posible.
diagram-goes-on = Sigue capturando.
