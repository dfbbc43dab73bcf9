//! Administration: roles, acts, the audit log, and the settings of the house.

use adoube_protocol::{Act, HallServerMessage, ServerMessage, SessionMessage};
use serde_json::{Value, json};

use crate::{
    hall::{enter, enter_without_lists, receive, seek},
    house::{self, FakeClock, FirstTurnOpponent, House, Response, Socket, Visitor, begin, chat, command},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Opens a house with an administrator, Sofia.
async fn house() -> (House, Visitor) {
    let house = House::new().await;
    let sofia = administrator(&house).await;
    (house, sofia)
}

/// Registers the first administrator of a house.
async fn administrator(house: &House) -> Visitor {
    let link = house.administration.first_link().await.unwrap().expect("an administrator already exists");
    let mut sofia = house.visitor();
    assert_eq!(join(&mut sofia, "Sofia", &link).await.status, 201);
    sofia
}

/// Registers an account through an invitation link.
async fn join(visitor: &mut Visitor, name: &str, link: &str) -> Response {
    let token = link.strip_prefix("/join/").expect("an invitation link");
    let body = json!({ "name": name, "password": "correct horse", "invitation": token });
    visitor.post("/api/account", &body).await
}

async fn act(visitor: &mut Visitor, act: Value) -> Response {
    visitor.post("/api/admin/acts", &act).await
}

/// Carries out an act that must succeed, and returns its response.
async fn act_successfully(visitor: &mut Visitor, request: Value) -> Value {
    let response = act(visitor, request).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

async fn member(visitor: &mut Visitor, name: &str) -> Value {
    let found = visitor.get(&format!("/api/admin/members?find={name}")).await.json();
    found["members"].as_array().unwrap().iter().find(|member| member["name"] == name).unwrap().clone()
}

/// Registers an account and gives it a role.
async fn staff(house: &House, sofia: &mut Visitor, name: &str, role: &str) -> Visitor {
    let mut visitor = house.visitor();
    visitor.register(name).await;
    act_successfully(sofia, json!({ "type": "set-role", "account": name, "role": role })).await;
    visitor
}

#[tokio::test]
async fn the_first_administrator_registers_with_a_link_that_works_once() {
    let house = House::new().await;
    let link = async || house.administration.first_link().await.unwrap();
    // Two links are issued, as if two nodes had started.
    let (one, other) = (link().await.unwrap(), link().await.unwrap());
    assert_ne!(one, other);
    let mut sofia = house.visitor();
    let offer = |link: &str| format!("/api/house/invitations/{}", link.strip_prefix("/join/").unwrap());
    let offered = sofia.get(&offer(&one)).await.json();
    assert_eq!((&offered["role"], &offered["isFirst"]), (&json!("administrator"), &json!(true)));
    sofia.get(&offer("/join/guessed")).await.assert_error(404, "house-invitation-not-found");
    let joined = join(&mut sofia, "Sofia", &one).await;
    assert_eq!(joined.status, 201, "{joined:?}");
    assert_eq!(joined.json()["account"]["role"], "administrator");
    assert_eq!(link().await, None);
    for link in [&one, &other] {
        house.visitor().get(&offer(link)).await.assert_error(404, "house-invitation-not-found");
        let refused = join(&mut house.visitor(), "Someone", link).await;
        refused.assert_error(404, "house-invitation-not-found");
    }
    let log = sofia.get("/api/admin/audit").await.json();
    assert_eq!(log["entries"][0]["act"], "claim");
    assert_eq!(log["entries"][0]["by"], "Sofia");
}

#[tokio::test]
async fn the_first_link_expires_and_can_be_used_by_an_existing_account() {
    let house = House::new().await;
    let mut sofia = house.visitor();
    sofia.register("Sofia").await;
    let link = house.administration.first_link().await.unwrap().unwrap();
    let claim = |link: &str| format!("/api/house/invitations/{}", link.strip_prefix("/join/").unwrap());
    house.clock.advance(DAY_MS);
    sofia.post(&claim(&link), &Value::Null).await.assert_error(404, "house-invitation-not-found");
    let link = house.administration.first_link().await.unwrap().unwrap();
    house.visitor().post(&claim(&link), &Value::Null).await.assert_error(401, "not-signed-in");
    let claimed = sofia.post(&claim(&link), &Value::Null).await;
    assert_eq!(claimed.json()["account"]["role"], "administrator", "{claimed:?}");
    assert_eq!(sofia.get("/api/admin").await.json()["role"], "administrator");
}

#[tokio::test]
async fn an_administrator_who_claims_an_invitation_for_another_role_stays_one() {
    let (house, mut sofia) = house().await;
    let invite = json!({ "type": "invite", "role": "teacher", "uses": 1, "days": 7 });
    let link = act_successfully(&mut sofia, invite).await["link"].as_str().unwrap().to_owned();
    let path = format!("/api/house/invitations/{}", link.strip_prefix("/join/").unwrap());
    let claimed = sofia.post(&path, &Value::Null).await;
    assert_eq!((claimed.status, &claimed.json()["account"]["role"]), (200, &json!("administrator")));
    assert_eq!(member(&mut sofia, "Sofia").await["role"], "administrator");
    assert_eq!(sofia.get("/api/admin").await.json()["role"], "administrator");
    // The invitation was not used up, so a teacher can still register with it.
    let joined = join(&mut house.visitor(), "Tomas", &link).await;
    assert_eq!(joined.json()["account"]["role"], "teacher", "{joined:?}");
}

#[tokio::test]
async fn every_request_is_checked_against_the_role() {
    let (house, mut sofia) = house().await;
    let mut anna = house.visitor();
    let paths = ["", "/members", "/members?pupils=true", "/classes", "/reports", "/audit", "/audit/check"];
    let close = json!({ "type": "close", "account": "Sofia" });
    for path in paths {
        anna.get(&format!("/api/admin{path}")).await.assert_error(401, "not-signed-in");
    }
    act(&mut anna, close.clone()).await.assert_error(401, "not-signed-in");
    anna.register("Anna").await;
    for path in paths {
        anna.get(&format!("/api/admin{path}")).await.assert_error(403, "not-allowed");
    }
    act(&mut anna, close.clone()).await.assert_error(403, "not-allowed");
    // The role is checked before the body, so the response does not reveal which acts exist.
    act(&mut anna, json!({ "type": "nonsense" })).await.assert_error(403, "not-allowed");

    let mut milo = staff(&house, &mut sofia, "Milo", "moderator").await;
    let mut tessa = staff(&house, &mut sofia, "Tessa", "teacher").await;
    let mut arno = staff(&house, &mut sofia, "Arno", "arbiter").await;
    for (visitor, allowed) in [
        (&mut milo, &["", "/members", "/members?pupils=true", "/reports"][..]),
        (&mut tessa, &["", "/members?pupils=true"]),
        (&mut arno, &[""]),
    ] {
        for path in paths {
            let response = visitor.get(&format!("/api/admin{path}")).await;
            assert_eq!(response.status, if allowed.contains(&path) { 200 } else { 403 }, "{path}");
        }
    }
    // A moderator cannot act on staff, and a teacher cannot act on accounts other than those of pupils.
    for name in ["Sofia", "Tessa", "Milo"] {
        let close = json!({ "type": "close", "account": name });
        act(&mut milo, close.clone()).await.assert_error(403, "not-allowed");
        act(&mut tessa, close).await.assert_error(403, "not-allowed");
    }
    let promote = json!({ "type": "set-role", "account": "Milo", "role": "administrator" });
    act(&mut milo, promote).await.assert_error(403, "not-allowed");
    act(&mut tessa, json!({ "type": "silence", "account": "Anna", "days": 1 }))
        .await
        .assert_error(403, "not-allowed");
    act_successfully(&mut milo, json!({ "type": "silence", "account": "Anna", "days": 1 })).await;
    // Removing a role takes effect immediately.
    act_successfully(&mut sofia, json!({ "type": "set-role", "account": "Milo", "role": null })).await;
    milo.get("/api/admin/members").await.assert_error(403, "not-allowed");

    let foreign = [("content-type", "application/json"), ("origin", "https://evil.example")];
    sofia
        .request("POST", "/api/admin/acts", &foreign, &close.to_string())
        .await
        .assert_error(403, "foreign-origin");
    let form = [("content-type", "application/x-www-form-urlencoded")];
    sofia.request("POST", "/api/admin/acts", &form, "type=close").await.assert_error(415, "json-expected");
}

#[tokio::test]
async fn the_last_administrator_cannot_be_removed() {
    let (house, mut sofia) = house().await;
    for request in [
        json!({ "type": "set-role", "account": "Sofia", "role": "moderator" }),
        json!({ "type": "close", "account": "Sofia" }),
        json!({ "type": "delete", "account": "Sofia" }),
    ] {
        act(&mut sofia, request).await.assert_error(409, "last-administrator");
    }
    let headers = [("content-type", "application/json")];
    let delete = json!({ "password": "correct horse" }).to_string();
    let refused = sofia.request("DELETE", "/api/account", &headers, &delete).await;
    refused.assert_error(409, "last-administrator");
    // The refused deletions have not retired the name.
    act_successfully(&mut sofia, json!({ "type": "rename", "account": "Sofia", "name": "Sonia" })).await;
    house.visitor().register("Sofia").await;
    staff(&house, &mut sofia, "Anna", "administrator").await;
    assert_eq!(sofia.request("DELETE", "/api/account", &headers, &delete).await.status, 204);
}

#[tokio::test]
async fn concurrent_deletions_leave_one_administrator() {
    for _ in 0..4 {
        let (house, mut sofia) = house().await;
        let mut anna = staff(&house, &mut sofia, "Anna", "administrator").await;
        let delete = async |visitor: &mut Visitor| {
            let body = json!({ "password": "correct horse" }).to_string();
            visitor.request("DELETE", "/api/account", &[("content-type", "application/json")], &body).await
        };
        let (one, other) = tokio::join!(delete(&mut sofia), delete(&mut anna));
        let refused = if one.status == 204 { &other } else { &one };
        refused.assert_error(409, "last-administrator");
        assert_eq!(one.status.min(other.status), 204, "{one:?} {other:?}");
        let name = if one.status == 204 { "Anna" } else { "Sofia" };
        let mut remaining = house.visitor();
        assert_eq!(remaining.sign_in(name, "correct horse").await.status, 200);
        assert_eq!(remaining.get("/api/admin").await.status, 200);
    }
}

#[tokio::test]
async fn a_closed_account_is_signed_out_at_once() {
    let (house, mut sofia) = house().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut socket = anna.socket(&id, "").await;
    socket.snapshot().await;
    let done = act_successfully(&mut sofia, json!({ "type": "close", "account": "anna" })).await;
    assert_eq!(done["endedSessions"], 1);
    assert_eq!(socket.wait_for_close().await, (1008, "signed out".into()));
    assert_eq!(anna.get("/api/account").await.json()["account"], Value::Null);
    // Only a visitor who knows the password learns that the account is closed.
    house.visitor().sign_in("Anna", "wrong horse").await.assert_error(401, "sign-in-failed");
    house.visitor().sign_in("Anna", "correct horse").await.assert_error(403, "account-closed");
    assert_eq!(member(&mut sofia, "Anna").await["state"], "closed");
    // An act that would change nothing about an account or a game is refused and not logged.
    let last = async |sofia: &mut Visitor| {
        sofia.get("/api/admin/audit").await.json()["entries"][0]["number"].clone()
    };
    let before = last(&mut sofia).await;
    act(&mut sofia, json!({ "type": "close", "account": "Anna" })).await.assert_error(409, "closed-already");
    let end = json!({ "type": "end-sessions", "account": "Anna" });
    act(&mut sofia, end).await.assert_error(409, "no-sessions");
    let role = json!({ "type": "set-role", "account": "Anna", "role": null });
    act(&mut sofia, role).await.assert_error(409, "same-role");
    let speak = json!({ "type": "unsilence", "account": "Anna" });
    act(&mut sofia, speak).await.assert_error(409, "not-silenced");
    let rename = json!({ "type": "rename", "account": "Anna", "name": "Anna" });
    act(&mut sofia, rename).await.assert_error(409, "same-name");
    let hide = json!({ "type": "hide-game", "game": id, "hidden": true });
    // An invitation for a friend is not in the hall.
    act(&mut sofia, hide).await.assert_error(409, "hidden-already");
    assert_eq!(last(&mut sofia).await, before);
    act_successfully(&mut sofia, json!({ "type": "reopen", "account": "Anna" })).await;
    act(&mut sofia, json!({ "type": "reopen", "account": "Anna" })).await.assert_error(409, "not-closed");
    assert_eq!(house.visitor().sign_in("Anna", "correct horse").await.status, 200);
    act(&mut sofia, json!({ "type": "close", "account": "Nobody" }))
        .await
        .assert_error(404, "player-not-found");
}

#[tokio::test]
async fn a_password_is_reset_by_a_link_that_is_not_emailed() {
    let (house, mut sofia) = house().await;
    house.visitor().register("Anna").await;
    let reset = json!({ "type": "reset-password", "account": "Anna" });
    let link = act_successfully(&mut sofia, reset).await["link"].as_str().unwrap().to_owned();
    let path = format!("/api{}", link.replace("/recover/", "/recovery/"));
    let mut anna = house.visitor();
    let chosen = json!({ "password": "other battery" });
    assert_eq!(anna.post(&path, &chosen).await.json()["account"]["name"], "Anna");
    house.visitor().post(&path, &chosen).await.assert_error(404, "recovery-not-found");
    house.visitor().sign_in("Anna", "correct horse").await.assert_error(401, "sign-in-failed");
    // The log contains neither the link nor its secret.
    let log = sofia.get("/api/admin/audit").await.body;
    assert!(log.contains("reset-password") && !log.contains(link.rsplit('/').next().unwrap()), "{log}");
}

#[tokio::test]
async fn an_account_is_renamed_and_deleted() {
    let (house, mut sofia) = house().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let rename = |name: &str| json!({ "type": "rename", "account": "Anna", "name": name });
    act(&mut sofia, rename("Sofia")).await.assert_error(409, "name-taken");
    act(&mut sofia, rename("S0fia")).await.assert_error(409, "name-alike");
    act(&mut sofia, rename("x")).await.assert_error(422, "bad-name");
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    act_successfully(&mut sofia, rename("Annette")).await;
    let game = house.visitor().get(&format!("/api/games/{id}")).await.json();
    assert_eq!(game["players"]["white"]["name"], "Annette");
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Annette");
    act_successfully(&mut sofia, json!({ "type": "delete", "account": "Annette" })).await;
    assert_eq!(anna.get("/api/account").await.json()["account"], Value::Null);
    // The name stays reserved. Only staff are told why.
    let registration = json!({ "name": "Annette", "password": "correct horse" });
    let refused = house.visitor().post("/api/account", &registration).await;
    assert_eq!(refused.assert_error(409, "name-taken")["until"], Value::Null);
    house.visitor().register("Bela").await;
    let rename = json!({ "type": "rename", "account": "Bela", "name": "Annette" });
    let refused = act(&mut sofia, rename).await.assert_error(409, "name-retired");
    let until = refused["until"].as_str().unwrap().parse::<i64>().unwrap();
    assert_eq!((until - house.clock_now() + DAY_MS / 2) / DAY_MS, 365);
    let add = json!({ "type": "add-pupils", "class": "CM2", "names": ["Annette", "Zoe!", "Sofia"] });
    let refused = act(&mut sofia, add).await.assert_error(422, "pupil-names");
    let expected = json!({
        "retired": "Annette", "until": until.to_string(), "characters": "Zoe! (!)", "taken": "Sofia",
    });
    assert_eq!(refused, expected);
}

#[tokio::test]
async fn registration_follows_the_settings_of_the_house() {
    let (house, mut sofia) = house().await;
    let mut set = async |registration: &str| {
        let settings = json!({
            "name": " Le Fou ", "contact": "", "registration": registration, "chat": "everybody", "notice": "",
        });
        act_successfully(&mut sofia, json!({ "type": "set-house", "settings": settings })).await;
    };
    let register = async |name: &str| {
        let body = json!({ "name": name, "password": "correct horse" });
        house.visitor().post("/api/account", &body).await
    };
    set("closed").await;
    register("Bela").await.assert_error(403, "registration-closed");
    let shown = house.visitor().get("/api/house").await.json();
    assert_eq!(shown["settings"]["name"], "Le Fou");
    set("invitation").await;
    register("Bela").await.assert_error(403, "house-invitation-needed");
    set("approval").await;
    register("Bela").await.assert_error(403, "account-pending");
    house.visitor().sign_in("Bela", "correct horse").await.assert_error(403, "account-pending");
    register("bela").await.assert_error(409, "name-taken");
    set("closed").await;

    act_successfully(&mut sofia, json!({ "type": "approve", "account": "Bela" })).await;
    assert_eq!(house.visitor().sign_in("Bela", "correct horse").await.status, 200);
    act(&mut sofia, json!({ "type": "approve", "account": "Bela" })).await.assert_error(409, "not-pending");
    // An invitation is valid for its number of uses, regardless of the registration policy.
    let invite = json!({ "type": "invite", "role": null, "uses": 2, "days": 7 });
    let link = act_successfully(&mut sofia, invite).await["link"].as_str().unwrap().to_owned();
    for name in ["Chloe", "Dario"] {
        let joined = join(&mut house.visitor(), name, &link).await;
        assert_eq!(joined.json()["account"]["role"], Value::Null, "{joined:?}");
    }
    join(&mut house.visitor(), "Elise", &link).await.assert_error(404, "house-invitation-not-found");
    let long = json!({
        "name": "x".repeat(61), "contact": "", "registration": "open", "chat": "everybody", "notice": "",
    });
    act(&mut sofia, json!({ "type": "set-house", "settings": long })).await.assert_error(422, "house-text");
}

#[tokio::test]
async fn only_games_and_time_controls_on_offer_can_be_chosen() {
    let (house, mut sofia) = house().await;
    let offer = async |sofia: &mut Visitor, games: &[&str], clocks: Value| {
        let settings = json!({
            "name": "", "contact": "", "registration": "open", "chat": "everybody", "notice": "",
            "games": games, "clocks": clocks,
        });
        act(sofia, json!({ "type": "set-house", "settings": settings })).await
    };
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let blitz = json!({ "type": "fischer", "initialMs": 300_000, "incrementMs": 3000 });
    let rapid = json!({ "type": "fischer", "initialMs": 900_000, "incrementMs": 10_000 });
    let game = begin(&mut sofia, &mut anna, json!({ "variant": "baroque", "timeControl": rapid })).await;
    let _present = (enter(&sofia).await, enter(&anna).await);
    let mut bela = house.visitor();
    let open_seek =
        anna.post("/api/seeks", &seek(&json!({ "timeControl": rapid }))).await.json()["id"].clone();

    let unknown = offer(&mut sofia, &["draughts"], json!([])).await;
    assert_eq!(unknown.assert_error(422, "unknown-variant")["variant"], "draughts");
    let too_many = offer(&mut sofia, &[], Value::Array(vec![blitz.clone(); 21])).await;
    assert_eq!(too_many.assert_error(422, "house-clocks")["limit"], "20");
    assert_eq!(offer(&mut sofia, &["chess"], json!([blitz])).await.status, 200);
    let shown = house.visitor().get("/api/house").await.json();
    assert_eq!(
        (&shown["settings"]["games"], &shown["settings"]["clocks"]),
        (&json!(["chess"]), &json!([blitz]))
    );

    let body_with = |fields: Value, variant: &str, clock: &Value| {
        let mut body =
            json!({ "command": command(), "color": "white", "variant": variant, "timeControl": clock });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        body
    };
    for (path, fields) in [
        ("/api/games", json!({ "opponent": { "type": "friend" } })),
        ("/api/games", json!({ "opponent": { "type": "machine", "level": 1 } })),
        ("/api/seeks", json!({})),
        ("/api/pairings", json!({})),
        ("/api/challenges", json!({ "to": "Sofia" })),
    ] {
        let other_game = anna.post(path, &body_with(fields.clone(), "baroque", &blitz)).await;
        other_game.assert_error(422, "game-not-offered");
        let other_clock = anna.post(path, &body_with(fields.clone(), "chess", &rapid)).await;
        other_clock.assert_error(422, "clock-not-offered");
        let no_clock = anna.post(path, &body_with(fields.clone(), "chess", &Value::Null)).await;
        if fields["opponent"]["type"] == "machine" {
            // Games against the machine may always be played without a clock.
            assert_eq!(no_clock.status, 201, "{no_clock:?}");
        } else {
            no_clock.assert_error(422, "clock-not-offered");
        }
        let offered = anna.post(path, &body_with(fields, "chess", &blitz)).await;
        assert!([200, 201].contains(&offered.status), "{path}: {offered:?}");
    }
    // A seek created before the change can no longer be accepted.
    let taken = bela.post(&format!("/api/seeks/{}/accept", open_seek.as_str().unwrap()), &Value::Null).await;
    taken.assert_error(422, "clock-not-offered");
    // A game that has begun continues, and its rematch is allowed.
    let (mut sofia_socket, mut anna_socket) = (sofia.socket(&game, "").await, anna.socket(&game, "").await);
    sofia_socket.command(&house::act(Act::Resign)).await.unwrap();
    anna_socket.command(&house::act(Act::OfferRematch)).await.unwrap();
    sofia_socket.command(&house::act(Act::AcceptRematch)).await.unwrap();

    assert_eq!(offer(&mut sofia, &[], json!([])).await.status, 200);
    let fields = json!({ "opponent": { "type": "friend" } });
    assert_eq!(anna.post("/api/games", &body_with(fields, "baroque", &rapid)).await.status, 201);
}

#[tokio::test]
async fn settings_and_pages_saved_without_changes_are_not_recorded() {
    let (_house, mut sofia) = house().await;
    let set = |name: &str, contact: &str| {
        let settings = json!({
            "name": name, "contact": contact, "registration": "open", "chat": "everybody", "notice": "",
        });
        json!({ "type": "set-house", "settings": settings })
    };
    let first = act_successfully(&mut sofia, set("Le Fou", "1 rue du Fou")).await["entry"].clone();
    assert_eq!(act_successfully(&mut sofia, set(" Le Fou ", "1 rue du Fou")).await["entry"], Value::Null);
    act_successfully(&mut sofia, set("", "1 rue du Fou")).await;
    let page = |text: &str| json!({ "type": "set-page", "page": "legal", "language": "fr", "text": text });
    assert_eq!(act_successfully(&mut sofia, page(" ")).await["entry"], Value::Null);
    act_successfully(&mut sofia, page("# Titre")).await;
    assert_eq!(act_successfully(&mut sofia, page("# Titre\n")).await["entry"], Value::Null);

    let log = sofia.get("/api/admin/audit").await.json();
    let recorded = log["entries"].as_array().unwrap().iter().take(3).rev();
    let recorded = recorded.map(|entry| (&entry["act"], &entry["details"])).collect::<Vec<_>>();
    // The contact may be a person's address, so it is not recorded.
    let expected = [
        (json!("set-house"), json!({ "name": "Le Fou", "contact": "changed" })),
        (json!("set-house"), json!({ "name": "" })),
        (json!("set-page"), json!({ "characters": "7" })),
    ];
    assert_eq!(recorded, expected.iter().map(|(act, details)| (act, details)).collect::<Vec<_>>());
    assert_eq!(log["entries"][2]["number"], first);
}

#[tokio::test]
async fn open_pages_receive_the_settings_of_the_house() {
    let (house, mut sofia) = house().await;
    let mut guest = house.visitor();
    guest.get("/api/account").await;
    let mut page = enter_without_lists(&guest).await;
    let settings = json!({
        "name": "Le Fou", "contact": "", "registration": "open", "chat": "everybody", "notice": "Coupure à 20 h",
    });
    act_successfully(&mut sofia, json!({ "type": "set-house", "settings": settings })).await;
    let HallServerMessage::House { settings: received } =
        receive(&mut page, |message| matches!(message, HallServerMessage::House { .. })).await
    else {
        unreachable!("another message was received");
    };
    assert_eq!((received.name.as_str(), received.notice.as_str()), ("Le Fou", "Coupure à 20 h"));
}

#[tokio::test]
async fn a_teacher_creates_accounts_for_a_class() {
    let (house, mut sofia) = house().await;
    let mut tessa = staff(&house, &mut sofia, "Tessa", "teacher").await;
    let add = |names: &[&str]| json!({ "type": "add-pupils", "class": "CM2", "names": names });
    let refused = act(&mut tessa, add(&["Emma", "emma", "x", "Tessa", "Louis"])).await;
    let refused = refused.assert_error(422, "pupil-names");
    assert_eq!(refused, json!({ "length": "x", "repeated": "emma", "taken": "Tessa" }));
    let refused = act(&mut tessa, add(&["Tessa", "tessa"])).await;
    let refused = refused.assert_error(422, "pupil-names");
    assert_eq!(refused, json!({ "repeated": "tessa", "taken": "Tessa" }));
    let refused = act(&mut tessa, add(&["Emma-I", "Emma-L", "EMMA-I"])).await;
    assert_eq!(refused.assert_error(422, "pupil-names"), json!({ "alike": "Emma-L", "repeated": "EMMA-I" }));
    act(&mut tessa, add(&[])).await.assert_error(422, "pupil-count");
    // No account was created.
    assert_eq!(tessa.get("/api/admin/members?pupils=true").await.json()["members"], json!([]));

    let response = act_successfully(&mut tessa, add(&["Emma", "Louis"])).await;
    let password =
        |response: &Value, number: usize| response["pupils"][number]["password"].as_str().unwrap().to_owned();
    let mut emma = house.visitor();
    let signed_in = emma.sign_in("emma", &password(&response, 0)).await;
    assert_eq!(signed_in.json()["account"]["class"], "CM2", "{signed_in:?}");
    assert_eq!(signed_in.json()["account"]["email"], Value::Null);
    let again = act_successfully(&mut tessa, json!({ "type": "reset-pupil", "account": "Emma" })).await;
    assert_eq!(emma.get("/api/account").await.json()["account"], Value::Null);
    house.visitor().sign_in("Emma", &password(&response, 0)).await.assert_error(401, "sign-in-failed");
    assert_eq!(emma.sign_in("Emma", &password(&again, 0)).await.status, 200);
    let pupils = tessa.get("/api/admin/members?pupils=true").await.json();
    assert_eq!(pupils["members"].as_array().unwrap().len(), 2);
    assert_eq!(pupils["members"][0]["teacher"], "Tessa");

    // Creating a new password sheet for the class is one act with one log entry. It makes the old passwords
    // invalid.
    let all = |names: &[&str]| json!({ "type": "reset-pupils", "accounts": names });
    let sheet = act_successfully(&mut tessa, all(&["Emma", "louis", "EMMA"])).await;
    assert_eq!(sheet["pupils"].as_array().unwrap().len(), 2);
    assert_eq!((&sheet["pupils"][1]["name"], &sheet["endedSessions"]), (&json!("Louis"), &json!(1)));
    assert_eq!(emma.get("/api/account").await.json()["account"], Value::Null);
    house.visitor().sign_in("Emma", &password(&again, 0)).await.assert_error(401, "sign-in-failed");
    assert_eq!(house.visitor().sign_in("Louis", &password(&sheet, 1)).await.status, 200);
    let log = sofia.get("/api/admin/audit").await.json()["entries"][0].clone();
    assert_eq!((&log["act"], &log["subjects"]), (&json!("reset-pupils"), &json!(["Emma", "Louis"])), "{log}");
    act(&mut tessa, all(&[])).await.assert_error(422, "pupil-count");
    act(&mut tessa, all(&["Emma", "Nobody"])).await.assert_error(404, "player-not-found");
    act(&mut tessa, all(&["Emma", "Sofia"])).await.assert_error(403, "not-allowed");
    act(&mut sofia, all(&["Emma", "Tessa"])).await.assert_error(422, "not-a-pupil");
    assert_eq!(house.visitor().sign_in("Emma", &password(&sheet, 0)).await.status, 200);

    // A teacher cannot act on another teacher's pupils.
    let mut theo = staff(&house, &mut sofia, "Theo", "teacher").await;
    assert_eq!(theo.get("/api/admin/members?pupils=true").await.json()["members"], json!([]));
    let reset = json!({ "type": "reset-pupil", "account": "Emma" });
    act(&mut theo, reset).await.assert_error(403, "not-allowed");
    act(&mut theo, all(&["Emma"])).await.assert_error(403, "not-allowed");
    let reset = json!({ "type": "reset-pupil", "account": "Theo" });
    act(&mut sofia, reset).await.assert_error(422, "not-a-pupil");
    let of_theo = json!({ "type": "add-pupils", "class": "CE1", "names": ["Zoe-B"], "teacher": "Theo" });
    act(&mut tessa, of_theo.clone()).await.assert_error(403, "not-allowed");
    act_successfully(&mut sofia, of_theo).await;
    assert_eq!(member(&mut sofia, "Zoe-B").await["teacher"], "Theo");
}

#[tokio::test]
async fn a_class_is_given_to_another_teacher() {
    let (house, mut sofia) = house().await;
    let mut tessa = staff(&house, &mut sofia, "Tessa", "teacher").await;
    let mut theo = staff(&house, &mut sofia, "Theo", "teacher").await;
    house.visitor().register("Anna").await;
    let add = |class: &str, names: &[&str]| json!({ "type": "add-pupils", "class": class, "names": names });
    act_successfully(&mut tessa, add("CM2", &["Emma", "Louis"])).await;
    act_successfully(&mut tessa, add("CM1", &["Karim"])).await;
    act_successfully(&mut theo, add("CM2", &["Zoe-B"])).await;
    let class = |name: &str, teacher: Option<&str>, pupils: u32, pupil: &str| json!({ "name": name, "teacher": teacher, "pupils": pupils, "pupil": pupil });
    let classes = async |sofia: &mut Visitor| sofia.get("/api/admin/classes").await.json()["classes"].clone();
    let (cm1, cm2) = (class("CM1", Some("Tessa"), 1, "Karim"), class("CM2", Some("Tessa"), 2, "Emma"));
    let of_theo = class("CM2", Some("Theo"), 1, "Zoe-B");
    assert_eq!(classes(&mut sofia).await, json!([cm1, cm2, of_theo]));
    // An account's classes are shown to administrators only.
    assert_eq!(member(&mut sofia, "Tessa").await["classes"], json!([cm1, cm2]));
    let mut milo = staff(&house, &mut sofia, "Milo", "moderator").await;
    assert_eq!(member(&mut milo, "Tessa").await["classes"], json!([]));

    let give = |pupil: &str, class: &str, to: &str, name: Option<&str>| json!({ "type": "give-class", "pupil": pupil, "class": class, "to": to, "name": name });
    act(&mut tessa, give("Emma", "CM2", "Theo", None)).await.assert_error(403, "not-allowed");
    act(&mut sofia, give("Emma", "CM2", "Theo", None)).await.assert_error(409, "class-name-taken");
    act(&mut sofia, give("Emma", "CM1", "Theo", None)).await.assert_error(404, "class-not-found");
    act(&mut sofia, give("Emma", "CM2", "Tessa", None)).await.assert_error(409, "same-class");
    act(&mut sofia, give("Emma", "CM2", "Anna", None)).await.assert_error(422, "not-a-teacher");
    act(&mut sofia, give("Emma", "CM2", "Nobody", None)).await.assert_error(404, "player-not-found");
    act(&mut sofia, give("Anna", "CM2", "Theo", None)).await.assert_error(422, "not-a-pupil");
    act(&mut sofia, give("Emma", "CM2", "Theo", Some(" "))).await.assert_error(422, "house-text");
    act_successfully(&mut sofia, give("Emma", "CM2", "Theo", Some("CM2 B"))).await;
    let log = sofia.get("/api/admin/audit").await.json()["entries"][0].clone();
    assert_eq!(
        (&log["act"], &log["subjects"]),
        (&json!("give-class"), &json!(["Tessa", "Theo", "CM2"])),
        "{log}"
    );
    assert_eq!(log["details"], json!({ "name": "CM2 B" }));
    let reset = json!({ "type": "reset-pupil", "account": "Louis" });
    act(&mut tessa, reset.clone()).await.assert_error(403, "not-allowed");
    act_successfully(&mut theo, reset).await;
    let foreign = "/api/admin/members?pupils=true&classOf=Louis";
    tessa.get(foreign).await.assert_error(403, "not-allowed");

    // A class outlives the account of its teacher.
    act_successfully(&mut sofia, json!({ "type": "delete", "account": "Theo" })).await;
    let left = class("CM2 B", None, 2, "Emma");
    assert_eq!(classes(&mut sofia).await, json!([cm1, class("CM2", None, 1, "Zoe-B"), left]));
    let of_emma = sofia.get("/api/admin/members?classOf=Louis").await.json();
    let names = of_emma["members"].as_array().unwrap().iter().map(|member| member["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["Emma", "Louis"]);
    act_successfully(&mut sofia, give("Louis", "CM2 B", "Tessa", None)).await;
    assert_eq!(member(&mut sofia, "Emma").await["teacher"], "Tessa");
}

/// Sends a chat message. Returns the code of a refusal as the error.
async fn send_chat_line(socket: &mut Socket, text: &str) -> Result<(), String> {
    socket.command(&chat(text)).await.map(|_| ())
}

#[tokio::test]
async fn a_report_is_handled_and_the_reported_author_silenced() {
    let (house, mut sofia) = house().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (id, invitation) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    let mut bela = house.visitor();
    bela.register("Bela").await;
    bela.post(&format!("/api/invitations/{}", invitation.unwrap()), &Value::Null).await;
    let (mut white, mut black) = (anna.socket(&id, "").await, bela.socket(&id, "").await);
    assert_eq!(send_chat_line(&mut black, "you fool").await, Ok(()));
    let line = loop {
        match white.next().await {
            Some(ServerMessage::Chat { line }) => break line.id,
            Some(_) => {}
            None => panic!("the socket was closed"),
        }
    };
    let report = SessionMessage::ReportChat { command: command(), line, reason: "rude".into() };
    white.command(&report.into()).await.unwrap();
    let open = sofia.get("/api/admin/reports").await.json()["reports"].clone();
    assert_eq!((&open[0]["author"], &open[0]["reporter"]), (&json!("Bela"), &json!("Anna")));
    assert_eq!(open[0]["lines"][0]["text"], "you fool");
    let handle = json!({
        "type": "handle-report", "line": line, "outcome": "upheld",
        "note": "silenced",
    });
    act_successfully(&mut sofia, handle.clone()).await;
    assert_eq!(sofia.get("/api/admin/reports").await.json()["reports"], json!([]));
    let all = sofia.get("/api/admin/reports?all=true").await.json();
    assert_eq!(all["reports"][0]["handled"]["by"], "Sofia");
    assert_eq!(all["reports"][0]["handled"]["note"], "silenced");
    // Another moderator, or a second click, does not overwrite the outcome.
    let mut again = handle.clone();
    (again["outcome"], again["note"]) = (json!("dismissed"), json!("no reason"));
    act(&mut sofia, again).await.assert_error(409, "report-handled");
    assert_eq!(sofia.get("/api/admin/reports?all=true").await.json(), all);
    let mut wrong = handle;
    wrong["line"] = json!(99_999);
    act(&mut sofia, wrong).await.assert_error(404, "report-not-found");

    let silence = json!({ "type": "silence", "account": "Bela", "days": 1 });
    act_successfully(&mut sofia, silence.clone()).await;
    act(&mut sofia, silence).await.assert_error(409, "silenced-already");
    assert_eq!(send_chat_line(&mut black, "again").await, Err("silenced".into()));
    assert_eq!(send_chat_line(&mut white, "good").await, Ok(()));
    house.clock.advance(DAY_MS + 1);
    assert_eq!(send_chat_line(&mut black, "sorry").await, Ok(()));
}

#[tokio::test]
async fn the_chat_can_be_closed_to_pupils_or_to_all_visitors() {
    let (house, mut sofia) = house().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let pupils = json!({ "type": "add-pupils", "class": "CM2", "names": ["Emma"] });
    let response = act_successfully(&mut sofia, pupils).await;
    let mut emma = house.visitor();
    emma.sign_in("Emma", response["pupils"][0]["password"].as_str().unwrap()).await;
    let (id, invitation) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    emma.post(&format!("/api/invitations/{}", invitation.unwrap()), &Value::Null).await;
    let (mut adult, mut child) = (anna.socket(&id, "").await, emma.socket(&id, "").await);
    let mut set = async |policy: &str| {
        let settings = json!({
            "name": "", "contact": "", "registration": "open", "chat": policy, "notice": "",
        });
        act_successfully(&mut sofia, json!({ "type": "set-house", "settings": settings })).await;
    };
    assert_eq!(send_chat_line(&mut child, "one").await, Ok(()));
    set("no-pupils").await;
    assert_eq!(send_chat_line(&mut child, "two").await, Err("chat-closed".into()));
    assert_eq!(send_chat_line(&mut adult, "three").await, Ok(()));
    set("nobody").await;
    assert_eq!(send_chat_line(&mut adult, "four").await, Err("chat-closed".into()));
}

#[tokio::test]
async fn an_arbiter_ends_a_game() {
    let (house, mut sofia) = house().await;
    let mut arno = staff(&house, &mut sofia, "Arno", "arbiter").await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    let (id, invitation) = anna.create("interweave", "white", &json!({ "type": "friend" })).await;
    bela.get("/api/account").await;
    bela.post(&format!("/api/invitations/{}", invitation.unwrap()), &Value::Null).await;
    let mut socket = anna.socket(&id, "").await;
    socket.snapshot().await;
    let adjudicate = json!({ "type": "adjudicate", "game": id, "result": "0-1" });
    act_successfully(&mut arno, adjudicate.clone()).await;
    let game = anna.get(&format!("/api/games/{id}")).await.json();
    assert_eq!(
        (&game["status"]["result"], &game["status"]["reason"]),
        (&json!("0-1"), &json!("adjudication"))
    );
    let pgn = anna.get(&format!("/api/games/{id}/pgn")).await.body;
    assert!(pgn.contains("[Termination \"adjudication\"]"), "{pgn}");
    act(&mut arno, adjudicate).await.assert_error(409, "game-over");
    let unknown = json!({ "type": "adjudicate", "game": "zzzzzzzzzzzz", "result": "*" });
    act(&mut arno, unknown).await.assert_error(404, "game-not-found");
    // A game can be ended before a second player has joined.
    let (id, _) = anna.create("chess", "white", &json!({ "type": "friend" })).await;
    act_successfully(&mut arno, json!({ "type": "adjudicate", "game": id, "result": "*" })).await;
    let hide = |hidden: bool| json!({ "type": "hide-game", "game": id, "hidden": hidden });
    act_successfully(&mut arno, hide(false)).await;
    act(&mut arno, hide(false)).await.assert_error(409, "not-hidden");
    act_successfully(&mut arno, hide(true)).await;
}

#[tokio::test]
async fn an_adjudication_that_fails_is_not_in_the_audit_log() {
    let (house, mut sofia) = house().await;
    let mut anna = house.visitor();
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(anna.create("chess", "white", &json!({ "type": "friend" })).await.0);
    }
    let mut other = sofia.clone();
    for id in &ids {
        // Both requests may find the game still in progress.
        let end = |result: &str| json!({ "type": "adjudicate", "game": id, "result": result });
        let (one, two) = tokio::join!(act(&mut sofia, end("1-0")), act(&mut other, end("0-1")));
        let (done, refused, result) = if one.status == 200 { (one, two, "1-0") } else { (two, one, "0-1") };
        assert_eq!(done.status, 200, "{done:?}");
        refused.assert_error(409, "game-over");
        assert_eq!(anna.get(&format!("/api/games/{id}")).await.json()["status"]["result"], result);
        let log = sofia.get("/api/admin/audit").await.json();
        let entries =
            log["entries"].as_array().unwrap().iter().filter(|entry| entry["subjects"] == json!([id]));
        let entries = entries.collect::<Vec<_>>();
        assert_eq!(entries.len(), 1, "{log}");
        assert_eq!(
            (&entries[0]["number"], &entries[0]["act"]),
            (&done.json()["entry"], &json!("adjudicate"))
        );
        assert_eq!(entries[0]["details"]["result"], result);
    }
}

#[tokio::test]
async fn an_act_that_is_too_large_is_refused_with_the_limit() {
    let (_house, mut sofia) = house().await;
    let page = |length: usize| json!({ "type": "set-page", "page": "legal", "language": "fr", "text": "é".repeat(length) });
    // This act exceeds the size limit of most other requests.
    act_successfully(&mut sofia, page(30_000)).await;
    let args = act(&mut sofia, page(70_000)).await.assert_error(413, "too-large");
    assert_eq!(args, json!({ "limit": "124000" }));
}

#[tokio::test]
async fn pages_of_the_house_follow_the_settings() {
    let (house, mut sofia) = house().await;
    let read = async |path: &str| house.visitor().get(path).await;
    let model = read("/api/house/pages/privacy?language=fr").await.json();
    assert_eq!(model["isTemplate"], true);
    let text = model["text"].as_str().unwrap();
    assert!(text.contains("365\u{a0}jours") && text.contains("[à compléter]"), "{text}");
    read("/api/house/pages/other").await.assert_error(404, "not-found");
    read("/api/house/pages/legal?language=de").await.assert_error(422, "bad-language");
    let settings = json!({
        "name": "Le Fou", "contact": "fou@example.org", "registration": "open", "chat": "everybody",
        "notice": "Coupure à 20 h",
    });
    act_successfully(&mut sofia, json!({ "type": "set-house", "settings": settings })).await;
    let page = json!({ "type": "set-page", "page": "legal", "language": "fr", "text": "# Titre\n\n{house} : {contact}" });
    act_successfully(&mut sofia, page).await;
    let own = read("/api/house/pages/legal?language=fr").await.json();
    assert_eq!(
        (&own["text"], &own["isTemplate"]),
        (&json!("# Titre\n\nLe Fou : fou@example.org"), &json!(false))
    );
    assert_eq!(read("/api/house/pages/legal?language=en").await.json()["isTemplate"], true);
    let restore = json!({ "type": "set-page", "page": "legal", "language": "fr", "text": " " });
    act_successfully(&mut sofia, restore).await;
    assert_eq!(read("/api/house/pages/legal?language=fr").await.json()["isTemplate"], true);
    let long = json!({ "type": "set-page", "page": "legal", "language": "fr", "text": "x".repeat(30_001) });
    act(&mut sofia, long).await.assert_error(422, "page-text");
    assert_eq!(read("/api/house").await.json()["settings"]["notice"], "Coupure à 20 h");
}

#[tokio::test]
async fn settings_and_the_log_survive_a_restart() {
    let (house, mut sofia) = house().await;
    let settings = json!({
        "name": "Le Fou", "contact": "", "registration": "closed", "chat": "nobody", "notice": "",
    });
    act_successfully(&mut sofia, json!({ "type": "set-house", "settings": settings })).await;
    let cookie = sofia.cookie.clone();
    let folder = house.close().await;
    let house =
        House::open_at(folder, FakeClock::START + 1, std::sync::Arc::new(FirstTurnOpponent), |_| ()).await;
    assert_eq!(house.visitor().get("/api/house").await.json()["settings"]["registration"], "closed");
    let mut sofia = Visitor { cookie, ..house.visitor() };
    let log = sofia.get("/api/admin/audit").await.json();
    assert_eq!(log["entries"][0]["act"], "set-house");
    assert_eq!(log["entries"].as_array().unwrap().len(), 2);
    assert_eq!(sofia.get("/api/admin/audit/check").await.json(), json!({ "entries": 2, "brokenAt": null }));
    assert_eq!(house.administration.first_link().await.unwrap(), None);
}
