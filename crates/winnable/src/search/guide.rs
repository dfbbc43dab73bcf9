//! The estimate that guides the search: the distance of a position from a mate.

use arrayvec::ArrayVec;

use super::super::{
    blueprint::Blueprint,
    pattern::{Pattern, steps},
    reach::{Reach, forward, single_steps},
};
use adoube_rules::{
    ByColor, Chess, Color, Position, Role, SearchPosition, Square, SquareSet, attacks, variant::chess::role,
};

/// The data for the estimate, computed in advance.
#[derive(Clone, Debug)]
pub(super) struct Guide {
    pub(super) winner: Color,
    /// The number of king steps from each square to one where a mate is conceivable.
    pub(super) king_distances: [u8; 64],
    /// The target mates. If there are none, the estimate uses general features.
    pub(super) targets: ArrayVec<TargetMate, TARGETS_PER_SEARCH>,
    /// The only target mate; if set, the estimate depends only on the distance to it and on the king's
    /// flights.
    pub(super) blueprint: Option<Blueprint>,
    /// The additional value of capturing one of the loser's men other than pawns, compared with a pawn, if
    /// there are target mates.
    pub(super) capture_value: u32,
    /// The squares of the men at the root.
    pub(super) home: ByColor<SquareSet>,
}

/// The maximum number of target mates in one search.
pub(in super::super) const TARGETS_PER_SEARCH: usize = 6;

/// A target mate, with the distances of the two kings and of the other men from their squares in it.
#[derive(Clone, Debug)]
pub(super) struct TargetMate {
    pattern: Pattern,
    loser_distances: [u8; 64],
    winner_distances: [u8; 64],
    /// For each man in the mate, the cost of bringing a man of that kind there from each square.
    piece_distances: ArrayVec<[u8; 64], 12>,
}

impl Guide {
    pub(super) fn new(
        position: &Chess,
        winner: Color,
        goals: SquareSet,
        aims: ArrayVec<Pattern, TARGETS_PER_SEARCH>,
        reach: &Reach,
    ) -> Self {
        let stuck = reach.immobile.white | reach.immobile.black;
        let pawns = position.men_of_role(role::PAWN);
        let squares_of = |color: Color| {
            let king = reach.men.iter().find(|man| man.color == color && man.role == role::KING);
            king.map_or(SquareSet::FULL, |man| man.squares)
        };
        let (ours, theirs) = (squares_of(winner), squares_of(!winner));
        let aims = aims
            .into_iter()
            .map(|pattern| {
                let post = pattern.posts.iter().find(|post| post.color == winner && post.role == role::KING);
                TargetMate {
                    loser_distances: king_distances(SquareSet::of(pattern.target), theirs),
                    winner_distances: post
                        .map_or([0; 64], |post| king_distances(SquareSet::of(post.square), ours)),
                    piece_distances: pattern
                        .posts
                        .iter()
                        .map(|post| match post.role {
                            role::KING => [0; 64],
                            role::PAWN => Square::ALL.map(|from| steps(role::PAWN, from, post.square) as u8),
                            role => moves(role, post.square, pawns | stuck, stuck),
                        })
                        .collect(),
                    pattern,
                }
            })
            .collect();
        let home = ByColor::new_with(|color| position.men(color));
        Self {
            winner,
            king_distances: king_distances(goals, theirs),
            targets: aims,
            blueprint: None,
            capture_value: 0,
            home,
        }
    }

    /// Returns the distance of the men from the nearest target mate.
    fn distance_to_target(&self, position: &Chess) -> u32 {
        let (winner, loser) = (self.winner, !self.winner);
        let kings_and_pawns = position.men_of_role(role::KING) | position.men_of_role(role::PAWN);
        let target = position.king(loser);
        let king = position.king(winner);
        let mut best = 900;
        for aim in &self.targets {
            let mut cost = 3 * u32::from(aim.loser_distances[target.index()])
                + 3 * u32::from(aim.winner_distances[king.index()]);
            let mut used = SquareSet::EMPTY;
            for (post, distances) in aim.pattern.posts.iter().zip(&aim.piece_distances) {
                if post.role == role::KING {
                    continue;
                }
                let men = position.men(post.color) & position.men_of_role(post.role);
                // Men of the same kind are interchangeable, and each is used once.
                let mut nearest = 60;
                let mut nearest_man = None;
                for man in men - used {
                    let steps = u32::from(distances[man.index()]);
                    if steps < nearest {
                        nearest = steps;
                        nearest_man = Some(man);
                    }
                }
                match nearest_man {
                    Some(man) => used.insert(man),
                    None if post.promoted => {
                        let occupied = position.men(Color::White) | position.men(Color::Black);
                        let pawns = position.men(post.color) & position.men_of_role(role::PAWN);
                        nearest = 6 + 4 * promotion_distance(
                            pawns - used,
                            post.color,
                            occupied,
                            position.men(!post.color),
                        );
                    }
                    None => {}
                }
                cost += nearest;
                if cost >= best {
                    break;
                }
            }
            // The other men do not matter, so they should stay where they are.
            let idle: usize = Color::ALL
                .into_iter()
                .map(|color| (position.men(color) - used - kings_and_pawns - self.home[color]).len())
                .sum();
            cost += 3 * idle as u32;
            best = best.min(cost);
        }
        best
    }

    /// Returns the estimated distance of a position from a mate, and whether it is a mate.
    pub(super) fn estimate(&self, position: &Chess) -> (u32, bool) {
        #[cfg(target_arch = "x86_64")]
        if has_bit_instructions() {
            // SAFETY: the condition above checks that the processor has these instructions. They make a
            // measurable difference in the `winnable` bench: every position is estimated once, and that
            // takes counting and iterating over a dozen sets.
            #[expect(unsafe_code, reason = "calling a function with target features is unsafe")]
            return unsafe { self.estimate_with_bit_instructions(position) };
        }
        self.estimate_on_any_processor(position)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn estimate_with_bit_instructions(&self, position: &Chess) -> (u32, bool) {
        self.estimate_on_any_processor(position)
    }

    #[expect(
        clippy::inline_always,
        reason = "code inlined into a function with target features is compiled for those features"
    )]
    #[inline(always)]
    fn estimate_on_any_processor(&self, position: &Chess) -> (u32, bool) {
        let winner = self.winner;
        let loser = !winner;
        let target = position.king(loser);
        let king = position.king(winner);
        let ours = position.men(winner);
        let theirs = position.men(loser);
        let through = (ours | theirs) - SquareSet::of(target);
        let queens = position.men_of_role(role::QUEEN) & ours;
        let rooks = position.men_of_role(role::ROOK) & ours;
        let bishops = position.men_of_role(role::BISHOP) & ours;
        let knights = position.men_of_role(role::KNIGHT) & ours;
        let pawns = position.men_of_role(role::PAWN) & ours;
        let ahead = forward(winner);
        let mut attacked = pawns.step(-1, ahead) | pawns.step(1, ahead) | single_steps(role::KNIGHT, knights);
        for from in bishops | queens {
            attacked |= attacks::bishop(from, through);
        }
        for from in rooks | queens {
            attacked |= attacks::rook(from, through);
        }
        let check = attacked.contains(target);
        attacked |= attacks::king(king);
        let flights = (attacks::king(target) - theirs - attacked).len() as u32;
        if check && flights == 0 && position.side_to_move() == loser && position.count_steps() == 0 {
            return (0, true);
        }
        if let Some(blueprint) = &self.blueprint {
            let distance = blueprint.distance(position);
            return (distance.saturating_add(flights), false);
        }
        if !self.targets.is_empty() {
            // Men that are not part of the mate may parry it.
            let non_pawns = theirs - position.men_of_role(role::PAWN);
            let others = theirs.len() as u32 + self.capture_value * non_pawns.len() as u32;
            return (2 * self.distance_to_target(position) + flights + others, false);
        }
        // The weights are in quarters, tuned on several thousand questions so that few positions are created
        // before a mate is found. In short: get a queen, capture everything, bring the king to a square where
        // it can be mated. The other weights are details.
        let mut score = 13 * flights + 117 * u32::from(self.king_distances[target.index()]);
        if !check {
            score += 4;
        }
        let heavy = queens | rooks;
        let mut near = [7u32; 2];
        for from in heavy | bishops | knights {
            let distance = distance(from, target);
            if distance < near[0] {
                near = [distance, near[0]];
            } else if distance < near[1] {
                near[1] = distance;
            }
        }
        score += 4 * near[0] + 15 * near[1] + 28 * distance(king, target).saturating_sub(2);
        let file = target.file().index().min(7 - target.file().index()) as u32;
        let rank = target.rank().index().min(7 - target.rank().index()) as u32;
        score += 32 * file.min(rank) + 18 * file.max(rank);
        if queens.is_empty() {
            score += if rooks.any() { 447 } else { 251 };
            if rooks.is_empty() {
                score += 24 * promotion_distance(pawns, winner, ours | theirs, theirs);
                score += 10 * steps_to_any(king, theirs - SquareSet::of(target));
            }
        }
        score += 50 * theirs.len() as u32;
        (score / 4, false)
    }
}

/// Returns the number of king steps to the nearest of some squares; 0 if there are none.
fn steps_to_any(king: Square, squares: SquareSet) -> u32 {
    if squares.is_empty() {
        return 0;
    }
    let mut front = SquareSet::of(king);
    let mut steps = 0;
    while (front & squares).is_empty() {
        front |= single_steps(role::KING, front);
        steps += 1;
    }
    steps
}

/// Returns the number of king steps from each square to the nearest goal, through allowed squares; 20 if
/// there is no path.
pub(in super::super) fn king_distances(goals: SquareSet, allowed: SquareSet) -> [u8; 64] {
    let mut distances = [20; 64];
    let mut front = goals;
    let mut seen = SquareSet::EMPTY;
    let mut steps = 0;
    while front.any() {
        for square in front {
            distances[square.index()] = steps;
        }
        seen |= front;
        front = (single_steps(role::KING, front) & allowed) - seen;
        steps += 1;
    }
    distances
}

/// Returns, for each square, twice the number of moves that a man needs from there to `to` around the men in
/// `standing`. Without such a path, this is twice the number around the men in `stuck`, plus a penalty. It is 40
/// if these block all paths, too.
pub(in super::super) fn moves(role: Role, to: Square, standing: SquareSet, stuck: SquareSet) -> [u8; 64] {
    let mut moves = [40; 64];
    let mut known = SquareSet::EMPTY;
    for (barred, added) in [(standing - SquareSet::of(to), 0), (stuck, 6)] {
        let mut front = SquareSet::of(to);
        let mut seen = SquareSet::EMPTY;
        let mut taken = added;
        while front.any() {
            for square in front - known {
                moves[square.index()] = taken;
            }
            seen |= front;
            let mut next = SquareSet::EMPTY;
            for square in front {
                next |= match role {
                    role::KNIGHT => attacks::knight(square),
                    role::BISHOP => attacks::bishop(square, barred),
                    role::ROOK => attacks::rook(square, barred),
                    _ => attacks::queen(square, barred),
                };
            }
            front = next - barred - seen;
            taken += 2;
        }
        known |= seen;
        if standing == stuck {
            break;
        }
    }
    moves
}

/// Returns the shortest distance from any pawn to promotion, with a penalty for men in its way; at most 10.
fn promotion_distance(pawns: SquareSet, color: Color, occupied: SquareSet, enemies: SquareSet) -> u32 {
    let mut best = 10;
    for pawn in pawns {
        let rank = pawn.rank().index() as u32;
        let (left, direction) = if color == Color::White { (7 - rank, 2) } else { (rank, 3) };
        let barred = attacks::ray(direction, pawn) & occupied;
        let mut distance = left + 2 * barred.len() as u32;
        if (attacks::pawn(color, pawn) & enemies).any() {
            distance = left;
        }
        best = best.min(distance);
    }
    best
}

/// Returns the number of king steps between two squares.
#[inline]
fn distance(a: Square, b: Square) -> u32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as u32
}

/// Returns `true` if this processor has the POPCNT and LZCNT instructions and the BMI1 and BMI2 extensions,
/// which count, find and extract bits. Most x86-64 processors since 2013 have them, but the compiler cannot
/// rely on that.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_bit_instructions() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("popcnt") && has!("lzcnt") && has!("bmi1") && has!("bmi2")
}
