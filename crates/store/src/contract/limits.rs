//! Token buckets, in one process and shared by several.

use std::{sync::Arc, time::Duration};

use adoube_vocabulary::Millis;

use crate::{Store, TakeOutcome, TokenRequest};

const SECOND: i64 = 1_000_000;

/// A tenth of a bucket that takes ten seconds to refill.
fn tenth(bucket: u8) -> TokenRequest {
    TokenRequest { bucket: [bucket; 16], cost_us: SECOND, max_us: 10 * SECOND }
}

async fn taken(store: &dyn Store, bucket: u8, now: i64) -> usize {
    let mut count = 0;
    while store.take(&[tenth(bucket)], Millis(now)).await.unwrap() == TakeOutcome::Done {
        count += 1;
    }
    count
}

pub(super) async fn check(store: &dyn Store) {
    let wait = |seconds| TakeOutcome::Wait(Duration::from_secs(seconds));
    let start = 1_750_000_000_000;
    // A burst empties the bucket. After that, only refilled tokens can be taken.
    assert_eq!(taken(store, 1, start).await, 10);
    assert_eq!(store.take(&[tenth(1)], Millis(start)).await.unwrap(), wait(1));
    assert_eq!(
        store.take(&[tenth(1)], Millis(start + 400)).await.unwrap(),
        TakeOutcome::Wait(Duration::from_millis(600))
    );
    assert_eq!(taken(store, 1, start + 3_000).await, 3);
    assert_eq!(taken(store, 1, start + 3_600_000).await, 10);

    // A request can be limited to part of a bucket, leaving the rest as a reserve.
    let now = Millis(start + 3_610_000);
    let reserving = TokenRequest { max_us: 7 * SECOND, ..tenth(1) };
    for _ in 0..7 {
        assert_eq!(store.take(&[reserving], now).await.unwrap(), TakeOutcome::Done);
    }
    assert_eq!(store.take(&[reserving], now).await.unwrap(), wait(1));
    assert_eq!(taken(store, 1, now.0).await, 3);

    // A request takes from all buckets or from none. It returns the longest wait.
    assert_eq!(store.take(&[tenth(2), tenth(1), tenth(3)], now).await.unwrap(), wait(1));
    let whole = TokenRequest { cost_us: 10 * SECOND, ..tenth(1) };
    assert_eq!(store.take(&[tenth(2), whole, tenth(3)], now).await.unwrap(), wait(10));
    assert_eq!((taken(store, 2, now.0).await, taken(store, 3, now.0).await), (10, 10));

    // Refunded tokens can be taken again, and a bucket never exceeds its capacity.
    store.return_tokens(&[tenth(2), tenth(3), tenth(4)], now).await.unwrap();
    assert_eq!((taken(store, 2, now.0).await, taken(store, 3, now.0).await), (1, 1));
    assert_eq!(taken(store, 4, now.0).await, 10);
    let later = now.0 + 3_600_000;
    store.return_tokens(&[tenth(2)], Millis(later)).await.unwrap();
    assert_eq!(taken(store, 2, later).await, 10);

    // A new bucket is full. A request for no tokens always succeeds.
    assert_eq!(taken(store, 5, later).await, 10);
    assert_eq!(store.take(&[], now).await.unwrap(), TakeOutcome::Done);

    // Most of these buckets are full again at the end, so they may be deleted.
    for number in 0..2_000_u16 {
        let mut bucket = [9; 16];
        bucket[..2].copy_from_slice(&number.to_le_bytes());
        let take = TokenRequest { bucket, ..tenth(0) };
        assert_eq!(
            store.take(&[take], Millis(later + i64::from(number) * 100)).await.unwrap(),
            TakeOutcome::Done
        );
    }
}

/// Takes from the same buckets through two handles at the same moment. Together they get no more than one
/// bucket holds.
pub(super) async fn check_race(one: &Arc<dyn Store>, two: &Arc<dyn Store>) {
    const REQUESTS: usize = 40;
    let now = Millis(1_760_000_000_000);
    let take = |store: &Arc<dyn Store>, buckets: Vec<u8>| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            let requests = buckets.into_iter().map(|bucket| tenth(100 + bucket)).collect::<Vec<_>>();
            store.take(&requests, now).await.unwrap() == TakeOutcome::Done
        })
    };
    // The two handles list the buckets in opposite orders, which must not cause a deadlock.
    let requests =
        (0..REQUESTS).flat_map(|_| [take(one, vec![0, 1, 2]), take(two, vec![2, 1, 0])]).collect::<Vec<_>>();
    let mut done = 0;
    for requests in requests {
        done += usize::from(requests.await.unwrap());
    }
    assert_eq!(done, 10);
}
