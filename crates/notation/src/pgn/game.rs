//! A game out of a PGN.

use std::ops::ControlFlow;

use adoube_rules::{AnyPosition, Position, ReadPositionError, Turn, Variant};

use super::{
    reader::{Reader, SyntaxProblem, Visitor},
    tag::{DERIVED, GameResult, Tags},
};
use crate::san::{self, SanError};

/// The turns of one game and what is said of it. Variations and comments are not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// What is said of the game, but for its variant, start position and result.
    pub tags: Tags,
    /// The position in which the game begins.
    pub initial: AnyPosition,
    /// The turns, each legal in its place.
    pub turns: Vec<Turn>,
    /// How the game ended.
    pub result: GameResult,
}

impl Game {
    /// Returns a game that has just begun.
    pub fn new(initial: AnyPosition) -> Self {
        Self { tags: Tags::new(), initial, turns: Vec::new(), result: GameResult::Unknown }
    }

    /// Returns the position after the last turn.
    pub fn last_position(&self) -> AnyPosition {
        let mut position = self.initial.clone();
        for turn in &self.turns {
            position.play_turn_unchecked(turn);
        }
        position
    }
}

/// A game that could not be read in full.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct GameError {
    /// The line of the problem, 1 for the first of the text.
    pub line: usize,
    /// The first thing that is wrong.
    pub problem: GameProblem,
    /// What could be read: all turns before the first bad one. `None` if it is not known where the game began.
    pub read: Option<Game>,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameProblem {
    /// The text is no PGN.
    #[error(transparent)]
    Syntax(SyntaxProblem),
    /// The game is another than ours.
    #[error("no game is called {0:?}; the tag Variant may be Baroque or Interweave")]
    Variant(String),
    /// The start position cannot be read or played.
    #[error("the tag FEN: {0}")]
    Fen(ReadPositionError),
    /// A turn cannot be read or played.
    #[error("turn {number}: {error}")]
    Turn {
        /// Which turn, 1 for the first of the game, whoever's it is.
        number: usize,
        /// Why.
        error: SanError,
    },
}

/// Returns the games of a text, one by one. A bad game is an error in its place, and the next one follows.
pub const fn games(text: &str) -> Games<'_> {
    Games { reader: Reader::new(text) }
}

/// Iterator over the games of a text; made by [`games`].
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

/// Makes a game of what the reader tells.
#[derive(Default)]
struct Builder {
    tags: Tags,
    variant: Option<String>,
    fen: Option<(usize, String)>,
    variant_line: usize,
    result: Option<GameResult>,
    game: Option<(Game, AnyPosition)>,
    problem: Option<(usize, GameProblem)>,
}

impl Builder {
    /// The first problem is the one to tell: the others often follow from it.
    fn note(&mut self, line: usize, problem: GameProblem) {
        self.problem.get_or_insert((line, problem));
    }
}

impl Visitor for Builder {
    type Output = Result<Game, Box<GameError>>;

    fn begin_game(&mut self, _: usize) {
        *self = Self::default();
    }

    fn tag(&mut self, line: usize, name: &str, value: &str) {
        match name {
            "Variant" => {
                self.variant = Some(value.to_owned());
                self.variant_line = line;
            }
            "FEN" => self.fen = Some((line, value.to_owned())),
            "Result" => self.result = value.parse().ok(),
            name if DERIVED.contains(&name) => {}
            // The reader lets no other name through than `set` does.
            name => drop(self.tags.set(name, value)),
        }
    }

    fn begin_movetext(&mut self, _: usize) -> ControlFlow<()> {
        let variant = match self.variant.as_deref().map(variant_of_tag) {
            None => Variant::Chess,
            Some(Some(variant)) => variant,
            Some(None) => {
                let name = self.variant.take().unwrap_or_default();
                self.note(self.variant_line, GameProblem::Variant(name));
                return ControlFlow::Break(());
            }
        };
        let initial = match &self.fen {
            None => AnyPosition::initial(variant),
            Some((line, fen)) => match AnyPosition::from_fen(variant, fen) {
                Ok(position) => position,
                Err(error) => {
                    let line = *line;
                    self.note(line, GameProblem::Fen(error));
                    return ControlFlow::Break(());
                }
            },
        };
        self.game = Some((Game::new(initial.clone()), initial));
        ControlFlow::Continue(())
    }

    fn turn(&mut self, line: usize, text: &str) -> ControlFlow<()> {
        let Some((game, position)) = &mut self.game else { return ControlFlow::Break(()) };
        match san::parse(position, text) {
            Ok(turn) => {
                position.play_turn_unchecked(&turn);
                game.turns.push(turn);
                ControlFlow::Continue(())
            }
            Err(error) => {
                let number = game.turns.len() + 1;
                self.note(line, GameProblem::Turn { number, error });
                ControlFlow::Break(())
            }
        }
    }

    fn result(&mut self, result: GameResult) {
        // A game without a result at its end may still have it in its tag.
        if result != GameResult::Unknown {
            self.result = Some(result);
        }
    }

    fn problem(&mut self, line: usize, problem: SyntaxProblem) {
        self.note(line, GameProblem::Syntax(problem));
    }

    fn end_game(&mut self) -> Self::Output {
        let Self { tags, result, game, problem, .. } = std::mem::take(self);
        let game = game.map(|(game, _)| Game { tags, result: result.unwrap_or_default(), ..game });
        match (problem, game) {
            (None, Some(game)) => Ok(game),
            (Some((line, problem)), read) => Err(Box::new(GameError { line, problem, read })),
            // The reader calls `begin_movetext` once for every game, which makes one or notes why not.
            (None, None) => {
                Err(Box::new(GameError { line: 0, problem: GameProblem::Variant(String::new()), read: None }))
            }
        }
    }
}

/// Returns the game that a tag `Variant` names.
fn variant_of_tag(name: &str) -> Option<Variant> {
    // What the large collections write for orthodox chess.
    const ORTHODOX: [&str; 7] =
        ["", "chess", "chess960", "fischerandom", "from position", "orthodox", "standard"];
    let name = name.trim().to_lowercase();
    match name.as_str() {
        "baroque" | "ultima" => Some(Variant::Baroque),
        "interweave" => Some(Variant::Interweave),
        name => ORTHODOX.contains(&name).then_some(Variant::Chess),
    }
}
