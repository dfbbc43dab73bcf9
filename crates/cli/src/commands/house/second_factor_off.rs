use std::io::Write;

use adoube_server::Announcement;
use anyhow::ensure;
use clap::Args;

use super::account::{NamedAccount, with_account};
use crate::commands::data::announce_change;

/// Turn off the second factor of an account
///
/// For an account owner who has lost both the authenticator app and the recovery codes. Verify the owner's
/// identity first. Ends all sessions of the account. No server may be using the file, but servers may be
/// using the database.
#[derive(Args, Debug)]
pub(crate) struct SecondFactorOff {
    #[command(flatten)]
    account: NamedAccount,
}

pub(crate) fn run(arguments: &SecondFactorOff, out: &mut impl Write) -> anyhow::Result<()> {
    let ended = with_account(&arguments.account, async |store, account, bus| {
        ensure!(store.delete_second_factor(&account.player).await?, "{} has no second factor", account.name);
        let ended = store.end_sessions(&account.player).await?;
        announce_change(store, bus, Announcement::SessionsEnded(ended.clone())).await?;
        Ok(ended)
    })?;
    Ok(writeln!(out, "the second factor is off; {} sessions ended", ended.len())?)
}
