use adoube_store::{NewProblem, Published, Result};
use adoube_vocabulary::{PlayerId, ProblemId};
use sqlx::sqlite::SqliteConnection;

use super::study::has_room;
use crate::{error::translate, text::parse, writer::Change};

pub(crate) struct AddProblem(pub(crate) NewProblem);

impl Change for AddProblem {
    type Output = Published;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Published> {
        let Self(new) = self;
        let before = sqlx::query("SELECT id FROM problems WHERE owner = ? AND command = ?")
            .bind(new.owner.as_str())
            .bind(new.command.0.as_bytes().as_slice())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if let Some(row) = before {
            return Ok(Published::Repeated(parse(&row, "id", "problems")?));
        }
        let known = sqlx::query("SELECT id FROM problems WHERE variant = ? AND position = ?")
            .bind(&new.variant)
            .bind(&new.position)
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if let Some(row) = known {
            return Ok(Published::Known(parse(&row, "id", "problems")?));
        }
        if !has_room(connection, &new.owner, (new.document.len(), 0), new.max_bytes).await? {
            return Ok(Published::NoRoom);
        }
        // The only possible conflict now is with a problem that has the same id.
        let added = sqlx::query(
            "INSERT INTO problems (id, owner, command, variant, position, title, document, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        )
        .bind(new.id.as_str())
        .bind(new.owner.as_str())
        .bind(new.command.0.as_bytes().as_slice())
        .bind(&new.variant)
        .bind(&new.position)
        .bind(&new.title)
        .bind(&new.document)
        .bind(new.created_at.0)
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(if added.rows_affected() == 1 { Published::Done } else { Published::IdTaken })
    }
}

pub(crate) struct WithdrawProblem {
    pub(crate) owner: PlayerId,
    pub(crate) id: ProblemId,
}

impl Change for WithdrawProblem {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let withdrawn = sqlx::query(
            "UPDATE problems SET position = NULL, title = NULL, document = NULL \
             WHERE id = ? AND owner = ? AND document IS NOT NULL",
        )
        .bind(self.id.as_str())
        .bind(self.owner.as_str())
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(withdrawn.rows_affected() == 1)
    }
}
