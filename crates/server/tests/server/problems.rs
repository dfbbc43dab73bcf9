//! Problems composed by visitors.

use std::{sync::Arc, time::Duration};

use adoube_rules::{AnyPosition, Position as _, Variant};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::house::{FakeClock, FirstTurnOpponent, House, Response, Visitor, command, times};

/// Compositions with a win in two turns, each as variant, FEN and first turn.
const SOUND: &[(&str, &str, &str)] = &[
    ("chess", "8/7k/8/3N1KR1/8/8/8/8 w - - 0 1", "d5f6"),
    ("baroque", "pk6/8/8/4p3/5P2/1K2m2b/3P1P1M/n7 b - - 0 1", "e3c3"),
    ("interweave", "3kkn2/3N2RR/8/3n4/1p1p4/5P2/4P3/3KK3[NBBrrbb] b - - 0 1", "f8f2d2"),
    ("ultima", "3k4/8/8/8/P2Bm1p1/2b2P1M/3q4/1K6 b - - 0 1", "d2b2"),
];

fn composed(fen: &str, turns: u8, first: &str) -> Value {
    let lines = if first.is_empty() { json!([]) } else { json!([[first]]) };
    json!({ "fen": fen, "goal": "win", "turns": turns, "lines": lines })
}

async fn prove(visitor: &mut Visitor, variant: &str, composition: &Value) -> Value {
    let response = visitor.post(&format!("/api/problems/{variant}/proof"), composition).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

async fn publish(visitor: &mut Visitor, variant: &str, title: Value, mut composition: Value) -> Response {
    composition["title"] = title;
    if composition.get("command").is_none() {
        composition["command"] = json!(command());
    }
    visitor.post(&format!("/api/problems/{variant}/composed"), &composition).await
}

/// Checks the response to a request to publish, and returns the id.
#[track_caller]
fn published(response: &Response) -> String {
    assert_eq!(response.status, 201, "{response:?}");
    response.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn any_visitor_may_have_a_composition_proved() {
    let house = House::new().await;
    let mut guest = house.visitor();
    for &(variant, fen, first) in SOUND {
        let proved = prove(&mut guest, variant, &composed(fen, 2, first)).await;
        assert_eq!((&proved["type"], &proved["known"]), (&json!("proved"), &Value::Null), "{proved}");
        assert_eq!((&proved["line"][0], proved["line"].as_array().unwrap().len()), (&json!(first), 3));
        assert_eq!(proved["solution"]["first"]["turn"], first);
        assert_eq!(proved["solution"]["complete"], true);
        // The composer may omit the solution. If the goal allows more turns than needed, the report says so.
        assert_eq!(prove(&mut guest, variant, &composed(fen, 2, "")).await["line"], proved["line"]);
        let sooner = prove(&mut guest, variant, &composed(fen, 3, first)).await;
        assert_eq!((&sooner["type"], &sooner["turns"]), (&json!("sooner"), &json!(2)), "{sooner}");
        assert_eq!(prove(&mut guest, variant, &composed(fen, 1, "")).await["type"], "no-win");
        let refuted = prove(&mut guest, variant, &composed(fen, 1, first)).await;
        assert_eq!((&refuted["type"], refuted["reply"].is_string()), (&json!("refuted"), true), "{refuted}");
    }
}

#[tokio::test]
async fn an_unsuitable_composition_is_refused_with_codes() {
    let house = House::new().await;
    let mut guest = house.visitor();
    let mut reasons = async |variant: &str, composition: Value| {
        let report = prove(&mut guest, variant, &composition).await;
        assert_eq!(report["type"], "unfit", "{report}");
        let reasons = report["reasons"].as_array().unwrap().clone();
        reasons.into_iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(reasons("chess", composed("8/8/8/8/8/8/8/Q3K3 w - - 0 1", 2, "")).await, ["setup-kings"]);
    let crowd = composed("qqqqqqqq/qqqqqqqq/qqq5/8/8/8/8/4K3 w - - 0 1", 2, "");
    assert_eq!(reasons("chess", crowd).await, ["setup-kings", "setup-too-many-men"]);
    let chain = composed("6kk/8/8/8/8/Nr6/8/6KK[] w - - 0 1 a3", 2, "");
    assert_eq!(reasons("interweave", chain).await, ["fen-too-many-fields"]);
    let (_, fen, _) = SOUND[0];
    assert_eq!(reasons("chess", composed(fen, 2, "d5d6")).await, ["turn-illegal"]);
    assert_eq!(reasons("chess", composed(fen, 9, "")).await, ["compose-turns"]);
    let mut gain = composed(fen, 2, "");
    gain["goal"] = json!("gain");
    assert_eq!(reasons("chess", gain).await, ["compose-goal"]);
    guest
        .post("/api/problems/draughts/proof", &composed(fen, 2, ""))
        .await
        .assert_error(422, "unknown-variant");
    guest.post("/api/problems/chess/proof", &json!({ "fen": fen })).await.assert_error(400, "bad-message");
}

#[tokio::test]
async fn the_refusal_of_a_composition_names_its_second_solution() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let fen = "7k/4Q3/5N2/5K2/3P1P2/8/8/1r6 w - - 0 1";
    let report = prove(&mut anna, "chess", &composed(fen, 1, "e7h7")).await;
    assert_eq!(report, json!({ "type": "second-solution", "own": "e7h7", "others": [["e7f8"]] }));
    let refused = publish(&mut anna, "chess", Value::Null, composed(fen, 1, "e7h7")).await;
    assert_eq!(refused.assert_error(422, "problem-second-solution"), json!({ "line": "e7f8" }));
    let (_, fen, first) = SOUND[0];
    let sooner = publish(&mut anna, "chess", Value::Null, composed(fen, 3, first)).await;
    assert_eq!(sooner.assert_error(422, "problem-sooner")["turns"], "2");
    publish(&mut anna, "chess", Value::Null, composed(fen, 1, "")).await.assert_error(422, "problem-no-win");
    publish(&mut anna, "chess", Value::Null, composed(fen, 1, first))
        .await
        .assert_error(422, "problem-refuted");
    // The first turn stalemates the opponent.
    let stalemate = composed("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", 1, "c1c7");
    let no_winner = publish(&mut anna, "chess", Value::Null, stalemate).await;
    assert_eq!(no_winner.assert_error(422, "problem-no-winner"), json!({ "line": "c1c7" }));
    let unfit = publish(&mut anna, "chess", Value::Null, composed("8/8 w", 1, "")).await;
    unfit.assert_error(422, "problem-unfit");
    assert_eq!(anna.get("/api/problems/chess/composed").await.json()["problems"], json!([]));
}

#[tokio::test]
async fn a_repeated_command_publishes_a_problem_only_once_and_all_visitors_see_it() {
    let house = House::new().await;
    let (variant, fen, first) = SOUND[0];
    let mut anna = house.visitor();
    publish(&mut anna, variant, json!("Nocturne"), composed(fen, 2, first))
        .await
        .assert_error(403, "account-needed");
    anna.register("Anna").await;
    let mut sent = composed(fen, 2, first);
    sent["command"] = json!(command());
    let id = published(&publish(&mut anna, variant, json!("  <b>Nocturne</b> "), sent.clone()).await);
    // Repeating the command gives the same response, and changes nothing.
    assert_eq!(published(&publish(&mut anna, variant, json!("Other"), sent.clone()).await), id);

    let mut guest = house.visitor();
    let list = guest.get(&format!("/api/problems/{variant}/composed")).await.json();
    let expected = json!({
        "id": id, "title": "<b>Nocturne</b>", "by": "Anna", "mine": false, "createdAt": FakeClock::START,
        "fen": fen, "goal": "win", "turns": 2,
    });
    assert_eq!(list, json!({ "problems": [expected], "next": null }));
    assert_eq!(
        anna.get(&format!("/api/problems/{variant}/composed")).await.json()["problems"][0]["mine"],
        true
    );
    let shown = guest.get(&format!("/api/problems/{variant}/composed/{id}")).await.json();
    assert_eq!((&shown["by"], &shown["line"][0]), (&json!("Anna"), &json!(first)));
    assert_eq!(shown["solution"]["first"]["turn"], first);
    for path in
        [format!("baroque/composed/{id}"), "chess/composed/000000000000".into(), "chess/composed/x".into()]
    {
        guest.get(&format!("/api/problems/{path}")).await.assert_error(404, "problem-not-found");
    }
    let data = anna.get("/api/account/data").await.json();
    assert_eq!(data["composed"][0]["id"], json!(id));

    // The same position is refused no matter who composes it, and the refusal names the existing problem.
    let mut bela = house.visitor();
    bela.register("Bela").await;
    let moved = fen.replace("0 1", "7 30");
    let duplicate = publish(&mut bela, variant, Value::Null, composed(&moved, 2, first)).await;
    assert_eq!(duplicate.assert_error(409, "problem-known"), json!({ "id": id }));
    assert_eq!(prove(&mut guest, variant, &composed(&moved, 2, first)).await["known"], json!(id));
    let house_problem = guest.get("/api/problems/chess").await.json()["problems"][0].clone();
    let known =
        publish(&mut bela, variant, Value::Null, composed(house_problem["fen"].as_str().unwrap(), 2, ""))
            .await;
    assert_eq!(known.assert_error(409, "problem-known"), json!({ "id": house_problem["id"] }));

    let cookie = anna.cookie.clone();
    let house = House::open(house.close().await, Arc::new(FirstTurnOpponent), |_| ()).await;
    let mut anna = Visitor { cookie, ..house.visitor() };
    assert_eq!(anna.get(&format!("/api/problems/{variant}/composed/{id}")).await.json()["mine"], true);
    assert_eq!(published(&publish(&mut anna, variant, Value::Null, sent.clone()).await), id);

    // Only the composer can withdraw a problem.
    let path = format!("/api/problems/{variant}/composed/{id}");
    let mut bela = Visitor { cookie: bela.cookie, ..house.visitor() };
    bela.request("DELETE", &path, &[], "").await.assert_error(403, "not-yours");
    house.visitor().request("DELETE", &path, &[], "").await.assert_error(403, "not-yours");
    assert_eq!(anna.request("DELETE", &path, &[], "").await.status, 204);
    anna.request("DELETE", &path, &[], "").await.assert_error(404, "problem-not-found");
    bela.get(&path).await.assert_error(404, "problem-not-found");
    // A late repeat of the command does not restore the problem.
    assert_eq!(published(&publish(&mut anna, variant, Value::Null, sent).await), id);
    bela.get(&path).await.assert_error(404, "problem-not-found");
    published(&publish(&mut bela, variant, Value::Null, composed(fen, 2, first)).await);
}

#[tokio::test]
async fn titles_are_limited_and_removed_with_their_account() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let mut ids = Vec::new();
    for &(variant, fen, first) in SOUND {
        for bad in ["x".repeat(81), "a\nb".into(), "a\u{202e}b".into()] {
            let refused = publish(&mut anna, variant, json!(bad), composed(fen, 2, first)).await;
            assert_eq!(refused.assert_error(422, "problem-title"), json!({ "limit": "80" }));
        }
        let title = if variant == "chess" { json!(" ") } else { json!("é".repeat(80)) };
        ids.push(published(&publish(&mut anna, variant, title, composed(fen, 2, first)).await));
    }
    let mut guest = house.visitor();
    let problem_at = async |guest: &mut Visitor, index: usize| {
        let path = format!("/api/problems/{}/composed/{}", SOUND[index].0, ids[index]);
        guest.get(&path).await.json()
    };
    assert_eq!(problem_at(&mut guest, 0).await["title"], Value::Null);
    assert_eq!(problem_at(&mut guest, 1).await["title"], json!("é".repeat(80)));
    let body = json!({ "password": "correct horse" }).to_string();
    let json_type = [("content-type", "application/json")];
    assert_eq!(anna.request("DELETE", "/api/account", &json_type, &body).await.status, 204);
    let remaining = problem_at(&mut guest, 1).await;
    assert_eq!(
        (&remaining["by"], &remaining["title"], &remaining["line"][0]),
        (&Value::Null, &Value::Null, &json!(SOUND[1].2))
    );
}

#[tokio::test]
async fn the_list_comes_in_pages_newest_first() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.proof_asks, config.limits.proof_asks_per_address) = times(1_000);
    })
    .await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    bela.register("Bela").await;
    // 34 problems with the same mate, each with an extra black pawn on a different square.
    let mut sent = Vec::new();
    'all: for rank in 2..=7 {
        for file in 0..8 {
            let mut setup =
                AnyPosition::from_fen(Variant::Chess, "7k/8/8/3N1KR1/8/8/8/8 w - - 0 1").unwrap().to_setup();
            let square = rank * 8 + file - 8;
            if setup.pieces[square].is_some() {
                continue;
            }
            setup.pieces[square] = AnyPosition::initial(Variant::Chess).piece_at("a7".parse().unwrap());
            let Ok(position) = AnyPosition::from_setup(&setup) else { continue };
            let owner = if sent.len() % 2 == 0 { &mut anna } else { &mut bela };
            let response = publish(owner, "chess", Value::Null, composed(&position.fen(), 2, "")).await;
            if response.status == 201 {
                sent.push(published(&response));
                house.clock.advance(1);
            }
            if sent.len() == 34 {
                break 'all;
            }
        }
    }
    assert_eq!(sent.len(), 34, "too few of the positions are sound");
    let ids = |page: &Value| {
        let problems = page["problems"].as_array().unwrap().iter();
        problems.map(|problem| problem["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = anna.get("/api/problems/chess/composed").await.json();
    let cursor = first["next"].as_str().unwrap();
    let second = anna.get(&format!("/api/problems/chess/composed?cursor={cursor}")).await.json();
    assert_eq!((ids(&first).len(), &second["next"]), (30, &Value::Null));
    sent.reverse();
    assert_eq!([ids(&first), ids(&second)].concat(), sent);
    let mine = anna.get("/api/problems/chess/composed?mine=true").await.json();
    assert_eq!(ids(&mine).len(), 17);
    assert!(mine["problems"].as_array().unwrap().iter().all(|problem| problem["mine"] == true));
    anna.get("/api/problems/chess/composed?cursor=nonsense").await.assert_error(422, "bad-cursor");
    assert_eq!(anna.get("/api/problems/baroque/composed").await.json()["problems"], json!([]));
}

#[tokio::test]
async fn proofs_are_limited_in_number_and_in_cost() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        (config.limits.proof_asks, config.limits.proof_asks_per_address) = times(2);
        config.limits.proof_nodes = 20_000;
    })
    .await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let initial = composed(&AnyPosition::initial(Variant::Chess).fen(), 5, "e2e4");
    assert_eq!(prove(&mut anna, "chess", &initial).await, json!({ "type": "too-hard", "nodes": 20_001 }));
    publish(&mut anna, "chess", Value::Null, initial.clone()).await.assert_error(422, "problem-too-hard");
    publish(&mut anna, "chess", Value::Null, initial.clone()).await.assert_error(429, "too-many");
    house.visitor().post("/api/problems/chess/proof", &initial).await.assert_error(429, "too-many");
}

#[tokio::test]
async fn a_proof_ends_when_its_client_disconnects() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        let limits = &mut config.limits;
        (limits.proofs, limits.proof_nodes) = (1, u64::MAX);
        (limits.proof_time, limits.request_time) = (Duration::from_mins(2), Duration::from_mins(5));
    })
    .await;
    let hard = composed(&AnyPosition::initial(Variant::Chess).fen(), 8, "");
    // One composition is being proved, and eight more can wait. Once a tenth is refused, the queue is full.
    let mut requests = JoinSet::new();
    for _ in 0..10 {
        let (mut visitor, hard) = (house.visitor(), hard.clone());
        requests.spawn(async move { visitor.post("/api/problems/chess/proof", &hard).await });
    }
    requests.join_next().await.unwrap().unwrap().assert_error(503, "busy");
    // The clients disconnect. The only slot must be free again long before the time limit for a proof,
    // because the next request does not wait that long.
    requests.shutdown().await;
    let (variant, fen, first) = SOUND[0];
    let proved = prove(&mut house.visitor(), variant, &composed(fen, 2, first)).await;
    assert_eq!(proved["type"], "proved");
}
