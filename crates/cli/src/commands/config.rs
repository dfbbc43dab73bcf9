use std::io::Write;

use clap::Args;

use super::serve;
use crate::settings::{Layers, SettingFlags};

/// Show the settings in effect, and where each comes from
///
/// Prints one `NAME = "VALUE"  # SOURCE` per line, in the format of a settings file. Secrets are not shown.
/// If the settings cannot be read, prints the built-in values, so that all names can be looked up, and fails.
/// With --check, prints only warnings and errors, and exits with status 2 if `adoube serve` would refuse
/// these settings.
#[derive(Args, Debug)]
pub(crate) struct ShowConfig {
    #[command(flatten)]
    settings: SettingFlags,
    /// Check whether a server would start with these settings, instead of showing them
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &ShowConfig, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.check {
        serve::check(&arguments.settings)
    } else {
        match Layers::read(&arguments.settings) {
            Ok(layers) => layers.print(out),
            Err(error) => {
                Layers::built_in()?.print(out)?;
                out.flush()?;
                Err(error)
            }
        }
    }
}
