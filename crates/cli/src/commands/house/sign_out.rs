use std::io::Write;

use adoube_server::Announcement;
use clap::Args;

use super::account::{NamedAccount, with_account};
use crate::commands::data::announce_change;

/// End all sessions of an account and revoke its recovery links
///
/// No server may be using the file, but servers may be using the database: they close the sockets of the
/// account. Prints the number of ended sessions.
#[derive(Args, Debug)]
pub(crate) struct SignOut {
    #[command(flatten)]
    account: NamedAccount,
}

pub(crate) fn run(arguments: &SignOut, out: &mut impl Write) -> anyhow::Result<()> {
    let ended = with_account(&arguments.account, async |store, account, bus| {
        let ended = store.end_sessions(&account.player).await?;
        announce_change(store, bus, Announcement::SessionsEnded(ended.clone())).await?;
        Ok(ended)
    })?;
    Ok(writeln!(out, "{} sessions ended", ended.len())?)
}
