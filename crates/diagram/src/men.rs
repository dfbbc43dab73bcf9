//! The drawings of the men, which are the same as on the web page.

use std::str::FromStr;

use adoube_rules::{Color, Piece, Variant};
use thiserror::Error;

/// A set of drawings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Set {
    /// Chess men in the Staunton style: each role is drawn as the man with the same letter.
    Classic,
    /// The same men as bold shapes.
    Silhouette,
    /// Men whose drawings show how they move and capture. A variant without such drawings uses the classic
    /// set.
    Mechanism,
}

impl Set {
    /// All sets.
    pub const ALL: [Self; 3] = [Self::Classic, Self::Silhouette, Self::Mechanism];

    /// Returns the name of the set, as used in options and addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Silhouette => "silhouette",
            Self::Mechanism => "mechanism",
        }
    }

    /// Returns the default set of a variant, by the same rule as on the web page: chess men if they move the
    /// way they look or the variant has no drawings of its own, and otherwise men that show how they move.
    pub fn of(variant: Variant) -> Self {
        let is_chess = variant.roles().iter().all(|info| CHESS_MEN.contains(&(info.letter, info.name)));
        let has_own = DRAWINGS.iter().any(|(folder, ..)| is_own(folder, variant));
        if is_chess || !has_own { Self::Classic } else { Self::Mechanism }
    }
}

/// The error for an unknown set name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the set of men must be \"classic\", \"silhouette\" or \"mechanism\"")]
pub struct SetError;

impl FromStr for Set {
    type Err = SetError;

    fn from_str(name: &str) -> Result<Self, SetError> {
        Self::ALL.into_iter().find(|set| set.name() == name).ok_or(SetError)
    }
}

/// All drawings: folder (the name of a set of chess men, or `mechanism/GAME`), name, and SVG text for white
/// and black.
static DRAWINGS: &[(&str, &str, [&str; 2])] = include!(concat!(env!("OUT_DIR"), "/drawings.rs"));

/// The drawings in a chess set, by role letter. The last one is a rook turned upside down.
const CHESS_MEN: [(char, &str); 7] = [
    ('K', "king"),
    ('Q', "queen"),
    ('R', "rook"),
    ('B', "bishop"),
    ('N', "knight"),
    ('P', "pawn"),
    ('M', "immobilizer"),
];

/// Returns `true` if a folder contains the drawings of a variant's own men. Games with the same men share the
/// drawings of the first of them, as on the web page.
fn is_own(folder: &str, variant: Variant) -> bool {
    let names = |variant: Variant| variant.roles().iter().map(|role| role.name).collect::<Vec<_>>();
    let first = Variant::ALL.into_iter().find(|&other| names(other) == names(variant)).unwrap_or(variant);
    folder.strip_prefix("mechanism/") == Some(first.name())
}

/// Returns the drawing of a man as SVG text, 100 units wide and high; `None` if the set lacks it, which a
/// test rules out.
pub(crate) fn drawing(set: Set, variant: Variant, piece: Piece) -> Option<&'static str> {
    let info = variant.roles().get(piece.role.index())?;
    let find = |in_folder: &dyn Fn(&str) -> bool, name: &str| {
        let found = DRAWINGS.iter().find(|(folder, man, _)| in_folder(folder) && *man == name);
        found.map(|(.., drawings)| drawings)
    };
    let own = (set == Set::Mechanism).then(|| find(&|folder| is_own(folder, variant), info.name)).flatten();
    let [white, black] = own.or_else(|| {
        let (_, name) = CHESS_MEN.iter().find(|(letter, _)| *letter == info.letter)?;
        let chess_set = if set == Set::Mechanism { Set::Classic } else { set };
        find(&|folder| folder == chess_set.name(), name)
    })?;
    Some(if piece.color == Color::White { white } else { black })
}

#[cfg(test)]
mod tests {
    use adoube_rules::Role;

    use super::*;

    #[test]
    fn every_man_of_every_variant_is_drawn_in_every_set() {
        for variant in Variant::ALL {
            for index in 0..variant.roles().len() {
                for color in [Color::White, Color::Black] {
                    for set in Set::ALL {
                        let piece = Piece { color, role: Role::new(index) };
                        let drawing = drawing(set, variant, piece).expect("a drawing");
                        assert!(drawing.contains("viewBox=\"0 0 100 100\""), "{variant} {index}");
                    }
                }
            }
        }
    }
}
