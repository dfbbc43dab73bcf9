//! What the engine knows of each game, one file each: the hand-made evaluation, what the search must know, and the [`Profile`].

pub mod baroque;
pub mod interweave;
pub mod orthodox;

use adoube_rules::Variant;

use crate::{levels::Strength, odds::Odds, search::Parameters};

/// The numbers by which the engine plays one game.
#[derive(Debug)]
pub(crate) struct Profile {
    /// What scores mean for the end of a game.
    pub(crate) odds: Odds,
    /// What the levels from 1 on may spend, and by how much they err.
    pub(crate) levels: [Strength; 10],
    /// Ratings of the skill levels from 0 on, as far as they were measured: `docs/levels.md` says how, and on which scales.
    pub(crate) skill_ratings: [u16; 15],
    /// By how much skill level 0 errs.
    pub(crate) skill_noise: f64,
    /// The numbers of the search.
    pub(crate) parameters: Parameters,
    /// Openings, middle games, sharp positions and endgames, besides the initial position, for [`bench`](crate::bench).
    pub(crate) bench: &'static [&'static str],
    /// The depth at which the searches of these take about as long as those of the other games.
    pub(crate) bench_depth: u32,
}

macro_rules! profiles {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
        impl Profile {
            /// Returns the profile of a game.
            pub(crate) const fn of(variant: Variant) -> &'static Self {
                match variant {
                    $(Variant::$variant => &$module::PROFILE,)*
                }
            }

            /// Returns the network that comes with the program, as its file.
            pub(crate) const fn network(variant: Variant) -> &'static [u8] {
                match variant {
                    $(Variant::$variant => include_bytes!(concat!("../networks/", $name, ".network")),)*
                }
            }
        }
    };
}

adoube_rules::for_each_game!([profiles]);
