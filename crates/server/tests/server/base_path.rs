//! A house under a path on a host: documents, cookies, redirects, sockets and e-mails.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use adoube_server::{Config, OpenIdSettings, SignInSettings};
use adoube_test_services::{IdentityProvider, Person};
use serde_json::{Value, json};

use crate::{
    emails::{next_mail, secret},
    house::{FirstTurnOpponent, House, Response, Visitor, begin, play},
};

const BASE: &str = "/jeux/echecs";
const ORIGIN: &str = "http://club.example.org";
const ADDRESS: &str = "http://club.example.org/jeux/echecs";

async fn house() -> House {
    House::with(Arc::new(FirstTurnOpponent), |config| config.public_origin = Some(ADDRESS.parse().unwrap()))
        .await
}

/// Returns a visitor whose paths start at the root of the host, not at the house.
fn outside(house: &House) -> Visitor {
    Visitor { base: String::new(), ..house.visitor() }
}

/// Sends a POST request as a page on the public origin does.
async fn post(visitor: &mut Visitor, path: &str, body: &Value) -> Response {
    let headers = [("content-type", "application/json"), ("origin", ORIGIN)];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    visitor.request("POST", path, &headers, &body).await
}

/// Returns the addresses in a document's attributes and elements.
fn addresses(text: &str) -> Vec<String> {
    let after = |start: &'static str, end: char| {
        text.split(start).skip(1).map(move |rest| rest.split(end).next().unwrap().replace("&amp;", "&"))
    };
    let mut found: Vec<_> = after(" href=\"", '"').chain(after(" src=\"", '"')).collect();
    found.extend(after("<loc>", '<'));
    found.extend(after("property=\"og:url\" content=\"", '"'));
    found.extend(after("property=\"og:image\" content=\"", '"'));
    found
}

/// Returns a path without its last segment.
fn kind_of(path: &str) -> &str {
    path.trim_end_matches(|char| char != '/')
}

#[tokio::test]
async fn no_link_in_a_document_leads_out_of_the_house() {
    let house = house().await;
    let mut robot = outside(&house);
    let robots = robot.get(&format!("{BASE}/robots.txt")).await.body;
    assert!(robots.contains(&format!("Disallow: {BASE}/api/\n")), "{robots}");
    let sitemap = robots.split("Sitemap: ").nth(1).unwrap().trim();
    let mut next = VecDeque::from([sitemap.to_owned(), format!("{BASE}/"), format!("{BASE}/no/such/page")]);
    let mut seen = BTreeSet::new();
    let (mut documents, mut pictures) = (0, 0);
    while let Some(address) = next.pop_front() {
        let path = address.strip_prefix(ORIGIN).unwrap_or(&address);
        assert!(path.starts_with(&format!("{BASE}/")), "{address}");
        let path = path.split('#').next().unwrap();
        // Thousands of pages are alike, so only the first few of each kind and language are visited. The
        // client's files, if it has been built, are left to the browser tests because unpacking them is slow.
        let is_file = path.contains('.') && !path.contains('?') && !path.contains("/sitemap");
        let kind = kind_of(path);
        let has_enough = seen.iter().filter(|other: &&String| kind_of(other) == kind).count() >= 6;
        if is_file || has_enough || !seen.insert(path.to_owned()) {
            continue;
        }
        let Response { status, headers, body } = robot.get(path).await;
        let is_known = !path.ends_with("/no/such/page");
        assert_eq!(status, if is_known { 200 } else { 404 }, "{path}");
        if headers["content-type"].starts_with("image/") {
            pictures += 1;
            continue;
        }
        documents += 1;
        if headers["content-type"].starts_with("text/html") {
            assert!(body.contains(&format!(" data-base=\"{BASE}\"")), "{path}: {body}");
            let other = body.split("=\"/").skip(1).find(|rest| !rest.starts_with(&BASE[1..]));
            assert_eq!(other, None, "{path}");
            // The structured data (JSON-LD) contains addresses too.
            assert!(
                !body.contains(&format!("\"{ORIGIN}/fr")) && !body.contains("\":\"/fr"),
                "{path}: {body}"
            );
        }
        // The rules link to their sources on other hosts.
        let is_other_host = |link: &str| link.contains("://") && !link.starts_with(ORIGIN);
        let links = addresses(&body).into_iter();
        next.extend(links.filter(|link| !link.starts_with('#') && !is_other_host(link)));
    }
    assert!(documents > 40 && pictures > 5, "{documents} documents, {pictures} pictures: {seen:?}");
}

#[tokio::test]
async fn pictures_in_rule_pages_from_the_api_are_under_the_path() {
    let house = house().await;
    let html = house.visitor().get("/api/rules/baroque?language=en").await.json()["html"].clone();
    let html = html.as_str().unwrap();
    let pictures = html.matches("<img ").count();
    assert!(pictures > 5, "{html}");
    assert_eq!(html.matches(&format!(" src=\"{BASE}/diagram.svg?")).count(), pictures);
}

#[tokio::test]
async fn requests_outside_the_path_are_answered_with_404_except_health_checks() {
    let house = house().await;
    let mut outside = outside(&house);
    for path in [
        "/",
        "/hall",
        "/fr/",
        "/api/house",
        "/api/health/x",
        "/sw.js",
        "/jeux/",
        "/jeux/echecs2/",
        "/jeux/echecs/../",
        "//jeux/echecs/",
    ] {
        let response = outside.get(path).await;
        let is_inside = path.ends_with("/../");
        if !is_inside {
            let args = response.assert_error(404, "outside-path");
            assert_eq!(args["address"], format!("{ADDRESS}/"), "{path}");
        }
        assert_eq!(response.status, 404, "{path}");
        assert!(response.headers.contains_key("content-security-policy"), "{path}");
        assert!(!response.headers.contains_key("set-cookie"), "{path}");
    }
    for path in ["/api/health", "/api/ready"] {
        for path in [path.to_owned(), format!("{BASE}{path}")] {
            assert_eq!(outside.get(&path).await.status, 200, "{path}");
        }
    }
    post(&mut outside, "/api/games", &json!({})).await.assert_error(404, "outside-path");
}

#[tokio::test]
async fn redirects_stay_under_the_path() {
    let house = house().await;
    let mut anna = outside(&house);
    for (path, to) in [
        ("/jeux/echecs", "/jeux/echecs/"),
        ("/jeux/echecs?a=/b", "/jeux/echecs/?a=/b"),
        ("/jeux/echecs/fr", "/jeux/echecs/fr/"),
    ] {
        let response = anna.get(path).await;
        assert_eq!((response.status, response.headers["location"].as_str()), (308, to), "{path}");
    }
}

#[tokio::test]
async fn cookies_are_limited_to_the_path() {
    let house = house().await;
    let mut anna = house.visitor();
    let cookie = anna.get("/api/account").await.headers["set-cookie"].clone();
    assert!(cookie.starts_with("adoube=") && cookie.contains("; Path=/jeux/echecs;"), "{cookie}");
    let created =
        post(&mut anna, "/api/account", &json!({ "name": "Anna", "password": "correct horse" })).await;
    assert_eq!(created.status, 201, "{created:?}");
    let cookies = anna.cookie.clone().unwrap();
    // A house at the root of the host has cookies with the same names, which browsers send last.
    anna.cookie = Some(format!("{cookies}; adoube-session=0123; adoube=of-another-house"));
    assert_eq!(anna.get("/api/account").await.json()["account"]["name"], "Anna");
    let ended = anna.request("DELETE", "/api/session", &[("origin", ORIGIN)], "").await;
    let cookie = &ended.headers["set-cookie"];
    assert!(cookie.contains("adoube-session=;") && cookie.contains("Path=/jeux/echecs"), "{cookie}");

    let secure = |config: &mut Config| config.public_origin = Some("https://a.example/b".parse().unwrap());
    let house = House::with(Arc::new(FirstTurnOpponent), secure).await;
    let cookie = house.visitor().get("/api/account").await.headers["set-cookie"].clone();
    // Browsers refuse the `__Host-` prefix for a cookie whose path is not `/`.
    assert!(cookie.starts_with("__Secure-adoube=") && cookie.contains("; Path=/b;"), "{cookie}");
    assert!(cookie.contains("; Secure"), "{cookie}");
}

#[tokio::test]
async fn a_game_is_played_over_sockets_under_the_path() {
    let house = house().await;
    let (mut anna, mut bela) = (house.visitor(), house.visitor());
    let id = begin(&mut anna, &mut bela, json!({ "variant": "baroque" })).await;
    // The `Origin` header is compared with the public address without its path.
    let open = async |visitor: &Visitor, origin: &str| visitor.try_socket(&id, "", Some(origin)).await;
    let mut one = open(&anna, ORIGIN).await.unwrap();
    let mut two = open(&bela, ORIGIN).await.unwrap();
    assert_eq!(one.snapshot().await.you, Some(adoube_protocol::Color::White));
    two.snapshot().await;
    one.send(&play(2, "g2g6")).await;
    assert_eq!(two.event().await.0, 3);
    assert_eq!(open(&anna, "http://other.example.org").await.err(), Some(403));
    assert_eq!(open(&anna, ADDRESS).await.err(), Some(403));
    assert_eq!(open(&outside(&house), ORIGIN).await.err(), Some(404));
    let json = ("content-type", "application/json");
    let foreign = [json, ("origin", "http://other.example.org")];
    anna.request("POST", "/api/games", &foreign, "{}").await.assert_error(403, "foreign-origin");

    let pgn = anna.get(&format!("/api/games/{id}/pgn")).await.body;
    assert!(pgn.contains(&format!("[Site \"{ADDRESS}/game/{id}\"]")), "{pgn}");
    let html = anna.get(&format!("/game/{id}")).await.body;
    assert!(html.contains(&format!("href=\"{BASE}/api/games/{id}/pgn\"")), "{html}");
}

#[tokio::test]
async fn emails_link_to_the_house_and_unsubscribing_needs_no_origin() {
    let house = house().await;
    let mut anna = house.visitor();
    let body = json!({
        "name": "Anna", "password": "correct horse", "email": "anna@example.org", "language": "en"
    });
    assert_eq!(post(&mut anna, "/api/account", &body).await.status, 201);
    let mail = next_mail(&house, "anna@example.org", 0).await;
    let confirm = secret(&mail, &format!("{ADDRESS}/confirm/"));
    let confirmed = post(&mut anna, &format!("/api/confirmation/{confirm}"), &Value::Null).await;
    assert!(confirmed.status < 300, "{confirmed:?}");
    // Mail programs send a form, without an origin.
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let stopped = anna.request("POST", "/mail/stop/0123456789", &form, "List-Unsubscribe=One-Click").await;
    stopped.assert_error(404, "mail-link-not-found");
}

#[tokio::test]
async fn a_sign_in_through_a_provider_returns_to_the_house() {
    let person =
        Person { subject: "4711".into(), name: Some("Anna".into()), email: None, email_verified: false };
    let provider = IdentityProvider::start(person).await;
    let issuer = provider.issuer();
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.public_origin = Some(ADDRESS.parse().unwrap());
        config.other_origins = vec!["http://echecs.example.org".parse().unwrap()];
        let (client_id, secret) = IdentityProvider::CLIENT;
        let openid = OpenIdSettings {
            issuer,
            client_id: client_id.into(),
            client_secret: secret.to_owned().into(),
            name: "Club".into(),
        };
        config.sign_in = SignInSettings { header: None, openid };
    })
    .await;
    let mut anna = house.visitor();
    let redirect = anna.get("/openid/begin?to=/hall").await;
    let at_provider = redirect.headers["location"].clone();
    let (host, path) = at_provider.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut browser = Visitor::at(host.parse().unwrap());
    let callback_url = browser.get(&format!("/{path}")).await.headers["location"].clone();
    let callback = callback_url.strip_prefix(ADDRESS).expect("the provider sends the browser to the house");
    assert!(callback.starts_with("/openid/callback?"), "{callback_url}");
    assert_eq!(anna.get(callback).await.headers["location"], format!("{BASE}/identity"));
    // The API returns paths within the house; the page prepends the base path.
    assert_eq!(anna.get("/api/identity").await.json()["to"], "/hall");
    assert_eq!(post(&mut anna, "/api/identity", &json!({ "name": "Anna" })).await.status, 201);

    let refused = anna.get("/openid/callback?state=x").await;
    assert_eq!(refused.headers["location"], format!("{BASE}/identity?refused=sign-in-expired"));
    anna.get("/openid/begin?to=/../other").await.assert_error(422, "bad-return");
    let elsewhere = "GET /jeux/echecs/openid/begin?to=/hall HTTP/1.1\r\nhost: echecs.example.org\r\nconnection: close\r\n\r\n";
    let response = raw(&house, elsewhere).await;
    assert!(response.contains(&format!("location: {ADDRESS}/openid/begin?to=/hall\r\n")), "{response}");
}

/// Sends a request as is, and returns the response.
async fn raw(house: &House, request: &str) -> String {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(house.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}
