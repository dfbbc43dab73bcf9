use std::{io::Write, path::PathBuf};

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

/// Print the completions for a shell
///
/// For bash: `adoube completions bash > /etc/bash_completion.d/adoube`.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Completions, out: &mut impl Write) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), "adoube", &mut text);
    Ok(out.write_all(&text)?)
}

/// Write the manual pages of all commands into a folder
#[derive(Args, Debug)]
pub(crate) struct Manual {
    /// The folder, which must exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(crate) fn write_manual(arguments: &Manual) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    // Every command has the option --help, so pages for the subcommand `help` would add nothing.
    let command = crate::Arguments::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder)
        .with_context(|| format!("the manual pages cannot be written to {}", folder.display()))
}
