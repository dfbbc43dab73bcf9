//! The end of a game, including rules that depend on its history.
//!
//! [`Position::outcome`] considers only the board. Repetition (C22, I12) and turns without progress (C21)
//! depend on earlier positions and are decided here, for games on the server, training games and matches
//! between programs.

use crate::{
    game_info::Repetition,
    outcome::{Draw, DrawRules, Outcome, Win},
    position::Position,
};

impl DrawRules {
    /// Returns the number of occurrences of a position at which the game is drawn automatically.
    pub const fn repetitions(self) -> usize {
        match self {
            Self::Club => 3,
            Self::Fide => 5,
        }
    }

    /// Returns the number of turns (plies) without progress at which the game is drawn automatically.
    pub const fn turns_without_progress(self) -> u16 {
        match self {
            Self::Club => 100,
            Self::Fide => 150,
        }
    }
}

/// The number of occurrences of a position at which the side that repeated it loses, in games with that rule
/// (I12).
pub const LOSING_REPETITION: usize = 3;

/// Returns the outcome of a game that has reached a position, or `None` if the game continues. `before` holds
/// the [keys](Position::key) of the earlier positions, one for each turn, oldest first.
///
/// ```
/// use adoube_rules::{AnyPosition, Draw, DrawRules, Outcome, Position, Variant, arbiter, coordinate};
///
/// let mut position = AnyPosition::initial(Variant::Chess);
/// let mut before = Vec::new();
/// for turn in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"] {
///     assert_eq!(arbiter::outcome(&position, &before, DrawRules::Club), None);
///     before.push(position.key());
///     let turn = coordinate::parse(&position, turn)?;
///     position.play_turn_unchecked(&turn);
/// }
/// let drawn = Outcome::Draw { reason: Draw::Repetition };
/// assert_eq!(arbiter::outcome(&position, &before, DrawRules::Club), Some(drawn));
/// assert_eq!(arbiter::outcome(&position, &before, DrawRules::Fide), None);
/// # Ok::<(), adoube_rules::coordinate::TurnError>(())
/// ```
pub fn outcome<P: Position>(position: &P, before: &[u64], rules: DrawRules) -> Option<Outcome> {
    position.outcome(rules).or_else(|| by_history(position, occurrences(position, before), rules))
}

/// Counts the occurrences of a position, including the present one. Positions before the last turn that
/// counts as progress cannot recur and are skipped.
pub fn occurrences<P: Position>(position: &P, before: &[u64]) -> usize {
    let recent = before.len().saturating_sub(position.halfmove_clock().into());
    let key = position.key();
    1 + before[recent..].iter().filter(|&&earlier| earlier == key).count()
}

/// Returns the outcome by repetition or by lack of progress, given the number of occurrences of the position,
/// including the present one. Check [`Position::outcome`] first.
pub fn by_history<P: Position>(position: &P, occurrences: usize, rules: DrawRules) -> Option<Outcome> {
    match position.variant().info().repetition {
        // The opponent of the side to move has repeated the position.
        Repetition::Loses if occurrences >= LOSING_REPETITION => {
            return Some(Outcome::Decisive { winner: position.side_to_move(), reason: Win::Repetition });
        }
        Repetition::Draws if occurrences >= rules.repetitions() => {
            return Some(Outcome::Draw { reason: Draw::Repetition });
        }
        _ => {}
    }
    let is_without_progress = position.halfmove_clock() >= rules.turns_without_progress();
    is_without_progress.then_some(Outcome::Draw { reason: Draw::FiftyMoves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyPosition, Color, Variant};

    fn position(variant: Variant, fen: &str) -> AnyPosition {
        AnyPosition::from_fen(variant, fen).expect("a position")
    }

    #[test]
    fn c22_i12_the_third_occurrence_draws_or_loses() {
        let chess = position(Variant::Chess, "4k3/8/8/8/8/8/4R3/4K3 b - - 20 30");
        let interweave = position(Variant::Interweave, "4k2k/8/8/8/8/8/8/R2KK3[] b - - 20 30");
        let drawn = Some(Outcome::Draw { reason: Draw::Repetition });
        let won = Some(Outcome::Decisive { winner: Color::Black, reason: Win::Repetition });
        for (times, club, fide, lost) in
            [(2, None, None, None), (3, drawn, None, won), (4, drawn, None, won), (5, drawn, drawn, won)]
        {
            assert_eq!(by_history(&chess, times, DrawRules::Club), club, "{times}");
            assert_eq!(by_history(&chess, times, DrawRules::Fide), fide, "{times}");
            for rules in [DrawRules::Club, DrawRules::Fide] {
                assert_eq!(by_history(&interweave, times, rules), lost, "{times}");
            }
        }
    }

    #[test]
    fn c21_turns_without_progress_are_counted_by_the_position() {
        for (clock, club, fide) in
            [(99, false, false), (100, true, false), (149, true, false), (150, true, true)]
        {
            let chess = position(Variant::Chess, &format!("4k3/8/8/8/8/8/4R3/4K3 b - - {clock} 90"));
            let drawn = Some(Outcome::Draw { reason: Draw::FiftyMoves });
            assert_eq!(by_history(&chess, 1, DrawRules::Club), drawn.filter(|_| club), "{clock}");
            assert_eq!(by_history(&chess, 1, DrawRules::Fide), drawn.filter(|_| fide), "{clock}");
        }
    }

    #[test]
    fn positions_before_the_last_turn_with_progress_do_not_count() {
        let position = position(Variant::Chess, "4k3/8/8/8/8/8/4R3/4K3 b - - 4 30");
        let key = position.key();
        assert_eq!(occurrences(&position, &[]), 1);
        assert_eq!(occurrences(&position, &[key, 1, 2, 3]), 2);
        assert_eq!(
            occurrences(&position, &[key, key, 1, 2, 3]),
            2,
            "the first occurrence is older than the last progress made"
        );
        assert_eq!(
            outcome(&position, &[key, 1, key, 3], DrawRules::Club).map(Outcome::reason),
            Some("repetition")
        );
    }
}
