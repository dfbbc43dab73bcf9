use adoube_store::{CONTEXT_MESSAGES, ChatAdded, NewChatMessage, NewReport, Result};

use crate::{
    database::Database,
    text::{color_text, get, room_text},
};

pub(crate) async fn add_message(database: &Database, new: &NewChatMessage) -> Result<ChatAdded> {
    let added = database
        .fetch_optional(
            sqlx::query(
                "INSERT INTO chat (game, room, player, command, color, text, at) VALUES ($1, $2, $3, $4, $5, $6, $7) \
                 ON CONFLICT (player, command) DO NOTHING RETURNING id",
            )
            .bind(new.game.as_str())
            .bind(room_text(new.room))
            .bind(new.player.as_str())
            .bind(new.command.0)
            .bind(new.color.map(color_text))
            .bind(&new.text)
            .bind(new.at.0),
        )
        .await?;
    if let Some(row) = added {
        return Ok(ChatAdded::New(get(&row, "id")?));
    }
    let same = database
        .fetch_optional(
            sqlx::query(
                "SELECT 1 FROM chat WHERE player = $1 AND command = $2 AND game = $3 AND room = $4 AND text = $5",
            )
            .bind(new.player.as_str())
            .bind(new.command.0)
            .bind(new.game.as_str())
            .bind(room_text(new.room))
            .bind(&new.text),
        )
        .await?;
    Ok(if same.is_some() { ChatAdded::Repeated } else { ChatAdded::CommandReused })
}

pub(crate) async fn add_report(database: &Database, report: &NewReport) -> Result<bool> {
    // The neighbouring messages are stored with the report, because a single message is hard to judge, and
    // the others may be deleted.
    let count = database
        .execute(
            sqlx::query(
                "INSERT INTO reports (line, player, game, room, reason, author, name, said, at) \
                 SELECT line.id, $3, line.game, line.room, $4, line.player, accounts.name, \
                     (SELECT jsonb_agg(jsonb_build_object('id', near.id, 'room', near.room, 'player', near.player, \
                         'color', near.color, 'text', near.text, 'at', near.at) ORDER BY near.id) \
                      FROM ((SELECT * FROM chat WHERE game = line.game AND room = line.room AND id <= line.id \
                               ORDER BY id DESC LIMIT $6 + 1) \
                          UNION ALL \
                            (SELECT * FROM chat WHERE game = line.game AND room = line.room AND id > line.id \
                               ORDER BY id LIMIT $6)) AS near), $5 \
                 FROM chat AS line LEFT JOIN accounts ON accounts.player = line.player \
                 WHERE line.id = $1 AND line.game = $2 AND line.room = $7 \
                 ON CONFLICT (line, player) DO UPDATE SET reason = reports.reason",
            )
            .bind(report.message)
            .bind(report.game.as_str())
            .bind(report.player.as_str())
            .bind(&report.reason)
            .bind(report.at.0)
            .bind(i64::from(CONTEXT_MESSAGES))
            .bind(room_text(report.room)),
        )
        .await?;
    Ok(count > 0)
}
