//! E-mails: their recipients, their contents and their limits.

use std::{fs, time::Duration};

use adoube_protocol::Act;
use serde_json::{Value, json};

use crate::{
    blocks::people,
    hall::enter,
    house::{House, Response, Visitor, act, begin},
};

const RIGHT: &str = "correct horse";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Returns the e-mails to an address, oldest first.
pub(crate) fn emails_to(house: &House, to: &str) -> Vec<String> {
    let folder = house.folder.as_ref().unwrap().path().join("emails");
    let files = fs::read_dir(folder).into_iter().flatten();
    let mut files = files.map(|file| file.unwrap().path()).collect::<Vec<_>>();
    files.sort();
    let texts = files.iter().filter_map(|file| fs::read_to_string(file).ok());
    texts.filter(|text| text.starts_with(&format!("To: {to}\r\n")) && text.ends_with("\r\n")).collect()
}

/// Waits until more than `known` e-mails to an address have arrived, and returns the first of the new ones.
pub(crate) async fn next_mail(house: &House, to: &str, known: usize) -> String {
    let next = async {
        loop {
            if let Some(mail) = emails_to(house, to).get(known) {
                return mail.clone();
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), next).await.expect("no e-mail arrived")
}

/// Gives all earlier e-mails time to be sent. Each is sent by a task of its own, so this registers an
/// account and waits for its confirmation e-mail, whose task was started last.
async fn all_sent(house: &House, number: usize) {
    let (name, to) = (format!("probe{number}"), format!("probe{number}@example.org"));
    register_confirmed(house, &mut house.visitor(), &name, &to).await;
}

pub(crate) fn secret(mail: &str, path: &str) -> String {
    let (_, rest) = mail.split_once(path).unwrap_or_else(|| panic!("no {path} in {mail}"));
    rest.chars().take_while(char::is_ascii_alphanumeric).collect()
}

async fn register(visitor: &mut Visitor, name: &str, email: &str, language: &str) {
    let body = json!({ "name": name, "password": RIGHT, "email": email, "language": language });
    let registered = visitor.post("/api/account", &body).await;
    assert_eq!(registered.status, 201, "{registered:?}");
    assert_eq!(registered.json()["account"]["emailConfirmed"], false);
}

async fn patch(visitor: &mut Visitor, path: &str, body: &Value) -> Response {
    visitor.request("PATCH", path, &[("content-type", "application/json")], &body.to_string()).await
}

/// Registers an account, confirms its address and turns on reminders.
pub(crate) async fn register_confirmed(house: &House, visitor: &mut Visitor, name: &str, email: &str) {
    register(visitor, name, email, "en").await;
    let token = secret(&next_mail(house, email, 0).await, "/confirm/");
    let response = house.visitor().post(&format!("/api/confirmation/{token}"), &Value::Null).await;
    assert_eq!(response.status, 204, "{response:?}");
    // Reminders are off until the account's owner turns them on.
    let account = visitor.get("/api/account").await.json()["account"].clone();
    assert_eq!((&account["emailConfirmed"], &account["reminders"]), (&json!(true), &json!(false)));
    assert_eq!(patch(visitor, "/api/account/mail", &json!({ "reminders": true })).await.status, 200);
}

pub(crate) async fn request_recovery(house: &House, name: &str) {
    assert_eq!(house.visitor().post("/api/recovery", &json!({ "name": name })).await.status, 202);
}

#[tokio::test]
async fn an_unconfirmed_address_gets_nothing_but_the_link() {
    let house = House::new().await;
    let (mut anna, to) = (house.visitor(), "anna@example.org");
    register(&mut anna, "Anna", to, "es").await;
    let mail = next_mail(&house, to, 0).await;
    assert!(mail.contains("Subject: Confirma tu dirección\r\n"), "{mail}");
    assert!(mail.contains(&format!("\nhttp://{}/confirm/", house.address)), "{mail}");
    request_recovery(&house, "Anna").await;
    house.visitor().sign_in("Anna", RIGHT).await;
    let change = json!({ "password": RIGHT, "newPassword": "battery staple" });
    assert_eq!(patch(&mut anna, "/api/account", &change).await.status, 200);
    all_sent(&house, 1).await;
    assert_eq!(emails_to(&house, to).len(), 1);

    // The link works once and without a sign-in.
    let path = format!("/api/confirmation/{}", secret(&mail, "/confirm/"));
    assert_eq!(house.visitor().post(&path, &Value::Null).await.status, 204);
    house.visitor().post(&path, &Value::Null).await.assert_error(404, "mail-link-not-found");
    anna.post("/api/account/confirmation", &Value::Null).await.assert_error(409, "nothing-to-confirm");
    request_recovery(&house, "Anna").await;
    assert!(next_mail(&house, to, 1).await.contains("/recover/"));
}

#[tokio::test]
async fn a_confirmation_link_expires_and_is_void_after_a_change_of_address() {
    let house = House::new().await;
    let mut anna = house.visitor();
    register(&mut anna, "Anna", "old@example.org", "fr").await;
    let old = secret(&next_mail(&house, "old@example.org", 0).await, "/confirm/");
    let change = json!({ "password": RIGHT, "email": "new@bücher.example" });
    assert_eq!(
        patch(&mut anna, "/api/account", &change).await.json()["account"]["email"],
        "new@bücher.example"
    );
    let new = secret(&next_mail(&house, "new@xn--bcher-kva.example", 0).await, "/confirm/");
    let confirm = async |token: &str| {
        house.visitor().post(&format!("/api/confirmation/{token}"), &Value::Null).await.status
    };
    assert_eq!(confirm(&old).await, 404);
    house.clock.advance(2 * DAY_MS);
    assert_eq!(confirm(&new).await, 404);
    assert_eq!(anna.post("/api/account/confirmation", &Value::Null).await.status, 202);
    let again = secret(&next_mail(&house, "new@xn--bcher-kva.example", 1).await, "/confirm/");
    assert_eq!(confirm(&again).await, 204);
}

#[tokio::test]
async fn confirmation_links_are_limited_per_mailbox() {
    let house = House::new().await;
    let mut anna = house.visitor();
    register(&mut anna, "Anna", "victim@example.org", "en").await;
    next_mail(&house, "victim@example.org", 0).await;
    assert_eq!(anna.post("/api/account/confirmation", &Value::Null).await.status, 202);
    let wait = anna.post("/api/account/confirmation", &Value::Null).await.assert_error(429, "too-many");
    assert!(wait["seconds"].is_string());
    // Other accounts that use different spellings of the same mailbox share its limit.
    for number in 0..5 {
        let address = format!("vic.tim+{number}@example.org");
        register(&mut house.visitor(), &format!("other{number}"), &address, "en").await;
    }
    all_sent(&house, 1).await;
    let sent: usize =
        (0..5).map(|number| emails_to(&house, &format!("vic.tim+{number}@example.org")).len()).sum();
    assert_eq!((emails_to(&house, "victim@example.org").len(), sent), (2, 0));
    house.clock.advance(DAY_MS + 1);
    assert_eq!(anna.post("/api/account/confirmation", &Value::Null).await.status, 202);
}

/// The opponent repeatedly plays the same turn and takes it back.
#[tokio::test]
async fn reminders_are_limited_per_day_even_if_the_player_views_the_game() {
    let house = House::new().await;
    let (mut anna, mut bela, to) = (house.visitor(), house.visitor(), "bela@example.org");
    register_confirmed(&house, &mut anna, "Anna", "anna@example.org").await;
    register_confirmed(&house, &mut bela, "Bela", to).await;
    let settings =
        json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": 1 } });
    let id = begin(&mut anna, &mut bela, settings.clone()).await;
    let mut socket = anna.socket(&id, "?version=2").await;
    let mut version = socket.play(2, "e2e4").await.unwrap();
    let mail = next_mail(&house, to, 1).await;
    assert!(
        mail.contains(&format!("/game/{id}\n")) && mail.contains("Subject: It is your turn\r\n"),
        "{mail}"
    );
    for _ in 0..4 {
        let propose = act(Act::ProposeTakeback);
        socket.command(&propose).await.unwrap();
        let accept = act(Act::AcceptTakeback);
        // The player accepts over a socket that is open only briefly.
        let mut other = bela.socket(&id, &format!("?version={version}")).await;
        version = other.command(&accept).await.unwrap();
        drop(other);
        version = socket.play(version, "e2e4").await.unwrap();
    }
    let _ = version;
    // The confirmation counts towards the same limit of two e-mails a day, so only one reminder was sent.
    all_sent(&house, 1).await;
    assert_eq!(emails_to(&house, to).len(), 2, "{:?}", emails_to(&house, to));
}

#[tokio::test]
async fn a_reminder_lists_all_waiting_games() {
    let house = House::new().await;
    let (mut anna, mut bela, to) = (house.visitor(), house.visitor(), "bela@example.org");
    register_confirmed(&house, &mut anna, "Anna", "anna@example.org").await;
    register_confirmed(&house, &mut bela, "Bela", to).await;
    let settings = |days: u8| json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": days } });
    let mut ids = Vec::new();
    // A live game is not listed.
    let live = json!({ "type": "fischer", "initialMs": 600_000, "incrementMs": 0 });
    begin(&mut bela, &mut anna, json!({ "variant": "chess", "timeControl": live })).await;
    for days in [5, 3, 1] {
        ids.push(begin(&mut anna, &mut bela, settings(days)).await);
    }
    // No reminder is sent while the player has a page open.
    let page = enter(&bela).await;
    for id in &ids[..2] {
        anna.socket(id, "?version=2").await.play(2, "e2e4").await.unwrap();
    }
    let mut anna_page = enter(&anna).await;
    drop(page);
    people(&mut anna_page, &["Anna"]).await;
    anna.socket(&ids[2], "?version=2").await.play(2, "e2e4").await.unwrap();
    let mail = next_mail(&house, to, 1).await;
    assert!(mail.contains("Subject: It is your turn in 3\u{a0}games\r\n"), "{mail}");
    let links =
        ids.iter().rev().map(|id| mail.find(&format!("/game/{id}\n")).expect("a link")).collect::<Vec<_>>();
    assert!(links.is_sorted(), "the earliest deadline first: {mail}");
    assert_eq!(mail.matches("/game/").count(), 3, "{mail}");
    assert!(mail.contains("Chess against Anna, 24\u{a0}hours left\n"), "{mail}");
    assert!(mail.contains("Chess against Anna, 5\u{a0}days left\n"), "{mail}");
    all_sent(&house, 1).await;
    assert_eq!(emails_to(&house, to).len(), 2);
}

#[tokio::test]
async fn reminders_are_stopped_through_a_link_without_a_sign_in() {
    let house = House::new().await;
    let (mut anna, mut bela, to) = (house.visitor(), house.visitor(), "bela@example.org");
    register_confirmed(&house, &mut anna, "Anna", "anna@example.org").await;
    register_confirmed(&house, &mut bela, "Bela", to).await;
    let settings =
        json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": 1 } });
    let id = begin(&mut anna, &mut bela, settings.clone()).await;
    let mut socket = anna.socket(&id, "?version=2").await;
    socket.play(2, "e2e4").await.unwrap();
    let mail = next_mail(&house, to, 1).await;
    let (_, link) = mail.split_once("List-Unsubscribe: <").unwrap();
    let (link, _) = link.split_once('>').unwrap();
    assert!(mail.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{mail}");
    let path = link.strip_prefix(&format!("http://{}", house.address)).unwrap();
    assert_eq!(mail.matches(link).count(), 2, "in the text too: {mail}");

    let one_click = async |path: &str| {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        house.visitor().request("POST", path, &form, "List-Unsubscribe=One-Click").await
    };
    let mut forged = path.to_owned();
    let last = if forged.pop() == Some('0') { '1' } else { '0' };
    forged.push(last);
    for wrong in [forged.as_str(), "/mail/stop/x", "/mail/stop/%ff", &path[..path.len() - 1]] {
        one_click(wrong)
            .await
            .assert_error(404, if wrong.contains('%') { "not-found" } else { "mail-link-not-found" });
    }
    assert_eq!(bela.get("/api/account").await.json()["account"]["reminders"], true);
    // Opening the link only shows a page, because mail programs follow links automatically.
    assert_eq!(house.visitor().get(path).await.status, 200);
    assert_eq!(bela.get("/api/account").await.json()["account"]["reminders"], true);
    assert_eq!(one_click(path).await.status, 204);
    assert_eq!(bela.get("/api/account").await.json()["account"]["reminders"], false);
    let other = begin(&mut anna, &mut bela, settings).await;
    anna.socket(&other, "?version=2").await.play(2, "e2e4").await.unwrap();
    all_sent(&house, 1).await;
    assert_eq!(emails_to(&house, to).len(), 2);
    // The player turns reminders on again, as on the account page.
    let mail_settings =
        patch(&mut bela, "/api/account/mail", &json!({ "reminders": true, "language": "fr" })).await;
    let account = mail_settings.json()["account"].clone();
    assert_eq!((&account["reminders"], &account["language"]), (&json!(true), &json!("fr")));
    patch(&mut bela, "/api/account/mail", &json!({ "language": "xx" }))
        .await
        .assert_error(422, "bad-language");
    patch(&mut house.visitor(), "/api/account/mail", &json!({})).await.assert_error(401, "not-signed-in");
}

#[tokio::test]
async fn changes_to_an_account_are_reported_to_its_confirmed_address() {
    let house = House::new().await;
    let (mut anna, to) = (house.visitor(), "anna@example.org");
    register_confirmed(&house, &mut anna, "Anna", to).await;
    // A sign-in from a known browser does not trigger an e-mail.
    anna.request("DELETE", "/api/session", &[], "").await;
    assert_eq!(anna.sign_in("Anna", RIGHT).await.status, 200);
    assert_eq!(house.visitor().sign_in("Anna", RIGHT).await.status, 200);
    assert!(next_mail(&house, to, 1).await.contains("Subject: New sign-in to your account\r\n"));
    let change = json!({ "password": RIGHT, "newPassword": "battery staple" });
    assert_eq!(patch(&mut anna, "/api/account", &change).await.status, 200);
    assert!(next_mail(&house, to, 2).await.contains("Subject: Your password was changed\r\n"));
    // The old address is notified of the change, and the new one gets a confirmation link.
    house.clock.advance(DAY_MS + 1);
    let change = json!({ "password": "battery staple", "email": "new@example.org" });
    let changed = patch(&mut anna, "/api/account", &change).await.json();
    assert_eq!(changed["account"]["emailConfirmed"], false);
    assert!(next_mail(&house, to, 3).await.contains("Subject: Your e-mail address was changed\r\n"));
    assert!(next_mail(&house, "new@example.org", 0).await.contains("/confirm/"));
    all_sent(&house, 1).await;
    assert_eq!(emails_to(&house, to).len(), 4);
}

#[tokio::test]
async fn a_recovery_link_is_void_after_a_change_of_address_or_password() {
    let house = House::new().await;
    let (mut anna, to) = (house.visitor(), "old@example.org");
    register_confirmed(&house, &mut anna, "Anna", to).await;
    let link = async |known| {
        request_recovery(&house, "Anna").await;
        format!("/api/recovery/{}", secret(&next_mail(&house, to, known).await, "/recover/"))
    };
    let link_to_old_address = link(1).await;
    let change = json!({ "password": RIGHT, "email": "new@example.org" });
    assert_eq!(patch(&mut anna, "/api/account", &change).await.status, 200);
    let request_body = json!({ "password": "tr0ub4dor and 3" });
    house.visitor().post(&link_to_old_address, &request_body).await.assert_error(404, "recovery-not-found");

    let (mut bela, to) = (house.visitor(), "bela@example.org");
    register_confirmed(&house, &mut bela, "Bela", to).await;
    request_recovery(&house, "Bela").await;
    let link_for_old_password =
        format!("/api/recovery/{}", secret(&next_mail(&house, to, 1).await, "/recover/"));
    let change = json!({ "password": RIGHT, "newPassword": "battery staple" });
    assert_eq!(patch(&mut bela, "/api/account", &change).await.status, 200);
    house.visitor().post(&link_for_old_password, &request_body).await.assert_error(404, "recovery-not-found");
}

/// An invalid password leaves the link valid. If several valid requests are sent at the same time, only one
/// succeeds.
#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_link_is_used_up_by_one_valid_request() {
    let house = House::new().await;
    let (mut anna, to) = (house.visitor(), "anna@example.org");
    register_confirmed(&house, &mut anna, "Anna", to).await;
    request_recovery(&house, "Anna").await;
    let path = format!("/api/recovery/{}", secret(&next_mail(&house, to, 1).await, "/recover/"));
    // The page finds out whether the link is valid before it asks for a password.
    assert_eq!(house.visitor().get(&path).await.status, 204);
    // An invalid password is refused before the link is used up.
    house.visitor().post(&path, &json!({ "password": "short" })).await.assert_error(422, "bad-password");
    let request_body = json!({ "password": "tr0ub4dor and 3" });
    let mut requests = Vec::new();
    for _ in 0..4 {
        let (mut visitor, path, request_body) = (house.visitor(), path.clone(), request_body.clone());
        requests.push(tokio::spawn(async move { visitor.post(&path, &request_body).await.status }));
    }
    let mut statuses = Vec::new();
    for one in requests {
        statuses.push(one.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404, 404, 404], "one request succeeds");
    house.visitor().get(&path).await.assert_error(404, "recovery-not-found");
    assert!(next_mail(&house, to, 2).await.contains("Subject: Your password was changed\r\n"));
    assert_eq!(house.visitor().sign_in("Anna", "tr0ub4dor and 3").await.status, 200);
}

#[tokio::test]
async fn the_last_recovery_link_of_a_day_is_valid_for_a_day() {
    let house = House::new().await;
    let (mut anna, to) = (house.visitor(), "anna@example.org");
    register_confirmed(&house, &mut anna, "Anna", to).await;
    // A stranger uses up all links.
    for known in 1..=5 {
        request_recovery(&house, "Anna").await;
        next_mail(&house, to, known).await;
    }
    request_recovery(&house, "Anna").await;
    all_sent(&house, 1).await;
    let all = emails_to(&house, to);
    assert_eq!(all.len(), 6, "one to confirm, and five to recover");
    house.clock.advance(DAY_MS - 1_000);
    let request_body = json!({ "password": "tr0ub4dor and 3" });
    let path = |mail: &String| format!("/api/recovery/{}", secret(mail, "/recover/"));
    for mail in &all[1..5] {
        house.visitor().post(&path(mail), &request_body).await.assert_error(404, "recovery-not-found");
    }
    assert!(all[5].contains("24 hours"), "{}", all[5]);
    assert_eq!(house.visitor().post(&path(&all[5]), &request_body).await.status, 200);
}

/// The store holds the counts.
#[tokio::test]
async fn a_restart_does_not_reset_the_count_of_emails() {
    let house = House::new().await;
    let (mut anna, to) = (house.visitor(), "anna@example.org");
    register_confirmed(&house, &mut anna, "Anna", to).await;
    for known in 1..=5 {
        request_recovery(&house, "Anna").await;
        next_mail(&house, to, known).await;
    }
    let folder = house.close().await;
    let house = House::open(folder, std::sync::Arc::new(crate::house::FirstTurnOpponent), |_| ()).await;
    request_recovery(&house, "Anna").await;
    all_sent(&house, 2).await;
    assert_eq!(emails_to(&house, to).len(), 6);
}
