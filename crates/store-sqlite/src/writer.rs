//! The one task that writes.

use std::collections::HashSet;

use adoube_protocol::{Color, CommandId, GameId, PlayerId};
use adoube_store::{Append, Appended, Command, Created, NewEvent, NewGame, Phase, Result, Seat, StoreError};
use sqlx::{Connection as _, Row as _, sqlite::SqliteConnection};
use tokio::sync::{mpsc, oneshot, watch};

use crate::{append, error::translate};

/// Changes that may wait; who comes then waits for a place in the queue.
const QUEUE: usize = 1024;
/// Changes in one transaction.
const GROUP: usize = 256;

enum Change {
    Secret { name: String, fresh: Vec<u8> },
    AddGame(Box<NewGame>),
    Append(Box<Append>),
    Close,
}

/// What a change led to.
enum Outcome {
    Secret(Vec<u8>),
    Created(Created),
    Appended(Appended),
    Closed,
}

struct Request {
    change: Change,
    /// Told after the commit.
    answer: oneshot::Sender<Result<Outcome>>,
}

#[derive(Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Request>,
    broken: watch::Receiver<Option<String>>,
}

impl Writer {
    pub(crate) fn start(connection: SqliteConnection) -> Self {
        let (queue, requests) = mpsc::channel(QUEUE);
        let (tell_broken, broken) = watch::channel(None);
        tokio::spawn(write(connection, requests, tell_broken));
        Self { queue, broken }
    }

    pub(crate) async fn secret(&self, name: String, fresh: Vec<u8>) -> Result<Vec<u8>> {
        match self.ask(Change::Secret { name, fresh }).await? {
            Outcome::Secret(secret) => Ok(secret),
            _ => Err(self.gone()),
        }
    }

    pub(crate) async fn add_game(&self, game: NewGame) -> Result<Created> {
        match self.ask(Change::AddGame(Box::new(game))).await? {
            Outcome::Created(created) => Ok(created),
            _ => Err(self.gone()),
        }
    }

    pub(crate) async fn append(&self, append: Append) -> Result<Appended> {
        match self.ask(Change::Append(Box::new(append))).await? {
            Outcome::Appended(appended) => Ok(appended),
            _ => Err(self.gone()),
        }
    }

    /// Returns when all that was asked before is written.
    pub(crate) async fn close(&self) {
        // A writer that is gone has nothing left to close.
        let _ = self.ask(Change::Close).await;
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.queue.is_closed() { Err(self.gone()) } else { Ok(()) }
    }

    pub(crate) async fn failed(&self) -> StoreError {
        let mut broken = self.broken.clone();
        let reason = broken.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
        match reason {
            Some(reason) => StoreError::Broken(reason),
            // Closed on purpose: that is no failure.
            None => std::future::pending().await,
        }
    }

    async fn ask(&self, change: Change) -> Result<Outcome> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Request { change, answer }).await.map_err(|_| self.gone())?;
        answered.await.map_err(|_| self.gone())?
    }

    fn gone(&self) -> StoreError {
        self.broken.borrow().clone().map_or(StoreError::Closed, StoreError::Broken)
    }
}

/// Ends when the store is closed or can no longer be trusted; those who wait then learn that it is gone.
async fn write(
    mut connection: SqliteConnection,
    mut requests: mpsc::Receiver<Request>,
    broken: watch::Sender<Option<String>>,
) {
    let mut group = Vec::with_capacity(GROUP);
    while requests.recv_many(&mut group, GROUP).await > 0 {
        let close = group.iter().position(|request| matches!(request.change, Change::Close));
        let close = close.map(|place| group.remove(place));
        if let Err(reason) = write_group(&mut connection, &mut group).await {
            tracing::error!(reason, "the disk refused to keep what was written; nothing more is written");
            broken.send_replace(Some(reason));
            return;
        }
        if let Some(close) = close {
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, "the database did not close well");
            }
            tell(close, Ok(Outcome::Closed));
            return;
        }
    }
}

/// Writes all changes in one transaction. If one of them fails, the transaction is undone and each change gets its
/// own, so that none suffers for its neighbour. Errs only if nothing must be written any more.
async fn write_group(
    connection: &mut SqliteConnection,
    group: &mut Vec<Request>,
) -> std::result::Result<(), String> {
    match transact(connection, group).await {
        Ok(outcomes) => {
            for (request, outcome) in group.drain(..).zip(outcomes) {
                tell(request, Ok(outcome));
            }
        }
        Err(StoreError::Broken(reason)) => return Err(reason),
        Err(error) => {
            tracing::debug!(%error, changes = group.len(), "a group of changes is written one by one");
            for request in group.drain(..) {
                match transact(connection, std::slice::from_ref(&request)).await {
                    Ok(mut outcomes) => tell(request, outcomes.pop().ok_or(StoreError::Closed)),
                    Err(StoreError::Broken(reason)) => return Err(reason),
                    Err(error) => tell(request, Err(error)),
                }
            }
        }
    }
    Ok(())
}

fn tell(request: Request, outcome: Result<Outcome>) {
    // An answer that nobody waits for any more is no error: a repeat of the command will find it.
    let _ = request.answer.send(outcome);
}

async fn transact(connection: &mut SqliteConnection, group: &[Request]) -> Result<Vec<Outcome>> {
    if group.is_empty() {
        return Ok(Vec::new());
    }
    // At once for writing: a reader's lock that is raised later can fail.
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.map_err(translate)?;
    let done = async {
        let outcomes = apply_all(connection, group).await?;
        sqlx::query("COMMIT").execute(&mut *connection).await.map_err(translate)?;
        Ok(outcomes)
    }
    .await;
    if done.is_err() {
        // Fails if the database has already undone it by itself, which is as good.
        let _ = sqlx::query("ROLLBACK").execute(&mut *connection).await;
    }
    done
}

/// Applies changes in their order; appends that follow each other and do not touch each other go together.
async fn apply_all(connection: &mut SqliteConnection, group: &[Request]) -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::with_capacity(group.len());
    let mut rest = group;
    while let [first, others @ ..] = rest {
        let together = separate_appends(rest);
        if together.is_empty() {
            outcomes.push(apply(connection, &first.change).await?);
            rest = others;
        } else {
            let appended = append::append_all(connection, &together).await?;
            outcomes.extend(appended.into_iter().map(Outcome::Appended));
            rest = &rest[together.len()..];
        }
    }
    Ok(outcomes)
}

/// Returns the appends with which a group begins, up to the first one that shares a game or a command with another.
fn separate_appends(group: &[Request]) -> Vec<&Append> {
    let (mut games, mut commands) = (HashSet::new(), HashSet::new());
    group
        .iter()
        .map_while(|request| match &request.change {
            Change::Append(append) => {
                let (game, command) = append::keys(append);
                let free = games.insert(game) && command.is_none_or(|command| commands.insert(command));
                free.then_some(&**append)
            }
            _ => None,
        })
        .collect()
}

async fn apply(connection: &mut SqliteConnection, change: &Change) -> Result<Outcome> {
    match change {
        Change::Secret { name, fresh } => secret(connection, name, fresh).await.map(Outcome::Secret),
        Change::AddGame(game) => add_game(connection, game).await.map(Outcome::Created),
        Change::Append(change) => {
            let mut appended = append::append_all(connection, &[change]).await?;
            Ok(appended.pop().map_or(Outcome::Closed, Outcome::Appended))
        }
        Change::Close => Ok(Outcome::Closed),
    }
}

async fn secret(connection: &mut SqliteConnection, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
    sqlx::query("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING")
        .bind(name)
        .bind(fresh)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    sqlx::query("SELECT value FROM secrets WHERE name = ?")
        .bind(name)
        .fetch_one(&mut *connection)
        .await
        .and_then(|row| row.try_get("value"))
        .map_err(translate)
}

async fn add_game(connection: &mut SqliteConnection, game: &NewGame) -> Result<Created> {
    if let Some(answer) = earlier_answer(connection, &game.command.player, game.command.id).await? {
        return Ok(Created::Repeated(answer));
    }
    if version(connection, &game.id).await?.is_some() {
        return Ok(Created::IdTaken);
    }
    sqlx::query(
        "INSERT INTO games (id, version, created_at, updated_at, phase, awaits_machine, summary) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(game.id.as_str())
    .bind(count(&game.events))
    .bind(game.created_at.0)
    .bind(game.created_at.0)
    .bind(phase_text(game.shadow.phase))
    .bind(game.shadow.awaits_machine.map(|level| i64::from(level.get())))
    .bind(&game.shadow.summary)
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    add_events(connection, &game.id, 0, &game.events).await?;
    add_seats(connection, &game.id, &game.seats).await?;
    if let Some(token) = &game.invitation {
        sqlx::query("INSERT INTO invitations (token, game) VALUES (?, ?)")
            .bind(token.as_str())
            .bind(game.id.as_str())
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
    }
    add_command(connection, &game.id, &game.command).await?;
    Ok(Created::Done)
}

async fn version(connection: &mut SqliteConnection, game: &GameId) -> Result<Option<i64>> {
    let row = sqlx::query("SELECT version FROM games WHERE id = ?")
        .bind(game.as_str())
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
    row.map(|row| row.try_get("version")).transpose().map_err(translate)
}

async fn earlier_answer(
    connection: &mut SqliteConnection,
    player: &PlayerId,
    command: CommandId,
) -> Result<Option<String>> {
    let row = sqlx::query("SELECT answer FROM commands WHERE player = ? AND id = ?")
        .bind(player.as_str())
        .bind(command.0.as_bytes().as_slice())
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
    row.map(|row| row.try_get("answer")).transpose().map_err(translate)
}

async fn add_events(
    connection: &mut SqliteConnection,
    game: &GameId,
    after: i64,
    events: &[NewEvent],
) -> Result<()> {
    for (version, event) in (after + 1..).zip(events) {
        sqlx::query("INSERT INTO events (game, version, at, body) VALUES (?, ?, ?, ?)")
            .bind(game.as_str())
            .bind(version)
            .bind(event.at.0)
            .bind(&event.body)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
    }
    Ok(())
}

pub(crate) async fn add_seats(
    connection: &mut SqliteConnection,
    game: &GameId,
    seats: &[Seat],
) -> Result<()> {
    for seat in seats {
        let color = match seat.color {
            Color::White => "white",
            Color::Black => "black",
        };
        sqlx::query("INSERT INTO seats (player, game, color) VALUES (?, ?, ?)")
            .bind(seat.player.as_str())
            .bind(game.as_str())
            .bind(color)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
    }
    Ok(())
}

async fn add_command(connection: &mut SqliteConnection, game: &GameId, command: &Command) -> Result<()> {
    sqlx::query("INSERT INTO commands (player, id, game, answer) VALUES (?, ?, ?, ?)")
        .bind(command.player.as_str())
        .bind(command.id.0.as_bytes().as_slice())
        .bind(game.as_str())
        .bind(&command.answer)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    Ok(())
}

/// As many as the database can count; no memory holds more.
fn count(events: &[NewEvent]) -> i64 {
    i64::try_from(events.len()).unwrap_or(i64::MAX)
}

pub(crate) fn phase_text(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting",
        Phase::Playing => "playing",
        Phase::Over => "over",
    }
}
