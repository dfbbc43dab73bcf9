//! The machine as a player.
//!
//! It thinks on threads of its own, never on those that answer requests, and what waits for it is bounded. Its turn
//! is an ordinary command. Whether it is to move stands in the store: what a full queue or the end of the process
//! loses, the next round finds again.

use std::{
    collections::HashMap,
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc as threads,
    },
    time::Duration,
};

use adoube_protocol::{CommandId, GameId, Version};
use adoube_rules::Variant;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{
    ambient::Entropy,
    error::Error,
    games::{Ask, Games},
};

/// Games that wait for a thread.
const QUEUE: usize = 64;
/// Games that one such round takes.
const PER_ROUND: u32 = 256;
/// After so many vain attempts in a row the machine resigns.
const ATTEMPTS: u32 = 3;

/// What the machine is to find a turn for.
#[derive(Clone, Debug)]
pub struct OpponentRequest {
    pub variant: Variant,
    pub initial_fen: String,
    /// Coordinate text of the turns so far.
    pub turns: Vec<String>,
    /// 1, 2 or 3.
    pub level: u8,
    /// Becomes true when nobody waits for the answer any more.
    pub cancel: Arc<AtomicBool>,
}

/// Who finds the machine's turns. It is called on a thread where it may think as long as it needs.
pub trait Opponent: Send + Sync {
    /// Returns a legal turn as coordinate text; nothing if it was cancelled or has found none.
    fn choose(&self, request: OpponentRequest) -> Option<String>;
}

struct Job {
    request: OpponentRequest,
    answer: oneshot::Sender<Option<String>>,
}

/// Tells the machine that it is to move, or need not think on.
#[derive(Clone, Debug)]
pub(crate) struct Wake {
    games: mpsc::Sender<GameId>,
    thinking: Thinking,
}

/// The games it thinks about, each with the flag that stops it.
type Thinking = Arc<Mutex<HashMap<GameId, Arc<AtomicBool>>>>;

impl Wake {
    pub(crate) fn new() -> (Self, mpsc::Receiver<GameId>) {
        let (games, woken) = mpsc::channel(QUEUE);
        (Self { games, thinking: Thinking::default() }, woken)
    }

    pub(crate) fn think(&self, id: &GameId) {
        // If the queue is full, the next round finds the game.
        let _ = self.games.try_send(id.clone());
    }

    pub(crate) fn stop(&self, id: &GameId) {
        if let Some(cancel) = self.thinking.lock().unwrap_or_else(PoisonError::into_inner).get(id) {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// Starts `count` threads that think; they end when the queue does.
fn start_threads(opponent: &Arc<dyn Opponent>, count: usize) -> std::io::Result<threads::SyncSender<Job>> {
    let (queue, jobs) = threads::sync_channel::<Job>(QUEUE);
    let jobs = Arc::new(Mutex::new(jobs));
    for number in 0..count.max(1) {
        let jobs = Arc::clone(&jobs);
        let opponent = Arc::clone(opponent);
        std::thread::Builder::new().name(format!("machine-{number}")).spawn(move || {
            loop {
                let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(Job { request, answer }) = job else { return };
                if request.cancel.load(Ordering::Relaxed) {
                    let _ = answer.send(None);
                    continue;
                }
                // A mistake in a search must not cost the thread.
                let turn = catch_unwind(AssertUnwindSafe(|| opponent.choose(request))).unwrap_or_else(|_| {
                    tracing::error!("the machine's search panicked");
                    None
                });
                let _ = answer.send(turn);
            }
        })?;
    }
    Ok(queue)
}

/// Starts the machine with that many threads, and that long between rounds; it plays until `stop`.
pub(crate) fn start(
    opponent: &Arc<dyn Opponent>,
    (thread_count, round): (usize, Duration),
    games: Arc<Games>,
    entropy: Arc<dyn Entropy>,
    (wake, mut woken): (Wake, mpsc::Receiver<GameId>),
    stop: CancellationToken,
) -> std::io::Result<()> {
    let queue = start_threads(opponent, thread_count)?;
    let player = Arc::new(Player { queue, games, entropy, thinking: wake.thinking, vain: Mutex::default() });
    tokio::spawn(async move {
        let mut rounds = tokio::time::interval(round);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                Some(id) = woken.recv() => player.begin(id),
                // The first tick comes at once: so games go on after a restart.
                _ = rounds.tick() => match player.games.awaiting_machine(PER_ROUND).await {
                    Ok(ids) => ids.into_iter().for_each(|id| player.begin(id)),
                    Err(error) => error.log(),
                },
            }
        }
        for cancel in player.thinking.lock().unwrap_or_else(PoisonError::into_inner).values() {
            cancel.store(true, Ordering::Relaxed);
        }
    });
    Ok(())
}

#[derive(Debug)]
struct Player {
    queue: threads::SyncSender<Job>,
    games: Arc<Games>,
    entropy: Arc<dyn Entropy>,
    thinking: Thinking,
    /// Vain attempts in a row.
    vain: Mutex<HashMap<GameId, u32>>,
}

impl Player {
    /// Thinks about a game, unless it does so already.
    fn begin(self: &Arc<Self>, id: GameId) {
        let cancel = Arc::new(AtomicBool::new(false));
        {
            let mut thinking = self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
            if thinking.contains_key(&id) || thinking.len() >= PER_ROUND as usize {
                return;
            }
            thinking.insert(id.clone(), Arc::clone(&cancel));
        }
        let player = Arc::clone(self);
        tokio::spawn(async move {
            let result = player.play(&id, cancel).await;
            player.thinking.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            match result {
                // A quick answer may have come while this task still stood in the way of a new one.
                Ok(seen)
                    if player
                        .games
                        .recall(&id)
                        .is_some_and(|game| game.version() > seen && game.awaits_machine().is_some()) =>
                {
                    player.begin(id);
                }
                Ok(_) => {}
                Err(error) => {
                    error.log();
                    tracing::warn!(game = %id, code = error.code(), "the machine could not play");
                }
            }
        });
    }

    /// Returns the version of the game that it thought about.
    async fn play(&self, id: &GameId, cancel: Arc<AtomicBool>) -> Result<u64, Error> {
        let game = self.games.load(id).await?;
        let version = game.version();
        let Some(level) = game.awaits_machine() else { return Ok(version) };
        let (answer, answered) = oneshot::channel();
        let request = OpponentRequest {
            variant: game.variant(),
            initial_fen: game.initial_fen().to_owned(),
            turns: game.turn_texts(),
            level,
            cancel: Arc::clone(&cancel),
        };
        if self.queue.try_send(Job { request, answer }).is_err() {
            tracing::debug!(game = %id, "all of the machine's places are taken");
            return Ok(version);
        }
        let turn = answered.await.ok().flatten();
        if cancel.load(Ordering::Relaxed) {
            return Ok(version);
        }
        let seen = Version(version);
        let played = match turn {
            Some(turn) => self.ask(id, &Ask::Play { seen, turn, lag_ms: 0 }).await,
            None => Err(Error::Internal("the machine found no turn")),
        };
        match played {
            Ok(_) | Err(Error::Refused(adoube_game::Refusal::OtherPosition { .. })) => {
                self.vain.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                Ok(version)
            }
            // The store did not answer: that is not the machine's fault, and the next round tries again.
            Err(error @ Error::Store(_)) => Err(error),
            Err(error) => {
                let attempts = {
                    let mut vain = self.vain.lock().unwrap_or_else(PoisonError::into_inner);
                    let attempts = vain.entry(id.clone()).or_default();
                    *attempts += 1;
                    *attempts
                };
                if attempts < ATTEMPTS {
                    return Err(error);
                }
                tracing::error!(game = %id, attempts, "the machine resigns, because it finds no legal turn");
                self.vain.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                self.ask(id, &Ask::Resign).await.map(|_| version)
            }
        }
    }

    async fn ask(&self, id: &GameId, ask: &Ask) -> Result<Version, Error> {
        let command =
            CommandId(uuid::Builder::from_random_bytes(self.entropy.random()?.to_le_bytes()).into_uuid());
        self.games.ask_for_machine(id, command, ask).await
    }
}
