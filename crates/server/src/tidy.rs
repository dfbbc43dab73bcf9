//! Deletes old data in small batches.

use std::{fmt, str::FromStr, sync::Arc, time::Duration};

use adoube_protocol::Millis;
use adoube_store::{Ages, Store, Tidied};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use crate::{clock::Clock, config::text::as_text, error::causes};

/// The retention period of one kind of data.
///
/// Its text form is a number of days from 1 to 65535, such as `30d`, or `always`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RetentionPeriod {
    Days(u16),
    Always,
}

/// The error for a string that is not a retention period.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0:?} is neither a number of days from 1 to 65535, such as 30d, nor \"always\"")]
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
    /// Returns the time before which data is old enough to be deleted, or `None` if data is always kept.
    fn cutoff(self, now: Millis) -> Option<Millis> {
        match self {
            Self::Days(days) => Some(Millis(now.0.saturating_sub(i64::from(days) * DAY_MS))),
            Self::Always => None,
        }
    }

    /// Returns the time at which a period that starts now ends.
    pub(crate) fn expiry(self, now: Millis) -> Millis {
        match self {
            Self::Days(days) => Millis(now.0.saturating_add(i64::from(days) * DAY_MS)),
            Self::Always => Millis(i64::MAX),
        }
    }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Expired data is kept for one more day so that incidents can be investigated.
const EXPIRED_RETENTION: RetentionPeriod = RetentionPeriod::Days(1);
/// The maximum number of rows of each kind that are deleted in one batch. Turns wait for the database writer
/// while a batch is deleted.
const BATCH_SIZE: u32 = 50;
/// The pause between two batches of the same round.
const BATCH_INTERVAL: Duration = Duration::from_secs(1);
/// The pause between two rounds.
const ROUND_INTERVAL: Duration = Duration::from_hours(1);

/// The retention period of each kind of data.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Retention {
    /// Games without a second player. The period starts at their creation.
    pub unjoined_games: RetentionPeriod,
    /// Games that ended without a result and do not belong to a match, such as games aborted before both
    /// sides had played a turn. The period starts at their last event.
    pub called_off_games: RetentionPeriod,
    /// Finished games in which no player has or had an account. The period starts at their last event.
    pub anonymous_games: RetentionPeriod,
    /// Reports of chat messages.
    pub reports: RetentionPeriod,
    /// The names of deleted accounts. During this period, no other account can take the same name or a
    /// similar one.
    pub names: RetentionPeriod,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            unjoined_games: RetentionPeriod::Days(30),
            called_off_games: RetentionPeriod::Days(7),
            // Cookies expire after at most 400 days, so the players can no longer find these games.
            anonymous_games: RetentionPeriod::Days(400),
            reports: RetentionPeriod::Days(365),
            names: RetentionPeriod::Days(365),
        }
    }
}

impl Retention {
    /// Returns, for each kind of data except names, the time before which it is old enough to be deleted.
    pub fn cutoffs(&self, now: Millis) -> Ages {
        Ages {
            unjoined_games: self.unjoined_games.cutoff(now),
            called_off_games: self.called_off_games.cutoff(now),
            anonymous_games: self.anonymous_games.cutoff(now),
            reports: self.reports.cutoff(now),
            expired: EXPIRED_RETENTION.cutoff(now),
        }
    }
}

/// Deletes all old data, in small batches. Returns the numbers of deleted rows.
pub async fn tidy(store: &dyn Store, retention: &Retention, now: Millis) -> adoube_store::Result<Tidied> {
    let cutoffs = retention.cutoffs(now);
    let mut total = Tidied::default();
    loop {
        let deleted = store.tidy(&cutoffs, BATCH_SIZE, false).await?;
        total += deleted;
        if deleted.largest_count() < BATCH_SIZE.into() {
            return Ok(total);
        }
    }
}

/// Deletes old data periodically, starting after `initial_delay`, until `stop` is cancelled.
pub(crate) async fn sweep(
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    retention: Retention,
    initial_delay: Duration,
    stop: CancellationToken,
) {
    let mut pause = initial_delay;
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = ROUND_INTERVAL;
        match store.tidy(&retention.cutoffs(clock.now()), BATCH_SIZE, false).await {
            Ok(tidied) if tidied.largest_count() == 0 => {}
            Ok(tidied) => {
                let counts = tidied.counts().map(|(kind, count)| format!("{count} {kind}")).join(", ");
                tracing::info!(counts, "deleted old data");
                if tidied.largest_count() >= BATCH_SIZE.into() {
                    pause = BATCH_INTERVAL;
                }
            }
            Err(error) => {
                let cause = causes(&error);
                tracing::warn!(%error, cause, "could not delete old data");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retention_period_is_a_number_of_days_or_always() {
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
        let cutoffs = retention.cutoffs(Millis(400 * DAY_MS));
        assert_eq!((cutoffs.anonymous_games, cutoffs.unjoined_games), (None, Some(Millis(370 * DAY_MS))));
    }
}
