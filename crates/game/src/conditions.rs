//! Conditional turns of correspondence: what a player answers to turns that the other side may play.
//!
//! The tree is kept with the game and played by it: the reply and the answer are one decision, so that no time
//! passes in between. Whatever departs from the tree ends it.

use adoube_rules::{
    AnyPosition, Position as _,
    coordinate::{self, TurnError},
};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The most replies that one tree knows.
pub const MAX_CONDITIONS: usize = 64;
/// The most replies one after the other.
pub const MAX_CONDITIONS_DEPTH: usize = 12;

/// One reply of the other side, what to play then, and how to go on. Turns are coordinate text.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub reply: String,
    pub answer: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Condition>,
}

/// Returns the same tree in the form in which the rules write turns, if it is within bounds and all of it legal.
///
/// `position` is the one in which the other side is to move.
pub(crate) fn checked(position: &AnyPosition, tree: &[Condition]) -> Result<Vec<Condition>, Refusal> {
    let mut room = MAX_CONDITIONS;
    checked_below(position, tree, &mut room, MAX_CONDITIONS_DEPTH)
}

fn checked_below(
    position: &AnyPosition,
    tree: &[Condition],
    room: &mut usize,
    depth: usize,
) -> Result<Vec<Condition>, Refusal> {
    if depth == 0 && !tree.is_empty() {
        return Err(Refusal::ConditionsTooDeep);
    }
    *room = room.checked_sub(tree.len()).ok_or(Refusal::TooManyConditions)?;
    let mut written: Vec<Condition> = Vec::with_capacity(tree.len());
    for condition in tree {
        let (reply, replied) = played(position, &condition.reply)?;
        if written.iter().any(|other| other.reply == reply) {
            return Err(Refusal::ConditionTwice { turn: reply });
        }
        let (answer, answered) = played(&replied, &condition.answer)?;
        let then = checked_below(&answered, &condition.then, room, depth - 1)?;
        written.push(Condition { reply, answer, then });
    }
    Ok(written)
}

/// Returns a legal turn in its proper form, and the position after it.
fn played(position: &AnyPosition, text: &str) -> Result<(String, AnyPosition), Refusal> {
    let (turn, after) = read(position, text)
        .map_err(|source| Refusal::Condition { turn: text.chars().take(64).collect(), source })?;
    Ok((coordinate::write(position, &turn), after))
}

/// Reads a legal turn and returns it with the position after it.
pub(crate) fn read(
    position: &AnyPosition,
    text: &str,
) -> Result<(adoube_rules::Turn, AnyPosition), TurnError> {
    let (turn, after) = coordinate::parse_steps(position, text)?;
    match after.chain() {
        Some(square) => Err(TurnError::Unfinished(square)),
        None => Ok((turn, after)),
    }
}

/// What is left of a side's tree. While the other side is to move it holds the replies that are expected; once one
/// of them has been played, that one alone, until it is answered.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Conditions(Vec<Condition>);

impl Conditions {
    pub(crate) fn set(&mut self, tree: Vec<Condition>) {
        self.0 = tree;
    }

    /// Takes in a turn of the other side.
    pub(crate) fn replied(&mut self, turn: &str) {
        self.0.retain(|condition| condition.reply == turn);
    }

    /// Takes in a turn of the own side.
    pub(crate) fn answered(&mut self, turn: &str) {
        let expected = self.0.pop();
        self.0 = expected.filter(|condition| condition.answer == turn).map_or(Vec::new(), |c| c.then);
    }

    /// Returns the replies that are expected, while the other side is to move.
    pub(crate) fn tree(&self) -> &[Condition] {
        &self.0
    }

    /// Returns the answer to the reply that has just been played, while the own side is to move.
    pub(crate) fn answer(&self) -> Option<&str> {
        self.0.first().map(|condition| condition.answer.as_str())
    }
}
