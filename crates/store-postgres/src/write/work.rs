//! Workers' leases, jobs, and the claims that nodes and workers make.
//!
//! A claim names the node or worker that made it, and is valid as long as that process's lease is. Claims on
//! jobs and reminders skip rows that another process is claiming at the moment.

use adoube_store::{
    Downtime, JOB_ATTEMPTS, JOB_RETENTION_MS, Job, JobId, JobState, LEASE_MS, NewJob, Result, StoreError,
    WorkerRenewal,
};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId};
use sqlx::postgres::{PgConnection, PgRow};

use crate::{
    database::{Change, Database},
    error::translate,
    text::{get, parse},
};

/// The condition that a node or worker with the id `$who` has a valid lease at the time `$now`.
macro_rules! alive {
    ($who:literal, $now:literal) => {
        concat!(
            "(EXISTS (SELECT 1 FROM nodes WHERE nodes.id = ",
            $who,
            " AND nodes.valid_until > ",
            $now,
            ") OR EXISTS (SELECT 1 FROM workers WHERE workers.id = ",
            $who,
            " AND workers.valid_until > ",
            $now,
            "))"
        )
    };
}

pub(crate) struct RenewWorker {
    pub(crate) id: NodeId,
    pub(crate) address: String,
    pub(crate) now: Millis,
    pub(crate) since: Millis,
}

impl Change for RenewWorker {
    type Output = WorkerRenewal;

    async fn apply(&self, connection: &mut PgConnection) -> Result<WorkerRenewal> {
        let Self { id, address, now, since } = self;
        let before = sqlx::query("SELECT valid_until FROM workers WHERE id = $1 FOR UPDATE")
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let was_valid = match &before {
            Some(row) => get::<i64>(row, "valid_until")? > now.0,
            None => false,
        };
        if before.is_none() {
            // Delete the previous worker with this address, and workers whose leases ended some time ago.
            sqlx::query("DELETE FROM workers WHERE address = $1 OR valid_until <= $2")
                .bind(address)
                .bind(now.0 - LEASE_MS)
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        sqlx::query(
            "INSERT INTO workers (id, address, seen_at, valid_until) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (id) DO UPDATE SET address = excluded.address, \
             seen_at = greatest(workers.seen_at, excluded.seen_at), \
             valid_until = greatest(workers.valid_until, excluded.valid_until)",
        )
        .bind(id.as_str())
        .bind(address)
        .bind(now.0)
        .bind(now.0 + LEASE_MS)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        let downtimes =
            sqlx::query("SELECT from_at, until_at FROM downtimes WHERE until_at > $1 ORDER BY from_at")
                .bind(since.0)
                .fetch_all(&mut *connection)
                .await
                .map_err(translate)?;
        let downtime = |row: &PgRow| {
            Ok(Downtime { from: Millis(get(row, "from_at")?), until: Millis(get(row, "until_at")?) })
        };
        Ok(WorkerRenewal { was_valid, downtimes: downtimes.iter().map(downtime).collect::<Result<_>>()? })
    }
}

pub(crate) async fn release_worker(database: &Database, id: &NodeId) -> Result<()> {
    let delete = "DELETE FROM workers WHERE id = $1";
    database.execute(sqlx::query(delete).bind(id.as_str())).await.map(|_| ())
}

pub(crate) async fn claim_machine_turn(
    database: &Database,
    id: &NodeId,
    game: &GameId,
    now: Millis,
) -> Result<bool> {
    let claim = concat!(
        "UPDATE games SET thinking_node = $1, thinking_version = version \
         WHERE id = $2 AND awaits_machine IS NOT NULL AND (thinking_version IS NULL OR thinking_version <> version \
         OR thinking_node = $1 OR NOT ",
        alive!("thinking_node", "$3"),
        ")"
    );
    Ok(database.execute(sqlx::query(claim).bind(id.as_str()).bind(game.as_str()).bind(now.0)).await? == 1)
}

pub(crate) async fn list_unclaimed_turns(
    database: &Database,
    by: &NodeId,
    now: Millis,
    waiting_since: Millis,
    limit: u32,
) -> Result<Vec<GameId>> {
    // Turns that this process has claimed itself are listed too: if it failed to play one, it tries again.
    let unclaimed = concat!(
        "SELECT id FROM games WHERE awaits_machine IS NOT NULL AND updated_at <= $2 \
         AND (thinking_version IS NULL OR thinking_version <> version OR thinking_node = $4 OR NOT ",
        alive!("thinking_node", "$1"),
        ") ORDER BY updated_at, id LIMIT $3"
    );
    let unclaimed = sqlx::query(unclaimed).bind(now.0).bind(waiting_since.0);
    let rows = database.fetch_all(unclaimed.bind(i64::from(limit)).bind(by.as_str())).await?;
    rows.iter().map(|row| parse(row, "id", "games")).collect()
}

pub(crate) async fn request_job(database: &Database, job: &NewJob) -> Result<JobState> {
    // A job that was abandoned counts as first requested now.
    let request = concat!(
        "INSERT INTO jobs (id, kind, body, asked_at, wanted_until) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO UPDATE SET wanted_until = greatest(jobs.wanted_until, excluded.wanted_until), \
         asked_at = CASE WHEN jobs.wanted_until <= $4 THEN excluded.asked_at ELSE jobs.asked_at END \
         RETURNING result, attempts, coalesce(",
        alive!("worker", "$4"),
        ", false) AS runs"
    );
    let row = database
        .fetch_one(
            sqlx::query(request)
                .bind(job.id.0.as_slice())
                .bind(job.kind)
                .bind(&job.body)
                .bind(job.now.0)
                .bind(job.requested_until.0),
        )
        .await?;
    if let Some(result) = get::<Option<String>>(&row, "result")? {
        return Ok(JobState::Done(result));
    }
    Ok(match (get(&row, "runs")?, get::<i32>(&row, "attempts")?) {
        (true, _) => JobState::Running,
        (false, attempts) if attempts >= max_attempts() => JobState::GivenUp,
        (false, _) => JobState::Waiting,
    })
}

fn max_attempts() -> i32 {
    i32::try_from(JOB_ATTEMPTS).unwrap_or(i32::MAX)
}

pub(crate) async fn claim_job(
    database: &Database,
    by: &NodeId,
    kinds: &[&str],
    now: Millis,
    requested_before: Millis,
) -> Result<Option<Job>> {
    let claim = concat!(
        "WITH next AS (SELECT id FROM jobs WHERE result IS NULL AND wanted_until > $2 AND asked_at <= $3 \
         AND attempts < $4 AND kind = ANY($5) AND (worker IS NULL OR NOT ",
        alive!("jobs.worker", "$2"),
        ") ORDER BY asked_at, id LIMIT 1 FOR UPDATE OF jobs SKIP LOCKED) \
         UPDATE jobs SET worker = $1, attempts = attempts + 1 FROM next WHERE jobs.id = next.id \
         RETURNING jobs.id, jobs.kind, jobs.body"
    );
    let row = database
        .fetch_optional(
            sqlx::query(claim)
                .bind(by.as_str())
                .bind(now.0)
                .bind(requested_before.0)
                .bind(max_attempts())
                .bind(kinds),
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let id = get::<Vec<u8>>(&row, "id")?;
    let id = <[u8; 32]>::try_from(id).map_err(|id| StoreError::InvalidValue {
        table: "jobs",
        what: "id",
        found: format!("{} bytes", id.len()),
    })?;
    Ok(Some(Job { id: JobId(id), kind: get(&row, "kind")?, body: get(&row, "body")? }))
}

pub(crate) async fn is_job_requested(
    database: &Database,
    id: &JobId,
    by: &NodeId,
    now: Millis,
) -> Result<bool> {
    let sql = "SELECT 1 FROM jobs WHERE id = $1 AND worker = $2 AND result IS NULL AND wanted_until > $3";
    let query = sqlx::query(sql).bind(id.0.as_slice()).bind(by.as_str()).bind(now.0);
    Ok(database.fetch_optional(query).await?.is_some())
}

pub(crate) async fn finish_job(database: &Database, id: &JobId, by: &NodeId, result: &str) -> Result<bool> {
    let finish = "UPDATE jobs SET result = $3 WHERE id = $1 AND worker = $2 AND result IS NULL";
    let finish = sqlx::query(finish).bind(id.0.as_slice()).bind(by.as_str()).bind(result);
    Ok(database.execute(finish).await? == 1)
}

pub(crate) async fn release_job(database: &Database, id: &JobId, by: &NodeId, failed: bool) -> Result<()> {
    let release = "UPDATE jobs SET worker = NULL, attempts = attempts - CASE WHEN $3 THEN 0 ELSE 1 END \
         WHERE id = $1 AND worker = $2 AND result IS NULL";
    let release = sqlx::query(release).bind(id.0.as_slice()).bind(by.as_str()).bind(failed);
    database.execute(release).await.map(|_| ())
}

pub(crate) async fn forget_jobs(database: &Database, now: Millis) -> Result<u64> {
    let forget = "DELETE FROM jobs WHERE id IN \
         (SELECT id FROM jobs WHERE wanted_until <= $1 LIMIT 1000 FOR UPDATE SKIP LOCKED)";
    database.execute(sqlx::query(forget).bind(now.0.saturating_sub(JOB_RETENTION_MS))).await
}

pub(crate) async fn claim_reminders(
    database: &Database,
    by: &NodeId,
    now: Millis,
    limit: u32,
) -> Result<Vec<(PlayerId, GameId)>> {
    // This process is already sending the reminders that it has claimed.
    let claim = concat!(
        "WITH due AS (SELECT player, game FROM reminders WHERE sender IS NOT NULL AND sender <> $1 AND NOT ",
        alive!("reminders.sender", "$2"),
        " LIMIT $3 FOR UPDATE OF reminders SKIP LOCKED) \
         UPDATE reminders SET sender = $1 FROM due WHERE reminders.player = due.player AND reminders.game = due.game \
         RETURNING reminders.player, reminders.game"
    );
    let rows =
        database.fetch_all(sqlx::query(claim).bind(by.as_str()).bind(now.0).bind(i64::from(limit))).await?;
    rows.iter()
        .map(|row| Ok((parse(row, "player", "reminders")?, parse(row, "game", "reminders")?)))
        .collect()
}

pub(crate) async fn confirm_reminder(database: &Database, player: &PlayerId, game: &GameId) -> Result<()> {
    let confirm = "UPDATE reminders SET sender = NULL WHERE player = $1 AND game = $2";
    database.execute(sqlx::query(confirm).bind(player.as_str()).bind(game.as_str())).await.map(|_| ())
}
