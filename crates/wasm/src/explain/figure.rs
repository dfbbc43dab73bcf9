//! The lines that illustrate an explanation on the board.

use adoube_rules::{
    Square,
    explain::{CaptureMethod, CastlingObstacle, Reason, Taking},
};

use crate::view::square_name;

type Line = [&'static str; 2];

/// Returns the lines that illustrate a taking, in addition to the path of the man that takes.
pub(super) fn of_taking(taking: &Taking) -> Vec<Line> {
    let (from, to, victim) = (taking.by.square, taking.to, taking.victim.square);
    match taking.method {
        CaptureMethod::EnPassant { crossed } => vec![line(victim, crossed)],
        CaptureMethod::Pincer { partner } | CaptureMethod::Custodian { partner } => vec![line(to, partner)],
        CaptureMethod::Coordination { king, opposite } => {
            vec![line(to, victim), line(victim, king), line(king, opposite), line(opposite, to)]
        }
        CaptureMethod::Withdrawal | CaptureMethod::Removal => vec![line(from, victim)],
        CaptureMethod::Approach => vec![line(to, victim)],
        CaptureMethod::DoubleKnightLeap { midpoint } => vec![line(from, midpoint), line(midpoint, to)],
        _ => Vec::new(),
    }
}

/// Returns the lines that illustrate a reason, in addition to the men and takings that it mentions.
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
    [square_name(from), square_name(to)]
}
