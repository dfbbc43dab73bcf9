//! The bus over a NATS server that these tests start, pause and kill.

mod credentials;
mod opening;
mod outage;
mod proxy;

use std::{sync::Arc, time::Duration};

use adoube_bus::{Bus, BusCounts, Delivery, Notice, Subscription};
use adoube_bus_nats::{NatsBus, NatsSettings};
use adoube_test_services::{Nats, or_skip};
use tokio::time::{Instant, timeout};

const TIMEOUT: Duration = Duration::from_secs(30);

fn settings(server: &Nats) -> NatsSettings {
    NatsSettings { url: server.address(), ..NatsSettings::default() }
}

async fn open(server: &Nats) -> Arc<NatsBus> {
    Arc::new(NatsBus::open(&settings(server), "house").await.unwrap())
}

fn notice(sequence: u64) -> Notice {
    Notice { sequence, audience: 1, body: format!("body {sequence}").into() }
}

async fn publish(bus: &NatsBus, topic: &str, notice: Notice) {
    bus.publish(topic, notice).await.unwrap();
}

async fn next(subscription: &mut Box<dyn Subscription>) -> Delivery {
    let next = timeout(TIMEOUT, subscription.next()).await;
    next.unwrap_or_else(|_| panic!("nothing was delivered to {subscription:?}"))
}

/// Receives deliveries until a loss is reported.
async fn next_loss(subscription: &mut Box<dyn Subscription>) {
    while next(subscription).await != Delivery::Lost {}
}

/// Receives deliveries until the given notice arrives.
async fn next_notice(subscription: &mut Box<dyn Subscription>, sequence: u64) {
    while next(subscription).await != Delivery::Notice(notice(sequence)) {}
}

fn counts(bus: &NatsBus) -> BusCounts {
    bus.counts().unwrap()
}

/// Waits until a condition is met.
async fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "timed out waiting until {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_pass_the_contract_test() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    adoube_bus::check_contract(Arc::<NatsBus>::clone(&one), Arc::<NatsBus>::clone(&two)).await;
    let (one, two) = (counts(&one), counts(&two));
    assert!(one.published > 0 && two.received > 0, "{one:?} {two:?}");
    assert_eq!((one.dropped, one.losses, one.reconnects), (0, 0, 0));
    assert_eq!((two.dropped, two.losses, two.reconnects), (0, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_topic_is_one_nats_subscription_for_any_number_of_subscribers() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    let subscriptions = || server.request("/connz?subs=1").unwrap().matches(".topic.").count();
    let mut many = Vec::new();
    for number in 0..1_000 {
        many.push(one.subscribe(&format!("topic {}", number % 10)).await.unwrap());
    }
    assert_eq!(subscriptions(), 10);
    publish(&two, "topic 0", notice(1)).await;
    for subscription in many.iter_mut().step_by(10) {
        assert_eq!(next(subscription).await, Delivery::Notice(notice(1)));
    }
    drop(many);
    wait_until("the topics are closed", || one.topic_count() == 0 && subscriptions() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_topics_are_opened_and_closed_at_once() {
    const TOPICS: usize = 2_000;
    let Some(server) = or_skip(Nats::start()) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    for _ in 0..2 {
        let opening = (0..TOPICS).map(|number| {
            let one = Arc::clone(&one);
            tokio::spawn(async move { one.subscribe(&number.to_string()).await.unwrap() })
        });
        let opening = opening.collect::<Vec<_>>();
        let mut subscriptions = Vec::new();
        for opening in opening {
            subscriptions.push(opening.await.unwrap());
        }
        for number in 0..TOPICS {
            publish(&two, &number.to_string(), notice(1)).await;
        }
        for subscription in &mut subscriptions {
            assert_eq!(next(subscription).await, Delivery::Notice(notice(1)));
        }
    }
    assert_eq!((counts(&one).losses, counts(&two).dropped), (0, 0));
    wait_until("the topics are closed", || one.topic_count() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_that_is_too_long_for_the_server_is_a_loss() {
    let Some(server) = or_skip(Nats::start_with(|_| "max_payload: 1000".into())) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    let mut here = one.subscribe("topic").await.unwrap();
    let mut there = two.subscribe("topic").await.unwrap();
    let long = Notice { body: vec![b'x'; 2_000].into(), ..notice(1) };
    publish(&one, "topic", long.clone()).await;
    publish(&one, "topic", notice(2)).await;
    assert_eq!(next(&mut here).await, Delivery::Notice(long));
    assert_eq!(next(&mut there).await, Delivery::Lost);
    assert_eq!(next(&mut there).await, Delivery::Notice(notice(2)));
    assert_eq!(counts(&one).dropped, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_bus_sends_everything() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let two = open(&server).await;
    let mut at_two = two.subscribe("topic").await.unwrap();
    let one = NatsBus::open(&settings(&server), "house").await.unwrap();
    for sequence in 1..=10 {
        publish(&one, "topic", notice(sequence)).await;
    }
    one.close().await;
    drop(one);
    for sequence in 1..=10 {
        assert_eq!(next(&mut at_two).await, Delivery::Notice(notice(sequence)));
    }
    server.kill();
    let start = Instant::now();
    two.close().await;
    assert!(start.elapsed() < Duration::from_secs(2));
}
