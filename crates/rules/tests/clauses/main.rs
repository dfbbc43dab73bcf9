//! Tests the rules clause by clause, with every printed example and the special cases in the clauses.

mod baroque;
mod chess;
mod interweave;
mod ultima;

use adoube_rules::{AnyPosition, DrawRules, Position, SquareSet, Turn, Variant, coordinate};

#[track_caller]
fn position(variant: Variant, fen: &str) -> AnyPosition {
    AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns the squares of the men that a turn takes, step by step, such as `d4+c5` or `b7|c6`.
fn taken(position: &AnyPosition, turn: &Turn) -> String {
    let mut current = position.clone();
    let mut steps = Vec::new();
    for &step in turn.steps() {
        steps.push(squares(current.taken(step)));
        current.play_unchecked(step);
    }
    steps.join("|")
}

fn squares(set: SquareSet) -> String {
    set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join("+")
}

/// Returns all legal turns that begin on a square, as `TURN [taken]`, sorted.
fn turns_from(position: &AnyPosition, from: &str) -> Vec<String> {
    let mut turns: Vec<_> = position
        .legal_turns()
        .iter()
        .map(|turn| (coordinate::write(position, turn), taken(position, turn)))
        .filter(|(text, _)| text.starts_with(from))
        .map(|(text, taken)| format!("{text} [{taken}]"))
        .collect();
    turns.sort();
    turns
}

/// Returns the destinations of all legal turns of one man, sorted.
fn destinations(position: &AnyPosition, from: &str) -> Vec<String> {
    let mut squares: Vec<_> = position
        .legal_turns()
        .iter()
        .map(|turn| coordinate::write(position, turn))
        .filter_map(|text| text.strip_prefix(from).map(str::to_owned))
        .collect();
    squares.sort();
    squares
}

#[track_caller]
fn takes(position: &AnyPosition, turn: &str) -> String {
    let turn = coordinate::parse(position, turn).unwrap_or_else(|error| panic!("{turn}: {error}"));
    taken(position, &turn)
}

#[track_caller]
fn play(position: &AnyPosition, turns: &str) -> AnyPosition {
    let mut position = position.clone();
    for text in turns.split_whitespace() {
        let turn = coordinate::parse(&position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play_turn_unchecked(&turn);
    }
    position
}

fn is_legal(position: &AnyPosition, turn: &str) -> bool {
    coordinate::parse(position, turn).is_ok()
}

/// Returns the result and its reason, or `ongoing`.
fn outcome(position: &AnyPosition) -> String {
    match position.outcome(DrawRules::Club) {
        Some(outcome) => format!("{outcome} {}", outcome.reason()),
        None => "ongoing".to_owned(),
    }
}
