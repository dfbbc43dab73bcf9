### L’analyse : l’échiquier, le moteur, l’éditeur, le rapport

analysis-title = Analyse
analysis-title-of = Analyse : { $variant }
analysis-empty = Jouez un coup sur l’échiquier, ou ouvrez une partie.
analysis-over = La partie est finie dans cette position.
analysis-keys = ← et → suivent la ligne, ↑ et ↓ passent d’une variante à l’autre, Début et Fin vont aux deux bouts.
analysis-link-refused = Ce lien n’a pas pu être lu en entier.
analysis-edit = Modifier la position
analysis-compose = Composer un problème
analysis-previous = Analyse précédente
analysis-kept = L’analyse reste dans ce navigateur, même une fois la page fermée.

## Le moteur

analysis-engine = Moteur
analysis-engine-on = Calculer
analysis-thinking = Le moteur se prépare…
analysis-depth = Profondeur { $depth }/{ $selective }
analysis-nodes = { $count } positions
analysis-speed = { $count }/s
analysis-finished = terminé
analysis-lines = Meilleures lignes
analysis-line-count = Lignes
analysis-thread-count = Fils de calcul
analysis-threat-show = Montrer la menace
analysis-threat = { $color ->
    [white] Si c’était aux Blancs de jouer, ils joueraient ainsi. { $turn }
   *[black] Si c’était aux Noirs de jouer, ils joueraient ainsi. { $turn }
  }
analysis-threat-none = Le camp au trait est en échec et ne peut pas passer son tour : pas de menace à montrer ici.
analysis-score-none = Pas encore d’évaluation
analysis-score-mate = { $color ->
    [white] Les Blancs gagnent en { $count } { $count ->
        [one] coup
       *[other] coups
      }.
   *[black] Les Noirs gagnent en { $count } { $count ->
        [one] coup
       *[other] coups
      }.
  }
analysis-score-pawns = { $side ->
    [white] Les Blancs sont mieux ({ $score }).
    [black] Les Noirs sont mieux ({ $score }).
   *[none] La position est équilibrée ({ $score }).
  }

## Les coups, leurs marques et leurs variantes

analysis-variation = Variante : { $turn }
analysis-variation-of = Variante { $number } sur { $count }.
analysis-notes = Commenter ce coup
analysis-marks = Marque de { $turn }
analysis-mark-good = Bon coup
analysis-mark-mistake = Erreur
analysis-mark-brilliant = Coup brillant
analysis-mark-blunder = Gaffe
analysis-mark-interesting = Coup intéressant
analysis-mark-dubious = Coup douteux
analysis-comment = Commentaire sur { $turn }
analysis-comment-start = Commentaire avant le premier coup
analysis-promote = Promouvoir la variante
analysis-remove = Supprimer à partir d’ici
analysis-remove-confirm = Oui, supprimer

## Ouvrir et garder

analysis-open-game = Ouvrir une partie
analysis-open = Ouvrir une FEN ou un PGN
analysis-open-text = Collez une FEN ou un PGN
analysis-open-read = Lire
analysis-open-file = Choisir un fichier
analysis-open-games = { $count ->
    [one] Une partie
   *[other] { $count } parties
  }
analysis-open-first = Les { $count } premières parties sur { $total } sont affichées.
analysis-open-more = { $count ->
    [one] Une remarque de plus.
   *[other] { $count } remarques de plus.
  }
analysis-game-name = { $number }. { $white } – { $black }
analysis-read = Lecture terminée.
analysis-broken-turn = Ligne { $line }, demi-coup { $number } :
analysis-broken-line = Ligne { $line } :
analysis-broken-read = { $count ->
    [0] Seule la position de départ a pu être lue.
    [one] Le demi-coup d’avant est lu.
   *[other] Les { $count } demi-coups d’avant sont lus.
  }
analysis-broken-nothing = Rien n’a pu être lu de cette partie.
analysis-save = Partager et enregistrer
analysis-link-copy = Copier le lien

## Garder dans le compte

saved-title = Vos analyses
saved-summary = Garder dans le compte
saved-is-saved = enregistrée
saved-is-changed = modifiée
saved-needs-account = Connectez-vous à votre compte pour y garder des analyses.
saved-name = Nom de l’analyse
saved-name-of = { $variant }, { $date }
saved-save = Enregistrer
saved-save-copy = Enregistrer une copie
saved-copy-of = { $name } (copie)
saved-done = L’analyse est enregistrée dans votre compte.
saved-conflict = Cette analyse a été enregistrée ailleurs entre-temps, dans un autre onglet ou un autre navigateur. Rien n’a été écrasé.
saved-take-other = Voir l’autre version
saved-keep-both = Garder les deux
saved-overwrite = Remplacer l’autre
saved-overwrite-confirm = Oui, remplacer
saved-none = Vous n’avez pas encore d’analyse ici. Ouvrez l’échiquier d’analyse, puis « Garder dans le compte ».
saved-count = { $count } sur { $limit } possibles
saved-download = Toutes en un fichier (PGN)
saved-changed-at = le { $date }
saved-rename = Renommer
saved-rename-this = Renommer { $name }
saved-renamed = L’analyse a un nouveau nom.
saved-delete = Supprimer
saved-delete-confirm = Oui, supprimer
saved-deleted = L’analyse est supprimée.
error-analysis-not-found = Votre compte n’a pas cette analyse. Elle a peut-être été supprimée.
error-analysis-changed = Cette analyse a changé entre-temps ; la voici telle qu’elle est. Réessayez.
error-too-many-analyses = Un compte garde { $limit } analyses au plus. Supprimez-en une.
error-bad-analysis-name = Un nom d’analyse a de 1 à { $limit } caractères, sur une ligne.
error-bad-pgn = Ligne { $line } : ce PGN n’est pas lisible.
error-pgn-games = Une analyse ne contient qu’une partie, avec ses variantes.
error-too-large = C’est trop long pour le compte. Un fichier, lui, n’a pas de limite.

## L’éditeur de position

editor-title = Composer la position
editor-board = Échiquier de composition
editor-hint = Glissez les pièces sur l’échiquier, ou en dehors pour les enlever ; le bouton droit ou un appui long les enlève aussi. Ou choisissez une pièce, puis ses cases.
editor-tool = Pièce à poser
editor-move = Déplacer
editor-erase = Enlever
editor-picked = { $piece } en { $square }, à poser.
editor-turn = Trait
editor-turn-of = { $color ->
    [white] Aux Blancs
   *[black] Aux Noirs
  }
editor-castling = Roques encore possibles
editor-castling-rook = avec la tour { $square }
editor-reserves = Réserves
editor-fine = Cette position est jouable.
editor-done = Analyser
editor-empty = Vider
editor-initial = Position de départ

## Le rapport

report-title = Rapport
report-about = Le moteur examine chaque position de la ligne principale ({ $nodes } positions calculées pour chacune), dans ce navigateur.
report-make = Faire le rapport
report-making = Le moteur relit la partie…
report-graph = Courbe de l’évaluation, coup par coup ; le tableau dit la même chose
report-accuracy = Précision : { $percent } %
report-count-inaccuracy = { $count } { $count ->
    [one] imprécision
   *[other] imprécisions
  }
report-count-mistake = { $count } { $count ->
    [one] erreur
   *[other] erreurs
  }
report-count-blunder = { $count } { $count ->
    [one] gaffe
   *[other] gaffes
  }
report-verdict-inaccuracy = imprécision
report-verdict-mistake = erreur
report-verdict-blunder = gaffe
report-mistakes = Les coups à revoir
report-mistake = – { $verdict } qui coûte { $percent } % des points.
report-better = Mieux : { $line }
report-retry = Réessayer à partir d’ici
report-annotate = Noter cela dans la partie
report-clean = Aucun coup n’a coûté cher.
report-table = Tableau, coup par coup
report-column-turn = Coup
report-column-score = Évaluation
report-column-loss = Perte
report-column-verdict = Jugement
report-percent = { $percent } %
report-how = La perte se compte en points espérés. À { $nodes } positions par coup, le moteur peut se tromper un peu.

## L’exercice

exercise-title = Réessayer
exercise-task = { $color ->
    [white] Les Blancs ont joué { $turn }. Trouvez mieux.
   *[black] Les Noirs ont joué { $turn }. Trouvez mieux.
  }
exercise-play = Jouez sur l’échiquier.
exercise-judging = Le moteur juge ce coup…
exercise-grade-best = C’est le meilleur coup !
exercise-grade-good = Bien joué : ce coup vaut le meilleur.
exercise-grade-fair = Bon coup ; il y a un peu mieux (celui-ci coûte { $percent } % des points).
exercise-grade-wrong = Ce coup coûte { $percent } % des points. Cherchez encore.
exercise-again = Autre coup
exercise-show = Voir la solution
exercise-next = Erreur suivante
exercise-leave = Revenir à l’analyse

## Refus

error-analysis-not-over = Cette partie n’est pas finie ; vous pourrez l’analyser ensuite.
error-engine-load = Le moteur n’a pas pu être chargé. Vérifiez la connexion, puis réessayez.
error-engine-memory = Ce navigateur n’a pas assez de mémoire pour le moteur.
error-engine-network = Le réseau d’évaluation reçu est endommagé. Rechargez la page.
error-pgn = Ce PGN n’est pas lisible.
error-pgn-empty = Il n’y a aucune partie dans ce texte.
error-pgn-variant = Le jeu « { $text } » est inconnu ici. L’étiquette Variant peut être { $known }.
error-pgn-tag = « { $text } » n’est pas une étiquette. Écrivez [Nom "valeur"].
error-pgn-open-comment = Le commentaire qui commence ici n’est jamais fermé par « {"}"} ».
error-pgn-open-variation = Une variante n’est jamais fermée par « ) ».
error-pgn-closes-nothing = « { $text } » ne ferme rien.
error-pgn-too-deep = Les variantes sont trop imbriquées.
error-pgn-too-long = Ce texte est trop long.
error-pgn-blocks-differ = Les deux blocs du fichier diffèrent au demi-coup { $number }.
error-pgn-loose-tag = « { $text } » est lu comme une étiquette, mais devrait s’écrire [Nom "valeur"].
error-pgn-tag-in-movetext = Une étiquette au milieu des coups : la partie suivante y commence.
error-pgn-unknown-sign = « { $text } » n’a pas de sens ici et est omis.
error-pgn-result = « { $text } » n’est pas un résultat. Les résultats sont 1-0, 0-1, 1/2-1/2 et *.
error-pgn-cut-variation = Une variante est coupée ici.
error-pgn-too-much = { $what ->
    [tags] Il y a trop d’étiquettes ; le reste est omis.
    [tag-value] La valeur d’une étiquette est trop longue ; le reste est omis.
    [marks] Un coup porte trop de marques ; le reste est omis.
    [comments] Un coup porte trop de commentaires ; le reste est omis.
    [comment] Un commentaire est trop long ; le reste est omis.
    [variations] Un coup a trop de variantes ; le reste est omis.
   *[other] Il y a trop de coups ; le reste des variantes est omis.
  }
error-pgn-no-turn = Une marque ou une variante qui n’appartient à aucun coup est omise.
error-pgn-compressed = Ce fichier est compressé ({ $kind }). Décompressez-le d’abord.
error-pgn-markup = Ceci est une page web. Téléchargez le PGN lui-même.
error-pgn-other-file = Ce fichier n’est pas un PGN.
error-turn-null-move = Un coup nul est impossible ici : le roi est en échec.
