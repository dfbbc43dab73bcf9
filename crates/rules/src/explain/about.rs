//! Explanations of a man and of a position.

use super::{
    Explain, Legal, Man, ManExplanation, PositionExplanation, Reason, Taking,
    geometry::{distance, man_at},
    legal, outcome_without_steps,
};
use crate::{color::Color, outcome::DrawRules, square::Square, square_set::SquareSet};

pub(super) fn explain_man<P: Explain>(position: &P, square: Square) -> Option<ManExplanation> {
    let man = man_at(position, square)?;
    let to_move = position.side_to_move();
    let mut holding = Vec::new();
    if let Some(outcome) = outcome_without_steps(position) {
        holding.push(Reason::GameOver { outcome });
    }
    let mut steps = if man.color() == to_move {
        legal_steps(position)
    } else {
        holding.push(Reason::NotYourTurn { to_move });
        legal_steps(&position.after_passing())
    };
    holding.extend(position.holding_reasons(man));
    let royal = position.royal(!man.color());
    // If the other side were to move, its men could take a king that is in check, but no game gets that far
    // (C16).
    steps.retain(|legal| {
        legal.man == man && legal.takings.iter().all(|taking| Some(taking.victim.square) != royal)
    });
    let is_over_or_not_your_turn =
        |reason: &Reason| matches!(reason, Reason::GameOver { .. } | Reason::NotYourTurn { .. });
    let exclusions = if steps.is_empty() && holding.iter().all(is_over_or_not_your_turn) {
        exclusion_reasons(position, man)
    } else {
        Vec::new()
    };
    let attacks = attacks_of(position, man);
    let attacked_by = attacks_by(position, !man.color(), |taking| taking.victim == man);
    Some(ManExplanation { man, holding, exclusions, steps, attacks, attacked_by })
}

/// Returns the reasons why a man without steps cannot go to the squares that it could otherwise reach, nearest
/// square first.
fn exclusion_reasons<P: Explain>(position: &P, man: Man) -> Vec<Reason> {
    let mut squares = Square::ALL;
    squares.sort_by_key(|&to| distance(man.square, to));
    let (mut exclusions, mut reported) = (Vec::new(), SquareSet::EMPTY);
    for to in squares {
        let reasons = if man.color() == position.side_to_move() {
            position.reasons(man, to, None)
        } else {
            position.obstacles(man, to)
        };
        match &reasons[..] {
            // Several men may attack a square, but none of them blocks the way to another square.
            [Reason::KingExposed { .. } | Reason::EnPassantExposes { .. }, ..] => exclusions.extend(reasons),
            // With a second reason, the square is out of reach anyway, or a nearer man is in the way.
            [
                reason @ (Reason::OwnMan { occupant: by, .. }
                | Reason::Occupied { occupant: by, .. }
                | Reason::Blocked { by, .. }
                | Reason::LeapOverFriend { over: by, .. }
                | Reason::NoRoomBehind { behind: by, .. }),
            ] if !reported.contains(by.square) => {
                reported.insert(by.square);
                exclusions.push(reason.clone());
            }
            [reason @ Reason::NoManInReserve { .. }] if !exclusions.contains(reason) => {
                exclusions.push(reason.clone());
            }
            _ => {}
        }
    }
    exclusions
}

pub(super) fn explain_position<P: Explain>(position: &P, rules: DrawRules) -> PositionExplanation {
    let us = position.side_to_move();
    let royal = position.royal(us);
    let mut threats = Vec::new();
    for legal in legal_steps(&position.after_passing()) {
        threats.extend(legal.takings.into_iter().filter(|taking| Some(taking.victim.square) != royal));
    }
    PositionExplanation {
        checks: checks(position, us),
        threats: distinct(threats),
        compulsory: compulsory(position),
        chain: position.chain().and_then(|square| man_at(position, square)),
        outcome: position.outcome(rules),
    }
}

/// Returns the compulsory takings: all legal steps, if taking is compulsory and they take (I4).
pub(super) fn compulsory<P: Explain>(position: &P) -> Vec<Legal> {
    let compels = position.variant().info().taking_is_compulsory();
    let takes = position.legal_steps().first().is_some_and(|&step| position.taken(step).any());
    if compels && takes { legal_steps(position) } else { Vec::new() }
}

/// Returns all legal steps, explained.
pub(super) fn legal_steps<P: Explain>(position: &P) -> Vec<Legal> {
    position.legal_steps().into_iter().filter_map(|step| legal(position, step)).collect()
}

/// Returns the ways to take the royal king of a side, if it has one.
pub(super) fn checks<P: Explain>(position: &P, color: Color) -> Vec<Taking> {
    position
        .royal(color)
        .map_or_else(Vec::new, |king| attacks_by(position, !color, |taking| taking.victim.square == king))
}

/// Returns those attacks by a side's men for which `filter` returns true.
fn attacks_by<P: Explain>(position: &P, color: Color, filter: impl Fn(&Taking) -> bool) -> Vec<Taking> {
    let men = position.men(color).into_iter().filter_map(|square| man_at(position, square));
    men.flat_map(|man| attacks_of(position, man)).filter(filter).collect()
}

/// Returns the takings open to a man, one for each enemy and way of taking.
fn attacks_of<P: Explain>(position: &P, man: Man) -> Vec<Taking> {
    let mut takings = Vec::new();
    for to in Square::ALL {
        if position.obstacles(man, to).is_empty() {
            takings.extend(position.takings(man, to));
        }
    }
    distinct(takings)
}

/// Keeps one taking, the shortest, of those that differ only in where the taking man ends up.
fn distinct(mut takings: Vec<Taking>) -> Vec<Taking> {
    takings.sort_by_key(|taking| (taking.by.square, distance(taking.by.square, taking.to)));
    let mut distinct: Vec<Taking> = Vec::new();
    for taking in takings {
        if distinct.iter().all(|other| other.identity() != taking.identity()) {
            distinct.push(taking);
        }
    }
    distinct
}
