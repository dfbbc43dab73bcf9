//! Signing in through an OpenID Connect provider, or with an identity reported by a proxy.

use std::{sync::Arc, time::Instant};

use adoube_notation::Language;
use adoube_openid::{OpenIdError, Provider};
use adoube_protocol::{
    CompleteIdentity, IdentityProvider, LinkedIdentity, PlayerId, SessionId, SignInMethods, UnlinkIdentity,
};
use adoube_store::{Credentials, ExternalIdentity, Linked, NewAccount, Unlinked};
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};

use super::{
    accounts::{Accounts, ClientInfo, SignedIn, checked_email, ensure_open},
    identity::Visitor,
    name_rules,
    sign_in_limits::CodeGuesser,
};
use crate::{
    app::Peer,
    config::{Config, IdentityHeader, Origin, SignInError},
    error::Error,
    log_throttle::LogThrottle,
    mail::EmailContent,
};

/// The maximum length of a subject identifier, in bytes (OpenID Connect Core).
const SUBJECT_BYTES: usize = 255;
/// The maximum length of a name proposed for a new account, in bytes.
const NAME_BYTES: usize = 100;
/// The maximum length of an e-mail address, in bytes (RFC 5321).
const EMAIL_BYTES: usize = 254;
/// The prefix of the issuer that is stored for identities reported by a proxy. The header's name follows it.
const HEADER: &str = "header:";

/// The ways to sign in other than by password.
#[derive(Debug)]
pub(crate) struct Providers {
    openid: Option<OpenId>,
    header: Option<IdentityHeader>,
}

#[derive(Debug)]
struct OpenId {
    name: String,
    issuer: String,
    provider: Provider,
}

/// A person whom a provider or a proxy has identified.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct ProvedIdentity {
    issuer: String,
    subject: String,
    /// The person's name at the provider or the proxy.
    pub(crate) name: Option<String>,
    /// The person's e-mail address, if the provider has verified it.
    pub(crate) email: Option<String>,
}

impl ProvedIdentity {
    /// Converts an identity that the provider has asserted. Fails if its subject identifier is empty or too
    /// long.
    pub(crate) fn of(identity: adoube_openid::Identity) -> Result<Self, Error> {
        let adoube_openid::Identity { issuer, subject, name, email } = identity;
        // The id is not truncated, because different people's ids could begin with the same characters.
        if subject.is_empty() || subject.len() > SUBJECT_BYTES {
            return Err(openid_failed(&OpenIdError::Invalid(format!(
                "a subject identifier must be 1 to {SUBJECT_BYTES} bytes long, not {}",
                subject.len()
            ))));
        }
        let name = name.map(|name| bounded(&name, NAME_BYTES));
        Ok(Self { issuer, subject, name, email: email.filter(|email| email.len() <= EMAIL_BYTES) })
    }

    pub(crate) fn identity(&self) -> ExternalIdentity {
        ExternalIdentity { issuer: self.issuer.clone(), subject: self.subject.clone() }
    }

    /// Returns `true` if a proxy has identified the person.
    pub(crate) fn is_by_proxy(&self) -> bool {
        self.issuer.starts_with(HEADER)
    }
}

impl Providers {
    pub(crate) fn new(config: &Config) -> Result<Self, SignInError> {
        let settings = &config.sign_in;
        let openid = config.identity_provider()?.map(|provider| OpenId {
            name: settings.openid.shown_name(),
            issuer: settings.openid.issuer.clone(),
            provider,
        });
        Ok(Self { openid, header: settings.header.clone() })
    }

    pub(crate) fn openid(&self) -> Result<&Provider, Error> {
        self.openid.as_ref().map(|openid| &openid.provider).ok_or(Error::OpenIdOff)
    }

    /// Returns the name of the identity provider.
    pub(crate) fn openid_name(&self) -> Option<String> {
        self.openid.as_ref().map(|openid| openid.name.clone())
    }

    /// Returns the person whom the proxy has identified in a header. The header is ignored if the peer is not
    /// a trusted proxy, if the header occurs more than once, or if its value cannot be an identifier.
    pub(crate) fn named_by_proxy(&self, peer: &Peer, headers: &HeaderMap) -> Option<ProvedIdentity> {
        let header = self.header.as_ref().filter(|_| peer.is_proxy)?;
        let mut values = headers.get_all(header.name()).iter();
        let (value, None) = (values.next()?, values.next()) else { return None };
        let subject = std::str::from_utf8(value.as_bytes()).ok()?.trim();
        let fits =
            !subject.is_empty() && subject.len() <= SUBJECT_BYTES && !subject.contains(char::is_control);
        fits.then(|| ProvedIdentity {
            issuer: format!("{HEADER}{header}"),
            subject: subject.to_owned(),
            name: Some(bounded(subject, NAME_BYTES)),
            email: None,
        })
    }

    pub(crate) fn sign_in_methods(&self, peer: &Peer, headers: &HeaderMap) -> SignInMethods {
        let proxy = self.named_by_proxy(peer, headers);
        SignInMethods { openid: self.openid_name(), proxy: proxy.map(|identified| identified.subject) }
    }

    /// Returns an identity as its owner sees it.
    pub(crate) fn shown(&self, identity: ExternalIdentity) -> LinkedIdentity {
        let ExternalIdentity { issuer, subject } = identity;
        let is_openid = self.openid.as_ref().is_some_and(|openid| openid.issuer == issuer);
        let header = self.header.as_ref().map(|header| format!("{HEADER}{header}"));
        let provider = if is_openid {
            Some(IdentityProvider::Openid)
        } else {
            (header.as_ref() == Some(&issuer)).then_some(IdentityProvider::Proxy)
        };
        LinkedIdentity { issuer, subject, provider }
    }
}

/// Converts an error from the provider to one for the visitor, and logs its details for the operator.
pub(crate) fn openid_failed(error: &OpenIdError) -> Error {
    static FAILURE_LOG: LogThrottle = LogThrottle::new();
    if let Some(suppressed) = FAILURE_LOG.line(Instant::now()) {
        tracing::warn!(%error, suppressed, "a sign-in through the identity provider failed");
    }
    match error {
        OpenIdError::Refused(_) => Error::OpenIdRefused,
        OpenIdError::Invalid(_) => Error::OpenIdInvalid,
        _ => Error::OpenIdUnavailable,
    }
}

fn bounded(text: &str, limit: usize) -> String {
    text.get(..text.floor_char_boundary(limit)).unwrap_or_default().to_owned()
}

impl Accounts {
    /// Signs in to the account that is linked to a proved identity. Returns `None` if there is none. The
    /// account's second factor is always required, even if the provider has asked for one too.
    pub(crate) async fn sign_in_by(
        &self,
        identified: &ProvedIdentity,
        request: &CompleteIdentity,
        client_info: ClientInfo,
    ) -> Result<Option<SignedIn>, Error> {
        let Some(player) = self.store.lookup_identity(&identified.identity()).await? else { return Ok(None) };
        let Some(account) = self.store.lookup_account(&player).await? else { return Ok(None) };
        ensure_open(&account)?;
        let factor = self.check_second_factor(&account, request.code.as_ref(), CodeGuesser::Proved);
        factor.await.inspect_err(|error| {
            if matches!(error, Error::SecondFactorWrong) {
                tracing::info!(address = %client_info.address, "sign-in failed");
            }
        })?;
        if account.language.is_empty() {
            self.store.set_language(&player, client_info.language.code()).await?;
        }
        let keys = self.keys.keys();
        let is_known = client_info.devices.recognise(&keys.devices, &player, &account.password).is_some();
        let second_factor = account.recovery_codes.is_some();
        let credentials = Credentials { password: account.password.clone(), second_factor };
        let signed_in = self.begin(&player, credentials, client_info).await?;
        if !is_known {
            self.emails.notice(account, EmailContent::NewDevice);
        }
        Ok(Some(signed_in))
    }

    /// Fails unless the visitor may register.
    pub(crate) async fn may_register(
        &self,
        visitor: &Visitor,
        invitation: Option<&str>,
    ) -> Result<(), Error> {
        if visitor.session.is_some() {
            return Err(Error::AlreadySignedIn);
        }
        self.admission(&visitor.player, invitation).await.map(|_| ())
    }

    /// Creates an account without a password for a proved identity. The house's registration policy applies.
    pub(crate) async fn register_by(
        self: &Arc<Self>,
        visitor: &Visitor,
        identified: &ProvedIdentity,
        request: CompleteIdentity,
        invitation: Option<&str>,
        client_info: ClientInfo,
    ) -> Result<SignedIn, Error> {
        if visitor.session.is_some() {
            return Err(Error::AlreadySignedIn);
        }
        let admission = self.admission(&visitor.player, invitation).await?;
        let name = request.name.as_deref().unwrap_or_default();
        let name = name_rules::checked_name(name, self.origin.as_ref().map(Origin::host))?;
        let email = request.email.as_deref().filter(|email| !email.trim().is_empty());
        let email = checked_email(email)?;
        self.limits.register(client_info.address).await?;
        let language: Language =
            request.language.and_then(|text| text.parse().ok()).unwrap_or(client_info.language);
        let new = NewAccount {
            player: visitor.player.clone(),
            skeleton: name_rules::name_skeleton(&name, &self.name_salt),
            name,
            password: String::new(),
            identity: Some(identified.identity()),
            email,
            language: language.to_string(),
            created_at: self.clock.now(),
            admission,
        };
        self.add(new, client_info).await
    }

    /// Links the visitor's account to an identity that the visitor has proved in the same session.
    pub(crate) async fn link(&self, visitor: &Visitor, identified: &ProvedIdentity) -> Result<(), Error> {
        if visitor.session.is_none() {
            return Err(Error::NotSignedIn);
        }
        match self.store.link_identity(&identified.identity(), &visitor.player).await? {
            Linked::Done => {}
            Linked::Taken => return Err(Error::IdentityTaken),
            Linked::NoAccount => return Err(Error::NotSignedIn),
        }
        tracing::info!("an account was linked to an external identity");
        if let Some(account) = self.store.lookup_account(&visitor.player).await? {
            self.emails.notice(account, EmailContent::NewIdentity);
        }
        Ok(())
    }

    /// Removes an identity from the visitor's account.
    pub(crate) async fn unlink(&self, visitor: &Visitor, request: UnlinkIdentity) -> Result<(), Error> {
        let UnlinkIdentity { issuer, subject, password } = request;
        self.confirm(visitor, &password).await?;
        let identity = ExternalIdentity { issuer, subject };
        match self.store.unlink_identity(&identity, &visitor.player).await? {
            Unlinked::Done => Ok(()),
            Unlinked::Missing => Err(Error::IdentityNotFound),
            Unlinked::LastSignInMethod => Err(Error::LastSignInMethod),
        }
    }

    /// Fails unless the session began recently ([`RECENT_MS`]). The owner of an account without a password
    /// confirms an action by signing in again.
    pub(super) async fn ensure_began_recently(
        &self,
        player: &PlayerId,
        session: &SessionId,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let sessions = self.store.list_sessions(player, now).await?;
        let began = sessions.iter().find(|found| found.id == *session).map(|found| found.created_at);
        let is_recent = began.is_some_and(|began| now.0.saturating_sub(began.0) < RECENT_MS);
        if is_recent { Ok(()) } else { Err(Error::SignInAgain) }
    }
}

/// The time after a sign-in during which an account without a password needs no other confirmation, in
/// milliseconds.
const RECENT_MS: i64 = 10 * 60 * 1000;
