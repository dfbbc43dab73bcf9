//! Rows of lists of games, from the stored summaries.

use adoube_documents::{SummaryDocument, SummarySeat};
use adoube_protocol as protocol;
use adoube_rules::Variant;
use adoube_store::{ListedGame, Phase};

use crate::{
    error::{Error, LogError, causes},
    wire,
};

/// Returns the variant of a name.
pub(crate) fn variant_of(name: &str) -> Result<Variant, Error> {
    name.parse().map_err(|_| Error::UnknownVariant(name.chars().take(32).collect()))
}

/// Returns the rows of the games that can be read. The others are logged and left out, so that one unreadable
/// row does not hide the list.
pub(crate) fn listed_games(games: &[ListedGame]) -> Vec<protocol::GameSummary> {
    let log = |error: &LogError| tracing::error!(error = %causes(error), "a game cannot be read and is left out of a list");
    games.iter().filter_map(|game| listed(game).inspect_err(log).ok()).collect()
}

/// Returns a row with the names and the side of the visitor.
fn listed(listed: &ListedGame) -> Result<protocol::GameSummary, LogError> {
    let ListedGame { game, names, color } = listed;
    let unreadable = |source| LogError::Summary { game: game.id.clone(), source };
    let summary: SummaryDocument = serde_json::from_str(&game.summary).map_err(unreadable)?;
    let seat = |seat: SummarySeat, name: &Option<String>| match seat {
        SummarySeat::Open => protocol::Seat::Open,
        SummarySeat::Person => protocol::Seat::Person { name: name.clone() },
        SummarySeat::Machine { level } => wire::machine(level),
    };
    let status = match (game.phase, game.result, summary.reason) {
        (Phase::Waiting, ..) => protocol::Status::Waiting,
        (Phase::Playing, ..) => protocol::Status::Playing,
        (Phase::Over, Some(result), Some(reason)) => {
            protocol::Status::Over { result, reason: reason.name().to_owned() }
        }
        (Phase::Over, ..) => return Err(LogError::NoResult(game.id.clone())),
    };
    Ok(protocol::GameSummary {
        id: game.id.clone(),
        variant: game.variant.clone(),
        players: protocol::Players {
            white: seat(summary.players.white, &names.white),
            black: seat(summary.players.black, &names.black),
        },
        you: *color,
        status,
        turn: game.turn,
        plies: summary.plies,
        time_control: wire::time_control_shown(summary.time_control),
        touch_move: summary.touch_move,
        deadline: game.deadline,
        created_at: game.created_at,
        updated_at: game.updated_at,
    })
}
