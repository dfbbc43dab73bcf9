# Las piezas, sus letras y el final de las partidas.

## Piezas: el nombre con su color

piece-pawn = { $color ->
    [white] peón blanco
   *[black] peón negro
  }
piece-knight = { $color ->
    [white] caballo blanco
   *[black] caballo negro
  }
piece-bishop = { $color ->
    [white] alfil blanco
   *[black] alfil negro
  }
piece-rook = { $color ->
    [white] torre blanca
   *[black] torre negra
  }
piece-queen = { $color ->
    [white] dama blanca
   *[black] dama negra
  }
piece-king = { $color ->
    [white] rey blanco
   *[black] rey negro
  }
piece-pincer-pawn = { $color ->
    [white] peón pinza blanco
   *[black] peón pinza negro
  }
piece-long-leaper = { $color ->
    [white] saltador largo blanco
   *[black] saltador largo negro
  }
piece-chameleon = { $color ->
    [white] camaleón blanco
   *[black] camaleón negro
  }
piece-coordinator = { $color ->
    [white] coordinador blanco
   *[black] coordinador negro
  }
piece-withdrawer = { $color ->
    [white] retirador blanco
   *[black] retirador negro
  }
piece-immobilizer = { $color ->
    [white] inmovilizador blanco
   *[black] inmovilizador negro
  }
piece-leaper = { $color ->
    [white] saltador blanco
   *[black] saltador negro
  }
piece-remover = { $color ->
    [white] supresor blanco
   *[black] supresor negro
  }
piece-smasher = { $color ->
    [white] percutor blanco
   *[black] percutor negro
  }

## Letras, solo en pantalla: las de las piezas de ajedrez cuya figura toma prestada cada una

letter-pawn = P
letter-knight = C
letter-bishop = A
letter-rook = T
letter-queen = D
letter-king = R
letter-pincer-pawn = P
letter-long-leaper = C
letter-chameleon = A
letter-coordinator = T
letter-withdrawer = D
letter-immobilizer = I
letter-leaper = C
letter-remover = A
letter-smasher = T

## Final de la partida

result-white = Ganan las blancas
result-black = Ganan las negras
result-none = Partida anulada
result-draw = Tablas
reason-checkmate = jaque mate
reason-stalemate = ahogado, el bando que tiene el turno no tiene jugada
reason-insufficient-material = material insuficiente para dar mate
reason-dead-position = posición muerta, ningún bando puede ya dar mate
reason-fifty-moves = regla de las cincuenta jugadas
reason-repetition = la misma posición por tercera vez
reason-repetition-lost = quien pierde repitió la misma posición por tercera vez
reason-agreement = de común acuerdo
reason-resignation = por abandono
reason-no-moves = el bando que tiene el turno no tiene jugada
reason-king-captured = un rey ha sido capturado
reason-time-out = tiempo agotado
reason-time-out-unwinnable = tiempo agotado, pero el otro bando ya no podía ganar
reason-abandonment = un jugador se ha ido
reason-aborted = antes de empezar
reason-no-first-turn = la primera jugada no llegó
reason-forfeit = incomparecencia: la partida no se empezó
