//! An account's studies: its problem ratings and its analyses.

use std::collections::BTreeSet;

use adoube_protocol::{Problem, ProblemList, ProblemStanding};
use adoube_rules::Variant;
use serde_json::{Value, json};

use crate::house::{House, Visitor, command, times};

async fn problems(visitor: &mut Visitor, variant: &str) -> Vec<Problem> {
    let response = visitor.get(&format!("/api/problems/{variant}")).await;
    serde_json::from_str::<ProblemList>(&response.body).unwrap().problems
}

fn solver_turns(problem: &Problem) -> Vec<&String> {
    problem.line.iter().step_by(2).collect()
}

fn attempt(problem: &Problem, turns: &[&String]) -> Value {
    json!({ "command": command(), "problem": problem.id, "turns": turns })
}

async fn standing(visitor: &mut Visitor, variant: &str) -> ProblemStanding {
    let response = visitor.get(&format!("/api/standings/{variant}")).await;
    serde_json::from_str(&response.body).unwrap()
}

#[tokio::test]
async fn the_server_judges_and_rates_the_first_attempt_at_a_problem() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let mut value = 1000;
    for variant in Variant::ALL.map(Variant::name) {
        assert_eq!(standing(&mut anna, variant).await.value, 1000);
        let path = format!("/api/standings/{variant}");
        let all = problems(&mut anna, variant).await;
        let two = all.iter().filter(|problem| problem.turns == 2).collect::<Vec<_>>();

        let solved = attempt(two[0], &solver_turns(two[0]));
        let first = anna.post(&path, &solved).await.json();
        assert_eq!((&first["solved"], &first["rated"]["before"]), (&json!(true), &json!(1000)));
        value = first["rated"]["after"].as_u64().unwrap();
        assert!(value > 1000, "{first}");
        // The same request is repeated, as after a lost response.
        assert_eq!(anna.post(&path, &solved).await.json(), first);
        // Another attempt at the same problem is not rated.
        let again = anna.post(&path, &attempt(two[0], &[])).await.json();
        assert_eq!((&again["solved"], &again["rated"]), (&json!(true), &Value::Null));

        // A problem that is given up after the first turn counts as unsolved.
        let given_up = anna.post(&path, &attempt(two[1], &solver_turns(two[1])[..1])).await.json();
        assert_eq!((&given_up["solved"], &given_up["rated"]["before"]), (&json!(false), &json!(value)));
        value = given_up["rated"]["after"].as_u64().unwrap();
        let current = standing(&mut anna, variant).await;
        assert_eq!((u64::from(current.value), current.problems, current.streak), (value, 2, 0));
        assert_eq!(
            (current.seen[&two[0].id], current.seen[&two[1].id], current.seen.len()),
            (true, false, 2)
        );
    }
    // The standing is visible in every browser that is signed in to the account, but not to other accounts.
    let mut phone = house.visitor();
    phone.sign_in("Anna", "correct horse").await;
    let last = Variant::ALL.map(Variant::name)[Variant::COUNT - 1];
    assert_eq!(u64::from(standing(&mut phone, last).await.value), value);
    let mut bela = house.visitor();
    bela.register("Bela").await;
    for variant in Variant::ALL {
        assert_eq!(standing(&mut bela, variant.name()).await.problems, 0);
    }
    let data = anna.get("/api/account/data").await.json();
    assert_eq!(data["problems"].as_array().unwrap().len(), 2 * Variant::COUNT);
}

#[tokio::test]
async fn concurrent_attempts_are_counted_one_after_another() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let all = problems(&mut anna, "chess").await;
    let tries = all.iter().take(6).map(|problem| {
        let (mut anna, body) = (anna.clone(), attempt(problem, &solver_turns(problem)));
        tokio::spawn(async move { anna.post("/api/standings/chess", &body).await.status })
    });
    for one in tries.collect::<Vec<_>>() {
        assert_eq!(one.await.unwrap(), 200);
    }
    let current = standing(&mut anna, "chess").await;
    assert_eq!((current.problems, current.streak, current.seen.len()), (6, 6, 6));
}

#[tokio::test]
async fn an_invalid_attempt_is_refused_and_does_not_count() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let all = problems(&mut anna, "chess").await;
    let right = attempt(&all[0], &solver_turns(&all[0]));
    anna.post("/api/standings/chess", &right).await.assert_error(401, "not-signed-in");
    anna.get("/api/standings/chess").await.assert_error(401, "not-signed-in");
    anna.register("Anna").await;
    anna.get("/api/standings/draughts").await.assert_error(422, "unknown-variant");
    anna.post("/api/standings/baroque", &right).await.assert_error(404, "problem-not-found");
    let strange = "e9e4".to_owned();
    anna.post("/api/standings/chess", &attempt(&all[0], &[&strange])).await.assert_error(400, "bad-message");
    assert_eq!(standing(&mut anna, "chess").await.problems, 0);
}

fn save(name: &str, pgn: &str) -> Value {
    json!({ "command": command(), "name": name, "pgn": pgn })
}

async fn patch(visitor: &mut Visitor, id: &str, body: &Value) -> crate::house::Response {
    let path = format!("/api/analyses/{id}");
    visitor.request("PATCH", &path, &[("content-type", "application/json")], &body.to_string()).await
}

const ITALIAN: &str = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 (2. Bc4 $5 {towards f7}) 2... Nc6 *\n";

#[tokio::test]
async fn only_its_owner_can_read_change_and_delete_an_analysis() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    bela.register("Bela").await;
    let request = save("  Italian ", ITALIAN);
    let saved = anna.post("/api/analyses", &request).await;
    assert_eq!(saved.status, 201, "{saved:?}");
    let saved = saved.json();
    assert_eq!(
        (&saved["name"], &saved["variant"], &saved["version"]),
        (&json!("Italian"), &json!("chess"), &json!(1))
    );
    assert_eq!(
        anna.post("/api/analyses", &request).await.json(),
        saved,
        "a repeated request does not store a second analysis"
    );
    let id = saved["id"].as_str().unwrap();
    let path = format!("/api/analyses/{id}");
    let found = anna.get(&path).await.json();
    assert_eq!((&found["analysis"], &found["pgn"]), (&saved, &json!(ITALIAN)));

    // Other accounts cannot see that the analysis exists.
    bela.get(&path).await.assert_error(404, "analysis-not-found");
    patch(&mut bela, id, &json!({ "version": 1, "name": "mine" }))
        .await
        .assert_error(404, "analysis-not-found");
    bela.request("DELETE", &path, &[], "").await.assert_error(404, "analysis-not-found");
    assert_eq!(bela.get("/api/analyses").await.json()["analyses"], json!([]));
    house.visitor().get(&path).await.assert_error(401, "not-signed-in");

    // With two tabs, the later change is refused and overwrites nothing.
    let change = json!({ "version": 1, "pgn": "[Variant \"Baroque\"]\n\n1. Pc2c4 *" });
    let changed = patch(&mut anna, id, &change).await.json();
    assert_eq!((&changed["version"], &changed["variant"]), (&json!(2), &json!("baroque")));
    assert_eq!(patch(&mut anna, id, &change).await.json(), changed, "a repeat does no harm");
    let args = patch(&mut anna, id, &json!({ "version": 1, "pgn": ITALIAN }))
        .await
        .assert_error(409, "analysis-changed");
    assert_eq!(args["version"], "2");
    assert_eq!(patch(&mut anna, id, &json!({ "version": 2, "name": "Pawns" })).await.json()["name"], "Pawns");

    anna.post("/api/analyses", &save("Second", ITALIAN)).await;
    let list = anna.get("/api/analyses").await.json();
    let names = list["analyses"].as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap());
    // Both were saved at the same moment, so their order is undefined.
    assert_eq!(names.collect::<BTreeSet<_>>(), ["Pawns", "Second"].into());
    assert_eq!(list["analyses"].as_array().unwrap().len(), 2);
    let all = anna.get("/api/analyses/pgn").await;
    assert!(all.headers["content-disposition"].contains("attachment"), "{all:?}");
    assert_eq!(all.body.matches('*').count(), 2);
    let data = anna.get("/api/account/data").await.json();
    assert_eq!(data["analyses"].as_array().unwrap().len(), 2);
    assert_eq!(anna.request("DELETE", &path, &[], "").await.status, 204);
    anna.get(&path).await.assert_error(404, "analysis-not-found");
}

#[tokio::test]
async fn an_analysis_is_parsed_as_on_the_page_and_loses_nothing() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    for good in [
        "1. e4 e5 1-0 {White won}",
        "1. e4 e5 (1... -- 2. d4) ½–½",
        "[White.Elo \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n\n1. O-O *",
    ] {
        assert_eq!(anna.post("/api/analyses", &save("a", good)).await.status, 201, "{good}");
    }
    // Variations are checked too, and content that the page could not store is refused.
    let many = format!("1. e4 {} *", "(1. d4)".repeat(300));
    for (broken, reason) in [
        ("1. e4 e5 (1... c5 2. Qxh7) *", "Qxh7"),
        ("1. e4 d6 2. Bb5+ (2. d4) -- *", "a null move is not possible"),
        (many.as_str(), "more than 256 variations"),
        ("(1. d4) *", "belongs to no turn"),
        ("<!DOCTYPE html>", "but a web page"),
    ] {
        let args = anna.post("/api/analyses", &save("a", broken)).await.assert_error(422, "bad-pgn");
        assert!(args["problem"].as_str().unwrap().contains(reason), "{args}");
    }
}

/// The parser drops all tags beyond its limit. This must take no longer than parsing any other string of the
/// same length. The server then refuses the analysis.
#[tokio::test]
async fn a_pgn_of_nothing_but_tags_is_refused() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let letters = || (b'a'..=b'z').chain(b'A'..=b'Z').map(char::from);
    let names = letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| [a, b, c])));
    let mut tags = String::new();
    for [a, b, c] in names.take(37_000) {
        tags.extend(['[', a, b, c, '"', '"', ']']);
    }
    tags.push_str("\n*");
    let args = anna.post("/api/analyses", &save("x", &tags)).await.assert_error(422, "bad-pgn");
    assert!(args["problem"].as_str().unwrap().contains("more than 256 tags"), "{args}");
}

#[tokio::test]
async fn an_invalid_analysis_is_refused_with_the_line_of_the_error() {
    let house = House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
        (config.limits.creations, config.limits.creations_per_address) = times(1_000);
    })
    .await;
    let mut anna = house.visitor();
    anna.post("/api/analyses", &save("a", ITALIAN)).await.assert_error(401, "not-signed-in");
    anna.register("Anna").await;
    let broken = "[Event \"?\"]\n\n1. e4 e5\n2. Qxh7 *";
    let args = anna.post("/api/analyses", &save("a", broken)).await.assert_error(422, "bad-pgn");
    assert_eq!(args["line"], "4");
    assert!(args["problem"].as_str().unwrap().contains("Qxh7"), "{args}");
    for none in ["", "{only words}", "1. e4 *\n\n[Event \"?\"]\n\n1. d4 *"] {
        anna.post("/api/analyses", &save("a", none)).await.assert_error(422, "pgn-games");
    }
    for name in ["", "  ", "a\nb", &"x".repeat(101)] {
        anna.post("/api/analyses", &save(name, ITALIAN)).await.assert_error(422, "bad-analysis-name");
    }
    // The first is longer than most request bodies may be. Of the other two, one exceeds only the limit on an
    // analysis, and the other also exceeds the limit on a body.
    let comment = |bytes: usize| format!("1. e4 {{{}}} *", "word ".repeat(bytes / 5));
    assert_eq!(anna.post("/api/analyses", &save("long", &comment(200_000))).await.status, 201);
    for bytes in [300_000, 600_000] {
        let args =
            anna.post("/api/analyses", &save("a", &comment(bytes))).await.assert_error(413, "too-large");
        assert_eq!(args["limit"], "262144");
    }
    for _ in 1..100 {
        assert_eq!(anna.post("/api/analyses", &save("more", ITALIAN)).await.status, 201);
    }
    let args =
        anna.post("/api/analyses", &save("one more", ITALIAN)).await.assert_error(429, "too-many-analyses");
    assert_eq!(args["limit"], "100");
}

#[tokio::test]
async fn a_deleted_account_leaves_no_studies() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let id = anna.post("/api/analyses", &save("Italian", ITALIAN)).await.json()["id"].clone();
    let stale = anna.clone();
    let body = json!({ "password": "correct horse" }).to_string();
    let deleted =
        anna.request("DELETE", "/api/account", &[("content-type", "application/json")], &body).await;
    assert_eq!(deleted.status, 204);
    let mut stale = stale;
    stale.get(&format!("/api/analyses/{}", id.as_str().unwrap())).await.assert_error(401, "not-signed-in");
    // The next owner of the name, a year later, does not see the old data.
    house.clock.advance(366 * 24 * 60 * 60 * 1000);
    let mut next = house.visitor();
    next.register("Anna").await;
    assert_eq!(next.get("/api/analyses").await.json()["analyses"], json!([]));
}
