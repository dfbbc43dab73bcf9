use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use futures_util::FutureExt as _;

use super::*;

#[derive(Debug, Default)]
struct ManualClock(AtomicI64);

impl ManualClock {
    fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        Millis(self.0.load(Relaxed))
    }
}

fn down(from: i64, until: i64) -> Downtime {
    Downtime { from: Millis(from), until: Millis(until) }
}

fn own_after(downtimes: &Downtimes, at_ms: i64) -> Vec<Downtime> {
    downtimes.own_since(at_ms).collect()
}

#[test]
fn a_late_check_detects_a_pause() {
    let clock = Arc::new(ManualClock::default());
    let downtimes = Downtimes::new(Arc::clone(&clock) as _, vec![down(-50, -20)], false);
    for _ in 0..10 {
        clock.advance(MAX_DELAY_MS);
        downtimes.check();
    }
    assert_eq!(downtimes.after(0), []);
    clock.advance(15_000);
    assert_eq!(downtimes.check(), Millis(25_000));
    assert_eq!(downtimes.after(0), [down(10_000, 25_000)]);
    assert_eq!(downtimes.after(-30), [down(-50, -20), down(10_000, 25_000)]);
    assert_eq!(downtimes.within_ms(-30, 12_000), 10 + 2_000);
    assert_eq!(downtimes.unsaved(), [down(10_000, 25_000)]);
    // Another pause begins where the first one ended, so it extends the same downtime.
    clock.advance(2_000);
    downtimes.check();
    assert_eq!(downtimes.unsaved(), [down(10_000, 27_000)]);
    downtimes.set_saved(&downtimes.unsaved());
    assert_eq!(downtimes.unsaved(), []);
    clock.advance(500);
    downtimes.check();
    clock.advance(1_500);
    downtimes.check();
    assert_eq!(downtimes.unsaved(), [down(27_500, 29_000)]);
}

#[test]
fn players_may_reconnect_for_a_while_after_a_downtime() {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let known = vec![down(1_000, 2_000), down(5_000, 6_000), down(50_000, 60_000)];
    let downtimes = Downtimes::new(clock, known, true);
    let recent = [(999, None), (2_000, Some(2_000)), (5_999, Some(2_000)), (6_000, Some(6_000))];
    for (at, end) in recent.into_iter().chain([(10_999, Some(6_000)), (11_000, None)]) {
        assert_eq!(downtimes.ended_recently(at), end.map(Millis), "{at}");
    }
    // Cut off shortly before, during, just after, too long before and again shortly before a downtime.
    for (at, from) in [(0, 6_000), (1_500, 6_000), (6_000, 6_000), (44_999, 44_999), (45_000, 60_000)] {
        assert_eq!(downtimes.end_of_outage(Millis(at)), Millis(from), "{at}");
    }
}

#[test]
fn a_process_without_players_has_only_the_downtimes_of_other_processes() {
    let clock = Arc::new(ManualClock::default());
    let downtimes = Downtimes::new(Arc::clone(&clock) as _, vec![down(-50, -20)], true).for_worker();
    clock.advance(15_000);
    assert_eq!(downtimes.check(), Millis(15_000));
    downtimes.merge_stored(&[down(3_000, 4_000)]);
    assert_eq!(downtimes.after(-100), [down(-50, -20), down(3_000, 4_000)]);
}

#[test]
fn a_disk_that_does_not_respond_counts_as_downtime() {
    let clock = Arc::new(ManualClock::default());
    let downtimes = Downtimes::new(Arc::clone(&clock) as _, Vec::new(), false);
    let run = |ms: i64| {
        for _ in 0..ms / 100 {
            clock.advance(100);
            downtimes.check();
        }
    };
    // A write that ends in time.
    downtimes.begin_write();
    run(900);
    downtimes.end_write();
    assert_eq!(downtimes.after(0), []);
    // A write that takes too long. Checks during the write extend the same downtime, and so does the next
    // attempt to write.
    downtimes.begin_write();
    run(1_500);
    assert_eq!(downtimes.after(0), [down(900, 2_400)]);
    downtimes.set_saved(&[down(900, 2_400)]);
    run(300);
    downtimes.begin_write();
    run(200);
    downtimes.end_write();
    run(5_000);
    assert_eq!(downtimes.after(0), [down(900, 2_900)]);
    assert_eq!(downtimes.unsaved(), [down(900, 2_900)]);
    // Marking an earlier, shorter form of a downtime as stored does not mark the extended one.
    downtimes.set_saved(&[down(900, 2_400)]);
    assert_eq!(downtimes.unsaved().len(), 1);
}

#[tokio::test]
async fn a_pause_of_one_node_is_limited_and_not_stored() {
    let clock = Arc::new(ManualClock::default());
    let downtimes = Downtimes::new(Arc::clone(&clock) as _, vec![down(-50, -20)], true);
    clock.advance(8_000);
    downtimes.check();
    downtimes.wait_for_own().await;
    assert_eq!((downtimes.after(0), downtimes.unsaved()), (vec![], vec![]), "the pause is not stored");
    // At most five seconds count, because by then all players could have connected to another node.
    assert_eq!(own_after(&downtimes, 0), [down(0, 5_000)]);
    assert_eq!(own_after(&downtimes, 5_000), []);
    assert_eq!(downtimes.within_ms(-30, 10_000), 10 + 5_000);
    // A downtime of all nodes overlaps the pause.
    downtimes.merge_stored(&[down(1_000, 9_000)]);
    assert_eq!(downtimes.after(0), [down(1_000, 9_000)]);
    assert_eq!(downtimes.within_ms(0, 10_000), 9_000);
    downtimes.clear_own();
    assert_eq!(own_after(&downtimes, 0), []);
    assert_eq!(downtimes.within_ms(0, 10_000), 8_000);
}

#[test]
fn a_pause_of_one_node_is_announced_whenever_its_uncharged_part_grows() {
    let clock = Arc::new(ManualClock::default());
    let downtimes = Downtimes::new(Arc::clone(&clock) as _, Vec::new(), true);
    let is_announced = || downtimes.wait_for_own().now_or_never().is_some();
    downtimes.check();
    assert!(!is_announced());
    // The second pause begins where the first one ended.
    for until in [2_000, 4_000] {
        clock.advance(2_000);
        downtimes.check();
        assert_eq!(own_after(&downtimes, 0), [down(0, until)]);
        assert!(is_announced(), "{until}");
        assert!(!is_announced(), "{until} is announced once");
    }
    clock.advance(3_000);
    downtimes.check();
    assert_eq!(own_after(&downtimes, 0), [down(0, 5_000)]);
    assert!(is_announced());
    // Only the first five seconds of a pause go uncharged, so a further extension is not announced.
    clock.advance(3_000);
    downtimes.check();
    assert_eq!(own_after(&downtimes, 0), [down(0, 5_000)]);
    assert!(!is_announced());
    // Every reading of the clock detects pauses.
    let readings: [&dyn Fn(); 3] =
        [&|| downtimes.begin_write(), &|| downtimes.end_write(), &|| downtimes.correct_clock(|| ())];
    for (number, read) in readings.into_iter().enumerate() {
        clock.advance(500);
        downtimes.check();
        assert!(!is_announced());
        clock.advance(1_500);
        read();
        assert!(is_announced(), "{number}");
    }
}

/// A clock that can be set forward without a pause.
#[derive(Debug, Default)]
struct SettableClock(AtomicI64);

impl Clock for SettableClock {
    fn now(&self) -> Millis {
        Millis(self.0.load(Relaxed))
    }

    fn steady_ms(&self) -> i64 {
        0
    }
}

#[test]
fn time_skipped_by_setting_the_clock_forward_is_charged_to_no_player() {
    let clock = Arc::new(SettableClock::default());
    let downtimes = Downtimes::new(Arc::clone(&clock) as _, Vec::new(), true);
    let set_forward = |ms: i64| downtimes.correct_clock(|| clock.0.fetch_add(ms, Relaxed));
    set_forward(5);
    assert_eq!(own_after(&downtimes, -1), []);
    set_forward(3_000);
    assert_eq!(own_after(&downtimes, 0), [down(5, 3_005)]);
    assert_eq!(downtimes.check(), Millis(3_005));
}
