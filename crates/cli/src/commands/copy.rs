//! `adoube copy`: copies a house from one database to another.

use std::{
    fs,
    io::{IsTerminal as _, Write},
    path::Path,
    time::{Duration, Instant},
};

use adoube_server::{Entropy as _, SystemEntropy};
use adoube_store::copy::{self, Copied, CopyError, Progress, Source, Target};
use adoube_store_postgres::{PostgresSource, PostgresTarget};
use adoube_store_sqlite::{SqliteSource, SqliteTarget};
use anyhow::Context as _;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::data::in_runtime;
use crate::settings::Data;

/// Copy a whole house to another database (a SQLite file or PostgreSQL) while no server is running
///
/// Makes the target equal to the source, then reads both again and compares the log of each game by its hash
/// and every other table by a digest. Running the command again continues an interrupted copy, and updates a
/// copy of a house that has changed since, as long as nothing else has opened the target. Prints
/// `N games, N events, N other rows; N rows written, N deleted; the two are equal`. Exits with status 2 and
/// one line that names the difference, if there is one.
#[derive(Args, Debug)]
pub(crate) struct Copy {
    /// The data to copy: a file, or `postgres://ROLE@HOST/DATABASE`
    #[arg(long, value_name = "DATA")]
    from: String,
    /// The target: a file, or an empty PostgreSQL database
    #[arg(long, value_name = "DATA")]
    to: String,
}

/// The rate, per second, at which the progress bar is redrawn on a terminal.
const REDRAWS_PER_SECOND: u8 = 4;
/// Interval at which progress is written as lines if standard error is not a terminal.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

pub(crate) fn run(arguments: &Copy, out: &mut impl Write) -> anyhow::Result<()> {
    let from = Data::parse_checked(&arguments.from).context("--from")?;
    let to = Data::parse_checked(&arguments.to).context("--to")?;
    let Copied { games, events, rows, written, deleted } = in_runtime(copy(&from, &to))??;
    writeln!(
        out,
        "{games} games, {events} events, {rows} other rows; {written} rows written, {deleted} deleted; the two are equal"
    )?;
    Ok(())
}

async fn copy(from: &Data, to: &Data) -> anyhow::Result<Copied> {
    if let (Data::File(from), Data::File(to)) = (from, to)
        && is_same_file(from, to)
    {
        return Err(CopyError::Same(from.display().to_string()).into());
    }
    // If the house has no id yet, it gets this one.
    let fresh = SystemEntropy.random()?.to_le_bytes();
    let (mut source, mut target): (Box<dyn Source>, Box<dyn Target>) = match (from, to) {
        (Data::Postgres(from), Data::Postgres(to)) => {
            let mut source = PostgresSource::open(from, &fresh).await?;
            let target = PostgresTarget::open(to).await?;
            if source.is_target(&target) {
                return Err(CopyError::Same(source.reader().location().to_owned()).into());
            }
            (Box::new(source), Box::new(target))
        }
        (Data::Postgres(from), Data::File(to)) => {
            let source = PostgresSource::open(from, &fresh).await?;
            (Box::new(source), Box::new(SqliteTarget::open(to).await?))
        }
        (Data::File(from), Data::Postgres(to)) => {
            let source = SqliteSource::open(from, &fresh).await?;
            (Box::new(source), Box::new(PostgresTarget::open(to).await?))
        }
        (Data::File(from), Data::File(to)) => {
            let source = SqliteSource::open(from, &fresh).await?;
            (Box::new(source), Box::new(SqliteTarget::open(to).await?))
        }
    };
    let mut display = ProgressDisplay::new();
    let copied = copy::copy(&mut *source, &mut *target, &mut |progress| display.show(progress)).await;
    display.bar.finish_and_clear();
    let copied = copied?;
    source.close().await;
    target.close().await?;
    Ok(copied)
}

/// Returns `true` if two paths refer to the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        // One of the files does not exist yet.
        _ => false,
    }
}

/// The progress on standard error.
struct ProgressDisplay {
    bar: ProgressBar,
    is_terminal: bool,
    last_line: Instant,
}

impl ProgressDisplay {
    fn new() -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target = if is_terminal {
            ProgressDrawTarget::stderr_with_hz(REDRAWS_PER_SECOND)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) =
            ProgressStyle::with_template("{msg} {human_pos} of {human_len} rows, {per_sec}, {eta} left")
        {
            bar.set_style(style);
        }
        Self { bar, is_terminal, last_line: Instant::now() }
    }

    fn show(&mut self, Progress { step, table, done, total }: Progress) {
        self.bar.set_length(total);
        if done < self.bar.position() {
            self.bar.reset();
        }
        self.bar.set_position(done);
        self.bar.set_message(format!("{step} {table}:"));
        if !self.is_terminal && self.last_line.elapsed() >= PROGRESS_INTERVAL {
            self.last_line = Instant::now();
            // If standard error is closed, progress is not shown.
            let _ = writeln!(std::io::stderr(), "adoube: {step} {table}: {done} of {total} rows");
        }
    }
}
