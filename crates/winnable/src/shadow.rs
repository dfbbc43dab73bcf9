//! A search over projections of positions: kings and pawns have definite squares, and every other man may be
//! on any square that it can ever reach.
//!
//! In locked positions a few bishops multiply the number of positions by thousands, although the answer does
//! not depend on their squares. Here the *shadow* of a position is its projection: the pawns, the kings, the
//! side to move, an en passant square, and whether the loser has promoted. The men that it leaves out are
//! called *forgotten*; the transitions between shadows allow everything that these may do. Shadows that
//! differ only in the winner's king are handled together, with its squares as a set.
//!
//! # Why it is sound
//!
//! Claim: if a legal turn leads from one position to another, there is a transition from the shadow of the
//! first to that of the second. So the shadows reached include those of all reachable positions. Every turn
//! is one of the following.
//!
//! * *A forgotten man moves without capturing a pawn:* the shadow stays the same, except that the other side
//!   is to move and there is no en passant square. Allowed if any forgotten man of the side can ever move.
//! * *It captures a pawn:* allowed where one of the sets of [`Reach`] attacks the pawn's square.
//! * *A king moves:* to an adjacent square without a pawn of its own side or a stuck forgotten man, whatever
//!   else is there.
//! * *A pawn advances* if there is no pawn, king or stuck man in its way; it *captures* a pawn, or a
//!   forgotten enemy on any square where one may be, or en passant on the stored square. On the last rank it
//!   becomes a forgotten man, on any square that its sets allow after promotion.
//!
//! A transition exists only if the king of the side that moved is then neither next to the other king nor
//! attacked by a pawn or a stuck man, as is the case after every legal turn. Castling moves two men at once,
//! so the search gives up if the position has castling rights.
//!
//! After each turn of the winner, the search looks for a mate with the pawns and kings on their squares and
//! the others anywhere. A mate needs a check, which depends on the man that has moved:
//!
//! * a king cannot give check itself. It can give a discovered check, by opening a line from one of the
//!   winner's men through the square that the king has left;
//! * a pawn attacks the king, or gives a discovered check in the same way; after an en passant capture, a
//!   check is always assumed;
//! * a forgotten man may have come from anywhere, so a check by one is assumed wherever any of them may
//!   attack the king's square; or it opens a line, and then the man behind it is also a forgotten one.
//!
//! A mate also needs every flight square of the loser's king to be blocked by one of the loser's men that is
//! or may be there, or to be attacked by a pawn, by a forgotten man anywhere that its sets allow, or by the
//! winner's king on its square. If none of this rules out a mate, `mate_is_conceivable` decides, unless the
//! loser has promoted; then a mate is assumed. If no shadow allows a mate, the position is unwinnable.
//!
//! A promoted man of the winner is assumed to be able to mate, regardless of obstacles.

use arrayvec::ArrayVec;

use super::{
    pattern::mate_is_conceivable,
    reach::{Man, Reach, forward, single_steps},
};
use adoube_rules::{ByColor, Chess, Color, Position, Rank, Square, SquareSet, attacks, variant::chess::role};

/// The initial size of the table, small so that a short search has little to clear.
const INITIAL_TABLE_SIZE: usize = 1 << 10;
/// The number of groups, and of entries, for which memory is kept by [`ShadowSearch::trim`].
const RETAINED_CAPACITY: usize = 1 << 14;

/// The common part of shadows that differ only in the square of the winner's king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ShadowGroup {
    pawns: ByColor<SquareSet>,
    /// The loser's king.
    king: Square,
    side_to_move: Color,
    en_passant: Option<Square>,
    /// Whether the loser has promoted.
    promoted: bool,
}

#[derive(Clone, Debug)]
struct GroupEntry {
    group: ShadowGroup,
    /// The squares on which the winner's king was seen.
    kings: SquareSet,
    /// The squares of `kings` for which no mate is conceivable, whichever turn led there.
    safe: SquareSet,
}

/// Shadows to expand: members of one group, all added in one call to `add_shadows`.
#[derive(Clone, Copy, Debug)]
struct Entry {
    group: u32,
    kings: SquareSet,
}

/// The memory of a search through shadows, reused by the next one.
#[derive(Debug, Default)]
pub(super) struct ShadowSearch {
    groups: Vec<GroupEntry>,
    entries: Vec<Entry>,
    /// Open addressing: the index of a group plus one; 0 if empty.
    table: Vec<u32>,
    /// Whether a mate is conceivable in any of the shadows.
    mate: bool,
}

/// The abilities of the forgotten men.
struct ForgottenMen {
    winner: Color,
    /// The squares that they may be on.
    squares: ByColor<SquareSet>,
    /// The squares that they may attack.
    attacked: ByColor<SquareSet>,
    /// The squares that the loser's present pawns may be on after promotion, and the squares that they may
    /// attack from there.
    promoted: SquareSet,
    promoted_attacked: SquareSet,
    /// Whether any forgotten man of a side can ever move.
    mobile: ByColor<bool>,
    /// The squares of those that never move and are never captured.
    immobile: SquareSet,
    /// The squares that the stuck ones attack.
    guarded: ByColor<SquareSet>,
    /// The squares that the winner's rooks and queens, and its bishops and queens, may be on.
    orthogonal: SquareSet,
    diagonal: SquareSet,
    /// Whether the loser's king never leaves its square. Then `attacked` does not cover the squares behind
    /// it.
    king_is_stuck: bool,
    men: ArrayVec<Man, 32>,
}

/// The man that has moved, and where it came from if a check may depend on that.
#[derive(Clone, Copy)]
enum Mover {
    Loser,
    /// A forgotten man of the winner.
    Forgotten,
    /// The winner's king, from one of these squares.
    King(SquareSet),
    /// A pawn of the winner, from this square.
    Pawn(Square),
    EnPassant,
}

impl ForgottenMen {
    fn of(reach: &Reach, winner: Color) -> Self {
        let mut forgotten = Self {
            winner,
            squares: ByColor::default(),
            attacked: ByColor::default(),
            promoted: SquareSet::EMPTY,
            promoted_attacked: SquareSet::EMPTY,
            mobile: ByColor::default(),
            immobile: SquareSet::EMPTY,
            guarded: ByColor::default(),
            orthogonal: SquareSet::EMPTY,
            diagonal: SquareSet::EMPTY,
            king_is_stuck: false,
            men: ArrayVec::new(),
        };
        for man in &reach.men {
            match man.role {
                role::PAWN => {
                    if man.color != winner {
                        let promoted = man.as_queen | man.as_knight;
                        forgotten.promoted |= promoted;
                        forgotten.promoted_attacked |= single_steps(role::QUEEN, man.as_queen)
                            | single_steps(role::KNIGHT, man.as_knight);
                    }
                    continue;
                }
                role::KING => {
                    if man.color != winner {
                        forgotten.king_is_stuck = !man.squares.more_than_one();
                    }
                    continue;
                }
                _ => {}
            }
            forgotten.squares[man.color] |= man.squares;
            forgotten.attacked[man.color] |= man.attacked();
            if man.is_stuck() {
                forgotten.immobile.insert(man.home);
                forgotten.guarded[man.color] |= man.attacked();
            } else {
                forgotten.mobile[man.color] |= man.squares.more_than_one();
            }
            if man.color == winner {
                if matches!(man.role, role::ROOK | role::QUEEN) {
                    forgotten.orthogonal |= man.squares;
                }
                if matches!(man.role, role::BISHOP | role::QUEEN) {
                    forgotten.diagonal |= man.squares;
                }
            }
            forgotten.men.push(*man);
        }
        forgotten
    }

    /// Returns `true` if a line from one of the winner's men to the loser's king may open when a man leaves a
    /// square, given the men that are on the board after the turn.
    fn opens(&self, group: &ShadowGroup, vacated: Square) -> bool {
        let Some(direction) = attacks::direction(group.king, vacated) else { return false };
        let sliders = if direction < 4 { self.orthogonal } else { self.diagonal };
        let standing = group.pawns.white | group.pawns.black | self.immobile;
        if (attacks::between(group.king, vacated) & standing).any() {
            return false;
        }
        let mut behind = attacks::ray(direction, vacated);
        if let Some(first) = attacks::first_on_ray(direction, vacated, standing) {
            behind -= attacks::ray(direction, first);
        }
        (behind & sliders).any()
    }

    /// Returns the squares of the winner's king for which a mate cannot be ruled out, given the man that has
    /// moved.
    fn mates(&self, group: &ShadowGroup, kings: SquareSet, mover: Mover) -> SquareSet {
        let (king, winner) = (group.king, self.winner);
        let ahead = forward(winner);
        let pawns = group.pawns[winner];
        let by_pawns = pawns.step(-1, ahead) | pawns.step(1, ahead);
        let mut kings = kings;
        match mover {
            Mover::Loser => return SquareSet::EMPTY,
            Mover::Forgotten => {
                if !self.attacked[winner].contains(king) {
                    return SquareSet::EMPTY;
                }
            }
            Mover::King(from) => {
                let opening: SquareSet = from.into_iter().filter(|&from| self.opens(group, from)).collect();
                if opening.is_empty() {
                    return SquareSet::EMPTY;
                }
                kings &= neighbours(opening);
            }
            Mover::Pawn(from) => {
                if !by_pawns.contains(king) && !self.opens(group, from) {
                    return SquareSet::EMPTY;
                }
            }
            Mover::EnPassant => {}
        }
        let ring = attacks::king(king);
        let mut blocked = group.pawns[!winner] | self.squares[!winner];
        if group.promoted {
            blocked |= self.promoted;
        }
        let mut attacked = self.attacked[winner];
        if self.king_is_stuck && (self.orthogonal | self.diagonal).any() {
            attacked |= ring;
        }
        for flight in ring - blocked - by_pawns - attacked {
            kings &= attacks::king(flight);
        }
        kings
    }

    /// Returns the reach of the men if the pawns and the loser's king stay on their squares, the winner's
    /// king is on one of `kings`, and the others may be anywhere.
    fn reach_in(&self, group: &ShadowGroup, kings: SquareSet) -> Reach {
        let mut men = ArrayVec::new();
        for color in Color::ALL {
            for square in group.pawns[color] {
                let _ = men.try_push(Man::standing(color, role::PAWN, square));
            }
        }
        let _ = men.try_push(Man::standing(!self.winner, role::KING, group.king));
        if let Some(home) = kings.first() {
            let mut king = Man::standing(self.winner, role::KING, home);
            king.squares = kings;
            let _ = men.try_push(king);
        }
        for man in &self.men {
            let _ = men.try_push(*man);
        }
        Reach::from_men(men)
    }
}

/// Returns all squares adjacent to any square of the set.
fn neighbours(set: SquareSet) -> SquareSet {
    let sideways = set.step(1, 0) | set.step(-1, 0);
    let row = set | sideways;
    sideways | row.step(0, 1) | row.step(0, -1)
}

impl ShadowSearch {
    /// Returns `true` if the shadows prove that `winner` cannot mate. Gives up, with `false`, when there are
    /// more than `limit` entries.
    pub(super) fn proves_unwinnable(
        &mut self,
        position: &Chess,
        reach: &Reach,
        winner: Color,
        limit: usize,
    ) -> bool {
        if position.castling_rooks().any() {
            return false;
        }
        let forgotten = ForgottenMen::of(reach, winner);
        self.reset();
        let pawns = position.men_of_role(role::PAWN);
        let group = ShadowGroup {
            pawns: ByColor::new_with(|color| pawns & position.men(color)),
            king: position.king(!winner),
            side_to_move: position.side_to_move(),
            en_passant: position.possible_en_passant(),
            promoted: false,
        };
        // The last mover does not matter: the solver plays out forced turns first, and stops at a mate.
        self.add_shadows(&forgotten, group, SquareSet::of(position.king(winner)), Mover::Loser);
        let mut next = 0;
        while let Some(&entry) = self.entries.get(next) {
            next += 1;
            self.expand(entry, &forgotten);
            if self.mate || self.entries.len() > limit {
                return false;
            }
        }
        true
    }

    /// Releases most of the memory.
    pub(super) fn trim(&mut self) {
        self.groups.clear();
        self.groups.shrink_to(RETAINED_CAPACITY);
        self.entries.clear();
        self.entries.shrink_to(RETAINED_CAPACITY);
        self.table.clear();
        self.table.shrink_to(INITIAL_TABLE_SIZE);
    }

    fn reset(&mut self) {
        self.mate = false;
        self.groups.clear();
        self.entries.clear();
        self.table.truncate(INITIAL_TABLE_SIZE);
        self.table.fill(0);
        self.table.resize(INITIAL_TABLE_SIZE, 0);
    }

    /// Returns the index of a group. Adds it if it is new.
    fn index(&mut self, group: ShadowGroup) -> usize {
        if (self.groups.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = group.hash() as usize & mask;
        loop {
            match self.table[slot] {
                0 => break,
                known if self.groups[known as usize - 1].group == group => return known as usize - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
        self.groups.push(GroupEntry { group, kings: SquareSet::EMPTY, safe: SquareSet::EMPTY });
        self.table[slot] = self.groups.len() as u32;
        self.groups.len() - 1
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, 0);
        for (index, seen) in self.groups.iter().enumerate() {
            let mut slot = seen.group.hash() as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = index as u32 + 1;
        }
    }

    /// Stores the shadows that are new, and looks for a mate in all that are not known to be safe. None of
    /// `kings` is next to the loser's king.
    fn add_shadows(&mut self, forgotten: &ForgottenMen, group: ShadowGroup, kings: SquareSet, mover: Mover) {
        if kings.is_empty() {
            return;
        }
        let index = self.index(group);
        let seen = &mut self.groups[index];
        let new = kings - seen.kings;
        seen.kings |= new;
        let mates = forgotten.mates(&group, kings - seen.safe, mover);
        if mates.any() {
            if group.promoted || mate_is_conceivable(&forgotten.reach_in(&group, mates), forgotten.winner) {
                self.mate = true;
                return;
            }
            seen.safe |= mates;
        }
        if new.any() {
            self.entries.push(Entry { group: index as u32, kings: new });
        }
    }

    /// Stores the shadows after a turn, if the mover's king is safe there.
    fn store_successors(
        &mut self,
        forgotten: &ForgottenMen,
        mut next: ShadowGroup,
        mut kings: SquareSet,
        mover: Mover,
    ) {
        let us = next.side_to_move;
        let enemies = next.pawns[!us];
        let ahead = forward(!us);
        let attacked = enemies.step(-1, ahead) | enemies.step(1, ahead) | forgotten.guarded[!us];
        if us == forgotten.winner {
            kings -= attacked;
        } else if attacked.contains(next.king) {
            return;
        }
        next.side_to_move = !us;
        self.add_shadows(forgotten, next, kings - attacks::king(next.king), mover);
    }

    /// Stores all shadows that can be reached in one turn.
    fn expand(&mut self, entry: Entry, forgotten: &ForgottenMen) {
        let Entry { group, kings } = entry;
        let group = self.groups[group as usize].group;
        let us = group.side_to_move;
        let winner = forgotten.winner;
        let by_winner = us == winner;
        let own = group.pawns[us];
        let enemies = group.pawns[!us];
        let promoted = group.promoted && !by_winner;
        let quiet = ShadowGroup { en_passant: None, ..group };
        let mover = |mover: Mover| if by_winner { mover } else { Mover::Loser };
        if forgotten.mobile[us] || promoted {
            self.store_successors(forgotten, quiet, kings, mover(Mover::Forgotten));
            let mut attacked = forgotten.attacked[us];
            if promoted {
                attacked |= forgotten.promoted_attacked;
            }
            for victim in enemies & attacked {
                let mut next = quiet;
                next.pawns[!us].remove(victim);
                self.store_successors(forgotten, next, kings, mover(Mover::Forgotten));
            }
        }
        let barred = own | forgotten.immobile;
        if by_winner {
            let entered = neighbours(kings) - barred;
            self.store_successors(forgotten, quiet, entered - enemies, Mover::King(kings));
            for victim in entered & enemies {
                let mut next = quiet;
                next.pawns[!us].remove(victim);
                let from = kings & attacks::king(victim);
                self.store_successors(forgotten, next, SquareSet::of(victim), Mover::King(from));
            }
        } else {
            for to in attacks::king(group.king) - barred {
                let mut next = quiet;
                next.king = to;
                next.pawns[!us].remove(to);
                self.store_successors(forgotten, next, kings - SquareSet::of(to), Mover::Loser);
            }
        }
        self.expand_pawns(&group, kings, forgotten);
    }

    /// Stores all shadows that can be reached in one turn of a pawn.
    fn expand_pawns(&mut self, group: &ShadowGroup, kings: SquareSet, forgotten: &ForgottenMen) {
        let us = group.side_to_move;
        let by_winner = us == forgotten.winner;
        let own = group.pawns[us];
        let enemies = group.pawns[!us];
        let quiet = ShadowGroup { en_passant: None, ..*group };
        let ahead = forward(us);
        let barred = own | enemies | SquareSet::of(group.king) | forgotten.immobile;
        let mut men = forgotten.squares[!us];
        if group.promoted && by_winner {
            men |= forgotten.promoted;
        }
        let victims = (enemies | men) - forgotten.immobile;
        let (last, start) = if us == Color::White {
            (SquareSet::rank(Rank::Eighth), SquareSet::rank(Rank::Second))
        } else {
            (SquareSet::rank(Rank::First), SquareSet::rank(Rank::Seventh))
        };
        for from in own {
            let pawn = SquareSet::of(from);
            let mover = if by_winner { Mover::Pawn(from) } else { Mover::Loser };
            let single = pawn.step(0, ahead) - barred;
            let takings = attacks::pawn(us, from);
            for to in single | takings & victims {
                let kings = kings - SquareSet::of(to);
                let mut next = quiet;
                next.pawns[us].remove(from);
                next.pawns[!us].remove(to);
                if last.contains(to) {
                    if by_winner {
                        // The promoted man is assumed to mate, wherever the king may be.
                        self.mate |= kings.any();
                        continue;
                    }
                    next.promoted = true;
                } else {
                    next.pawns[us].insert(to);
                }
                self.store_successors(forgotten, next, kings, mover);
            }
            if (pawn & start).any() {
                for to in single.step(0, ahead) - barred {
                    let mut next = quiet;
                    next.pawns[us] = (own - pawn) | SquareSet::of(to);
                    if let Some(crossed) = single.first()
                        && (attacks::pawn(us, crossed) & enemies).any()
                    {
                        next.en_passant = Some(crossed);
                    }
                    self.store_successors(forgotten, next, kings - single - SquareSet::of(to), mover);
                }
            }
            if let Some(crossed) = group.en_passant
                && takings.contains(crossed)
            {
                let mut next = quiet;
                next.pawns[us] = (own - pawn) | SquareSet::of(crossed);
                next.pawns[!us] -= SquareSet::of(crossed).step(0, -ahead);
                let mover = if by_winner { Mover::EnPassant } else { Mover::Loser };
                self.store_successors(forgotten, next, kings - SquareSet::of(crossed), mover);
            }
        }
    }
}

impl ShadowGroup {
    fn hash(&self) -> u64 {
        let mut hash = self.pawns.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 29 ^ self.pawns.black.0).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let rest = usize::from(self.promoted) << 16
            | self.king.index() << 8
            | self.en_passant.map_or(64, Square::index) << 1
            | self.side_to_move.index();
        hash = (hash ^ hash >> 31 ^ rest as u64).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 32
    }
}
