//! A search through all positions that can be reached, those that differ by one king's square alone together.
//!
//! Where little but kings and pawns can move, nearly all positions differ by the square of the freer king. Here
//! the *scene* is everything else, and the king's squares are a set: one turn of any other man is played for all of
//! them at once. Nothing is forgotten or guessed: every position stands for itself, one bit of a set.
//!
//! # Why it is exact
//!
//! Let F be the side of the *free* king, the one that is a set, and X the other side. For each scene the set holds
//! squares where the king may stand such that the side not to move is not in check. What depends on its square is:
//!
//! * *Other men's ways:* a man that slides from a to b needs the square neither between them nor on b; a pawn that
//!   advances needs its way free. These squares are taken out of the set for that turn.
//! * *Whether F is in check:* if and only if the square is attacked by a man of X's, the free king itself being in
//!   nobody's way: what attacks a square looks no further than to it.
//! * *Whether X is in check:* by a pawn or a knight wherever the free king stands; by a man that slides unless the
//!   free king stands between; never by the king.
//! * *The free king's own turns:* to squares next to one of the set, without own men, and not attacked; if it takes
//!   something the scene changes, so those are followed one by one.
//!
//! * *Castling:* while a side may castle its king has not moved. If it is the free king its set is that one square.
//!   Castling is the only turn that is made for one square of the set after the other, by [`Chess`] itself.
//!
//! A square of the set is a mate if the side to move is in check there and none of the turns leaves it.
//!
//! Nothing is left out but scenes of which it is proved, for each side still asked about, that it cannot mate. So
//! when nothing is left to go on from, none of these sides can win.

mod scene;

use super::{
    material::too_little_of,
    pattern::mate_is_conceivable,
    reach::{Reach, forward},
};
use adoube_rules::{
    ByColor, Chess, Color, Position, Rank, Role, Square, SquareSet, Step, attacks,
    variant::chess::{PROMOTIONS, role},
};

use scene::{EARLY, Packed, Scene, lengths_of_ranks};

const SMALL: usize = 1 << 10;
/// Room kept when memory is given back, in scenes.
const KEPT: usize = 1 << 14;
const NONE: u32 = u32::MAX;
/// Scenes are gone on from by what pawns have before them and how many men are left; this many kinds.
const STAGES: usize = 384;
/// A scene met, in one line of the processor's cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Seen {
    sets: [SquareSet; 4],
    /// Where the free king may stand.
    kings: SquareSet,
    /// For which of its squares the search has yet to go on.
    pending: SquareSet,
    rest: u32,
    /// The latest arrival.
    arrivals: u32,
    /// The next scene of the same stage that waits.
    next: u32,
    waits: bool,
    /// Whether a promotion has led here since it was last gone on from.
    doubtful: bool,
}

const _: () = assert!(size_of::<Seen>() == 64);

impl Seen {
    #[inline]
    fn scene(&self) -> Scene {
        Scene::unpacked(Packed { sets: self.sets, rest: self.rest })
    }
}

/// How squares of a scene have been reached.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    kings: SquareSet,
    /// What was gone on from.
    from: u32,
    next: u32,
}

/// Squares of a scene that were gone on from together.
#[derive(Clone, Copy, Debug)]
struct Source {
    scene: u32,
    kings: SquareSet,
}

/// What follows a turn, not kept yet.
#[derive(Clone, Copy, Debug)]
struct Following {
    packed: Packed,
    hash: u64,
    kings: SquareSet,
    /// Whether the turn has promoted a pawn.
    promoted: bool,
}

/// The memory of a search, to be used again.
#[derive(Debug)]
pub(super) struct Bundles {
    seen: Vec<Seen>,
    arrivals: Vec<Arrival>,
    sources: Vec<Source>,
    /// What follows the scene gone on from.
    following: Vec<Following>,
    /// Open addressing: index of a scene plus one and the upper half of its hash, 0 if free.
    table: Vec<u64>,
    stages: Box<[u32; STAGES]>,
    waiting: [u64; STAGES / 64],
    free: Color,
    made: u64,
    /// The sides still asked about.
    open: ByColor<bool>,
    events: Vec<Event>,
    source: u32,
    /// The officers at the root, and the number of pawns.
    officers: ByColor<[u8; 4]>,
    pawns: u64,
    /// The men of the side not to move in the scene gone on from, but for a free king.
    enemies: SquareSet,
    /// The stage taken last in turn.
    swept: usize,
    /// Whether something was left out, so that running out of scenes proves nothing.
    is_incomplete: bool,
}

/// Something worth to be known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    scene: u32,
    king: Square,
    /// The side that mates or has got a new queen.
    pub(super) color: Color,
    pub(super) mate: bool,
}

/// How a search has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// None of the sides still asked about can win.
    Exhausted,
    /// A mate or a way to a new queen has been found.
    Event,
    LimitReached,
}

impl Default for Bundles {
    fn default() -> Self {
        Self {
            seen: Vec::new(),
            arrivals: Vec::new(),
            sources: Vec::new(),
            following: Vec::new(),
            table: Vec::new(),
            stages: Box::new([NONE; STAGES]),
            waiting: [0; STAGES / 64],
            free: Color::White,
            made: 0,
            open: ByColor::default(),
            events: Vec::new(),
            source: NONE,
            officers: ByColor::default(),
            pawns: 0,
            enemies: SquareSet::EMPTY,
            swept: STAGES,
            is_incomplete: false,
        }
    }
}

/// Returns all squares next to one of some squares.
pub(super) fn neighbours(set: SquareSet) -> SquareSet {
    let beside = set.step(1, 0) | set.step(-1, 0);
    let row = set | beside;
    beside | row.step(0, 1) | row.step(0, -1)
}

/// Returns how many squares a king could walk to now if nothing else moved.
fn room(position: &Chess, color: Color) -> usize {
    let pawns = position.men_of_role(role::PAWN) & position.men(!color);
    let ahead = forward(!color);
    let allowed = !(position.men(color) | pawns.step(-1, ahead) | pawns.step(1, ahead));
    let mut squares = SquareSet::of(position.king(color));
    loop {
        let next = squares | neighbours(squares) & allowed;
        if next == squares {
            return squares.len();
        }
        squares = next;
    }
}

impl Bundles {
    /// Returns how many scenes the search has made.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// Gives memory back but for a little.
    pub(super) fn trim(&mut self) {
        self.seen.clear();
        self.seen.shrink_to(KEPT);
        self.arrivals.clear();
        self.arrivals.shrink_to(KEPT);
        self.sources.clear();
        self.sources.shrink_to(KEPT);
        self.table.clear();
        self.table.shrink_to(SMALL);
    }

    /// Begins a search; the king that has more room is the free one.
    pub(super) fn begin(&mut self, position: &Chess, open: ByColor<bool>) {
        let white = room(position, Color::White) >= room(position, Color::Black);
        self.begin_with(position, open, if white { Color::White } else { Color::Black });
    }

    /// Begins a search with one of the kings as the free one.
    fn begin_with(&mut self, position: &Chess, open: ByColor<bool>, free: Color) {
        self.seen.clear();
        self.arrivals.clear();
        self.sources.clear();
        self.table.truncate(SMALL);
        self.table.fill(0);
        self.table.resize(SMALL, 0);
        self.stages.fill(NONE);
        self.waiting = [0; STAGES / 64];
        self.events.clear();
        self.made = 0;
        self.open = open;
        self.free = free;
        self.source = NONE;
        self.swept = STAGES;
        self.is_incomplete = false;
        let scene = Scene::of(position, self.free);
        self.officers = ByColor::new_with(|color| scene.officers(color));
        self.pawns = scene.roles[0].len() as u64;
        self.note(&scene, SquareSet::of(position.king(self.free)), false);
        self.keep();
    }

    /// No longer asks about a side.
    pub(super) fn close(&mut self, color: Color) {
        self.open[color] = false;
        self.events.retain(|event| event.color != color);
    }

    /// Goes on until something is found, nothing is left, or so many scenes have been made.
    pub(super) fn resume(&mut self, limit: u64) -> Ended {
        loop {
            if !self.events.is_empty() {
                return Ended::Event;
            }
            if self.made >= limit {
                return Ended::LimitReached;
            }
            let Some(index) = self.pop() else {
                return if self.is_incomplete { Ended::LimitReached } else { Ended::Exhausted };
            };
            self.expand(index);
        }
    }

    /// Takes out what has been found.
    pub(super) fn event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// Returns the position of an event.
    pub(super) fn position_of(&self, event: Event) -> Option<Chess> {
        self.seen[event.scene as usize].scene().position(self.free, event.king)
    }

    /// Returns the steps that lead from the root to an event.
    pub(super) fn line(&self, event: Event) -> Option<Vec<Step>> {
        let mut positions = vec![self.position_of(event)?];
        let (mut scene, mut king) = (event.scene, event.king);
        loop {
            let mut arrival = self.seen[scene as usize].arrivals;
            while !self.arrivals.get(arrival as usize)?.kings.contains(king) {
                arrival = self.arrivals[arrival as usize].next;
            }
            let from = self.arrivals[arrival as usize].from;
            if from == NONE {
                break;
            }
            let source = self.sources[from as usize];
            let (before, after) =
                (self.seen[source.scene as usize].scene(), self.seen[scene as usize].scene());
            if before.castling[self.free.index()] != 0 {
                // It has not moved before, so there is but one square.
                king = source.kings.first()?;
            } else if before.side_to_move == self.free && before.men[self.free] == after.men[self.free] {
                king = (source.kings & attacks::king(king)).first()?;
            }
            scene = source.scene;
            positions.push(self.seen[scene as usize].scene().position(self.free, king)?);
        }
        positions.reverse();
        let mut steps = Vec::with_capacity(positions.len());
        for pair in positions.windows(2) {
            let same = |step: &Step| {
                let next = pair[0].after(*step);
                Color::ALL.into_iter().all(|color| next.men(color) == pair[1].men(color))
                    && (0..6)
                        .all(|role| next.men_of_role(Role::new(role)) == pair[1].men_of_role(Role::new(role)))
            };
            steps.push(pair[0].legal_steps().into_iter().find(same)?);
        }
        Some(steps)
    }

    /// Returns the index of a scene, which may be new; the table has room for it.
    fn index(&mut self, packed: Packed, hash: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let known = self.table[slot];
            if known == 0 {
                break;
            }
            if (known ^ hash) >> 32 == 0 {
                let index = known as u32 as usize - 1;
                let seen = &self.seen[index];
                if seen.sets == packed.sets && seen.rest == packed.rest {
                    return index;
                }
            }
            slot = (slot + 1) & mask;
        }
        self.seen.push(Seen {
            sets: packed.sets,
            rest: packed.rest,
            kings: SquareSet::EMPTY,
            pending: SquareSet::EMPTY,
            arrivals: NONE,
            next: NONE,
            waits: false,
            doubtful: false,
        });
        self.table[slot] = (hash >> 32 << 32) | self.seen.len() as u64;
        self.seen.len() - 1
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, 0);
        for (index, seen) in self.seen.iter().enumerate() {
            let hash = Packed { sets: seen.sets, rest: seen.rest }.hash();
            let mut slot = hash as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = (hash >> 32 << 32) | (index as u64 + 1);
        }
    }

    /// Takes out a scene to go on from: one as far ahead as possible, one of the earliest stage, which makes sets large,
    /// and two of further stages in turn from the earliest to the last, as what leads to a mate lies anywhere between.
    fn pop(&mut self) -> Option<u32> {
        let first = |from: usize| {
            let word = self.waiting[from..].iter().position(|&word| word != 0)? + from;
            Some(word * 64 + self.waiting[word].trailing_zeros() as usize)
        };
        let last_below = |end: usize| {
            let within = |word: usize| {
                let bits = end.saturating_sub(word * 64);
                self.waiting[word] & if bits < 64 { (1 << bits) - 1 } else { !0 }
            };
            let word = (0..end.div_ceil(64)).rev().find(|&word| within(word) != 0)?;
            Some(word * 64 + 63 - within(word).leading_zeros() as usize)
        };
        let stage = match self.sources.len() % 4 {
            0 => first(EARLY / 64).or_else(|| first(0))?,
            1 => last_below(STAGES)?,
            _ => {
                self.swept = last_below(self.swept).or_else(|| last_below(STAGES))?;
                self.swept
            }
        };
        let index = self.stages[stage];
        let seen = &mut self.seen[index as usize];
        seen.waits = false;
        self.stages[stage] = seen.next;
        if seen.next == NONE {
            self.waiting[stage / 64] &= !(1 << (stage % 64));
        }
        Some(index)
    }

    /// Notes positions to be kept.
    #[inline]
    fn note(&mut self, scene: &Scene, kings: SquareSet, promoted: bool) {
        if kings.any() {
            let packed = scene.packed();
            self.following.push(Following { packed, hash: packed.hash(), kings, promoted });
        }
    }

    /// Keeps what has been noted.
    fn keep(&mut self) {
        let following = std::mem::take(&mut self.following);
        while (self.seen.len() + following.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        // Memory is asked for all that will be needed before any of it is: most of the time here goes into waiting.
        let mask = self.table.len() - 1;
        let mut touched = 0;
        for next in &following {
            touched ^= self.table[next.hash as usize & mask];
        }
        std::hint::black_box(touched);
        let mut touched = 0;
        for next in &following {
            let known = self.table[next.hash as usize & mask];
            if known != 0 && (known ^ next.hash) >> 32 == 0 {
                touched ^= self.seen[known as u32 as usize - 1].rest;
            }
        }
        std::hint::black_box(touched);
        for next in &following {
            self.arrive(next);
        }
        self.following = following;
        self.following.clear();
    }

    /// Keeps positions that are new.
    fn arrive(&mut self, next: &Following) {
        let &Following { packed, hash, kings, promoted } = next;
        let index = self.index(packed, hash);
        let seen = &mut self.seen[index];
        let new = kings - seen.kings;
        if new.is_empty() {
            return;
        }
        let scene = Scene::unpacked(packed);
        seen.kings |= new;
        seen.pending |= new;
        seen.doubtful |= promoted;
        self.arrivals.push(Arrival { kings: new, from: self.source, next: seen.arrivals });
        seen.arrivals = self.arrivals.len() as u32 - 1;
        if !seen.waits {
            seen.waits = true;
            let [pawns, knights, bishops, rooks, queens] = scene.roles;
            let pawns = lengths_of_ranks(pawns).wrapping_mul(0x0101_0101_0101_0101) >> 56;
            let promoted = pawns < self.pawns
                && (knights | bishops | rooks | queens).any()
                && Color::ALL.into_iter().any(|color| {
                    scene.officers(color).iter().zip(&self.officers[color]).any(|(now, then)| now > then)
                });
            let stage = scene.stage() + if promoted { 0 } else { EARLY };
            seen.next = self.stages[stage];
            self.stages[stage] = index as u32;
            self.waiting[stage / 64] |= 1 << (stage % 64);
        }
        let mover = !scene.side_to_move;
        if promoted
            && self.open[mover]
            && scene.officers(mover)[3] > self.officers[mover][3]
            && let Some(king) = new.first()
        {
            self.events.push(Event { scene: index as u32, king, color: mover, mate: false });
        }
    }

    /// Returns whether a side is not asked about, or has too few men ever to mate.
    fn is_out(&self, scene: &Scene, winner: Color) -> bool {
        !self.open[winner] || {
            let loser = scene.men[!winner] - SquareSet::of(scene.king);
            too_little_of(&scene.roles, scene.men[winner], loser)
        }
    }

    /// Returns whether no side asked about has enough men to mate.
    fn is_over(&self, scene: &Scene) -> bool {
        Color::ALL.into_iter().all(|winner| self.is_out(scene, winner))
    }

    /// Returns whether it is proved that none of the sides asked about can mate behind a scene.
    fn is_hopeless(&self, scene: &Scene, kings: SquareSet) -> bool {
        let Some(king) = kings.first() else { return true };
        let Some(position) = scene.position(self.free, king) else { return false };
        let reach = Reach::of_kings(&position, self.free, kings);
        Color::ALL
            .into_iter()
            .all(|winner| self.is_out(scene, winner) || !mate_is_conceivable(&reach, winner))
    }

    /// Notes what follows a turn; returns for which squares of the free king it is legal.
    fn follow(&mut self, scene: &Scene, kings: SquareSet, promoted: bool) -> SquareSet {
        self.made += 1;
        if kings.is_empty() {
            return kings;
        }
        let mover = !scene.side_to_move;
        let legal = if mover == self.free {
            kings - scene.attacked(!self.free)
        } else {
            (kings & scene.safe(self.free)) - attacks::king(scene.king)
        };
        if legal.is_empty() {
            return legal;
        }
        // Nobody has less to mate with behind a turn that neither takes nor promotes.
        let same = !promoted && scene.men[!mover] == self.enemies;
        if same || !self.is_over(scene) {
            self.note(scene, legal, promoted);
        }
        legal
    }

    /// Goes on from the squares of a scene that wait.
    fn expand(&mut self, index: u32) {
        let seen = &mut self.seen[index as usize];
        let kings = std::mem::take(&mut seen.pending);
        let doubtful = std::mem::take(&mut seen.doubtful);
        let scene = seen.scene();
        // Most promotions are never gone on from, so this is not asked before.
        if self.is_over(&scene) || doubtful && self.is_hopeless(&scene, kings) {
            return;
        }
        self.enemies = scene.men[!scene.side_to_move];
        self.sources.push(Source { scene: index, kings });
        self.source = self.sources.len() as u32 - 1;
        let us = scene.side_to_move;
        let own = scene.men[us];
        let enemies = scene.men[!us];
        let occupied = scene.occupied();
        let takable = enemies - SquareSet::of(scene.king);
        let mut quiet = Scene { en_passant: None, side_to_move: !us, ..scene };
        // The turns of kings begin with this one.
        quiet.castling[us.index()] = 0;
        let mut moving = SquareSet::EMPTY;
        // Whether the side to move is in check.
        let checked = if us == self.free {
            let entered = neighbours(kings) - own - SquareSet::of(scene.king);
            let attacked = scene.attacked(!us);
            // What the king does not take keeps attacking what it attacks.
            let legal = entered - enemies - attacked;
            self.made += 1;
            self.note(&quiet, legal, false);
            moving |= neighbours(legal);
            for victim in entered & takable {
                let mut next = quiet;
                next.take(victim);
                moving |= neighbours(self.follow(&next, SquareSet::of(victim), false));
            }
            kings & attacked
        } else {
            for to in attacks::king(scene.king) - own {
                let mut next = quiet;
                next.take(to);
                next.men[us].remove(scene.king);
                next.men[us].insert(to);
                next.king = to;
                moving |= self.follow(&next, kings - SquareSet::of(to), false);
            }
            kings - scene.safe(self.free)
        };
        for moved in [role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN] {
            for from in own & scene.of_role(moved) {
                let targets = match moved {
                    role::KNIGHT => attacks::knight(from),
                    role::BISHOP => attacks::bishop(from, occupied),
                    role::ROOK => attacks::rook(from, occupied),
                    _ => attacks::queen(from, occupied),
                };
                for to in targets - own - (enemies - takable) {
                    let kings = kings - attacks::between(from, to) - SquareSet::of(to);
                    moving |= self.follow(&scene.after(moved, from, to), kings, false);
                }
            }
        }
        moving |= self.expand_pawns(&scene, kings);
        if scene.castling[us.index()] != 0 {
            moving |= self.expand_castling(&scene, kings);
        }
        let mates = (checked & kings) - moving;
        if let Some(king) = mates.first()
            && self.open[!us]
        {
            self.events.push(Event { scene: index, king, color: !us, mate: true });
        }
        self.keep();
    }

    /// Goes on by castling; returns for which squares of the free king that is possible.
    fn expand_castling(&mut self, scene: &Scene, kings: SquareSet) -> SquareSet {
        let us = scene.side_to_move;
        let Some(king) = (if us == self.free { kings.first() } else { Some(scene.king) }) else {
            return SquareSet::EMPTY;
        };
        let standing = scene.occupied();
        let rooks = scene.castling_rooks() & scene.men[us];
        if rooks.into_iter().all(|rook| (attacks::between(king, rook) & standing).any()) {
            return SquareSet::EMPTY;
        }
        let mut castling = SquareSet::EMPTY;
        for king in kings {
            let Some(position) = scene.position(self.free, king) else {
                self.is_incomplete = true;
                continue;
            };
            for step in position.legal_steps() {
                if position.is_castling(step) {
                    let next = position.after(step);
                    castling.insert(king);
                    self.made += 1;
                    let kings = SquareSet::of(next.king(self.free));
                    self.note(&Scene::of(&next, self.free), kings, false);
                }
            }
        }
        castling
    }

    /// Goes on by pawns' turns; returns for which squares of the free king there is one.
    fn expand_pawns(&mut self, scene: &Scene, kings: SquareSet) -> SquareSet {
        let us = scene.side_to_move;
        let occupied = scene.occupied();
        let takable = scene.men[!us] - SquareSet::of(scene.king);
        let ahead = forward(us);
        let (last, start) = if us == Color::White {
            (SquareSet::rank(Rank::Eighth), SquareSet::rank(Rank::Second))
        } else {
            (SquareSet::rank(Rank::First), SquareSet::rank(Rank::Seventh))
        };
        let mut moving = SquareSet::EMPTY;
        for from in scene.men[us] & scene.of_role(role::PAWN) {
            let pawn = SquareSet::of(from);
            let single = pawn.step(0, ahead) - occupied;
            let takings = attacks::pawn(us, from);
            for to in single | takings & takable {
                let kings = kings - SquareSet::of(to);
                let next = scene.after(role::PAWN, from, to);
                if !last.contains(to) {
                    moving |= self.follow(&next, kings, false);
                    continue;
                }
                for promotion in PROMOTIONS {
                    let mut next = next;
                    next.roles[role::PAWN.index()].remove(to);
                    next.roles[promotion.index()].insert(to);
                    moving |= self.follow(&next, kings, true);
                }
            }
            if (pawn & start).any() {
                for to in single.step(0, ahead) - occupied {
                    let mut next = scene.after(role::PAWN, from, to);
                    if let Some(crossed) = single.first()
                        && (attacks::pawn(us, crossed) & scene.men[!us] & scene.of_role(role::PAWN)).any()
                    {
                        next.en_passant = Some(crossed);
                    }
                    moving |= self.follow(&next, kings - single - SquareSet::of(to), false);
                }
            }
            if let Some(crossed) = scene.en_passant
                && takings.contains(crossed)
            {
                let mut next = scene.after(role::PAWN, from, crossed);
                for taken in SquareSet::of(crossed).step(0, -ahead) {
                    next.take(taken);
                }
                moving |= self.follow(&next, kings - SquareSet::of(crossed), false);
            }
        }
        moving
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use adoube_rules::SearchPosition;

    use super::*;

    #[test]
    fn c10_bundles_hold_what_can_be_reached_and_nothing_else() {
        for fen in ["k7/8/8/8/8/8/8/4K2R w K - 0 1", "2kr4/8/8/8/8/8/8/K7 b d - 0 1"] {
            let mut root: Chess = Chess::from_fen(fen).expect("a position of this test");
            root.forget_history();
            let mut searches = Color::ALL.map(|free| {
                let mut bundles = Bundles::default();
                bundles.begin_with(&root, ByColor { white: true, black: true }, free);
                while bundles.resume(u64::MAX) != Ended::Exhausted {
                    bundles.event();
                }
                bundles
            });
            // All positions that can be reached, those in which neither side has enough to mate left out.
            let mut reached = HashSet::from([root.key()]);
            let mut left = vec![root];
            while let Some(at) = left.pop() {
                for bundles in &mut searches {
                    let packed = Scene::of(&at, bundles.free).packed();
                    let index = bundles.index(packed, packed.hash());
                    let kings = bundles.seen[index].kings;
                    assert!(kings.contains(at.king(bundles.free)), "{fen}: {}", at.fen());
                }
                at.each_after(&mut |next| {
                    let enough = (next.men_of_role(role::ROOK)).any();
                    if enough && reached.insert(next.key()) {
                        let mut next = next.clone();
                        next.forget_history();
                        left.push(next);
                    }
                });
            }
            for bundles in &searches {
                let kept: usize = bundles.seen.iter().map(|seen| seen.kings.len()).sum();
                assert_eq!(kept, reached.len(), "{fen}");
            }
        }
    }
}
