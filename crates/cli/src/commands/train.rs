//! `adoube train`: trains a network on positions.

use std::{io::Write, num::NonZeroUsize, path::PathBuf};

use adoube_engine::training::{Progress, Recipe, train};
use adoube_rules::Variant;
use anyhow::Context as _;
use clap::Args;

use super::contest::read_network;
use crate::options::parse_threads;

/// Train a network on positions, and write it to a file
///
/// Prints `positions N validation N scale N`, then `epoch N loss X validation X` after each epoch, and on the
/// last line `validation X rounded X rounding N`: the mean squared errors on the positions set aside for
/// validation, before and after the weights were rounded, and the largest change from rounding, in units of
/// the search.
#[derive(Args, Debug)]
pub(crate) struct Train {
    /// Name of the game: chess, baroque, …
    #[arg(long, value_name = "GAME")]
    variant: Variant,
    /// Position files
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// A network to continue from, whose hidden layer may be smaller; by default, training starts from
    /// random weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Size of the hidden layer: 32, 64, 96, 128, 192, 256, 384 or 512
    #[arg(long, value_name = "N", default_value = "64")]
    hidden: usize,
    /// Number of sets of output weights, 1 to 16, selected by the number of men
    #[arg(long, value_name = "N", default_value = "1")]
    buckets: usize,
    /// Number of sets of input weights, 1 or 4, selected by the square of the side's own king; a network with
    /// one set can be trained further with four
    #[arg(long, value_name = "N", default_value = "1")]
    king_buckets: usize,
    /// Number of epochs
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Number of positions in a batch
    #[arg(long, value_name = "N", default_value = "16384", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    batch: u32,
    /// Learning rate at the beginning
    #[arg(long, value_name = "X", default_value = "0.001", value_parser = parse_rate)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, value_name = "X", default_value = "0.00001", value_parser = parse_rate)]
    last_rate: f32,
    /// Weight of the game's result in the target, 0 to 1; the rest is the weight of the search score
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = parse_share)]
    result_share: f32,
    /// Evaluation, in units of the search, at which a side is expected to score 73% of the points; by
    /// default the scale of the network given by `--from`, or one fitted to the games
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    scale: Option<u16>,
    /// Seed for the order of the positions and the initial weights
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of threads
    #[arg(long, value_name = "T", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// The output file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

fn parse_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 1.0);
    rate.ok_or_else(|| "expected a number above 0 and at most 1".to_owned())
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
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
    // Ignore errors: hours of training must not be lost because the program that reads the progress has
    // closed the pipe.
    let mut print = |text: String| {
        let _ = writeln!(out, "{text}").and_then(|()| out.flush());
    };
    let trained = train(&recipe, |progress| match progress {
        Progress::Read { positions, validation, scale } => {
            print(format!("positions {positions} validation {validation} scale {scale:.0}"));
        }
        Progress::Epoch { number, loss, validation_loss } => {
            print(format!("epoch {number} loss {loss:.6} validation {validation_loss:.6}"));
        }
    })?;
    let path = &arguments.output;
    std::fs::write(path, trained.network.to_bytes()).with_context(|| path.display().to_string())?;
    let rounding = trained.max_rounding;
    writeln!(
        out,
        "validation {:.6} rounded {:.6} rounding {rounding:.0}",
        trained.validation_loss, trained.rounded_loss
    )?;
    Ok(())
}
