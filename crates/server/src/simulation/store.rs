//! A store in memory that behaves like a disk: it is slow, it may refuse, and a crash loses what was not
//! synced. It has no accounts, studies, matches, chat or problems.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use adoube_protocol::{
    AnalysisId, ChatRoom, Color, CommandId, GameId, InvitationToken, MatchId, Millis, PlayerId, ProblemId,
    SessionId, Version,
};
use adoube_store::{
    Account, AccountStore, Ages, Analysis, AnalysisChange, Append, Appended, ChangeStore, Changed, ChatAdded,
    ChatMessage, ChatStore, Counted, Created, Credentials, Cursor, CutOffPlayer, DeadNode, Downtime, Game,
    GameFilter, GameStore, Invitation, LEASE_MS, ListedGame, Match, MatchedGame, NameStore, NewAccount,
    NewAnalysis, NewChatMessage, NewGame, NewMail, NewProblem, NewReport, NewSession, Node, NodeId, NodeStore,
    Phase, Presence, PresenceChange, PresenceRow, ProblemFilter, ProblemStore, Proposal, ProposalAdded,
    ProposalLimits, ProposalList, ProposalStore, Published, Recovered, Registered, Renewal, Report, Result,
    RoomState, RunningGame, Saved, SecondFactor, SecondFactorStore, Session, StoreError, StoredEvent,
    StoredProblem, StudyStore, Tidied, TokenHash, Try, Versions, VisitorChange, VisitorList, VisitorStore,
};
use async_trait::async_trait;
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use super::chance::Chance;

/// A fault that is injected to see whether it is noticed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// The store answers before the commit.
    AnswerBeforeCommit,
    /// The store forgets which commands were carried out.
    ForgetCommands,
    /// The store appends regardless of the version.
    AppendWithoutComparing,
    /// The store forgets downtimes.
    ForgetDowntimes,
    /// The process does not notice its pauses.
    IgnoreStalls,
    /// The store forgets which games run.
    ForgetRunning,
    /// The bus loses notices without reporting it.
    LoseNotices,
}

#[derive(Clone, Debug, Default)]
struct State {
    secrets: BTreeMap<String, Vec<u8>>,
    games: BTreeMap<GameId, (Game, Vec<StoredEvent>)>,
    commands: BTreeMap<(PlayerId, CommandId), String>,
    invitations: BTreeMap<InvitationToken, GameId>,
    beat: Option<Millis>,
    downtimes: Vec<Downtime>,
    nodes: BTreeMap<NodeId, Lease>,
    presence: BTreeMap<(GameId, Color, NodeId), Connection>,
}

/// The connections of a player to a node.
#[derive(Clone, Copy, Debug)]
struct Connection {
    since: Millis,
    /// When the last one ended; `None` while connected.
    away_since: Option<Millis>,
    is_cut_off: bool,
}

#[derive(Clone, Debug)]
struct Lease {
    address: String,
    seen_at: Millis,
    valid_until: Millis,
    taken_by: Option<NodeId>,
}

/// The disk, which outlives the processes.
#[derive(Debug)]
pub(super) struct Disk {
    inside: Mutex<Inside>,
    chance: Chance,
    fault: Option<Fault>,
    sync_ms: u64,
    /// Whether several processes use it.
    is_shared: bool,
}

#[derive(Debug)]
struct Inside {
    state: State,
    /// The state after a crash, where that is less than was acknowledged.
    synced: State,
    /// Percentage of groups that are refused.
    refused: u64,
    refusals: u64,
}

impl Disk {
    pub(super) fn new(chance: Chance, fault: Option<Fault>, is_shared: bool) -> Arc<Self> {
        let refused = *chance.pick(&[0, 0, 0, 5]);
        let sync_ms = *chance.pick(&[0, 3, 20, 60]);
        let inside = Inside { state: State::default(), synced: State::default(), refused, refusals: 0 };
        Arc::new(Self { inside: Mutex::new(inside), chance, fault, sync_ms, is_shared })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }

    /// Stops refusing groups.
    pub(super) fn calm(&self) {
        self.inside().refused = 0;
    }

    /// Returns the number of refused groups.
    pub(super) fn refusals(&self) -> u64 {
        self.inside().refusals
    }

    /// Returns all games with their logs.
    pub(super) fn logs(&self) -> Vec<(GameId, Vec<StoredEvent>)> {
        let inside = self.inside();
        inside.state.games.iter().map(|(id, (_, events))| (id.clone(), events.clone())).collect()
    }

    /// Returns the version and the phase of a game.
    pub(super) fn standing(&self, id: &GameId) -> Option<(u64, Phase)> {
        self.inside().state.games.get(id).map(|(game, _)| (game.version.0, game.phase))
    }

    pub(super) fn crash(&self) {
        if self.fault == Some(Fault::AnswerBeforeCommit) {
            let mut inside = self.inside();
            inside.state = inside.synced.clone();
        }
    }
}

impl State {
    fn add(&mut self, new: NewGame, fault: Option<Fault>) -> Created {
        let key = (new.command.player.clone(), new.command.id);
        if fault != Some(Fault::ForgetCommands)
            && let Some(answer) = self.commands.get(&key)
        {
            return Created::Repeated(answer.clone());
        }
        if self.games.contains_key(&new.id) {
            return Created::IdTaken;
        }
        let game = Game {
            id: new.id.clone(),
            version: Version(0),
            created_at: new.created_at,
            updated_at: new.created_at,
            variant: new.variant,
            phase: Phase::Waiting,
            turn: None,
            result: None,
            deadline: None,
            summary: String::new(),
        };
        self.games.insert(new.id.clone(), (game, Vec::new()));
        if let Some(token) = new.invitation {
            self.invitations.insert(token, new.id.clone());
        }
        let append = Append {
            game: new.id,
            based_on: Version(0),
            events: new.events,
            seats: new.seats,
            read_model: new.read_model,
            command: Some(new.command),
        };
        self.append(append, fault);
        Created::Done
    }

    fn append(&mut self, append: Append, fault: Option<Fault>) -> Appended {
        if let Some(command) = &append.command
            && fault != Some(Fault::ForgetCommands)
            && let Some(answer) = self.commands.get(&(command.player.clone(), command.id))
        {
            return Appended::Repeated(answer.clone());
        }
        let Some((game, events)) = self.games.get_mut(&append.game) else { return Appended::Missing };
        if game.version != append.based_on && fault != Some(Fault::AppendWithoutComparing) {
            return Appended::Conflict(game.version);
        }
        for (version, event) in (append.based_on.0 + 1..).zip(append.events) {
            game.updated_at = game.updated_at.max(event.at);
            events.push(StoredEvent { version: Version(version), at: event.at, body: event.body });
        }
        game.version = Version(events.len() as u64);
        game.phase = append.read_model.phase;
        game.turn = append.read_model.turn;
        game.result = append.read_model.result;
        game.deadline = append.read_model.deadline;
        game.summary = append.read_model.summary;
        if let Some(command) = append.command {
            self.commands.insert((command.player, command.id), command.answer);
        }
        Appended::Done(game.version)
    }

    fn add_downtime(&mut self, downtime: Downtime) {
        match self.downtimes.iter_mut().find(|known| known.from == downtime.from) {
            Some(known) => known.until = known.until.max(downtime.until),
            None => self.downtimes.push(downtime),
        }
    }

    fn wake(&mut self, now: Millis, fault: Option<Fault>) -> Vec<Downtime> {
        if let Some(from) = self.beat
            && from < now
        {
            self.add_downtime(Downtime { from, until: now });
        }
        self.beat = self.beat.max(Some(now));
        if fault == Some(Fault::ForgetDowntimes) { Vec::new() } else { self.downtimes.clone() }
    }

    fn is_valid(&self, id: &NodeId, now: Millis) -> bool {
        self.nodes.get(id).is_some_and(|lease| lease.valid_until > now)
    }

    fn renew(
        &mut self,
        id: NodeId,
        address: String,
        now: Millis,
        since: Millis,
        fault: Option<Fault>,
    ) -> Renewal {
        let was_valid = self.is_valid(&id, now);
        if !self.nodes.contains_key(&id) {
            for lease in self.nodes.values_mut().filter(|lease| lease.address == address) {
                lease.valid_until = lease.valid_until.min(now);
            }
        }
        let is_first = !self.nodes.keys().any(|other| self.is_valid(other, now));
        if is_first && let Some(from) = self.latest_sign().filter(|&from| from < now) {
            self.add_downtime(Downtime { from, until: now });
        }
        let before = self.nodes.get(&id).map(|lease| lease.seen_at).filter(|_| !was_valid);
        let mut cut_off = None;
        if let Some(seen_at) = before {
            cut_off = (!is_first).then(|| DeadNode {
                id: id.clone(),
                seen_at,
                players: self.players_only_at(&id, seen_at, now),
            });
            self.disconnect_all(&id, seen_at);
        }
        let new = Lease { address, seen_at: now, valid_until: now, taken_by: None };
        let lease = self.nodes.entry(id).or_insert(new);
        lease.seen_at = lease.seen_at.max(now);
        lease.valid_until = lease.valid_until.max(Millis(now.0 + LEASE_MS));
        lease.taken_by = None;
        let downtimes = self.downtimes.iter().filter(|down| down.until > since).copied();
        let downtimes = if fault == Some(Fault::ForgetDowntimes) { Vec::new() } else { downtimes.collect() };
        let nodes = self.nodes.iter().filter(|(id, _)| self.is_valid(id, now));
        let node = |(id, lease): (&NodeId, &Lease)| Node {
            id: id.clone(),
            address: lease.address.clone(),
            seen_at: lease.seen_at,
        };
        Renewal { was_valid, cut_off, nodes: nodes.map(node).collect(), downtimes }
    }

    fn disconnect_all(&mut self, id: &NodeId, since: Millis) {
        for ((_, _, node), connection) in &mut self.presence {
            if node == id && connection.away_since.is_none() {
                connection.away_since = Some(since);
                connection.is_cut_off = true;
            }
        }
    }

    /// Returns the last sign of any node.
    fn latest_sign(&self) -> Option<Millis> {
        self.beat.max(self.nodes.values().map(|lease| lease.seen_at).max())
    }

    fn players_only_at(&self, id: &NodeId, seen_at: Millis, now: Millis) -> Vec<CutOffPlayer> {
        let here = self.presence.iter().filter(|((_, _, node), it)| node == id && it.away_since.is_none());
        let player = |(game, color, _): &(GameId, Color, NodeId)| {
            let others = self.presence.iter().filter(|((other, side, node), it)| {
                other == game
                    && side == color
                    && node != id
                    && (it.away_since.is_some() || self.is_valid(node, now))
            });
            let others = others.map(|(_, it)| *it).collect::<Vec<_>>();
            let stayed =
                |it: &Connection| it.since <= seen_at && it.away_since.is_none_or(|away| away > seen_at);
            let back_at = others.iter().map(|it| it.since).filter(|&since| since > seen_at).min();
            let player = CutOffPlayer { game: game.clone(), color: *color, back_at };
            (!others.iter().any(stayed)).then_some(player)
        };
        here.filter_map(|(key, _)| player(key)).collect()
    }

    fn take_over(&mut self, by: &NodeId, now: Millis) -> Vec<DeadNode> {
        let is_free = |state: &Self, (id, lease): &(&NodeId, &Lease)| {
            let taker = lease.taken_by.as_ref();
            *id != by
                && !state.is_valid(id, now)
                && taker.is_none_or(|it| it == by || !state.is_valid(it, now))
        };
        let dead = self.nodes.iter().filter(|node| is_free(self, node));
        let dead = dead.map(|(id, lease)| (id.clone(), lease.seen_at)).collect::<Vec<_>>();
        for (id, _) in &dead {
            self.nodes.entry(id.clone()).and_modify(|lease| lease.taken_by = Some(by.clone()));
        }
        let handed_over = |(id, seen_at): (NodeId, Millis)| DeadNode {
            players: self.players_only_at(&id, seen_at, now),
            id,
            seen_at,
        };
        dead.into_iter().map(handed_over).collect()
    }

    /// Returns the state of a game. Spectators are not counted.
    fn room_of(&self, game: &GameId) -> Option<RoomState> {
        let is_here = |color: Color| {
            self.presence
                .iter()
                .any(|((other, side, _), here)| other == game && *side == color && here.away_since.is_none())
        };
        let (kept, _) = self.games.get(game)?;
        Some(RoomState {
            game: game.clone(),
            version: kept.version,
            white: is_here(Color::White),
            black: is_here(Color::Black),
            watchers: 0,
        })
    }

    fn presence_of(&self, game: &GameId, color: Color, now: Millis) -> Presence {
        let of_player = self.presence.iter().filter(|((other, side, _), _)| other == game && *side == color);
        let row = |((_, _, node), connection): (&(GameId, Color, NodeId), &Connection)| PresenceRow {
            away_since: connection.away_since,
            is_cut_off: connection.is_cut_off,
            lease: self.nodes.get(node).map(|lease| (lease.seen_at, lease.valid_until)),
        };
        Presence::of(&of_player.map(row).collect::<Vec<_>>(), now)
    }
}

/// Notifies the caller.
type Reply = Box<dyn FnOnce() + Send>;
/// A change, which is given `None` if it is refused.
type Job = Box<dyn FnOnce(Option<&mut State>) -> Reply + Send>;

/// The store of one process, which ends with it.
#[derive(Debug)]
pub(super) struct SimStore {
    disk: Arc<Disk>,
    crashed: CancellationToken,
    queue: mpsc::UnboundedSender<Job>,
    chance: Chance,
}

impl SimStore {
    pub(super) fn open(disk: &Arc<Disk>, crashed: CancellationToken) -> Self {
        let (queue, jobs) = mpsc::unbounded_channel();
        tokio::spawn(write(Arc::clone(disk), crashed.clone(), jobs));
        Self { disk: Arc::clone(disk), crashed, queue, chance: disk.chance.fork() }
    }

    /// Never returns once the process has crashed.
    async fn unless_crashed<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::select! {
            biased;
            () = self.crashed.cancelled() => std::future::pending().await,
            done = work => done,
        }
    }

    async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        if self.disk.fault == Some(Fault::AnswerBeforeCommit) && !self.crashed.is_cancelled() {
            let _ = answer.send(change(&mut self.disk.inside().state));
            // The commit follows.
            let _ = self.queue.send(Box::new(|_| Box::new(|| ())));
            return answered.await.map_err(|_| StoreError::Closed);
        }
        let job: Job = Box::new(move |state| {
            // A caller that has gone is not notified.
            match state.map(change) {
                Some(done) => Box::new(move || drop(answer.send(done))),
                None => Box::new(move || drop(answer)),
            }
        });
        let _ = self.queue.send(job);
        let full = || StoreError::Full { source: "refused by chance".into() };
        self.unless_crashed(answered).await.map_err(|_| full())
    }

    async fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        let delay = if self.chance.percent(30) { self.chance.ms(5) } else { Duration::ZERO };
        self.unless_crashed(async {
            if !delay.is_zero() {
                sleep(delay).await;
            }
            read(&self.disk.inside().state)
        })
        .await
    }
}

/// Writes all waiting changes in one group, as long as the process lives.
async fn write(disk: Arc<Disk>, crashed: CancellationToken, mut jobs: mpsc::UnboundedReceiver<Job>) {
    let chance = disk.chance.fork();
    let mut group = Vec::new();
    loop {
        tokio::select! {
            biased;
            () = crashed.cancelled() => return,
            count = jobs.recv_many(&mut group, 64) => if count == 0 { return },
        }
        sleep(chance.ms(disk.sync_ms)).await;
        if crashed.is_cancelled() {
            return;
        }
        let replies: Vec<_> = {
            let mut inside = disk.inside();
            if chance.percent(inside.refused) {
                inside.refusals += 1;
                group.drain(..).map(|job| job(None)).collect()
            } else {
                if disk.fault == Some(Fault::AnswerBeforeCommit) {
                    inside.synced = inside.state.clone();
                }
                group.drain(..).map(|job| job(Some(&mut inside.state))).collect()
            }
        };
        // The group is on the disk, and no caller knows yet.
        if chance.percent(20) {
            sleep(chance.ms(disk.sync_ms)).await;
        }
        if crashed.is_cancelled() {
            return;
        }
        for reply in replies {
            reply();
        }
    }
}

fn absent<T>() -> Result<T> {
    Err(StoreError::Unreachable { source: "not simulated".into() })
}

#[async_trait]
impl GameStore for SimStore {
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        let (name, fresh) = (name.to_owned(), fresh.to_vec());
        self.write(move |state| state.secrets.entry(name).or_insert(fresh).clone()).await
    }

    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()> {
        let (name, value) = (name.to_owned(), value.to_vec());
        self.write(move |state| drop(state.secrets.insert(name, value))).await
    }

    async fn add_game(&self, game: NewGame) -> Result<Created> {
        let fault = self.disk.fault;
        self.write(move |state| state.add(game, fault)).await
    }

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>> {
        Ok(self.read(|state| state.games.get(id).map(|(game, _)| game.clone())).await)
    }

    async fn is_public(&self, _: &GameId) -> Result<bool> {
        Ok(false)
    }

    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
        let later = |(_, events): &(Game, Vec<StoredEvent>)| {
            events.iter().skip(after.0 as usize).cloned().collect::<Vec<_>>()
        };
        Ok(self.read(|state| state.games.get(id).map(later).unwrap_or_default()).await)
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        let fault = self.disk.fault;
        self.write(move |state| state.append(append, fault)).await
    }

    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>> {
        if self.disk.fault == Some(Fault::ForgetCommands) {
            return Ok(None);
        }
        Ok(self.read(|state| state.commands.get(&(player.clone(), command)).cloned()).await)
    }

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>> {
        let found = |game: &GameId| Invitation { token: token.clone(), game: game.clone() };
        Ok(self.read(|state| state.invitations.get(token).map(found)).await)
    }

    async fn list_games(&self, _: &GameFilter) -> Result<Vec<ListedGame>> {
        Ok(Vec::new())
    }

    async fn list_public(&self, _: u32) -> Result<Vec<ListedGame>> {
        Ok(Vec::new())
    }

    async fn list_awaiting_machine(&self, _: Option<&Cursor>, _: u32) -> Result<Vec<Cursor>> {
        Ok(Vec::new())
    }

    async fn list_running(&self) -> Result<Vec<RunningGame>> {
        if self.disk.fault == Some(Fault::ForgetRunning) {
            return Ok(Vec::new());
        }
        let running = |(game, _): &(Game, Vec<StoredEvent>)| {
            let deadline = game.deadline?;
            Some(RunningGame { id: game.id.clone(), deadline, updated_at: game.updated_at })
        };
        Ok(self.read(|state| state.games.values().filter_map(running).collect()).await)
    }

    async fn list_due(&self, after: Option<&Cursor>, until: Millis, limit: u32) -> Result<Vec<RunningGame>> {
        let mut running = self.list_running().await?;
        let order = |game: &RunningGame| (game.deadline, game.id.clone());
        running.sort_by_key(order);
        let after = after.map(|cursor| (cursor.at, cursor.game.clone()));
        running
            .retain(|game| game.deadline <= until && after.as_ref().is_none_or(|after| order(game) > *after));
        running.truncate(limit as usize);
        Ok(running)
    }

    async fn latest_write(&self) -> Result<Option<Millis>> {
        let newest = |state: &State| {
            let events = state.games.values().map(|(game, _)| game.updated_at).max();
            state.latest_sign().max(events)
        };
        Ok(self.read(newest).await)
    }

    async fn add_match(&self, _: Match) -> Result<()> {
        absent()
    }

    async fn lookup_match(&self, _: &MatchId) -> Result<Option<Match>> {
        Ok(None)
    }

    async fn list_match(&self, _: &MatchId) -> Result<Vec<MatchedGame>> {
        Ok(Vec::new())
    }

    async fn record_heartbeat(&self, now: Millis) -> Result<()> {
        self.write(move |state| state.beat = state.beat.max(Some(now))).await
    }

    async fn add_downtime(&self, downtime: Downtime) -> Result<()> {
        self.write(move |state| state.add_downtime(downtime)).await
    }

    async fn record_start(&self, now: Millis) -> Result<Vec<Downtime>> {
        let fault = self.disk.fault;
        self.write(move |state| state.wake(now, fault)).await
    }

    async fn tidy(&self, _: &Ages, _: u32, _: bool) -> Result<Tidied> {
        Ok(Tidied::default())
    }

    async fn check(&self) -> Result<()> {
        Ok(())
    }

    async fn close(&self) {
        let _ = self.write(|_| ()).await;
    }
}

#[async_trait]
impl NodeStore for SimStore {
    fn is_shared(&self) -> bool {
        self.disk.is_shared
    }

    async fn time(&self) -> Result<Option<Millis>> {
        Ok(None)
    }

    async fn renew_lease(&self, id: &NodeId, address: &str, now: Millis, since: Millis) -> Result<Renewal> {
        let (id, address, fault) = (id.clone(), address.to_owned(), self.disk.fault);
        self.write(move |state| state.renew(id, address, now, since, fault)).await
    }

    async fn release_lease(&self, id: &NodeId, now: Millis) -> Result<()> {
        let id = id.clone();
        self.write(move |state| {
            state.disconnect_all(&id, now);
            state.beat = state.beat.max(Some(now));
            state.nodes.remove(&id);
        })
        .await
    }

    async fn take_over(&self, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>> {
        let by = by.clone();
        self.write(move |state| state.take_over(&by, now)).await
    }

    async fn forget_node(&self, by: &NodeId, id: &NodeId, now: Millis) -> Result<bool> {
        let (by, id) = (by.clone(), id.clone());
        self.write(move |state| {
            let lease = state.nodes.get(&id).filter(|lease| lease.valid_until <= now);
            let Some(seen_at) = lease.filter(|lease| lease.taken_by == Some(by)).map(|lease| lease.seen_at)
            else {
                return false;
            };
            state.nodes.remove(&id);
            state.beat = state.beat.max(Some(seen_at));
            state.disconnect_all(&id, seen_at);
            true
        })
        .await
    }

    async fn set_presence(&self, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
        let (id, changes) = (id.clone(), changes.to_vec());
        self.write(move |state| {
            if !state.nodes.contains_key(&id) {
                return;
            }
            for PresenceChange { game, color, since, away_since } in changes {
                let connection = Connection { since, away_since, is_cut_off: false };
                state.presence.insert((game, color, id.clone()), connection);
            }
        })
        .await
    }

    async fn lookup_presence(&self, game: &GameId, color: Color, now: Millis) -> Result<Presence> {
        Ok(self.read(|state| state.presence_of(game, color, now)).await)
    }

    async fn tidy_presence(&self, before: Millis, _: u32) -> Result<u64> {
        let old = move |connection: &Connection| connection.away_since.is_some_and(|since| since < before);
        self.write(move |state| {
            let count = state.presence.len();
            state.presence.retain(|_, connection| !old(connection));
            (count - state.presence.len()) as u64
        })
        .await
    }

    async fn claim_machine_turn(&self, _: &NodeId, _: &GameId, _: Millis) -> Result<bool> {
        Ok(true)
    }

    async fn release_machine_turn(&self, _: &NodeId, _: &GameId) -> Result<()> {
        Ok(())
    }
}

#[async_trait]
impl AccountStore for SimStore {
    async fn add_account(&self, _: NewAccount) -> Result<Registered> {
        absent()
    }

    async fn lookup_account(&self, _: &PlayerId) -> Result<Option<Account>> {
        Ok(None)
    }

    async fn lookup_account_by_name(&self, _: &str) -> Result<Option<Account>> {
        Ok(None)
    }

    async fn is_account(&self, _: &PlayerId) -> Result<bool> {
        Ok(false)
    }

    async fn set_password(
        &self,
        _: &PlayerId,
        _: &Credentials,
        _: &str,
        _: Option<&SessionId>,
    ) -> Result<Option<Vec<SessionId>>> {
        absent()
    }

    async fn set_email(&self, _: &PlayerId, _: &Credentials, _: Option<&str>) -> Result<bool> {
        absent()
    }

    async fn set_language(&self, _: &PlayerId, _: &str) -> Result<()> {
        absent()
    }

    async fn set_reminders(&self, _: &PlayerId, _: bool) -> Result<()> {
        absent()
    }

    async fn end_sessions(&self, _: &PlayerId) -> Result<Vec<SessionId>> {
        absent()
    }

    async fn delete_account(&self, _: &PlayerId) -> Result<Vec<SessionId>> {
        absent()
    }

    async fn add_session(&self, _: NewSession) -> Result<Option<Vec<SessionId>>> {
        absent()
    }

    async fn lookup_session(&self, _: &TokenHash, _: Millis) -> Result<Option<Session>> {
        Ok(None)
    }

    async fn set_session_used(&self, _: &SessionId, _: Millis, _: Millis) -> Result<()> {
        absent()
    }

    async fn list_sessions(&self, _: &PlayerId, _: Millis) -> Result<Vec<Session>> {
        Ok(Vec::new())
    }

    async fn delete_session(&self, _: &PlayerId, _: &SessionId) -> Result<bool> {
        Ok(false)
    }

    async fn add_recovery(&self, _: &PlayerId, _: &str, _: &TokenHash, _: Millis) -> Result<bool> {
        Ok(false)
    }

    async fn lookup_recovery(&self, _: &TokenHash, _: Millis) -> Result<Option<PlayerId>> {
        Ok(None)
    }

    async fn recover(&self, _: &TokenHash, _: &str, _: Millis) -> Result<Option<Recovered>> {
        Ok(None)
    }

    async fn add_confirmation(&self, _: &PlayerId, _: &str, _: &TokenHash, _: Millis) -> Result<bool> {
        Ok(false)
    }

    async fn confirm_email(&self, _: &TokenHash, _: Millis) -> Result<Option<PlayerId>> {
        Ok(None)
    }

    async fn count_mail(&self, _: NewMail) -> Result<Option<u32>> {
        Ok(None)
    }

    async fn add_reminder(&self, _: &PlayerId, _: &GameId) -> Result<bool> {
        Ok(false)
    }

    async fn is_reminded(&self, _: &PlayerId, _: &GameId) -> Result<bool> {
        Ok(false)
    }

    async fn delete_reminder(&self, _: &PlayerId, _: &GameId) -> Result<()> {
        absent()
    }
}

#[async_trait]
impl SecondFactorStore for SimStore {
    async fn add_second_factor(&self, _: &PlayerId, _: &[u8]) -> Result<bool> {
        absent()
    }

    async fn lookup_second_factor(&self, _: &PlayerId) -> Result<Option<SecondFactor>> {
        Ok(None)
    }

    async fn confirm_second_factor(
        &self,
        _: &PlayerId,
        _: &[u8],
        _: Millis,
        _: &[TokenHash],
        _: &SessionId,
    ) -> Result<Option<Vec<SessionId>>> {
        absent()
    }

    async fn spend_time(&self, _: &PlayerId, _: Millis) -> Result<bool> {
        absent()
    }

    async fn spend_recovery_code(&self, _: &PlayerId, _: &TokenHash) -> Result<bool> {
        absent()
    }

    async fn set_recovery_codes(&self, _: &PlayerId, _: &[TokenHash]) -> Result<bool> {
        absent()
    }

    async fn delete_second_factor(&self, _: &PlayerId) -> Result<bool> {
        absent()
    }
}

#[async_trait]
impl NameStore for SimStore {
    async fn list_unlooked_names(&self, _: u32) -> Result<Vec<(PlayerId, String)>> {
        Ok(Vec::new())
    }

    async fn set_looks(&self, _: Vec<(PlayerId, String)>) -> Result<()> {
        absent()
    }

    async fn retire_name(&self, _: &TokenHash, _: Millis) -> Result<()> {
        absent()
    }
}

#[async_trait]
impl ProposalStore for SimStore {
    async fn add_proposal(&self, _: Proposal, _: &ProposalLimits) -> Result<ProposalAdded> {
        absent()
    }

    async fn delete_proposal(&self, _: &str) -> Result<bool> {
        Ok(false)
    }

    async fn lookup_proposal(&self, _: &str, _: Millis) -> Result<Option<Proposal>> {
        Ok(None)
    }

    async fn list_proposals(&self, _: Millis) -> Result<ProposalList> {
        Ok(ProposalList::default())
    }
}

#[async_trait]
impl VisitorStore for SimStore {
    async fn set_visitors(&self, _: &NodeId, _: &[VisitorChange], _: Millis) -> Result<()> {
        Ok(())
    }

    async fn list_visitors(&self, _: u32) -> Result<VisitorList> {
        Ok(VisitorList::default())
    }

    async fn list_absent(&self, _: &[PlayerId], _: Millis) -> Result<Vec<PlayerId>> {
        Ok(Vec::new())
    }

    async fn set_watchers(&self, _: &NodeId, _: &[(GameId, u32)]) -> Result<()> {
        Ok(())
    }

    async fn list_rooms(&self, games: &[GameId]) -> Result<Vec<RoomState>> {
        Ok(self.read(|state| games.iter().filter_map(|game| state.room_of(game)).collect()).await)
    }
}

#[async_trait]
impl ChangeStore for SimStore {
    async fn versions(&self) -> Result<Versions> {
        Ok(Versions::default())
    }

    async fn announce_change(&self) -> Result<()> {
        Ok(())
    }
}

#[async_trait]
impl StudyStore for SimStore {
    async fn add_try(&self, _: &PlayerId, _: Try) -> Result<Counted> {
        absent()
    }

    async fn list_tries(&self, _: &PlayerId, _: Option<&str>) -> Result<Vec<Try>> {
        Ok(Vec::new())
    }

    async fn add_analysis(&self, _: NewAnalysis) -> Result<Saved> {
        absent()
    }

    async fn change_analysis(&self, _: AnalysisChange) -> Result<Changed> {
        absent()
    }

    async fn lookup_analysis(&self, _: &PlayerId, _: &AnalysisId) -> Result<Option<(Analysis, String)>> {
        Ok(None)
    }

    async fn list_analyses(&self, _: &PlayerId) -> Result<Vec<Analysis>> {
        Ok(Vec::new())
    }

    async fn delete_analysis(&self, _: &PlayerId, _: &AnalysisId) -> Result<bool> {
        Ok(false)
    }
}

#[async_trait]
impl ChatStore for SimStore {
    async fn add_message(&self, _: NewChatMessage) -> Result<ChatAdded> {
        absent()
    }

    async fn list_messages(&self, _: &GameId, _: ChatRoom, _: u32) -> Result<Vec<ChatMessage>> {
        Ok(Vec::new())
    }

    async fn list_messages_of(&self, _: &PlayerId, _: i64, _: u32) -> Result<Vec<(GameId, ChatMessage)>> {
        Ok(Vec::new())
    }

    async fn list_reports(&self, _: u32) -> Result<Vec<Report>> {
        Ok(Vec::new())
    }

    async fn add_report(&self, _: NewReport) -> Result<bool> {
        Ok(false)
    }
}

#[async_trait]
impl ProblemStore for SimStore {
    async fn add_problem(&self, _: NewProblem) -> Result<Published> {
        absent()
    }

    async fn lookup_publication(&self, _: &PlayerId, _: CommandId) -> Result<Option<ProblemId>> {
        Ok(None)
    }

    async fn lookup_problem_at(&self, _: &str, _: &str) -> Result<Option<ProblemId>> {
        Ok(None)
    }

    async fn lookup_problem(&self, _: &ProblemId) -> Result<Option<StoredProblem>> {
        Ok(None)
    }

    async fn list_problems(&self, _: &ProblemFilter) -> Result<Vec<StoredProblem>> {
        Ok(Vec::new())
    }

    async fn withdraw_problem(&self, _: &PlayerId, _: &ProblemId) -> Result<bool> {
        Ok(false)
    }
}
