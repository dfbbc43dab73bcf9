use adoube_store::{
    Account, Result, SESSIONS_PER_ACCOUNT, SecondFactor, Session, TokenHash, columns, typed_account,
};
use adoube_vocabulary::{GameId, Millis, PlayerId, Version};
use sqlx::{SqlitePool, sqlite::SqliteRow};

use super::administration::membership_from;
use crate::{
    error::translate,
    text::{get, name_key, parse, unaccented_key, version},
};

fn account_from(row: &SqliteRow) -> Result<Account> {
    Ok(Account {
        player: parse(row, "player", "accounts")?,
        name: get(row, "name")?,
        password: get(row, "password")?,
        email: get(row, "email")?,
        email_confirmed: get(row, "email_confirmed")?,
        email_from_before: get(row, "email_from_before")?,
        language: get(row, "language")?,
        reminders: get(row, "reminders")?,
        recovery_codes: get(row, "recovery_codes")?,
        created_at: Millis(get(row, "created_at")?),
        shown_to: columns::presence_audience(get(row, "shown_to")?)?,
        membership: membership_from(row)?,
    })
}

fn session_from(row: &SqliteRow) -> Result<Session> {
    Ok(Session {
        id: parse(row, "id", "sessions")?,
        player: parse(row, "player", "sessions")?,
        agent: get(row, "agent")?,
        created_at: Millis(get(row, "created_at")?),
        used_at: Millis(get(row, "used_at")?),
    })
}

pub(crate) async fn account(readers: &SqlitePool, player: &PlayerId) -> Result<Option<Account>> {
    Ok(lookup(readers, Some(player.as_str()), None, None).await?.pop())
}

pub(crate) async fn account_by_name(readers: &SqlitePool, name: &str) -> Result<Option<Account>> {
    Ok(lookup(readers, None, Some(name_key(name)), None).await?.pop())
}

/// Looks up the account that a typed name refers to. Both keys are always compared, so that the time taken
/// does not reveal whether the account exists.
pub(crate) async fn account_by_typed_name(readers: &SqlitePool, name: &str) -> Result<Option<Account>> {
    let found = lookup(readers, None, Some(name_key(name)), Some(unaccented_key(name))).await?;
    Ok(typed_account(name, found))
}

/// Looks up accounts by player, name key or name key without accents. The account whose name key matches
/// comes first. Returns at most two, because two matches without accents are already ambiguous.
async fn lookup(
    readers: &SqlitePool,
    player: Option<&str>,
    key: Option<String>,
    unaccented: Option<String>,
) -> Result<Vec<Account>> {
    let rows = sqlx::query(
        "SELECT *, CASE WHEN EXISTS \
         (SELECT 1 FROM second_factors WHERE player = accounts.player AND spent_at IS NOT NULL) \
         THEN (SELECT count(*) FROM recovery_codes WHERE player = accounts.player) END AS recovery_codes \
         FROM accounts \
         WHERE name IS NOT NULL AND (player = ?1 OR name_key = ?2 OR unaccented_key = ?3) \
         ORDER BY name_key = ?2 DESC LIMIT 2",
    )
    .bind(player)
    .bind(key)
    .bind(unaccented)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(account_from).collect()
}

pub(crate) async fn second_factor(readers: &SqlitePool, player: &PlayerId) -> Result<Option<SecondFactor>> {
    let row =
        sqlx::query("SELECT secret, spent_at IS NOT NULL AS confirmed FROM second_factors WHERE player = ?")
            .bind(player.as_str())
            .fetch_optional(readers)
            .await
            .map_err(translate)?;
    let read =
        |row: &SqliteRow| Ok(SecondFactor { secret: get(row, "secret")?, confirmed: get(row, "confirmed")? });
    row.as_ref().map(read).transpose()
}

pub(crate) async fn is_account(readers: &SqlitePool, player: &PlayerId) -> Result<bool> {
    let row = sqlx::query("SELECT 1 FROM accounts WHERE player = ?")
        .bind(player.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    Ok(row.is_some())
}

pub(crate) async fn session(readers: &SqlitePool, token: &TokenHash, now: Millis) -> Result<Option<Session>> {
    let row = sqlx::query(
        "SELECT id, player, agent, created_at, used_at FROM sessions WHERE token = ? AND expires_at > ?",
    )
    .bind(token.0.as_slice())
    .bind(now.0)
    .fetch_optional(readers)
    .await
    .map_err(translate)?;
    row.as_ref().map(session_from).transpose()
}

pub(crate) async fn sessions(readers: &SqlitePool, player: &PlayerId, now: Millis) -> Result<Vec<Session>> {
    let rows = sqlx::query(
        "SELECT id, player, agent, created_at, used_at FROM sessions WHERE player = ? AND expires_at > ? \
         ORDER BY created_at DESC, id LIMIT ?",
    )
    .bind(player.as_str())
    .bind(now.0)
    .bind(SESSIONS_PER_ACCOUNT)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(session_from).collect()
}

pub(crate) async fn names_without_skeleton(
    readers: &SqlitePool,
    limit: u32,
) -> Result<Vec<(PlayerId, String)>> {
    let rows = sqlx::query(
        "SELECT player, name FROM accounts WHERE (skeleton IS NULL OR unaccented_key IS NULL) AND name IS NOT NULL \
         ORDER BY player LIMIT ?",
    )
    .bind(limit)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(|row| Ok((parse(row, "player", "accounts")?, get(row, "name")?))).collect()
}

pub(crate) async fn recovery(
    readers: &SqlitePool,
    token: &TokenHash,
    now: Millis,
) -> Result<Option<PlayerId>> {
    let row = sqlx::query("SELECT player FROM recoveries WHERE token = ? AND expires_at > ?")
        .bind(token.0.as_slice())
        .bind(now.0)
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.as_ref().map(|row| parse(row, "player", "recoveries")).transpose()
}

pub(crate) async fn is_reminded(readers: &SqlitePool, player: &PlayerId, game: &GameId) -> Result<bool> {
    let row = sqlx::query("SELECT 1 FROM reminders WHERE player = ? AND game = ?")
        .bind(player.as_str())
        .bind(game.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    Ok(row.is_some())
}

pub(crate) async fn preferences(
    readers: &SqlitePool,
    player: &PlayerId,
) -> Result<Option<(Version, String)>> {
    let row = sqlx::query("SELECT version, document FROM preferences WHERE player = ?")
        .bind(player.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.map(|row| Ok((version(&row, "preferences")?, get(&row, "document")?))).transpose()
}
