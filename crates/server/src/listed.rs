//! Rows of game lists, built from the stored summaries.

use adoube_documents::{SummaryDocument, SummarySeat};
use adoube_protocol as protocol;
use adoube_rules::Variant;
use adoube_store::{ListedGame, Phase};

use crate::{
    error::{Error, LogError, causes},
    wire,
};

/// Parses the name of a variant.
pub(crate) fn variant_of(name: &str) -> Result<Variant, Error> {
    name.parse().map_err(|_| Error::UnknownVariant(name.chars().take(32).collect()))
}

/// Returns the rows of the games that can be read. The others are logged and omitted, so one unreadable
/// summary does not hide the whole list.
pub(crate) fn listed_games(games: &[ListedGame]) -> Vec<protocol::GameSummary> {
    let log =
        |error: &LogError| tracing::error!(cause = %causes(error), "{error}; the game is left out of a list");
    games.iter().filter_map(|game| game_summary(game).inspect_err(log).ok()).collect()
}

/// Returns the row of one game, with the players' names and the visitor's side.
pub(crate) fn game_summary(listed: &ListedGame) -> Result<protocol::GameSummary, LogError> {
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
        time_control: wire::time_control_to_wire(summary.time_control),
        touch_move: summary.touch_move,
        deadline: game.deadline,
        created_at: game.created_at,
        updated_at: game.updated_at,
    })
}

#[cfg(test)]
mod tests {
    use std::{
        fmt::Write as _,
        sync::{Arc, Mutex},
    };

    use adoube_protocol::{GameId, Millis, Version};
    use adoube_store::{Game, PlayerNames};
    use tracing::{
        Event, Metadata, Subscriber,
        field::{Field, Visit},
        span,
    };

    use super::*;

    /// A log subscriber that collects the text of all events.
    #[derive(Clone, Default)]
    struct LogCollector(Arc<Mutex<String>>);

    impl Visit for LogCollector {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            write!(self.0.lock().unwrap(), "{field}={value:?} ").unwrap();
        }
    }

    impl Subscriber for LogCollector {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
            span::Id::from_u64(1)
        }
        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
        fn event(&self, event: &Event<'_>) {
            event.record(&mut self.clone());
        }
        fn enter(&self, _: &span::Id) {}
        fn exit(&self, _: &span::Id) {}
    }

    fn row(number: u64, summary: &str) -> ListedGame {
        let game = Game {
            id: GameId::from_random(number.into()),
            version: Version(1),
            created_at: Millis(0),
            updated_at: Millis(0),
            variant: "chess".to_owned(),
            phase: Phase::Waiting,
            turn: None,
            result: None,
            deadline: None,
            summary: summary.to_owned(),
        };
        ListedGame { game, names: PlayerNames::default(), color: None }
    }

    #[test]
    fn a_row_that_cannot_be_read_is_left_out_and_logged() {
        let whole = r#"{"schema":2,"players":{"white":{"type":"person"},"black":{"type":"open"}},"plies":1,"timeControl":{"type":"unlimited"},"touchMove":false}"#;
        let rows = [row(1, whole), row(2, "{}"), row(3, whole)];
        let logged = LogCollector::default();
        let shown = tracing::subscriber::with_default(logged.clone(), || listed_games(&rows));
        let ids = shown.iter().map(|game| &game.id).collect::<Vec<_>>();
        assert_eq!(ids, [&rows[0].game.id, &rows[2].game.id]);
        let logged = logged.0.lock().unwrap();
        assert!(logged.contains(&rows[1].game.id.to_string()), "{logged}");
    }
}
