//! Token buckets, as `adoube_store::LimitStore` describes them.

use std::time::Duration;

use adoube_store::{Result, TakeOutcome, TokenRequest};
use adoube_vocabulary::Millis;
use sqlx::postgres::PgConnection;

use crate::{
    database::{Change, Database},
    error::translate,
    text::get,
};

/// The maximum number of full buckets to delete at a time.
const DELETED_PER_CLEANUP: i64 = 500;

pub(crate) struct TakeTokens {
    pub(crate) requests: Vec<TokenRequest>,
    pub(crate) now: Millis,
}

impl TakeTokens {
    /// Sorts the requests by bucket. All nodes lock the buckets in this order, so they cannot deadlock.
    pub(crate) fn new(requests: &[TokenRequest], now: Millis) -> Self {
        let mut requests = requests.to_vec();
        requests.sort_by_key(|request| request.bucket);
        Self { requests, now }
    }
}

impl Change for TakeTokens {
    type Output = TakeOutcome;

    async fn apply(&self, connection: &mut PgConnection) -> Result<TakeOutcome> {
        let now_us = self.now.0.saturating_mul(1_000);
        let buckets = self.requests.iter().map(|request| request.bucket.as_slice()).collect::<Vec<_>>();
        let costs = self.requests.iter().map(|request| request.cost_us).collect::<Vec<_>>();
        // The update locks the row of each bucket, so every attempt sees the result of the previous one.
        let taken = sqlx::query(
            "INSERT INTO limits AS stored (bucket, full_at, max_ahead) \
             SELECT bucket, $4 + cost, max_ahead FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) \
                 AS asked (bucket, cost, max_ahead) ORDER BY bucket \
             ON CONFLICT (bucket) DO UPDATE \
                 SET full_at = greatest(stored.full_at, $4) + excluded.full_at - $4, max_ahead = excluded.max_ahead \
                 WHERE greatest(stored.full_at, $4) + excluded.full_at - $4 <= $4 + excluded.max_ahead \
             RETURNING bucket",
        )
        .bind(&buckets)
        .bind(&costs)
        .bind(self.requests.iter().map(|request| request.max_us).collect::<Vec<_>>())
        .bind(now_us)
        .fetch_all(&mut *connection)
        .await
        .map_err(translate)?;
        if taken.len() == self.requests.len() {
            return Ok(TakeOutcome::Done);
        }
        let taken = taken.iter().map(|row| get(row, "bucket")).collect::<Result<Vec<Vec<u8>>>>()?;
        let (allowed, refused) = self
            .requests
            .iter()
            .partition::<Vec<_>, _>(|request| taken.iter().any(|taken| *taken == request.bucket));
        return_tokens(connection, &allowed).await?;
        let rows = sqlx::query("SELECT bucket, full_at FROM limits WHERE bucket = ANY($1)")
            .bind(refused.iter().map(|request| request.bucket.as_slice()).collect::<Vec<_>>())
            .fetch_all(connection)
            .await
            .map_err(translate)?;
        // The insert has locked these rows, so all of them still exist.
        let mut wait_us = 0;
        for row in rows {
            let bucket: Vec<u8> = get(&row, "bucket")?;
            let full_at = get::<i64>(&row, "full_at")?.max(now_us);
            let of_bucket = refused.iter().filter(|request| bucket == request.bucket);
            wait_us = of_bucket
                .map(|request| full_at + request.cost_us - request.max_us - now_us)
                .fold(wait_us, i64::max);
        }
        Ok(TakeOutcome::Wait(Duration::from_micros(wait_us.unsigned_abs())))
    }
}

async fn return_tokens(connection: &mut PgConnection, requests: &[&TokenRequest]) -> Result<()> {
    sqlx::query(
        "UPDATE limits SET full_at = full_at - cost \
         FROM unnest($1::bytea[], $2::bigint[]) AS given (bucket, cost) WHERE limits.bucket = given.bucket",
    )
    .bind(requests.iter().map(|request| request.bucket.as_slice()).collect::<Vec<_>>())
    .bind(requests.iter().map(|request| request.cost_us).collect::<Vec<_>>())
    .execute(connection)
    .await
    .map_err(translate)
    .map(|_| ())
}

pub(crate) struct ReturnTokens(pub(crate) Vec<TokenRequest>);

impl Change for ReturnTokens {
    type Output = ();

    async fn apply(&self, connection: &mut PgConnection) -> Result<()> {
        // Lock the buckets in the same order as `TakeTokens` does.
        let lock = "SELECT 1 FROM limits WHERE bucket = ANY($1) ORDER BY bucket FOR UPDATE";
        sqlx::query(lock)
            .bind(self.0.iter().map(|request| request.bucket.as_slice()).collect::<Vec<_>>())
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        return_tokens(connection, &self.0.iter().collect::<Vec<_>>()).await
    }
}

/// Deletes buckets that are full, except those that another node is changing.
pub(crate) async fn delete_full_buckets(database: &Database, now: Millis) -> Result<()> {
    let delete = "DELETE FROM limits WHERE bucket IN \
         (SELECT bucket FROM limits WHERE full_at <= $1 ORDER BY full_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
    database
        .execute(sqlx::query(delete).bind(now.0.saturating_mul(1_000)).bind(DELETED_PER_CLEANUP))
        .await
        .map(|_| ())
}
