//! A search in which only kings and pawns stand on squares, the other men being anywhere they may ever come to.
//!
//! In locked positions a few bishops multiply the number of positions by thousands, and yet nothing depends on
//! where they are. Here a *shadow* of a position is what is left of it when the other men are forgotten: the
//! pawns, the kings, the side to move, and an en passant square. The moves between shadows allow whatever the
//! forgotten men may do.
//!
//! # Why it is sound
//!
//! Claim: if a legal turn leads from one position to another, a move leads from the shadow of the first to that
//! of the second. So the shadows reached contain those of all positions reached. A turn is one of these.
//!
//! * *A forgotten man moves without taking a pawn:* the shadow stays, the other side is to move. Allowed if the
//!   side has a man that is not stuck.
//! * *It takes a pawn:* allowed wherever one of the sets of [`Reach`] attacks the pawn's square.
//! * *A king moves:* to a next square that holds no own pawn and no stuck man, whatever else stands there.
//! * *A pawn advances*, if neither pawn, king nor stuck man stands there; *takes* a pawn, or where a forgotten enemy
//!   may stand; or takes en passant on the square kept for that.
//!
//! After each of them the own king is neither next to the other nor attacked by a pawn or a stuck man, as in
//! every legal turn. Promotion would bring a man that the sets may know nothing of, and castling two moves at
//! once: with either the search gives up.
//!
//! A mate is looked for in each shadow in which the loser is to move, with the pawns and kings where they stand and
//! the others anywhere, by `mate_is_conceivable`. If no shadow
//! allows one, the position is unwinnable.

use super::{
    pattern::mate_is_conceivable,
    reach::{Man, Reach, forward},
};
use crate::{
    attacks,
    color::{ByColor, Color},
    position::Position,
    square::{Rank, Square},
    square_set::SquareSet,
    variant::orthodox::{Orthodox, role},
};

/// The table begins this small, so that a short search clears little.
const SMALL: usize = 1 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shadow {
    pawns: ByColor<SquareSet>,
    kings: ByColor<Square>,
    turn: Color,
    en_passant: Option<Square>,
}

/// The memory of a search among shadows, to be used again.
#[derive(Debug, Default)]
pub(super) struct ShadowSearch {
    shadows: Vec<Shadow>,
    /// Open addressing: index of a shadow plus one, 0 if free.
    table: Vec<u32>,
}

/// What the forgotten men may do.
struct Forgotten {
    /// Where they may stand.
    squares: ByColor<SquareSet>,
    /// What they may attack.
    attacked: ByColor<SquareSet>,
    /// Whether one of them may ever move.
    mobile: ByColor<bool>,
    /// Those that never move and are never taken.
    stuck: SquareSet,
    /// What the stuck ones attack.
    guarded: ByColor<SquareSet>,
    men: Vec<Man>,
}

impl Forgotten {
    fn of(reach: &Reach) -> Self {
        let mut forgotten = Self {
            squares: ByColor::default(),
            attacked: ByColor::default(),
            mobile: ByColor::default(),
            stuck: SquareSet::EMPTY,
            guarded: ByColor::default(),
            men: Vec::new(),
        };
        for man in reach.men.iter().filter(|man| man.role != role::PAWN && man.role != role::KING) {
            forgotten.squares[man.color] |= man.squares;
            forgotten.attacked[man.color] |= man.attacked();
            if man.is_stuck() {
                forgotten.stuck.insert(man.home);
                forgotten.guarded[man.color] |= man.attacked();
            } else {
                forgotten.mobile[man.color] |= man.squares.more_than_one();
            }
            forgotten.men.push(*man);
        }
        forgotten
    }
}

impl ShadowSearch {
    /// Returns whether the shadows prove that `winner` cannot mate, within a number of them.
    pub(super) fn proves_unwinnable(
        &mut self,
        position: &Orthodox,
        reach: &Reach,
        winner: Color,
        limit: usize,
    ) -> bool {
        if position.castling_rooks().any() {
            return false;
        }
        let forgotten = Forgotten::of(reach);
        let pawns = position.men_of_role(role::PAWN);
        self.shadows.clear();
        self.shadows.shrink_to(SMALL);
        self.table.truncate(SMALL);
        self.table.shrink_to(SMALL);
        self.table.fill(0);
        self.table.resize(SMALL, 0);
        self.insert(Shadow {
            pawns: ByColor::new_with(|color| pawns & position.men(color)),
            kings: ByColor::new_with(|color| position.king(color)),
            turn: position.turn(),
            en_passant: position.possible_en_passant(),
        });
        let mut next = 0;
        while let Some(&shadow) = self.shadows.get(next) {
            next += 1;
            if self.shadows.len() > limit
                || shadow.turn != winner && mate_is_conceivable(&shadow.filled(&forgotten), winner)
                || !self.expand(&shadow, &forgotten)
            {
                return false;
            }
        }
        true
    }

    fn insert(&mut self, shadow: Shadow) {
        if (self.shadows.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = shadow.hash() as usize & mask;
        loop {
            match self.table[slot] {
                0 => break,
                known if self.shadows[known as usize - 1] == shadow => return,
                _ => slot = (slot + 1) & mask,
            }
        }
        self.shadows.push(shadow);
        self.table[slot] = self.shadows.len() as u32;
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, 0);
        for (index, shadow) in self.shadows.iter().enumerate() {
            let mut slot = shadow.hash() as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = index as u32 + 1;
        }
    }

    /// Keeps what may follow, if the king is safe there.
    fn follow(&mut self, mut next: Shadow, forgotten: &Forgotten) {
        let us = next.turn;
        let king = SquareSet::of(next.kings[us]);
        let ahead = forward(!us);
        let enemies = next.pawns[!us];
        let attacked = enemies.step(-1, ahead)
            | enemies.step(1, ahead)
            | attacks::king(next.kings[!us])
            | forgotten.guarded[!us];
        if (king & attacked).any() {
            return;
        }
        next.turn = !us;
        self.insert(next);
    }

    /// Adds all that may follow; returns whether that was possible.
    fn expand(&mut self, shadow: &Shadow, forgotten: &Forgotten) -> bool {
        let us = shadow.turn;
        let own = shadow.pawns[us];
        let enemies = shadow.pawns[!us];
        let quiet = Shadow { en_passant: None, ..*shadow };
        if forgotten.mobile[us] {
            self.follow(quiet, forgotten);
            for victim in enemies & forgotten.attacked[us] {
                let mut next = quiet;
                next.pawns[!us].remove(victim);
                self.follow(next, forgotten);
            }
        }
        for to in attacks::king(shadow.kings[us]) - own - forgotten.stuck {
            let mut next = quiet;
            next.kings[us] = to;
            next.pawns[!us].remove(to);
            self.follow(next, forgotten);
        }
        let ahead = forward(us);
        let kings = SquareSet::of(shadow.kings[us]) | SquareSet::of(shadow.kings[!us]);
        let barred = own | enemies | kings | forgotten.stuck;
        let (last, start) = if us == Color::White {
            (SquareSet::rank(Rank::Eighth), SquareSet::rank(Rank::Second))
        } else {
            (SquareSet::rank(Rank::First), SquareSet::rank(Rank::Seventh))
        };
        for from in own {
            let pawn = SquareSet::of(from);
            let single = pawn.step(0, ahead) - barred;
            let takings = attacks::pawn(us, from);
            let victims = takings & ((enemies | forgotten.squares[!us]) - forgotten.stuck);
            if ((single | victims) & last).any() {
                return false;
            }
            for to in single | victims {
                let mut next = quiet;
                next.pawns[us] = (own - pawn) | SquareSet::of(to);
                next.pawns[!us].remove(to);
                self.follow(next, forgotten);
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
                    self.follow(next, forgotten);
                }
            }
            if let Some(crossed) = shadow.en_passant
                && takings.contains(crossed)
            {
                let mut next = quiet;
                next.pawns[us] = (own - pawn) | SquareSet::of(crossed);
                next.pawns[!us] -= SquareSet::of(crossed).step(0, -ahead);
                self.follow(next, forgotten);
            }
        }
        true
    }
}

impl Shadow {
    fn hash(&self) -> u64 {
        let mut hash = self.pawns.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 29 ^ self.pawns.black.0).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let rest = self.kings.white.index() << 16
            | self.kings.black.index() << 8
            | self.en_passant.map_or(64, Square::index) << 1
            | self.turn.index();
        hash = (hash ^ hash >> 31 ^ rest as u64).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 32
    }

    /// Returns the men with pawns and kings where they stand and the others anywhere.
    fn filled(&self, forgotten: &Forgotten) -> Reach {
        let mut men = arrayvec::ArrayVec::new();
        for color in Color::ALL {
            for square in self.pawns[color] {
                let _ = men.try_push(Man::standing(color, role::PAWN, square));
            }
            let _ = men.try_push(Man::standing(color, role::KING, self.kings[color]));
        }
        men.extend(forgotten.men.iter().copied());
        Reach::of_men(men)
    }
}
