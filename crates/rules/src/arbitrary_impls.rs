//! Implements `Arbitrary`: values for fuzzers and property tests, including positions reached by legal steps.

use arbitrary::{Arbitrary, Error, Result, Unstructured};

use crate::{
    AnyPosition, ByColor, Color, Draw, DrawRules, EnPassant, File, MAX_TURN_STEPS, Outcome, Piece, Position,
    Rank, Role, Setup, Square, SquareSet, Step, Turn, Variant, Win, for_each_game, shuffle,
};

/// The maximum number of men in a setup, more than two armies.
const MAX_MEN: usize = 40;
/// The maximum number of steps played to reach a position.
const MAX_STEPS_PLAYED: usize = 200;

/// Implements `Arbitrary` for types by choosing from a list of all their values.
macro_rules! choices {
    ($($type:ty: $values:expr;)*) => {$(
        impl<'a> Arbitrary<'a> for $type {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                u.choose(&$values).copied()
            }
        }
    )*};
}

choices! {
    Square: Self::ALL;
    File: Self::ALL;
    Rank: Self::ALL;
    Color: Self::ALL;
    Variant: Self::ALL;
    DrawRules: [Self::Club, Self::Fide];
    Win: [Self::Checkmate, Self::KingCaptured, Self::NoMoves, Self::Repetition];
    Draw: [Self::Stalemate, Self::InsufficientMaterial, Self::FiftyMoves, Self::Repetition];
}

impl<'a> Arbitrary<'a> for Outcome {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.arbitrary()? {
            Some(winner) => Self::Decisive { winner, reason: u.arbitrary()? },
            None => Self::Draw { reason: u.arbitrary()? },
        })
    }
}

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for ByColor<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self { white: u.arbitrary()?, black: u.arbitrary()? })
    }
}

impl<'a> Arbitrary<'a> for Role {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::new(u.int_in_range(0..=Self::MAX - 1)?))
    }
}

impl<'a> Arbitrary<'a> for Piece {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self { color: u.arbitrary()?, role: u.arbitrary()? })
    }
}

impl<'a> Arbitrary<'a> for SquareSet {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u.arbitrary().map(Self)
    }
}

/// Any step, legal in some game or in none.
impl<'a> Arbitrary<'a> for Step {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (from, to) = (u.arbitrary()?, u.arbitrary()?);
        Ok(if u.arbitrary()? {
            // No game promotes to the last role.
            Self::promoting(from, to, Role::new(u.int_in_range(0..=Role::MAX - 2)?))
        } else {
            Self::new(from, to)
        })
    }
}

/// Any number of steps up to [`MAX_TURN_STEPS`].
impl<'a> Arbitrary<'a> for Turn {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut turn = Self::empty();
        for _ in 0..u.int_in_range(0..=MAX_TURN_STEPS)? {
            turn.push(u.arbitrary()?);
        }
        Ok(turn)
    }
}

impl<'a> Arbitrary<'a> for EnPassant {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self { crossed: u.arbitrary()?, pawn: u.arbitrary()? })
    }
}

/// Men of one game on random squares, with or without castling rights, en passant and men in reserve. Few
/// of these setups are playable.
impl<'a> Arbitrary<'a> for Setup {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let variant: Variant = u.arbitrary()?;
        let mut setup = Self::empty(variant);
        for _ in 0..u.int_in_range(0..=MAX_MEN)? {
            let square: Square = u.arbitrary()?;
            let role = u.choose(variant.roles())?.role;
            setup.pieces[square.index()] = Some(Piece { color: u.arbitrary()?, role });
        }
        setup.side_to_move = u.arbitrary()?;
        if variant.has_castling() && u.arbitrary()? {
            setup.castling = u.arbitrary()?;
        }
        setup.en_passant = u.arbitrary()?;
        for color in Color::ALL {
            for role in variant.reserve_roles() {
                setup.reserves[color][role.index()] = u.int_in_range(0..=3)?;
            }
        }
        setup.halfmove_clock = u.arbitrary()?;
        setup.fullmove_number = u.arbitrary()?;
        Ok(setup)
    }
}

/// Plays legal steps from an initial position, shuffled or not. The result may be in the middle of a turn.
fn random_position<P: Position>(u: &mut Unstructured<'_>, variant: Variant) -> Result<P> {
    let start = if u.arbitrary()? {
        let last = shuffle::count(variant) - 1;
        let (white, black) = (u.int_in_range(0..=last)?, u.int_in_range(0..=last)?);
        shuffle::setup(variant, white, black).map_err(|_| Error::IncorrectFormat)?
    } else {
        variant.initial_setup()
    };
    let mut position = P::from_setup(&start).map_err(|_| Error::IncorrectFormat)?;
    for _ in 0..u.int_in_range(0..=MAX_STEPS_PLAYED)? {
        let steps = position.legal_steps();
        // Stop when the data runs out, because the first step would then be chosen every time.
        if steps.is_empty() || u.is_empty() {
            break;
        }
        position.play_unchecked(*u.choose(&steps)?);
    }
    Ok(position)
}

impl<'a> Arbitrary<'a> for AnyPosition {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let variant = u.arbitrary()?;
        random_position(u, variant)
    }
}

macro_rules! positions {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {$(
        impl<'a> Arbitrary<'a> for crate::variant::$module::$position {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                random_position(u, Self::VARIANT)
            }
        }
    )*};
}

for_each_game!([positions]);
