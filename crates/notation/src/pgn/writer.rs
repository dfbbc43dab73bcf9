//! The export format.

use std::fmt::Write as _;

use adoube_rules::{Color, Position, Variant};

use super::{
    game::Game,
    tag::{DERIVED, ROSTER},
};
use crate::san;

/// No line of movetext is longer, unless a single turn is.
const COLUMNS: usize = 79;

/// Writes a game in the export format of the PGN standard: the seven tags of every game, the others in the
/// order of their names, the turns on lines of less than 80 columns, the result, an empty line.
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    for (name, unknown) in ROSTER {
        if name == "Result" {
            write_tag(&mut text, name, &game.result.to_string());
        } else {
            write_tag(&mut text, name, game.tags.get(name).unwrap_or(unknown));
        }
    }
    let mut others: Vec<(&str, String)> = game
        .tags
        .iter()
        .filter(|(name, _)| !DERIVED.contains(name) && ROSTER.iter().all(|(roster, _)| roster != name))
        .map(|(name, value)| (name, value.to_owned()))
        .collect();
    let variant = game.initial.variant();
    match variant {
        Variant::Chess if game.initial.castles_onto_rook() => others.push(("Variant", "Chess960".to_owned())),
        Variant::Chess => {}
        Variant::Baroque => others.push(("Variant", "Baroque".to_owned())),
        Variant::Interweave => others.push(("Variant", "Interweave".to_owned())),
    }
    let fen = game.initial.fen();
    if fen != variant.initial_fen() {
        others.push(("FEN", fen));
        others.push(("SetUp", "1".to_owned()));
    }
    others.sort_unstable();
    for (name, value) in others {
        write_tag(&mut text, name, &value);
    }
    text.push('\n');
    write_movetext(&mut text, game);
    text.push('\n');
    text
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

fn write_movetext(text: &mut String, game: &Game) {
    let mut column = 0;
    let mut word = |word: &str| {
        if column > 0 && column + 1 + word.len() > COLUMNS {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    };
    let mut position = game.initial.clone();
    for (index, turn) in game.turns.iter().enumerate() {
        let number = position.fullmove_number();
        match position.turn() {
            Color::White => word(&format!("{number}.")),
            Color::Black if index == 0 => word(&format!("{number}...")),
            Color::Black => {}
        }
        word(&san::write(&position, turn));
        position.play_turn_unchecked(turn);
    }
    word(&game.result.to_string());
    text.push('\n');
}
