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
reason-dead-position = dead position, neither side can give mate any more
reason-fifty-moves = fifty-move rule
reason-seventy-five-moves = seventy-five-move rule
reason-repetition = repetition of the same position
reason-repetition-lost = third occurrence of the same position, which loses for the side that brought it about
reason-fivefold-repetition = fivefold repetition of the same position
reason-agreement = by agreement
reason-resignation = by resignation
reason-no-moves = the side to move has no legal move
reason-king-captured = a king was captured
reason-time-out = on time
reason-time-out-unwinnable = one side ran out of time, but the other could no longer win
reason-abandonment = a player left the game
reason-aborted = before both sides had moved
reason-no-first-turn = a first move was not made in time
reason-forfeit = by forfeit, as one side did not start the game
reason-adjudication = decided by the arbiter
