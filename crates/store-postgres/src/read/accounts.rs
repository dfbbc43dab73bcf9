use adoube_store::{
    Account, Result, SESSIONS_PER_ACCOUNT, SecondFactor, Session, TokenHash, columns, typed_account,
};
use adoube_vocabulary::{GameId, Millis, PlayerId, Version};
use sqlx::postgres::PgRow;

use super::administration::membership_from;
use crate::{
    database::Database,
    text::{get, name_key, parse, unaccented_key, version},
};

fn account_from(row: &PgRow) -> Result<Account> {
    Ok(Account {
        player: parse(row, "player", "accounts")?,
        name: get(row, "name")?,
        password: get(row, "password")?,
        email: get(row, "email")?,
        email_confirmed: get(row, "email_confirmed")?,
        email_from_before: get(row, "email_from_before")?,
        language: get(row, "language")?,
        reminders: get(row, "reminders")?,
        recovery_codes: get::<Option<i64>>(row, "recovery_codes")?
            .map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
        created_at: Millis(get(row, "created_at")?),
        shown_to: columns::presence_audience(get(row, "shown_to")?)?,
        membership: membership_from(row)?,
    })
}

fn session_from(row: &PgRow) -> Result<Session> {
    Ok(Session {
        id: parse(row, "id", "sessions")?,
        player: parse(row, "player", "sessions")?,
        agent: get(row, "agent")?,
        created_at: Millis(get(row, "created_at")?),
        used_at: Millis(get(row, "used_at")?),
    })
}

pub(crate) async fn account(database: &Database, player: &PlayerId) -> Result<Option<Account>> {
    Ok(lookup(database, Some(player.as_str()), None, None).await?.pop())
}

pub(crate) async fn account_by_name(database: &Database, name: &str) -> Result<Option<Account>> {
    Ok(lookup(database, None, Some(name_key(name)), None).await?.pop())
}

/// Looks up the account that a typed name refers to. Both keys are always compared, so that the time taken
/// does not reveal whether the account exists.
pub(crate) async fn account_by_typed_name(database: &Database, name: &str) -> Result<Option<Account>> {
    let found = lookup(database, None, Some(name_key(name)), Some(unaccented_key(name))).await?;
    Ok(typed_account(name, found))
}

/// Looks up accounts by any of player, name key, and name key without accents. The account with the name key
/// comes first. Returns at most two, because two matches without accents are already ambiguous.
async fn lookup(
    database: &Database,
    player: Option<&str>,
    key: Option<String>,
    unaccented: Option<String>,
) -> Result<Vec<Account>> {
    let rows = database
        .fetch_all(
            sqlx::query(
                "SELECT *, CASE WHEN EXISTS \
         (SELECT 1 FROM second_factors WHERE player = accounts.player AND spent_at IS NOT NULL) \
         THEN (SELECT count(*) FROM recovery_codes WHERE player = accounts.player) END AS recovery_codes \
         FROM accounts \
         WHERE name IS NOT NULL AND (player = $1 OR name_key = $2 OR unaccented_key = $3) \
         ORDER BY name_key = $2 DESC LIMIT 2",
            )
            .bind(player)
            .bind(key)
            .bind(unaccented),
        )
        .await?;
    rows.iter().map(account_from).collect()
}

pub(crate) async fn second_factor(database: &Database, player: &PlayerId) -> Result<Option<SecondFactor>> {
    let row = database
        .fetch_optional(
            sqlx::query(
                "SELECT secret, spent_at IS NOT NULL AS confirmed FROM second_factors WHERE player = $1",
            )
            .bind(player.as_str()),
        )
        .await?;
    let read =
        |row: &PgRow| Ok(SecondFactor { secret: get(row, "secret")?, confirmed: get(row, "confirmed")? });
    row.as_ref().map(read).transpose()
}

pub(crate) async fn is_account(database: &Database, player: &PlayerId) -> Result<bool> {
    let row = database
        .fetch_optional(sqlx::query("SELECT 1 FROM accounts WHERE player = $1").bind(player.as_str()))
        .await?;
    Ok(row.is_some())
}

pub(crate) async fn session(database: &Database, token: &TokenHash, now: Millis) -> Result<Option<Session>> {
    let row = database.fetch_optional(sqlx::query(
        "SELECT id, player, agent, created_at, used_at FROM sessions WHERE token = $1 AND expires_at > $2",
    )
    .bind(token.0.as_slice())
    .bind(now.0)).await?;
    row.as_ref().map(session_from).transpose()
}

pub(crate) async fn sessions(database: &Database, player: &PlayerId, now: Millis) -> Result<Vec<Session>> {
    let rows = database.fetch_all(sqlx::query(
        "SELECT id, player, agent, created_at, used_at FROM sessions WHERE player = $1 AND expires_at > $2 \
         ORDER BY created_at DESC, id LIMIT $3",
    )
    .bind(player.as_str())
    .bind(now.0)
    .bind(i64::from(SESSIONS_PER_ACCOUNT))).await?;
    rows.iter().map(session_from).collect()
}

pub(crate) async fn names_without_skeleton(
    database: &Database,
    limit: u32,
) -> Result<Vec<(PlayerId, String)>> {
    let rows = database.fetch_all(sqlx::query(
        "SELECT player, name FROM accounts WHERE (skeleton IS NULL OR unaccented_key IS NULL) AND name IS NOT NULL \
         ORDER BY player LIMIT $1",
    )
    .bind(i64::from(limit))).await?;
    rows.iter().map(|row| Ok((parse(row, "player", "accounts")?, get(row, "name")?))).collect()
}

pub(crate) async fn recovery(
    database: &Database,
    token: &TokenHash,
    now: Millis,
) -> Result<Option<PlayerId>> {
    let row = database
        .fetch_optional(
            sqlx::query("SELECT player FROM recoveries WHERE token = $1 AND expires_at > $2")
                .bind(token.0.as_slice())
                .bind(now.0),
        )
        .await?;
    row.as_ref().map(|row| parse(row, "player", "recoveries")).transpose()
}

pub(crate) async fn is_reminded(database: &Database, player: &PlayerId, game: &GameId) -> Result<bool> {
    let row = database
        .fetch_optional(
            sqlx::query("SELECT 1 FROM reminders WHERE player = $1 AND game = $2")
                .bind(player.as_str())
                .bind(game.as_str()),
        )
        .await?;
    Ok(row.is_some())
}

pub(crate) async fn preferences(database: &Database, player: &PlayerId) -> Result<Option<(Version, String)>> {
    let read = "SELECT version, document FROM preferences WHERE player = $1";
    let row = database.fetch_optional(sqlx::query(read).bind(player.as_str())).await?;
    row.map(|row| Ok((version(&row, "preferences")?, get(&row, "document")?))).transpose()
}
