//! Checks at startup that the system clock is plausible.
//!
//! A wrong clock cannot be recognised on its own, so the clock is compared with facts that are known
//! independently:
//!
//! - **The data.** If the clock is behind the latest time in the data, it is wrong now or was wrong then.
//!   Only a person can tell which.
//! - **The host's uptime.** As long as the host is running, its clock and its uptime advance at the same
//!   rate, whether or not a server is running. If the boot time computed from the clock differs from the
//!   stored one, the clock was set in the meantime.
//! - **The program.** A time before [`ClockCheck::earliest`] cannot be right, because the program did not
//!   exist yet.
//!
//! After a reboot, a clock that is a year ahead looks the same as a correct clock in a house that was closed
//! for a year. Therefore, after a reboot, only a gap longer than [`ClockCheck::longest_absence`] is refused.
//!
//! The server does not start with an implausible clock, so nothing is stored with a wrong time, and no data
//! expires because of one.

use std::time::Duration;

use adoube_protocol::Millis;
use adoube_store::Boot;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use time::OffsetDateTime;

use crate::config::text::{days, hours};

/// The plausible range of the system clock.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct ClockCheck {
    /// The amount by which the clock may be behind the data, or may be adjusted while the host is running.
    #[serde(rename = "tolerance_h", with = "hours")]
    pub tolerance: Duration,
    /// The longest plausible time during which no server has run.
    #[serde(rename = "longest_absence_d", with = "days")]
    pub longest_absence: Duration,
    /// The earliest plausible time.
    #[serde(skip)]
    pub earliest: Millis,
    /// Whether to accept any time. Set by `--accept-clock`.
    #[serde(skip)]
    pub accept: bool,
}

impl Default for ClockCheck {
    fn default() -> Self {
        Self {
            tolerance: Duration::from_hours(6),
            longest_absence: Duration::from_hours(400 * 24),
            earliest: Millis(0),
            accept: false,
        }
    }
}

/// The reason why the system clock is implausible.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ClockError {
    #[error(
        "the system clock says {}, which is before this program was written; set the clock, or start with --accept-clock",
        format_time(*now)
    )]
    TooEarly { now: Millis },
    #[error(
        "the system clock says {}, but the latest time in the data is {}. If the clock is wrong now, set it. If it was wrong then, \
             `adoube house reset-clock` removes the wrong times from the data. --accept-clock continues from the later time",
        format_time(*now), format_time(*newest)
    )]
    Behind { now: Millis, newest: Millis },
    #[error(
        "the system clock says {}, but the data was last written at {}. If no server has run since then, start once with \
             --accept-clock; otherwise set the clock",
        format_time(*now), format_time(*newest)
    )]
    Ahead { now: Millis, newest: Millis },
    #[error(
        "the system clock says {} and has been changed by {} hours since a server last started on this machine. If it is correct, start \
             once with --accept-clock; otherwise set it",
        format_time(*now), by_ms / 3_600_000
    )]
    Set { now: Millis, by_ms: i64 },
}

fn format_time(at: Millis) -> String {
    OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000)).map_or_else(
        |_| format!("{} ms since 1970", at.0),
        |at| {
            let (year, month, day) = at.date().to_calendar_date();
            let (hour, minute) = (at.hour(), at.minute());
            format!("{year:04}-{:02}-{day:02} {hour:02}:{minute:02} UTC", u8::from(month))
        },
    )
}

impl ClockCheck {
    /// Fails if the clock is implausible, without comparing boot times. `newest` is the latest time in the
    /// data.
    pub fn check(&self, now: Millis, newest: Option<Millis>) -> Result<(), ClockError> {
        self.check_with_boots(now, newest, (None, None))
    }

    /// Fails if the clock is implausible. `newest` is the latest time in the data. `boots` are the host's
    /// boot as computed now, and the boot stored by the last server.
    pub(crate) fn check_with_boots(
        &self,
        now: Millis,
        newest: Option<Millis>,
        boots: (Option<&Boot>, Option<&Boot>),
    ) -> Result<(), ClockError> {
        let tolerance_ms = millis(self.tolerance);
        if now < self.earliest {
            return Err(ClockError::TooEarly { now });
        }
        if let Some(newest) = newest {
            if newest.0.saturating_sub(now.0) > tolerance_ms {
                return Err(ClockError::Behind { now, newest });
            }
            if now.0.saturating_sub(newest.0) > millis(self.longest_absence) {
                return Err(ClockError::Ahead { now, newest });
            }
        }
        if let (Some(current), Some(last)) = boots
            && current.id == last.id
        {
            let by_ms = current.at.0.saturating_sub(last.at.0);
            if by_ms.saturating_abs() > tolerance_ms {
                return Err(ClockError::Set { now, by_ms });
            }
        }
        Ok(())
    }

    /// Returns `true` if the newly computed boot should replace the stored one, if any: after a reboot, or if
    /// the clock has been corrected by at most the tolerance, but not if it has been changed by more.
    pub(crate) fn is_successor_of(&self, current: &Boot, stored: Option<&Boot>) -> bool {
        const MIN_CHANGE_MS: i64 = 1_000;
        stored.is_none_or(|stored| {
            let by_ms = current.at.0.saturating_sub(stored.at.0).saturating_abs();
            stored.id != current.id || (MIN_CHANGE_MS..=millis(self.tolerance)).contains(&by_ms)
        })
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;
    const DAY: i64 = 24 * HOUR;
    const NOW: Millis = Millis(2_000 * DAY);

    fn judge(
        newest: Option<i64>,
        current: Option<(&str, i64)>,
        last: Option<(&str, i64)>,
    ) -> Result<(), ClockError> {
        let boot = |(id, at): (&str, i64)| Boot { id: id.into(), at: Millis(at) };
        let (current, last) = (current.map(boot), last.map(boot));
        let check = ClockCheck { earliest: Millis(1_000 * DAY), ..ClockCheck::default() };
        check.check_with_boots(NOW, newest.map(Millis), (current.as_ref(), last.as_ref()))
    }

    #[test]
    fn a_plausible_clock_is_accepted() {
        for newest in [0, -HOUR, 5 * HOUR, -365 * DAY] {
            judge(Some(NOW.0 + newest), None, None).unwrap();
        }
        judge(None, None, None).unwrap();
        // A small correction is accepted, and after a reboot the boot times may differ by any amount.
        judge(Some(NOW.0), Some(("a", NOW.0)), Some(("a", NOW.0 - 5 * HOUR))).unwrap();
        judge(Some(NOW.0), Some(("a", NOW.0)), Some(("b", NOW.0 - 500 * DAY))).unwrap();
    }

    #[test]
    fn an_implausible_clock_is_refused() {
        let behind = judge(Some(NOW.0 + 7 * HOUR), None, None).unwrap_err();
        assert!(matches!(behind, ClockError::Behind { .. }), "{behind}");
        let message = behind.to_string();
        assert!(
            message.contains("1975-06-24 00:00 UTC") && message.contains("1975-06-24 07:00 UTC"),
            "{message}"
        );
        let ahead = judge(Some(NOW.0 - 401 * DAY), None, None).unwrap_err();
        assert!(matches!(ahead, ClockError::Ahead { .. }), "{ahead}");
        for by in [7 * HOUR, 40 * DAY, -7 * HOUR] {
            let set = judge(Some(NOW.0 - DAY), Some(("a", NOW.0 + by)), Some(("a", NOW.0))).unwrap_err();
            assert!(matches!(set, ClockError::Set { by_ms, .. } if by_ms == by), "{set}");
        }
        let check = ClockCheck { earliest: Millis(1), ..ClockCheck::default() };
        let early = check.check_with_boots(Millis(0), None, (None, None)).unwrap_err();
        assert!(early.to_string().contains("1970-01-01"), "{early}");
    }

    #[test]
    fn a_boot_time_is_stored_after_small_corrections_but_not_after_the_clock_was_set() {
        let boot = |at| Boot { id: "a".into(), at: Millis(at) };
        let check = ClockCheck::default();
        assert!(check.is_successor_of(&boot(0), None));
        assert!(check.is_successor_of(&boot(2_000), Some(&boot(0))));
        assert!(check.is_successor_of(&Boot { id: "b".into(), at: Millis(0) }, Some(&boot(0))));
        assert!(!check.is_successor_of(&boot(10), Some(&boot(0))));
        assert!(!check.is_successor_of(&boot(400 * DAY), Some(&boot(0))));
    }
}
