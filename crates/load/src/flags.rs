use std::{path::PathBuf, time::Duration};

use clap::Parser;
use serde::Serialize;

/// Play many games against a server of their own, and say how it was
#[derive(Clone, Debug, Parser, Serialize)]
#[command(name = "adoube-load")]
#[serde(rename_all = "camelCase")]
pub(crate) struct Flags {
    /// The binary `adoube`
    #[arg(long, value_name = "FILE", default_value = "target/release/adoube")]
    #[serde(skip)]
    pub(crate) adoube: PathBuf,
    /// Where the data is kept while it runs; it is emptied first
    #[arg(long, value_name = "FOLDER", default_value = "target/load")]
    #[serde(skip)]
    pub(crate) folder: PathBuf,
    /// Games at once; each has two players with a socket each
    #[arg(long, default_value_t = 500)]
    pub(crate) games: usize,
    /// Turns in all games together
    #[arg(long, value_name = "N", default_value_t = 250.0)]
    pub(crate) turns_per_second: f64,
    /// For how long turns are due
    #[arg(long, default_value_t = 20)]
    pub(crate) seconds: u64,
    /// Watchers of the first game
    #[arg(long, default_value_t = 0)]
    pub(crate) watchers: usize,
    /// Kill the server about every so many seconds, and start it again; 0 is never
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    pub(crate) kill_every: f64,
    /// The games that are played, in turns
    #[arg(long, value_delimiter = ',', default_value = "chess,baroque,interweave")]
    pub(crate) variants: Vec<String>,
    /// Of the turns, and of the moments of killing
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// A library that the server is started with, such as one that slows or fails its syncs
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) preload: Option<PathBuf>,
}

impl Flags {
    pub(crate) fn kill_every(&self) -> Option<Duration> {
        (self.kill_every > 0.0).then(|| Duration::from_secs_f64(self.kill_every))
    }

    /// Between two turns of the same game.
    pub(crate) fn period(&self) -> Duration {
        Duration::from_secs_f64(self.games as f64 / self.turns_per_second.max(0.001))
    }
}
