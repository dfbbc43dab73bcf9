drill-giveaway-give-title = A piece to give away
drill-giveaway-give-task = Can the pawn go to c3?
drill-giveaway-give-hint = Is there anything to take?
drill-giveaway-give-why = Yes: it has nothing to take, and Black will have to take it.
