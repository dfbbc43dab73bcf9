//! Receipts: the stored answers to commands. A repeated command gets the same answer. A different request
//! with the same command id is refused, because a command id identifies one request to one game.

use std::fmt::Write as _;

use adoube_documents::{CommandAnswer, CreationAnswer, Schema};
use adoube_game::Act;
use adoube_protocol::{CreateGame, CreatedGame, GameId, Version};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::{
    error::{Error, LogError},
    stored,
};

/// The number of bytes in a digest, which is enough to distinguish a player's requests.
const DIGEST_BYTES: usize = 8;

/// The answer to a command in a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Receipt(CommandAnswer);

/// The stored form of an answer. Before receipts existed, it was only the version.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredAnswer {
    Receipt(CommandAnswer),
    Version(Version),
}

/// A parsed answer.
pub(super) struct ParsedAnswer(StoredAnswer);

impl Receipt {
    pub(super) fn new(game: &GameId, act: &Act, version: Version) -> Result<Self, Error> {
        let text = serde_json::to_string(act).map_err(LogError::Write)?;
        let act = Some(digest(&text));
        Ok(Self(CommandAnswer { schema: Schema::default(), game: game.clone(), act, version }))
    }

    pub(super) fn write(&self) -> Result<String, Error> {
        Ok(serde_json::to_string(&self.0).map_err(LogError::Write)?)
    }

    /// Parses the stored answer to a command in a game.
    pub(super) fn read(answer: &str) -> Result<ParsedAnswer, Error> {
        serde_json::from_str(answer).map(ParsedAnswer).map_err(|_| Error::CommandUsed)
    }
}

impl ParsedAnswer {
    /// Returns the version that resulted from the command. Fails if the answer is known to belong to another
    /// act or another game.
    pub(super) fn version_for(self, game: &GameId, act: &Act) -> Result<Version, Error> {
        match self.0 {
            StoredAnswer::Version(version) => Ok(version),
            // A receipt of schema 1 has a digest of different data, so only its game can be compared. This is
            // harmless, because clients create a new id for each command, and a client that reuses ids harms
            // only itself.
            StoredAnswer::Receipt(CommandAnswer { game: of, act: None, version, .. }) if of == *game => {
                Ok(version)
            }
            StoredAnswer::Receipt(answer) => {
                let expected = Receipt::new(game, act, answer.version)?.0;
                let is_same = (&answer.game, &answer.act) == (&expected.game, &expected.act);
                if is_same { Ok(answer.version) } else { Err(Error::CommandUsed) }
            }
        }
    }
}

/// Serializes the answer to the creation of a game.
pub(super) fn write_creation(created: &CreatedGame, request_digest: Option<&str>) -> Result<String, Error> {
    let CreatedGame { id, invitation } = created.clone();
    let request_digest = request_digest.map(ToOwned::to_owned);
    let answer = CreationAnswer { schema: Schema::default(), id, invitation, request_digest };
    Ok(serde_json::to_string(&answer).map_err(LogError::Write)?)
}

/// Returns the game created by an earlier request with the same command id. Fails if `request_digest` shows
/// that the earlier request was a different one.
pub(super) fn read_creation(answer: &str, request_digest: Option<&str>) -> Result<CreatedGame, Error> {
    let answer: CreationAnswer = serde_json::from_str(answer).map_err(|_| Error::CommandUsed)?;
    let CreationAnswer { schema: _, id, invitation, request_digest: earlier_digest } = answer;
    match (earlier_digest.as_deref(), request_digest) {
        (Some(earlier), Some(digest)) if earlier != digest => Err(Error::CommandUsed),
        _ => Ok(CreatedGame { id, invitation }),
    }
}

/// Returns the digest of a request to create a game, excluding its command id.
pub(super) fn digest_of_creation(request: &CreateGame) -> Result<String, Error> {
    let CreateGame { command: _, color, opponent, settings } = request;
    let creation = stored::creation_request(*color, *opponent, settings);
    let text = serde_json::to_string(&creation).map_err(LogError::Write)?;
    Ok(digest(&text))
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(DIGEST_BYTES).fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_answers_the_same_request_and_no_other() {
        let (one, other) = (GameId::from_random(1), GameId::from_random(2));
        let play = |turn: &str| Act::Play { version: 3, turn: turn.into() };
        let stored = Receipt::new(&one, &play("e2e4"), Version(4)).unwrap().write().unwrap();
        let answer =
            |stored: &str, game, act: &Act| Receipt::read(stored).unwrap().version_for(game, act).ok();
        assert_eq!(answer(&stored, &one, &play("e2e4")), Some(Version(4)));
        assert_eq!(answer(&stored, &one, &play("d2d4")), None);
        assert_eq!(answer(&stored, &other, &play("e2e4")), None);
        assert_eq!(answer(&stored, &one, &Act::Resign), None);
        // A receipt of schema 1, which has a digest of different data.
        let older = format!(r#"{{"game":"{one}","asked":"00112233","version":5}}"#);
        assert_eq!(answer(&older, &one, &Act::Resign), Some(Version(5)));
        assert_eq!(answer(&older, &other, &Act::Resign), None);
        // An answer that was stored before receipts existed.
        assert_eq!(answer("7", &one, &Act::Resign), Some(Version(7)));
        // A stored answer that does not belong to a command in a game.
        assert!(matches!(Receipt::read("{\"id\":\"x\"}"), Err(Error::CommandUsed)));
    }
}
