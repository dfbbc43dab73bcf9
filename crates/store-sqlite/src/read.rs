use std::str::FromStr;

use adoube_protocol::{Color, CommandId, GameId, InvitationToken, Millis, PlayerId, Version};
use adoube_store::{Game, Invitation, ListedGame, Phase, Result, StoreError, StoredEvent};
use sqlx::{Row as _, SqlitePool, sqlite::SqliteRow};

use crate::error::translate;

/// A value that must make sense, because only this program writes it.
fn parse<T: FromStr>(text: String, table: &'static str, what: &'static str) -> Result<T> {
    text.parse().map_err(|_| StoreError::Nonsense { table, what, found: text })
}

fn version(number: i64, table: &'static str) -> Result<Version> {
    let nonsense = |_| StoreError::Nonsense { table, what: "version", found: number.to_string() };
    u64::try_from(number).map(Version).map_err(nonsense)
}

/// The integers of `SQLite` are signed; no log grows past half of what a version could count.
fn signed(version: Version) -> i64 {
    i64::try_from(version.0).unwrap_or(i64::MAX)
}

fn game_from(row: &SqliteRow) -> Result<Game> {
    let phase = match row.try_get("phase").map_err(translate)? {
        "waiting" => Phase::Waiting,
        "playing" => Phase::Playing,
        "over" => Phase::Over,
        other => return Err(StoreError::Nonsense { table: "games", what: "phase", found: other.into() }),
    };
    Ok(Game {
        id: parse(row.try_get("id").map_err(translate)?, "games", "id")?,
        version: version(row.try_get("version").map_err(translate)?, "games")?,
        created_at: Millis(row.try_get("created_at").map_err(translate)?),
        updated_at: Millis(row.try_get("updated_at").map_err(translate)?),
        phase,
        summary: row.try_get("summary").map_err(translate)?,
    })
}

pub(crate) async fn game(readers: &SqlitePool, id: &GameId) -> Result<Option<Game>> {
    let row =
        sqlx::query("SELECT id, version, created_at, updated_at, phase, summary FROM games WHERE id = ?")
            .bind(id.as_str())
            .fetch_optional(readers)
            .await
            .map_err(translate)?;
    row.as_ref().map(game_from).transpose()
}

pub(crate) async fn events(readers: &SqlitePool, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
    let rows =
        sqlx::query("SELECT version, at, body FROM events WHERE game = ? AND version > ? ORDER BY version")
            .bind(id.as_str())
            .bind(signed(after))
            .fetch_all(readers)
            .await
            .map_err(translate)?;
    let event = |row: &SqliteRow| {
        Ok(StoredEvent {
            version: version(row.try_get("version").map_err(translate)?, "events")?,
            at: Millis(row.try_get("at").map_err(translate)?),
            body: row.try_get("body").map_err(translate)?,
        })
    };
    rows.iter().map(event).collect()
}

pub(crate) async fn command(
    readers: &SqlitePool,
    player: &PlayerId,
    command: CommandId,
) -> Result<Option<String>> {
    let row = sqlx::query("SELECT answer FROM commands WHERE player = ? AND id = ?")
        .bind(player.as_str())
        .bind(command.0.as_bytes().as_slice())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.map(|row| row.try_get("answer")).transpose().map_err(translate)
}

pub(crate) async fn invitation(readers: &SqlitePool, token: &InvitationToken) -> Result<Option<Invitation>> {
    let row = sqlx::query("SELECT game FROM invitations WHERE token = ?")
        .bind(token.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    let Some(row) = row else { return Ok(None) };
    let game = parse(row.try_get("game").map_err(translate)?, "invitations", "game")?;
    Ok(Some(Invitation { token: token.clone(), game }))
}

pub(crate) async fn games_of(readers: &SqlitePool, player: &PlayerId, limit: u32) -> Result<Vec<ListedGame>> {
    let rows = sqlx::query(
        "SELECT games.id, version, created_at, updated_at, phase, summary, color \
         FROM seats JOIN games ON games.id = seats.game \
         WHERE player = ? ORDER BY created_at DESC, games.id LIMIT ?",
    )
    .bind(player.as_str())
    .bind(limit)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    let listed = |row: &SqliteRow| {
        let color = match row.try_get("color").map_err(translate)? {
            "white" => Color::White,
            "black" => Color::Black,
            other => return Err(StoreError::Nonsense { table: "seats", what: "color", found: other.into() }),
        };
        Ok(ListedGame { game: game_from(row)?, color })
    };
    rows.iter().map(listed).collect()
}

pub(crate) async fn awaiting_machine(readers: &SqlitePool, limit: u32) -> Result<Vec<GameId>> {
    let rows =
        sqlx::query("SELECT id FROM games WHERE awaits_machine IS NOT NULL ORDER BY updated_at LIMIT ?")
            .bind(limit)
            .fetch_all(readers)
            .await
            .map_err(translate)?;
    rows.iter().map(|row| parse(row.try_get("id").map_err(translate)?, "games", "id")).collect()
}

pub(crate) async fn check(readers: &SqlitePool) -> Result<()> {
    sqlx::query("SELECT 1").execute(readers).await.map_err(translate).map(|_| ())
}
