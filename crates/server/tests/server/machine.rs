//! The machine as a player.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
    mpsc,
};

use adoube_protocol::{Act, EventKind, GameEvent, GameResult, Status};
use adoube_rules::{AnyPosition, Color as Side, Position as _, Variant, coordinate};
use adoube_server::{Opponent, OpponentRequest};
use serde_json::json;
use tokio::{sync::Notify, time::timeout};

use crate::house::{FirstTurnOpponent, House, STEP_TIMEOUT, act, command, eventually, play};

#[tokio::test]
async fn the_machine_plays_the_first_turn_as_white() {
    let house = House::new().await;
    for variant in Variant::ALL {
        let mut anna = house.visitor();
        let (id, invitation) =
            anna.create(variant.name(), "black", &json!({ "type": "machine", "level": 3 })).await;
        assert_eq!(invitation, None);
        let mut socket = anna.socket(&id, "").await;
        let game = socket.snapshot().await;
        // The machine plays White and moves first. The snapshot may have been taken before or after its turn.
        if game.turns.is_empty() {
            let (version, event) = socket.event().await;
            assert!(matches!(
                (version, event),
                (2, GameEvent::Other(EventKind::Played { color: Side::White, .. }))
            ));
        }
    }
}

#[tokio::test]
async fn the_machine_answers_turns_played_in_quick_succession() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let mut socket = anna.socket(&id, "?version=1").await;
    // Each turn is played as soon as the machine has moved.
    for (turn, version) in
        ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3"].into_iter().zip((1..).step_by(2))
    {
        socket.send(&play(version, turn)).await;
        assert_eq!(
            socket.event().await,
            (
                version + 1,
                GameEvent::Other(EventKind::Played {
                    color: Side::White,
                    turn: turn.into(),
                    clock: None,
                    lag_ms: 0
                })
            )
        );
        let answer = socket.event().await;
        assert!(
            matches!(&answer, (_, GameEvent::Other(EventKind::Played { color: Side::Black, .. }))),
            "{answer:?}"
        );
        assert_eq!(answer.0, version + 2);
    }
}

/// An opponent that thinks until it is cancelled, and counts its requests.
#[derive(Default)]
struct SlowOpponent {
    requests: AtomicUsize,
    started: Notify,
    stopped: Notify,
}

impl Opponent for SlowOpponent {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        self.requests.fetch_add(1, Ordering::SeqCst);
        self.started.notify_one();
        while !request.cancel.load(Ordering::SeqCst) {
            std::thread::park_timeout(std::time::Duration::from_millis(5));
        }
        self.stopped.notify_one();
        None
    }
}

#[tokio::test]
async fn the_machine_stops_thinking_when_the_game_ends() {
    let slow = Arc::new(SlowOpponent::default());
    let house = House::with(Arc::clone(&slow) as Arc<dyn Opponent>, |_| ()).await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "black", &json!({ "type": "machine", "level": 1 })).await;
    let mut socket = anna.socket(&id, "").await;
    socket.snapshot().await;
    timeout(STEP_TIMEOUT, slow.started.notified()).await.expect("the machine thinks");
    socket.command(&act(Act::Resign)).await.unwrap();
    timeout(STEP_TIMEOUT, slow.stopped.notified()).await.expect("the machine stops");
    // The machine was asked only once.
    assert_eq!(slow.requests.load(Ordering::SeqCst), 1);
    let status = anna.game(&id).await.status;
    assert_eq!(status, Status::Over { result: GameResult::WhiteWins, reason: "resignation".into() });
}

#[tokio::test]
async fn after_a_restart_the_machine_plays_where_it_is_to_move() {
    let slow = Arc::new(SlowOpponent::default());
    let house = House::with(slow, |_| ()).await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("baroque", "black", &json!({ "type": "machine", "level": 2 })).await;
    assert!(anna.game(&id).await.turns.is_empty());
    let folder = house.close().await;
    let house = House::open(folder, Arc::new(FirstTurnOpponent), |_| ()).await;
    anna.address = house.address;
    let mut socket = anna.socket(&id, "?version=1").await;
    assert!(matches!(
        socket.event().await,
        (2, GameEvent::Other(EventKind::Played { color: Side::White, .. }))
    ));
}

/// An opponent that plays the first legal turn, and records the seeds.
#[derive(Default)]
struct SeedRecorder(Mutex<Vec<u64>>);

impl Opponent for SeedRecorder {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        self.0.lock().unwrap().push(request.seed);
        FirstTurnOpponent.choose(request)
    }
}

#[tokio::test]
async fn every_game_has_its_own_seed_and_keeps_it() {
    let recorder = Arc::new(SeedRecorder::default());
    let house = House::with(Arc::clone(&recorder) as Arc<dyn Opponent>, |_| ()).await;
    let mut anna = house.visitor();
    let mut seeds = Vec::new();
    for _ in 0..2 {
        let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
        let mut socket = anna.socket(&id, "?version=1").await;
        for (turn, version) in [("a2a3", 1), ("b2b3", 3)] {
            socket.send(&play(version, turn)).await;
            socket.event().await;
            socket.event().await;
        }
        let recorded = std::mem::take(&mut *recorder.0.lock().unwrap());
        assert!(recorded.len() >= 2 && recorded.iter().all(|seed| *seed == recorded[0]), "{recorded:?}");
        seeds.push(recorded[0]);
    }
    assert_ne!(seeds[0], seeds[1]);
}

/// An opponent that returns an illegal turn for the first request and none for the second, and panics on any
/// further one.
struct FaultyOpponent(AtomicUsize);

impl Opponent for FaultyOpponent {
    fn choose(&self, _: OpponentRequest) -> Option<String> {
        match self.0.fetch_add(1, Ordering::SeqCst) {
            0 => Some("e2e5".into()),
            1 => None,
            _ => panic!("a bug in the search"),
        }
    }
}

#[tokio::test]
async fn a_machine_that_finds_no_legal_turn_resigns() {
    let house = House::with(Arc::new(FaultyOpponent(AtomicUsize::new(0))), |_| ()).await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "black", &json!({ "type": "machine", "level": 1 })).await;
    let mut socket = anna.socket(&id, "?version=1").await;
    let (version, event) = socket.event().await;
    let resigned =
        GameEvent::Ended { result: GameResult::BlackWins, reason: "resignation".into(), clock: None };
    assert_eq!((version, event), (2, resigned));
}

/// An opponent that plays the first legal turn, accepts draw offers if `agrees` is set, and records each
/// offer.
struct DrawJudge {
    agrees: AtomicBool,
    offers: Mutex<Vec<(usize, Side)>>,
}

impl DrawJudge {
    fn new() -> Arc<Self> {
        Arc::new(Self { agrees: AtomicBool::new(false), offers: Mutex::default() })
    }
}

impl Opponent for DrawJudge {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        FirstTurnOpponent.choose(request)
    }

    fn accepts_draw(&self, request: &OpponentRequest, machine: Side) -> bool {
        self.offers.lock().unwrap().push((request.turns.len(), machine));
        self.agrees.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn the_machine_declines_or_accepts_a_draw_in_every_variant() {
    for variant in Variant::ALL {
        let judge = DrawJudge::new();
        let house = House::with(Arc::<DrawJudge>::clone(&judge), |_| ()).await;
        let mut anna = house.visitor();
        let machine = json!({ "type": "machine", "level": 1 });
        let (id, _) = anna.create(variant.name(), "white", &machine).await;
        let mut socket = anna.socket(&id, "?version=1").await;
        let offered = GameEvent::Other(EventKind::DrawOffered { color: Side::White });
        socket.send(&act(Act::OfferDraw)).await;
        assert_eq!(socket.event().await, (2, offered.clone()));
        let declined = GameEvent::Other(EventKind::DrawDeclined { color: Side::Black });
        assert_eq!(socket.event().await, (3, declined));
        let initial = AnyPosition::initial(variant);
        let turn = coordinate::write(&initial, &initial.legal_turns()[0]);
        socket.send(&play(3, &turn)).await;
        assert_eq!(socket.event().await.0, 4);
        // The next event is the machine's turn.
        assert_eq!(socket.event().await.0, 5);
        judge.agrees.store(true, Ordering::SeqCst);
        socket.send(&act(Act::OfferDraw)).await;
        assert_eq!(socket.event().await, (6, offered));
        assert_eq!(socket.event().await.0, 7);
        let status = anna.game(&id).await.status;
        assert_eq!(status, Status::Over { result: GameResult::Draw, reason: "agreement".into() });
        assert_eq!(*judge.offers.lock().unwrap(), [(0, Side::Black), (2, Side::Black)]);
    }
}

/// An opponent that thinks about its first turn until it is cancelled, and declines draws.
#[derive(Default)]
struct InterruptibleOpponent {
    requests: AtomicUsize,
    started: Notify,
}

impl Opponent for InterruptibleOpponent {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        if self.requests.fetch_add(1, Ordering::SeqCst) > 0 {
            return FirstTurnOpponent.choose(request);
        }
        self.started.notify_one();
        while !request.cancel.load(Ordering::SeqCst) {
            std::thread::park_timeout(std::time::Duration::from_millis(5));
        }
        FirstTurnOpponent.choose(request)
    }
}

#[tokio::test]
async fn an_offer_is_answered_before_the_machine_plays() {
    let opponent = Arc::new(InterruptibleOpponent::default());
    let house = House::with(Arc::<InterruptibleOpponent>::clone(&opponent), |_| ()).await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let mut socket = anna.socket(&id, "?version=1").await;
    socket.send(&play(1, "a2a3")).await;
    socket.event().await;
    timeout(STEP_TIMEOUT, opponent.started.notified()).await.expect("the machine thinks");
    socket.send(&act(Act::OfferDraw)).await;
    assert_eq!(socket.event().await, (3, GameEvent::Other(EventKind::DrawOffered { color: Side::White })));
    assert_eq!(socket.event().await, (4, GameEvent::Other(EventKind::DrawDeclined { color: Side::Black })));
    let answer = socket.event().await;
    assert!(
        matches!(&answer, (5, GameEvent::Other(EventKind::Played { color: Side::Black, .. }))),
        "{answer:?}"
    );
}

#[tokio::test]
async fn an_offer_that_a_stopped_server_left_open_is_answered_after_a_restart() {
    // The server's only thread for the machine is busy with another game.
    let slow = Arc::new(SlowOpponent::default());
    let house =
        House::with(Arc::<SlowOpponent>::clone(&slow), |config| config.machine_threads = Some(1)).await;
    let mut anna = house.visitor();
    anna.create("chess", "black", &json!({ "type": "machine", "level": 1 })).await;
    timeout(STEP_TIMEOUT, slow.started.notified()).await.expect("the machine thinks");
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    anna.socket(&id, "?version=1").await.command(&act(Act::OfferDraw)).await.unwrap();
    let folder = house.close().await;
    let house = House::open(folder, Arc::new(FirstTurnOpponent), |_| ()).await;
    anna.address = house.address;
    let mut socket = anna.socket(&id, "?version=2").await;
    assert_eq!(socket.event().await, (3, GameEvent::Other(EventKind::DrawDeclined { color: Side::Black })));
}

/// An opponent that blocks its first request until the test lets it continue, and records the variants of all
/// requests in order.
struct RecordingOpponent {
    gate: Mutex<mpsc::Receiver<()>>,
    order: Mutex<Vec<Variant>>,
}

impl Opponent for RecordingOpponent {
    fn choose(&self, request: OpponentRequest) -> Option<String> {
        let is_first = {
            let mut order = self.order.lock().unwrap();
            order.push(request.variant);
            order.len() == 1
        };
        if is_first {
            self.gate.lock().unwrap().recv().unwrap();
        }
        FirstTurnOpponent.choose(request)
    }
}

#[tokio::test]
async fn one_visitors_many_games_do_not_delay_others() {
    let (open, gate) = mpsc::channel();
    let recording = Arc::new(RecordingOpponent { gate: Mutex::new(gate), order: Mutex::default() });
    let house = House::with(Arc::<RecordingOpponent>::clone(&recording), |config| {
        config.machine_threads = Some(1);
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await;
    let create = async |variant: &str, address: &str| {
        // Each game is created under a new identity, because identities cost nothing.
        let headers = [("content-type", "application/json"), ("x-forwarded-for", address)];
        let opponent = json!({ "type": "machine", "level": 10 });
        let body =
            json!({ "command": command(), "variant": variant, "color": "black", "opponent": opponent });
        let created = house.visitor().request("POST", "/api/games", &headers, &body.to_string()).await;
        assert_eq!(created.status, 201, "{created:?}");
        created.json()["id"].as_str().unwrap().to_owned()
    };
    for _ in 0..40 {
        create("chess", "10.0.0.1").await;
    }
    let id = create("baroque", "10.0.0.2").await;
    // The machine reads a game's log from the store before the game waits for the thread. These requests use
    // all of the store's connections, so once they are done, the log has been read.
    for _ in 0..20 {
        house.visitor().game(&id).await;
    }
    open.send(()).unwrap();
    eventually("the machine has played in all games", async || recording.order.lock().unwrap().len() == 41)
        .await;
    let order = recording.order.lock().unwrap().clone();
    let index = order.iter().position(|&variant| variant == Variant::Baroque).unwrap();
    assert!(index <= 2, "{index}");
}
