//! Whether men that only stand where they may ever stand could mate at all.
//!
//! From [`Reach`] follows a superset of all positions to come. If none of them is a mate, none is reached. A mate
//! needs, for some square of the losing king's set,
//!
//! * a man of the winner that attacks that square, the checker, and
//! * on every neighbouring square a man of the loser (it blocks) or an attack of the winner, also if a man of the
//!   winner stands there (otherwise the king takes it or walks there);
//!
//! where each man stands on one square of its set, no two on the same, and the kings not next to each other.
//! [`mate_is_conceivable`] looks for such a placement of as many men as the mate needs, and says no only if there
//! is none. What it leaves out (men in the way of an attack, most ways to parry the check, whose turn it is) would
//! only make mates rarer.
//!
//! Lines of attack are cut by stuck men alone, the losing king aside: those stand there in every position to come.
//!
//! # Parrying
//!
//! One way to parry is looked at. If only one man of the winner may ever attack the mating square, it is the
//! only checker, and no man of the loser is pinned to that square (what pins it would attack the square without
//! it). So a blocking man that could take the checker, or step in between, parries; unless something stands
//! in its way, which is granted as soon as any other man may.

use super::reach::{Man, Reach, forward, spread};
use crate::{
    attacks,
    color::Color,
    square::Square,
    square_set::SquareSet,
    variant::orthodox::role,
};

/// Placements tried before the answer is "conceivable" for want of time.
const PATIENCE: u32 = 30_000;

/// Squares of the losing king where a mate is conceivable one by one; no more than a superset after the first.
pub(super) struct MatingSquares {
    /// Where every neighbour can be blocked or attacked, each for itself.
    pub(super) each_for_itself: SquareSet,
    /// A square where all of it is possible together.
    pub(super) together: Option<Square>,
}

/// Returns where the loser's king could be mated; `together` is `None` only if nowhere.
pub(super) fn mating_squares(reach: &Reach, winner: Color) -> MatingSquares {
    let loser = !winner;
    let mut king_squares = SquareSet::EMPTY;
    let mut attacked = SquareSet::EMPTY;
    let mut attacked_by_king = SquareSet::EMPTY;
    let mut blocked = SquareSet::EMPTY;
    for man in &reach.men {
        if man.color == loser {
            if man.role == role::KING {
                king_squares = man.squares;
            } else {
                blocked |= man.anywhere();
            }
        } else if man.role == role::KING {
            attacked_by_king = man.attacked();
        } else {
            attacked |= man.attacked();
        }
    }
    // A king that never moves hides the squares behind it from the steps of `attacked`, but not from attack.
    let behind = if king_squares.more_than_one() { SquareSet::EMPTY } else { spread(role::KING, king_squares) };
    let open = !(attacked | attacked_by_king | blocked | behind);
    // Squares next to one that can neither be blocked nor attacked are no mating squares.
    let each_for_itself = (king_squares & attacked) - spread(role::KING, open);
    let mut search = Search::new(reach, winner);
    // Corners first, then edges: where mates are, they are found there.
    let edge = SquareSet(0xff81_8181_8181_81ff);
    let corners = SquareSet(0x8100_0000_0000_0081);
    let mut together = None;
    for zone in [corners, edge - corners, !edge] {
        together = together
            .or_else(|| (each_for_itself & zone).into_iter().find(|&square| search.mates_on(square)));
    }
    MatingSquares { each_for_itself, together }
}

struct Search<'a> {
    reach: &'a Reach,
    winner: Color,
    /// What cuts lines of attack for ever.
    walls: SquareSet,
    patience: u32,
    /// The square to mate on and what is around it.
    target: Square,
    ring: SquareSet,
    /// The only checker with its square, where there can be but one.
    sole_checker: Option<(usize, Square)>,
    /// Per neighbouring square (by its index in `around`), the men that may attack or block it.
    around: [(Square, u32); 8],
    neighbours: usize,
}

impl<'a> Search<'a> {
    fn new(reach: &'a Reach, winner: Color) -> Self {
        let king = reach.men.iter().find(|man| man.color != winner && man.role == role::KING);
        let king = king.map_or(SquareSet::EMPTY, |man| SquareSet::of(man.home));
        Self {
            reach,
            winner,
            walls: (reach.stuck.white | reach.stuck.black) - king,
            patience: PATIENCE,
            target: Square::A1,
            ring: SquareSet::EMPTY,
            sole_checker: None,
            around: [(Square::A1, 0); 8],
            neighbours: 0,
        }
    }

    /// Returns the squares from which a man may attack a square.
    #[inline]
    fn posts(&self, man: &Man, square: Square) -> SquareSet {
        let from = match man.role {
            role::PAWN => attacks::pawn(!man.color, square),
            role::KNIGHT => attacks::knight(square),
            role::BISHOP => attacks::bishop(square, self.walls),
            role::ROOK => attacks::rook(square, self.walls),
            role::QUEEN => attacks::queen(square, self.walls),
            _ => attacks::king(square),
        };
        let mut posts = from & man.squares;
        if man.as_queen.any() {
            posts |= attacks::queen(square, self.walls) & man.as_queen;
            posts |= attacks::knight(square) & man.as_knight;
        }
        posts
    }

    /// Returns what a man of the winner attacks from a square, in whatever form it may stand there.
    #[inline]
    fn covers(&self, man: &Man, from: Square) -> SquareSet {
        let mut covers = SquareSet::EMPTY;
        if man.squares.contains(from) {
            covers = match man.role {
                role::PAWN => attacks::pawn(man.color, from),
                role::KNIGHT => attacks::knight(from),
                role::BISHOP => attacks::bishop(from, self.walls),
                role::ROOK => attacks::rook(from, self.walls),
                role::QUEEN => attacks::queen(from, self.walls),
                _ => attacks::king(from),
            };
        }
        if man.as_queen.contains(from) {
            covers |= attacks::queen(from, self.walls);
        }
        if man.as_knight.contains(from) {
            covers |= attacks::knight(from);
        }
        covers
    }

    /// Returns whether the king can be mated on a square, or patience has run out.
    fn mates_on(&mut self, target: Square) -> bool {
        self.target = target;
        self.ring = attacks::king(target);
        let mut uncovered = self.ring;
        let mut taken = SquareSet::of(target);
        let mut used = 0u32;
        // Stuck men do what they do in any case.
        for (index, man) in self.reach.men.iter().enumerate() {
            if man.is_stuck() && man.home != target {
                taken.insert(man.home);
                used |= 1 << index;
                if man.color == self.winner {
                    uncovered -= self.covers(man, man.home);
                    if man.role == role::KING && self.ring.contains(man.home) {
                        return false;
                    }
                } else {
                    uncovered.remove(man.home);
                }
            }
        }
        self.neighbours = 0;
        for square in uncovered {
            let mut able = 0;
            for (index, man) in self.reach.men.iter().enumerate() {
                let can = used >> index & 1 == 0
                    && if man.color == self.winner {
                        self.posts(man, square).any()
                    } else {
                        man.role != role::KING && man.anywhere().contains(square)
                    };
                able |= u32::from(can) << index;
            }
            if able == 0 {
                return false;
            }
            self.around[self.neighbours] = (square, able);
            self.neighbours += 1;
        }
        let checkers: u32 = self
            .reach
            .men
            .iter()
            .enumerate()
            .filter(|(_, man)| {
                man.color == self.winner && man.role != role::KING && self.posts(man, target).any()
            })
            .map(|(index, _)| 1 << index)
            .sum();
        let mut left = checkers;
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            let man = &self.reach.men[index];
            for post in self.posts(man, target) {
                if taken.contains(post) && !man.is_stuck() {
                    continue;
                }
                self.sole_checker = (checkers.count_ones() == 1).then_some((index, post));
                let rest = uncovered - self.covers(man, post);
                if self.place(rest, taken | SquareSet::of(post), used | 1 << index) {
                    return true;
                }
            }
        }
        false
    }

    /// Covers what is left, the neediest square first.
    fn place(&mut self, uncovered: SquareSet, taken: SquareSet, used: u32) -> bool {
        if uncovered.is_empty() {
            return true;
        }
        if self.patience == 0 {
            return true;
        }
        self.patience -= 1;
        let mut fewest = u32::MAX;
        let (mut square, mut able) = (self.target, 0);
        for &(neighbour, men) in &self.around[..self.neighbours] {
            if uncovered.contains(neighbour) {
                let men = men & !used;
                if men.count_ones() < fewest {
                    fewest = men.count_ones();
                    (square, able) = (neighbour, men);
                }
            }
        }
        while able != 0 {
            let index = able.trailing_zeros() as usize;
            able &= able - 1;
            let man = &self.reach.men[index];
            let used = used | 1 << index;
            if man.color != self.winner {
                if !taken.contains(square)
                    && !self.parries(index, square)
                    && self.place(uncovered - SquareSet::of(square), taken | SquareSet::of(square), used)
                {
                    return true;
                }
                continue;
            }
            let mut posts = self.posts(man, square) - taken;
            if man.role == role::KING {
                posts -= self.ring;
            }
            for post in posts {
                let rest = uncovered - self.covers(man, post);
                if self.place(rest, taken | SquareSet::of(post), used) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns whether a blocking man certainly parries the check of the only checker.
    fn parries(&self, index: usize, from: Square) -> bool {
        let Some((checker, post)) = self.sole_checker else { return false };
        let man = &self.reach.men[index];
        // Nothing is between a knight and the king: its check can only be met by taking it.
        let between = attacks::between(post, self.target);
        if man.as_queen.contains(from) || man.as_knight.contains(from) {
            return false;
        }
        match man.role {
            role::PAWN => {
                attacks::pawn(man.color, from).contains(post)
                    || (SquareSet::of(from).step(0, forward(man.color)) & between).any()
            }
            role::KNIGHT => (attacks::knight(from) & (between | SquareSet::of(post))).any(),
            role => (between | SquareSet::of(post)).into_iter().any(|to| {
                let aligned = match role {
                    role::BISHOP => attacks::bishop(from, SquareSet::EMPTY),
                    role::ROOK => attacks::rook(from, SquareSet::EMPTY),
                    _ => attacks::queen(from, SquareSet::EMPTY),
                };
                if !aligned.contains(to) {
                    return false;
                }
                let way = attacks::between(from, to);
                if way.contains(self.target) || way.contains(post) {
                    return false;
                }
                self.reach.men.iter().enumerate().all(|(other, man)| {
                    let elsewhere =
                        other == index || other == checker || man.role == role::KING && man.color != self.winner;
                    elsewhere || (man.anywhere() & way).is_empty()
                })
            }),
        }
    }
}
