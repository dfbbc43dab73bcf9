use adoube_store::{Administered, Class, Result};
use adoube_vocabulary::PlayerId;
use sqlx::postgres::PgConnection;

use crate::{database::lock_account, error::translate};

/// Gives a class a different teacher, a different name, or both. Returns the reason if nothing was changed.
/// Checks that the account `to` may teach, because it may have lost its role or been deleted since the change
/// was requested.
/// The caller must hold [`GlobalLock::Administration`](crate::database::GlobalLock::Administration).
pub(super) async fn give(
    connection: &mut PgConnection,
    class: &Class,
    to: &PlayerId,
    name: &str,
) -> Result<Option<Administered>> {
    if class.teacher == *to && class.name == name {
        return Ok(Some(Administered::Unchanged));
    }
    lock_account(connection, to).await?;
    let teaches = sqlx::query(
        "SELECT 1 FROM accounts WHERE player = $1 AND name IS NOT NULL AND state = 'open' \
         AND role IN ('administrator', 'teacher')",
    )
    .bind(to.as_str());
    if teaches.fetch_optional(&mut *connection).await.map_err(translate)?.is_none() {
        return Ok(Some(Administered::NotATeacher));
    }
    let taken = sqlx::query("SELECT 1 FROM accounts WHERE teacher = $1 AND class = $2 LIMIT 1")
        .bind(to.as_str())
        .bind(name);
    if taken.fetch_optional(&mut *connection).await.map_err(translate)?.is_some() {
        return Ok(Some(Administered::ClassNameTaken));
    }
    let given = sqlx::query("UPDATE accounts SET teacher = $1, class = $2 WHERE teacher = $3 AND class = $4")
        .bind(to.as_str())
        .bind(name)
        .bind(class.teacher.as_str())
        .bind(&class.name)
        .execute(connection)
        .await
        .map_err(translate)?;
    Ok((given.rows_affected() == 0).then_some(Administered::Missing))
}
