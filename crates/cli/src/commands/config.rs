use std::io::Write;

use clap::Args;

use super::serve;
use crate::settings::{Layers, SettingFlags};

/// Show the settings that hold, and where each comes from
///
/// Prints `NAME = "VALUE"  # SOURCE` a line, as a file that can be read again. Secrets are not shown. With --check, prints nothing, and
/// ends with 2 if `adoube serve` would refuse these settings.
#[derive(Args, Debug)]
pub(crate) struct ShowConfig {
    #[command(flatten)]
    settings: SettingFlags,
    /// Say whether a server would start with them, instead of showing them
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
