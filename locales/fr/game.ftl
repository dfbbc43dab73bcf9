# La fin des parties.

## Fin de partie

result-white = Les Blancs gagnent
result-black = Les Noirs gagnent
result-you-won = Vous avez gagné
result-you-lost = Vous avez perdu
result-none = Partie annulée
result-draw = Partie nulle
reason-checkmate = échec et mat
reason-stalemate = pat, le camp au trait n’a plus de coup
reason-insufficient-material = matériel insuffisant pour mater
reason-dead-position = position morte, plus aucun camp ne peut mater
reason-fifty-moves = règle des cinquante coups
reason-seventy-five-moves = règle des soixante-quinze coups
reason-repetition = répétition de la même position
reason-repetition-lost = le perdant a ramené la même position pour la troisième fois
reason-fivefold-repetition = cinquième apparition de la même position
reason-agreement = accord mutuel
reason-resignation = abandon
reason-no-moves = le camp au trait n’a plus de coup
reason-king-captured = un roi est pris
reason-time-out = temps écoulé
reason-time-out-unwinnable = temps écoulé, mais l’autre camp ne pouvait plus gagner
reason-abandonment = un joueur a quitté la partie
reason-aborted = l’un des camps n’avait pas encore joué
reason-no-first-turn = le premier coup n’a pas été joué à temps
reason-forfeit = forfait, la partie n’a pas été commencée
reason-adjudication = décision de l’arbitre
