use adoube_store::{Analysis, Attempt, Result, StoreError};
use adoube_vocabulary::{AnalysisId, CommandId, Millis, PlayerId};
use sqlx::{
    SqliteExecutor, SqlitePool,
    sqlite::{SqliteConnection, SqliteRow},
};

use crate::{
    error::translate,
    text::{get, parse, version},
};

/// Reads an integer that must be in range, because only this program writes it.
fn number<T: TryFrom<i64>>(row: &SqliteRow, column: &'static str) -> Result<T> {
    let found = get::<i64>(row, column)?;
    let invalid = |_| StoreError::InvalidValue { table: "tries", what: column, found: found.to_string() };
    T::try_from(found).map_err(invalid)
}

fn attempt_from(row: &SqliteRow) -> Result<Attempt> {
    let command = get::<&[u8]>(row, "command")?;
    let invalid =
        |_| StoreError::InvalidValue { table: "tries", what: "command", found: format!("{command:?}") };
    Ok(Attempt {
        variant: get(row, "variant")?,
        problem: get(row, "problem")?,
        number: number(row, "number")?,
        command: CommandId(uuid::Uuid::from_slice(command).map_err(invalid)?),
        solved: get(row, "solved")?,
        before: number(row, "before")?,
        after: number(row, "after")?,
        streak: number(row, "streak")?,
        at: Millis(get(row, "at")?),
    })
}

pub(crate) fn analysis_from(row: &SqliteRow) -> Result<Analysis> {
    Ok(Analysis {
        id: parse(row, "id", "analyses")?,
        name: get(row, "name")?,
        variant: get(row, "variant")?,
        version: version(row, "analyses")?,
        created_at: Millis(get(row, "created_at")?),
        changed_at: Millis(get(row, "changed_at")?),
    })
}

fn with_text(row: &SqliteRow) -> Result<(Analysis, String)> {
    Ok((analysis_from(row)?, get(row, "body")?))
}

pub(crate) async fn attempts(
    readers: &SqlitePool,
    player: &PlayerId,
    variant: Option<&str>,
) -> Result<Vec<Attempt>> {
    let rows = sqlx::query(
        "SELECT variant, problem, number, command, solved, before, after, streak, at FROM tries \
         WHERE player = ?1 AND (?2 IS NULL OR variant = ?2) ORDER BY variant, number",
    )
    .bind(player.as_str())
    .bind(variant)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(attempt_from).collect()
}

/// Returns a player's attempt at a problem, read within the writer's transaction.
pub(crate) async fn attempt_of(
    connection: &mut SqliteConnection,
    player: &PlayerId,
    (variant, problem): (&str, &str),
) -> Result<Option<Attempt>> {
    let row = sqlx::query(
        "SELECT variant, problem, number, command, solved, before, after, streak, at FROM tries \
         WHERE player = ? AND variant = ? AND problem = ?",
    )
    .bind(player.as_str())
    .bind(variant)
    .bind(problem)
    .fetch_optional(connection)
    .await
    .map_err(translate)?;
    row.as_ref().map(attempt_from).transpose()
}

pub(crate) async fn analysis(
    reader: impl SqliteExecutor<'_>,
    player: &PlayerId,
    id: &AnalysisId,
) -> Result<Option<(Analysis, String)>> {
    let row = sqlx::query(
        "SELECT id, name, variant, version, created_at, changed_at, body FROM analyses WHERE id = ? AND player = ?",
    )
    .bind(id.as_str())
    .bind(player.as_str())
    .fetch_optional(reader)
    .await
    .map_err(translate)?;
    row.as_ref().map(with_text).transpose()
}

pub(crate) async fn analyses(readers: &SqlitePool, player: &PlayerId) -> Result<Vec<Analysis>> {
    let rows = sqlx::query(
        "SELECT id, name, variant, version, created_at, changed_at FROM analyses WHERE player = ? \
         ORDER BY changed_at DESC, id LIMIT 1000",
    )
    .bind(player.as_str())
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(analysis_from).collect()
}
