variant-giveaway = Giveaway
about-giveaway = Taking is compulsory, and the side that has no move left wins.
diagram-giveaway = Starting position of Giveaway

draws-club-giveaway = Fifty moves without a capture or a pawn move, or the same position three times: drawn at once.
draws-fide-giveaway = These draws are claimed; they are automatic only at 75 moves or five repetitions.
