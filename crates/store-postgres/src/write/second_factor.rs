use adoube_store::{Result, TokenHash};
use adoube_vocabulary::{Millis, PlayerId, SessionId};
use sqlx::postgres::PgConnection;

use super::accounts::end_sessions;
use crate::{
    database::{Change, Database, lock_account},
    error::translate,
    text::get,
};

pub(crate) struct Add {
    pub(crate) player: PlayerId,
    pub(crate) secret: Vec<u8>,
}

impl Change for Add {
    type Output = bool;

    async fn apply(&self, connection: &mut PgConnection) -> Result<bool> {
        lock_account(connection, &self.player).await?;
        let added = sqlx::query(
            "INSERT INTO second_factors (player, secret) \
             SELECT player, $2 FROM accounts WHERE player = $1 AND name IS NOT NULL \
             ON CONFLICT (player) DO UPDATE SET secret = excluded.secret WHERE second_factors.spent_at IS NULL",
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

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<Vec<SessionId>>> {
        lock_account(connection, &self.player).await?;
        let confirmed = sqlx::query(
            "UPDATE second_factors SET spent_at = $3 WHERE player = $1 AND secret = $2 AND spent_at IS NULL \
             AND EXISTS (SELECT 1 FROM sessions WHERE id = $4 AND player = $1)",
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

pub(crate) async fn spend_time_step(database: &Database, player: &PlayerId, at: Millis) -> Result<bool> {
    let spend = "UPDATE second_factors SET spent_at = $2 WHERE player = $1 AND spent_at < $2";
    Ok(database.execute(sqlx::query(spend).bind(player.as_str()).bind(at.0)).await? == 1)
}

pub(crate) async fn spend_code(database: &Database, player: &PlayerId, code: &TokenHash) -> Result<bool> {
    let spend = "DELETE FROM recovery_codes WHERE player = $1 AND code = $2";
    Ok(database.execute(sqlx::query(spend).bind(player.as_str()).bind(code.0.as_slice())).await? == 1)
}

pub(crate) struct SetCodes {
    pub(crate) player: PlayerId,
    pub(crate) codes: Vec<TokenHash>,
}

impl Change for SetCodes {
    type Output = bool;

    async fn apply(&self, connection: &mut PgConnection) -> Result<bool> {
        lock_account(connection, &self.player).await?;
        let confirmed =
            sqlx::query("SELECT 1 FROM second_factors WHERE player = $1 AND spent_at IS NOT NULL")
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

async fn set_codes(connection: &mut PgConnection, player: &PlayerId, codes: &[TokenHash]) -> Result<()> {
    sqlx::query("DELETE FROM recovery_codes WHERE player = $1")
        .bind(player.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    for code in codes {
        sqlx::query("INSERT INTO recovery_codes (player, code) VALUES ($1, $2)")
            .bind(player.as_str())
            .bind(code.0.as_slice())
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
    }
    Ok(())
}

/// Deletes the secret and the recovery codes. Returns `true` if the secret had been confirmed.
pub(crate) async fn delete(database: &Database, player: &PlayerId) -> Result<bool> {
    let delete = "DELETE FROM second_factors WHERE player = $1 RETURNING spent_at IS NOT NULL AS was_on";
    let row = database.fetch_optional(sqlx::query(delete).bind(player.as_str())).await?;
    row.as_ref().map_or(Ok(false), |row| get(row, "was_on"))
}
