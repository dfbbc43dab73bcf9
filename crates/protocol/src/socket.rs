use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CommandId, Game, GameEvent, Millis, Version};

/// What a client says on the socket of a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ClientMessage {
    /// A turn in coordinate text. `version` is the version that the player saw: the turn is refused if another
    /// one has been played since.
    Play {
        command: CommandId,
        version: Version,
        turn: String,
    },
    Resign {
        command: CommandId,
    },
    OfferDraw {
        command: CommandId,
    },
    AcceptDraw {
        command: CommandId,
    },
    DeclineDraw {
        command: CommandId,
    },
    /// Fifty moves or threefold repetition, in a game under FIDE draw rules.
    ClaimDraw {
        command: CommandId,
    },
    /// Asks for a snapshot.
    Resync,
    Ping,
}

/// What the server says on the socket of a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerMessage {
    Snapshot {
        game: Box<Game>,
    },
    /// `version` is the version of the game after the event.
    Event {
        version: Version,
        at: Millis,
        event: GameEvent,
    },
    /// The command is validated, applied and on the disk.
    Accepted {
        command: CommandId,
        version: Version,
    },
    /// `command` is null if the message could not be read.
    Refused {
        command: Option<CommandId>,
        code: String,
        args: BTreeMap<String, String>,
    },
    Pong,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_documented_form() {
        let command = "00000000-0000-4000-8000-000000000001";
        let text = format!(r#"{{"type":"play","command":"{command}","version":3,"turn":"e2e4"}}"#);
        let message: ClientMessage = serde_json::from_str(&text).unwrap();
        let command = CommandId(command.parse().unwrap());
        assert_eq!(message, ClientMessage::Play { command, version: Version(3), turn: "e2e4".into() });
        let answer =
            ServerMessage::Refused { command: None, code: "bad-message".into(), args: BTreeMap::new() };
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(text, r#"{"type":"refused","command":null,"code":"bad-message","args":{}}"#);
    }

    #[test]
    fn unknown_messages_are_errors() {
        for text in [
            "",
            "1",
            "{}",
            r#"{"type":"take-back"}"#,
            r#"{"type":"resign"}"#,
            r#"{"type":"resign","command":1}"#,
        ] {
            serde_json::from_str::<ClientMessage>(text).unwrap_err();
        }
    }
}
