use adoube_store::{ProblemFilter, Result, StoredProblem};
use adoube_vocabulary::{CommandId, Millis, PlayerId, ProblemId};
use sqlx::{SqlitePool, sqlite::SqliteRow};

use crate::{
    error::translate,
    text::{get, parse},
};

fn problem_from(row: &SqliteRow) -> Result<StoredProblem> {
    Ok(StoredProblem {
        id: parse(row, "id", "problems")?,
        owner: parse(row, "owner", "problems")?,
        name: get(row, "name")?,
        variant: get(row, "variant")?,
        title: get(row, "title")?,
        document: get(row, "document")?,
        created_at: Millis(get(row, "created_at")?),
    })
}

/// One statement for each list, so that the lists for a variant and for an owner each use their own index.
/// A page begins after ?2; ?3 breaks ties.
macro_rules! listed {
    ($which:literal) => {
        concat!(
            "SELECT id, owner, name, variant, title, document, problems.created_at FROM problems \
             LEFT JOIN accounts ON accounts.player = problems.owner WHERE document IS NOT NULL AND ",
            $which,
            " AND (?2 IS NULL OR (problems.created_at, id) < (?2, ?3)) \
             ORDER BY problems.created_at DESC, id DESC LIMIT ?4"
        )
    };
}

const OF_VARIANT: &str = listed!("variant = ?1 AND ?5 IS NULL");
const OF_OWNER: &str = listed!("owner = ?1 AND (?5 IS NULL OR variant = ?5)");
const ALL: &str = listed!("?1 IS NULL AND ?5 IS NULL");

pub(crate) async fn problems(readers: &SqlitePool, filter: &ProblemFilter) -> Result<Vec<StoredProblem>> {
    let variant = filter.variant.as_deref();
    let (statement, first, second) = match (&filter.owner, variant) {
        (Some(owner), variant) => (OF_OWNER, Some(owner.as_str()), variant),
        (None, Some(variant)) => (OF_VARIANT, Some(variant), None),
        (None, None) => (ALL, None, None),
    };
    let rows = sqlx::query(statement)
        .bind(first)
        .bind(filter.after.as_ref().map(|cursor| cursor.at.0))
        .bind(filter.after.as_ref().map(|cursor| cursor.id.as_str()))
        .bind(filter.limit)
        .bind(second)
        .fetch_all(readers)
        .await
        .map_err(translate)?;
    rows.iter().map(problem_from).collect()
}

pub(crate) async fn problem(readers: &SqlitePool, id: &ProblemId) -> Result<Option<StoredProblem>> {
    let row = sqlx::query(
        "SELECT id, owner, name, variant, title, document, problems.created_at FROM problems \
         LEFT JOIN accounts ON accounts.player = problems.owner WHERE id = ? AND document IS NOT NULL",
    )
    .bind(id.as_str())
    .fetch_optional(readers)
    .await
    .map_err(translate)?;
    row.as_ref().map(problem_from).transpose()
}

pub(crate) async fn publication(
    readers: &SqlitePool,
    owner: &PlayerId,
    command: CommandId,
) -> Result<Option<ProblemId>> {
    let row = sqlx::query("SELECT id FROM problems WHERE owner = ? AND command = ?")
        .bind(owner.as_str())
        .bind(command.0.as_bytes().as_slice())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.map(|row| parse(&row, "id", "problems")).transpose()
}

pub(crate) async fn problem_at(
    readers: &SqlitePool,
    variant: &str,
    position: &str,
) -> Result<Option<ProblemId>> {
    let row = sqlx::query("SELECT id FROM problems WHERE variant = ? AND position = ?")
        .bind(variant)
        .bind(position)
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.map(|row| parse(&row, "id", "problems")).transpose()
}
