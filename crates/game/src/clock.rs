//! The clocks of a game (C23, C25).
//!
//! No timer runs here. A clock stores when the turn began and how much time was left at that moment; the time
//! left now is computed when it is queried. An idle clock therefore costs nothing, and the log describes it
//! completely.
//!
//! A side's clock does not run during its first turn, which has a limit of its own
//! ([`TimeControl::first_turn_ms`]). If a side exceeds it, the game does not count or, in a match, is lost.
//! With an increment, the first turn earns one too.
//!
//! # Lag
//!
//! The server measures how long a turn was in transit, how long the player waited for the server to send
//! the position, and how long the server took to handle the turn. It passes all three on with the turn. Of
//! the first two, which depend on the client, the player gets back at most [`LAG_PER_TURN_MS`]. In total the
//! player never gets back more than the turn took, nor more than what remains of the side's allowance. The
//! allowance begins at [`LAG_ALLOWANCE_MS`], which is also its maximum, and grows by [`LAG_REGAINED_MS`] with
//! each turn of the side. This compensates for a slow connection, but a player who only pretends to have one
//! gains little. A flag is recorded only when transit can no longer excuse the player. Within the allowance,
//! a turn that waits in the server counts as played when it arrived, unless the flag has been recorded first.
//! In correspondence games nothing is given back.

use std::ops::Range;

use adoube_rules::{ByColor, Color};
use serde::{Deserialize, Serialize};

use crate::time_control::TimeControl;

/// The maximum lag given back for one turn, in milliseconds, apart from the time that the server took to
/// handle the turn.
pub const LAG_PER_TURN_MS: u32 = 500;
/// The initial and largest lag allowance of a side, in milliseconds.
pub const LAG_ALLOWANCE_MS: u32 = 2_000;
/// The amount that each turn adds to its side's lag allowance, in milliseconds.
pub const LAG_REGAINED_MS: u32 = 100;
/// The time that a player can give to the opponent at once, in milliseconds.
pub const GIFT_MS: i64 = 15_000;
/// The highest value to which a gift can raise a clock, in milliseconds: six hours.
pub const MAX_GIVEN_MS: i64 = 6 * 60 * 60 * 1_000;

/// The time left on both clocks, in milliseconds; never negative.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Times {
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub white: i64,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub black: i64,
}

impl From<Times> for ByColor<i64> {
    fn from(times: Times) -> Self {
        Self { white: times.white, black: times.black }
    }
}

impl From<ByColor<i64>> for Times {
    fn from(times: ByColor<i64>) -> Self {
        Self { white: times.white, black: times.black }
    }
}

/// The clocks at one moment, for display.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClockView {
    /// The time left for each side, in milliseconds.
    pub left_ms: ByColor<i64>,
    /// The side whose clock is running; `None` before the game, during the first turn of each side, and after
    /// the end.
    pub running: Option<Color>,
    /// The remaining delay of the running clock, in milliseconds.
    pub delay_left_ms: i64,
    /// The deadline for a side's first turn, in milliseconds since 1970; `None` at other times.
    pub first_turn_until_ms: Option<i64>,
}

/// The phase of a game, as it affects the clock of the side to move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Phase {
    /// A seat is open, or the game is over.
    Stopped,
    /// The side is on its first turn.
    FirstTurn,
    Running,
}

/// A period, in milliseconds since 1970.
pub(crate) type Span = Range<i64>;

/// Both clocks of a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Clock {
    control: TimeControl,
    /// The time left for each side at the beginning of the current turn.
    left_ms: ByColor<i64>,
    /// The start of the current turn.
    began_ms: i64,
    /// The start of the current turn plus the time in it that is charged to neither side.
    charged_from_ms: i64,
    /// The parts of the current turn that are charged to neither side: sorted, without overlaps, and not
    /// adjacent to each other.
    skipped: Vec<Span>,
    /// The remaining lag allowance of each side.
    allowance_ms: ByColor<u16>,
}

/// The parts of a turn's time that are not the player's own, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Lag {
    /// The time in transit, and the time until the position was sent.
    pub(crate) transit_ms: u32,
    /// The time from the arrival of the turn until the server handles it.
    pub(crate) handling_ms: u32,
}

/// The effect of a turn on the clocks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cost {
    /// The turn was in time. Contains both clocks after it, and the lag that was given back.
    InTime { left_ms: ByColor<i64>, lag_ms: u32 },
    /// The flag had already fallen.
    TooLate,
}

impl Clock {
    /// Returns the clocks before the game, or `None` for a time control without clocks.
    pub(crate) fn new(control: TimeControl) -> Option<Self> {
        let initial_ms = control.initial_ms()?;
        let allowance_ms = if control.is_live() { LAG_ALLOWANCE_MS as u16 } else { 0 };
        Some(Self {
            control,
            left_ms: ByColor { white: initial_ms, black: initial_ms },
            began_ms: 0,
            charged_from_ms: 0,
            skipped: Vec::new(),
            allowance_ms: ByColor { white: allowance_ms, black: allowance_ms },
        })
    }

    /// Starts a turn.
    pub(crate) fn begin_turn(&mut self, at_ms: i64) {
        self.began_ms = at_ms;
        self.charged_from_ms = at_ms;
        self.skipped.clear();
    }

    pub(crate) fn began_ms(&self) -> i64 {
        self.began_ms
    }

    /// Records a played turn: the time left after it, and the lag that was given back.
    pub(crate) fn turn_played(&mut self, by: Color, left_ms: ByColor<i64>, lag_ms: u32, at_ms: i64) {
        self.set(left_ms);
        self.begin_turn(at_ms);
        if self.control.is_live() {
            let left = u32::from(self.allowance_ms[by]).saturating_sub(lag_ms);
            self.allowance_ms[by] = (left + LAG_REGAINED_MS).min(LAG_ALLOWANCE_MS) as u16;
        }
    }

    /// Sets both clocks.
    pub(crate) fn set(&mut self, left_ms: ByColor<i64>) {
        self.left_ms = ByColor::new_with(|color| left_ms[color].max(0));
    }

    pub(crate) fn give(&mut self, to: Color, ms: i64) {
        self.left_ms[to] = self.left_ms[to].saturating_add(ms.max(0));
    }

    /// Charges a part of the current turn to neither side.
    pub(crate) fn skip(&mut self, part: Span) {
        self.charged_from_ms =
            self.charged_from_ms.saturating_add(part.end.saturating_sub(part.start).max(0));
        let touches = |known: &Span| known.start <= part.end && part.start <= known.end;
        let joined = self
            .skipped
            .iter()
            .filter(|known| touches(known))
            .fold(part.clone(), |one, known| one.start.min(known.start)..one.end.max(known.end));
        self.skipped.retain(|known| !touches(known));
        let at = self.skipped.partition_point(|known| known.end < joined.start);
        self.skipped.insert(at, joined);
    }

    /// Returns the parts of a period that lie in the current turn and are still charged to the side to move.
    pub(crate) fn charged_parts(&self, period: Span) -> Vec<Span> {
        let (mut from_ms, mut parts) = (period.start.max(self.began_ms), Vec::new());
        for skipped in &self.skipped {
            if from_ms < skipped.start.min(period.end) {
                parts.push(from_ms..skipped.start.min(period.end));
            }
            from_ms = from_ms.max(skipped.end);
        }
        if from_ms < period.end {
            parts.push(from_ms..period.end);
        }
        parts
    }

    /// Returns the length of the parts of a period that lie in the current turn and are still charged to the
    /// side to move, in milliseconds.
    pub(crate) fn charged_ms(&self, period: Span) -> u32 {
        let lengths = self.charged_parts(period).into_iter().map(|part| part.end.saturating_sub(part.start));
        u32::try_from(lengths.fold(0, i64::saturating_add)).unwrap_or(u32::MAX)
    }

    /// Stops the clocks at the end of the game.
    pub(crate) fn stop(&mut self, to_move: Color, phase: Phase, at_ms: i64) {
        self.left_ms = self.at(to_move, phase, at_ms);
    }

    /// Returns the time left on both clocks.
    pub(crate) fn at(&self, to_move: Color, phase: Phase, now_ms: i64) -> ByColor<i64> {
        let mut left_ms = self.left_ms;
        if phase == Phase::Running {
            left_ms[to_move] = (left_ms[to_move] - self.charged(now_ms, 0)).max(0);
        }
        left_ms
    }

    pub(crate) fn view(&self, to_move: Color, phase: Phase, now_ms: i64) -> ClockView {
        let running = (phase == Phase::Running).then_some(to_move);
        let waited = self.elapsed(now_ms);
        ClockView {
            left_ms: self.at(to_move, phase, now_ms),
            running,
            delay_left_ms: running.map_or(0, |_| (self.control.delay_ms() - waited).max(0)),
            first_turn_until_ms: if phase == Phase::FirstTurn {
                self.deadline_ms(to_move, phase)
            } else {
                None
            },
        }
    }

    /// Returns the time at which the game ends if no event comes first, in milliseconds since 1970.
    pub(crate) fn deadline_ms(&self, to_move: Color, phase: Phase) -> Option<i64> {
        let limit_ms = match phase {
            Phase::Stopped => return None,
            Phase::FirstTurn => self.control.first_turn_ms()?,
            Phase::Running => {
                let excuse = u32::from(self.allowance_ms[to_move]).min(LAG_PER_TURN_MS);
                self.left_ms[to_move] + self.control.delay_ms() + i64::from(excuse)
            }
        };
        Some(self.charged_from_ms.saturating_add(limit_ms))
    }

    /// Returns the effect on the clocks of a turn that is handled now.
    pub(crate) fn cost(&self, to_move: Color, phase: Phase, lag: Lag, now_ms: i64) -> Cost {
        let mut left_ms = self.left_ms;
        let mut granted = 0;
        if phase == Phase::Running {
            let elapsed = u32::try_from(self.elapsed(now_ms)).unwrap_or(u32::MAX);
            let lag_ms = lag.transit_ms.min(LAG_PER_TURN_MS).saturating_add(lag.handling_ms);
            granted = lag_ms.min(self.allowance_ms[to_move].into()).min(elapsed);
            let charged = self.charged(now_ms, granted);
            if charged >= left_ms[to_move] {
                return Cost::TooLate;
            }
            left_ms[to_move] -= charged;
        }
        left_ms[to_move] = self.control.after_turn(left_ms[to_move]);
        Cost::InTime { left_ms, lag_ms: granted }
    }

    fn elapsed(&self, now_ms: i64) -> i64 {
        now_ms.saturating_sub(self.charged_from_ms).max(0)
    }

    /// Returns the time charged for the turn so far, in milliseconds, before an increment.
    fn charged(&self, now_ms: i64, lag_ms: u32) -> i64 {
        (self.elapsed(now_ms) - i64::from(lag_ms) - self.control.delay_ms()).max(0)
    }
}
