use adoube_store::{
    Cursor, Game, GameFilter, Invitation, ListedGame, Match, MatchedGame, PlayerNames, Result, RunningGame,
    StoredEvent,
};
use adoube_vocabulary::{
    Color, CommandId, GameId, InvitationToken, ListState, MatchId, Millis, PlayerId, Version,
};
use sqlx::{Row as _, SqlitePool, sqlite::SqliteRow};

use crate::{
    error::translate,
    text::{color, get, parse, phase, result, version},
};

/// Converts a version to an SQLite integer, which is signed. No log grows long enough to overflow it.
fn version_as_i64(version: Version) -> i64 {
    i64::try_from(version.0).unwrap_or(i64::MAX)
}

fn game_from(row: &SqliteRow) -> Result<Game> {
    Ok(Game {
        id: parse(row, "id", "games")?,
        version: version(row, "games")?,
        created_at: Millis(get(row, "created_at")?),
        updated_at: Millis(get(row, "updated_at")?),
        variant: get(row, "variant")?,
        phase: phase(get(row, "phase")?)?,
        turn: get::<Option<&str>>(row, "turn")?.map(|text| color(text, "games")).transpose()?,
        result: get::<Option<&str>>(row, "result")?.map(result).transpose()?,
        deadline: get::<Option<i64>>(row, "deadline")?.map(Millis),
        summary: get(row, "summary")?,
    })
}

fn listed_from(row: &SqliteRow, color: Option<Color>) -> Result<ListedGame> {
    let names = PlayerNames { white: get(row, "white_name")?, black: get(row, "black_name")? };
    Ok(ListedGame { game: game_from(row)?, names, color })
}

pub(crate) async fn game(readers: &SqlitePool, id: &GameId) -> Result<Option<Game>> {
    let row = sqlx::query(
        "SELECT id, version, created_at, updated_at, variant, phase, turn, result, deadline, summary FROM games \
         WHERE id = ?",
    )
    .bind(id.as_str())
    .fetch_optional(readers)
    .await
    .map_err(translate)?;
    row.as_ref().map(game_from).transpose()
}

pub(crate) async fn is_public(readers: &SqlitePool, id: &GameId) -> Result<bool> {
    let row = sqlx::query("SELECT public FROM games WHERE id = ?")
        .bind(id.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.map_or(Ok(false), |row| get(&row, "public"))
}

pub(crate) async fn events(readers: &SqlitePool, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
    let rows =
        sqlx::query("SELECT version, at, body FROM events WHERE game = ? AND version > ? ORDER BY version")
            .bind(id.as_str())
            .bind(version_as_i64(after))
            .fetch_all(readers)
            .await
            .map_err(translate)?;
    let event = |row: &SqliteRow| {
        Ok(StoredEvent {
            version: version(row, "events")?,
            at: Millis(get(row, "at")?),
            body: get(row, "body")?,
        })
    };
    rows.iter().map(event).collect()
}

pub(crate) async fn command(
    readers: &SqlitePool,
    player: &PlayerId,
    command: CommandId,
) -> Result<Option<String>> {
    let row = sqlx::query("SELECT answer FROM commands WHERE player = ? AND id = ?")
        .bind(player.as_str())
        .bind(command.0.as_bytes().as_slice())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.map(|row| row.try_get("answer")).transpose().map_err(translate)
}

pub(crate) async fn invitation(readers: &SqlitePool, token: &InvitationToken) -> Result<Option<Invitation>> {
    let row = sqlx::query("SELECT game FROM invitations WHERE token = ?")
        .bind(token.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Invitation { token: token.clone(), game: parse(&row, "game", "invitations")? }))
}

/// One fixed statement for each list; only values are bound. A page of a player's list begins after ?3, a
/// value of the column that the list is ordered by; ?4 breaks ties.
macro_rules! listed {
    (of_player, $rest:literal) => {
        listed!(", mine.color AS mine_color FROM seats AS mine JOIN games ON games.id = mine.game", $rest)
    };
    ($from:literal, $rest:literal) => {
        concat!(
            "SELECT games.id, version, games.created_at, updated_at, variant, phase, turn, result, deadline, \
             summary, white_account.name AS white_name, black_account.name AS black_name",
            $from,
            " LEFT JOIN seats AS white ON white.game = games.id AND white.color = 'white' \
             LEFT JOIN accounts AS white_account ON white_account.player = white.player \
             LEFT JOIN seats AS black ON black.game = games.id AND black.color = 'black' \
             LEFT JOIN accounts AS black_account ON black_account.player = black.player ",
            $rest
        )
    };
}

const MINE: &str = listed!(
    of_player,
    "WHERE mine.player = ?1 AND (?2 IS NULL OR variant = ?2) \
     AND (?3 IS NULL OR (games.created_at, games.id) < (?3, ?4)) \
     ORDER BY games.created_at DESC, games.id DESC LIMIT ?5"
);
const WAITING: &str = listed!(
    of_player,
    "WHERE mine.player = ?1 AND (?2 IS NULL OR variant = ?2) AND phase = 'playing' AND turn = mine.color \
     AND (?3 IS NULL OR (coalesce(deadline, 9223372036854775807), games.id) > (?3, ?4)) \
     ORDER BY coalesce(deadline, 9223372036854775807), games.id LIMIT ?5"
);
const PLAYING: &str = listed!(
    of_player,
    "WHERE mine.player = ?1 AND (?2 IS NULL OR variant = ?2) AND phase <> 'over' \
     AND (?3 IS NULL OR (updated_at, games.id) < (?3, ?4)) \
     ORDER BY updated_at DESC, games.id DESC LIMIT ?5"
);
const FINISHED: &str = listed!(
    of_player,
    "WHERE mine.player = ?1 AND (?2 IS NULL OR variant = ?2) AND phase = 'over' \
     AND (?3 IS NULL OR (updated_at, games.id) < (?3, ?4)) \
     ORDER BY updated_at DESC, games.id DESC LIMIT ?5"
);
const PUBLIC: &str =
    listed!(" FROM games", "WHERE public = 1 AND phase = 'playing' ORDER BY games.created_at DESC LIMIT ?1");

pub(crate) async fn games_of(readers: &SqlitePool, filter: &GameFilter) -> Result<Vec<ListedGame>> {
    let statement = match filter.state {
        ListState::Mine => MINE,
        ListState::Waiting => WAITING,
        ListState::Playing => PLAYING,
        ListState::Finished => FINISHED,
    };
    let rows = sqlx::query(statement)
        .bind(filter.player.as_str())
        .bind(filter.variant.as_deref())
        .bind(filter.after.as_ref().map(|cursor| cursor.at.0))
        .bind(filter.after.as_ref().map(|cursor| cursor.game.as_str()))
        .bind(filter.limit)
        .fetch_all(readers)
        .await
        .map_err(translate)?;
    rows.iter().map(|row| listed_from(row, Some(color(get(row, "mine_color")?, "seats")?))).collect()
}

pub(crate) async fn public(readers: &SqlitePool, limit: u32) -> Result<Vec<ListedGame>> {
    let rows = sqlx::query(PUBLIC).bind(limit).fetch_all(readers).await.map_err(translate)?;
    rows.iter().map(|row| listed_from(row, None)).collect()
}

pub(crate) async fn awaiting_machine(
    readers: &SqlitePool,
    after: Option<&Cursor>,
    limit: u32,
) -> Result<Vec<Cursor>> {
    let rows = sqlx::query(
        "SELECT id, updated_at FROM games WHERE awaits_machine IS NOT NULL \
         AND (?1 IS NULL OR (updated_at, id) > (?1, ?2)) ORDER BY updated_at, id LIMIT ?3",
    )
    .bind(after.map(|cursor| cursor.at.0))
    .bind(after.map(|cursor| cursor.game.as_str()))
    .bind(limit)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    let cursor = |row| Ok(Cursor { at: Millis(get(row, "updated_at")?), game: parse(row, "id", "games")? });
    rows.iter().map(cursor).collect()
}

pub(crate) async fn running(readers: &SqlitePool) -> Result<Vec<RunningGame>> {
    let rows = sqlx::query("SELECT id, deadline, updated_at FROM games WHERE deadline IS NOT NULL")
        .fetch_all(readers)
        .await
        .map_err(translate)?;
    rows.iter().map(running_from).collect()
}

pub(crate) async fn due(
    readers: &SqlitePool,
    after: Option<&Cursor>,
    until: Millis,
    limit: u32,
) -> Result<Vec<RunningGame>> {
    let rows = sqlx::query(
        "SELECT id, deadline, updated_at FROM games WHERE deadline <= ?1 \
         AND (?2 IS NULL OR (deadline, id) > (?2, ?3)) ORDER BY deadline, id LIMIT ?4",
    )
    .bind(until.0)
    .bind(after.map(|cursor| cursor.at.0))
    .bind(after.map(|cursor| cursor.game.as_str()))
    .bind(limit)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    rows.iter().map(running_from).collect()
}

fn running_from(row: &SqliteRow) -> Result<RunningGame> {
    Ok(RunningGame {
        id: parse(row, "id", "games")?,
        deadline: Millis(get(row, "deadline")?),
        updated_at: Millis(get(row, "updated_at")?),
    })
}

pub(crate) async fn the_match(readers: &SqlitePool, id: &MatchId) -> Result<Option<Match>> {
    let row = sqlx::query("SELECT body FROM matches WHERE id = ?")
        .bind(id.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.map(|row| Ok(Match { id: id.clone(), body: get(&row, "body")? })).transpose()
}

pub(crate) async fn games_of_match(readers: &SqlitePool, id: &MatchId) -> Result<Vec<MatchedGame>> {
    let rows = sqlx::query(
        "SELECT id, match_number, result FROM games WHERE match_id = ? ORDER BY match_number, created_at",
    )
    .bind(id.as_str())
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    let game = |row: &SqliteRow| {
        Ok(MatchedGame {
            id: parse(row, "id", "games")?,
            number: get(row, "match_number")?,
            result: get::<Option<&str>>(row, "result")?.map(result).transpose()?,
        })
    };
    rows.iter().map(game).collect()
}

pub(crate) async fn check(readers: &SqlitePool) -> Result<()> {
    sqlx::query("SELECT 1").execute(readers).await.map_err(translate).map(|_| ())
}
