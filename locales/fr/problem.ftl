# Les problèmes : une position, un coup qui fait l’affaire.

problems-of = Problèmes : { $variant }
problem-standing = Votre cote
problem-streak = Série
problem-count = Résolus
problem-of-all = { $solved } sur { $all }
problem-mate = { $count ->
    [one] Matez en un coup.
   *[other] Matez en { $count } coups.
  }
problem-win = { $count ->
    [one] Gagnez en un coup.
   *[other] Gagnez en { $count } coups.
  }
problem-gain = Un coup est nettement meilleur que tous les autres. Trouvez-le.
problem-level = Difficulté { $rating }
problem-go-on = Bien. L’adversaire répond { $turn } : continuez.
problem-chain = Continuez la prise.
problem-right = Exact
problem-right-win = C’est gagné, et aucun autre premier coup ne gagnait à temps.
problem-right-gain = C’était de loin le meilleur coup.
problem-wrong = Ce n’est pas le bon coup
problem-refuted = Après { $turn }, on ne gagne plus à temps.
problem-drawn = La partie finirait ainsi sans vainqueur.
problem-late = Ce coup ne gagne pas à temps.
problem-worse = Un autre coup est nettement meilleur.
problem-refuting = Le moteur cherche la réponse…
problem-reply = { $color ->
    [white] Les Blancs répondent { $turn } et { $gain }.
   *[black] Les Noirs répondent { $turn } et { $gain }.
  }
problem-rated = Cote : { $before } → { $after }
problem-solution = La solution : { $turns }
problem-retry = Réessayer
problem-show = Voir la solution
problem-next = Problème suivant
problem-analyse = Analyser la position
problem-link = Lien vers ce problème
problem-none = Ce problème n’existe pas.
problem-none-yet = Il n’y a pas encore de problèmes pour ce jeu.
problem-kept = Ce navigateur garde votre cote ; avec un compte, elle vous suit partout. Seul le premier essai compte.
problem-kept-account = Le serveur calcule et garde votre cote, avec votre compte : elle vous suit partout. Seul le premier essai compte. Les problèmes résolus sans compte n’y entrent pas.
problem-unknown = Ce coup n’est pas dans la solution ; vérifier ici s’il mène au but serait trop long.
problem-scene = L’adversaire vient de jouer { $turn }.
problem-hint-ask = Un indice
problem-hint-piece = Indice : la pièce qui joue est en { $square } ({ $piece }).
problem-hint = Indice : de { $from } à { $to }.
problem-hint-stays = Indice : la pièce en { $from } reste sur sa case.
problem-help-counts = Pour la cote, demander un indice ou la solution compte comme un essai manqué.
problem-steps = La solution, coup par coup
problem-steps-keys = Les flèches gauche et droite, Début et Fin parcourent la solution.
problem-line-thinking = Le moteur calcule la suite…
problem-line-failed = Le moteur n’est pas disponible : la suite n’est pas montrée.
problem-line-continues = Le moteur continue :
problem-line-gain = { $color ->
    [white] Les Blancs { $gain }.
   *[black] Les Noirs { $gain }.
  }
# Ce que gagne un camp : après « Les Blancs » ou « Les Blancs répondent Txd4 et ».
problem-gains = gagnent { $pieces }
problem-gains-for = gagnent { $pieces } contre { $lost }
problem-gains-win = gagnent la partie en { $count } { $count ->
    [one] coup
   *[other] coups
  }
problem-gains-advantage = obtiennent un net avantage
problem-themes = Thèmes : { $themes }
problem-continue = Continuer à partir d’ici contre la machine
problem-filter = Thème des problèmes suivants
problem-filter-all = Tous les problèmes ({ $count })
problem-filter-option = { $name } ({ $count })
problem-filter-gain = Le seul bon coup
problem-filter-mate = { $count ->
    [one] Mat en un coup
   *[other] Mat en { $count } coups
  }
problem-filter-win = { $count ->
    [one] Gain en un coup
   *[other] Gain en { $count } coups
  }

## Les problèmes composés

composed-title = Composés par les joueurs
composed-compose = Composer un problème
composed-none = Personne n’en a encore publié. À vous !
composed-untitled = Sans titre
composed-by = par { $name }
composed-by-deleted = par un compte supprimé
composed-mine = le vôtre
composed-proved = prouvé, sans cote
composed-withdraw = Retirer ce problème
composed-withdraw-confirm = Oui, retirer
solution-title = La solution entière
solution-others = (ou { $turns })
solution-incomplete = L’arbre est plus grand : la suite n’est pas montrée.
error-problem-not-found = Ce problème n’existe pas.

## Les thèmes, déduits de la position et de la solution

problem-theme-mate = mat
problem-theme-no-moves = plus aucun coup pour l’adversaire
problem-theme-king-capture = prise d’un roi
problem-theme-double-capture = plusieurs prises en un coup
problem-theme-chain = prises en chaîne
problem-theme-pincer = prise par pincement
problem-theme-coordination = prise par coordination
problem-theme-leap = prise par saut
problem-theme-withdrawal = prise par éloignement
problem-theme-approach = prise par approche
problem-theme-removal = prise sur place
problem-theme-imitation = prise par un caméléon
problem-theme-en-passant = prise en passant
problem-theme-freeze = immobilisation
problem-theme-giving-up = pièce figée retirée
problem-theme-fork = fourchette
problem-theme-discovered-check = échec à la découverte
problem-theme-double-check = échec double
problem-theme-sacrifice = sacrifice
problem-theme-promotion = promotion
problem-theme-castling = roque
problem-theme-quiet-key = premier coup tranquille
