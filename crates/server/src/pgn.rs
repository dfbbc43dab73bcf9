//! A game as PGN.

use adoube_game::{Game, GameResult, Seat, TimeControl};
use adoube_notation::pgn;
use adoube_protocol::GameId;
use adoube_rules::{AnyPosition, Color};
use time::OffsetDateTime;

use crate::{
    config::Origin,
    error::{Error, LogError},
    wire::Names,
};

/// Returns the text of a game, finished or not. Persons without an account stay unknown here too.
pub(crate) fn text(
    id: &GameId,
    game: &Game,
    names: &Names,
    origin: Option<&Origin>,
) -> Result<String, Error> {
    // What was checked when the game was created, and turn by turn since.
    let initial = AnyPosition::from_fen(game.variant(), game.initial_fen())
        .map_err(|source| LogError::Replay { game: id.clone(), source: source.into() })?;
    let mut written = pgn::Game::new(initial);
    written.turns = game.turns().map(|played| played.turn).collect();
    written.result = match game.ending().map(|ending| ending.result) {
        None | Some(GameResult::NoResult) => pgn::GameResult::Unknown,
        Some(result) => result.winner().map_or(pgn::GameResult::Draw, pgn::GameResult::Won),
    };
    let tags = [
        ("Site", origin.map(|origin| format!("{}/game/{id}", origin.as_str()))),
        ("Date", date(game.created_at_ms())),
        ("White", name(&game.seats()[Color::White], names.white.as_ref())),
        ("Black", name(&game.seats()[Color::Black], names.black.as_ref())),
        ("TimeControl", time_control(game.options().clock)),
        ("Termination", game.ending().map(|ending| ending.reason.name().to_owned())),
    ];
    for (name, value) in tags {
        let Some(value) = value else { continue };
        written.tags.set(name, &value).map_err(|_| Error::Internal("a tag has no name"))?;
    }
    Ok(pgn::write(&written))
}

fn name(seat: &Seat, name: Option<&String>) -> Option<String> {
    match seat {
        Seat::Open => None,
        Seat::Person { .. } => name.cloned(),
        Seat::Machine { level } => Some(format!("adoube {level}")),
    }
}

/// As PGN writes it where it can, and as the field's habit is where it cannot.
fn time_control(control: TimeControl) -> Option<String> {
    let seconds = |ms: u32| f64::from(ms) / 1000.0;
    match control {
        TimeControl::Unlimited => None,
        TimeControl::Fischer { initial_ms, increment_ms: 0 } => Some(format!("{}", seconds(initial_ms))),
        TimeControl::Fischer { initial_ms, increment_ms } => {
            Some(format!("{}+{}", seconds(initial_ms), seconds(increment_ms)))
        }
        TimeControl::Delay { initial_ms, delay_ms } => {
            Some(format!("{}d{}", seconds(initial_ms), seconds(delay_ms)))
        }
        TimeControl::Correspondence { days_per_turn } => {
            Some(format!("1/{}", u32::from(days_per_turn) * 86_400))
        }
    }
}

fn date(at_ms: i64) -> Option<String> {
    let date = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1000)).ok()?.date();
    Some(format!("{:04}.{:02}.{:02}", date.year(), u8::from(date.month()), date.day()))
}
