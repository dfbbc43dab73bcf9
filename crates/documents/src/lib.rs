//! What the server keeps in a store as text, beside the logs of the games.
//!
//! A document outlives the code that wrote it, so it is no message of the API: a client may learn a new word tomorrow, while a document
//! of today is read in years. Each has a number, [`Schema`], which stands first in its text. A change of form needs a new number, a
//! reader of the old form, and the text of the old form in a test. A document without a number is of schema 1: it was written before
//! there were numbers.
//!
//! | Document | Kept with | Schema |
//! |---|---|---|
//! | [`SummaryDocument`] | a game, for the lists | 2 |
//! | [`MatchDocument`] | a match | 1 |
//! | [`ProposalDocument`] | a seek or a challenge | 1 |
//! | [`ProblemDocument`] | a composed problem | 1 |
//! | [`CommandAnswer`] | a command of a game that was done | 2 |
//! | [`CreationAnswer`] | a command that created a game | 1 |
//!
//! The log of a game has a schema of its own (`adoube_game::SCHEMA`); an analysis is PGN.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod answer;
mod match_document;
mod problem;
mod proposal;
mod schema;
mod summary;

pub use answer::{AskedCreation, AskedOpponent, CommandAnswer, CreationAnswer};
pub use match_document::MatchDocument;
pub use problem::{ProblemBranch, ProblemDocument, ProblemReply, ProblemSolution};
pub use proposal::{ProposalColor, ProposalDocument, ProposalSettings, ProposalShuffle, ProposalSides};
pub use schema::{Schema, UnknownSchema};
pub use summary::{SummaryDocument, SummarySeat, SummarySeats};
