use std::io::Write;

use clap::Args;

use super::account::{NamedAccount, with_account};

/// End all sessions of an account and revoke its recovery links; no server may be running
///
/// Prints the number of ended sessions.
#[derive(Args, Debug)]
pub(crate) struct SignOut {
    #[command(flatten)]
    account: NamedAccount,
}

pub(crate) fn run(arguments: &SignOut, out: &mut impl Write) -> anyhow::Result<()> {
    let ended = with_account(&arguments.account, async |store, account| {
        Ok(store.end_sessions(&account.player).await?)
    })?;
    Ok(writeln!(out, "{} sessions ended", ended.len())?)
}
