//! Appends the events of many games in a few statements.
//!
//! sqlx hands each statement over to another thread, which costs more than SQLite's own work for one turn.
//! Therefore each statement handles many appends, passed to it as the elements of one JSON array. Four
//! statements suffice for any number of turns; each new seat takes one more.

use adoube_store::{Append, Appended, Result};
use adoube_vocabulary::{Level, Version};
use serde::Serialize;
use sqlx::{Row as _, sqlite::SqliteConnection};
use uuid::fmt::Simple;

use super::games::add_seats;
use crate::{
    chain::{self, Head},
    error::translate,
    text::{color_text, phase_text, result_text},
};

/// An append that can be applied, with its game's version and chain head afterwards.
type WritableAppend<'a> = (&'a Append, Version, Option<Head>);

/// The keys that are looked up for an append.
#[derive(Serialize)]
struct LookupRow<'a> {
    game: &'a str,
    player: Option<&'a str>,
    command: Option<Simple>,
}

#[derive(Serialize)]
struct GameRow<'a> {
    id: &'a str,
    version: u64,
    at: Option<i64>,
    phase: &'static str,
    turn: Option<&'static str>,
    result: Option<&'static str>,
    deadline: Option<i64>,
    machine: Option<u8>,
    summary: &'a str,
    chain: Option<String>,
}

#[derive(Serialize)]
struct EventRow<'a> {
    game: &'a str,
    version: u64,
    at: i64,
    body: &'a str,
}

#[derive(Serialize)]
struct CommandRow<'a> {
    player: &'a str,
    id: Simple,
    game: &'a str,
    answer: &'a str,
}

/// Returns the game and the command of an append. Two appends in one call must not share either, because the
/// second would not see the effect of the first.
pub(crate) fn keys(append: &Append) -> (&str, Option<(&str, uuid::Uuid)>) {
    (append.game.as_str(), append.command.as_ref().map(|command| (command.player.as_str(), command.id.0)))
}

/// Applies appends with different games and different commands. Returns their outcomes in the same order.
pub(crate) async fn append_all(
    connection: &mut SqliteConnection,
    appends: &[&Append],
) -> Result<Vec<Appended>> {
    let outcomes = decide(connection, appends).await?;
    let done: Vec<_> = appends
        .iter()
        .zip(&outcomes)
        .filter_map(|(append, (outcome, head))| match outcome {
            Appended::Done(version) => Some((*append, *version, *head)),
            _ => None,
        })
        .collect();
    let outcomes = outcomes.iter().map(|(outcome, _)| outcome.clone()).collect();
    if done.is_empty() {
        return Ok(outcomes);
    }
    update_games(connection, &done).await?;
    add_events(connection, &done).await?;
    add_commands(connection, &done).await?;
    for (append, ..) in &done {
        add_seats(connection, &append.game, &append.seats).await?;
    }
    Ok(outcomes)
}

/// Decides which appends can be applied. The versions read here remain valid until the commit, because only
/// one task writes, and its transaction took the write lock when it began.
///
/// Each outcome comes with the head of the game's chain after the append.
async fn decide(
    connection: &mut SqliteConnection,
    appends: &[&Append],
) -> Result<Vec<(Appended, Option<Head>)>> {
    let rows = appends.iter().map(|append| {
        let command = append.command.as_ref();
        LookupRow {
            game: append.game.as_str(),
            player: command.map(|command| command.player.as_str()),
            command: command.map(|command| command.id.0.simple()),
        }
    });
    let found = sqlx::query(
        "SELECT games.version, games.chain, commands.answer FROM json_each(?) AS asked \
         LEFT JOIN games ON games.id = asked.value ->> 'game' \
         LEFT JOIN commands ON commands.player = asked.value ->> 'player' \
             AND commands.id = unhex(asked.value ->> 'command') \
         ORDER BY asked.key",
    )
    .bind(text(rows)?)
    .fetch_all(&mut *connection)
    .await
    .map_err(translate)?;
    let outcome = |(append, row): (&&Append, sqlx::sqlite::SqliteRow)| {
        let version: Option<i64> = row.try_get("version").map_err(translate)?;
        let answer: Option<String> = row.try_get("answer").map_err(translate)?;
        let head = chain::head(row.try_get("chain").map_err(translate)?)?;
        let outcome = match (answer, version) {
            (Some(answer), _) => Appended::Repeated(answer),
            (None, None) => Appended::Missing,
            (None, Some(found)) if u64::try_from(found) != Ok(append.based_on.0) => {
                Appended::Conflict(Version(found.unsigned_abs()))
            }
            (None, Some(found)) => Appended::Done(Version(found.unsigned_abs() + append.events.len() as u64)),
        };
        // A game that an older version wrote without a chain gets one later, computed from all its events.
        let head = head.map(|head| chain::extend_all(head, version.unwrap_or_default(), &append.events));
        Ok((outcome, head))
    };
    appends.iter().zip(found).map(outcome).collect()
}

async fn update_games(connection: &mut SqliteConnection, done: &[WritableAppend<'_>]) -> Result<()> {
    let rows = done.iter().map(|(append, version, head)| GameRow {
        id: append.game.as_str(),
        version: version.0,
        at: append.events.last().map(|event| event.at.0),
        phase: phase_text(append.read_model.phase),
        turn: append.read_model.turn.map(color_text),
        result: append.read_model.result.map(result_text),
        deadline: append.read_model.deadline.map(|deadline| deadline.0),
        machine: append.read_model.awaits_machine.map(Level::get),
        summary: &append.read_model.summary,
        chain: head.map(hex),
    });
    // Every row exists, so nothing is inserted. With `UPDATE … FROM`, SQLite would scan the list once for
    // each game, instead of scanning it once and looking up its games.
    sqlx::query(
        "INSERT INTO games \
             (id, version, created_at, updated_at, phase, turn, result, deadline, awaits_machine, summary, chain) \
         SELECT value ->> 'id', value ->> 'version', 0, coalesce(value ->> 'at', 0), value ->> 'phase', \
             value ->> 'turn', value ->> 'result', value ->> 'deadline', value ->> 'machine', value ->> 'summary', unhex(value ->> 'chain') \
         FROM json_each(?) WHERE true \
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, \
             updated_at = max(updated_at, excluded.updated_at), phase = excluded.phase, \
             turn = excluded.turn, result = excluded.result, deadline = excluded.deadline, awaits_machine = excluded.awaits_machine, summary = excluded.summary, \
             chain = excluded.chain",
    )
    .bind(text(rows)?)
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    Ok(())
}

async fn add_events(connection: &mut SqliteConnection, done: &[WritableAppend<'_>]) -> Result<()> {
    let rows = done.iter().flat_map(|(append, ..)| {
        (append.based_on.0 + 1..).zip(&append.events).map(|(version, event)| EventRow {
            game: append.game.as_str(),
            version,
            at: event.at.0,
            body: &event.body,
        })
    });
    sqlx::query(
        "INSERT INTO events (game, version, at, body) \
         SELECT value ->> 'game', value ->> 'version', value ->> 'at', value ->> 'body' FROM json_each(?)",
    )
    .bind(text(rows)?)
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    Ok(())
}

async fn add_commands(connection: &mut SqliteConnection, done: &[WritableAppend<'_>]) -> Result<()> {
    let rows = done.iter().filter_map(|(append, ..)| {
        let command = append.command.as_ref()?;
        Some(CommandRow {
            player: command.player.as_str(),
            id: command.id.0.simple(),
            game: append.game.as_str(),
            answer: &command.answer,
        })
    });
    sqlx::query(
        "INSERT INTO commands (player, id, game, answer) \
         SELECT value ->> 'player', unhex(value ->> 'id'), value ->> 'game', value ->> 'answer' \
         FROM json_each(?)",
    )
    .bind(text(rows)?)
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    Ok(())
}

/// Returns rows as a JSON array of objects.
fn text(rows: impl Iterator<Item = impl Serialize>) -> Result<String> {
    serde_json::to_string(&rows.collect::<Vec<_>>())
        .map_err(|error| translate(sqlx::Error::Encode(error.into())))
}

fn hex(head: Head) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |half: u8| DIGITS.get(usize::from(half)).copied().unwrap_or_default();
    head.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
