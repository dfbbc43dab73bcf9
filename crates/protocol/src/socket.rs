use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{ChatLine, CommandId, Condition, Game, GameEvent, MatchState, Millis, Version};

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
    /// Calls the game off, while either side has still to play its first turn.
    Abort {
        command: CommandId,
    },
    /// Asks to take back the own last turn, and the answer to it if there is one; in casual games.
    ProposeTakeback {
        command: CommandId,
    },
    AcceptTakeback {
        command: CommandId,
    },
    DeclineTakeback {
        command: CommandId,
    },
    /// Gives the other side 15 s.
    GiveTime {
        command: CommandId,
    },
    /// Claims the win because the other side, which is to move, has been away for a minute.
    ClaimLeft {
        command: CommandId,
    },
    /// After the end.
    OfferRematch {
        command: CommandId,
    },
    AcceptRematch {
        command: CommandId,
    },
    DeclineRematch {
        command: CommandId,
    },
    /// Touches the man on a square, such as `e4` (C13).
    Touch {
        command: CommandId,
        version: Version,
        square: String,
    },
    /// *J'adoube*: the next touch binds nobody (C14).
    Adjust {
        command: CommandId,
        version: Version,
    },
    /// What to answer to turns of the other side, by correspondence; an empty tree takes back the one before.
    SetConditions {
        command: CommandId,
        version: Version,
        tree: Vec<Condition>,
    },
    /// Says something in the own room: that of the players, or that of those who watch. 1 to 280 characters.
    Chat {
        command: CommandId,
        text: String,
    },
    /// Tells those who run the house of something that was said.
    ReportChat {
        command: CommandId,
        #[cfg_attr(test, ts(type = "number"))]
        line: i64,
        reason: String,
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
    /// Who is here: sent first, and whenever it changes, at most a few times in a second.
    Presence {
        white: bool,
        black: bool,
        /// Sockets of those who only look on.
        watchers: u32,
    },
    /// What was said in the own room, oldest first; sent once, if there is anything.
    ChatHistory {
        lines: Vec<ChatLine>,
    },
    Chat {
        line: ChatLine,
    },
    /// How the match stands, after a game of it has ended.
    Match {
        #[serde(rename = "match")]
        state: MatchState,
    },
    /// `at` is the time of the server, by which all its instants are meant.
    Pong {
        at: Millis,
    },
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
