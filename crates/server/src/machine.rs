//! The machine as a player.
//!
//! It thinks on threads of its own, not on those that serve requests, and its queue is bounded. Its turn is
//! an ordinary command. The store knows in which games it is to move: a turn lost by a full queue or the end
//! of the process is found again by the next round.

use std::{
    collections::HashMap,
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use adoube_game::Act;
use adoube_protocol::{CommandId, GameId, Version};
use adoube_rules::Variant;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{
    entropy::Entropy, error::Error, fair_queue::FairQueue, games::Games, limits::Tenant, nodes::Nodes,
};

/// Capacity of the channel of games to look at.
const CHANNEL: usize = 64;
/// The maximum number of games that wait for a thread; each holds its turns so far.
const QUEUE: usize = 256;
/// The maximum number of games that are in progress or waiting.
const THINKING: usize = 2 * QUEUE;
/// The maximum number of games that one round takes.
const PER_ROUND: u32 = 256;
/// Number of failed attempts in a row after which the machine resigns.
const ATTEMPTS: u32 = 3;

/// A position for which the machine must find a turn.
#[derive(Clone, Debug)]
pub struct OpponentRequest {
    pub variant: Variant,
    pub initial_fen: String,
    /// Coordinate text of the turns so far.
    pub turns: Vec<String>,
    /// From 1, the weakest, to 10.
    pub level: u8,
    /// Seed of the machine's random choices: different for every game, and always the same for one game, so
    /// that a turn requested again after a restart is the same turn.
    pub seed: u64,
    /// Becomes `true` when the answer is no longer needed.
    pub cancel: Arc<AtomicBool>,
}

/// Finds the turns of the machine. It is called on a thread on which it may think as long as it needs.
pub trait Opponent: Send + Sync {
    /// Returns a legal turn as coordinate text; `None` if it was cancelled or has found none.
    fn choose(&self, request: OpponentRequest) -> Option<String>;

    /// Returns the future turn if it is found without a thread of this process; `None` to be called on a
    /// thread instead.
    fn choose_elsewhere(&self, _request: &OpponentRequest) -> Option<FutureTurn> {
        None
    }
}

/// A turn that is being looked for, as [`Opponent::choose`] would return it.
pub type FutureTurn = Pin<Box<dyn Future<Output = Option<String>> + Send>>;

/// Returns the seed of a game (FNV-1a of its id), which must not change between versions of the program.
pub(crate) fn seed_of(id: &GameId) -> u64 {
    id.as_str()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

struct Job {
    request: OpponentRequest,
    answer: oneshot::Sender<Option<String>>,
}

/// Notifies the machine that it is to move, or may stop thinking.
#[derive(Clone, Debug)]
pub(crate) struct Wake {
    games: mpsc::Sender<GameId>,
    thinking: Thinking,
}

/// The games that it thinks about, each with its cancellation flag.
type Thinking = Arc<Mutex<HashMap<GameId, Arc<AtomicBool>>>>;

impl Wake {
    pub(crate) fn new() -> (Self, mpsc::Receiver<GameId>) {
        let (games, woken) = mpsc::channel(CHANNEL);
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

/// The queue of games that wait for a thread. Tenants take turns.
struct ThinkingQueue {
    jobs: Mutex<Jobs>,
    ready: Condvar,
}

struct Jobs {
    queue: FairQueue<Tenant, Job>,
    closed: bool,
}

impl Debug for ThinkingQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThinkingQueue").field("waiting", &self.jobs().queue.len()).finish_non_exhaustive()
    }
}

impl ThinkingQueue {
    /// At most half of the threads think for one tenant.
    fn new(threads: usize) -> Self {
        let jobs = Jobs { queue: FairQueue::new(QUEUE, threads.div_ceil(2)), closed: false };
        Self { jobs: Mutex::new(jobs), ready: Condvar::new() }
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a game. A displaced one learns it from its closed channel; the next round finds it again.
    fn push(&self, tenant: Tenant, job: Job) {
        drop(self.jobs().queue.push(tenant, job));
        self.ready.notify_one();
    }

    /// Waits for the next game; returns `None` when the queue is closed.
    fn next(&self) -> Option<(Tenant, Job)> {
        let mut jobs = self.jobs();
        loop {
            if jobs.closed {
                return None;
            }
            if let Some(next) = jobs.queue.pop() {
                return Some(next);
            }
            jobs = self.ready.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, tenant: &Tenant) {
        self.jobs().queue.done(tenant);
        // The tenant may have more games, which had to wait for this one.
        self.ready.notify_one();
    }
}

/// The handle of the threads, which end when it is dropped.
#[derive(Debug)]
struct Threads(Arc<ThinkingQueue>);

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.jobs().closed = true;
        self.0.ready.notify_all();
    }
}

/// Starts `count` threads for thinking.
fn start_threads(opponent: &Arc<dyn Opponent>, count: usize) -> std::io::Result<Threads> {
    let desk = Arc::new(ThinkingQueue::new(count.max(1)));
    for number in 0..count.max(1) {
        let desk = Arc::clone(&desk);
        let opponent = Arc::clone(opponent);
        std::thread::Builder::new().name(format!("machine-{number}")).spawn(move || {
            while let Some((tenant, Job { request, answer })) = desk.next() {
                let turn = if request.cancel.load(Ordering::Relaxed) {
                    None
                } else {
                    // A panic in a search must not cost the thread.
                    catch_unwind(AssertUnwindSafe(|| opponent.choose(request))).unwrap_or_else(|_| {
                        tracing::error!("the machine's search panicked");
                        None
                    })
                };
                desk.done(&tenant);
                let _ = answer.send(turn);
            }
        })?;
    }
    Ok(Threads(desk))
}

/// Starts the machine with a number of threads and an interval between rounds; it plays until `stop`.
pub(crate) fn start(
    opponent: &Arc<dyn Opponent>,
    (thread_count, round): (usize, Duration),
    (games, nodes): (Arc<Games>, Arc<Nodes>),
    entropy: Arc<dyn Entropy>,
    (wake, mut woken): (Wake, mpsc::Receiver<GameId>),
    stop: CancellationToken,
) -> std::io::Result<()> {
    let player = Arc::new(Player {
        threads: start_threads(opponent, thread_count)?,
        opponent: Arc::clone(opponent),
        games,
        nodes,
        entropy,
        thinking: wake.thinking,
        failures: Mutex::default(),
    });
    tokio::spawn(async move {
        let mut rounds = tokio::time::interval(round);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // The end of the last round: more games may wait than one round takes.
        let mut after = None;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(id) = woken.recv() => player.begin(id),
                // The turns that another node was looking for.
                () = player.nodes.has_taken_over() => rounds.reset_immediately(),
                // The first tick comes at once, so that games go on after a restart.
                _ = rounds.tick() => match player.games.awaiting_machine(after.as_ref(), PER_ROUND).await {
                    Ok(found) => {
                        let is_last = found.len() < PER_ROUND as usize;
                        after = found.last().filter(|_| !is_last).cloned();
                        for found in found {
                            player.begin(found.game);
                        }
                    }
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

struct Player {
    threads: Threads,
    opponent: Arc<dyn Opponent>,
    games: Arc<Games>,
    nodes: Arc<Nodes>,
    entropy: Arc<dyn Entropy>,
    thinking: Thinking,
    /// Failed attempts in a row.
    failures: Mutex<HashMap<GameId, u32>>,
}

impl Player {
    /// Starts thinking about a game, unless it is already in progress.
    fn begin(self: &Arc<Self>, id: GameId) {
        let cancel = Arc::new(AtomicBool::new(false));
        {
            let mut thinking = self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
            if thinking.contains_key(&id) || thinking.len() >= THINKING {
                return;
            }
            thinking.insert(id.clone(), Arc::clone(&cancel));
        }
        let player = Arc::clone(self);
        tokio::spawn(async move {
            let result = player.play(&id, cancel).await;
            player.thinking.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            match result {
                // The opponent may have answered before this task had left the table.
                Ok(seen)
                    if player
                        .games
                        .ledger
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

    /// Plays a turn. Returns the version of the game that it was based on; the greatest one if another node
    /// does it.
    async fn play(&self, id: &GameId, cancel: Arc<AtomicBool>) -> Result<u64, Error> {
        // First the claim, which costs less than reading a game at every node.
        if !self.nodes.claim_machine_turn(id).await? {
            // Another node looks for this turn; if that one dies, the next round finds the game again.
            return Ok(u64::MAX);
        }
        let game = self.games.ledger.load(id).await?;
        let version = game.version();
        let Some(level) = game.awaits_machine() else { return Ok(version) };
        let request = OpponentRequest {
            variant: game.variant(),
            initial_fen: game.initial_fen().to_owned(),
            turns: game.turn_texts(),
            level,
            seed: seed_of(id),
            cancel: Arc::clone(&cancel),
        };
        let turn = if let Some(turn) = self.opponent.choose_elsewhere(&request) {
            turn.await
        } else {
            let (answer, answered) = oneshot::channel();
            self.threads.0.push(self.games.machine_tenant(&game), Job { request, answer });
            let Ok(turn) = answered.await else {
                tracing::debug!(game = %id, "the queue of the machine is full; it will be retried in the next round");
                // Another node may have room for it.
                self.nodes.release_machine_turn(id).await?;
                return Ok(version);
            };
            turn
        };
        if cancel.load(Ordering::Relaxed) {
            return Ok(version);
        }
        let played = match turn {
            Some(turn) => self.act(id, &Act::Play { seen: version, turn }).await,
            None => Err(Error::Internal("the machine found no turn")),
        };
        match played {
            // The game may have gone on or ended in the meantime; then the machine is not to move.
            Ok(_) | Err(Error::NotAPlayer | Error::Refused(adoube_game::Refusal::OtherPosition { .. })) => {
                self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                Ok(version)
            }
            // A failure of the store is not the machine's fault; the next round tries again.
            Err(error @ Error::Store(_)) => Err(error),
            Err(error) => {
                let attempts = {
                    let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                    let attempts = failures.entry(id.clone()).or_default();
                    *attempts += 1;
                    *attempts
                };
                if attempts < ATTEMPTS {
                    return Err(error);
                }
                tracing::error!(game = %id, attempts, "the machine resigns because it found no legal turn");
                self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                self.act(id, &Act::Resign).await.map(|_| version)
            }
        }
    }

    async fn act(&self, id: &GameId, act: &Act) -> Result<Version, Error> {
        let command =
            CommandId(uuid::Builder::from_random_bytes(self.entropy.random()?.to_le_bytes()).into_uuid());
        self.games.commands.act_for_machine(id, command, act).await
    }
}
