//! E-mail addresses, the number of e-mails sent to them, and the reminders and warnings about games.

use adoube_store::{NewMail, Result, TokenHash};
use adoube_vocabulary::{GameId, Millis, PlayerId};
use sqlx::sqlite::SqliteConnection;

use super::recoveries::has_address;
use crate::{
    error::translate,
    text::{get, parse},
    writer::Change,
};

/// The maximum number of valid confirmation links for an account. Older ones are deleted.
const MAX_CONFIRMATIONS: i64 = 3;
/// A day in milliseconds. No limit has a longer window.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(crate) struct SetLanguage {
    pub(crate) player: PlayerId,
    pub(crate) language: String,
}

impl Change for SetLanguage {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query("UPDATE accounts SET language = ? WHERE player = ? AND name IS NOT NULL")
            .bind(&self.language)
            .bind(self.player.as_str())
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

pub(crate) struct SetReminders {
    pub(crate) player: PlayerId,
    pub(crate) enabled: bool,
}

impl Change for SetReminders {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query("UPDATE accounts SET reminders = ? WHERE player = ? AND name IS NOT NULL")
            .bind(self.enabled)
            .bind(self.player.as_str())
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

pub(crate) struct AddConfirmation {
    pub(crate) player: PlayerId,
    pub(crate) email: String,
    pub(crate) token: TokenHash,
    pub(crate) expires_at: Millis,
}

impl Change for AddConfirmation {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        if !has_address(connection, &self.player, &self.email).await? {
            return Ok(false);
        }
        sqlx::query(
            "DELETE FROM confirmations WHERE player = ?1 AND token NOT IN \
             (SELECT token FROM confirmations WHERE player = ?1 ORDER BY expires_at DESC LIMIT ?2)",
        )
        .bind(self.player.as_str())
        .bind(MAX_CONFIRMATIONS - 1)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        sqlx::query("INSERT INTO confirmations (token, player, expires_at) VALUES (?1, ?2, ?3)")
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

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Option<PlayerId>> {
        let row = sqlx::query("SELECT player FROM confirmations WHERE token = ? AND expires_at > ?")
            .bind(self.token.0.as_slice())
            .bind(self.now.0)
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let Some(row) = row else { return Ok(None) };
        let player: PlayerId = parse(&row, "player", "confirmations")?;
        for statement in [
            "DELETE FROM confirmations WHERE player = ?",
            "UPDATE accounts SET email_confirmed = 1, email_from_before = 0 WHERE player = ? AND email IS NOT NULL",
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

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Option<u32>> {
        let Self(new) = self;
        // Delete the records of e-mails that no longer count, and those made while the clock was more than a
        // day ahead.
        sqlx::query("DELETE FROM mails WHERE at <= ? OR at > ?")
            .bind(new.since.0)
            .bind(new.at.0.saturating_add(DAY_MS))
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        let row = sqlx::query(
            "SELECT count(*) AS of_pool, count(*) FILTER (WHERE kind = ?) AS of_kind FROM mails \
             WHERE recipient = ? AND pool = ?",
        )
        .bind(new.kind)
        .bind(new.recipient.0.as_slice())
        .bind(new.pool)
        .fetch_one(&mut *connection)
        .await
        .map_err(translate)?;
        let (of_pool, of_kind) = (get::<u32>(&row, "of_pool")?, get::<u32>(&row, "of_kind")?);
        if of_pool >= new.max_of_pool || of_kind >= new.max_of_kind {
            return Ok(None);
        }
        sqlx::query("INSERT INTO mails (recipient, pool, kind, at) VALUES (?, ?, ?, ?)")
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

pub(crate) struct AddReminder {
    pub(crate) player: PlayerId,
    pub(crate) game: GameId,
}

impl Change for AddReminder {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let added = sqlx::query("INSERT INTO reminders (player, game) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .bind(self.player.as_str())
            .bind(self.game.as_str())
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(added.rows_affected() == 1)
    }
}

pub(crate) struct DeleteReminder {
    pub(crate) player: PlayerId,
    pub(crate) game: GameId,
}

impl Change for DeleteReminder {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query("DELETE FROM reminders WHERE player = ? AND game = ?")
            .bind(self.player.as_str())
            .bind(self.game.as_str())
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

pub(crate) struct AddWarning {
    pub(crate) game: GameId,
    pub(crate) turn: u32,
}

impl Change for AddWarning {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        // A game that has been deleted needs no warning.
        let added = sqlx::query(
            "INSERT INTO warnings (game, turn) SELECT id, ?2 FROM games WHERE id = ?1 \
             ON CONFLICT (game) DO UPDATE SET turn = excluded.turn WHERE turn <> excluded.turn",
        )
        .bind(self.game.as_str())
        .bind(i64::from(self.turn))
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(added.rows_affected() == 1)
    }
}

pub(crate) struct DeleteWarning {
    pub(crate) game: GameId,
    pub(crate) turn: u32,
}

impl Change for DeleteWarning {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query("DELETE FROM warnings WHERE game = ? AND turn = ?")
            .bind(self.game.as_str())
            .bind(i64::from(self.turn))
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(())
    }
}
