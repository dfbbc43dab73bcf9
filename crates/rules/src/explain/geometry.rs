//! Geometry of squares and men shared by all games.

use super::{Man, Reason};
use crate::{attacks, color::Color, position::Position, square::Square, square_set::SquareSet};

pub(super) fn man_at<P: Position>(position: &P, square: Square) -> Option<Man> {
    position.piece_at(square).map(|piece| Man { square, piece })
}

/// Returns the men strictly between two squares on one line, nearest first.
pub(super) fn blockers<P: Position>(position: &P, from: Square, to: Square) -> Vec<Man> {
    let mut men: Vec<_> =
        attacks::between(from, to).into_iter().filter_map(|square| man_at(position, square)).collect();
    men.sort_by_key(|man| distance(from, man.square));
    men
}

pub(super) fn blocked<P: Position>(
    position: &P,
    man: Man,
    to: Square,
) -> impl Iterator<Item = Reason> + use<P> {
    blockers(position, man.square, to).into_iter().map(move |by| Reason::Blocked { man, by })
}

/// Returns the reason, if any, why the man on the target square prevents another man from landing there.
pub(super) fn landing<P: Position>(
    position: &P,
    man: Man,
    to: Square,
    captures_by_landing: bool,
) -> Option<Reason> {
    let occupant = man_at(position, to)?;
    if occupant.color() == man.color() {
        Some(Reason::OwnMan { man, occupant })
    } else if captures_by_landing {
        None
    } else {
        Some(Reason::Occupied { man, occupant })
    }
}

/// Returns the number of king steps between two squares.
pub(super) fn distance(from: Square, to: Square) -> u8 {
    let (files, ranks) = difference(from, to);
    files.unsigned_abs().max(ranks.unsigned_abs())
}

/// Returns the offset from one square to another: files to the right, and ranks up.
pub(super) fn difference(from: Square, to: Square) -> (i8, i8) {
    (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8)
}

/// Returns the square midway between two squares, if they are an even number of files and ranks apart.
pub(super) fn middle(from: Square, to: Square) -> Option<Square> {
    let (files, ranks) = difference(from, to);
    if files % 2 == 0 && ranks % 2 == 0 { from.offset(files / 2, ranks / 2) } else { None }
}

/// Returns the number of ranks by which a side's pawns advance: 1 or −1.
pub(super) fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Returns the enemies orthogonally adjacent to `to` that a man landing there would enclose together with a
/// friend directly behind them, each with the square of that friend (B6, I9). The square that the man leaves
/// counts as empty.
pub(super) fn enclosed_by<P: Position>(position: &P, man: Man, to: Square) -> Vec<(Man, Square)> {
    let friends = position.men(man.color()) - SquareSet::of(man.square);
    attacks::ORTHOGONAL
        .into_iter()
        .filter_map(|(files, ranks)| {
            let victim = man_at(position, to.offset(files, ranks)?)?;
            let partner = victim.square.offset(files, ranks)?;
            (victim.color() != man.color() && friends.contains(partner)).then_some((victim, partner))
        })
        .collect()
}
