//! Account recovery: a link sent by e-mail lets the account's owner choose a new password.

use std::{net::IpAddr, sync::Arc};

use adoube_protocol::{Millis, Recover};
use adoube_store::{Credentials, TokenHash};

use super::{
    accounts::{Accounts, ClientInfo, SignedIn, public_texts},
    identity::{hash_of, new_token},
    password_rules,
    sign_in_limits::CodeGuesser,
};
use crate::{
    error::Error,
    mail::{EmailContent, HOUR_MS, recovery_address},
};

/// The lifetime of a recovery link, in hours.
const LINK_HOURS: i64 = 1;
/// The lifetime of the last recovery link of a day, in hours. It is longer so that an attacker who requests
/// all links allowed in a day cannot lock the owner out until the next day.
const LAST_LINK_HOURS: i64 = 24;

impl Accounts {
    /// Sends a recovery link if an account with this name exists and may receive one. The work is done in the
    /// background, so neither the response nor its timing reveals whether the account exists.
    pub(crate) async fn request_recovery(
        self: &Arc<Self>,
        name: String,
        address: IpAddr,
    ) -> Result<(), Error> {
        self.limits.request_recovery(address).await?;
        let accounts = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = accounts.send_recovery(&name).await {
                error.log();
            }
        });
        Ok(())
    }

    async fn send_recovery(&self, name: &str) -> Result<(), Error> {
        let Some(account) = self.store.lookup_account_by_typed_name(name).await? else { return Ok(()) };
        let Some(to) = recovery_address(&account) else { return Ok(()) };
        let (secret, token) = new_token(&*self.entropy)?;
        let content = |hours| EmailContent::Recover { secret: &secret, hours };
        let Some(left) = self.emails.count(&account, &to, content(LINK_HOURS)).await? else { return Ok(()) };
        let hours = if left == 0 { LAST_LINK_HOURS } else { LINK_HOURS };
        let until = Millis(self.clock.now().0 + hours * HOUR_MS);
        let email = account.email.as_deref().unwrap_or_default();
        if !self.store.add_recovery(&account.player, email, &token, until).await? {
            return Ok(());
        }
        self.emails.send(&account, &to, content(hours)).await
    }

    /// Fails unless a recovery link is valid. Does not use it up.
    pub(crate) async fn check_recovery(&self, secret: &str) -> Result<(), Error> {
        let found = self.store.lookup_recovery(&hash_of(secret), self.clock.now()).await?;
        found.map(|_| ()).ok_or(Error::RecoveryNotFound)
    }

    /// Sets a new password through a recovery link and signs in. The password and the use of the link are
    /// stored in one transaction, so the link remains valid if the request is refused.
    pub(crate) async fn recover(
        &self,
        secret: &str,
        request: &Recover,
        client_info: ClientInfo,
    ) -> Result<SignedIn, Error> {
        let token: TokenHash = hash_of(secret);
        // The link is looked up before hashing so that requests with invalid links are cheap.
        let player = self.store.lookup_recovery(&token, self.clock.now()).await?;
        let player = player.ok_or(Error::RecoveryNotFound)?;
        let account = self.store.lookup_account(&player).await?.ok_or(Error::RecoveryNotFound)?;
        password_rules::check(&request.password, &public_texts(&account.name, account.email.as_deref()))?;
        let hash = self.hasher.hash(request.password.expose(), client_info.tenant()).await?;
        // Access to the mailbox alone is not enough. The code is checked after hashing, because otherwise
        // it would be used up if the hasher then returned `busy`.
        self.check_second_factor(&account, request.code.as_ref(), CodeGuesser::Proved).await?;
        let recovered = self.store.recover(&token, &hash, self.clock.now()).await;
        let recovered = self.mark_in_doubt_on_error(&account.player, recovered).await?;
        let recovered = recovered.ok_or(Error::RecoveryNotFound)?;
        self.publish_ended(recovered.ended).await;
        if let Some(account) = self.store.lookup_account(&recovered.player).await? {
            self.emails.notice(account, EmailContent::NewPassword);
        }
        let credentials = Credentials { password: hash, second_factor: account.recovery_codes.is_some() };
        self.begin(&recovered.player, credentials, client_info).await
    }
}
