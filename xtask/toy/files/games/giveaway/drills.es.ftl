drill-giveaway-give-title = Una pieza que regalar
drill-giveaway-give-task = ¿Puede el peón ir a c3?
drill-giveaway-give-hint = ¿Hay algo que capturar?
drill-giveaway-give-why = Sí: no tiene nada que capturar, y las negras tendrán que capturarlo.
