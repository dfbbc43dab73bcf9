//! `adoube train`: a network from positions.

use std::io::Write;

use adoube_engine::training::{Progress, Recipe, train};
use anyhow::Context as _;

use super::contest::read_network;
use crate::arguments::Train;

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
