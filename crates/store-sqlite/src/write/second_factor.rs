use adoube_store::{Result, TokenHash};
use adoube_vocabulary::{Millis, PlayerId, SessionId};
use sqlx::sqlite::SqliteConnection;

use super::accounts::end_sessions;
use crate::{error::translate, text::get, writer::Change};

pub(crate) struct Add {
    pub(crate) player: PlayerId,
    pub(crate) secret: Vec<u8>,
}

impl Change for Add {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let added = sqlx::query(
            "INSERT INTO second_factors (player, secret) \
             SELECT player, ?2 FROM accounts WHERE player = ?1 AND name IS NOT NULL \
             ON CONFLICT DO UPDATE SET secret = excluded.secret WHERE spent_at IS NULL",
        )
        .bind(self.player.as_str())
        .bind(self.secret.as_slice())
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(added.rows_affected() == 1)
    }
}

pub(crate) struct Confirm {
    pub(crate) player: PlayerId,
    pub(crate) secret: Vec<u8>,
    pub(crate) at: Millis,
    pub(crate) codes: Vec<TokenHash>,
    pub(crate) keep: SessionId,
}

impl Change for Confirm {
    type Output = Option<Vec<SessionId>>;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Option<Vec<SessionId>>> {
        let confirmed = sqlx::query(
            "UPDATE second_factors SET spent_at = ?3 WHERE player = ?1 AND secret = ?2 AND spent_at IS NULL \
             AND EXISTS (SELECT 1 FROM sessions WHERE id = ?4 AND player = ?1)",
        )
        .bind(self.player.as_str())
        .bind(self.secret.as_slice())
        .bind(self.at.0)
        .bind(self.keep.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        if confirmed.rows_affected() == 0 {
            return Ok(None);
        }
        set_codes(connection, &self.player, &self.codes).await?;
        end_sessions(connection, &self.player, Some(&self.keep)).await.map(Some)
    }
}

pub(crate) struct SpendTimeStep {
    pub(crate) player: PlayerId,
    pub(crate) at: Millis,
}

impl Change for SpendTimeStep {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let spent =
            sqlx::query("UPDATE second_factors SET spent_at = ?2 WHERE player = ?1 AND spent_at < ?2")
                .bind(self.player.as_str())
                .bind(self.at.0)
                .execute(connection)
                .await
                .map_err(translate)?;
        Ok(spent.rows_affected() == 1)
    }
}

pub(crate) struct SpendCode {
    pub(crate) player: PlayerId,
    pub(crate) code: TokenHash,
}

impl Change for SpendCode {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let spent = sqlx::query("DELETE FROM recovery_codes WHERE player = ? AND code = ?")
            .bind(self.player.as_str())
            .bind(self.code.0.as_slice())
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(spent.rows_affected() == 1)
    }
}

pub(crate) struct SetCodes {
    pub(crate) player: PlayerId,
    pub(crate) codes: Vec<TokenHash>,
}

impl Change for SetCodes {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let confirmed = sqlx::query("SELECT 1 FROM second_factors WHERE player = ? AND spent_at IS NOT NULL")
            .bind(self.player.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if confirmed.is_some() {
            set_codes(connection, &self.player, &self.codes).await?;
        }
        Ok(confirmed.is_some())
    }
}

async fn set_codes(connection: &mut SqliteConnection, player: &PlayerId, codes: &[TokenHash]) -> Result<()> {
    sqlx::query("DELETE FROM recovery_codes WHERE player = ?")
        .bind(player.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    for code in codes {
        sqlx::query("INSERT INTO recovery_codes (player, code) VALUES (?, ?)")
            .bind(player.as_str())
            .bind(code.0.as_slice())
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
    }
    Ok(())
}

pub(crate) struct Delete(pub(crate) PlayerId);

impl Change for Delete {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let deleted = sqlx::query(
            "DELETE FROM second_factors WHERE player = ? RETURNING spent_at IS NOT NULL AS was_on",
        )
        .bind(self.0.as_str())
        .fetch_optional(connection)
        .await
        .map_err(translate)?;
        deleted.as_ref().map_or(Ok(false), |row| get(row, "was_on"))
    }
}
