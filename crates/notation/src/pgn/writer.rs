//! Writes the export format.

use std::fmt::Write as _;

use adoube_rules::{AnyPosition, Color, Position, Turn, coordinate, with_position};

use super::{
    game::Game,
    replay::play,
    tag::{CHESS960, DERIVED, GameResult, ROSTER, Tags},
    tree::{Line, Tree, one_line},
};
use crate::san;

/// The maximum length of a line of movetext. A line is longer if a single word is, or if its last word cannot
/// be moved to the next line, either because it must not begin a line or because it follows without a space,
/// as a closing parenthesis does.
const COLUMNS: usize = 79;

/// The notation of turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TurnText {
    /// SAN, such as `Nf3`.
    #[default]
    San,
    /// Coordinates, such as `g1f3`.
    Coordinates,
}

/// Writes a game in the export format of the PGN standard: the seven required tags, the other tags sorted by
/// name, the turns on lines of fewer than 80 columns, the result, and an empty line.
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    write_tags(&mut text, &game.tags, &game.initial, game.result);
    let mut movetext = Movetext::new(&mut text, TurnText::San);
    let mut position = game.initial.clone();
    for (index, turn) in game.turns.iter().enumerate() {
        movetext.turn(&position, turn, index == 0);
        play(&mut position, turn);
    }
    movetext.end(game.result);
    text
}

/// Writes a game like [`write()`], but with its variations, comments and marks.
pub fn write_tree(tree: &Tree, turns: TurnText) -> String {
    let mut text = String::new();
    write_tags(&mut text, &tree.tags, &tree.initial, tree.result);
    let mut movetext = Movetext::new(&mut text, turns);
    movetext.line(&tree.main, tree.initial.clone());
    movetext.end(tree.result);
    text
}

fn write_tags(text: &mut String, tags: &Tags, initial: &AnyPosition, result: GameResult) {
    for (name, unknown) in ROSTER {
        if name == "Result" {
            write_tag(text, name, &result.to_string());
        } else {
            write_tag(text, name, tags.get(name).unwrap_or(unknown));
        }
    }
    let mut others: Vec<(&str, String)> = tags
        .iter()
        .filter(|(name, _)| !DERIVED.contains(name) && ROSTER.iter().all(|(roster, _)| roster != name))
        .map(|(name, value)| (name, value.to_owned()))
        .collect();
    let variant = initial.variant();
    if let Some(name) = variant.info().pgn_name {
        others.push(("Variant", name.to_owned()));
    } else if initial.castles_onto_rook() || tags.get("Variant") == Some(CHESS960) {
        others.push(("Variant", CHESS960.to_owned()));
    }
    let fen = initial.fen();
    if fen != variant.initial_fen() {
        others.push(("FEN", fen));
        others.push(("SetUp", "1".to_owned()));
    }
    others.sort_unstable();
    for (name, value) in others {
        write_tag(text, name, &value);
    }
    text.push('\n');
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// Movetext, broken into lines.
struct Movetext<'a> {
    text: &'a mut String,
    turns: TurnText,
    column: usize,
    /// Whether the next word follows without a space.
    glued: bool,
}

impl<'a> Movetext<'a> {
    fn new(text: &'a mut String, turns: TurnText) -> Self {
        Self { text, turns, column: 0, glued: false }
    }

    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        // At the beginning of a line, a word that starts with these would be read as a tag or an escaped line.
        let stays = word.starts_with(['[', '%']);
        if self.column > 0 && !self.glued {
            if self.column + 1 + length > COLUMNS && !stays {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += length;
        self.glued = false;
    }

    /// Writes a turn, with its number if the reader needs it.
    fn turn(&mut self, position: &AnyPosition, turn: &Turn, numbered: bool) {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if numbered => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        let text = match self.turns {
            _ if turn.steps().is_empty() => "--".to_owned(),
            TurnText::San => with_position!(position, position => san::write(position, turn)),
            TurnText::Coordinates => coordinate::write(position, turn),
        };
        self.word(&text);
    }

    fn comment(&mut self, comment: &str) {
        let comment = one_line(comment);
        if comment.is_empty() {
            return;
        }
        for word in format!("{{{comment}}}").split(' ') {
            self.word(word);
        }
    }

    fn line(&mut self, line: &Line, mut position: AnyPosition) {
        for comment in &line.comments {
            self.comment(comment);
        }
        let mut numbered = true;
        for node in &line.nodes {
            self.turn(&position, &node.turn, numbered);
            for nag in &node.nags {
                self.word(&format!("${}", nag.0));
            }
            for comment in &node.comments {
                self.comment(comment);
            }
            for variation in &node.variations {
                self.word("(");
                self.glued = true;
                self.line(variation, position.clone());
                self.glued = true;
                self.word(")");
            }
            numbered = !(node.comments.is_empty() && node.variations.is_empty());
            play(&mut position, &node.turn);
        }
    }

    fn end(mut self, result: GameResult) {
        self.word(&result.to_string());
        self.text.push_str("\n\n");
    }
}
