//! Implements the `serde` traits: a value is written in its text form if it has one, and invalid input is
//! refused.

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess, Visitor},
    ser,
};

use crate::{
    AnyPosition, Color, File, MAX_TURN_STEPS, Position, Rank, Role, Setup, Square, SquareSet, Step, Turn,
    Variant, fen, for_each_game,
};

/// Reads a string; `expected` describes it in the error for input that is not a string.
fn deserialize_text<'de, D: Deserializer<'de>, T, E: fmt::Display>(
    deserializer: D,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    struct Text<F>(&'static str, F);

    impl<T, E: fmt::Display, F: FnOnce(&str) -> Result<T, E>> Visitor<'_> for Text<F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<R: de::Error>(self, text: &str) -> Result<T, R> {
            (self.1)(text).map_err(R::custom)
        }
    }

    deserializer.deserialize_str(Text(expected, parse))
}

/// Implements both traits for types that are written with `Display`, given a description for errors and a
/// parser for each type.
macro_rules! texts {
    ($($type:ty: $expected:literal, $parse:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize_text(deserializer, $expected, $parse)
            }
        }
    )*};
}

texts! {
    Square: "a square such as \"e4\"", Square::from_str;
    Color: "a side, \"white\" or \"black\"", Color::from_str;
    Variant: "the name of a game", Variant::from_str;
    File: "a file, \"a\" to \"h\"", |text| {
        one_char(text).and_then(File::from_char).ok_or_else(|| format!("{text:?} is not a file; files are a to h"))
    };
    Rank: "a rank, \"1\" to \"8\"", |text| {
        one_char(text).and_then(Rank::from_char).ok_or_else(|| format!("{text:?} is not a rank; ranks are 1 to 8"))
    };
}

fn one_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// Writes the index, because names depend on the game.
impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.index() as u8)
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = u64::deserialize(deserializer)?;
        usize::try_from(index).ok().and_then(Self::try_new).ok_or_else(|| {
            de::Error::custom(format_args!("{index} is not a role; roles are 0 to {}", Self::MAX - 1))
        })
    }
}

/// Writes a list of squares, a1 first.
impl Serialize for SquareSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}

/// Reads squares in any order; a repeated square is refused.
impl<'de> Deserialize<'de> for SquareSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Squares;

        impl<'de> Visitor<'de> for Squares {
            type Value = SquareSet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of squares")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut squares: A) -> Result<SquareSet, A::Error> {
                let mut set = SquareSet::EMPTY;
                while let Some(square) = squares.next_element::<Square>()? {
                    if set.contains(square) {
                        return Err(de::Error::custom(format_args!("{square} is in the list twice")));
                    }
                    set.insert(square);
                }
                Ok(set)
            }
        }

        deserializer.deserialize_seq(Squares)
    }
}

/// A step as separate fields, because coordinate notation would need the position.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepFields {
    from: Square,
    to: Square,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promotion: Option<Role>,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StepFields { from: self.from(), to: self.to(), promotion: self.promotion() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StepFields { from, to, promotion } = StepFields::deserialize(deserializer)?;
        match promotion {
            None => Ok(Self::new(from, to)),
            Some(role) if role.index() < Role::MAX - 1 => Ok(Self::promoting(from, to, role)),
            Some(role) => {
                Err(de::Error::custom(format_args!("a pawn cannot promote to role {}", role.index())))
            }
        }
    }
}

/// Writes a list of steps.
impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.steps())
    }
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Steps;

        impl<'de> Visitor<'de> for Steps {
            type Value = Turn;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of steps")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut steps: A) -> Result<Turn, A::Error> {
                let mut turn = Turn::empty();
                while let Some(step) = steps.next_element()? {
                    if !turn.push(step) {
                        return Err(de::Error::custom(format_args!(
                            "a turn has at most {MAX_TURN_STEPS} steps"
                        )));
                    }
                }
                Ok(turn)
            }
        }

        deserializer.deserialize_seq(Steps)
    }
}

/// A FEN with its game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FenOfGame<'a> {
    variant: Variant,
    fen: Cow<'a, str>,
}

/// Returns the FEN of a setup, or an error if the FEN does not express the whole setup.
fn faithful_fen<E: ser::Error>(setup: &Setup) -> Result<String, E> {
    let fen = fen::write(setup);
    if fen::parse(setup.variant, &fen).as_ref() == Ok(setup) {
        Ok(fen)
    } else {
        Err(E::custom(format_args!("a FEN cannot express this setup; the nearest is {fen}")))
    }
}

/// Returns the FEN of a position, or an error if the position is in the middle of a turn.
fn fen_of_position<E: ser::Error>(position: &impl Position) -> Result<String, E> {
    match position.chain() {
        Some(square) => Err(E::custom(format_args!(
            "a FEN cannot express that the man on {square} must continue its chain"
        ))),
        None => faithful_fen(&position.to_setup()),
    }
}

/// Writes a FEN with its game.
impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FenOfGame { variant: self.variant, fen: faithful_fen(self)?.into() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FenOfGame { variant, fen } = FenOfGame::deserialize(deserializer)?;
        fen::parse(variant, &fen).map_err(de::Error::custom)
    }
}

/// Writes a FEN with its game.
impl Serialize for AnyPosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FenOfGame { variant: self.variant(), fen: fen_of_position(self)?.into() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FenOfGame { variant, fen } = FenOfGame::deserialize(deserializer)?;
        Self::from_fen(variant, &fen).map_err(de::Error::custom)
    }
}

macro_rules! positions {
    ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {$(
        /// Writes a FEN.
        impl Serialize for crate::variant::$module::$position {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&fen_of_position(self)?)
            }
        }

        impl<'de> Deserialize<'de> for crate::variant::$module::$position {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize_text(deserializer, "a FEN", Self::from_fen)
            }
        }
    )*};
}

for_each_game!([positions]);
