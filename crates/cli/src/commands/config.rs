use std::io::Write;

use clap::Args;

use super::serve;
use crate::settings::{Layers, SettingFlags};

/// Show the settings in effect, and where each comes from
///
/// Prints one `NAME = "VALUE"  # SOURCE` per line, in the format of a settings file. Secrets are not shown.
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
        Layers::read(&arguments.settings)?.print(out)
    }
}
