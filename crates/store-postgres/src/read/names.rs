//! Checks whether a name is available.

use adoube_store::{NameSkeleton, Registered, Result, TokenHash};
use adoube_vocabulary::{Millis, PlayerId};
use sqlx::postgres::PgConnection;

use crate::{
    database::Change,
    error::translate,
    text::{get, name_key},
};

/// Finds the reason, if any, why a new account cannot have this name. Changes nothing.
pub(crate) struct CheckName {
    pub(crate) name: String,
    pub(crate) skeletons: NameSkeleton,
    pub(crate) now: Millis,
}

impl Change for CheckName {
    type Output = Option<Registered>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<Registered>> {
        refusal(connection, None, &self.name, &self.skeletons, self.now).await
    }
}

/// Returns the reason, if any, why an account cannot have this name. Ignores the current name of `account`.
pub(crate) async fn refusal(
    connection: &mut PgConnection,
    account: Option<&PlayerId>,
    name: &str,
    skeletons: &NameSkeleton,
    now: Millis,
) -> Result<Option<Registered>> {
    let account = account.map(PlayerId::as_str);
    let taken =
        sqlx::query("SELECT 1 FROM accounts WHERE name_key = $1 AND ($2::text IS NULL OR player <> $2)")
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
            sqlx::query("SELECT 1 FROM accounts WHERE skeleton = $1 AND ($2::text IS NULL OR player <> $2)")
                .bind(skeleton)
                .bind(account);
        if alike.fetch_optional(&mut *connection).await.map_err(translate)?.is_some() {
            return Ok(Some(Registered::NameAlike));
        }
    }
    Ok(retired_until(connection, &skeletons.retired, now).await?.map(Registered::NameRetired))
}

/// Returns the time at which a retired name becomes available again, or `None` if it is not retired.
async fn retired_until(
    connection: &mut PgConnection,
    skeleton_hashes: &[TokenHash],
    now: Millis,
) -> Result<Option<Millis>> {
    let mut latest: Option<Millis> = None;
    for skeleton_hash in skeleton_hashes {
        let found = sqlx::query("SELECT until FROM retired_names WHERE mark = $1 AND until > $2")
            .bind(skeleton_hash.0.as_slice())
            .bind(now.0);
        if let Some(row) = found.fetch_optional(&mut *connection).await.map_err(translate)? {
            latest = latest.max(Some(Millis(get(&row, "until")?)));
        }
    }
    Ok(latest)
}
