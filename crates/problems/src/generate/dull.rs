//! Positions and problems that are not worth solving.

use adoube_engine::Searchable;
use adoube_rules::{Color, Square, SquareSet, Turn, coordinate};

use super::read;
use crate::collection::{Goal, Problem};

/// The minimum number of men of the solver's opponent.
const MIN_DEFENDERS: usize = 4;
/// The minimum lead, in units of the search, that counts as one-sided, however few men are left.
const MIN_LOPSIDED_LEAD: i32 = 500;

/// Returns `true` if a known problem, with this position, is not worth offering.
pub(super) fn is_dull_problem<P: Searchable>(problem: &Problem, position: &P) -> bool {
    is_dull(position) || is_plain_recapture(problem, position)
}

/// Returns `true` if a position would make a dull problem: the defender has few men left, or the solver
/// already has far more material.
pub(super) fn is_dull<P: Searchable>(position: &P) -> bool {
    let solver = position.side_to_move();
    position.men(!solver).len() < MIN_DEFENDERS || is_lopsided(position, solver)
}

/// Returns `true` if a side has more than twice the other's material, and leads by [`MIN_LOPSIDED_LEAD`].
pub(super) fn is_lopsided<P: Searchable>(position: &P, side: Color) -> bool {
    let worth = |color| -> i32 {
        let men = position.men(color).into_iter().filter_map(|square| position.piece_at(square));
        men.map(|piece| P::VALUES[piece.role.index()].abs()).sum()
    };
    let (own, other) = (worth(side), worth(!side));
    own - other >= MIN_LOPSIDED_LEAD && own > 2 * other
}

/// Returns `true` if all there is to find is a recapture. Returns `false` if the solution goes on after it,
/// and for older problems, which do not contain the turn that led to them.
pub(super) fn is_plain_recapture<P: Searchable>(problem: &Problem, position: &P) -> bool {
    let (Goal::Gain, [only], Some(before)) = (problem.goal, &problem.line[..], &problem.before) else {
        return false;
    };
    // Turns that cannot be played are reported by the collection test.
    let Ok(from) = read::<P>(&before.fen) else { return false };
    let Ok(last) = coordinate::parse(&from, &before.turn) else { return false };
    coordinate::parse(position, only).is_ok_and(|turn| is_recapture(position, &turn, &(from, last)))
}

/// Returns `true` if a turn takes the man that has just taken something, and no other. `last` is the turn
/// before it, with the position in which it was played.
///
/// In chess, this is a capture on the square where the last turn ended. In the other games, a man can take
/// without going to the square of its victim, so only the victim is compared.
pub(super) fn is_recapture<P: Searchable>(position: &P, turn: &Turn, last: &(P, Turn)) -> bool {
    let (before, played) = last;
    let (Some(square), taken) = effects(before, played) else { return false };
    taken.any() && effects(position, turn).1 == SquareSet::of(square)
}

/// Returns the square where a turn ends, and the squares of the men that it takes.
fn effects<P: Searchable>(position: &P, turn: &Turn) -> (Option<Square>, SquareSet) {
    let mut current = position.clone();
    let (mut end, mut taken) = (None, SquareSet::EMPTY);
    for &step in turn.steps() {
        end = Some(current.destination(step));
        taken |= current.taken(step);
        current.play_unchecked(step);
    }
    (end, taken)
}
