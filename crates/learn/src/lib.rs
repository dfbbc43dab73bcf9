//! The rule pages: Markdown in three languages, and one book of diagrams for each game.
//!
//! A page is written in `locales/LANGUAGE/rules/GAME.md`. It shows a diagram by `![What is to be seen](diagram:NAME)` and
//! names a clause of the rules by `{B6}`, which becomes a place that can be linked to. The diagrams stand in
//! `diagrams/GAME.toml`, once for all languages, each with its [`Claim`]s; a test lets the rules confirm every one. What a
//! diagram marks is made from its claims, so that nothing on it was placed by hand.

mod book;
mod claim;
mod page;

pub use book::{Book, BookError, Diagram, book};
pub use claim::{Claim, ClaimError, Doubt};
pub use page::{Page, PageError, page};
