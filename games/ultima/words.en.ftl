# The words of this game. A role that several games share is named by the first of them.

variant-ultima = Ultima
about-ultima = The original rules of Robert Abbott: a frozen piece stays frozen, unless its own side takes it off the board.
diagram-ultima = Starting position of Ultima

## What the two rules of draws mean here

draws-club-ultima = Fifty moves without a piece leaving the board, or the same position three times: drawn at once.
draws-fide-ultima = These draws are claimed; they are automatic only at 75 moves or five repetitions.
