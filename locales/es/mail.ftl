# Las cartas que envía el servidor. Solo texto; las direcciones van aparte, para que queden enteras.

mail-confirm-subject = Confirma tu dirección
mail-confirm-text =
    En la cuenta { $name } de { $site } figura esta dirección.

    Si es la tuya, confírmala en las próximas { $hours } horas:

    { $link }

    Si no, no hagas nada: mientras la dirección no esté confirmada, no se le enviará nada más.
mail-recovery-subject = Elegir una nueva contraseña
mail-recovery-text =
    Se ha pedido una nueva contraseña para la cuenta { $name } de { $site }.

    { $hours ->
        [one] Para elegirla, abre este enlace en menos de una hora:
       *[other] Para elegirla, abre este enlace en las próximas { $hours } horas:
    }

    { $link }

    Si no has sido tú, no hay nada que hacer: tu contraseña sigue siendo la misma.
mail-reminder-subject = Te toca jugar
mail-reminder-text =
    { $name }, te toca jugar ({ $game }):

    { $link }

    No habrá otro recordatorio de esta partida hasta que la hayas mirado.
    Para no recibir más recordatorios:

    { $stop }
mail-device-subject = Nueva sesión en tu cuenta
mail-device-text =
    Alguien ha entrado en la cuenta { $name } de { $site } desde un navegador nuevo el { $date } (UTC).

    Si has sido tú, no hay nada que hacer. Si no, cambia la contraseña y cierra las demás sesiones:

    { $link }
mail-password-subject = Tu contraseña ha cambiado
mail-password-text =
    La contraseña de la cuenta { $name } de { $site } ha cambiado el { $date } (UTC). Las demás sesiones están cerradas.

    Si no has sido tú, pide un enlace para elegir una nueva:

    { $link }
mail-address-subject = La dirección de tu cuenta ha cambiado
mail-address-text =
    Desde el { $date } (UTC), en la cuenta { $name } de { $site } ya no figura esta dirección. No se le enviará nada más sobre esta cuenta.

    Si no has sido tú, cambia la contraseña mientras tu sesión siga abierta:

    { $link }
mail-second-factor-on-subject = El acceso en dos pasos está activado
mail-second-factor-on-text =
    Desde el { $date } (UTC), para entrar en la cuenta { $name } de { $site } hace falta también un código de tu aplicación. Las demás sesiones están cerradas.

    Si no has sido tú, escribe a los responsables de este sitio: alguien conoce tu contraseña.

    { $link }
mail-second-factor-off-subject = El acceso en dos pasos está desactivado
mail-second-factor-off-text =
    Desde el { $date } (UTC), para entrar en la cuenta { $name } de { $site } basta la contraseña.

    Si no has sido tú, cambia la contraseña y vuelve a activar el acceso en dos pasos:

    { $link }
mail-identity-subject = Otro medio de acceso
mail-identity-text =
    Desde el { $date } (UTC), también se puede entrar en la cuenta { $name } de { $site } mediante un proveedor de identidad.

    Si no has sido tú, retira ese vínculo y cambia la contraseña:

    { $link }
