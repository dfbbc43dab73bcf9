//! Explains to the page why a wrong turn misses a drill's goal.

use adoube_learn::Miss;
use adoube_rules::{AnyPosition, Position as _, coordinate};
use serde::Serialize;

use crate::{
    explain::{Describer, MissCode, ReasonView},
    view::{PieceView, color_name, square_name},
};

/// Something that a wrong turn does or leaves undone, with the men, squares and numbers that its sentence
/// may mention.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MissView {
    pub code: MissCode,
    /// The man that moves, or that the sentence is about.
    pub man: Option<PieceView>,
    pub men: Vec<PieceView>,
    /// The square where the turn ends.
    #[cfg_attr(test, ts(type = "Square | null"))]
    pub to: Option<&'static str>,
    /// The enemy's square, or the one that the man cannot reach.
    #[cfg_attr(test, ts(type = "Square | null"))]
    pub at: Option<&'static str>,
    /// The king's square.
    #[cfg_attr(test, ts(type = "Square | null"))]
    pub king: Option<&'static str>,
    /// Other squares: the one behind the enemy, the corners of a rectangle.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub squares: Vec<&'static str>,
    pub count: usize,
    /// The largest number of men that any turn takes.
    pub most: usize,
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub color: Option<&'static str>,
    /// The role that a pawn promotes to.
    #[cfg_attr(test, ts(type = "Role | null"))]
    pub role: Option<&'static str>,
    /// The outcome of the game, if it is over.
    pub outcome: Option<&'static str>,
    pub reason: Option<ReasonView>,
    /// A reply, in coordinate notation.
    pub turn: Option<String>,
}

/// Describes one way in which the wrong turn that led to `after` misses the goal.
pub(crate) fn view(after: &AnyPosition, miss: &Miss) -> MissView {
    let describer = Describer(after.variant());
    let mut view = MissView {
        code: MissCode::of(miss),
        man: None,
        men: Vec::new(),
        to: None,
        at: None,
        king: None,
        squares: Vec::new(),
        count: 0,
        most: 0,
        color: None,
        role: None,
        outcome: None,
        reason: None,
        turn: None,
    };
    let (mut mover, mut to, mut at, mut king, mut reply) = (None, None, None, None, None);
    match miss {
        Miss::Over { outcome } => view.outcome = Some(outcome.reason()),
        Miss::Stays { men } | Miss::TooMany { men } | Miss::Left { men } | Miss::Mobile { men } => {
            view.men = men.iter().map(|&man| describer.man(man)).collect();
        }
        Miss::Retaken { man, to: end } | Miss::PincerDiagonal { man, to: end } => {
            (mover, to) = (Some(man), Some(end));
        }
        Miss::Unreachable { at: square, reason } => {
            (at, view.reason) = (Some(square), Some(describer.reason(reason)));
        }
        Miss::Landing { man, to: end, at: square }
        | Miss::PincerFar { man, to: end, at: square }
        | Miss::Leap { man, to: end, at: square }
        | Miss::Withdrawal { man, to: end, at: square }
        | Miss::Approach { man, to: end, at: square } => {
            (mover, to, at) = (Some(man), Some(end), Some(square));
        }
        Miss::PincerEdge { to: end, at: square } => (to, at) = (Some(end), Some(square)),
        Miss::PincerAlone { to: end, at: square, behind } => {
            (to, at, view.squares) = (Some(end), Some(square), vec![square_name(*behind)]);
        }
        Miss::Aligned { man, to: end, king: square } => {
            (mover, to, king) = (Some(man), Some(end), Some(square));
        }
        Miss::Corners { to: end, king: partner, corners, at: square } => {
            (to, king, at) = (Some(end), Some(partner), Some(square));
            view.squares = corners.iter().map(|&corner| square_name(corner)).collect();
        }
        Miss::Count { count, most } => (view.count, view.most) = (*count, *most),
        Miss::NoCheck { king: man }
        | Miss::KingMoved { man }
        | Miss::KingStill { man }
        | Miss::KingOneSquare { man } => {
            mover = Some(man);
        }
        Miss::NoAttack { man, at: square } | Miss::NotTouching { man, at: square } => {
            (mover, at) = (Some(man), Some(square));
        }
        Miss::Promoted { color, role } => {
            view.color = Some(color_name(*color));
            view.role = Some(after.variant().role_name(*role));
        }
        Miss::Occurs { count } => view.count = *count,
        Miss::Held { reason } => view.reason = Some(describer.reason(reason)),
        Miss::Replies { count, turn } => (view.count, reply) = (*count, Some(turn)),
        Miss::Refuted { turn } => reply = Some(turn),
        Miss::OtherMan | Miss::EnPassant | Miss::KingStayed | Miss::NoPromotion | Miss::OutOfReach => {}
    }
    view.man = mover.map(|&man| describer.man(man));
    view.to = to.copied().map(square_name);
    view.at = at.copied().map(square_name);
    view.king = king.copied().map(square_name);
    view.turn = reply.map(|turn| coordinate::write(after, turn));
    view
}
