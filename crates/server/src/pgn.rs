//! A game as PGN.

use adoube_game::{Game, GameResult, Seat};
use adoube_notation::pgn;
use adoube_protocol::GameId;
use adoube_rules::{AnyPosition, Color};
use time::OffsetDateTime;

use crate::{
    config::Origin,
    error::{Error, LogError},
};

/// Returns the text of a game, finished or not. Persons are anonymous, so they stay unknown here too.
pub(crate) fn text(id: &GameId, game: &Game, origin: Option<&Origin>) -> Result<String, Error> {
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
        ("White", name(&game.seats()[Color::White])),
        ("Black", name(&game.seats()[Color::Black])),
    ];
    for (name, value) in tags {
        let Some(value) = value else { continue };
        written.tags.set(name, &value).map_err(|_| Error::Internal("a tag has no name"))?;
    }
    Ok(pgn::write(&written))
}

fn name(seat: &Seat) -> Option<String> {
    match seat {
        Seat::Open | Seat::Person { .. } => None,
        Seat::Machine { level } => Some(format!("adoube {level}")),
    }
}

fn date(at_ms: i64) -> Option<String> {
    let date = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1000)).ok()?.date();
    Some(format!("{:04}.{:02}.{:02}", date.year(), u8::from(date.month()), date.day()))
}
