//! Over-approximates the squares that each man can ever reach, as a basis for proofs that something is
//! impossible.
//!
//! The sets start with the current squares of the men and grow together until no rule adds a square (the
//! least fixpoint). The rules ignore time, turns, checks, and the fact that men that can move may block each
//! other. They respect the *stuck* men, which can never leave their squares or be captured there.
//!
//! # Why it is sound
//!
//! Claim: in every legal sequence of turns from the position, each man is only ever on squares of its set,
//! and a man that leaves its square or is captured is not stuck. The proof is by induction on the number of
//! turns. Let the claim hold before a turn.
//!
//! * *A knight, bishop, rook, queen or king* moves through and to squares that are adjacent in the sense of
//!   its role (a slide is a sequence of single steps, and could have stopped after each). Each square entered
//!   is empty, or contains an enemy that is captured. So it contains no stuck man of the same side, and no
//!   king that never leaves its square. [`Reach::run_to_fixpoint`] requires no more. A stuck *enemy* there
//!   would be captured, so the rule below marks it as captured.
//! * *A king* also never enters a square that an enemy attacks. A stuck enemy stays on its initial square, so
//!   the squares that it attacks from there are forbidden for good: all of them for a pawn, knight or king,
//!   the adjacent square in each direction for a slider, because nothing can come in between.
//! * *A pawn* advances to an empty square, so the square contains no stuck man of either side. It captures
//!   where an enemy other than a king may be. It captures en passant where the position allows it now, or on
//!   a square that an enemy pawn may cross with a double step. On the last rank it becomes a man with sets of
//!   its own: a queen's, which includes a rook's and a bishop's, and a knight's.
//! * *Two pawns on one file* keep their order as long as both stay on it. So a pawn that has captured nothing
//!   does not reach or pass the initial square of an enemy pawn ahead of it, unless that pawn leaves the file
//!   or is captured; if it does neither, it can only come nearer. For the same reason it stays behind a pawn
//!   of its own side that never leaves the file, is never captured and never promotes.
//! * *Castling* adds the destination squares of king and rook if the position has castling rights.
//! * *A man is captured* on a square of its set, by a man whose last single step leads there. Captures by a
//!   king obey the rule for kings.
//!
//! All rules are monotone: more squares, or fewer stuck men, never forbid what was allowed. So the order of
//! application does not matter.

use arrayvec::ArrayVec;

use adoube_rules::{
    ByColor, Chess, Color, Position, Rank, Role, Square, SquareSet, attacks, variant::chess::role,
};

/// A man in the position, with all squares that it may reach in its own role or after promotion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) color: Color,
    pub(super) role: Role,
    /// The man's square in the position.
    pub(super) home: Square,
    /// The squares that the man may reach in its present role.
    pub(super) squares: SquareSet,
    /// The squares that the man may reach as a pawn that has captured something.
    off_file: SquareSet,
    /// The squares that the man may reach after promotion to queen, rook or bishop.
    pub(super) as_queen: SquareSet,
    /// The squares that the man may reach after promotion to knight.
    pub(super) as_knight: SquareSet,
    /// Whether the man may be captured.
    pub(super) taken: bool,
}

impl Man {
    /// Returns a man that stays on its square.
    pub(super) fn standing(color: Color, role: Role, home: Square) -> Self {
        Self {
            color,
            role,
            home,
            squares: SquareSet::of(home),
            off_file: SquareSet::EMPTY,
            as_queen: SquareSet::EMPTY,
            as_knight: SquareSet::EMPTY,
            taken: false,
        }
    }

    /// Returns all squares that the man may reach.
    #[inline]
    pub(super) fn reachable(&self) -> SquareSet {
        self.squares | self.as_queen | self.as_knight
    }

    /// Returns `true` if the man can never leave its square or be captured there.
    #[inline]
    pub(super) fn is_stuck(&self) -> bool {
        !self.taken && self.reachable() == SquareSet::of(self.home)
    }

    /// Returns the squares that the man can ever attack, by a last single step from a square of its sets.
    #[inline]
    pub(super) fn attacked(&self) -> SquareSet {
        let own = if self.role == role::PAWN {
            let forward = forward(self.color);
            self.squares.step(-1, forward) | self.squares.step(1, forward)
        } else {
            single_steps(self.role, self.squares)
        };
        if self.as_queen.is_empty() {
            return own;
        }
        own | single_steps(role::QUEEN, self.as_queen) | single_steps(role::KNIGHT, self.as_knight)
    }
}

/// The men in a position, with the squares that each can ever reach.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    pub(super) men: ArrayVec<Man, 32>,
    /// The squares of the stuck men.
    pub(super) immobile: ByColor<SquareSet>,
    en_passant: Option<Square>,
    side_to_move: Color,
}

/// Returns the squares that a man on `from` attacks.
#[inline]
pub(super) fn attacks_of(role: Role, color: Color, from: Square, occupied: SquareSet) -> SquareSet {
    match role {
        role::PAWN => attacks::pawn(color, from),
        role::KNIGHT => attacks::knight(from),
        role::BISHOP => attacks::bishop(from, occupied),
        role::ROOK => attacks::rook(from, occupied),
        role::QUEEN => attacks::queen(from, occupied),
        _ => attacks::king(from),
    }
}

pub(super) fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

/// Returns the squares that are a single step of this role away from the set; for a knight, a leap. For a
/// queen or king, the squares of the set are included.
#[inline]
pub(super) fn single_steps(role: Role, set: SquareSet) -> SquareSet {
    let orthogonal = |set: SquareSet| set.step(1, 0) | set.step(-1, 0) | set.step(0, 1) | set.step(0, -1);
    let diagonal = |set: SquareSet| set.step(1, 1) | set.step(-1, -1) | set.step(-1, 1) | set.step(1, -1);
    match role {
        role::BISHOP => diagonal(set),
        role::ROOK => orthogonal(set),
        role::KNIGHT => {
            let (up, down) = (set.step(0, 1), set.step(0, -1));
            let (right, left) = (set.step(1, 0), set.step(-1, 0));
            up.step(1, 1)
                | up.step(-1, 1)
                | down.step(1, -1)
                | down.step(-1, -1)
                | right.step(1, 1)
                | right.step(1, -1)
                | left.step(-1, 1)
                | left.step(-1, -1)
        }
        _ => {
            let row = set | set.step(1, 0) | set.step(-1, 0);
            row | row.step(0, 1) | row.step(0, -1)
        }
    }
}

#[inline]
fn fill(role: Role, mut set: SquareSet, allowed: SquareSet) -> SquareSet {
    loop {
        let next = set | single_steps(role, set) & allowed;
        if next == set {
            return set;
        }
        set = next;
    }
}

impl Reach {
    /// Returns the squares that each man in the position can ever reach.
    pub(super) fn of(position: &Chess) -> Self {
        Self::of_kings(position, Color::White, SquareSet::EMPTY)
    }

    /// Returns the squares that each man can ever reach from any of several positions. These positions differ
    /// only in the square of one king, which may be any square of `kings`.
    pub(super) fn of_kings(position: &Chess, color_of_king: Color, kings: SquareSet) -> Self {
        let mut men: ArrayVec<Man, 32> = ArrayVec::new();
        let mut stuck = ByColor::default();
        for color in Color::ALL {
            stuck[color] = position.men(color);
            for role in [role::PAWN, role::KING, role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN] {
                for home in position.men(color) & position.men_of_role(role) {
                    let mut man = Man::standing(color, role, home);
                    if role == role::KING && color == color_of_king {
                        man.squares |= kings;
                    }
                    // Each side has at most 16 men.
                    let _ = men.try_push(man);
                }
            }
        }
        let mut reach = Self {
            men,
            immobile: stuck,
            en_passant: position.possible_en_passant(),
            side_to_move: position.side_to_move(),
        };
        reach.add_castling_squares(position);
        if let Some(crossed) = reach.en_passant {
            // The pawn that has just made a double step may be captured on the square behind it. That square
            // is not in its set, so the rules would not mark it as captured.
            let pawn = SquareSet::of(crossed).step(0, forward(!reach.side_to_move));
            for man in reach.men.iter_mut().filter(|man| pawn.contains(man.home)) {
                man.taken = true;
            }
        }
        reach.run_to_fixpoint();
        reach
    }

    /// Returns the result for men whose sets are already known.
    pub(super) fn from_men(men: ArrayVec<Man, 32>) -> Self {
        let mut stuck = ByColor::<SquareSet>::default();
        for man in men.iter().filter(|man| man.is_stuck()) {
            stuck[man.color].insert(man.home);
        }
        Self { men, immobile: stuck, en_passant: None, side_to_move: Color::White }
    }

    fn add_castling_squares(&mut self, position: &Chess) {
        for rook in position.castling_rooks() {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            let (king_to, rook_to) = Chess::castling_destinations(position.king(color), rook);
            for man in &mut self.men {
                if man.color == color && man.role == role::KING {
                    man.squares.insert(king_to);
                } else if man.home == rook {
                    man.squares.insert(rook_to);
                }
            }
        }
    }

    /// Applies the rules until none adds a square.
    fn run_to_fixpoint(&mut self) {
        loop {
            // The squares that stuck men forbid to the enemy king, the squares that men other than kings may
            // be on, the squares of stuck kings, and those of all stuck men.
            let mut forbidden = ByColor::<SquareSet>::default();
            let mut victims = ByColor::<SquareSet>::default();
            let mut stuck_kings = ByColor::<SquareSet>::default();
            let mut stuck = ByColor::<SquareSet>::default();
            for man in &self.men {
                if man.is_stuck() {
                    stuck[man.color].insert(man.home);
                    forbidden[!man.color] |= man.attacked();
                    if man.role == role::KING {
                        stuck_kings[man.color].insert(man.home);
                    }
                }
                if man.role != role::KING {
                    victims[man.color] |= man.reachable();
                }
            }
            self.immobile = stuck;
            let any_stuck = stuck.white | stuck.black;
            let mut attacked = ByColor::<SquareSet>::default();
            let mut changed = false;
            for index in 0..self.men.len() {
                let man = self.men[index];
                let enterable = !(stuck[man.color] | stuck_kings[!man.color]);
                let mut next = man;
                match man.role {
                    role::PAWN => {
                        self.update_pawn(&mut next, any_stuck, victims[!man.color], enterable);
                        attacked[man.color] |= next.attacked();
                    }
                    role::KING => {
                        let enterable = enterable - forbidden[man.color];
                        next.squares = fill(role::KING, man.squares, enterable);
                        attacked[man.color] |= next.attacked() & enterable;
                    }
                    role => {
                        next.squares = fill(role, man.squares, enterable);
                        attacked[man.color] |= next.attacked();
                    }
                }
                changed |= next.reachable() != man.reachable();
                self.men[index] = next;
            }
            for man in &mut self.men {
                if !man.taken && man.role != role::KING && (man.reachable() & attacked[!man.color]).any() {
                    man.taken = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    #[inline]
    fn update_pawn(&self, man: &mut Man, any_stuck: SquareSet, victims: SquareSet, enterable: SquareSet) {
        let ahead = forward(man.color);
        let last = SquareSet::rank(if man.color == Color::White { Rank::Eighth } else { Rank::First });
        let mut targets = victims;
        if self.side_to_move == man.color
            && let Some(crossed) = self.en_passant
        {
            targets.insert(crossed);
        }
        targets |= self.crossable(!man.color);
        // A pawn that captures nothing moves straight forward, up to the first man that never makes way for
        // it.
        let mut straight = SquareSet::of(man.home);
        let free = self.file_reach(man) - any_stuck;
        loop {
            let next = straight | straight.step(0, ahead) & free;
            if next == straight {
                break;
            }
            straight = next;
        }
        let mut off_file = man.off_file;
        loop {
            let pawns = (straight | off_file) - last;
            let next = off_file
                | ((off_file - last).step(0, ahead) - any_stuck)
                | (pawns.step(-1, ahead) | pawns.step(1, ahead)) & targets;
            if next == off_file {
                break;
            }
            off_file = next;
        }
        man.off_file = off_file;
        let squares = straight | off_file;
        man.squares = squares - last;
        let promoted = squares & last;
        if promoted.any() {
            man.as_queen = fill(role::QUEEN, man.as_queen | promoted, enterable);
            man.as_knight = fill(role::KNIGHT, man.as_knight | promoted, enterable);
        }
    }

    /// Returns the squares that a pawn may reach on its file without capturing.
    #[inline]
    fn file_reach(&self, man: &Man) -> SquareSet {
        let file = SquareSet::file(man.home.file());
        let direction = if man.color == Color::White { 2 } else { 3 };
        let mut path = attacks::ray(direction, man.home);
        for other in &self.men {
            let ahead = attacks::ray(direction, man.home).contains(other.home);
            if !ahead || other.role != role::PAWN || other.taken || (other.squares - file).any() {
                continue;
            }
            if other.color != man.color {
                path &= attacks::ray(direction ^ 1, other.home);
            } else if other.as_queen.is_empty() {
                let furthest =
                    if man.color == Color::White { other.squares.last() } else { other.squares.first() };
                if let Some(furthest) = furthest {
                    path &= attacks::ray(direction ^ 1, furthest);
                }
            }
        }
        path
    }

    /// Returns the squares that pawns of a side may cross with a double step.
    #[inline]
    fn crossable(&self, color: Color) -> SquareSet {
        let start = SquareSet::rank(if color == Color::White { Rank::Second } else { Rank::Seventh });
        let ahead = forward(color);
        let mut crossed = SquareSet::EMPTY;
        for man in &self.men {
            if man.color == color && man.role == role::PAWN {
                let first = (SquareSet::of(man.home) & start).step(0, ahead);
                if (first.step(0, ahead) & man.squares).any() {
                    crossed |= first & man.squares;
                }
            }
        }
        crossed
    }
}
