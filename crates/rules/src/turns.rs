//! Iterates over legal turns without collecting them.

use std::iter::FusedIterator;

use crate::{
    color::Color,
    moves::{StepListIter, Turn},
    position::Position,
};

/// An iterator over the legal turns in a position, with every chain complete; returned by
/// [`Position::turns`].
///
/// Memory is bounded: one list of steps for each step of the current chain, at most sixteen. An Interweave
/// position can have millions of turns; [`with_limit`](Self::with_limit) bounds the time.
#[derive(Clone, Debug)]
pub struct Turns<P> {
    /// The positions along the current chain, each with the steps that are still to be tried there.
    levels: Vec<(P, StepListIter)>,
    /// The steps of the current chain that lead to the last level.
    turn: Turn,
    side: Color,
    visited: u64,
    limit: u64,
}

impl<P: Position> Turns<P> {
    pub(crate) fn new(position: P) -> Self {
        let steps = position.legal_steps().into_iter();
        Self {
            side: position.side_to_move(),
            levels: vec![(position, steps)],
            turn: Turn::empty(),
            visited: 0,
            limit: u64::MAX,
        }
    }

    /// Limits the iterator to this many steps; [`is_truncated`](Self::is_truncated) is `true` afterwards if
    /// turns were left out.
    #[must_use]
    pub fn with_limit(mut self, steps: u64) -> Self {
        self.limit = steps;
        self
    }

    /// Returns the number of steps played so far.
    pub fn steps_played(&self) -> u64 {
        self.visited
    }

    /// Returns `true` if the limit ended the iterator before the last turn.
    pub fn is_truncated(&self) -> bool {
        self.visited >= self.limit && self.levels.iter().any(|(_, steps)| steps.len() > 0)
    }
}

impl<P: Position> Iterator for Turns<P> {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        loop {
            let (position, steps) = self.levels.last_mut()?;
            if self.visited >= self.limit {
                return None;
            }
            let Some(step) = steps.next() else {
                self.levels.pop();
                self.turn.pop();
                continue;
            };
            self.visited += 1;
            let next = position.after(step);
            if !self.turn.push(step) {
                continue;
            }
            if next.side_to_move() == self.side {
                let steps = next.legal_steps().into_iter();
                self.levels.push((next, steps));
            } else {
                let turn = self.turn.clone();
                self.turn.pop();
                return Some(turn);
            }
        }
    }
}

impl<P: Position> FusedIterator for Turns<P> {}
