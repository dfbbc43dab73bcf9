# La administración de la casa: miembros, denuncias, partidas, alumnos, ajustes, registro.

admin-title = Administración
admin-section-title = Administración: { $section }
admin-overview = Resumen
admin-members = Miembros
admin-reports = Denuncias
admin-games = Partidas
admin-pupils = Alumnos
admin-settings = Ajustes de la casa
admin-pages = Páginas legales
admin-audit = Registro de actos
admin-start = primeros pasos
admin-not-yours = Tu rol no da acceso a esta página.
admin-as-administrator = Administras esta casa.
admin-as-moderator = Moderas: atiendes las denuncias, silencias y cierras cuentas.
admin-as-teacher = Creas las cuentas de tus alumnos y cambias sus contraseñas.
admin-as-arbiter = Arbitras: puedes dar por terminada una partida, con o sin resultado.
admin-statistics = La casa en cifras
admin-count-members = miembros
admin-count-recent = vistos en los últimos 30 días
admin-count-pending = por aprobar
admin-count-closed = cuentas cerradas
admin-count-pupils = alumnos
admin-count-games = partidas
admin-count-playing = partidas en curso
admin-count-newGames = partidas nuevas en los últimos 30 días
admin-count-openReports = denuncias pendientes
admin-more = Ver más
admin-done = Hecho.
admin-operator = la línea de comandos
report-by-unknown = la línea de comandos, o una cuenta eliminada desde entonces

## Los roles

role-none = ningún rol
role-administrator = administración
role-moderator = moderación
role-teacher = enseñanza
role-arbiter = arbitraje
state-open = abierta
state-pending = por aprobar
state-closed = cerrada

## Los miembros

admin-invite = Invitar
admin-invite-about = Con un enlace de invitación, cualquiera puede registrarse, sea cual sea el ajuste del registro.
admin-invite-uses = Número de cuentas
admin-invite-days = Validez en días
admin-invite-make = Crear un enlace
admin-invite-hand = Aquí está el enlace. No volverá a mostrarse: cópialo ahora.
admin-role = Rol
admin-role-hint = La casa conserva siempre al menos una cuenta que la administra.
admin-role-pupil = Es la cuenta de un alumno. Si recibe un rol, su profesor ya no podrá cerrarla ni cambiar su contraseña.
admin-class-size = { $count ->
    [one] { $name } (un alumno)
   *[other] { $name } ({ $count } alumnos)
  }
admin-classes = Sus clases: { $classes }.
admin-hand-over = Antes de cerrar o eliminar esta cuenta, o de quitarle su rol, confía sus clases a otra persona. Si no, nadie más que la administración las verá en «Alumnos».
admin-hand-over-link = Confiar una clase
admin-link = Enlace
admin-copy = Copiar el enlace
admin-find = Buscar un nombre
admin-view = Mostrar
admin-view-all = todas
admin-view-pending = por aprobar
admin-view-closed = cerradas
admin-view-staff = con un rol
admin-no-members = Ninguna cuenta coincide.
admin-unused = ninguna sesión abierta
admin-used = último uso el { $date }
admin-teacher = alumno de { $name }
admin-silenced = silenciada
admin-silenced-until = silenciada hasta el { $date }
admin-out-of-reach = Esta cuenta tiene un rol: solo la administración puede cambiarla.
admin-approve = Aprobar
admin-close = Cerrar la cuenta
admin-close-confirm = Sí, cerrar
admin-reopen = Abrir de nuevo la cuenta
admin-end-sessions = { $count ->
    [one] Cerrar su sesión
   *[other] Cerrar sus { $count } sesiones
  }
admin-reset-pupil = Nueva contraseña
admin-reset-password = Enlace para una nueva contraseña
admin-reset-hand = Entrega este enlace al titular de la cuenta y a nadie más. Sirve una sola vez, durante tres días, y no volverá a mostrarse.
admin-second-factor-off = Desactivar el acceso en dos pasos
admin-silence-for = Silencio en el chat
admin-silence-1 = un día
admin-silence-7 = una semana
admin-silence-30 = un mes
admin-silence-forever = hasta nuevo aviso
admin-silence = Silenciar
admin-unsilence = Dejar de silenciar
admin-new-name = Nuevo nombre
admin-rename = Cambiar el nombre

## Las denuncias

report-all = Mostrar también las resueltas
report-none = No hay denuncias pendientes.
report-of = Denuncia del { $date }
report-by = Denunciado por { $name } el { $date }.
report-visitor = un visitante sin cuenta
report-visitor-number = visitante { $number }
report-reason-insult = Insulto
report-reason-spam = Mensaje no deseado
report-reason-other = Otro motivo
report-game = Ver la partida
report-line = Mensaje denunciado:
report-note = Qué se ha hecho
report-uphold = Denuncia fundada
report-dismiss = Denuncia infundada
report-silence = Silenciar a { $name } una semana
report-silenced = Silencio de una semana para { $name }
report-silenced-note = Silencio de una semana.
report-upheld = Considerada fundada por { $name } el { $date }.
report-dismissed = Desestimada por { $name } el { $date }.

## Las partidas

admin-game-address = Dirección de la partida
admin-game-hint = Pega la dirección de la página de la partida.
admin-game-look = Buscar
admin-game-hide = Retirar de la sala
admin-game-show = Devolver a la sala
admin-game-end-about = Dar por terminada la partida es definitivo.
admin-result-white = Ganan las blancas
admin-result-black = Ganan las negras
admin-result-draw = Tablas
admin-result-none = Sin resultado
admin-result-confirm = Sí, está decidido

## Los alumnos

pupils-add = Añadir una clase
pupils-about = Las cuentas de alumno no llevan dirección de correo. Recibirás una hoja de contraseñas para imprimir.
pupils-class = Clase
pupils-names = Nombres de pila, uno por línea
pupils-names-hint = De 3 a 20 caracteres, sin espacios, y nunca dos iguales: añade una inicial, por ejemplo, «Emma-D». También sirve una columna o una fila pegada desde una hoja de cálculo.
pupils-table = La lista tiene varias columnas y cada celda se convertiría en una cuenta. Pega solo la columna de los nombres de pila.
pupils-duplicates = Más de una vez en la lista: { $names }.
pupils-length = Demasiado cortos o demasiado largos (de 3 a 20 caracteres): { $names }.
pupils-space = Con un espacio: { $names }.
pupils-characters = Con un carácter no permitido, indicado entre paréntesis: { $names }.
pupils-form = Sin letras ni cifras, con alfabetos mezclados, o con un punto o un apóstrofo mal puestos: { $names }.
pupils-reserved = Reservados a la casa: { $names }.
pupils-taken = Ya en uso: { $names }.
pupils-alike = Demasiado parecidos a otro nombre, de una cuenta o de la lista: { $names }.
pupils-retired = { $date ->
    [never] Nombres de cuentas eliminadas, que siguen reservados: { $names }.
   *[other] Nombres de cuentas eliminadas, libres a más tardar el { $date }: { $names }.
  }
pupils-make = { $count ->
    [0] Crear las cuentas
    [one] Crear una cuenta
   *[other] Crear { $count } cuentas
  }
pupils-once = Estas contraseñas no volverán a mostrarse. Imprímelas o anótalas ahora.
pupils-sheet = Contraseñas: { $class }
pupils-sheet-new = Contraseñas nuevas: { $class }
pupils-address = Dirección
pupils-print = Imprimir
pupils-copy = Copiar la lista
pupils-leave = Esta hoja de contraseñas no se ha impreso ni copiado, y no volverá a mostrarse. ¿Salir de la página de todos modos?
pupils-leave-early = La hoja de contraseñas está a punto de aparecer y solo se mostrará una vez. ¿Salir de la página de todos modos?
pupils-renew = Rehacer la hoja de contraseñas
pupils-renew-about = Los alumnos elegidos reciben contraseñas nuevas y sus sesiones se cierran; las contraseñas anteriores dejan de servir.
pupils-renew-all = { $count ->
    [one] Toda la clase (un alumno)
   *[other] Toda la clase ({ $count } alumnos)
  }
pupils-renew-which = Alumnos
pupils-renew-make = { $count ->
    [0] Rehacer las contraseñas
    [one] Rehacer una contraseña
   *[other] Rehacer { $count } contraseñas
  }
pupils-renew-confirm = Sí, reemplazar
classes-all = Todas las clases
classes-about = Abre una clase para confiarla a otro profesor o para cambiar contraseñas.
classes-none = Todavía no hay ninguna clase.
classes-teacher = profesor: { $name }
classes-no-teacher = sin profesor
classes-to = Confiar a
classes-to-hint = Los alumnos conservan sus cuentas y sus contraseñas.
classes-choose = elige
classes-name = Nombre de la clase
classes-name-hint = Cámbialo si este profesor ya tiene una clase con ese nombre.
classes-give = Confiar la clase

## Los ajustes

house-name = Nombre de la casa
house-name-hint = Aparece en la parte superior de cada página.
house-contact = Contacto
house-contact-hint = Una dirección de correo o postal; aparece en las páginas legales.
house-registration = ¿Quién puede registrarse?
house-registration-open = todo el mundo
house-registration-invitation = con invitación
house-registration-approval = con aprobación
house-registration-closed = nadie
house-registration-about-open = La cuenta se abre al momento.
house-registration-about-invitation = Hace falta un enlace, que se crea en «Miembros».
house-registration-about-approval = Todos pueden registrarse, pero la cuenta se abrirá cuando la apruebes.
house-registration-about-closed = Aún puedes invitar, y los profesores pueden añadir a sus alumnos.
house-chat = ¿Quién puede escribir en el chat?
house-chat-everybody = todo el mundo
house-chat-no-pupils = todos salvo los alumnos
house-chat-nobody = nadie
house-games = Juegos que se ofrecen
house-clocks = Ritmos que se ofrecen
house-clocks-all = todos, a elección de los jugadores
house-clocks-some = solo estos
house-offer-hint = La página de inicio, la sala y los desafíos no ofrecen otra cosa. Las partidas en curso continúan, y contra la máquina siempre se puede jugar sin reloj.
house-notice = Aviso a todos
house-notice-hint = Se muestra en la parte superior de cada página, por ejemplo, antes de una interrupción. Déjalo vacío para quitarlo.

## Los primeros pasos

start-step = Paso { $step } de { $steps }
start-name = La casa
start-registration = El registro
start-chat = El chat
start-offer = Los juegos y los ritmos
start-done = La casa está lista
start-done-about = Todo esto se puede cambiar más tarde en «Ajustes de la casa». Quizá falte:
start-pages = Completar el aviso legal y la página sobre los datos personales
start-pupils = Añadir una clase
start-members = Invitar a miembros y asignar roles
start-two-steps = Proteger tu cuenta con el acceso en dos pasos
start-back = Volver
start-next = Continuar
start-end = Terminar

## Las páginas legales

page-about = Al pie de cada página del sitio hay enlaces a estas dos páginas. Se incluye un modelo; del texto respondes tú.
page-which = Página
page-is-model = Este es el modelo incluido. Guárdalo para convertirlo en el texto de la casa.
page-is-own = Este es el texto de la casa.
page-text = Texto
page-hint = Una línea vacía separa los párrafos; «##» empieza un título; «-», una lista; el texto entre dobles asteriscos va en negrita. Los nombres entre llaves se sustituyen: nombre, contacto y plazos siguen los ajustes.
page-model = Volver al modelo
page-model-confirm = Sí, borrar nuestro texto
page-shown = Así se verá

## El registro

audit-about = Cada acto de administración queda anotado aquí. Ninguna entrada se puede cambiar sin que se note: cada una lleva el resumen criptográfico de todas las anteriores.
audit-check = Comprobar el registro
audit-whole = { $count ->
    [one] Una entrada, en orden.
   *[other] { $count } entradas, todas en orden.
  }
audit-broken = La entrada { $number } no sigue a la anterior: el registro ha sido alterado.
audit-deleted = una cuenta eliminada
act-invite = creó una invitación
act-approve = aprobó la cuenta de
act-rename = cambió el nombre de
act-silence = silenció a
act-unsilence = dejó de silenciar a
act-close = cerró la cuenta de
act-reopen = abrió de nuevo la cuenta de
act-delete = eliminó una cuenta
act-reset-password = creó un enlace de contraseña para
act-end-sessions = cerró las sesiones de
act-second-factor-off = desactivó el acceso en dos pasos de
act-set-role = cambió el rol de
act-add-pupils = añadió alumnos:
act-reset-pupil = cambió la contraseña de
act-reset-pupils = cambió las contraseñas de
act-give-class = confió una clase (profesor anterior, profesor nuevo, clase):
act-handle-report = resolvió la denuncia
act-hide-game = cambió la visibilidad de la partida
act-adjudicate = dio por terminada la partida
act-set-house = cambió los ajustes de la casa
act-set-page = cambió la página
act-claim = aceptó un rol con una invitación:
detail-role = rol:
detail-name = nombre:
detail-from = nombre anterior:
detail-days = días:
detail-uses = cuentas:
detail-outcome = conclusión:
detail-note = nota:
detail-hidden = retirada:
detail-result = resultado:
detail-count = número:
detail-characters = caracteres:
detail-registration = registro:
detail-chat = chat:
detail-contact = contacto:
detail-notice = aviso:
detail-games = juegos:
detail-clocks = ritmos:
audit-value-upheld = dada por fundada
audit-value-dismissed = desestimada
audit-value-true = sí
audit-value-false = no
audit-value-changed = modificado
audit-value-empty = (vacío)
audit-value-all = todos

## Una invitación de la casa

join-title = Te damos la bienvenida a { $house }
join-as-administrator = Este enlace te confía la administración de la casa.
join-as-moderator = Este enlace te confía la moderación.
join-as-teacher = Este enlace te da una cuenta de profesor.
join-as-arbiter = Este enlace te confía el arbitraje.
join-signed-in = Has entrado con el nombre { $name }.
join-take = Aceptar este rol
join-already = Ya tienes una cuenta, { $name }: no necesitas esta invitación.

## Las negativas

error-not-allowed = Tu rol no permite esto.
error-last-administrator = La casa necesita al menos una cuenta que la administre: da antes este rol a otra.
error-not-pending = Esta cuenta no espera aprobación.
error-closed-already = Esta cuenta ya está cerrada.
error-not-closed = Esta cuenta no está cerrada.
error-silenced-already = Esta cuenta ya está silenciada, hasta esa misma fecha.
error-not-silenced = Esta cuenta no está silenciada.
error-no-sessions = Esta cuenta no tiene sesiones abiertas.
error-same-role = Esta cuenta ya tiene ese rol.
error-same-name = Esta cuenta ya tiene ese nombre.
error-hidden-already = La sala ya no muestra esta partida.
error-not-hidden = Esta partida no está retirada de la sala.
error-report-handled = Esta denuncia ya está resuelta: el resultado anotado se mantiene.
error-house-invitation-not-found = Este enlace ya se ha usado o ha caducado. Pide otro.
error-pupil-names = No se ha creado ninguna cuenta, porque algunos nombres no sirven.
error-pupil-count = En una clase se añaden como máximo { $limit } nombres cada vez.
error-not-a-pupil = Esta cuenta no la creó un profesor.
error-not-a-teacher = La cuenta del profesor debe estar abierta y tener el rol de enseñanza o de administración.
error-class-not-found = Esta clase ya no es la misma: se confió a otra persona o cambió de nombre.
error-class-name-taken = Este profesor ya tiene una clase con ese nombre: dale otro.
error-same-class = Este profesor ya tiene esta clase.
error-name-retired = { $date ->
    [never] Es el nombre de una cuenta eliminada, o se le parece demasiado; sigue reservado.
   *[other] Es el nombre de una cuenta eliminada, o se le parece demasiado. Quedará libre el { $date }.
  }
error-house-clocks = Una casa ofrece { $limit } ritmos como máximo.
error-house-text = Este texto debe caber en una línea de { $limit } caracteres como máximo.
error-page-placeholder = El nombre { $name } no existe. Los nombres entre llaves son { $known }.
error-page-text = Una página admite { $limit } caracteres como máximo.
error-report-not-found = Esta denuncia ya no existe.
