use std::io::Write;

use adoube_protocol::AdminAct;
use clap::Args;

use crate::{commands::operator::act, settings::SettingFlags};

/// Turn off the second factor of an account
///
/// The same as `adoube user second-factor-off`. For an account owner who has lost both the authenticator app
/// and the recovery codes. Verify the owner's identity first. Ends all sessions of the account. Adds an entry
/// to the audit log.
#[derive(Args, Debug)]
pub(crate) struct SecondFactorOff {
    /// The name of the account
    name: String,
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &SecondFactorOff, out: &mut impl Write) -> anyhow::Result<()> {
    let done = act(&arguments.settings, AdminAct::SecondFactorOff { account: arguments.name.clone() })?;
    Ok(writeln!(out, "the second factor is off; sessions ended: {}", done.ended_sessions)?)
}
