//! Parses commands to the engine.
//!
//! As the specification requires, unknown words are skipped and the rest of the line is tried. Words that
//! were skipped, or read differently from their literal text, are returned as [`Diagnostic`]s to be reported.

use std::time::Duration;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Identify the engine and list its options.
    Uci,
    /// Answer `readyok`: immediately during a search, otherwise when all earlier commands are done.
    IsReady,
    /// The next position is from another game.
    NewGame,
    /// Set an option.
    SetOption {
        /// The name, case-insensitive.
        name: String,
        /// The value, if the option takes one.
        value: Option<String>,
    },
    /// Set the position.
    Position {
        /// The position before the turns.
        start: Start,
        /// The turns from there, in coordinate notation.
        turns: Vec<String>,
    },
    /// Search.
    Go(Box<Go>),
    /// Stop the search and answer.
    Stop,
    /// The pondered turn was played.
    PonderHit,
    /// Display the position.
    Display,
    /// Exit.
    Quit,
    /// Nothing to do: the line has no command, an incomplete `setoption`, or a command that has no effect
    /// here.
    Nothing,
}

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The command; [`Command::Nothing`] if the line contains none.
    pub command: Command,
    /// The remarks on words that were skipped or read differently: at most
    /// [`MAX_REMARKS`](Self::MAX_REMARKS), and one that counts the others.
    pub remarks: Vec<Diagnostic>,
}

/// The starting position of a `position` command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The command has no usable position: either it gives none, or turns follow without `moves`.
    Missing,
    /// The initial position of the variant.
    Initial,
    /// A FEN.
    Fen(String),
}

/// The arguments of `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// The turns to consider.
    pub search_moves: Vec<String>,
    /// Whether to search on the opponent's time, until `ponderhit`.
    pub ponder: bool,
    /// Whether to search until `stop`.
    pub infinite: bool,
    /// The time left for White and for Black.
    pub time: [Option<Duration>; 2],
    /// White's and Black's increments.
    pub increment: [Duration; 2],
    /// The number of turns until more time is added.
    pub moves_to_go: Option<u32>,
    /// The depth limit.
    pub depth: Option<u32>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// The number of moves within which to find a mate.
    pub mate: Option<u32>,
    /// The time for this turn.
    pub move_time: Option<Duration>,
    /// The length, in turns, of the sequences to count (perft). If it is given, nothing is searched.
    pub perft: Option<u32>,
    /// Whether the value of a limit could not be read.
    pub has_unreadable_limit: bool,
}

/// A remark about a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Diagnostic {
    /// The command is unknown.
    #[error("unknown command {0:?}")]
    Unknown(String),
    /// `setoption` without a name.
    #[error("to set an option, use \"setoption name NAME value VALUE\"")]
    Option,
    /// A word that needs a number is not followed by one.
    #[error("{word:?} needs a number, not {found:?}")]
    Number {
        /// The word.
        word: &'static str,
        /// The text after it.
        found: String,
    },
    /// A number that is not written as an integer, or is too large.
    #[error("{word:?}: {found:?} is read as {number}")]
    ReadAs {
        /// The word before the number.
        word: &'static str,
        /// The text after it.
        found: String,
        /// The number used.
        number: i64,
    },
    /// An unknown word after a command.
    #[error("unknown word {found:?} after {command:?}; ignored")]
    Skipped {
        /// The command.
        command: &'static str,
        /// The word.
        found: String,
    },
    /// The number of further remarks, of any kind.
    #[error("further remarks: {0}")]
    More(usize),
}

/// The maximum number of characters that are quoted from a word.
const MAX_WORD_LENGTH: usize = 40;

fn shortened(word: &str) -> String {
    word.chars().take(MAX_WORD_LENGTH).collect()
}

/// The words that begin a command.
const COMMANDS: [&str; 12] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "d",
    "quit",
    "debug",
    "register",
];

/// The keywords of `go`.
const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

impl Reading {
    /// The maximum number of remarks about one line. Further ones are only counted.
    pub const MAX_REMARKS: usize = 4;
}

impl Command {
    /// Reads a line, which may be empty.
    pub fn read(line: &str) -> Reading {
        let mut remarks = Diagnostics::default();
        let mut words = Words(line);
        let command = loop {
            let Some(first) = words.next() else { break Self::Nothing };
            if !COMMANDS.contains(&first) {
                remarks.add(Diagnostic::Unknown(shortened(first)));
                continue;
            }
            break match first {
                "uci" => Self::Uci,
                "isready" => Self::IsReady,
                "ucinewgame" => Self::NewGame,
                "setoption" => option(words, &mut remarks),
                "position" => position(words, &mut remarks),
                "go" => Self::Go(Box::new(go(words, &mut remarks))),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "d" => Self::Display,
                "quit" => Self::Quit,
                _ => Self::Nothing,
            };
        };
        Reading { command, remarks: remarks.finish() }
    }
}

/// The remarks about one line, of which only the first few are stored.
#[derive(Default)]
struct Diagnostics {
    stored: Vec<Diagnostic>,
    count: usize,
}

impl Diagnostics {
    fn add(&mut self, remark: Diagnostic) {
        self.count += 1;
        if self.stored.len() < Reading::MAX_REMARKS {
            self.stored.push(remark);
        }
    }

    fn skip(&mut self, command: &'static str, word: &str) {
        self.add(Diagnostic::Skipped { command, found: shortened(word) });
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        let more = self.count - self.stored.len();
        self.stored.extend((more > 0).then_some(Diagnostic::More(more)));
        self.stored
    }
}

/// The unread rest of a line, as an iterator over its words.
#[derive(Clone)]
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_ascii_start();
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

fn option(mut words: Words<'_>, remarks: &mut Diagnostics) -> Command {
    loop {
        match words.next() {
            Some("name") => break,
            Some(word) => remarks.skip("setoption", word),
            None => {
                remarks.add(Diagnostic::Option);
                return Command::Nothing;
            }
        }
    }
    // A name may consist of several words. Values are kept literally, because a file name may contain two
    // spaces in a row.
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.0.trim_ascii().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        remarks.add(Diagnostic::Option);
        return Command::Nothing;
    }
    Command::SetOption { name: name.join(" "), value }
}

fn position(mut words: Words<'_>, remarks: &mut Diagnostics) -> Command {
    let missing = Command::Position { start: Start::Missing, turns: Vec::new() };
    let start = loop {
        match words.next() {
            Some("startpos") => break Start::Initial,
            Some("fen") => {
                let fen: Vec<&str> = std::iter::from_fn(|| {
                    let word = words.peek().filter(|&word| word != "moves")?;
                    words.next();
                    Some(word)
                })
                .collect();
                if fen.is_empty() {
                    return missing;
                }
                break Start::Fen(fen.join(" "));
            }
            Some("moves") | None => return missing,
            Some(word) => remarks.skip("position", word),
        }
    };
    loop {
        match words.next() {
            Some("moves") => break,
            None => return Command::Position { start, turns: Vec::new() },
            // Turns without the `moves` keyword cannot be skipped, because the sender has played them on its
            // board.
            Some(word) if looks_like_turn(word) => return missing,
            Some(word) => remarks.skip("position", word),
        }
    }
    Command::Position { start, turns: words.map(str::to_owned).collect() }
}

fn go(mut words: Words<'_>, remarks: &mut Diagnostics) -> Go {
    let mut go = Go::default();
    let mut lists_turns = false;
    while let Some(word) = words.next() {
        let Some(&word) = GO_WORDS.iter().find(|known| **known == word) else {
            if lists_turns && looks_like_turn(word) {
                go.search_moves.push(word.to_owned());
            } else {
                remarks.skip("go", word);
            }
            continue;
        };
        lists_turns = word == "searchmoves";
        match word {
            "searchmoves" => {}
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            _ => match number(word, &mut words, remarks) {
                Some(number) => go.set(word, number),
                None => go.has_unreadable_limit = true,
            },
        }
    }
    go
}

impl Go {
    fn set(&mut self, word: &str, number: i64) {
        // Some programs report an expired clock as a negative time.
        let millis = Duration::from_millis(number.max(0).unsigned_abs());
        let small = u32::try_from(number.max(0)).unwrap_or(u32::MAX);
        let [white_time, black_time] = &mut self.time;
        let [white_increment, black_increment] = &mut self.increment;
        match word {
            "wtime" => *white_time = Some(millis),
            "btime" => *black_time = Some(millis),
            "winc" => *white_increment = millis,
            "binc" => *black_increment = millis,
            "movestogo" => self.moves_to_go = Some(small),
            "depth" => self.depth = Some(small),
            "nodes" => self.nodes = Some(number.max(0).unsigned_abs()),
            "mate" => self.mate = Some(small),
            "movetime" => self.move_time = Some(millis),
            "perft" => self.perft = Some(small),
            _ => {}
        }
    }
}

/// Reads the number after a keyword. Skips a word that cannot be a number, unless it is a keyword of `go`.
fn number(word: &'static str, words: &mut Words<'_>, remarks: &mut Diagnostics) -> Option<i64> {
    let found = words.peek().unwrap_or("");
    if !GO_WORDS.contains(&found) {
        words.next();
    }
    if let Ok(number) = found.parse() {
        return Some(number);
    }
    let number = loose_number(found);
    let found = shortened(found);
    remarks.add(match number {
        Some(number) => Diagnostic::ReadAs { word, found, number },
        None => Diagnostic::Number { word, found },
    });
    number
}

/// Reads a number that is not a plain integer: decimals are truncated, large numbers saturate, `ms` and `s`
/// are units of time, and a trailing comma or semicolon is ignored.
fn loose_number(text: &str) -> Option<i64> {
    let text = text.trim_end_matches([',', ';']);
    let (text, factor) = match text.strip_suffix("ms") {
        Some(text) => (text, 1.0),
        None => text.strip_suffix('s').map_or((text, 1.0), |text| (text, 1_000.0)),
    };
    // Exclude "infinity" and "nan", which the parser would accept as numbers.
    let begins = text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    #[expect(clippy::cast_possible_truncation, reason = "large numbers saturate")]
    text.parse::<f64>().ok().filter(|_| begins).map(|number| (number * factor) as i64)
}

fn looks_like_turn(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..])
}

#[cfg(test)]
mod tests;
