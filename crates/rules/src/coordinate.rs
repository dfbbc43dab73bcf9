//! Turns in coordinate notation (N2), as written by UCI programs and chess servers.
//!
//! The text contains the squares of a turn in order, with a letter after the square of a promotion: `e2e4`,
//! `e7e8q`, a chain `a7e7a5`, a remover's taking or a man given up `e4e4`. Castling is the king's move
//! (`e1g1`), or, if king and rooks do not start on their usual squares, the king taking its rook (`f1h1`).
//! The second form is always accepted as input.

use crate::{
    color::Color,
    moves::{Step, Turn},
    outcome::DrawRules,
    position::Position,
    role::Role,
    square::Square,
};

/// The maximum length of the text of a turn, in bytes. Sixteen steps with promotion letters fit.
const MAX_LENGTH: usize = 64;

/// The reason why a turn, given as text or as steps, cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The text is not a sequence of squares.
    #[error(
        "{0:?} is not a turn in coordinate notation; write the squares it goes through, such as \"e2e4\", \"e7e8q\" or \"a7e7a5\""
    )]
    Syntax(String),
    /// The turn has no steps; passing is not allowed (C2).
    #[error("the turn has no steps; passing is not allowed")]
    Pass,
    /// One side has already won.
    #[error("the game is over; no more turns can be played")]
    GameOver,
    /// No man stands on the square where a step starts.
    #[error("no man stands on {0}")]
    EmptySquare(Square),
    /// The man on the square where a step starts belongs to the other side, or the turn is already over.
    #[error("the man on {square} is {owner}'s, and the other side is to move")]
    NotYourMan {
        /// The square.
        square: Square,
        /// The side that owns the man.
        owner: Color,
    },
    /// The step must promote, but names no role.
    #[error("the man that reaches {0} must promote; add the letter of its new role")]
    PromotionMissing(Square),
    /// The turn is not over: the man must continue to take.
    #[error("the man on {0} can take again and must continue")]
    Unfinished(Square),
    /// A step is not legal. [`explain::step`](crate::explain::step) gives the reasons.
    #[error("{text:?} is not legal: no such step leads from {from} to {to}")]
    Illegal {
        /// The text that was read, or the step in coordinate notation.
        text: String,
        /// The square where the step starts.
        from: Square,
        /// The square where the step ends.
        to: Square,
    },
}

/// Writes a turn in coordinate notation, given the position before it.
pub fn write<P: Position>(position: &P, turn: &Turn) -> String {
    let mut text = String::with_capacity(8);
    let mut position = position.clone();
    for (index, &step) in turn.steps().iter().enumerate() {
        if index == 0 {
            text.push_str(&step.from().to_string());
        }
        push_destination(&position, step, &mut text);
        position.play_unchecked(step);
    }
    text
}

/// Writes one step of a position, legal or not.
pub(crate) fn write_step<P: Position>(position: &P, step: Step) -> String {
    let mut text = step.from().to_string();
    push_destination(position, step, &mut text);
    text
}

/// Adds the square that a step leads to, and the letter of a promotion.
fn push_destination<P: Position>(position: &P, step: Step, text: &mut String) {
    let to = if position.castles_onto_rook() { step.to() } else { position.destination(step) };
    text.push_str(&to.to_string());
    if let Some(role) = step.promotion() {
        text.push(position.variant().letter(role).to_ascii_lowercase());
    }
}

/// Refuses a step that cannot start on its square; `side` is the side whose turn it is. The step itself is
/// not checked.
pub(crate) fn check_start<P: Position>(position: &P, side: Color, from: Square) -> Result<(), TurnError> {
    if position.outcome(DrawRules::Club).is_some_and(|outcome| outcome.winner().is_some()) {
        return Err(TurnError::GameOver);
    }
    match position.piece_at(from) {
        None => Err(TurnError::EmptySquare(from)),
        Some(piece) if piece.color != side || position.side_to_move() != side => {
            Err(TurnError::NotYourMan { square: from, owner: piece.color })
        }
        Some(_) => Ok(()),
    }
}

/// Reads a legal turn in a position.
pub fn parse<P: Position>(position: &P, text: &str) -> Result<Turn, TurnError> {
    let (turn, after) = parse_steps(position, text)?;
    match after.chain() {
        Some(square) => Err(TurnError::Unfinished(square)),
        None => Ok(turn),
    }
}

/// Reads legal steps of a position, and returns them with the position after them; the turn may be
/// unfinished.
pub fn parse_steps<P: Position>(position: &P, text: &str) -> Result<(Turn, P), TurnError> {
    let syntax = || TurnError::Syntax(text.chars().take(MAX_LENGTH).collect());
    // Only a square that a step leads to can be followed by a promotion.
    let is_turn = |stops: &Vec<(Square, Option<Role>)>| matches!(stops[..], [(_, None), _, ..]);
    let stops = tokens(position, text).filter(is_turn).ok_or_else(syntax)?;
    let side = position.side_to_move();
    let mut current = position.clone();
    let mut turn = Turn::empty();
    for pair in stops.windows(2) {
        let [(from, _), (to, promotion)] = *pair else { return Err(syntax()) };
        check_start(&current, side, from)?;
        let step = find_step(&current, from, to, promotion).map_err(|missing| match missing {
            Missing::Promotion => TurnError::PromotionMissing(to),
            Missing::Step => TurnError::Illegal { text: text.to_owned(), from, to },
        })?;
        if !turn.push(step) {
            return Err(syntax());
        }
        current.play_unchecked(step);
    }
    Ok((turn, current))
}

/// The reason why no step was found.
enum Missing {
    Promotion,
    Step,
}

fn find_step<P: Position>(
    position: &P,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Step, Missing> {
    let steps = position.legal_steps();
    let candidates = || steps.iter().copied().filter(|step| step.from() == from);
    if let Some(step) = candidates().find(|step| step.to() == to && step.promotion() == promotion) {
        return Ok(step);
    }
    // The square on which a castling king lands is accepted only if king and rooks start on their usual
    // squares: from other squares, the king may also be able to simply move there.
    if let Some(step) = candidates().find(|&step| {
        step.promotion() == promotion && !position.castles_onto_rook() && position.destination(step) == to
    }) {
        return Ok(step);
    }
    if promotion.is_none() && candidates().any(|step| step.to() == to) {
        return Err(Missing::Promotion);
    }
    Err(Missing::Step)
}

/// Splits a string into squares, each with the promotion letter that follows it.
fn tokens<P: Position>(position: &P, text: &str) -> Option<Vec<(Square, Option<Role>)>> {
    if text.len() > MAX_LENGTH || !text.is_ascii() {
        return None;
    }
    let variant = position.variant();
    let mut stops = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let square: Square = rest.get(..2)?.parse().ok()?;
        rest = &rest[2..];
        // A letter before a digit begins the next square ("b" is both a file and a role).
        let mut chars = rest.chars();
        let mut promotion = None;
        if let Some(letter) = chars.next()
            && !chars.next().is_some_and(|digit| digit.is_ascii_digit())
        {
            promotion = Some(variant.role_of_letter(letter)?);
            rest = &rest[1..];
        }
        stops.push((square, promotion));
    }
    Some(stops)
}
