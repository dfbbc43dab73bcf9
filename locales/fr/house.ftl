# La maison de jeu : la salle, les pendules, ce que l’on se propose, les comptes.

## Les pages

nav-label-site = Le site
nav-play = Jouer
nav-hall = Salle
nav-games = Parties
nav-waiting = { $count ->
    [one] attend une réponse
   *[other] attendent une réponse
  }
nav-rules = Règles
nav-learn = Exercices
nav-problems = Problèmes
nav-account = Compte

## Une nouvelle partie

opponent-anyone = n’importe quel adversaire
opponent-friend = un ami, par un lien
opponent-named = un membre, par son nom
home-name = Nom de l’adversaire
home-seek = Proposer dans la salle
home-challenge = Lancer le défi
home-more = Plus de réglages : départ, pièce touchée, nulles…
home-needs-account = La correspondance demande un compte.
home-all-games = Toutes vos parties
home-learn = Apprendre et s’exercer
home-drills = Une règle à la fois, sur l’échiquier, avec l’explication.
home-problems = Un seul coup est le bon : trouvez-le.
clock-title = Cadence
clock-unlimited = sans pendule
clock-other = autre…
clock-kind = Type de cadence
clock-kind-fischer = Fischer
clock-kind-delay = délai
clock-kind-correspondence = correspondance
clock-about-fischer = Chaque coup joué ajoute des secondes.
clock-about-delay = À chaque coup, la pendule ne part qu’après un délai.
clock-about-correspondence = On a un ou plusieurs jours pour chaque coup.
clock-field-minutes = Minutes par joueur
clock-field-fischer = Secondes ajoutées par coup
clock-field-delay = Secondes d’attente par coup
clock-field-days = Jours par coup
clock-keep = Garder cette cadence
clock-forget = Oublier cette cadence
clock-delay-short = { $minutes } (délai { $delay } s)
clock-days-per-turn = { $days ->
    [one] { $days } jour par coup
   *[other] { $days } jours par coup
  }
start-title = La position de départ
start-usual = habituelle
start-kings-facing = rois face à face
start-same = mélangée, la même pour les deux camps
start-different = mélangée, différente pour chaque camp
start-number = par son numéro
start-number-label = Numéro de la position de départ
start-fen = une position (FEN)
option-touch-move = Pièce touchée, pièce à jouer
option-touch-move-hint = Toucher une pièce oblige à la jouer, ou à la prendre si elle est adverse. Dire « J’adoube » avant de toucher en dispense.
draw-rules-title = Règles de nulle
draw-rules-club = club
draw-rules-fide = FIDE
draw-rules-club-short = nulles : club
draw-rules-fide-short = nulles : FIDE
mood-title = Type de partie
mood-casual-hint = On peut reprendre un coup si l’adversaire est d’accord.
mood-serious-hint = Aucun coup ne se reprend.
setting-casual = amicale
setting-serious = sérieuse
setting-touch-move = pièce touchée
setting-fide = nulles FIDE
setting-shuffled = départ mélangé
setting-position = position choisie
setting-match = match au meilleur des { $games } parties
match-length = Combien de parties
match-best-of = { $games ->
    [1] une seule
   *[other] au meilleur des { $games }
  }
time-left-days = { $days ->
    [one] { $days } jour restant
   *[other] { $days } jours restants
  }
time-left-hours = { $hours ->
    [0] moins d’une heure
    [one] { $hours } heure restante
   *[other] { $hours } heures restantes
  }

## La salle

connection-offline = Pas de réseau. Restent accessibles :
connection-lost = Le serveur ne répond pas ; nouvel essai…
hall-title = La salle
hall-received = On vous défie
hall-mine = Vos propositions
hall-mine-hint = La partie s’ouvre dès que quelqu’un accepte, sur n’importe quelle page. Vos propositions durent tant qu’une page de ce site reste ouverte.
hall-for-anyone = ouverte à tous
hall-for = pour { $name }
hall-withdraw = Retirer
hall-seeks = Propositions ouvertes
hall-no-seeks = Personne ne cherche d’adversaire en ce moment. Cliquez ci-dessus pour en attendre un.
hall-without-name = quelqu’un
hall-games = Parties en cours
hall-no-games = Aucune partie à regarder pour l’instant.
hall-people = Qui est là
hall-unnamed = { $count ->
    [one] { $count } visiteur sans nom
   *[other] { $count } visiteurs sans nom
  }
hall-also-unnamed = { $count ->
    [one] et { $count } visiteur sans nom
   *[other] et { $count } visiteurs sans nom
  }
wants-white = veut les Blancs
wants-black = veut les Noirs
filter-all = tout
pace-live = à la pendule
pace-correspondence = par correspondance
pace-unlimited = sans pendule

## Mes parties

games-waiting = À vous de jouer
games-none-waiting = Aucune partie ne vous attend.
games-playing = En cours
games-machine = Contre la machine
games-tick = Choisir : { $game }
games-leave = { $count ->
    [0] Abandonner les parties choisies
    [one] Abandonner la partie choisie
   *[other] Abandonner les { $count } parties choisies
  }
games-leave-confirm = { $count ->
    [one] Abandonner pour de bon
   *[other] Abandonner les { $count } pour de bon
  }
games-finished = Terminées
games-none-finished = Aucune partie terminée.
games-more = En voir plus
games-pgn = Télécharger en PGN
next-game = { $count ->
    [one] Partie suivante
   *[other] Partie suivante ({ $count } vous attendent)
  }
game-against-named = contre { $name }
game-called-off = annulée

## À la table

player-you = Vous
player-away = hors ligne
clock-days = { $days ->
    [one] { $days } jour
   *[other] { $days } jours
  }
clock-spoken = Pendule, { $name } : { $days ->
    [0] { $hours ->
      [0] { $minutes } min { $seconds } s
     *[other] { $hours } h { $minutes } min { $seconds } s
    }
   *[other] { $days } j { $hours } h
  }
clock-left = { $seconds ->
    [60] Il vous reste une minute.
   *[other] Il vous reste { $seconds } secondes.
  }
first-turn = { $who ->
    [you] Premier coup : il vous reste { $seconds } s.
   *[them] Premier coup : il reste { $seconds } s.
  }
first-turn-days = { $who ->
    [you] Premier coup : il vous reste { $days } j.
   *[them] Premier coup : il reste { $days } j.
  }
interrupted = Le serveur s’est arrêté { $seconds ->
    [one] { $seconds } seconde
   *[other] { $seconds } secondes
  } ; ce temps n’est compté à personne.
tab-yours = ● À vous
tab-theirs = À l’adversaire
tab-over = Terminée
tab-offer = ● Proposition
turn-confirm = Confirmez le coup
confirm-again = Appuyez de nouveau pour confirmer : { $action }
confirm-turn-title = Coup à confirmer
confirm-turn = Jouer { $turn } ?
confirm-turn-send = Jouer ce coup
confirm-turn-back = Reprendre
chain-stands = Pièce lâchée : l’étape est jouée.
plan-title = Coup d’avance
plan-drop = Annuler
plan-hint = Clic droit, Échap ou un clic ailleurs l’annulent.
plan-dropped = Le coup d’avance n’était plus possible.
touch-title = Pièce touchée :
touch-man = { $piece } en { $square }
touch-nothing = rien n’est touché.
touch-free = { $men } ; sans coup légal, cela n’oblige à rien.
touch-adjusting = { $who ->
    [you] vous adoubez ; la prochaine pièce touchée ne vous oblige pas.
    [white] les Blancs adoubent.
   *[black] les Noirs adoubent.
  }
touch-must-move = { $who ->
    [you] vous devez jouer : { $own }.
    [white] les Blancs doivent jouer : { $own }.
   *[black] les Noirs doivent jouer : { $own }.
  }
touch-must-take = { $who ->
    [you] vous devez prendre : { $enemy }.
    [white] les Blancs doivent prendre : { $enemy }.
   *[black] les Noirs doivent prendre : { $enemy }.
  }
touch-must-take-with = { $who ->
    [you] vous devez prendre : { $enemy }, avec : { $own }.
    [white] les Blancs doivent prendre : { $enemy }, avec : { $own }.
   *[black] les Noirs doivent prendre : { $enemy }, avec : { $own }.
  }
adjust = J’adoube
adjust-hint = À dire avant de toucher : la pièce touchée ensuite n’oblige à rien.
mark-planned = coup d’avance
mark-touched = touchée
offer-received-draw =
    { $who ->
        [white] Les Blancs proposent nulle.
        [black] Les Noirs proposent nulle.
       *[you] L’adversaire propose nulle.
    }
offer-received-takeback =
    { $who ->
        [white] Les Blancs voudraient reprendre leur coup.
        [black] Les Noirs voudraient reprendre leur coup.
       *[you] L’adversaire voudrait reprendre son coup.
    }
offer-received-rematch =
    { $who ->
        [white] Les Blancs proposent une revanche.
        [black] Les Noirs proposent une revanche.
       *[you] L’adversaire propose une revanche.
    }
offer-sent-draw = Vous avez proposé nulle.
offer-sent-takeback = Vous avez demandé à reprendre votre coup.
offer-sent-rematch = Vous avez proposé une revanche.
offer-declined-draw = La proposition de nulle est refusée.
offer-declined-takeback = La reprise du coup est refusée.
offer-declined-rematch = La revanche est refusée.
confirm-accept-draw = Faire nulle
confirm-accept-takeback = Accorder la reprise
confirm-accept-rematch = Jouer la revanche
action-accept = Accepter
action-decline = Refuser
action-abort = Annuler la partie
confirm-abort = Confirmer l’annulation
confirm-draw = Confirmer la proposition
action-claim-draw = Réclamer la nulle
confirm-claim-draw = Confirmer la réclamation
action-takeback = Reprendre le coup
confirm-takeback = Demander à reprendre
action-give-time = Donner { $seconds } s
action-claim-left = Réclamer le gain
confirm-claim-left = Confirmer la réclamation
opponent-away = L’adversaire n’est plus là ; vous pourrez réclamer le gain dans { $seconds } s
rematch-go = Aller à la revanche
rematch-agreed = La revanche commence.
taken-back = { $count ->
    [one] Un coup a été repris.
   *[other] { $count } coups ont été repris.
  }
time-given =
    { $who ->
        [white] Les Blancs donnent { $seconds } secondes à leur adversaire.
        [black] Les Noirs donnent { $seconds } secondes à leur adversaire.
       *[you] L’adversaire vous donne { $seconds } secondes.
    }
match-title = Le match
match-game = Partie { $number } d’un match au meilleur des { $games }
match-over = match terminé
match-next = Partie suivante du match
watchers = { $count ->
    [one] { $count } spectateur
   *[other] { $count } spectateurs
  }
zen-leave = Tout afficher
zen-enter = N’afficher que la partie

## La conversation

chat-players = Entre joueurs
chat-watchers = Entre spectateurs
chat-lines = Conversation
chat-empty = Pas encore de message.
chat-say = Écrire un message
chat-send = Envoyer
chat-watcher = Spectateur
chat-mute = Masquer
chat-unmute = { $count ->
    [one] Afficher de nouveau l’auteur masqué
   *[other] Afficher de nouveau les { $count } auteurs masqués
  }
chat-report-insult = Signaler une insulte
chat-report-spam = Signaler un message indésirable
chat-report-other = Signaler autre chose
chat-reported = (signalé)

## Les coups conditionnels

conditions-title = Coups conditionnels
conditions-text = Si l’adversaire joue ce que vous prévoyez, le serveur répond aussitôt pour vous. L’adversaire n’en voit rien.
conditions-line = Si { $reply }, alors { $answer }
conditions-go-on = continuer d’ici
conditions-remove = retirer
conditions-remove-line = Retirer ce qui suit { $reply }
conditions-diagram = Position d’où l’on continue
conditions-if = Si l’adversaire joue
conditions-then = je réponds
conditions-add = Ajouter

## Les réglages

settings-title = Réglages
settings-page = Réglages
settings-all = Tous les réglages
settings-kept = Ce navigateur garde ces choix ; avec un compte, ils vous suivent partout.
settings-board-colour = Échiquier
board-brown = brun
board-green = vert
board-blue = bleu
board-grey = gris
board-maple = érable
board-walnut = noyer
settings-board-size = Taille de l’échiquier
board-resize = Taille de l’échiquier
settings-notation = Pièces dans la notation
notation-letters = lettres
notation-figurines = figurines, aux échecs
settings-auto-promotion = Promotion en dame sans demander, aux échecs
settings-sounds-hear = Écouter les sons
sound-move = Coup
sound-take = Prise
sound-check = Échec
sound-low-time = Peu de temps
sound-start = Début
sound-end = Fin
sound-notice = Notification
settings-play = Jouer
settings-board = L’échiquier
settings-sound = Sons et notifications
settings-confirmation = Confirmer les coups
confirmation-never = jamais
confirmation-correspondence = par correspondance
confirmation-always = toujours
settings-confirmation-hint = Avec « pièce touchée », une pièce lâchée est jouée : il n’y a rien à confirmer.
settings-premoves = Coups d’avance pendant que l’adversaire réfléchit
settings-zen = Mode zen : rien que la partie (touche Z)
settings-hints = Montrer où la pièce en main peut aller
settings-glides = Animer les déplacements
settings-sounds = Sons
settings-volume = Volume
percent = { $value } %
notices-turn-on = Activer les notifications
notices-turn-off = Désactiver les notifications
notices-on = Le navigateur vous avertit quand on vous défie, quand votre partie commence et quand c’est à vous de jouer, tant qu’une page de ce site est ouverte.
notices-denied = Le navigateur bloque les notifications de ce site. Cela se change dans ses réglages.
notices-unsupported = Ce navigateur ne peut pas montrer de notifications sur cette page. Sur un iPhone ou un iPad, ajoutez d’abord le site à l’écran d’accueil. Sinon, il reste le son, le titre de l’onglet et, par correspondance, les courriels.

## Bloquer quelqu’un

account-title = Compte
account-lead = On joue ici sans compte. Avec un compte, vous retrouvez vos parties partout, et vous pouvez jouer par correspondance et défier par nom.
account-way = Que faire ?
account-sign-in = se connecter
account-register = s’inscrire
account-recovery = Mot de passe oublié
account-about-sign-in = Retrouvez ici vos parties et vos défis.
account-about-register = Les parties que vous avez jouées sans compte sont conservées.
account-about-recovery = Si le compte a une adresse, un lien y sera envoyé.
account-submit-sign-in = Se connecter
account-submit-register = Créer le compte
account-submit-recovery = Demander un lien
account-recovery-asked = La demande est enregistrée. Consultez votre messagerie.
account-register-closed = Les inscriptions sont fermées ici.
account-register-invitation = Ici, on s’inscrit sur invitation : ouvrez le lien que vous avez reçu.
account-register-approval = Le compte s’ouvrira quand l’administration l’aura approuvé.
account-register-waits = Le compte est créé. Il s’ouvrira quand l’administration l’aura approuvé.
account-as-administrator = Ce compte administre la maison.
account-as-moderator = Ce compte est chargé de la modération.
account-as-teacher = Ce compte est celui d’un enseignant.
account-as-arbiter = Ce compte arbitre des parties.
account-of-class = Compte d’élève, classe { $class }.
account-name = Nom
account-name-hint = De 3 à 20 caractères : lettres, accents compris, chiffres, tirets, points ou apostrophes.
account-password = Mot de passe
account-password-hint = Au moins 8 caractères ; une phrase convient très bien.
account-email = Adresse électronique (facultative)
account-email-hint = Pour un mot de passe oublié, la sécurité du compte et les parties par correspondance. Rien d’autre.
account-mail = Courriels
account-email-unconfirmed = L’adresse { $email } n’est pas encore confirmée : un lien y a été envoyé. Rien d’autre n’y sera envoyé avant.
account-email-send = Renvoyer le lien
account-email-sent = Le lien est envoyé. Il est valable deux jours.
account-reminders = Me rappeler par courriel que c’est à moi de jouer
account-reminders-hint = Une liste des parties qui attendent votre coup, au plus deux fois par jour, et un avertissement avant la fin du temps.
account-push = Notifications
push-about = Quand aucune page de ce site n’est ouverte, un appareil peut vous avertir que c’est à vous de jouer dans une partie par correspondance, et une fois par coup quand il vous reste peu de temps : au plus 12 fois par jour.
push-privacy = Les notifications passent par le service du navigateur (de Google, Mozilla, Apple ou Microsoft). Il voit quand elles passent, mais elles sont chiffrées : lui ne peut pas les lire.
push-on = Recevoir des notifications sur cet appareil
push-started = Les notifications sont activées sur cet appareil.
push-stopped = Les notifications sont arrêtées sur cet appareil.
push-removed = L’appareil est retiré.
push-none = Ce serveur n’envoie pas de notifications.
push-unsupported = Ce navigateur ne peut pas recevoir de notifications de ce site. Sur un iPhone ou un iPad, ajoutez d’abord le site à l’écran d’accueil, et ouvrez-le de là.
push-failed = Le service de notifications du navigateur ne répond pas. Réessayez plus tard, ou vérifiez ses réglages.
push-devices = Appareils avertis
push-device-since = Depuis le { $date }, par { $service }
push-device-current = celui-ci
push-device-remove = Retirer
push-device-remove-name = Retirer { $device }
mail-link-confirm-title = Confirmer l’adresse
mail-link-confirm-hint = Cette adresse servira si vous oubliez votre mot de passe, pour la sécurité du compte et, si vous le voulez, pour les rappels.
mail-link-confirm-button = Confirmer
mail-link-confirm-done = L’adresse est confirmée.
mail-link-stop-title = Arrêter les rappels
mail-link-stop-hint = Vous ne recevrez plus de courriel quand c’est à vous de jouer. La page du compte permet de rétablir les rappels.
mail-link-stop-button = Arrêter
mail-link-stop-done = Les rappels sont arrêtés.
account-since = Membre depuis le { $date }
account-sign-out = Se déconnecter
account-data = Vos données
account-analyses = Vos analyses
account-export = Toutes vos parties (PGN)
account-export-data = Tout ce que nous gardons (JSON)
account-sessions = Connexions
session-unknown = Navigateur inconnu
session-used = Dernier usage : { $date }
session-current = celle-ci
session-end = Fermer
account-code = Code
account-code-hint = Les six chiffres que montre votre application, ou un code de secours.
account-two-steps = Connexion en deux étapes
account-two-steps-about = La connexion demande alors aussi un code, donné par une application de votre téléphone : connaître votre mot de passe ne suffit plus. Toute application d’authentification convient.
account-two-steps-begin = Préparer
account-two-steps-scan = Scannez ceci avec votre application, ou tapez la clé ci-dessous. Entrez ensuite le code qu’elle montre.
account-two-steps-qr = Code QR de la clé ci-dessous
account-two-steps-key = Clé pour l’application
account-two-steps-copy-key = Copier la clé
account-two-steps-app-code = Code que montre l’application
account-two-steps-confirm = Activer
account-two-steps-cancel = Annuler
account-two-steps-codes = La connexion en deux étapes est activée, et vos autres connexions sont fermées. Gardez ces codes de secours là où vous les trouverez sans votre téléphone : chacun ouvre le compte une fois. Ils ne seront plus montrés.
account-two-steps-codes-new = Ces codes de secours remplacent les anciens. Gardez-les là où vous les trouverez sans votre téléphone : chacun ouvre le compte une fois. Ils ne seront plus montrés.
account-two-steps-copy-codes = Copier les codes
account-two-steps-save-codes = Enregistrer un fichier
account-two-steps-kept = Je les ai gardés
account-two-steps-on = { $left ->
    [0] Elle est activée. Il ne reste aucun code de secours : créez-en de nouveaux.
    [one] Elle est activée. Il reste un code de secours.
   *[other] Elle est activée. Il reste { $left } codes de secours.
}
account-two-steps-renew = Nouveaux codes de secours
account-two-steps-end = Désactiver
account-two-steps-end-confirm = Oui, désactiver
account-two-steps-ended = La connexion en deux étapes est désactivée.
account-change = Changer
account-new-password = Nouveau mot de passe
account-new-password-hint = Laissez vide pour garder l’ancien. En changer ferme les autres connexions.
account-present-password = Mot de passe actuel
account-save = Enregistrer
account-changed = C’est enregistré.
account-delete = Supprimer le compte
account-delete-confirm = Supprimer définitivement
account-delete-hint = La suppression demande le mot de passe actuel et elle est définitive.
account-with-provider = Continuer avec { $provider }
account-with-proxy = Continuer en tant que { $name }
account-or-password = Ou avec un mot de passe :
identity-title = Terminer la connexion
identity-name-lead = { $provider } vous a reconnu. Choisissez le nom que l’on verra ici ; ce n’est pas forcément le vôtre.
identity-name-lead-proxy = Le serveur d’accès vous a reconnu. Choisissez le nom que l’on verra ici ; ce n’est pas forcément le vôtre.
identity-have-account = Vous avez déjà un compte ici ? Annulez, connectez-vous avec votre mot de passe, puis faites le lien depuis la page du compte.
identity-code-lead = Ce compte demande aussi un code.
identity-cancel = Annuler
identity-again = Retour à la connexion
account-providers = Moyens de connexion
account-providers-about = Un compte lié s’ouvre aussi sans mot de passe.
account-providers-none = Aucun lien.
account-providers-link = Lier avec { $provider }
account-providers-link-proxy = Lier avec { $name }
account-providers-unlink = Retirer
account-providers-unlink-confirm = Oui, retirer
account-providers-gone = n’est plus proposé ici
account-no-password = Ce compte n’a pas de mot de passe. Pour confirmer un changement, reconnectez-vous d’abord : la connexion doit dater de moins de dix minutes.
account-delete-hint-no-password = La suppression demande une connexion récente et elle est définitive.
account-privacy = Qui me voit, qui m’écrit
account-shown-to = Qui voit que je suis ici ?
account-shown-to-everybody = tout le monde
account-shown-to-members = les membres
account-shown-to-nobody = personne
account-shown-to-about-everybody = Votre nom paraît parmi les présents de la salle.
account-shown-to-about-members = Seuls ceux qui sont connectés voient votre nom parmi les présents.
account-shown-to-about-nobody = Votre nom ne paraît pas parmi les présents ; dans vos parties, on voit toujours si vous êtes là.
block-title = Comptes bloqués
block-about = Un compte bloqué ne peut ni vous défier, ni vous écrire, ni commencer une partie avec vous, ni voir si vous êtes ici ; ses messages ne vous sont pas montrés. De votre côté, vous ne pouvez ni le défier ni lui écrire. Vos parties en cours continuent.
block-name = Nom du compte à bloquer
block-do = Bloquer
block-name-confirm = Oui, bloquer { $name }
block-done = { $name } est bloqué.
