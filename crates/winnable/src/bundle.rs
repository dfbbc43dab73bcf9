//! Searches all reachable positions, handling together those that differ only in one king's square.
//!
//! If hardly any men except kings and pawns can move, nearly all positions differ only in the square of the
//! king that has more freedom. Here the *scene* is everything else, and the king's squares are a set: one
//! turn of any other man is played for all of them at once. This is not an approximation: every position is
//! one bit of a set.
//!
//! # Why it is exact
//!
//! Let F be the side of the *free* king, the one represented by a set, and X the other side. The set of a
//! scene contains the king's squares for which the side not to move is not in check. The following depends on
//! the square:
//!
//! * *Other men's paths:* if a man slides from a to b, the free king can be neither between them nor on b; a
//!   pawn that advances needs a clear path. These squares are removed from the set for that turn.
//! * *Whether F is in check:* it is if and only if a man of X attacks the square. The free king itself does
//!   not interfere, because an attack on a square does not depend on the man there.
//! * *Whether X is in check:* a pawn or a knight gives check wherever the free king is; a sliding man does
//!   unless the free king is in between; the king never does.
//! * *The free king's own turns:* to squares adjacent to any square of the set, not attacked and without a
//!   man of its own side. A capture changes the scene, so captures are generated one by one.
//!
//! Castling is left to [`Chess`] itself, separately for each square of the set. If F castles, there is only
//! one such square, because a king that may castle has not moved.
//!
//! A square of the set is a mate if the side to move is in check there and has no legal turn.
//!
//! A scene is left out only if it is proved that none of the sides in question can mate in any continuation
//! of it. So when no scene is left to expand, none of these sides can win.

mod expand;
mod scene;

use super::{
    material::is_insufficient_for,
    pattern::mate_is_conceivable,
    reach::{Reach, forward},
};
use adoube_rules::{
    ByColor, Chess, Color, Position, Role, Square, SquareSet, Step, attacks, variant::chess::role,
};

use scene::{EARLY, PackedScene, Scene, counts_by_rank};

const INITIAL_TABLE_SIZE: usize = 1 << 10;
/// The number of scenes, predecessors and sources for which memory is kept by [`Bundles::trim`].
const RETAINED_CAPACITY: usize = 1 << 14;
const NONE: u32 = u32::MAX;
/// The number of stages. A stage groups scenes by the pawns' distances to promotion plus the number of men,
/// and by whether a pawn has been promoted.
const STAGES: usize = 384;

/// A scene that was reached, in one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct SceneEntry {
    sets: [SquareSet; 4],
    /// The squares where the free king can be.
    kings: SquareSet,
    /// The squares of `kings` that have not been expanded yet.
    pending: SquareSet,
    rest: u32,
    /// The index of the latest predecessor, which refers to the one before it.
    last_predecessor: u32,
    /// The next waiting scene in the same stage.
    next: u32,
    is_waiting: bool,
    /// Whether a promotion has led here since the scene was last expanded.
    reached_by_promotion: bool,
}

const _: () = assert!(size_of::<SceneEntry>() == 64);

impl SceneEntry {
    #[inline]
    fn scene(&self) -> Scene {
        Scene::unpacked(PackedScene { sets: self.sets, rest: self.rest })
    }
}

/// The way in which squares of a scene were reached.
#[derive(Clone, Copy, Debug)]
struct Predecessor {
    kings: SquareSet,
    /// The index of the source from which these squares were reached.
    from: u32,
    next: u32,
}

/// Squares of a scene that were expanded together.
#[derive(Clone, Copy, Debug)]
struct Source {
    scene: u32,
    kings: SquareSet,
}

/// The result of a turn, not yet stored.
#[derive(Clone, Copy, Debug)]
struct TurnResult {
    packed: PackedScene,
    hash: u64,
    kings: SquareSet,
    /// Whether the turn was a promotion.
    promoted: bool,
}

/// The memory of a search, reused by the next one.
#[derive(Debug)]
pub(super) struct Bundles {
    scenes: Vec<SceneEntry>,
    predecessors: Vec<Predecessor>,
    sources: Vec<Source>,
    /// The results of the turns from the scene being expanded.
    following: Vec<TurnResult>,
    /// Open addressing: the index of a scene plus one and the upper half of its hash; 0 if empty.
    table: Vec<u64>,
    stages: Box<[u32; STAGES]>,
    waiting: [u64; STAGES / 64],
    free: Color,
    created: u64,
    /// The sides still in question.
    open: ByColor<bool>,
    events: Vec<Event>,
    source: u32,
    /// The numbers of knights, bishops, rooks and queens at the root, and the number of pawns.
    non_pawns: ByColor<[u8; 4]>,
    pawns: u64,
    /// The men of the side not to move in the scene being expanded, without the free king.
    enemies: SquareSet,
    /// The stage that was last taken in rotation.
    last_stage: usize,
    /// Whether some castling turns were not played, in which case an exhausted search proves nothing.
    is_incomplete: bool,
}

/// A finding of the search: a mate, or a new queen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    scene: u32,
    king: Square,
    /// The side that mates or has a new queen.
    pub(super) color: Color,
    pub(super) mate: bool,
}

/// The reason why [`Bundles::resume`] returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    /// None of the sides in question can win.
    Exhausted,
    /// A mate or a way to a new queen was found.
    Event,
    LimitReached,
}

impl Default for Bundles {
    fn default() -> Self {
        Self {
            scenes: Vec::new(),
            predecessors: Vec::new(),
            sources: Vec::new(),
            following: Vec::new(),
            table: Vec::new(),
            stages: Box::new([NONE; STAGES]),
            waiting: [0; STAGES / 64],
            free: Color::White,
            created: 0,
            open: ByColor::default(),
            events: Vec::new(),
            source: NONE,
            non_pawns: ByColor::default(),
            pawns: 0,
            enemies: SquareSet::EMPTY,
            last_stage: STAGES,
            is_incomplete: false,
        }
    }
}

/// Returns all squares adjacent to any square of the set.
pub(super) fn neighbours(set: SquareSet) -> SquareSet {
    let sideways = set.step(1, 0) | set.step(-1, 0);
    let row = set | sideways;
    sideways | row.step(0, 1) | row.step(0, -1)
}

/// Returns the number of squares that a king could reach if nothing else moved and only pawns gave check.
fn king_mobility(position: &Chess, color: Color) -> usize {
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
    /// Returns the number of scenes generated so far, including repeated and illegal ones.
    pub(super) fn created(&self) -> u64 {
        self.created
    }

    /// Releases most of the memory.
    pub(super) fn trim(&mut self) {
        self.scenes.clear();
        self.scenes.shrink_to(RETAINED_CAPACITY);
        self.predecessors.clear();
        self.predecessors.shrink_to(RETAINED_CAPACITY);
        self.sources.clear();
        self.sources.shrink_to(RETAINED_CAPACITY);
        self.table.clear();
        self.table.shrink_to(INITIAL_TABLE_SIZE);
    }

    /// Begins a search. The king with more room is the free one.
    pub(super) fn begin(&mut self, position: &Chess, open: ByColor<bool>) {
        let white = king_mobility(position, Color::White) >= king_mobility(position, Color::Black);
        self.begin_with_free_king(position, open, if white { Color::White } else { Color::Black });
    }

    /// Begins a search with the king of `free` as the free one.
    fn begin_with_free_king(&mut self, position: &Chess, open: ByColor<bool>, free: Color) {
        self.scenes.clear();
        self.predecessors.clear();
        self.sources.clear();
        self.table.truncate(INITIAL_TABLE_SIZE);
        self.table.fill(0);
        self.table.resize(INITIAL_TABLE_SIZE, 0);
        self.stages.fill(NONE);
        self.waiting = [0; STAGES / 64];
        self.events.clear();
        self.created = 0;
        self.open = open;
        self.free = free;
        self.source = NONE;
        self.last_stage = STAGES;
        self.is_incomplete = false;
        let scene = Scene::of(position, self.free);
        self.non_pawns = ByColor::new_with(|color| scene.non_pawns(color));
        self.pawns = scene.roles[0].len() as u64;
        self.note(&scene, SquareSet::of(position.king(self.free)), false);
        self.store_positions();
    }

    /// Ends the search for a side whose question has been answered.
    pub(super) fn close(&mut self, color: Color) {
        self.open[color] = false;
        self.events.retain(|event| event.color != color);
    }

    /// Continues until a mate or a new queen is found, no scene is left, or at least `limit` scenes have been
    /// generated.
    pub(super) fn resume(&mut self, limit: u64) -> Pause {
        loop {
            if !self.events.is_empty() {
                return Pause::Event;
            }
            if self.created >= limit {
                return Pause::LimitReached;
            }
            let Some(index) = self.pop() else {
                return if self.is_incomplete { Pause::LimitReached } else { Pause::Exhausted };
            };
            self.expand(index);
        }
    }

    /// Removes and returns the next finding.
    pub(super) fn event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// Returns the position of a finding.
    pub(super) fn position_of(&self, event: Event) -> Option<Chess> {
        self.scenes[event.scene as usize].scene().position(self.free, event.king)
    }

    /// Returns the steps from the root to a finding.
    pub(super) fn line(&self, event: Event) -> Option<Vec<Step>> {
        let mut positions = vec![self.position_of(event)?];
        let (mut scene, mut king) = (event.scene, event.king);
        loop {
            let mut predecessor = self.scenes[scene as usize].last_predecessor;
            while !self.predecessors.get(predecessor as usize)?.kings.contains(king) {
                predecessor = self.predecessors[predecessor as usize].next;
            }
            let from = self.predecessors[predecessor as usize].from;
            if from == NONE {
                break;
            }
            let source = self.sources[from as usize];
            let (before, after) =
                (self.scenes[source.scene as usize].scene(), self.scenes[scene as usize].scene());
            if before.castling[self.free.index()] != 0 {
                // The king has not moved before, so there is only one square.
                king = source.kings.first()?;
            } else if before.side_to_move == self.free && before.men[self.free] == after.men[self.free] {
                king = (source.kings & attacks::king(king)).first()?;
            }
            scene = source.scene;
            positions.push(self.scenes[scene as usize].scene().position(self.free, king)?);
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

    /// Returns the index of a scene. Adds it if it is new; the table must have space for it.
    fn index(&mut self, packed: PackedScene, hash: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let known = self.table[slot];
            if known == 0 {
                break;
            }
            if (known ^ hash) >> 32 == 0 {
                let index = known as u32 as usize - 1;
                let seen = &self.scenes[index];
                if seen.sets == packed.sets && seen.rest == packed.rest {
                    return index;
                }
            }
            slot = (slot + 1) & mask;
        }
        self.scenes.push(SceneEntry {
            sets: packed.sets,
            rest: packed.rest,
            kings: SquareSet::EMPTY,
            pending: SquareSet::EMPTY,
            last_predecessor: NONE,
            next: NONE,
            is_waiting: false,
            reached_by_promotion: false,
        });
        self.table[slot] = (hash >> 32 << 32) | self.scenes.len() as u64;
        self.scenes.len() - 1
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, 0);
        for (index, seen) in self.scenes.iter().enumerate() {
            let hash = PackedScene { sets: seen.sets, rest: seen.rest }.hash();
            let mut slot = hash as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = (hash >> 32 << 32) | (index as u64 + 1);
        }
    }

    /// Removes and returns a scene to expand. The choice rotates: one scene from the most advanced stage, if
    /// possible without a promotion; one from the earliest stage, so that sets grow large; and two from
    /// stages taken in turn from the earliest to the most advanced, because a mate may be at any stage.
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
                self.last_stage = last_below(self.last_stage).or_else(|| last_below(STAGES))?;
                self.last_stage
            }
        };
        let index = self.stages[stage];
        let seen = &mut self.scenes[index as usize];
        seen.is_waiting = false;
        self.stages[stage] = seen.next;
        if seen.next == NONE {
            self.waiting[stage / 64] &= !(1 << (stage % 64));
        }
        Some(index)
    }

    /// Adds positions to those that `store_positions` will store.
    #[inline]
    fn note(&mut self, scene: &Scene, kings: SquareSet, promoted: bool) {
        if kings.any() {
            let packed = scene.packed();
            self.following.push(TurnResult { packed, hash: packed.hash(), kings, promoted });
        }
    }

    /// Stores the added positions.
    fn store_positions(&mut self) {
        let following = std::mem::take(&mut self.following);
        while (self.scenes.len() + following.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        // Prefetch all memory before using any of it: most of the time here is spent waiting for memory.
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
                touched ^= self.scenes[known as u32 as usize - 1].rest;
            }
        }
        std::hint::black_box(touched);
        for next in &following {
            self.add_result(next);
        }
        self.following = following;
        self.following.clear();
    }

    /// Stores those positions of a result that are new.
    fn add_result(&mut self, next: &TurnResult) {
        let &TurnResult { packed, hash, kings, promoted } = next;
        let index = self.index(packed, hash);
        let seen = &mut self.scenes[index];
        let new = kings - seen.kings;
        if new.is_empty() {
            return;
        }
        let scene = Scene::unpacked(packed);
        seen.kings |= new;
        seen.pending |= new;
        seen.reached_by_promotion |= promoted;
        self.predecessors.push(Predecessor { kings: new, from: self.source, next: seen.last_predecessor });
        seen.last_predecessor = self.predecessors.len() as u32 - 1;
        if !seen.is_waiting {
            seen.is_waiting = true;
            let [pawns, knights, bishops, rooks, queens] = scene.roles;
            let pawns = counts_by_rank(pawns).wrapping_mul(0x0101_0101_0101_0101) >> 56;
            let promoted = pawns < self.pawns
                && (knights | bishops | rooks | queens).any()
                && Color::ALL.into_iter().any(|color| {
                    scene.non_pawns(color).iter().zip(&self.non_pawns[color]).any(|(now, then)| now > then)
                });
            let stage = scene.stage() + if promoted { 0 } else { EARLY };
            seen.next = self.stages[stage];
            self.stages[stage] = index as u32;
            self.waiting[stage / 64] |= 1 << (stage % 64);
        }
        let mover = !scene.side_to_move;
        if promoted
            && self.open[mover]
            && scene.non_pawns(mover)[3] > self.non_pawns[mover][3]
            && let Some(king) = new.first()
        {
            self.events.push(Event { scene: index as u32, king, color: mover, mate: false });
        }
    }

    /// Returns `true` if a side is not in question, or has too little material ever to mate.
    fn is_excluded(&self, scene: &Scene, winner: Color) -> bool {
        !self.open[winner] || {
            let loser = scene.men[!winner] - SquareSet::of(scene.king);
            is_insufficient_for(&scene.roles, scene.men[winner], loser)
        }
    }

    /// Returns `true` if no side in question has enough material to mate.
    fn is_over(&self, scene: &Scene) -> bool {
        Color::ALL.into_iter().all(|winner| self.is_excluded(scene, winner))
    }

    /// Returns `true` if it is proved that none of the sides in question can mate in any continuation of a
    /// scene.
    fn is_hopeless(&self, scene: &Scene, kings: SquareSet) -> bool {
        let Some(king) = kings.first() else { return true };
        let Some(position) = scene.position(self.free, king) else { return false };
        let reach = Reach::of_kings(&position, self.free, kings);
        Color::ALL
            .into_iter()
            .all(|winner| self.is_excluded(scene, winner) || !mate_is_conceivable(&reach, winner))
    }

    /// Adds the result of a turn. Returns the squares of the free king for which the turn is legal.
    fn add_turn(&mut self, scene: &Scene, kings: SquareSet, promoted: bool) -> SquareSet {
        self.created += 1;
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
        // Only a capture or a promotion can leave the sides with too little to mate.
        let same = !promoted && scene.men[!mover] == self.enemies;
        if same || !self.is_over(scene) {
            self.note(scene, legal, promoted);
        }
        legal
    }
}

#[cfg(test)]
mod tests;
