//! Browsers to which notifications are pushed.

use adoube_store::{PUSH_SUBSCRIPTIONS_PER_ACCOUNT, PushDevice, PushStore, PushSubscription, Result};
use adoube_vocabulary::{Millis, PlayerId, SessionId};
use async_trait::async_trait;
use sqlx::sqlite::SqliteConnection;

use crate::{
    SqliteStore,
    error::translate,
    text::{get, parse},
    writer::Change,
};

struct SetSubscription {
    player: PlayerId,
    new: PushSubscription,
}

impl Change for SetSubscription {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let Self { player, new } = self;
        let session = sqlx::query("SELECT 1 FROM sessions WHERE id = ?1 AND player = ?2")
            .bind(new.session.as_str())
            .bind(player.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if session.is_none() {
            return Ok(false);
        }
        sqlx::query("DELETE FROM push_subscriptions WHERE session = ?1 OR endpoint = ?2")
            .bind(new.session.as_str())
            .bind(&new.endpoint)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        sqlx::query(
            "INSERT INTO push_subscriptions (session, player, endpoint, p256dh, auth, created_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(new.session.as_str())
        .bind(player.as_str())
        .bind(&new.endpoint)
        .bind(&new.p256dh)
        .bind(&new.auth)
        .bind(new.created_at.0)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        sqlx::query(
            "DELETE FROM push_subscriptions WHERE player = ?1 AND session NOT IN \
             (SELECT session FROM push_subscriptions WHERE player = ?1 \
             ORDER BY session = ?2 DESC, created_at DESC, session LIMIT ?3)",
        )
        .bind(player.as_str())
        .bind(new.session.as_str())
        .bind(i64::from(PUSH_SUBSCRIPTIONS_PER_ACCOUNT))
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(true)
    }
}

/// Deletes the subscription of a session, or the one with the given endpoint.
enum DeleteSubscription {
    OfSession { player: PlayerId, session: SessionId },
    At { endpoint: String },
}

impl Change for DeleteSubscription {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let delete = match self {
            Self::OfSession { player, session } => {
                sqlx::query("DELETE FROM push_subscriptions WHERE player = ? AND session = ?")
                    .bind(player.as_str())
                    .bind(session.as_str())
            }
            Self::At { endpoint } => {
                sqlx::query("DELETE FROM push_subscriptions WHERE endpoint = ?").bind(endpoint)
            }
        };
        Ok(delete.execute(connection).await.map_err(translate)?.rows_affected() > 0)
    }
}

#[async_trait]
impl PushStore for SqliteStore {
    async fn set_push_subscription(&self, player: &PlayerId, new: PushSubscription) -> Result<bool> {
        self.writer.apply(SetSubscription { player: player.clone(), new }).await
    }

    async fn list_push_devices(&self, player: &PlayerId, now: Millis) -> Result<Vec<PushDevice>> {
        let list = sqlx::query(
            "SELECT push_subscriptions.session, endpoint, p256dh, auth, push_subscriptions.created_at, agent \
             FROM push_subscriptions JOIN sessions ON sessions.id = push_subscriptions.session \
             WHERE push_subscriptions.player = ?1 AND expires_at > ?2 \
             ORDER BY push_subscriptions.created_at DESC, push_subscriptions.session",
        )
        .bind(player.as_str())
        .bind(now.0);
        let rows = list.fetch_all(&self.readers).await.map_err(translate)?;
        rows.iter()
            .map(|row| {
                let subscription = PushSubscription {
                    session: parse(row, "session", "push_subscriptions")?,
                    endpoint: get(row, "endpoint")?,
                    p256dh: get(row, "p256dh")?,
                    auth: get(row, "auth")?,
                    created_at: Millis(get(row, "created_at")?),
                };
                Ok(PushDevice { subscription, agent: get(row, "agent")? })
            })
            .collect()
    }

    async fn delete_push_subscription(&self, player: &PlayerId, session: &SessionId) -> Result<bool> {
        let delete = DeleteSubscription::OfSession { player: player.clone(), session: session.clone() };
        self.writer.apply(delete).await
    }

    async fn delete_push_endpoint(&self, endpoint: &str) -> Result<()> {
        self.writer.apply(DeleteSubscription::At { endpoint: endpoint.to_owned() }).await.map(|_| ())
    }
}
