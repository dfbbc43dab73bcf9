use std::{fmt, str::FromStr};

use axum::http::uri::Authority;
use thiserror::Error;

/// The origin of this server as browsers send it in the `Origin` header: in lower case, and without its
/// scheme's default port.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Origin {
    text: String,
}

/// The error for a string that is not an origin.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error(
    "{0:?} is not an origin, which is a scheme, a host and an optional port, such as https://chess.example.org"
)]
pub struct OriginError(pub String);

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, OriginError> {
        let wrong = || OriginError(text.to_owned());
        let lower = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let (scheme, authority) = lower.split_once("://").ok_or_else(wrong)?;
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(wrong()),
        };
        let authority: Authority = authority.parse().map_err(|_| wrong())?;
        let host = authority.host();
        let port = match authority.as_str().strip_prefix(host) {
            Some("") => None,
            // Fails for an empty port, as in `chess.example.org:`, and for one above 65535.
            Some(_) => Some(authority.port_u16().ok_or_else(wrong)?),
            // The host is preceded by a user name.
            None => return Err(wrong()),
        };
        if host.is_empty() {
            return Err(wrong());
        }
        let port =
            port.filter(|&port| port != default_port).map(|port| format!(":{port}")).unwrap_or_default();
        Ok(Self { text: format!("{scheme}://{host}{port}") })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Origin {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the host without scheme and port. An IPv6 address is in brackets.
    pub(crate) fn host(&self) -> &str {
        let authority = self.text.split_once("://").map_or("", |(_, authority)| authority);
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        }
    }

    /// Returns `true` if browsers connect over TLS, in which case cookies can be marked `Secure`.
    pub fn is_secure(&self) -> bool {
        self.text.starts_with("https:")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_normalised_to_the_form_that_browsers_send() {
        let origin: Origin = "https://Example.org/".parse().unwrap();
        assert_eq!((origin.as_str(), origin.is_secure()), ("https://example.org", true));
        for (text, sent, host) in [
            ("https://example.org:443", "https://example.org", "example.org"),
            ("http://example.org:80/", "http://example.org", "example.org"),
            ("https://example.org:80", "https://example.org:80", "example.org"),
            ("http://127.0.0.1:8787", "http://127.0.0.1:8787", "127.0.0.1"),
            ("http://[::1]", "http://[::1]", "[::1]"),
            ("http://[::1]:8787", "http://[::1]:8787", "[::1]"),
        ] {
            let origin: Origin = text.parse().unwrap();
            assert_eq!((origin.as_str(), origin.host()), (sent, host));
        }
    }

    #[test]
    fn an_invalid_origin_is_named_in_the_error() {
        for text in [
            "example.org",
            "ftp://example.org",
            "https://a/b",
            "https://a@b",
            "https://",
            "https://:443",
            "https://a:",
            "https://a:65536",
            "https://a:b",
            "https://[::1",
            "",
        ] {
            assert_eq!(text.parse::<Origin>(), Err(OriginError(text.to_owned())));
        }
    }
}
