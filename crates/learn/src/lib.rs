//! The rule pages: Markdown in three languages, one book of diagrams for each game; and drills.
//!
//! A page is `games/GAME/rules.LANGUAGE.md`. `![Text alternative](diagram:NAME)` shows a diagram, and `{B6}` names
//! a clause of the rules and becomes a link target. The diagrams are in `games/GAME/diagrams.toml`, once for all
//! languages, each with its [`Claim`]s, which a test checks against the rules. The marks of a diagram are derived
//! from its claims, so none is placed by hand.
//!
//! The drills of a game are in `games/GAME/drills.toml`: positions, goals, and all answers, which a test checks
//! against the rules. Their words are in `games/NAME/drills.LANGUAGE.ftl`.

mod book;
mod claim;
mod drill;
mod page;

pub use book::{Book, BookError, Diagram, book};
pub use claim::{Claim, ClaimError, Doubt};
pub use drill::{Drill, DrillError, Goal, Manner, Parry, Stage, drills};
pub use page::{Page, PageError, page};
