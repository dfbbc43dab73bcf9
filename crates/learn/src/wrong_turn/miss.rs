//! What a wrong turn in a drill does or leaves undone.

use adoube_rules::{
    Color, Outcome, Role, Square, Turn,
    explain::{Man, Reason},
};

/// Something that a wrong turn does or leaves undone.
///
/// `man` is a man on its square before the turn, unless stated otherwise, and `to` is the square where the
/// turn ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Miss {
    /// The game is over.
    Over {
        /// The outcome.
        outcome: Outcome,
    },
    /// Men that had to be taken are still on the board.
    Stays {
        /// These men.
        men: Vec<Man>,
    },
    /// All men that had to be taken have been, and others too.
    TooMany {
        /// The others.
        men: Vec<Man>,
    },
    /// The opponent can recapture.
    Retaken {
        /// The man that can recapture, on its square after the turn.
        man: Man,
        /// The square of the man that it can take.
        to: Square,
    },
    /// A right answer reaches a square or attacks the man on it, but the man that the turn moves cannot.
    Unreachable {
        /// The square.
        at: Square,
        /// The reason.
        reason: Reason,
    },
    /// A right answer takes an enemy by going to its square, but the turn goes elsewhere.
    Landing {
        /// The man that moves.
        man: Man,
        /// Its destination.
        to: Square,
        /// The enemy's square.
        at: Square,
    },
    /// In a right answer, a different man makes the capture.
    OtherMan,
    /// A man that imitates a pincer moves diagonally.
    PincerDiagonal {
        /// The man that moves.
        man: Man,
        /// Its destination.
        to: Square,
    },
    /// The man does not stop next to the enemy on its file or rank.
    PincerFar {
        /// The man that moves.
        man: Man,
        /// Its destination.
        to: Square,
        /// The enemy's square.
        at: Square,
    },
    /// The enemy stands on the edge, so no friendly man can stand behind it.
    PincerEdge {
        /// The man's destination.
        to: Square,
        /// The enemy's square.
        at: Square,
    },
    /// No friendly man stands behind the enemy.
    PincerAlone {
        /// The man's destination.
        to: Square,
        /// The enemy's square.
        at: Square,
        /// The square behind it.
        behind: Square,
    },
    /// The man stops on its king's file or rank, so the two do not form a rectangle.
    Aligned {
        /// The man that moves.
        man: Man,
        /// Its destination.
        to: Square,
        /// The square of its king.
        king: Square,
    },
    /// The man forms a rectangle with its king, but the enemy stands on neither of the other corners.
    Corners {
        /// The man's destination.
        to: Square,
        /// The square of its king.
        king: Square,
        /// The other two corners.
        corners: [Square; 2],
        /// The enemy's square.
        at: Square,
    },
    /// A right answer captures en passant, but the turn does not.
    EnPassant,
    /// The turn does not leap over the enemy.
    Leap {
        /// The man that moves.
        man: Man,
        /// Its destination.
        to: Square,
        /// The enemy's square.
        at: Square,
    },
    /// The man does not move directly away from the enemy next to it.
    Withdrawal {
        /// The man that moves.
        man: Man,
        /// Its destination.
        to: Square,
        /// The enemy's square.
        at: Square,
    },
    /// The man does not move towards the enemy and stop next to it.
    Approach {
        /// The man that moves.
        man: Man,
        /// Its destination.
        to: Square,
        /// The enemy's square.
        at: Square,
    },
    /// Another turn takes more men.
    Count {
        /// The number of men taken.
        count: usize,
        /// The largest number of men that any turn takes.
        most: usize,
    },
    /// The opponent's king is not in check.
    NoCheck {
        /// This king.
        king: Man,
    },
    /// The man that has moved does not attack the opponent's king.
    NoAttack {
        /// The man, after the turn.
        man: Man,
        /// The king's square.
        at: Square,
    },
    /// Too many men are left for the game to be over.
    Left {
        /// All men except royal ones, after the turn.
        men: Vec<Man>,
    },
    /// The king itself moves out of check.
    KingMoved {
        /// The king.
        man: Man,
    },
    /// The check is parried without a capture, and not by moving the king.
    KingStayed,
    /// The king that had to castle does not move.
    KingStill {
        /// The king.
        man: Man,
    },
    /// The king that had to castle makes an ordinary step.
    KingOneSquare {
        /// The king.
        man: Man,
    },
    /// No pawn promotes.
    NoPromotion,
    /// A pawn promotes, but to another role.
    Promoted {
        /// The side of the pawn.
        color: Color,
        /// The role that it promotes to.
        role: Role,
    },
    /// The man that freezes is not next to the one to be frozen.
    NotTouching {
        /// The man that freezes, after the turn.
        man: Man,
        /// The other's square.
        at: Square,
    },
    /// Men that had to be immobile can still move.
    Mobile {
        /// These men, after the turn.
        men: Vec<Man>,
    },
    /// The number of times that the position has occurred.
    Occurs {
        /// The number.
        count: usize,
    },
    /// The man still cannot move.
    Held {
        /// The reason.
        reason: Reason,
    },
    /// The opponent still has legal turns.
    Replies {
        /// The number of turns.
        count: usize,
        /// One of them.
        turn: Turn,
    },
    /// After this reply, no turn reaches the goal.
    Refuted {
        /// The reply.
        turn: Turn,
    },
    /// Whatever the reply, no turn reaches the goal.
    OutOfReach,
}
