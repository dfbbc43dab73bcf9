//! Decides whether a man can be taken this turn, within a bounded number of steps.
//!
//! In games whose turns are single steps, this examines the legal steps. In Interweave a chain may take the
//! man in a later step, and a position can have millions of chains; Interweave's `capture` module bounds
//! that search.

use crate::{
    moves::Step,
    position::{AnyPosition, Position, SearchPosition},
    square::Square,
};

/// Checks whether a legal turn takes the man on `enemy`; if `own` is given, only turns of the man on that
/// square count.
///
/// `steps` is the number of steps that may still be examined; it is reduced by the number examined. Returns
/// `None` if the limit is reached before the answer is known.
///
/// ```
/// use adoube_rules::{AnyPosition, Square, Variant, capture};
///
/// let position = AnyPosition::from_fen(Variant::Interweave, "k6k/3p4/4p3/4K3/8/8/8/7K w - - 0 1")?;
/// let mut steps = 1_000;
/// // The second step of a chain takes the pawn on d7.
/// assert_eq!(capture::can_take(&position, None, Square::D7, &mut steps), Some(true));
/// assert_eq!(capture::can_take(&position, Some(Square::H1), Square::D7, &mut steps), Some(false));
/// assert_eq!(capture::can_take(&position, None, Square::D7, &mut 0), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn can_take(position: &AnyPosition, own: Option<Square>, enemy: Square, steps: &mut u32) -> Option<bool> {
    let at_once = takes_at_once(position, own, enemy, steps)?;
    if at_once { Some(true) } else { position.can_capture_later(own, enemy, steps) }
}

/// Subtracts `count` from the remaining steps; `None` if fewer remain.
pub(crate) fn deduct_steps(steps: &mut u32, count: usize) -> Option<()> {
    let left = u32::try_from(count).ok().and_then(|count| steps.checked_sub(count));
    *steps = left.unwrap_or(0);
    left.map(|_| ())
}

/// Checks whether the first step of a turn takes the man.
fn takes_at_once<P: Position>(
    position: &P,
    own: Option<Square>,
    enemy: Square,
    left: &mut u32,
) -> Option<bool> {
    let steps = position.legal_steps();
    deduct_steps(left, steps.len())?;
    let matches = |step: &&Step| own.is_none_or(|own| own == step.from());
    Some(steps.iter().filter(matches).any(|&step| position.taken(step).contains(enemy)))
}
