use adoube_protocol::{ChatRoom, GameId, Millis, PlayerId};
use adoube_store::{Line, Result};
use sqlx::{SqlitePool, sqlite::SqliteRow};

use crate::{
    error::translate,
    text::{color, get, parse, room, room_text},
};

fn line_from(row: &SqliteRow) -> Result<Line> {
    Ok(Line {
        id: get(row, "id")?,
        room: room(get(row, "room")?)?,
        player: parse(row, "player", "chat")?,
        name: get(row, "name")?,
        color: get::<Option<&str>>(row, "color")?.map(|text| color(text, "chat")).transpose()?,
        text: get(row, "text")?,
        at: Millis(get(row, "at")?),
    })
}

pub(crate) async fn lines(
    readers: &SqlitePool,
    game: &GameId,
    room: ChatRoom,
    limit: u32,
) -> Result<Vec<Line>> {
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
    rows.iter().rev().map(line_from).collect()
}

pub(crate) async fn lines_of(
    readers: &SqlitePool,
    player: &PlayerId,
    after: i64,
    limit: u32,
) -> Result<Vec<(GameId, Line)>> {
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
    rows.iter().map(|row| Ok((parse(row, "game", "chat")?, line_from(row)?))).collect()
}
