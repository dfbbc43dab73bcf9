//! Checks whether a name is free.

use adoube_store::{NameSkeleton, Registered, Result, TokenHash};
use adoube_vocabulary::{Millis, PlayerId};
use sqlx::{SqlitePool, sqlite::SqliteConnection};

use crate::{
    error::translate,
    text::{get, name_key},
};

/// Returns the reason, if any, why a new account cannot have this name.
pub(crate) async fn check(
    readers: &SqlitePool,
    name: &str,
    skeletons: &NameSkeleton,
    now: Millis,
) -> Result<Option<Registered>> {
    let mut connection = readers.acquire().await.map_err(translate)?;
    refusal(&mut connection, None, name, skeletons, now).await
}

/// Returns the reason, if any, why an account cannot have this name. Ignores the current name of `account`.
pub(crate) async fn refusal(
    connection: &mut SqliteConnection,
    account: Option<&PlayerId>,
    name: &str,
    skeletons: &NameSkeleton,
    now: Millis,
) -> Result<Option<Registered>> {
    let account = account.map(PlayerId::as_str);
    let taken = sqlx::query("SELECT 1 FROM accounts WHERE name_key = ?1 AND (?2 IS NULL OR player <> ?2)")
        .bind(name_key(name))
        .bind(account)
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
    if taken.is_some() {
        return Ok(Some(Registered::NameTaken));
    }
    for skeleton in skeletons.unavailable() {
        let alike =
            sqlx::query("SELECT 1 FROM accounts WHERE skeleton = ?1 AND (?2 IS NULL OR player <> ?2)")
                .bind(skeleton)
                .bind(account);
        if alike.fetch_optional(&mut *connection).await.map_err(translate)?.is_some() {
            return Ok(Some(Registered::NameAlike));
        }
    }
    Ok(retired_until(connection, &skeletons.retired, now).await?.map(Registered::NameRetired))
}

/// Returns the time at which a retired name is free again, or `None` if it is not retired.
async fn retired_until(
    connection: &mut SqliteConnection,
    skeleton_hashes: &[TokenHash],
    now: Millis,
) -> Result<Option<Millis>> {
    let mut latest: Option<Millis> = None;
    for skeleton_hash in skeleton_hashes {
        let found = sqlx::query("SELECT until FROM retired_names WHERE mark = ?1 AND until > ?2")
            .bind(skeleton_hash.0.as_slice())
            .bind(now.0);
        if let Some(row) = found.fetch_optional(&mut *connection).await.map_err(translate)? {
            latest = latest.max(Some(Millis(get(&row, "until")?)));
        }
    }
    Ok(latest)
}
