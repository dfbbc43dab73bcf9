# Los documentos que envía el servidor: lo que leen los buscadores, las vistas previas de enlaces y los navegadores
# sin JavaScript. El resto de su texto viene de los demás archivos.

document-home = Ajedrez, Baroque, Interweave y Ultima
document-about-home = Juega sin cuenta y sin publicidad al ajedrez, a Baroque, a Ultima y a Interweave, contra un amigo o contra la máquina. Reglas ilustradas, ejercicios y problemas.
document-about-hall = La sala: propón una partida de ajedrez, Baroque, Ultima o Interweave, acepta la de otra persona o mira cómo juegan los demás.
document-about-analysis = { $variant }: tablero de análisis, variantes, comentarios, PGN y el motor en tu navegador.
document-about-rules = { $variant }: todas las reglas, una por una, con diagramas en los que se puede jugar.
document-about-learn = { $variant }: { $count } ejercicios, del más sencillo al más difícil, cada uno con su respuesta explicada.
document-about-problems = { $variant }: { $count } problemas, de los más fáciles a los más difíciles, cada uno con su solución.
document-about-game = { $variant }, una partida en adoube: { $white } – { $black }. { $state }
document-about-missing = Esta dirección no lleva a ninguna parte en adoube.
document-languages = Idiomas
document-no-scripts = Esta página se puede leer sin JavaScript. Actívalo para jugar en los tableros.
document-needs-scripts = Esta página necesita JavaScript. Sin él se pueden leer las reglas, los ejercicios, los problemas y las partidas.
document-failed = No se ha podido cargar el programa de esta página. Comprueba la conexión y vuelve a cargar la página.
document-answer = Ver la respuesta
document-answers = Respuesta: { $answers }
document-solution = Ver la solución
document-pieces-white = Blancas: { $pieces }
document-pieces-black = Negras: { $pieces }
document-reserve-white = Reserva de las blancas: { $pieces }
document-reserve-black = Reserva de las negras: { $pieces }
document-game = { $variant }: { $white } – { $black }
document-game-plays = Partida en curso: { $moves ->
    [0] todavía ninguna jugada
    [one] una jugada
   *[other] { $moves } jugadas
  }.
document-game-waits = La partida espera al segundo jugador.
document-game-pgn = Descargar la partida (PGN)
document-game-missing-title = Partida no encontrada
document-game-missing = No hay ninguna partida en esta dirección. Quizá el enlace esté incompleto.
document-invitation = Invitación a jugar: { $variant }
document-about-invitation = { $variant }: te invitan a una partida en adoube. Abre el enlace para ver las condiciones y ocupar tu puesto.
document-invitation-over-title = Invitación cerrada
document-invitation-over = Esta invitación ya no está abierta: alguien ocupó el puesto, o la partida se anuló. Puedes mirar la partida o empezar otra.
document-invitation-missing-title = Invitación no encontrada
document-invitation-missing = No hay ninguna invitación en esta dirección. Quizá el enlace esté incompleto: pídeselo de nuevo a quien te lo envió.
document-problem-title = { $variant }, problema: { $goal }
