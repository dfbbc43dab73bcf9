//! Positions to learn from: the engine plays against itself, and what it thought of the positions is kept together
//! with how the games ended.
//!
//! A game begins with random turns, so that no two are the same. Then both sides search to about the same number of
//! nodes each turn. Kept are the positions in which an evaluation can be judged: those in which the side to move is
//! not in check, need not take and sees nothing to take as its best turn, and in which neither side has won already.
//!
//! The same seed gives the same games, whatever the number of threads.

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

/// How games are played to learn from.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The game.
    pub variant: Variant,
    /// What the games are drawn from.
    pub seed: u64,
    /// Nodes after which a turn is thought about enough.
    pub nodes: u64,
    /// What evaluates positions; the hand-made evaluation if there is none.
    pub network: Option<Arc<Network>>,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Which of the games of the seed it is.
    pub number: u32,
    /// Its turns, the random ones included.
    pub plies: u32,
    /// The positions that are worth learning from.
    pub records: Vec<Record>,
}

impl Recipe {
    /// Memory of each thread's engine, in mebibytes.
    const TABLE: usize = 2;

    /// Returns the header of a file of such games.
    pub fn header(&self) -> Header {
        Header { variant: self.variant, seed: self.seed, nodes: self.nodes }
    }

    fn engine(&self) -> Result<Engine, OutOfMemory> {
        let mut engine = Engine::new(Self::TABLE, 1)?;
        engine.set_network(self.variant, self.network.clone());
        Ok(engine)
    }

    /// Returns a game by its number.
    pub fn play(&self, number: u32) -> Result<Played, OutOfMemory> {
        Ok(self.play_with(&mut self.engine()?, number))
    }

    fn play_with(&self, engine: &mut Engine, number: u32) -> Played {
        let initial = AnyPosition::initial(self.variant);
        with_position!(&initial, initial => game::play(engine, self, initial, number))
    }

    /// Plays games from a number on, on several threads, and gives them to `keep` one after the other, until it
    /// breaks.
    pub fn generate(
        &self,
        first: u32,
        threads: usize,
        mut keep: impl FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), OutOfMemory> {
        let next = AtomicU64::new(first.into());
        let stop = AtomicBool::new(false);
        let failed = Mutex::new(Ok(()));
        // What has been played waits for the games before it; a game that takes long holds up few others.
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
    fn games_are_the_same_whatever_the_threads() {
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
    fn every_record_says_how_its_game_ended() {
        for variant in Variant::ALL {
            for number in 0..4 {
                let game = recipe(variant).play(number).expect("memory");
                let of_white = |record: &Record| match record.side_to_move() {
                    adoube_rules::Color::White => record.result(),
                    adoube_rules::Color::Black => 2 - record.result(),
                };
                let results: Vec<_> = game.records.iter().map(of_white).collect();
                assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{variant} {results:?}");
                assert!(game.records.iter().all(|record| record.game() == number));
                assert!(game.records.len() <= game.plies as usize);
            }
        }
    }
}
