variant-giveaway = Giveaway
about-giveaway = Capturar es obligatorio, y gana quien se queda sin jugadas.
diagram-giveaway = Posición inicial de Giveaway

draws-club-giveaway = Cincuenta jugadas sin captura ni jugada de peón, o tres veces la misma posición: tablas al instante.
draws-fide-giveaway = Estas tablas se reclaman; solo son automáticas a las 75 jugadas o cinco repeticiones.
