//! The engine's knowledge of the variants, with one file for each: its hand-crafted evaluation, facts for the
//! search, and its `Profile`.

/// Returns the content of a file in `networks`, or `None` in a browser, where the page fetches the network of
/// the variant that it analyses.
macro_rules! network_file {
    ($name:literal) => {
        if cfg!(target_family = "wasm") {
            None
        } else {
            Some(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/networks/", $name)))
        }
    };
}

pub(crate) mod abbott;
pub mod baroque;
pub mod chess;
pub mod interweave;
pub mod ultima;

use adoube_rules::Variant;

use crate::{
    levels::{LevelElo, Strength},
    odds::Odds,
    search::Parameters,
};

/// The engine's data for one variant.
///
/// The profile of each variant is a `static`, because every use of a `const` could put another copy of the
/// network into the program.
#[derive(Debug)]
pub(crate) struct Profile {
    /// The conversion of scores to winning chances.
    pub(crate) odds: Odds,
    /// The limits and noise of levels 1 to 10.
    pub(crate) levels: [Strength; 10],
    /// The strengths of the levels, as measured in matches.
    pub(crate) level_elo: [LevelElo; 10],
    /// The measured ratings of skill levels 0 to 14; see `docs/levels.md` for the method and the scale.
    /// `None` if they have not been measured.
    pub(crate) skill_ratings: Option<[u16; 15]>,
    /// The evaluation noise of skill level 0.
    pub(crate) skill_noise: f64,
    /// The built-in network file; `None` for the hand-crafted evaluation, and in a browser.
    pub(crate) network: Option<&'static [u8]>,
    /// The search parameters.
    pub(crate) parameters: Parameters,
    /// Positions for [`bench`](crate::bench) in addition to the initial one: openings, middlegames, sharp
    /// positions, endgames.
    pub(crate) bench: &'static [&'static str],
    /// The depth of [`bench`](crate::bench), chosen so that all variants take about the same time.
    pub(crate) bench_depth: u32,
}

macro_rules! profiles {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
        impl Profile {
            /// Returns the profile of a variant.
            pub(crate) const fn of(variant: Variant) -> &'static Self {
                match variant {
                    $(Variant::$variant => &$module::PROFILE,)*
                }
            }
        }
    };
}

adoube_rules::for_each_game!([profiles]);
