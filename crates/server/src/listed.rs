//! Lines of lists, as they are kept with the games and sent to those who ask.

use adoube_protocol::GameSummary;
use adoube_rules::Variant;
use adoube_wire::Names;

use crate::error::{Error, LogError};

/// Returns the game of a name.
pub(crate) fn variant_of(name: &str) -> Result<Variant, Error> {
    name.parse().map_err(|_| Error::UnknownVariant(name.chars().take(32).collect()))
}

/// A line of a list, with its names and the side of who asks.
pub(crate) fn listed(listed: &adoube_store::ListedGame) -> Result<GameSummary, LogError> {
    let unreadable = |source| LogError::Summary { game: listed.game.id.clone(), source };
    let mut summary: GameSummary = serde_json::from_str(&listed.game.summary).map_err(unreadable)?;
    let names = Names { white: listed.names.white.clone(), black: listed.names.black.clone() };
    adoube_wire::name_players(&mut summary.players, &names);
    summary.you = listed.color;
    Ok(summary)
}
