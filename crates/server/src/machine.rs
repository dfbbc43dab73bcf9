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

use crate::{entropy::Entropy, error::Error, fair::Fair, games::Games, limits::Holder};

/// Games that wait to be looked at.
const WOKEN: usize = 64;
/// Games that wait for a thread; each holds its turns so far.
const QUEUE: usize = 256;
/// Games that are looked at, or wait, at the same time.
const THINKING: usize = 2 * QUEUE;
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
    /// From 1, the weakest, to 10.
    pub level: u8,
    /// What the machine may draw from: another number for every game, and always the same one for the same game, so that a turn
    /// asked for again after a restart is the same turn.
    pub seed: u64,
    /// Becomes true when nobody waits for the answer any more.
    pub cancel: Arc<AtomicBool>,
}

/// Who finds the machine's turns. It is called on a thread where it may think as long as it needs.
pub trait Opponent: Send + Sync {
    /// Returns a legal turn as coordinate text; nothing if it was cancelled or has found none.
    fn choose(&self, request: OpponentRequest) -> Option<String>;
}

/// Returns the seed of a game (FNV-1a of its id): it must not change with the version of the program.
fn seed_of(id: &GameId) -> u64 {
    id.as_str()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
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
        let (games, woken) = mpsc::channel(WOKEN);
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

/// The games that wait for a thread: one of each visitor after the other.
struct Desk {
    jobs: Mutex<Jobs>,
    ready: Condvar,
}

struct Jobs {
    queue: Fair<Holder, Job>,
    closed: bool,
}

impl Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("waiting", &self.jobs().queue.len()).finish_non_exhaustive()
    }
}

impl Desk {
    /// At most half of the threads think for one holder.
    fn new(threads: usize) -> Self {
        let jobs = Jobs { queue: Fair::new(QUEUE, threads.div_ceil(2)), closed: false };
        Self { jobs: Mutex::new(jobs), ready: Condvar::new() }
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a game wait. What gives way learns it by the end of its channel; the next round finds it again.
    fn push(&self, holder: Holder, job: Job) {
        drop(self.jobs().queue.push(holder, job));
        self.ready.notify_one();
    }

    /// Waits for the next game; none when there will be no more.
    fn next(&self) -> Option<(Holder, Job)> {
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

    fn done(&self, holder: &Holder) {
        self.jobs().queue.done(holder);
        // The holder may have more, which had to wait for this.
        self.ready.notify_one();
    }
}

/// The way to the desk; the threads end when it is dropped.
#[derive(Debug)]
struct Threads(Arc<Desk>);

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.jobs().closed = true;
        self.0.ready.notify_all();
    }
}

/// Starts `count` threads that think.
fn start_threads(opponent: &Arc<dyn Opponent>, count: usize) -> std::io::Result<Threads> {
    let desk = Arc::new(Desk::new(count.max(1)));
    for number in 0..count.max(1) {
        let desk = Arc::clone(&desk);
        let opponent = Arc::clone(opponent);
        std::thread::Builder::new().name(format!("machine-{number}")).spawn(move || {
            while let Some((holder, Job { request, answer })) = desk.next() {
                let turn = if request.cancel.load(Ordering::Relaxed) {
                    None
                } else {
                    // A mistake in a search must not cost the thread.
                    catch_unwind(AssertUnwindSafe(|| opponent.choose(request))).unwrap_or_else(|_| {
                        tracing::error!("the machine's search panicked");
                        None
                    })
                };
                desk.done(&holder);
                let _ = answer.send(turn);
            }
        })?;
    }
    Ok(Threads(desk))
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
    let threads = start_threads(opponent, thread_count)?;
    let player =
        Arc::new(Player { threads, games, entropy, thinking: wake.thinking, vain: Mutex::default() });
    tokio::spawn(async move {
        let mut rounds = tokio::time::interval(round);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // Where the last round ended: so many may wait that one round does not see all.
        let mut after = None;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(id) = woken.recv() => player.begin(id),
                // The first tick comes at once: so games go on after a restart.
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

#[derive(Debug)]
struct Player {
    threads: Threads,
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
                // A quick answer may have come while this task still stood in the way of a new one.
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

    /// Returns the version of the game that it thought about.
    async fn play(&self, id: &GameId, cancel: Arc<AtomicBool>) -> Result<u64, Error> {
        let game = self.games.ledger.load(id).await?;
        let version = game.version();
        let Some(level) = game.awaits_machine() else { return Ok(version) };
        let (answer, answered) = oneshot::channel();
        let request = OpponentRequest {
            variant: game.variant(),
            initial_fen: game.initial_fen().to_owned(),
            turns: game.turn_texts(),
            level,
            seed: seed_of(id),
            cancel: Arc::clone(&cancel),
        };
        self.threads.0.push(self.games.machine_holder(&game), Job { request, answer });
        let Ok(turn) = answered.await else {
            tracing::debug!(game = %id, "too many wait for the machine; the next round finds this game again");
            return Ok(version);
        };
        if cancel.load(Ordering::Relaxed) {
            return Ok(version);
        }
        let played = match turn {
            Some(turn) => self.act(id, &Act::Play { seen: version, turn }).await,
            None => Err(Error::Internal("the machine found no turn")),
        };
        match played {
            // Meanwhile the game may have gone on, or ended: then it waits for no machine.
            Ok(_) | Err(Error::NotAPlayer | Error::Refused(adoube_game::Refusal::OtherPosition { .. })) => {
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
