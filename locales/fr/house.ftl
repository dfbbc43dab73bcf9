# La maison : la salle, les pendules, ce que l’on se propose, les comptes.

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
home-needs-account = Une partie par correspondance demande un compte.
home-all-games = Toutes vos parties
home-learn = Apprendre et s’exercer
home-begin = Jamais joué ? Commencez ici
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
option-touch-move-hint = Toucher une pièce oblige à la jouer, ou à la prendre si elle est adverse. « J’adoube », dit avant de toucher, en dispense.
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
match-length = Nombre de parties
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
hall-mine-hint = La partie s’ouvre dès que quelqu’un accepte, quelle que soit la page où vous êtes. Vos propositions ouvertes à tous ne durent que tant qu’une page de ce site reste ouverte, sauf par correspondance.
hall-for-anyone = ouverte à tous
hall-for = pour { $name }
hall-withdraw = Retirer
hall-action = { $action } : { $who }, { $game }, { $clock }
hall-seeks = Propositions ouvertes
hall-seeks-below = Propositions : { $count }
hall-gone = Plus ouverte
hall-no-seeks = Personne ne cherche d’adversaire en ce moment. Choisissez une cadence pour en attendre un.
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
games-none-waiting = { $machine ->
    [0] Aucune partie ne vous attend.
    [one] Personne ne vous attend. Contre la machine, c’est à vous de jouer dans une partie.
   *[other] Personne ne vous attend. Contre la machine, c’est à vous de jouer dans { $machine } parties.
  }
games-machine-continue = Continuer contre la machine
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
game-between-unnamed = entre deux visiteurs
game-called-off = annulée

## À la table

player-you = Vous
player-away = n’est pas là
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
    [you] Premier coup : il vous reste { $time }.
   *[them] Premier coup : il reste { $time }.
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
plan-hint = Un clic droit, Échap ou un clic ailleurs l’annulent.
plan-dropped = Le coup d’avance n’était plus possible.
touch-title = Pièce touchée :
touch-man = { $piece } en { $square }
touch-nothing = aucune pour l’instant.
touch-free = { $men } ; aucun coup légal, donc aucune obligation.
touch-adjusting = { $who ->
    [you] vous adoubez ; la prochaine pièce touchée ne vous oblige pas.
    [white] les Blancs adoubent.
   *[black] les Noirs adoubent.
  }
touch-must-move = { $who ->
    [you] vous devez jouer cette pièce ({ $own }).
    [white] les Blancs doivent jouer cette pièce ({ $own }).
   *[black] les Noirs doivent jouer cette pièce ({ $own }).
  }
touch-must-take = { $who ->
    [you] vous devez prendre cette pièce ({ $enemy }).
    [white] les Blancs doivent prendre cette pièce ({ $enemy }).
   *[black] les Noirs doivent prendre cette pièce ({ $enemy }).
  }
touch-must-take-with = { $who ->
    [you] vous devez prendre la pièce adverse ({ $enemy }) avec la vôtre ({ $own }).
    [white] les Blancs doivent prendre la pièce adverse ({ $enemy }) avec la leur ({ $own }).
   *[black] les Noirs doivent prendre la pièce adverse ({ $enemy }) avec la leur ({ $own }).
  }
adjust = J’adoube
adjust-hint = À dire avant de toucher : la pièce touchée ensuite n’oblige à rien.
mark-planned = coup d’avance
mark-touched = pièce touchée
mark-binding = pièce touchée, qui oblige
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
opponent-away = L’adversaire n’est plus là ; vous pourrez réclamer le gain dans { $seconds } s.
opponent-left = L’adversaire n’est plus là ; vous pouvez réclamer le gain.
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

## La discussion

chat-players = Entre joueurs
chat-watchers = Entre spectateurs
chat-lines = Discussion
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
conditions-go-on = continuer à partir d’ici
conditions-after = Après « { $lines } » :
conditions-from-start = revenir à la position de la partie
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
notation-figurines = figurines
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

block-do = Bloquer
block-name-confirm = Oui, bloquer { $name }
block-done = Le compte { $name } est bloqué.
