//! The contents of the disk, and the task that writes changes to it in groups.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use adoube_protocol::{Color, CommandId, GameId, InvitationToken, Millis, PlayerId, SessionId, Version};
use adoube_store::{Downtime, Game, MemoryLimits, NodeId, Phase, Proposal, StoredEvent};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep},
};

use super::{
    super::{
        fault::Fault,
        process::{BEGIN_MS, Process},
        rng::SeededRng,
    },
    nodes::{Connection, Lease},
};

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) secrets: BTreeMap<String, Vec<u8>>,
    pub(super) games: BTreeMap<GameId, (Game, Vec<StoredEvent>)>,
    pub(super) commands: BTreeMap<(PlayerId, CommandId), String>,
    pub(super) invitations: BTreeMap<InvitationToken, GameId>,
    /// The node working on the machine's turn in each game, and the version of the game.
    pub(super) claims: BTreeMap<GameId, (NodeId, Version)>,
    pub(super) awaiting_machine: BTreeMap<GameId, Millis>,
    /// The names of accounts.
    pub(super) accounts: BTreeMap<PlayerId, String>,
    pub(super) sessions: BTreeMap<SessionId, PlayerId>,
    /// Seeks, by id.
    pub(super) proposals: BTreeMap<String, Proposal>,
    /// The number of times that a seek was added or deleted.
    pub(super) proposal_changes: u64,
    /// The times at which events were stored, by game and version.
    pub(super) stored_at: BTreeMap<(GameId, u64), i64>,
    pub(super) heartbeat: Option<Millis>,
    pub(super) downtimes: Vec<Downtime>,
    pub(super) nodes: BTreeMap<NodeId, Lease>,
    pub(super) presence: BTreeMap<(GameId, Color, NodeId), Connection>,
}

/// Whether the database can be reached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in super::super) enum Availability {
    Normal,
    /// Every statement takes up to this many milliseconds longer.
    Slow(u64),
    /// Connections are refused.
    Refusing,
    /// Statements are not answered.
    Silent,
}

/// The disk, or the database, which outlives the processes.
#[derive(Debug)]
pub(in super::super) struct Disk {
    pub(super) contents: Mutex<DiskContents>,
    pub(super) rng: SeededRng,
    pub(super) fault: Option<Fault>,
    pub(super) sync_ms: u64,
    /// Whether several processes use it, in which case it is a database with its own clock.
    pub(super) is_shared: bool,
    pub(super) limits: MemoryLimits,
    started: Instant,
}

#[derive(Debug)]
pub(super) struct DiskContents {
    pub(super) state: State,
    /// The state that survives a crash. Used only with [`Fault::AnswerBeforeCommit`].
    pub(super) synced: State,
    /// The percentage of groups that are refused.
    pub(super) refused: u64,
    pub(super) refusals: u64,
    pub(super) availability: Availability,
    /// The percentage of changes whose response is lost after the commit.
    pub(super) uncertain_percent: u64,
    /// The times at which responses were lost, by the database's clock.
    pub(super) uncertain_commits: Vec<i64>,
}

impl Disk {
    pub(in super::super) fn new(rng: SeededRng, fault: Option<Fault>, is_shared: bool) -> Arc<Self> {
        let contents = DiskContents {
            state: State::default(),
            synced: State::default(),
            refused: *rng.pick(&[0, 0, 0, 5]),
            refusals: 0,
            availability: Availability::Normal,
            uncertain_percent: if is_shared { *rng.pick(&[0, 0, 1, 4]) } else { 0 },
            uncertain_commits: Vec::new(),
        };
        let sync_ms = *rng.pick(&[0, 3, 20, 60]);
        Arc::new(Self {
            contents: Mutex::new(contents),
            rng,
            fault,
            sync_ms,
            is_shared,
            limits: MemoryLimits::default(),
            started: Instant::now(),
        })
    }

    /// Returns the maximum duration of a sync, in milliseconds. A write may have to wait for four syncs: two
    /// for its own group and two for the group before it.
    pub(in super::super) fn longest_sync_ms(&self) -> i64 {
        self.sync_ms as i64
    }

    pub(super) fn contents(&self) -> MutexGuard<'_, DiskContents> {
        self.contents.lock().unwrap()
    }

    /// Returns the time by the database's clock.
    pub(in super::super) fn now_ms(&self) -> i64 {
        BEGIN_MS + self.started.elapsed().as_millis() as i64
    }

    /// Ends the outage, and stops refusing groups and losing responses.
    pub(in super::super) fn end_faults(&self) {
        let mut contents = self.contents();
        (contents.refused, contents.uncertain_percent) = (0, 0);
        contents.availability = Availability::Normal;
    }

    /// Begins an outage. Returns `false` if there already is one.
    pub(in super::super) fn begin_outage(&self, availability: Availability) -> bool {
        let mut contents = self.contents();
        let is_normal = contents.availability == Availability::Normal;
        if is_normal {
            contents.availability = availability;
        }
        is_normal
    }

    pub(in super::super) fn end_outage(&self) {
        self.contents().availability = Availability::Normal;
    }

    pub(super) fn availability(&self) -> Availability {
        self.contents().availability
    }

    /// Decides at random whether the response to a change that has just been made is lost; if so, records the
    /// time. It is always lost if the database cannot be reached.
    pub(super) fn loses_response(&self) -> bool {
        let now_ms = self.now_ms();
        let mut contents = self.contents();
        let is_unreachable = matches!(contents.availability, Availability::Refusing | Availability::Silent);
        let is_lost = is_unreachable || self.rng.percent(contents.uncertain_percent);
        if is_lost {
            contents.uncertain_commits.push(now_ms);
        }
        is_lost
    }

    /// Returns the number of refused groups.
    pub(in super::super) fn refusals(&self) -> u64 {
        self.contents().refusals
    }

    /// Returns the times at which responses were lost, by the database's clock.
    pub(in super::super) fn uncertain_commits(&self) -> Vec<i64> {
        self.contents().uncertain_commits.clone()
    }

    /// Returns all games with their logs.
    pub(in super::super) fn logs(&self) -> Vec<(GameId, Vec<StoredEvent>)> {
        let contents = self.contents();
        contents.state.games.iter().map(|(id, (_, events))| (id.clone(), events.clone())).collect()
    }

    /// Returns the version and the phase of a game.
    pub(in super::super) fn standing(&self, id: &GameId) -> Option<(u64, Phase)> {
        self.contents().state.games.get(id).map(|(game, _)| (game.version.0, game.phase))
    }

    pub(in super::super) fn crash(&self) {
        if self.fault == Some(Fault::AnswerBeforeCommit) {
            let mut contents = self.contents();
            contents.state = contents.synced.clone();
        }
    }

    /// Opens a session for a player, creating an account if there is none.
    pub(in super::super) fn add_session(&self, player: &PlayerId, name: &str, session: SessionId) {
        let mut contents = self.contents();
        contents.state.accounts.entry(player.clone()).or_insert_with(|| name.to_owned());
        contents.state.sessions.insert(session, player.clone());
    }

    /// Returns the times at which events were stored, by game and version.
    pub(in super::super) fn stored_at(&self) -> BTreeMap<(GameId, u64), i64> {
        self.contents().state.stored_at.clone()
    }

    /// Returns the ids of all seeks.
    pub(in super::super) fn proposals(&self) -> BTreeSet<String> {
        self.contents().state.proposals.keys().cloned().collect()
    }

    /// Returns the names of all accounts.
    pub(in super::super) fn names(&self) -> Vec<(PlayerId, String)> {
        let contents = self.contents();
        contents.state.accounts.iter().map(|(player, name)| (player.clone(), name.clone())).collect()
    }
}

/// A callback that sends the result of a change to its caller.
pub(super) type Reply = Box<dyn FnOnce() + Send>;
/// A function that changes the state. It is called with `None` if the change is refused.
pub(super) type Job = Box<dyn FnOnce(Option<&mut State>) -> Reply + Send>;

/// The time after which the writer refuses a group if the database cannot be reached.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);
/// The maximum extra delay before the commit of changes that have already been acknowledged, in milliseconds.
const MAX_COMMIT_DELAY_MS: u64 = 2_000;

/// Writes the waiting changes in groups, until the process crashes or drops its store.
pub(super) async fn write(disk: Arc<Disk>, process: Process, mut jobs: mpsc::UnboundedReceiver<Job>) {
    let rng = disk.rng.fork();
    let mut group = Vec::new();
    loop {
        tokio::select! {
            biased;
            () = process.crashed() => return,
            count = jobs.recv_many(&mut group, 64) => if count == 0 { return },
        }
        process.running().await;
        sleep(rng.ms(disk.sync_ms)).await;
        if disk.fault == Some(Fault::AnswerBeforeCommit) {
            // The changes have already been acknowledged.
            sleep(rng.ms(MAX_COMMIT_DELAY_MS)).await;
        }
        let is_reachable = disk.wait_until_reachable(CONNECT_TIMEOUT, PAUSE).await;
        if process.is_crashed() {
            return;
        }
        let replies: Vec<_> = {
            let mut contents = disk.contents();
            if rng.percent(contents.refused) || !is_reachable {
                contents.refusals += 1;
                group.drain(..).map(|job| job(None)).collect()
            } else {
                if disk.fault == Some(Fault::AnswerBeforeCommit) {
                    contents.synced = contents.state.clone();
                }
                group.drain(..).map(|job| job(Some(&mut contents.state))).collect()
            }
        };
        // The group has been written or refused, but no caller knows yet.
        if rng.percent(20) {
            sleep(rng.ms(disk.sync_ms)).await;
        }
        process.running().await;
        if process.is_crashed() {
            return;
        }
        if is_reachable && disk.is_shared && disk.loses_response() {
            // The callers will find their channels closed.
            drop(replies);
            continue;
        }
        for reply in replies {
            reply();
        }
    }
}

impl Disk {
    /// Waits until the database can be reached, for at most `timeout`. If the database is slow, also waits
    /// for the extra time of a statement. Returns `true` if it was reached.
    pub(super) async fn wait_until_reachable(&self, timeout: Duration, pause: Duration) -> bool {
        let started = Instant::now();
        loop {
            match self.availability() {
                Availability::Normal => return true,
                Availability::Slow(max_ms) => {
                    sleep(self.rng.ms(max_ms)).await;
                    return true;
                }
                Availability::Refusing | Availability::Silent if started.elapsed() >= timeout => {
                    return false;
                }
                Availability::Refusing | Availability::Silent => sleep(pause).await,
            }
        }
    }
}
