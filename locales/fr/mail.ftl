# Les lettres que le serveur envoie. Le texte seul, sans mise en forme ; les adresses sont à part pour rester entières.

mail-confirm-subject = Confirmez votre adresse
mail-confirm-text =
    Le compte { $name }, sur { $site }, indique cette adresse.

    Si c’est le vôtre, confirmez-la dans les { $hours } heures :

    { $link }

    Sinon, ne faites rien : tant que l’adresse n’est pas confirmée, rien d’autre n’y sera envoyé.
mail-recovery-subject = Choisir un nouveau mot de passe
mail-recovery-text =
    Un nouveau mot de passe a été demandé pour le compte { $name }, sur { $site }.

    { $hours ->
        [one] Pour le choisir, ouvrez ce lien dans l’heure :
       *[other] Pour le choisir, ouvrez ce lien dans les { $hours } heures :
    }

    { $link }

    Si ce n’était pas vous, vous n’avez rien à faire : votre mot de passe reste le même.
mail-reminder-subject = { $count ->
    [one] À vous de jouer
   *[other] À vous de jouer dans { $count } parties
  }
mail-reminder-text =
    { $name }, { $count ->
        [one] une partie attend votre coup :
       *[other] { $count } parties attendent votre coup :
    }

    { $games }

    { $more ->
        [0] Toutes vos parties :
        [one] Une autre partie attend aussi votre coup. Toutes vos parties :
       *[other] { $more } autres parties attendent aussi votre coup. Toutes vos parties :
    }
    { $link }

    Il n’y aura pas d’autre rappel pour une partie avant que vous l’ayez regardée.
    Pour ne plus recevoir de rappels :

    { $stop }
mail-warning-subject = { $count ->
    [one] Il vous reste peu de temps pour jouer
   *[other] Il vous reste peu de temps dans { $count } parties
  }
mail-warning-text =
    { $name }, vous perdrez au temps si vous ne jouez pas :

    { $games }

    Un seul avertissement est envoyé par coup. Toutes vos parties :
    { $link }

    Pour ne plus recevoir de rappels :

    { $stop }
# A time in these e-mails.
mail-date = { $day }/{ $month }/{ $year } à { $time }
# A game in these e-mails; the next line is its address.
mail-game = { $game } contre { $opponent }, { $left }
mail-opponent-unnamed = un visiteur
mail-left-days = { $number ->
    [one] encore { $number } jour
   *[other] encore { $number } jours
  }
mail-left-hours = { $number ->
    [one] encore { $number } heure
   *[other] encore { $number } heures
  }
mail-left-minutes = { $number ->
    [one] encore { $number } minute
   *[other] encore { $number } minutes
  }
# Notifications in browsers.
push-turn-title = À vous de jouer
push-turn-body = { $game } contre { $opponent }
push-warning-title = Il vous reste peu de temps
push-warning-body = { $game } contre { $opponent }, { $left }
push-stop = Arrêter sur cet appareil
mail-device-subject = Nouvelle connexion à votre compte
mail-device-text =
    Une connexion au compte { $name }, sur { $site }, a eu lieu depuis un nouveau navigateur le { $date } (temps universel).

    Si c’était vous, vous n’avez rien à faire. Sinon, changez le mot de passe et fermez les autres connexions :

    { $link }
mail-password-subject = Votre mot de passe a changé
mail-password-text =
    Le mot de passe du compte { $name }, sur { $site }, a changé le { $date } (temps universel). Les autres connexions sont fermées.

    Si ce n’était pas vous, demandez un lien pour en choisir un nouveau :

    { $link }
mail-address-subject = L’adresse de votre compte a changé
mail-address-text =
    Le compte { $name }, sur { $site }, n’indique plus cette adresse depuis le { $date } (temps universel). Elle ne recevra plus rien pour ce compte.

    Si ce n’était pas vous, changez le mot de passe tant que votre connexion est ouverte :

    { $link }
mail-second-factor-on-subject = La connexion en deux étapes est activée
mail-second-factor-on-text =
    Depuis le { $date } (temps universel), la connexion au compte { $name }, sur { $site }, demande aussi un code de votre application. Les autres connexions sont fermées.

    Si ce n’était pas vous, écrivez aux responsables de ce site : quelqu’un connaît votre mot de passe.

    La page de votre compte :

    { $link }
mail-second-factor-off-subject = La connexion en deux étapes est désactivée
mail-second-factor-off-text =
    Depuis le { $date } (temps universel), la connexion au compte { $name }, sur { $site }, ne demande plus que le mot de passe.

    Si ce n’était pas vous, changez le mot de passe et réactivez la connexion en deux étapes :

    { $link }
mail-identity-subject = Un moyen de connexion de plus
mail-identity-text =
    Depuis le { $date } (temps universel), on peut aussi entrer dans le compte { $name }, sur { $site }, par un fournisseur d’identité.

    Si ce n’était pas vous, retirez ce moyen de connexion et changez le mot de passe :

    { $link }
