//! Games in progress: clocks, touch-move, chat, and everything that affects or ends a game, over real sockets
//! with a fake clock.

use std::sync::Arc;

use adoube_protocol::{
    Act, ClientMessage, Color, Condition, EventKind, Game, GameEvent, GameNews, GameResult,
    HallServerMessage, Obligation, ServerMessage, SessionMessage, Status, Times, TouchOutcome, Version,
};
use adoube_rules::Color as Side;
use serde_json::{Value, json};

use crate::hall::{enter, enter_without_lists, receive};
use crate::house::{
    FakeClock, FirstTurnOpponent, House, Socket, Visitor, act, chat, command, eventually, two_players,
    two_players_with,
};

fn blitz() -> serde_json::Value {
    json!({
        "variant": "chess",
        "timeControl": { "type": "fischer", "initialMs": 180_000, "incrementMs": 2_000 },
    })
}

/// Waits for an event that satisfies a condition.
async fn wait_for_event(socket: &mut Socket, matches: impl Fn(&GameEvent) -> bool) -> GameEvent {
    loop {
        let (_, event) = socket.event().await;
        if matches(&event) {
            return event;
        }
    }
}

async fn wait_for_end(socket: &mut Socket) -> (GameResult, String, Option<Times>) {
    match wait_for_event(socket, |event| matches!(event, GameEvent::Ended { .. })).await {
        GameEvent::Ended { result, reason, clock } => (result, reason, clock),
        _ => unreachable!(),
    }
}

#[tokio::test]
async fn c25_turns_are_charged_and_a_flag_falls_without_a_request() {
    let house = House::new().await;
    let (white, black, id) = two_players_with(&house, blitz()).await;
    let (mut one, mut two) = (white.socket(&id, "").await, black.socket(&id, "").await);
    let game = one.snapshot().await;
    let clock = game.clock.unwrap();
    assert_eq!((clock.left, clock.running), (Times { white: 180_000, black: 180_000 }, None));
    assert_eq!(clock.first_turn_until.unwrap().0, game.at.0 + 60_000);
    two.snapshot().await;
    // The first turn of each side is not charged, but earns the increment.
    house.clock.advance(5_000);
    assert_eq!(one.play(2, "e2e4").await, Ok(3));
    house.clock.advance(5_000);
    assert_eq!(two.play(3, "e7e5").await, Ok(4));
    house.clock.advance(10_000);
    assert_eq!(one.play(4, "g1f3").await, Ok(5));
    let GameEvent::Other(EventKind::Played { clock, .. }) = wait_for_event(
        &mut two,
        |event| matches!(event, GameEvent::Other(EventKind::Played { turn, .. }) if turn == "g1f3"),
    )
    .await
    else {
        unreachable!()
    };
    // The turn was charged ten seconds, minus its lag, and earned an increment of two.
    let left = clock.unwrap();
    assert!((174_000..=174_500).contains(&left.white) && left.black == 182_000, "{left:?}");
    // The server ends the game automatically when the time is up.
    house.clock.advance(183_000);
    let (result, reason, clock) = wait_for_end(&mut two).await;
    assert_eq!((result, reason.as_str()), (GameResult::WhiteWins, "time-out"));
    assert_eq!(clock, Some(Times { white: left.white, black: 0 }));
    assert_eq!(two.play(5, "b8c6").await, Err("game-over".into()));
}

#[tokio::test]
async fn c25_a_game_without_a_first_turn_is_called_off() {
    let house = House::new().await;
    let (white, _, id) = two_players_with(&house, blitz()).await;
    let mut one = white.socket(&id, "?version=2").await;
    house.clock.advance(60_001);
    assert_eq!(wait_for_end(&mut one).await.1, "no-first-turn");
    let (white, black, id) = two_players_with(&house, blitz()).await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    one.play(2, "e2e4").await.unwrap();
    two.command(&act(Act::Abort)).await.unwrap();
    let (result, reason, _) = wait_for_end(&mut one).await;
    assert_eq!((result, reason.as_str()), (GameResult::NoResult, "aborted"));
}

#[tokio::test]
async fn r11_downtime_is_charged_to_neither_side() {
    let house = House::new().await;
    let (white, black, id) = two_players_with(&house, blitz()).await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    one.play(2, "e2e4").await.unwrap();
    two.play(3, "e7e5").await.unwrap();
    house.clock.advance(7_000);
    drop((one, two));
    let folder = house.close().await;
    // The server is down for longer than the time that White has left.
    let later = FakeClock::START + 7_000 + 3_600_000;
    let house = House::open_at(folder, later, Arc::new(FirstTurnOpponent), |_| ()).await;
    house.clock.advance(3_000);
    let mut white = Visitor { address: house.address, ..white };
    let game: Game = white.game(&id).await;
    assert_eq!(game.status, Status::Playing);
    // Seven seconds before the downtime, and three after it.
    assert_eq!(game.clock.unwrap().left, Times { white: 172_000, black: 182_000 });
    assert_eq!(game.version, Version(5));
    let mut one = white.socket(&id, "?version=4").await;
    // The three seconds that White needed to reconnect are not charged either.
    for ms in [3_600_000, 3_000] {
        let (_, event) = one.event().await;
        assert!(
            matches!(event, GameEvent::Interrupted { from, until, .. } if until.0 - from.0 == ms),
            "{event:?}"
        );
    }
    // The flag falls when the remaining time has passed.
    house.clock.advance(174_000);
    assert_eq!(white.game(&id).await.status, Status::Playing);
    house.clock.advance(2_000);
    assert_eq!(wait_for_end(&mut one).await.1, "time-out");
}

/// A game in which the player to move has half a second left must not end before that player can reconnect.
#[tokio::test]
async fn r11_a_flag_waits_for_a_player_who_reconnects_after_downtime() {
    let house = House::new().await;
    let clock = json!({ "type": "fischer", "initialMs": 10_000, "incrementMs": 0 });
    let (white, black, id) =
        two_players_with(&house, json!({ "variant": "chess", "timeControl": clock })).await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    one.play(2, "e2e4").await.unwrap();
    two.play(3, "e7e5").await.unwrap();
    house.clock.advance(9_500);
    drop((one, two));
    let later = FakeClock::START + 9_500 + 60_000;
    let house = House::open_at(house.close().await, later, Arc::new(FirstTurnOpponent), |_| ()).await;
    let mut black = Visitor { address: house.address, ..black };
    let mut two = black.socket(&id, "?version=4").await;
    house.clock.advance(4_000);
    // Lists are read from the store, so this does not load the game itself.
    let status = black.get("/api/games").await.json()["games"][0]["status"].clone();
    assert_eq!(status["type"], "playing", "{status}");
    let mut white = Visitor { address: house.address, ..white };
    let mut one = white.socket(&id, "?version=4").await;
    wait_for_event(
        &mut one,
        |event| matches!(event, GameEvent::Interrupted { from, until, .. } if until.0 - from.0 == 4_000),
    )
    .await;
    assert_eq!(white.game(&id).await.clock.unwrap().left.white, 500);
    // White disconnects again, this time while the server is up, so the flag falls as usual.
    drop(one);
    house.clock.advance(6_000);
    assert_eq!(wait_for_end(&mut two).await.1, "time-out");
}

/// The flag also falls if no visitor opens the game after the restart.
#[tokio::test]
async fn r11_a_flag_falls_after_a_restart_without_visitors() {
    let house = House::new().await;
    let start_game = async |settings| {
        let (white, black, id) = two_players_with(&house, settings).await;
        let (mut one, mut two) =
            (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
        one.play(2, "e2e4").await.unwrap();
        two.play(3, "e7e5").await.unwrap();
        white
    };
    let long = start_game(blitz()).await;
    let time_control = json!({ "type": "fischer", "initialMs": 60_000, "incrementMs": 0 });
    let short = start_game(json!({ "variant": "chess", "timeControl": time_control })).await;
    let house = House::open_at(
        house.close().await,
        FakeClock::START + 1_000_000,
        Arc::new(FirstTurnOpponent),
        |_| (),
    )
    .await;
    let [mut long, mut short] = [long, short].map(|white| Visitor { address: house.address, ..white });
    // Lists are read from the store, so this does not load the games themselves.
    let status =
        async |white: &mut Visitor| white.get("/api/games").await.json()["games"][0]["status"].clone();
    let is_over = async |white: &mut Visitor| status(white).await["type"] == "over";
    house.clock.advance(100_000);
    eventually("the flag of the short game falls", async || is_over(&mut short).await).await;
    assert_eq!(status(&mut long).await["type"], "playing", "too early");
    house.clock.advance(90_000);
    eventually("the flag of the long game falls", async || is_over(&mut long).await).await;
    assert_eq!(status(&mut long).await["reason"], "time-out");
}

#[tokio::test]
async fn c13_a_touch_binds() {
    let house = House::new().await;
    let settings = json!({ "variant": "chess", "touchMove": true });
    let (white, black, id) = two_players_with(&house, settings).await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    let touch = |version: u64, square: &str| act(Act::Touch { version, square: square.into() });
    assert_eq!(two.command(&touch(2, "e7")).await, Err("not-your-turn".into()));
    assert_eq!(one.command(&touch(2, "e5")).await, Err("touch-empty-square".into()));
    assert_eq!(one.command(&touch(2, "z9")).await, Err("bad-square".into()));
    // After *j'adoube*, the next touch does not bind.
    let adjust = act(Act::Adjust { version: 2 });
    assert_eq!(one.command(&adjust).await, Ok(3));
    assert_eq!(one.command(&touch(2, "a2")).await, Ok(4));
    assert_eq!(one.command(&touch(2, "e2")).await, Ok(5));
    assert_eq!(two.event().await.1, GameEvent::Other(EventKind::Adjusted { color: Side::White }));
    two.event().await;
    let obligation = Obligation::MustMove { own: "e2".into() };
    assert_eq!(
        two.event().await.1,
        GameEvent::Touched {
            color: Color::White,
            square: "e2".into(),
            obligation: Some(obligation.clone()),
            outcome: Some(TouchOutcome { binds: true, can_take: false }),
        }
    );
    assert_eq!(one.play(2, "g1f3").await, Err("touched-must-move".into()));
    // A new visitor learns of the obligation too, and so does one who has missed only this event.
    let third = house.visitor();
    let game = third.socket(&id, "").await.snapshot().await;
    assert_eq!(
        (game.touch.obligation, game.touch.squares),
        (Some(obligation.clone()), vec!["e2".to_owned()])
    );
    let (version, touched) = third.socket(&id, "?version=4").await.event().await;
    assert_eq!(version, 5);
    assert!(
        matches!(&touched, GameEvent::Touched { obligation: Some(missed), .. } if *missed == obligation),
        "{touched:?}"
    );
    // A visitor who has missed the `Joined` event also receives it.
    let (version, joined) = third.socket(&id, "?version=1").await.event().await;
    assert_eq!(version, 2);
    assert!(matches!(joined, GameEvent::Joined { .. }), "{joined:?}");
    assert_eq!(one.play(2, "e2e3").await, Ok(6));
}

#[tokio::test]
async fn takebacks_and_rematches_need_agreement_and_gifts_of_time_do_not() {
    let house = House::new().await;
    let (white, black, id) = two_players_with(&house, blitz()).await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    one.play(2, "e2e4").await.unwrap();
    let propose = || act(Act::ProposeTakeback);
    one.command(&propose()).await.unwrap();
    assert_eq!(one.command(&propose()).await, Err("takeback-stands".into()));
    assert_eq!(one.command(&act(Act::AcceptTakeback)).await, Err("no-takeback".into()));
    two.command(&act(Act::AcceptTakeback)).await.unwrap();
    let taken =
        wait_for_event(&mut one, |event| matches!(event, GameEvent::Other(EventKind::TakenBack { .. })))
            .await;
    assert!(matches!(taken, GameEvent::Other(EventKind::TakenBack { plies: 1, clock: Some(_) })));
    one.play(5, "d2d4").await.unwrap();
    two.command(&act(Act::GiveTime)).await.unwrap();
    let given =
        wait_for_event(&mut one, |event| matches!(event, GameEvent::Other(EventKind::TimeGiven { .. })))
            .await;
    assert!(matches!(given, GameEvent::Other(EventKind::TimeGiven { color: Side::Black, ms: 15_000, .. })));
    let offer = || act(Act::OfferRematch);
    assert_eq!(one.command(&offer()).await, Err("not-over".into()));
    one.command(&act(Act::Resign)).await.unwrap();
    assert_eq!(two.command(&act(Act::AcceptRematch)).await, Err("no-rematch".into()));
    one.command(&offer()).await.unwrap();
    // An offer that crosses another one accepts it.
    let accept = offer();
    let version = two.command(&accept).await.unwrap();
    assert_eq!(two.command(&accept).await, Ok(version), "a repeat does not create another game");
    let agreed = wait_for_event(&mut one, |event| {
        matches!(event, GameEvent::Other(EventKind::RematchAccepted { .. }))
    })
    .await;
    let GameEvent::Other(EventKind::RematchAccepted { next, .. }) = agreed else { unreachable!() };
    let game = white.clone().game(next.as_str()).await;
    assert_eq!((game.you, game.status), (Some(Color::Black), Status::Playing));
    assert_eq!(black.clone().game(next.as_str()).await.you, Some(Color::White));
    assert_eq!(white.clone().game(&id).await.rematch, Some(next));
}

#[tokio::test]
async fn the_machine_accepts_takebacks_and_rematches() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "machine", "level": 1 })).await;
    let mut socket = anna.socket(&id, "?version=1").await;
    socket.play(1, "e2e4").await.unwrap();
    wait_for_event(&mut socket, |event| {
        matches!(event, GameEvent::Other(EventKind::Played { color: Side::Black, .. }))
    })
    .await;
    socket.command(&act(Act::ProposeTakeback)).await.unwrap();
    let taken =
        wait_for_event(&mut socket, |event| matches!(event, GameEvent::Other(EventKind::TakenBack { .. })))
            .await;
    assert_eq!(taken, GameEvent::Other(EventKind::TakenBack { plies: 2, clock: None }));
    socket.command(&act(Act::Resign)).await.unwrap();
    socket.command(&act(Act::OfferRematch)).await.unwrap();
    wait_for_event(&mut socket, |event| matches!(event, GameEvent::Other(EventKind::RematchAccepted { .. })))
        .await;
}

#[tokio::test]
async fn presence_is_published_and_a_player_who_has_left_loses() {
    let house = House::new().await;
    let (white, black, id) = two_players_with(&house, blitz()).await;
    let mut one = white.socket(&id, "?version=2").await;
    let mut two = black.socket(&id, "?version=2").await;
    one.presence((true, true, 0)).await;
    let spectator = house.visitor().socket(&id, "").await;
    one.presence((true, true, 1)).await;
    drop(spectator);
    one.play(2, "e2e4").await.unwrap();
    two.play(3, "e7e5").await.unwrap();
    one.play(4, "g1f3").await.unwrap();
    let claim = || act(Act::ClaimLeft);
    assert_eq!(two.command(&claim()).await, Err("your-turn".into()));
    assert_eq!(one.command(&claim()).await, Err("still-there".into()));
    drop(two);
    one.presence((true, false, 0)).await;
    house.clock.advance(59_000);
    assert_eq!(one.command(&claim()).await, Err("still-there".into()));
    house.clock.advance(1_000);
    one.command(&claim()).await.unwrap();
    let status = white.clone().game(&id).await.status;
    assert_eq!(status, Status::Over { result: GameResult::WhiteWins, reason: "abandonment".into() });
}

#[tokio::test]
async fn players_and_spectators_have_separate_rooms() {
    let house = House::new().await;
    let (white, black, id) = two_players(&house, "chess").await;
    let (mut one, mut two) = (white.socket(&id, "?version=2").await, black.socket(&id, "?version=2").await);
    let mut spectator = house.visitor().socket(&id, "?version=2").await;
    // All sockets must be connected before the first line, or a later one would get that line as history.
    one.presence((true, true, 1)).await;
    let say = chat;
    let hello = say("<b>hello</b>");
    one.command(&hello).await.unwrap();
    one.command(&hello).await.unwrap();
    spectator.command(&say("psst")).await.unwrap();
    let Some(ServerMessage::Chat { line }) = two.next().await else { panic!("no chat") };
    assert_eq!((line.text.as_str(), line.color), ("<b>hello</b>", Some(Color::White)));
    for bad in ["", "  ", "a\nb", &"x".repeat(281)] {
        assert_eq!(two.command(&say(bad)).await, Err("chat-text".into()), "{bad:?}");
    }
    let report = |line| {
        ClientMessage::from(SessionMessage::ReportChat { command: command(), line, reason: "rude".into() })
    };
    // A line from the other room cannot be reported.
    assert_eq!(spectator.command(&report(line.id)).await, Err("chat-line-not-found".into()));
    assert_eq!(spectator.command(&report(999)).await, Err("chat-line-not-found".into()));
    two.command(&say("one more")).await.unwrap();
    assert_eq!(two.command(&say("and one")).await, Err("chat-too-fast".into()));
    // A visitor who arrives later receives the earlier lines from their own room once, and no others.
    let mut second_tab = black.socket(&id, "?version=2").await;
    let Some(ServerMessage::ChatHistory { lines }) = second_tab.next().await else { panic!("no history") };
    assert_eq!(lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["<b>hello</b>", "one more"]);
    assert_ne!(lines[0].author, lines[1].author);
    let mut other = house.visitor().socket(&id, "?version=2").await;
    let Some(ServerMessage::ChatHistory { lines }) = other.next().await else { panic!("no history") };
    assert_eq!((lines.len(), lines[0].text.as_str(), lines[0].color), (1, "psst", None));
}

#[tokio::test]
async fn c25_a_match_continues_until_it_is_decided() {
    let house = House::new().await;
    let (white, black, id) = two_players_with(&house, json!({ "variant": "chess", "games": 3 })).await;
    let mut socket = white.socket(&id, "").await;
    let game = socket.snapshot().await;
    let state = game.in_match.unwrap();
    assert_eq!((state.number, state.best_of, state.over, state.next), (1, 3, false, None));
    let mut pages = [enter_without_lists(&white).await, enter_without_lists(&black).await];
    socket.command(&act(Act::Resign)).await.unwrap();
    let next = loop {
        if let ServerMessage::Match { state } = socket.next().await.unwrap() {
            break state.next.unwrap();
        }
    };
    // Both players are told, because a player who does not begin the next game in time loses it.
    for page in &mut pages {
        let is_start = |message: &HallServerMessage| matches!(message, HallServerMessage::Game { news: GameNews::Started, game } if game.id == next);
        receive(page, is_start).await;
    }
    let second = white.clone().game(next.as_str()).await;
    let state = second.in_match.unwrap();
    assert_eq!((second.you, state.number), (Some(Color::Black), 2));
    assert_eq!((state.half_points.white, state.half_points.black), (2, 0));
    // A player who calls a game off loses it, and the next one follows.
    let mut socket = black.socket(next.as_str(), "?version=1").await;
    socket.command(&act(Act::Abort)).await.unwrap();
    let third = black.clone().game(next.as_str()).await.in_match.unwrap().next.unwrap();
    let third = white.clone().game(third.as_str()).await;
    let state = third.in_match.unwrap();
    assert_eq!((third.you, state.number), (Some(Color::White), 3));
    assert_eq!((state.half_points.white, state.half_points.black), (2, 2));
    let mut socket = white.socket(third.id.as_str(), "?version=1").await;
    socket.command(&act(Act::Resign)).await.unwrap();
    let state = white.clone().game(third.id.as_str()).await.in_match.unwrap();
    assert_eq!((state.over, state.next, state.half_points.black), (true, None, 4));
}

#[tokio::test]
async fn c25_the_leader_of_a_match_cannot_call_the_rest_off() {
    let house = House::new().await;
    let (white, black, id) = two_players_with(&house, json!({ "variant": "chess", "games": 7 })).await;
    let resign = act(Act::Resign);
    black.socket(&id, "").await.command(&resign).await.unwrap();
    let mut game_id = white.clone().game(&id).await.in_match.unwrap().next.unwrap();
    // The player who had White in the first game leads, and calls off every game until the match is lost.
    let state = loop {
        let mut socket = white.socket(game_id.as_str(), "?version=1").await;
        socket.command(&act(Act::Abort)).await.unwrap();
        let game = white.clone().game(game_id.as_str()).await;
        assert!(
            matches!(&game.status, Status::Over { reason, .. } if reason == "forfeit"),
            "{:?}",
            game.status
        );
        let state = game.in_match.unwrap();
        match state.next {
            Some(next) => game_id = next,
            None => break state,
        }
    };
    // The leader has won one game and lost four by calling them off, so the match is decided.
    let mut points = [state.half_points.white, state.half_points.black];
    points.sort_unstable();
    assert_eq!((state.over, points), (true, [2, 8]));
}

#[tokio::test]
async fn c25_a_match_ends_even_if_no_player_moves() {
    let house = House::new().await;
    let mut body = blitz();
    body["games"] = 3.into();
    let (white, _, id) = two_players_with(&house, body.clone()).await;
    let mut game_id = id;
    for number in 1..=3 {
        let mut socket = white.socket(&game_id, "").await;
        socket.snapshot().await;
        house.clock.advance(60_000);
        let (result, reason, _) = wait_for_end(&mut socket).await;
        assert_eq!((result, reason.as_str()), (GameResult::BlackWins, "forfeit"));
        let state = white.clone().game(&game_id).await.in_match.unwrap();
        assert_eq!((state.number, state.over), (number, number == 3));
        if let Some(next) = state.next {
            game_id = next.to_string();
        }
    }
    // Before the second player has joined, the game cannot be lost, and no further game follows.
    let mut anna = house.visitor();
    body["command"] = json!(command());
    body["color"] = "white".into();
    body["opponent"] = json!({ "type": "friend" });
    let response = anna.post("/api/games", &body).await.json();
    let id = response["id"].as_str().unwrap();
    anna.socket(id, "").await.command(&act(Act::Abort)).await.unwrap();
    let game = anna.game(id).await;
    let state = game.in_match.unwrap();
    assert!(matches!(&game.status, Status::Over { reason, .. } if reason == "aborted"), "{:?}", game.status);
    assert_eq!((state.over, state.next), (true, None));
}

#[tokio::test]
async fn c23_a_server_pause_is_charged_to_neither_side() {
    let house = House::new().await;
    let clock = json!({ "type": "fischer", "initialMs": 10_000, "incrementMs": 0 });
    let (white, black, id) =
        two_players_with(&house, json!({ "variant": "chess", "timeControl": clock })).await;
    let (mut one, mut two) = (white.socket(&id, "").await, black.socket(&id, "").await);
    assert_eq!(one.play(2, "e2e4").await, Ok(3));
    assert_eq!(two.play(3, "e7e5").await, Ok(4));
    house.clock.advance(500);
    // A request that loads a game makes the server check for a pause.
    white.clone().game(&id).await;
    // White has 9.5 s left. The pause may be detected first by the flag's timer, by a request or by the
    // periodic check.
    house.clock.pause(15_000);
    let game = white.clone().game(&id).await;
    assert_eq!((game.status, game.clock.unwrap().left.white), (Status::Playing, 9_500));
    let paused = wait_for_event(&mut two, |event| matches!(event, GameEvent::Interrupted { .. })).await;
    let GameEvent::Interrupted { from, until: end, .. } = paused else { unreachable!() };
    assert_eq!(end.0 - from.0, 15_000);
    house.clock.advance(1_000);
    white.clone().game(&id).await;
    house.clock.pause(15_000);
    assert_eq!(one.play(4, "g1f3").await, Ok(7));
    // Up to half a second is credited for the lag measured by the pings.
    assert!((8_500..=9_000).contains(&white.clone().game(&id).await.clock.unwrap().left.white));
    // A player who is away during a pause is not charged for it.
    drop(two);
    house.clock.advance(5_000);
    white.clone().game(&id).await;
    house.clock.pause(58_000);
    let claim = act(Act::ClaimLeft);
    assert_eq!(one.command(&claim).await, Err("still-there".into()));
    assert_eq!(white.clone().game(&id).await.status, Status::Playing);
}

/// Returns the ids of the games that the hall shows to a stranger.
async fn listed_games(house: &House) -> Vec<String> {
    let hall = house.visitor().get("/api/hall").await.json();
    hall["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn c25_a_match_stays_as_private_as_it_began() {
    let house = House::new().await;
    let (white, black, id) = two_players_with(&house, json!({ "variant": "chess", "games": 3 })).await;
    let resign = act(Act::Resign);
    white.socket(&id, "").await.command(&resign).await.unwrap();
    let second = white.clone().game(&id).await.in_match.unwrap().next.unwrap().to_string();
    assert_eq!(listed_games(&house).await, [""; 0]);
    // The match stays private after a restart.
    let house = House::open(house.close().await, Arc::new(FirstTurnOpponent), |_| ()).await;
    let white = Visitor { address: house.address, ..white };
    let black = Visitor { address: house.address, ..black };
    let resign = act(Act::Resign);
    black.socket(&second, "").await.command(&resign).await.unwrap();
    let third = white.clone().game(&second).await.in_match.unwrap().next.unwrap().to_string();
    assert_eq!(listed_games(&house).await, [""; 0]);
    let resign = act(Act::Resign);
    white.socket(&third, "").await.command(&resign).await.unwrap();

    // A match that began in the hall is shown there until its end, and so are its rematches.
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    anna.get("/api/account").await;
    let _socket = enter(&anna).await;
    let seek = json!({ "command": command(), "color": "white", "variant": "chess", "games": 2 });
    let seek = anna.post("/api/seeks", &seek).await.json();
    let game = bela.post(&format!("/api/seeks/{}/accept", seek["id"].as_str().unwrap()), &Value::Null).await;
    let first = game.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(listed_games(&house).await, [first.as_str()]);
    let resign = act(Act::Resign);
    anna.socket(&first, "").await.command(&resign).await.unwrap();
    let second = anna.game(&first).await.in_match.unwrap().next.unwrap().to_string();
    assert_eq!(listed_games(&house).await, [second.as_str()]);
    let resign = act(Act::Resign);
    anna.socket(&second, "").await.command(&resign).await.unwrap();
    let offer = act(Act::OfferRematch);
    anna.socket(&second, "").await.command(&offer).await.unwrap();
    let accept = act(Act::AcceptRematch);
    bela.socket(&second, "").await.command(&accept).await.unwrap();
    let rematch = anna.game(&second).await.rematch.unwrap().to_string();
    assert_eq!(listed_games(&house).await, [rematch.as_str()]);
}

#[tokio::test]
async fn conditional_turns_are_played_by_the_server_and_hidden_from_the_opponent() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    let days = json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": 3 } });
    let mut body = days.clone();
    body.as_object_mut().unwrap().extend(
        json!({ "command": command(), "color": "white", "opponent": { "type": "friend" } })
            .as_object()
            .unwrap()
            .clone(),
    );
    anna.post("/api/games", &body).await.assert_error(403, "account-needed");
    anna.register("Anna").await;
    bela.register("Bela").await;
    let id = crate::house::begin(&mut anna, &mut bela, days).await;
    let (mut one, mut two) = (anna.socket(&id, "?version=2").await, bela.socket(&id, "?version=2").await);
    one.play(2, "e2e4").await.unwrap();
    let tree = vec![Condition { reply: "e7e5".into(), answer: "g1f3".into(), then: vec![] }];
    let set = |tree: &[Condition]| act(Act::SetConditions { version: 3, tree: tree.to_vec() });
    assert_eq!(
        one.command(&set(&[Condition { reply: "e7e4".into(), ..tree[0].clone() }])).await,
        Err("condition-illegal".into())
    );
    one.command(&set(&tree)).await.unwrap();
    assert_eq!(two.event().await.0, 3);
    assert_eq!(two.event().await, (4, GameEvent::Hidden));
    assert_eq!(anna.game(&id).await.conditions, tree);
    // Only the last of the trees is sent in full.
    let other = vec![Condition { answer: "f1c4".into(), ..tree[0].clone() }];
    one.command(&set(&other)).await.unwrap();
    one.command(&set(&tree)).await.unwrap();
    assert_eq!(two.event().await, (5, GameEvent::Hidden));
    assert_eq!(two.event().await, (6, GameEvent::Hidden));
    let log = anna.game(&id).await.log;
    let trees = log.iter().filter_map(|entry| match &entry.event {
        GameEvent::Other(EventKind::ConditionsSet { tree, .. }) => Some(tree.clone()),
        _ => None,
    });
    assert_eq!(trees.collect::<Vec<_>>(), [vec![], vec![], tree.clone()]);
    assert!(bela.game(&id).await.conditions.is_empty());
    let log = bela.socket(&id, "?version=3").await.event().await;
    assert_eq!(log, (4, GameEvent::Hidden));
    two.play(4, "e7e5").await.unwrap();
    wait_for_event(
        &mut one,
        |event| matches!(event, GameEvent::Other(EventKind::Played { turn, .. }) if turn == "g1f3"),
    )
    .await;
    assert_eq!(bela.game(&id).await.turns, ["e2e4", "e7e5", "g1f3"]);
}

/// A visitor without an account is told that the seat is taken, not that an account is required.
#[tokio::test]
async fn an_invitation_that_was_used_is_reported_as_used() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    bela.register("Bela").await;
    let days = json!({ "type": "correspondence", "daysPerTurn": 3 });
    let body = json!({
        "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess", "timeControl": days,
    });
    let created = anna.post("/api/games", &body).await.json();
    let invitation = format!("/api/invitations/{}", created["invitation"].as_str().unwrap());
    house.visitor().post(&invitation, &Value::Null).await.assert_error(403, "account-needed");
    assert_eq!(bela.post(&invitation, &Value::Null).await.status, 200);
    let used = house.visitor().post(&invitation, &Value::Null).await;
    assert_eq!(used.assert_error(409, "invitation-used")["id"], created["id"]);
}
