//! The clocks of a game.

use std::{num::NonZeroU32, time::Duration};

use anyhow::{Context as _, anyhow};

/// A time control: a time for the whole game, or for each period of `moves` turns, and an increment for each
/// turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeControl {
    pub(super) moves: Option<u32>,
    pub(super) time: Duration,
    pub(super) increment: Duration,
}

impl TimeControl {
    /// Parses a time control in seconds, such as `5+0.05`, `60` or `40/15+0.1`.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds =
            |text: &str| text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
        let read = || {
            let moves = moves.map(str::parse::<NonZeroU32>).transpose().ok()?.map(NonZeroU32::get);
            let time = seconds(time).filter(|time| !time.is_zero())?;
            Some(Self { moves, time, increment: seconds(increment)? })
        };
        read()
            .ok_or_else(|| anyhow!("{text:?} is not a time control, such as \"5+0.05\" or \"40/60\""))
            .context("--tc")
    }
}

/// The clock of one side.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    control: TimeControl,
    pub(super) remaining: Duration,
    turns: u32,
}

impl Clock {
    pub(super) fn new(control: TimeControl) -> Self {
        Self { control, remaining: control.time, turns: 0 }
    }

    pub(super) fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Returns the number of turns left in the current period, if the time control has periods.
    pub(super) fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|moves| moves - self.turns % moves)
    }

    /// Deducts the time used for a turn, then adds the increment and, at the end of a period, the time for
    /// the next one. Returns `false` if the clock has run out.
    pub(super) fn spend(&mut self, time: Duration) -> bool {
        let Some(left) = self.remaining.checked_sub(time) else { return false };
        self.remaining = left + self.control.increment;
        self.turns += 1;
        if self.control.moves.is_some_and(|moves| self.turns.is_multiple_of(moves)) {
            self.remaining += self.control.time;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_parsed() {
        let control = TimeControl::parse("40/15+0.1").expect("a time control");
        assert_eq!(control.moves, Some(40));
        assert_eq!((control.time, control.increment), (Duration::from_secs(15), Duration::from_millis(100)));
        assert!(TimeControl::parse("5").is_ok());
        for text in ["", "0", "-1", "x", "0/5", "5+x", "1e400"] {
            assert!(TimeControl::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_clock_adds_increments_and_periods_until_it_runs_out() {
        let mut clock = Clock::new(TimeControl::parse("2/1+0.5").expect("a time control"));
        assert_eq!(clock.moves_to_go(), Some(2));
        assert!(clock.spend(Duration::from_millis(900)));
        assert_eq!((clock.remaining, clock.moves_to_go()), (Duration::from_millis(600), Some(1)));
        assert!(clock.spend(Duration::from_millis(600)));
        assert_eq!((clock.remaining, clock.moves_to_go()), (Duration::from_millis(1_500), Some(2)));
        assert!(!clock.spend(Duration::from_millis(1_501)));
    }
}
