# Les mots de ce jeu. Un rôle que plusieurs jeux partagent est nommé par le premier d’entre eux.

variant-chess = Échecs
about-chess = Les échecs orthodoxes, tels qu’on les joue partout. On gagne en matant le roi.
diagram-chess = Position de départ des échecs

## Ses départs mélangés, par le nom que les joueurs cherchent

start-same-chess = Chess960 : mélangée, la même pour les deux
start-different-chess = Chess960 double : une position par camp
start-number-chess = Chess960, par son numéro
start-number-label-chess = Numéro de la position Chess960 (518 : l’habituelle)
setting-shuffled-chess = Chess960

## Ce que les deux règles de nulle veulent dire ici

draws-club-chess = Cinquante coups sans prise ni coup de pion, ou trois fois la même position : nulle aussitôt. Roi et deux cavaliers contre roi : nulle aussi.
draws-fide-chess = Cinquante coups sans prise ni coup de pion, ou trois fois la même position : nulle, si on la réclame ; automatique à 75 coups ou à la cinquième fois. Roi et deux cavaliers contre roi : la partie continue.

## Ses pièces : le nom avec la couleur, avec l’article, et la lettre à l’écran

piece-pawn = { $color ->
    [white] pion blanc
   *[black] pion noir
  }
piece-knight = { $color ->
    [white] cavalier blanc
   *[black] cavalier noir
  }
piece-bishop = { $color ->
    [white] fou blanc
   *[black] fou noir
  }
piece-rook = { $color ->
    [white] tour blanche
   *[black] tour noire
  }
piece-queen = { $color ->
    [white] dame blanche
   *[black] dame noire
  }
piece-king = { $color ->
    [white] roi blanc
   *[black] roi noir
  }
the-pawn = { $color ->
    [white] le pion blanc
   *[black] le pion noir
  }
the-knight = { $color ->
    [white] le cavalier blanc
   *[black] le cavalier noir
  }
the-bishop = { $color ->
    [white] le fou blanc
   *[black] le fou noir
  }
the-rook = { $color ->
    [white] la tour blanche
   *[black] la tour noire
  }
the-queen = { $color ->
    [white] la dame blanche
   *[black] la dame noire
  }
the-king = { $color ->
    [white] le roi blanc
   *[black] le roi noir
  }
letter-pawn = P
letter-knight = C
letter-bishop = F
letter-rook = T
letter-queen = D
letter-king = R

## Comment va chaque pièce, ce qu’elle prend et la clause qui le dit

goes-chess-pawn = Avance d’une case droit devant, ou de deux depuis sa rangée de départ.
captures-chess-pawn = D’une case en diagonale vers l’avant ; en passant, le pion qui vient d’avancer de deux cases.
clause-chess-pawn = C7
goes-chess-knight = Saute de deux cases tout droit et d’une de côté, par-dessus toutes les pièces.
captures-chess-knight = La pièce adverse qui se trouve sur sa case d’arrivée.
clause-chess-knight = C6
goes-chess-bishop = En diagonale, aussi loin que la voie est libre.
captures-chess-bishop = La première pièce sur sa diagonale, si elle est adverse.
clause-chess-bishop = C5
goes-chess-rook = Le long de la colonne ou de la rangée, aussi loin que la voie est libre.
captures-chess-rook = La première pièce sur sa ligne, si elle est adverse.
clause-chess-rook = C5
goes-chess-queen = Comme la tour ou comme le fou, aussi loin que la voie est libre.
captures-chess-queen = La première pièce sur sa ligne ou sa diagonale, si elle est adverse.
clause-chess-queen = C5
goes-chess-king = D’une case dans toutes les directions, jamais sur une case attaquée ; une fois par partie, il peut roquer.
captures-chess-king = La pièce adverse voisine, si rien ne la protège.
clause-chess-king = C4
