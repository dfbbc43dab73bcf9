//! Where each man may ever stand: an over-approximation, and so a ground for proofs that something cannot be.
//!
//! The sets grow together from the squares that the men stand on, until no rule adds a square (the least
//! fixpoint). The rules forget time, turns, checks and whatever moving men are in the way of each other; what they
//! keep is the men that can never leave their squares nor be taken there, the *stuck* ones.
//!
//! # Why it is sound
//!
//! Claim: in every legal sequence of turns from the position, each man only ever stands on squares of its set, and
//! each man that leaves its square, or is taken, is not among the stuck ones. By induction over the turns; let
//! the claim hold before a turn.
//!
//! * *A knight, bishop, rook, queen or king* goes through and to squares next to each other in the sense of its
//!   role (a slide is a sequence of single steps, and it could have stopped on each of them). Each square entered
//!   is empty, or holds an enemy that is taken. So it holds no stuck man of the own side, and no king that never
//!   leaves. That is all that [`Reach::settle`] asks for. A stuck *enemy* on it would be taken, so it is
//!   marked as taken by the rule below.
//! * *A king* moreover never enters a square that an enemy attacks. A stuck enemy stands where it stood at the
//!   beginning, so what it attacks from there is forbidden for ever: all of it for pawn, knight and king, the next
//!   square in each direction for a slider, since nothing can come in between.
//! * *A pawn* advances onto a square that is empty, so the square holds no stuck man of either side; takes where
//!   an enemy, kings aside, may stand; takes en passant where the position says so now, or where an enemy pawn on
//!   its starting square may reach the square beside. On the last rank it becomes a man with sets of
//!   its own: a queen's (rook's and bishop's are parts of it) and a knight's.
//! * *Two pawns of one file* keep their order as long as both stay on it. So a pawn that has taken nothing does not
//!   come to the square where an enemy pawn ahead of it began, or past it, if that one neither leaves the file nor
//!   is taken: it has only come nearer. For the same reason it stays behind an own pawn that never leaves the file,
//!   is never taken and never promotes.
//! * *Castling* puts king and rook on squares that are simply granted to them while the right stands.
//! * *A man is taken* on a square of its set, by a man whose last single step leads there. King's takings obey the
//!   rule for kings.
//!
//! All rules are monotone: more squares, or fewer stuck men, never forbid what was allowed. So the order in which
//! they are applied does not matter.

use arrayvec::ArrayVec;

use adoube_rules::{
    ByColor, Chess, Color, Position, Rank, Role, Square, SquareSet, attacks, variant::chess::role,
};

/// One man of the position and everything it may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) color: Color,
    pub(super) role: Role,
    /// Where it stands in the position.
    pub(super) home: Square,
    /// Where it may stand in its present role.
    pub(super) squares: SquareSet,
    /// Where it may stand as a pawn that has taken something.
    strayed: SquareSet,
    /// Where it may stand once promoted to queen, rook or bishop.
    pub(super) as_queen: SquareSet,
    /// Where it may stand once promoted to knight.
    pub(super) as_knight: SquareSet,
    /// Whether it may be taken.
    pub(super) taken: bool,
}

impl Man {
    /// Returns a man that stays where it stands.
    pub(super) fn standing(color: Color, role: Role, home: Square) -> Self {
        Self {
            color,
            role,
            home,
            squares: SquareSet::of(home),
            strayed: SquareSet::EMPTY,
            as_queen: SquareSet::EMPTY,
            as_knight: SquareSet::EMPTY,
            taken: false,
        }
    }

    /// Returns where it may stand at all.
    #[inline]
    pub(super) fn anywhere(&self) -> SquareSet {
        self.squares | self.as_queen | self.as_knight
    }

    /// Returns whether it neither leaves its square nor is taken there, ever.
    #[inline]
    pub(super) fn is_stuck(&self) -> bool {
        !self.taken && self.anywhere() == SquareSet::of(self.home)
    }

    /// Returns the squares that it may ever attack, by a last single step from a square of its sets.
    #[inline]
    pub(super) fn attacked(&self) -> SquareSet {
        let own = if self.role == role::PAWN {
            let forward = forward(self.color);
            self.squares.step(-1, forward) | self.squares.step(1, forward)
        } else {
            spread(self.role, self.squares)
        };
        if self.as_queen.is_empty() {
            return own;
        }
        own | spread(role::QUEEN, self.as_queen) | spread(role::KNIGHT, self.as_knight)
    }
}

/// The men of a position and where each may ever stand.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    pub(super) men: ArrayVec<Man, 32>,
    /// The squares of the men that never leave them and are never taken.
    pub(super) stuck: ByColor<SquareSet>,
    en_passant: Option<Square>,
    side_to_move: Color,
}

#[inline]
/// Returns the squares that a man on `from` attacks.
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

/// Returns the squares a single step of that role away, knight's leaps included.
#[inline]
pub(super) fn spread(role: Role, set: SquareSet) -> SquareSet {
    let straight = |set: SquareSet| set.step(1, 0) | set.step(-1, 0) | set.step(0, 1) | set.step(0, -1);
    let slanting = |set: SquareSet| set.step(1, 1) | set.step(-1, -1) | set.step(-1, 1) | set.step(1, -1);
    match role {
        role::BISHOP => slanting(set),
        role::ROOK => straight(set),
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
        let next = set | spread(role, set) & allowed;
        if next == set {
            return set;
        }
        set = next;
    }
}

impl Reach {
    /// Returns where each man of the position may ever stand.
    pub(super) fn of(position: &Chess) -> Self {
        Self::of_kings(position, Color::White, SquareSet::EMPTY)
    }

    /// The same of some positions at once, which differ by the square of one king.
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
                    // No position has more than 16 men a side.
                    let _ = men.try_push(man);
                }
            }
        }
        let mut reach = Self {
            men,
            stuck,
            en_passant: position.possible_en_passant(),
            side_to_move: position.side_to_move(),
        };
        reach.grant_castling(position);
        if let Some(crossed) = reach.en_passant {
            // The pawn that has just crossed does not stand where it would be met; it may be taken all the same.
            let pawn = SquareSet::of(crossed).step(0, forward(!reach.side_to_move));
            for man in reach.men.iter_mut().filter(|man| pawn.contains(man.home)) {
                man.taken = true;
            }
        }
        reach.settle();
        reach
    }

    /// Returns men whose sets are known already.
    pub(super) fn of_men(men: ArrayVec<Man, 32>) -> Self {
        let mut stuck = ByColor::<SquareSet>::default();
        for man in men.iter().filter(|man| man.is_stuck()) {
            stuck[man.color].insert(man.home);
        }
        Self { men, stuck, en_passant: None, side_to_move: Color::White }
    }

    fn grant_castling(&mut self, position: &Chess) {
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

    /// Applies the rules until none adds anything.
    fn settle(&mut self) {
        loop {
            // What stuck men forbid to the other side's king, where men of each side stand, what they attack.
            let mut forbidden = ByColor::<SquareSet>::default();
            let mut victims = ByColor::<SquareSet>::default();
            let mut kings_home = ByColor::<SquareSet>::default();
            let mut stuck = ByColor::<SquareSet>::default();
            for man in &self.men {
                if man.is_stuck() {
                    stuck[man.color].insert(man.home);
                    forbidden[!man.color] |= man.attacked();
                    if man.role == role::KING {
                        kings_home[man.color].insert(man.home);
                    }
                }
                if man.role != role::KING {
                    victims[man.color] |= man.anywhere();
                }
            }
            self.stuck = stuck;
            let any_stuck = stuck.white | stuck.black;
            let mut attacked = ByColor::<SquareSet>::default();
            let mut changed = false;
            for index in 0..self.men.len() {
                let man = self.men[index];
                let enterable = !(stuck[man.color] | kings_home[!man.color]);
                let mut next = man;
                match man.role {
                    role::PAWN => {
                        self.settle_pawn(&mut next, any_stuck, victims[!man.color], enterable);
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
                changed |= next.anywhere() != man.anywhere();
                self.men[index] = next;
            }
            for man in &mut self.men {
                if !man.taken && man.role != role::KING && (man.anywhere() & attacked[!man.color]).any() {
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
    fn settle_pawn(&self, man: &mut Man, any_stuck: SquareSet, victims: SquareSet, enterable: SquareSet) {
        let ahead = forward(man.color);
        let last = SquareSet::rank(if man.color == Color::White { Rank::Eighth } else { Rank::First });
        let mut targets = victims;
        if self.side_to_move == man.color
            && let Some(crossed) = self.en_passant
        {
            targets.insert(crossed);
        }
        targets |= self.crossable(!man.color);
        // As long as it takes nothing it goes straight ahead, up to what never makes way for it.
        let mut straight = SquareSet::of(man.home);
        let free = self.straight_way(man) - any_stuck;
        loop {
            let next = straight | straight.step(0, ahead) & free;
            if next == straight {
                break;
            }
            straight = next;
        }
        let mut strayed = man.strayed;
        loop {
            let pawns = (straight | strayed) - last;
            let next = strayed
                | ((strayed - last).step(0, ahead) - any_stuck)
                | (pawns.step(-1, ahead) | pawns.step(1, ahead)) & targets;
            if next == strayed {
                break;
            }
            strayed = next;
        }
        man.strayed = strayed;
        let squares = straight | strayed;
        man.squares = squares - last;
        let promoted = squares & last;
        if promoted.any() {
            man.as_queen = fill(role::QUEEN, man.as_queen | promoted, enterable);
            man.as_knight = fill(role::KNIGHT, man.as_knight | promoted, enterable);
        }
    }

    /// Returns the squares of its file that a pawn may reach without taking anything.
    #[inline]
    fn straight_way(&self, man: &Man) -> SquareSet {
        let file = SquareSet::file(man.home.file());
        let direction = if man.color == Color::White { 2 } else { 3 };
        let mut way = attacks::ray(direction, man.home);
        for other in &self.men {
            let ahead = attacks::ray(direction, man.home).contains(other.home);
            if !ahead || other.role != role::PAWN || other.taken || (other.squares - file).any() {
                continue;
            }
            if other.color != man.color {
                way &= attacks::ray(direction ^ 1, other.home);
            } else if other.as_queen.is_empty() {
                let furthest =
                    if man.color == Color::White { other.squares.last() } else { other.squares.first() };
                if let Some(furthest) = furthest {
                    way &= attacks::ray(direction ^ 1, furthest);
                }
            }
        }
        way
    }

    /// Returns the squares that pawns of a side may cross from their starting squares, two at a time.
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
