//! The contract test that every bus must pass.

use std::{collections::HashMap, sync::Arc, time::Duration};

use bytes::Bytes;

use crate::{Bus, Delivery, Notice, Subscription};

/// Time after which an expected delivery counts as missing.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Runs the contract test on a bus without other users. `one` and `two` are the handles of two processes, or
/// the same handle.
///
/// # Panics
///
/// If the bus violates the contract.
pub async fn check_contract(one: Arc<dyn Bus>, two: Arc<dyn Bus>) {
    for (from, to) in [(&one, &one), (&one, &two), (&two, &one)] {
        reaches_each_subscriber_of_a_topic_once(&**from, &**to).await;
        carries_everything(&**from, &**to).await;
        misses_nothing_once_subscribed(&**from, &**to).await;
        tells_a_slow_subscriber_about_losses(&**from, &**to).await;
    }
    keeps_the_order_of_each_process(&*one, &*two).await;
    keeps_topics_apart(&*one, &*two).await;
}

fn notice(sequence: u64) -> Notice {
    Notice { sequence, audience: 3, body: format!("body {sequence}").into() }
}

async fn publish(bus: &dyn Bus, topic: &str, notice: Notice) {
    bus.publish(topic, notice).await.unwrap();
}

async fn subscribe(bus: &dyn Bus, topic: &str) -> Box<dyn Subscription> {
    bus.subscribe(topic).await.unwrap()
}

async fn next(subscription: &mut dyn Subscription) -> Delivery {
    let next = tokio::time::timeout(TIMEOUT, subscription.next()).await;
    next.unwrap_or_else(|_| panic!("nothing was delivered to {subscription:?}"))
}

async fn reaches_each_subscriber_of_a_topic_once(from: &dyn Bus, to: &dyn Bus) {
    let mut subscriptions = Vec::new();
    for _ in 0..50 {
        subscriptions.push(subscribe(to, "reaches").await);
    }
    let mut other = subscribe(to, "other").await;
    publish(from, "reaches", notice(1)).await;
    publish(from, "reaches", notice(2)).await;
    publish(from, "other", notice(7)).await;
    for subscription in &mut subscriptions {
        assert_eq!(next(&mut **subscription).await, Delivery::Notice(notice(1)));
        assert_eq!(next(&mut **subscription).await, Delivery::Notice(notice(2)));
    }
    assert_eq!(next(&mut *other).await, Delivery::Notice(notice(7)));
}

async fn carries_everything(from: &dyn Bus, to: &dyn Bus) {
    let mut subscription = subscribe(to, "carries").await;
    let bodies = [Bytes::new(), vec![0xff; 200_000].into(), "\r\n\r\nMSG".into()];
    for (body, sequence, audience) in bodies.into_iter().zip([0, 1, u64::MAX]).zip([0, 1, 255]).map(flat) {
        let notice = Notice { sequence, audience, body };
        publish(from, "carries", notice.clone()).await;
        assert_eq!(next(&mut *subscription).await, Delivery::Notice(notice));
    }
}

fn flat<A, B, C>(((a, b), c): ((A, B), C)) -> (A, B, C) {
    (a, b, c)
}

async fn misses_nothing_once_subscribed(from: &dyn Bus, to: &dyn Bus) {
    for round in 1..=20 {
        publish(from, "begins", notice(0)).await;
        let mut subscription = subscribe(to, "begins").await;
        // Publish immediately after subscribing: a subscriber that reads the store at this point must not
        // miss any notice after that.
        publish(from, "begins", notice(round)).await;
        let mut first = next(&mut *subscription).await;
        if first == Delivery::Notice(notice(0)) {
            // The notice was still in transit.
            first = next(&mut *subscription).await;
        }
        assert_eq!(first, Delivery::Notice(notice(round)));
    }
}

async fn tells_a_slow_subscriber_about_losses(from: &dyn Bus, to: &dyn Bus) {
    const MANY: u64 = 500;
    let mut slow = subscribe(to, "slow").await;
    let mut fast = subscribe(to, "slow").await;
    for sequence in 1..=MANY {
        publish(from, "slow", notice(sequence)).await;
        assert_eq!(next(&mut *fast).await, Delivery::Notice(notice(sequence)));
    }
    assert_eq!(next(&mut *slow).await, Delivery::Lost);
    let Delivery::Notice(Notice { sequence: first, .. }) = next(&mut *slow).await else {
        panic!("a slow subscriber did not get the rest")
    };
    assert!(first > 1, "{first}");
    for sequence in first + 1..=MANY {
        assert_eq!(next(&mut *slow).await, Delivery::Notice(notice(sequence)));
    }
}

async fn keeps_the_order_of_each_process(one: &dyn Bus, two: &dyn Bus) {
    let mut at_one = subscribe(one, "order").await;
    let mut at_two = subscribe(two, "order").await;
    for round in 0..100 {
        let send = async |from: &dyn Bus, process: u8| {
            for sequence in round * 4..round * 4 + 4 {
                publish(from, "order", Notice { audience: process, ..notice(sequence) }).await;
                tokio::task::yield_now().await;
            }
        };
        tokio::join!(send(one, 1), send(two, 2));
        for subscription in [&mut at_one, &mut at_two] {
            let mut seen = HashMap::<u8, Vec<u64>>::new();
            for _ in 0..8 {
                let Delivery::Notice(notice) = next(&mut **subscription).await else {
                    panic!("unexpected loss")
                };
                seen.entry(notice.audience).or_default().push(notice.sequence);
            }
            let expected = (round * 4..round * 4 + 4).collect::<Vec<_>>();
            assert_eq!(seen, HashMap::from([(1, expected.clone()), (2, expected)]));
        }
    }
}

async fn keeps_topics_apart(one: &dyn Bus, two: &dyn Bus) {
    let long = "x".repeat(200);
    let topics = [
        "", "a", "A", "a b", "a.b", "a.", ".a", "a..b", "a.*", "a.>", "*", ">", "_", "__", "_2e", "_2E", "é",
        "\n", "\r\n", "\0", "$SYS", "棋", &long,
    ];
    let mut subscriptions = Vec::new();
    for topic in topics {
        subscriptions.push((topic, subscribe(two, topic).await));
    }
    for topic in topics {
        let body = Bytes::copy_from_slice(topic.as_bytes());
        publish(one, topic, Notice { body, ..notice(1) }).await;
    }
    for topic in topics {
        publish(one, topic, notice(2)).await;
    }
    for (topic, mut subscription) in subscriptions {
        let Delivery::Notice(first) = next(&mut *subscription).await else { panic!("unexpected loss") };
        assert_eq!(first.body, topic.as_bytes(), "{topic:?}");
        assert_eq!(next(&mut *subscription).await, Delivery::Notice(notice(2)), "{topic:?}");
    }
}
