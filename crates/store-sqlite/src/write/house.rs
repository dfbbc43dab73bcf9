use adoube_store::{Boot, Downtime, Result};
use adoube_vocabulary::Millis;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use crate::{error::translate, text::get, writer::Change};

pub(crate) struct RecordHeartbeat(pub(crate) Millis);

impl Change for RecordHeartbeat {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        // If the clock was set back, the later heartbeat is kept.
        sqlx::query(
            "INSERT INTO heartbeat (only_row, at) VALUES (1, ?) \
             ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
        )
        .bind(self.0.0)
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
    }
}

pub(crate) struct RecordStart(pub(crate) Millis);

impl Change for RecordStart {
    type Output = Vec<Downtime>;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Vec<Downtime>> {
        let Self(now) = *self;
        let last = sqlx::query("SELECT at FROM heartbeat")
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let last = last.map(|row| get::<i64>(&row, "at")).transpose()?;
        if let Some(last) = last
            && last < now.0
        {
            AddDowntime(Downtime { from: Millis(last), until: now }).apply(&mut *connection).await?;
        }
        RecordHeartbeat(now).apply(connection).await?;
        let rows = sqlx::query("SELECT from_at, until_at FROM downtimes ORDER BY from_at")
            .fetch_all(connection)
            .await
            .map_err(translate)?;
        let downtime = |row: &SqliteRow| {
            Ok(Downtime { from: Millis(get(row, "from_at")?), until: Millis(get(row, "until_at")?) })
        };
        rows.iter().map(downtime).collect()
    }
}

pub(crate) struct AddDowntime(pub(crate) Downtime);

impl Change for AddDowntime {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query(
            "INSERT INTO downtimes (from_at, until_at) VALUES (?, ?) \
             ON CONFLICT DO UPDATE SET until_at = max(until_at, excluded.until_at)",
        )
        .bind(self.0.from.0)
        .bind(self.0.until.0)
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
    }
}

pub(crate) struct SetLastBoot(pub(crate) Boot);

impl Change for SetLastBoot {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query(
            "INSERT INTO boot (only_row, id, at) VALUES (1, ?, ?) \
             ON CONFLICT DO UPDATE SET id = excluded.id, at = excluded.at",
        )
        .bind(&self.0.id)
        .bind(self.0.at.0)
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
    }
}
