//! Accounts: registration, sessions, passwords, names and preferences.

use std::time::Duration;

use adoube_server::{Limits, Rate};
use serde_json::{Value, json};

use crate::house::{House, Visitor, begin, times};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[tokio::test]
async fn a_new_account_keeps_the_games_played_before() {
    let house = House::new().await;
    let mut anna = house.visitor();
    assert_eq!(anna.get("/api/account").await.json(), json!({ "account": null }));
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let stale = anna.clone();
    anna.register("Anna").await;
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Anna");
    let game = anna.get(&format!("/api/games/{id}")).await.json();
    assert_eq!(game["you"], "white");
    assert_eq!(game["players"]["white"], json!({ "type": "person", "name": "Anna" }));
    // The anonymous cookie is no longer valid.
    let mut thief = stale;
    assert_eq!(thief.get(&format!("/api/games/{id}")).await.json()["you"], Value::Null);
    assert_eq!(thief.get("/api/games").await.json()["games"], json!([]));
}

#[tokio::test]
async fn an_invalid_registration_is_refused_with_a_reason() {
    let house = House::new().await;
    house.visitor().register("Anna").await;
    let request = async |name: &str, password: &str, email: Option<&str>| {
        let mut body = json!({ "name": name, "password": password });
        if let Some(email) = email {
            body["email"] = json!(email);
        }
        house.visitor().post("/api/account", &body).await
    };
    request("aNNa", "long enough", None).await.assert_error(409, "name-taken");
    for name in ["", "ab", &"x".repeat(21), "a b c", "<script>"] {
        request(name, "long enough", None).await.assert_error(422, "bad-name");
    }
    request("Bela", "short", None).await.assert_error(422, "bad-password");
    request("Bela", "long enough", Some("no address")).await.assert_error(422, "bad-email");
}

#[tokio::test]
async fn a_sign_in_ends_the_session_that_the_browser_had() {
    let house = House::new().await;
    let (mut anna, mut phone) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    for _ in 0..3 {
        assert_eq!(phone.sign_in("anna", "correct horse").await.status, 200);
    }
    // A wrong password does not end any session.
    phone.sign_in("anna", "wrong horse").await.assert_error(401, "sign-in-failed");
    let sessions = phone.get("/api/account/sessions").await.json()["sessions"].as_array().unwrap().len();
    assert_eq!(sessions, 2, "one for each browser");
}

#[tokio::test]
async fn weak_passwords_are_refused_with_a_reason() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let register = |password: &str| json!({ "name": "Annamaria", "password": password, "email": "am.dupont@example.org" });
    for (password, code) in [
        ("short", "bad-password"),
        ("P@ssw0rd1", "password-common"),
        ("1234qwer", "password-simple"),
        ("dupont-99", "password-context"),
    ] {
        anna.post("/api/account", &register(password)).await.assert_error(422, code);
    }
    assert_eq!(anna.post("/api/account", &register("correct horse")).await.status, 201);
    let change = json!({ "password": "correct horse", "newPassword": "annamaria1" });
    let headers = [("content-type", "application/json")];
    let response = anna.request("PATCH", "/api/account", &headers, &change.to_string()).await;
    response.assert_error(422, "password-context");
}

/// Opens a house whose sockets check their sessions once, within a second of opening, and then so rarely that
/// only a notice can close them.
async fn silent_house() -> House {
    House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
        config.limits.silence = Duration::from_hours(1);
    })
    .await
}

#[tokio::test]
async fn s8_sessions_are_listed_and_end_everywhere() {
    let house = silent_house().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let mut phone = house.visitor();
    phone.get("/api/account").await;
    let before = phone.cookie.clone();
    assert_eq!(phone.sign_in("anna", "correct horse").await.status, 200);
    assert_ne!(phone.cookie, before, "a sign-in begins a new session");
    let cookie = phone.cookie.clone().unwrap();
    let list = anna.get("/api/account/sessions").await.json();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 2);
    let other =
        list["sessions"].as_array().unwrap().iter().find(|session| session["current"] == false).unwrap();
    let other = other["id"].as_str().unwrap();

    let mut stranger = house.visitor();
    stranger.get("/api/account/sessions").await.assert_error(401, "not-signed-in");
    stranger.register("Bela").await;
    let path = format!("/api/account/sessions/{other}");
    stranger.request("DELETE", &path, &[], "").await.assert_error(404, "session-not-found");

    // The sockets of an ended session close immediately, before their next check.
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut socket = phone.socket(&id, "").await;
    socket.snapshot().await;
    assert_eq!(anna.request("DELETE", &path, &[], "").await.status, 204);
    assert_eq!(socket.wait_for_close().await, (1008, "signed out".into()));
    let mut phone = Visitor { cookie: Some(cookie), ..phone };
    assert_eq!(phone.get("/api/account").await.json()["account"], Value::Null);

    let signed_in = anna.cookie.clone();
    assert_eq!(anna.request("DELETE", "/api/session", &[], "").await.status, 204);
    let mut replayed = Visitor { cookie: signed_in, ..anna };
    assert_eq!(replayed.get("/api/account").await.json()["account"], Value::Null);
}

#[tokio::test]
async fn s9_a_sign_in_does_not_reveal_which_names_exist() {
    let house = House::new().await;
    house.visitor().register("Anna").await;
    let known = house.visitor().sign_in("Anna", "wrong password").await;
    let unknown = house.visitor().sign_in("Nobody", "wrong password").await;
    known.assert_error(401, "sign-in-failed");
    assert_eq!((known.status, &known.body), (unknown.status, &unknown.body));
    let recovery = async |name: &str| house.visitor().post("/api/recovery", &json!({ "name": name })).await;
    let (known, unknown) = (recovery("Anna").await, recovery("Nobody").await);
    assert_eq!((known.status, &known.body), (202, &unknown.body));
    assert_eq!(unknown.status, 202);
}

/// Times sign-ins with a name that exists and with one that does not. The times depend on the computer, so
/// they are printed rather than compared.
#[tokio::test]
async fn s9_sign_in_times_are_printed_for_known_and_unknown_names() {
    const TRIES: usize = 40;
    let house = House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
        (config.limits.sign_ins, config.limits.sign_ins_per_address) = times(1_000);
    })
    .await;
    house.visitor().register("Anna").await;
    let mut durations = [Vec::new(), Vec::new()];
    for _ in 0..TRIES {
        for (name, durations) in ["Anna", "Nobody"].into_iter().zip(&mut durations) {
            let started = std::time::Instant::now();
            house.visitor().sign_in(name, "wrong password").await.assert_error(401, "sign-in-failed");
            durations.push(started.elapsed());
        }
    }
    let medians = durations.map(|mut durations| {
        durations.sort_unstable();
        durations[TRIES / 2]
    });
    println!("median of {TRIES}: {:?} for a known name, {:?} for an unknown one", medians[0], medians[1]);
}

/// Each limit is tested in isolation: the others are too high to be reached.
#[tokio::test]
async fn sign_ins_are_limited_per_address_and_per_name() {
    const HERE: &str = "192.0.2.1";
    type LimitOf = fn(&mut Limits) -> &mut Rate;
    let limits: [(LimitOf, [u16; 3]); 4] = [
        (|limits| &mut limits.sign_ins, [401, 401, 429]),
        (|limits| &mut limits.sign_ins_per_address, [429, 401, 429]),
        (|limits| &mut limits.wrong_passwords_per_address, [429, 401, 429]),
        (|limits| &mut limits.wrong_passwords_per_name, [401, 429, 429]),
    ];
    for (index, (_, expected)) in limits.iter().enumerate() {
        let house = House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
            config.trusted_proxies.push([127, 0, 0, 1].into());
            config.limits.hashes = 4;
            for (other, (limit, _)) in limits.iter().enumerate() {
                *limit(&mut config.limits) = times(if other == index { 3 } else { 1_000 }).0;
            }
        })
        .await;
        let sign_in = async |name: &str, from: &str| {
            let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
            let body = json!({ "name": name, "password": "wrong password" }).to_string();
            house.visitor().request("POST", "/api/session", &headers, &body).await.status
        };
        for _ in 0..3 {
            assert_eq!(sign_in("Nobody", HERE).await, 401, "limit {index}");
        }
        let found = [
            sign_in("Somebody", HERE).await,
            sign_in("Nobody", "198.51.100.1").await,
            sign_in("Nobody", HERE).await,
        ];
        assert_eq!(found, *expected, "limit {index}");
    }
}

#[tokio::test]
async fn s8_a_new_password_ends_the_other_sessions() {
    let house = House::new().await;
    let (mut anna, mut phone) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    phone.sign_in("Anna", "correct horse").await;
    let change = json!({ "password": "wrong", "newPassword": "battery staple" });
    let patch = async |visitor: &mut Visitor, body: &Value| {
        visitor
            .request("PATCH", "/api/account", &[("content-type", "application/json")], &body.to_string())
            .await
    };
    patch(&mut anna, &change).await.assert_error(403, "wrong-password");
    let change =
        json!({ "password": "correct horse", "newPassword": "battery staple", "email": "anna@example.org" });
    assert_eq!(patch(&mut anna, &change).await.json()["account"]["email"], "anna@example.org");
    assert_eq!(phone.get("/api/account").await.json()["account"], Value::Null);
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Anna");
    phone.sign_in("Anna", "correct horse").await.assert_error(401, "sign-in-failed");
}

#[tokio::test]
async fn an_account_can_be_exported_and_deleted() {
    let house = House::new().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    let id = begin(&mut anna, &mut bela, json!({ "variant": "chess" })).await;
    let mut socket = anna.socket(&id, "?version=2").await;
    socket.play(2, "e2e4").await.unwrap();
    let chat = crate::house::chat("hello");
    socket.command(&chat).await.unwrap();
    let pgn = anna.get("/api/account/export").await.body;
    assert!(pgn.contains("[White \"Anna\"]") && pgn.contains("1. e4 *"), "{pgn}");
    assert_eq!(anna.get("/api/games/pgn").await.body, pgn);
    let data = anna.get("/api/account/data").await.json();
    assert_eq!((&data["account"]["name"], &data["chat"][0]["text"]), (&json!("Anna"), &json!("hello")));
    assert!(!data.to_string().contains("argon2"));
    house.visitor().get("/api/account/data").await.assert_error(401, "not-signed-in");

    let delete = async |visitor: &mut Visitor, password: &str| {
        let body = json!({ "password": password }).to_string();
        visitor.request("DELETE", "/api/account", &[("content-type", "application/json")], &body).await
    };
    delete(&mut anna, "wrong").await.assert_error(403, "wrong-password");
    assert_eq!(delete(&mut anna, "correct horse").await.status, 204);
    assert_eq!(socket.wait_for_close().await.0, 1008);
    let game = bela.get(&format!("/api/games/{id}")).await.json();
    assert_eq!((&game["players"]["white"], &game["turns"]), (&json!({ "type": "person" }), &json!(["e2e4"])));
    house.visitor().sign_in("Anna", "correct horse").await.assert_error(401, "sign-in-failed");
}

/// Names are refused if they look like those of the house or its staff, or like an existing name.
#[tokio::test]
async fn names_that_could_be_mistaken_for_others_are_refused() {
    let house = House::new().await;
    let register = async |name: &str| {
        let password = "correct horse";
        house.visitor().post("/api/account", &json!({ "name": name, "password": password })).await
    };
    for name in ["admin", "Adm1n", "modérateur", "J'adoube", "ordinateur", "the-admin"] {
        register(name).await.assert_error(422, "name-reserved");
    }
    // Names with two scripts, with an invisible character, with a space, and without letters or digits.
    for name in ["Аnna", "Ann\u{200b}a", "An na", "___"] {
        register(name).await.assert_error(422, "bad-name");
    }
    for (name, alike) in [
        ("Marion", "Mari0n"),
        ("Lisa", "1isa"),
        ("corner", "comer"),
        ("François", "FRANÇOIS"),
        ("coco", "сосо"),
    ] {
        assert_eq!(register(name).await.status, 201, "{name}");
        let refused = register(alike).await;
        assert_eq!(refused.status, 409, "{alike}: {refused:?}");
    }
    register("marion").await.assert_error(409, "name-taken");
    register("Marlon").await.assert_error(409, "name-alike");
    // At sign-in, accents may be in any Unicode form, and letters in any case.
    assert_eq!(house.visitor().sign_in("franc\u{327}ois", "correct horse").await.status, 200);
}

#[tokio::test]
async fn the_name_of_a_deleted_account_is_reserved_for_a_year() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Annabel").await;
    let delete = json!({ "password": "correct horse" }).to_string();
    let deleted =
        anna.request("DELETE", "/api/account", &[("content-type", "application/json")], &delete).await;
    assert_eq!(deleted.status, 204);
    assert_eq!(deleted.headers["clear-site-data"], "\"cache\", \"cookies\", \"storage\"");
    let register = |name: &str| json!({ "name": name, "password": "correct horse" });
    for name in ["Annabel", "ANNABEL", "Annabe1"] {
        house.visitor().post("/api/account", &register(name)).await.assert_error(409, "name-taken");
    }
    house.clock.advance(366 * DAY_MS);
    assert_eq!(house.visitor().post("/api/account", &register("Annabe1")).await.status, 201);
}

/// Using a session keeps it alive, but not forever, because other people may come to use a shared computer.
#[tokio::test]
async fn a_session_ends_when_idle_and_after_a_year_in_any_case() {
    let house = House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
        // Sockets check their session three times in this period.
        config.limits.silence = Duration::from_secs(1);
    })
    .await;
    let (mut anna, mut phone) = (house.visitor(), house.visitor());
    anna.register("Anna").await;
    assert_eq!(phone.sign_in("Anna", "correct horse").await.status, 200);
    let is_signed_in = async |visitor: &mut Visitor| {
        let copy = visitor.cookie.clone();
        let is_signed_in = visitor.get("/api/account").await.json()["account"]["name"] == "Anna";
        visitor.cookie = copy;
        is_signed_in
    };
    house.clock.advance(59 * DAY_MS);
    assert!(is_signed_in(&mut anna).await);
    house.clock.advance(2 * DAY_MS);
    assert!(is_signed_in(&mut anna).await, "it was used two days ago");
    assert!(!is_signed_in(&mut phone).await, "it has not been used for two months");
    for _ in 0..15 {
        house.clock.advance(20 * DAY_MS);
        assert!(is_signed_in(&mut anna).await);
    }
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut socket = anna.socket(&id, "").await;
    socket.snapshot().await;
    house.clock.advance(5 * DAY_MS);
    assert!(!is_signed_in(&mut anna).await, "a year has passed");
    assert_eq!(socket.wait_for_close().await, (1008, "signed out".into()));
}

/// The socket of an anonymous visitor does not survive a registration, so it cannot evade a later sign-out.
#[tokio::test]
async fn a_socket_is_closed_when_its_visitor_registers() {
    let house = silent_house().await;
    let mut anna = house.visitor();
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut before = anna.socket(&id, "").await;
    before.snapshot().await;
    let mut other = house.visitor().socket(&id, "").await;
    other.snapshot().await;
    anna.register("Anna").await;
    assert_eq!(before.wait_for_close().await, (1008, "signed out".into()));
    let mut after = anna.socket(&id, "").await;
    after.snapshot().await;
    assert_eq!(anna.request("DELETE", "/api/session", &[], "").await.status, 204);
    assert_eq!(after.wait_for_close().await, (1008, "signed out".into()));
    // The sockets of other visitors stay open.
    other.assert_open().await;
}

/// Cookies signed with the previous key are re-signed as long as that key is valid.
#[tokio::test]
async fn a_new_cookie_key_keeps_identities_unless_the_old_one_is_revoked() {
    let house = House::new().await;
    let (mut anna, mut bela, mut clara) = (house.visitor(), house.visitor(), house.visitor());
    anna.register("Anna").await;
    let (id, _) = bela.create("chess", "white", &json!({ "type": "friend" })).await;
    let (her_game, _) = clara.create("chess", "white", &json!({ "type": "friend" })).await;
    let is_white = async |visitor: &mut Visitor, id: &str| {
        visitor.get(&format!("/api/games/{id}")).await.json()["you"] == "white"
    };
    assert!(is_white(&mut bela, &id).await);

    let rotate = async |house: House, valid_for: Option<Duration>| {
        let now = adoube_server::Clock::now(&*house.clock);
        let folder = house.close().await;
        let store = adoube_store_sqlite::SqliteStore::open(&folder.path().join("data.sqlite")).await.unwrap();
        let entropy = adoube_server::SystemEntropy;
        adoube_server::rotate_cookie_key(&store, &entropy, now, valid_for).await.unwrap();
        adoube_store::GameStore::close(&store).await;
        House::open_at(folder, now.0, std::sync::Arc::new(crate::house::FirstTurnOpponent), |_| {}).await
    };
    let house = rotate(house, Some(Duration::from_hours(24 * 30))).await;
    for visitor in [&mut anna, &mut bela, &mut clara] {
        visitor.address = house.address;
    }
    let before = bela.cookie.clone();
    assert!(is_white(&mut bela, &id).await);
    assert_ne!(bela.cookie, before, "it was signed again");
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Anna");
    house.clock.advance(31 * DAY_MS);
    assert!(is_white(&mut bela, &id).await);
    assert!(!is_white(&mut clara, &her_game).await, "the previous key had expired");

    let house = rotate(house, None).await;
    for visitor in [&mut anna, &mut bela] {
        visitor.address = house.address;
    }
    assert!(!is_white(&mut bela, &id).await);
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Anna");
}

/// Changes the account's preferences.
async fn set_preferences(visitor: &mut Visitor, values: serde_json::Value) -> crate::house::Response {
    let headers = [("content-type", "application/json")];
    visitor
        .request("PATCH", "/api/account/preferences", &headers, &json!({ "values": values }).to_string())
        .await
}

#[tokio::test]
async fn preferences_are_stored_with_the_account() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let path = "/api/account/preferences";
    anna.get(path).await.assert_error(401, "not-signed-in");
    anna.register("Anna").await;
    assert_eq!(anna.get(path).await.json(), json!({ "version": 0, "values": {} }));
    let first = set_preferences(&mut anna, json!({ "board": "green", "men.chess": "silhouette" })).await;
    assert_eq!(first.json()["version"], 1);
    // Another device sets the values that it knows; the others stay unchanged.
    let mut phone = house.visitor();
    phone.sign_in("Anna", "correct horse").await;
    let both = json!({ "version": 2, "values": { "board": "blue", "men.chess": "silhouette" } });
    assert_eq!(set_preferences(&mut phone, json!({ "board": "blue" })).await.json(), both);
    assert_eq!(anna.get(path).await.json(), both);
    assert_eq!(anna.get("/api/account/data").await.json()["preferences"], both["values"]);

    for wrong in [
        json!({ "": "x" }),
        json!({ "Board": "x" }),
        json!({ "board": "x".repeat(101) }),
        json!({ "board": "\n" }),
    ] {
        set_preferences(&mut anna, wrong).await.assert_error(422, "bad-preference");
    }
    let many = (0..99).map(|number| (format!("p{number}"), json!("x"))).collect::<serde_json::Map<_, _>>();
    set_preferences(&mut anna, many.into()).await.assert_error(422, "too-many-preferences");
    assert_eq!(anna.get(path).await.json(), both);
}
