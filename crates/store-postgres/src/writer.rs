//! The task that writes turns and new games.
//!
//! All waiting changes, from any number of games, form a group and share the cost of its round trips and disk
//! syncs. Each turn touches only the rows of its game and its receipt, so games could be distributed
//! over several databases.
//!
//! Turns are written by one statement that is its own transaction ([`append_in_one_statement`]). The turns
//! that it leaves out, and other changes, are written in a transaction of several statements.
//!
//! When the connection is lost:
//!
//! | lost | effect |
//! |---|---|
//! | during the statement that writes turns | the turns may have been written; they are tried again in a transaction on a new connection, where a turn already written is found by its receipt or version |
//! | in the transaction, before the commit was sent | nothing was written; the group is retried on new connections, and refused after three attempts in all |
//! | after the commit was sent | the group may have been written; it is refused, and a repeated command finds its receipt |
//!
//! A change is acknowledged only after its commit has been confirmed. A failed attempt to connect is not
//! repeated once the oldest change in the group has waited for
//! [`Limits::reconnect_timeout`](crate::Limits::reconnect_timeout).

use std::{collections::HashSet, mem, sync::Arc, time::Duration};

use adoube_store::{Append, Appended, Created, NewGame, Result, StoreError, WriteCounter, WriteCounts};
use sqlx::{Connection as _, postgres::PgConnection};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, sleep, timeout},
};

use crate::{
    append::{
        self, AppendOne, AppendOutcome, Wait, append_all, append_in_one_statement,
        supports_append_in_one_statement,
    },
    create::{self, create_all},
    database::{Connector, Database, in_doubt},
    error::{ErrorClass, class, timed_out, translate},
};

/// The capacity of the queue. When it is full, callers wait for space.
const QUEUE_CAPACITY: usize = 1024;
/// The maximum number of changes in one group: everything in the queue. Therefore each change in the queue
/// waits for at most one group before its own.
const MAX_GROUP_SIZE: usize = QUEUE_CAPACITY;
/// The number of attempts to write a group if other transactions conflict with it, or the connection is lost.
const ATTEMPTS: usize = 3;
/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// A change, with its waiting caller.
#[derive(Debug)]
struct PendingChange<T, D> {
    change: T,
    since: Instant,
    answer: oneshot::Sender<Result<D>>,
}

/// One element of a group.
#[derive(Debug)]
enum Work {
    Append(Box<PendingChange<Append, Appended>>),
    Create(Box<PendingChange<NewGame, Created>>),
}

/// The outcome of an element.
enum Outcome {
    Append(AppendOutcome),
    Create(Created),
}

impl Work {
    fn since(&self) -> Instant {
        match self {
            Self::Append(pending) => pending.since,
            Self::Create(pending) => pending.since,
        }
    }

    /// Returns the game that the change touches and, if the change has a command, the command's player and
    /// id.
    fn keys(&self) -> (&str, Option<(&str, uuid::Uuid)>) {
        match self {
            Self::Append(pending) => append::keys(&pending.change),
            Self::Create(pending) => {
                let (game, command) = create::keys(&pending.change);
                (game, Some(command))
            }
        }
    }

    /// Answers the caller. It may have stopped waiting, which is not an error: a repeat of the command finds
    /// the receipt.
    fn send_outcome(self, outcome: Result<Outcome>, database: &Database) {
        match (self, outcome) {
            (Self::Append(pending), Ok(Outcome::Append(AppendOutcome::Ended(appended)))) => {
                let _ = pending.answer.send(Ok(appended));
            }
            (Self::Append(pending), Ok(Outcome::Append(AppendOutcome::Locked))) => {
                let PendingChange { change, answer, .. } = *pending;
                let database = database.clone();
                tokio::spawn(async move {
                    let _ = answer.send(database.apply(AppendOne(change)).await);
                });
            }
            (Self::Create(pending), Ok(Outcome::Create(created))) => {
                let _ = pending.answer.send(Ok(created));
            }
            (Self::Append(pending), Err(error)) => {
                let _ = pending.answer.send(Err(error));
            }
            (Self::Create(pending), Err(error)) => {
                let _ = pending.answer.send(Err(error));
            }
            // An append never has the outcome of a creation, or vice versa.
            (Self::Append(_), Ok(Outcome::Create(_))) | (Self::Create(_), Ok(Outcome::Append(_))) => {}
        }
    }
}

enum Request {
    Write(Work),
    Close(oneshot::Sender<()>),
}

/// A handle to the writer task.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Request>,
    timeout: Duration,
    counter: Arc<WriteCounter>,
}

impl Writer {
    pub(crate) fn start(connector: Connector, database: Database) -> Self {
        let limit = connector.limits().reconnect_timeout;
        let (queue, requests) = mpsc::channel(QUEUE_CAPACITY);
        let counter = Arc::new(WriteCounter::default());
        let mut task = Task { connector, database, connection: None, counter: Arc::clone(&counter) };
        tokio::spawn(async move {
            let closed = task.run(requests).await;
            if let Some(connection) = task.connection.take() {
                // No transaction is open on it.
                let _ = timeout(limit, connection.close()).await;
            }
            if let Some(closed) = closed {
                let _ = closed.send(());
            }
        });
        Self { queue, timeout: limit, counter }
    }

    pub(crate) fn counts(&self) -> WriteCounts {
        self.counter.read()
    }

    /// Applies an append. Completes after the commit.
    pub(crate) async fn append(&self, change: Append) -> Result<Appended> {
        let (answer, answered) = oneshot::channel();
        let pending = PendingChange { change, since: Instant::now(), answer };
        self.apply(Work::Append(Box::new(pending)), answered).await
    }

    /// Creates a game. Completes after the commit.
    pub(crate) async fn create(&self, change: NewGame) -> Result<Created> {
        let (answer, answered) = oneshot::channel();
        let pending = PendingChange { change, since: Instant::now(), answer };
        self.apply(Work::Create(Box::new(pending)), answered).await
    }

    async fn apply<D>(&self, work: Work, answered: oneshot::Receiver<Result<D>>) -> Result<D> {
        self.queue.send_timeout(Request::Write(work), self.timeout).await.map_err(|error| match error {
            mpsc::error::SendTimeoutError::Timeout(_) => {
                timed_out("too many changes are waiting to be written")
            }
            mpsc::error::SendTimeoutError::Closed(_) => StoreError::Closed,
        })?;
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.queue.is_closed() { Err(StoreError::Closed) } else { Ok(()) }
    }

    /// Completes when all earlier changes have been written.
    pub(crate) async fn close(&self) {
        let (closed, wait) = oneshot::channel();
        // If the writer has ended, nothing is left to close.
        if self.queue.send(Request::Close(closed)).await.is_ok() {
            let _ = wait.await;
        }
    }
}

/// The reason why a group was not written.
enum Failure {
    /// A statement was rejected because of one of the changes; the others may be written without it.
    Refused(StoreError),
    /// Other transactions conflicted. Nothing was written.
    Contended(StoreError),
    /// The connection was lost before the commit was sent. Nothing was written.
    Lost(StoreError),
    /// All changes fail for the same reason, or it is not known whether they were written.
    All(StoreError),
}

struct Task {
    connector: Connector,
    database: Database,
    /// Opened on demand, and reopened after it is lost.
    connection: Option<PgConnection>,
    counter: Arc<WriteCounter>,
}

impl Task {
    /// Writes groups of changes until the store is closed. Returns the caller to notify.
    async fn run(&mut self, mut requests: mpsc::Receiver<Request>) -> Option<oneshot::Sender<()>> {
        let mut taken = Vec::new();
        while requests.recv_many(&mut taken, MAX_GROUP_SIZE).await > 0 {
            let mut group = Vec::with_capacity(taken.len());
            let mut close = None;
            for request in taken.drain(..) {
                match request {
                    Request::Write(work) => group.push(work),
                    Request::Close(closed) => close = Some(closed),
                }
            }
            self.write(group).await;
            if close.is_some() {
                return close;
            }
        }
        None
    }

    /// Writes a group: turns in one statement, and the rest in a transaction.
    async fn write(&mut self, group: Vec<Work>) {
        let rest = self.write_in_one_statement(group).await;
        self.write_in_transaction(rest).await;
    }

    /// Writes the changes that fit into one statement, and returns the others in their original order.
    async fn write_in_one_statement(&mut self, group: Vec<Work>) -> Vec<Work> {
        let fits = |at: &usize| matches!(&group[*at], Work::Append(pending) if supports_append_in_one_statement(&pending.change));
        let (round, _) = partition_conflicts(&group, (0..group.len()).collect());
        let round = round.into_iter().filter(fits).collect::<Vec<_>>();
        let appends = round.iter().filter_map(|at| match &group[*at] {
            Work::Append(pending) => Some(&pending.change),
            Work::Create(_) => None,
        });
        let appends = appends.collect::<Vec<_>>();
        if appends.is_empty() {
            return group;
        }
        // Without a connection, all changes are left to `write_in_transaction`, which opens one.
        let Some(mut connection) = self.connection.take() else {
            return group;
        };
        let limit = self.statement_timeout();
        let written = timeout(limit, append_in_one_statement(&mut connection, &appends, Wait::No)).await;
        let mut outcomes = group.iter().map(|_| None).collect::<Vec<_>>();
        match written {
            Ok(Ok(written)) => {
                self.connection = Some(connection);
                self.counter.record(written.iter().flatten().count());
                for (at, appended) in round.into_iter().zip(written) {
                    outcomes[at] =
                        appended.map(|appended| Ok(Outcome::Append(AppendOutcome::Ended(appended))));
                }
            }
            Ok(Err(error)) => {
                tracing::debug!(%error, changes = appends.len(), "turns were not written in one statement");
                if matches!(failure(error), Failure::Refused(_) | Failure::Contended(_)) {
                    self.connection = Some(connection);
                }
            }
            // The connection is dropped.
            Err(_) => {
                for at in round {
                    outcomes[at] = Some(Err(timed_out("the database did not confirm the change in time")));
                }
            }
        }
        let mut rest = Vec::new();
        for (work, outcome) in group.into_iter().zip(outcomes) {
            match outcome {
                Some(outcome) => work.send_outcome(outcome, &self.database),
                None => rest.push(work),
            }
        }
        rest
    }

    /// Writes a group in a transaction. If a statement is rejected, each half of the group gets its own
    /// transaction, and so on, so that no change fails because of another.
    async fn write_in_transaction(&mut self, group: Vec<Work>) {
        let mut parts = vec![(group, ATTEMPTS)];
        while let Some((mut part, attempts)) = parts.pop() {
            if part.is_empty() {
                continue;
            }
            match self.transact(&part).await {
                Ok(outcomes) => {
                    self.counter.record(part.len());
                    part.into_iter()
                        .zip(outcomes)
                        .for_each(|(work, outcome)| work.send_outcome(Ok(outcome), &self.database));
                }
                Err(Failure::Refused(error)) if part.len() > 1 => {
                    tracing::debug!(%error, changes = part.len(), "a group of changes failed; retrying each half separately");
                    let second_half = part.split_off(part.len() / 2);
                    parts.extend([(second_half, ATTEMPTS), (part, ATTEMPTS)]);
                }
                Err(Failure::Contended(_) | Failure::Lost(_)) if attempts > 1 => {
                    parts.push((part, attempts - 1));
                }
                Err(
                    Failure::Refused(error)
                    | Failure::Contended(error)
                    | Failure::Lost(error)
                    | Failure::All(error),
                ) => self.refuse(part, error),
            }
        }
    }

    /// Returns an error to every caller with a change in the group. Either the group was not written, or it
    /// is not known whether it was.
    fn refuse(&self, group: Vec<Work>, error: StoreError) {
        let reason = causes(&error);
        let full = matches!(error, StoreError::Full { .. });
        let mut error = Some(error);
        for work in group {
            let same_error = || {
                let source = reason.clone().into();
                if full { StoreError::Full { source } } else { StoreError::Unreachable { source } }
            };
            let reason = error.take().unwrap_or_else(same_error);
            work.send_outcome(Err(reason), &self.database);
        }
    }

    /// Writes changes in one transaction.
    async fn transact(&mut self, group: &[Work]) -> std::result::Result<Vec<Outcome>, Failure> {
        let oldest = group.iter().map(Work::since).min().unwrap_or_else(Instant::now);
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect(oldest).await.map_err(Failure::All)?,
        };
        let limit = self.statement_timeout();
        let Ok(written) = timeout(limit, begin(&mut connection, group)).await else {
            // The connection is dropped, and the server rolls back.
            return Err(Failure::All(timed_out("the database did not respond in time")));
        };
        let outcomes = match written {
            Ok(outcomes) => outcomes,
            Err(error) => {
                let failure = failure(error);
                // After other errors a new connection is opened.
                if matches!(failure, Failure::Refused(_) | Failure::Contended(_)) {
                    let undone = timeout(limit, sqlx::raw_sql("ROLLBACK").execute(&mut connection)).await;
                    self.connection = matches!(undone, Ok(Ok(_))).then_some(connection);
                }
                return Err(failure);
            }
        };
        match timeout(limit, sqlx::raw_sql("COMMIT").execute(&mut connection)).await {
            Ok(Ok(_)) => {
                self.connection = Some(connection);
                Ok(outcomes)
            }
            Ok(Err(error)) => Err(Failure::All(in_doubt(error))),
            Err(_) => Err(Failure::All(timed_out("the database did not confirm the change in time"))),
        }
    }

    /// Returns the time limit for a write in one statement, for everything before a commit, or for a commit.
    /// The server enforces a shorter limit for each statement, unless it is unreachable or paused.
    fn statement_timeout(&self) -> Duration {
        self.connector.limits().statement_timeout.saturating_mul(2)
    }

    /// Opens a connection. Retries until the oldest caller has waited for the reconnect timeout.
    async fn connect(&self, oldest: Instant) -> Result<PgConnection> {
        let until = oldest + self.connector.limits().reconnect_timeout;
        loop {
            match self.connector.connect_for_writer().await {
                Ok(connection) => return Ok(connection),
                Err(error) if Instant::now() + PAUSE > until => return Err(translate(error)),
                Err(error) => tracing::debug!(%error, "the database cannot be reached"),
            }
            sleep(PAUSE).await;
        }
    }
}

fn failure(error: StoreError) -> Failure {
    let source = match &error {
        StoreError::Statement { source }
        | StoreError::Unreachable { source }
        | StoreError::Full { source } => source.downcast_ref::<sqlx::Error>(),
        _ => None,
    };
    match source.map(class) {
        Some(ErrorClass::Contended) => Failure::Contended(error),
        Some(ErrorClass::Unavailable) => Failure::Lost(error),
        Some(ErrorClass::Full) => Failure::All(error),
        Some(ErrorClass::Refused) | None => Failure::Refused(error),
    }
}

/// Returns the causes of an error in one line.
fn causes(error: &StoreError) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    let causes = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
    if causes.is_empty() { error.to_string() } else { causes }
}

/// Begins a transaction and applies the changes. Changes with a game or command in common are applied in
/// separate rounds; each round sees the effects of the previous one.
async fn begin(connection: &mut PgConnection, group: &[Work]) -> Result<Vec<Outcome>> {
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await.map_err(translate)?;
    let mut outcomes = group.iter().map(|_| None).collect::<Vec<_>>();
    let mut rest = (0..group.len()).collect::<Vec<_>>();
    while !rest.is_empty() {
        let (round, deferred) = partition_conflicts(group, mem::take(&mut rest));
        rest = deferred;
        let (mut appends, mut creates) = (Vec::new(), Vec::new());
        for at in round {
            match &group[at] {
                Work::Append(pending) => appends.push((at, &pending.change)),
                Work::Create(pending) => creates.push((at, &pending.change)),
            }
        }
        if !appends.is_empty() {
            let changes = appends.iter().map(|(_, append)| *append).collect::<Vec<_>>();
            let done = append_all(connection, &changes, Wait::No).await?;
            for ((at, _), outcome) in appends.iter().zip(done) {
                outcomes[*at] = Some(Outcome::Append(outcome));
            }
        }
        if !creates.is_empty() {
            let changes = creates.iter().map(|(_, game)| *game).collect::<Vec<_>>();
            let done = create_all(connection, &changes).await?;
            for ((at, _), outcome) in creates.iter().zip(done) {
                outcomes[*at] = Some(Outcome::Create(outcome));
            }
        }
    }
    let missing = || StoreError::Statement { source: "a change has no outcome".into() };
    outcomes.into_iter().map(|outcome| outcome.ok_or_else(missing)).collect()
}

/// Splits changes, given by their indexes in the group, into a round in which no two share a game or command,
/// and the rest.
fn partition_conflicts(group: &[Work], changes: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    let (mut games, mut commands) = (HashSet::new(), HashSet::new());
    changes.into_iter().partition(|at| {
        let (game, command) = group[*at].keys();
        let fits = !games.contains(game) && command.is_none_or(|command| !commands.contains(&command));
        // A deferred change also defers later ones with the same game or command.
        games.insert(game);
        commands.extend(command);
        fits
    })
}
