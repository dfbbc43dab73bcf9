//! From what `game` knows to what the protocol says.

use adoube_game::{Event, EventKind, Game, Seat};
use adoube_protocol as wire;
use adoube_protocol::{GameId, Level, Millis, ServerMessage, Version};
use adoube_rules::Color;

pub(crate) fn color(color: Color) -> wire::Color {
    match color {
        Color::White => wire::Color::White,
        Color::Black => wire::Color::Black,
    }
}

pub(crate) fn draw_rules(rules: wire::DrawRules) -> adoube_game::DrawRules {
    match rules {
        wire::DrawRules::Club => adoube_game::DrawRules::Club,
        wire::DrawRules::Fide => adoube_game::DrawRules::Fide,
    }
}

fn result(result: adoube_game::GameResult) -> wire::GameResult {
    match result {
        adoube_game::GameResult::WhiteWins => wire::GameResult::WhiteWins,
        adoube_game::GameResult::BlackWins => wire::GameResult::BlackWins,
        adoube_game::GameResult::Draw => wire::GameResult::Draw,
        adoube_game::GameResult::NoResult => wire::GameResult::NoResult,
    }
}

fn seat(seat: &Seat) -> wire::Seat {
    match seat {
        Seat::Open => wire::Seat::Open,
        Seat::Person { .. } => wire::Seat::Person,
        // A level of an older version that no longer exists shows as the nearest that does.
        Seat::Machine { level } => Level::try_from((*level).clamp(1, 3))
            .map_or(wire::Seat::Open, |level| wire::Seat::Machine { level }),
    }
}

fn players(game: &Game) -> wire::Players {
    wire::Players { white: seat(&game.seats().white), black: seat(&game.seats().black) }
}

fn status(game: &Game) -> wire::Status {
    match game.ending() {
        Some(ending) => {
            wire::Status::Over { result: result(ending.result), reason: ending.reason.name().to_owned() }
        }
        None if game.is_started() => wire::Status::Playing,
        None => wire::Status::Waiting,
    }
}

/// The whole game, as the visitor on that side sees it.
pub(crate) fn snapshot(id: &GameId, game: &Game, you: Option<Color>) -> wire::Game {
    wire::Game {
        id: id.clone(),
        variant: game.variant().to_string(),
        initial_fen: game.initial_fen().to_owned(),
        draw_rules: match game.draw_rules() {
            adoube_game::DrawRules::Club => wire::DrawRules::Club,
            adoube_game::DrawRules::Fide => wire::DrawRules::Fide,
        },
        turns: game.turn_texts(),
        version: Version(game.version()),
        players: players(game),
        you: you.map(color),
        status: status(game),
        draw_offer: game.draw_offer().map(color),
        created_at: Millis(game.created_at_ms()),
    }
}

pub(crate) fn summary(id: &GameId, game: &Game) -> wire::GameSummary {
    wire::GameSummary {
        id: id.clone(),
        variant: game.variant().to_string(),
        players: players(game),
        you: None,
        status: status(game),
        turn: game.ending().is_none().then(|| color(game.turn())),
        plies: u32::try_from(game.plies()).unwrap_or(u32::MAX),
        created_at: Millis(game.created_at_ms()),
        updated_at: Millis(game.updated_at_ms()),
    }
}

/// The message of an event; the creation of a game has none, because nobody can have been waiting for it.
pub(crate) fn event(version: u64, event: &Event) -> Option<ServerMessage> {
    let happened = match &event.kind {
        EventKind::Created { .. } => return None,
        EventKind::Joined { color: joined, .. } => {
            wire::GameEvent::Joined { color: color(*joined), seat: wire::Seat::Person }
        }
        EventKind::Played { color: played, turn, .. } => {
            wire::GameEvent::Played { color: color(*played), turn: turn.clone() }
        }
        EventKind::DrawOffered { color: by } => wire::GameEvent::DrawOffered { color: color(*by) },
        EventKind::DrawDeclined { .. } => wire::GameEvent::DrawDeclined,
        EventKind::Ended { result: how, reason } => {
            wire::GameEvent::Ended { result: result(*how), reason: reason.name().to_owned() }
        }
        // No command leads to these yet.
        _ => return None,
    };
    Some(ServerMessage::Event { version: Version(version), at: Millis(event.at_ms), event: happened })
}
