//! Estimates the distance of a position from one given mate.
//!
//! A side with little more than a bishop or a knight can mate only with the help of the other side's men:
//! they block their own king's flight squares, and some of them have to be promoted first. A general estimate
//! does not find such mates. They depend on a single placement, and on the order in which the men reach it.
//! This estimate is therefore specific to one placement, and measures the paths on the current board: if one
//! king blocks the other's path, that path immediately becomes longer.
//!
//! The estimate decides the order in which positions are visited, and leaves out those that lack a man for
//! the placement. A mate found this way is replayed like any other, and a search that ends without a mate
//! proves nothing.

use arrayvec::ArrayVec;

use super::{
    pattern::{Pattern, Post},
    reach::{Reach, attacks_of, forward, single_steps},
    search::{king_distances, moves},
};
use adoube_rules::{
    ByColor, Chess, Color, Position, Rank, Role, Square, SquareSet, attacks, variant::chess::role,
};

/// The cost of one move.
const MOVE_COST: u32 = 4;
/// The penalty for a path that is blocked now.
const BLOCKED_PENALTY: u32 = 10;
/// A longer path counts as no path. A man without a path counts as 20 moves away.
const MAX_PATH_COST: u32 = 12 * MOVE_COST;
/// The estimate for a position from which the placement cannot be reached.
pub(super) const OUT_OF_REACH: u32 = u32::MAX;

/// The placement that is the target of a search.
#[derive(Clone, Debug)]
pub(super) struct Blueprint {
    winner: Color,
    target: Square,
    /// The square of the winner's king, if the mate needs it.
    king: Option<Square>,
    /// For each king, the number of steps from each square to its square in the placement (`target` or
    /// `king`), through squares that it may reach.
    loser_distances: [u8; 64],
    winner_distances: [u8; 64],
    posts: ArrayVec<(Post, [u8; 64]), 12>,
    /// The man that gives check, if there is only one and it is not a pawn.
    checker: Option<Post>,
    /// The squares of all posts.
    squares: SquareSet,
    /// Squares on which one of the loser's men would parry the check.
    parry: SquareSet,
    /// The squares of the men at the beginning of the search.
    home: ByColor<SquareSet>,
}

impl Blueprint {
    pub(super) fn new(pattern: &Pattern, position: &Chess, winner: Color, reach: &Reach) -> Self {
        let stuck = reach.immobile.white | reach.immobile.black;
        let pawns = position.men_of_role(role::PAWN);
        let squares_of = |color: Color| {
            let king = reach.men.iter().find(|man| man.color == color && man.role == role::KING);
            king.map_or(SquareSet::FULL, |man| man.squares)
        };
        let target = pattern.target;
        let king = pattern
            .posts
            .iter()
            .find(|post| post.color == winner && post.role == role::KING)
            .map(|post| post.square);
        let standing: SquareSet = pattern.posts.iter().map(|post| post.square).collect();
        let mut parry = SquareSet::FULL;
        let mut checker = None;
        for post in pattern.posts.iter().filter(|post| post.color == winner) {
            let reaches = attacks_of(post.role, post.color, post.square, standing);
            if reaches.contains(target) {
                parry &= attacks::between(post.square, target) | SquareSet::of(post.square);
                checker = Some(*post);
            }
        }
        let checker = checker.filter(|post| post.role != role::PAWN && parry.contains(post.square));
        Self {
            winner,
            target,
            king,
            loser_distances: king_distances(SquareSet::of(target), squares_of(!winner)),
            winner_distances: king
                .map_or([0; 64], |king| king_distances(SquareSet::of(king), squares_of(winner))),
            posts: pattern
                .posts
                .iter()
                .filter(|post| post.role != role::KING)
                .map(|&post| {
                    let distances = match post.role {
                        role::PAWN => [0; 64],
                        role => moves(role, post.square, pawns | stuck, stuck),
                    };
                    (post, distances)
                })
                .collect(),
            checker,
            squares: standing,
            parry: if parry == SquareSet::FULL { SquareSet::EMPTY } else { parry },
            home: ByColor::new_with(|color| position.men(color)),
        }
    }

    /// Returns the estimated distance of a position from the placement.
    pub(super) fn distance(&self, position: &Chess) -> u32 {
        let Some(Assignment { squares: used, mut cost, checker }) = self.assign(position) else {
            return OUT_OF_REACH;
        };
        cost += self.kings_path_cost(position, used);
        if let (Some(post), Some((man, nearest))) = (self.checker, checker) {
            cost += self.checker_path_cost(position, post, man, nearest, cost);
        }
        cost + self.clearing(position, used)
    }

    /// Assigns the nearest unassigned man to each post except those of the kings, in the order of the posts.
    /// Returns `None` if a post remains empty.
    fn assign(&self, position: &Chess) -> Option<Assignment> {
        let pawns = position.men_of_role(role::PAWN);
        let mut assigned = Assignment {
            squares: SquareSet::of(position.king(self.winner)) | SquareSet::of(position.king(!self.winner)),
            cost: 0,
            checker: None,
        };
        for &(post, ref distances) in &self.posts {
            let free = position.men(post.color) - assigned.squares;
            // `distances` contains twice the number of moves.
            let path_cost = |from: Square| u32::from(distances[from.index()]) * (MOVE_COST / 2);
            let mut nearest = (u32::MAX, None);
            let mut offer = |steps: u32, man: Square| {
                if steps < nearest.0 {
                    nearest = (steps, Some(man));
                }
                nearest.0
            };
            let pawn_cost = |from, to| pawn_path_cost(position, post.color, from, to);
            if post.role == role::PAWN {
                for man in free & pawns {
                    offer(pawn_cost(man, post.square), man);
                }
            } else {
                let mut best = u32::MAX;
                for man in free & position.men_of_role(post.role) {
                    best = offer(path_cost(man), man);
                }
                if post.promoted && best > MAX_PATH_COST {
                    for man in free & pawns {
                        let file = SquareSet::file(man.file());
                        let files = file | file.step(1, 0) | file.step(-1, 0);
                        for to in SquareSet::rank(last_rank(post.color)) & files {
                            offer(pawn_cost(man, to).saturating_add(MOVE_COST / 2 + path_cost(to)), man);
                        }
                    }
                }
            }
            let (steps, Some(man)) = nearest else { return None };
            assigned.squares.insert(man);
            if self.checker.is_some_and(|checker| checker.square == post.square) {
                assigned.checker = Some((man, steps));
            } else {
                assigned.cost += steps;
            }
        }
        Some(assigned)
    }

    /// Returns the cost of bringing the two kings to their squares, around the men that are in the way now.
    fn kings_path_cost(&self, position: &Chess, used: SquareSet) -> u32 {
        let (ours, theirs) = (position.men(self.winner), position.men(!self.winner));
        let (winner_king, loser_king) = (position.king(self.winner), position.king(!self.winner));
        let pawns = position.men_of_role(role::PAWN);
        let ahead = forward(self.winner);
        let steps = |path: Option<u32>, unblocked: u8| match path {
            Some(steps) => MOVE_COST * steps,
            None => MOVE_COST * u32::from(unblocked) + BLOCKED_PENALTY,
        };
        let mut guarded = attacks::king(winner_king)
            | SquareSet::of(winner_king)
            | (pawns & ours).step(-1, ahead)
            | (pawns & ours).step(1, ahead);
        if loser_king != self.target {
            let through = (ours | theirs) - SquareSet::of(loser_king);
            for man in ours - pawns - SquareSet::of(winner_king) {
                if let Some(piece) = position.piece_at(man) {
                    guarded |= attacks_of(piece.role, self.winner, man, through);
                }
            }
        }
        let barred = guarded | (theirs - SquareSet::of(loser_king)) | (used & ours);
        let mut cost =
            steps(steps_around(loser_king, self.target, barred), self.loser_distances[loser_king.index()]);
        if let Some(post) = self.king {
            let mut barred = (ours - SquareSet::of(winner_king))
                | (pawns & theirs).step(-1, -ahead)
                | (pawns & theirs).step(1, -ahead);
            if loser_king == self.target {
                barred |= attacks::king(loser_king);
            }
            cost +=
                steps(steps_around(winner_king, post, barred), self.winner_distances[winner_king.index()]);
        }
        cost
    }

    /// Returns the cost of bringing the checking man to its post last; `rest` is the cost of all others.
    fn checker_path_cost(&self, position: &Chess, post: Post, man: Square, nearest: u32, rest: u32) -> u32 {
        if man == post.square {
            // It moves last, so if it is on its post now, it must leave it and come back.
            return if rest > 0 { 2 * MOVE_COST } else { 0 };
        }
        if post.role == role::KNIGHT || nearest > MAX_PATH_COST {
            return nearest;
        }
        let occupied = position.men(Color::White) | position.men(Color::Black);
        let through = occupied - SquareSet::of(man);
        let checks = attacks_of(post.role, self.winner, self.target, through);
        match move_count(post.role, man, post.square, through, checks) {
            Some(moves) => MOVE_COST * moves,
            None => nearest + BLOCKED_PENALTY,
        }
    }

    /// Returns the cost of moving men without a post out of the way, so that they neither disturb the
    /// placement nor parry the check. Spare men that have moved, and all the loser's men, cost a little too.
    fn clearing(&self, position: &Chess, used: SquareSet) -> u32 {
        let (ours, theirs) = (position.men(self.winner), position.men(!self.winner));
        let spare = (ours | theirs) - used;
        let mut cost = 3 * (spare & (self.squares | self.parry | SquareSet::of(self.target))).len() as u32;
        let occupied = spare | self.squares;
        let king = self.king.map_or(SquareSet::EMPTY, SquareSet::of);
        for man in spare & theirs {
            let Some(piece) = position.piece_at(man) else { continue };
            let mut targets = attacks_of(piece.role, !self.winner, man, occupied);
            cost += 3 * u32::from((targets & king).any());
            if piece.role == role::PAWN {
                targets = (targets & ours) | SquareSet::of(man).step(0, forward(!self.winner));
            }
            cost += 3 * u32::from((targets & self.parry).any());
        }
        cost + (spare - self.home.white - self.home.black).len() as u32 + theirs.len() as u32
    }
}

/// The men assigned to the posts.
struct Assignment {
    /// The squares of the assigned men, including the kings.
    squares: SquareSet,
    /// The cost of bringing them to their posts, not counting the kings and the checking man.
    cost: u32,
    /// The man that gives check, and the cost of bringing it to its post.
    checker: Option<(Square, u32)>,
}

/// Returns the promotion rank.
fn last_rank(color: Color) -> Rank {
    if color == Color::White { Rank::Eighth } else { Rank::First }
}

/// Returns the cost of bringing a pawn to a square, which may be on the promotion rank. A change of file is
/// expensive, because it requires capturing an enemy man.
fn pawn_path_cost(position: &Chess, color: Color, from: Square, to: Square) -> u32 {
    let occupied = position.men(Color::White) | position.men(Color::Black);
    let files = from.file().index().abs_diff(to.file().index()) as u32;
    let (from_rank, to_rank) = (from.rank().index() as i32, to.rank().index() as i32);
    let (ranks, start, direction) = if color == Color::White {
        (to_rank - from_rank, from_rank == 1, 2)
    } else {
        (from_rank - to_rank, from_rank == 6, 3)
    };
    if ranks < files as i32 {
        return u32::MAX;
    }
    let ranks = ranks as u32;
    let mut cost = MOVE_COST * (ranks - u32::from(start && ranks - files >= 2));
    if files == 0 {
        let barred = attacks::ray(direction, from) - attacks::ray(direction, to);
        cost += 3 * (barred & occupied).len() as u32;
    } else {
        let takes = attacks::pawn(color, from) & position.men(!color) & SquareSet::file(to.file());
        cost += if files == 1 && takes.any() { 0 } else { BLOCKED_PENALTY * files };
    }
    cost
}

/// Returns the number of moves that a sliding man needs to reach a square without stopping on barred squares.
fn move_count(role: Role, from: Square, to: Square, occupied: SquareSet, barred: SquareSet) -> Option<u32> {
    let mut front = SquareSet::of(from);
    let mut seen = front | occupied | barred;
    let mut moves = 1;
    while front.any() {
        let mut next = SquareSet::EMPTY;
        for square in front {
            next |= attacks_of(role, Color::White, square, occupied);
        }
        if next.contains(to) {
            return Some(moves);
        }
        front = next - seen;
        seen |= front;
        moves += 1;
    }
    None
}

/// Returns the number of king steps between two squares, going around barred ones.
fn steps_around(from: Square, to: Square, barred: SquareSet) -> Option<u32> {
    let (mut front, to) = (SquareSet::of(from), SquareSet::of(to));
    let mut steps = 0;
    while (front & to).is_empty() {
        let next = front | (single_steps(role::KING, front) - barred);
        if next == front {
            return None;
        }
        front = next;
        steps += 1;
    }
    Some(steps)
}
