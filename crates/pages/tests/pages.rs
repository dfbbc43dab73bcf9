//! Checks the pages of every game in every language.

use adoube_learn::{drills, page};
use adoube_notation::Language;
use adoube_pages::{
    ComposedProblem, Document, GameFacts, ScriptedPage, SeatFacts, Shell, Site, composed_problem, drill,
    drill_list, game, game_missing, home, invitation_missing, missing, problem, problem_list, rules,
    scripted_page,
};
use adoube_problems::problems;
use adoube_rules::{AnyPosition, Position as _, Variant, coordinate};
use serde_json::json;

const SHELL: &str = "<!doctype html><html lang=\"fr\"><head><title>adoube</title></head><body>\
                     <div id=\"app\"></div><script type=\"module\" src=\"/x.js\"></script></body></html>";

fn html_at(document: &Document, path: &str) -> String {
    let site = Site { address: format!("https://x.example{path}"), path: path.to_owned() };
    Shell::new(SHELL.to_owned()).expect("a shell").fill(document, &site, "")
}

fn html(document: &Document) -> String {
    html_at(document, "")
}

/// Checks that the links of a document under a path are those at the root, with the path in front.
fn check_links_under_a_path(document: &Document, at_root: &str, label: &str) {
    let below = html_at(document, "/club");
    let links = |html: &str| {
        let links = html.split(" href=\"").skip(1).chain(html.split(" src=\"").skip(1));
        links.map(|rest| rest.split('"').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let expected = links(at_root).into_iter().map(|link| match link.strip_prefix("https://x.example") {
        Some(path) => format!("https://x.example/club{path}"),
        None if link.starts_with('/') => format!("/club{link}"),
        None => link,
    });
    assert_eq!(links(&below), expected.collect::<Vec<_>>(), "{label}");
    // All root-relative addresses must begin with the path, whatever attribute they are in.
    let other =
        below.split("=\"/").skip(1).find(|rest| !rest.starts_with("club/") && !rest.starts_with("club\""));
    assert_eq!(other, None, "{label}");
}

/// Checks the properties that every page must have, and returns its HTML.
fn check(document: &Document) -> String {
    let html = html(document);
    let label = format!("{} {}", document.language, document.path);
    check_links_under_a_path(document, &html, &label);
    for missing in ["document-", "drill-", "problem-", "nav-", "variant-", "about-", "first-look-", "reason-"]
    {
        let message = format!(">{missing}");
        assert!(!html.contains(&message) && !document.title.contains(missing), "{label}: {missing}: {html}");
        assert!(!document.description.contains(missing), "{label}: {}", document.description);
    }
    assert!(!html.contains("{ $") && !html.contains('\u{2068}'), "{label}");
    // The content security policy allows none of these.
    assert!(!html.contains(" style=") && !html.contains("<style") && !html.contains(" onclick"), "{label}");
    // All scripts but one are data.
    let scripts = html.matches("<script").count();
    let data = html.matches("<script type=\"application/").count();
    assert_eq!(scripts, data + 1, "{label}");
    html
}

#[test]
fn a_rule_page_is_complete_and_small() {
    for language in Language::ALL {
        for variant in Variant::ALL {
            let document = rules(language, variant, json!({}));
            let html = check(&document);
            assert!(html.len() <= 60_000, "{variant} in {language}: {} bytes", html.len());
            let page = page(variant, language);
            for clause in &page.clauses {
                assert!(html.contains(&format!("id=\"{clause}\"")), "{variant} in {language}: {clause}");
            }
            for (id, _) in &page.contents {
                assert!(html.contains(&format!("href=\"#{id}\"")), "{variant} in {language}: {id}");
            }
            assert_eq!(html.matches("<img ").count(), page.diagrams.len());
        }
    }
}

#[test]
fn the_home_page_shows_the_first_look() {
    for language in Language::ALL {
        let html = check(&home(language));
        assert!(html.contains("Gc2c4") && html.contains("Rd4+Rc5"), "the marks of the first look: {html}");
        for variant in Variant::ALL {
            assert!(html.contains(&format!("href=\"/{language}/rules/{variant}\"")), "{variant}");
        }
    }
}

#[test]
fn every_drill_has_a_page_with_its_answer() {
    for language in Language::ALL {
        for variant in Variant::ALL {
            let list = check(&drill_list(language, variant));
            for each in drills(variant) {
                let path = format!("/learn/{variant}/{}", each.name);
                assert!(list.contains(&format!("href=\"/{language}{path}\"")), "{path}");
                let document = drill(language, variant, &each.name).expect("a drill");
                assert_eq!(document.path, path);
                let html = check(&document);
                assert_eq!(html.matches("<details").count(), 2, "{path}: a hint and an answer");
                assert!(html.contains(&format!("/rules/{variant}#{}", each.clause)), "{path}");
            }
            assert!(drill(language, variant, "no-such-drill").is_none());
        }
    }
}

#[test]
fn problem_lists_are_complete_and_problem_pages_hide_the_solution() {
    for language in Language::ALL {
        for variant in Variant::ALL {
            let list = check(&problem_list(language, variant));
            assert_eq!(
                list.matches(&format!("href=\"/{language}/problems/{variant}/")).count(),
                problems(variant).iter().filter(|problem| !problem.retired).count()
            );
            for each in problems(variant).iter().step_by(7) {
                let document = problem(language, variant, &each.id).expect("a problem");
                let html = check(&document);
                let mover = AnyPosition::from_fen(variant, &each.fen).expect("a position").side_to_move();
                assert_eq!(html.contains("flip=true"), mover == adoube_rules::Color::Black, "{}", each.id);
                // The turns are only in the closed part, so that previews do not give them away.
                let first = html.split_once("<details").expect("the solution").0;
                assert!(!first.contains("1. ") && !first.contains("1… "), "{}", each.id);
            }
            assert!(problem(language, variant, "00000000").is_none());
        }
    }
}

#[test]
fn text_from_players_is_escaped() {
    let evil = "</script><img src=x onerror=alert(1)>\"'&";
    let start = AnyPosition::initial(Variant::Chess);
    let facts = GameFacts {
        id: "aB3dE5gH7jK9",
        turns: vec![coordinate::parse(&start, "e2e4").expect("a turn")],
        initial: start,
        white: SeatFacts::Person(Some(evil.to_owned())),
        black: SeatFacts::Person(None),
        ending: Some(("white", "resignation")),
    };
    let composed = ComposedProblem {
        id: "aB3dE5gH7jK9",
        title: Some(evil),
        by: Some(evil),
        fen: "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        turns: 1,
        line: &["a1a8".to_owned()],
    };
    for language in Language::ALL {
        let composed = composed_problem(language, Variant::Chess, &composed).expect("a position");
        for document in [game(language, &facts), composed] {
            let html = check(&document);
            assert!(!html.contains("<img src=x") && html.contains("&lt;img src=x"), "{html}");
        }
    }
}

#[test]
fn a_game_has_a_page_for_every_kind_of_player_and_every_state() {
    let start = AnyPosition::initial(Variant::Interweave);
    let facts = GameFacts {
        id: "aB3dE5gH7jK9",
        turns: Vec::new(),
        initial: start,
        white: SeatFacts::Open,
        black: SeatFacts::Machine(3),
        ending: None,
    };
    for language in Language::ALL {
        let waiting = check(&game(language, &facts));
        assert!(!waiting.contains("1. ") && !waiting.contains("rel=\"canonical\""), "{waiting}");
        let playing = GameFacts { white: SeatFacts::Person(None), ..facts.clone() };
        assert_ne!(check(&game(language, &playing)), waiting);
        let drawn = GameFacts { ending: Some(("draw", "agreement")), ..playing };
        check(&game(language, &drawn));
    }
}

#[test]
fn tool_and_error_pages_link_to_the_rules() {
    for language in Language::ALL {
        for document in [
            scripted_page(language, ScriptedPage::Hall),
            scripted_page(language, ScriptedPage::Personal),
            scripted_page(language, ScriptedPage::Analysis(Variant::Baroque)),
            missing(language),
            game_missing(language),
            invitation_missing(language),
        ] {
            let html = check(&document);
            assert!(html.contains(&format!("href=\"/{language}/rules/chess\"")), "{html}");
        }
    }
}
