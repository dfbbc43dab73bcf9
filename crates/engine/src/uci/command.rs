//! What is said to the engine.

use std::{str::SplitAsciiWhitespace, time::Duration};

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Say who you are and what can be set.
    Uci,
    /// Answer when all that was asked before is done.
    IsReady,
    /// The next position is from another game.
    NewGame,
    /// Set something.
    SetOption {
        /// What, in any case.
        name: String,
        /// To which value, if it takes one.
        value: Option<String>,
    },
    /// Look at a position.
    Position {
        /// Where it begins.
        start: Start,
        /// The turns from there, in coordinates.
        turns: Vec<String>,
    },
    /// Think.
    Go(Box<Go>),
    /// Stop thinking and answer.
    Stop,
    /// The turn that was pondered on has been played.
    PonderHit,
    /// Draw the position.
    Display,
    /// End.
    Quit,
    /// Something that the protocol allows and that changes nothing here.
    Nothing,
}

/// Where a position begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the beginning of the game.
    Initial,
    /// With a FEN.
    Fen(String),
}

/// How to think.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Only these turns.
    pub search_moves: Vec<String>,
    /// On the other side's time, until told that the turn was played.
    pub ponder: bool,
    /// Until told to stop.
    pub infinite: bool,
    /// What is left to White and to Black.
    pub time: [Option<Duration>; 2],
    /// What White and Black get for each turn.
    pub increment: [Duration; 2],
    /// Turns until there is more time.
    pub moves_to_go: Option<u32>,
    /// To this depth.
    pub depth: Option<u32>,
    /// So many nodes.
    pub nodes: Option<u64>,
    /// For a mate in so many moves.
    pub mate: Option<u32>,
    /// For so long.
    pub move_time: Option<Duration>,
    /// Do not think: count the sequences of turns of this length.
    pub perft: Option<u32>,
}

/// What is wrong with a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseCommandError {
    /// No such command.
    #[error("unknown command {0:?}")]
    Unknown(String),
    /// `setoption` without `name`.
    #[error("an option is set by \"setoption name NAME value VALUE\"")]
    Option,
    /// `position` without a position.
    #[error("a position is \"startpos\" or \"fen FEN\", with \"moves\" and turns after it if there are any")]
    Position,
    /// A word that needs a number, without one.
    #[error("{word:?} needs a number, not {found:?}")]
    Number {
        /// The word.
        word: String,
        /// What stands behind it.
        found: String,
    },
    /// `go` with a word that means nothing there.
    #[error("\"go\" knows no {0:?}")]
    Go(String),
}

/// Longer words are told shortened.
const LONGEST_WORD: usize = 40;

fn shortened(word: &str) -> String {
    word.chars().take(LONGEST_WORD).collect()
}

impl Command {
    /// Reads a line. An empty one says nothing.
    pub fn parse(line: &str) -> Result<Self, ParseCommandError> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(Self::Nothing) };
        Ok(match first {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "setoption" => option(words)?,
            "position" => position(words)?,
            "go" => Self::Go(Box::new(go(words)?)),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "d" => Self::Display,
            "quit" => Self::Quit,
            "debug" | "register" => Self::Nothing,
            other => return Err(ParseCommandError::Unknown(shortened(other))),
        })
    }
}

fn option(mut words: SplitAsciiWhitespace<'_>) -> Result<Command, ParseCommandError> {
    if words.next() != Some("name") {
        return Err(ParseCommandError::Option);
    }
    // Names and values may be several words.
    let mut name = Vec::new();
    let mut value = None;
    for word in words {
        match &mut value {
            None if word == "value" => value = Some(Vec::new()),
            None => name.push(word),
            Some(value) => value.push(word),
        }
    }
    if name.is_empty() {
        return Err(ParseCommandError::Option);
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.map(|words| words.join(" ")) })
}

fn position(mut words: SplitAsciiWhitespace<'_>) -> Result<Command, ParseCommandError> {
    let start = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Start::Initial,
            Some(_) => return Err(ParseCommandError::Position),
        },
        Some("fen") => {
            let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            if fen.is_empty() {
                return Err(ParseCommandError::Position);
            }
            Start::Fen(fen.join(" "))
        }
        _ => return Err(ParseCommandError::Position),
    };
    Ok(Command::Position { start, turns: words.map(str::to_owned).collect() })
}

fn go(words: SplitAsciiWhitespace<'_>) -> Result<Go, ParseCommandError> {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut number = || -> Result<i64, ParseCommandError> {
            let found = words.next().unwrap_or("");
            found
                .parse()
                .map_err(|_| ParseCommandError::Number { word: word.to_owned(), found: shortened(found) })
        };
        // Some programs tell of a clock that has run out as a negative time.
        let millis = |number: i64| Duration::from_millis(number.max(0).unsigned_abs());
        let small = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
        let [white_time, black_time] = &mut go.time;
        let [white_increment, black_increment] = &mut go.increment;
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => *white_time = Some(millis(number()?)),
            "btime" => *black_time = Some(millis(number()?)),
            "winc" => *white_increment = millis(number()?),
            "binc" => *black_increment = millis(number()?),
            "movestogo" => go.moves_to_go = Some(small(number()?)),
            "depth" => go.depth = Some(small(number()?)),
            "nodes" => go.nodes = Some(number()?.max(0).unsigned_abs()),
            "mate" => go.mate = Some(small(number()?)),
            "movetime" => go.move_time = Some(millis(number()?)),
            "perft" => go.perft = Some(small(number()?)),
            "searchmoves" => {
                // A turn begins with a square; the next word of the command does not.
                while let Some(turn) = words.next_if(|word| looks_like_turn(word)) {
                    go.search_moves.push(turn.to_owned());
                }
            }
            other => return Err(ParseCommandError::Go(shortened(other))),
        }
    }
    Ok(go)
}

fn looks_like_turn(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_read_as_the_protocol_says() {
        let parse = |line| Command::parse(line).expect("a command");
        assert_eq!(parse("  uci "), Command::Uci);
        assert_eq!(parse(""), Command::Nothing);
        assert_eq!(
            parse("setoption name Clear Hash"),
            Command::SetOption { name: "Clear Hash".into(), value: None }
        );
        assert_eq!(
            parse("setoption  name  Skill Level value 3"),
            Command::SetOption { name: "Skill Level".into(), value: Some("3".into()) }
        );
        assert_eq!(
            parse("position startpos moves e2e4 e7e5"),
            Command::Position { start: Start::Initial, turns: vec!["e2e4".into(), "e7e5".into()] }
        );
        assert_eq!(
            parse("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2"),
            Command::Position {
                start: Start::Fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1".into()),
                turns: vec!["e1e2".into()]
            }
        );
        let Command::Go(go) =
            parse("go searchmoves e2e4 a7e7a5 wtime -5 btime 1000 winc 10 movestogo 3 ponder")
        else {
            panic!("no go")
        };
        assert_eq!(go.search_moves, ["e2e4", "a7e7a5"]);
        assert_eq!(go.time, [Some(Duration::ZERO), Some(Duration::from_secs(1))]);
        assert_eq!((go.increment[0], go.moves_to_go, go.ponder), (Duration::from_millis(10), Some(3), true));
    }

    #[test]
    fn nonsense_is_told_from_commands() {
        for line in [
            "xyzzy",
            "setoption",
            "setoption name",
            "setoption value 3",
            "position",
            "position fen",
            "position fen moves e2e4",
            "position startpos e2e4",
            "go depth",
            "go depth x",
            "go wtime 99999999999999999999999",
            "go sideways",
            "\u{0}\u{1}",
        ] {
            assert!(Command::parse(line).is_err(), "{line:?}");
        }
        let long = Command::parse(&"x".repeat(100_000)).expect_err("not a command");
        assert!(long.to_string().len() < 100);
    }
}
