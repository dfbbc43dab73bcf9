//! Signing in through an identity provider: OpenID Connect Core 1.0, authorization code flow with PKCE.
//!
//! The browser is sent to the provider ([`Provider::begin`]) and comes back with a code. The code is
//! exchanged for an ID token, which is a signed statement of the user's identity ([`Provider::finish`]).
//! In between, the caller stores [`Pending`] where only that browser can present it again.
//!
//! The provider is trusted only to identify the user: its responses are bounded in size and time, redirects
//! are not followed, and an ID token is accepted only if its signature is valid and it was issued for this
//! client and this sign-in.

mod http;

use std::time::Duration;

use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, EmptyAdditionalClaims, IssuerUrl, Nonce,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse as _,
    core::{
        CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreGenderClaim, CoreProviderMetadata,
        CoreResponseType,
    },
};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::{sync::Mutex, time::Instant};

use crate::http::Http;

/// How long a provider's metadata and keys are cached.
const METADATA_LIFETIME: Duration = Duration::from_hours(1);

/// How long to wait before a failed request for metadata is repeated. Without this pause, visitors who sign
/// in at the same time would each wait for a timeout of their own, one after the other.
const FAILURE_LIFETIME: Duration = Duration::from_secs(3);

/// The maximum length in bytes of a name, an e-mail address or an error message from the provider, which may
/// send anything.
const MAX_CLAIM_BYTES: usize = 500;

/// An identity provider and this client's registration there.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The provider's issuer address, exactly as in its metadata, for example
    /// `https://login.example.org/realms/club`.
    pub issuer: String,
    /// The id of this client at the provider.
    pub client_id: String,
    /// This client's secret; a public client has none.
    pub client_secret: Option<String>,
    /// The address to which the provider sends the browser back. It must be registered with the provider.
    pub redirect: String,
}

/// The secrets of a sign-in that has begun. Only the browser that began it may present them again.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Pending {
    /// A value that the provider returns with the code, so that a code obtained by another browser is not
    /// accepted.
    pub state: String,
    /// A value that the ID token contains, so that an ID token from another sign-in is not accepted.
    nonce: String,
    /// The verifier without which the code is useless (RFC 7636).
    verifier: String,
}

/// The person who has signed in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The person's id at the provider. It never changes, and is never given to another person.
    pub subject: String,
    /// The person's preferred name, as the provider reports it.
    pub name: Option<String>,
    /// The e-mail address, if the provider has verified it.
    pub email: Option<String>,
}

/// The reason why a sign-in failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenIdError {
    /// A setting is not an address.
    #[error("{name} \"{value}\" is not an address: {reason}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// The value of the setting.
        value: String,
        /// The parser's error.
        reason: String,
    },
    /// The provider cannot be reached, or its response cannot be used.
    #[error("the identity provider {issuer} cannot be used: {reason}")]
    Unavailable {
        /// The provider.
        issuer: String,
        /// The error with its causes.
        reason: String,
    },
    /// The provider has not responded in time.
    #[error("the identity provider has not answered within {} s", .0.as_secs())]
    Slow(Duration),
    /// The provider refused the code: it was used before or has expired, or this client's secret is wrong.
    #[error("the identity provider refused the sign-in: {0}")]
    Refused(String),
    /// The ID token is not valid: it has a wrong signature, is for another client or another sign-in, or has
    /// expired.
    #[error("the identity provider's ID token is not valid: {0}")]
    Invalid(String),
}

/// Cached data about a provider.
#[derive(Debug, Default)]
struct ProviderCache {
    /// The provider's metadata, and when it was read.
    metadata: Option<(CoreProviderMetadata, Instant)>,
    /// The last failure: its reason, and when it happened.
    failure: Option<(String, Instant)>,
}

/// An identity provider. Its metadata is requested at the first sign-in, and again if it is an hour old or an
/// ID token cannot be verified with it.
#[derive(Debug)]
pub struct Provider {
    issuer: IssuerUrl,
    client_id: ClientId,
    client_secret: Option<ClientSecret>,
    redirect: RedirectUrl,
    http: Http,
    cache: Mutex<ProviderCache>,
}

impl Provider {
    /// Returns a client for the provider. Does not send a request yet.
    ///
    /// # Errors
    ///
    /// [`OpenIdError::Setting`] if the issuer or the redirect is not an address, and
    /// [`OpenIdError::Unavailable`] if the system's certificates cannot be read.
    pub fn new(registration: Registration) -> Result<Self, OpenIdError> {
        let Registration { issuer, client_id, client_secret, redirect } = registration;
        let invalid =
            |name, value: &str, reason: String| OpenIdError::Setting { name, value: value.into(), reason };
        let http = Http::new().map_err(|error| OpenIdError::Unavailable {
            issuer: issuer.clone(),
            reason: error.to_string(),
        })?;
        Ok(Self {
            issuer: IssuerUrl::new(issuer.clone())
                .map_err(|error| invalid("the issuer", &issuer, error.to_string()))?,
            client_id: ClientId::new(client_id),
            client_secret: client_secret.map(ClientSecret::new),
            redirect: RedirectUrl::new(redirect.clone())
                .map_err(|error| invalid("the redirect", &redirect, error.to_string()))?,
            http,
            cache: Mutex::default(),
        })
    }

    /// Returns the address to which the provider sends browsers back.
    pub fn redirect(&self) -> &str {
        self.redirect.as_str()
    }

    /// Requests the provider's metadata, and checks that it can be used.
    pub async fn check(&self) -> Result<(), OpenIdError> {
        let metadata = self.metadata(Duration::ZERO).await?;
        let unusable = |reason: &str| OpenIdError::Unavailable {
            issuer: self.issuer.as_str().to_owned(),
            reason: reason.to_owned(),
        };
        let code = openidconnect::ResponseTypes::new(vec![CoreResponseType::Code]);
        if !metadata.response_types_supported().contains(&code) {
            return Err(unusable("it does not offer the authorization code flow"));
        }
        if metadata.jwks().keys().is_empty() {
            return Err(unusable("it publishes no keys"));
        }
        Ok(())
    }

    /// Begins a sign-in. Returns the provider's address to which the browser is sent, and the data that the
    /// caller passes to [`finish`](Self::finish) when the browser returns. With `force_login`, the provider
    /// asks for the password even if the person has just signed in.
    pub async fn begin(&self, force_login: bool) -> Result<(String, Pending), OpenIdError> {
        let metadata = self.metadata(METADATA_LIFETIME).await?;
        let client =
            CoreClient::from_provider_metadata(metadata, self.client_id.clone(), self.client_secret.clone())
                .set_redirect_uri(self.redirect.clone());
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                CsrfToken::new_random,
                Nonce::new_random,
            )
            .add_scope(Scope::new("profile".into()))
            .add_scope(Scope::new("email".into()))
            .set_pkce_challenge(challenge);
        if force_login {
            request = request.add_prompt(CoreAuthPrompt::Login);
        }
        let (url, state, nonce) = request.url();
        let pending = Pending {
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
        };
        Ok((url.into(), pending))
    }

    /// Sends the provider the code that a browser has brought back, and returns the identity of the person
    /// who signed in. The caller must already have compared the state.
    pub async fn finish(&self, pending: Pending, code: String) -> Result<Identity, OpenIdError> {
        let metadata = self.metadata(METADATA_LIFETIME).await?;
        let client =
            CoreClient::from_provider_metadata(metadata, self.client_id.clone(), self.client_secret.clone())
                .set_redirect_uri(self.redirect.clone());
        let request = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| self.unavailable(&error))?
            .set_pkce_verifier(PkceCodeVerifier::new(pending.verifier));
        let call = self.http.caller();
        let response = request.request_async(&call).await.map_err(|error| match error {
            openidconnect::RequestTokenError::ServerResponse(refusal) => {
                OpenIdError::Refused(bounded(refusal.to_string()))
            }
            other => self.unavailable(&other),
        })?;
        let token = response.id_token().ok_or_else(|| OpenIdError::Invalid("it is missing".into()))?;
        let nonce = Nonce::new(pending.nonce);
        let mut claims = token.claims(&client.id_token_verifier(), &nonce).cloned();
        if claims.is_err() {
            // The provider may have changed its keys since they were read.
            let metadata = self.metadata(Duration::ZERO).await?;
            let client = CoreClient::from_provider_metadata(
                metadata,
                self.client_id.clone(),
                self.client_secret.clone(),
            );
            claims = token.claims(&client.id_token_verifier(), &nonce).cloned();
        }
        let claims = claims.map_err(|error| OpenIdError::Invalid(bounded(error.to_string())))?;
        Ok(self.identity(&claims))
    }

    fn identity(
        &self,
        claims: &openidconnect::IdTokenClaims<EmptyAdditionalClaims, CoreGenderClaim>,
    ) -> Identity {
        let name = claims
            .preferred_username()
            .map(|name| name.as_str().to_owned())
            .or_else(|| Some(claims.nickname()?.get(None)?.as_str().to_owned()))
            .or_else(|| Some(claims.name()?.get(None)?.as_str().to_owned()));
        let email = claims.email().filter(|_| claims.email_verified() == Some(true));
        Identity {
            issuer: self.issuer.as_str().to_owned(),
            subject: claims.subject().as_str().to_owned(),
            name: name.map(bounded),
            email: email.map(|email| bounded(email.as_str().to_owned())),
        }
    }

    /// Returns the provider's metadata, from the cache if it is not older than `lifetime`.
    async fn metadata(&self, lifetime: Duration) -> Result<CoreProviderMetadata, OpenIdError> {
        // The lock is held during the request, so that simultaneous sign-ins send only one.
        let mut cache = self.cache.lock().await;
        if let Some((metadata, since)) = &cache.metadata
            && since.elapsed() < lifetime
        {
            return Ok(metadata.clone());
        }
        if let Some((reason, at)) = &cache.failure
            && at.elapsed() < FAILURE_LIFETIME
        {
            return Err(self.failed(reason.clone()));
        }
        let call = self.http.caller();
        let found = CoreProviderMetadata::discover_async(self.issuer.clone(), &call).await;
        let found = found.map_err(|error| reason_of(&error)).and_then(|metadata| self.require_tls(metadata));
        match found {
            Ok(metadata) => {
                *cache = ProviderCache { metadata: Some((metadata.clone(), Instant::now())), failure: None };
                Ok(metadata)
            }
            Err(reason) => {
                cache.failure = Some((reason.clone(), Instant::now()));
                Err(self.failed(reason))
            }
        }
    }

    /// Returns the metadata, or an error if the provider itself uses TLS but names an endpoint without it.
    fn require_tls(&self, metadata: CoreProviderMetadata) -> Result<CoreProviderMetadata, String> {
        let scheme = self.issuer.url().scheme();
        let endpoints = [
            Some(metadata.authorization_endpoint().url()),
            metadata.token_endpoint().map(openidconnect::TokenUrl::url),
            Some(metadata.jwks_uri().url()),
        ];
        let open = endpoints.into_iter().flatten().find(|url| scheme == "https" && url.scheme() != "https");
        if let Some(url) = open {
            return Err(bounded(format!("its address {url} does not use TLS")));
        }
        Ok(metadata)
    }

    fn failed(&self, reason: String) -> OpenIdError {
        OpenIdError::Unavailable { issuer: self.issuer.as_str().to_owned(), reason }
    }

    fn unavailable(&self, error: &dyn std::error::Error) -> OpenIdError {
        self.failed(reason_of(error))
    }
}

/// Returns the text of an error and of its causes.
fn reason_of(error: &dyn std::error::Error) -> String {
    let mut reason = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        reason = format!("{reason}: {inner}");
        source = inner.source();
    }
    bounded(reason)
}

/// Shortens a string to [`MAX_CLAIM_BYTES`].
fn bounded(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_CLAIM_BYTES));
    text
}
