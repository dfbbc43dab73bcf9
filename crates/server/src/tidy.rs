//! Deletes old data, a little at a time.

use std::{fmt, str::FromStr, sync::Arc, time::Duration};

use adoube_protocol::Millis;
use adoube_store::{Ages, Store, Tidied};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use crate::{clock::Clock, config::text::as_text, error::causes};

/// The retention of one kind of data.
///
/// As text: a number of days, such as `30d`, or `always`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RetentionPeriod {
    Days(u16),
    Always,
}

/// The error for a text that is not a retention period.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0:?} is not a number of days, such as 30d, or always")]
pub struct RetentionPeriodError(pub String);

as_text!(RetentionPeriod);

impl FromStr for RetentionPeriod {
    type Err = RetentionPeriodError;

    fn from_str(text: &str) -> Result<Self, RetentionPeriodError> {
        let days = || {
            let digits = text.trim().strip_suffix('d')?;
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().ok())?.filter(|&days| days > 0)
        };
        match text.trim() {
            "always" => Ok(Self::Always),
            _ => days().map(Self::Days).ok_or_else(|| RetentionPeriodError(text.to_owned())),
        }
    }
}

impl fmt::Display for RetentionPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "{days}d"),
            Self::Always => f.write_str("always"),
        }
    }
}

impl RetentionPeriod {
    /// Returns the time before which data is too old.
    fn cutoff(self, now: Millis) -> Option<Millis> {
        match self {
            Self::Days(days) => Some(Millis(now.0.saturating_sub(i64::from(days) * DAY_MS))),
            Self::Always => None,
        }
    }

    /// Returns the time at which a period that begins now ends.
    pub(crate) fn expiry(self, now: Millis) -> Millis {
        match self {
            Self::Days(days) => Millis(now.0.saturating_add(i64::from(days) * DAY_MS)),
            Self::Always => Millis(i64::MAX),
        }
    }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Expired data is kept for one more day, for investigations.
const EXPIRED: RetentionPeriod = RetentionPeriod::Days(1);
/// The maximum number of rows of each kind that are deleted at a time, because turns wait for the writer in
/// the meantime.
const AT_A_TIME: u32 = 50;
/// Time between two batches, and between two rounds.
const PAUSE: Duration = Duration::from_secs(1);
const ROUND: Duration = Duration::from_hours(1);

/// The retention of each kind of data.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Retention {
    /// Games that wait for a second player, counted from their creation.
    pub unjoined_games: RetentionPeriod,
    /// Games outside of matches that were called off before both sides had played a turn.
    pub called_off_games: RetentionPeriod,
    /// Finished games between players without an account, counted from their last event.
    pub anonymous_games: RetentionPeriod,
    /// Reports of chat lines.
    pub reports: RetentionPeriod,
    /// The names of deleted accounts. In this period, no other account can take such a name, or a similar
    /// one.
    pub names: RetentionPeriod,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            unjoined_games: RetentionPeriod::Days(30),
            called_off_games: RetentionPeriod::Days(7),
            // No cookie lives longer than 400 days, so their players could not find them any more.
            anonymous_games: RetentionPeriod::Days(400),
            reports: RetentionPeriod::Days(365),
            names: RetentionPeriod::Days(365),
        }
    }
}

impl Retention {
    /// Returns the times before which each kind of data is too old.
    pub fn ages(&self, now: Millis) -> Ages {
        Ages {
            unjoined_games: self.unjoined_games.cutoff(now),
            called_off_games: self.called_off_games.cutoff(now),
            anonymous_games: self.anonymous_games.cutoff(now),
            reports: self.reports.cutoff(now),
            expired: EXPIRED.cutoff(now),
        }
    }
}

/// Deletes all old data, in small batches. Returns the number of deleted rows.
pub async fn tidy(store: &dyn Store, retention: &Retention, now: Millis) -> adoube_store::Result<Tidied> {
    let ages = retention.ages(now);
    let mut all = Tidied::default();
    loop {
        let portion = store.tidy(&ages, AT_A_TIME, false).await?;
        all += portion;
        if portion.largest_count() < AT_A_TIME.into() {
            return Ok(all);
        }
    }
}

/// Deletes old data periodically, the first time after `first`, until `stop`.
pub(crate) async fn sweep(
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    retention: Retention,
    first: Duration,
    stop: CancellationToken,
) {
    let mut pause = first;
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = ROUND;
        match store.tidy(&retention.ages(clock.now()), AT_A_TIME, false).await {
            Ok(tidied) if tidied.largest_count() == 0 => {}
            Ok(tidied) => {
                let counts = tidied.counts().map(|(kind, count)| format!("{count} {kind}")).join(", ");
                tracing::info!(counts, "old data was deleted");
                if tidied.largest_count() >= AT_A_TIME.into() {
                    pause = PAUSE;
                }
            }
            Err(error) => {
                let cause = causes(&error);
                tracing::warn!(%error, cause, "old data could not be deleted");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retention_period_survives_a_round_trip_through_text() {
        for text in ["1d", "30d", "400d", "65535d", "always"] {
            assert_eq!(text.parse::<RetentionPeriod>().unwrap().to_string(), text);
        }
        for text in ["", "d", "0d", "-1d", "+1d", "30", "30 days", "65536d", "never", "1.5d", "é"] {
            assert_eq!(text.parse::<RetentionPeriod>(), Err(RetentionPeriodError(text.to_owned())));
        }
    }

    #[test]
    fn data_that_is_always_kept_is_never_too_old() {
        let retention = Retention { anonymous_games: RetentionPeriod::Always, ..Retention::default() };
        let ages = retention.ages(Millis(400 * DAY_MS));
        assert_eq!((ages.anonymous_games, ages.unjoined_games), (None, Some(Millis(370 * DAY_MS))));
    }
}
