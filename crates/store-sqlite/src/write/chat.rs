use adoube_store::{CONTEXT_MESSAGES, ChatAdded, NewChatMessage, NewReport, Result};
use sqlx::sqlite::SqliteConnection;

use crate::{
    error::translate,
    text::{color_text, get, room_text},
    writer::Change,
};

pub(crate) struct AddMessage(pub(crate) NewChatMessage);

impl Change for AddMessage {
    type Output = ChatAdded;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<ChatAdded> {
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
            return Ok(ChatAdded::New(get(&row, "id")?));
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
        Ok(if same.is_some() { ChatAdded::Repeated } else { ChatAdded::CommandReused })
    }
}

pub(crate) struct AddReport(pub(crate) NewReport);

impl Change for AddReport {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let Self(report) = self;
        // The neighbouring messages are stored with the report, because a single message is hard to judge,
        // and the others may be deleted.
        let count = sqlx::query(
            "INSERT INTO reports (line, player, game, room, reason, author, name, said, at) \
             SELECT line.id, ?3, line.game, line.room, ?4, line.player, accounts.name, \
                 (SELECT json_group_array(json_object('id', near.id, 'room', near.room, 'player', near.player, \
                     'color', near.color, 'text', near.text, 'at', near.at)) \
                  FROM (SELECT * FROM \
                          (SELECT * FROM chat WHERE game = line.game AND room = line.room AND id <= line.id \
                           ORDER BY id DESC LIMIT ?6 + 1) \
                      UNION ALL SELECT * FROM \
                          (SELECT * FROM chat WHERE game = line.game AND room = line.room AND id > line.id \
                           ORDER BY id LIMIT ?6) ORDER BY id) AS near), ?5 \
             FROM chat AS line LEFT JOIN accounts ON accounts.player = line.player \
             WHERE line.id = ?1 AND line.game = ?2 AND line.room = ?7 \
             ON CONFLICT (line, player) DO UPDATE SET reason = reason",
        )
        .bind(report.message)
        .bind(report.game.as_str())
        .bind(report.player.as_str())
        .bind(&report.reason)
        .bind(report.at.0)
        .bind(CONTEXT_MESSAGES)
        .bind(room_text(report.room))
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(count.rows_affected() > 0)
    }
}
