//! Drills and problems: parts of the program that the pages fetch.

use adoube_learn::{Manner, drills};
use adoube_problems::{Goal, problems};
use adoube_protocol::{Drill, DrillList, DrillManner, Problem, ProblemGoal, ProblemList};
use adoube_rules::{Position as _, Variant};
use axum::{Json, extract::Path};

use crate::error::Error;

pub(crate) fn variant(name: String) -> Result<Variant, Error> {
    name.parse().map_err(|_| Error::UnknownVariant(name))
}

/// The drills of a game.
pub(crate) async fn show_drills(Path(name): Path<String>) -> Result<Json<DrillList>, Error> {
    let variant = variant(name)?;
    let drills = drills(variant).iter().map(|drill| Drill {
        name: drill.name.clone(),
        group: drill.group.clone(),
        clause: drill.clause.clone(),
        fen: drill.start.fen(),
        before: drill.before.clone(),
        goal: drill.goal.name().to_owned(),
        manner: match drill.goal.manner() {
            Manner::Turn => DrillManner::Turn,
            Manner::Squares => DrillManner::Squares,
            Manner::Choice => DrillManner::Choice,
        },
        man: drill.goal.man().map(|square| square.to_string()),
        solutions: drill.solutions.clone(),
    });
    Ok(Json(DrillList { variant: variant.name().to_owned(), drills: drills.collect() }))
}

/// The problems of a game.
pub(crate) async fn show_problems(Path(name): Path<String>) -> Result<Json<ProblemList>, Error> {
    let variant = variant(name)?;
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
