//! The rule pages, written in Markdown in three languages, with their diagrams, and the drills.
//!
//! A page is `games/GAME/rules.LANGUAGE.md`. `![Text alternative](diagram:NAME)` shows a diagram, and `{B6}`
//! names a clause of the rules and becomes a link to the first mention of that clause. `![](man:ROLE)` marks
//! where the page's script adds the picture of a piece from the visitor's piece set. The diagrams, which all
//! languages share, are in `games/GAME/diagrams.toml`, each with its [`Claim`]s, which a test checks against
//! the rules. The marks of a diagram are derived from its claims, so none is placed by hand.
//!
//! The drills of a variant are in `games/GAME/drills.toml`: positions, goals, and all answers, which a test
//! checks against the rules. Their titles, tasks, hints and explanations are in
//! `games/GAME/drills.LANGUAGE.ftl`. [`misses`] explains why a turn is not an answer; the page calls it in
//! the browser. `drills.toml` also contains the small games for practice ([`Practice`]).

mod book;
mod claim;
mod drill;
mod page;
mod wrong_turn;

pub use book::{Book, BookError, Diagram, book};
pub use claim::{Claim, ClaimError, FalseClaim};
pub use drill::{AnswerForm, Difficulty, Drill, DrillError, Goal, Parry, Practice, Stage, drills, practices};
pub use page::{Page, PageError, page};
pub use wrong_turn::{Miss, WrongTurn, misses};
