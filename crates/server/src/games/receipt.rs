//! What is kept with a command that was done, so that its repeat gets the same answer, and nothing else does: a command
//! id stands for one request to one game.

use std::fmt::Write as _;

use adoube_protocol::{CreateGame, CreatedGame, GameId, Version};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Ask;
use crate::error::{Error, LogError};

/// Bytes of a digest that are kept: enough to tell apart what one player asks.
const DIGEST_BYTES: usize = 8;

/// The answer to a command of a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Receipt {
    game: GameId,
    asked: String,
    version: Version,
}

/// An answer as it is kept; before there were receipts it was the version alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    Receipt(Receipt),
    Version(Version),
}

/// A receipt that has been read.
pub(super) struct Read(Kept);

impl Receipt {
    pub(super) fn new(game: &GameId, ask: &Ask, version: Version) -> Self {
        Self { game: game.clone(), asked: digest(&text_of(ask)), version }
    }

    pub(super) fn write(&self) -> Result<String, Error> {
        Ok(serde_json::to_string(self).map_err(LogError::Write)?)
    }

    /// Reads what is kept with a command of a game.
    pub(super) fn read(answer: &str) -> Result<Read, Error> {
        serde_json::from_str(answer).map(Read).map_err(|_| Error::CommandUsed)
    }
}

impl Read {
    /// Returns the version that the command led to, if it asked the same of the same game.
    pub(super) fn version_for(self, game: &GameId, ask: &Ask) -> Result<Version, Error> {
        match self.0 {
            Kept::Version(version) => Ok(version),
            Kept::Receipt(receipt) if receipt == Receipt::new(game, ask, receipt.version) => {
                Ok(receipt.version)
            }
            Kept::Receipt(_) => Err(Error::CommandUsed),
        }
    }
}

/// The answer to the creation of a game.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Creation {
    #[serde(flatten)]
    created: CreatedGame,
    /// None for games that follow from something else, and in what was kept before there were digests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked: Option<String>,
}

impl Creation {
    pub(super) fn write(created: &CreatedGame, asked: Option<&str>) -> Result<String, Error> {
        let creation = Self { created: created.clone(), asked: asked.map(ToOwned::to_owned) };
        Ok(serde_json::to_string(&creation).map_err(LogError::Write)?)
    }

    /// Returns the game that was created, if the same was asked.
    pub(super) fn read(answer: &str, asked: Option<&str>) -> Result<CreatedGame, Error> {
        let creation: Self = serde_json::from_str(answer).map_err(|_| Error::CommandUsed)?;
        match (creation.asked.as_deref(), asked) {
            (Some(before), Some(now)) if before != now => Err(Error::CommandUsed),
            _ => Ok(creation.created),
        }
    }
}

/// Returns what a request for a game asks, whatever its command.
pub(super) fn digest_of_creation(request: &CreateGame) -> Result<String, Error> {
    let CreateGame { command: _, color, opponent, settings } = request;
    let text = serde_json::to_string(&(color, opponent, settings)).map_err(LogError::Write)?;
    Ok(digest(&text))
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(DIGEST_BYTES).fold(String::new(), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns what a player asks, as text. How long it was on its way is not part of it, nor what the server adds.
fn text_of(ask: &Ask) -> String {
    match ask {
        Ask::Play { seen, turn, lag_ms: _ } => format!("play {seen} {turn}"),
        Ask::Resign => "resign".into(),
        Ask::OfferDraw => "offer-draw".into(),
        Ask::AcceptDraw => "accept-draw".into(),
        Ask::DeclineDraw => "decline-draw".into(),
        Ask::ClaimDraw => "claim-draw".into(),
        Ask::Abort => "abort".into(),
        Ask::ProposeTakeback => "propose-takeback".into(),
        Ask::AcceptTakeback => "accept-takeback".into(),
        Ask::DeclineTakeback => "decline-takeback".into(),
        Ask::GiveTime => "give-time".into(),
        Ask::ClaimLeft => "claim-left".into(),
        Ask::OfferRematch => "offer-rematch".into(),
        Ask::AcceptRematch { next: _ } => "accept-rematch".into(),
        Ask::DeclineRematch => "decline-rematch".into(),
        Ask::Touch { square, seen } => format!("touch {seen} {square}"),
        Ask::Adjust { seen } => format!("adjust {seen}"),
        Ask::SetConditions { tree, seen } => {
            let tree = serde_json::to_string(tree).unwrap_or_default();
            format!("set-conditions {seen} {tree}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_answers_what_was_asked_and_nothing_else() {
        let (one, other) = (GameId::from_random(1), GameId::from_random(2));
        let play = |turn: &str, lag_ms| Ask::Play { seen: Version(3), turn: turn.into(), lag_ms };
        let kept = Receipt::new(&one, &play("e2e4", 20), Version(4)).write().unwrap();
        let answer = |game, ask: &Ask| Receipt::read(&kept).unwrap().version_for(game, ask).ok();
        assert_eq!(answer(&one, &play("e2e4", 70)), Some(Version(4)));
        assert_eq!(answer(&one, &play("d2d4", 20)), None);
        assert_eq!(answer(&other, &play("e2e4", 20)), None);
        assert_eq!(answer(&one, &Ask::Resign), None);
        // Kept before there were receipts.
        assert_eq!(Receipt::read("7").unwrap().version_for(&one, &Ask::Resign).unwrap(), Version(7));
        // Kept with something else than a command of a game.
        assert!(matches!(Receipt::read("{\"id\":\"x\"}"), Err(Error::CommandUsed)));
    }
}
