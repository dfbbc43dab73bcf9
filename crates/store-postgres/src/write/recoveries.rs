//! Links for resetting an account's password.

use adoube_store::{Recovered, Result, TokenHash};
use adoube_vocabulary::{Millis, PlayerId};
use sqlx::postgres::PgConnection;

use super::accounts::end_sessions;
use crate::{
    database::{Change, lock_account},
    error::translate,
    text::{get, parse},
};

/// Deletes all links of an account except the nine that expire last, so that links do not accumulate.
pub(super) async fn limit_recoveries(connection: &mut PgConnection, player: &PlayerId) -> Result<()> {
    sqlx::query(
        "DELETE FROM recoveries WHERE player = $1 AND token NOT IN \
         (SELECT token FROM recoveries WHERE player = $1 ORDER BY expires_at DESC LIMIT 9)",
    )
    .bind(player.as_str())
    .execute(connection)
    .await
    .map_err(translate)
    .map(|_| ())
}

/// Returns `true` if this is the account's address. The address may have changed since a link was requested.
pub(super) async fn has_address(
    connection: &mut PgConnection,
    player: &PlayerId,
    email: &str,
) -> Result<bool> {
    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM accounts WHERE player = $1 AND email = $2)")
        .bind(player.as_str())
        .bind(email)
        .fetch_one(connection)
        .await
        .map_err(translate)
}

pub(crate) struct AddRecovery {
    pub(crate) player: PlayerId,
    pub(crate) email: String,
    pub(crate) token: TokenHash,
    pub(crate) expires_at: Millis,
}

impl Change for AddRecovery {
    type Output = bool;

    async fn apply(&self, connection: &mut PgConnection) -> Result<bool> {
        lock_account(connection, &self.player).await?;
        if !has_address(connection, &self.player, &self.email).await? {
            return Ok(false);
        }
        limit_recoveries(connection, &self.player).await?;
        sqlx::query("INSERT INTO recoveries (token, player, expires_at) VALUES ($1, $2, $3)")
            .bind(self.token.0.as_slice())
            .bind(self.player.as_str())
            .bind(self.expires_at.0)
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(true)
    }
}

pub(crate) struct Recover {
    pub(crate) token: TokenHash,
    pub(crate) password: String,
    pub(crate) now: Millis,
}

impl Change for Recover {
    type Output = Option<Recovered>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<Recovered>> {
        let row =
            sqlx::query("SELECT player, was_mailed FROM recoveries WHERE token = $1 AND expires_at > $2")
                .bind(self.token.0.as_slice())
                .bind(self.now.0)
                .fetch_optional(&mut *connection)
                .await
                .map_err(translate)?;
        let Some(row) = row else { return Ok(None) };
        let player: PlayerId = parse(&row, "player", "recoveries")?;
        lock_account(connection, &player).await?;
        // Another node may have used or revoked the link before the account was locked.
        let spent = sqlx::query("DELETE FROM recoveries WHERE token = $1")
            .bind(self.token.0.as_slice())
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        if spent.rows_affected() == 0 {
            return Ok(None);
        }
        sqlx::query(
            "UPDATE accounts SET password = $1, \
             email_confirmed = CASE WHEN $3 THEN email IS NOT NULL ELSE email_confirmed END, \
             email_from_before = email_from_before AND NOT $3 WHERE player = $2 AND name IS NOT NULL",
        )
        .bind(&self.password)
        .bind(player.as_str())
        .bind(get::<bool>(&row, "was_mailed")?)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        // This also revokes all other links.
        let ended = end_sessions(connection, &player, None).await?;
        Ok(Some(Recovered { player, ended }))
    }
}
