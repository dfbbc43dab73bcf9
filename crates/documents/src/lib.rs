//! The documents that the server stores as text, in addition to the logs of games.
//!
//! A document outlives the code that wrote it, so it is separate from the messages of the API: those may
//! change at any time, while a document written today must still be readable in years. Each starts with the
//! number of its format, its [`Schema`]. A change of format needs a new number, a reader of the old format,
//! and the old text in a test. A document without a number has schema 1, because it is older than the
//! numbers.
//!
//! | Document | Stored with | Schema |
//! |---|---|---|
//! | [`SummaryDocument`] | a game, for the lists | 2 |
//! | [`MatchDocument`] | a match | 1 |
//! | [`ProposalDocument`] | a seek or a challenge | 1 |
//! | [`ProblemDocument`] | a composed problem | 1 |
//! | [`PreferencesDocument`] | an account | 1 |
//! | [`HouseDocument`] | the house | 1 |
//! | [`AuditDocument`] | an entry of the audit log | 1 |
//! | [`ProofJobDocument`], [`ProofResultDocument`] | a proof by another process | 1 |
//! | [`CommandAnswer`] | a command of a game that was carried out | 2 |
//! | [`CreationAnswer`] | a command that created a game | 1 |
//!
//! The log of a game has a schema of its own (`adoube_game::SCHEMA`); an analysis is PGN.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod answer;
mod audit;
mod house;
mod job;
mod match_document;
mod preferences;
mod problem;
mod proposal;
mod schema;
mod summary;

pub use answer::{CommandAnswer, CreationAnswer, CreationRequest, RequestedOpponent};
pub use audit::AuditDocument;
pub use house::HouseDocument;
pub use job::{ProofFinding, ProofJobDocument, ProofResultDocument};
pub use match_document::MatchDocument;
pub use preferences::PreferencesDocument;
pub use problem::{ProblemBranch, ProblemDocument, ProblemReply, ProblemSolution};
pub use proposal::{ProposalColor, ProposalDocument, ProposalSettings, ProposalShuffle, ProposalSides};
pub use schema::{Schema, UnknownSchema};
pub use summary::{SummaryDocument, SummarySeat, SummarySeats};
