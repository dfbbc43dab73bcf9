use adoube_rules::Color;
use adoube_vocabulary::{GameId, PlayerId};
use serde::{Deserialize, Serialize};

use crate::conditions::Condition;

/// What may be asked of a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// Takes an open seat. When both are taken the game begins.
    Join { color: Color, player: PlayerId },
    /// Does what the player on the side `by` asks.
    Act { by: Color, act: Act, context: ActContext },
    /// Ends the game if its time is up: see [`Game::next_deadline_ms`](crate::Game::next_deadline_ms).
    Tick,
    /// The server was down; that time is charged to neither side.
    Interrupt { from_ms: i64, until_ms: i64 },
}

/// What a player may ask of a game: the one list of it. Its JSON is the wire format, its kebab-case names are those of the
/// protocol, and its TypeScript is generated.
///
/// `seen` (on the wire: `version`) is the version of the game that the player has seen. What is meant for another position
/// than the present one is refused, so a turn is never played anywhere else.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, strum::IntoStaticStr, strum::VariantNames)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Act {
    /// Plays a turn in coordinate text.
    Play {
        #[serde(rename = "version")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        seen: u64,
        turn: String,
    },
    /// C17
    Resign,
    /// C24
    OfferDraw,
    /// C24
    AcceptDraw,
    /// C24
    DeclineDraw,
    /// Claims a draw by fifty moves or threefold repetition, where they do not end the game by themselves (C21, C22).
    ClaimDraw,
    /// Calls the game off, while either side has still to play its first turn. In a match it is lost by that (C25).
    Abort,
    /// Asks to take back one's last turn, and the answer to it if there is one; in casual games.
    ProposeTakeback,
    AcceptTakeback,
    DeclineTakeback,
    /// Gives the other side 15 s; not by correspondence.
    GiveTime,
    /// Claims the win because the other side, which is to move, has been away for a minute.
    ClaimLeft,
    /// After the end.
    OfferRematch,
    AcceptRematch,
    DeclineRematch,
    /// Touches the man on a square, such as `e4` (C13).
    Touch {
        #[serde(rename = "version")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        seen: u64,
        square: String,
    },
    /// *J'adoube*: the next touch binds nobody (C14).
    Adjust {
        #[serde(rename = "version")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        seen: u64,
    },
    /// Sets what the player will answer to turns of the other side, which is to move; by correspondence. An empty tree
    /// takes the one before it back.
    SetConditions {
        #[serde(rename = "version")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        seen: u64,
        tree: Vec<Condition>,
    },
}

impl Act {
    /// The name of every act, such as `offer-draw`.
    pub const NAMES: &[&str] = <Self as strum::VariantNames>::VARIANTS;

    /// Returns the name of the act, such as `offer-draw`.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Returns the command by which a side asks for this, with nothing known beyond it.
    pub fn by(self, by: Color) -> Command {
        Command::Act { by, act: self, context: ActContext::default() }
    }
}

/// What is known about an act that no player may claim: what the server has measured, or prepared for it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ActContext {
    /// How long the act was on its way, in milliseconds; a turn is given some of it back.
    pub lag_ms: u32,
    /// For how long the other side has been away, in milliseconds.
    pub opponent_away_ms: i64,
    /// The id of the game that was created as the rematch, when one is accepted.
    pub rematch: Option<GameId>,
}
