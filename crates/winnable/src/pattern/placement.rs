//! The search for a placement of men that mates a king on a given square. Each man is on a square that it can
//! reach.

use arrayvec::ArrayVec;

use super::{MAX_PLACEMENTS, Pattern, Post, TARGETS_PER_SQUARE};
use crate::reach::{Man, Reach, attacks_of, forward};
use adoube_rules::{Color, Rank, Role, Square, SquareSet, attacks, variant::chess::role};

#[derive(Clone, Copy)]
struct PlacedMan {
    index: usize,
    post: Post,
    /// The approximate cost of bringing the man there.
    cost: u32,
}

pub(super) struct Search<'a> {
    reach: &'a Reach,
    winner: Color,
    /// Men that block lines of attack for good.
    walls: SquareSet,
    pub(super) budget: u32,
    /// The square of the mated king, and the squares around it.
    target: Square,
    ring: SquareSet,
    /// The only checker with its square, if there can be only one.
    sole_checker: Option<(usize, Square)>,
    /// Whether the search collects target mates instead of looking for any mate.
    pub(super) collects_targets: bool,
    /// The men placed so far.
    placed_men: ArrayVec<PlacedMan, 32>,
    /// The mates found, nearest first, and the number of mates to find.
    pub(super) best: ArrayVec<Pattern, TARGETS_PER_SQUARE>,
    pub(super) max_targets: usize,
    /// A target mate must cost less than this.
    pub(super) bound: u32,
    /// The adjacent squares to be covered, each with a bit set of the men that may attack or block it.
    around: [(Square, u32); 8],
    /// The number of entries of `around` in use.
    neighbours: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(reach: &'a Reach, winner: Color) -> Self {
        let king = reach.men.iter().find(|man| man.color != winner && man.role == role::KING);
        let king = king.map_or(SquareSet::EMPTY, |man| SquareSet::of(man.home));
        Self {
            reach,
            winner,
            walls: (reach.immobile.white | reach.immobile.black) - king,
            budget: MAX_PLACEMENTS,
            target: Square::A1,
            ring: SquareSet::EMPTY,
            sole_checker: None,
            collects_targets: false,
            placed_men: ArrayVec::new(),
            best: ArrayVec::new(),
            max_targets: 1,
            bound: u32::MAX,
            around: [(Square::A1, 0); 8],
            neighbours: 0,
        }
    }

    /// Returns the squares from which a man may attack a square.
    #[inline]
    fn posts(&self, man: &Man, square: Square) -> SquareSet {
        let from = attacks_of(man.role, !man.color, square, self.walls);
        let mut posts = from & man.squares;
        if man.as_queen.any() {
            posts |= attacks::queen(square, self.walls) & man.as_queen;
            posts |= attacks::knight(square) & man.as_knight;
        }
        posts
    }

    /// Returns the squares that one of the winner's men attacks from a square, in any role that it may have
    /// there.
    #[inline]
    fn covers(&self, man: &Man, from: Square) -> SquareSet {
        let mut covers = SquareSet::EMPTY;
        if man.squares.contains(from) {
            covers = attacks_of(man.role, man.color, from, self.walls);
        }
        if man.as_queen.contains(from) {
            covers |= attacks::queen(from, self.walls);
        }
        if man.as_knight.contains(from) {
            covers |= attacks::knight(from);
        }
        covers
    }

    /// Returns `true` if the king can be mated on a square, or the limit is reached.
    pub(super) fn can_mate_on(&mut self, target: Square) -> bool {
        self.target = target;
        self.placed_men.clear();
        self.ring = attacks::king(target);
        let mut uncovered = self.ring;
        let mut taken = SquareSet::of(target);
        let mut used = 0u32;
        // Stuck men always keep their squares.
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
            let mut candidates = 0;
            for (index, man) in self.reach.men.iter().enumerate() {
                let is_candidate = used >> index & 1 == 0
                    && if man.color == self.winner {
                        self.posts(man, square).any()
                    } else {
                        man.role != role::KING && man.reachable().contains(square)
                    };
                candidates |= u32::from(is_candidate) << index;
            }
            if candidates == 0 {
                return false;
            }
            self.around[self.neighbours] = (square, candidates);
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
        // A double check is impossible with one checker, or with unpromoted bishops alone (see `pattern`).
        let no_double_check = checkers.is_power_of_two()
            || self
                .reach
                .men
                .iter()
                .enumerate()
                .all(|(index, man)| checkers >> index & 1 == 0 || man.role == role::BISHOP);
        let mut left = checkers;
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            let man = &self.reach.men[index];
            for post in self.posts(man, target) {
                if taken.contains(post) && !man.is_stuck() {
                    continue;
                }
                self.sole_checker = no_double_check.then_some((index, post));
                let rest = uncovered - self.covers(man, post);
                let mark = self.mark(index, post);
                if self.place(rest, taken | SquareSet::of(post), used | 1 << index) {
                    return true;
                }
                self.placed_men.truncate(mark);
            }
        }
        false
    }

    /// Marks a man as placed. Returns the number of men placed before it.
    #[inline]
    fn mark(&mut self, index: usize, square: Square) -> usize {
        let mark = self.placed_men.len();
        let man = &self.reach.men[index];
        let promoted = !man.squares.contains(square);
        let role = match (promoted, man.as_queen.contains(square)) {
            (false, _) => man.role,
            (true, true) if man.color == self.winner => role::QUEEN,
            (true, true) if can_be_bishop(man, square) => role::BISHOP,
            (true, _) => role::KNIGHT,
        };
        let cost = if promoted { 24 } else { steps(role, man.home, square) };
        let post = Post { color: man.color, role, square, promoted };
        let _ = self.placed_men.try_push(PlacedMan { index, post, cost });
        mark
    }

    /// Stores the placement as a target mate if its men and the stuck men alone give mate, its pawns can get
    /// there, and it costs less than the bound.
    fn store_target_mate(&mut self) {
        let cost = self.placed_men.iter().map(|placed| placed.cost).sum();
        if cost >= self.bound || !self.pawns_can_change_files() || !self.is_mate_as_placed() {
            return;
        }
        let posts: ArrayVec<Post, 12> = self.placed_men.iter().map(|placed| placed.post).take(12).collect();
        // Of mates with the loser's men on the same squares, one is enough.
        let of_loser = |posts: &ArrayVec<Post, 12>| -> SquareSet {
            posts.iter().filter(|post| post.color != self.winner).map(|post| post.square).collect()
        };
        let blocked = of_loser(&posts);
        if let Some(same) = self.best.iter().position(|other| of_loser(&other.posts) == blocked) {
            if self.best[same].cost <= cost {
                return;
            }
            self.best.remove(same);
        }
        self.best.truncate(self.max_targets - 1);
        let at = self.best.partition_point(|other| other.cost <= cost);
        self.best.insert(at, Pattern { target: self.target, posts, cost });
        if self.best.len() == self.max_targets {
            self.bound = self.bound.min(self.best[self.max_targets - 1].cost);
        }
    }

    /// Returns `true` if there are enough enemies to spare for the captures by which placed pawns change
    /// files.
    fn pawns_can_change_files(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let placed = self.placed_men.iter().map(|placed| (placed, &self.reach.men[placed.index]));
            let taken: usize = placed
                .clone()
                .filter(|(placed, man)| man.color == color && placed.post.role == role::PAWN)
                .map(|(placed, man)| placed.post.square.file().index().abs_diff(man.home.file().index()))
                .sum();
            let needed =
                placed.filter(|(placed, _)| placed.post.color != color && placed.post.role != role::KING);
            let enemies =
                self.reach.men.iter().filter(|man| man.color != color && man.role != role::KING).count();
            taken == 0 || taken + needed.count() <= enemies
        })
    }

    /// Returns `true` if the placed and the stuck men alone give mate, ignoring pins.
    fn is_mate_as_placed(&self) -> bool {
        let placed: SquareSet = self.placed_men.iter().map(|placed| placed.post.square).collect();
        let standing = placed | self.walls;
        let mut attacked = SquareSet::EMPTY;
        let mut blocked = SquareSet::EMPTY;
        let mut parry = SquareSet::FULL;
        let occupied = standing | SquareSet::of(self.target);
        let mut attacked_by_loser = attacks::king(self.target);
        let mut king = SquareSet::EMPTY;
        // Whether a checker can come from another square. Discovered checks are ignored.
        let mut can_arrive = false;
        for PlacedMan { index, post, .. } in &self.placed_men {
            let reach = attacks_of(post.role, post.color, post.square, standing);
            if post.color != self.winner {
                blocked.insert(post.square);
                attacked_by_loser |= attacks_of(post.role, post.color, post.square, occupied);
                continue;
            }
            attacked |= reach;
            if post.role == role::KING {
                king.insert(post.square);
            } else if reach.contains(self.target) {
                parry &= attacks::between(post.square, self.target) | SquareSet::of(post.square);
                can_arrive |= post.role == role::PAWN
                    || post.promoted
                    || self.reach.men[*index].is_stuck()
                    || (reach - standing - attacks_of(post.role, !post.color, self.target, occupied)).any();
            }
        }
        if !can_arrive || (king & attacked_by_loser).any() {
            return false;
        }
        for man in self.reach.men.iter().filter(|man| man.is_stuck()) {
            if man.color == self.winner {
                attacked |= attacks_of(man.role, man.color, man.home, standing);
            } else {
                blocked.insert(man.home);
            }
        }
        if !attacked.contains(self.target) || (self.ring - blocked - attacked).any() {
            return false;
        }
        self.placed_men.iter().all(|PlacedMan { post, .. }| {
            post.color == self.winner
                || (attacks_of(post.role, post.color, post.square, standing | SquareSet::of(self.target))
                    & parry)
                    .is_empty()
                    && !(post.role == role::PAWN
                        && (SquareSet::of(post.square).step(0, forward(post.color)) & (parry - standing))
                            .any())
        })
    }

    /// Covers the remaining squares, starting with the one that the fewest men can cover.
    fn place(&mut self, uncovered: SquareSet, taken: SquareSet, used: u32) -> bool {
        if self.budget == 0 {
            return true;
        }
        self.budget -= 1;
        if uncovered.is_empty() {
            if self.collects_targets {
                self.store_target_mate();
                return false;
            }
            // Check again now that all relevant men are placed, because more is known about the men that
            // obstruct a parry.
            return !self.placed_men.iter().any(|placed| {
                placed.post.color != self.winner && self.parries(placed.index, placed.post.square)
            });
        }
        if self.collects_targets
            && self.placed_men.iter().map(|placed| placed.cost).sum::<u32>() >= self.bound
        {
            return false;
        }
        let mut fewest = u32::MAX;
        let (mut square, mut candidates) = (self.target, 0);
        for &(neighbour, men) in &self.around[..self.neighbours] {
            if uncovered.contains(neighbour) {
                let men = men & !used;
                if men.count_ones() < fewest {
                    fewest = men.count_ones();
                    (square, candidates) = (neighbour, men);
                }
            }
        }
        while candidates != 0 {
            let index = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let man = &self.reach.men[index];
            let used = used | 1 << index;
            if man.color != self.winner {
                if !taken.contains(square) && !self.parries(index, square) {
                    let mark = self.mark(index, square);
                    if self.place(uncovered - SquareSet::of(square), taken | SquareSet::of(square), used) {
                        return true;
                    }
                    // A promoted blocker may have any role. The weaker, the better, so try a knight as well as a
                    // bishop.
                    if self.collects_targets
                        && self.placed_men[mark].post.role == role::BISHOP
                        && self.placed_men[mark].post.promoted
                    {
                        self.placed_men.truncate(mark + 1);
                        self.placed_men[mark].post.role = role::KNIGHT;
                        if self.place(uncovered - SquareSet::of(square), taken | SquareSet::of(square), used)
                        {
                            return true;
                        }
                    }
                    self.placed_men.truncate(mark);
                }
                continue;
            }
            let mut posts = self.posts(man, square) - taken;
            if man.role == role::KING {
                posts -= self.ring;
            }
            for post in posts {
                let rest = uncovered - self.covers(man, post);
                let mark = self.mark(index, post);
                if self.place(rest, taken | SquareSet::of(post), used) {
                    return true;
                }
                self.placed_men.truncate(mark);
            }
        }
        false
    }

    /// Returns `true` if a man other than the checker may attack the king through an adjacent square.
    fn may_be_pinned(&self, from: Square, checker: usize) -> bool {
        let Some(direction) = attacks::direction(self.target, from) else { return false };
        let behind = attacks::ray(direction, from);
        let straight = direction < 4;
        self.reach.men.iter().enumerate().any(|(index, man)| {
            let along = match man.role {
                role::QUEEN => true,
                role::ROOK => straight,
                role::BISHOP => !straight,
                _ => false,
            };
            man.color == self.winner
                && index != checker
                && (along && (man.squares & behind).any() || (man.as_queen & behind).any())
        })
    }

    /// Returns `true` if a man that blocks a flight square can certainly parry the only checker's check.
    fn parries(&self, index: usize, from: Square) -> bool {
        let Some((checker, post)) = self.sole_checker else { return false };
        let man = &self.reach.men[index];
        // Empty if the checker is a knight, because its check can be parried only by capturing it.
        let between = attacks::between(post, self.target);
        if self.may_be_pinned(from, checker) {
            return false;
        }
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
                let path = attacks::between(from, to);
                if path.contains(self.target) || path.contains(post) {
                    return false;
                }
                self.reach.men.iter().enumerate().all(|(other, man)| {
                    if let Some(placed) = self.placed_men.iter().find(|placed| placed.index == other) {
                        return !path.contains(placed.post.square);
                    }
                    if man.role == role::KING {
                        return man.color != self.winner || (man.squares & (path - self.ring)).is_empty();
                    }
                    other == index || (man.reachable() & path).is_empty()
                })
            }),
        }
    }
}

/// Returns the approximate cost of bringing a man from one square to another.
pub(crate) fn steps(role: Role, from: Square, to: Square) -> u32 {
    let files = from.file().index().abs_diff(to.file().index()) as u32;
    let ranks = from.rank().index().abs_diff(to.rank().index()) as u32;
    match role {
        // Changing files requires capturing enemy men.
        role::PAWN => 3 * ranks.max(files) + 8 * files,
        role::KNIGHT if from == to => 0,
        role::KNIGHT => 2 + (files + ranks).div_ceil(3) * 2,
        role::KING => 3 * files.max(ranks),
        _ if from == to => 0,
        _ if files == 0 || ranks == 0 || files == ranks => 2,
        _ => 4,
    }
}

/// Returns `true` if a square has the shade of a bishop to which this pawn promotes on its own file.
fn can_be_bishop(man: &Man, square: Square) -> bool {
    let last = if man.color == Color::White { Rank::Eighth } else { Rank::First };
    SquareSet::same_shade(Square::new(man.home.file(), last)).contains(square)
}
