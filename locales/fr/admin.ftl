# L’administration de la maison : membres, signalements, parties, élèves, réglages, registre.

admin-title = Administration
admin-section-title = Administration : { $section }
admin-overview = Aperçu
admin-members = Membres
admin-reports = Signalements
admin-games = Parties
admin-pupils = Élèves
admin-settings = Réglages de la maison
admin-pages = Pages légales
admin-audit = Registre
admin-start = premiers pas
admin-not-yours = Votre rôle ne donne pas accès à cette page.
admin-as-administrator = Vous administrez cette maison.
admin-as-moderator = Vous faites partie de la modération : signalements, silence, fermeture de comptes.
admin-as-teacher = Vous créez les comptes de vos élèves et vous changez leurs mots de passe.
admin-as-arbiter = Vous arbitrez : vous pouvez mettre fin à une partie, avec ou sans résultat.
admin-statistics = La maison en chiffres
admin-count-members = membres
admin-count-recent = vus ces 30 derniers jours
admin-count-pending = à approuver
admin-count-closed = comptes fermés
admin-count-pupils = élèves
admin-count-games = parties
admin-count-playing = parties en cours
admin-count-newGames = nouvelles parties ces 30 derniers jours
admin-count-openReports = signalements à traiter
admin-more = En voir plus
admin-done = C’est fait.
admin-operator = la ligne de commande
report-by-unknown = la ligne de commande, ou un compte supprimé depuis

## Les rôles

role-none = aucun rôle
role-administrator = administration
role-moderator = modération
role-teacher = enseignement
role-arbiter = arbitrage
state-open = ouvert
state-pending = à approuver
state-closed = fermé

## Les membres

admin-invite = Inviter
admin-invite-about = Un lien d’invitation permet de s’inscrire, quel que soit le réglage des inscriptions.
admin-invite-uses = Nombre de comptes
admin-invite-days = Durée de validité, en jours
admin-invite-make = Créer un lien
admin-invite-hand = Voici le lien. Il ne sera plus montré : copiez-le maintenant.
admin-role = Rôle
admin-role-hint = La maison garde toujours au moins un compte qui l’administre.
admin-role-pupil = C’est le compte d’un élève. S’il reçoit un rôle, son enseignant ne pourra plus ni le fermer, ni changer son mot de passe.
admin-class-size = { $count ->
    [one] { $name } (un élève)
   *[other] { $name } ({ $count } élèves)
  }
admin-classes = Ses classes : { $classes }.
admin-hand-over = Avant de fermer ou de supprimer ce compte, ou de lui retirer son rôle, confiez ses classes à quelqu’un d’autre. Sinon, personne ne les verra plus dans « Élèves », sauf l’administration.
admin-hand-over-link = Confier une classe
admin-link = Lien
admin-copy = Copier le lien
admin-find = Chercher un nom
admin-view = Montrer
admin-view-all = tous
admin-view-pending = à approuver
admin-view-closed = fermés
admin-view-staff = avec un rôle
admin-no-members = Aucun compte ne correspond.
admin-unused = aucune connexion ouverte
admin-used = dernière utilisation le { $date }
admin-teacher = élève de { $name }
admin-silenced = réduit au silence
admin-silenced-until = silence jusqu’au { $date }
admin-out-of-reach = Ce compte a un rôle : seule l’administration peut le modifier.
admin-approve = Approuver
admin-close = Fermer le compte
admin-close-confirm = Oui, fermer
admin-reopen = Rouvrir le compte
admin-end-sessions = { $count ->
    [one] Fermer sa connexion
   *[other] Fermer ses { $count } connexions
  }
admin-reset-pupil = Nouveau mot de passe
admin-reset-password = Lien pour un nouveau mot de passe
admin-reset-hand = Remettez ce lien à la personne concernée, et à elle seule. Il sert une seule fois, dans les trois jours, et ne sera plus montré.
admin-second-factor-off = Désactiver la connexion en deux étapes
admin-silence-for = Silence dans les discussions
admin-silence-1 = un jour
admin-silence-7 = une semaine
admin-silence-30 = un mois
admin-silence-forever = jusqu’à nouvel ordre
admin-silence = Réduire au silence
admin-unsilence = Rendre la parole
admin-new-name = Nouveau nom
admin-rename = Renommer

## Les signalements

report-all = Montrer aussi ceux qui sont traités
report-none = Aucun signalement à traiter.
report-of = Signalement du { $date }
report-by = Signalé par { $name } le { $date }.
report-visitor = un visiteur sans compte
report-visitor-number = visiteur { $number }
report-reason-insult = Insulte
report-reason-spam = Message indésirable
report-reason-other = Autre raison
report-game = Voir la partie
report-line = Message signalé :
report-note = Ce qui a été fait
report-uphold = Signalement fondé
report-dismiss = Rien à reprocher
report-silence = Réduire { $name } au silence une semaine
report-silenced = Silence d’une semaine pour { $name }
report-silenced-note = Silence d’une semaine.
report-upheld = Jugé fondé par { $name } le { $date }.
report-dismissed = Classé sans suite par { $name } le { $date }.

## Les parties

admin-game-address = Adresse de la partie
admin-game-hint = Collez l’adresse de la page de la partie.
admin-game-look = Chercher
admin-game-hide = Retirer de la salle
admin-game-show = Remettre dans la salle
admin-game-end-about = Mettre fin à la partie est définitif.
admin-result-white = Les Blancs gagnent
admin-result-black = Les Noirs gagnent
admin-result-draw = Nulle
admin-result-none = Sans résultat
admin-result-confirm = Oui, c’est décidé

## Les élèves

pupils-add = Ajouter une classe
pupils-about = Les comptes d’élèves n’ont pas d’adresse électronique. Vous recevez une feuille de mots de passe à imprimer.
pupils-class = Classe
pupils-names = Prénoms, un par ligne
pupils-names-hint = De 3 à 20 caractères, sans espace, et jamais deux fois le même : ajoutez une initiale, par exemple « Emma-D ». Une colonne ou une ligne copiée d’un tableur convient aussi.
pupils-table = La liste a plusieurs colonnes, et chaque case deviendrait un compte. Ne collez que la colonne des prénoms.
pupils-duplicates = Plusieurs fois dans la liste : { $names }.
pupils-length = Trop courts ou trop longs (de 3 à 20 caractères) : { $names }.
pupils-space = Avec une espace : { $names }.
pupils-characters = Avec un caractère interdit, donné entre parenthèses : { $names }.
pupils-form = Sans lettre ni chiffre, avec plusieurs alphabets, ou avec un point ou une apostrophe mal placés : { $names }.
pupils-reserved = Réservés à la maison : { $names }.
pupils-taken = Déjà pris : { $names }.
pupils-alike = Trop semblables à un autre nom, d’un compte ou de la liste : { $names }.
pupils-retired = { $date ->
    [never] Noms de comptes supprimés, qui restent réservés : { $names }.
   *[other] Noms de comptes supprimés, libres au plus tard le { $date } : { $names }.
  }
pupils-make = { $count ->
    [0] Créer les comptes
    [one] Créer un compte
   *[other] Créer { $count } comptes
  }
pupils-once = Ces mots de passe ne seront plus montrés. Imprimez-les ou notez-les maintenant.
pupils-sheet = Mots de passe : { $class }
pupils-sheet-new = Nouveaux mots de passe : { $class }
pupils-address = Adresse
pupils-print = Imprimer
pupils-copy = Copier la liste
pupils-leave = Cette feuille de mots de passe n’a été ni imprimée ni copiée, et elle ne sera plus montrée. Quitter la page quand même ?
pupils-leave-early = La feuille de mots de passe arrive, et elle ne sera montrée qu’une fois. Quitter la page quand même ?
pupils-renew = Refaire la feuille de mots de passe
pupils-renew-about = Les élèves choisis reçoivent de nouveaux mots de passe : les anciens ne servent plus, et leurs connexions sont fermées.
pupils-renew-all = { $count ->
    [one] Toute la classe (un élève)
   *[other] Toute la classe ({ $count } élèves)
  }
pupils-renew-which = Élèves
pupils-renew-make = { $count ->
    [0] Refaire les mots de passe
    [one] Refaire un mot de passe
   *[other] Refaire { $count } mots de passe
  }
pupils-renew-confirm = Oui, remplacer
classes-all = Toutes les classes
classes-about = Ouvrez une classe pour la confier à un autre enseignant, ou pour changer des mots de passe.
classes-none = Il n’y a pas encore de classe.
classes-teacher = enseignant : { $name }
classes-no-teacher = sans enseignant
classes-to = Confier à
classes-to-hint = Les élèves gardent leurs comptes et leurs mots de passe.
classes-choose = choisissez
classes-name = Nom de la classe
classes-name-hint = Changez-le si cet enseignant a déjà une classe de ce nom.
classes-give = Confier la classe

## Les réglages

house-name = Nom de la maison
house-name-hint = Il apparaît en haut de chaque page.
house-contact = Contact
house-contact-hint = Une adresse électronique ou postale ; elle apparaît sur les pages légales.
house-registration = Qui peut s’inscrire ?
house-registration-open = tout le monde
house-registration-invitation = sur invitation
house-registration-approval = après approbation
house-registration-closed = personne
house-registration-about-open = Le compte est ouvert aussitôt.
house-registration-about-invitation = Un lien d’invitation, créé dans « Membres », est nécessaire.
house-registration-about-approval = Chacun peut s’inscrire, mais le compte s’ouvre quand vous l’approuvez.
house-registration-about-closed = Vous pouvez toujours inviter, et les enseignants ajouter leurs élèves.
house-chat = Qui peut écrire dans les discussions ?
house-chat-everybody = tout le monde
house-chat-no-pupils = tous sauf les élèves
house-chat-nobody = personne
house-games = Jeux proposés
house-clocks = Cadences proposées
house-clocks-all = toutes, au choix des joueurs
house-clocks-some = seulement celles-ci
house-offer-hint = L’accueil, la salle et les défis ne proposent que cela. Les parties en cours continuent, et contre la machine on peut toujours jouer sans pendule.
house-notice = Annonce à tous
house-notice-hint = Montrée en haut de chaque page, par exemple avant une interruption. Laissez vide pour la retirer.

## Les premiers pas

start-step = Étape { $step } sur { $steps }
start-name = La maison
start-registration = Les inscriptions
start-chat = Les discussions
start-offer = Les jeux et les cadences
start-done = La maison est prête
start-done-about = Tout cela pourra être changé plus tard dans « Réglages de la maison ». Il reste peut-être à faire :
start-pages = Compléter les mentions légales et la page sur les données personnelles
start-pupils = Ajouter une classe
start-members = Inviter des membres et donner des rôles
start-two-steps = Protéger votre compte par la connexion en deux étapes
start-back = Retour
start-next = Continuer
start-end = Terminer

## Les pages légales

page-about = Chaque page du site renvoie, en bas, à ces deux pages. Un modèle est fourni ; vous répondez du texte.
page-which = Page
page-is-model = Ceci est le modèle fourni. Enregistrez pour en faire votre texte.
page-is-own = Ceci est le texte de la maison.
page-text = Texte
page-hint = Une ligne vide sépare les paragraphes ; « ## » commence un titre, « - » une liste, et le texte entre doubles astérisques est en gras. Les noms entre accolades sont remplacés : nom, contact et durées de conservation suivent les réglages.
page-model = Revenir au modèle
page-model-confirm = Oui, effacer notre texte
page-shown = Telle qu’elle apparaît

## Le registre

audit-about = Chaque acte d’administration est inscrit ici. Aucune entrée ne peut être changée sans que cela se voie : chacune porte l’empreinte de toutes celles d’avant.
audit-check = Vérifier le registre
audit-whole = { $count ->
    [one] Une entrée, en ordre.
   *[other] { $count } entrées, toutes en ordre.
  }
audit-broken = L’entrée { $number } ne suit pas celle d’avant : le registre a été altéré.
audit-deleted = (compte supprimé)
act-invite = a créé un lien d’invitation
act-approve = a approuvé
act-rename = a renommé
act-silence = a réduit au silence
act-unsilence = a rendu la parole à
act-close = a fermé le compte de
act-reopen = a rouvert le compte de
act-delete = a supprimé un compte
act-reset-password = a créé un lien de mot de passe pour
act-end-sessions = a fermé les connexions de
act-second-factor-off = a désactivé la connexion en deux étapes de
act-set-role = a changé le rôle de
act-add-pupils = a ajouté des élèves :
act-reset-pupil = a changé le mot de passe de
act-reset-pupils = a changé les mots de passe de
act-give-class = a confié une classe (ancien enseignant, nouvel enseignant, classe) :
act-handle-report = a traité le signalement
act-hide-game = a changé la visibilité de la partie
act-adjudicate = a mis fin à la partie
act-set-house = a changé les réglages de la maison
act-set-page = a changé la page
act-claim = a pris un rôle par une invitation :
detail-role = rôle :
detail-name = nom :
detail-from = ancien nom :
detail-days = jours :
detail-uses = comptes :
detail-outcome = issue :
detail-note = note :
detail-hidden = retirée :
detail-result = résultat :
detail-count = nombre :
detail-characters = caractères :
detail-registration = inscriptions :
detail-chat = discussions :
detail-contact = contact :
detail-notice = annonce :
detail-games = jeux :
detail-clocks = cadences :
audit-value-upheld = jugé fondé
audit-value-dismissed = classé sans suite
audit-value-true = oui
audit-value-false = non
audit-value-changed = modifié
audit-value-empty = (vide)
audit-value-all = tous

## Une invitation de la maison

join-title = Bienvenue dans la maison « { $house } »
join-as-administrator = Ce lien vous confie l’administration de la maison.
join-as-moderator = Ce lien vous confie la modération.
join-as-teacher = Ce lien fait de votre compte un compte d’enseignant.
join-as-arbiter = Ce lien vous confie l’arbitrage.
join-signed-in = Votre connexion est au nom de { $name }.
join-take = Prendre ce rôle
join-already = Vous avez déjà un compte, { $name } : cette invitation ne vous est pas nécessaire.

## Les refus

error-not-allowed = Votre rôle ne permet pas cela.
error-last-administrator = La maison a besoin d’une administration : donnez d’abord ce rôle à un autre compte.
error-not-pending = Ce compte n’attend pas d’approbation.
error-closed-already = Ce compte est déjà fermé.
error-not-closed = Ce compte n’est pas fermé.
error-silenced-already = Ce compte est déjà réduit au silence, jusqu’à cette même date.
error-not-silenced = Ce compte n’est pas réduit au silence.
error-no-sessions = Ce compte n’a aucune connexion ouverte.
error-same-role = Ce compte a déjà ce rôle.
error-same-name = Ce compte porte déjà ce nom.
error-hidden-already = La salle ne montre déjà plus cette partie.
error-not-hidden = Cette partie n’est pas retirée de la salle.
error-report-handled = Ce signalement a déjà été traité : la décision inscrite ne change pas.
error-house-invitation-not-found = Ce lien a déjà servi, ou il est périmé. Demandez-en un autre.
error-pupil-names = Aucun compte n’a été créé, car certains noms ne conviennent pas.
error-pupil-count = On ajoute au plus { $limit } noms à la fois.
error-not-a-pupil = Ce compte n’a pas été créé par un enseignant.
error-not-a-teacher = Le compte de l’enseignant doit être ouvert, et avoir un rôle d’enseignement ou d’administration.
error-class-not-found = Cette classe n’est plus la même : elle a été confiée à quelqu’un d’autre, ou elle a changé de nom.
error-class-name-taken = Cet enseignant a déjà une classe de ce nom : choisissez un autre nom.
error-same-class = Cet enseignant a déjà cette classe.
error-name-retired = { $date ->
    [never] Ce nom est celui d’un compte supprimé, ou lui ressemble trop ; il reste réservé.
   *[other] Ce nom est celui d’un compte supprimé, ou lui ressemble trop. Il sera libre le { $date }.
  }
error-house-clocks = Une maison propose { $limit } cadences au plus.
error-house-text = Ce texte doit tenir sur une ligne de { $limit } caractères au plus.
error-page-placeholder = Il n’y a pas de nom { $name }. Les noms entre accolades sont { $known }.
error-page-text = Une page compte { $limit } caractères au plus.
error-report-not-found = Ce signalement n’existe plus.
