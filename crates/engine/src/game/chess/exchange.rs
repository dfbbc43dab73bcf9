//! Static exchange evaluation in chess: the gain that remains when both sides keep recapturing on a square,
//! least valuable man first, for as long as it pays.

use adoube_rules::{
    Chess, Color, Position, Role, Square, SquareSet, Step, attacks,
    variant::chess::role::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

use super::Searchable;

/// The value at stake when the king captures. It is prohibitive, because the king must not be recaptured.
const KING_VALUE: i32 = 20_000;

fn value(role: Role) -> i32 {
    if role == KING { KING_VALUE } else { Chess::VALUES[role.index()] }
}

/// Returns `true` if at least `min` of the gain of a step remains after all exchanges. Ignores pins.
pub(super) fn wins(position: &Chess, step: Step, gain: i32, min: i32) -> bool {
    let (from, to, us) = (step.from(), step.to(), position.side_to_move());
    let own = position.men(us);
    if own.contains(to) {
        // Castling captures nothing and cannot be answered by a recapture.
        return min <= 0;
    }
    let mut balance = gain - min;
    if balance < 0 {
        return false;
    }
    let Some(moved) = position.piece_at(from) else { return false };
    let mut at_stake = value(step.promotion().unwrap_or(moved.role));
    // Enough remains even if the man is recaptured for nothing.
    balance -= at_stake;
    if balance >= 0 {
        return true;
    }
    let mut occupied = (position.men(Color::White) | position.men(Color::Black)) - SquareSet::of(from);
    occupied.insert(to);
    if moved.role == PAWN && from.file() != to.file() && position.piece_at(to).is_none() {
        // The pawn captured en passant is not on the destination.
        occupied.remove(Square::new(to.file(), from.rank()));
    }
    let queens = position.men_of_role(QUEEN);
    let diagonal = position.men_of_role(BISHOP) | queens;
    let straight = position.men_of_role(ROOK) | queens;
    let mut attackers =
        attacks::pawn(Color::Black, to) & position.men_of_role(PAWN) & position.men(Color::White)
            | attacks::pawn(Color::White, to) & position.men_of_role(PAWN) & position.men(Color::Black)
            | attacks::knight(to) & position.men_of_role(KNIGHT)
            | attacks::king(to) & position.men_of_role(KING)
            | attacks::bishop(to, occupied) & diagonal
            | attacks::rook(to, occupied) & straight;
    let mut side = !us;
    // The side that has just captured has reached its target, but would be `-balance` short of it if its man
    // were recaptured for nothing. The exchange ends when `side` cannot recapture, or when even a free
    // recapture would not be enough.
    loop {
        attackers &= occupied;
        let takers = attackers & position.men(side);
        let least_valuable = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING]
            .into_iter()
            .find_map(|role| (takers & position.men_of_role(role)).first().map(|square| (role, square)));
        let Some((role, square)) = least_valuable else { break };
        if role == KING && (attackers & position.men(!side)).any() {
            // A king may not capture a guarded man.
            break;
        }
        occupied.remove(square);
        // A capture may uncover another man on the same line.
        if role == PAWN || role == BISHOP || role == QUEEN {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if role == ROOK || role == QUEEN {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        // From here on, the balance counts for the side that has just captured. Subtracting 1 makes breaking
        // even count for the side that moved first, so that exactly one side reaches its target.
        side = !side;
        at_stake = value(role);
        balance = -balance - 1 - at_stake;
        if balance >= 0 {
            break;
        }
    }
    // The side to move now is the one that fell short.
    side != us
}

#[cfg(test)]
mod tests {
    use adoube_rules::coordinate;

    use super::*;

    /// The definition by search: the most that the side to move can gain by capturing on a square with its
    /// least valuable man, or by not capturing.
    fn best_on(position: &Chess, to: Square) -> i32 {
        let takings = position.legal_steps().into_iter().filter(|step| {
            step.to() == to
                && position.taken(*step).any()
                && step.promotion().is_none_or(|role| role == QUEEN)
        });
        let min = takings.min_by_key(|step| position.piece_at(step.from()).map(|piece| value(piece.role)));
        min.map_or(0, |step| (position.gain(step) - best_on(&position.after(step), to)).max(0))
    }

    #[track_caller]
    fn check(fen: &str, turn: &str) {
        let position: Chess = Chess::from_fen(fen).expect("a position");
        let step = coordinate::parse(&position, turn).expect("a legal turn").steps()[0];
        let gain = position.gain(step);
        let worth = gain - best_on(&position.after(step), step.to());
        for min in [-1_000, worth - 1, worth, worth + 1, 1_000] {
            assert_eq!(wins(&position, step, gain, min), worth >= min, "{turn} {min} of {worth} in {fen}");
        }
    }

    #[test]
    fn static_exchanges_agree_with_playing_them() {
        check("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5");
        check("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5");
        check("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", "d2d6");
        check("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", "d2d6");
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
        check("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q");
        check("4k3/8/4r3/3p4/4P3/8/8/4K3 b - - 0 1", "d5e4");
        // A quiet step to an attacked square.
        check("4k3/8/2p5/8/8/8/3Q4/4K3 w - - 0 1", "d2d5");
    }
}
