//! Heartbeats, starts, downtimes and boots.

use adoube_vocabulary::Millis;

use crate::{Boot, Downtime, Store};

pub(super) async fn check(store: &dyn Store) {
    downtimes_are_remembered(store).await;
    the_last_boot_is_remembered(store).await;
}

async fn downtimes_are_remembered(store: &dyn Store) {
    assert_eq!(store.record_start(Millis(1_000)).await.unwrap(), [], "no server has run before");
    store.record_heartbeat(Millis(2_000)).await.unwrap();
    store.record_heartbeat(Millis(1_500)).await.unwrap();
    assert!(store.latest_write().await.unwrap() >= Some(Millis(2_000)));
    store.record_heartbeat(Millis(1_900)).await.unwrap();
    let down = |from, until| Downtime { from: Millis(from), until: Millis(until) };
    assert_eq!(store.record_start(Millis(5_000)).await.unwrap(), [down(2_000, 5_000)]);
    // Without a later heartbeat, the start counts as one.
    assert_eq!(store.record_start(Millis(6_000)).await.unwrap(), [down(2_000, 5_000), down(5_000, 6_000)]);
    // Setting the clock back does not add a downtime.
    assert_eq!(store.record_start(Millis(4_000)).await.unwrap().len(), 2);
    // A server that stalled reports the downtime itself. It may report it several times, as the downtime
    // grows.
    store.add_downtime(down(7_000, 9_000)).await.unwrap();
    store.add_downtime(down(7_000, 9_500)).await.unwrap();
    store.add_downtime(down(7_000, 9_200)).await.unwrap();
    let known = store.record_start(Millis(4_000)).await.unwrap();
    assert_eq!(known, [down(2_000, 5_000), down(5_000, 6_000), down(7_000, 9_500)]);
}

async fn the_last_boot_is_remembered(store: &dyn Store) {
    assert_eq!(store.last_boot().await.unwrap(), None);
    for (id, at) in [("one", 5), ("one", 3), ("two", 4)] {
        let boot = Boot { id: id.into(), at: Millis(at) };
        store.set_last_boot(&boot).await.unwrap();
        assert_eq!(store.last_boot().await.unwrap(), Some(boot));
    }
}
