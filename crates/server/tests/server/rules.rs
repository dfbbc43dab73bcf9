//! Rule pages, drills, problems, and pictures of positions and games.

use adoube_protocol::{DrillList, DrillManner, ProblemList, RulePage};
use adoube_rules::{AnyPosition, Position as _, Variant, coordinate};
use serde_json::json;

use crate::house::{House, Visitor, play};

#[tokio::test]
async fn rules_are_shown_in_the_requested_language() {
    let house = House::new().await;
    let mut anna = house.visitor();
    for (query, accepted, language) in [
        ("?language=es", "en", "es"),
        ("", "de, en-GB;q=0.8, fr;q=0.5", "en"),
        ("?language=xx", "es-AR", "es"),
        ("", "de", "fr"),
    ] {
        let path = format!("/api/rules/baroque{query}");
        let response = anna.request("GET", &path, &[("accept-language", accepted)], "").await;
        let page: RulePage = serde_json::from_str(&response.body).unwrap();
        assert_eq!(
            (page.language.as_str(), page.variant.as_str()),
            (language, "baroque"),
            "{query} {accepted}"
        );
        let pawn = &page.diagrams["pawn"];
        assert_eq!(pawn.fen, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1");
        assert!(pawn.marks.iter().any(|mark| (mark.from.as_str(), mark.to.as_str()) == ("c2", "c4")));
        assert!(page.html.contains("id=\"B6\"") && page.contents.iter().any(|heading| heading.id == "takes"));
    }
    anna.get("/api/rules/draughts").await.assert_error(422, "unknown-variant");
}

#[tokio::test]
async fn drills_and_problems_of_each_game_are_served() {
    let house = House::new().await;
    let mut anna = house.visitor();
    for variant in Variant::ALL {
        let drills: DrillList =
            serde_json::from_str(&anna.get(&format!("/api/drills/{variant}")).await.body).unwrap();
        assert_eq!(drills.variant, variant.name());
        assert!(drills.drills.len() >= 12, "{variant}");
        assert!(drills.drills.iter().all(|drill| !drill.solutions.is_empty()));
        let problems: ProblemList =
            serde_json::from_str(&anna.get(&format!("/api/problems/{variant}")).await.body).unwrap();
        assert!(problems.problems.len() >= 200, "{variant}");
        assert!(problems.problems.iter().all(|problem| !problem.line.is_empty()));
    }
    let drills: DrillList = serde_json::from_str(&anna.get("/api/drills/chess").await.body).unwrap();
    let pin = drills.drills.iter().find(|drill| drill.name == "pin").unwrap();
    assert_eq!(
        (pin.manner, pin.man.as_deref(), pin.clause.as_str()),
        (DrillManner::Squares, Some("e3"), "C11")
    );
    for path in ["/api/drills/draughts", "/api/problems/draughts"] {
        anna.get(path).await.assert_error(422, "unknown-variant");
    }
}

#[tokio::test]
async fn a_game_is_served_as_a_picture_and_an_animation() {
    let house = House::new().await;
    let mut anna = house.visitor();
    for variant in Variant::ALL {
        let (id, _) = anna.create(variant.name(), "white", &json!({ "type": "machine", "level": 1 })).await;
        let animation = async |anna: &mut Visitor, query: &str| {
            let response = anna.get(&format!("/api/games/{id}/animation.gif{query}")).await;
            assert_eq!((response.status, response.headers["content-type"].as_str()), (200, "image/gif"));
            assert!(response.headers["content-disposition"].contains(&format!("adoube-{id}.gif")));
            assert!(response.body.starts_with("GIF89a"), "{variant}");
            response.body
        };
        let start = animation(&mut anna, "").await;
        let picture = anna.get(&format!("/api/games/{id}/board.svg?plies=0")).await;
        assert_eq!((picture.status, picture.headers["content-type"].as_str()), (200, "image/svg+xml"));
        let mut socket = anna.socket(&id, "?version=1").await;
        let initial = AnyPosition::initial(variant);
        let turn = coordinate::write(&initial, &initial.legal_turns()[0]);
        socket.send(&play(1, &turn)).await;
        socket.event().await;
        socket.event().await;
        assert!(animation(&mut anna, "").await.len() > start.len(), "{variant}: two more turns");
        assert_ne!(animation(&mut anna, "?flip=true").await, animation(&mut anna, "").await, "{variant}");
        let later = anna.get(&format!("/api/games/{id}/board.svg?plies=2")).await;
        assert_ne!(later.body, picture.body, "{variant}");
    }
    anna.get("/api/games/abcdefghijkl/animation.gif").await.assert_error(404, "game-not-found");
}

#[tokio::test]
async fn a_position_is_drawn_from_its_url() {
    let house = House::new().await;
    let mut anna = house.visitor();
    let fen = "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7".replace('/', "%2F");
    let picture =
        anna.get(&format!("/diagram.svg?variant=baroque&fen={fen}+w&marks=c2c4+Rd4&width=200")).await;
    assert_eq!((picture.status, picture.headers["content-type"].as_str()), (200, "image/svg+xml"));
    assert!(picture.body.starts_with("<svg") && picture.body.contains("width=\"200\""));
    // By default, the picture uses the same men and board as the page.
    let mut same = async |more: &str| {
        let path = format!("/diagram.svg?variant=baroque&fen={fen}+w&marks=c2c4+Rd4&width=200&{more}");
        anna.get(&path).await.body == picture.body
    };
    assert!(same("men=mechanism&board=brown").await);
    assert!(!same("men=mechanism&board=green").await);
    assert!(!same("set=classic").await);
    // Other sites may embed the picture, but not the API's responses.
    assert_eq!(picture.headers["cross-origin-resource-policy"], "cross-origin");
    assert!(picture.headers["cache-control"].contains("max-age"));
    assert_eq!(anna.get("/api/health").await.headers["cross-origin-resource-policy"], "same-origin");
    for wrong in [
        "variant=chess&fen=8/8",
        "variant=chess&marks=z9",
        "variant=chess&men=wood",
        "variant=chess&board=glass",
        "variant=chess&width=9",
        "variant=chess&flip=perhaps",
        "",
    ] {
        anna.get(&format!("/diagram.svg?{wrong}")).await.assert_error(422, "diagram");
    }
    anna.get("/diagram.svg?variant=go").await.assert_error(422, "unknown-variant");
}
