//! The rules of the games for the browser: a thin face over `adoube-rules`.
//!
//! Everything crosses as JSON whose types are in [`view`] and, written by a test, in
//! `web/src/lib/rules-types.ts`. Nothing here has words for people: refusals are a code with arguments, and the
//! page has the messages.

mod explain;
mod handle;
mod plan;
mod view;

#[cfg(test)]
mod export;

pub use adoube_refusal::Refusal;
pub use explain::{
    AboutManView, ClauseView, LegalView, ReasonCode, ReasonView, StepAnswer, TakingView, WayCode,
};
pub use handle::PositionHandle;
pub use view::{
    Defence, DefenceView, FenView, PieceView, PositionView, RatingView, ReserveView, RoleView, StepView,
    TurnView,
};
