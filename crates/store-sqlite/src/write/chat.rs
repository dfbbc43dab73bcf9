use adoube_store::{NewLine, NewReport, Result, Said};
use sqlx::sqlite::SqliteConnection;

use crate::{
    error::translate,
    text::{color_text, get, room_text},
    writer::Change,
};

pub(crate) struct AddLine(pub(crate) NewLine);

impl Change for AddLine {
    type Done = Said;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Said> {
        let Self(line) = self;
        let row = sqlx::query(
            "INSERT INTO chat (game, room, player, command, color, text, at) VALUES (?, ?, ?, ?, ?, ?, ?) \
             ON CONFLICT DO NOTHING RETURNING id",
        )
        .bind(line.game.as_str())
        .bind(room_text(line.room))
        .bind(line.player.as_str())
        .bind(line.command.0.as_bytes().as_slice())
        .bind(line.color.map(color_text))
        .bind(&line.text)
        .bind(line.at.0)
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
        if let Some(row) = row {
            return Ok(Said::New(get(&row, "id")?));
        }
        let same = sqlx::query(
            "SELECT 1 FROM chat WHERE player = ? AND command = ? AND game = ? AND room = ? AND text = ?",
        )
        .bind(line.player.as_str())
        .bind(line.command.0.as_bytes().as_slice())
        .bind(line.game.as_str())
        .bind(room_text(line.room))
        .bind(&line.text)
        .fetch_optional(connection)
        .await
        .map_err(translate)?;
        Ok(if same.is_some() { Said::Repeated } else { Said::Otherwise })
    }
}

pub(crate) struct AddReport(pub(crate) NewReport);

impl Change for AddReport {
    type Done = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let Self(report) = self;
        let line = sqlx::query("SELECT 1 FROM chat WHERE id = ? AND game = ? AND room = ?")
            .bind(report.line)
            .bind(report.game.as_str())
            .bind(room_text(report.room))
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if line.is_none() {
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO reports (line, player, reason, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        )
        .bind(report.line)
        .bind(report.player.as_str())
        .bind(&report.reason)
        .bind(report.at.0)
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(true)
    }
}
