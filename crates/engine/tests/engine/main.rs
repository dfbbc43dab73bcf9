//! Tests of the engine through its public interface, in one program because linking takes longer than
//! running.

mod common;
mod evaluation;
mod helpers;
mod networks;
mod play;
mod uci;
mod wins;
