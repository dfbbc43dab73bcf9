//! Records when a client was sent the versions of its game, so that a player is not charged for the time that
//! the server took.

use std::{collections::VecDeque, ops::Range};

use adoube_protocol::Millis;

/// The number of versions whose times are remembered. Between the opponent's turn and the reply, the player
/// may touch men, and either player may make offers.
const MAX_REMEMBERED: usize = 8;

/// The times at which a client was sent the versions of its game.
#[derive(Debug)]
pub(super) struct SentVersions {
    /// The time at which the session began.
    opened_at: Millis,
    /// The version with which the session brought the client up to date, and the time.
    first: (u64, Millis),
    /// Later versions, in order, with the times. If a snapshot contained several new versions, only the
    /// newest is listed.
    later: VecDeque<(u64, Millis)>,
    /// The newest version that is no longer remembered.
    forgotten: u64,
}

impl SentVersions {
    pub(super) fn new(opened_at: Millis) -> Self {
        Self { opened_at, first: (0, opened_at), later: VecDeque::new(), forgotten: 0 }
    }

    /// Records that the client has just been brought up to date.
    pub(super) fn begin(&mut self, version: u64, now: Millis) {
        self.first = (version, now);
        self.later.clear();
    }

    /// Returns the time from the beginning of the session until the client was up to date, in milliseconds.
    pub(super) fn catch_up_ms(&self) -> i64 {
        self.first.1.0 - self.opened_at.0
    }

    /// Records that the client has just been sent a version.
    pub(super) fn add(&mut self, version: u64, now: Millis) {
        if version <= self.later.back().map_or(self.first.0, |(newest, _)| *newest) {
            return;
        }
        if self.later.len() == MAX_REMEMBERED
            && let Some((oldest, _)) = self.later.pop_front()
        {
            self.forgotten = oldest;
        }
        self.later.push_back((version, now));
    }

    /// Returns the period that ended when the client was sent a version, in milliseconds since 1970. For a
    /// version with which the client was brought up to date, the period begins with the session, because
    /// before that the client may have been waiting for another server. For a later version, the start of the
    /// period is left open, so in effect the period begins with the version itself. For a version that is not
    /// remembered, the period is empty.
    pub(super) fn wait_for(&self, version: u64) -> Range<i64> {
        if version <= self.first.0 {
            return self.opened_at.0..self.first.1.0;
        }
        let sent_at = self.later.iter().find(|(known, _)| *known >= version);
        sent_at.filter(|_| version > self.forgotten).map_or(0..0, |(_, at)| i64::MIN..at.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_waits_for_a_version_until_it_is_sent() {
        let mut shown = SentVersions::new(Millis(1_000));
        assert!(shown.wait_for(5).is_empty());
        shown.begin(5, Millis(1_040));
        // The client has waited for these versions since the session began, whenever they were played.
        assert_eq!(shown.wait_for(5), 1_000..1_040);
        assert_eq!(shown.wait_for(3), 1_000..1_040);
        shown.add(6, Millis(2_000));
        shown.add(7, Millis(2_500));
        // A snapshot repeats what has been sent.
        shown.add(7, Millis(9_000));
        assert_eq!(shown.wait_for(6), i64::MIN..2_000);
        assert_eq!(shown.wait_for(7), i64::MIN..2_500);
        assert!(shown.wait_for(8).is_empty());
        // A snapshot of version 10 is the first message that contains versions 8 and 9.
        shown.add(10, Millis(9_500));
        assert_eq!(shown.wait_for(8), i64::MIN..9_500);
        assert_eq!(shown.wait_for(7), i64::MIN..2_500);
        for version in 11..100 {
            shown.add(version, Millis(10_000));
        }
        assert!(shown.wait_for(7).is_empty());
        assert_eq!(shown.wait_for(99), i64::MIN..10_000);
        assert_eq!(shown.later.len(), MAX_REMEMBERED);
    }
}
