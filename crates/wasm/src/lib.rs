//! The rules of the games for the browser: a thin layer over `adoube-rules` and the crates for notation,
//! drills and problems.
//!
//! Arguments and results are simple values, or JSON whose types a test writes to
//! `web/src/lib/rules-types.ts`. This crate contains no user-visible text: refusals are codes with arguments,
//! for which the page has the messages.

mod explain;
mod handle;
mod plan;
mod view;
mod wrong_turn;

#[cfg(test)]
mod export;

pub use adoube_refusal::Refusal;
pub use explain::{
    CaptureMethodCode, ClauseView, LegalView, ManExplanationView, MissCode, ReasonCode, ReasonView,
    StepAnswer, TakingView,
};
pub use handle::PositionHandle;
pub use view::{
    CompanionView, Defence, DefenceView, FenView, PieceView, PositionView, RatingView, ReserveView, RoleView,
    StepView, TurnView,
};
pub use wrong_turn::MissView;
