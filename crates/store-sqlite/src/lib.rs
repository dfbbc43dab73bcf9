//! The store in one `SQLite` file.
//!
//! One connection writes and a few read. The writer takes all the changes that wait for it, of however many
//! games, into one transaction, and answers each after the commit: the cost of a sync of the disk is shared by
//! all who wait for it. Write-ahead log with `synchronous = FULL`: what is committed survives a loss of power.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod append;
mod error;
mod read;
mod writer;

use std::{path::Path, time::Duration};

use adoube_protocol::{CommandId, GameId, InvitationToken, PlayerId, Version};
use adoube_store::{
    Append, Appended, Created, Game, Invitation, ListedGame, NewGame, Result, Store, StoreError, StoredEvent,
};
use async_trait::async_trait;
use sqlx::{
    Connection as _, SqlitePool,
    migrate::Migrator,
    sqlite::{
        SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
    },
};

use crate::writer::Writer;

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Readers do not wait for the writer, only for a connection.
const READERS: u32 = 4;
/// How long to wait for another process that holds the file.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    readers: SqlitePool,
}

impl SqliteStore {
    /// Opens the file, or creates it; brings its tables up to date.
    pub async fn open(path: &Path) -> Result<Self> {
        let failed = |source: sqlx::Error| StoreError::Open {
            place: path.display().to_string(),
            source: source.into(),
        };
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE);
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
        MIGRATIONS.run(&mut connection).await.map_err(|source| failed(source.into()))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(PATIENCE)
            .connect_with(options.read_only(true).create_if_missing(false))
            .await
            .map_err(failed)?;
        Ok(Self { writer: Writer::start(connection), readers })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        self.writer.secret(name.to_owned(), fresh.to_owned()).await
    }

    async fn add_game(&self, game: NewGame) -> Result<Created> {
        self.writer.add_game(game).await
    }

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>> {
        read::game(&self.readers, id).await
    }

    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
        read::events(&self.readers, id, after).await
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        self.writer.append(append).await
    }

    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>> {
        read::command(&self.readers, player, command).await
    }

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>> {
        read::invitation(&self.readers, token).await
    }

    async fn list_games(&self, player: &PlayerId, limit: u32) -> Result<Vec<ListedGame>> {
        read::games_of(&self.readers, player, limit).await
    }

    async fn list_awaiting_machine(&self, limit: u32) -> Result<Vec<GameId>> {
        read::awaiting_machine(&self.readers, limit).await
    }

    async fn check(&self) -> Result<()> {
        self.writer.check()?;
        read::check(&self.readers).await
    }

    async fn failed(&self) -> StoreError {
        self.writer.failed().await
    }

    async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}
