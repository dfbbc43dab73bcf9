use adoube_store::{ChatMessage, NewReport, Report, Result, StoreError};
use adoube_vocabulary::{ChatRoom, GameId, Millis, PlayerId};
use serde::Deserialize;
use sqlx::{SqlitePool, sqlite::SqliteRow};

use crate::{
    error::translate,
    text::{color, get, parse, room, room_text},
};

fn message_from(row: &SqliteRow) -> Result<ChatMessage> {
    Ok(ChatMessage {
        id: get(row, "id")?,
        room: room(get(row, "room")?)?,
        player: parse(row, "player", "chat")?,
        name: get(row, "name")?,
        color: get::<Option<&str>>(row, "color")?.map(|text| color(text, "chat")).transpose()?,
        text: get(row, "text")?,
        at: Millis(get(row, "at")?),
    })
}

pub(crate) async fn messages(
    readers: &SqlitePool,
    game: &GameId,
    room: ChatRoom,
    limit: u32,
) -> Result<Vec<ChatMessage>> {
    let rows = sqlx::query(
        "SELECT id, room, chat.player, name, color, text, at FROM chat \
         LEFT JOIN accounts ON accounts.player = chat.player \
         WHERE game = ? AND room = ? ORDER BY id DESC LIMIT ?",
    )
    .bind(game.as_str())
    .bind(room_text(room))
    .bind(limit)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().rev().map(message_from).collect()
}

pub(crate) async fn messages_of(
    readers: &SqlitePool,
    player: &PlayerId,
    after: i64,
    limit: u32,
) -> Result<Vec<(GameId, ChatMessage)>> {
    let rows = sqlx::query(
        "SELECT game, id, room, chat.player, name, color, text, at FROM chat \
         LEFT JOIN accounts ON accounts.player = chat.player WHERE chat.player = ? AND id > ? ORDER BY id LIMIT ?",
    )
    .bind(player.as_str())
    .bind(after)
    .bind(limit)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(|row| Ok((parse(row, "game", "chat")?, message_from(row)?))).collect()
}

/// A message as stored with a report.
#[derive(Deserialize)]
struct ReportedMessage {
    id: i64,
    room: String,
    player: PlayerId,
    color: Option<String>,
    text: String,
    at: i64,
}

impl ReportedMessage {
    fn message(self) -> Result<ChatMessage> {
        Ok(ChatMessage {
            id: self.id,
            room: room(&self.room)?,
            player: self.player,
            name: None,
            color: self.color.map(|text| color(&text, "reports")).transpose()?,
            text: self.text,
            at: Millis(self.at),
        })
    }
}

pub(crate) async fn reports(readers: &SqlitePool, limit: u32) -> Result<Vec<Report>> {
    let rows = sqlx::query(
        "SELECT line, player, game, room, reason, author, name, said, at FROM reports ORDER BY at DESC, line DESC, player LIMIT ?",
    )
    .bind(limit)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(report_from).collect()
}

pub(super) fn report_from(row: &SqliteRow) -> Result<Report> {
    let messages: Vec<ReportedMessage> = serde_json::from_str(get(row, "said")?).map_err(|error| {
        StoreError::InvalidValue { table: "reports", what: "messages", found: error.to_string() }
    })?;
    Ok(Report {
        report: NewReport {
            game: parse(row, "game", "reports")?,
            room: room(get(row, "room")?)?,
            message: get(row, "line")?,
            player: parse(row, "player", "reports")?,
            reason: get(row, "reason")?,
            at: Millis(get(row, "at")?),
        },
        author: parse(row, "author", "reports")?,
        name: get(row, "name")?,
        messages: messages.into_iter().map(ReportedMessage::message).collect::<Result<_>>()?,
    })
}
