use adoube_store::{
    Analysis, AnalysisChange, Attempt, AttemptOutcome, ChangeOutcome, NewAnalysis, Result, SaveOutcome,
};
use adoube_vocabulary::{AnalysisId, PlayerId, Version};
use sqlx::sqlite::SqliteConnection;

use crate::{
    error::translate,
    read::study::{analysis, analysis_from, attempt_of},
    text::get,
    writer::Change,
};

/// Returns `true` if the account exists and has not been deleted.
async fn has_account(connection: &mut SqliteConnection, player: &PlayerId) -> Result<bool> {
    let row = sqlx::query("SELECT 1 FROM accounts WHERE player = ? AND name IS NOT NULL")
        .bind(player.as_str())
        .fetch_optional(connection)
        .await
        .map_err(translate)?;
    Ok(row.is_some())
}

/// Returns `true` if an account has room to replace `old` bytes with `new` bytes. SQLite reads the sizes from
/// the row headers, without reading the analyses and problems themselves.
pub(super) async fn has_room(
    connection: &mut SqliteConnection,
    player: &PlayerId,
    (new, old): (usize, usize),
    max_bytes: u64,
) -> Result<bool> {
    let row = sqlx::query(
        "SELECT (SELECT coalesce(sum(octet_length(body)), 0) FROM analyses WHERE player = ?1) \
         + (SELECT coalesce(sum(octet_length(document)), 0) FROM problems WHERE owner = ?1) AS kept",
    )
    .bind(player.as_str())
    .fetch_one(connection)
    .await
    .map_err(translate)?;
    let stored_bytes = u64::try_from(get::<i64>(&row, "kept")?).unwrap_or_default();
    // A change that does not make the text larger is always allowed.
    Ok(new <= old || stored_bytes.saturating_sub(old as u64).saturating_add(new as u64) <= max_bytes)
}

pub(crate) struct AddAttempt {
    pub(crate) player: PlayerId,
    pub(crate) new: Attempt,
}

impl Change for AddAttempt {
    type Output = AttemptOutcome;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<AttemptOutcome> {
        let Self { player, new } = self;
        if !has_account(connection, player).await? {
            return Ok(AttemptOutcome::NoAccount);
        }
        if let Some(before) = attempt_of(connection, player, (&new.variant, &new.problem)).await? {
            return Ok(AttemptOutcome::AlreadyCounted(before));
        }
        let last = sqlx::query(
            "SELECT coalesce(max(number), 0) AS last FROM tries WHERE player = ? AND variant = ?",
        )
        .bind(player.as_str())
        .bind(&new.variant)
        .fetch_one(&mut *connection)
        .await
        .map_err(translate)?;
        if get::<i64>(&last, "last")? + 1 != i64::from(new.number) {
            return Ok(AttemptOutcome::Conflict);
        }
        sqlx::query(
            "INSERT INTO tries (player, variant, problem, number, command, solved, before, after, streak, at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(player.as_str())
        .bind(&new.variant)
        .bind(&new.problem)
        .bind(new.number)
        .bind(new.command.0.as_bytes().as_slice())
        .bind(new.solved)
        .bind(new.before)
        .bind(new.after)
        .bind(new.streak)
        .bind(new.at.0)
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(AttemptOutcome::Done)
    }
}

pub(crate) struct AddAnalysis(pub(crate) NewAnalysis);

impl Change for AddAnalysis {
    type Output = SaveOutcome;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<SaveOutcome> {
        let Self(new) = self;
        if !has_account(connection, &new.player).await? {
            return Ok(SaveOutcome::NoAccount);
        }
        let before = sqlx::query(
            "SELECT id, name, variant, version, created_at, changed_at FROM analyses WHERE player = ? AND command = ?",
        )
        .bind(new.player.as_str())
        .bind(new.command.0.as_bytes().as_slice())
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
        if let Some(row) = before {
            return analysis_from(&row).map(SaveOutcome::Repeated);
        }
        let count = sqlx::query("SELECT count(*) AS count FROM analyses WHERE player = ?")
            .bind(new.player.as_str())
            .fetch_one(&mut *connection)
            .await
            .map_err(translate)?;
        if get::<i64>(&count, "count")? >= i64::from(new.max_analyses) {
            return Ok(SaveOutcome::Full);
        }
        if !has_room(connection, &new.player, (new.text.body.len(), 0), new.max_bytes).await? {
            return Ok(SaveOutcome::NoRoom);
        }
        sqlx::query(
            "INSERT INTO analyses (id, player, command, name, variant, version, created_at, changed_at, body) \
             VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)",
        )
        .bind(new.id.as_str())
        .bind(new.player.as_str())
        .bind(new.command.0.as_bytes().as_slice())
        .bind(&new.name)
        .bind(&new.text.variant)
        .bind(new.at.0)
        .bind(new.at.0)
        .bind(&new.text.body)
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(SaveOutcome::Done(Analysis {
            id: new.id.clone(),
            name: new.name.clone(),
            variant: new.text.variant.clone(),
            version: Version(1),
            created_at: new.at,
            changed_at: new.at,
        }))
    }
}

pub(crate) struct ChangeAnalysis(pub(crate) AnalysisChange);

impl Change for ChangeAnalysis {
    type Output = ChangeOutcome;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<ChangeOutcome> {
        let Self(change) = self;
        let found = analysis(&mut *connection, &change.player, &change.id).await?;
        let Some((current, body)) = found else { return Ok(ChangeOutcome::Missing) };
        let is_unchanged = change.name.as_ref().is_none_or(|name| *name == current.name)
            && change.text.as_ref().is_none_or(|text| text.body == body && text.variant == current.variant);
        if is_unchanged {
            return Ok(ChangeOutcome::Done(current));
        }
        if current.version != change.based_on {
            return Ok(ChangeOutcome::Conflict(current));
        }
        if let Some(text) = &change.text
            && !has_room(connection, &change.player, (text.body.len(), body.len()), change.max_bytes).await?
        {
            return Ok(ChangeOutcome::NoRoom);
        }
        let row = sqlx::query(
            "UPDATE analyses SET name = coalesce(?, name), variant = coalesce(?, variant), \
             body = coalesce(?, body), version = version + 1, changed_at = ? WHERE id = ? \
             RETURNING id, name, variant, version, created_at, changed_at",
        )
        .bind(&change.name)
        .bind(change.text.as_ref().map(|text| &text.variant))
        .bind(change.text.as_ref().map(|text| &text.body))
        .bind(change.at.0)
        .bind(change.id.as_str())
        .fetch_one(connection)
        .await
        .map_err(translate)?;
        analysis_from(&row).map(ChangeOutcome::Done)
    }
}

pub(crate) struct DeleteAnalysis {
    pub(crate) player: PlayerId,
    pub(crate) id: AnalysisId,
}

impl Change for DeleteAnalysis {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let deleted = sqlx::query("DELETE FROM analyses WHERE player = ? AND id = ?")
            .bind(self.player.as_str())
            .bind(self.id.as_str())
            .execute(connection)
            .await
            .map_err(translate)?;
        Ok(deleted.rows_affected() == 1)
    }
}
