//! Compares the source and the target after a copy, without relying on the code that writes the copy.

use std::{cmp::Ordering, fmt::Write as _};

use futures_util::future::try_join;
use sha2::{Digest as _, Sha256};

use super::{
    Copied, CopyError, EVENTS, GAMES, Numbers, Progress, Reader, Result, Row, Step, TABLES, Table, Value,
    cursor::{Cursor, Merge, Pair},
    value::format_key,
};
use crate::chain::{self, Head};

/// The maximum number of games to name in a message.
const MAX_NAMED_GAMES: usize = 5;

pub(super) async fn compare(
    source: &mut dyn Reader,
    target: &mut dyn Reader,
    copied: &mut Copied,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<()> {
    let total = {
        let mut total = source.count(&EVENTS).await?;
        for table in TABLES {
            total += source.count(table).await?;
        }
        total
    };
    let mut differences = Vec::new();
    let mut done = 0;
    for table in TABLES {
        let (source_state, target_state) = try_join(digest(source, table), digest(target, table)).await?;
        done += source_state.0;
        report(Progress { step: Step::Comparing, table: table.name, done, total });
        if table.name == GAMES.name {
            copied.games = source_state.0;
        } else {
            copied.rows += source_state.0;
        }
        if source_state != target_state {
            let first = first_difference(source, target, table).await?;
            differences
                .push(format!("{} ({} and {} rows{first})", table.name, source_state.0, target_state.0));
        }
        if table.numbers == Numbers::Unique {
            let (source_state, target_state) =
                try_join(source.last_number(table), target.last_number(table)).await?;
            if source_state != target_state {
                differences.push(format!(
                    "the last number assigned in {} ({source_state} and {target_state})",
                    table.name
                ));
            }
        }
    }
    let mut report_logs = |events| {
        report(Progress { step: Step::Comparing, table: EVENTS.name, done: done + events, total });
    };
    let (events, logs) = compare_logs(source, target, &mut report_logs).await?;
    copied.events = events;
    differences.extend(logs);
    if differences.is_empty() {
        return Ok(());
    }
    let (from, to) = (source.location().to_owned(), target.location().to_owned());
    Err(CopyError::Differ { from, to, what: differences.join("; ") })
}

/// Returns the number of rows, and a digest of all rows in key order.
async fn digest(reader: &mut (impl Reader + ?Sized), table: &'static Table) -> Result<(u64, [u8; 32])> {
    let (mut count, mut hash) = (0, Sha256::new());
    let mut cursor = Cursor::new(table);
    loop {
        let page = cursor.next_page(reader).await?;
        if page.is_empty() {
            return Ok((count, hash.finalize().into()));
        }
        count += page.len() as u64;
        for row in &page {
            row.hash(&mut hash);
        }
    }
}

async fn first_difference(
    source: &mut dyn Reader,
    target: &mut dyn Reader,
    table: &'static Table,
) -> Result<String> {
    let mut merge = Merge::new(table);
    while let Some(pair) = merge.next(source, target).await? {
        let (what, key) = match &pair {
            Pair::Same(_) => continue,
            Pair::Missing(row) => ("missing", row.key(table.key)),
            Pair::Different(row) => ("different", row.key(table.key)),
            Pair::Extra(key) => ("extra", key.as_slice()),
        };
        // Keys that contain bytes are not shown, because most of them are hashes of tokens.
        let key = if key.iter().any(|value| matches!(value, Value::Bytes(_))) {
            String::new()
        } else {
            format_key(key)
        };
        return Ok(format!(", first {what}: {}", if key.is_empty() { "a token" } else { &key }));
    }
    Ok(String::new())
}

/// The log of a game: its length, and the head of its chain computed from the events.
#[derive(Debug, Eq, PartialEq)]
struct Log {
    game: String,
    events: u64,
    head: Head,
}

/// Reads the logs of all games, ordered by id.
struct Logs {
    events: Cursor,
    next: Option<Row>,
}

impl Logs {
    fn new() -> Self {
        Self { events: Cursor::new(&EVENTS), next: None }
    }

    async fn next(&mut self, reader: &mut (impl Reader + ?Sized)) -> Result<Option<Log>> {
        if self.next.is_none() {
            self.next = self.events.next(reader).await?;
        }
        let Some((game, ..)) = self.next.as_ref().and_then(event) else { return Ok(None) };
        let mut log = Log { game: game.to_owned(), events: 0, head: chain::begin(game) };
        while let Some((game, version, at, body)) = self.next.as_ref().and_then(event) {
            if game != log.game {
                break;
            }
            log.head = chain::extend(&log.head, version, at, body);
            log.events += 1;
            self.next = self.events.next(reader).await?;
        }
        Ok(Some(log))
    }
}

/// Returns the game, version, time and body of an event's row.
fn event(row: &Row) -> Option<(&str, i64, i64, &str)> {
    match row.0.as_slice() {
        [Value::Text(game), Value::Integer(version), Value::Integer(at), Value::Text(body)] => {
            Some((game, *version, *at, body))
        }
        _ => None,
    }
}

/// Compares the logs of the source and the target, and the source's logs with the heads stored with its
/// games. Returns the number of events and the differences.
async fn compare_logs(
    source: &mut dyn Reader,
    target: &mut dyn Reader,
    report: &mut (dyn FnMut(u64) + Send),
) -> Result<(u64, Vec<String>)> {
    let (mut source_logs, mut target_logs) = (Logs::new(), Logs::new());
    let (mut differing, mut damaged) = (Games::default(), Games::default());
    let mut games = Cursor::new(&GAMES);
    let (mut events, mut reported) = (0, 0);
    let (mut left, mut right) = try_join(source_logs.next(source), target_logs.next(target)).await?;
    loop {
        let order = match (&left, &right) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) => left.game.cmp(&right.game),
        };
        if left != right
            && let Some(log) = if order.is_le() { &left } else { &right }
        {
            differing.add(&log.game);
        }
        if order.is_le()
            && let Some(log) = &left
        {
            events += log.events;
            if !matches_game(source, &mut games, log, &mut damaged).await? {
                damaged.add(&log.game);
            }
        }
        (left, right) = match order {
            Ordering::Equal => try_join(source_logs.next(source), target_logs.next(target)).await?,
            Ordering::Less => (source_logs.next(source).await?, right),
            Ordering::Greater => (left, target_logs.next(target).await?),
        };
        if events - reported >= 1_000 {
            reported = events;
            report(events);
        }
    }
    while let Some(row) = games.next(source).await? {
        damaged.add_if_log_is_lost(&row);
    }
    report(events);
    let mut differences = Vec::new();
    if differing.count > 0 {
        differences.push(format!("the logs of {differing}"));
    }
    if damaged.count > 0 {
        differences.push(format!(
            "the logs of {damaged} in {} did not match their hashes even before the copy",
            source.location()
        ));
    }
    Ok((events, differences))
}

/// Returns `true` if a log has the length and the head that are stored with its game. Advances `games` past
/// that game. Skips games without a log, and adds those that should have one to `damaged`.
async fn matches_game(
    source: &mut dyn Reader,
    games: &mut Cursor,
    log: &Log,
    damaged: &mut Games,
) -> Result<bool> {
    while let Some(row) = games.peek(source).await? {
        let Some(Value::Text(id)) = row.0.first() else { return Ok(false) };
        let order = id.as_str().cmp(&log.game);
        if order.is_gt() {
            return Ok(false);
        }
        let Some(row) = games.next(source).await? else { return Ok(false) };
        if order.is_eq() {
            let version = Value::Integer(i64::try_from(log.events).unwrap_or(i64::MAX));
            let chain = GAMES.columns.iter().position(|column| column.name == "chain");
            let head = chain.and_then(|column| row.0.get(column));
            return Ok(row.0.get(1) == Some(&version) && head == Some(&Value::Bytes(log.head.to_vec())));
        }
        damaged.add_if_log_is_lost(&row);
    }
    Ok(false)
}

/// A list of games for a message. Names only the first few.
#[derive(Default)]
struct Games {
    count: usize,
    named: String,
}

impl Games {
    fn add(&mut self, game: &str) {
        if self.count < MAX_NAMED_GAMES {
            // Writing to a string cannot fail.
            let _ = write!(self.named, "{}{game}", if self.count == 0 { "" } else { ", " });
        }
        self.count += 1;
    }

    /// Adds a game for which no log was found, unless its version says that it has no events.
    fn add_if_log_is_lost(&mut self, row: &Row) {
        if let [Value::Text(id), Value::Integer(1..), ..] = row.0.as_slice() {
            self.add(id);
        }
    }
}

impl std::fmt::Display for Games {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let more = if self.count > MAX_NAMED_GAMES { ", …" } else { "" };
        let noun = if self.count == 1 { "game" } else { "games" };
        write!(f, "{} {noun} ({}{more})", self.count, self.named)
    }
}
