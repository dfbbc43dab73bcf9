//! A bounded search for a chain that takes a given man, the *target*, in its second or a later step.
//!
//! A position can have millions of chains. Three ideas limit the search:
//!
//! - A man takes only men on the other shade (I2), so men on the target's own shade are left out.
//! - For each man that can begin a chain, a relaxed problem is solved first: from which squares could it take
//!   the target if none of the other men that it can take were in its way? Men of its own side and men that
//!   it can never take stay in the way. A chain that is impossible in the relaxed problem is impossible on
//!   the board, and is left out; the others are tried in order of the distance found.
//! - Chains that take the same men in a different order can end in the same position, which is examined once.

use std::collections::HashSet;

use super::Interweave;
use crate::{capture::deduct_steps, color::Color, position::Position, square::Square, square_set::SquareSet};

/// Looks for a chain that takes the man on `enemy` in its second or a later step. If `own` is given, only
/// chains by the man on that square count. Returns `None` if `left`, the number of steps that may still be
/// examined, runs out.
pub(super) fn takes_in_chain(
    position: &Interweave,
    own: Option<Square>,
    enemy: Square,
    left: &mut u32,
) -> Option<bool> {
    let side = position.side_to_move();
    if !position.men(!side).contains(enemy) {
        return Some(false);
    }
    // Takings are grouped by man, so that only one set of distances is in memory at a time.
    let mut movers = SquareSet::EMPTY;
    let steps = position.legal_steps();
    for step in &steps {
        if own.is_none_or(|own| own == step.from()) && !SquareSet::same_shade(step.from()).contains(enemy) {
            movers.insert(step.from());
        }
    }
    for mover in movers {
        let chains: Vec<Interweave> = steps
            .iter()
            .filter(|step| step.from() == mover)
            .map(|&step| position.after(step))
            .filter(|next| next.side_to_move() == side)
            .collect();
        if chains.is_empty() {
            continue;
        }
        let starts: Vec<_> = chains.iter().filter_map(Node::of).collect();
        let distances = Distances::new(position, mover, enemy, &starts, left)?;
        let mut search = Search { side, enemy, distances, visited: HashSet::new() };
        if search.any_continuation_takes(chains, left)? {
            return Some(true);
        }
    }
    Some(false)
}

/// A man in the middle of a chain, regardless of the other men.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Node {
    role: usize,
    square: Square,
}

impl Node {
    /// Returns the man that must continue its chain, if there is one.
    fn of(position: &Interweave) -> Option<Self> {
        let square = position.chain()?;
        Some(Self { role: position.piece_at(square)?.role.index(), square })
    }

    fn index(self) -> usize {
        self.role * 64 + self.square.index()
    }

    fn from_index(index: usize) -> Self {
        Self { role: index / 64, square: Square::from_index(index % 64) }
    }
}

const ROLES: usize = 8;
const OUT_OF_REACH: u8 = u8::MAX;

/// For each role and square of the man that takes, a lower bound on the number of steps before the one that
/// takes the enemy.
struct Distances([u8; ROLES * 64]);

impl Distances {
    /// Computes the bounds for one man. `starts` are its roles and squares after the first step of a chain.
    fn new(
        position: &Interweave,
        mover: Square,
        enemy: Square,
        starts: &[Node],
        left: &mut u32,
    ) -> Option<Self> {
        let board = position.coarse_board(mover);
        let mut distances = Self([OUT_OF_REACH; ROLES * 64]);
        let mut is_known = [false; ROLES * 64];
        let mut open: Vec<Node> = starts.to_vec();
        let mut ways: Vec<(Node, Node)> = Vec::new();
        let mut near: Vec<Node> = Vec::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut is_known[node.index()], true) {
                continue;
            }
            let mut takes = false;
            let mut nexts = Vec::new();
            let result = board.for_each_taking(node.role, node.square, |victim, role, to| {
                takes |= victim == enemy;
                nexts.push(Node { role, square: to });
            });
            deduct_steps(left, result)?;
            if takes {
                distances.0[node.index()] = 0;
                near.push(node);
            }
            for next in nexts {
                ways.push((node, next));
                open.push(next);
            }
        }
        // Work backwards from the squares from which the enemy can be taken.
        let mut before: Vec<Vec<u16>> = vec![Vec::new(); ROLES * 64];
        for (node, next) in &ways {
            before[next.index()].push(node.index() as u16);
        }
        let mut distance = 0;
        while !near.is_empty() && distance < OUT_OF_REACH - 1 {
            distance += 1;
            let mut next_near = Vec::new();
            for node in near {
                for &index in &before[node.index()] {
                    let known = &mut distances.0[usize::from(index)];
                    if *known == OUT_OF_REACH {
                        *known = distance;
                        next_near.push(Node::from_index(usize::from(index)));
                    }
                }
            }
            near = next_near;
        }
        Some(distances)
    }

    fn of(&self, node: Node) -> u8 {
        self.0[node.index()]
    }
}

struct Search {
    side: Color,
    enemy: Square,
    distances: Distances,
    visited: HashSet<u64>,
}

impl Search {
    /// Looks for a continuation of a chain, from any of these positions, that takes the enemy.
    fn any_continuation_takes(&mut self, chains: Vec<Interweave>, left: &mut u32) -> Option<bool> {
        // The nearest position goes last, because the last one is popped first.
        let mut open = Vec::new();
        self.add(chains, &mut open);
        while let Some(position) = open.pop() {
            let steps = position.legal_steps();
            deduct_steps(left, steps.len())?;
            let mut nexts = Vec::with_capacity(steps.len());
            for step in steps {
                if position.taken(step).contains(self.enemy) {
                    return Some(true);
                }
                let next = position.after(step);
                if next.side_to_move() == self.side {
                    nexts.push(next);
                }
            }
            self.add(nexts, &mut open);
        }
        Some(false)
    }

    fn add(&mut self, nexts: Vec<Interweave>, open: &mut Vec<Interweave>) {
        let mut reachable: Vec<(u8, Interweave)> = Vec::with_capacity(nexts.len());
        for next in nexts {
            let distance = Node::of(&next).map_or(OUT_OF_REACH, |node| self.distances.of(node));
            if distance != OUT_OF_REACH && self.visited.insert(next.key()) {
                reachable.push((distance, next));
            }
        }
        reachable.sort_by_key(|(distance, _)| std::cmp::Reverse(*distance));
        open.extend(reachable.into_iter().map(|(_, next)| next));
    }
}
