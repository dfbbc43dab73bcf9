//! Roles (kinds of men) and pieces.
//!
//! A role is a small number whose meaning depends on the [`Variant`](crate::Variant): role 1 is the knight of
//! chess, the long leaper of Baroque and the leaper of Interweave. A new game therefore needs no change here:
//! each game names its roles in its own module (for example `variant::baroque::role::WITHDRAWER`).

use std::fmt;

use crate::{color::Color, variant::Variant};

/// The kind of a man, as an index into the roles of its game.
///
/// Roles of different games compare equal if their indices do. A role that a game lacks is never on its
/// boards, has the name `unknown` there, and is a [reason](crate::SetupProblem::UnknownRole) to refuse a
/// setup.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias("PieceType", "piece_type"))]
pub struct Role(u8);

impl Role {
    /// The maximum number of roles that a game may have.
    pub const MAX: usize = 8;

    /// Returns the role with that index.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Role::MAX`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < Self::MAX);
        Self(index as u8)
    }

    /// Returns the role with that index, or `None` if it is not below [`Role::MAX`].
    #[inline]
    pub const fn try_new(index: usize) -> Option<Self> {
        if index < Self::MAX { Some(Self(index as u8)) } else { None }
    }

    /// Returns the index, below [`Role::MAX`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Writes the index and the names that the role has in the games, such as
/// `Role(1: knight, long-leaper, leaper)`.
impl fmt::Debug for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Role({}", self.0)?;
        let name_in = |variant: Variant| variant.roles().get(self.index()).map(|info| info.name);
        let mut separator = ": ";
        for (place, &variant) in Variant::ALL.iter().enumerate() {
            let Some(name) = name_in(variant) else { continue };
            if !Variant::ALL[..place].iter().any(|&before| name_in(before) == Some(name)) {
                write!(f, "{separator}{name}")?;
                separator = ", ";
            }
        }
        f.write_str(")")
    }
}

/// A man: a role with a colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "man")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Piece {
    /// The side that the man belongs to.
    pub color: Color,
    /// The kind of man.
    pub role: Role,
}

/// Facts about a role of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RoleInfo {
    /// The role.
    pub role: Role,
    /// The letter of the role in a FEN and in SAN, in upper case.
    pub letter: char,
    /// The name of the role as a stable identifier, such as `pincer-pawn`; not meant for display.
    pub name: &'static str,
    /// The clause that describes how a man of this role moves.
    pub clause: &'static str,
}
