//! The conversation.

use std::{
    io::{self, BufRead, Write},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::Instant,
};

use adoube_rules::{
    AnyPosition, Color, DrawRules, Position, Turn, Variant, coordinate,
    perft::{Leaves, perft},
    with_position,
};

use super::{
    command::{Command, Go, Start},
    options::{Effect, Options},
    signals::Signals,
    text,
};
use crate::{Budget, ClockState, Control, Engine, Limits, Network, STACK, skill::Skill};

/// Longer lines are not commands of anybody who means well; what is beyond is dropped.
const LONGEST_LINE: u64 = 1 << 20;

/// Talks until told to quit, or until nobody says anything any more.
///
/// At the end of the input a search that ends by itself is waited for, so that commands can come from a file.
pub fn serve(input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let out = Out(Mutex::new(Some(output)));
    thread::scope(|scope| {
        let (jobs, received) = mpsc::channel();
        let out = &out;
        let thinker = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn_scoped(scope, move || think(&received, out))?;
        let mut session = Session {
            options: Options::default(),
            position: AnyPosition::initial(Options::default().variant),
            history: Vec::new(),
            jobs: Some(jobs),
            searching: None,
        };
        let result = session.listen(input, out);
        session.jobs = None;
        // A thread that searches cannot fail; were it to, everything was told already.
        let _ = thinker.join();
        result.and_then(|()| out.result())
    })
}

/// Where everything is said, by whichever thread has something to say. Once nobody listens it is silent.
struct Out<W>(Mutex<Option<W>>);

impl<W: Write> Out<W> {
    fn say(&self, text: &str) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(writer) = out.as_mut()
            && writeln!(writer, "{text}").and_then(|()| writer.flush()).is_err()
        {
            *out = None;
        }
    }

    /// Says that something was not understood, on one line whatever it was.
    fn complain(&self, error: &dyn std::fmt::Display) {
        let line: String = error.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.say(&format!("info string {line}"));
    }

    fn result(&self) -> io::Result<()> {
        let out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if out.is_some() { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    }
}

/// What the thread that searches is asked to do, one after the other.
enum Job {
    Search(Box<Question>),
    Perft(AnyPosition, u32),
    SetTable(usize),
    SetThreads(usize),
    SetNetwork(Variant, Option<Arc<Network>>),
    Forget,
    /// Say that all before is done.
    Ready,
}

struct Question {
    position: AnyPosition,
    history: Vec<u64>,
    limits: Limits,
    style: text::Style,
    signals: Arc<Signals>,
}

struct Session {
    options: Options,
    position: AnyPosition,
    /// Keys of the positions before.
    history: Vec<u64>,
    jobs: Option<Sender<Job>>,
    /// The search that was asked for last, which may be over.
    searching: Option<Arc<Signals>>,
}

impl Session {
    fn listen(&mut self, mut input: impl BufRead, out: &Out<impl Write>) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = io::Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut line)?;
            if read == 0 {
                if let Some(signals) = &self.searching {
                    signals.stop_if_held();
                }
                return Ok(());
            }
            match Command::parse(&String::from_utf8_lossy(&line)) {
                Ok(Command::Quit) => {
                    if let Some(signals) = &self.searching {
                        signals.stop();
                    }
                    return Ok(());
                }
                Ok(command) => self.obey(command, out),
                Err(error) => out.complain(&error),
            }
        }
    }

    /// Returns whether a search is running, or waits for its turn.
    fn is_searching(&self) -> bool {
        self.searching.as_ref().is_some_and(|signals| !signals.is_over())
    }

    fn ask(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The other thread only ends when there is nobody to send.
            let _ = jobs.send(job);
        }
    }

    fn obey(&mut self, command: Command, out: &Out<impl Write>) {
        match command {
            Command::Uci => {
                out.say(concat!("id name adoube ", env!("CARGO_PKG_VERSION")));
                out.say("id author the adoube founders");
                out.say(Options::describe().trim_end());
                out.say("uciok");
            }
            // While it searches the engine is ready for all that can be said then.
            Command::IsReady if self.is_searching() => out.say("readyok"),
            Command::IsReady => self.ask(Job::Ready),
            Command::NewGame => self.ask(Job::Forget),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref(), out),
            Command::Position { start, turns } => match self.read_position(&start, &turns) {
                Ok((position, history)) => {
                    self.position = position;
                    self.history = history;
                }
                Err(error) => out.complain(&error),
            },
            Command::Go(_) if self.is_searching() => out.complain(&"a search is running already"),
            Command::Go(go) => self.go(&go, out),
            Command::Stop => {
                if let Some(signals) = &self.searching {
                    signals.stop();
                }
            }
            Command::PonderHit => {
                if let Some(signals) = &self.searching {
                    signals.ponder_hit();
                }
            }
            Command::Display => {
                out.say(self.position.diagram().trim_end());
                out.say(&self.position.fen());
            }
            Command::Quit | Command::Nothing => {}
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, out: &Out<impl Write>) {
        match self.options.set(name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Hash) => self.ask(Job::SetTable(self.options.hash)),
            Ok(Effect::Threads) => self.ask(Job::SetThreads(self.options.threads)),
            Ok(Effect::Clear) => self.ask(Job::Forget),
            Ok(Effect::Network) => {
                self.set_network();
                self.ask(Job::Forget);
            }
            Ok(Effect::Variant) => {
                self.position = AnyPosition::initial(self.options.variant);
                self.history.clear();
                self.set_network();
                self.ask(Job::Forget);
            }
            Err(error) => out.complain(&error),
        }
    }

    fn set_network(&self) {
        self.ask(Job::SetNetwork(self.options.variant, self.options.network.clone()));
    }

    fn read_position(&self, start: &Start, turns: &[String]) -> Result<(AnyPosition, Vec<u64>), String> {
        let variant = self.options.variant;
        let mut position = match start {
            Start::Initial => AnyPosition::initial(variant),
            Start::Fen(fen) => AnyPosition::from_fen(variant, fen).map_err(|error| error.to_string())?,
        };
        let mut history = Vec::with_capacity(turns.len());
        for text in turns {
            let turn = coordinate::parse(&position, text).map_err(|error| error.to_string())?;
            history.push(position.key());
            position.play_turn_unchecked(&turn);
        }
        Ok((position, history))
    }

    fn go(&mut self, go: &Go, out: &Out<impl Write>) {
        if let Some(depth) = go.perft {
            self.ask(Job::Perft(self.position.clone(), depth));
            return;
        }
        let mut turns = Vec::new();
        for text in &go.search_moves {
            match coordinate::parse(&self.position, text) {
                Ok(turn) => turns.push(turn),
                Err(error) => out.complain(&error),
            }
        }
        let limits = self.limits(go, turns);
        let signals = Arc::new(Signals::new(go.ponder, go.infinite));
        self.searching = Some(Arc::clone(&signals));
        self.ask(Job::Search(Box::new(Question {
            position: self.position.clone(),
            history: self.history.clone(),
            limits,
            style: text::Style { onto_rook: self.options.chess960, chances: self.options.shows_chances },
            signals,
        })));
    }

    fn limits(&self, go: &Go, turns: Vec<Turn>) -> Limits {
        let (side, overhead) = (self.position.turn(), self.options.overhead);
        let [white, black] = go.time;
        let [white_increment, black_increment] = go.increment;
        let (left, increment) = match side {
            Color::White => (white, white_increment),
            Color::Black => (black, black_increment),
        };
        let time = if go.infinite {
            None
        } else if let Some(time) = go.move_time {
            let least = std::time::Duration::from_millis(1);
            Some(Budget::exactly(time.saturating_sub(overhead).max(time / 2).max(least)))
        } else {
            let clock = |left| ClockState { left, increment, moves_to_go: go.moves_to_go, overhead };
            left.map(|left| Budget::for_clock(&clock(left)))
        };
        let mut limits = Limits {
            nodes: go.nodes.unwrap_or(u64::MAX),
            depth: go.depth.map_or(Limits::MAX_DEPTH, |depth| depth.clamp(1, Limits::MAX_DEPTH)),
            time,
            mate: go.mate,
            turns,
            lines: self.options.lines,
            ..Limits::default()
        };
        let skill = self.options.skill();
        if skill != Skill::UNLIMITED {
            let seed = self.history.iter().fold(self.position.key(), |seed, key| seed.rotate_left(7) ^ key);
            skill.apply(&mut limits, seed);
        }
        limits
    }
}

/// The thread that searches: does one thing after the other until nobody asks any more.
fn think(jobs: &Receiver<Job>, out: &Out<impl Write>) {
    let options = Options::default();
    let Ok(mut engine) = Engine::new(options.hash, options.threads) else {
        out.complain(&"there is not enough memory to begin with");
        return;
    };
    for job in jobs {
        match job {
            Job::Search(question) => answer(&mut engine, &question, out),
            Job::Perft(position, depth) => {
                let begun = Instant::now();
                let count = with_position!(&position, position => perft(position, depth, Leaves::Bulk));
                out.say(&format!("info string perft {depth} {count} in {} ms", begun.elapsed().as_millis()));
                out.say(&format!("Nodes searched: {count}"));
            }
            Job::SetTable(mebibytes) => set_table(&mut engine, mebibytes, out),
            Job::SetThreads(threads) => engine.set_threads(threads),
            Job::SetNetwork(variant, network) => engine.set_network(variant, network),
            Job::Forget => engine.forget(),
            Job::Ready => out.say("readyok"),
        }
    }
}

fn set_table(engine: &mut Engine, mebibytes: usize, out: &Out<impl Write>) {
    let possible = available_memory().map_or(usize::MAX, |available| available / 4 * 3 + engine.table_size());
    if mebibytes > possible {
        out.complain(&format!(
            "{mebibytes} MB are more than there are: at most {possible} are possible, and the table stays as it is"
        ));
    } else if let Err(error) = engine.set_table(mebibytes) {
        out.complain(&error);
    }
}

/// Returns the memory in mebibytes that can be had without harm, where the system tells.
fn available_memory() -> Option<usize> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_ascii_whitespace().next()?.parse::<usize>().ok().map(|kibibytes| kibibytes / 1_024)
}

fn answer(engine: &mut Engine, question: &Question, out: &Out<impl Write>) {
    let Question { position, history, limits, style, signals } = question;
    // A game that is over has no best turn, even where men could still be moved.
    let is_over = position.outcome(DrawRules::Club).is_some_and(|outcome| outcome.winner().is_some());
    let report = if is_over {
        None
    } else {
        with_position!(position, position => {
            let tell = |info: &crate::Info| out.say(&text::info(position, info, signals.elapsed(), *style));
            let control = Control {
                stop: &|| signals.is_stopped(),
                elapsed: &|| signals.on_clock(),
                report: Some(&tell),
            };
            engine.search(position, history, limits, &control)
        })
    };
    signals.wait_until_released();
    signals.finish();
    let Some(report) = report else {
        let lost = position.outcome(DrawRules::Club).is_some_and(|outcome| outcome.winner().is_some());
        out.say(if lost { "info depth 0 score mate 0" } else { "info depth 0 score cp 0" });
        return out.say("bestmove (none)");
    };
    let mut best = format!("bestmove {}", text::turn(position, &report.turn, style.onto_rook));
    if let Some(reply) = report.pv.get(1) {
        let mut next = position.clone();
        next.play_turn_unchecked(&report.turn);
        best.push_str(" ponder ");
        best.push_str(&text::turn(&next, reply, style.onto_rook));
    }
    out.say(&best);
}
