//! [`AnyPosition`], a position of any game, and the text forms that all positions have in common.

use std::{fmt, str::FromStr};

use super::{Position, ReadPositionError, SearchPosition, sealed};
use crate::{
    color::Color,
    fen, for_each_game,
    moves::{Step, StepList},
    outcome::{DrawRules, Outcome},
    role::{Piece, Role},
    setup::{PositionError, Setup},
    square::Square,
    square_set::SquareSet,
    variant::{self, Variant},
};

/// Reads a FEN of a game and checks that it can be played.
fn from_fen<P: Position>(variant: Variant, text: &str) -> Result<P, ReadPositionError> {
    Ok(P::from_setup(&fen::parse(variant, text)?)?)
}

macro_rules! positions {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
        $(
            impl sealed::Sealed for variant::$module::$position {}

            /// Writes the FEN; `{:#}` draws the board.
            impl fmt::Display for variant::$module::$position {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    if f.alternate() { f.write_str(&self.diagram()) } else { f.pad(&self.fen()) }
                }
            }

            impl variant::$module::$position {
                /// Reads a FEN and checks that it can be played.
                pub fn from_fen(text: &str) -> Result<Self, ReadPositionError> {
                    from_fen(Self::VARIANT, text)
                }

                /// Reads a FEN as people paste it (see [`fen::parse_lenient`]) and checks that it can be
                /// played. Leaves out impossible castling rights and an impossible en passant square. Also
                /// returns what was left out.
                pub fn from_fen_lenient(text: &str) -> Result<(Self, Vec<fen::Repair>), ReadPositionError> {
                    fen::repaired(Self::VARIANT, text)
                }
            }

            /// Reads a FEN and checks that it can be played.
            impl FromStr for variant::$module::$position {
                type Err = ReadPositionError;

                fn from_str(fen: &str) -> Result<Self, Self::Err> {
                    from_fen(Self::VARIANT, fen)
                }
            }

            /// The position in which a game begins.
            impl Default for variant::$module::$position {
                fn default() -> Self {
                    Self::from_setup(&Self::VARIANT.initial_setup())
                        .expect("the initial position of a game is tested")
                }
            }

            impl From<variant::$module::$position> for AnyPosition {
                fn from(position: variant::$module::$position) -> Self {
                    Self::$variant(position)
                }
            }
        )*

        /// A position of any game, for code that does not depend on the game.
        ///
        /// A new game requires a new value here and in [`Variant`], and a new major version: code that does
        /// not know it should fail to compile rather than fail in the middle of a game.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum AnyPosition {
            $($(#[$doc])* $variant(variant::$module::$position),)*
        }

        /// Converts a setup of any game to a position.
        fn any_from_setup(setup: &Setup) -> Result<AnyPosition, PositionError> {
            Ok(match setup.variant {
                $(Variant::$variant => AnyPosition::$variant(<variant::$module::$position>::from_setup(setup)?),)*
            })
        }
    };
}

for_each_game!([positions]);

/// Evaluates an expression with the position inside an [`AnyPosition`], whichever game it belongs to.
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        $crate::for_each_game!([$crate::match_position] [$any, $position => $body])
    };
}

/// Expands to the `match` of [`with_position!`].
#[doc(hidden)]
#[macro_export]
macro_rules! match_position {
    ([$any:expr, $position:ident => $body:expr]
     { $($(#[$doc:meta])* $variant:ident = $module:ident::$game:ident, $name:literal;)* }) => {
        match $any {
            $($crate::AnyPosition::$variant($position) => $body,)*
        }
    };
}

impl AnyPosition {
    /// Returns the position in which a game begins.
    ///
    /// # Panics
    ///
    /// Never: the initial position of each game is tested.
    pub fn initial(variant: Variant) -> Self {
        Self::from_setup(&variant.initial_setup()).expect("the initial position of a game is tested")
    }

    /// Reads a FEN of a game and checks that it can be played.
    pub fn from_fen(variant: Variant, text: &str) -> Result<Self, ReadPositionError> {
        from_fen(variant, text)
    }

    /// Reads a FEN of a game as people paste it (see [`fen::parse_lenient`]) and checks that it can be
    /// played. Leaves out impossible castling rights and an impossible en passant square. Also returns what
    /// was left out.
    pub fn from_fen_lenient(
        variant: Variant,
        text: &str,
    ) -> Result<(Self, Vec<fen::Repair>), ReadPositionError> {
        fen::repaired(variant, text)
    }
}

impl sealed::Sealed for AnyPosition {}

/// Writes the FEN; `{:#}` draws the board.
impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_position!(self, position => position.fmt(f))
    }
}

/// Forwards methods to the position of the game. A method that is missing here would use the default of the
/// trait, which is slower or, for some games, wrong.
macro_rules! forward {
    ($(fn $method:ident(&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*) => {$(
        fn $method(&self $(, $argument: $type)*) $(-> $result)? {
            with_position!(self, position => position.$method($($argument),*))
        }
    )*};
}

impl Position for AnyPosition {
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        any_from_setup(setup)
    }

    forward! {
        fn to_setup(&self) -> Setup;
        fn variant(&self) -> Variant;
        fn side_to_move(&self) -> Color;
        fn men(&self, color: Color) -> SquareSet;
        fn men_of_role(&self, role: Role) -> SquareSet;
        fn piece_at(&self, square: Square) -> Option<Piece>;
        fn reserve(&self, color: Color, role: Role) -> u8;
        fn halfmove_clock(&self) -> u16;
        fn fullmove_number(&self) -> u16;
        fn key(&self) -> u64;
        fn chain(&self) -> Option<Square>;
        fn legal_steps(&self) -> StepList;
        fn taken(&self, step: Step) -> SquareSet;
        fn gives_up(&self, step: Step) -> bool;
        fn is_legal(&self, step: Step) -> bool;
        fn checked_kings(&self) -> SquareSet;
        fn destination(&self, step: Step) -> Square;
        fn castles_onto_rook(&self) -> bool;
        fn outcome(&self, rules: DrawRules) -> Option<Outcome>;
        fn is_check(&self) -> bool;
    }

    fn play_unchecked(&mut self, step: Step) {
        with_position!(self, position => position.play_unchecked(step));
    }
}

impl SearchPosition for AnyPosition {
    forward! {
        fn add_legal_steps(&self, steps: &mut StepList);
        fn add_loud_steps(&self, steps: &mut StepList);
        fn count_steps(&self) -> usize;
        fn count_turns(&self) -> u64;
        fn can_capture_later(&self, own: Option<Square>, enemy: Square, steps: &mut u32) -> Option<bool>;
    }

    fn gives_check(&self) -> impl Fn(Step) -> bool {
        with_position!(self, position => Box::new(position.gives_check()) as Box<dyn Fn(Step) -> bool + '_>)
    }

    fn for_each_successor(&self, visit: &mut impl FnMut(&Self)) {
        with_position!(self, position => position.for_each_successor(&mut |after| visit(&after.clone().into())));
    }
}
