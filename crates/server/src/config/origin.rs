use std::{fmt, str::FromStr};

use thiserror::Error;

/// The origin of this server as browsers send it in the `Origin` header.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Origin {
    text: String,
}

/// The error for a string that is not an origin.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0:?} is not a scheme and a host alone, such as https://chess.example.org")]
pub struct OriginError(pub String);

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, OriginError> {
        let wrong = || OriginError(text.to_owned());
        let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let (scheme, authority) = text.split_once("://").ok_or_else(wrong)?;
        let plain = authority.parse::<axum::http::uri::Authority>().is_ok() && !authority.contains('@');
        if plain && matches!(scheme, "http" | "https") { Ok(Self { text }) } else { Err(wrong()) }
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

    /// Returns the host without scheme and port.
    pub(crate) fn host(&self) -> &str {
        let authority = self.text.split_once("://").map_or("", |(_, authority)| authority);
        authority.rsplit_once(':').map_or(authority, |(host, _)| host)
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
    }

    #[test]
    fn an_invalid_origin_is_named_in_the_error() {
        for text in ["example.org", "ftp://example.org", "https://a/b", "https://a@b", "https://", ""] {
            assert_eq!(text.parse::<Origin>(), Err(OriginError(text.to_owned())));
        }
    }
}
