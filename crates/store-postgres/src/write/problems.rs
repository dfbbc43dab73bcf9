use adoube_store::{NewProblem, Published, Result};
use adoube_vocabulary::{PlayerId, ProblemId};
use sqlx::postgres::PgConnection;

use super::study::has_room;
use crate::{
    database::{Change, Database, lock_account},
    error::translate,
    text::parse,
};

pub(crate) struct AddProblem(pub(crate) NewProblem);

impl Change for AddProblem {
    type Output = Published;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Published> {
        let Self(new) = self;
        lock_account(connection, &new.owner).await?;
        let before = sqlx::query("SELECT id FROM problems WHERE owner = $1 AND command = $2")
            .bind(new.owner.as_str())
            .bind(new.command.0)
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if let Some(row) = before {
            return Ok(Published::Repeated(parse(&row, "id", "problems")?));
        }
        if let Some(known) = problem_at_position(connection, new).await? {
            return Ok(Published::Known(known));
        }
        if !has_room(connection, &new.owner, (new.document.len(), 0), new.max_bytes).await? {
            return Ok(Published::NoRoom);
        }
        // The only possible conflicts now are with a problem that has the same id, and with another account
        // that publishes the same position at the same moment.
        let added = sqlx::query(
            "INSERT INTO problems (id, owner, command, variant, position, title, document, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
        )
        .bind(new.id.as_str())
        .bind(new.owner.as_str())
        .bind(new.command.0)
        .bind(&new.variant)
        .bind(&new.position)
        .bind(&new.title)
        .bind(&new.document)
        .bind(new.created_at.0)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        if added.rows_affected() == 1 {
            return Ok(Published::Done);
        }
        Ok(problem_at_position(connection, new).await?.map_or(Published::IdTaken, Published::Known))
    }
}

/// Returns the id of the problem that already has the position of a new one.
async fn problem_at_position(connection: &mut PgConnection, new: &NewProblem) -> Result<Option<ProblemId>> {
    let row = sqlx::query("SELECT id FROM problems WHERE variant = $1 AND position = $2")
        .bind(&new.variant)
        .bind(&new.position)
        .fetch_optional(connection)
        .await
        .map_err(translate)?;
    row.map(|row| parse(&row, "id", "problems")).transpose()
}

pub(crate) async fn withdraw(database: &Database, owner: &PlayerId, id: &ProblemId) -> Result<bool> {
    let withdraw = "UPDATE problems SET position = NULL, title = NULL, document = NULL \
         WHERE id = $1 AND owner = $2 AND document IS NOT NULL";
    Ok(database.execute(sqlx::query(withdraw).bind(id.as_str()).bind(owner.as_str())).await? == 1)
}
