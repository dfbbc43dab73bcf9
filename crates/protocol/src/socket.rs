use std::collections::BTreeMap;

use adoube_game::Act;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use strum::VariantNames as _;

use crate::{ChatLine, CommandId, Game, GameEvent, MatchState, Millis, Version};

/// A message from a client on a game socket.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ClientMessage {
    /// Requests an act in the game. The fields of the act are next to `command`.
    Act {
        command: CommandId,
        #[serde(flatten)]
        #[cfg_attr(test, ts(flatten))]
        act: Act,
    },
    /// Any other request.
    Session(SessionMessage),
}

/// A message on a game socket that does not change the game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, strum::VariantNames)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum SessionMessage {
    /// A chat message to the visitor's own room: either the players' or the spectators'. The text has 1 to
    /// 280 characters.
    Chat {
        command: CommandId,
        text: String,
    },
    /// Reports a message in the visitor's own room to the moderators.
    ReportChat {
        command: CommandId,
        #[cfg_attr(test, ts(type = "number"))]
        line: i64,
        reason: String,
    },
    /// Requests a snapshot.
    Resync,
    Ping,
}

impl<'de> Deserialize<'de> for ClientMessage {
    /// Reads a message in the form that its `type` determines. An untagged enum would try both forms, and
    /// could not report what is wrong with a message that fits neither.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct ActMessage {
            command: CommandId,
            #[serde(flatten)]
            act: Act,
        }

        let message = Value::deserialize(deserializer)?;
        let name =
            message.get("type").and_then(Value::as_str).ok_or_else(|| D::Error::missing_field("type"))?;
        if Act::NAMES.contains(&name) {
            let ActMessage { command, act } = ActMessage::deserialize(message).map_err(D::Error::custom)?;
            Ok(Self::Act { command, act })
        } else if SessionMessage::VARIANTS.contains(&name) {
            SessionMessage::deserialize(message).map(Self::Session).map_err(D::Error::custom)
        } else {
            let name = name.chars().take(32).collect::<String>();
            Err(D::Error::custom(format_args!("unknown message type {name:?}")))
        }
    }
}

impl From<SessionMessage> for ClientMessage {
    fn from(message: SessionMessage) -> Self {
        Self::Session(message)
    }
}

/// A message from the server on a game socket.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerMessage {
    Snapshot {
        game: Box<Game>,
    },
    /// An event. `version` is the version of the game after the event.
    Event {
        version: Version,
        at: Millis,
        event: GameEvent,
    },
    /// The command was valid, has been applied, and is stored on disk.
    Accepted {
        command: CommandId,
        version: Version,
    },
    /// A request was not carried out. `command` is null if the message could not be read, or if it requested
    /// a snapshot too soon.
    Refused {
        command: Option<CommandId>,
        code: String,
        args: BTreeMap<String, String>,
    },
    /// The presence of players and spectators. Sent when the socket opens and after changes, at most a few
    /// times a second.
    Presence {
        white: bool,
        black: bool,
        /// The number of spectators' sockets.
        watchers: u32,
        /// Increases with each change while the socket is open.
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
    },
    /// The earlier messages in the visitor's own room, oldest first. Sent once, if there are any.
    ChatHistory {
        lines: Vec<ChatLine>,
    },
    Chat {
        line: ChatLine,
    },
    /// The state of the match after one of its games has ended.
    Match {
        #[serde(rename = "match")]
        state: MatchState,
    },
    /// The answer to a ping. A client whose version of the game or of the presence is earlier has missed a
    /// message.
    Pong {
        /// The server's clock, to which all times in its messages refer.
        at: Millis,
        /// The version of the game.
        version: Version,
        /// The version of the presence; 0 before it is known.
        #[cfg_attr(test, ts(type = "number"))]
        presence: u64,
    },
}

#[cfg(test)]
mod tests {
    use adoube_game::Condition;

    use super::*;

    #[test]
    fn messages_have_the_documented_form() {
        let command = "00000000-0000-4000-8000-000000000001";
        let id = CommandId(command.parse().unwrap());
        let assert_form = |text: String, message: ClientMessage| {
            assert_eq!(serde_json::from_str::<ClientMessage>(&text).unwrap(), message, "{text}");
            let written = serde_json::from_str::<Value>(&serde_json::to_string(&message).unwrap()).unwrap();
            assert_eq!(written, serde_json::from_str::<Value>(&text).unwrap());
        };
        let mut names = Vec::new();
        for (fields, act) in [
            (r#""type":"play","version":3,"turn":"e2e4""#, Act::Play { version: 3, turn: "e2e4".into() }),
            (r#""type":"resign""#, Act::Resign),
            (r#""type":"offer-draw""#, Act::OfferDraw),
            (r#""type":"accept-draw""#, Act::AcceptDraw),
            (r#""type":"decline-draw""#, Act::DeclineDraw),
            (r#""type":"claim-draw""#, Act::ClaimDraw),
            (r#""type":"abort""#, Act::Abort),
            (r#""type":"propose-takeback""#, Act::ProposeTakeback),
            (r#""type":"accept-takeback""#, Act::AcceptTakeback),
            (r#""type":"decline-takeback""#, Act::DeclineTakeback),
            (r#""type":"give-time""#, Act::GiveTime),
            (r#""type":"claim-left""#, Act::ClaimLeft),
            (r#""type":"offer-rematch""#, Act::OfferRematch),
            (r#""type":"accept-rematch""#, Act::AcceptRematch),
            (r#""type":"decline-rematch""#, Act::DeclineRematch),
            (r#""type":"touch","version":3,"square":"e4""#, Act::Touch { version: 3, square: "e4".into() }),
            (r#""type":"adjust","version":3"#, Act::Adjust { version: 3 }),
            (
                r#""type":"set-conditions","version":3,"tree":[{"reply":"e7e5","answer":"g1f3"}]"#,
                Act::SetConditions {
                    version: 3,
                    tree: vec![Condition { reply: "e7e5".into(), answer: "g1f3".into(), then: Vec::new() }],
                },
            ),
        ] {
            names.push(act.name());
            assert_form(
                format!(r#"{{"command":"{command}",{fields}}}"#),
                ClientMessage::Act { command: id, act },
            );
        }
        assert_eq!(names, Act::NAMES, "the documented form of every act is tested");
        let chat = SessionMessage::Chat { command: id, text: "hello".into() };
        assert_form(format!(r#"{{"type":"chat","command":"{command}","text":"hello"}}"#), chat.into());
        let report = SessionMessage::ReportChat { command: id, line: 7, reason: "rude".into() };
        let text = format!(r#"{{"type":"report-chat","command":"{command}","line":7,"reason":"rude"}}"#);
        assert_form(text, report.into());
        assert_form(r#"{"type":"resync"}"#.into(), SessionMessage::Resync.into());
        assert_form(r#"{"type":"ping"}"#.into(), SessionMessage::Ping.into());
        let refusal =
            ServerMessage::Refused { command: None, code: "bad-message".into(), args: BTreeMap::new() };
        let text = serde_json::to_string(&refusal).unwrap();
        assert_eq!(text, r#"{"type":"refused","command":null,"code":"bad-message","args":{}}"#);
    }

    #[test]
    fn invalid_messages_are_errors() {
        let command = r#""command":"00000000-0000-4000-8000-000000000001""#;
        for (text, problem) in [
            ("", "EOF"),
            ("1", "missing field `type`"),
            ("{}", "missing field `type`"),
            (r#"{"type":"take-back"}"#, "unknown message type \"take-back\""),
            (r#"{"type":"resign"}"#, "missing field `command`"),
            (r#"{"type":"resign","command":1}"#, "invalid type: integer `1`"),
            (&format!(r#"{{"type":"play",{command},"version":1}}"#), "missing field `turn`"),
            (&format!(r#"{{"type":"play",{command},"version":-1,"turn":"e2e4"}}"#), "integer `-1`"),
            (&format!(r#"{{"type":"chat",{command}}}"#), "missing field `text`"),
        ] {
            let error = serde_json::from_str::<ClientMessage>(text).unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
