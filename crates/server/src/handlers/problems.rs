//! Problems: static data for the page.

use adoube_problems::{Goal, problems};
use adoube_protocol::{Problem, ProblemGoal, ProblemList};
use axum::Json;

use super::PathSegment;
use crate::{error::Error, listed::variant_of};

/// Answers with the problems of a game.
pub(crate) async fn show(variant: PathSegment) -> Result<Json<ProblemList>, Error> {
    let variant = variant_of(variant.text())?;
    let problems = problems(variant).iter().map(|problem| Problem {
        id: problem.id.clone(),
        fen: problem.fen.clone(),
        goal: match problem.goal {
            Goal::Win => ProblemGoal::Win,
            Goal::Gain => ProblemGoal::Gain,
        },
        turns: problem.turns,
        line: problem.line.clone(),
        rating: problem.rating,
    });
    Ok(Json(ProblemList { variant: variant.name().to_owned(), problems: problems.collect() }))
}
