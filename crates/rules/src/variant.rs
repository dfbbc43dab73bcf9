//! The games, one file each.

pub mod baroque;
pub mod interweave;
pub mod orthodox;

use std::{fmt, str::FromStr};

use crate::{
    role::{Role, RoleInfo},
    setup::Setup,
};

/// A game.
///
/// A new game is a new value here, and a new major version of this crate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Orthodox chess.
    Chess,
    /// Baroque, also called Ultima.
    Baroque,
    /// Interweave.
    Interweave,
}

impl Variant {
    /// All games.
    pub const ALL: [Self; 3] = [Self::Chess, Self::Baroque, Self::Interweave];

    /// Returns the stable name of the game: `chess`, `baroque`, `interweave`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Baroque => "baroque",
            Self::Interweave => "interweave",
        }
    }

    /// Returns the roles of the game, at the index of each role.
    pub const fn roles(self) -> &'static [RoleInfo] {
        match self {
            Self::Chess => &orthodox::ROLES,
            Self::Baroque => &baroque::ROLES,
            Self::Interweave => &interweave::ROLES,
        }
    }

    /// Returns the FEN of the position in which the game begins.
    pub const fn initial_fen(self) -> &'static str {
        match self {
            Self::Chess => orthodox::INITIAL_FEN,
            Self::Baroque => baroque::INITIAL_FEN,
            Self::Interweave => interweave::INITIAL_FEN,
        }
    }

    /// Returns the roles that go into reserve when taken, in the order in which a FEN counts them.
    pub const fn reserve_roles(self) -> &'static [Role] {
        match self {
            Self::Chess | Self::Baroque => &[],
            Self::Interweave => &interweave::RESERVE_ROLES,
        }
    }

    /// Returns whether the game has castling.
    pub const fn has_castling(self) -> bool {
        matches!(self, Self::Chess)
    }

    /// Returns whether an en passant field names the pawn beside the square it crossed (N1).
    pub const fn en_passant_names_pawn(self) -> bool {
        matches!(self, Self::Interweave)
    }

    /// Returns the role's letter in upper case, as FEN and SAN write it.
    pub fn letter(self, role: Role) -> char {
        self.roles().get(role.index()).map_or('?', |info| info.letter)
    }

    /// Returns the role's stable name, such as `withdrawer`.
    pub fn role_name(self, role: Role) -> &'static str {
        self.roles().get(role.index()).map_or("unknown", |info| info.name)
    }

    /// Returns the role of a letter, in upper or lower case.
    pub fn role_of_letter(self, letter: char) -> Option<Role> {
        self.roles().iter().find(|info| info.letter == letter.to_ascii_uppercase()).map(|info| info.role)
    }

    /// Returns the role of a stable name.
    pub fn role_of_name(self, name: &str) -> Option<Role> {
        self.roles().iter().find(|info| info.name == name).map(|info| info.role)
    }

    /// Returns the setup in which the game begins.
    ///
    /// # Panics
    ///
    /// Never: the three FENs are tested.
    pub fn initial_setup(self) -> Setup {
        crate::fen::parse(self, self.initial_fen()).expect("the initial FEN of a game is tested")
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no game is called {0:?}; the games are chess, baroque and interweave")]
pub struct ParseVariantError(pub String);

impl FromStr for Variant {
    type Err = ParseVariantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|variant| variant.name() == text)
            .ok_or_else(|| ParseVariantError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_stand_at_their_index() {
        for variant in Variant::ALL {
            for (index, info) in variant.roles().iter().enumerate() {
                assert_eq!(info.role.index(), index);
                assert_eq!(variant.role_of_letter(info.letter), Some(info.role));
                assert_eq!(variant.role_of_name(info.name), Some(info.role));
            }
            assert_eq!(variant.name().parse(), Ok(variant));
        }
        assert!("ultima".parse::<Variant>().is_err());
    }
}
