//! Ways to sign in other than by password.

use std::{fmt, net::IpAddr, str::FromStr};

use adoube_openid::{OpenIdError, Provider, Registration};
use axum::http::{HeaderName, Uri};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Config, Listen, text};

/// The path to which an identity provider redirects browsers after a sign-in.
pub(crate) const CALLBACK: &str = "/openid/callback";

/// The ways to sign in other than by password.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct SignInSettings {
    /// The header in which a trusted proxy reports the identity of a visitor who has signed in to it.
    #[serde(with = "text::optional")]
    pub header: Option<IdentityHeader>,
    pub openid: OpenIdSettings,
}

/// An OpenID Connect provider, and this house's registration with it. An empty value counts as not set.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct OpenIdSettings {
    /// The issuer exactly as the provider states it, such as `https://login.example.org/realms/club`.
    pub issuer: String,
    pub client_id: String,
    /// The secret of a confidential client.
    pub client_secret: ClientSecret,
    /// The provider's name on the sign-in page. The default is its host.
    pub name: String,
}

/// The name of a header that contains an identity.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IdentityHeader(HeaderName);

/// The error for a string that is not a suitable header name.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("must be the name of a header that the proxy sets, such as Remote-User, not {0:?}")]
pub struct IdentityHeaderError(pub String);

/// Headers that cannot contain an identity, because browsers send them or because they have another meaning.
const RESERVED_HEADERS: [&str; 8] =
    ["authorization", "cookie", "forwarded", "host", "origin", "referer", "user-agent", "x-forwarded-for"];

impl FromStr for IdentityHeader {
    type Err = IdentityHeaderError;

    fn from_str(text: &str) -> Result<Self, IdentityHeaderError> {
        let name = text.parse::<HeaderName>().ok().filter(|name| !RESERVED_HEADERS.contains(&name.as_str()));
        name.map(Self).ok_or_else(|| IdentityHeaderError(text.to_owned()))
    }
}

impl fmt::Display for IdentityHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl IdentityHeader {
    pub(crate) fn name(&self) -> &HeaderName {
        &self.0
    }
}

/// A client secret, which `Debug` does not show.
#[derive(Clone, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ClientSecret(String);

impl From<String> for ClientSecret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "ClientSecret()" } else { "ClientSecret(…)" })
    }
}

/// An invalid combination of sign-in settings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SignInError {
    #[error(
        "sign_in.header needs trusted_proxies; otherwise visitors could use the header {0} to sign in as anyone"
    )]
    NoProxy(IdentityHeader),
    #[error("sign_in.openid.{0} needs sign_in.openid.issuer, the address of the identity provider")]
    NoIssuer(&'static str),
    #[error("sign_in.openid.issuer needs sign_in.openid.client_id, the id of this house at the provider")]
    NoClient,
    #[error(
        "sign_in.openid.issuer needs public_origin, the address of this server as browsers see it, because \
         the provider redirects browsers back to it"
    )]
    NoOrigin,
    #[error(
        "sign_in.openid.issuer must begin with https://, but is {0:?}; without TLS, anyone on the network \
         path could sign in as anyone"
    )]
    NoTls(String),
    #[error("sign_in.openid: {0}")]
    OpenId(#[from] OpenIdError),
}

impl OpenIdSettings {
    fn is_set(&self) -> bool {
        !self.issuer.is_empty()
    }

    /// Returns the provider's name as shown to visitors.
    pub(crate) fn shown_name(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let host = self.issuer.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
        host.unwrap_or_else(|| self.issuer.clone())
    }
}

impl Config {
    /// Returns the house's identity provider, if it has one.
    ///
    /// # Errors
    ///
    /// If the combination of sign-in settings is invalid. No request is sent to the provider.
    pub fn identity_provider(&self) -> Result<Option<Provider>, SignInError> {
        let SignInSettings { header, openid } = &self.sign_in;
        if let Some(header) = header
            && self.trusted_proxies.is_empty()
            && matches!(self.listen, Listen::Tcp(_))
        {
            return Err(SignInError::NoProxy(header.clone()));
        }
        if !openid.is_set() {
            let texts = [
                ("client_id", &openid.client_id),
                ("client_secret", &openid.client_secret.0),
                ("name", &openid.name),
            ];
            return match texts.into_iter().find(|(_, text)| !text.is_empty()) {
                Some((name, _)) => Err(SignInError::NoIssuer(name)),
                None => Ok(None),
            };
        }
        if openid.client_id.is_empty() {
            return Err(SignInError::NoClient);
        }
        if !is_protected(&openid.issuer) {
            return Err(SignInError::NoTls(openid.issuer.clone()));
        }
        let address = self.public_origin.as_ref().ok_or(SignInError::NoOrigin)?;
        let secret = &openid.client_secret.0;
        Ok(Some(Provider::new(Registration {
            issuer: openid.issuer.clone(),
            client_id: openid.client_id.clone(),
            client_secret: Some(secret.clone()).filter(|secret| !secret.is_empty()),
            redirect: format!("{address}{CALLBACK}"),
        })?))
    }
}

/// Returns `true` if the connection to a URL uses TLS or stays on this machine, so data cannot be modified in
/// transit.
fn is_protected(address: &str) -> bool {
    if address.starts_with("https://") {
        return true;
    }
    let Ok(uri) = address.parse::<Uri>() else { return false };
    let host = uri.host().unwrap_or_default();
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_here = bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    uri.scheme_str() == Some("http") && is_here
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(sign_in: SignInSettings) -> Config {
        Config {
            sign_in,
            public_origin: Some("https://chess.example.org".parse().unwrap()),
            ..Config::default()
        }
    }

    fn openid(issuer: &str, client_id: &str) -> SignInSettings {
        let openid = OpenIdSettings {
            issuer: issuer.into(),
            client_id: client_id.into(),
            ..OpenIdSettings::default()
        };
        SignInSettings { header: None, openid }
    }

    #[test]
    fn errors_name_the_invalid_combination_of_sign_in_settings() {
        assert!(Config::default().identity_provider().unwrap().is_none());
        let header = SignInSettings { header: Some("Remote-User".parse().unwrap()), ..Default::default() };
        let error = config(header.clone()).identity_provider().unwrap_err().to_string();
        assert!(error.starts_with("sign_in.header needs trusted_proxies"), "{error}");
        let behind_proxy =
            Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..config(header.clone()) };
        assert!(behind_proxy.identity_provider().unwrap().is_none());
        // Only the proxy can reach a Unix domain socket.
        let on_socket = Config { listen: "unix:/run/adoube/socket".parse().unwrap(), ..config(header) };
        assert!(on_socket.identity_provider().is_ok());

        let issuer = "https://login.example.org/realms/club";
        for (sign_in, message) in [
            (openid("", "adoube"), "sign_in.openid.client_id needs sign_in.openid.issuer"),
            (openid(issuer, ""), "sign_in.openid.issuer needs sign_in.openid.client_id"),
            (openid("http://login.example.org", "adoube"), "must begin with https://"),
            (openid("login.example.org", "adoube"), "must begin with https://"),
            (openid("https://", "adoube"), "is not an address"),
        ] {
            let error = config(sign_in).identity_provider().unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        let without_origin = Config { public_origin: None, ..config(openid(issuer, "adoube")) };
        assert!(matches!(without_origin.identity_provider(), Err(SignInError::NoOrigin)));
        for issuer in [issuer, "http://127.0.0.1:4444", "http://[::1]:4444", "http://localhost/login"] {
            assert!(config(openid(issuer, "adoube")).identity_provider().unwrap().is_some(), "{issuer}");
        }
    }

    #[test]
    fn unsuitable_header_names_are_refused() {
        assert_eq!("Remote-User".parse::<IdentityHeader>().unwrap().to_string(), "remote-user");
        for text in ["", "Remote User", "Cookie", "X-Forwarded-For", "é"] {
            assert_eq!(text.parse::<IdentityHeader>(), Err(IdentityHeaderError(text.to_owned())));
        }
    }

    #[test]
    fn the_providers_name_defaults_to_its_host_and_debug_hides_its_secret() {
        let mut openid = openid("https://login.example.org/realms/club", "adoube").openid;
        assert_eq!(openid.shown_name(), "login.example.org");
        openid.name = "Club".into();
        openid.client_secret = "very secret".to_owned().into();
        assert_eq!(openid.shown_name(), "Club");
        assert!(!format!("{openid:?}").contains("very secret"));
    }
}
