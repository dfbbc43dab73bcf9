use adoube_rules::{Color, Square};

use crate::conditions::Condition;

/// What a player, or the server in nobody's name, may ask of a game.
///
/// `by` is the side of the player who asks. `seen` is the version of the game that the player has seen; what is
/// meant for another position than the present one is refused, so a turn is never played anywhere else.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// Takes an open seat. When both are taken the game begins.
    Join {
        color: Color,
        player: String,
    },
    /// A turn in coordinate text. `lag_ms` is how long it was on its way, as the server measured it.
    Play {
        by: Color,
        turn: String,
        seen: u64,
        lag_ms: u32,
    },
    /// C17
    Resign {
        by: Color,
    },
    /// C24
    OfferDraw {
        by: Color,
    },
    /// C24
    AcceptDraw {
        by: Color,
    },
    /// C24
    DeclineDraw {
        by: Color,
    },
    /// Fifty moves or threefold repetition, where they do not end the game by themselves (C21, C22).
    ClaimDraw {
        by: Color,
    },
    /// Calls the game off, while either side has still to play its first turn. In a match it is lost by that (C25).
    Abort {
        by: Color,
    },
    /// Asks to take back the own last turn, and the answer to it if there is one; in casual games.
    ProposeTakeback {
        by: Color,
    },
    AcceptTakeback {
        by: Color,
    },
    DeclineTakeback {
        by: Color,
    },
    /// Gives the other side [`GIFT_MS`](crate::GIFT_MS); not by correspondence.
    GiveTime {
        by: Color,
    },
    /// Claims the win because the other side, which is to move, has been away for so long, as the server vouches.
    ClaimLeft {
        by: Color,
        away_ms: i64,
    },
    /// After the end.
    OfferRematch {
        by: Color,
    },
    /// `next` is the id of the game that was made for it.
    AcceptRematch {
        by: Color,
        next: String,
    },
    DeclineRematch {
        by: Color,
    },
    /// Touches the man on a square (C13).
    Touch {
        by: Color,
        square: Square,
        seen: u64,
    },
    /// *J'adoube*: the next touch binds nobody (C14).
    Adjust {
        by: Color,
        seen: u64,
    },
    /// What the player will answer to turns of the other side, which is to move; by correspondence. An empty tree
    /// takes the one before it back.
    SetConditions {
        by: Color,
        tree: Vec<Condition>,
        seen: u64,
    },
    /// Ends the game if its time is up: see [`Game::next_deadline_ms`](crate::Game::next_deadline_ms).
    Tick,
    /// The server was down: that time is charged to nobody.
    Interrupt {
        from_ms: i64,
        until_ms: i64,
    },
}
