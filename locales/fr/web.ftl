# Le site : titres, boutons, états. Les espaces insécables sont vérifiées par les tests.

site-name = adoube
skip-to-content = Aller au contenu
page-title = { $page } – adoube
language = Langue
nav-menu = Menu
theme = Apparence
theme-system = Auto
theme-light = Clair
theme-dark = Sombre
footer-note = Sans publicité ni pistage. On joue sans compte.
footer-legal = Mentions légales
footer-privacy = Données personnelles
footer-admin = Administration

## Accueil

home-title = À quoi jouons-nous ?
home-lead = Les échecs, et trois jeux sur le même échiquier où chaque pièce prend à sa manière : Baroque, Ultima et Interweave. Contre un ami, le premier venu ou la machine, sans compte.
home-lead-offered = { $games } : contre un ami, le premier venu ou la machine, sans compte.
home-quick-machine = { $variant } contre la machine
home-quick-opponent = Trouver un adversaire
home-look-title = Un coup joué à { $variant }
home-look-play = Essayer { $variant } contre la machine
home-look-rules = Les règles
home-look-again = Revoir le coup
home-look-stop = Arrêter l’animation
home-game = Le jeu
home-opponent = L’adversaire
opponent-machine = La machine
home-level = Sa force
level-1 = enfantine
level-2 = douce
level-3 = tranquille
level-4 = appliquée
level-5 = sérieuse
level-6 = avertie
level-7 = coriace
level-8 = redoutable
level-9 = implacable
level-10 = à pleine force
level-of = Niveau { $number } : { $name }
level-elo-rating = environ { $elo } Elo
level-elo-above = { $elo } Elo de plus que le niveau { $below }
level-elo-above-at-least = au moins { $elo } Elo de plus que le niveau { $below }
level-elo-short = ≈ { $elo } Elo
level-elo-more = +{ $elo } Elo
level-elo-less = −{ $elo } Elo
home-color = Votre couleur
color-white = Blancs
color-black = Noirs
color-random = Au hasard
home-fen = Position de départ (FEN)
home-fen-hint = Laissez vide pour la position habituelle.
home-fen-valid = Position correcte, { $turn ->
    [white] trait aux Blancs.
   *[black] trait aux Noirs.
  }
home-play = Jouer
home-create-link = Créer le lien
home-creating = Un instant…
home-my-games = Vos parties
home-running = Vos parties en cours
game-against-machine = contre la machine, niveau { $number } ({ $level })
game-against-person = contre un adversaire
game-against-nobody = sur invitation
game-moves = { $count ->
    [0] aucun coup
    [one] { $count } coup
   *[other] { $count } coups
  }
game-your-turn = à vous
game-their-turn = à l’adversaire
game-won = gagnée
game-lost = perdue
game-drawn = nulle
game-watching = regarder
game-waiting = en attente
game-over = terminée

## Partie

game-title = { $variant }, partie
game-title-against = { $variant }, contre { $name }
game-title-watched = { $variant } : { $white } – { $black }
player-opponent = Adversaire
player-white = Les Blancs
player-black = Les Noirs
player-machine = Machine, { $level }
player-open = Place libre
reserve = Réserve
reserve-short = réserve
taken-men = Pièces prises
men-ahead = { $count ->
    [one] une pièce d’avance
   *[other] { $count } pièces d’avance
  }
turn-yours = À vous de jouer
turn-theirs = À l’adversaire de jouer
turn-machine = La machine réfléchit…
turn-white = Aux Blancs de jouer
turn-black = Aux Noirs de jouer
turn-continue = Continuez la prise
turn-sending = Coup envoyé…
turn-not-sent = Coup pas encore envoyé : il partira dès que la connexion reviendra.
turn-check = échec
status-waiting = En attente d’un adversaire
status-past = Position après le coup { $number }
status-start = Position de départ
back-to-live = Revenir à la partie
invite-title = Invitez quelqu’un
invite-text = Envoyez ce lien à votre adversaire. La partie commence dès son arrivée.
invite-link = Lien d’invitation
invite-lost = Le lien n’est plus connu de ce navigateur. Créez une nouvelle partie pour en obtenir un autre.
copied = Copié
copy-link = Copier le lien
moves-title = Coups
moves-none = Aucun coup joué.
move-number = Coup { $number }
nav-label = Parcourir la partie
nav-first = Début
nav-previous = Coup précédent
nav-next = Coup suivant
nav-last = Fin
nav-keys = Les flèches gauche et droite, Début et Fin parcourent la partie.
play-by-text = Saisir un coup
play-by-text-hint = Par exemple { $example }
play-submit = Jouer
chain-title = Prise en cours
chain-undo = Annuler l’étape
chain-hint = Retour arrière annule la dernière étape, Échap les annule toutes.
promotion-title = Promotion
promotion-none = Rester pion
action-resign = Abandonner
action-resign-confirm = Confirmer l’abandon
action-offer-draw = Proposer nulle
action-flip = Retourner l’échiquier
action-rematch = Revanche
action-easier = Plus facile : { $level }
action-harder = Plus difficile : { $level }
action-other-game = Autre jeu
opponent-joined = Votre adversaire est là.
players-joined = Les deux joueurs sont là.
settings-pieces = Pièces
pieces-classic = Classiques
pieces-silhouette = Silhouettes
pieces-mechanism = Mécaniques
settings-coordinates = Coordonnées
share-title = Partager
share-link-copy = Copier le lien de la partie
share-picture = Télécharger l’image
share-animation = Télécharger l’animation (GIF)
share-pgn-copy = Copier le PGN
share-pgn-download = Télécharger le PGN
share-fen = FEN de la position
share-fen-copy = Copier la FEN
connection-connecting = Connexion…
connection-reconnecting = Connexion perdue, nouvel essai…
connection-silent = Le serveur ne répond pas…
loading = Chargement…
board-label = Échiquier
error-title = Une erreur est survenue
failure-title = Le chargement a échoué
failure-missing = Introuvable
retry = Réessayer
retrying = Nouvel essai dans un instant…
failure-meanwhile = En attendant, restent accessibles :
reload = Recharger la page

## Invitation

invitation-title = Invitation
invitation-watch = Regarder la partie

## Page absente

not-found-title = Page introuvable
not-found-text = Cette page n’existe pas, ou plus.
not-found-home = Retour à l’accueil

## Annonces pour les lecteurs d’écran

announce-move = { $piece } de { $from } à { $to }
announce-in-place = { $piece } en { $from }, sur place
announce-given-up = { $piece } en { $from }, hors de l’échiquier
announce-null-move = { $color ->
    [white] Les Blancs passent
   *[other] Les Noirs passent
  }
announce-on = puis en { $to }
announce-takes = prise en { $squares }
announce-promotion = promotion en { $piece }
announce-check = échec
announce-result = { $result } : { $reason }.

## L’échiquier, case par case

square-empty = { $square }, vide
square-piece = { $square }, { $piece }
mark-selected = en main
mark-must-continue = doit continuer
mark-in-place = peut prendre sur place
mark-give-up = peut quitter l’échiquier
mark-target = destination possible
mark-takes = prend en { $squares }
mark-taken = cette pièce serait prise
mark-check = en échec
mark-last-move = dernier coup
mark-last-taken = une pièce a été prise ici
mark-endangered = cette pièce peut être prise
mark-pending = étape de la prise
hand-taken = { $piece } en { $square }, en main. { $count ->
    [0] Aucune destination.
    [one] Une destination : { $squares }.
   *[other] { $count } destinations : { $squares }.
  }
hand-empty = Pièce reposée
cancel = Annuler
close = Fermer

## Vers l’analyse, dont les messages sont à part

nav-analysis = Analyse
analysis-link = Analyser
analysis-of-game = Analyser la partie

## Les pièces, à côté de l’échiquier

men-title = Les pièces
men-goes = Déplacement :
men-captures = Prise :
men-letter = Lettre :
men-no-letter = aucune

## Touches et souris

keys-title = Touches et souris
key-Home = Début
key-End = Fin
key-wheel = molette
key-Tab = Tab
key-Backspace = Retour arrière
key-Escape = Échap
key-right-click = clic droit
keys-step = un coup en arrière, en avant
keys-ends = début et fin de la partie
keys-wheel = parcourir la partie, le pointeur sur l’échiquier
keys-flip = retourner l’échiquier
keys-zen = n’afficher que la partie, ou tout
keys-board = aller à l’échiquier ; les touches fléchées y font changer de case, Entrée saisit et pose la pièce
keys-undo = annuler la dernière étape d’une prise
keys-escape = fermer ce qui est ouvert ; annuler la prise, le coup d’avance
keys-right-click = dessiner des cercles et des flèches, ou annuler le coup d’avance
keys-list = cette liste
