use std::io::Write;

use anyhow::ensure;
use clap::Args;

use super::account::{NamedAccount, with_account};

/// Turn off the second factor of an account; no server may be running
///
/// For an account owner who has lost both the authenticator app and the recovery codes. Verify the owner's
/// identity first. Ends all sessions of the account.
#[derive(Args, Debug)]
pub(crate) struct SecondFactorOff {
    #[command(flatten)]
    account: NamedAccount,
}

pub(crate) fn run(arguments: &SecondFactorOff, out: &mut impl Write) -> anyhow::Result<()> {
    let ended = with_account(&arguments.account, async |store, account| {
        ensure!(store.delete_second_factor(&account.player).await?, "{} has no second factor", account.name);
        Ok(store.end_sessions(&account.player).await?)
    })?;
    Ok(writeln!(out, "the second factor is off; {} sessions ended", ended.len())?)
}
