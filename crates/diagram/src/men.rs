//! The drawings of the men, which are those of the pages.

use std::str::FromStr;

use adoube_rules::{Color, Piece, Variant};
use thiserror::Error;

/// A set of drawings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Set {
    /// Orthodox men: each role is shown as the man whose letter it bears.
    #[default]
    Classic,
    /// Men drawn as the way they take; orthodox chess has none, and is drawn in the classic set.
    Mechanism,
}

/// A name that is no set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("it is \"classic\" or \"mechanism\"")]
pub struct SetError;

impl FromStr for Set {
    type Err = SetError;

    fn from_str(name: &str) -> Result<Self, SetError> {
        match name {
            "classic" => Ok(Self::Classic),
            "mechanism" => Ok(Self::Mechanism),
            _ => Err(SetError),
        }
    }
}

/// The files of a set, white and black, by a key.
type Drawings = &'static [(&'static str, [&'static str; 2])];

macro_rules! drawings {
    ($folder:literal: $($key:literal = $name:literal),* $(,)?) => {
        &[$(($key, [
            include_str!(concat!("../../../web/src/lib/pieces/", $folder, "/white-", $name, ".svg")),
            include_str!(concat!("../../../web/src/lib/pieces/", $folder, "/black-", $name, ".svg")),
        ])),*]
    };
}

/// By the letters of the roles.
static CLASSIC: Drawings = drawings!("classic":
    "k" = "king", "q" = "queen", "r" = "rook", "b" = "bishop", "n" = "knight", "p" = "pawn", "m" = "immobilizer",
);

/// By the names of the roles.
static BAROQUE: Drawings = drawings!("mechanism/baroque":
    "king" = "king", "withdrawer" = "withdrawer", "coordinator" = "coordinator", "chameleon" = "chameleon",
    "long-leaper" = "long-leaper", "immobilizer" = "immobilizer", "pincer-pawn" = "pincer-pawn",
);

static INTERWEAVE: Drawings = drawings!("mechanism/interweave":
    "king" = "king", "smasher" = "smasher", "remover" = "remover", "leaper" = "leaper", "pawn" = "pawn",
);

/// Returns the drawing of a man, 100 units wide and high, as a text of SVG; none if the set lacks it, which a test
/// rules out.
pub(crate) fn drawing(set: Set, variant: Variant, piece: Piece) -> Option<&'static str> {
    let info = variant.roles().get(piece.role.index())?;
    let letter = info.letter.to_ascii_lowercase();
    let of_letter = || CLASSIC.iter().find(|(key, _)| key.starts_with(letter));
    let of_name = |drawings: Drawings| drawings.iter().find(|(key, _)| *key == info.name);
    let (_, [white, black]) = match (set, variant) {
        (Set::Classic, _) | (_, Variant::Chess) => of_letter(),
        (Set::Mechanism, Variant::Baroque) => of_name(BAROQUE),
        (Set::Mechanism, Variant::Interweave) => of_name(INTERWEAVE),
    }?;
    Some(if piece.color == Color::White { white } else { black })
}

#[cfg(test)]
mod tests {
    use adoube_rules::Role;

    use super::*;

    #[test]
    fn every_man_of_every_game_is_drawn_in_both_sets() {
        for variant in Variant::ALL {
            for index in 0..variant.roles().len() {
                for color in [Color::White, Color::Black] {
                    for set in [Set::Classic, Set::Mechanism] {
                        let piece = Piece { color, role: Role::new(index) };
                        let drawing = drawing(set, variant, piece).expect("a drawing");
                        assert!(drawing.contains("viewBox=\"0 0 100 100\""), "{variant} {index}");
                    }
                }
            }
        }
    }
}
