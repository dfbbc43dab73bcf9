//! Problems, as sent to the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CommandId, Millis, ProblemId};

/// The response to `GET /api/problems/{variant}`: the problems of a variant, easiest first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemList {
    pub variant: String,
    pub problems: Vec<Problem>,
}

/// A position in which exactly one first turn reaches the goal.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    pub id: String,
    /// The position. The solver plays the side to move.
    pub fen: String,
    pub goal: ProblemGoal,
    /// The number of turns that the solver has.
    pub turns: u8,
    /// The solution in coordinate notation; it begins and ends with the solver's turn.
    pub line: Vec<String>,
    /// The estimated difficulty, on the same scale as the solvers' ratings.
    pub rating: u16,
    /// The opponent's turn that led to the position, if it is known.
    pub before: Option<PrecedingTurn>,
    /// The themes of the solution, in the order of [`ProblemTheme`].
    pub themes: Vec<ProblemTheme>,
    /// Whether the problem is no longer offered, and is shown only to visitors who have its URL.
    pub retired: bool,
}

/// The turn that led to the position of a problem.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PrecedingTurn {
    /// The position in which the turn was played.
    pub fen: String,
    /// The turn in coordinate notation.
    pub turn: String,
}

/// A theme of a problem: an element of its solution.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ProblemTheme {
    /// The line ends in checkmate.
    Mate,
    /// At the end, the opponent has no legal turn and loses.
    NoMoves,
    /// A king is captured at the end.
    KingCapture,
    /// One turn takes at least two men.
    DoubleCapture,
    /// A turn has several steps.
    Chain,
    /// A man takes by enclosing an enemy between itself and a friendly man.
    Pincer,
    /// A man takes enemies at the corners of the rectangle that it makes with its king.
    Coordination,
    /// A man takes by leaping.
    Leap,
    /// A man takes by moving away.
    Withdrawal,
    /// A man takes by approaching.
    Approach,
    /// A man takes a neighbour without moving.
    Removal,
    /// A chameleon takes.
    Imitation,
    /// A pawn takes en passant.
    EnPassant,
    /// An enemy is frozen.
    Freeze,
    /// A frozen man is removed by its own side.
    GivingUp,
    /// The man that has moved attacks two or more men other than pawns, and takes one of them next.
    Fork,
    /// A man other than the one that moves gives check.
    DiscoveredCheck,
    /// Two or more men give check.
    DoubleCheck,
    /// The man that moves takes nothing, and is taken immediately.
    Sacrifice,
    /// A pawn promotes.
    Promotion,
    /// The king castles.
    Castling,
    /// The first turn neither takes, nor gives check, nor promotes, nor gives up a man, nor ends the game.
    QuietKey,
}

/// The goal of a problem.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ProblemGoal {
    /// To win on the board: by mate or, depending on the variant, by taking a king or leaving the opponent
    /// without a legal turn.
    Win,
    /// To find the turn that is clearly better than all others.
    Gain,
}

/// `POST /api/problems/{variant}/proof`: a composition to prove.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Composition {
    /// The position. The solver plays the side to move.
    pub fen: String,
    /// Only `win` can be proved.
    pub goal: ProblemGoal,
    /// The number of turns that the solver has, 1 to 8.
    pub turns: u8,
    /// The composer's solution: lines with the turns of both sides in coordinate notation, all beginning with
    /// the same first turn. They may stop at any point; the rest is computed.
    #[serde(default)]
    pub lines: Vec<Vec<String>>,
}

/// The result of a proof.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ProofReport {
    /// Exactly one first turn reaches the goal, and the goal cannot be reached sooner.
    Proved {
        /// A line in coordinate notation; it begins and ends with the solver's turn, and the opponent resists
        /// as long as possible.
        line: Vec<String>,
        solution: Solution,
        /// The id of an existing problem with this position.
        known: Option<String>,
    },
    /// A first turn other than the composer's reaches the goal, or several first turns do if the composer
    /// gave none.
    SecondSolution {
        /// The composer's first turn, if they gave one.
        own: Option<String>,
        /// The other solutions, as lines.
        others: Vec<Vec<String>>,
    },
    /// The goal can be reached in fewer turns.
    Sooner { turns: u8, line: Vec<String> },
    /// The composer's turn at the end of `line` does not reach the goal in the given number of turns.
    Refuted {
        line: Vec<String>,
        /// The opponent's refutation; null if the game ends at that point without a winner.
        reply: Option<String>,
        /// Lines that share the earlier turns and do reach the goal.
        instead: Vec<Vec<String>>,
    },
    /// No turn reaches the goal in the given number of turns.
    NoWin,
    /// The proof is undecided after this number of positions, or after the time limit for a proof.
    TooHard { nodes: u64 },
    /// The composition cannot be proved, for these reasons.
    Unfit { reasons: Vec<ProofReason> },
}

/// A reason why a composition cannot be proved: a code with arguments, like any refusal.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProofReason {
    pub code: String,
    pub args: BTreeMap<String, String>,
}

/// A solution as a tree.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Solution {
    pub first: SolutionBranch,
    /// Whether every reply is included. Replies beyond the size limit are omitted.
    pub complete: bool,
}

/// The solver's turn, and the possible replies.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolutionBranch {
    pub turn: String,
    /// Other turns that win equally fast.
    pub others: Vec<String>,
    /// The replies, longest resistance first.
    pub replies: Vec<SolutionReply>,
}

/// The opponent's reply, and the solver's next turn.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolutionReply {
    pub turn: String,
    pub then: SolutionBranch,
}

/// `POST /api/problems/{variant}/composed`: publishes a composition after it has been proved again.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PublishProblem {
    pub command: CommandId,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(flatten)]
    pub composition: Composition,
}

/// The response to [`PublishProblem`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PublishedProblem {
    pub id: ProblemId,
}

/// A published problem in a list. Its title is plain text and must never be interpreted as HTML.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListedProblem {
    pub id: ProblemId,
    pub title: Option<String>,
    /// The name of the composer's account; null once it is deleted.
    pub by: Option<String>,
    /// Whether the visitor is the composer.
    pub mine: bool,
    pub created_at: Millis,
    pub fen: String,
    pub goal: ProblemGoal,
    pub turns: u8,
}

/// The response to `GET /api/problems/{variant}/composed`, newest first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComposedList {
    pub problems: Vec<ListedProblem>,
    /// The value of `cursor` for the next page; null on the last one.
    pub next: Option<String>,
}

/// The response to `GET /api/problems/{variant}/composed/{id}`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ComposedProblem {
    #[serde(flatten)]
    pub listed: ListedProblem,
    pub line: Vec<String>,
    pub solution: Solution,
}
