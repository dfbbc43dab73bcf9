//! Confirmation of an e-mail address through a link, and an account's e-mail settings.

use std::{net::IpAddr, sync::Arc, time::Duration};

use adoube_notation::Language;
use adoube_protocol::{ChangeMail, Me, Millis, PlayerId};

use super::{
    accounts::Accounts,
    identity::{Visitor, hash_of, new_token},
};
use crate::{
    error::Error,
    limits::Wait,
    mail::{EmailContent, HOUR_MS, SendOutcome, address_of},
};

/// The lifetime of a confirmation link, in hours.
const LINK_HOURS: i64 = 48;
/// The wait reported when the daily limit on e-mails is reached. The next e-mail may be allowed earlier.
const DAILY_LIMIT_WAIT: Wait = Wait(Duration::from_hours(24));

impl Accounts {
    /// Sends a confirmation link in the background, if the account has an unconfirmed address.
    pub(super) fn confirm_in_background(self: &Arc<Self>, player: PlayerId, client_address: IpAddr) {
        let accounts = Arc::clone(self);
        tokio::spawn(async move {
            match accounts.send_confirmation(&player, client_address).await {
                Ok(()) | Err(Error::NothingToConfirm) => {}
                Err(Error::TooMany(_)) => {
                    tracing::info!("did not send a confirmation link: a limit has been reached");
                }
                Err(error) => error.log(),
            }
        });
    }

    async fn send_confirmation(&self, player: &PlayerId, client_address: IpAddr) -> Result<(), Error> {
        let account = self.store.lookup_account(player).await?.ok_or(Error::NotSignedIn)?;
        let to = address_of(&account).filter(|_| !account.email_confirmed).ok_or(Error::NothingToConfirm)?;
        self.limits.confirm_address(client_address).await?;
        let (secret, token) = new_token(&*self.entropy)?;
        let until = Millis(self.clock.now().0 + LINK_HOURS * HOUR_MS);
        // Stored before the e-mail is sent, so the link works as soon as it arrives.
        let email = account.email.as_deref().unwrap_or_default();
        if !self.store.add_confirmation(player, email, &token, until).await? {
            return Err(Error::NothingToConfirm);
        }
        match self
            .emails
            .send_within_limit(&account, &to, EmailContent::Confirm { secret: &secret, hours: LINK_HOURS })
            .await?
        {
            SendOutcome::Sent => Ok(()),
            SendOutcome::LimitReached => Err(Error::TooMany(DAILY_LIMIT_WAIT)),
        }
    }

    /// Sends a new confirmation link. Fails if there is no unconfirmed address, or if a limit is reached.
    pub(crate) async fn request_confirmation(
        &self,
        visitor: &Visitor,
        client_address: IpAddr,
    ) -> Result<(), Error> {
        if visitor.session.is_none() {
            return Err(Error::NotSignedIn);
        }
        self.send_confirmation(&visitor.player, client_address).await
    }

    /// Confirms the address that the link with this secret was sent to.
    pub(crate) async fn confirm_address(&self, secret: &str) -> Result<(), Error> {
        let confirmed = self.store.confirm_email(&hash_of(secret), self.clock.now()).await?;
        confirmed.map(|_| ()).ok_or(Error::MailLinkNotFound)
    }

    /// Changes an account's e-mail settings, without asking for its password.
    pub(crate) async fn change_mail(&self, visitor: &Visitor, request: ChangeMail) -> Result<Me, Error> {
        if visitor.session.is_none() {
            return Err(Error::NotSignedIn);
        }
        if let Some(language) = request.language {
            let language = language.parse::<Language>().map_err(|_| Error::Language(language))?;
            self.store.set_language(&visitor.player, language.code()).await?;
        }
        if let Some(reminders) = request.reminders {
            self.store.set_reminders(&visitor.player, reminders).await?;
        }
        self.me(visitor).await
    }
}
