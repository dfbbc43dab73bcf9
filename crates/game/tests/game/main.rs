//! Tests of a game through its public interface: commands in, events or refusals out, at times that the tests
//! choose.

mod bounds;
mod clocks;
mod conditions;
mod endings;
mod log;
mod offers;
mod properties;
mod script;
mod steps;
mod touch;
