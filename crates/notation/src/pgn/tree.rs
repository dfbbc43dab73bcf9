//! A game with its variations, comments and marks.

use std::{mem, ops::ControlFlow, time::Duration};

use adoube_rules::{AnyPosition, Turn};

use super::{
    clock,
    game::{Game, GameProblem, Limit, Warnings},
    reader::{Nag, Reader, SyntaxProblem, Visitor},
    replay::{Replay, Replayed},
    tag::{GameResult, Tags, truncate},
};

/// The maximum number of marks stored for a turn.
pub const MAX_NAGS: usize = 32;
/// The maximum number of comments stored after a turn, or before the first turn of a line.
pub const MAX_COMMENTS: usize = 64;
/// The maximum size of a stored comment, in bytes.
pub const MAX_COMMENT_BYTES: usize = 256 << 10;
/// The maximum number of variations stored for one turn.
pub const MAX_VARIATIONS: usize = 256;
/// The number of turns in a game, including variations, beyond which no more turns of variations are stored.
/// It corresponds to about 25 MB of memory.
pub const MAX_TURNS: usize = 200_000;

/// A game with its variations, comments and marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The tags, with the same exceptions as [`Game::tags`].
    pub tags: Tags,
    /// The position in which the game begins.
    pub initial: AnyPosition,
    /// The main line.
    pub main: Line,
    /// The result of the game.
    pub result: GameResult,
    /// The changes and omissions made while reading. They are not written.
    pub warnings: Warnings,
}

/// A sequence of turns: the main line or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first turn.
    pub comments: Vec<String>,
    /// The turns.
    pub nodes: Vec<Node>,
}

/// A turn with its marks, comments and variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The turn, legal where it is played. A turn without steps is a null move; see [`play`](super::play).
    pub turn: Turn,
    /// The marks of the turn.
    pub nags: Vec<Nag>,
    /// The comments after it: words separated by single spaces, without `}`.
    pub comments: Vec<String>,
    /// The variations on it, none of which is empty.
    pub variations: Vec<Line>,
}

impl From<Turn> for Node {
    fn from(turn: Turn) -> Self {
        Self { turn, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Node {
    /// Returns the time left on the clock of the side that played the turn, if a comment contains it.
    pub fn clock(&self) -> Option<Duration> {
        self.comments.iter().find_map(|comment| clock::read(comment))
    }

    /// Writes the time left on the clock of the side that played the turn, before all other comments.
    pub fn set_clock(&mut self, left: Duration) {
        for comment in &mut self.comments {
            *comment = clock::without_clock(comment);
        }
        self.comments.retain(|comment| !comment.is_empty());
        self.comments.insert(0, clock::write(left));
    }
}

impl From<Game> for Tree {
    fn from(game: Game) -> Self {
        let nodes = game.turns.into_iter().map(Node::from).collect();
        let main = Line { comments: Vec::new(), nodes };
        Self {
            tags: game.tags,
            initial: game.initial,
            main,
            result: game.result,
            warnings: Warnings::default(),
        }
    }
}

/// A game that could not be read completely as a [`Tree`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
#[non_exhaustive]
pub struct TreeError {
    /// The line number of the problem, starting from 1.
    pub line: usize,
    /// The first problem.
    pub problem: GameProblem,
    /// The part that could be read. `None` if the start position is not known.
    pub read: Option<Tree>,
}

/// Returns the games in a string with variations, comments and marks. A bad game yields an error in its
/// place, and reading continues with the next one.
pub fn trees(text: &str) -> impl Iterator<Item = Result<Tree, Box<TreeError>>> + '_ {
    let mut reader = Reader::new(text);
    let mut builder = TreeBuilder::default();
    std::iter::from_fn(move || reader.read_game(&mut builder))
}

/// Builds a [`Tree`] from a reader's calls.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    tags: Tags,
    replay: Replay,
    line: OpenLine,
    interrupted: Vec<OpenLine>,
    /// The number of turns.
    turns: usize,
    /// The last reported line number.
    at: usize,
}

/// A line that is being read.
#[derive(Debug, Default)]
struct OpenLine {
    line: Line,
    /// Variations before the first turn, which are variations on it.
    before: Vec<Line>,
}

impl TreeBuilder {
    fn limit(&mut self, limit: Limit) {
        self.replay.note(self.at, GameProblem::TooMuch(limit));
    }
}

impl Visitor for TreeBuilder {
    type Output = Result<Tree, Box<TreeError>>;

    fn begin_game(&mut self, line: usize) {
        *self = Self { at: line, ..Self::default() };
    }

    fn tag(&mut self, line: usize, name: &str, value: &str) {
        self.at = line;
        self.replay.tag(line, name, value, &mut self.tags);
    }

    fn begin_movetext(&mut self, line: usize) -> ControlFlow<()> {
        self.at = line;
        self.replay.begin_movetext(&mut self.tags)
    }

    fn turn(&mut self, line: usize, text: &str) -> ControlFlow<()> {
        self.at = line;
        if self.turns >= MAX_TURNS && !self.interrupted.is_empty() {
            self.limit(Limit::Turns);
            return ControlFlow::Break(());
        }
        match self.replay.turn(line, text) {
            ControlFlow::Continue(Some(turn)) => {
                let variations = mem::take(&mut self.line.before);
                self.line.line.nodes.push(Node { variations, ..turn.into() });
                self.turns += 1;
                ControlFlow::Continue(())
            }
            ControlFlow::Continue(None) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }

    fn explicit_turn(&mut self, line: usize, text: &str) {
        self.replay.explicit_turn(line, text);
    }

    fn nag(&mut self, nag: Nag) {
        match self.line.line.nodes.last_mut() {
            Some(node) if node.nags.len() < MAX_NAGS => node.nags.push(nag),
            Some(_) => self.limit(Limit::Nags),
            None => self.replay.note(self.at, GameProblem::NoTurn("a mark")),
        }
    }

    fn comment(&mut self, text: &str) {
        if text.len() > MAX_COMMENT_BYTES {
            self.limit(Limit::CommentBytes);
        }
        let text = one_line(truncate(text, MAX_COMMENT_BYTES));
        if text.is_empty() {
            return;
        }
        let line = &mut self.line.line;
        let comments = line.nodes.last_mut().map_or(&mut line.comments, |node| &mut node.comments);
        if comments.len() < MAX_COMMENTS {
            comments.push(text);
        } else {
            self.limit(Limit::Comments);
        }
    }

    fn begin_variation(&mut self) -> ControlFlow<()> {
        let OpenLine { line, before } = &self.line;
        if line.nodes.last().map_or(before, |node| &node.variations).len() >= MAX_VARIATIONS {
            self.limit(Limit::Variations);
            return ControlFlow::Break(());
        }
        self.replay.begin_variation()?;
        self.interrupted.push(mem::take(&mut self.line));
        ControlFlow::Continue(())
    }

    fn end_variation(&mut self) {
        self.replay.end_variation();
        if let Some(outer) = self.interrupted.pop() {
            let variation = mem::replace(&mut self.line, outer);
            if !variation.before.is_empty() {
                self.replay.note(self.at, GameProblem::NoTurn("a variation"));
            }
            let variation = variation.line;
            if variation == Line::default() {
                return;
            }
            let OpenLine { line, before } = &mut self.line;
            match line.nodes.last_mut() {
                Some(node) => node.variations.push(variation),
                None if variation.nodes.is_empty() => {
                    line.comments.extend(variation.comments);
                    if line.comments.len() > MAX_COMMENTS {
                        line.comments.truncate(MAX_COMMENTS);
                        self.limit(Limit::Comments);
                    }
                }
                None => before.push(variation),
            }
        }
    }

    fn result(&mut self, result: GameResult) {
        self.replay.result(result);
    }

    fn problem(&mut self, line: usize, problem: SyntaxProblem) {
        self.at = line;
        self.replay.note(line, GameProblem::Syntax(problem));
    }

    fn end_game(&mut self) -> Self::Output {
        // Close the variations that are still open; the main line is the outermost line.
        while !self.interrupted.is_empty() {
            self.end_variation();
        }
        if !self.line.before.is_empty() {
            self.replay.note(self.at, GameProblem::NoTurn("a variation"));
        }
        let Self { tags, mut replay, line: OpenLine { line: mut main, .. }, .. } = mem::take(self);
        let Replayed { start, turns, second_block, result, problem, warnings, .. } = replay.finish();
        if second_block {
            let known = main.nodes.len();
            main.nodes.extend(turns.into_iter().skip(known).map(Node::from));
        }
        let tree = start.map(|initial| Tree { tags, initial, main, result, warnings });
        match (problem, tree) {
            (None, Some(tree)) => Ok(tree),
            (problem, read) => {
                // Every game has a start position, set by `begin_movetext`, or a problem.
                let (line, problem) = problem.unwrap_or((0, GameProblem::Variant(String::new())));
                Err(Box::new(TreeError { line, problem, read }))
            }
        }
    }
}

/// Returns the words of a string separated by single spaces, and with `)` for `}`, which would end a comment.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().map(|c| if c == '}' { ')' } else { c }));
    }
    line
}
