//! Problems: positions with one turn that reaches a goal.
//!
//! - [`Prover`] proves, or refutes, that the side to move wins within a number of turns. It examines every
//!   turn of both sides and uses no evaluation, so its result is certain.
//! - [`problems`] is the built-in collection; tests prove most of its wins again.
//! - [`examine`] proves a composed problem, or reports its flaws.
//! - [`is_solved`] judges an attempt at a problem.
//! - [`themes`] returns the themes of a solution, such as a fork, a chain or a promotion.
//! - [`Rating`] is the rating of a solver, updated after each problem.
//! - [`generate`] finds problems in games that the engine plays against itself.

mod attempt;
mod collection;
mod compose;
#[cfg(not(target_family = "wasm"))]
pub mod generate;
mod prove;
mod rating;
mod themes;

pub use attempt::{AttemptError, is_solved};
pub use collection::{Goal, PreviousTurn, Problem, ReadProblemsError, problem, problems, read};
pub use compose::{
    Branch, Composition, CompositionError, Effort, Finding, MAX_COMPOSED_TURNS, Proof, Refutation, Solution,
    check, examine, position_of,
};
pub use prove::{BestDefence, LimitReached, Prover};
pub use rating::Rating;
pub use themes::{Theme, themes};
