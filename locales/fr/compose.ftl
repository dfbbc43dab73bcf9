# Composer un problème : la position, le but, la solution, la preuve.

compose-title = Composer : { $variant }
compose-to-problems = Retour aux problèmes
compose-about = Posez une position, jouez votre solution, faites-la prouver. Le serveur examine chaque coup des deux camps et dit s’il existe une autre solution. Seul un problème prouvé se publie.

## La position

compose-fen = Partir d’une FEN
compose-fen-read = Mettre en place
compose-take = Utiliser cette position

## Le but et la solution

compose-board = Votre problème
compose-goal = Le but
compose-turns = Coups
compose-goal-hint = Seul un gain forcé se prouve. « Un coup nettement meilleur » repose sur un calcul, qui ne prouve rien : cela ne se compose pas ici.
compose-solution = La solution
compose-solution-hint = Jouez-la sur l’échiquier, pour les deux camps. Le premier coup suffit : la preuve trouve le reste. Revenez en arrière et jouez une autre réponse pour ajouter une ligne.
compose-remove = Retirer
compose-remove-line = Retirer la ligne { $line }
compose-back = Coup précédent
compose-start = Début
compose-edit = Changer la position

## La preuve

compose-proof = La preuve
compose-prove = Prouver
compose-proving = Le serveur examine tous les coups…
compose-name = Titre (facultatif)
compose-name-hint = Publié sous le nom de { $name }.
compose-publish = Publier
compose-needs-account = Pour publier, il faut un compte : un problème porte le nom de qui l’a composé.
compose-account = Créer un compte
proof-proved = C’est prouvé
proof-proved-why = Un seul premier coup mène au but, et rien n’y mène plus tôt.
proof-known = Cette position figure déjà dans un problème
proof-known-link = Voir ce problème
proof-second = { $count ->
    [one] Il y a une autre solution
   *[other] Il y a { $count } autres solutions
  }
proof-second-all = Plusieurs premiers coups mènent au but :
proof-second-own = { $turn } mène au but, mais ceci aussi :
proof-sooner = Le but peut être atteint plus tôt
proof-refuted = { $turn } ne mène pas au but
proof-refuted-reply = L’adversaire répond { $turn }, et l’on ne gagne plus à temps.
proof-refuted-end = La partie finirait ainsi sans vainqueur.
proof-instead = Ce qui mène au but à sa place :
proof-no-win = Il n’y a pas de solution
proof-no-win-why = { $count ->
    [one] Rien ne gagne en un coup.
   *[other] Rien ne gagne en { $count } coups contre toute défense.
  }
proof-too-hard = Trop difficile à prouver ici
proof-too-hard-why = Après { NUMBER($count) } positions, le problème n’est ni prouvé ni réfuté. Essayez un but plus court ou moins de pièces.
proof-unfit = Cela ne peut pas être examiné

## Ce qui est refusé

error-problem-known = Cette position figure déjà dans un problème ({ $id }).
error-problem-title = Un titre compte de 1 à { $limit } caractères lisibles.
error-problem-second-solution = Il y a une autre solution : { $line }.
error-problem-sooner = Le but peut être atteint en { $turns } { $turns ->
    [one] coup
   *[other] coups
  } : { $line }.
error-problem-refuted = { $line } ne mène pas au but : { $reply } le réfute.
error-problem-no-winner = Après { $line }, la partie se termine sans vainqueur.
error-problem-no-win = Rien ne mène au but à temps.
error-problem-too-hard = Après { $nodes } positions, rien n’est décidé.
error-problem-unfit = Cette composition ne peut pas être examinée.
error-compose-turns = Le gain doit demander de 1 à { $limit } coups.
error-compose-goal = Seul un gain forcé se prouve.
error-compose-too-many-lines = Cela fait trop de lignes.
error-compose-line-too-long = Une ligne se poursuit au-delà du but.
error-compose-two-first-turns = Vos lignes commencent par deux coups différents ({ $one } et { $other }) : cela ferait deux solutions.
