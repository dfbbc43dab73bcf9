//! A link by mail to choose a new password.

use std::{net::IpAddr, sync::Arc};

use adoube_protocol::{Millis, Password};
use adoube_store::TokenHash;

use super::{
    accounts::{Accounts, Asker, SignedIn, checked_password},
    identity::{hash_of, new_token},
};
use crate::{config::Origin, error::Error, mail::Mail};

/// A link to recover an account is good for so long.
const RECOVERY_MS: i64 = 60 * 60 * 1000;

impl Accounts {
    /// Sends a link by mail, if there is an account with an address. Nobody waits for it, so nobody learns from it.
    pub(crate) fn ask_recovery(self: &Arc<Self>, name: String, address: IpAddr) -> Result<(), Error> {
        self.limits.ask_recovery(address)?;
        let accounts = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = accounts.send_recovery(&name).await {
                error.log();
            }
        });
        Ok(())
    }

    async fn send_recovery(&self, name: &str) -> Result<(), Error> {
        let Some(account) = self.store.lookup_account_by_name(name).await? else { return Ok(()) };
        let Some(to) = account.email else { return Ok(()) };
        let (secret, token) = new_token(&*self.entropy)?;
        let until = Millis(self.clock.now().0 + RECOVERY_MS);
        self.store.add_recovery(&account.player, &token, until).await?;
        let origin = self.origin.as_ref().map_or("", Origin::as_str);
        let text = format!(
            "Somebody has asked to choose a new password for the account {} on adoube.\n\n\
             To do so, open {origin}/recover/{secret} within an hour.\n\
             If it was not you, there is nothing to do.\n",
            account.name
        );
        self.mailer.send(Mail { to, subject: "adoube: a new password".into(), text }).await?;
        Ok(())
    }

    pub(crate) async fn recover(
        &self,
        secret: &str,
        password: &Password,
        asker: Asker,
    ) -> Result<SignedIn, Error> {
        checked_password(password)?;
        let token: TokenHash = hash_of(secret);
        let now = self.clock.now();
        let player = self.store.take_recovery(&token, now).await?.ok_or(Error::RecoveryNotFound)?;
        let hash = self.hasher.hash(password.expose()).await?;
        let ended = self.store.set_password(&player, &hash, None).await?;
        self.tell_ended(ended);
        self.begin(&player, asker).await
    }
}
