use adoube_store::{Account, Store};
use clap::Args;

use crate::{
    commands::data::in_runtime,
    settings::{BusSettings, Layers, SettingFlags},
};

/// An account, given by its name.
#[derive(Args, Debug)]
pub(crate) struct NamedAccount {
    /// The name of the account
    name: String,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Runs `work` on an account. If the data is in a file, no server may be using it.
pub(super) fn with_account<T>(
    named: &NamedAccount,
    work: impl AsyncFnOnce(&dyn Store, Account, &BusSettings) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let layers = Layers::read(&named.settings)?;
    let (data, bus) = (layers.existing_data()?, layers.bus()?);
    in_runtime(async {
        let store = data.open().await?;
        let account = store.lookup_account_by_name(&named.name).await;
        let result = match account {
            Ok(Some(account)) => work(&*store, account, &bus).await,
            Ok(None) => Err(anyhow::anyhow!("no account is called {:?}", named.name)),
            Err(error) => Err(error.into()),
        };
        store.close().await;
        result
    })?
}
