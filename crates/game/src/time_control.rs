//! Time controls (C25).

use serde::{Deserialize, Serialize};
use thiserror::Error;

const SECOND_MS: u32 = 1_000;
const MINUTE_MS: u32 = 60 * SECOND_MS;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The longest initial time: three hours.
pub const MAX_INITIAL_MS: u32 = 180 * MINUTE_MS;
/// The largest increment or delay: three minutes per turn.
pub const MAX_PER_TURN_MS: u32 = 180 * SECOND_MS;
/// The maximum number of days per turn in correspondence games.
pub const MAX_DAYS_PER_TURN: u8 = 14;
/// The time for the first turn of each side if the initial time is less than three minutes.
pub const SHORT_FIRST_TURN_MS: i64 = 30_000;
/// The time for the first turn of each side if the initial time is three minutes or more.
pub const LONG_FIRST_TURN_MS: i64 = 60_000;

/// The time that each side has for its turns.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum TimeControl {
    /// No clock.
    #[default]
    Unlimited,
    /// An initial time, and an increment after each turn, including the first.
    Fischer {
        /// 0, or from one second to [`MAX_INITIAL_MS`].
        initial_ms: u32,
        /// 0 to [`MAX_PER_TURN_MS`]; at least a second if there is no initial time.
        increment_ms: u32,
    },
    /// An initial time; in each turn the clock starts only after a delay.
    Delay {
        /// From one second to [`MAX_INITIAL_MS`].
        initial_ms: u32,
        /// 0 to [`MAX_PER_TURN_MS`].
        delay_ms: u32,
    },
    /// A number of days for each turn.
    Correspondence {
        /// 1 to [`MAX_DAYS_PER_TURN`].
        days_per_turn: u8,
    },
}

/// The error for a time control that is out of range.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum TimeControlError {
    #[error(
        "an initial time of {0} ms is not between a second and three hours, nor is it 0 with an increment"
    )]
    Initial(u32),
    #[error("{0} ms per turn is more than three minutes, or less than a second without an initial time")]
    PerTurn(u32),
    #[error("{0} days per turn is not between 1 and {MAX_DAYS_PER_TURN}")]
    Days(u8),
}

impl TimeControlError {
    /// Returns the stable name. Clients use it to find the message in the user's language.
    pub fn code(self) -> &'static str {
        match self {
            Self::Initial(_) => "clock-initial",
            Self::PerTurn(_) => "clock-per-turn",
            Self::Days(_) => "clock-days",
        }
    }
}

impl TimeControl {
    /// Checks the ranges; the error names the value that is out of range.
    pub fn check(self) -> Result<(), TimeControlError> {
        let initial = |ms| {
            let fits = (SECOND_MS..=MAX_INITIAL_MS).contains(&ms);
            fits.then_some(()).ok_or(TimeControlError::Initial(ms))
        };
        let per_turn = |ms, least| {
            let fits = (least..=MAX_PER_TURN_MS).contains(&ms);
            fits.then_some(()).ok_or(TimeControlError::PerTurn(ms))
        };
        match self {
            Self::Unlimited => Ok(()),
            // Without an initial time, the first turn's increment is the time for the second.
            Self::Fischer { initial_ms: 0, increment_ms } => per_turn(increment_ms, SECOND_MS),
            Self::Fischer { initial_ms, increment_ms } => {
                initial(initial_ms).and_then(|()| per_turn(increment_ms, 0))
            }
            Self::Delay { initial_ms, delay_ms } => initial(initial_ms).and_then(|()| per_turn(delay_ms, 0)),
            Self::Correspondence { days_per_turn } => {
                let fits = (1..=MAX_DAYS_PER_TURN).contains(&days_per_turn);
                fits.then_some(()).ok_or(TimeControlError::Days(days_per_turn))
            }
        }
    }

    /// Returns `true` if the game is played in one sitting, with a clock that does not count days.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Fischer { .. } | Self::Delay { .. })
    }

    /// Returns `true` if the players have a number of days for each turn.
    pub fn is_correspondence(self) -> bool {
        matches!(self, Self::Correspondence { .. })
    }

    /// Returns the initial time of each side, in milliseconds; `None` without clocks.
    pub fn initial_ms(self) -> Option<i64> {
        match self {
            Self::Unlimited => None,
            Self::Fischer { initial_ms, .. } | Self::Delay { initial_ms, .. } => Some(i64::from(initial_ms)),
            Self::Correspondence { days_per_turn } => Some(i64::from(days_per_turn) * DAY_MS),
        }
    }

    /// Returns the time for the first turn of each side, in milliseconds; a side's clock does not run during
    /// its first turn. The time is [`SHORT_FIRST_TURN_MS`] or [`LONG_FIRST_TURN_MS`], or in correspondence
    /// games the time for any turn. `None` without clocks.
    pub fn first_turn_ms(self) -> Option<i64> {
        let initial_ms = self.initial_ms()?;
        Some(if self.is_correspondence() {
            initial_ms
        } else if initial_ms < i64::from(3 * MINUTE_MS) {
            SHORT_FIRST_TURN_MS
        } else {
            LONG_FIRST_TURN_MS
        })
    }

    /// Returns the delay before the clock starts in each turn, in milliseconds.
    pub(crate) fn delay_ms(self) -> i64 {
        match self {
            Self::Delay { delay_ms, .. } => i64::from(delay_ms),
            _ => 0,
        }
    }

    /// Returns the time left after a turn that ended with `left_ms`.
    pub(crate) fn after_turn(self, left_ms: i64) -> i64 {
        match self {
            Self::Fischer { increment_ms, .. } => left_ms.saturating_add(i64::from(increment_ms)),
            Self::Correspondence { days_per_turn } => i64::from(days_per_turn) * DAY_MS,
            Self::Unlimited | Self::Delay { .. } => left_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fischer(initial_ms: u32, increment_ms: u32) -> TimeControl {
        TimeControl::Fischer { initial_ms, increment_ms }
    }

    fn delay(initial_ms: u32, delay_ms: u32) -> TimeControl {
        TimeControl::Delay { initial_ms, delay_ms }
    }

    fn days(days_per_turn: u8) -> TimeControl {
        TimeControl::Correspondence { days_per_turn }
    }

    #[test]
    fn c25_ranges() {
        let three_hours = 10_800_000;
        for (control, error) in [
            (TimeControl::Unlimited, None),
            (fischer(60_000, 0), None),
            (fischer(1_000, 0), None),
            (fischer(three_hours, 180_000), None),
            (fischer(0, 1_000), None),
            (fischer(0, 0), Some(TimeControlError::PerTurn(0))),
            (fischer(0, 999), Some(TimeControlError::PerTurn(999))),
            (fischer(999, 5_000), Some(TimeControlError::Initial(999))),
            (fischer(three_hours + 1, 0), Some(TimeControlError::Initial(three_hours + 1))),
            (fischer(60_000, 180_001), Some(TimeControlError::PerTurn(180_001))),
            (delay(60_000, 0), None),
            (delay(three_hours, 180_000), None),
            (delay(0, 5_000), Some(TimeControlError::Initial(0))),
            (delay(60_000, 180_001), Some(TimeControlError::PerTurn(180_001))),
            (days(0), Some(TimeControlError::Days(0))),
            (days(1), None),
            (days(14), None),
            (days(15), Some(TimeControlError::Days(15))),
        ] {
            assert_eq!(control.check().err(), error, "{control:?}");
        }
    }

    #[test]
    fn c25_first_turns() {
        for (control, ms) in [
            (TimeControl::Unlimited, None),
            (fischer(0, 1_000), Some(30_000)),
            (fischer(179_999, 0), Some(30_000)),
            (delay(180_000, 0), Some(60_000)),
            (days(3), Some(3 * 86_400_000)),
        ] {
            assert_eq!(control.first_turn_ms(), ms, "{control:?}");
        }
    }
}
