//! Checks whether games are legal. Does not store them, so that files with millions of games can be checked.

use std::ops::ControlFlow;

use adoube_rules::{Position, Variant};

use super::{
    game::{GameProblem, Warning, Warnings},
    reader::{SyntaxProblem, Visitor},
    replay::{Replay, Replayed},
    tag::{GameResult, Tags},
};

/// The result of checking a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The variant, if it is supported and the start position is playable.
    pub variant: Option<Variant>,
    /// The number of turns played in the main line, up to its first bad turn.
    pub plies: usize,
    /// The result of the game.
    pub result: GameResult,
    /// The first problem, in the main line or a variation, with its line number.
    pub problem: Option<(usize, GameProblem)>,
    /// Warnings about anything else that was changed or left out while reading.
    pub warnings: Warnings,
}

/// A visitor that plays every turn of a game, including variations, and returns only the findings.
#[derive(Debug, Default)]
pub struct Checker {
    replay: Replay,
    /// The tags of the current game, which are counted and not returned.
    tags: Tags,
}

impl Visitor for Checker {
    type Output = Checked;

    fn begin_game(&mut self, _: usize) {
        self.replay.clear();
        self.tags = Tags::new();
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

    fn begin_variation(&mut self) -> ControlFlow<()> {
        self.replay.begin_variation()
    }

    fn end_variation(&mut self) {
        self.replay.end_variation();
    }

    fn result(&mut self, result: GameResult) {
        self.replay.result(result);
    }

    fn problem(&mut self, line: usize, problem: SyntaxProblem) {
        self.replay.note(line, GameProblem::Syntax(problem));
    }

    fn end_game(&mut self) -> Checked {
        let Replayed { start, turns, result, mut problem, first_cut, mut warnings, .. } =
            self.replay.finish();
        if let Some(cut) = first_cut
            && problem.as_ref().is_none_or(|(line, _)| cut.line < *line)
        {
            warnings.remove(&cut);
            let Warning { line, problem: found } = cut;
            let found = if let GameProblem::CutVariation(inner) = found { *inner } else { found };
            problem = Some((line, found));
        }
        let variant = start.map(|start| start.variant());
        let checked = Checked { variant, plies: turns.len(), result, problem, warnings };
        self.replay.reuse(turns);
        checked
    }
}
