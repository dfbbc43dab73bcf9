//! Knowledge of the engine about each game, one file per game: hand-made evaluation, facts for the search, and the
//! `Profile`.

pub(crate) mod abbott;
pub mod baroque;
pub mod chess;
pub mod interweave;
pub mod ultima;

use adoube_rules::Variant;

use crate::{levels::Strength, odds::Odds, search::Parameters};

/// Tuned numbers for one game.
#[derive(Debug)]
pub(crate) struct Profile {
    /// Conversion of scores to winning chances.
    pub(crate) odds: Odds,
    /// Limits and noise of the levels 1 to 10.
    pub(crate) levels: [Strength; 10],
    /// Measured ratings of the skill levels from 0, see `docs/levels.md` for method and scale; `None` if they have not been measured.
    pub(crate) skill_ratings: Option<[u16; 15]>,
    /// Evaluation noise of skill level 0.
    pub(crate) skill_noise: f64,
    /// The network that comes with the program, as its file; `None` if the game is evaluated by hand.
    pub(crate) network: Option<&'static [u8]>,
    /// The numbers of the search.
    pub(crate) parameters: Parameters,
    /// Positions for [`bench`](crate::bench) in addition to the initial one: openings, middle games, sharp
    /// positions, endgames.
    pub(crate) bench: &'static [&'static str],
    /// Depth of [`bench`](crate::bench), chosen so that all games take about the same time.
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
        }
    };
}

adoube_rules::for_each_game!([profiles]);
