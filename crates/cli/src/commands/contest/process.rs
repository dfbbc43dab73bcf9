//! A UCI program, driven through pipes.

use std::{
    fmt,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use adoube_rules::Variant;
use anyhow::{Context as _, anyhow};

/// Timeout for answers that do not require a search.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// Grace period after the time for a turn has run out.
const MARGIN: Duration = Duration::from_secs(2);

/// The maximum time for a search, whatever its time limit.
const MAX_SEARCH_TIME: Duration = Duration::from_hours(1);

/// The reason why a program has not answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoAnswer {
    /// The program did not answer in time, but may still answer later.
    Late,
    /// The program has exited, or has closed a pipe.
    Gone,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Late => "it is not responding",
            Self::Gone => "it has exited",
        })
    }
}

impl std::error::Error for NoAnswer {}

pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    /// Starts the program, and sets its options, among them the variant.
    pub(super) fn start(
        command: &[String],
        options: &[(String, String)],
        variant: Variant,
        hash: usize,
        threads: usize,
    ) -> anyhow::Result<Self> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| anyhow!("the command that starts the program is empty"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{program:?} cannot be started"))?;
        let input = child.stdin.take().context("no pipe to the program")?;
        let output = child.stdout.take().context("no pipe from the program")?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut process = Self { child, input, lines };
        process.send("uci")?;
        let mut supported = Vec::new();
        process.read_until(ANSWER_TIMEOUT, |line| {
            if let Some(rest) = line.strip_prefix("option name ") {
                supported.extend(rest.split_once(" type ").map(|(name, _)| name.to_ascii_lowercase()));
            }
            (line.trim() == "uciok").then_some(())
        })?;
        let variant = variant.name();
        let defaults = [
            ("Hash", hash.to_string()),
            ("Threads", threads.to_string()),
            ("UCI_Variant", variant.to_owned()),
        ];
        for (name, value) in
            defaults.iter().filter(|(name, _)| supported.contains(&name.to_ascii_lowercase()))
        {
            process.send(&format!("setoption name {name} value {value}"))?;
        }
        if variant != Variant::DEFAULT.name() && !supported.iter().any(|name| name == "uci_variant") {
            return Err(anyhow!("the program does not play {variant}"));
        }
        for (name, value) in options {
            process.send(&format!("setoption name {name} value {value}"))?;
        }
        process.wait_until_ready()?;
        Ok(process)
    }

    fn send(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{text}")
            .and_then(|()| self.input.flush())
            .context("the program has closed its input")
    }

    /// Reads lines until `parse` finds an answer in one, or the time is up.
    fn read_until<T>(
        &mut self,
        time: Duration,
        mut parse: impl FnMut(&str) -> Option<T>,
    ) -> anyhow::Result<T> {
        let end = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    if let Some(answer) = parse(&line) {
                        return Ok(answer);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(NoAnswer::Late.into()),
                Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Gone.into()),
            }
        }
    }

    fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        self.send("isready")?;
        self.read_until(ANSWER_TIMEOUT, |line| (line.trim() == "readyok").then_some(()))
    }

    pub(super) fn new_game(&mut self) -> anyhow::Result<()> {
        self.send("ucinewgame")?;
        self.wait_until_ready()
    }

    /// Returns the turn that the program chooses, or an error if it exits or exceeds the time by more than
    /// [`MARGIN`].
    pub(super) fn best_move(
        &mut self,
        position: &str,
        go: &str,
        time: Option<Duration>,
    ) -> Result<String, NoAnswer> {
        self.send(position).and_then(|()| self.send(go)).map_err(|_| NoAnswer::Gone)?;
        let time = time.map_or(MAX_SEARCH_TIME, |time| time.saturating_add(MARGIN).min(MAX_SEARCH_TIME));
        let answer = self.read_until(time, |line| {
            let mut words = line.split_ascii_whitespace();
            (words.next() == Some("bestmove")).then(|| words.next().unwrap_or_default().to_owned())
        });
        answer.map_err(|error| error.downcast().unwrap_or(NoAnswer::Gone))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Well-behaved programs exit when told to quit. Others are killed.
        let _ = self.send("quit");
        let end = Instant::now() + Duration::from_secs(1);
        while Instant::now() < end {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            #[expect(clippy::disallowed_methods, reason = "another process: there is no event to wait for")]
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
