//! What came of it.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::{flags::Flags, game::Played};

#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) open_seconds: f64,
    pub(crate) seconds: f64,
    pub(crate) idle_mib: f64,
    pub(crate) peak_mib: f64,
    pub(crate) restart_seconds: Vec<f64>,
    pub(crate) watched_us: Vec<u64>,
    acknowledged_us: Vec<u64>,
    seen_us: Vec<u64>,
    reconnected_us: Vec<u64>,
    due: u64,
    lost: u64,
    doubled: u64,
    illegal: u64,
    mistakes: Vec<String>,
}

impl Report {
    pub(crate) fn add(&mut self, played: Played) {
        self.acknowledged_us.extend(played.acknowledged_us);
        self.seen_us.extend(played.seen_us);
        self.reconnected_us.extend(played.reconnected_us);
        self.due += played.due;
        self.lost += played.lost;
        self.doubled += played.doubled;
        self.illegal += played.illegal;
        self.mistakes.extend(played.mistakes);
    }

    pub(crate) fn json(&mut self, flags: &Flags) -> Value {
        let restarts = self.restart_seconds.iter().map(|seconds| (seconds * 1e6) as u64);
        json!({
            "scenario": flags,
            "openSeconds": self.open_seconds,
            "seconds": self.seconds,
            "turnsDue": self.due,
            "turnsPerSecond": self.acknowledged_us.len() as f64 / self.seconds,
            "acknowledgedMs": percentiles(&mut self.acknowledged_us),
            "seenByTheOtherMs": percentiles(&mut self.seen_us),
            "seenByWatchersMs": percentiles(&mut self.watched_us),
            "serverMib": { "idle": self.idle_mib, "peak": self.peak_mib },
            "kills": self.restart_seconds.len(),
            "restartMs": percentiles(&mut restarts.collect::<Vec<_>>()),
            "backAfterKillMs": percentiles(&mut self.reconnected_us),
            "acknowledgedButLost": self.lost,
            "doubled": self.doubled,
            "illegal": self.illegal,
            "mistakes": self.mistakes.len(),
            "firstMistakes": self.mistakes.iter().take(5).collect::<Vec<_>>(),
        })
    }

    /// Errs if anything was lost that must not be.
    pub(crate) fn verdict(&self) -> Result<()> {
        let bad = self.lost + self.doubled + self.illegal + self.mistakes.len() as u64;
        if bad > 0 {
            bail!("the server has lost, doubled or misplayed something: {bad} times");
        }
        Ok(())
    }
}

/// In milliseconds; null if nothing was measured.
fn percentiles(values_us: &mut [u64]) -> Value {
    values_us.sort_unstable();
    let at = |share: f64| {
        let place = (share * values_us.len() as f64).ceil() as usize;
        values_us.get(place.clamp(1, values_us.len().max(1)) - 1).map(|us| *us as f64 / 1000.0)
    };
    json!({ "count": values_us.len(), "p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "p999": at(0.999), "max": at(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let found = percentiles(&mut (1..=1000).map(|ms| ms * 1000).collect::<Vec<_>>());
        assert_eq!(
            (&found["p50"], &found["p99"], &found["max"]),
            (&json!(500.0), &json!(990.0), &json!(1000.0))
        );
        assert_eq!(percentiles(&mut [])["p99"], Value::Null);
    }
}
