use std::io::Write;

use adoube_protocol::AdminAct;
use clap::Args;

use crate::{commands::operator::act, settings::SettingFlags};

/// End all sessions of an account and revoke its recovery links
///
/// The same as `adoube user end-sessions`. Adds an entry to the audit log. Prints the number of ended
/// sessions.
#[derive(Args, Debug)]
pub(crate) struct SignOut {
    /// The name of the account
    name: String,
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &SignOut, out: &mut impl Write) -> anyhow::Result<()> {
    let done = act(&arguments.settings, AdminAct::EndSessions { account: arguments.name.clone() })?;
    Ok(writeln!(out, "sessions ended: {}", done.ended_sessions)?)
}
