use adoube_vocabulary::MatchId;
use serde::{Deserialize, Serialize};

use crate::time_control::TimeControl;

/// The settings that the players have agreed on besides the rules (C13, C25). A missing field has the value
/// that was implied before the field existed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Options {
    #[serde(skip_serializing_if = "is_default")]
    pub clock: TimeControl,
    /// Whether a player must move or take a touched man (C13).
    #[serde(skip_serializing_if = "is_default")]
    pub touch_move: bool,
    /// Whether turns may be taken back by agreement.
    #[serde(skip_serializing_if = "is_true")]
    pub casual: bool,
    /// The match that the game belongs to.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub in_match: Option<Box<MatchGame>>,
}

/// A game's place in a match (C25). The game knows nothing else about the match.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct MatchGame {
    /// The id of the match.
    pub id: MatchId,
    /// The number of the game in the match, from 1.
    pub number: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { clock: TimeControl::Unlimited, touch_move: false, casual: true, in_match: None }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
fn is_true(value: &bool) -> bool {
    *value
}
