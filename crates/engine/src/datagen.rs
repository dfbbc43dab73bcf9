//! Generates training positions. The engine plays against itself, and the search score of each position is
//! stored with the result of its game.
//!
//! A game begins with random turns, so that the games differ. After that, both sides search about the same
//! number of nodes each turn. Only quiet, undecided positions are stored: the side to move is not in
//! check and need not capture, its best turn neither captures nor promotes, and neither side has already won.
//! Endings in which the search scales its scores down are left out too.
//!
//! The same seed gives the same games, regardless of the number of threads.

mod file;
mod game;
mod record;

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
};

use adoube_rules::{AnyPosition, Variant, with_position};

use crate::{Engine, OutOfMemory, STACK, network::Network};

pub use file::{Writer, read};
pub use record::{Header, ReadRecordsError, Record};

/// The settings for generating games.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The variant.
    pub variant: Variant,
    /// The seed from which the games are generated.
    pub seed: u64,
    /// The number of nodes after which the search for a turn may end.
    pub nodes: u64,
    /// The network that evaluates positions; the hand-crafted evaluation if `None`.
    pub network: Option<Arc<Network>>,
}

/// A generated game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The number of the game among those with the same seed.
    pub number: u32,
    /// The number of turns, including the random ones.
    pub plies: u32,
    /// The training positions.
    pub records: Vec<Record>,
}

impl Recipe {
    /// The table size of each thread's engine, in mebibytes.
    const TABLE: usize = 2;

    /// Returns the header for a file of these games.
    pub fn header(&self) -> Header {
        Header { variant: self.variant, seed: self.seed, nodes: self.nodes }
    }

    fn engine(&self) -> Result<Engine, OutOfMemory> {
        let mut engine = Engine::new(Self::TABLE, 1)?;
        engine.set_network(self.variant, self.network.clone());
        Ok(engine)
    }

    /// Plays the game with this number.
    pub fn play(&self, number: u32) -> Result<Played, OutOfMemory> {
        Ok(self.play_with(&mut self.engine()?, number))
    }

    fn play_with(&self, engine: &mut Engine, number: u32) -> Played {
        let initial = AnyPosition::initial(self.variant);
        with_position!(&initial, initial => game::play(engine, self, initial, number))
    }

    /// Plays games on several threads, starting with number `first`. Passes them in order to `keep` until it
    /// returns [`ControlFlow::Break`].
    pub fn generate(
        &self,
        first: u32,
        threads: usize,
        mut keep: impl FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), OutOfMemory> {
        let next = AtomicU64::new(first.into());
        let stop = AtomicBool::new(false);
        let failed = Mutex::new(Ok(()));
        // The bound limits how many finished games are queued while `keep` is busy. Games that must wait for
        // an earlier one do so in `waiting`.
        let (sender, received) = mpsc::sync_channel::<Played>(threads.max(1) * 4);
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let sender = sender.clone();
                let work = || {
                    let sender = sender;
                    let mut engine = match self.engine() {
                        Ok(engine) => engine,
                        Err(error) => {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                            return;
                        }
                    };
                    while !stop.load(Relaxed) {
                        let Ok(number) = u32::try_from(next.fetch_add(1, Relaxed)) else { break };
                        if sender.send(self.play_with(&mut engine, number)).is_err() {
                            break;
                        }
                    }
                };
                if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut due = first;
            for played in received {
                waiting.insert(played.number, played);
                while let Some(played) = waiting.remove(&due) {
                    due += 1;
                    if keep(played).is_break() {
                        stop.store(true, Relaxed);
                        return;
                    }
                }
            }
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(variant: Variant) -> Recipe {
        Recipe { variant, seed: 7, nodes: 100, network: None }
    }

    #[test]
    fn games_do_not_depend_on_the_number_of_threads() {
        for variant in Variant::ALL {
            let games = |threads| {
                let mut games = Vec::new();
                recipe(variant)
                    .generate(3, threads, |played| {
                        games.push(played);
                        if games.len() == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    })
                    .expect("memory");
                games
            };
            let alone = games(1);
            assert_eq!(alone, games(3), "{variant}");
            assert_eq!(alone[2], recipe(variant).play(5).expect("memory"), "{variant}");
            assert_ne!(alone[0].records, alone[1].records);
            assert!(alone.iter().map(|game| game.records.len()).sum::<usize>() > 40, "{variant}");
        }
    }

    #[test]
    fn the_records_of_a_game_agree_on_its_number_and_result() {
        for variant in Variant::ALL {
            for number in 0..4 {
                let game = recipe(variant).play(number).expect("memory");
                let white_result = |record: &Record| match record.side_to_move() {
                    adoube_rules::Color::White => record.result(),
                    adoube_rules::Color::Black => 2 - record.result(),
                };
                let results: Vec<_> = game.records.iter().map(white_result).collect();
                assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{variant} {results:?}");
                assert!(game.records.iter().all(|record| record.game() == number));
                assert!(game.records.len() <= game.plies as usize);
            }
        }
    }
}
