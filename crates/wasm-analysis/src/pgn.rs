//! Reads PGN into trees, and writes trees as PGN.

use std::ops::ControlFlow;

use adoube_notation::pgn::{
    self, GameProblem, GameResult, Line, Nag, Node, NotPgn, Stream, SyntaxProblem, Tags, Tree, TreeBuilder,
    TurnText, Visitor, Warning, Warnings,
};
use adoube_refusal::{self as refusal, Refusal};
use adoube_rules::{AnyPosition, Position, Turn, Variant, coordinate};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{json, parse_variant, refuse};

/// The maximum number of games read from a file; the page does not handle whole databases.
const MAX_GAMES: usize = 50;
/// A null move, written as in PGN.
pub(crate) const NULL_MOVE: &str = "--";
/// The maximum nesting depth of variations in written PGN. In practice, the limit is about 30, because
/// `serde_json` does not read JSON with more than 128 levels, and each variation adds four.
const MAX_DEPTH: usize = pgn::MAX_DEPTH;

/// A tag of a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TagView {
    pub name: String,
    pub value: String,
}

/// A sequence of turns.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineView {
    /// The comments before the first turn.
    pub comments: Vec<String>,
    pub nodes: Vec<NodeView>,
}

/// A turn with its marks, comments and variations.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeView {
    /// Coordinate notation, or `--` for a null move.
    pub turn: String,
    /// The numbers of its marks: 1 is `!`, 2 is `?`, …
    pub nags: Vec<u8>,
    pub comments: Vec<String>,
    /// The alternatives to this turn.
    pub variations: Vec<LineView>,
}

/// A game, or its beginning.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    #[cfg_attr(test, ts(type = "Variant"))]
    pub variant: String,
    /// The FEN of its first position.
    pub fen: String,
    pub tags: Vec<TagView>,
    #[cfg_attr(test, ts(type = "'1-0' | '0-1' | '1/2-1/2' | '*'"))]
    pub result: String,
    pub main: LineView,
}

/// An error that stopped the reading of a game, or a change or omission made while reading.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PgnProblem {
    /// The line number, 1 for the first line of the text.
    pub line: usize,
    /// The number of the main line's turn that cannot be read or played. Counts the turns of both sides, from
    /// 1. Null for other problems.
    pub turn: Option<usize>,
    #[cfg_attr(test, ts(type = "Refusal[]"))]
    pub reasons: Vec<Refusal>,
}

/// One game in a file: the part that could be read, and the problems.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PgnView {
    /// Null if nothing could be read.
    pub game: Option<GameView>,
    pub problem: Option<PgnProblem>,
    /// The first warnings: changes and omissions.
    pub warnings: Vec<PgnProblem>,
    /// The number of further warnings.
    pub more_warnings: usize,
}

/// The games in a file.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PgnFile {
    /// The first games, at most fifty.
    pub games: Vec<PgnView>,
    /// The number of games in the text.
    pub total: usize,
}

/// Returns the first fifty games in a file, as a [`PgnFile`] in JSON. A game with errors keeps its place in
/// the list, with the part that could be read. `variant` is the page's game; its letters are used to
/// explain a FEN that could not be read.
///
/// The bytes are decoded as on the command line and in the server, whatever their encoding. A file that is
/// not PGN is refused.
#[wasm_bindgen(js_name = readPgn)]
pub fn read_pgn(variant: &str, bytes: &[u8]) -> Result<String, String> {
    let variant = parse_variant(variant)?;
    let refused = |error: std::io::Error| {
        let found = error.get_ref().and_then(|inner| inner.downcast_ref::<NotPgn>());
        json(&[found.map_or_else(|| Refusal::new("pgn", []), refusal::of_file)])
    };
    let mut stream = Stream::new(bytes);
    let mut builder = TreeBuilder::default();
    let mut games = Vec::new();
    while games.len() < MAX_GAMES
        && let Some(read) = stream.read_game(&mut builder).map_err(refused)?
    {
        games.push(match read {
            Ok(tree) => view_of(variant, Some(&tree), None),
            Err(error) => {
                view_of(variant, error.read.as_ref(), Some(problem_of(variant, error.line, &error.problem)))
            }
        });
    }
    let mut total = games.len();
    while stream.read_game(&mut Skip).map_err(refused)?.is_some() {
        total += 1;
    }
    Ok(json(&PgnFile { games, total }))
}

/// A visitor that skips a game.
struct Skip;

impl Visitor for Skip {
    type Output = ();

    fn begin_game(&mut self, _: usize) {}

    fn begin_movetext(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn turn(&mut self, _: usize, _: &str) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn problem(&mut self, _: usize, _: SyntaxProblem) {}

    fn end_game(&mut self) {}
}

fn view_of(variant: Variant, tree: Option<&Tree>, problem: Option<PgnProblem>) -> PgnView {
    let none = Warnings::default();
    let Warnings { first, omitted_warnings: more } = tree.map_or(&none, |tree| &tree.warnings);
    let warnings =
        first.iter().map(|Warning { line, problem }| problem_of(variant, *line, problem)).collect();
    PgnView { game: tree.map(view), problem, warnings, more_warnings: *more }
}

fn problem_of(variant: Variant, line: usize, problem: &GameProblem) -> PgnProblem {
    let turn = match problem {
        GameProblem::Turn { number, .. }
        | GameProblem::NullMove { number }
        | GameProblem::Explicit { number, .. } => Some(*number),
        _ => None,
    };
    PgnProblem { line, turn, reasons: refusal::of_game(variant, problem) }
}

/// Writes a game, given as a [`GameView`] in JSON, as PGN.
#[wasm_bindgen(js_name = writePgn)]
pub fn write_pgn(game: &str) -> Result<String, String> {
    // The page writes valid JSON, so a syntax error can only mean that it is nested too deeply.
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
    Ok(pgn::write_tree(&Tree { tags, initial, main, result, warnings: Warnings::default() }, TurnText::San))
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
    let mut position = initial.clone();
    let nodes = line.nodes.iter().map(|node| {
        let view = NodeView {
            turn: if node.turn.steps().is_empty() {
                NULL_MOVE.to_owned()
            } else {
                coordinate::write(&position, &node.turn)
            },
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            comments: node.comments.clone(),
            variations: node.variations.iter().map(|line| line_view(&position, line)).collect(),
        };
        pgn::play(&mut position, &node.turn);
        view
    });
    LineView { nodes: nodes.collect(), comments: line.comments.clone() }
}

fn line_of(initial: &AnyPosition, line: &LineView, depth: usize) -> Result<Line, String> {
    if depth > MAX_DEPTH {
        return Err(refuse("pgn-too-deep"));
    }
    let mut position = initial.clone();
    let mut nodes = Vec::with_capacity(line.nodes.len());
    for node in &line.nodes {
        let turn = turn_of(&position, &node.turn)?;
        let variations = node
            .variations
            .iter()
            .map(|line| line_of(&position, line, depth + 1))
            .collect::<Result<_, _>>()?;
        pgn::play(&mut position, &turn);
        nodes.push(Node {
            turn,
            nags: node.nags.iter().map(|&nag| Nag(nag)).collect(),
            comments: node.comments.clone(),
            variations,
        });
    }
    Ok(Line { comments: line.comments.clone(), nodes })
}

/// Parses a turn in coordinate notation. A null move is a turn without steps.
pub(crate) fn turn_of(position: &AnyPosition, text: &str) -> Result<Turn, String> {
    if text != NULL_MOVE {
        return coordinate::parse(position, text).map_err(|error| json(&[refusal::of_turn(&error)]));
    }
    position.after_null_move().map(|_| Turn::empty()).ok_or_else(|| refuse("turn-null-move"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::parse_json;

    fn read_file(bytes: &[u8]) -> Value {
        parse_json(&read_pgn("chess", bytes).unwrap()).unwrap()
    }

    fn read(text: &str) -> Vec<Value> {
        read_file(text.as_bytes())["games"].as_array().unwrap().clone()
    }

    #[test]
    fn the_number_of_games_in_a_file_is_reported() {
        let text = "1. e4 {x} (1. d4) *\n\n".repeat(60);
        let file = read_file(text.as_bytes());
        assert_eq!((file["games"].as_array().unwrap().len(), &file["total"]), (50, &60.into()));
        assert_eq!(read_file(b"")["total"], 0);
    }

    #[test]
    fn latin_1_files_are_read_and_other_formats_are_refused() {
        let file = read_file(b"[White \"Bj\xf6rn\"]\n\n1. e4 e5 \xbd-\xbd\n");
        let game = &file["games"][0]["game"];
        assert_eq!(game["tags"][0]["value"], "Björn");
        assert_eq!(game["result"], "1/2-1/2");
        let refused = read_pgn("chess", b"PK\x03\x04").unwrap_err();
        assert!(refused.contains("pgn-compressed") && refused.contains("zip"), "{refused}");
        assert!(read_pgn("chess", b"<!DOCTYPE html>").unwrap_err().contains("pgn-markup"));
    }

    #[test]
    fn an_error_in_a_variation_is_a_warning() {
        let games = read("1. e4 e5 (1... -- 2. d4) (1... c5 2. Ke3 x) 2. Nf3 *");
        let nodes = games[0]["game"]["main"]["nodes"].as_array().unwrap();
        assert_eq!((nodes.len(), &games[0]["problem"]), (3, &Value::Null));
        assert_eq!(nodes[1]["variations"][0]["nodes"][0]["turn"], "--");
        let codes: Vec<_> =
            games[0]["warnings"][0]["reasons"].as_array().unwrap().iter().map(|r| &r["code"]).collect();
        assert_eq!(codes, ["pgn-cut-variation", "turn-no-match"]);
        let written = write_pgn(&games[0]["game"].to_string()).unwrap();
        assert!(written.contains("1. e4 e5 (1... -- 2. d4) (1... c5) 2. Nf3 *"), "{written}");
        let check = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        assert!(turn_of(&check, NULL_MOVE).unwrap_err().contains("turn-null-move"));
    }

    #[test]
    fn trees_round_trip() {
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
    fn variants_are_read_from_their_tag() {
        for (tag, variant) in [("Baroque", Variant::Baroque), ("Interweave", Variant::Interweave)] {
            let position = AnyPosition::initial(variant);
            let turn = position.legal_turns().swap_remove(0);
            let text = format!("[Variant \"{tag}\"]\n\n1. {} *\n", coordinate::write(&position, &turn));
            assert_eq!(read(&text)[0]["game"]["variant"], variant.name(), "{text}");
        }
    }

    #[test]
    fn a_game_with_an_error_keeps_its_readable_part() {
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
        // Deeply nested variations.
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
