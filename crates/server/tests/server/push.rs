//! Notifications pushed to browsers, through a push service that the test runs.

use std::{
    collections::HashMap,
    fs,
    sync::{Arc, Mutex},
};

use adoube_push::encryption::{decrypt, public_key};
use axum::{
    Router,
    body::Bytes,
    extract::Path,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use data_encoding::BASE64URL_NOPAD as BASE64;
use serde_json::{Value, json};

use crate::{
    blocks::people,
    emails::{emails_to, next_mail, register_confirmed},
    hall::enter,
    house::{FirstTurnOpponent, House, Response, Visitor, begin, eventually},
};

const HOUR_MS: i64 = 60 * 60 * 1000;

/// A request to the push service.
struct PushRequest {
    device: u8,
    headers: HeaderMap,
    message: Value,
}

#[derive(Default)]
struct Requests {
    received: Vec<PushRequest>,
    /// The response statuses other than 201, by device.
    statuses: HashMap<u8, StatusCode>,
}

/// A push service. A device has a number, from which its keys are derived.
#[derive(Clone)]
struct PushService {
    origin: String,
    requests: Arc<Mutex<Requests>>,
}

impl PushService {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let service = Self { origin, requests: Arc::default() };
        let receiver = service.clone();
        let receive = move |Path(device): Path<u8>, headers: HeaderMap, body: Bytes| {
            let status = receiver.receive(device, headers, &body);
            async move { status }
        };
        let router = Router::new().route("/{device}", post(receive));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        service
    }

    fn receive(&self, device: u8, headers: HeaderMap, body: &[u8]) -> StatusCode {
        let message =
            decrypt(body, &private(device), &auth(device)).expect("the device can decrypt the message");
        let message = serde_json::from_slice(&message).unwrap();
        let mut requests = self.requests.lock().unwrap();
        requests.received.push(PushRequest { device, headers, message });
        requests.statuses.get(&device).copied().unwrap_or(StatusCode::CREATED)
    }

    fn set_status(&self, device: u8, status: StatusCode) {
        self.requests.lock().unwrap().statuses.insert(device, status);
    }

    /// Opens a house that sends to this service alone.
    async fn house(&self) -> House {
        House::with(Arc::new(FirstTurnOpponent), |config| {
            config.push.services = vec![self.origin.parse().unwrap()];
            config.warning_round = std::time::Duration::from_millis(20);
            config.metrics = Some("127.0.0.1:0".parse().unwrap());
        })
        .await
    }

    fn count(&self) -> usize {
        self.requests.lock().unwrap().received.len()
    }

    /// Waits for the notification that follows the first `known` ones.
    async fn next(&self, known: usize) -> PushRequest {
        eventually("a notification is pushed", async || self.count() > known).await;
        let requests = self.requests.lock().unwrap();
        let PushRequest { device, headers, message } = &requests.received[known];
        PushRequest { device: *device, headers: headers.clone(), message: message.clone() }
    }

    /// Returns the body with which a device subscribes.
    fn subscription(&self, device: u8) -> Value {
        json!({
            "endpoint": format!("{}/{device}", self.origin),
            "p256dh": BASE64.encode(&public_key(&private(device)).unwrap()),
            "auth": BASE64.encode(&auth(device)),
        })
    }

    async fn subscribe(&self, visitor: &mut Visitor, device: u8) -> Value {
        let response = visitor.post("/api/account/push", &self.subscription(device)).await;
        assert_eq!(response.status, 200, "{response:?}");
        response.json()
    }
}

fn private(device: u8) -> [u8; 32] {
    [device; 32]
}

fn auth(device: u8) -> [u8; 16] {
    [100 + device; 16]
}

async fn member(house: &House, name: &str) -> Visitor {
    let mut visitor = house.visitor();
    visitor.register(name).await;
    let body = json!({ "language": "en" }).to_string();
    let headers = [("content-type", "application/json")];
    assert_eq!(visitor.request("PATCH", "/api/account/mail", &headers, &body).await.status, 200);
    visitor
}

/// Returns a push service, a house, and two of its members, the second of whom has device 1.
async fn two_members() -> (PushService, House, Visitor, Visitor) {
    let service = PushService::start().await;
    let house = service.house().await;
    let (anna, mut bela) = (member(&house, "Anna").await, member(&house, "Bela").await);
    service.subscribe(&mut bela, 1).await;
    (service, house, anna, bela)
}

async fn begin_correspondence(white: &mut Visitor, black: &mut Visitor) -> String {
    let settings =
        json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": 1 } });
    begin(white, black, settings).await
}

/// Plays the first turn, over a socket that is open only for that.
async fn play(white: &Visitor, id: &str) {
    white.socket(id, "?version=2").await.play(2, "e2e4").await.unwrap();
}

async fn devices(visitor: &mut Visitor) -> Vec<Value> {
    visitor.get("/api/account/push").await.json()["devices"].as_array().unwrap().clone()
}

async fn stop(house: &House, token: &str) -> Response {
    house.visitor().request("POST", &format!("/api/push/stop/{token}"), &[], "").await
}

#[tokio::test]
async fn a_player_who_is_away_is_notified_on_every_device() {
    let service = PushService::start().await;
    let house = service.house().await;
    let (mut anna, mut bela) = (member(&house, "Anna").await, member(&house, "Bela").await);
    let mut phone = house.visitor();
    assert_eq!(phone.sign_in("Bela", "correct horse").await.status, 200);
    service.subscribe(&mut bela, 1).await;
    house.clock.advance(1);
    let listed = service.subscribe(&mut phone, 2).await;
    assert_eq!(listed["devices"][0]["service"], "127.0.0.1");
    let current = |one: &Value| one["current"].as_bool().unwrap();
    assert_eq!(listed["devices"].as_array().unwrap().iter().map(current).collect::<Vec<_>>(), [true, false]);

    let id = begin_correspondence(&mut anna, &mut bela).await;
    play(&anna, &id).await;
    let pushed = [service.next(0).await, service.next(1).await];
    let mut numbers = pushed.iter().map(|one| one.device).collect::<Vec<_>>();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2]);
    let PushRequest { headers, message, .. } = &pushed[0];
    assert_eq!(message["title"], "It is your turn");
    assert_eq!(message["body"], "Chess against Anna");
    assert_eq!(message["path"], format!("/game/{id}"));
    let header = |name: &str| headers[name].to_str().unwrap();
    assert_eq!((header("content-encoding"), header("urgency")), ("aes128gcm", "normal"));
    assert_eq!((header("ttl"), header("topic")), ("86400", &*id));
    // The request is signed for this service with the key that the page gets.
    let (token, key) = header("authorization").strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    assert_eq!(listed["key"], key);
    let claims = token.split('.').nth(1).unwrap();
    let claims: Value = serde_json::from_slice(&BASE64.decode(claims.as_bytes()).unwrap()).unwrap();
    assert_eq!(claims["aud"], service.origin);
    let expires_ms = claims["exp"].as_i64().unwrap() * 1000;
    assert!((house.clock_now() + HOUR_MS..house.clock_now() + 24 * HOUR_MS).contains(&expires_ms));
    // The opponent, who has no device, is not notified. The export names the services but not the endpoints.
    let exported = bela.get("/api/account/data").await;
    assert_eq!(exported.json()["notifications"].as_array().unwrap().len(), 2);
    assert!(!exported.body.contains("p256dh") && !exported.body.contains(&service.origin), "{exported:?}");
    assert_eq!(service.count(), 2);
}

#[tokio::test]
async fn nothing_is_pushed_while_a_page_is_open() {
    let (service, _house, mut anna, mut bela) = two_members().await;
    let ids =
        [begin_correspondence(&mut anna, &mut bela).await, begin_correspondence(&mut anna, &mut bela).await];
    // Any page counts, not only the game's.
    let page = enter(&bela).await;
    play(&anna, &ids[0]).await;
    let mut anna_page = enter(&anna).await;
    drop(page);
    people(&mut anna_page, &["Anna"]).await;
    play(&anna, &ids[1]).await;
    assert_eq!(service.next(0).await.message["path"], format!("/game/{}", ids[1]));
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn the_number_of_notifications_a_day_is_limited() {
    let (service, house, mut anna, mut bela) = two_members().await;
    for number in 0..13 {
        let id = begin_correspondence(&mut anna, &mut bela).await;
        play(&anna, &id).await;
        if number < 10 {
            service.next(number).await;
        }
    }
    // Two of the thirteen warnings are sent: only ten of the twelve notifications a day may announce turns,
    // so opponents cannot suppress warnings by playing.
    house.clock.advance(18 * HOUR_MS);
    service.next(11).await;
    let kinds = {
        let requests = service.requests.lock().unwrap();
        let warnings = requests.received.iter().filter(|one| one.headers["urgency"] == "high").count();
        (requests.received.len(), warnings)
    };
    assert_eq!(kinds, (12, 2));
    // Waits until the others have been counted too: three turns and eleven warnings. If they came later, they
    // would count towards the next day.
    let mut operator = Visitor::at(house.metrics.unwrap());
    let limited =
        |line: &str| line.strip_prefix("adoube_pushes_total{end=\"limited\"} ")?.parse::<u64>().ok();
    eventually("the other notifications are refused", async || {
        operator.get("/metrics").await.body.lines().find_map(limited) == Some(14)
    })
    .await;
    // A day later, notifications are sent again.
    house.clock.advance(6 * HOUR_MS + 1);
    let id = begin_correspondence(&mut anna, &mut bela).await;
    play(&anna, &id).await;
    let path = format!("/game/{id}");
    eventually("the new game is announced", async || {
        let requests = service.requests.lock().unwrap();
        requests.received.iter().any(|pushed| pushed.message["path"] == *path)
    })
    .await;
}

#[tokio::test]
async fn a_device_that_has_unsubscribed_is_removed() {
    let service = PushService::start().await;
    let house = service.house().await;
    let (mut anna, mut bela) = (member(&house, "Anna").await, member(&house, "Bela").await);
    let mut others = [house.visitor(), house.visitor()];
    service.subscribe(&mut bela, 1).await;
    for (other, device) in others.iter_mut().zip([2, 3]) {
        assert_eq!(other.sign_in("Bela", "correct horse").await.status, 200);
        service.subscribe(other, device).await;
    }
    service.set_status(1, StatusCode::NOT_FOUND);
    service.set_status(2, StatusCode::GONE);
    // A failure that may be temporary.
    service.set_status(3, StatusCode::INTERNAL_SERVER_ERROR);
    let id = begin_correspondence(&mut anna, &mut bela).await;
    play(&anna, &id).await;
    service.next(2).await;
    eventually("the devices are removed", async || devices(&mut bela).await.len() == 1).await;
    assert_eq!(devices(&mut others[1]).await[0]["current"], true);
}

#[tokio::test]
async fn notifications_stop_with_one_click_and_with_the_session() {
    let (service, house, mut anna, mut bela) = two_members().await;
    let id = begin_correspondence(&mut anna, &mut bela).await;
    play(&anna, &id).await;
    let message = service.next(0).await.message;
    assert_eq!(message["stop"]["title"], "Stop on this device");
    let token = message["stop"]["token"].as_str().unwrap();
    let mut forged = token.to_owned();
    let last = if forged.pop() == Some('0') { '1' } else { '0' };
    forged.push(last);
    for wrong in [forged.as_str(), "x", &token[..token.len() - 1], &token[1..]] {
        stop(&house, wrong).await.assert_error(404, "push-device-not-found");
    }
    assert_eq!(devices(&mut bela).await.len(), 1);
    // The request needs no cookie, and can be repeated if the response was lost.
    assert_eq!(stop(&house, token).await.status, 204);
    assert_eq!(stop(&house, token).await.status, 204);
    assert_eq!(devices(&mut bela).await, Vec::<Value>::new());

    // A browser can also be removed from the list, but only by a session of the same account.
    let mut phone = house.visitor();
    assert_eq!(phone.sign_in("Bela", "correct horse").await.status, 200);
    service.subscribe(&mut phone, 2).await;
    let device = devices(&mut bela).await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/account/push/{device}");
    anna.request("DELETE", &path, &[], "").await.assert_error(404, "push-device-not-found");
    let response = bela.request("DELETE", &path, &[], "").await;
    assert_eq!(response.json()["devices"], json!([]));
    bela.request("DELETE", &path, &[], "").await.assert_error(404, "push-device-not-found");
    // Signing out also removes the browser.
    service.subscribe(&mut phone, 2).await;
    assert_eq!(phone.request("DELETE", "/api/session", &[], "").await.status, 204);
    assert_eq!(devices(&mut bela).await, Vec::<Value>::new());
    let id = begin_correspondence(&mut anna, &mut bela).await;
    play(&anna, &id).await;
    // The next notification is for another player.
    let mut carl = member(&house, "Carl").await;
    service.subscribe(&mut carl, 3).await;
    let id = begin_correspondence(&mut anna, &mut carl).await;
    play(&anna, &id).await;
    assert_eq!(service.next(1).await.device, 3);
}

#[tokio::test]
async fn requests_go_only_to_push_services() {
    let service = PushService::start().await;
    let house = service.house().await;
    let mut bela = member(&house, "Bela").await;
    let subscription_with = |key: &str, value: &str| {
        let mut body = service.subscription(1);
        body[key] = value.into();
        body
    };
    let own = format!("http://{}/api/hall", house.address);
    let userinfo = service.origin.replace("http://", "http://a@");
    for endpoint in [
        own.as_str(),
        "http://169.254.169.254/latest/meta-data",
        "https://fcm.googleapis.com/x",
        "x",
        &userinfo,
    ] {
        let refused = bela.post("/api/account/push", &subscription_with("endpoint", endpoint)).await;
        refused.assert_error(422, "push-service");
    }
    let point = BASE64.encode(&[4; 65]);
    for (key, value) in [("p256dh", "AA"), ("p256dh", &*point), ("auth", "AA"), ("auth", "é")] {
        bela.post("/api/account/push", &subscription_with(key, value)).await.assert_error(422, "push-keys");
    }
    house
        .visitor()
        .post("/api/account/push", &service.subscription(1))
        .await
        .assert_error(401, "not-signed-in");
    house.visitor().get("/api/account/push").await.assert_error(401, "not-signed-in");

    // A house can be configured to send no notifications.
    let house = House::with(Arc::new(FirstTurnOpponent), |config| config.push.services = Vec::new()).await;
    let mut bela = member(&house, "Bela").await;
    assert_eq!(bela.get("/api/account/push").await.json(), json!({ "key": null, "devices": [] }));
    bela.post("/api/account/push", &service.subscription(1)).await.assert_error(422, "push-service");
}

#[tokio::test]
async fn a_player_is_warned_once_before_the_deadline() {
    let service = PushService::start().await;
    let house = service.house().await;
    let (mut anna, mut bela, to) = (member(&house, "Anna").await, house.visitor(), "bela@example.org");
    register_confirmed(&house, &mut bela, "Bela", to).await;
    service.subscribe(&mut bela, 1).await;
    let ids =
        [begin_correspondence(&mut anna, &mut bela).await, begin_correspondence(&mut anna, &mut bela).await];
    for id in &ids {
        play(&anna, id).await;
    }
    service.next(1).await;
    next_mail(&house, to, 1).await;
    // A little more than a quarter of the time is left.
    house.clock.advance(18 * HOUR_MS - 60_000);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(service.count(), 2);
    house.clock.advance(60_000);
    let warnings = [service.next(2).await, service.next(3).await];
    for warning in &warnings {
        assert_eq!(warning.message["title"], "Your time is running out");
        assert_eq!(warning.message["body"], "Chess against Anna, 6\u{a0}hours left");
        assert_eq!(warning.headers["urgency"], "high");
        assert_eq!(warning.headers["ttl"], (6 * 60 * 60).to_string().as_str());
    }
    assert_ne!(warnings[0].message["path"], warnings[1].message["path"]);
    // One e-mail warns of both deadlines.
    eventually("the warning is mailed", async || {
        emails_to(&house, to).iter().any(|mail| mail.contains("Your time is running out in 2"))
    })
    .await;
    let mailed = emails_to(&house, to).len();
    house.clock.advance(HOUR_MS);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!((service.count(), emails_to(&house, to).len()), (4, mailed));
    // The game ends at its deadline, as announced.
    house.clock.advance(5 * HOUR_MS + 1);
    eventually("the game is over", async || {
        anna.get(&format!("/api/games/{}", ids[0])).await.json()["status"]["type"] == "over"
    })
    .await;
}

#[tokio::test]
async fn a_warning_that_could_not_be_mailed_is_repeated() {
    let service = PushService::start().await;
    let house = service.house().await;
    let (mut anna, mut bela, to) = (member(&house, "Anna").await, house.visitor(), "bela@example.org");
    register_confirmed(&house, &mut bela, "Bela", to).await;
    let id = begin_correspondence(&mut anna, &mut bela).await;
    play(&anna, &id).await;
    next_mail(&house, to, 1).await;
    // The folder is replaced by a file, so e-mails cannot be written.
    let folder = house.folder.as_ref().unwrap().path().join("emails");
    let kept = folder.with_extension("kept");
    fs::rename(&folder, &kept).unwrap();
    fs::write(&folder, "").unwrap();
    house.clock.advance(18 * HOUR_MS);
    let mut operator = Visitor::at(house.metrics.unwrap());
    eventually("the warning cannot be mailed", async || {
        operator.get("/metrics").await.body.contains("adoube_emails_total{end=\"failed\"} 1\n")
    })
    .await;
    fs::remove_file(&folder).unwrap();
    fs::rename(&kept, &folder).unwrap();
    assert_eq!(emails_to(&house, to).len(), 2);
    house.clock.advance(60_000);
    let warning = next_mail(&house, to, 2).await;
    assert!(warning.contains("Your time to move is running out"), "{warning}");
}

#[tokio::test]
async fn a_warning_waits_until_the_page_is_closed() {
    let (service, house, mut anna, mut bela) = two_members().await;
    let id = begin_correspondence(&mut anna, &mut bela).await;
    play(&anna, &id).await;
    service.next(0).await;
    let page = enter(&bela).await;
    house.clock.advance(18 * HOUR_MS);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(service.count(), 1);
    drop(page);
    eventually("the player is warned", async || {
        house.clock.advance(60_000);
        service.count() > 1
    })
    .await;
    assert_eq!(service.next(1).await.headers["urgency"], "high");
}
