//! Evaluation of positions, and the facts about a variant that the search needs.

mod evaluator;

pub use adoube_rules::Repetition;
use adoube_rules::{AnyPosition, Color, Role, SearchPosition, Square, SquareSet, Stalemate, Step, Variant};

pub(crate) use evaluator::{DefaultEvaluator, mix};
pub use evaluator::{Evaluator, HandCrafted, Material, NoisyEvaluator};

/// The share at which an advantage counts in full.
pub(crate) const FULL_SHARE: i32 = 256;

/// A position that the engine can search.
pub trait Searchable: SearchPosition + Into<AnyPosition> + Send + Sync + 'static {
    /// The values of men in units of the search, by the index of their role.
    const VALUES: [i32; Role::MAX];

    /// The variant.
    const VARIANT: Variant;

    /// The effect of a threefold repetition.
    const REPETITION: Repetition = Self::VARIANT.info().repetition;

    /// Whether captures are compulsory (I4). If so, neither side may stand pat.
    const TAKING_IS_COMPULSORY: bool = Self::VARIANT.info().taking_is_compulsory();

    /// Whether a side can be in check, which requires a royal man.
    const KNOWS_CHECK: bool = Self::VARIANT.info().royal.is_some();

    /// The result for a side that has no step and is not in check (C18, U13, I12).
    const STALEMATE: Stalemate = Self::VARIANT.info().stalemate;

    /// Whether a side may give up one of its own men (U14). Such a turn gains nothing and is rarely the best.
    const CAN_GIVE_UP_MEN: bool = match Self::VARIANT.info().freezing {
        Some(freezing) => freezing.gives_up,
        None => false,
    };

    /// Whether [`exchange_wins`](Self::exchange_wins) also detects that a quiet step leaves its man en prise.
    const SEES_EXCHANGES: bool = false;

    /// Whether [`share_of_advantage`](Self::share_of_advantage) can be less than the full share.
    const KNOWS_ENDINGS: bool = false;

    /// Returns the static evaluation of the position for the side to move, in units of the search.
    fn evaluate(&self) -> i32;

    /// Returns `true` if neither side has the material to win.
    fn is_material_draw(&self) -> bool {
        false
    }

    /// Returns the factor, in 256ths, by which to scale the advantage of the stronger side. `worth` is the
    /// total value of the men on the board. The factor is small in endings that are drawn despite the
    /// material.
    #[inline]
    fn share_of_advantage(&self, _worth: i32, _stronger: Color) -> i32 {
        FULL_SHARE
    }

    /// Returns the position after a null move, or `None` if passing could be an advantage. A node in which
    /// the side to move stands well even after a null move need not be searched in full.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Returns the immediate gain of a step: the value of the captured men, and of the promotion.
    #[inline]
    fn gain(&self, step: Step) -> i32 {
        let promotion =
            step.promotion().map_or(0, |role| (Self::VALUES[role.index()] - Self::VALUES[0]).max(0));
        let taken = self.taken(step);
        if taken.is_empty() { promotion } else { value_of(self, taken) + promotion }
    }

    /// Returns the squares attacked by the side that is not to move, or an empty set in variants in which men
    /// do not attack squares.
    #[inline]
    fn attacked(&self) -> SquareSet {
        SquareSet::EMPTY
    }

    /// Returns `true` if, according to static exchange evaluation, at least `min` of the gain of a step
    /// remains after all recaptures. A variant that does not implement this method ignores recaptures.
    #[inline]
    fn exchange_wins(&self, _step: Step, gain: i32, min: i32) -> bool {
        gain >= min
    }
}

/// Returns the total value of the men of both sides.
#[inline]
pub(crate) fn worth_of_men<P: Searchable>(position: &P) -> i32 {
    let worth = |role: Role| position.men_of_role(role).len() as i32 * P::VALUES[role.index()];
    (0..Role::MAX).map(|role| worth(Role::new(role))).sum()
}

/// Returns the total value of the men on some squares.
#[inline]
pub(crate) fn value_of<P: Searchable>(position: &P, squares: SquareSet) -> i32 {
    let men = squares.into_iter().filter_map(|square| position.piece_at(square));
    men.map(|piece| P::VALUES[piece.role.index()]).sum()
}

/// A bonus for each square, a1 first, as White sees the board.
pub(crate) type SquareTable = [i32; 64];

/// Returns the table in which the bonus of a square is the sum of the bonuses of its file and its rank.
pub(crate) const fn file_and_rank(files: [i32; 8], ranks: [i32; 8]) -> SquareTable {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = files[index & 7] + ranks[index >> 3];
        index += 1;
    }
    table
}

/// Returns a square as seen by a side: its own first rank is rank 1.
#[inline]
pub(crate) fn relative(color: Color, square: Square) -> Square {
    match color {
        Color::White => square,
        Color::Black => square.flip_vertical(),
    }
}

/// Returns the Chebyshev distance: the number of king steps.
#[inline]
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.index() & 7).abs_diff(b.index() & 7);
    let ranks = (a.index() >> 3).abs_diff(b.index() >> 3);
    files.max(ranks) as i32
}
