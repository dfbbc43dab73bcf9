//! Counts turns to a given depth, the usual test of a move generator.

use std::hint::black_box;

use crate::{moves::Turn, position::SearchPosition};

/// The way in which the last ply is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafCounting {
    /// The turns of the last ply are counted without being played.
    Bulk,
    /// Every turn of the last ply is played.
    Played,
}

/// Returns the number of sequences of `depth` turns from a position.
pub fn perft<P: SearchPosition>(position: &P, depth: u32, leaves: LeafCounting) -> u64 {
    match (depth, leaves) {
        (0, _) => 1,
        (1, LeafCounting::Bulk) => position.count_turns(),
        _ => {
            let side = position.side_to_move();
            let mut count = 0;
            position.for_each_successor(&mut |next| {
                // The turn is not over while the same side is to move.
                let left = if next.side_to_move() == side { depth } else { depth - 1 };
                // A leaf is built in full, including its hash, although the hash is not used.
                let next = black_box(next);
                count += if left == 0 { 1 } else { perft(next, left, leaves) };
            });
            count
        }
    }
}

/// Returns the legal turns, each with the number of sequences that begin with it.
pub fn divide<P: SearchPosition>(position: &P, depth: u32, leaves: LeafCounting) -> Vec<(Turn, u64)> {
    position
        .legal_turns()
        .into_iter()
        .map(|turn| {
            let mut next = position.clone();
            next.play_turn_unchecked(&turn);
            (turn, perft(&next, depth.saturating_sub(1), leaves))
        })
        .collect()
}
