//! The documents that the server stores as text, in addition to game logs.
//!
//! A document outlives the code that wrote it, so it is separate from the messages of the API: those may
//! change at any time, while a document written today must still be readable years from now. Each document
//! begins with the number of its [`Schema`]. A format change needs a new schema number, a reader for the old
//! format, and a test with the old text. A document without a number was written before there were numbers,
//! so it has schema 1.
//!
//! | Document | Stored with | Schema |
//! |---|---|---|
//! | [`SummaryDocument`] | a game, for the lists | 2 |
//! | [`MatchDocument`] | a match | 1 |
//! | [`ProposalDocument`] | a seek or a challenge | 1 |
//! | [`ProblemDocument`] | a composed problem | 1 |
//! | [`PreferencesDocument`] | an account | 1 |
//! | [`HouseDocument`] | the house | 1 |
//! | [`AuditDocument`] | an audit log entry | 1 |
//! | [`ProofJobDocument`], [`ProofResultDocument`] | a proof by another process | 1 |
//! | [`CommandAnswer`] | a command carried out in a game | 2 |
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
