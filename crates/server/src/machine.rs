//! The machine as a player.
//!
//! It thinks on separate threads, not on those that serve requests, and its queue is bounded. Its turn is an
//! ordinary command. The store records the games in which it has a task, so a task that was lost because of a
//! full queue or a crash is found in the next round.
//!
//! If there are several processes, the one that claims a task carries it out. A process that leaves the
//! thinking to others announces the task on the bus.

use std::{
    collections::HashMap,
    fmt::Debug,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use adoube_bus::Bus;
use adoube_game::{Act, Game, MachineDuty, MachineTask};
use adoube_protocol::{CommandId, GameId, Version};
use adoube_rules::{Color, Variant};
use adoube_store::Cursor;
use tokio::{sync::mpsc, time::Instant};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    claims::Claims,
    config::Thinking,
    entropy::Entropy,
    error::Error,
    games::Games,
    metrics::Metrics,
    nodes::Nodes,
    work::{WorkerSlot, WorkerSlots},
    work_notice::{self, WorkNotice},
};

/// The capacity of the channel of games in which the machine may have a task.
const CHANNEL_CAPACITY: usize = 64;
/// The maximum number of games waiting for a thread. Each takes memory for its turns so far.
const MAX_WAITING_GAMES: usize = 256;
/// The maximum number of games that the machine is thinking about or that are waiting for a thread.
const MAX_PENDING_GAMES: usize = 2 * MAX_WAITING_GAMES;
/// The maximum number of waiting games that one round looks up.
const PER_ROUND: u32 = 256;
/// The maximum interval between rounds if other processes work on the same games. Together with the duration
/// of a lease, it limits how late the machine plays if a process has died.
const SHARED_ROUND: Duration = Duration::from_millis(500);
/// The number of consecutive failed attempts after which the machine resigns.
const ATTEMPTS: u32 = 3;

/// A position in which the machine must find a turn or answer a draw offer.
#[derive(Clone, Debug)]
pub struct OpponentRequest {
    pub variant: Variant,
    pub initial_fen: String,
    /// The turns so far, each in coordinate notation.
    pub turns: Vec<String>,
    /// From 1, the weakest, to 10.
    pub level: u8,
    /// The seed for the machine's random choices. It depends only on the game, so a turn that is requested
    /// again after a restart is the same.
    pub seed: u64,
    /// Becomes `true` when the answer is no longer needed.
    pub cancel: Arc<AtomicBool>,
}

/// The engine that finds the machine's turns. Its blocking methods are called on a thread where they may take
/// as long as they need.
pub trait Opponent: Send + Sync {
    /// Returns a legal turn in coordinate notation, or `None` if the search was cancelled or found none.
    fn choose(&self, request: OpponentRequest) -> Option<String>;

    /// Returns `true` if the machine, which plays the side `machine`, agrees to a draw in this position. Like
    /// [`choose`](Self::choose) it may block, but the other side may be to move. An answer after a
    /// cancellation is ignored. The default declines.
    fn accepts_draw(&self, _request: &OpponentRequest, _machine: Color) -> bool {
        false
    }

    /// Returns a future that finds the answer without a thread of this process, or `None` if
    /// [`accepts_draw`](Self::accepts_draw) must be called on a thread.
    fn accepts_draw_async(&self, _request: &OpponentRequest, _machine: Color) -> Option<FutureAnswer> {
        None
    }

    /// Returns a future that finds the turn without a thread of this process, or `None` if
    /// [`choose`](Self::choose) must be called on a thread.
    fn choose_async(&self, _request: &OpponentRequest) -> Option<FutureTurn> {
        None
    }
}

/// A future that resolves to the turn that [`Opponent::choose`] would return.
pub type FutureTurn = Pin<Box<dyn Future<Output = Option<String>> + Send>>;

/// A future that resolves to the answer that [`Opponent::accepts_draw`] would return.
pub type FutureAnswer = Pin<Box<dyn Future<Output = bool> + Send>>;

/// Returns the seed for a game (FNV-1a of its id), which must not change between versions of the program.
pub(crate) fn seed_of(id: &GameId) -> u64 {
    id.as_str()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A handle that tells the machine when it has a task and when it can stop thinking.
#[derive(Clone, Debug)]
pub(crate) struct MachineNotifier {
    games: mpsc::Sender<GameId>,
    searches: Searches,
}

/// The games that the machine is thinking about or that wait for a thread, each with its cancellation flag.
type Searches = Arc<Mutex<HashMap<GameId, Arc<AtomicBool>>>>;

impl MachineNotifier {
    pub(crate) fn new() -> (Self, mpsc::Receiver<GameId>) {
        let (games, notifications) = mpsc::channel(CHANNEL_CAPACITY);
        (Self { games, searches: Searches::default() }, notifications)
    }

    pub(crate) fn think(&self, id: &GameId) {
        // If the queue is full, the next round finds the game.
        let _ = self.games.try_send(id.clone());
    }

    pub(crate) fn stop(&self, id: &GameId) {
        if let Some(cancel) = self.searches.lock().unwrap_or_else(PoisonError::into_inner).get(id) {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// The services that the machine uses.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The processes that compute the machine's turns.
    pub(crate) thinking: Thinking,
    pub(crate) threads: usize,
    /// The interval at which waiting games are looked up in the store, in case a notice was lost.
    pub(crate) round: Duration,
    pub(crate) games: Arc<Games>,
    /// This process's node; `None` for a worker.
    pub(crate) nodes: Option<Arc<Nodes>>,
    pub(crate) claims: Arc<Claims>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) metrics: Arc<Metrics>,
}

/// Starts the machine, which plays until `stop` is cancelled. Each of its turns is computed in a task spawned
/// on `tasks`.
pub(crate) fn start(
    parts: Parts,
    opponent: Arc<dyn Opponent>,
    (notifier, mut notifications): (MachineNotifier, mpsc::Receiver<GameId>),
    tasks: TaskTracker,
    stop: CancellationToken,
) {
    let Parts { thinking, threads, round, games, nodes, claims, bus, entropy, metrics } = parts;
    let threads = threads.max(1);
    // If there are other processes, turns left behind by a dead one must be found in time.
    let round = if claims.is_shared() { round.min(SHARED_ROUND) } else { round };
    let player = Arc::new(Player {
        // At most half of the threads, rounded up, think for one tenant.
        slots: WorkerSlots::new(threads, MAX_WAITING_GAMES, threads.div_ceil(2)),
        opponent: Thinker(opponent),
        games,
        claims,
        entropy,
        metrics,
        searches: notifier.searches,
        failures: Mutex::default(),
        tasks,
        stop: stop.clone(),
    });
    tokio::spawn(async move {
        let mut rounds = tokio::time::interval(round);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // Where the last round ended, because more games may be waiting than one round looks up.
        let mut after = None;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(game) = notifications.recv() => match thinking {
                    Thinking::InProcess => player.begin(game),
                    Thinking::Standby | Thinking::Workers => {
                        work_notice::publish(&*bus, &WorkNotice::MachineTurn { game }).await;
                    }
                },
                // An immediate round finds the turns that the dead node was computing.
                () = wait_for_takeover(nodes.as_deref()) => rounds.reset_immediately(),
                // The first tick is immediate so that games continue after a restart.
                _ = rounds.tick(), if thinking != Thinking::Workers => {
                    match player.list_waiting(thinking.waiting_ms(), &mut after).await {
                        Ok(found) => found.into_iter().for_each(|game| player.begin(game)),
                        Err(error) => error.log(),
                    }
                }
            }
        }
        for cancel in player.searches.lock().unwrap_or_else(PoisonError::into_inner).values() {
            cancel.store(true, Ordering::Relaxed);
        }
    });
}

/// Waits until this process has taken over from another node. Without nodes, it waits forever.
async fn wait_for_takeover(nodes: Option<&Nodes>) {
    match nodes {
        Some(nodes) => nodes.wait_for_takeover().await,
        None => std::future::pending().await,
    }
}

struct Thinker(Arc<dyn Opponent>);

impl Debug for Thinker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Thinker")
    }
}

struct Player {
    slots: WorkerSlots,
    opponent: Thinker,
    games: Arc<Games>,
    claims: Arc<Claims>,
    entropy: Arc<dyn Entropy>,
    metrics: Arc<Metrics>,
    searches: Searches,
    /// The number of consecutive failed attempts, by game. At most [`MAX_PENDING_GAMES`] entries.
    failures: Mutex<HashMap<GameId, u32>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Player {
    /// Returns at most [`PER_ROUND`] games in which the machine has a task that no other process has claimed.
    /// `after` is the position at which the last round ended. It is used, and updated, only if no other
    /// process can claim tasks.
    async fn list_waiting(&self, waiting_ms: i64, after: &mut Option<Cursor>) -> Result<Vec<GameId>, Error> {
        if self.claims.is_shared() {
            return self.claims.unclaimed_turns(waiting_ms, PER_ROUND).await;
        }
        let found = self.games.awaiting_machine(after.as_ref(), PER_ROUND).await?;
        let is_last = found.len() < PER_ROUND as usize;
        *after = found.last().filter(|_| !is_last).cloned();
        Ok(found.into_iter().map(|found| found.game).collect())
    }

    /// Starts thinking about a game, unless a search for it is already in progress or too many games are
    /// pending.
    fn begin(self: &Arc<Self>, id: GameId) {
        let cancel = Arc::new(AtomicBool::new(false));
        {
            let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
            if self.stop.is_cancelled() || searches.contains_key(&id) || searches.len() >= MAX_PENDING_GAMES {
                return;
            }
            searches.insert(id.clone(), Arc::clone(&cancel));
        }
        let player = Arc::clone(self);
        self.tasks.spawn(async move {
            let result = player.play(&id, cancel).await;
            player.searches.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            match result {
                // The opponent may have replied before this task was removed from the table.
                Ok(seen)
                    if player
                        .games
                        .ledger
                        .cached(&id)
                        .is_some_and(|game| game.version() > seen && game.machine_task().is_some()) =>
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

    /// Plays the machine's turn or answers a draw offer. Returns the version of the game that this was based
    /// on.
    async fn play(&self, id: &GameId, cancel: Arc<AtomicBool>) -> Result<u64, Error> {
        let game = self.games.ledger.load(id).await?;
        if game.machine_task().is_none() {
            return Ok(game.version());
        }
        let Ok(slot) = self.slots.take(self.games.machine_tenant(&game)).await else {
            tracing::debug!(game = %id, "the machine's queue is full; the next round will find this game again");
            return Ok(game.version());
        };
        // Claimed as late as possible, so that another process can claim a turn that is still waiting here.
        if cancel.load(Ordering::Relaxed) || !self.claims.claim_machine_turn(id).await? {
            return Ok(game.version());
        }
        let seen = game.version();
        let game = if self.claims.is_shared() { self.games.ledger.load(id).await? } else { game };
        let version = game.version();
        if version != seen {
            // The game has continued, perhaps while this process was suspended, so the claim may be for an
            // earlier turn.
            return Ok(seen);
        }
        let Some(task) = game.machine_task() else { return Ok(version) };
        let request = request(id, &game, task, Arc::clone(&cancel));
        if task.duty == MachineDuty::AnswerDrawOffer {
            return self.answer_draw_offer(id, (task, version), request, slot).await;
        }
        let started = Instant::now();
        let turn = if let Some(turn) = self.opponent.0.choose_async(&request) {
            turn.await
        } else {
            let opponent = Arc::clone(&self.opponent.0);
            let searching = tokio::task::spawn_blocking(move || {
                let turn = opponent.choose(request);
                drop(slot);
                turn
            });
            // A panic in a search costs one attempt.
            searching.await.unwrap_or_else(|error| {
                tracing::error!(%error, "the machine's search panicked");
                None
            })
        };
        if cancel.load(Ordering::Relaxed) {
            return Ok(version);
        }
        let played = match turn {
            Some(turn) => self.act(id, &Act::Play { version, turn }, (task, version)).await,
            None => Err(Error::Internal("the machine found no turn")),
        };
        match played {
            Ok(_) => {
                self.metrics.machine_turn(started.elapsed());
                self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                Ok(version)
            }
            // The game has continued or ended in the meantime, so it is no longer the machine's turn.
            Err(Error::NotAPlayer | Error::Refused(adoube_game::Refusal::OtherPosition { .. })) => {
                self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                Ok(version)
            }
            // A store failure is not the machine's fault; the next round tries again.
            Err(error @ Error::Store(_)) => Err(error),
            Err(error) => {
                let attempts = {
                    let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
                    // A game that another process continues, or that its player ends, keeps its entry. All
                    // are dropped together, which only gives the other games more attempts.
                    if failures.len() >= MAX_PENDING_GAMES && !failures.contains_key(id) {
                        failures.clear();
                    }
                    let attempts = failures.entry(id.clone()).or_default();
                    *attempts += 1;
                    *attempts
                };
                if attempts < ATTEMPTS {
                    return Err(error);
                }
                tracing::error!(game = %id, attempts, "the machine resigns because it found no legal turn");
                self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                self.act(id, &Act::Resign, (task, version)).await.map(|_| version)
            }
        }
    }

    /// Accepts or declines a draw offer. Returns the version of the game that the answer was based on.
    async fn answer_draw_offer(
        &self,
        id: &GameId,
        (task, version): (MachineTask, u64),
        request: OpponentRequest,
        slot: WorkerSlot,
    ) -> Result<u64, Error> {
        let cancel = Arc::clone(&request.cancel);
        let agrees = if let Some(answer) = self.opponent.0.accepts_draw_async(&request, task.color) {
            answer.await
        } else {
            let opponent = Arc::clone(&self.opponent.0);
            let thinking = tokio::task::spawn_blocking(move || {
                let agrees = opponent.accepts_draw(&request, task.color);
                drop(slot);
                agrees
            });
            thinking.await.unwrap_or_else(|error| {
                tracing::error!(%error, "the machine's search panicked");
                false
            })
        };
        if cancel.load(Ordering::Relaxed) {
            return Ok(version);
        }
        let answer = if agrees { Act::AcceptDraw } else { Act::DeclineDraw };
        match self.act(id, &answer, (task, version)).await {
            // `NotAPlayer` means that the position has changed or the offer no longer stands.
            Ok(_) | Err(Error::NotAPlayer) => Ok(version),
            Err(error) => Err(error),
        }
    }

    async fn act(&self, id: &GameId, act: &Act, based_on: (MachineTask, u64)) -> Result<Version, Error> {
        let command =
            CommandId(uuid::Builder::from_random_bytes(self.entropy.random()?.to_le_bytes()).into_uuid());
        self.games.commands.act_for_machine(id, command, act, based_on).await
    }
}

fn request(id: &GameId, game: &Game, task: MachineTask, cancel: Arc<AtomicBool>) -> OpponentRequest {
    OpponentRequest {
        variant: game.variant(),
        initial_fen: game.initial_fen().to_owned(),
        turns: game.turn_texts(),
        level: task.level,
        seed: seed_of(id),
        cancel,
    }
}
