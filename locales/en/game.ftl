# How games end.

## How a game ended

result-white = White wins
result-black = Black wins
result-you-won = You won
result-you-lost = You lost
result-none = Aborted
result-draw = Draw
reason-checkmate = checkmate
reason-stalemate = stalemate, the side to move has no legal move
reason-insufficient-material = not enough material to mate
reason-dead-position = dead position, neither side can mate any more
reason-fifty-moves = fifty-move rule
reason-repetition = the same position for the third time
reason-repetition-lost = the loser brought about the same position for the third time
reason-agreement = by agreement
reason-resignation = by resignation
reason-no-moves = the side to move has no legal move
reason-king-captured = a king was captured
reason-time-out = out of time
reason-time-out-unwinnable = out of time, but the other side could no longer win
reason-abandonment = a player has left
reason-aborted = before both sides had moved
reason-no-first-turn = the first move was not made in time
reason-forfeit = forfeit, the game was not started
reason-adjudication = decision of the arbiter
