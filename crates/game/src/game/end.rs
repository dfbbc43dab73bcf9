//! The end of a game: on the board (C16, C18–C22, I12), on time (C23), or because a player has left.

use adoube_rules::{AnyPosition, Color, Position, Step, Turn, arbiter};
use adoube_winnable::Effort;

use super::Game;
use crate::{
    clock::Phase,
    ending::{EndReason, Ending},
    event::DrawRules,
};

/// The time for which a player must have been away before the opponent may claim the win, in milliseconds.
pub const LEFT_AFTER_MS: i64 = 60_000;

/// The search limit, in positions, for deciding whether a side could win after its opponent has run out of
/// time or left. If the search is inconclusive, the game counts as won. That is rare: nearly every search
/// ends within a few hundred positions.
const UNWINNABLE_NODES: u64 = 50_000;

/// The number of turns without a pawn move or a capture after which the search for a dead position is
/// repeated.
const DEAD_CHECK_INTERVAL: u16 = 16;

impl Game {
    /// Returns the ending of the current position, unless it has to be claimed.
    pub(super) fn ending_on_the_board(&self) -> Option<Ending> {
        let occurrences = self.record.occurrences(self.position.key());
        ending_on_the_board(&self.position, occurrences, self.draw_rules, true)
    }

    /// Returns the ending after a turn that leads to the position `after`.
    pub(super) fn ending_with(&self, turn: &Turn, after: &AnyPosition) -> Option<Ending> {
        let occurrences = self.record.occurrences(after.key()) + 1;
        let search_dead = may_have_become_dead(&self.position, turn, after);
        ending_on_the_board(after, occurrences, self.draw_rules, search_dead)
    }

    /// Returns the draw that the side to move may claim (C21, C22).
    pub(super) fn claimable(&self) -> Option<Ending> {
        // The draws that must be claimed under FIDE rules end the game automatically under club rules.
        let club = adoube_rules::DrawRules::Club;
        if self.position.halfmove_clock() >= club.turns_without_progress() {
            return Some(Ending::draw(EndReason::FiftyMoves));
        }
        let occurrences = self.record.occurrences(self.position.key());
        let outcome = arbiter::by_history(&self.position, occurrences, club)?;
        outcome.winner().is_none().then(|| outcome.into())
    }

    /// Returns the ending if the time is up at `now_ms`.
    pub(super) fn ending_by_time(&self, now_ms: i64) -> Option<Ending> {
        (now_ms >= self.next_deadline_ms()?).then(|| self.ending_out_of_time())
    }

    /// Returns the ending when the side to move runs out of time.
    pub(super) fn ending_out_of_time(&self) -> Ending {
        let other = !self.side_to_move();
        if self.phase() == Phase::FirstTurn {
            self.ending_without_first_turn(self.side_to_move(), EndReason::NoFirstTurn)
        } else if self.can_still_win(other) {
            Ending::win(other, EndReason::TimeOut)
        } else {
            Ending::draw(EndReason::TimeOutUnwinnable)
        }
    }

    /// Returns the ending when a side calls the game off, or does not play its first turn in time. Outside a
    /// match the game does not count. In a match the side loses once both seats are taken, so that a player
    /// who is ahead cannot end the match by calling games off (C25).
    pub(super) fn ending_without_first_turn(&self, by: Color, reason: EndReason) -> Ending {
        if self.options.in_match.is_some() && self.is_started() {
            Ending::win(!by, EndReason::Forfeit)
        } else {
            Ending::called_off(reason)
        }
    }

    /// Returns the ending when the side to move has left.
    pub(super) fn abandoned(&self) -> Ending {
        let other = !self.side_to_move();
        if self.can_still_win(other) {
            Ending::win(other, EndReason::Abandonment)
        } else {
            Ending::draw(EndReason::Abandonment)
        }
    }

    /// Returns `true` unless it is proved that no sequence of legal turns lets a side win (C23). Always true
    /// in Interweave, where running out of time always loses (I12) and `adoube_winnable` proves nothing.
    fn can_still_win(&self, color: Color) -> bool {
        let effort = Effort::Full { nodes: UNWINNABLE_NODES };
        !adoube_winnable::can_win_by_any_sequence(&self.position, color, effort).is_unwinnable()
    }
}

/// Returns the ending of a position that has occurred `occurrences` times. `search_dead` says whether to
/// search for a dead position.
fn ending_on_the_board(
    position: &AnyPosition,
    occurrences: usize,
    rules: DrawRules,
    search_dead: bool,
) -> Option<Ending> {
    let limits = rules.into();
    if let Some(outcome) = position.outcome(limits) {
        return Some(outcome.into());
    }
    // Without a quick proof, the game continues. No harm is done, because a dead position stays dead (C20).
    if search_dead && adoube_winnable::is_dead(position, Effort::Quick) {
        return Some(Ending::draw(EndReason::DeadPosition));
    }
    let ending: Ending = arbiter::by_history(position, occurrences, limits)?.into();
    // Under FIDE rules, the limits that need no claim are higher, and have names of their own.
    let reason = match (rules, ending.reason) {
        (DrawRules::Fide, EndReason::FiftyMoves) => EndReason::SeventyFiveMoves,
        (DrawRules::Fide, EndReason::Repetition) if ending.winner().is_none() => {
            EndReason::FivefoldRepetition
        }
        (_, reason) => reason,
    };
    Some(Ending { reason, ..ending })
}

/// Returns `true` if, according to a cheap test, a turn may have made the position dead.
///
/// In chess, the search for a dead position takes fifty times as long as everything else in a turn. If the
/// position before the turn can recur, the position after it is dead only if the earlier one was. Recurrence
/// is quick to check, because most turns can be undone. The search still runs from time to time, because a
/// proof may succeed from one position and fail from another.
fn may_have_become_dead(before: &AnyPosition, turn: &Turn, after: &AnyPosition) -> bool {
    !adoube_winnable::needs_search(after.variant())
        || after.halfmove_clock().is_multiple_of(DEAD_CHECK_INTERVAL)
        || !can_come_back(before, turn, after)
}

/// Returns `true` if the position before a turn can recur after each side has moved a man away and back.
fn can_come_back<P: Position>(before: &P, turn: &Turn, after: &P) -> bool {
    let &[step] = turn.steps() else { return false };
    let back = Step::new(step.to(), step.from());
    after.legal_steps().into_iter().any(|reply| {
        let mut position = after.after(reply);
        // Pawn moves and captures cannot be undone.
        if position.halfmove_clock() == 0 || !position.legal_steps().contains(&back) {
            return false;
        }
        position.play_unchecked(back);
        let reply_back = Step::new(reply.to(), reply.from());
        position.legal_steps().contains(&reply_back) && position.after(reply_back).key() == before.key()
    })
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Variant, coordinate};

    use super::*;

    fn played(fen: &str, text: &str) -> (AnyPosition, Turn, AnyPosition) {
        let before = AnyPosition::from_fen(Variant::Chess, fen).unwrap();
        let turn = coordinate::parse(&before, text).unwrap();
        let mut after = before.clone();
        after.play_turn_unchecked(&turn);
        (before, turn, after)
    }

    #[test]
    fn c20_positions_that_can_recur_are_searched_only_every_sixteenth_turn() {
        for (fen, text, searches) in [
            ("4k3/8/8/8/8/8/4P3/R3K3 w - - 1 9", "a1a4", false),
            // A pawn move, a capture, a lost castling right, a missed en passant capture.
            ("4k3/8/8/8/8/8/4P3/R3K3 w - - 1 9", "e2e3", true),
            ("4k3/8/8/8/r7/8/4P3/R3K3 w - - 1 9", "a1a4", true),
            ("4k3/8/8/8/8/8/4P3/R3K3 w Q - 1 9", "a1a4", true),
            ("4k3/8/8/3pP3/8/8/8/R3K3 w - d6 1 9", "a1a4", true),
            // The opponent has no man that can move away and back.
            ("k1K5/7R/8/8/8/8/8/8 w - - 1 40", "h7a7", true),
            ("k7/p1K5/P7/8/8/8/8/7R w - - 1 40", "h1h2", true),
            // The sixteenth turn without a pawn move or a capture.
            ("4k3/8/8/8/8/8/4P3/R3K3 w - - 15 19", "a1a4", true),
        ] {
            let (before, turn, after) = played(fen, text);
            assert_eq!(may_have_become_dead(&before, &turn, &after), searches, "{fen} {text}");
        }
    }

    /// If the position before a turn can recur, the position after it is dead only if the earlier one was, so
    /// skipping the search misses nothing.
    #[test]
    fn c20_skipping_recurring_positions_misses_no_dead_position() {
        let (mut compared, mut dead) = (0, 0);
        for fen in [
            "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
            "8/3k4/3b4/p1p1p1p1/P1P1P1P1/3B4/8/4K3 w - - 0 1",
            "8/8/3bk3/8/8/8/3BK3/8 w - - 0 1",
            "4k3/pp4pp/8/3N4/8/8/PP4PP/2B1K3 w - - 0 1",
        ] {
            let mut position = AnyPosition::from_fen(Variant::Chess, fen).unwrap();
            let mut random = 0x9e37_79b9_7f4a_7c15_u64;
            for _ in 0..150 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let turns = position.legal_turns();
                let Some(turn) = turns.get((random >> 11) as usize % turns.len().max(1)) else { break };
                let mut after = position.clone();
                after.play_turn_unchecked(turn);
                if can_come_back(&position, turn, &after) {
                    compared += 1;
                    if adoube_winnable::is_dead(&after, Effort::Quick) {
                        dead += 1;
                        assert!(
                            adoube_winnable::is_dead(&position, Effort::Full { nodes: 20_000 }),
                            "{position:?}"
                        );
                    }
                }
                position = after;
            }
        }
        assert!(compared > 300 && dead > 100, "{compared} {dead}");
    }
}
