//! A game read from PGN, and the problems found while reading it.

use std::ops::ControlFlow;

use adoube_rules::{AnyPosition, ReadPositionError, Turn, Variant, fen::Repair};

use super::{
    reader::{Reader, SyntaxProblem, Visitor},
    replay::{Replay, Replayed, play},
    tag::{GameResult, MAX_TAG_VALUE, MAX_TAGS, Tags},
    tree::{MAX_COMMENT_BYTES, MAX_COMMENTS, MAX_NAGS, MAX_TURNS, MAX_VARIATIONS},
};
use crate::san::SanError;

/// The turns and the tags of a game, without variations and comments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The tags, except those for variant, start position and result. A `Variant` tag is kept only if its
    /// value is `Chess960` and nothing in the start position shows this.
    pub tags: Tags,
    /// The position in which the game begins.
    pub initial: AnyPosition,
    /// The turns, each legal where it is played. A turn without steps is a null move; see
    /// [`play`](super::play).
    pub turns: Vec<Turn>,
    /// The result of the game.
    pub result: GameResult,
}

impl Game {
    /// Returns a game without turns.
    pub fn new(initial: AnyPosition) -> Self {
        Self { tags: Tags::new(), initial, turns: Vec::new(), result: GameResult::Unknown }
    }

    /// Returns the position after the last turn.
    pub fn last_position(&self) -> AnyPosition {
        let mut position = self.initial.clone();
        for turn in &self.turns {
            play(&mut position, turn);
        }
        position
    }
}

/// A game that could not be read completely.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
#[non_exhaustive]
pub struct GameError {
    /// The line number of the problem, starting from 1.
    pub line: usize,
    /// The first problem.
    pub problem: GameProblem,
    /// The game before its first bad turn. `None` if its start position is not known.
    pub read: Option<Game>,
}

/// Lists the values of the `Variant` tag, for messages.
fn variant_names() -> String {
    let names = Variant::ALL.into_iter().filter_map(|variant| variant.info().pgn_name);
    names.collect::<Vec<_>>().join(" or ")
}

/// A problem in a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameProblem {
    /// A problem in the text.
    #[error(transparent)]
    Syntax(SyntaxProblem),
    /// The variant is not supported.
    #[error("unknown variant {0:?}; the Variant tag may be {names}", names = variant_names())]
    Variant(String),
    /// The start position cannot be read or is not playable.
    #[error("the FEN tag: {0}")]
    Fen(ReadPositionError),
    /// A turn in the second block cannot be read or played.
    #[error("turn {number} of the second block: {text:?} is not a legal turn here")]
    Explicit {
        /// The number of the turn, starting from 1 and counting the turns of both sides.
        number: usize,
        /// The text.
        text: String,
    },
    /// The turns in the two blocks of a game differ.
    #[error("turn {number} of the second block differs from the first block")]
    BlocksDiffer {
        /// The number of the first turn that differs, starting from 1.
        number: usize,
    },
    /// A null move is not possible.
    #[error("turn {number}: a null move is not possible in check")]
    NullMove {
        /// The number of the turn, starting from 1 and counting the turns of both sides. For a turn in a
        /// variation, the number of the main line's last turn before it, at least 1.
        number: usize,
    },
    /// The `FEN` tag could be read only after a change.
    #[error("the FEN tag: {0}")]
    FenRepair(Repair),
    /// The `Result` tag does not contain a result.
    #[error("{0:?} in the Result tag is not a result; results are 1-0, 0-1, 1/2-1/2 and *")]
    Result(String),
    /// A variation was read only up to a turn that cannot be read or played.
    #[error("a variation was cut off: {0}")]
    CutVariation(Box<GameProblem>),
    /// The game exceeds a limit. The rest is ignored.
    #[error("{0}; the rest is ignored")]
    TooMuch(Limit),
    /// A mark without a turn before it, or a variation without a turn before or after it. It is ignored.
    #[error("{0} belongs to no turn and is ignored")]
    NoTurn(&'static str),
    /// A turn cannot be read or played.
    #[error("turn {number}: {error}")]
    Turn {
        /// The number of the turn, starting from 1 and counting the turns of both sides. For a turn in a
        /// variation, the number of the main line's last turn before it, at least 1.
        number: usize,
        /// The reason.
        error: SanError,
    },
}

impl GameProblem {
    /// Returns `true` if the main line is unchanged despite the problem.
    pub const fn is_harmless(&self) -> bool {
        match self {
            Self::Syntax(problem) => problem.is_harmless(),
            Self::FenRepair(_)
            | Self::Result(_)
            | Self::CutVariation(_)
            | Self::TooMuch(_)
            | Self::NoTurn(_) => true,
            Self::Variant(_)
            | Self::Fen(_)
            | Self::Explicit { .. }
            | Self::BlocksDiffer { .. }
            | Self::NullMove { .. }
            | Self::Turn { .. } => false,
        }
    }

    /// Returns `true` if turns of a variation were left out because one of them is bad or because the
    /// variation is nested too deep.
    pub(super) const fn cuts_variation(&self) -> bool {
        matches!(self, Self::CutVariation(_) | Self::Syntax(SyntaxProblem::TooDeep))
    }
}

/// A limit that a game has exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Limit {
    /// See [`MAX_TAGS`].
    #[error("a game has more than {MAX_TAGS} tags")]
    Tags,
    /// See [`MAX_TAG_VALUE`].
    #[error("the value of a tag is longer than {MAX_TAG_VALUE} bytes")]
    TagValue,
    /// See [`MAX_NAGS`].
    #[error("a turn has more than {MAX_NAGS} marks")]
    Nags,
    /// See [`MAX_COMMENTS`].
    #[error("a turn has more than {MAX_COMMENTS} comments")]
    Comments,
    /// See [`MAX_COMMENT_BYTES`].
    #[error("a comment is longer than {MAX_COMMENT_BYTES} bytes")]
    CommentBytes,
    /// See [`MAX_VARIATIONS`].
    #[error("a turn has more than {MAX_VARIATIONS} variations")]
    Variations,
    /// See [`MAX_TURNS`].
    #[error("a game has more than {MAX_TURNS} turns, including variations")]
    Turns,
}

/// A warning about a game that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The line number, starting from 1.
    pub line: usize,
    /// The change or omission.
    pub problem: GameProblem,
}

/// The changes and omissions made while reading a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Warnings {
    /// The first warnings, at most [`Warnings::MAX`].
    pub first: Vec<Warning>,
    /// The number of further warnings.
    pub omitted_warnings: usize,
}

impl Warnings {
    /// The maximum number of warnings stored for one game.
    pub const MAX: usize = 24;

    /// Returns `true` if the game was read unchanged.
    pub const fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(super) fn push(&mut self, line: usize, problem: GameProblem) {
        if self.first.len() < Self::MAX {
            self.first.push(Warning { line, problem });
        } else {
            self.omitted_warnings += 1;
        }
    }

    /// Removes a warning that was pushed, whether it was stored or omitted.
    pub(super) fn remove(&mut self, warning: &Warning) {
        if let Some(index) = self.first.iter().position(|stored| stored == warning) {
            self.first.remove(index);
        } else {
            self.omitted_warnings = self.omitted_warnings.saturating_sub(1);
        }
    }
}

/// Returns the games in a string, one by one. A bad game yields an error, and reading continues with the
/// next.
pub const fn games(text: &str) -> Games<'_> {
    Games { reader: Reader::new(text) }
}

/// An iterator over the games in a string; returned by [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    reader: Reader<'a>,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, Box<GameError>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.reader.read_game(&mut Builder::default())
    }
}

/// Builds a game from the reader's calls.
#[derive(Default)]
struct Builder {
    tags: Tags,
    replay: Replay,
}

impl Visitor for Builder {
    type Output = Result<Game, Box<GameError>>;

    fn begin_game(&mut self, _: usize) {
        *self = Self::default();
    }

    fn tag(&mut self, line: usize, name: &str, value: &str) {
        self.replay.tag(line, name, value, &mut self.tags);
    }

    fn begin_movetext(&mut self, _: usize) -> ControlFlow<()> {
        self.replay.begin_movetext(&mut self.tags)
    }

    fn turn(&mut self, line: usize, text: &str) -> ControlFlow<()> {
        match self.replay.turn(line, text) {
            ControlFlow::Continue(_) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }

    fn explicit_turn(&mut self, line: usize, text: &str) {
        self.replay.explicit_turn(line, text);
    }

    fn result(&mut self, result: GameResult) {
        self.replay.result(result);
    }

    fn problem(&mut self, line: usize, problem: SyntaxProblem) {
        self.replay.note(line, GameProblem::Syntax(problem));
    }

    fn end_game(&mut self) -> Self::Output {
        let Self { tags, mut replay } = std::mem::take(self);
        let Replayed { start, turns, result, problem, .. } = replay.finish();
        let game = start.map(|initial| Game { tags, initial, turns, result });
        match (problem, game) {
            (None, Some(game)) => Ok(game),
            (problem, read) => {
                // Every game has a start position, set by `begin_movetext`, or a problem.
                let (line, problem) = problem.unwrap_or((0, GameProblem::Variant(String::new())));
                Err(Box::new(GameError { line, problem, read }))
            }
        }
    }
}
