//! E-mail addresses, the number of e-mails sent to them, and the reminders and warnings about games.

use adoube_store::{NewMail, Result, TokenHash};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId};
use sqlx::postgres::PgConnection;

use super::recoveries::has_address;
use crate::{
    database::{Change, Database, GlobalLock, lock_account},
    error::translate,
    text::{get, parse},
};

/// The maximum number of valid confirmation links for an account. Older ones are deleted.
const MAX_CONFIRMATIONS: i64 = 3;
/// A day in milliseconds. No limit has a longer window.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// The maximum number of other recipients' outdated rows to delete each time an e-mail is counted.
const DELETED_PER_WRITE: i64 = 100;

pub(crate) async fn set_language(database: &Database, player: &PlayerId, language: &str) -> Result<()> {
    let set = "UPDATE accounts SET language = $1 WHERE player = $2 AND name IS NOT NULL";
    database.execute(sqlx::query(set).bind(language).bind(player.as_str())).await.map(|_| ())
}

pub(crate) async fn set_reminders(database: &Database, player: &PlayerId, enabled: bool) -> Result<()> {
    let set = "UPDATE accounts SET reminders = $1 WHERE player = $2 AND name IS NOT NULL";
    database.execute(sqlx::query(set).bind(enabled).bind(player.as_str())).await.map(|_| ())
}

pub(crate) struct AddConfirmation {
    pub(crate) player: PlayerId,
    pub(crate) email: String,
    pub(crate) token: TokenHash,
    pub(crate) expires_at: Millis,
}

impl Change for AddConfirmation {
    type Output = bool;

    async fn apply(&self, connection: &mut PgConnection) -> Result<bool> {
        lock_account(connection, &self.player).await?;
        if !has_address(connection, &self.player, &self.email).await? {
            return Ok(false);
        }
        sqlx::query(
            "DELETE FROM confirmations WHERE player = $1 AND token NOT IN \
             (SELECT token FROM confirmations WHERE player = $1 ORDER BY expires_at DESC LIMIT $2)",
        )
        .bind(self.player.as_str())
        .bind(MAX_CONFIRMATIONS - 1)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        sqlx::query("INSERT INTO confirmations (token, player, expires_at) VALUES ($1, $2, $3)")
            .bind(self.token.0.as_slice())
            .bind(self.player.as_str())
            .bind(self.expires_at.0)
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(true)
    }
}

pub(crate) struct ConfirmEmail {
    pub(crate) token: TokenHash,
    pub(crate) now: Millis,
}

impl Change for ConfirmEmail {
    type Output = Option<PlayerId>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<PlayerId>> {
        let row = sqlx::query("SELECT player FROM confirmations WHERE token = $1 AND expires_at > $2")
            .bind(self.token.0.as_slice())
            .bind(self.now.0)
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let Some(row) = row else { return Ok(None) };
        let player: PlayerId = parse(&row, "player", "confirmations")?;
        lock_account(connection, &player).await?;
        // Another node may have used or revoked the link before the account was locked.
        let spent = sqlx::query("DELETE FROM confirmations WHERE token = $1")
            .bind(self.token.0.as_slice())
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        if spent.rows_affected() == 0 {
            return Ok(None);
        }
        for statement in [
            "DELETE FROM confirmations WHERE player = $1",
            "UPDATE accounts SET email_confirmed = true, email_from_before = false WHERE player = $1 AND email IS NOT NULL",
        ] {
            sqlx::query(statement)
                .bind(player.as_str())
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        Ok(Some(player))
    }
}

pub(crate) struct CountMail(pub(crate) NewMail);

impl Change for CountMail {
    type Output = Option<u32>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<u32>> {
        let Self(new) = self;
        let [first, second, third, fourth, ..] = new.recipient.0;
        GlobalLock::Mails(i32::from_be_bytes([first, second, third, fourth])).acquire(connection).await?;
        let latest = new.at.0.saturating_add(DAY_MS);
        // Delete e-mails that no longer count, and those recorded while the clock was more than a day ahead.
        sqlx::query("DELETE FROM mails WHERE recipient = $1 AND (at <= $2 OR at > $3)")
            .bind(new.recipient.0.as_slice())
            .bind(new.since.0)
            .bind(latest)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        // Do the same for other recipients, except for rows that another node is deleting.
        sqlx::query(
            "DELETE FROM mails WHERE id IN \
             (SELECT id FROM mails WHERE at <= $1 OR at > $2 LIMIT $3 FOR UPDATE SKIP LOCKED)",
        )
        .bind(new.since.0)
        .bind(latest)
        .bind(DELETED_PER_WRITE)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        let row = sqlx::query(
            "SELECT count(*) AS of_pool, count(*) FILTER (WHERE kind = $1) AS of_kind FROM mails \
             WHERE recipient = $2 AND pool = $3",
        )
        .bind(new.kind)
        .bind(new.recipient.0.as_slice())
        .bind(new.pool)
        .fetch_one(&mut *connection)
        .await
        .map_err(translate)?;
        let count = |column| Ok(u32::try_from(get::<i64>(&row, column)?).unwrap_or(u32::MAX));
        let (of_pool, of_kind) = (count("of_pool")?, count("of_kind")?);
        if of_pool >= new.max_of_pool || of_kind >= new.max_of_kind {
            return Ok(None);
        }
        sqlx::query("INSERT INTO mails (recipient, pool, kind, at) VALUES ($1, $2, $3, $4)")
            .bind(new.recipient.0.as_slice())
            .bind(new.pool)
            .bind(new.kind)
            .bind(new.at.0)
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(Some((new.max_of_pool - of_pool - 1).min(new.max_of_kind - of_kind - 1)))
    }
}

pub(crate) async fn add_reminder(
    database: &Database,
    player: &PlayerId,
    game: &GameId,
    by: Option<&NodeId>,
) -> Result<bool> {
    let add = "INSERT INTO reminders (player, game, sender) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    let add = sqlx::query(add).bind(player.as_str()).bind(game.as_str());
    Ok(database.execute(add.bind(by.map_or("", NodeId::as_str))).await? == 1)
}

pub(crate) async fn delete_reminder(database: &Database, player: &PlayerId, game: &GameId) -> Result<()> {
    let delete = "DELETE FROM reminders WHERE player = $1 AND game = $2";
    database.execute(sqlx::query(delete).bind(player.as_str()).bind(game.as_str())).await.map(|_| ())
}

pub(crate) async fn add_warning(database: &Database, game: &GameId, turn: u32) -> Result<bool> {
    // A game that has been deleted needs no warning.
    let add = "INSERT INTO warnings (game, turn) SELECT id, $2 FROM games WHERE id = $1 \
         ON CONFLICT (game) DO UPDATE SET turn = excluded.turn WHERE warnings.turn <> excluded.turn";
    Ok(database.execute(sqlx::query(add).bind(game.as_str()).bind(i64::from(turn))).await? == 1)
}

pub(crate) async fn delete_warning(database: &Database, game: &GameId, turn: u32) -> Result<()> {
    let delete = "DELETE FROM warnings WHERE game = $1 AND turn = $2";
    database.execute(sqlx::query(delete).bind(game.as_str()).bind(i64::from(turn))).await.map(|_| ())
}
