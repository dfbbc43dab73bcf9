//! The pages as they appear to search engines, link previews and browsers without scripts.

use adoube_protocol::{Act, Condition};
use adoube_rules::{AnyPosition, Position as _, Variant};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::house::{House, Response, Visitor, act, two_players};

/// Returns the value of the attribute `name`, which must follow the text `element` in the first tag that
/// contains that text.
fn attribute<'a>(html: &'a str, element: &str, name: &str) -> &'a str {
    let (_, rest) = html.split_once(element).unwrap_or_else(|| panic!("no {element} in {html}"));
    let (before, _) = rest.split_once('>').expect("the end of the element");
    let (_, value) =
        before.split_once(&format!("{name}=\"")).unwrap_or_else(|| panic!("no {name} in {before}"));
    value.split('"').next().expect("a value")
}

fn title(html: &str) -> &str {
    let (_, rest) = html.split_once("<title>").expect("a title");
    rest.split_once("</title>").expect("the end of the title").0
}

fn is_indexed(html: &str) -> bool {
    let is_canonical = html.contains("rel=\"canonical\"");
    assert_ne!(is_canonical, html.contains("content=\"noindex\""), "{html}");
    is_canonical
}

async fn page(visitor: &mut Visitor, path: &str, status: u16) -> String {
    let Response { status: found, headers, body } = visitor.get(path).await;
    assert_eq!(found, status, "{path}: {body}");
    assert!(headers["content-type"].starts_with("text/html"), "{path}");
    assert!(headers["content-security-policy"].contains("script-src 'self' 'wasm-unsafe-eval';"), "{path}");
    assert_eq!(body.matches("<h1>").count(), 1, "{path}: {body}");
    body
}

#[tokio::test]
async fn every_page_with_text_has_metadata_and_an_address_in_each_language() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let problem = &adoube_problems::problems(Variant::Chess)[0].id;
    let origin = format!("http://{}", house.address);
    let mut titles = std::collections::HashSet::new();
    for path in [
        "/",
        "/hall",
        "/rules/chess",
        "/rules/baroque",
        "/learn/interweave",
        "/learn/baroque/pawn-two",
        "/problems/ultima",
        &format!("/problems/chess/{problem}"),
        "/analysis/chess",
    ] {
        for language in ["fr", "en", "es"] {
            let html = page(&mut anna, &format!("/{language}{path}"), 200).await;
            assert!(html.contains(&format!("<html lang=\"{language}\"")), "{path}");
            assert!(titles.insert(title(&html).to_owned()), "{path}: {} is used twice", title(&html));
            assert!(is_indexed(&html));
            let description = attribute(&html, "<meta name=\"description\"", "content");
            assert!((40..=260).contains(&description.chars().count()), "{path}: {description}");
            let canonical = attribute(&html, "<link rel=\"canonical\"", "href");
            assert_eq!(canonical, format!("{origin}/{language}{path}"));
            for other in ["fr", "en", "es"] {
                let alternate = attribute(&html, &format!("hreflang=\"{other}\""), "href");
                assert_eq!(alternate, format!("{origin}/{other}{path}"));
            }
            assert_eq!(attribute(&html, "hreflang=\"x-default\"", "href"), format!("{origin}/fr{path}"));
            assert!(
                html.contains("property=\"og:title\"") && html.contains("name=\"twitter:card\""),
                "{path}"
            );
            assert!(!html.contains("document-about"), "{path}: a message is missing");
        }
    }
}

#[tokio::test]
async fn an_address_without_a_language_is_served_in_the_browsers_language() {
    let house = House::new().await;
    let mut anna = house.visitor();
    for (accepted, language) in [("es", "es"), ("de, en;q=0.5", "en"), ("de", "fr")] {
        let response = anna.request("GET", "/rules", &[("accept-language", accepted)], "").await;
        assert!(response.body.contains(&format!("<html lang=\"{language}\"")), "{accepted}");
        assert!(response.headers["vary"].contains("accept-language"));
        // A page without a variant shows the default one, so its canonical address names that variant.
        let canonical = attribute(&response.body, "<link rel=\"canonical\"", "href");
        assert_eq!(canonical, format!("http://{}/{language}/rules/chess", house.address));
    }
    let named = anna.request("GET", "/en/rules", &[("accept-language", "es")], "").await;
    assert!(named.body.contains("<html lang=\"en\""));
    assert!(!named.headers.get("vary").is_some_and(|vary| vary.contains("accept-language")));
    let home = anna.get("/es").await;
    assert_eq!((home.status, home.headers["location"].as_str()), (308, "/es/"));
    // If the browser already has the page, as its entity tag shows, the body is not sent.
    let tag = named.headers["etag"].as_str();
    let again = anna.request("GET", "/en/rules", &[("if-none-match", tag)], "").await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let other = anna.request("GET", "/es/rules", &[("if-none-match", tag)], "").await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn missing_pages_say_so_and_link_to_the_games() {
    let house = House::new().await;
    let mut anna = house.visitor();
    for path in [
        "/nothing",
        "/rules/draughts",
        "/learn/draughts",
        "/learn/chess/no-such-drill",
        "/problems/draughts",
        "/problems/chess/00000000",
        "/problems/chess/000000000000",
        "/analysis/draughts",
        "/game/000000000000",
        "/game/x",
        "/analysis/game/000000000000",
        "/invite/00000000000000000000",
        "/invite/x",
        "/game/%ff",
    ] {
        for language in ["", "/fr", "/en", "/es"] {
            let html = page(&mut anna, &format!("{language}{path}"), 404).await;
            assert!(!is_indexed(&html), "{path}");
            // The visitor may have been looking for one of the variants.
            for variant in Variant::ALL {
                assert!(html.contains(&format!("/rules/{variant}\"")), "{path}");
            }
        }
    }
    // Search engines must not index personal pages.
    for path in
        ["/account", "/settings", "/games", "/analysis/saved", "/recover/0123", "/problems/chess/compose"]
    {
        let html = page(&mut anna, path, 200).await;
        assert!(!is_indexed(&html) && !html.contains("0123"), "{path}");
    }
}

#[tokio::test]
async fn a_game_page_contains_the_turns_and_the_current_position() {
    let house = House::new().await;
    let (white, mut black, id) = two_players(&house, "chess").await;
    let mut socket = white.socket(&id, "").await;
    let version = socket.snapshot().await.version.0;
    socket.play(version, "g1f3").await.unwrap();
    let mut anyone = house.visitor();
    let html = page(&mut anyone, &format!("/fr/game/{id}"), 200).await;
    assert!(html.contains("1. Cf3"), "{html}");
    assert!(!is_indexed(&html));
    // The preview shows the position after the turn.
    let mut position = AnyPosition::initial(Variant::Chess);
    position.play_turn_unchecked(&adoube_rules::coordinate::parse(&position, "g1f3").unwrap());
    let picture = attribute(&html, "property=\"og:image\"", "content");
    let fen = position.fen().replace(' ', "+");
    assert!(
        picture.starts_with(&format!("http://{}/diagram.png?variant=chess&amp;fen={fen}", house.address)),
        "{picture}"
    );
    assert!(html.contains(&format!("/diagram.svg?variant=chess&amp;fen={fen}")));
    // A spectator, a player and a search engine get the same page.
    assert_eq!(page(&mut black, &format!("/fr/game/{id}"), 200).await, html);
    assert!(page(&mut anyone, &format!("/analysis/game/{id}"), 200).await.contains("1. "));
}

#[tokio::test]
async fn an_invitation_shows_the_game_and_never_its_position() {
    let house = House::new().await;
    let (mut anna, mut bela, mut carl) = (house.visitor(), house.visitor(), house.visitor());
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let body = json!({
        "command": crate::house::command(), "variant": "chess", "color": "white",
        "opponent": { "type": "friend" }, "fen": fen,
    });
    let created = anna.post("/api/games", &body).await.json();
    let invitation = created["invitation"].as_str().unwrap();
    let path = format!("/en/invite/{invitation}");
    let html = page(&mut carl, &path, 200).await;
    assert!(title(&html).contains("Chess") && !is_indexed(&html), "{html}");
    // The page contains neither the position, nor the id of the game, nor the invitation itself.
    for private in ["4P3", created["id"].as_str().unwrap(), invitation] {
        assert!(!html.contains(private), "{private}");
    }
    // Opening the page does not take the seat.
    assert_eq!(bela.post(&format!("/api/invitations/{invitation}"), &Value::Null).await.status, 200);
    let html = page(&mut carl, &path, 410).await;
    assert!(html.contains(&format!("/en/game/{}", created["id"].as_str().unwrap())));
    for player in [&mut anna, &mut bela] {
        page(player, &path, 200).await;
    }
}

/// A conditional answer on a page would tell the opponent what to avoid.
#[tokio::test]
async fn conditional_turns_are_not_on_any_page() {
    let house = House::new().await;
    let (mut white, mut black) = (house.visitor(), house.visitor());
    white.register("Anna").await;
    black.register("Bela").await;
    let settings =
        json!({ "variant": "chess", "timeControl": { "type": "correspondence", "daysPerTurn": 3 } });
    let id = crate::house::begin(&mut white, &mut black, settings).await;
    let mut socket = white.socket(&id, "").await;
    let version = socket.snapshot().await.version.0;
    let seen = socket.play(version, "e2e4").await.unwrap();
    let tree = vec![Condition { reply: "e7e5".into(), answer: "b1c3".into(), then: Vec::new() }];
    socket.command(&act(Act::SetConditions { version: seen, tree })).await.unwrap();
    for visitor in [&mut white, &mut black, &mut house.visitor()] {
        let html = page(visitor, &format!("/en/game/{id}"), 200).await;
        assert!(html.contains("1. e4") && html.contains("Anna"), "{html}");
        assert!(!html.contains("Nc3") && !html.contains("b1c3") && !html.contains("e7e5"), "{html}");
    }
}

#[tokio::test]
async fn the_preview_of_a_position_is_a_png() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let html = page(&mut anna, "/en/rules/baroque", 200).await;
    let picture = attribute(&html, "property=\"og:image\"", "content").replace("&amp;", "&");
    let path = picture.strip_prefix(&format!("http://{}", house.address)).unwrap();
    assert!(path.contains("marks="), "{path} contains no diagram marks");
    let image = anna.get(path).await;
    assert_eq!((image.status, image.headers["content-type"].as_str()), (200, "image/png"));
    assert!(image.body.contains("PNG") && image.body.contains("IHDR"));
    // Other sites may embed the preview.
    assert_eq!(image.headers["cross-origin-resource-policy"], "cross-origin");
    assert!(image.headers["cache-control"].contains("max-age"));
    anna.get("/diagram.png?variant=chess&fen=8/8").await.assert_error(422, "diagram");
}

#[tokio::test]
async fn the_sitemaps_list_pages_by_their_canonical_addresses() {
    let house = House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
        config.public_origin = Some("https://chess.example.org".parse().unwrap());
    })
    .await;
    let mut robot = house.visitor();
    let robots = robot.get("/robots.txt").await;
    assert_eq!(robots.status, 200);
    assert!(robots.body.contains("Disallow: /api/"));
    assert!(robots.body.contains("Sitemap: https://chess.example.org/sitemap.xml"));
    let index = robot.get("/sitemap.xml").await;
    assert!(index.headers["content-type"].starts_with("application/xml"));
    let mut pages = 0;
    for language in ["fr", "en", "es"] {
        let address = format!("https://chess.example.org/sitemap-{language}.xml");
        assert!(index.body.contains(&address));
        let map = robot.get(&format!("/sitemap-{language}.xml")).await;
        assert_eq!(map.status, 200);
        let locations = map.body.split("<loc>").skip(1).map(|rest| rest.split("</loc>").next().unwrap());
        let paths: Vec<&str> =
            locations.map(|at| at.strip_prefix("https://chess.example.org").unwrap()).collect();
        pages += paths.len();
        // A sample of the pages is requested.
        for path in paths.iter().step_by(97) {
            let html = page(&mut robot, path, 200).await;
            let canonical = attribute(&html, "<link rel=\"canonical\"", "href");
            assert_eq!(canonical, format!("https://chess.example.org{path}"));
        }
    }
    assert!(pages > 1000, "{pages}");
    assert_eq!(robot.get("/sitemap-de.xml").await.status, 404);
}

#[tokio::test]
async fn pages_are_compressed_and_api_responses_are_not() {
    let house = House::new().await;
    // A compressed body is binary, so only the head is examined.
    let head = async |path: &str| {
        let mut stream = TcpStream::connect(house.address).await.unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.unwrap();
        let text = String::from_utf8_lossy(&response);
        text.split("\r\n\r\n").next().unwrap_or_default().to_owned()
    };
    let document = head("/fr/rules/baroque").await;
    assert!(document.contains(" 200 ") && document.contains("content-encoding: gzip"), "{document}");
    let response = head("/api/rules/baroque").await;
    assert!(response.contains(" 200 ") && !response.contains("content-encoding"), "{response}");
}
