//! The endpoint for drills, which are static data.

use adoube_learn::{AnswerForm, Difficulty as Written, drills, practices};
use adoube_protocol::{Difficulty, Drill, DrillList, DrillManner, DrillStage, Practice};
use adoube_rules::Position as _;
use axum::Json;

use super::PathSegment;
use crate::{error::Error, listed::variant_of};

/// Responds with a game's drills and practice positions.
pub(crate) async fn show(variant: PathSegment) -> Result<Json<DrillList>, Error> {
    let variant = variant_of(variant.text())?;
    let drills = drills(variant).iter().map(|drill| Drill {
        name: drill.name.clone(),
        group: drill.group.clone(),
        difficulty: match drill.difficulty {
            Written::Easy => Difficulty::Easy,
            Written::Medium => Difficulty::Medium,
            Written::Hard => Difficulty::Hard,
        },
        optional: drill.optional,
        clause: drill.clause.clone(),
        fen: drill.start.fen(),
        before: drill.before.clone(),
        goal: drill.goal.name().to_owned(),
        manner: match drill.goal.answer_form() {
            AnswerForm::Turn => DrillManner::Turn,
            AnswerForm::Squares => DrillManner::Squares,
            AnswerForm::Choice => DrillManner::Choice,
        },
        man: drill.goal.man().map(|square| square.to_string()),
        solutions: drill.solutions.clone(),
        then: drill
            .then
            .iter()
            .map(|stage| DrillStage { reply: stage.reply.clone(), solutions: stage.solutions.clone() })
            .collect(),
    });
    let practices = practices(variant)
        .iter()
        .map(|practice| Practice { group: practice.group.clone(), fen: practice.start.fen() });
    Ok(Json(DrillList {
        variant: variant.name().to_owned(),
        drills: drills.collect(),
        practices: practices.collect(),
    }))
}
