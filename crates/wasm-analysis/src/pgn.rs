//! PGN, read into trees and written from them.

use adoube_notation::pgn::{self, GameProblem, GameResult, Line, Nag, Node, Tags, Tree, TurnText};
use adoube_refusal::{self as refusal, Refusal};
use adoube_rules::{AnyPosition, Position, Variant, coordinate};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{json, parse_variant, refuse};

/// Games of a text that are read; a page is no place for a collection.
const MOST_GAMES: usize = 50;
/// Variations nested deeper are not written.
const MOST_DEEP: usize = pgn::MAX_DEPTH;

/// A tag of a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TagView {
    pub name: String,
    pub value: String,
}

/// Turns one after the other.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineView {
    /// What is said before the first turn.
    pub comments: Vec<String>,
    pub nodes: Vec<NodeView>,
}

/// A turn and what is said of it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeView {
    /// Coordinate text.
    pub turn: String,
    /// Numbers of its marks: 1 is `!`, 2 is `?` …
    pub nags: Vec<u8>,
    pub comments: Vec<String>,
    /// What could be played instead of it.
    pub variations: Vec<LineView>,
}

/// A game, or its beginning.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    #[cfg_attr(test, ts(type = "Variant"))]
    pub variant: String,
    /// Where it begins.
    pub fen: String,
    pub tags: Vec<TagView>,
    #[cfg_attr(test, ts(type = "'1-0' | '0-1' | '1/2-1/2' | '*'"))]
    pub result: String,
    pub main: LineView,
}

/// What broke the reading of a game.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PgnProblem {
    /// 1 for the first line of the text.
    pub line: usize,
    /// Which turn of the game, 1 for the first whoever plays it; none where it is not a turn.
    pub turn: Option<usize>,
    #[cfg_attr(test, ts(type = "Refusal[]"))]
    pub reasons: Vec<Refusal>,
}

/// A game of a text: what could be read, and what was wrong.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PgnView {
    /// None where nothing could be read.
    pub game: Option<GameView>,
    pub problem: Option<PgnProblem>,
}

/// The games of a text, at most fifty, as JSON: a list of [`PgnView`]s. A bad game stands among them with what could be
/// read. `variant` is the game of the page, whose letters explain a FEN that could not be read.
#[wasm_bindgen(js_name = readPgn)]
pub fn read_pgn(variant: &str, text: &str) -> Result<String, String> {
    let variant = parse_variant(variant)?;
    let games = pgn::trees(text).take(MOST_GAMES).map(|read| match read {
        Ok(tree) => PgnView { game: Some(view(&tree)), problem: None },
        Err(error) => {
            let turn = match error.problem {
                GameProblem::Turn { number, .. } | GameProblem::Explicit { number, .. } => Some(number),
                _ => None,
            };
            let reasons = refusal::of_game(variant, &error.problem);
            PgnView {
                game: error.read.as_ref().map(view),
                problem: Some(PgnProblem { line: error.line, turn, reasons }),
            }
        }
    });
    Ok(json(&games.collect::<Vec<_>>()))
}

/// The PGN of a [`GameView`] in JSON.
#[wasm_bindgen(js_name = writePgn)]
pub fn write_pgn(game: &str) -> Result<String, String> {
    // What the page writes is JSON: only its depth can be against it.
    let game: GameView = serde_json::from_str(game)
        .map_err(|error| refuse(if error.is_syntax() { "pgn-too-deep" } else { "unknown" }))?;
    let variant = parse_variant(&game.variant)?;
    let initial = AnyPosition::from_fen(variant, &game.fen)
        .map_err(|error| json(&refusal::of_position(variant, &error)))?;
    let mut tags = Tags::new();
    for tag in &game.tags {
        tags.set(&tag.name, &tag.value)
            .map_err(|_| json(&[Refusal::new("pgn-tag", [("text", tag.name.chars().take(80).collect())])]))?;
    }
    let result: GameResult = game.result.parse().map_err(|_| refuse("unknown"))?;
    let main = line_of(&initial, &game.main, 0)?;
    Ok(pgn::write_tree(&Tree { tags, initial, main, result }, TurnText::San))
}

fn view(tree: &Tree) -> GameView {
    let variant: Variant = tree.initial.variant();
    GameView {
        variant: variant.to_string(),
        fen: tree.initial.fen(),
        tags: tree
            .tags
            .iter()
            .map(|(name, value)| TagView { name: name.to_owned(), value: value.to_owned() })
            .collect(),
        result: tree.result.to_string(),
        main: line_view(&tree.initial, &tree.main),
    }
}

fn line_view(initial: &AnyPosition, line: &Line) -> LineView {
    let mut at = initial.clone();
    let nodes = line.nodes.iter().map(|node| {
        let view = NodeView {
            turn: coordinate::write(&at, &node.turn),
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            comments: node.comments.clone(),
            variations: node.variations.iter().map(|line| line_view(&at, line)).collect(),
        };
        at.play_turn_unchecked(&node.turn);
        view
    });
    LineView { nodes: nodes.collect(), comments: line.comments.clone() }
}

fn line_of(initial: &AnyPosition, line: &LineView, depth: usize) -> Result<Line, String> {
    if depth > MOST_DEEP {
        return Err(refuse("pgn-too-deep"));
    }
    let mut at = initial.clone();
    let mut nodes = Vec::with_capacity(line.nodes.len());
    for node in &line.nodes {
        let turn = coordinate::parse(&at, &node.turn).map_err(|error| json(&[refusal::of_turn(&error)]))?;
        let variations =
            node.variations.iter().map(|line| line_of(&at, line, depth + 1)).collect::<Result<_, _>>()?;
        at.play_turn_unchecked(&turn);
        nodes.push(Node {
            turn,
            nags: node.nags.iter().map(|&nag| Nag(nag)).collect(),
            comments: node.comments.clone(),
            variations,
        });
    }
    Ok(Line { comments: line.comments.clone(), nodes })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::parse_json;

    fn read(text: &str) -> Vec<Value> {
        parse_json(&read_pgn("chess", text).unwrap()).unwrap()
    }

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        let text = "[Event \"Club\"]\n\n1. e4 {best by test} e5 $6 (1... c5 2. Nf3) 2. Nf3 $1 1-0\n";
        let games = read(text);
        let game = &games[0]["game"];
        assert_eq!(game["main"]["nodes"][1]["variations"][0]["nodes"][1]["turn"], "g1f3");
        assert_eq!(games[0]["problem"], Value::Null);
        let written = write_pgn(&game.to_string()).unwrap();
        assert!(
            written.contains("1. e4 {best by test} 1... e5 $6 (1... c5 2. Nf3) 2. Nf3 $1 1-0"),
            "{written}"
        );
        assert!(written.contains("[Event \"Club\"]"), "{written}");
        assert_eq!(read(&written)[0]["game"]["main"], game["main"]);
    }

    #[test]
    fn all_three_games_are_read_by_their_tag() {
        for (tag, variant) in [("Baroque", Variant::Baroque), ("Interweave", Variant::Interweave)] {
            let position = AnyPosition::initial(variant);
            let turn = position.legal_turns().swap_remove(0);
            let text = format!("[Variant \"{tag}\"]\n\n1. {} *\n", coordinate::write(&position, &turn));
            assert_eq!(read(&text)[0]["game"]["variant"], variant.name(), "{text}");
        }
    }

    #[test]
    fn a_broken_game_tells_what_could_be_read_and_where_it_broke() {
        let games = read("1. e4 e5\n2. Ke3 1-0\n\n[White \"Bob\"]\n\n1. d4 *\n");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0]["game"]["main"]["nodes"].as_array().unwrap().len(), 2);
        assert_eq!((&games[0]["problem"]["line"], &games[0]["problem"]["turn"]), (&2.into(), &3.into()));
        assert_eq!(games[0]["problem"]["reasons"][0]["code"], "turn-no-match");
        assert_eq!(games[1]["problem"], Value::Null);
        let fen = read("[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. e4 *\n");
        assert_eq!(fen[0]["game"], Value::Null);
        assert_eq!(fen[0]["problem"]["reasons"][0]["code"], "setup-kings");
        let other = read("[Variant \"Shogi\"]\n\n1. e4 *\n");
        assert_eq!(other[0]["problem"]["reasons"][0]["code"], "pgn-variant");
    }

    #[test]
    fn a_tree_that_cannot_be_played_is_refused() {
        let game = read("1. e4 e5 *")[0]["game"].to_string();
        assert!(write_pgn(&game.replace("e7e5", "e7e4")).unwrap_err().contains("turn-illegal"));
        assert!(write_pgn("{}").unwrap_err().contains("unknown"));
        // A variation on the turn of a variation, and so on.
        let mut main = String::from(r#"{"comments":[],"nodes":[]}"#);
        for _ in 0..60 {
            main = format!(
                r#"{{"comments":[],"nodes":[{{"turn":"e2e4","nags":[],"comments":[],"variations":[{main}]}}]}}"#
            );
        }
        let fen = Variant::Chess.initial_fen();
        let deep = format!(r#"{{"variant":"chess","fen":"{fen}","tags":[],"result":"*","main":{main}}}"#);
        assert!(write_pgn(&deep).unwrap_err().contains("pgn-too-deep"));
    }
}
