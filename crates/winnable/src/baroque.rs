//! Proofs for Baroque.

use adoube_rules::{Baroque, Color, Position};

use crate::{ProofKind, Verdict};

/// Decides whether a side can win in Baroque: a side with too little material cannot (B13). Captured men
/// never return and men do not promote, so a side with too little material has too little in all later
/// positions.
///
/// *A lone king does not give check, nor does a king with only pawns and coordinators.* A king captures only on
/// adjacent squares (B3). So it could give check only by standing next to the other king, which could then
/// capture it as well, unless the other king is immobilised. That needs an immobilizer on the first king's
/// side (B4), and a king that is itself immobilised does not give check (B12). So a side that moved its king
/// there, or freed the immobilised king that stood there, would have left its own king in check, which B12
/// forbids. For the same reason, if a side has only pawns and coordinators besides its king and is not to
/// move, its king, immobilised or not, is not next to the other one: that king is free to move and could
/// capture it.
///
/// * *A lone king* does not win, because it does not give check.
/// * *One pawn,* whatever the opponent has. It captures a king only if a friend of the pawn is right behind
///   that king (B6). That friend would be the pawn's king, next to the other one.
/// * *Two pawns against a lone king.* None of their positions is a mate; a test enumerates them all.
/// * *Only coordinators, against a lone king.* A coordinator captures only on its king's file or rank (B7).
///   Let the lone king be in check on the other king's rank; the same applies to the file. At least one of
///   the squares directly above and below it is on the board. That square is not next to the other king,
///   which is at least two files away, and it is neither on that king's file nor on its rank, so no
///   coordinator captures there. It is empty or contains a coordinator, which the lone king can capture: no
///   man protects it there. So this is not mate.
///
/// Nothing else is proved: an immobilizer, a long leaper, a chameleon or a withdrawer can mate a lone king
/// with the help of its own king.
pub(super) fn baroque(position: &Baroque, winner: Color) -> Verdict {
    use adoube_rules::variant::baroque::role as man;
    let ours = position.men(winner) - position.men_of_role(man::KING);
    let theirs = position.men(!winner) - position.men_of_role(man::KING);
    let (pawns, coordinators) =
        (position.men_of_role(man::PINCER_PAWN), position.men_of_role(man::COORDINATOR));
    let few_pawns = (ours - pawns).is_empty() && ours.len() <= if theirs.is_empty() { 2 } else { 1 };
    let coordinators_alone = theirs.is_empty() && (ours - coordinators).is_empty();
    if few_pawns || coordinators_alone { Verdict::Unwinnable(ProofKind::Material) } else { Verdict::Unknown }
}
