//! Signing in through an identity provider, and with an identity that a proxy reports.

use std::sync::Arc;

use adoube_protocol::AdminRequest;
use adoube_server::{OpenIdSettings, SignInSettings};
use adoube_test_services::{Fault, IdentityProvider, Person};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use totp_rs::{Builder, Secret};

use crate::house::{FirstTurnOpponent, House, Response, Visitor};

const RIGHT: &str = "correct horse";
const ORIGIN: &str = "http://chess.example.org";
const MINUTE_MS: i64 = 60_000;

fn anna() -> Person {
    Person {
        subject: "4711".into(),
        name: Some("Anna".into()),
        email: Some("anna@example.org".into()),
        email_verified: true,
    }
}

fn bela() -> Person {
    Person { subject: "4712".into(), name: Some("Bela".into()), email: None, email_verified: false }
}

/// Opens a house with an identity provider.
async fn house() -> (House, IdentityProvider) {
    let provider = IdentityProvider::start(anna()).await;
    let issuer = provider.issuer();
    let (client_id, secret) = IdentityProvider::CLIENT;
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.public_origin = Some(ORIGIN.parse().unwrap());
        config.other_origins = vec!["http://echecs.example.org".parse().unwrap()];
        let openid = OpenIdSettings {
            issuer,
            client_id: client_id.into(),
            client_secret: secret.to_owned().into(),
            name: "Club".into(),
        };
        config.sign_in = SignInSettings { header: None, openid };
    })
    .await;
    (house, provider)
}

fn location(response: &Response) -> &str {
    assert_eq!(response.status, 303, "{response:?}");
    &response.headers["location"]
}

/// Opens a URL at the provider. Returns the path on this server to which the provider redirects the browser.
async fn at_provider(address: &str) -> String {
    let (host, path) =
        address.strip_prefix("http://").unwrap().split_at(address.rfind("/authorize").unwrap() - 7);
    let mut browser = Visitor::at(host.parse().unwrap());
    let redirect = browser.get(path).await;
    location(&redirect).strip_prefix(ORIGIN).expect("the provider sends the browser back").to_owned()
}

/// Begins a sign-in at `begin`, and visits the provider and the callback. Returns the path to which the
/// visitor is then redirected.
async fn visit_provider(visitor: &mut Visitor, begin: &str) -> String {
    let redirect = visitor.get(begin).await;
    let callback = at_provider(location(&redirect)).await;
    location(&visitor.get(&callback).await).to_owned()
}

/// Signs in for the first time, with a name for the new account.
async fn register(visitor: &mut Visitor, name: &str) -> Response {
    assert_eq!(visit_provider(visitor, "/openid/begin").await, "/identity");
    visitor.post("/api/identity", &json!({ "name": name })).await
}

async fn account(visitor: &mut Visitor) -> Value {
    visitor.get("/api/account").await.json()["account"].clone()
}

async fn delete(visitor: &mut Visitor, path: &str, body: &Value) -> Response {
    visitor.request("DELETE", path, &[("content-type", "application/json")], &body.to_string()).await
}

/// Performs an administrative action, and returns the response.
async fn act(house: &House, act: Value) -> Value {
    let act = AdminRequest::Act(serde_json::from_value(act).unwrap());
    house.administration.request(&act).await.unwrap()
}

async fn set_registration(house: &House, registration: &str) {
    let settings =
        json!({ "name": "", "contact": "", "registration": registration, "chat": "everybody", "notice": "" });
    act(house, json!({ "type": "set-house", "settings": settings })).await;
}

#[tokio::test]
async fn the_first_sign_in_creates_an_account_and_later_ones_use_it() {
    let (house, provider) = house().await;
    let mut browser = house.visitor();
    assert_eq!(browser.get("/api/house").await.json()["signIn"], json!({ "openid": "Club", "proxy": null }));
    let (game, _) = browser.create("chess", "white", &json!({ "type": "friend" })).await;
    assert_eq!(visit_provider(&mut browser, "/openid/begin?to=/hall").await, "/identity");
    // Nothing is stored before a name is chosen.
    assert_eq!(account(&mut browser).await, Value::Null);
    let pending = browser.get("/api/identity").await.json();
    assert_eq!(
        pending,
        json!({ "provider": "Club", "missing": "name", "name": "Anna", "email": "anna@example.org", "to": "/hall" })
    );
    let body = json!({ "name": "Anna", "email": "anna@example.org", "language": "es" });
    let response = browser.post("/api/identity", &body).await;
    assert_eq!(response.status, 201, "{response:?}");
    let shown = account(&mut browser).await;
    assert_eq!((&shown["name"], &shown["password"]), (&json!("Anna"), &json!(false)));
    assert_eq!((&shown["language"], &shown["emailConfirmed"]), (&json!("es"), &json!(false)));
    assert_eq!(browser.get("/api/games").await.json()["games"][0]["id"], json!(game));
    browser.get("/api/identity").await.assert_error(404, "sign-in-expired");

    let mut phone = house.visitor();
    assert_eq!(visit_provider(&mut phone, "/openid/begin?to=/hall").await, "/hall");
    assert_eq!(account(&mut phone).await["name"], "Anna");
    // The account has no password to guess.
    for password in ["", RIGHT] {
        phone.sign_in("Anna", password).await.assert_error(401, "sign-in-failed");
    }
    // Another person at the provider gets another account.
    provider.set_person(bela());
    assert_eq!(register(&mut house.visitor(), "Bela").await.status, 201);
    // The exported data contains the identity. After the account is deleted, the person can register again.
    let data = browser.get("/api/account/data").await.json();
    assert_eq!(data["identities"][0]["subject"], "4711");
    assert_eq!(delete(&mut browser, "/api/account", &json!({ "password": "" })).await.status, 204);
    provider.set_person(anna());
    assert_eq!(visit_provider(&mut house.visitor(), "/openid/begin").await, "/identity");
}

#[tokio::test]
async fn a_new_account_obeys_the_registration_policy() {
    let (house, provider) = house().await;
    set_registration(&house, "closed").await;
    let mut visitor = house.visitor();
    assert_eq!(
        visit_provider(&mut visitor, "/openid/begin").await,
        "/identity?refused=registration-closed",
        "no name is requested"
    );
    visitor.get("/api/identity").await.assert_error(404, "sign-in-expired");
    set_registration(&house, "invitation").await;
    assert_eq!(
        visit_provider(&mut visitor, "/openid/begin").await,
        "/identity?refused=house-invitation-needed"
    );
    let done = act(&house, json!({ "type": "invite", "role": "moderator", "uses": 1, "days": 1 })).await;
    let token = done["link"].as_str().unwrap().strip_prefix("/join/").unwrap().to_owned();
    let begin = format!("/openid/begin?to=/join/{token}&invitation={token}");
    assert_eq!(visit_provider(&mut visitor, &begin).await, "/identity");
    let response = visitor.post("/api/identity", &json!({ "name": "Anna" })).await;
    assert_eq!(response.json()["account"]["role"], "moderator", "{response:?}");

    set_registration(&house, "approval").await;
    provider.set_person(bela());
    let mut bela = house.visitor();
    register(&mut bela, "Bela").await.assert_error(403, "account-pending");
    assert_eq!(account(&mut bela).await, Value::Null);
    assert_eq!(visit_provider(&mut bela, "/openid/begin").await, "/identity?refused=account-pending");
    act(&house, json!({ "type": "approve", "account": "Bela" })).await;
    assert_eq!(visit_provider(&mut bela, "/openid/begin").await, "/account");
    assert_eq!(account(&mut bela).await["name"], "Bela");
}

#[tokio::test]
async fn linking_an_existing_account_requires_its_password() {
    let (house, _provider) = house().await;
    let (mut owner, mut stranger) = (house.visitor(), house.visitor());
    owner.register("Anna").await;
    // The person who is named Anna at the provider does not get Anna's account.
    register(&mut stranger, "Anna").await.assert_error(409, "name-taken");
    assert_eq!(account(&mut stranger).await, Value::Null);
    let link = |password: &str| json!({ "provider": "openid", "password": password });
    owner.post("/api/account/identities", &link("wrong")).await.assert_error(403, "wrong-password");
    let response = owner.post("/api/account/identities", &link(RIGHT)).await;
    let address = response.json()["address"].as_str().unwrap().to_owned();
    assert!(address.contains("prompt=login"), "{address}");
    // The callback address is refused in a browser that did not start the request.
    let callback = at_provider(&address).await;
    let mut mallory = house.visitor();
    mallory.register("Mallory").await;
    assert_eq!(location(&mallory.get(&callback).await), "/identity?refused=sign-in-expired");
    assert_eq!(location(&owner.get(&callback).await), "/account");
    let identities = owner.get("/api/account/identities").await.json()["identities"].clone();
    assert_eq!((&identities[0]["provider"], &identities[0]["subject"]), (&json!("openid"), &json!("4711")));
    assert_eq!(visit_provider(&mut stranger, "/openid/begin").await, "/account");
    assert_eq!(account(&mut stranger).await["name"], "Anna");

    // Another account cannot have the same identity.
    let response = mallory.post("/api/account/identities", &link(RIGHT)).await;
    let callback = at_provider(response.json()["address"].as_str().unwrap()).await;
    assert_eq!(location(&mallory.get(&callback).await), "/identity?refused=identity-taken");
    let body = |password: &str| {
        let mut body = identities[0].clone();
        body["password"] = json!(password);
        body
    };
    delete(&mut mallory, "/api/account/identities", &body(RIGHT))
        .await
        .assert_error(404, "identity-not-found");
    delete(&mut owner, "/api/account/identities", &body("wrong")).await.assert_error(403, "wrong-password");
    assert_eq!(delete(&mut owner, "/api/account/identities", &body(RIGHT)).await.status, 204);
    assert_eq!(visit_provider(&mut house.visitor(), "/openid/begin").await, "/identity");
    // A visitor who is signed in does not get a second account.
    assert_eq!(visit_provider(&mut owner, "/openid/begin").await, "/identity?refused=signed-in-already");
}

#[tokio::test]
async fn changes_without_a_password_need_a_recent_sign_in() {
    let (house, _provider) = house().await;
    let mut anna = house.visitor();
    assert_eq!(register(&mut anna, "Anna").await.status, 201);
    house.clock.advance(10 * MINUTE_MS);
    let change = json!({ "password": "", "newPassword": "battery staple" });
    let patch = async |visitor: &mut Visitor| {
        let headers = [("content-type", "application/json")];
        visitor.request("PATCH", "/api/account", &headers, &change.to_string()).await
    };
    patch(&mut anna).await.assert_error(403, "sign-in-again");
    delete(&mut anna, "/api/account", &json!({ "password": "" })).await.assert_error(403, "sign-in-again");
    let mut body = anna.get("/api/account/identities").await.json()["identities"][0].clone();
    body["password"] = json!("");
    delete(&mut anna, "/api/account/identities", &body).await.assert_error(403, "sign-in-again");
    assert_eq!(visit_provider(&mut anna, "/openid/begin").await, "/account");
    delete(&mut anna, "/api/account/identities", &body).await.assert_error(409, "last-means");
    assert_eq!(patch(&mut anna).await.json()["account"]["password"], true);
    // From now on the password is required.
    delete(&mut anna, "/api/account/identities", &body).await.assert_error(403, "wrong-password");
    body["password"] = json!("battery staple");
    assert_eq!(delete(&mut anna, "/api/account/identities", &body).await.status, 204);
    assert_eq!(house.visitor().sign_in("Anna", "battery staple").await.status, 200);
}

#[tokio::test]
async fn the_accounts_second_factor_is_required() {
    let (house, _provider) = house().await;
    let mut anna = house.visitor();
    assert_eq!(register(&mut anna, "Anna").await.status, 201);
    let path = "/api/account/second-factor";
    let setup = anna.post(path, &json!({ "password": "" })).await.json();
    let secret = Secret::try_from_base32(setup["secret"].as_str().unwrap()).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    let code = || {
        house.clock.advance(MINUTE_MS);
        totp.generate(u64::try_from(house.clock_now() / 1000).unwrap()).to_string()
    };
    let headers = [("content-type", "application/json")];
    let confirmed = anna.request("PUT", path, &headers, &json!({ "code": code() }).to_string()).await;
    assert_eq!(confirmed.status, 200, "{confirmed:?}");

    let mut phone = house.visitor();
    assert_eq!(visit_provider(&mut phone, "/openid/begin?to=/hall").await, "/identity");
    assert_eq!(account(&mut phone).await, Value::Null);
    assert_eq!(phone.get("/api/identity").await.json()["missing"], "code");
    phone.post("/api/identity", &json!({ "name": "Anna" })).await.assert_error(401, "second-factor-needed");
    phone.post("/api/identity", &json!({ "code": "000000" })).await.assert_error(403, "second-factor-wrong");
    let signed_in = phone.post("/api/identity", &json!({ "code": code() })).await;
    assert_eq!(signed_in.json()["account"]["name"], "Anna", "{signed_in:?}");
}

#[tokio::test]
async fn a_failing_or_lying_provider_cannot_sign_a_visitor_in() {
    let (house, provider) = house().await;
    let mut visitor = house.visitor();
    for (fault, code) in [
        (Fault::OtherNonce, "openid-invalid"),
        (Fault::OtherClient, "openid-invalid"),
        (Fault::OtherIssuer, "openid-invalid"),
        (Fault::UnpublishedKey, "openid-invalid"),
        (Fault::Unsigned, "openid-invalid"),
        (Fault::Expired, "openid-invalid"),
        (Fault::RefusesCodes, "openid-refused"),
        (Fault::HugeResponses, "openid-unavailable"),
        (Fault::Redirects, "openid-unavailable"),
        (Fault::Denied, "openid-denied"),
    ] {
        provider.set_fault(fault);
        let refused = visit_provider(&mut visitor, "/openid/begin").await;
        assert_eq!(refused, format!("/identity?refused={code}"), "{fault:?}");
        assert_eq!(account(&mut visitor).await, Value::Null, "{fault:?}");
        visitor.get("/api/identity").await.assert_error(404, "sign-in-expired");
    }
    provider.set_fault(Fault::None);
    // An id that would have to be truncated is refused.
    provider.set_person(Person { subject: "1".repeat(256), ..anna() });
    assert_eq!(visit_provider(&mut visitor, "/openid/begin").await, "/identity?refused=openid-invalid");
    provider.set_person(anna());
    assert_eq!(register(&mut visitor, "Anna").await.status, 201);
}

#[tokio::test]
async fn accounts_with_a_password_work_while_the_provider_is_down() {
    let (house, provider) = house().await;
    house.visitor().register("Bela").await;
    drop(provider);
    let refused = house.visitor().get("/openid/begin").await;
    assert_eq!(location(&refused), "/identity?refused=openid-unavailable");
    let mut bela = house.visitor();
    assert_eq!(bela.sign_in("Bela", RIGHT).await.status, 200);
    assert_eq!(account(&mut bela).await["name"], "Bela");
    house.visitor().register("Carl").await;
}

#[tokio::test]
async fn a_sign_in_belongs_to_one_browser_and_expires_after_ten_minutes() {
    let (house, provider) = house().await;
    let (mut one, mut other) = (house.visitor(), house.visitor());
    let redirect = one.get("/openid/begin").await;
    let callback = at_provider(location(&redirect)).await;
    let expired = "/identity?refused=sign-in-expired";
    // The callback is refused in a browser that has not begun a sign-in, and in one that has begun a
    // different sign-in.
    assert_eq!(location(&other.get(&callback).await), expired);
    other.get("/openid/begin").await;
    assert_eq!(location(&other.get(&callback).await), expired);
    assert_eq!(location(&one.get("/openid/callback?code=code-0&state=guessed").await), expired);
    // The attempt with a guessed state has ended this browser's sign-in.
    assert_eq!(location(&one.get(&callback).await), expired);

    let redirect = one.get("/openid/begin").await;
    let callback = at_provider(location(&redirect)).await;
    house.clock.advance(10 * MINUTE_MS);
    assert_eq!(location(&one.get(&callback).await), expired);
    assert_eq!(visit_provider(&mut one, "/openid/begin").await, "/identity");
    house.clock.advance(10 * MINUTE_MS);
    one.post("/api/identity", &json!({ "name": "Anna" })).await.assert_error(404, "sign-in-expired");
    // A cookie that was tampered with is ignored.
    assert_eq!(visit_provider(&mut one, "/openid/begin").await, "/identity");
    let mut changed = one.clone();
    changed.cookie = one.cookie.as_ref().map(|cookie| cookie.replace("4711", "4712"));
    assert_ne!(changed.cookie, one.cookie);
    changed.get("/api/identity").await.assert_error(404, "sign-in-expired");
    assert_eq!(one.request("DELETE", "/api/identity", &[], "").await.status, 204);
    one.get("/api/identity").await.assert_error(404, "sign-in-expired");
    assert!(provider.discoveries() <= 1, "the provider's metadata is cached");
}

#[tokio::test]
async fn a_sign_in_returns_only_to_this_site() {
    let (house, _provider) = house().await;
    let mut visitor = house.visitor();
    for to in ["https://evil.example.org", "//evil.example.org", "/%5Cevil.example.org", "evil", "/%09/evil"]
    {
        for begin in ["/openid/begin", "/proxy/begin"] {
            visitor.get(&format!("{begin}?to={to}")).await.assert_error(422, "bad-return");
        }
    }
    // The cookie must belong to the origin that the provider redirects to, so a sign-in begins there.
    let other = String::from(
        "GET /openid/begin?to=/hall HTTP/1.1\r\nhost: echecs.example.org\r\nconnection: close\r\n\r\n",
    );
    let response = raw(&house, &other).await;
    assert!(response.contains("location: http://chess.example.org/openid/begin?to=/hall\r\n"), "{response}");
}

/// Sends a raw request, and returns the response.
async fn raw(house: &House, request: &str) -> String {
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}

#[tokio::test]
async fn an_identity_reported_by_a_proxy_is_accepted_only_if_the_proxy_is_trusted() {
    let with_header = |is_trusted: bool| {
        House::with(Arc::new(FirstTurnOpponent), move |config| {
            config.trusted_proxies = vec![if is_trusted { [127, 0, 0, 1] } else { [192, 0, 2, 1] }.into()];
            config.sign_in.header = Some("Remote-User".parse().unwrap());
        })
    };
    let proxy_headers = [("remote-user", "anna@club"), ("x-forwarded-for", "192.0.2.7")];
    let house = with_header(false).await;
    let mut liar = house.visitor();
    assert_eq!(
        liar.request("GET", "/api/house", &proxy_headers, "").await.json()["signIn"]["proxy"],
        Value::Null
    );
    let refused = liar.request("GET", "/proxy/begin", &proxy_headers, "").await;
    assert_eq!(location(&refused), "/identity?refused=proxy-names-nobody");

    let house = with_header(true).await;
    let mut anna = house.visitor();
    assert_eq!(
        anna.request("GET", "/api/house", &proxy_headers, "").await.json()["signIn"]["proxy"],
        "anna@club"
    );
    for headers in [&[][..], &[("remote-user", "")], &[("remote-user", "anna"), ("remote-user", "bela")]] {
        let refused = anna.request("GET", "/proxy/begin", headers, "").await;
        assert_eq!(location(&refused), "/identity?refused=proxy-names-nobody", "{headers:?}");
    }
    assert_eq!(
        location(&anna.request("GET", "/proxy/begin?to=/hall", &proxy_headers, "").await),
        "/identity"
    );
    let pending = anna.get("/api/identity").await.json();
    assert_eq!((&pending["provider"], &pending["name"]), (&Value::Null, &json!("anna@club")));
    anna.post("/api/identity", &json!({ "name": "anna@club" })).await.assert_error(422, "bad-name");
    assert_eq!(anna.post("/api/identity", &json!({ "name": "Anna" })).await.status, 201);
    let mut phone = house.visitor();
    assert_eq!(location(&phone.request("GET", "/proxy/begin?to=/hall", &proxy_headers, "").await), "/hall");
    assert_eq!(account(&mut phone).await["name"], "Anna");
    // An account with a password is linked immediately.
    let mut bela = house.visitor();
    bela.register("Bela").await;
    let body = json!({ "provider": "proxy", "password": RIGHT }).to_string();
    let json = ("content-type", "application/json");
    let refused = bela.request("POST", "/api/account/identities", &[json, proxy_headers[0]], &body).await;
    refused.assert_error(409, "identity-taken");
    let linked =
        bela.request("POST", "/api/account/identities", &[json, ("remote-user", "bela")], &body).await;
    assert_eq!(linked.json()["address"], Value::Null, "{linked:?}");
    // This house has no identity provider.
    assert_eq!(location(&bela.get("/openid/begin").await), "/identity?refused=openid-off");
}
