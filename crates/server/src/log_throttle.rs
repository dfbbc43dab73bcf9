//! A rate limit for log lines that could otherwise be written thousands of times a second, for example when
//! thousands of connections fail for the same reason.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// A limit of one log line a second, with a count of the lines suppressed since the last one.
#[derive(Debug)]
pub(crate) struct LogThrottle(Mutex<State>);

#[derive(Debug)]
struct State {
    last: Option<Instant>,
    suppressed: u64,
}

impl LogThrottle {
    const PAUSE: Duration = Duration::from_secs(1);

    pub(crate) const fn new() -> Self {
        Self(Mutex::new(State { last: None, suppressed: 0 }))
    }

    /// Returns the number of lines suppressed since the last one if this line may be written. Otherwise
    /// counts it as suppressed and returns `None`.
    pub(crate) fn line(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| now.saturating_duration_since(last) < Self::PAUSE) {
            state.suppressed += 1;
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.suppressed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_a_second_passes_with_the_number_of_suppressed_lines() {
        let throttle = LogThrottle::new();
        let start = Instant::now();
        let line_at = |millis| throttle.line(start + Duration::from_millis(millis));
        assert_eq!(line_at(0), Some(0));
        assert_eq!([line_at(1), line_at(500), line_at(999)], [None; 3]);
        assert_eq!(line_at(1_000), Some(3));
        assert_eq!(line_at(1_500), None);
        assert_eq!(line_at(9_000), Some(1));
        assert_eq!(line_at(20_000), Some(0));
    }
}
