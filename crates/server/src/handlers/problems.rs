//! The endpoint for the built-in problems, which are static data.

use adoube_problems::{Goal, Theme, problems};
use adoube_protocol::{PrecedingTurn, Problem, ProblemGoal, ProblemList, ProblemTheme};
use axum::Json;

use super::PathSegment;
use crate::{error::Error, listed::variant_of};

/// Responds with a game's built-in problems.
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
        before: problem
            .before
            .as_ref()
            .map(|before| PrecedingTurn { fen: before.fen.clone(), turn: before.turn.clone() }),
        themes: problem.themes.iter().copied().map(theme_view).collect(),
        retired: problem.retired,
    });
    Ok(Json(ProblemList { variant: variant.name().to_owned(), problems: problems.collect() }))
}

const fn theme_view(theme: Theme) -> ProblemTheme {
    match theme {
        Theme::Mate => ProblemTheme::Mate,
        Theme::NoMoves => ProblemTheme::NoMoves,
        Theme::KingCapture => ProblemTheme::KingCapture,
        Theme::DoubleCapture => ProblemTheme::DoubleCapture,
        Theme::Chain => ProblemTheme::Chain,
        Theme::Pincer => ProblemTheme::Pincer,
        Theme::Coordination => ProblemTheme::Coordination,
        Theme::Leap => ProblemTheme::Leap,
        Theme::Withdrawal => ProblemTheme::Withdrawal,
        Theme::Approach => ProblemTheme::Approach,
        Theme::Removal => ProblemTheme::Removal,
        Theme::Imitation => ProblemTheme::Imitation,
        Theme::EnPassant => ProblemTheme::EnPassant,
        Theme::Freeze => ProblemTheme::Freeze,
        Theme::GivingUp => ProblemTheme::GivingUp,
        Theme::Fork => ProblemTheme::Fork,
        Theme::DiscoveredCheck => ProblemTheme::DiscoveredCheck,
        Theme::DoubleCheck => ProblemTheme::DoubleCheck,
        Theme::Sacrifice => ProblemTheme::Sacrifice,
        Theme::Promotion => ProblemTheme::Promotion,
        Theme::Castling => ProblemTheme::Castling,
        Theme::QuietKey => ProblemTheme::QuietKey,
    }
}
