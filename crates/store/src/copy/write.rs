//! Makes the target identical to the source.

use super::{
    Copied, EVENTS, Numbers, Progress, Range, Reader, Result, Row, Step, TABLES, Table, Target, Value,
    cursor::{Cursor, Merge, Pair},
};

/// The maximum number of rows to delete in one transaction, and to read before progress is reported.
const ROWS: usize = 5_000;
/// The maximum number of games, with their logs, to write in one transaction.
const GAMES: usize = 200;

/// The state of a copy.
struct Copying<'a> {
    source: &'a mut dyn Reader,
    target: &'a mut dyn Target,
    report: &'a mut (dyn FnMut(Progress) + Send),
    copied: Copied,
    step: Step,
    done: u64,
    total: u64,
}

pub(super) async fn write(
    source: &mut dyn Reader,
    target: &mut dyn Target,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<Copied> {
    let mut total = source.count(&EVENTS).await?;
    for table in TABLES {
        total += source.count(table).await?;
    }
    let copied = Copied::default();
    let mut copying = Copying { source, target, report, copied, step: Step::Clearing, done: 0, total };
    // First delete the rows that must go, children before parents, because rows written later may need their
    // unique values.
    for table in TABLES.iter().rev() {
        if copying.target.reader().count(table).await? > 0 {
            copying.clear(table).await?;
        }
    }
    (copying.step, copying.done) = (Step::Copying, 0);
    for table in TABLES {
        if table.name == super::GAMES.name {
            copying.fill_games(table).await?;
        } else {
            copying.fill(table).await?;
        }
        if table.numbers != Numbers::None {
            let number = copying.source.last_number(table).await?;
            copying.target.begin().await?;
            copying.target.set_last_number(table, number).await?;
            copying.target.commit().await?;
        }
    }
    Ok(copying.copied)
}

impl Copying<'_> {
    fn report(&mut self, table: &'static Table, done: usize) {
        self.done += done as u64;
        let Self { step, done, total, .. } = *self;
        (self.report)(Progress { step, table: table.name, done, total });
    }

    /// Deletes the rows that the source does not have, and those that differ, which are written again later.
    /// Where rows are changed in place, those that differ are not deleted: only their unique column, if there
    /// is one, is cleared.
    async fn clear(&mut self, table: &'static Table) -> Result<()> {
        let mut merge = Merge::new(table);
        let (mut extra, mut moving) = (Vec::new(), Vec::new());
        let mut seen = 0;
        loop {
            let pair = merge.next(self.source, self.target.reader()).await?;
            let is_at_end = pair.is_none();
            match pair {
                Some(Pair::Extra(key)) => extra.push(key),
                Some(Pair::Different(row)) if !table.is_parent => extra.push(row.key(table.key).to_vec()),
                Some(Pair::Different(row)) if table.unique.is_some() => {
                    moving.push(row.key(table.key).to_vec());
                }
                Some(Pair::Same(_) | Pair::Missing(_) | Pair::Different(_)) => seen += 1,
                None => {}
            }
            if is_at_end || extra.len() >= ROWS || moving.len() >= ROWS {
                if !extra.is_empty() || !moving.is_empty() {
                    self.target.begin().await?;
                    if table.name == super::GAMES.name {
                        let games = extra.iter().filter_map(|key| key.first().cloned()).collect::<Vec<_>>();
                        self.target.delete_logs(&games).await?;
                    }
                    self.target.delete(table, &extra).await?;
                    self.target.clear_unique(table, &moving).await?;
                    self.target.commit().await?;
                }
                self.copied.deleted += extra.len() as u64;
                extra.clear();
                moving.clear();
            }
            if is_at_end || seen >= ROWS {
                self.report(table, seen);
                seen = 0;
            }
            if is_at_end {
                return Ok(());
            }
        }
    }

    /// Writes the rows that are missing or differ.
    async fn fill(&mut self, table: &'static Table) -> Result<()> {
        let mut merge = Merge::new(table);
        let (mut rows, mut seen) = (Vec::new(), 0);
        loop {
            let pair = merge.next(self.source, self.target.reader()).await?;
            let is_at_end = pair.is_none();
            match pair {
                Some(Pair::Missing(row) | Pair::Different(row)) => rows.push(row),
                Some(Pair::Same(_)) => seen += 1,
                Some(Pair::Extra(_)) | None => {}
            }
            // Write a page at a time, because rows may be long.
            if is_at_end || rows.len() >= table.page as usize || seen >= ROWS {
                if !rows.is_empty() {
                    self.target.begin().await?;
                    self.target.upsert(table, &rows).await?;
                    self.target.commit().await?;
                }
                self.copied.written += rows.len() as u64;
                self.report(table, seen + rows.len());
                rows.clear();
                seen = 0;
            }
            if is_at_end {
                return Ok(());
            }
        }
    }

    /// Writes the games that are missing or differ, each in the same transaction as its log.
    async fn fill_games(&mut self, table: &'static Table) -> Result<()> {
        let mut merge = Merge::new(table);
        let mut batch = Batch::default();
        let mut seen = 0;
        loop {
            let pair = merge.next(self.source, self.target.reader()).await?;
            let is_at_end = pair.is_none();
            match pair {
                Some(Pair::Missing(row)) => batch.add(row, false),
                Some(Pair::Different(row)) => batch.add(row, true),
                Some(Pair::Same(row)) => {
                    // Count the game and the events in its log. Their number is the game's version.
                    seen += 1 + version(&row);
                    batch.end_run();
                }
                Some(Pair::Extra(_)) | None => {}
            }
            if is_at_end || batch.games.len() >= GAMES {
                self.write_games(table, &mut batch).await?;
            }
            if is_at_end || seen >= ROWS {
                self.report(table, seen);
                seen = 0;
            }
            if is_at_end {
                return Ok(());
            }
        }
    }

    async fn write_games(&mut self, table: &'static Table, batch: &mut Batch) -> Result<()> {
        if batch.games.is_empty() {
            return Ok(());
        }
        self.target.begin().await?;
        self.target.upsert(table, &batch.games).await?;
        if !batch.changed.is_empty() {
            self.target.delete_logs(&batch.changed).await?;
        }
        self.copied.written += batch.games.len() as u64;
        self.report(table, batch.games.len());
        batch.end_run();
        for (first, last) in &batch.runs {
            let range = Range {
                after: Some(vec![first.clone(), Value::Integer(0)]),
                until: Some(vec![last.clone(), Value::Integer(i64::MAX)]),
            };
            let mut cursor = Cursor::over(&EVENTS, range);
            loop {
                let page = cursor.next_page(self.source).await?;
                if page.is_empty() {
                    break;
                }
                let rows = Vec::from(page);
                self.target.upsert(&EVENTS, &rows).await?;
                self.copied.written += rows.len() as u64;
                self.report(&EVENTS, rows.len());
            }
        }
        self.target.commit().await?;
        *batch = Batch::default();
        Ok(())
    }
}

/// Games to be written together.
#[derive(Default)]
struct Batch {
    games: Vec<Row>,
    /// The games that differ in the target, whose logs are replaced.
    changed: Vec<Value>,
    /// The first and the last game of each run of adjacent games, whose events are read together.
    runs: Vec<(Value, Value)>,
    run: Option<(Value, Value)>,
}

impl Batch {
    fn add(&mut self, game: Row, is_changed: bool) {
        if let Some(id) = game.0.first().cloned() {
            if is_changed {
                self.changed.push(id.clone());
            }
            match &mut self.run {
                Some((_, last)) => *last = id,
                none => *none = Some((id.clone(), id)),
            }
        }
        self.games.push(game);
    }

    /// Ends the current run of adjacent games.
    fn end_run(&mut self) {
        self.runs.extend(self.run.take());
    }
}

fn version(game: &Row) -> usize {
    match game.0.get(1) {
        Some(Value::Integer(version)) => usize::try_from(*version).unwrap_or_default(),
        _ => 0,
    }
}
