//! A session with a program.

use std::{
    collections::VecDeque,
    io::{self, BufRead, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, SyncSender},
    },
    thread,
    time::Duration,
};

use adoube_rules::{AnyPosition, Color, Position, Turn, Variant, coordinate};

use super::{
    command::{Command, Go, Start},
    options::{Effect, Options},
    signals::{ExpectedEnd, Schedule, Signals},
    text,
    worker::{Job, Pending, SearchRequest, run_jobs},
};
use crate::{Budget, ClockState, Engine, Limits, Random, STACK, skill::Skill};

/// The maximum number of bytes in a line: enough for a game of a hundred thousand turns.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The maximum number of searches running or waiting; further ones are refused.
const MAX_SEARCHES: usize = 64;

/// The capacity of the queue between the two threads. The reader waits when it is full, but never for a
/// search: while one runs, the queue holds at most [`MAX_SEARCHES`] others, each with a change of settings.
const MAX_JOBS: usize = 256;

/// The time that short searches have after the end of the input. Others are stopped immediately.
const LAST_SEARCHES: Duration = Duration::from_mins(1);
/// The node and depth limits of a short search.
const SHORT_SEARCH_NODES: u64 = 20_000_000;
const SHORT_SEARCH_DEPTH: u32 = 24;

/// The maximum number of nodes searched regardless of limits until the first iteration is complete. They take
/// a few hundredths of a second, and are twenty times as many as positions from real games need.
const FIRST_DEPTH_NODES: u64 = 20_000;

/// The time given to a search whose limits cannot be read.
const UNREADABLE_LIMIT: Duration = Duration::from_secs(1);

/// The largest depth of perft, and the largest one that counts as short.
const MAX_PERFT: u32 = 64;
const SHORT_PERFT_DEPTH: u32 = 7;

/// Serves commands until `quit` or the end of the input, or until the output is closed.
///
/// Commands can come from a file: after the end of the input, a short search is completed, and any other is
/// stopped and answered. `seed` determines the errors that a limited engine makes. With one thread and no
/// time limits, the same commands with the same seed get the same answers.
pub fn serve(input: impl BufRead, output: impl Write + Send, seed: u64) -> io::Result<()> {
    serve_with(Options::default(), input, output, seed)
}

fn serve_with(options: Options, input: impl BufRead, output: impl Write + Send, seed: u64) -> io::Result<()> {
    // Without an engine no command could be answered, and the other program would wait forever.
    let engine = Engine::new(options.hash, options.threads)
        .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
    let out = SharedOutput { writer: Mutex::new(output), is_closed: AtomicBool::new(false) };
    thread::scope(|scope| {
        let (jobs, received) = mpsc::sync_channel(MAX_JOBS);
        let out = &out;
        let search_thread = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn_scoped(scope, move || run_jobs(engine, &received, out))?;
        let mut session = Session {
            root: Ok(Arc::new(SearchRoot::initial(options.variant))),
            options,
            jobs,
            pending: Pending::default(),
            searches: VecDeque::new(),
            seed,
            games: 0,
        };
        let result = session.listen(input, out);
        drop(session);
        // The search thread can fail only by panicking, and the panic has already been reported.
        let _ = search_thread.join();
        result.and_then(|()| out.result())
    })
}

/// The output, used by both threads. Nothing is written after it is closed.
pub(super) struct SharedOutput<W> {
    writer: Mutex<W>,
    is_closed: AtomicBool,
}

impl<W: Write> SharedOutput<W> {
    pub(super) fn write_line(&self, text: &str) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_closed() && writeln!(writer, "{text}").and_then(|()| writer.flush()).is_err() {
            self.is_closed.store(true, Relaxed);
        }
    }

    /// Writes an error as an `info string`, always on one line.
    pub(super) fn report(&self, error: &dyn std::fmt::Display) {
        let line: String = error.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.write_line(&format!("info string {line}"));
    }

    /// Returns `true` if the output was closed.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }

    fn result(&self) -> io::Result<()> {
        if self.is_closed() { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }
}

/// A position with its history.
#[derive(Clone)]
pub(super) struct SearchRoot {
    pub(super) position: AnyPosition,
    /// The keys of the earlier positions.
    pub(super) history: Vec<u64>,
}

impl SearchRoot {
    fn initial(variant: Variant) -> Self {
        Self { position: AnyPosition::initial(variant), history: Vec::new() }
    }

    fn read(variant: Variant, start: &Start, turns: &[String]) -> Result<Self, String> {
        let mut position = match start {
            Start::Missing => {
                let form =
                    "it must be \"startpos\" or \"fen FEN\", optionally followed by \"moves\" and turns";
                return Err(form.to_owned());
            }
            Start::Initial => AnyPosition::initial(variant),
            Start::Fen(fen) => AnyPosition::from_fen(variant, fen).map_err(|error| error.to_string())?,
        };
        let mut history = Vec::with_capacity(turns.len());
        for (number, text) in (1..).zip(turns) {
            let turn =
                coordinate::parse(&position, text).map_err(|error| format!("turn {number}: {error}"))?;
            history.push(position.key());
            position.play_turn_unchecked(&turn);
        }
        Ok(Self { position, history })
    }
}

struct Session {
    options: Options,
    /// The position to search, or the reason why there is none.
    root: Result<Arc<SearchRoot>, String>,
    jobs: SyncSender<Job>,
    pending: Pending,
    /// The searches that may still be unanswered, oldest first.
    searches: VecDeque<Arc<Signals>>,
    /// The seed for limited strength, used together with the number of the game.
    seed: u64,
    games: u64,
}

impl Session {
    /// Handles commands until the end of the session, and then stops the searches, giving short ones some
    /// time.
    fn listen(&mut self, input: impl BufRead, out: &SharedOutput<impl Write>) -> io::Result<()> {
        let result = self.run_all(input, out);
        let time = if out.is_closed() { Duration::ZERO } else { LAST_SEARCHES };
        for signals in &self.searches {
            signals.stop_within(time);
        }
        result
    }

    fn run_all(&mut self, mut input: impl BufRead, out: &SharedOutput<impl Write>) -> io::Result<()> {
        let mut line = Vec::new();
        while !out.is_closed() {
            line.clear();
            io::Read::take(&mut input, MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                break;
            }
            let is_whole = line.ends_with(b"\n") || (line.len() as u64) < MAX_LINE_BYTES;
            let reading = Command::read(&String::from_utf8_lossy(&line));
            for remark in &reading.remarks {
                out.report(remark);
            }
            let command = if is_whole {
                reading.command
            } else {
                input.skip_until(b'\n')?;
                out.report(&format!("a line is longer than {MAX_LINE_BYTES} bytes and was ignored"));
                match reading.command {
                    Command::Position { .. } => {
                        Command::Position { start: Start::Missing, turns: Vec::new() }
                    }
                    _ => Command::Nothing,
                }
            };
            if command == Command::Quit {
                self.stop();
                break;
            }
            self.run(command, out);
        }
        Ok(())
    }

    fn stop(&self) {
        for signals in &self.searches {
            signals.stop();
        }
    }

    /// Returns `true` if a search is running or waiting.
    fn is_searching(&mut self) -> bool {
        while self.searches.front().is_some_and(|signals| signals.is_over()) {
            self.searches.pop_front();
        }
        !self.searches.is_empty()
    }

    fn enqueue(&self, job: Job) {
        // Sending fails only if the other thread has panicked.
        let _ = self.jobs.send(job);
    }

    /// Sends the collected settings.
    fn send_settings(&mut self) {
        if !self.pending.is_empty() {
            let changes = std::mem::take(&mut self.pending);
            self.enqueue(Job::Change(Box::new(changes)));
        }
    }

    fn run(&mut self, command: Command, out: &SharedOutput<impl Write>) {
        match command {
            Command::Uci => {
                out.write_line(concat!("id name adoube ", env!("CARGO_PKG_VERSION")));
                out.write_line("id author the adoube founders");
                out.write_line(Options::describe().trim_end());
                out.write_line("uciok");
            }
            // During a search, the engine is always ready.
            Command::IsReady if self.is_searching() => out.write_line("readyok"),
            Command::IsReady => {
                self.send_settings();
                self.enqueue(Job::Ready);
            }
            Command::NewGame => {
                self.games = self.games.wrapping_add(1);
                self.pending.forget = true;
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref(), out),
            Command::Position { start, turns } => {
                let root = SearchRoot::read(self.options.variant, &start, &turns);
                self.root = root.map(Arc::new).map_err(|error| {
                    out.report(&format!("this \"position\" cannot be searched: {error}"));
                    format!("there is nothing to search, because the last \"position\" was refused: {error}")
                });
            }
            Command::Go(go) => self.go(&go, out),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                for signals in self.searches.iter().filter(|signals| !signals.is_stopped()) {
                    signals.ponder_hit();
                }
            }
            Command::Display => match &self.root {
                Ok(root) => {
                    out.write_line(root.position.diagram().trim_end());
                    out.write_line(&root.position.fen());
                }
                Err(reason) => out.report(reason),
            },
            Command::Quit | Command::Nothing => {}
        }
        if !self.is_searching() {
            self.send_settings();
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, out: &SharedOutput<impl Write>) {
        match self.options.set(name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Hash) => self.pending.table = Some(self.options.hash),
            Ok(Effect::Threads) => self.pending.threads = Some(self.options.threads),
            Ok(Effect::Clear) => self.pending.forget = true,
            Ok(Effect::Network(variant)) => {
                if let Some(other) = variant.filter(|&variant| variant != self.options.variant) {
                    out.report(&format!(
                        "EvalFile is for {other} and will be used when UCI_Variant is {other}"
                    ));
                }
                self.pending.networks = Some(self.options.networks.clone());
                self.pending.forget = true;
            }
            Ok(Effect::Variant { is_other }) => {
                out.write_line(&text::variant(self.options.variant));
                if is_other {
                    self.root = Ok(Arc::new(SearchRoot::initial(self.options.variant)));
                    self.pending.forget = true;
                }
            }
            Err(error) => out.report(&error),
        }
    }

    fn go(&mut self, go: &Go, out: &SharedOutput<impl Write>) {
        let is_searching = self.is_searching();
        if self.searches.len() >= MAX_SEARCHES {
            return out.report(&format!(
                "{MAX_SEARCHES} searches are already running or waiting; this one was refused"
            ));
        }
        // Searches are answered in the order in which they were requested, so an endless one must not block
        // the others.
        for signals in &self.searches {
            signals.stop_if_infinite();
        }
        let waits = is_searching && self.searches.iter().any(|signals| !signals.is_stopped());
        let schedule = Schedule { end: ExpectedEnd::Soon, waits, is_pondering: false, is_infinite: false };
        self.send_settings();
        let root = match self.root.clone() {
            Ok(root) => root,
            Err(reason) => {
                let signals = self.add_search(schedule);
                return self.enqueue(Job::Decline { reason, is_search: go.perft.is_none(), signals });
            }
        };
        if let Some(depth) = go.perft {
            let end = if depth <= SHORT_PERFT_DEPTH { ExpectedEnd::Soon } else { ExpectedEnd::Later };
            let signals = self.add_search(Schedule { end, ..schedule });
            return self.enqueue(Job::Perft(root, depth.min(MAX_PERFT), signals));
        }
        let mut turns = Vec::new();
        for text in &go.search_moves {
            match coordinate::parse(&root.position, text) {
                Ok(turn) => turns.push(turn),
                Err(error) => out.report(&error),
            }
        }
        let limits = self.limits(&root, go, turns, out);
        let signals = self.add_search(Schedule {
            end: predicted_end(&limits),
            waits,
            is_pondering: go.ponder,
            is_infinite: go.infinite,
        });
        self.enqueue(Job::Search(Box::new(SearchRequest {
            root,
            limits,
            style: text::Style {
                castles_onto_rook: self.options.chess960,
                chances: self.options.reports_wdl,
            },
            signals,
        })));
    }

    /// Records a search that will be answered.
    fn add_search(&mut self, schedule: Schedule) -> Arc<Signals> {
        let signals = Arc::new(Signals::new(schedule));
        self.searches.push_back(Arc::clone(&signals));
        signals
    }

    fn limits(&self, root: &SearchRoot, go: &Go, turns: Vec<Turn>, out: &SharedOutput<impl Write>) -> Limits {
        let time = if go.infinite {
            None
        } else if let Some(time) = go.move_time {
            let min = Duration::from_millis(1);
            Some(Budget::exactly(time.saturating_sub(self.options.overhead).max(time / 2).max(min)))
        } else {
            self.clock(root.position.side_to_move(), go, out).map(|clock| Budget::for_clock(&clock))
        };
        let is_limited = time.is_some() || go.infinite || go.nodes.is_some() || go.depth.is_some();
        let time = if go.has_unreadable_limit && !is_limited {
            out.report(&"the limits of this search cannot be read; it gets one second");
            Some(Budget::exactly(UNREADABLE_LIMIT))
        } else {
            time
        };
        let mut limits = Limits {
            nodes: go.nodes.unwrap_or(u64::MAX),
            first_depth_nodes: FIRST_DEPTH_NODES,
            depth: go.depth.map_or(Limits::MAX_DEPTH, |depth| depth.clamp(1, Limits::MAX_DEPTH)),
            time,
            mate: go.mate,
            turns,
            lines: self.options.lines,
            ..Limits::default()
        };
        let skill = self.options.skill();
        if skill != Skill::UNLIMITED {
            let seed = Random::new(self.seed, self.games).next();
            let key = root.position.key();
            skill.apply(
                &mut limits,
                seed ^ root.history.iter().fold(key, |seed, key| seed.rotate_left(7) ^ key),
            );
        }
        limits
    }

    /// Returns the clock of a side, if any clock was given.
    fn clock(&self, side: Color, go: &Go, out: &SharedOutput<impl Write>) -> Option<ClockState> {
        let [white, black] = go.time;
        let [white_increment, black_increment] = go.increment;
        let (own, other, increment) = match side {
            Color::White => (white, black, white_increment),
            Color::Black => (black, white, black_increment),
        };
        if own.is_none() && other.is_some() {
            out.report(&"there is no clock for the side to move; the opponent's is used");
        }
        let left = match own.or(other) {
            Some(left) => left,
            // An increment without remaining time counts as a clock.
            None if go.increment.iter().any(|increment| !increment.is_zero()) => Duration::ZERO,
            None => return None,
        };
        Some(ClockState {
            remaining: left,
            increment,
            moves_to_go: go.moves_to_go,
            overhead: self.options.overhead,
        })
    }
}

/// Predicts when a search with these limits ends on its own.
fn predicted_end(limits: &Limits) -> ExpectedEnd {
    let is_soon = limits.time.is_some_and(|time| time.hard <= LAST_SEARCHES)
        || limits.nodes.min(limits.enough_nodes) <= SHORT_SEARCH_NODES
        || limits.depth <= SHORT_SEARCH_DEPTH;
    let is_limited = limits.time.is_some() || limits.nodes < u64::MAX || limits.depth < Limits::MAX_DEPTH;
    match (is_soon, is_limited) {
        (true, _) => ExpectedEnd::Soon,
        (false, true) => ExpectedEnd::Later,
        (false, false) => ExpectedEnd::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_without_memory_for_the_engine_ends_with_an_error() {
        let options = Options { hash: usize::MAX, ..Options::default() };
        let (input, mut output) = (&b"isready\ngo depth 1\n"[..], Vec::<u8>::new());
        let error = serve_with(options, input, &mut output, 0).expect_err("no memory");
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
        assert_eq!(output, b"");
    }
}
