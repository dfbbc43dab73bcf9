//! Shuffled starts (C1, B1, I1): the men of the first rank in another order, by number.
//!
//! Each side's first rank has a number of its own; give the same number twice for the same order on both sides.
//! No random number is drawn here: the caller draws, or lets a player choose.

use arrayvec::ArrayVec;

use crate::{
    color::Color,
    role::{Piece, Role},
    setup::Setup,
    square::{File, Rank, Square},
    square_set::SquareSet,
    variant::{
        Variant, baroque::role as baroque, interweave::role as interweave, orthodox::role as orthodox,
    },
};

/// The men of a first rank, from the a-file to the h-file.
type FirstRank = [Role; 8];

/// A number past the last shuffled first rank of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{variant} has the shuffled first ranks 0 to {}; {number} is none of them", count(*.variant) - 1)]
pub struct ShuffleError {
    /// The game.
    pub variant: Variant,
    /// The number asked for.
    pub number: u16,
}

/// Returns how many shuffled first ranks a game has; they are numbered from 0.
///
/// - Orthodox chess: 960, bishops on both colours of square, the king between the rooks; numbered as Reinhard
///   Scharnagl does, so that 518 is the usual order.
/// - Baroque: 10,080, in any order; the usual orders are 6412 for White and 5347 for Black.
/// - Interweave: 576; each team of smasher, leaper, remover and king on its own four squares; 276 is the usual order.
///
/// The numbers stay what they are from one version to the next.
pub const fn count(variant: Variant) -> u16 {
    match variant {
        Variant::Chess => 960,
        Variant::Baroque => 10_080,
        Variant::Interweave => 576,
    }
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
        let men = first_rank(variant, number)?;
        for (file, role) in File::ALL.into_iter().zip(men) {
            let square = Square::new(file, rank);
            setup.pieces[square.index()] = Some(Piece { color, role });
            if variant == Variant::Chess && role == orthodox::ROOK {
                setup.castling.insert(square);
            }
        }
    }
    Ok(setup)
}

fn first_rank(variant: Variant, number: u16) -> Result<FirstRank, ShuffleError> {
    if number >= count(variant) {
        return Err(ShuffleError { variant, number });
    }
    let mut number = usize::from(number);
    // Takes the last "digit" off the number.
    let mut digit = |base: usize| {
        let digit = number % base;
        number /= base;
        digit
    };
    let mut men = Places::default();
    match variant {
        Variant::Chess => {
            // One bishop on b, d, f or h, the other on a, c, e or g; then the queen, the knights, the rest.
            let light = 2 * digit(4) + 1;
            let dark = 2 * digit(4);
            men.put_on(light, orthodox::BISHOP);
            men.put_on(dark, orthodox::BISHOP);
            men.put(digit(6), orthodox::QUEEN);
            let (first, second) = pair(digit(10), 5);
            // The later one first: it does not move the earlier one's place.
            men.put(second, orthodox::KNIGHT);
            men.put(first, orthodox::KNIGHT);
            for role in [orthodox::ROOK, orthodox::KING, orthodox::ROOK] {
                men.put(0, role);
            }
        }
        Variant::Baroque => {
            men.put(digit(8), baroque::KING);
            men.put(digit(7), baroque::WITHDRAWER);
            men.put(digit(6), baroque::IMMOBILIZER);
            men.put(digit(5), baroque::COORDINATOR);
            let (first, second) = pair(digit(6), 4);
            men.put(second, baroque::CHAMELEON);
            men.put(first, baroque::CHAMELEON);
            men.put(0, baroque::LONG_LEAPER);
            men.put(0, baroque::LONG_LEAPER);
        }
        Variant::Interweave => {
            for team in 0..2 {
                // Files of one shade, from the left.
                let mut files: ArrayVec<usize, 4> = (0..4).map(|index| 2 * index + team).collect();
                for role in [interweave::SMASHER, interweave::LEAPER, interweave::REMOVER, interweave::KING] {
                    let file = files.remove(digit(files.len()));
                    men.put_on(file, role);
                }
            }
        }
    }
    Ok(men.0.map(|role| role.unwrap_or(Role::new(0))))
}

/// A first rank that is being filled.
#[derive(Default)]
struct Places([Option<Role>; 8]);

impl Places {
    fn put_on(&mut self, file: usize, role: Role) {
        self.0[file] = Some(role);
    }

    /// Puts a man on the n-th free place, counted from the a-file.
    fn put(&mut self, free: usize, role: Role) {
        if let Some(place) = self.0.iter_mut().filter(|place| place.is_none()).nth(free) {
            *place = Some(role);
        }
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
    fn c1_numbers_are_those_of_scharnagl() {
        for (number, rank) in [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB"), (1, "BQNBNRKR")] {
            assert!(start(Variant::Chess, number).contains(&format!("/{rank} w KQkq ")), "{number}");
        }
    }

    /// The numbers are kept in games and links: they stay what they are.
    #[test]
    fn b1_i1_numbers_stay_what_they_are() {
        for (variant, number, rank) in [
            (Variant::Baroque, 0, "KQMRBBNN"),
            (Variant::Baroque, 1, "QKMRBBNN"),
            // The usual orders of White and Black, and Black's where the kings face each other.
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
        assert_eq!(usual(Variant::Baroque, 6412, 5348), crate::variant::baroque::KINGS_FACING_FEN);
        assert_eq!(usual(Variant::Interweave, 276, 276), Variant::Interweave.initial_fen());
    }

    #[test]
    fn every_number_is_another_playable_start() {
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
                let mut letters: Vec<_> = men.iter().skip(team).step_by(2).map(|role| role.index()).collect();
                letters.sort_unstable();
                assert_eq!(letters, [1, 2, 3, 4]);
            }
        }
    }
}
