use adoube_vocabulary::{GameId, InvitationToken, Version};
use serde::{Deserialize, Serialize};

use crate::{ProposalColor, ProposalSettings, Schema};

/// The answer to a command in a game.
///
/// Schema 1 stored a digest of a different text. That digest can no longer be computed, so it is not read.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CommandAnswer {
    #[serde(default = "Schema::first")]
    pub schema: Schema<2>,
    pub game: GameId,
    /// A digest of the act as JSON; `None` in schema 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<String>,
    /// The version of the game after the command.
    pub version: Version,
}

/// The answer to a request to create a game.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CreationAnswer {
    #[serde(default = "Schema::first")]
    pub schema: Schema<1>,
    pub id: GameId,
    pub invitation: Option<InvitationToken>,
    /// A digest of a [`CreationRequest`]. `None` for games created without a request, and in documents
    /// written before there were digests.
    #[serde(default, rename = "asked", skip_serializing_if = "Option::is_none")]
    pub request_digest: Option<String>,
}

/// The content of a request to create a game. Only a digest of its text is stored, so changing its format
/// changes every digest.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct CreationRequest(pub ProposalColor, pub RequestedOpponent, pub ProposalSettings);

/// The requested opponent.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RequestedOpponent {
    /// The visitor who opens the invitation.
    Friend,
    Machine {
        level: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn answers_have_a_stable_serialized_form() {
        let game: GameId = "Qug7JMOwQQy7".parse().unwrap();
        let answer = CommandAnswer {
            schema: Schema::default(),
            game: game.clone(),
            act: Some("caecd441ad18b4f4".into()),
            version: Version(3),
        };
        let text = r#"{"schema":2,"game":"Qug7JMOwQQy7","act":"caecd441ad18b4f4","version":3}"#;
        assert_serialized(&answer, text);
        let old_format = r#"{"game":"Qug7JMOwQQy7","asked":"caecd441ad18b4f4","version":3}"#;
        let old_format = serde_json::from_str::<CommandAnswer>(old_format).unwrap();
        assert_eq!(
            (old_format.schema, old_format.act, old_format.version),
            (Schema::FIRST, None, Version(3))
        );

        let answer =
            CreationAnswer { schema: Schema::default(), id: game, invitation: None, request_digest: None };
        assert_serialized(&answer, r#"{"schema":1,"id":"Qug7JMOwQQy7","invitation":null}"#);
        let old_format = r#"{"id":"Qug7JMOwQQy7","invitation":null}"#;
        assert_eq!(serde_json::from_str::<CreationAnswer>(old_format).unwrap(), answer);
        let invitation = Some("0123456789ABCDEFGHIJ".parse().unwrap());
        let digest = Some("caecd441ad18b4f4".to_owned());
        assert_serialized(
            &CreationAnswer { invitation, request_digest: digest, ..answer },
            r#"{"schema":1,"id":"Qug7JMOwQQy7","invitation":"0123456789ABCDEFGHIJ","asked":"caecd441ad18b4f4"}"#,
        );
    }

    #[test]
    fn a_creation_request_has_a_stable_text() {
        let settings = ProposalSettings { variant: "chess".into(), ..ProposalSettings::default() };
        let request = CreationRequest(ProposalColor::White, RequestedOpponent::Friend, settings.clone());
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(text, r#"["white",{"type":"friend"},{"variant":"chess"}]"#);
        let request =
            CreationRequest(ProposalColor::Random, RequestedOpponent::Machine { level: 10 }, settings);
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(text, r#"["random",{"type":"machine","level":10},{"variant":"chess"}]"#);
    }
}
