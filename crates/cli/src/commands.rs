//! The commands, one file each. They write to whatever they are given.

pub(crate) mod accounts;
pub(crate) mod bench;
pub(crate) mod contest;
pub(crate) mod convert;
pub(crate) mod data;
pub(crate) mod datagen;
pub(crate) mod diagram;
pub(crate) mod moves;
pub(crate) mod odds;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod problems;
pub(crate) mod serve;
pub(crate) mod status;
pub(crate) mod train;
pub(crate) mod uci;
pub(crate) mod winnable;
