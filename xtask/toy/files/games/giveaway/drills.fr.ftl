drill-giveaway-give-title = Une pièce à donner
drill-giveaway-give-task = Le pion peut-il aller en c3 ?
drill-giveaway-give-hint = Y a-t-il quelque chose à prendre ?
drill-giveaway-give-why = Oui : il n’a rien à prendre, et les Noirs devront le prendre.
