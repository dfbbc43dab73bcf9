//! Shuffled starts (C1, B1, I1): the men of the first rank in a different order, identified by a number.
//!
//! Each side's first rank has its own number; equal numbers give both sides the same order. This module does
//! not draw random numbers: the caller does, or lets a player choose.

use crate::{
    color::Color,
    game_info::FirstRank,
    role::{Piece, Role},
    setup::Setup,
    square::{File, Rank, Square},
    square_set::SquareSet,
    variant::Variant,
};

/// The error for a number past the last shuffled first rank of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the shuffled first ranks of {variant} are numbered 0 to {}; {number} is out of range",
    count(*.variant) - 1
)]
pub struct ShuffleError {
    /// The game.
    pub variant: Variant,
    /// The requested number.
    pub number: u16,
}

/// Returns the number of shuffled first ranks of a game, which are numbered from 0: 960 in chess, 10,080 in
/// Baroque and Ultima, 576 in Interweave.
pub const fn count(variant: Variant) -> u16 {
    variant.info().shuffle.count
}

/// Returns the start of a game with shuffled first ranks.
///
/// ```
/// use adoube_rules::{Variant, fen, shuffle};
///
/// let start = shuffle::setup(Variant::Chess, 518, 518)?;
/// assert_eq!(fen::write(&start), Variant::Chess.initial_fen());
/// # Ok::<(), shuffle::ShuffleError>(())
/// ```
pub fn setup(variant: Variant, white: u16, black: u16) -> Result<Setup, ShuffleError> {
    let mut setup = variant.initial_setup();
    setup.castling = SquareSet::EMPTY;
    for (color, number, rank) in [(Color::White, white, Rank::First), (Color::Black, black, Rank::Eighth)] {
        for (file, role) in File::ALL.into_iter().zip(first_rank(variant, number)?) {
            let square = Square::new(file, rank);
            setup.pieces[square.index()] = Some(Piece { color, role });
            if variant.info().castling_rook == Some(role) {
                setup.castling.insert(square);
            }
        }
    }
    Ok(setup)
}

fn first_rank(variant: Variant, number: u16) -> Result<[Role; 8], ShuffleError> {
    if number >= count(variant) {
        return Err(ShuffleError { variant, number });
    }
    let mut men = FirstRank::default();
    (variant.info().shuffle.first_rank)(&mut men, number);
    Ok(men.0.map(|role| role.unwrap_or(Role::new(0))))
}

/// A number in mixed radix, read from the last digit.
pub(crate) struct Digits(usize);

impl Digits {
    pub(crate) fn of(number: u16) -> Self {
        Self(number.into())
    }

    /// Removes and returns the last digit, in the given base.
    pub(crate) fn next(&mut self, base: usize) -> usize {
        let digit = self.0 % base;
        self.0 /= base;
        digit
    }
}

impl FirstRank {
    pub(crate) fn place_on_file(&mut self, file: usize, role: Role) {
        self.0[file] = Some(role);
    }

    /// Puts a man on the n-th free square, counted from the a-file.
    pub(crate) fn place_on_free(&mut self, free: usize, role: Role) {
        if let Some(place) = self.0.iter_mut().filter(|place| place.is_none()).nth(free) {
            *place = Some(role);
        }
    }

    /// Puts two men of a role on the n-th pair of free squares.
    pub(crate) fn place_pair(&mut self, number: usize, role: Role) {
        let free = self.0.iter().filter(|place| place.is_none()).count();
        let (first, second) = pair(number, free);
        // The later square is filled first, because this does not change the index of the earlier one.
        self.place_on_free(second, role);
        self.place_on_free(first, role);
    }
}

/// Returns the n-th pair out of `places` places, in the order 0 1, 0 2, … 1 2, ….
fn pair(mut number: usize, places: usize) -> (usize, usize) {
    for first in 0..places {
        let left = places - 1 - first;
        if number < left {
            return (first, first + 1 + number);
        }
        number -= left;
    }
    (0, 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{AnyPosition, Position, fen};

    fn start(variant: Variant, number: u16) -> String {
        fen::write(&setup(variant, number, number).expect("a number in range"))
    }

    #[test]
    fn c1_numbers_match_scharnagls() {
        for (number, rank) in [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB"), (1, "BQNBNRKR")] {
            assert!(start(Variant::Chess, number).contains(&format!("/{rank} w KQkq ")), "{number}");
        }
    }

    /// The numbers are stored in games and links, so they must not change.
    #[test]
    fn b1_i1_numbers_are_stable() {
        for (variant, number, rank) in [
            (Variant::Baroque, 0, "KQMRBBNN"),
            (Variant::Baroque, 1, "QKMRBBNN"),
            // White's usual order, Black's usual order, and Black's order in the start with the kings facing.
            (Variant::Baroque, 6412, "MNBQKBNR"),
            (Variant::Baroque, 5347, "RNBKQBNM"),
            (Variant::Baroque, 5348, "RNBQKBNM"),
            (Variant::Baroque, 10_079, "NNBBRMQK"),
            (Variant::Interweave, 0, "RRNNBBKK"),
            (Variant::Interweave, 1, "NRRNBBKK"),
            // The usual order.
            (Variant::Interweave, 276, "RBNKKNBR"),
            (Variant::Interweave, 575, "KKBBNNRR"),
        ] {
            assert_eq!(
                start(variant, number).split([' ', '[']).next().and_then(|board| board.rsplit('/').next()),
                Some(rank)
            );
        }
        let usual =
            |variant, white, black| fen::write(&setup(variant, white, black).expect("numbers in range"));
        assert_eq!(usual(Variant::Baroque, 6412, 5347), Variant::Baroque.initial_fen());
        let [facing] = Variant::Baroque.info().shuffle.named else { panic!("expected one named start") };
        assert_eq!(facing.name, "kings-facing");
        assert_eq!(
            usual(Variant::Baroque, facing.white, facing.black),
            crate::variant::baroque::KINGS_FACING_FEN
        );
        assert_eq!(usual(Variant::Interweave, 276, 276), Variant::Interweave.initial_fen());
    }

    #[test]
    fn every_number_is_a_different_playable_start() {
        for variant in Variant::ALL {
            let mut seen = HashSet::new();
            for number in 0..count(variant) {
                let setup = setup(variant, number, count(variant) - 1 - number).expect("a number in range");
                let position = AnyPosition::from_setup(&setup).expect("a playable start");
                assert!(!position.legal_steps().is_empty(), "{}", position.fen());
                assert!(seen.insert(start(variant, number)), "{variant} {number}");
            }
            let error = super::setup(variant, 0, count(variant)).expect_err("past the last one");
            assert_eq!(error.number, count(variant));
        }
    }

    #[test]
    fn i1_teams_stay_on_their_squares() {
        for number in 0..count(Variant::Interweave) {
            let men = first_rank(Variant::Interweave, number).expect("a number in range");
            for team in 0..2 {
                let mut indices: Vec<_> = men.iter().skip(team).step_by(2).map(|role| role.index()).collect();
                indices.sort_unstable();
                assert_eq!(indices, [1, 2, 3, 4]);
            }
        }
    }
}
