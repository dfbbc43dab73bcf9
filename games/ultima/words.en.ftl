# Texts of this game. A role shared by several games is named in the first of them.

variant-ultima = Ultima
about-ultima = The original rules of Robert Abbott: a frozen piece stays frozen, unless its own side takes it off the board.
diagram-ultima = Starting position of Ultima

## The two sets of draw rules

draws-club-ultima = Fifty moves without a piece leaving the board, or the same position three times: drawn at once.
draws-fide-ultima = These draws are claimed; they are automatic only at 75 moves or five repetitions.
