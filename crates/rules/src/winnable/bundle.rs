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
//! A square of the set is a mate if the side to move is in check there and none of the turns leaves it.
//!
//! Nothing is left out but scenes of which it is proved, for each side still asked about, that it cannot mate. So
//! when nothing is left to go on from, none of these sides can win. While there is a right to castle this search is
//! not used.

use super::{
    material::too_little_of,
    pattern::mate_is_conceivable,
    reach::{Reach, forward},
};
use crate::{
    attacks,
    color::{ByColor, Color},
    moves::Step,
    position::Position,
    role::Role,
    square::{Rank, Square},
    square_set::SquareSet,
    variant::orthodox::{Orthodox, PROMOTIONS, role},
};

const SMALL: usize = 1 << 10;
const KEPT: usize = 1 << 14;
const NONE: u32 = u32::MAX;
/// Scenes are gone on from by what pawns have before them and how many men are left; this many kinds.
const STAGES: usize = 384;
/// Where the stages begin of scenes in which nobody has promoted since the root; the others come last.
const EARLY: usize = 192;

/// Everything but the free king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scene {
    /// Pawns, knights, bishops, rooks and queens.
    roles: [SquareSet; 5],
    /// The men of each side but for the free king.
    men: ByColor<SquareSet>,
    /// The other king.
    king: Square,
    turn: Color,
    en_passant: Option<Square>,
}

#[derive(Clone, Debug)]
struct Seen {
    scene: Scene,
    /// Where the free king may stand.
    kings: SquareSet,
    /// For which of its squares the search has yet to go on.
    pending: SquareSet,
    /// The latest arrival.
    arrivals: u32,
    /// The next scene of the same stage that waits.
    next: u32,
    waits: bool,
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

/// The memory of a search, to be used again.
#[derive(Debug)]
pub(super) struct Bundles {
    seen: Vec<Seen>,
    arrivals: Vec<Arrival>,
    sources: Vec<Source>,
    table: Vec<u32>,
    stages: Box<[u32; STAGES]>,
    waiting: [u64; STAGES / 64],
    free: Color,
    made: u64,
    /// The sides still asked about.
    open: ByColor<bool>,
    events: Vec<Event>,
    source: u32,
    /// The officers at the root.
    officers: ByColor<[u8; 4]>,
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
            table: Vec::new(),
            stages: Box::new([NONE; STAGES]),
            waiting: [0; STAGES / 64],
            free: Color::White,
            made: 0,
            open: ByColor::default(),
            events: Vec::new(),
            source: NONE,
            officers: ByColor::default(),
        }
    }
}

impl Scene {
    fn of(position: &Orthodox, free: Color) -> Self {
        let king = SquareSet::of(position.king(free));
        Self {
            roles: [role::PAWN, role::KNIGHT, role::BISHOP, role::ROOK, role::QUEEN]
                .map(|role| position.men_of_role(role)),
            men: ByColor::new_with(|color| position.men(color) - king),
            king: position.king(!free),
            turn: position.turn(),
            en_passant: position.possible_en_passant(),
        }
    }

    #[inline]
    fn of_role(&self, role: Role) -> SquareSet {
        self.roles[role.index()]
    }

    #[inline]
    fn occupied(&self) -> SquareSet {
        self.men.white | self.men.black
    }

    /// Returns what the men of a side attack, the free king being in nobody's way and attacking nothing.
    fn attacked(&self, by: Color) -> SquareSet {
        let men = self.men[by];
        let occupied = self.occupied();
        let ahead = forward(by);
        let pawns = men & self.of_role(role::PAWN);
        let mut attacked = pawns.step(-1, ahead) | pawns.step(1, ahead);
        for from in men & self.of_role(role::KNIGHT) {
            attacked |= attacks::knight(from);
        }
        for from in men & (self.of_role(role::BISHOP) | self.of_role(role::QUEEN)) {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in men & (self.of_role(role::ROOK) | self.of_role(role::QUEEN)) {
            attacked |= attacks::rook(from, occupied);
        }
        if men.contains(self.king) {
            attacked |= attacks::king(self.king);
        }
        attacked
    }

    /// Returns for which squares of the free king the other one is safe, kings next to each other aside.
    fn safe(&self, free: Color) -> SquareSet {
        let men = self.men[free];
        let occupied = self.occupied();
        let leapers = attacks::pawn(!free, self.king) & self.of_role(role::PAWN)
            | attacks::knight(self.king) & self.of_role(role::KNIGHT);
        if (leapers & men).any() {
            return SquareSet::EMPTY;
        }
        let queens = self.of_role(role::QUEEN);
        let sliders = (attacks::bishop(self.king, occupied) & (self.of_role(role::BISHOP) | queens)
            | attacks::rook(self.king, occupied) & (self.of_role(role::ROOK) | queens))
            & men;
        let mut safe = SquareSet::FULL;
        for slider in sliders {
            safe &= attacks::between(slider, self.king);
        }
        safe
    }

    /// Returns the scene behind the turn of a man, kings aside, with what stands where it lands taken.
    #[inline]
    fn after(&self, moved: Role, from: Square, to: Square) -> Self {
        let mut next = Self { en_passant: None, turn: !self.turn, ..*self };
        next.take(to);
        next.roles[moved.index()].remove(from);
        next.roles[moved.index()].insert(to);
        next.men[self.turn].remove(from);
        next.men[self.turn].insert(to);
        next
    }

    #[inline]
    fn take(&mut self, square: Square) {
        if self.occupied().contains(square) {
            for set in &mut self.roles {
                set.remove(square);
            }
            self.men.white.remove(square);
            self.men.black.remove(square);
        }
    }

    /// Returns how many knights, bishops, rooks and queens there are of a side.
    fn officers(&self, color: Color) -> [u8; 4] {
        [1, 2, 3, 4].map(|role| (self.roles[role] & self.men[color]).len() as u8)
    }

    /// Returns what pawns have before them and how many men are left: never more behind a turn than before.
    fn stage(&self) -> usize {
        let pawns = self.of_role(role::PAWN);
        let mut stage = self.occupied().len();
        for (index, rank) in Rank::ALL.into_iter().enumerate() {
            let rank = pawns & SquareSet::rank(rank);
            stage += (rank & self.men.white).len() * (7 - index) + (rank & self.men.black).len() * index;
        }
        stage.min(EARLY - 1)
    }

    fn hash(&self) -> u64 {
        let mut hash = 0u64;
        let rest =
            self.king.index() << 8 | self.en_passant.map_or(64, Square::index) << 1 | self.turn.index();
        let words = [
            self.roles[0].0 ^ self.roles[1].0.rotate_left(19),
            self.roles[2].0 ^ self.roles[3].0.rotate_left(31) ^ self.roles[4].0.rotate_left(47),
            self.men.white.0,
            self.men.black.0 ^ (rest as u64).wrapping_mul(0x94d0_49bb_1331_11eb),
        ];
        for word in words {
            hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 32;
        }
        hash
    }

    /// Returns the position with the free king on a square.
    fn position(&self, free: Color, king: Square) -> Orthodox {
        let mut men = self.men;
        men[free].insert(king);
        let kings = SquareSet::of(king) | SquareSet::of(self.king);
        let [pawns, knights, bishops, rooks, queens] = self.roles;
        Orthodox::of_sets(men, [pawns, knights, bishops, rooks, queens, kings], self.turn, self.en_passant)
    }
}

/// Returns all squares next to one of some squares.
pub(super) fn neighbours(set: SquareSet) -> SquareSet {
    let beside = set.step(1, 0) | set.step(-1, 0);
    let row = set | beside;
    beside | row.step(0, 1) | row.step(0, -1)
}

/// Returns how many squares a king could walk to now if nothing else moved.
fn room(position: &Orthodox, color: Color) -> usize {
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

    /// Begins a search; the king that has more room is the free one.
    pub(super) fn begin(&mut self, position: &Orthodox, open: ByColor<bool>) {
        self.seen.clear();
        self.seen.shrink_to(KEPT);
        self.arrivals.clear();
        self.arrivals.shrink_to(KEPT);
        self.sources.clear();
        self.sources.shrink_to(KEPT);
        self.table.truncate(SMALL);
        self.table.shrink_to(SMALL);
        self.table.fill(0);
        self.table.resize(SMALL, 0);
        self.stages.fill(NONE);
        self.waiting = [0; STAGES / 64];
        self.events.clear();
        self.made = 0;
        self.open = open;
        self.free = if room(position, Color::White) >= room(position, Color::Black) {
            Color::White
        } else {
            Color::Black
        };
        self.source = NONE;
        let scene = Scene::of(position, self.free);
        self.officers = ByColor::new_with(|color| scene.officers(color));
        self.arrive(scene, SquareSet::of(position.king(self.free)));
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
            // Mostly all of an early stage before the next one, so that sets are large; but now and then as far
            // ahead as possible.
            let Some(index) = self.pop(self.sources.len().is_multiple_of(4)) else { return Ended::Exhausted };
            self.expand(index);
        }
    }

    /// Takes out what has been found.
    pub(super) fn event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// Returns the position of an event.
    pub(super) fn position_of(&self, event: Event) -> Orthodox {
        self.seen[event.scene as usize].scene.position(self.free, event.king)
    }

    /// Returns the steps that lead from the root to an event.
    pub(super) fn line(&self, event: Event) -> Option<Vec<Step>> {
        let mut positions = vec![self.position_of(event)];
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
            let (before, after) = (&self.seen[source.scene as usize].scene, &self.seen[scene as usize].scene);
            if before.turn == self.free && before.men[self.free] == after.men[self.free] {
                king = (source.kings & attacks::king(king)).first()?;
            }
            scene = source.scene;
            positions.push(self.seen[scene as usize].scene.position(self.free, king));
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

    fn index(&mut self, scene: &Scene) -> usize {
        if (self.seen.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = scene.hash() as usize & mask;
        loop {
            match self.table[slot] {
                0 => break,
                known if self.seen[known as usize - 1].scene == *scene => return known as usize - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
        self.seen.push(Seen {
            scene: *scene,
            kings: SquareSet::EMPTY,
            pending: SquareSet::EMPTY,
            arrivals: NONE,
            next: NONE,
            waits: false,
        });
        self.table[slot] = self.seen.len() as u32;
        self.seen.len() - 1
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, 0);
        for (index, seen) in self.seen.iter().enumerate() {
            let mut slot = seen.scene.hash() as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = index as u32 + 1;
        }
    }

    fn pop(&mut self, ahead: bool) -> Option<u32> {
        let first = |from: usize| {
            let word = self.waiting[from..].iter().position(|&word| word != 0)? + from;
            Some(word * 64 + self.waiting[word].trailing_zeros() as usize)
        };
        let stage = if ahead {
            first(EARLY / 64).or_else(|| first(0))?
        } else {
            let word = self.waiting.iter().rposition(|&word| word != 0)?;
            word * 64 + 63 - self.waiting[word].leading_zeros() as usize
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

    /// Keeps positions; returns those that are new, and the scene's index.
    fn arrive(&mut self, scene: Scene, kings: SquareSet) -> Option<(u32, SquareSet)> {
        if kings.is_empty() {
            return None;
        }
        let index = self.index(&scene);
        let seen = &mut self.seen[index];
        let new = kings - seen.kings;
        if new.is_empty() {
            return None;
        }
        seen.kings |= new;
        seen.pending |= new;
        self.arrivals.push(Arrival { kings: new, from: self.source, next: seen.arrivals });
        seen.arrivals = self.arrivals.len() as u32 - 1;
        if !seen.waits {
            seen.waits = true;
            let promoted = Color::ALL.into_iter().any(|color| {
                scene.officers(color).iter().zip(&self.officers[color]).any(|(now, then)| now > then)
            });
            let stage = scene.stage() + if promoted { 0 } else { EARLY };
            seen.next = self.stages[stage];
            self.stages[stage] = index as u32;
            self.waiting[stage / 64] |= 1 << (stage % 64);
        }
        Some((index as u32, new))
    }

    /// Returns whether it is proved that none of the sides asked about can mate behind a scene.
    fn is_hopeless(&self, scene: &Scene, kings: SquareSet, promoted: bool) -> bool {
        let hopeless = |winner: Color| {
            !self.open[winner] || {
                let loser = scene.men[!winner] - SquareSet::of(scene.king);
                too_little_of(&scene.roles, scene.men[winner], loser)
            }
        };
        if Color::ALL.into_iter().all(hopeless) {
            return true;
        }
        if !promoted {
            return false;
        }
        let Some(king) = kings.first() else { return true };
        let reach = Reach::of_kings(&scene.position(self.free, king), self.free, kings);
        Color::ALL.into_iter().all(|winner| hopeless(winner) || !mate_is_conceivable(&reach, winner))
    }

    /// Keeps what follows a turn; returns for which squares of the free king it is legal.
    fn follow(&mut self, scene: Scene, kings: SquareSet, promoted: bool) -> SquareSet {
        self.made += 1;
        if kings.is_empty() {
            return kings;
        }
        let mover = !scene.turn;
        let legal = if mover == self.free {
            kings - scene.attacked(!self.free)
        } else {
            (kings & scene.safe(self.free)) - attacks::king(scene.king)
        };
        if legal.is_empty() {
            return legal;
        }
        if !self.is_hopeless(&scene, legal, promoted)
            && let Some((index, new)) = self.arrive(scene, legal)
            && promoted
            && self.open[mover]
            && scene.officers(mover)[3] > self.officers[mover][3]
            && let Some(king) = new.first()
        {
            self.events.push(Event { scene: index, king, color: mover, mate: false });
        }
        legal
    }

    /// Goes on from the squares of a scene that wait.
    fn expand(&mut self, index: u32) {
        let seen = &mut self.seen[index as usize];
        let kings = std::mem::take(&mut seen.pending);
        let scene = seen.scene;
        self.sources.push(Source { scene: index, kings });
        self.source = self.sources.len() as u32 - 1;
        let us = scene.turn;
        let own = scene.men[us];
        let enemies = scene.men[!us];
        let occupied = scene.occupied();
        let takable = enemies - SquareSet::of(scene.king);
        let quiet = Scene { en_passant: None, turn: !us, ..scene };
        let mut moving = SquareSet::EMPTY;
        // Whether the side to move is in check.
        let checked = if us == self.free {
            let entered = neighbours(kings) - own - SquareSet::of(scene.king);
            let attacked = scene.attacked(!us);
            // What the king does not take keeps attacking what it attacks.
            let legal = entered - enemies - attacked;
            self.made += 1;
            if legal.any() {
                self.arrive(quiet, legal);
            }
            moving |= neighbours(legal);
            for victim in entered & takable {
                let mut next = quiet;
                next.take(victim);
                moving |= neighbours(self.follow(next, SquareSet::of(victim), false));
            }
            kings & attacked
        } else {
            for to in attacks::king(scene.king) - own {
                let mut next = quiet;
                next.take(to);
                next.men[us].remove(scene.king);
                next.men[us].insert(to);
                next.king = to;
                moving |= self.follow(next, kings - SquareSet::of(to), false);
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
                    moving |= self.follow(scene.after(moved, from, to), kings, false);
                }
            }
        }
        moving |= self.expand_pawns(&scene, kings);
        let mates = (checked & kings) - moving;
        if let Some(king) = mates.first()
            && self.open[!us]
        {
            self.events.push(Event { scene: index, king, color: !us, mate: true });
        }
    }

    /// Goes on by pawns' turns; returns for which squares of the free king there is one.
    fn expand_pawns(&mut self, scene: &Scene, kings: SquareSet) -> SquareSet {
        let us = scene.turn;
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
                    moving |= self.follow(next, kings, false);
                    continue;
                }
                for promotion in PROMOTIONS {
                    let mut next = next;
                    next.roles[role::PAWN.index()].remove(to);
                    next.roles[promotion.index()].insert(to);
                    moving |= self.follow(next, kings, true);
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
                    moving |= self.follow(next, kings - single - SquareSet::of(to), false);
                }
            }
            if let Some(crossed) = scene.en_passant
                && takings.contains(crossed)
            {
                let mut next = scene.after(role::PAWN, from, crossed);
                for taken in SquareSet::of(crossed).step(0, -ahead) {
                    next.take(taken);
                }
                moving |= self.follow(next, kings - SquareSet::of(crossed), false);
            }
        }
        moving
    }
}
