### Las páginas de reglas

rules-of = Reglas: { $variant }
rules-choose = El juego
rules-contents = En esta página
rules-drills = Ejercicios
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
diagram-over = Ya no hay jugada posible.
diagram-goes-on = Sigue capturando.
