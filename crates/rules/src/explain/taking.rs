//! Takings: which man takes which, and how.

use crate::{
    color::Color,
    role::{Piece, Role},
    square::Square,
    square_set::SquareSet,
    variant::Variant,
};

use super::reason;

/// A man on its square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Man {
    /// The man's square.
    pub square: Square,
    /// The man's role and side.
    pub piece: Piece,
}

impl Man {
    /// Returns the side that the man belongs to.
    pub const fn color(self) -> Color {
        self.piece.color
    }

    /// Returns the man's kind.
    pub const fn role(self) -> Role {
        self.piece.role
    }
}

/// One man taken by one step, actual or possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Taking {
    /// The man that takes, on the square it leaves.
    pub by: Man,
    /// The square where the taking man ends up; its own square if it takes without moving (I8).
    pub to: Square,
    /// The man taken, on its square.
    pub victim: Man,
    /// The way of taking.
    pub method: CaptureMethod,
    /// The kind whose way of taking a chameleon uses (B10, B11); `None` for every other man.
    pub imitated: Option<Role>,
}

/// A way of taking, with the further squares that explain it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CaptureMethod {
    /// The man lands on the square of the man taken (C4–C7, B3, B11).
    Landing,
    /// A pawn takes the one that has just crossed a square (C8, I10).
    EnPassant {
        /// The square that the pawn taken has crossed.
        crossed: Square,
    },
    /// A pawn encloses the man taken between itself and a friend (B6).
    Pincer {
        /// The friend, right behind the man taken.
        partner: Square,
    },
    /// The man taken stands on a corner of the rectangle that the coordinator forms with its king (B7).
    Coordination {
        /// The king's square.
        king: Square,
        /// The fourth corner, opposite the man taken.
        opposite: Square,
    },
    /// A leap over one or more men in one line (B8).
    Leap {
        /// The squares strictly between the one left and the one reached.
        path: SquareSet,
    },
    /// The man moves directly away from the man taken (B9).
    Withdrawal,
    /// The man stops right in front of the man taken, which is next in the same line (I6).
    Approach,
    /// A leap over a neighbour onto the square right behind it (I5, I9).
    ShortLeap,
    /// A leap along a file or rank over the first man in the line (I7).
    LongLeap {
        /// The squares strictly between the one left and the one reached.
        path: SquareSet,
    },
    /// Two knight leaps in the same direction, over the man at the midpoint (I7).
    DoubleKnightLeap {
        /// The square in the middle.
        midpoint: Square,
    },
    /// The man stays where it is and removes its neighbour (I8).
    Removal,
    /// A pawn moves next to the man taken, which has a friend of the pawn right behind it (I9).
    Custodian {
        /// The friend, right behind the man taken.
        partner: Square,
    },
}

impl Taking {
    /// Returns all squares involved in the taking: those of both men, the square where the step ends, and
    /// those that the way of taking names.
    pub fn squares(&self) -> SquareSet {
        let mut squares = SquareSet::of(self.by.square) | self.to.into() | self.victim.square.into();
        match self.method {
            CaptureMethod::EnPassant { crossed } => squares.insert(crossed),
            CaptureMethod::Pincer { partner } | CaptureMethod::Custodian { partner } => {
                squares.insert(partner);
            }
            CaptureMethod::Coordination { king, opposite } => {
                squares |= SquareSet::of(king) | opposite.into();
            }
            CaptureMethod::Leap { path } | CaptureMethod::LongLeap { path } => squares |= path,
            CaptureMethod::DoubleKnightLeap { midpoint } => squares.insert(midpoint),
            CaptureMethod::Landing
            | CaptureMethod::Withdrawal
            | CaptureMethod::Approach
            | CaptureMethod::ShortLeap
            | CaptureMethod::Removal => {}
        }
        squares
    }

    /// Returns the id of the clause that gives the man this way of taking.
    pub fn clause(&self, variant: Variant) -> &'static str {
        let info = variant.info();
        if let Some(imitated) = self.imitated {
            return if Some(imitated) == info.royal {
                reason::passing_clause(variant, |clauses| clauses.imitation_of_king)
            } else {
                reason::passing_clause(variant, |clauses| clauses.imitation)
            };
        }
        match self.method {
            CaptureMethod::Landing => {
                info.clauses.landing.unwrap_or_else(|| reason::role_clause(variant, self.by.role()))
            }
            CaptureMethod::ShortLeap => reason::role_clause(variant, self.by.role()),
            CaptureMethod::EnPassant { .. } => info.clauses.en_passant,
            CaptureMethod::Pincer { .. } => reason::passing_clause(variant, |clauses| clauses.pincer),
            CaptureMethod::Coordination { .. } => {
                reason::passing_clause(variant, |clauses| clauses.coordination)
            }
            CaptureMethod::Leap { .. } => reason::passing_clause(variant, |clauses| clauses.leap),
            CaptureMethod::Withdrawal => reason::passing_clause(variant, |clauses| clauses.withdrawal),
            CaptureMethod::Approach => "I6",
            CaptureMethod::LongLeap { .. } | CaptureMethod::DoubleKnightLeap { .. } => "I7",
            CaptureMethod::Removal => "I8",
            CaptureMethod::Custodian { .. } => "I9",
        }
    }

    /// Returns a key that is equal for takings that differ only in where the taking man ends up. For
    /// instance, a withdrawer can take its neighbour by moves to several squares.
    pub(super) fn identity(&self) -> impl PartialEq + use<> {
        let partner = match self.method {
            CaptureMethod::Pincer { partner } | CaptureMethod::Custodian { partner } => Some(partner),
            _ => None,
        };
        (self.by.square, self.victim.square, std::mem::discriminant(&self.method), partner)
    }
}
