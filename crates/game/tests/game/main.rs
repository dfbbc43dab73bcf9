//! The game from outside: commands in, events or refusals out, a clock that the tests turn by hand.

mod bounds;
mod clocks;
mod conditions;
mod endings;
mod log;
mod offers;
mod properties;
mod steps;
mod table;
mod touch;
