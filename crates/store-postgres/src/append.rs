//! Appends to many games in a few statements.
//!
//! The appends in a group are passed as arrays, so the number of statements does not depend on the number of
//! turns:
//!
//! | function | statements | round trips |
//! |---|---|---|
//! | [`append_in_one_statement`] | one, which is its own transaction | 1 |
//! | [`append_all`] | three: lock, look up receipts, write; between `BEGIN` and `COMMIT` | 5 |
//!
//! The first one writes the simple cases, which are nearly all of them; the second one handles the rest. Both
//! lock the rows of the games in order of id and, for a group, skip rows that another transaction has locked.
//! Therefore neither a deadlock nor a node that is suspended inside a transaction can delay the other games.
//! An append whose game was skipped is retried on its own, and waits for the lock ([`AppendOne`]).

use std::collections::HashMap;

use adoube_store::{
    Append, Appended, Result, StoreError,
    chain::{self, Head},
};
use adoube_vocabulary::Version;
use sqlx::postgres::PgConnection;
use uuid::Uuid;

use crate::{
    database::Change,
    error::translate,
    text::{color_text, get, phase_text, result_text, version_as_i64},
};

/// The outcome of an append in a group.
#[derive(Clone, Debug)]
pub(crate) enum AppendOutcome {
    Ended(Appended),
    /// Another transaction had locked the game. Its version was not checked, and nothing was written.
    Locked,
}

/// Returns the values that two appends in one call must not share, because the second would not see the
/// effect of the first.
pub(crate) fn keys(append: &Append) -> (&str, Option<(&str, Uuid)>) {
    (append.game.as_str(), append.command.as_ref().map(|command| (command.player.as_str(), command.id.0)))
}

/// Whether to wait for games that another transaction has locked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Wait {
    Yes,
    No,
}

/// The maximum number of events in an append by [`append_in_one_statement`]: a turn and the end of the game.
const MAX_EVENTS_IN_ONE_STATEMENT: usize = 2;

/// The assignments to the columns of `games` that an append changes, from the row `asked`.
macro_rules! changed_columns {
    () => {
        "version = asked.version, updated_at = greatest(games.updated_at, asked.at), phase = asked.phase, turn = asked.turn, \
         result = asked.result, deadline = asked.deadline, awaits_machine = asked.machine, summary = asked.summary, \
         chain = asked.chain"
    };
}

/// One statement that locks games, and changes those that have the expected version and whose command has no
/// receipt.
///
/// It sees a snapshot from before the locks; only the rows that it locks are read again. A receipt that the
/// lock's previous holder has just written may therefore be missing. In that case the version is not the
/// expected one, because a caller that expects a version has read it after the receipts of all earlier
/// appends were committed. The update must not compare versions itself, because it would see the ones in the
/// snapshot.
macro_rules! append_statement {
    ($skip:literal) => {
        concat!(
            "WITH locked AS MATERIALIZED (\
                 SELECT asked.*, games.version AS found, games.chain AS head, commands.answer AS earlier \
                 FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::smallint[], \
                     $8::text[], $9::text[], $10::uuid[], $11::text[], $12::bigint[], $13::bytea[], $14::text[], \
                     $15::bigint[], $16::bytea[], $17::text[]) \
                     AS asked (game, based_on, phase, turn, result, deadline, machine, summary, player, command, answer, \
                         first_at, first_prefix, first_body, second_at, second_prefix, second_body) \
                 JOIN games ON games.id = asked.game \
                 LEFT JOIN commands ON commands.player = asked.player AND commands.id = asked.command \
                 ORDER BY games.id FOR NO KEY UPDATE OF games",
            $skip,
            "), asked AS MATERIALIZED (\
                 SELECT locked.*, based_on + CASE WHEN second_body IS NULL THEN 1 ELSE 2 END AS version, \
                     coalesce(second_at, first_at) AS at, \
                     CASE WHEN second_body IS NULL THEN first_head \
                         ELSE sha256(first_head || second_prefix || convert_to(second_body, 'UTF8')) END AS chain \
                 FROM locked \
                 CROSS JOIN LATERAL sha256(head || first_prefix || convert_to(first_body, 'UTF8')) AS first_head \
                 WHERE found = based_on AND earlier IS NULL), \
             changed AS (UPDATE games SET ",
            changed_columns!(),
            " FROM asked WHERE games.id = asked.game), \
             added AS (\
                 INSERT INTO events (game, version, at, body) \
                 SELECT game, based_on + 1, first_at, first_body FROM asked \
                 UNION ALL \
                 SELECT game, based_on + 2, second_at, second_body FROM asked WHERE second_body IS NOT NULL), \
             answered AS (\
                 INSERT INTO commands (player, id, game, answer) \
                 SELECT player, command, game, answer FROM asked WHERE player IS NOT NULL ORDER BY player, command) \
             SELECT game, found, earlier FROM locked"
        )
    };
}

/// Returns `true` if [`append_in_one_statement`] accepts the append.
pub(crate) fn supports_append_in_one_statement(append: &Append) -> bool {
    (1..=MAX_EVENTS_IN_ONE_STATEMENT).contains(&append.events.len()) && append.seats.is_empty()
}

/// Appends to distinct games, for distinct commands, in one statement. Returns the outcome of each, in order;
/// `None` for one that was not written and is left to [`append_all`].
///
/// Without a transaction around it, the statement is committed when it ends. If it fails, nothing was
/// written, unless the connection was lost.
pub(crate) async fn append_in_one_statement(
    connection: &mut PgConnection,
    appends: &[&Append],
    wait: Wait,
) -> Result<Vec<Option<Appended>>> {
    let statement = match wait {
        Wait::Yes => append_statement!(""),
        Wait::No => append_statement!(" SKIP LOCKED"),
    };
    let each = || appends.iter();
    let commands = || each().map(|append| append.command.as_ref());
    let event = |number: usize| {
        appends.iter().map(move |append| {
            let version = version_as_i64(append.based_on) + 1 + number as i64;
            append.events.get(number).map(|event| (version, event.at.0, event.body.as_str()))
        })
    };
    let at = |number| event(number).map(|event| event.map(|(_, at, _)| at)).collect::<Vec<_>>();
    let prefix = |number| {
        event(number)
            .map(|event| event.map(|(version, at, body)| chain::prefix(version, at, body).to_vec()))
            .collect::<Vec<_>>()
    };
    let body = |number| event(number).map(|event| event.map(|(_, _, body)| body)).collect::<Vec<_>>();
    let rows = sqlx::query(statement)
        .bind(each().map(|append| append.game.as_str()).collect::<Vec<_>>())
        .bind(each().map(|append| version_as_i64(append.based_on)).collect::<Vec<_>>())
        .bind(each().map(|append| phase_text(append.read_model.phase)).collect::<Vec<_>>())
        .bind(each().map(|append| append.read_model.turn.map(color_text)).collect::<Vec<_>>())
        .bind(each().map(|append| append.read_model.result.map(result_text)).collect::<Vec<_>>())
        .bind(each().map(|append| append.read_model.deadline.map(|deadline| deadline.0)).collect::<Vec<_>>())
        .bind(
            each()
                .map(|append| append.read_model.awaits_machine.map(|level| i16::from(level.get())))
                .collect::<Vec<_>>(),
        )
        .bind(each().map(|append| append.read_model.summary.as_str()).collect::<Vec<_>>())
        .bind(commands().map(|command| command.map(|command| command.player.as_str())).collect::<Vec<_>>())
        .bind(commands().map(|command| command.map(|command| command.id.0)).collect::<Vec<_>>())
        .bind(commands().map(|command| command.map(|command| command.answer.as_str())).collect::<Vec<_>>())
        .bind(at(0))
        .bind(prefix(0))
        .bind(body(0))
        .bind(at(1))
        .bind(prefix(1))
        .bind(body(1))
        .fetch_all(connection)
        .await
        .map_err(translate)?;
    let mut found = HashMap::with_capacity(rows.len());
    for row in &rows {
        let game: &str = get(row, "game")?;
        found.insert(game, (get::<i64>(row, "found")?, get::<Option<String>>(row, "earlier")?));
    }
    let outcome = |append: &&Append| match found.remove(append.game.as_str())? {
        (_, Some(answer)) => Some(Appended::Repeated(answer)),
        (version, None) if version == version_as_i64(append.based_on) => {
            Some(Appended::Done(Version(append.based_on.0 + append.events.len() as u64)))
        }
        _ => None,
    };
    Ok(appends.iter().map(outcome).collect())
}

/// An append that can be written, and the head of the game's chain after it.
type WritableAppend<'a> = (&'a Append, Head);

/// Appends to distinct games, for distinct commands. Returns the outcome of each, in order.
pub(crate) async fn append_all(
    connection: &mut PgConnection,
    appends: &[&Append],
    wait: Wait,
) -> Result<Vec<AppendOutcome>> {
    let locked = lock(connection, appends, wait).await?;
    let outcomes = check(connection, appends, &locked).await?;
    let writable = appends.iter().zip(&outcomes).filter_map(|(append, outcome)| {
        let AppendOutcome::Ended(Appended::Done(_)) = outcome else { return None };
        let (_, head) = locked.get(append.game.as_str())?;
        Some((*append, chain::extend_all(*head, version_as_i64(append.based_on), &append.events)))
    });
    let writable = writable.collect::<Vec<_>>();
    if !writable.is_empty() {
        write(connection, &writable).await?;
    }
    Ok(outcomes)
}

/// Locks the games until the end of the transaction. Returns the versions and chain heads of the locked
/// games, which cannot change until then.
async fn lock(
    connection: &mut PgConnection,
    appends: &[&Append],
    wait: Wait,
) -> Result<HashMap<String, (i64, Head)>> {
    let statement = match wait {
        Wait::Yes => "SELECT id, version, chain FROM games WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        Wait::No => {
            "SELECT id, version, chain FROM games WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED"
        }
    };
    let games = appends.iter().map(|append| append.game.as_str()).collect::<Vec<_>>();
    let rows = sqlx::query(statement).bind(games).fetch_all(connection).await.map_err(translate)?;
    let mut locked = HashMap::with_capacity(rows.len());
    for row in rows {
        let head = chain::head(get(&row, "chain")?)?.unwrap_or_default();
        locked.insert(get(&row, "id")?, (get(&row, "version")?, head));
    }
    Ok(locked)
}

/// Decides which appends can be written. This is a separate statement, after the lock, so that it sees the
/// receipts that the lock's previous holder wrote: a repeated command is recognised even if another node has
/// only just carried it out.
async fn check(
    connection: &mut PgConnection,
    appends: &[&Append],
    locked: &HashMap<String, (i64, Head)>,
) -> Result<Vec<AppendOutcome>> {
    let commands = || appends.iter().map(|append| append.command.as_ref());
    let rows = sqlx::query(
        "SELECT commands.answer, EXISTS (SELECT 1 FROM games WHERE games.id = asked.game) AS is_there \
         FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY AS asked (game, player, command, number) \
         LEFT JOIN commands ON commands.player = asked.player AND commands.id = asked.command \
         ORDER BY asked.number",
    )
    .bind(appends.iter().map(|append| append.game.as_str()).collect::<Vec<_>>())
    .bind(commands().map(|command| command.map(|command| command.player.as_str())).collect::<Vec<_>>())
    .bind(commands().map(|command| command.map(|command| command.id.0)).collect::<Vec<_>>())
    .fetch_all(connection)
    .await
    .map_err(translate)?;
    let outcome = |(append, row): (&&Append, &_)| {
        let answer: Option<String> = get(row, "answer")?;
        let is_there: bool = get(row, "is_there")?;
        let found = locked.get(append.game.as_str()).map(|(version, _)| *version);
        Ok(match (answer, found) {
            (Some(answer), _) => AppendOutcome::Ended(Appended::Repeated(answer)),
            (None, None) if is_there => AppendOutcome::Locked,
            (None, None) => AppendOutcome::Ended(Appended::Missing),
            (None, Some(found)) if found != version_as_i64(append.based_on) => {
                AppendOutcome::Ended(Appended::Conflict(Version(found.unsigned_abs())))
            }
            (None, Some(found)) => AppendOutcome::Ended(Appended::Done(Version(
                found.unsigned_abs() + append.events.len() as u64,
            ))),
        })
    };
    appends.iter().zip(&rows).map(outcome).collect()
}

/// Writes games, events, receipts and seats. The rows are locked, so the condition on the version is only a
/// safeguard.
async fn write(connection: &mut PgConnection, writable: &[WritableAppend<'_>]) -> Result<()> {
    let each = || writable.iter().map(|(append, _)| *append);
    let after = |append: &Append| version_as_i64(append.based_on) + append.events.len() as i64;
    let events = || {
        each().flat_map(|append| {
            (append.based_on.0 + 1..).zip(&append.events).map(move |event| (append, event))
        })
    };
    let commands = || each().filter_map(|append| Some((append, append.command.as_ref()?)));
    let seats = || each().flat_map(|append| append.seats.iter().map(move |seat| (append, seat)));
    let row = sqlx::query(
        concat!("WITH changed AS (UPDATE games SET ", changed_columns!(), " \
             FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[], \
                 $9::smallint[], $10::text[], $11::bytea[]) \
                 AS asked (id, based_on, version, at, phase, turn, result, deadline, machine, summary, chain) \
             WHERE games.id = asked.id AND games.version = asked.based_on RETURNING games.id), \
         added AS (\
             INSERT INTO events (game, version, at, body) \
             SELECT game, version, at, body FROM unnest($12::text[], $13::bigint[], $14::bigint[], $15::text[]) \
                 AS asked (game, version, at, body)), \
         answered AS (\
             INSERT INTO commands (player, id, game, answer) \
             SELECT player, id, game, answer FROM unnest($16::text[], $17::uuid[], $18::text[], $19::text[]) \
                 AS asked (player, id, game, answer) ORDER BY player, id), \
         seated AS (\
             INSERT INTO seats (player, game, color) \
             SELECT player, game, color FROM unnest($20::text[], $21::text[], $22::text[]) AS asked (player, game, color)) \
         SELECT count(*) AS changed FROM changed"),
    )
    .bind(each().map(|append| append.game.as_str()).collect::<Vec<_>>())
    .bind(each().map(|append| version_as_i64(append.based_on)).collect::<Vec<_>>())
    .bind(each().map(after).collect::<Vec<_>>())
    .bind(each().map(|append| append.events.last().map(|event| event.at.0)).collect::<Vec<_>>())
    .bind(each().map(|append| phase_text(append.read_model.phase)).collect::<Vec<_>>())
    .bind(each().map(|append| append.read_model.turn.map(color_text)).collect::<Vec<_>>())
    .bind(each().map(|append| append.read_model.result.map(result_text)).collect::<Vec<_>>())
    .bind(each().map(|append| append.read_model.deadline.map(|deadline| deadline.0)).collect::<Vec<_>>())
    .bind(each().map(|append| append.read_model.awaits_machine.map(|level| i16::from(level.get()))).collect::<Vec<_>>())
    .bind(each().map(|append| append.read_model.summary.as_str()).collect::<Vec<_>>())
    .bind(writable.iter().map(|(_, head)| head.as_slice()).collect::<Vec<_>>())
    .bind(events().map(|(append, _)| append.game.as_str()).collect::<Vec<_>>())
    .bind(events().map(|(_, (version, _))| version_as_i64(Version(version))).collect::<Vec<_>>())
    .bind(events().map(|(_, (_, event))| event.at.0).collect::<Vec<_>>())
    .bind(events().map(|(_, (_, event))| event.body.as_str()).collect::<Vec<_>>())
    .bind(commands().map(|(_, command)| command.player.as_str()).collect::<Vec<_>>())
    .bind(commands().map(|(_, command)| command.id.0).collect::<Vec<_>>())
    .bind(commands().map(|(append, _)| append.game.as_str()).collect::<Vec<_>>())
    .bind(commands().map(|(_, command)| command.answer.as_str()).collect::<Vec<_>>())
    .bind(seats().map(|(_, seat)| seat.player.as_str()).collect::<Vec<_>>())
    .bind(seats().map(|(append, _)| append.game.as_str()).collect::<Vec<_>>())
    .bind(seats().map(|(_, seat)| color_text(seat.color)).collect::<Vec<_>>())
    .fetch_one(connection)
    .await
    .map_err(translate)?;
    let changed: i64 = get(&row, "changed")?;
    if changed != writable.len() as i64 {
        return Err(StoreError::Statement { source: "a game changed although it was locked".into() });
    }
    Ok(())
}

/// A single append, which waits for the lock on its game.
pub(crate) struct AppendOne(pub(crate) Append);

impl Change for AppendOne {
    type Output = Appended;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Appended> {
        if supports_append_in_one_statement(&self.0)
            && let Some(Some(appended)) =
                append_in_one_statement(connection, &[&self.0], Wait::Yes).await?.pop()
        {
            return Ok(appended);
        }
        match append_all(connection, &[&self.0], Wait::Yes).await?.pop() {
            Some(AppendOutcome::Ended(appended)) => Ok(appended),
            // The game was added after `append_all` had tried to lock it.
            Some(AppendOutcome::Locked) | None => {
                Err(StoreError::Unreachable { source: "the game is being added".into() })
            }
        }
    }
}
