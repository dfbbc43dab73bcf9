//! Connections, transactions and their time limits.

use std::{future::Future, sync::Arc, time::Duration};

use adoube_store::{Result, StoreError};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgPool, Postgres,
    postgres::{PgArguments, PgConnectOptions, PgConnection, PgPoolOptions, PgRow},
    query::Query,
};
use tokio::time::{sleep, timeout};

use crate::{
    Limits,
    address::Address,
    error::{ErrorClass, class, timed_out, translate},
};

type Statement<'q> = Query<'q, Postgres, PgArguments>;

/// A connection idle for longer than this is checked before it is used.
const MAX_UNCHECKED_IDLE: Duration = Duration::from_secs(1);
/// The lifetime of a pooled connection. When the server behind a host name changes, the pool moves to the new
/// one within this time.
const CONNECTION_LIFETIME: Duration = Duration::from_mins(30);
/// The time for which the database lets a transaction hold its locks while its node sends nothing.
const IDLE_IN_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(2);
/// The reason given when a time limit is exceeded.
const NO_ANSWER: &str = "the database did not respond in time";
/// The maximum number of attempts if other transactions conflict with a change.
const ATTEMPTS: u32 = 5;
/// The pause after the first failed attempt. Each later pause is twice as long as the one before.
const PAUSE: Duration = Duration::from_millis(5);

/// A change that takes several statements. It may be applied more than once, each time in a new transaction;
/// only the last result counts.
pub(crate) trait Change: Send + Sync {
    type Output: Send;

    fn apply(&self, connection: &mut PgConnection) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// Opens connections with the session settings that this crate relies on.
#[derive(Clone, Debug)]
pub(crate) struct Connector {
    address: Address,
    limits: Limits,
    /// Executed once in each session.
    setup: Arc<str>,
}

impl Connector {
    pub(crate) fn new(address: Address, limits: Limits) -> Self {
        let (statement, idle) =
            (limits.statement_timeout.as_millis(), IDLE_IN_TRANSACTION_TIMEOUT.as_millis());
        // Whatever the server's settings are, the transactions rely on this isolation level, and a commit
        // must wait for the disk. `remote_apply` is stricter, so it is kept.
        let setup = format!(
            "SET statement_timeout = {statement}; SET lock_timeout = {lock}; \
             SET idle_in_transaction_session_timeout = {idle}; \
             SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off; \
             SET client_min_messages = warning; SET jit = off; \
             SELECT set_config('synchronous_commit', 'on', false) \
                 WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')",
            lock = statement / 2,
        );
        Self { address, limits, setup: setup.into() }
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Opens a connection. Fails after the acquire timeout.
    pub(crate) async fn connect(&self) -> sqlx::Result<PgConnection> {
        let connecting = async {
            let mut connection = self.options().connect().await?;
            set_up(&mut connection, &self.setup).await?;
            Ok(connection)
        };
        timeout(self.limits.acquire_timeout, connecting).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    /// Opens a connection for the writer, which accesses rows only by their keys. Table scans are turned off,
    /// because a plan made while the tables were small would still scan them after they have grown.
    pub(crate) async fn connect_for_writer(&self) -> sqlx::Result<PgConnection> {
        let mut connection = self.connect().await?;
        // A generic plan is also reused, so statements are not planned again for each group.
        let by_key = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
                      SET plan_cache_mode = force_generic_plan";
        timeout(self.limits.acquire_timeout, set_up(&mut connection, by_key))
            .await
            .unwrap_or(Err(sqlx::Error::PoolTimedOut))?;
        Ok(connection)
    }

    fn options(&self) -> &PgConnectOptions {
        self.address.options()
    }
}

async fn set_up(connection: &mut PgConnection, statements: &str) -> sqlx::Result<()> {
    // The text is fixed except for numbers.
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(connection).await.map(|_| ())
}

/// A pool of connections for reads, for changes other than turns and new games, and for turns that wait for a
/// lock.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    pool: PgPool,
    /// The time limit for a statement or transaction. The server enforces a shorter one for each statement,
    /// unless it is unreachable or paused.
    timeout: Duration,
}

impl Database {
    /// Creates the pool. Connections are opened when they are needed.
    pub(crate) fn new(connector: &Connector) -> Self {
        let limits = connector.limits();
        let setup = Arc::clone(&connector.setup);
        let pool = PgPoolOptions::new()
            .max_connections(limits.connections)
            .acquire_timeout(limits.acquire_timeout)
            .max_lifetime(CONNECTION_LIFETIME)
            .test_before_acquire(false)
            .before_acquire(|connection, about| {
                Box::pin(async move {
                    if about.idle_for > MAX_UNCHECKED_IDLE {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .after_connect(move |connection, _| {
                let setup = Arc::clone(&setup);
                Box::pin(async move { set_up(connection, &setup).await })
            })
            .connect_lazy_with(connector.options().clone());
        Self { pool, timeout: limits.statement_timeout.saturating_mul(2) }
    }

    pub(crate) async fn fetch_all(&self, statement: Statement<'_>) -> Result<Vec<PgRow>> {
        let mut connection = self.pool.acquire().await.map_err(translate)?;
        let Ok(rows) = timeout(self.timeout, statement.fetch_all(&mut *connection)).await else {
            connection.close_on_drop();
            return Err(timed_out(NO_ANSWER));
        };
        rows.map_err(translate)
    }

    pub(crate) async fn fetch_optional(&self, statement: Statement<'_>) -> Result<Option<PgRow>> {
        Ok(self.fetch_all(statement).await?.into_iter().next())
    }

    pub(crate) async fn fetch_one(&self, statement: Statement<'_>) -> Result<PgRow> {
        self.fetch_optional(statement).await?.ok_or_else(|| translate(sqlx::Error::RowNotFound))
    }

    /// Executes one statement as a separate transaction. Returns the number of changed rows.
    pub(crate) async fn execute(&self, statement: Statement<'_>) -> Result<u64> {
        let mut connection = self.pool.acquire().await.map_err(translate)?;
        let Ok(done) = timeout(self.timeout, statement.execute(&mut *connection)).await else {
            connection.close_on_drop();
            return Err(timed_out(NO_ANSWER));
        };
        Ok(done.map_err(translate)?.rows_affected())
    }

    /// Applies a change in a separate transaction. Completes after the commit.
    pub(crate) async fn apply<C: Change>(&self, change: C) -> Result<C::Output> {
        let mut pause = PAUSE;
        for _ in 1..ATTEMPTS {
            match self.attempt(&change).await {
                Err(AttemptError::Contended) => {
                    sleep(pause).await;
                    pause *= 2;
                }
                Err(AttemptError::Failed(error)) => return Err(error),
                Ok(done) => return Ok(done),
            }
        }
        self.attempt(&change).await.map_err(|error| match error {
            AttemptError::Failed(error) => error,
            AttemptError::Contended => timed_out("other transactions kept changing the same rows"),
        })
    }

    async fn attempt<C: Change>(&self, change: &C) -> std::result::Result<C::Output, AttemptError> {
        let mut connection = self.pool.acquire().await.map_err(translate).map_err(AttemptError::Failed)?;
        let transaction = async {
            let mut transaction = connection.begin().await.map_err(translate)?;
            let done = change.apply(&mut transaction).await?;
            transaction.commit().await.map_err(in_doubt)?;
            Ok::<_, StoreError>(done)
        };
        let Ok(done) = timeout(self.timeout, transaction).await else {
            connection.close_on_drop();
            return Err(AttemptError::Failed(timed_out(NO_ANSWER)));
        };
        done.map_err(AttemptError::from)
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}

/// The reason why an attempt failed.
enum AttemptError {
    /// The attempt was rolled back because of a conflict with another transaction.
    Contended,
    Failed(StoreError),
}

impl From<StoreError> for AttemptError {
    fn from(error: StoreError) -> Self {
        let cause = match &error {
            StoreError::Unreachable { source } => source.downcast_ref::<sqlx::Error>(),
            _ => None,
        };
        match cause.map(class) {
            Some(ErrorClass::Contended) => Self::Contended,
            _ => Self::Failed(error),
        }
    }
}

/// Translates an error from a commit. Whatever it says, the commit may have succeeded.
pub(crate) fn in_doubt(error: sqlx::Error) -> StoreError {
    StoreError::Unreachable { source: Box::new(InDoubt(error)) }
}

/// The commit was sent, but not confirmed.
#[derive(Debug, thiserror::Error)]
#[error("it is not known whether the change was stored")]
struct InDoubt(#[source] sqlx::Error);

/// A kind of change that at most one node makes at a time. It holds an advisory lock until the end of its
/// transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GlobalLock {
    /// Registering, changing and retiring names.
    Names,
    /// Counting the e-mails and notifications sent to a recipient. Contains the first four bytes of the
    /// recipient's hash.
    Mails(i32),
    /// Beginning, taking over and ending node leases, and recording the downtime before a start.
    Nodes,
    /// Changes by administrators, and the audit log. Acquired before the lock on names.
    Administration,
}

impl GlobalLock {
    /// Waits for the lock. Later statements in the transaction see everything that the lock's previous holder
    /// has committed.
    pub(crate) async fn acquire(self, connection: &mut PgConnection) -> Result<()> {
        let (class, key) = match self {
            Self::Names => (1, 0),
            Self::Mails(recipient) => (2, recipient),
            Self::Nodes => (3, 0),
            Self::Administration => (4, 0),
        };
        sqlx::query("SELECT pg_advisory_xact_lock($1, $2)")
            .bind(LOCKS + class)
            .bind(key)
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

/// Added to the class of each advisory lock. Any number will do, because an advisory lock applies only within
/// its database.
const LOCKS: i32 = 0x6164_6f00;

/// Locks the row of an account, even a deleted one, until the end of the transaction. Returns `false` if
/// the row does not exist.
pub(crate) async fn lock_account(
    connection: &mut PgConnection,
    player: &adoube_vocabulary::PlayerId,
) -> Result<bool> {
    let found = sqlx::query("SELECT 1 FROM accounts WHERE player = $1 FOR UPDATE")
        .bind(player.as_str())
        .fetch_optional(connection)
        .await
        .map_err(translate)?;
    Ok(found.is_some())
}
