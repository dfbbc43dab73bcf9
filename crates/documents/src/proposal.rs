use adoube_game::{DrawRules, TimeControl};
use adoube_vocabulary::CommandId;
use serde::{Deserialize, Serialize};

use crate::Schema;

/// The game that a seek or a challenge proposes.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProposalDocument {
    #[serde(default = "Schema::first")]
    pub schema: Schema<1>,
    /// The command that created the proposal. It identifies a repeated request.
    pub command: CommandId,
    /// The side that its author requests.
    pub color: ProposalColor,
    pub settings: ProposalSettings,
}

/// The side that the author of a game or a proposal requests.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProposalColor {
    White,
    Black,
    Random,
}

/// The settings of a game. The server's defaults apply to missing ones.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ProposalSettings {
    /// The name of the variant, such as `chess`.
    pub variant: String,
    /// The initial position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shuffle: Option<ProposalShuffle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_rules: Option<DrawRules>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touch_move: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub casual: Option<bool>,
    /// The number of games in the match, as in “best of five”.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u8>,
}

/// A shuffled start (C1, B1, I1, U1).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ProposalShuffle {
    /// The start number of each side.
    Number { white: u16, black: u16 },
    /// The server draws the start numbers.
    Random { sides: ProposalSides },
}

/// Whether a shuffled start is the same for both sides.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProposalSides {
    Same,
    Different,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn its_serialized_form_is_stable() {
        let command = CommandId("16adf2ca-0926-4426-9708-742bc09db7a1".parse().unwrap());
        let settings = ProposalSettings { variant: "chess".into(), ..ProposalSettings::default() };
        let plain =
            ProposalDocument { schema: Schema::default(), command, color: ProposalColor::White, settings };
        assert_serialized(
            &plain,
            r#"{"schema":1,"command":"16adf2ca-0926-4426-9708-742bc09db7a1","color":"white","settings":{"variant":"chess"}}"#,
        );
        let settings = ProposalSettings {
            variant: "baroque".into(),
            fen: Some("x".into()),
            shuffle: Some(ProposalShuffle::Random { sides: ProposalSides::Same }),
            time_control: Some(TimeControl::Correspondence { days_per_turn: 3 }),
            draw_rules: Some(DrawRules::Fide),
            touch_move: Some(true),
            casual: Some(false),
            games: Some(4),
        };
        let full = ProposalDocument { color: ProposalColor::Random, settings, ..plain.clone() };
        let text = concat!(
            r#"{"schema":1,"command":"16adf2ca-0926-4426-9708-742bc09db7a1","color":"random","#,
            r#""settings":{"variant":"baroque","fen":"x","shuffle":{"type":"random","sides":"same"},"#,
            r#""timeControl":{"type":"correspondence","daysPerTurn":3},"drawRules":"fide","touchMove":true,"#,
            r#""casual":false,"games":4}}"#
        );
        assert_serialized(&full, text);
        // The format of documents without a schema number.
        let old_format = text.replacen(r#""schema":1,"#, "", 1);
        assert_eq!(serde_json::from_str::<ProposalDocument>(&old_format).unwrap(), full);
        let shuffle = ProposalShuffle::Number { white: 7, black: 11 };
        assert_eq!(serde_json::to_string(&shuffle).unwrap(), r#"{"type":"number","white":7,"black":11}"#);
        for (sides, text) in [(ProposalSides::Same, "\"same\""), (ProposalSides::Different, "\"different\"")]
        {
            assert_eq!(serde_json::to_string(&sides).unwrap(), text);
        }
    }
}
