use adoube_store::{Analysis, Attempt, Result};
use adoube_vocabulary::{AnalysisId, CommandId, Millis, PlayerId};
use sqlx::postgres::{PgConnection, PgRow};

use crate::{
    database::Database,
    error::translate,
    text::{get, number, parse, version},
};

fn attempt_from(row: &PgRow) -> Result<Attempt> {
    Ok(Attempt {
        variant: get(row, "variant")?,
        problem: get(row, "problem")?,
        number: number(row, "number", "tries")?,
        command: CommandId(get(row, "command")?),
        solved: get(row, "solved")?,
        before: number(row, "before", "tries")?,
        after: number(row, "after", "tries")?,
        streak: number(row, "streak", "tries")?,
        at: Millis(get(row, "at")?),
    })
}

pub(crate) fn analysis_from(row: &PgRow) -> Result<Analysis> {
    Ok(Analysis {
        id: parse(row, "id", "analyses")?,
        name: get(row, "name")?,
        variant: get(row, "variant")?,
        version: version(row, "analyses")?,
        created_at: Millis(get(row, "created_at")?),
        changed_at: Millis(get(row, "changed_at")?),
    })
}

fn with_text(row: &PgRow) -> Result<(Analysis, String)> {
    Ok((analysis_from(row)?, get(row, "body")?))
}

macro_rules! select_attempts {
    ($rest:literal) => {
        concat!(
            "SELECT variant, problem, number, command, solved, before, after, streak, at FROM tries ",
            $rest
        )
    };
}

const ATTEMPTS: &str =
    select_attempts!("WHERE player = $1 AND ($2 IS NULL OR variant = $2) ORDER BY variant, number");
const ATTEMPT: &str = select_attempts!("WHERE player = $1 AND variant = $2 AND problem = $3");

pub(crate) async fn attempts(
    database: &Database,
    player: &PlayerId,
    variant: Option<&str>,
) -> Result<Vec<Attempt>> {
    let rows = database.fetch_all(sqlx::query(ATTEMPTS).bind(player.as_str()).bind(variant)).await?;
    rows.iter().map(attempt_from).collect()
}

/// Returns a player's attempt at a problem, read within the caller's transaction.
pub(crate) async fn attempt_of(
    connection: &mut PgConnection,
    player: &PlayerId,
    (variant, problem): (&str, &str),
) -> Result<Option<Attempt>> {
    let row = sqlx::query(ATTEMPT)
        .bind(player.as_str())
        .bind(variant)
        .bind(problem)
        .fetch_optional(connection)
        .await
        .map_err(translate)?;
    row.as_ref().map(attempt_from).transpose()
}

const ANALYSIS: &str = "SELECT id, name, variant, version, created_at, changed_at, body FROM analyses \
                        WHERE id = $1 AND player = $2";
const ANALYSES: &str = "SELECT id, name, variant, version, created_at, changed_at FROM analyses \
                        WHERE player = $1 ORDER BY changed_at DESC, id LIMIT 1000";

pub(crate) async fn analysis(
    database: &Database,
    player: &PlayerId,
    id: &AnalysisId,
) -> Result<Option<(Analysis, String)>> {
    let row = database.fetch_optional(sqlx::query(ANALYSIS).bind(id.as_str()).bind(player.as_str())).await?;
    row.as_ref().map(with_text).transpose()
}

/// Returns an analysis, read within the caller's transaction.
pub(crate) async fn analysis_of(
    connection: &mut PgConnection,
    player: &PlayerId,
    id: &AnalysisId,
) -> Result<Option<(Analysis, String)>> {
    let row = sqlx::query(ANALYSIS)
        .bind(id.as_str())
        .bind(player.as_str())
        .fetch_optional(connection)
        .await
        .map_err(translate)?;
    row.as_ref().map(with_text).transpose()
}

pub(crate) async fn analyses(database: &Database, player: &PlayerId) -> Result<Vec<Analysis>> {
    let rows = database.fetch_all(sqlx::query(ANALYSES).bind(player.as_str())).await?;
    rows.iter().map(analysis_from).collect()
}
