//! Notices can be lost during an outage. Subscribers are notified of a loss, and publishers are not delayed.

use super::*;
use crate::proxy::Proxy;

/// Publishes until a notice is dropped.
async fn publish_until_dropped(bus: &NatsBus, topic: &str) {
    let (started, before) = (Instant::now(), counts(bus).dropped);
    while counts(bus).dropped == before {
        assert!(started.elapsed() < TIMEOUT, "nothing was dropped");
        let start = Instant::now();
        publish(bus, topic, notice(0)).await;
        assert!(start.elapsed() < Duration::from_millis(500), "publishing took {:?}", start.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Subscribes, and checks that this takes less than three seconds.
async fn subscribe_quickly(bus: &NatsBus, topic: &str) -> Box<dyn Subscription> {
    let start = Instant::now();
    let subscription = bus.subscribe(topic).await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "subscribing took {:?}", start.elapsed());
    subscription
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_server_is_killed_and_restarted_notices_arrive_again() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    let mut at_one = one.subscribe("topic").await.unwrap();
    let mut at_two = two.subscribe("topic").await.unwrap();
    for round in 1..=3 {
        server.kill();
        publish_until_dropped(&one, "topic").await;
        let mut late = subscribe_quickly(&two, "late").await;
        server.restart().unwrap();
        let is_back = |bus| counts(bus).reconnects == round;
        wait_until("the bus is back", || is_back(&one) && is_back(&two)).await;
        assert_eq!(next(&mut late).await, Delivery::Lost);
        next_loss(&mut at_one).await;
        next_loss(&mut at_two).await;
        publish(&one, "topic", notice(round)).await;
        next_notice(&mut at_one, round).await;
        next_notice(&mut at_two, round).await;
        publish(&one, "late", notice(round)).await;
        next_notice(&mut late, round).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_was_disconnected_tells_the_others_that_notices_were_lost() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let proxy = Proxy::start(server.port()).await;
    let one =
        NatsBus::open(&NatsSettings { url: proxy.address(), ..settings(&server) }, "house").await.unwrap();
    // The other process stays connected throughout.
    let two = open(&server).await;
    let mut at_two = two.subscribe("topic").await.unwrap();
    proxy.close_connections();
    publish_until_dropped(&one, "topic").await;
    next_loss(&mut at_two).await;
    // The other process can learn of the loss before this one has counted its new connection.
    wait_until("the new connection is counted", || counts(&one).reconnects == 1).await;
    assert_eq!(counts(&two).reconnects, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_pause_of_the_server_delays_notices_and_loses_none() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    let mut at_two = two.subscribe("topic").await.unwrap();
    server.pause().unwrap();
    for sequence in 1..=10 {
        publish(&one, "topic", notice(sequence)).await;
    }
    let mut late = subscribe_quickly(&two, "late").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.resume().unwrap();
    for sequence in 1..=10 {
        assert_eq!(next(&mut at_two).await, Delivery::Notice(notice(sequence)));
    }
    // Notices published before the server has processed the subscription may be missed.
    assert_eq!(next(&mut late).await, Delivery::Lost);
    assert_eq!((counts(&one).reconnects, counts(&one).dropped), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn excess_notices_for_a_paused_server_are_dropped_and_reported() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    let mut at_two = two.subscribe("topic").await.unwrap();
    server.pause().unwrap();
    let start = Instant::now();
    let flood = Notice { body: vec![b'x'; 2_000].into(), ..notice(0) };
    for _ in 0..40_000 {
        publish(&one, "topic", flood.clone()).await;
    }
    assert!(start.elapsed() < Duration::from_secs(10), "publishing took {:?}", start.elapsed());
    let dropped = counts(&one).dropped;
    assert!(dropped > 0 && dropped < 40_000, "{dropped}");
    server.resume().unwrap();
    // The loss is reported without any further notice on the topic.
    let lost = async {
        while counts(&two).losses == 0 {
            next_loss(&mut at_two).await;
        }
    };
    timeout(TIMEOUT, lost).await.unwrap();
    // Once the queues are drained on both sides, there is room again.
    let publishing = async {
        loop {
            publish(&one, "topic", notice(1)).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = publishing => {}
        () = next_notice(&mut at_two, 1) => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bus_recovers_from_a_long_pause_of_the_server() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let (one, two) = (open(&server).await, open(&server).await);
    let mut at_two = two.subscribe("topic").await.unwrap();
    server.pause().unwrap();
    publish_until_dropped(&one, "topic").await;
    // Subscribing does not block while the server is paused.
    drop(subscribe_quickly(&one, "other").await);
    server.resume().unwrap();
    next_loss(&mut at_two).await;
    wait_until("the bus is back", || counts(&one).reconnects == 1 && counts(&two).reconnects == 1).await;
    publish(&one, "topic", notice(1)).await;
    next_notice(&mut at_two, 1).await;
}
