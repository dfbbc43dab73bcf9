//! The search thread of a session, and its jobs.

use std::{
    io::Write,
    sync::{Arc, mpsc::Receiver},
};

use adoube_rules::{
    DrawRules, Position, SearchPosition, Variant,
    perft::{LeafCounting, perft},
    with_position,
};

use super::{
    session::{SearchRoot, SharedOutput},
    signals::Signals,
    text,
};
use crate::{Control, Engine, Info, Limits, Network};

/// A job for the search thread.
pub(super) enum Job {
    Search(Box<SearchRequest>),
    Perft(Arc<SearchRoot>, u32, Arc<Signals>),
    /// Report why there is nothing to search; a search, unlike a perft, is also answered with a `bestmove`.
    Decline {
        reason: String,
        is_search: bool,
        signals: Arc<Signals>,
    },
    Change(Box<Pending>),
    /// Answer `readyok` when all earlier jobs are done.
    Ready,
}

/// Settings for the next searches, collected while a search is running.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) table: Option<usize>,
    pub(super) threads: Option<usize>,
    pub(super) networks: Option<[Option<Arc<Network>>; Variant::COUNT]>,
    pub(super) forget: bool,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.table.is_none() && self.threads.is_none() && self.networks.is_none() && !self.forget
    }
}

pub(super) struct SearchRequest {
    pub(super) root: Arc<SearchRoot>,
    pub(super) limits: Limits,
    pub(super) style: text::Style,
    pub(super) signals: Arc<Signals>,
}

/// Executes jobs one after another until the queue is closed: the body of the search thread.
pub(super) fn run_jobs(mut engine: Engine, jobs: &Receiver<Job>, out: &SharedOutput<impl Write>) {
    for job in jobs {
        match job {
            Job::Search(request) => answer(&mut engine, &request, out),
            Job::Perft(root, depth, signals) => {
                signals.begin();
                let stop = || signals.is_stopped() || out.is_closed();
                let count = with_position!(&root.position, position => count(position, depth, &stop));
                let time = signals.elapsed().as_millis();
                signals.finish();
                match count {
                    Some(count) => {
                        out.write_line(&format!("info string perft {depth} {count} in {time} ms"));
                        out.write_line(&format!("Nodes searched: {count}"));
                    }
                    None => out.report(&format!("perft {depth} was stopped")),
                }
            }
            Job::Decline { reason, is_search, signals } => {
                signals.finish();
                out.report(&reason);
                if is_search {
                    out.write_line("bestmove (none)");
                }
            }
            Job::Change(pending) => change(&mut engine, *pending, out),
            Job::Ready => out.write_line("readyok"),
        }
    }
}

/// Returns the number of sequences of `depth` turns, or `None` if the count is stopped first.
fn count<P: SearchPosition>(position: &P, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    // Positions from real games have at most a few million sequences of three turns. Counting those is quick,
    // so `stop` is checked only before each such count.
    if depth <= 3 {
        return Some(perft(position, depth, LeafCounting::Bulk));
    }
    let mut sum = 0;
    for turn in position.legal_turns() {
        if stop() {
            return None;
        }
        let mut next = position.clone();
        next.play_turn_unchecked(&turn);
        sum += count(&next, depth - 1, stop)?;
    }
    Some(sum)
}

fn change(engine: &mut Engine, pending: Pending, out: &SharedOutput<impl Write>) {
    if let Some(mebibytes) = pending.table {
        set_table(engine, mebibytes, out);
    }
    if let Some(threads) = pending.threads {
        engine.set_threads(threads);
        let used = engine.thread_count();
        if used < threads {
            out.report(&format!("{threads} threads are too many for this machine; using {used}"));
        }
    }
    if let Some(networks) = pending.networks {
        for (variant, network) in Variant::ALL.into_iter().zip(networks) {
            engine.set_network(variant, network);
        }
    }
    if pending.forget {
        engine.forget();
    }
}

fn set_table(engine: &mut Engine, mebibytes: usize, out: &SharedOutput<impl Write>) {
    let possible = available_memory().map_or(usize::MAX, |available| available / 4 * 3 + engine.table_size());
    if mebibytes > possible {
        out.report(&format!(
            "there is not enough memory for {mebibytes} MB, only for {possible} MB; the table is unchanged"
        ));
    } else if let Err(error) = engine.set_table(mebibytes) {
        out.report(&error);
    }
}

/// Returns the available memory in mebibytes, if the system reports it.
fn available_memory() -> Option<usize> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_ascii_whitespace().next()?.parse::<usize>().ok().map(|kibibytes| kibibytes / 1_024)
}

fn answer(engine: &mut Engine, request: &SearchRequest, out: &SharedOutput<impl Write>) {
    let SearchRequest { root, limits, style, signals } = request;
    let SearchRoot { position, history } = &**root;
    signals.begin();
    // A game that has been won has no best turn, even if men could still move.
    let is_over = position.outcome(DrawRules::Club).is_some_and(|outcome| outcome.winner().is_some());
    let report = if is_over {
        None
    } else {
        let show = |info: &Info| out.write_line(&text::info(position, info, signals.elapsed(), *style));
        let control = Control {
            stop: &|| signals.is_stopped() || out.is_closed(),
            elapsed: &|| signals.elapsed_on_clock(),
            report: Some(&show),
        };
        engine.search(position, history, limits, &control)
    };
    if !out.is_closed() {
        signals.wait_until_released();
    }
    signals.finish();
    let Some(report) = report else {
        out.write_line(if is_over { "info depth 0 score mate 0" } else { "info depth 0 score cp 0" });
        return out.write_line("bestmove (none)");
    };
    let mut best = format!("bestmove {}", text::turn(position, &report.turn, style.castles_onto_rook));
    if let Some(reply) = report.pv.get(1) {
        let mut next = position.clone();
        next.play_turn_unchecked(&report.turn);
        best.push_str(" ponder ");
        best.push_str(&text::turn(&next, reply, style.castles_onto_rook));
    }
    out.write_line(&best);
}
