//! The principal variation.

use adoube_rules::{Position, Step, Turn};
use arrayvec::ArrayVec;

/// The maximum number of steps that are reported.
const MAX_STEPS: usize = 64;

/// The steps of the best line starting at a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct PvLine(ArrayVec<Step, MAX_STEPS>);

impl PvLine {
    /// Removes all steps.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Sets the line to a step followed by the line after it.
    pub(crate) fn set(&mut self, step: Step, rest: &Self) {
        self.0.clear();
        self.0.push(step);
        let room = MAX_STEPS - 1;
        self.0.extend(rest.0.iter().copied().take(room));
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }
}

/// Returns the complete turns at the beginning of a line.
pub(crate) fn turns<P: Position>(position: &P, line: &PvLine) -> Vec<Turn> {
    let mut position = position.clone();
    let mut turns = Vec::new();
    let mut turn = Turn::empty();
    for &step in line.steps() {
        let side = position.side_to_move();
        if !position.legal_steps().contains(&step) || !turn.push(step) {
            break;
        }
        position.play_unchecked(step);
        if position.side_to_move() != side {
            turns.push(std::mem::take(&mut turn));
        }
    }
    turns
}
