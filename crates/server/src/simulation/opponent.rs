//! A simulated machine, which thinks for some simulated time and then plays an arbitrary turn.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use adoube_rules::{AnyPosition, Color, Position as _, coordinate};

use super::{process::Process, world::World};
use crate::{
    Opponent, OpponentRequest,
    machine::{FutureAnswer, FutureTurn},
};

/// The maximum time that the machine thinks about a turn, in milliseconds.
pub(super) const LONGEST_MS: u64 = 1_200;

/// The maximum time that the machine thinks about a draw offer, in milliseconds.
const LONGEST_ANSWER_MS: u64 = 400;

/// The machine of one process.
pub(super) struct SimOpponent {
    pub(super) world: Arc<World>,
    pub(super) process: Process,
}

/// A search, as recorded for the checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub(super) seed: u64,
    /// The number of turns before this one.
    pub(super) plies: usize,
    pub(super) node: usize,
    /// By the database's clock, in milliseconds.
    pub(super) from: i64,
    /// `i64::MAX` until it has ended.
    pub(super) until: i64,
}

impl Opponent for SimOpponent {
    fn choose(&self, _: OpponentRequest) -> Option<String> {
        None
    }

    fn accepts_draw_async(&self, request: &OpponentRequest, _: Color) -> Option<FutureAnswer> {
        let process = self.process.clone();
        let hash = hash_of(request).rotate_left(17);
        Some(Box::pin(async move {
            process.running().await;
            tokio::time::sleep(std::time::Duration::from_millis((hash >> 32) % LONGEST_ANSWER_MS)).await;
            process.running().await;
            if process.is_crashed() {
                return std::future::pending().await;
            }
            hash.is_multiple_of(8)
        }))
    }

    fn choose_async(&self, request: &OpponentRequest) -> Option<FutureTurn> {
        let (world, process, request) = (Arc::clone(&self.world), self.process.clone(), request.clone());
        Some(Box::pin(async move {
            process.running().await;
            let number = {
                let search = Search {
                    seed: request.seed,
                    plies: request.turns.len(),
                    node: process.index(),
                    from: world.now_ms(),
                    until: i64::MAX,
                };
                let mut record = world.record();
                record.searches.push(search);
                record.searches.len() - 1
            };
            let hash = hash_of(&request);
            tokio::time::sleep(std::time::Duration::from_millis((hash >> 32) % LONGEST_MS)).await;
            process.running().await;
            if process.is_crashed() {
                return std::future::pending().await;
            }
            world.record().searches[number].until = world.now_ms();
            if request.cancel.load(Relaxed) {
                return None;
            }
            let mut position = AnyPosition::from_fen(request.variant, &request.initial_fen).ok()?;
            for turn in &request.turns {
                let legal = coordinate::parse(&position, turn).ok()?;
                position.play_turn_unchecked(&legal);
            }
            let turns = position.legal_turns();
            let turn = turns.get((hash >> 16) as usize % turns.len().max(1))?;
            Some(coordinate::write(&position, turn))
        }))
    }
}

/// Returns a pseudo-random number that does not change when a search is interrupted and begins again.
fn hash_of(request: &OpponentRequest) -> u64 {
    request.seed.wrapping_add(request.turns.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
