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
//! One way to parry is looked at, where there cannot be two checks at once: if only one man of the winner may ever
//! attack the mating square, or only bishops may. (Of two bishops one would have to leave the diagonal of the other
//! and check on the second diagonal through the king; but it moves along diagonals itself, and from one of the two it
//! never gets to the other but over the king. No other turn opens both: each empties one square, but for castling,
//! behind which no bishop stands, and en passant, whose two squares are next to each other on one rank, where the
//! two diagonals never are.) Then a blocking man that could take the
//! checker, or step in between, parries; unless it may be pinned, by another man of the winner behind it, or
//! something stands in its way, which is granted as soon as any other man may.

use arrayvec::ArrayVec;

use super::reach::{Man, Reach, attacks_of, forward, spread};
use adoube_rules::{Color, Rank, Role, Square, SquareSet, attacks, variant::chess::role};

/// Placements tried before the answer is "conceivable" for want of time.
const PATIENCE: u32 = 30_000;

/// Squares of the losing king where a mate is conceivable one by one; no more than a superset after the first.
pub(super) struct MatingSquares {
    /// Where every neighbour can be blocked or attacked, each for itself.
    pub(super) each_for_itself: SquareSet,
    /// A square where all of it is possible together.
    pub(super) together: Option<Square>,
}

/// A man of a mate to aim at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Post {
    pub(super) color: Color,
    /// What it is there, promoted if it must be.
    pub(super) role: Role,
    pub(super) square: Square,
    /// Whether a pawn has to be promoted to it first.
    pub(super) promoted: bool,
}

/// A mate to aim at: the losing king's square and the men that matter.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) target: Square,
    pub(super) posts: ArrayVec<Post, 12>,
    pub(super) cost: u32,
}

/// Placements tried per square, and in all, when looking for mates to aim at.
const EFFORT: u32 = 300;
const WHOLE_EFFORT: u32 = 6_000;

const CORNERS: SquareSet = SquareSet::CORNERS;
const EDGE: SquareSet = SquareSet(0xff81_8181_8181_81ff);

/// The largest number of mates drawn up for one square if thorough.
const VARIANTS: usize = 4;
/// How many times as many placements are tried if thorough.
const THOROUGH: u32 = 4;

/// Returns mates that a search may aim at, the nearest first: for each square of the losing king one, or up to
/// [`VARIANTS`] if `thorough`. Whether they can be reached is not known.
pub(super) fn patterns<const N: usize>(
    reach: &Reach,
    winner: Color,
    squares: SquareSet,
    thorough: bool,
) -> ArrayVec<Pattern, N> {
    let mut search = Search::new(reach, winner);
    search.aiming = true;
    search.variants = if thorough { VARIANTS } else { 1 };
    let times = if thorough { THOROUGH } else { 1 };
    let mut found: ArrayVec<Pattern, N> = ArrayVec::new();
    let Some(king) = reach.men.iter().find(|man| man.color != winner && man.role == role::KING) else {
        return found;
    };
    let mut whole = WHOLE_EFFORT * times;
    // Where kings are mated, and where it takes the fewest men; elsewhere only for want of such a square.
    for (zone, effort) in [(CORNERS, EFFORT), (EDGE - CORNERS, EFFORT), (!EDGE, EFFORT / 3)] {
        if zone == !EDGE && !found.is_empty() {
            break;
        }
        let mut front = SquareSet::of(king.home);
        let mut seen = SquareSet::EMPTY;
        let mut distance = 0;
        while front.any() && whole > 0 {
            for target in front & squares & zone {
                search.patience = (effort * times).min(whole);
                let before = search.patience;
                search.best.clear();
                search.bound = if found.is_full() { found[N - 1].cost } else { u32::MAX };
                search.bound = search.bound.saturating_sub(3 * distance);
                search.mates_on(target);
                whole -= before - search.patience;
                for mut pattern in search.best.take() {
                    pattern.cost += 3 * distance;
                    if found.is_full() {
                        if found[N - 1].cost <= pattern.cost {
                            break;
                        }
                        found.pop();
                    }
                    let at = found.partition_point(|other| other.cost <= pattern.cost);
                    found.insert(at, pattern);
                }
            }
            seen |= front;
            front = spread(role::KING, front) & king.squares;
            front -= seen;
            distance += 1;
        }
    }
    found
}

/// Returns where the loser's king could be mated; `together` is `None` only if nowhere.
pub(super) fn mating_squares(reach: &Reach, winner: Color) -> MatingSquares {
    mating_squares_within(reach, winner, PATIENCE)
}

fn mating_squares_within(reach: &Reach, winner: Color, patience: u32) -> MatingSquares {
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
    let behind =
        if king_squares.more_than_one() { SquareSet::EMPTY } else { spread(role::KING, king_squares) };
    let open = !(attacked | attacked_by_king | blocked | behind);
    // Squares next to one that can neither be blocked nor attacked are no mating squares.
    let each_for_itself = (king_squares & attacked) - spread(role::KING, open);
    let mut search = Search::new(reach, winner);
    search.patience = patience;
    // Corners first, then edges: where mates are, they are found there.
    let mut together = None;
    for zone in [CORNERS, EDGE - CORNERS, !EDGE] {
        together =
            together.or_else(|| (each_for_itself & zone).into_iter().find(|&square| search.mates_on(square)));
    }
    MatingSquares { each_for_itself, together }
}

#[derive(Clone, Copy)]
struct Placed {
    index: usize,
    post: Post,
    /// About what it takes to bring the man there.
    cost: u32,
}

/// Returns whether the loser's king could be mated anywhere, without looking at it for long.
pub(super) fn mate_is_conceivable(reach: &Reach, winner: Color) -> bool {
    mating_squares_within(reach, winner, 500).together.is_some()
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
    /// Whether mates are collected to aim at, instead of looking for any.
    aiming: bool,
    /// The men placed so far.
    placed: ArrayVec<Placed, 32>,
    /// The mates found, nearest first, and how many are wanted.
    best: ArrayVec<Pattern, VARIANTS>,
    variants: usize,
    /// What a mate to aim at must stay below.
    bound: u32,
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
            aiming: false,
            placed: ArrayVec::new(),
            best: ArrayVec::new(),
            variants: 1,
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

    /// Returns what a man of the winner attacks from a square, in whatever form it may stand there.
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

    /// Returns whether the king can be mated on a square, or patience has run out.
    fn mates_on(&mut self, target: Square) -> bool {
        self.target = target;
        self.placed.clear();
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
        // Never two checks at once: from one man, or from unpromoted bishops (see the module).
        let alone = checkers.is_power_of_two()
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
                self.sole_checker = alone.then_some((index, post));
                let rest = uncovered - self.covers(man, post);
                let mark = self.mark(index, post);
                if self.place(rest, taken | SquareSet::of(post), used | 1 << index) {
                    return true;
                }
                self.placed.truncate(mark);
            }
        }
        false
    }

    /// Notes a man as placed; returns how many were before it.
    #[inline]
    fn mark(&mut self, index: usize, square: Square) -> usize {
        let mark = self.placed.len();
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
        let _ = self.placed.try_push(Placed { index, post, cost });
        mark
    }

    /// Keeps what is placed as a mate to aim at, if it is one as it stands and near enough.
    fn keep(&mut self) {
        let cost = self.placed.iter().map(|placed| placed.cost).sum();
        if cost >= self.bound || !self.pawns_can_stray() || !self.is_mate_as_placed() {
            return;
        }
        let posts: ArrayVec<Post, 12> = self.placed.iter().map(|placed| placed.post).take(12).collect();
        // Of mates that differ only by the winner's men, one is enough.
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
        self.best.truncate(self.variants - 1);
        let at = self.best.partition_point(|other| other.cost <= cost);
        self.best.insert(at, Pattern { target: self.target, posts, cost });
        if self.best.len() == self.variants {
            self.bound = self.bound.min(self.best[self.variants - 1].cost);
        }
    }

    /// Returns whether enough men can be spared for the takings of the placed pawns on their way to other files.
    fn pawns_can_stray(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let placed = self.placed.iter().map(|placed| (placed, &self.reach.men[placed.index]));
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

    /// Returns whether the men placed and the stuck ones alone give mate; pins are not looked at.
    fn is_mate_as_placed(&self) -> bool {
        let placed: SquareSet = self.placed.iter().map(|placed| placed.post.square).collect();
        let standing = placed | self.walls;
        let mut attacked = SquareSet::EMPTY;
        let mut blocked = SquareSet::EMPTY;
        let mut parry = SquareSet::FULL;
        let occupied = standing | SquareSet::of(self.target);
        let mut attacked_by_loser = attacks::king(self.target);
        let mut king = SquareSet::EMPTY;
        // Whether a checker has a square to come from. Discovered checks are left out.
        let mut comes = false;
        for Placed { index, post, .. } in &self.placed {
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
                comes |= post.role == role::PAWN
                    || post.promoted
                    || self.reach.men[*index].is_stuck()
                    || (reach - standing - attacks_of(post.role, !post.color, self.target, occupied)).any();
            }
        }
        if !comes || (king & attacked_by_loser).any() {
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
        self.placed.iter().all(|Placed { post, .. }| {
            post.color == self.winner
                || (attacks_of(post.role, post.color, post.square, standing | SquareSet::of(self.target))
                    & parry)
                    .is_empty()
                    && !(post.role == role::PAWN
                        && (SquareSet::of(post.square).step(0, forward(post.color)) & (parry - standing))
                            .any())
        })
    }

    /// Covers what is left, the neediest square first.
    fn place(&mut self, uncovered: SquareSet, taken: SquareSet, used: u32) -> bool {
        if self.patience == 0 {
            return true;
        }
        self.patience -= 1;
        if uncovered.is_empty() {
            if self.aiming {
                self.keep();
                return false;
            }
            // All men that matter stand somewhere now: more is known of what may be in the way of a parry.
            return !self.placed.iter().any(|placed| {
                placed.post.color != self.winner && self.parries(placed.index, placed.post.square)
            });
        }
        if self.aiming && self.placed.iter().map(|placed| placed.cost).sum::<u32>() >= self.bound {
            return false;
        }
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
                if !taken.contains(square) && !self.parries(index, square) {
                    let mark = self.mark(index, square);
                    if self.place(uncovered - SquareSet::of(square), taken | SquareSet::of(square), used) {
                        return true;
                    }
                    // A blocker may be any promoted man; the weakest are the best.
                    if self.aiming
                        && self.placed[mark].post.role == role::BISHOP
                        && self.placed[mark].post.promoted
                    {
                        self.placed.truncate(mark + 1);
                        self.placed[mark].post.role = role::KNIGHT;
                        if self.place(uncovered - SquareSet::of(square), taken | SquareSet::of(square), used)
                        {
                            return true;
                        }
                    }
                    self.placed.truncate(mark);
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
                self.placed.truncate(mark);
            }
        }
        false
    }

    /// Returns whether another man than the checker may look at the king through a neighbouring square.
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

    /// Returns whether a blocking man certainly parries the check of the only checker.
    fn parries(&self, index: usize, from: Square) -> bool {
        let Some((checker, post)) = self.sole_checker else { return false };
        let man = &self.reach.men[index];
        // Nothing is between a knight and the king: its check can only be met by taking it.
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
                let way = attacks::between(from, to);
                if way.contains(self.target) || way.contains(post) {
                    return false;
                }
                self.reach.men.iter().enumerate().all(|(other, man)| {
                    if let Some(placed) = self.placed.iter().find(|placed| placed.index == other) {
                        return !way.contains(placed.post.square);
                    }
                    if man.role == role::KING {
                        return man.color != self.winner || (man.squares & (way - self.ring)).is_empty();
                    }
                    other == index || (man.anywhere() & way).is_empty()
                })
            }),
        }
    }
}

/// Returns about what it takes to bring a man from one square to another.
pub(super) fn steps(role: Role, from: Square, to: Square) -> u32 {
    let files = from.file().index().abs_diff(to.file().index()) as u32;
    let ranks = from.rank().index().abs_diff(to.rank().index()) as u32;
    match role {
        // Changing files takes something to take.
        role::PAWN => 3 * ranks.max(files) + 8 * files,
        role::KNIGHT if from == to => 0,
        role::KNIGHT => 2 + (files + ranks).div_ceil(3) * 2,
        role::KING => 3 * files.max(ranks),
        _ if from == to => 0,
        _ if files == 0 || ranks == 0 || files == ranks => 2,
        _ => 4,
    }
}

/// Returns whether a bishop that a pawn becomes straight ahead may stand on a square.
fn can_be_bishop(man: &Man, square: Square) -> bool {
    let last = if man.color == Color::White { Rank::Eighth } else { Rank::First };
    SquareSet::same_shade(Square::new(man.home.file(), last)).contains(square)
}
