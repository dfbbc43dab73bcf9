# Refus et ennuis : une phrase qui dit quoi faire quand on le peut.

## Le réseau et le serveur

error-unknown = Une erreur est survenue. Réessayez.
error-network = Le serveur ne répond pas. Vérifiez la connexion, puis réessayez.
error-page-outdated = Cette page est plus ancienne que le serveur, qui a été mis à jour. Rechargez-la.
error-server = Le serveur a répondu par une erreur ({ $status }). Réessayez dans un moment.
error-internal = Le serveur a rencontré une erreur. Réessayez.
error-not-saved = L’enregistrement n’a pas pu être confirmé. Réessayez.
error-timeout = Cela a pris trop de temps. Réessayez.
error-too-many = Trop de demandes à la fois. Attendez un peu.
error-not-found = Il n’y a rien à cette adresse.
error-game-not-found = Cette partie n’existe pas.
error-invitation-not-found = Cette invitation n’existe pas. Demandez un nouveau lien.
error-invitation-used = Quelqu’un d’autre a déjà pris cette place.
error-not-a-player = Seuls les deux joueurs peuvent faire cela.
error-account-pending = Ce compte attend l’approbation de l’administration.
error-account-closed = Ce compte a été fermé. Adressez-vous au contact de la maison.
error-silenced = Vous ne pouvez pas écrire dans les discussions pour le moment.
error-chat-closed = La maison a fermé les discussions.
error-foreign-origin = Cette demande vient d’un autre site.
error-outside-path = La maison se trouve à l’adresse { $address }.
error-unknown-host = Ce serveur ne porte pas le nom { $host } ; la personne qui l’administre peut régler public_origin.

## La création d’une partie

error-variant = Ce jeu est inconnu ici.
error-game-not-offered = La maison ne propose pas ce jeu.
error-clock-not-offered = La maison ne propose pas cette cadence. Choisissez-en une autre.
error-unknown-variant = Ce jeu est inconnu ici.
error-bad-position = Cette position de départ n’est pas jouable.
error-bad-square = « { $square } » n’est pas une case : les cases vont de a1 à h8.
error-position-over = Dans cette position, la partie est déjà finie.

## Le déroulement de la partie

error-not-started = La partie n’a pas commencé.
error-game-over = La partie est finie.
error-not-your-turn = Ce n’est pas à vous de jouer.
error-other-position = La position a changé entre-temps. Regardez l’échiquier et rejouez.
error-draw-offer-stands = Une proposition de nulle attend déjà une réponse.
error-draw-offered-this-turn = Vous avez déjà proposé nulle à ce coup.
error-no-draw-offer = Personne ne propose nulle.
error-nothing-to-claim = Il n’y a pas de nulle à réclamer.
error-seat-taken = Cette place est prise.
error-already-seated = Vous êtes déjà à la table.

## Un coup

error-turn = Ce coup n’est pas lisible.
error-turn-syntax = « { $turn } » n’est pas un coup. Écrivez par exemple e2e4.
error-turn-game-over = La partie est finie.
error-turn-empty-square = La case { $square } est vide.
error-turn-not-your-man = La pièce en { $square } appartient { $color ->
    [white] aux Blancs
   *[black] aux Noirs
  }.
error-turn-promotion-missing = En { $square }, le pion se promeut : ajoutez la lettre de la pièce.
error-turn-unfinished = La pièce en { $square } peut encore prendre : elle doit continuer.
error-turn-no-match = « { $turn } » n’est pas un coup légal ici.
error-turn-ambiguous = « { $turn } » peut vouloir dire { $matches }. Précisez.
error-turn-illegal = Coup illégal : la pièce en { $from } ne peut pas aller en { $to }.

## La lecture d’une FEN

error-fen = Cette FEN n’est pas lisible.
error-fen-empty = La FEN est vide.
error-fen-too-long = Ce texte est trop long pour une FEN.
error-fen-rank-count = Rangées dans cette FEN : { $found }. Il en faut 8, séparées par « / ».
error-fen-rank-too-long = La rangée { $rank } a plus de 8 cases.
error-fen-unknown-man = Rangée { $rank } : « { $letter } » n’est pas une pièce de ce jeu. Les lettres sont { $letters }.
error-fen-turn = Le trait « { $text } » n’existe pas : c’est « w » (Blancs) ou « b » (Noirs).
error-fen-castling = « { $letter } » dans « { $text } » n’est pas un droit de roque possible : le roi et la tour doivent être en place. Écrivez « - » ou des lettres de KQkq.
error-fen-left-out-castling = Le droit de roque « { $letter } » est omis : le roi et la tour ne sont pas en place.
error-fen-left-out-en-passant = La case de prise en passant { $square } est omise : aucun pion n’a pu la franchir.
error-fen-left-out-operations = Omis : « { $text } ».
error-fen-en-passant = « { $text } » n’est pas une case de prise en passant. Écrivez « - » s’il n’y en a pas.
error-fen-reserve = « { $text } » n’est pas une réserve valable.
error-fen-halfmove-clock = « { $text } » n’est pas un compte de demi-coups.
error-fen-fullmove-number = « { $text } » n’est pas un numéro de coup.
error-fen-too-many-fields = « { $text } » est de trop à la fin de la FEN.

## Une position qui ne se joue pas

error-setup = Cette position n’est pas jouable.
error-setup-kings = { $color ->
    [white] Les Blancs
   *[black] Les Noirs
  } { $found ->
    [0] n’ont pas de roi
    [1] ont un roi
   *[other] ont { $found } rois
  } ; { $most ->
    [1] il en faut exactement un.
   *[other] il en faut { $most }, ou moins si le dernier coup en a pris.
  }
error-setup-both-lost-a-king = Les deux camps ont perdu un roi ; la partie finit dès le premier roi pris.
error-setup-too-many-men = { $color ->
    [white] Les Blancs ont
   *[black] Les Noirs ont
  } { $found } pièces ; le maximum est de 16.
error-setup-pawn-rank = Aucun pion ne peut se trouver en { $square }.
error-setup-opponent-in-check = { $color ->
    [white] Les Blancs viennent
   *[black] Les Noirs viennent
  } de jouer et ont laissé leur roi en échec.
error-setup-castling = La tour en { $square } ne peut pas roquer : roi et tour doivent être à leur place.
error-setup-castling-twice = La tour en { $square } ne peut pas roquer : de deux tours du même côté du roi, une seule au plus le peut.
error-setup-no-castling = Il n’y a pas de roque dans ce jeu.
error-setup-en-passant = Aucun pion n’a pu traverser { $square } au dernier coup.
error-setup-reserve = { $color ->
    [white] Les Blancs
   *[black] Les Noirs
  } ont en réserve des pièces qui ne peuvent pas revenir.

## Ce que la maison refuse

error-your-turn = C’est à vous de jouer.
error-first-turns-played = La partie est engagée : on ne peut plus l’annuler. Abandonnez, ou proposez nulle.
error-first-turns-open = La partie n’est pas encore engagée ; vous pouvez l’annuler.
error-still-there = L’adversaire doit avoir quitté la partie depuis au moins { $seconds } s.
error-correspondence = Par correspondance, personne n’a besoin d’être là.
error-not-casual = On ne reprend un coup que dans les parties amicales.
error-nothing-to-take-back = Vous n’avez aucun coup à reprendre.
error-takeback-stands = Une demande de reprise attend déjà une réponse.
error-takeback-proposed-here = Vous avez déjà demandé une reprise à ce coup.
error-no-takeback = Personne ne demande de reprise.
error-no-clock = Dans cette partie, on ne peut pas donner de temps.
error-time-enough = L’adversaire a bien assez de temps.
error-no-touch-move = Cette partie se joue sans la règle « pièce touchée ».
error-touched-must-move = Pièce touchée : il faut jouer la pièce en { $own }.
error-touched-must-take = Pièce touchée : il faut prendre la pièce en { $enemy }.
error-touched-must-take-with = Pièces touchées : la pièce en { $own } doit prendre la pièce en { $enemy }.
error-touch-empty-square = Il n’y a rien à toucher en { $square }.
error-touched-already = La pièce en { $square } est déjà touchée.
error-adjusting-already = Vous adoubez déjà.
error-adjusted-enough = Vous ne pouvez plus adouber à ce coup.
error-enough-this-turn = On peut toucher une pièce, faire une proposition ou changer ses coups conditionnels { $limit } fois par coup, pas plus.
error-enough-in-game = Vous avez touché une pièce, fait une proposition ou changé vos coups conditionnels { $limit } fois dans cette partie, le maximum pour l’instant. Chaque coup joué relève ce maximum.
error-command-used = Cette commande a déjà servi à autre chose. Rechargez la page.
error-not-correspondence = Les coups conditionnels sont réservés aux parties par correspondance.
error-too-many-conditions = On peut prévoir au plus { $limit } coups conditionnels.
error-conditions-too-deep = On peut prévoir au plus { $limit } coups conditionnels à la suite.
error-condition-twice = « { $turn } » a déjà une réponse.
error-condition-illegal = « { $turn } » n’est pas légal à cet endroit.
error-not-over = La partie n’est pas finie.
error-rematch-stands = Une revanche est déjà proposée.
error-rematch-missing = La partie de la revanche n’est pas encore créée.
error-rematch-offered = Votre proposition de revanche a été refusée.
error-no-rematch = Personne ne propose de revanche.
error-rematch-agreed = La revanche est déjà convenue.
error-clock-initial = Le temps de départ doit être compris entre une seconde et trois heures.
error-clock-per-turn = Le temps par coup est de trois minutes au plus, et d’une seconde au moins s’il n’y a pas de temps de départ.
error-clock-days = De 1 à 14 jours par coup.

## Les comptes, la salle, la discussion

error-account-needed = Il faut un compte pour cela.
error-not-yours = Cela ne vous appartient pas.
error-not-signed-in = Connectez-vous d’abord.
error-bad-cursor = Cette page de la liste est introuvable. Reprenez à la première.
error-other-origin = Faites cela à l’adresse publique de la maison.
error-bad-language = La langue « { $language } » n’est pas proposée ; choisissez fr, en ou es.
error-seek-not-found = Cette proposition n’est plus là.
error-own-seek = C’est votre propre proposition.
error-challenge-not-found = Ce défi n’est plus là.
error-maker-away = Cette personne vient de partir. Une partie avec pendule commence quand les deux joueurs sont là.
error-blocked = Ce compte ne reçoit de vous ni défis ni messages.
error-blocked-by-you = Vous avez bloqué ce compte. Débloquez-le d’abord, sur la page de votre compte.
error-own-block = On ne peut pas se bloquer soi-même.
error-too-many-blocks = Un compte peut en bloquer { $limit } au plus.
error-push-service = « { $host } » n’est pas un service de notifications que ce serveur utilise.
error-push-keys = Les clés données par le navigateur ne sont pas utilisables. Réessayez, ou mettez-le à jour.
error-push-device-not-found = Cet appareil ne reçoit déjà plus de notifications.
error-own-challenge = On ne se défie pas soi-même.
error-player-not-found = Personne ne porte ce nom.
error-too-many-seeks = Vous avez déjà assez de propositions. Retirez-en une.
error-hall-full = La salle est pleine pour l’instant. Réessayez plus tard.
error-too-many-challenges = Cette personne a déjà { $limit } défis en attente. Réessayez plus tard.
error-too-many-from-here = Trop de propositions viennent de votre réseau ({ $limit } au plus). Réessayez plus tard.
error-account-full = Un compte garde au plus { $limit } octets d’analyses et de problèmes. Supprimez-en.
error-low-disk = Le serveur n’a presque plus de place : les parties en cours continuent, mais rien de nouveau ne peut être créé.
error-chat-line-not-found = Ce message n’existe pas.
error-chat-text = Un message compte de 1 à { $limit } caractères.
error-chat-too-fast = Vous écrivez trop vite. Attendez un peu.
error-position-twice = La position de départ est donnée deux fois.
error-bad-shuffle = Le mélange { $number } n’existe pas ; il y en a { $limit }, numérotés à partir de 0.
error-bad-games = Un match compte de 1 à { $limit } parties.
error-busy = Trop de monde à la fois. Réessayez dans un instant.
error-mail = Le courriel n’a pas pu être envoyé. Réessayez.
error-no-room = Le serveur n’a plus de place ; rien n’a été enregistré.
error-diagram = Ce diagramme ne peut pas être dessiné.
error-bad-preference = Ce réglage ne peut pas être gardé : { $name }
error-too-many-preferences = Votre compte garde déjà trop de réglages.

## Les champs d’un formulaire

field-missing = Remplissez ce champ.
field-too-short = Il faut au moins { $min } caractères.
field-too-long = Pas plus de { $max } caractères.
field-email = Ce n’est pas une adresse électronique.
field-range = Un nombre de { $min } à { $max }.
field-number = Un nombre entier.
field-wrong-form = Ce champ n’a pas la bonne forme.
