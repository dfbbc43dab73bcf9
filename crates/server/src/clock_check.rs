//! Whether the system's clock can be believed when the server starts.
//!
//! Nobody can tell a wrong clock from a right one by looking at it alone. It is compared with what is known without it:
//!
//! - **The data.** A clock that is behind the newest time in the data is wrong now, or was wrong then. Which of both,
//!   only a person can say.
//! - **The machine's uptime.** As long as the machine runs, its clock and its uptime go at the same pace, whether a server is there or not.
//!   If the clock says that the machine was booted at another time than it said before, the clock was set meanwhile.
//! - **The program.** It was not yet written before [`ClockCheck::earliest`].
//!
//! After a reboot, a clock that is ahead looks the same as a house that was closed for as long, which may well be a year. Only a leap
//! above [`ClockCheck::longest_absence`] is not believed then.
//!
//! A server that does not believe the clock does not start: so nothing is written, and nothing expires, by a wrong one.

use std::time::Duration;

use adoube_protocol::Millis;
use adoube_store::Boot;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use time::OffsetDateTime;

use crate::config::text::{days, hours};

/// What is believed of the system's clock.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct ClockCheck {
    /// By how much the clock may be behind the data, or be set while the machine runs.
    #[serde(rename = "tolerance_h", with = "hours")]
    pub tolerance: Duration,
    /// For how long no server may have been there.
    #[serde(rename = "longest_absence_d", with = "days")]
    pub longest_absence: Duration,
    /// No clock that is right shows an earlier time.
    #[serde(skip)]
    pub earliest: Millis,
    /// Whether the clock is believed whatever it says.
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

/// Why the system's clock is not believed.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ClockError {
    #[error(
        "the system's clock says {}, which is before this program was written; set the clock, or start with --accept-clock",
        shown(*now)
    )]
    TooEarly { now: Millis },
    #[error(
        "the system's clock says {}, but the data was written until {}. If the clock is wrong now, set it. If it was wrong then, \
         `adoube house reset-clock` takes the wrong times out of the data. --accept-clock goes on from the later time",
        shown(*now), shown(*newest)
    )]
    Behind { now: Millis, newest: Millis },
    #[error(
        "the system's clock says {}, but the data was last written at {}. If no server was there for so long, start once with \
         --accept-clock; otherwise set the clock",
        shown(*now), shown(*newest)
    )]
    Ahead { now: Millis, newest: Millis },
    #[error(
        "the system's clock says {} and was set by {} hours since a server last started on this machine. If it is right now, start \
         once with --accept-clock; otherwise set it",
        shown(*now), by_ms / 3_600_000
    )]
    Set { now: Millis, by_ms: i64 },
}

fn shown(at: Millis) -> String {
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
    /// Errs if the clock is not to be believed. `newest` is the latest time in the data, `boots` when the machine was booted, as the
    /// clock says now and as it said when a server last started.
    pub(crate) fn judge(
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
        if let (Some(here), Some(last)) = boots
            && here.id == last.id
        {
            let by_ms = here.at.0.saturating_sub(last.at.0);
            if by_ms.saturating_abs() > tolerance_ms {
                return Err(ClockError::Set { now, by_ms });
            }
        }
        Ok(())
    }

    /// Whether what the clock says of the machine's boot is worth to be written down: a clock that is corrected little by little is
    /// followed, one that is set is not.
    pub(crate) fn follows(&self, here: &Boot, noted: Option<&Boot>) -> bool {
        const WORTH_MS: i64 = 1_000;
        noted.is_none_or(|noted| {
            let by_ms = here.at.0.saturating_sub(noted.at.0).saturating_abs();
            noted.id != here.id || (WORTH_MS..=millis(self.tolerance)).contains(&by_ms)
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
        here: Option<(&str, i64)>,
        last: Option<(&str, i64)>,
    ) -> Result<(), ClockError> {
        let boot = |(id, at): (&str, i64)| Boot { id: id.into(), at: Millis(at) };
        let (here, last) = (here.map(boot), last.map(boot));
        let check = ClockCheck { earliest: Millis(1_000 * DAY), ..ClockCheck::default() };
        check.judge(NOW, newest.map(Millis), (here.as_ref(), last.as_ref()))
    }

    #[test]
    fn a_clock_is_believed_as_long_as_nothing_speaks_against_it() {
        for newest in [0, -HOUR, 5 * HOUR, -365 * DAY] {
            judge(Some(NOW.0 + newest), None, None).unwrap();
        }
        judge(None, None, None).unwrap();
        // Corrected a little; booted anew, by whatever clock.
        judge(Some(NOW.0), Some(("a", NOW.0)), Some(("a", NOW.0 - 5 * HOUR))).unwrap();
        judge(Some(NOW.0), Some(("a", NOW.0)), Some(("b", NOW.0 - 500 * DAY))).unwrap();
    }

    #[test]
    fn a_clock_that_cannot_be_right_is_not_believed() {
        let behind = judge(Some(NOW.0 + 7 * HOUR), None, None).unwrap_err();
        assert!(matches!(behind, ClockError::Behind { .. }), "{behind}");
        let told = behind.to_string();
        assert!(told.contains("1975-06-24 00:00 UTC") && told.contains("1975-06-24 07:00 UTC"), "{told}");
        let ahead = judge(Some(NOW.0 - 401 * DAY), None, None).unwrap_err();
        assert!(matches!(ahead, ClockError::Ahead { .. }), "{ahead}");
        for by in [7 * HOUR, 40 * DAY, -7 * HOUR] {
            let set = judge(Some(NOW.0 - DAY), Some(("a", NOW.0 + by)), Some(("a", NOW.0))).unwrap_err();
            assert!(matches!(set, ClockError::Set { by_ms, .. } if by_ms == by), "{set}");
        }
        let check = ClockCheck { earliest: Millis(1), ..ClockCheck::default() };
        let early = check.judge(Millis(0), None, (None, None)).unwrap_err();
        assert!(early.to_string().contains("1970-01-01"), "{early}");
    }

    #[test]
    fn a_clock_that_is_set_at_once_is_not_followed() {
        let boot = |at| Boot { id: "a".into(), at: Millis(at) };
        let check = ClockCheck::default();
        assert!(check.follows(&boot(0), None));
        assert!(check.follows(&boot(2_000), Some(&boot(0))));
        assert!(check.follows(&Boot { id: "b".into(), at: Millis(0) }, Some(&boot(0))));
        assert!(!check.follows(&boot(10), Some(&boot(0))));
        assert!(!check.follows(&boot(400 * DAY), Some(&boot(0))));
    }
}
