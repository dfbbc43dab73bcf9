# Los correos que envía el servidor. Solo texto; las direcciones van aparte, para que queden enteras.

mail-confirm-subject = Confirma tu dirección
mail-confirm-text =
    En la cuenta { $name } de { $site } figura esta dirección.

    Si es la tuya, confírmala en las próximas { $hours } horas:

    { $link }

    Si no, no hagas nada: mientras la dirección no esté confirmada, no recibirá nada más.
mail-recovery-subject = Elegir una nueva contraseña
mail-recovery-text =
    Se ha pedido una nueva contraseña para la cuenta { $name } de { $site }.

    { $hours ->
        [one] Para elegirla, abre este enlace en menos de una hora:
       *[other] Para elegirla, abre este enlace en las próximas { $hours } horas:
    }

    { $link }

    Si no has sido tú, no tienes que hacer nada: tu contraseña sigue siendo la misma.
mail-reminder-subject = { $count ->
    [one] Te toca jugar
   *[other] Te toca jugar en { $count } partidas
  }
mail-reminder-text =
    { $name }, { $count ->
        [one] una partida espera tu jugada:
       *[other] { $count } partidas esperan tu jugada:
    }

    { $games }

    { $more ->
        [0] Todas tus partidas:
        [one] Otra partida espera también tu jugada. Todas tus partidas:
       *[other] Otras { $more } partidas esperan también tu jugada. Todas tus partidas:
    }
    { $link }

    No habrá otro recordatorio de una partida hasta que la hayas visto.
    Para no recibir más recordatorios:

    { $stop }
mail-warning-subject = { $count ->
    [one] Te queda poco tiempo para jugar
   *[other] Te queda poco tiempo en { $count } partidas
  }
mail-warning-text =
    { $name }, perderás por tiempo si no juegas:

    { $games }

    Solo se envía una advertencia por jugada. Todas tus partidas:
    { $link }

    Para no recibir más recordatorios:

    { $stop }
# A time in these e-mails.
mail-date = { $day }/{ $month }/{ $year } a las { $time }
# A game in these e-mails; the next line is its address.
mail-game = { $game } contra { $opponent }, { $left }
mail-opponent-unnamed = un visitante
mail-left-days = { $number ->
    [one] queda { $number } día
   *[other] quedan { $number } días
  }
mail-left-hours = { $number ->
    [one] queda { $number } hora
   *[other] quedan { $number } horas
  }
mail-left-minutes = { $number ->
    [one] queda { $number } minuto
   *[other] quedan { $number } minutos
  }
# Notifications in browsers.
push-turn-title = Te toca jugar
push-turn-body = { $game } contra { $opponent }
push-warning-title = Te queda poco tiempo
push-warning-body = { $game } contra { $opponent }, { $left }
push-stop = Desactivar en este dispositivo
mail-device-subject = Nueva sesión en tu cuenta
mail-device-text =
    Alguien entró en la cuenta { $name } de { $site } desde un navegador nuevo el { $date } (UTC).

    Si has sido tú, no tienes que hacer nada. Si no, cambia la contraseña y cierra las demás sesiones:

    { $link }
mail-password-subject = Tu contraseña ha cambiado
mail-password-text =
    La contraseña de la cuenta { $name } de { $site } cambió el { $date } (UTC). Las demás sesiones están cerradas.

    Si no has sido tú, pide un enlace para elegir una nueva:

    { $link }
mail-address-subject = La dirección de tu cuenta ha cambiado
mail-address-text =
    Desde el { $date } (UTC), en la cuenta { $name } de { $site } ya no figura esta dirección, que no recibirá nada más sobre la cuenta.

    Si no has sido tú, cambia la contraseña mientras tu sesión siga abierta:

    { $link }
mail-second-factor-on-subject = El acceso en dos pasos está activado
mail-second-factor-on-text =
    Desde el { $date } (UTC), para entrar en la cuenta { $name } de { $site } hace falta también un código de tu aplicación. Las demás sesiones están cerradas.

    Si no has sido tú, escribe a los responsables de este sitio: alguien conoce tu contraseña.

    La página de tu cuenta:

    { $link }
mail-second-factor-off-subject = El acceso en dos pasos está desactivado
mail-second-factor-off-text =
    Desde el { $date } (UTC), para entrar en la cuenta { $name } de { $site } basta la contraseña.

    Si no has sido tú, cambia la contraseña y vuelve a activar el acceso en dos pasos:

    { $link }
mail-identity-subject = Otro medio de acceso
mail-identity-text =
    Desde el { $date } (UTC), también se puede entrar en la cuenta { $name } de { $site } mediante un proveedor de identidad.

    Si no has sido tú, desvincula ese proveedor y cambia la contraseña:

    { $link }
