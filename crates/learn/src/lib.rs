//! The rule pages: Markdown in three languages, one book of diagrams for each game; and drills.
//!
//! A page is written in `games/GAME/rules.LANGUAGE.md`. It shows a diagram by `![What is to be seen](diagram:NAME)` and
//! names a clause of the rules by `{B6}`, which becomes a place that can be linked to. The diagrams stand in
//! `games/GAME/diagrams.toml`, once for all languages, each with its [`Claim`]s; a test lets the rules confirm every one. What a
//! diagram marks is made from its claims, so that nothing on it was placed by hand.
//!
//! The drills of a game stand in `games/GAME/drills.toml`: positions, what is to be done in them, and all answers, which a test
//! lets the rules confirm. Their words are in `locales/LANGUAGE/drill.ftl`.

mod book;
mod claim;
mod drill;
mod page;

pub use book::{Book, BookError, Diagram, book};
pub use claim::{Claim, ClaimError, Doubt};
pub use drill::{Drill, DrillError, Goal, Manner, Parry, Stage, drills};
pub use page::{Page, PageError, page};
