# Les documents que le serveur envoie : ce qu’en lisent les moteurs de recherche, les aperçus de liens et les
# navigateurs sans JavaScript. Le reste de leur texte vient des autres fichiers.

document-home = Échecs, Baroque, Interweave et Ultima
document-about-home = Jouez sans compte et sans publicité aux échecs, à Baroque, à Ultima et à Interweave, contre un ami ou contre la machine. Règles illustrées, exercices et problèmes.
document-about-hall = La salle : proposez une partie d’échecs, de Baroque, d’Ultima ou d’Interweave, acceptez celle d’un autre, ou regardez jouer.
document-about-analysis = { $variant } : échiquier d’analyse, variantes, commentaires, PGN, et l’évaluation du moteur dans votre navigateur.
document-about-rules = { $variant } : toutes les règles, une à la fois, avec des diagrammes sur lesquels on peut jouer.
document-about-learn = { $variant } : { $count } exercices, du plus simple au plus difficile, chacun avec sa réponse expliquée.
document-about-problems = { $variant } : { $count } problèmes, des plus faciles aux plus difficiles, chacun avec sa solution.
document-about-game = { $variant }, une partie sur adoube : { $white } contre { $black }. { $state }
document-about-missing = Cette adresse ne mène à rien sur adoube.
document-languages = Langues
document-no-scripts = Cette page se lit sans JavaScript. Pour jouer sur les échiquiers, il faut l’activer.
document-needs-scripts = Cette page a besoin de JavaScript. Sans lui, on peut lire les règles, les exercices, les problèmes et les parties.
document-failed = Le programme de cette page n’a pas pu être chargé. Vérifiez la connexion, puis rechargez la page.
document-answer = Voir la réponse
document-answers = Réponse : { $answers }
document-solution = Voir la solution
document-pieces-white = Blancs : { $pieces }
document-pieces-black = Noirs : { $pieces }
document-reserve-white = Réserve des Blancs : { $pieces }
document-reserve-black = Réserve des Noirs : { $pieces }
document-game = { $variant } : { $white } contre { $black }
document-game-plays = La partie est en cours : { $moves ->
    [0] aucun coup joué
    [one] un coup joué
   *[other] { $moves } coups joués
  }.
document-game-waits = La partie attend son second joueur.
document-game-pgn = Télécharger la partie (PGN)
document-game-missing-title = Partie introuvable
document-game-missing = Il n’y a pas de partie à cette adresse. Le lien est peut-être incomplet.
document-invitation = Invitation à jouer : { $variant }
document-about-invitation = { $variant } : on vous invite à une partie sur adoube. Ouvrez le lien pour voir les conditions et prendre place.
document-invitation-over-title = Invitation close
document-invitation-over = Cette invitation n’est plus ouverte : quelqu’un a pris la place, ou la partie a été annulée. Vous pouvez regarder la partie, ou en commencer une autre.
document-invitation-missing-title = Invitation introuvable
document-invitation-missing = Il n’y a pas d’invitation à cette adresse. Le lien est peut-être incomplet : demandez-le à nouveau à la personne qui vous l’a envoyé.
document-problem-title = { $variant }, problème : { $goal }
