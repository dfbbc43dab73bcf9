//! Positions and turns in words.

use std::fmt::Write as _;

use adoube_notation::{Language, letter, localise, san};
use adoube_rules::{AnyPosition, Color, Position as _, Square, coordinate};
use adoube_texts::{Args, message};

/// Returns the name of a side as used in message keys and arguments.
const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns the sentence that names the side to move.
pub(crate) fn side_to_move(language: Language, color: Color) -> String {
    let mut args = Args::new();
    args.set("color", name(color));
    message(language, "diagram-turn", &args)
}

/// Returns the men of each side in words, with the letters of the language, such as `White: Kg1, Rd1, Pa2`.
/// Reserves are on separate lines.
pub(crate) fn men(position: &AnyPosition, language: Language) -> Vec<String> {
    let variant = position.variant();
    let mut lines = Vec::new();
    let mut line = |key: String, pieces: Vec<String>| {
        if !pieces.is_empty() {
            let mut args = Args::new();
            args.set("pieces", pieces.join(", "));
            lines.push(message(language, &key, &args));
        }
    };
    for color in [Color::White, Color::Black] {
        let mut pieces = Vec::new();
        // Stronger men mostly have higher role indices. In reverse order, they come first and pawns come
        // last, as in books.
        for info in variant.roles().iter().rev() {
            let squares = Square::ALL.into_iter().filter(|&square| {
                position.piece_at(square).is_some_and(|piece| (piece.color, piece.role) == (color, info.role))
            });
            pieces.extend(squares.map(|square| format!("{}{square}", letter(variant, language, info.role))));
        }
        line(format!("document-pieces-{}", name(color)), pieces);
    }
    for color in [Color::White, Color::Black] {
        let reserve =
            variant.reserve_roles().iter().filter_map(|&role| match position.reserve(color, role) {
                0 => None,
                count => Some(format!("{count}{}", letter(variant, language, role))),
            });
        line(format!("document-reserve-{}", name(color)), reserve.collect());
    }
    lines
}

/// Converts turns from coordinate notation to algebraic notation in a language. Stops at the first turn that
/// is not legal.
pub(crate) fn line<'a>(
    position: &AnyPosition,
    language: Language,
    turns: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let mut current = position.clone();
    let mut written = Vec::new();
    for text in turns {
        let Ok(turn) = coordinate::parse(&current, text) else { break };
        written.push(localise(current.variant(), language, &san::write(&current, &turn)));
        current.play_turn_unchecked(&turn);
    }
    written
}

/// Returns turns with move numbers, such as `1. e4 e5 2. Nf3`.
pub(crate) fn numbered(start: &AnyPosition, turns: &[String]) -> String {
    let mut number = start.fullmove_number().max(1);
    let mut white = start.side_to_move() == Color::White;
    let mut text = String::new();
    for (index, turn) in turns.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        if white {
            let _ = write!(text, "{number}. ");
        } else if index == 0 {
            let _ = write!(text, "{number}… ");
        }
        text.push_str(turn);
        if !white {
            number = number.saturating_add(1);
        }
        white = !white;
    }
    text
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;

    #[test]
    fn a_position_is_described_in_words() {
        let position =
            AnyPosition::from_fen(Variant::Interweave, "7k/7k/3P4/8/8/8/1P6/6KK[N] w - - 0 1").unwrap();
        assert_eq!(
            men(&position, Language::French),
            ["Blancs\u{a0}: Rg1, Rh1, Pb2, Pd6", "Noirs\u{a0}: Rh7, Rh8", "Réserve des Blancs\u{a0}: 1C"]
        );
        assert_eq!(side_to_move(Language::English, Color::Black), "Black to move");
    }

    #[test]
    fn turns_are_written_in_the_language_and_numbered() {
        let start = AnyPosition::initial(Variant::Chess);
        let turns = line(&start, Language::French, ["e2e4", "e7e5", "g1f3", "zzzz", "b8c6"]);
        assert_eq!(numbered(&start, &turns), "1. e4 e5 2. Cf3");
        let black = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/8/8/8/8/R3K3 b Q - 3 7").unwrap();
        let turns = line(&black, Language::English, ["e8e7", "a1a7"]);
        assert_eq!(numbered(&black, &turns), "7… Ke7 8. Ra7+");
    }
}
