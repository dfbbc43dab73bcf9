//! The drawings of the men, the same as on the web page.

use std::str::FromStr;

use adoube_rules::{Color, Piece, Variant};
use thiserror::Error;

/// A set of drawings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Set {
    /// Chess men: each role is drawn as the man with the same letter.
    #[default]
    Classic,
    /// Men drawn by how they capture. A variant without such drawings uses the classic set.
    Mechanism,
}

/// An unknown name of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the set of drawings must be \"classic\" or \"mechanism\"")]
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

/// All drawings: folder (`classic` or `mechanism/GAME`), name, and SVG text for white and black.
static DRAWINGS: &[(&str, &str, [&str; 2])] = include!(concat!(env!("OUT_DIR"), "/drawings.rs"));

/// The men of the classic set, by the letters of roles.
const CLASSIC: [(char, &str); 7] = [
    ('K', "king"),
    ('Q', "queen"),
    ('R', "rook"),
    ('B', "bishop"),
    ('N', "knight"),
    ('P', "pawn"),
    ('M', "immobilizer"),
];

/// Returns the drawing of a man as SVG text, 100 units wide and high; `None` if the set lacks it, which a
/// test rules out.
pub(crate) fn drawing(set: Set, variant: Variant, piece: Piece) -> Option<&'static str> {
    let info = variant.roles().get(piece.role.index())?;
    let find = |in_folder: &dyn Fn(&str) -> bool, name: &str| {
        let found = DRAWINGS.iter().find(|(folder, man, _)| in_folder(folder) && *man == name);
        found.map(|(.., drawings)| drawings)
    };
    let is_own = |folder: &str| folder.strip_prefix("mechanism/") == Some(variant.name());
    let own = (set == Set::Mechanism).then(|| find(&is_own, info.name)).flatten();
    let [white, black] = own.or_else(|| {
        let (_, name) = CLASSIC.iter().find(|(letter, _)| *letter == info.letter)?;
        find(&|folder| folder == "classic", name)
    })?;
    Some(if piece.color == Color::White { white } else { black })
}

#[cfg(test)]
mod tests {
    use adoube_rules::Role;

    use super::*;

    #[test]
    fn every_man_of_every_variant_is_drawn_in_both_sets() {
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
