use adoube_store::{Boot, Downtime, Result};
use adoube_vocabulary::Millis;
use sqlx::postgres::{PgConnection, PgRow};

use crate::{
    database::{Change, Database, GlobalLock},
    error::translate,
    text::get,
};

/// Records a heartbeat, unless another node has recorded a later one.
pub(super) const RECORD_HEARTBEAT: &str = "INSERT INTO heartbeat (at) VALUES ($1) \
     ON CONFLICT (only_row) DO UPDATE SET at = greatest(heartbeat.at, excluded.at)";
pub(super) const ADD_DOWNTIME: &str = "INSERT INTO downtimes (from_at, until_at) VALUES ($1, $2) \
     ON CONFLICT (from_at) DO UPDATE SET until_at = greatest(downtimes.until_at, excluded.until_at)";

pub(crate) async fn record_heartbeat(database: &Database, now: Millis) -> Result<()> {
    database.execute(sqlx::query(RECORD_HEARTBEAT).bind(now.0)).await.map(|_| ())
}

pub(crate) async fn add_downtime(database: &Database, downtime: Downtime) -> Result<()> {
    database.execute(sqlx::query(ADD_DOWNTIME).bind(downtime.from.0).bind(downtime.until.0)).await.map(|_| ())
}

pub(crate) struct RecordStart(pub(crate) Millis);

impl Change for RecordStart {
    type Output = Vec<Downtime>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Vec<Downtime>> {
        let Self(now) = *self;
        GlobalLock::Nodes.acquire(connection).await?;
        let last = sqlx::query("SELECT at FROM heartbeat")
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let last = last.map(|row| get::<i64>(&row, "at")).transpose()?;
        if let Some(last) = last
            && last < now.0
        {
            let add = sqlx::query(ADD_DOWNTIME).bind(last).bind(now.0);
            add.execute(&mut *connection).await.map_err(translate)?;
        }
        sqlx::query(RECORD_HEARTBEAT).bind(now.0).execute(&mut *connection).await.map_err(translate)?;
        let rows = sqlx::query("SELECT from_at, until_at FROM downtimes ORDER BY from_at")
            .fetch_all(connection)
            .await
            .map_err(translate)?;
        let downtime = |row: &PgRow| {
            Ok(Downtime { from: Millis(get(row, "from_at")?), until: Millis(get(row, "until_at")?) })
        };
        rows.iter().map(downtime).collect()
    }
}

pub(crate) async fn set_last_boot(database: &Database, boot: &Boot) -> Result<()> {
    let set = "INSERT INTO boot (id, at) VALUES ($1, $2) \
         ON CONFLICT (only_row) DO UPDATE SET id = excluded.id, at = excluded.at";
    database.execute(sqlx::query(set).bind(&boot.id).bind(boot.at.0)).await.map(|_| ())
}
