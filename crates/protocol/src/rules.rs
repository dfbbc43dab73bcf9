//! The rule pages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The response to `GET /api/rules/{variant}`: the rules of one variant in one language.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulePage {
    pub variant: String,
    /// The language code: `fr`, `en` or `es`.
    pub language: String,
    pub title: String,
    /// The text after the title, as trusted HTML. Each diagram is a `figure` whose `data-diagram` attribute
    /// holds its name. The first mention of each clause is a link whose `id` is the clause's name.
    pub html: String,
    /// The second-level headings.
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
    /// The colour: `G` for green, `R` for red, `Y` for yellow, `B` for blue.
    pub brush: char,
    pub from: String,
    pub to: String,
}
