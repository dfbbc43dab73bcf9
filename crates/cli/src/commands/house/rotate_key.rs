use std::{io::Write, time::Duration};

use adoube_server::{SystemEntropy, rotate_cookie_key};
use adoube_store::GameStore as _;
use adoube_store_sqlite::SqliteStore;
use clap::Args;

use crate::{
    commands::data::{in_runtime, system_time},
    settings::{Layers, SettingFlags},
};

/// For how long what the old key has signed is believed.
const BELIEVED: Duration = Duration::from_hours(30 * 24);

/// Make a new key for the cookies of visitors without an account, while no server runs
///
/// What the old key has signed is accepted for 30 more days and signed anew when it is seen. Sessions of accounts go on. Prints
/// what becomes of the old key.
#[derive(Args, Debug)]
pub(crate) struct RotateKey {
    #[command(flatten)]
    settings: SettingFlags,
    /// Forget the old key at once, because others may have it: visitors without an account lose their games, and accounts know no
    /// browser again
    #[arg(long)]
    at_once: bool,
}

pub(crate) fn run(arguments: &RotateKey, out: &mut impl Write) -> anyhow::Result<()> {
    let layers = Layers::read(&arguments.settings)?;
    let data = layers.existing_data()?;
    let now = system_time()?;
    let believed = (!arguments.at_once).then_some(BELIEVED);
    in_runtime(async {
        let store = SqliteStore::open(data).await?;
        let rotated = rotate_cookie_key(&store, &SystemEntropy, now, believed).await;
        store.close().await;
        anyhow::Ok(rotated?)
    })??;
    match believed {
        Some(_) => writeln!(out, "the old key is accepted for 30 days")?,
        None => writeln!(out, "the old key is forgotten")?,
    }
    Ok(())
}
