use std::{io::Write, time::Duration};

use adoube_server::{Announcement, SystemEntropy, rotate_cookie_key};
use clap::Args;

use crate::{
    commands::data::{announce_change, in_runtime, system_time},
    settings::{Layers, SettingFlags},
};

/// The time for which the old key stays valid.
const OVERLAP: Duration = Duration::from_hours(30 * 24);

/// Replace the key that signs the cookies of visitors without an account
///
/// Cookies signed with the old key are accepted for 30 more days, and are re-signed with the new key when a
/// browser next sends them. Sessions of accounts are not affected. If the data is a file, no server may be
/// running; servers that use PostgreSQL switch to the new key. Prints how long the old key stays valid.
#[derive(Args, Debug)]
pub(crate) struct RotateKey {
    #[command(flatten)]
    settings: SettingFlags,
    /// Revoke the old key immediately, for example if it has leaked; visitors without an account lose their
    /// games, and the known browsers of accounts become unknown
    #[arg(long)]
    at_once: bool,
}

pub(crate) fn run(arguments: &RotateKey, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let (data, bus) = (layers.existing_data()?, layers.bus()?);
    let now = system_time()?;
    let overlap = (!arguments.at_once).then_some(OVERLAP);
    in_runtime(async {
        let store = data.open().await?;
        let rotating = async {
            rotate_cookie_key(&*store, &SystemEntropy, now, overlap).await?;
            announce_change(&*store, &bus, Announcement::KeysReplaced).await
        };
        let rotated = rotating.await;
        store.close().await;
        rotated
    })??;
    match overlap {
        Some(_) => writeln!(out, "the old key is accepted for 30 days")?,
        None => writeln!(out, "the old key is no longer accepted")?,
    }
    Ok(())
}
