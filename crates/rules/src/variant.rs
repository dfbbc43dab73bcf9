//! The games, one module each, and the list of games.
//!
//! A game has a module here with its rules and its [`GameInfo`], and one line in
//! [`for_each_game!`](crate::for_each_game). Code outside these modules uses [`Variant::info`] or the
//! position instead of matching on games.

pub mod abbott;
pub mod baroque;
pub mod chess;
pub mod interweave;
pub mod ultima;

use std::{fmt, str::FromStr};

use crate::{
    game_info::GameInfo,
    role::{Role, RoleInfo},
    setup::Setup,
};

/// The list of games, passed to a macro.
///
/// `for_each_game!([some::macro] before)` becomes `some::macro! { before { … } }`. For each game, the inner
/// braces hold its value in [`Variant`], its module, the type of its positions, and its
/// [name](GameInfo::name):
///
/// ```
/// macro_rules! names {
///     ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => { [$($name),*] };
/// }
/// let names = adoube_rules::for_each_game!([names]);
/// assert_eq!(names, adoube_rules::Variant::ALL.map(adoube_rules::Variant::name));
/// ```
#[macro_export]
macro_rules! for_each_game {
    ([$($then:tt)*] $($before:tt)*) => {
        $($then)*! { $($before)* {
            /// Chess.
            Chess = chess::Chess, "chess";
            /// Baroque, also called Ultima.
            Baroque = baroque::Baroque, "baroque";
            /// Interweave.
            Interweave = interweave::Interweave, "interweave";
            /// Ultima under its original rules.
            Ultima = ultima::Ultima, "ultima";
        } }
    };
}

macro_rules! variants {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
        /// A game.
        ///
        /// A new game requires a new value here and a new major version of this crate.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Variant {
            $($(#[$doc])* $variant,)*
        }

        impl Variant {
            /// The number of games.
            pub const COUNT: usize = Self::ALL.len();

            /// All games.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Returns the facts about the game.
            pub const fn info(self) -> &'static GameInfo {
                match self {
                    $(Self::$variant => &$module::INFO,)*
                }
            }
        }
    };
}

for_each_game!([variants]);

impl Variant {
    /// The default game, used for PGN without a `Variant` tag: chess, the first in the list.
    pub const DEFAULT: Self = Self::ALL[0];

    /// Returns the game with that [number](GameInfo::number).
    pub fn of_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.info().number == number)
    }

    /// Returns the index in [`Variant::ALL`], for tables in memory. Files use [`GameInfo::number`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the stable name of the game, such as `chess`.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the roles of the game, each at its index.
    pub const fn roles(self) -> &'static [RoleInfo] {
        self.info().roles
    }

    /// Returns the FEN of the position in which the game begins.
    pub const fn initial_fen(self) -> &'static str {
        self.info().initial_fen
    }

    /// Returns the roles that go into reserve when taken, in the order in which a FEN lists them.
    pub const fn reserve_roles(self) -> &'static [Role] {
        self.info().reserve_roles
    }

    /// Returns `true` if the game has castling.
    pub const fn has_castling(self) -> bool {
        self.info().castling_rook.is_some()
    }

    /// Returns `true` if an en passant field names the pawn in addition to the square it crossed (N1).
    pub const fn en_passant_names_pawn(self) -> bool {
        self.info().en_passant_names_pawn
    }

    /// Returns the role's letter in FEN and SAN, in upper case.
    pub fn letter(self, role: Role) -> char {
        self.roles().get(role.index()).map_or('?', |info| info.letter)
    }

    /// Returns the role's stable name, such as `withdrawer`.
    pub fn role_name(self, role: Role) -> &'static str {
        self.roles().get(role.index()).map_or("unknown", |info| info.name)
    }

    /// Returns the role for a letter, in upper or lower case.
    pub fn role_of_letter(self, letter: char) -> Option<Role> {
        self.roles().iter().find(|info| info.letter == letter.to_ascii_uppercase()).map(|info| info.role)
    }

    /// Returns the role with that stable name.
    pub fn role_of_name(self, name: &str) -> Option<Role> {
        self.roles().iter().find(|info| info.name == name).map(|info| info.role)
    }

    /// Returns the setup in which the game begins.
    ///
    /// # Panics
    ///
    /// Never: the FEN of each game is tested.
    pub fn initial_setup(self) -> Setup {
        crate::fen::parse(self, self.initial_fen()).expect("the initial FEN of a game is tested")
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a string that is not the name of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no game is called {0:?}; the games are {list}", list = names())]
pub struct ParseVariantError(pub String);

/// Returns the names of all games as a phrase: `chess, baroque, interweave and ultima`.
fn names() -> String {
    let names = Variant::ALL.map(Variant::name);
    let [before @ .., last] = names.as_slice() else { return String::new() };
    if before.is_empty() { (*last).to_owned() } else { format!("{} and {last}", before.join(", ")) }
}

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
    fn roles_are_listed_at_their_index() {
        for variant in Variant::ALL {
            for (index, info) in variant.roles().iter().enumerate() {
                assert_eq!(info.role.index(), index);
                assert_eq!(variant.role_of_letter(info.letter), Some(info.role));
                assert_eq!(variant.role_of_name(info.name), Some(info.role));
            }
            assert_eq!(variant.name().parse(), Ok(variant));
        }
        let error = "draughts".parse::<Variant>().expect_err("draughts is not a variant");
        let (text, [.., last]) = (error.to_string(), Variant::ALL);
        assert!(text.starts_with("no game is called \"draughts\"; the games are chess, baroque, "), "{text}");
        assert!(text.ends_with(&format!(" and {last}")), "{text}");
    }

    #[test]
    fn the_list_of_games_agrees_with_their_modules_and_numbers() {
        macro_rules! listed {
            ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
                [$((Variant::$variant, $name, $module::$position::VARIANT)),*]
            };
        }
        for (variant, name, of_type) in for_each_game!([listed]) {
            assert_eq!((variant.name(), of_type), (name, variant));
            assert_eq!(Variant::of_number(variant.info().number), Some(variant));
            assert_eq!(Variant::ALL[variant.index()], variant);
        }
        // These numbers are in stored files; a new game takes the next one.
        let next = Variant::ALL.len() as u16;
        let mut numbers: Vec<_> = Variant::ALL.into_iter().map(|variant| variant.info().number).collect();
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(0..next), "{numbers:?}");
        let first = [Variant::Chess, Variant::Baroque, Variant::Interweave, Variant::Ultima];
        assert_eq!(first.map(|variant| variant.info().number), [0, 1, 2, 3]);
        assert_eq!(Variant::of_number(next), None);
        let untagged = Variant::ALL.map(|variant| variant.info().pgn_name.is_none());
        assert_eq!(untagged, Variant::ALL.map(|variant| variant == Variant::DEFAULT));
    }
}
