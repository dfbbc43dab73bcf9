//! A game with all that is said of it: variations, comments, marks.

use std::{mem, ops::ControlFlow, time::Duration};

use adoube_rules::{AnyPosition, Turn};

use super::{
    clock,
    game::{Game, GameProblem},
    reader::{Nag, Reader, SyntaxProblem, Visitor},
    replay::{Replay, Replayed},
    tag::{GameResult, Tags},
};

/// A game with its variations, comments and marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// What is said of the game, but for its variant, start position and result.
    pub tags: Tags,
    /// The position in which the game begins.
    pub initial: AnyPosition,
    /// What was played.
    pub main: Line,
    /// How the game ended.
    pub result: GameResult,
}

/// Turns one after the other: what was played, or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// What is said before the first turn.
    pub comments: Vec<String>,
    /// The turns.
    pub nodes: Vec<Node>,
}

/// A turn and what is said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The turn, legal in its place.
    pub turn: Turn,
    /// Its marks.
    pub nags: Vec<Nag>,
    /// What is said behind it: words with one space between them, without `}`.
    pub comments: Vec<String>,
    /// What could be played instead of it. None is without turns and comments.
    pub variations: Vec<Line>,
}

impl From<Turn> for Node {
    fn from(turn: Turn) -> Self {
        Self { turn, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Node {
    /// Returns the time left on the clock of who played the turn, if a comment says it.
    pub fn clock(&self) -> Option<Duration> {
        self.comments.iter().find_map(|comment| clock::read(comment))
    }

    /// Writes the time left on the clock of who played the turn before all other comments.
    pub fn set_clock(&mut self, left: Duration) {
        for comment in &mut self.comments {
            *comment = clock::without(comment);
        }
        self.comments.retain(|comment| !comment.is_empty());
        self.comments.insert(0, clock::write(left));
    }
}

impl From<Game> for Tree {
    fn from(game: Game) -> Self {
        let nodes = game.turns.into_iter().map(Node::from).collect();
        let main = Line { comments: Vec::new(), nodes };
        Self { tags: game.tags, initial: game.initial, main, result: game.result }
    }
}

/// A game that could not be read in full as a [`Tree`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
#[non_exhaustive]
pub struct TreeError {
    /// The line of the problem, 1 for the first of the text.
    pub line: usize,
    /// The first thing that is wrong.
    pub problem: GameProblem,
    /// What could be read. `None` if it is not known where the game began.
    pub read: Option<Tree>,
}

/// Returns the games of a text with all that is said of them. A bad game is an error in its place, and the next
/// one follows.
pub fn trees(text: &str) -> impl Iterator<Item = Result<Tree, Box<TreeError>>> + '_ {
    let mut reader = Reader::new(text);
    let mut builder = TreeBuilder::default();
    std::iter::from_fn(move || reader.read_game(&mut builder))
}

/// Makes a [`Tree`] of each game that a reader tells.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    tags: Tags,
    replay: Replay,
    line: Line,
    interrupted: Vec<Line>,
}

impl Visitor for TreeBuilder {
    type Output = Result<Tree, Box<TreeError>>;

    fn begin_game(&mut self, _: usize) {
        *self = Self::default();
    }

    fn tag(&mut self, line: usize, name: &str, value: &str) {
        if !self.replay.tag(line, name, value) {
            // The reader lets no other name through than `set` does.
            drop(self.tags.set(name, value));
        }
    }

    fn begin_movetext(&mut self, _: usize) -> ControlFlow<()> {
        self.replay.begin_movetext()
    }

    fn turn(&mut self, line: usize, text: &str) -> ControlFlow<()> {
        match self.replay.turn(line, text) {
            ControlFlow::Continue(turn) => {
                self.line.nodes.push(turn.into());
                ControlFlow::Continue(())
            }
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }

    fn explicit_turn(&mut self, line: usize, text: &str) {
        self.replay.explicit_turn(line, text);
    }

    fn nag(&mut self, nag: Nag) {
        if let Some(node) = self.line.nodes.last_mut() {
            node.nags.push(nag);
        }
    }

    fn comment(&mut self, text: &str) {
        let text = one_line(text);
        if text.is_empty() {
            return;
        }
        match self.line.nodes.last_mut() {
            Some(node) => node.comments.push(text),
            None => self.line.comments.push(text),
        }
    }

    fn begin_variation(&mut self) -> ControlFlow<()> {
        self.replay.begin_variation()?;
        self.interrupted.push(mem::take(&mut self.line));
        ControlFlow::Continue(())
    }

    fn end_variation(&mut self) {
        self.replay.end_variation();
        if let Some(outer) = self.interrupted.pop() {
            let variation = mem::replace(&mut self.line, outer);
            if variation == Line::default() {
                return;
            }
            match self.line.nodes.last_mut() {
                Some(node) => node.variations.push(variation),
                // A variation on nothing: it is the first thing that is played.
                None => self.line.comments.extend(variation.comments),
            }
        }
    }

    fn result(&mut self, result: GameResult) {
        self.replay.result(result);
    }

    fn problem(&mut self, line: usize, problem: SyntaxProblem) {
        self.replay.note(line, GameProblem::Syntax(problem));
    }

    fn end_game(&mut self) -> Self::Output {
        // What is still open is closed: the main line is the outermost.
        while !self.interrupted.is_empty() {
            self.end_variation();
        }
        let Self { tags, mut replay, line: mut main, .. } = mem::take(self);
        let Replayed { start, turns, second_block, result, problem } = replay.finish();
        if second_block {
            let known = main.nodes.len();
            main.nodes.extend(turns.into_iter().skip(known).map(Node::from));
        }
        let tree = start.map(|initial| Tree { tags, initial, main, result });
        match (problem, tree) {
            (None, Some(tree)) => Ok(tree),
            (problem, read) => {
                // The reader calls `begin_movetext` once for every game, which makes a start or notes why not.
                let (line, problem) = problem.unwrap_or((0, GameProblem::Variant(String::new())));
                Err(Box::new(TreeError { line, problem, read }))
            }
        }
    }
}

/// Returns the words of a text with one space between them, and without what would end a comment.
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
