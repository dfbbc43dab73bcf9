//! The lines that show an explanation on the board.

use adoube_rules::{
    Square,
    explain::{CastlingObstacle, Reason, Taking, Way},
};

type Line = [String; 2];

/// Returns what shows how a man is taken, besides the way of the man that takes it.
pub(super) fn of_taking(taking: &Taking) -> Vec<Line> {
    let (from, to, victim) = (taking.by.square, taking.to, taking.victim.square);
    match taking.way {
        Way::EnPassant { crossed } => vec![line(victim, crossed)],
        Way::Pincer { partner } | Way::Custodian { partner } => vec![line(to, partner)],
        Way::Coordination { king, opposite } => {
            vec![line(to, victim), line(victim, king), line(king, opposite), line(opposite, to)]
        }
        Way::Withdrawal | Way::Removal => vec![line(from, victim)],
        Way::Approach => vec![line(to, victim)],
        Way::DoubleKnightLeap { midpoint } => vec![line(from, midpoint), line(midpoint, to)],
        _ => Vec::new(),
    }
}

/// Returns what shows a reason, besides the men that it mentions and what could be taken.
pub(super) fn of_reason(reason: &Reason) -> Vec<Line> {
    match reason {
        Reason::Pinned { by, king, .. } => vec![line(by.square, *king)],
        Reason::FrozenByImmobilizer { man, by, .. } | Reason::FrozenByChameleon { man, by } => {
            vec![line(by.square, man.square)]
        }
        Reason::Castling {
            obstacle: CastlingObstacle::Crosses { square, by } | CastlingObstacle::LandsOn { square, by },
            ..
        } => vec![line(by.square, *square)],
        _ => Vec::new(),
    }
}

fn line(from: Square, to: Square) -> Line {
    [from.to_string(), to.to_string()]
}
