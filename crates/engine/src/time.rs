//! Time management: how much time the clock allows for a turn, and how much of it a turn gets.

use std::time::Duration;

use adoube_rules::Turn;

use crate::{limits::Budget, score::Score};

/// The clock of the side to move, in the terms of UCI's `go` command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockState {
    /// The time left.
    pub remaining: Duration,
    /// The time added after each turn.
    pub increment: Duration,
    /// The number of turns until more time is added, if the time control has periods.
    pub moves_to_go: Option<u32>,
    /// The time lost in each turn between the engine's decision and the stopping of its clock.
    pub overhead: Duration,
}

/// An estimate of the turns left in a game, whatever its length so far.
const TURNS_LEFT: u32 = 24;

impl Budget {
    /// Returns the time for the next turn.
    pub fn for_clock(clock: &ClockState) -> Self {
        let turns = clock.moves_to_go.map_or(TURNS_LEFT, |turns| turns.clamp(1, TURNS_LEFT + 8));
        // Reserve time for the overhead of a few later turns, too, in case time is short.
        let reserve = clock.overhead * turns.min(3);
        let left = clock.remaining.saturating_sub(reserve).max(clock.remaining / 8);
        let soft = left / turns + clock.increment.mul_f64(0.7);
        // The hard limit is low enough that several turns in a row can use all of it without running out the
        // clock.
        let max = if turns == 1 { left.mul_f64(0.9) } else { left.mul_f64(0.42) };
        let hard = (soft * 4).min(max).max(Duration::from_millis(1));
        Self { soft: soft.min(hard.mul_f64(0.95)), hard }
    }
}

/// Computes the factor for the soft time of a turn: larger while the choice is unclear, smaller when it is
/// clear.
#[derive(Clone, Debug)]
pub(crate) struct TimeShare {
    best: Option<Turn>,
    /// The number of iterations since the choice last changed.
    stable_iterations: u32,
    last_score: Option<Score>,
}

impl TimeShare {
    pub(crate) fn new() -> Self {
        Self { best: None, stable_iterations: 0, last_score: None }
    }

    /// Returns the factor for the soft time after another iteration. `effort` is the share of nodes spent on
    /// the best turn.
    pub(crate) fn after_iteration(&mut self, best: &Turn, score: Score, effort: f64) -> f64 {
        if self.best.as_ref() == Some(best) {
            self.stable_iterations += 1;
        } else {
            self.best = Some(best.clone());
            self.stable_iterations = 0;
        }
        let fall = self.last_score.map_or(0, |last| last - score);
        self.last_score = Some(score);
        let stability = 1.35 - 0.08 * f64::from(self.stable_iterations.min(8));
        let doubt = 1.9 - 1.45 * effort;
        let trouble = 1.0 + f64::from(fall.clamp(-20, 80)) / 130.0;
        (stability * doubt * trouble).clamp(0.25, 2.8)
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{Square, Step};

    use super::*;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> ClockState {
        ClockState {
            remaining: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves_to_go,
            overhead: Duration::from_millis(10),
        }
    }

    #[test]
    fn no_budget_uses_up_the_clock() {
        for left in [1, 5, 20, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 1_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(0)] {
                    let budget = Budget::for_clock(&clock(left, increment, moves_to_go));
                    assert!(budget.soft <= budget.hard);
                    assert!(
                        budget.hard < Duration::from_millis(left) || left == 1,
                        "{left} {increment} {moves_to_go:?}: {budget:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_long_game_can_be_played_on_the_increment() {
        // One second, and a hundredth of a second added for each turn: the shortest time control in use.
        let mut left = Duration::from_secs(1);
        for _ in 0..300 {
            let state = ClockState { remaining: left, ..clock(0, 10, None) };
            let budget = Budget::for_clock(&state);
            // Every turn takes the maximum time, and two milliseconds are lost in transit.
            let spent = budget.hard + Duration::from_millis(2);
            assert!(spent < left, "{spent:?} of {left:?}");
            left = left.saturating_sub(spent) + Duration::from_millis(10);
        }
    }

    #[test]
    fn an_unclear_choice_takes_more_time() {
        let turn = |to| Turn::from(Step::new(Square::E2, to));
        let mut calm = TimeShare::new();
        let mut troubled = TimeShare::new();
        let (mut easy, mut hard) = (0.0, 0.0);
        for depth in 0..10 {
            easy = calm.after_iteration(&turn(Square::E4), Score::of_evaluation(20), 0.9);
            let to = if depth % 2 == 0 { Square::E4 } else { Square::E3 };
            hard = troubled.after_iteration(&turn(to), Score::of_evaluation(-20 * depth), 0.3);
        }
        assert!(easy < 0.6 && hard > 1.5, "{easy} {hard}");
    }
}
