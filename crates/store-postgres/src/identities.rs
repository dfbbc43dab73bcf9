//! Identities at sign-in providers, and the accounts that they are linked to.

use adoube_store::{ExternalIdentity, IdentityStore, Linked, Result, Unlinked};
use adoube_vocabulary::PlayerId;
use async_trait::async_trait;
use sqlx::postgres::PgConnection;

use crate::{
    PostgresStore,
    database::{Change, lock_account},
    error::translate,
    text::{get, parse},
};

struct LinkIdentity {
    identity: ExternalIdentity,
    player: PlayerId,
}

impl Change for LinkIdentity {
    type Output = Linked;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Linked> {
        lock_account(connection, &self.player).await?;
        let account = sqlx::query("SELECT 1 FROM accounts WHERE player = $1 AND name IS NOT NULL")
            .bind(self.player.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if account.is_none() {
            return Ok(Linked::NoAccount);
        }
        // A no-op update, because `DO NOTHING` would not return the existing row.
        let row = sqlx::query(
            "INSERT INTO identities (issuer, subject, player) VALUES ($1, $2, $3) \
             ON CONFLICT (issuer, subject) DO UPDATE SET player = identities.player RETURNING player",
        )
        .bind(&self.identity.issuer)
        .bind(&self.identity.subject)
        .bind(self.player.as_str())
        .fetch_one(connection)
        .await
        .map_err(translate)?;
        let linked: PlayerId = parse(&row, "player", "identities")?;
        Ok(if linked == self.player { Linked::Done } else { Linked::Taken })
    }
}

struct UnlinkIdentity {
    identity: ExternalIdentity,
    player: PlayerId,
}

impl Change for UnlinkIdentity {
    type Output = Unlinked;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Unlinked> {
        lock_account(connection, &self.player).await?;
        let Self { identity, player } = self;
        let existing =
            sqlx::query("SELECT 1 FROM identities WHERE issuer = $1 AND subject = $2 AND player = $3")
                .bind(&identity.issuer)
                .bind(&identity.subject)
                .bind(player.as_str())
                .fetch_optional(&mut *connection)
                .await
                .map_err(translate)?;
        if existing.is_none() {
            return Ok(Unlinked::Missing);
        }
        let removed = sqlx::query(
            "DELETE FROM identities WHERE issuer = $1 AND subject = $2 AND player = $3 AND \
             (EXISTS (SELECT 1 FROM accounts WHERE player = $3 AND password <> '') \
             OR (SELECT count(*) FROM identities WHERE player = $3) > 1)",
        )
        .bind(&identity.issuer)
        .bind(&identity.subject)
        .bind(player.as_str())
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(if removed.rows_affected() == 0 { Unlinked::LastSignInMethod } else { Unlinked::Done })
    }
}

#[async_trait]
impl IdentityStore for PostgresStore {
    async fn link_identity(&self, identity: &ExternalIdentity, player: &PlayerId) -> Result<Linked> {
        self.database.apply(LinkIdentity { identity: identity.clone(), player: player.clone() }).await
    }

    async fn unlink_identity(&self, identity: &ExternalIdentity, player: &PlayerId) -> Result<Unlinked> {
        self.database.apply(UnlinkIdentity { identity: identity.clone(), player: player.clone() }).await
    }

    async fn lookup_identity(&self, identity: &ExternalIdentity) -> Result<Option<PlayerId>> {
        let lookup = sqlx::query("SELECT player FROM identities WHERE issuer = $1 AND subject = $2")
            .bind(&identity.issuer)
            .bind(&identity.subject);
        let row = self.database.fetch_optional(lookup).await?;
        row.as_ref().map(|row| parse(row, "player", "identities")).transpose()
    }

    async fn list_identities(&self, player: &PlayerId) -> Result<Vec<ExternalIdentity>> {
        let list =
            sqlx::query("SELECT issuer, subject FROM identities WHERE player = $1 ORDER BY issuer, subject")
                .bind(player.as_str());
        let rows = self.database.fetch_all(list).await?;
        rows.iter()
            .map(|row| Ok(ExternalIdentity { issuer: get(row, "issuer")?, subject: get(row, "subject")? }))
            .collect()
    }
}
