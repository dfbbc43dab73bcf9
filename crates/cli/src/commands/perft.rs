//! `adoube perft`: counts sequences of turns, on several threads.

use std::{
    io::Write,
    num::NonZeroUsize,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    thread,
};

use adoube_rules::{
    SearchPosition, coordinate,
    perft::{LeafCounting, perft},
    with_position,
};
use anyhow::{Context as _, anyhow};
use clap::Args;

use crate::options::{Start, parse_threads};

/// Count the sequences of turns from a position to a given depth
///
/// Prints the count. A turn is everything that a player does before the other side moves, so an Interweave
/// chain counts once.
#[derive(Args, Debug)]
pub(crate) struct Perft {
    #[command(flatten)]
    start: Start,
    /// Depth in turns, 0 to 64
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// Print `TURN COUNT` for each first turn, sorted, then the total
    #[arg(long)]
    divide: bool,
    /// Number of threads, 1 to 256
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Play the turns of the last ply too, instead of only counting them
    #[arg(long)]
    no_bulk: bool,
}

/// The minimum number of tasks per thread, if the depth allows it. It is large enough that no thread waits
/// long for the last task.
const TASKS_PER_THREAD: usize = 32;

pub(crate) fn run(arguments: &Perft, out: &mut impl Write) -> anyhow::Result<()> {
    let counting = if arguments.no_bulk { LeafCounting::Played } else { LeafCounting::Bulk };
    let position = arguments.start.position()?;
    let threads = arguments.threads.get();
    if arguments.divide {
        if arguments.depth > 0 {
            with_position!(&position, position => divide(position, arguments.depth, counting, threads, out))?;
            return Ok(());
        }
    } else if threads == 1 || arguments.depth < 2 {
        let count = with_position!(&position, position => perft(position, arguments.depth, counting));
        writeln!(out, "{count}")?;
        return Ok(());
    }
    let counts = with_position!(&position, position => {
        count([position.clone()].into(), arguments.depth, counting, threads)
    })?;
    writeln!(out, "{}", counts.iter().sum::<u64>())?;
    Ok(())
}

fn divide<P: SearchPosition + Send + Sync>(
    position: &P,
    depth: u32,
    counting: LeafCounting,
    threads: usize,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let turns = position.legal_turns();
    let roots = turns
        .iter()
        .map(|turn| {
            let mut next = position.clone();
            next.play_turn_unchecked(turn);
            next
        })
        .collect();
    let counts = count(roots, depth - 1, counting, threads)?;
    let mut lines: Vec<(String, u64)> =
        turns.iter().map(|turn| coordinate::write(position, turn)).zip(counts).collect();
    lines.sort_unstable();
    for (turn, count) in &lines {
        writeln!(out, "{turn} {count}")?;
    }
    writeln!(out, "{}", lines.iter().map(|(_, count)| count).sum::<u64>())?;
    Ok(())
}

/// A subtree to count. `root` is the index of the position whose count it belongs to.
struct Task<P> {
    root: usize,
    position: P,
    depth: u32,
}

/// Returns the count for each root position.
fn count<P: SearchPosition + Send + Sync>(
    roots: Vec<P>,
    depth: u32,
    counting: LeafCounting,
    threads: usize,
) -> anyhow::Result<Vec<u64>> {
    let totals: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let mut tasks: Vec<Task<P>> =
        roots.into_iter().enumerate().map(|(root, position)| Task { root, position, depth }).collect();
    if threads > 1 {
        // A task of two plies is counted too quickly to be worth splitting.
        while tasks.len() < threads * TASKS_PER_THREAD && tasks.first().is_some_and(|task| task.depth > 2) {
            tasks = tasks.iter().flat_map(split).collect();
        }
    }
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let count = perft(&task.position, task.depth, counting);
            if let Some(total) = totals.get(task.root) {
                total.fetch_add(count, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| -> anyhow::Result<()> {
        let mut workers = Vec::new();
        for _ in 1..threads.min(tasks.len()) {
            workers.push(thread::Builder::new().spawn_scoped(scope, work).context("cannot start a thread")?);
        }
        work();
        for worker in workers {
            worker.join().map_err(|_| anyhow!("a counting thread panicked"))?;
        }
        Ok(())
    })?;
    Ok(totals.into_iter().map(AtomicU64::into_inner).collect())
}

fn split<P: SearchPosition>(task: &Task<P>) -> Vec<Task<P>> {
    let turns = task.position.legal_turns();
    turns
        .iter()
        .map(|turn| {
            let mut position = task.position.clone();
            position.play_turn_unchecked(turn);
            Task { root: task.root, position, depth: task.depth - 1 }
        })
        .collect()
}
