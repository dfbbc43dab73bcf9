//! A best-first search for a helpmate through all reachable positions.
//!
//! All positions are stored and compared in full, never by their hash alone. When no position is left to
//! expand, only positions that were proved unwinnable have been left out, so the search is a proof. The order
//! of expansion comes from an estimate. If the estimate is wrong, a mate is found later, or the search gives
//! up, but no result is wrong. [`Search::run_to`] proves nothing, because it also leaves out positions that
//! cannot lead to its mate.

mod guide;

use arrayvec::ArrayVec;

use super::{
    blueprint::{Blueprint, OUT_OF_REACH},
    material::is_insufficient,
    pattern::{Pattern, mate_is_conceivable},
    reach::Reach,
};
use adoube_rules::{ByColor, Chess, Color, Position, SearchPosition, SquareSet, Step, variant::chess::role};
use guide::Guide;
pub(super) use guide::{TARGETS_PER_SEARCH, king_distances, moves};

const BUCKETS: usize = 2048;
const NONE: u32 = u32::MAX;
/// The initial size of the table, small so that a short search has little to clear.
const INITIAL_TABLE_SIZE: usize = 1 << 10;
/// A search gives up after this many positions without expanding one that is nearer to a mate than all those
/// before: it has reached a local minimum.
const MAX_STALLED_POSITIONS: u64 = 20_000;
/// The number of positions for which memory is kept by [`Search::trim`].
const RETAINED_CAPACITY: usize = 1 << 14;

#[derive(Debug)]
struct Node {
    position: Chess,
    parent: u32,
    /// Turns from the root.
    ply: u32,
    /// The next position with the same estimate.
    next: u32,
    /// Whether the turn that led here cannot be undone: a pawn move, a capture or a loss of castling rights.
    is_irreversible: bool,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SearchResult {
    Mate(Vec<Step>),
    Exhausted,
    Walls,
    Shadows,
    LimitReached,
}

/// The memory of a search, reused by the next one.
#[derive(Debug)]
pub(super) struct Search {
    nodes: Vec<Node>,
    /// Open addressing: the index of a node plus one; 0 if empty.
    table: Vec<u32>,
    heads: Box<[u32; BUCKETS]>,
    /// A bit for each bucket that is not empty.
    filled: [u64; BUCKETS / 64],
    visited: u64,
    guide: Guide,
}

/// The limit and the options of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The maximum number of positions to create.
    pub(super) limit: u64,
    /// Whether to try to prove a position unwinnable before expanding it, if it is one or two turns from the
    /// root or the turn that leads to it cannot be undone.
    pub(super) prove: bool,
    /// The additional value of capturing one of the loser's men other than pawns, compared with a pawn, if
    /// there are target mates.
    pub(super) capture_value: u32,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            table: Vec::new(),
            heads: Box::new([NONE; BUCKETS]),
            filled: [0; BUCKETS / 64],
            visited: 0,
            guide: Guide {
                winner: Color::White,
                king_distances: [0; 64],
                targets: ArrayVec::new(),
                blueprint: None,
                capture_value: 0,
                home: ByColor::default(),
            },
        }
    }
}

impl Search {
    /// Returns the number of positions created by the last search.
    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    /// Releases most of the memory.
    pub(super) fn trim(&mut self) {
        self.nodes.clear();
        self.nodes.shrink_to(RETAINED_CAPACITY);
        self.table.clear();
        self.table.shrink_to(INITIAL_TABLE_SIZE);
    }

    fn reset(&mut self) {
        self.nodes.clear();
        self.table.truncate(INITIAL_TABLE_SIZE);
        self.table.fill(0);
        self.table.resize(INITIAL_TABLE_SIZE, 0);
        self.heads.fill(NONE);
        self.filled = [0; BUCKETS / 64];
        self.visited = 0;
    }

    /// Looks for a mate by `winner`.
    pub(super) fn run(
        &mut self,
        position: &Chess,
        winner: Color,
        goals: SquareSet,
        aims: ArrayVec<Pattern, TARGETS_PER_SEARCH>,
        reach: &Reach,
        plan: Plan,
    ) -> SearchResult {
        self.reset();
        self.guide = Guide::new(position, winner, goals, aims, reach);
        self.guide.capture_value = plan.capture_value;
        let mut root = position.clone();
        root.reset_history();
        self.insert(root, NONE, false);
        self.resume(plan)
    }

    /// Looks for one particular mate by `winner`. Not finding it proves nothing.
    pub(super) fn run_to(
        &mut self,
        position: &Chess,
        winner: Color,
        pattern: &Pattern,
        reach: &Reach,
        limit: u64,
    ) -> Option<Vec<Step>> {
        self.reset();
        self.guide = Guide::new(position, winner, SquareSet::EMPTY, ArrayVec::new(), reach);
        self.guide.blueprint = Some(Blueprint::new(pattern, position, winner, reach));
        let mut root = position.clone();
        root.reset_history();
        self.insert(root, NONE, false);
        match self.resume(Plan { limit, prove: false, capture_value: 0 }) {
            SearchResult::Mate(steps) => Some(steps),
            _ => None,
        }
    }

    /// Continues until a mate is found, no position is left, the limit is reached, or the search stalls.
    fn resume(&mut self, plan: Plan) -> SearchResult {
        let mut nearest = usize::MAX;
        let mut since = self.visited;
        while let Some((index, bucket)) = self.pop() {
            if bucket < nearest {
                nearest = bucket;
                since = self.visited;
            }
            if self.visited >= plan.limit || self.visited - since >= MAX_STALLED_POSITIONS {
                return SearchResult::LimitReached;
            }
            if let Some(mate) = self.expand(index, plan) {
                return SearchResult::Mate(self.line(mate));
            }
        }
        SearchResult::Exhausted
    }

    /// Expands a position. Returns the index of a mate in one turn, if there is one.
    fn expand(&mut self, index: u32, plan: Plan) -> Option<u32> {
        let node = &self.nodes[index as usize];
        let position = node.position.clone();
        let winner = self.guide.winner;
        if plan.prove && (node.is_irreversible || (1..=2).contains(&node.ply)) {
            let reach = Reach::of(&position);
            if !mate_is_conceivable(&reach, winner) {
                return None;
            }
        }
        let them = !position.side_to_move();
        let men = position.men(them);
        let pawns = position.men_of_role(role::PAWN);
        let castling = position.castling_rooks();
        let mut mate = None;
        position.for_each_successor(&mut |next| {
            self.visited += 1;
            if mate.is_some() {
                return;
            }
            if is_insufficient(next, winner) {
                return;
            }
            let no_return = next.men(them) != men
                || next.men_of_role(role::PAWN) != pawns
                || next.castling_rooks() != castling;
            let mut next = next.clone();
            next.reset_history();
            if let Some(at) = self.insert(next, index, no_return) {
                mate = Some(at);
            }
        });
        mate
    }

    /// Stores a position unless it is known or the blueprint cannot be reached from it. Returns its index if
    /// it is a mate by the winner.
    fn insert(&mut self, position: Chess, parent: u32, no_return: bool) -> Option<u32> {
        if (self.nodes.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = position.key() as usize & mask;
        loop {
            match self.table[slot] {
                0 => break,
                known if self.nodes[known as usize - 1].position == position => return None,
                _ => slot = (slot + 1) & mask,
            }
        }
        let (estimate, mate) = self.guide.estimate(&position);
        if estimate == OUT_OF_REACH {
            return None;
        }
        let index = self.nodes.len() as u32;
        self.table[slot] = index + 1;
        let bucket = estimate.min(BUCKETS as u32 - 1) as usize;
        let next = self.heads[bucket];
        self.heads[bucket] = index;
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        let ply = self.nodes.get(parent as usize).map_or(0, |parent| parent.ply + 1);
        self.nodes.push(Node { position, parent, ply, next, is_irreversible: no_return });
        mate.then_some(index)
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.table.len() * 4).max(INITIAL_TABLE_SIZE);
        self.table.clear();
        self.table.resize(size, 0);
        let mask = size - 1;
        for (index, node) in self.nodes.iter().enumerate() {
            let mut slot = node.position.key() as usize & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = index as u32 + 1;
        }
    }

    /// Removes and returns the most promising position, or the latest among equals.
    fn pop(&mut self) -> Option<(u32, usize)> {
        let word = self.filled.iter().position(|&word| word != 0)?;
        let bucket = word * 64 + self.filled[word].trailing_zeros() as usize;
        let index = self.heads[bucket];
        self.heads[bucket] = self.nodes[index as usize].next;
        if self.heads[bucket] == NONE {
            self.filled[word] &= !(1 << (bucket % 64));
        }
        Some((index, bucket))
    }

    /// Returns the steps that lead from the root to a position.
    fn line(&self, mut index: u32) -> Vec<Step> {
        let mut line = Vec::new();
        loop {
            let node = &self.nodes[index as usize];
            if node.parent == NONE {
                break;
            }
            line.extend(step_between(&self.nodes[node.parent as usize].position, &node.position));
            index = node.parent;
        }
        line.reverse();
        line
    }
}

/// Returns the legal step that leads from one position to another.
fn step_between(before: &Chess, after: &Chess) -> Option<Step> {
    let us = before.side_to_move();
    let left = before.men(us) - after.men(us);
    let entered = after.men(us) - before.men(us);
    if let (Some(from), Some(to)) = (left.first(), entered.first())
        && before.castling_rooks().is_empty()
        && !left.more_than_one()
        && !entered.more_than_one()
    {
        let (before, after) = (before.piece_at(from)?.role, after.piece_at(to)?.role);
        return Some(if before == after { Step::new(from, to) } else { Step::promoting(from, to, after) });
    }
    // This may be castling, where the king or the rook may stay on its square.
    before.legal_steps().into_iter().find(|&step| {
        let mut next = before.after(step);
        next.reset_history();
        next == *after
    })
}
