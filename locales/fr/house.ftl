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

opponent-anyone = le premier venu
opponent-friend = quelqu’un, par un lien
opponent-named = un membre, par son nom
home-name = Son nom
home-seek = Proposer dans la salle
home-challenge = Lancer le défi
home-more = Plus de réglages : départ, pièce touchée, nulles…
home-needs-account = La correspondance demande un compte.
home-all-games = Toutes vos parties
home-learn = Apprendre et s’exercer
home-drills = Une règle à la fois, sur l’échiquier, et l’on vous dit pourquoi.
home-problems = Un seul coup fait l’affaire : trouvez-le.
clock-title = La pendule
clock-unlimited = sans pendule
clock-other = autre…
clock-kind = Comment elle compte
clock-kind-fischer = Fischer
clock-kind-delay = délai
clock-kind-correspondence = correspondance
clock-about-fischer = Chaque coup joué ajoute des secondes.
clock-about-delay = À chaque coup, la pendule attend avant de courir.
clock-about-correspondence = Chaque coup a ses jours.
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
start-same = mélangée, pareille pour les deux
start-different = mélangée, différente
start-number = par son numéro
start-number-label = Numéro du mélange
start-fen = une position (FEN)
option-touch-move = Pièce touchée, pièce à jouer
option-touch-move-hint = Toucher une pièce oblige à la jouer, ou à la prendre si elle est adverse. Dire « J’adoube » avant de toucher en dispense.
draw-rules-title = Les nulles
draw-rules-club = club
draw-rules-fide = FIDE
draw-rules-club-short = nulles : club
draw-rules-fide-short = nulles : FIDE
mood-title = L’esprit
mood-casual-hint = On peut reprendre un coup si l’adversaire est d’accord.
mood-serious-hint = Aucun coup ne se reprend.
setting-casual = amicale
setting-serious = sérieuse
setting-touch-move = pièce touchée
setting-fide = nulles FIDE
setting-shuffled = départ mélangé
setting-position = position choisie
setting-match = match en { $games } parties
match-length = Combien de parties
match-best-of = { $games ->
    [1] une seule
   *[other] match en { $games }
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

hall-title = La salle
hall-propose = Proposer une partie
hall-received = On vous défie
hall-mine = Vos propositions
hall-mine-hint = La partie s’ouvre ici dès que quelqu’un accepte. Restez dans la salle.
hall-for-anyone = pour le premier venu
hall-for = pour { $name }
hall-withdraw = Retirer
hall-seeks = Cherchent un adversaire
hall-no-seeks = Personne ne cherche en ce moment. Proposez une partie.
hall-somebody = quelqu’un
hall-games = Parties en cours
hall-no-games = Aucune partie à regarder pour l’instant.
hall-people = Dans la salle
hall-unnamed = { $count ->
    [one] { $count } visiteur sans nom
   *[other] { $count } visiteurs sans nom
  }
hall-also-unnamed = { $count ->
    [one] et { $count } visiteur sans nom
   *[other] et { $count } visiteurs sans nom
  }
hall-started = Votre partie commence.
hall-challenged = On vous défie.
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
player-away = absent
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
   *[them] Premier coup : il reste { $seconds } s à l’autre camp.
  }
first-turn-days = { $who ->
    [you] Premier coup : il vous reste { $days } j.
   *[them] Premier coup : il reste { $days } j à l’autre camp.
  }
interrupted = Le serveur s’est arrêté { $seconds ->
    [one] { $seconds } seconde
   *[other] { $seconds } secondes
  } ; ce temps n’est compté à personne.
tab-yours = ● À vous
tab-theirs = À l’adversaire
tab-over = Terminée
tab-offer = ● On vous propose
turn-confirm = Confirmez le coup
confirm-again = Encore une fois pour : { $action }
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
offer-received-draw = L’adversaire propose nulle.
offer-received-takeback = L’adversaire voudrait reprendre son coup.
offer-received-rematch = L’adversaire propose une revanche.
offer-sent-draw = Vous avez proposé nulle.
offer-sent-takeback = Vous avez demandé à reprendre votre coup.
offer-sent-rematch = Vous avez proposé une revanche.
offer-declined-draw = La proposition de nulle est refusée.
offer-declined-takeback = Le coup reste joué.
offer-declined-rematch = Pas de revanche cette fois.
confirm-accept-draw = Faire nulle
confirm-accept-takeback = Rendre le coup
confirm-accept-rematch = Rejouer
action-accept = Accepter
action-decline = Refuser
action-abort = Annuler la partie
confirm-abort = Annuler pour de bon
confirm-draw = Proposer pour de bon
action-claim-draw = Réclamer la nulle
confirm-claim-draw = Réclamer pour de bon
action-takeback = Reprendre le coup
confirm-takeback = Demander à reprendre
action-give-time = Donner { $seconds } s
action-claim-left = Réclamer le gain
confirm-claim-left = Réclamer pour de bon
opponent-away = L’adversaire est parti ; gain à réclamer dans { $seconds } s
rematch-go = Aller à la revanche
rematch-agreed = La revanche commence.
taken-back = { $count ->
    [one] Un coup est repris.
   *[other] { $count } coups sont repris.
  }
time-given = L’adversaire vous donne { $seconds } secondes.
match-title = Le match
match-game = Partie { $number } d’un match en { $games }
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
chat-empty = Personne n’a rien dit.
chat-say = Dire quelque chose
chat-send = Dire
chat-watcher = Spectateur
chat-mute = Ne plus lire
chat-unmute = { $count ->
    [one] Relire celui qui est masqué
   *[other] Relire les { $count } masqués
  }
chat-report-insult = Signaler une insulte
chat-report-spam = Signaler du bruit
chat-report-other = Signaler autre chose
chat-reported = (signalé)

## Les coups conditionnels

conditions-title = Coups conditionnels
conditions-text = Si l’adversaire joue ce que vous prévoyez, le serveur répond aussitôt pour vous. Lui n’en voit rien.
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
settings-kept = Ces choix sont gardés par ce navigateur et, si vous êtes connecté, avec votre compte.
settings-board-colour = Plateau
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
sound-low-time = Temps court
sound-start = Début
sound-end = Fin
sound-notice = Avis
settings-play = Jouer
settings-board = L’échiquier
settings-sound = Sons et avis
settings-confirmation = Confirmer les coups
confirmation-never = jamais
confirmation-correspondence = par correspondance
confirmation-always = toujours
settings-confirmation-hint = Quand pièce touchée est convenue, un coup lâché est joué : rien à confirmer.
settings-premoves = Coups d’avance pendant que l’adversaire réfléchit
settings-zen = Mode zen : rien que la partie (touche Z)
settings-hints = Montrer où la pièce en main peut aller
settings-glides = Les pièces glissent
settings-sounds = Sons
settings-volume = Volume
percent = { $value } %
notices-turn-on = Être averti par le navigateur
notices-turn-off = Ne plus être averti
notices-on = Le navigateur vous avertit quand c’est à vous.
notices-denied = Le navigateur refuse les avis pour ce site ; ses propres réglages le disent.
notices-unsupported = Ce navigateur n’a pas d’avis.

## Le compte

account-title = Compte
account-lead = On joue ici sans compte. Un compte garde vos parties partout, permet la correspondance et les défis par nom.
account-way = Que faire ?
account-sign-in = se connecter
account-register = s’inscrire
account-recovery = mot de passe oublié
account-about-sign-in = Retrouvez ici vos parties et vos défis.
account-about-register = Vos parties de visiteur sont gardées.
account-about-recovery = Si le compte a une adresse, un lien y sera envoyé.
account-submit-sign-in = Se connecter
account-submit-register = Créer le compte
account-submit-recovery = Demander un lien
account-recovery-asked = C’est demandé. Regardez votre courrier.
account-name = Nom
account-name-hint = De 3 à 20 signes : lettres, accents compris, chiffres, tirets, points ou apostrophes.
account-password = Mot de passe
account-password-hint = Au moins 8 caractères ; une phrase fait très bien.
account-email = Adresse électronique (facultative)
account-email-hint = Pour un mot de passe oublié et les coups par correspondance. Rien d’autre.
account-mail = Courriels
account-email-unconfirmed = L’adresse { $email } n’est pas encore confirmée : un lien y a été envoyé. Rien d’autre n’y va avant.
account-email-send = Renvoyer le lien
account-email-sent = Le lien est parti. Il sert pendant deux jours.
account-reminders = Me rappeler par courriel que c’est à moi de jouer
mail-link-confirm-title = Confirmer l’adresse
mail-link-confirm-hint = Cette adresse servira si vous oubliez votre mot de passe, et pour vous prévenir.
mail-link-confirm-button = Confirmer
mail-link-confirm-done = L’adresse est confirmée.
mail-link-stop-title = Arrêter les rappels
mail-link-stop-hint = Vous ne serez plus averti par courriel que c’est à vous de jouer. Le compte permet de les reprendre.
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
account-two-steps-about = Se connecter demande alors aussi un code d’une application de votre téléphone : qui apprend votre mot de passe n’entre pas pour autant. Toute application d’authentification convient.
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
account-two-steps-end-confirm = Désactiver pour de bon
account-two-steps-ended = La connexion en deux étapes est désactivée.
account-change = Changer
account-new-password = Nouveau mot de passe
account-new-password-hint = Laissez vide pour garder l’ancien. En changer ferme les autres connexions.
account-present-password = Mot de passe actuel
account-save = Enregistrer
account-changed = C’est enregistré.
account-delete = Supprimer le compte
account-delete-confirm = Supprimer pour toujours
account-delete-hint = La suppression demande le mot de passe actuel et ne se reprend pas.
