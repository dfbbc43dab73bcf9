//! Writes a game as PGN.

use std::time::Duration;

use adoube_game::{EndReason, Game, GameResult, Seat, TimeControl};
use adoube_notation::pgn;
use adoube_protocol::GameId;
use adoube_rules::{AnyPosition, Color, Position as _};
use time::OffsetDateTime;

use crate::{
    config::PublicAddress,
    error::{Error, LogError},
    wire::PlayerNames,
};

/// Returns the PGN of a game, finished or not, with the tags of the PGN standard and `GameId`. A person
/// without an account is called `Anonymous`.
pub(crate) fn text(
    id: &GameId,
    game: &Game,
    names: &PlayerNames,
    address: Option<&PublicAddress>,
) -> Result<String, Error> {
    // The position was checked when the game was created, and each turn when it was played.
    let initial = AnyPosition::from_fen(game.variant(), game.initial_fen())
        .map_err(|source| LogError::Replay { game: id.clone(), source: source.into() })?;
    let mut written = pgn::Game::new(initial);
    written.turns = game.turns().map(|played| played.turn).collect();
    written.result = match game.ending().map(|ending| ending.result) {
        None | Some(GameResult::NoResult) => pgn::GameResult::Unknown,
        Some(result) => result.winner().map_or(pgn::GameResult::Draw, pgn::GameResult::Won),
    };
    let in_match = game.options().in_match.as_ref();
    let tags = [
        ("Event", Some(event(game.options().clock, in_match.is_some()).to_owned())),
        ("Site", Some(address.map_or_else(|| "adoube".to_owned(), |at| format!("{at}/game/{id}")))),
        ("Date", date(game.created_at_ms())),
        // In PGN, `-` means that the game is not part of a round.
        ("Round", Some(in_match.map_or_else(|| "-".to_owned(), |game| game.number.to_string()))),
        ("White", name(&game.seats()[Color::White], names.white.as_ref())),
        ("Black", name(&game.seats()[Color::Black], names.black.as_ref())),
        ("GameId", Some(id.to_string())),
        ("TimeControl", Some(time_control(game.options().clock))),
        ("Termination", Some(termination(game.ending().map(|ending| ending.reason)).to_owned())),
    ];
    for (name, value) in tags {
        let Some(value) = value else { continue };
        written.tags.set(name, &value).map_err(|_| Error::Internal("a tag could not be set"))?;
    }
    let mut tree = pgn::Tree::from(written);
    let mut mover = tree.initial.side_to_move();
    for (node, played) in tree.main.nodes.iter_mut().zip(game.turns()) {
        if let Some(times) = played.clock {
            let left = if mover == Color::White { times.white } else { times.black };
            // Rounded down to tenths of a second, as on other sites.
            node.set_clock(Duration::from_millis(u64::try_from(left).unwrap_or(0) / 100 * 100));
        }
        mover = !mover;
    }
    Ok(pgn::write_tree(&tree, pgn::TurnText::San))
}

/// Returns the value of the `Event` tag.
fn event(control: TimeControl, in_match: bool) -> &'static str {
    match (control, in_match) {
        (_, true) => "Match",
        (TimeControl::Unlimited, _) => "Game without clocks",
        (TimeControl::Correspondence { .. }, _) => "Correspondence game",
        (TimeControl::Fischer { .. } | TimeControl::Delay { .. }, _) => "Live game",
    }
}

/// Returns the value of the `Termination` tag, one of those listed in the standard.
fn termination(reason: Option<EndReason>) -> &'static str {
    match reason {
        None => "unterminated",
        Some(
            EndReason::Checkmate
            | EndReason::NoMoves
            | EndReason::KingCaptured
            | EndReason::Stalemate
            | EndReason::InsufficientMaterial
            | EndReason::DeadPosition
            | EndReason::FiftyMoves
            | EndReason::SeventyFiveMoves
            | EndReason::Repetition
            | EndReason::FivefoldRepetition
            | EndReason::Agreement
            | EndReason::Resignation,
        ) => "normal",
        Some(EndReason::TimeOut | EndReason::TimeOutUnwinnable) => "time forfeit",
        Some(EndReason::Abandonment | EndReason::Aborted | EndReason::NoFirstTurn) => "abandoned",
        Some(EndReason::Forfeit) => "rules infraction",
        Some(EndReason::Adjudication) => "adjudication",
    }
}

fn name(seat: &Seat, name: Option<&String>) -> Option<String> {
    match seat {
        Seat::Open => None,
        Seat::Person { .. } => Some(name.map_or_else(|| "Anonymous".to_owned(), Clone::clone)),
        Seat::Machine { level } => Some(format!("adoube {level}")),
    }
}

/// Returns the value of the `TimeControl` tag, in the form of the PGN standard if it defines one, otherwise
/// in the usual form.
fn time_control(control: TimeControl) -> String {
    let seconds = |ms: u32| f64::from(ms) / 1000.0;
    match control {
        TimeControl::Unlimited => "-".to_owned(),
        TimeControl::Fischer { initial_ms, increment_ms: 0 } => format!("{}", seconds(initial_ms)),
        TimeControl::Fischer { initial_ms, increment_ms } => {
            format!("{}+{}", seconds(initial_ms), seconds(increment_ms))
        }
        TimeControl::Delay { initial_ms, delay_ms } => {
            format!("{}d{}", seconds(initial_ms), seconds(delay_ms))
        }
        TimeControl::Correspondence { days_per_turn } => {
            format!("1/{}", u32::from(days_per_turn) * 86_400)
        }
    }
}

fn date(at_ms: i64) -> Option<String> {
    let date = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1000)).ok()?.date();
    Some(format!("{:04}.{:02}.{:02}", date.year(), u8::from(date.month()), date.day()))
}
