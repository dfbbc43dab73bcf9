//! Conditional turns in correspondence games: a player's prepared answers to turns that the opponent may
//! play.
//!
//! The game stores them as a tree and plays the answers itself. A reply and its answer come from one
//! decision, so no time passes between them. A turn outside the tree discards the tree.

use adoube_rules::{
    AnyPosition, Color, Position as _, Turn,
    coordinate::{self, TurnError},
};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The maximum number of replies in one tree.
pub const MAX_CONDITIONS: usize = 64;
/// The maximum depth of a tree, in replies.
pub const MAX_CONDITIONS_DEPTH: usize = 12;

/// A reply by the opponent, the answer to it, and the continuations. Turns are in coordinate notation.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub reply: String,
    pub answer: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Condition>>"))]
    pub then: Vec<Condition>,
}

/// Checks that a tree is within the limits, that all of its turns are legal, and that no reply has two
/// answers. Returns it with its turns in canonical notation.
///
/// In `position`, the opponent is to move.
pub(crate) fn validate_tree(position: &AnyPosition, tree: &[Condition]) -> Result<Vec<Condition>, Refusal> {
    let mut room = MAX_CONDITIONS;
    check_below(position, tree, &mut room, MAX_CONDITIONS_DEPTH)
}

fn check_below(
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
        let (reply, replied) = play_text(position, &condition.reply)?;
        if written.iter().any(|other| other.reply == reply) {
            return Err(Refusal::DuplicateCondition { turn: reply });
        }
        let (answer, answered) = play_text(&replied, &condition.answer)?;
        let then = check_below(&answered, &condition.then, room, depth - 1)?;
        written.push(Condition { reply, answer, then });
    }
    Ok(written)
}

/// Returns the canonical text of a legal turn, and the position after it.
fn play_text(position: &AnyPosition, text: &str) -> Result<(String, AnyPosition), Refusal> {
    let (turn, after) = read(position, text)
        .map_err(|source| Refusal::Condition { turn: text.chars().take(64).collect(), source })?;
    Ok((coordinate::write(position, &turn), after))
}

/// Reads a legal turn. Returns it with the position after it.
pub(crate) fn read(position: &AnyPosition, text: &str) -> Result<(Turn, AnyPosition), TurnError> {
    let (turn, after) = coordinate::parse_steps(position, text)?;
    match after.chain() {
        Some(square) => Err(TurnError::Unfinished(square)),
        None => Ok((turn, after)),
    }
}

/// The remaining part of a tree. Only one side can have one, because a tree is set while the opponent is to
/// move, and each answer from it makes the opponent the side to move again.
///
/// Contains the expected replies. Once one of them has been played, it contains only that one until it is
/// answered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Conditions {
    of: Color,
    tree: Vec<Condition>,
}

impl Default for Conditions {
    fn default() -> Self {
        Self { of: Color::White, tree: Vec::new() }
    }
}

impl Conditions {
    pub(crate) fn new(of: Color, tree: Vec<Condition>) -> Self {
        Self { of, tree }
    }

    /// Descends the tree when either side plays a turn.
    pub(crate) fn turn_played(&mut self, by: Color, turn: &str) {
        if by == self.of {
            let expected = self.tree.pop().filter(|condition| condition.answer == turn);
            self.tree = expected.map_or(Vec::new(), |condition| condition.then);
        } else {
            self.tree.retain(|condition| condition.reply == turn);
        }
    }

    /// Returns the replies that a side expects while the opponent is to move.
    pub(crate) fn tree(&self, of: Color) -> &[Condition] {
        if of == self.of { &self.tree } else { &[] }
    }

    /// Returns a side's answer to an opponent's turn.
    pub(crate) fn answer(&self, of: Color, reply: &str) -> Option<&str> {
        let expected = self.tree(of).iter().find(|condition| condition.reply == reply)?;
        Some(&expected.answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Vec<Condition> {
        let condition =
            |reply: &str, answer: &str, then| Condition { reply: reply.into(), answer: answer.into(), then };
        vec![
            condition("e7e5", "g1f3", vec![condition("b8c6", "f1b5", Vec::new())]),
            condition("c7c5", "d2d4", Vec::new()),
        ]
    }

    #[test]
    fn a_tree_shrinks_turn_by_turn() {
        let mut conditions = Conditions::new(Color::White, tree());
        assert_eq!(conditions.answer(Color::White, "e7e5"), Some("g1f3"));
        assert_eq!(conditions.answer(Color::White, "d7d5"), None);
        assert_eq!(conditions.answer(Color::Black, "e7e5"), None);
        conditions.turn_played(Color::Black, "e7e5");
        assert_eq!(conditions.tree(Color::White), &tree()[..1]);
        conditions.turn_played(Color::White, "g1f3");
        assert_eq!(conditions.tree(Color::White), tree()[0].then);
    }

    #[test]
    fn a_different_answer_ends_the_tree() {
        let mut conditions = Conditions::new(Color::White, tree());
        conditions.turn_played(Color::Black, "e7e5");
        conditions.turn_played(Color::White, "b1c3");
        assert_eq!(conditions.tree(Color::White), []);
    }
}
