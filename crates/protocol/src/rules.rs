//! The rule pages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The answer to `GET /api/rules/{variant}`: a page of rules in one language.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulePage {
    pub variant: String,
    /// Two letters: `fr`, `en`, `es`.
    pub language: String,
    pub title: String,
    /// The text after the title, as trusted HTML. Diagrams are `figure`s with their name in `data-diagram`;
    /// clauses are elements with their name as `id`.
    pub html: String,
    /// The headings of the second level.
    pub contents: Vec<RuleHeading>,
    /// The diagrams by name.
    pub diagrams: BTreeMap<String, RuleDiagram>,
}

/// A heading that can be linked to.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleHeading {
    pub id: String,
    pub text: String,
}

/// A position with marks.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleDiagram {
    pub fen: String,
    pub marks: Vec<RuleMark>,
}

/// A circle, or an arrow if the squares differ.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleMark {
    /// `G` green, `R` red, `Y` yellow, `B` blue.
    pub brush: char,
    pub from: String,
    pub to: String,
}
