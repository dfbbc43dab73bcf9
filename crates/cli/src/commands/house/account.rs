use adoube_store::{Account, AccountStore as _, GameStore as _};
use adoube_store_sqlite::SqliteStore;
use clap::Args;

use crate::{
    commands::data::in_runtime,
    settings::{Layers, SettingFlags},
};

/// An account by its name.
#[derive(Args, Debug)]
pub(crate) struct NamedAccount {
    /// The name of the account
    name: String,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Runs `work` on an account while no server is running.
pub(super) fn with_account<T>(
    named: &NamedAccount,
    work: impl AsyncFnOnce(&SqliteStore, Account) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let layers = Layers::read(&named.settings)?;
    let data = layers.existing_data()?;
    in_runtime(async {
        let store = SqliteStore::open(data).await?;
        let account = store.lookup_account_by_name(&named.name).await;
        let done = match account {
            Ok(Some(account)) => work(&store, account).await,
            Ok(None) => Err(anyhow::anyhow!("no account is called {:?}", named.name)),
            Err(error) => Err(error.into()),
        };
        store.close().await;
        done
    })?
}
