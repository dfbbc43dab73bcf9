//! Accounts: registration, sign-in, changes and deletion.

use std::{net::IpAddr, sync::Arc};

use adoube_notation::Language;
use adoube_protocol::{
    AccountState, ChangeAccount, Me, Password, PlayerId, Register, Registration, SecondFactor, SessionId,
    SignIn,
};
use adoube_store::{
    self as store, Admission, Credentials, Deleted, NameRetirement, NewAccount, NewSession, Registered,
    Store, StoreError,
};

use super::{
    cookie_key::Keyring,
    devices::Devices,
    identity::{Visitor, hash_of, new_token},
    name_rules,
    password::Hasher,
    password_rules,
    sign_in_limits::{CodeGuesser, SignInLimits},
};
use crate::{
    administration::{HouseCache, claim_entry, log_claim},
    changes::{Change, Changes},
    clock::Clock,
    config::{Origin, SessionTimes},
    entropy::Entropy,
    error::Error,
    limits::Tenant,
    mail::{Address, EmailContent, EmailSender, confirmed_address},
    names::Names,
    tidy::RetentionPeriod,
};

/// The maximum length of a stored user-agent string, in characters.
const MAX_AGENT_CHARS: usize = 200;

/// The browser that sends a request.
#[derive(Clone, Debug)]
pub(crate) struct ClientInfo {
    /// The user-agent string.
    pub(crate) agent: String,
    /// The network address.
    pub(crate) address: IpAddr,
    /// The tokens that let accounts recognise this browser.
    pub(crate) devices: Devices,
    /// The browser's preferred language among the available ones.
    pub(crate) language: Language,
}

impl ClientInfo {
    /// Returns the tenant to charge for this browser's password hashes.
    pub(super) fn tenant(&self) -> Tenant {
        Tenant::at(self.address)
    }
}

/// A new session. The secrets are sent in cookies and nowhere else.
pub(crate) struct SignedIn {
    pub(crate) me: Me,
    pub(crate) secret: String,
    /// The new value of the device cookie, which lets the account recognise this browser later.
    pub(crate) device: String,
}

#[derive(Debug)]
pub(crate) struct Accounts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) emails: Arc<EmailSender>,
    pub(crate) names: Arc<Names>,
    pub(crate) hasher: Arc<Hasher>,
    pub(crate) house: Arc<HouseCache>,
    pub(crate) limits: SignInLimits,
    /// The house's keys. One of them signs the tokens of known browsers, so the tokens need not be stored.
    pub(crate) keys: Arc<Keyring>,
    pub(crate) changes: Arc<Changes>,
    pub(crate) origin: Option<Origin>,
    pub(crate) times: SessionTimes,
    /// The period during which the name of a deleted account stays reserved.
    pub(crate) name_retention: RetentionPeriod,
    /// The salt for hashing retired names.
    pub(crate) name_salt: Vec<u8>,
}

/// A notice to sockets that credentials have ended or may have ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum CredentialNotice {
    Session(SessionId),
    /// An anonymous identity that has become an account. From now on the player needs a session.
    Identity(PlayerId),
    /// Some credentials of a player may have ended. The player's sockets must check theirs.
    InDoubt(PlayerId),
    /// Any session may have ended. All sockets must check theirs.
    Unknown,
}

impl CredentialNotice {
    /// Returns `true` if this visitor's sockets must be closed without a further check.
    pub(crate) fn affects(&self, visitor: &Visitor) -> bool {
        match (self, &visitor.session) {
            (Self::Session(ended), Some(session)) => ended == session,
            (Self::Identity(player), None) => *player == visitor.player,
            _ => false,
        }
    }
}

impl Accounts {
    /// Returns `true` if a visitor's credential is still valid.
    pub(crate) async fn is_valid(&self, visitor: &Visitor) -> Result<bool, Error> {
        match &visitor.session {
            Some(id) => {
                let sessions = self.store.list_sessions(&visitor.player, self.clock.now()).await?;
                Ok(sessions.iter().any(|session| session.id == *id))
            }
            None => Ok(!self.store.is_account(&visitor.player).await?),
        }
    }

    pub(crate) async fn me(&self, visitor: &Visitor) -> Result<Me, Error> {
        let account = match visitor.session {
            Some(_) => self.store.lookup_account(&visitor.player).await?,
            None => None,
        };
        Ok(Me { account: account.map(account_view) })
    }

    pub(crate) async fn register(
        self: &Arc<Self>,
        visitor: &Visitor,
        request: Register,
        client_info: ClientInfo,
    ) -> Result<SignedIn, Error> {
        if visitor.session.is_some() {
            return Err(Error::AlreadySignedIn);
        }
        let admission = self.admission(&visitor.player, request.invitation.as_deref()).await?;
        let name = name_rules::checked_name(&request.name, self.origin.as_ref().map(Origin::host))?;
        let email = checked_email(request.email.as_deref())?;
        password_rules::check(&request.password, &public_texts(&name, email.as_deref()))?;
        self.limits.register(client_info.address).await?;
        if self.store.lookup_account_by_name(&name).await?.is_some() {
            return Err(Error::NameTaken);
        }
        let language =
            request.language.and_then(|language| language.parse().ok()).unwrap_or(client_info.language);
        let password = self.hasher.hash(request.password.expose(), client_info.tenant()).await?;
        let new = NewAccount {
            player: visitor.player.clone(),
            skeleton: name_rules::name_skeleton(&name, &self.name_salt),
            name,
            password,
            identity: None,
            email,
            language: language.to_string(),
            created_at: self.clock.now(),
            admission,
        };
        self.add(new, client_info).await
    }

    /// Adds an account, and signs in to it. If the account needs approval first, it is added, but the sign-in
    /// fails with [`Error::AccountPending`].
    pub(super) async fn add(
        self: &Arc<Self>,
        new: NewAccount,
        client_info: ClientInfo,
    ) -> Result<SignedIn, Error> {
        let (player, name, password) = (new.player.clone(), new.name.clone(), new.password.clone());
        let is_pending = new.admission == Admission::Pending;
        let registered = self.store.add_account(new).await;
        match self.mark_in_doubt_on_error(&player, registered).await? {
            Registered::Done => {}
            Registered::DoneWithEntry(entry) => log_claim(&player, &entry),
            // A visitor does not learn that an account was deleted.
            Registered::NameTaken | Registered::NameRetired(_) => return Err(Error::NameTaken),
            Registered::NameAlike => return Err(Error::NameAlike),
            Registered::PlayerTaken => return Err(Error::AlreadySignedIn),
            Registered::NotInvited => return Err(Error::HouseInvitationNotFound),
            Registered::IdentityTaken => return Err(Error::IdentityTaken),
        }
        tracing::info!(name, "account registered");
        self.names.forget(&player);
        self.confirm_in_background(player.clone(), client_info.address);
        if is_pending {
            self.changes.publish(Change::Registered { player }).await;
            return Err(Error::AccountPending);
        }
        let credentials = Credentials { password, second_factor: false };
        let signed_in = self.begin(&player, credentials, client_info).await;
        // Published even if no session could be started, because the account now exists.
        self.changes.publish(Change::Registered { player }).await;
        signed_in
    }

    /// Decides whether a visitor may register freely, pending approval, or by invitation. Fails if the given
    /// invitation is not valid, or if none is given and the house's settings do not permit registration
    /// without one.
    pub(super) async fn admission(
        &self,
        player: &PlayerId,
        invitation: Option<&str>,
    ) -> Result<Admission, Error> {
        if let Some(secret) = invitation {
            let (token, now) = (hash_of(secret), self.clock.now());
            let found = self.store.lookup_house_invitation(&token, now).await?;
            let found = found.ok_or(Error::HouseInvitationNotFound)?;
            let entry = found.role.map(|role| claim_entry(player, role, now)).transpose()?;
            return Ok(Admission::Invited { token, entry });
        }
        match self.house.settings().registration {
            Registration::Open => Ok(Admission::Open),
            Registration::Approval => Ok(Admission::Pending),
            Registration::Invitation => Err(Error::InvitationNeeded),
            Registration::Closed => Err(Error::RegistrationClosed),
        }
    }

    /// Signs in. Unless the password is right, neither the response nor the time it takes reveals whether the
    /// name exists.
    pub(crate) async fn sign_in(&self, request: &SignIn, client_info: ClientInfo) -> Result<SignedIn, Error> {
        let account = self.store.lookup_account_by_typed_name(&request.name).await?;
        let device = account.as_ref().and_then(|account| {
            client_info.devices.recognise(&self.keys.keys().devices, &account.player, &account.password)
        });
        let stored_hash = account.as_ref().map(|account| account.password.as_str());
        let attempt = self.limits.sign_in(&request.name, stored_hash, client_info.address, device).await?;
        let verified = self.hasher.verify(request.password.expose(), stored_hash, client_info.tenant()).await;
        match (account, verified) {
            (Some(account), Ok(true)) => {
                // The state of an account is revealed only to a visitor who knows the password.
                if let Err(error) = ensure_open(&account) {
                    attempt.refund().await;
                    return Err(error);
                }
                let guesser = device.map_or(CodeGuesser::UnknownBrowser, CodeGuesser::Device);
                if let Err(error) = self.check_second_factor(&account, request.code.as_ref(), guesser).await {
                    // Only a wrong code counts as a failed attempt. After other errors the attempt is
                    // refunded.
                    if matches!(error, Error::SecondFactorWrong) {
                        tracing::info!(address = %client_info.address, "sign-in failed");
                    } else {
                        attempt.refund().await;
                    }
                    return Err(error);
                }
                attempt.refund().await;
                if account.language.is_empty() {
                    self.store.set_language(&account.player, client_info.language.code()).await?;
                }
                let password = account.password.clone();
                let credentials = Credentials { password, second_factor: account.recovery_codes.is_some() };
                let signed_in = self.begin(&account.player, credentials, client_info).await?;
                if device.is_none() {
                    self.emails.notice(account, EmailContent::NewDevice);
                }
                Ok(signed_in)
            }
            (_, Ok(_)) => {
                // Logged for programs such as fail2ban that ban an address after too many failures. The name
                // is omitted because it may be a password typed into the wrong field.
                tracing::info!(address = %client_info.address, "sign-in failed");
                Err(Error::SignInFailed)
            }
            (_, Err(error)) => {
                // The password was not verified.
                attempt.refund().await;
                Err(error)
            }
        }
    }

    /// Starts a session, unless the account's password or second factor has changed since they were verified.
    pub(super) async fn begin(
        &self,
        player: &PlayerId,
        credentials: Credentials,
        client_info: ClientInfo,
    ) -> Result<SignedIn, Error> {
        let (secret, token) = new_token(&*self.entropy)?;
        let now = self.clock.now();
        let session = NewSession {
            id: SessionId::from_random(self.entropy.random()?),
            player: player.clone(),
            credentials,
            token,
            agent: client_info.agent.chars().filter(|c| !c.is_control()).take(MAX_AGENT_CHARS).collect(),
            created_at: now,
            expires_at: self.times.expiry(now, now),
        };
        // The store returns `None` if the account was changed or deleted in the meantime.
        let ended = self.store.add_session(session).await?.ok_or(Error::SignInFailed)?;
        self.publish_ended(ended).await;
        let account = self.store.lookup_account(player).await?.ok_or(Error::SignInFailed)?;
        let device = self.device_of(&account, &client_info.devices)?;
        Ok(SignedIn { me: Me { account: Some(account_view(account)) }, secret, device })
    }

    fn device_of(&self, account: &store::Account, devices: &Devices) -> Result<String, Error> {
        let fresh = self.entropy.random()?;
        Ok(devices.after_sign_in(&self.keys.keys().devices, &account.player, &account.password, fresh))
    }

    /// Ends one of the visitor's sessions. Returns `false` if it does not exist.
    pub(crate) async fn end(&self, visitor: &Visitor, id: &SessionId) -> Result<bool, Error> {
        let ended = self.store.delete_session(&visitor.player, id).await;
        let ended = self.mark_in_doubt_on_error(&visitor.player, ended).await?;
        if ended {
            self.publish_ended(vec![id.clone()]).await;
        } else {
            // An earlier attempt may have ended the session, and its process may have failed before it
            // notified the sockets.
            self.changes.publish(Change::InDoubt { player: visitor.player.clone() }).await;
        }
        Ok(ended)
    }

    /// Changes the password, the e-mail address, or both. Returns the account and, for a known browser, the
    /// new value of its device cookie.
    pub(crate) async fn change(
        self: &Arc<Self>,
        visitor: &Visitor,
        request: ChangeAccount,
        client_info: &ClientInfo,
    ) -> Result<(Me, Option<String>), Error> {
        let before = self.confirm(visitor, &request.password).await?;
        let keys = self.keys.keys();
        let was_known =
            client_info.devices.recognise(&keys.devices, &before.player, &before.password).is_some();
        let verified = Credentials { password: before.password.clone(), second_factor: true };
        // All checks that can refuse the request come before the first change.
        if let Some(password) = &request.new_password {
            password_rules::check(password, &public_texts(&before.name, before.email.as_deref()))?;
        }
        let email = request
            .email
            .as_deref()
            .map(|email| checked_email(Some(email).filter(|email| !email.is_empty())));
        let email = email.transpose()?;
        let hash = match &request.new_password {
            Some(password) => {
                Some(self.hasher.hash(password.expose(), Tenant::Account(visitor.player.clone())).await?)
            }
            None => None,
        };
        if let Some(email) = email.filter(|email| *email != before.email) {
            if !self.store.set_email(&visitor.player, &verified, email.as_deref()).await? {
                return Err(Error::WrongPassword);
            }
            if confirmed_address(&before).is_some() {
                self.emails.notice(before.clone(), EmailContent::NewAddress);
            }
            self.confirm_in_background(visitor.player.clone(), client_info.address);
        }
        if let Some(hash) = hash {
            let keep = visitor.session.as_ref();
            let ended = self.store.set_password(&visitor.player, &verified, &hash, keep).await;
            let ended = self.mark_in_doubt_on_error(&visitor.player, ended).await?;
            // The store returns `None` if the password was changed or the account closed in the meantime.
            self.publish_ended(ended.ok_or(Error::WrongPassword)?).await;
            // Sent to the previous address, because a new one has not been confirmed yet.
            self.emails.notice(before, EmailContent::NewPassword);
        }
        // A new password invalidates the token of a known browser, so the browser gets a new token here. An
        // unknown browser gets none: attempts are counted separately for each token, so a new token would
        // allow more guesses.
        let account = self.store.lookup_account(&visitor.player).await?.filter(|_| was_known);
        let device = account.map(|account| self.device_of(&account, &client_info.devices)).transpose()?;
        Ok((self.me(visitor).await?, device))
    }

    pub(crate) async fn delete(&self, visitor: &Visitor, password: &Password) -> Result<(), Error> {
        let account = self.confirm(visitor, password).await?;
        let name = NameRetirement {
            skeleton_hashes: name_rules::name_skeleton(&account.name, &self.name_salt).retired,
            until: self.name_retention.expiry(self.clock.now()),
        };
        let deleted = self.store.delete_account(&visitor.player, &name).await;
        let ended = match self.mark_in_doubt_on_error(&visitor.player, deleted).await? {
            Deleted::Done(ended) => ended,
            Deleted::LastAdministrator => return Err(Error::LastAdministrator),
        };
        self.names.forget(&visitor.player);
        self.changes.publish(Change::AccountDeleted { player: visitor.player.clone() }).await;
        self.publish_ended(ended).await;
        tracing::info!("account deleted");
        Ok(())
    }

    /// Verifies that the account's owner has sent the request. The owner must enter the password or, if the
    /// account has none, have signed in recently. Returns the account.
    pub(crate) async fn confirm(
        &self,
        visitor: &Visitor,
        password: &Password,
    ) -> Result<store::Account, Error> {
        let session = visitor.session.as_ref().ok_or(Error::NotSignedIn)?;
        let account = self.store.lookup_account(&visitor.player).await?.ok_or(Error::NotSignedIn)?;
        if account.password.is_empty() {
            self.ensure_began_recently(&visitor.player, session).await?;
            return Ok(account);
        }
        let attempt = self.limits.confirm(session).await?;
        let tenant = Tenant::Account(visitor.player.clone());
        match self.hasher.verify(password.expose(), Some(&account.password), tenant).await {
            Ok(false) => Err(Error::WrongPassword),
            verified => {
                attempt.refund().await;
                verified.map(|_| account)
            }
        }
    }

    /// Returns the outcome of a change to an account. If the store reports an error, the change may have been
    /// committed nevertheless, and repeating it would find no session to end. The player's sockets are
    /// therefore told to check their credentials.
    pub(super) async fn mark_in_doubt_on_error<T>(
        &self,
        player: &PlayerId,
        outcome: Result<T, StoreError>,
    ) -> Result<T, Error> {
        if outcome.is_err() {
            self.changes.publish(Change::InDoubt { player: player.clone() }).await;
        }
        Ok(outcome?)
    }

    pub(super) async fn publish_ended(&self, sessions: Vec<SessionId>) {
        if !sessions.is_empty() {
            self.changes.publish(Change::SessionsEnded { sessions }).await;
        }
    }
}

fn account_view(account: store::Account) -> adoube_protocol::Account {
    adoube_protocol::Account {
        name: account.name,
        email: account.email,
        email_confirmed: account.email_confirmed,
        language: account.language,
        reminders: account.reminders,
        second_factor: account.recovery_codes.map(|recovery_codes| SecondFactor { recovery_codes }),
        created_at: account.created_at,
        password: !account.password.is_empty(),
        shown_to: account.shown_to,
        role: account.membership.role,
        class: account.membership.class,
    }
}

/// Fails if an account awaits approval or is closed.
pub(super) fn ensure_open(account: &store::Account) -> Result<(), Error> {
    match account.membership.state {
        AccountState::Open => Ok(()),
        AccountState::Pending => Err(Error::AccountPending),
        AccountState::Closed => Err(Error::AccountClosed),
    }
}

/// Returns an account's name and e-mail address, which attackers may know and use in password guesses.
pub(super) fn public_texts<'a>(name: &'a str, email: Option<&'a str>) -> Vec<&'a str> {
    [Some(name), email].into_iter().flatten().collect()
}

/// Checks an e-mail address and returns it trimmed, but otherwise as its owner wrote it. It is parsed again
/// whenever it is used.
pub(super) fn checked_email(email: Option<&str>) -> Result<Option<String>, Error> {
    match email.map(str::trim) {
        Some(email) if Address::parse(email).is_none() => Err(Error::Email),
        email => Ok(email.map(Into::into)),
    }
}
