//! Two servers of one house: a change on one also takes effect on the other.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use adoube_bus::{Bus, BusCounts, BusError, FanOut, LocalBus, Notice, Subscription};
use adoube_bus_nats::{NatsBus, NatsSettings};
use adoube_protocol::Seat;
use adoube_test_services::{Nats, or_skip};
use async_trait::async_trait;
use serde_json::{Value, json};

use crate::{
    blocks::block,
    hall::{enter, next_hall, seek},
    house::{House, Response, Socket, Visitor, eventually},
};

/// A bus that a test can interrupt. During an outage it loses all notices; afterwards it reports the loss.
#[derive(Debug, Default)]
pub(crate) struct InterruptibleBus {
    fan_out: FanOut<()>,
    is_interrupted: AtomicBool,
}

impl InterruptibleBus {
    pub(crate) fn interrupt(&self) {
        self.is_interrupted.store(true, SeqCst);
    }

    pub(crate) fn restore(&self) {
        self.is_interrupted.store(false, SeqCst);
        self.fan_out.lost();
    }
}

#[async_trait]
impl Bus for InterruptibleBus {
    async fn publish(&self, topic: &str, notice: Notice) -> Result<(), BusError> {
        let topic = self.fan_out.topic(topic).filter(|_| !self.is_interrupted.load(SeqCst));
        if let Some(topic) = topic {
            topic.sender().notice(notice);
        }
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Box<dyn Subscription>, BusError> {
        Ok(Box::new(self.fan_out.subscribe(topic, |_| ())))
    }

    fn counts(&self) -> Option<BusCounts> {
        // A bus that returns counts is treated as one between separate processes, which is what this bus
        // simulates.
        Some(BusCounts::default())
    }
}

async fn pair() -> (House, House) {
    let bus = Arc::new(LocalBus::new());
    House::pair(Arc::<LocalBus>::clone(&bus), bus).await
}

async fn interruptible_pair() -> (Arc<InterruptibleBus>, House, House) {
    let bus = Arc::new(InterruptibleBus::default());
    let (one, other) =
        House::pair(Arc::<InterruptibleBus>::clone(&bus), Arc::<InterruptibleBus>::clone(&bus)).await;
    (bus, one, other)
}

/// Returns the same visitor on another server.
pub(crate) fn at(house: &House, visitor: &Visitor) -> Visitor {
    Visitor { address: house.address, ..visitor.clone() }
}

async fn open_game(visitor: &mut Visitor) -> String {
    visitor.create("chess", "white", &json!({ "type": "friend" })).await.0
}

/// Opens a game socket on a server and reads the snapshot.
async fn socket(house: &House, visitor: &Visitor, game: &str) -> Socket {
    let mut socket = at(house, visitor).socket(game, "").await;
    socket.snapshot().await;
    socket
}

async fn sign_out(visitor: &mut Visitor) -> Response {
    visitor.request("DELETE", "/api/session", &[], "").await
}

/// Returns White's name as a server shows it.
async fn white_at(house: &House, game: &str) -> Option<String> {
    match house.visitor().game(game).await.players.white {
        Seat::Person { name } => name,
        other => panic!("{other:?}"),
    }
}

/// Checks that when a session ends on one server, both servers close its sockets, and no others, within a
/// second.
async fn sessions_end_everywhere(one: &House, other: &House) {
    let mut anna = one.visitor();
    anna.register("Anna").await;
    let mut phone = other.visitor();
    assert_eq!(phone.sign_in("Anna", "correct horse").await.status, 200);
    let game = open_game(&mut anna).await;
    let mut one_socket = socket(one, &anna, &game).await;
    let mut other_socket = socket(other, &anna, &game).await;
    let mut phone_socket = socket(one, &phone, &game).await;
    let mut stranger_socket = socket(other, &other.visitor(), &game).await;
    let start = Instant::now();
    assert_eq!(sign_out(&mut anna).await.status, 204);
    assert_eq!(other_socket.wait_for_close().await, (1008, "signed out".into()));
    assert_eq!(one_socket.wait_for_close().await, (1008, "signed out".into()));
    assert!(start.elapsed() < Duration::from_secs(1), "it took {:?}", start.elapsed());
    phone_socket.assert_open().await;
    stranger_socket.assert_open().await;
    // A session that ends on the second server closes its sockets on the first.
    assert_eq!(sign_out(&mut phone).await.status, 204);
    assert_eq!(phone_socket.wait_for_close().await, (1008, "signed out".into()));
    stranger_socket.assert_open().await;
}

#[tokio::test]
async fn s8_a_session_that_ends_closes_its_sockets_on_every_server() {
    let (one, other) = pair().await;
    sessions_end_everywhere(&one, &other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn s8_a_session_that_ends_closes_its_sockets_on_every_server_over_nats() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let settings = NatsSettings { url: server.address(), ..NatsSettings::default() };
    let bus = async || Arc::new(NatsBus::open(&settings, "house").await.unwrap());
    let (one, other) = House::pair(bus().await, bus().await).await;
    sessions_end_everywhere(&one, &other).await;

    // Sessions that end while the bus is down are noticed after it has reconnected.
    let mut bela = one.visitor();
    bela.register("Bela").await;
    let game = open_game(&mut bela).await;
    let mut other_socket = socket(&other, &bela, &game).await;
    let mut stranger_socket = socket(&other, &other.visitor(), &game).await;
    server.kill();
    // The notice of this sign-out is lost. The other server looks up the session when the bus reports the
    // loss, after it has reconnected.
    assert_eq!(sign_out(&mut bela).await.status, 204);
    server.restart().unwrap();
    assert_eq!(other_socket.wait_for_close().await, (1008, "signed out".into()));
    stranger_socket.assert_open().await;
}

#[tokio::test]
async fn a_block_whose_notice_is_lost_takes_effect_when_the_bus_reports_the_loss() {
    let (bus, one, other) = interruptible_pair().await;
    let (mut anna, mut eve) = (one.visitor(), one.visitor());
    anna.register("Anna").await;
    eve.register("Eve").await;
    assert_eq!(eve.post("/api/seeks", &seek(&json!({}))).await.status, 201);
    let mut there = at(&other, &anna);
    let shows_seek = async || there.get("/api/hall").await.json()["seeks"].as_array().unwrap().len() == 1;
    eventually("the seek is known there", shows_seek).await;
    let mut socket = enter(&there).await;
    assert_eq!(next_hall(&mut socket).await.seeks.len(), 1);
    bus.interrupt();
    assert_eq!(block(&mut anna, "Eve").await.status, 200);
    bus.restore();
    assert_eq!(next_hall(&mut socket).await.seeks.len(), 0);
}

#[tokio::test]
async fn a_new_account_and_its_deletion_are_known_on_every_server() {
    let (one, other) = pair().await;
    let mut anna = one.visitor();
    let game = open_game(&mut anna).await;
    let mut before = socket(&other, &anna, &game).await;
    assert_eq!((white_at(&one, &game).await, white_at(&other, &game).await), (None, None));
    anna.register("Anna").await;
    // From now on, only a session gives access to the account.
    assert_eq!(before.wait_for_close().await, (1008, "signed out".into()));
    let is_named = async |house: &House, name: Option<&str>| white_at(house, &game).await.as_deref() == name;
    eventually("the name is known here", async || is_named(&one, Some("Anna")).await).await;
    eventually("the name is known there", async || is_named(&other, Some("Anna")).await).await;
    let mut after = socket(&other, &anna, &game).await;
    let deleted = anna.request(
        "DELETE",
        "/api/account",
        &[("content-type", "application/json")],
        r#"{"password":"correct horse"}"#,
    );
    assert_eq!(deleted.await.status, 204);
    assert_eq!(after.wait_for_close().await, (1008, "signed out".into()));
    eventually("the name is forgotten here", async || is_named(&one, None).await).await;
    eventually("the name is forgotten there", async || is_named(&other, None).await).await;
}

#[tokio::test]
async fn changes_missed_while_the_bus_was_down_are_read_afterwards() {
    let (bus, one, other) = interruptible_pair().await;
    let mut anna = one.visitor();
    anna.register("Anna").await;
    let mut bela = one.visitor();
    let game = open_game(&mut bela).await;
    let anonymous = bela.clone();
    let mut anna_socket = socket(&other, &anna, &game).await;
    let mut bela_socket = socket(&other, &bela, &game).await;
    let mut phone = other.visitor();
    assert_eq!(phone.sign_in("Anna", "correct horse").await.status, 200);
    let mut phone_socket = socket(&other, &phone, &game).await;
    let mut stranger_socket = socket(&other, &other.visitor(), &game).await;
    assert_eq!(white_at(&other, &game).await, None);
    bus.interrupt();
    bela.register("Bela").await;
    assert_eq!(sign_out(&mut anna).await.status, 204);
    assert_eq!(white_at(&other, &game).await, None, "the other server was not notified");
    anna_socket.assert_open().await;
    bus.restore();
    assert_eq!(anna_socket.wait_for_close().await, (1008, "signed out".into()));
    assert_eq!(bela_socket.wait_for_close().await, (1008, "signed out".into()));
    eventually("the name is known", async || white_at(&other, &game).await.as_deref() == Some("Bela")).await;
    // The earlier identity is no longer valid.
    let me = at(&other, &anonymous).get("/api/account").await.json();
    assert_eq!(me["account"], Value::Null);
    phone_socket.assert_open().await;
    stranger_socket.assert_open().await;
}

#[tokio::test]
async fn a_name_is_looked_up_again_after_a_while_even_without_a_notice() {
    let (bus, one, other) = interruptible_pair().await;
    let mut anna = one.visitor();
    let game = open_game(&mut anna).await;
    assert_eq!(white_at(&other, &game).await, None);
    bus.interrupt();
    anna.register("Anna").await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();
    assert_eq!(white_at(&other, &game).await.as_deref(), Some("Anna"));
}
