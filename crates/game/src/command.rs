use std::ops::Range;

use adoube_rules::Color;
use adoube_vocabulary::{GameId, PlayerId};
use serde::{Deserialize, Serialize};

use crate::{conditions::Condition, ending::GameResult};

/// A request to a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// Takes an open seat. When both are taken the game begins.
    Join { color: Color, player: PlayerId },
    /// Performs an act of the player on the side `by`.
    Act { by: Color, act: Act, context: ActContext },
    /// Ends the game if its time is up: see [`Game::next_deadline_ms`](crate::Game::next_deadline_ms).
    Tick,
    /// Ends the game with a result, regardless of the side to move and of the clocks.
    Adjudicate { result: GameResult },
    /// Reports that the server was down. That time is charged to neither side, except for the part before the
    /// latest event, because the server was running when it stored that event.
    Interrupt { from_ms: i64, until_ms: i64 },
    /// Reports that one side could not reach the server, although the server was running. If that side is to
    /// move, the time is charged to neither side, whatever the other side did in the meantime.
    CutOff { color: Color, from_ms: i64, until_ms: i64 },
}

/// A player's act. This is the only list of acts: its JSON is the wire format, the protocol uses its
/// kebab-case names, and the TypeScript type is generated from it.
///
/// `version` is the version of the game that the player has seen. An act meant for an earlier position is
/// refused, so a turn is never played in a position other than the intended one.
#[derive(
    Clone,
    Debug,
    Deserialize,
    Eq,
    PartialEq,
    Serialize,
    strum::EnumIter,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Act {
    /// Plays a turn in coordinate notation.
    Play {
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        version: u64,
        turn: String,
    },
    /// Resigns (C17).
    Resign,
    /// Offers a draw (C24).
    OfferDraw,
    /// Accepts a draw offer (C24).
    AcceptDraw,
    /// Declines a draw offer (C24).
    DeclineDraw,
    /// Claims a draw by the fifty-move rule or threefold repetition, where these do not end the game by
    /// themselves (C21, C22).
    ClaimDraw,
    /// Calls the game off before both sides have played their first turn. In a match, this loses the game
    /// once both seats are taken (C25).
    Abort,
    /// Proposes to take back the player's last turn, and the opponent's reply to it if there is one; only in
    /// casual games.
    ProposeTakeback,
    AcceptTakeback,
    DeclineTakeback,
    /// Gives the opponent 15 s; not possible in correspondence games or without clocks.
    GiveTime,
    /// Claims a win because the opponent, who is to move, has been away for a minute; not possible in
    /// correspondence games. The game is drawn if the player could not win it.
    ClaimLeft,
    /// Offers a rematch, after the end of the game.
    OfferRematch,
    AcceptRematch,
    DeclineRematch,
    /// Touches the man on a square, such as `e4` (C13).
    Touch {
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        version: u64,
        square: String,
    },
    /// *J'adoube*: the next touch does not bind the player (C14).
    Adjust {
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        version: u64,
    },
    /// Sets the player's answers to the turns of the opponent, who is to move; only in correspondence games.
    /// An empty tree withdraws the previous one.
    SetConditions {
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        version: u64,
        tree: Vec<Condition>,
    },
}

impl Act {
    /// The names of all acts, such as `offer-draw`.
    pub const NAMES: &[&str] = <Self as strum::VariantNames>::VARIANTS;

    /// Returns the name of the act, such as `offer-draw`.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Returns all acts except turns and touches, which need a choice on the board. `version` is the version
    /// that the player has seen. The tree of conditions is empty, which withdraws the previous one.
    pub fn all_without_choice(version: u64) -> impl Iterator<Item = Self> {
        <Self as strum::IntoEnumIterator>::iter().filter_map(move |act| match act {
            Self::Play { .. } | Self::Touch { .. } => None,
            Self::Adjust { .. } => Some(Self::Adjust { version }),
            Self::SetConditions { tree, .. } => Some(Self::SetConditions { version, tree }),
            act => Some(act),
        })
    }

    /// Returns the command by which a side performs this act, without context.
    pub fn by(self, by: Color) -> Command {
        Command::Act { by, act: self, context: ActContext::default() }
    }
}

/// Data that the server adds to an act, because a client cannot be trusted to supply it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ActContext {
    /// The time that the act spent in transit, in milliseconds. For a turn, some of it is given back to the
    /// player.
    pub lag_ms: u32,
    /// The period during which the player waited for the server to send the position, in milliseconds since
    /// 1970. The parts of it that the clock charged count as lag.
    pub shown: Range<i64>,
    /// The period from the arrival of the act at the server until it is decided, in milliseconds since 1970.
    /// Up to the side's lag allowance, it is not charged to the clock.
    pub handled: Range<i64>,
    /// The time for which the opponent has been away, in milliseconds.
    pub opponent_away_ms: i64,
    /// The id of the game created for the rematch, if the act accepts one.
    pub rematch: Option<GameId>,
}
