//! `adoube train`: a network from positions.

use std::{io::Write, num::NonZeroUsize, path::PathBuf};

use adoube_engine::training::{Progress, Recipe, train};
use adoube_rules::Variant;
use anyhow::Context as _;
use clap::Args;

use super::contest::read_network;
use crate::options::parse_threads;

/// Let a network learn from positions, and write it to a file
///
/// Prints `positions N aside N scale N`, then `epoch N loss X aside X` after each epoch, and on the last line
/// `aside X rounded X rounding N`: the mean squared errors of the positions that nothing was learnt from, before
/// and after the weights were rounded, and what that changes at most, in hundredths of a pawn.
#[derive(Args, Debug)]
pub(crate) struct Train {
    /// The game, by its name: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// Files of positions
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// A network to go on with, whose hidden layer may be smaller; without it all weights are drawn by chance
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Values of the hidden layer: 32, 64, 96, 128, 192, 256, 384 or 512
    #[arg(long, value_name = "N", default_value = "64")]
    hidden: usize,
    /// Sets of output weights, by the number of men, 1 to 16
    #[arg(long, value_name = "N", default_value = "1")]
    buckets: usize,
    /// Sets of input weights, by where its own king stands, 1 or 4; a network with one can be gone on with by one with four
    #[arg(long, value_name = "N", default_value = "1")]
    king_buckets: usize,
    /// How often every position is looked at
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Positions between two changes of the weights
    #[arg(long, value_name = "N", default_value = "16384", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    batch: u32,
    /// How fast it learns in the beginning
    #[arg(long, value_name = "X", default_value = "0.001", value_parser = parse_rate)]
    rate: f32,
    /// How fast it learns at the end
    #[arg(long, value_name = "X", default_value = "0.00001", value_parser = parse_rate)]
    last_rate: f32,
    /// Which share the end of the game has in what is learnt, 0 to 1; the rest is that of the search
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = parse_share)]
    result_share: f32,
    /// Hundredths of a pawn at which a side has 73 % of the points; if not given, that of the network gone on with, or fitted
    /// to the games
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    scale: Option<u16>,
    /// What order and first weights are drawn from
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How many threads learn
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Where the network goes
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

fn parse_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 1.0);
    rate.ok_or_else(|| "it is a number above 0, at most 1".to_owned())
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is a number from 0 to 1".to_owned())
}

pub(crate) fn run(arguments: &Train, out: &mut impl Write) -> anyhow::Result<()> {
    let from = arguments.from.as_ref().map(|path| read_network(path, arguments.variant)).transpose()?;
    let recipe = Recipe {
        from,
        hidden: arguments.hidden,
        buckets: arguments.buckets,
        king_buckets: arguments.king_buckets,
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        rates: [arguments.rate, arguments.last_rate],
        result_share: arguments.result_share,
        scale: arguments.scale.map(f32::from),
        seed: arguments.seed,
        threads: arguments.threads.get(),
        ..Recipe::new(arguments.variant, arguments.data.clone())
    };
    // Hours of learning are not given up because nobody listens any more.
    let mut say = |text: String| {
        let _ = writeln!(out, "{text}").and_then(|()| out.flush());
    };
    let trained = train(&recipe, |progress| match progress {
        Progress::Read { positions, aside, scale } => {
            say(format!("positions {positions} aside {aside} scale {scale:.0}"));
        }
        Progress::Epoch { number, loss, aside_loss } => {
            say(format!("epoch {number} loss {loss:.6} aside {aside_loss:.6}"));
        }
    })?;
    let path = &arguments.output;
    std::fs::write(path, trained.network.to_bytes()).with_context(|| path.display().to_string())?;
    let rounding = trained.most_rounding;
    writeln!(
        out,
        "aside {:.6} rounded {:.6} rounding {rounding:.0}",
        trained.aside_loss, trained.rounded_loss
    )?;
    Ok(())
}
