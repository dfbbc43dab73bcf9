//! Problems: positions with one turn that does it.
//!
//! - [`Prover`] proves, or refutes, that the side to move wins within so many turns. It looks at every turn of both sides
//!   and asks no evaluation, so that what it says is so.
//! - [`problems`] is the collection that comes with the program; a test proves its wins again.
//! - [`examine`] proves what somebody has composed, or says what is wrong with it.
//! - [`is_solved`] judges what somebody has played against a problem.
//! - [`Rating`] says how strong a solver is, after each problem.
//! - [`generate`] finds problems in games of the engine against itself.

mod attempt;
mod collection;
mod compose;
#[cfg(not(target_family = "wasm"))]
pub mod generate;
mod prove;
mod rating;

pub use attempt::{AttemptError, is_solved};
pub use collection::{Goal, Problem, ReadProblemsError, problem, problems, read};
pub use compose::{
    Branch, Composition, Effort, Finding, MOST_COMPOSED_TURNS, Proof, Refutation, Solution, Unfit, examine,
    position_of,
};
pub use prove::{Answer, Prover, Spent};
pub use rating::Rating;
