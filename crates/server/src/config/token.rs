use std::{fmt, str::FromStr};

use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// A secret that a client sends to authenticate. `Debug` redacts it. An empty token admits every request.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Token(String);

/// The error for a string that is not a valid [`Token`].
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error(
    "must have at least {MIN_LENGTH} printable ASCII characters and no spaces; `openssl rand -hex 16` makes one"
)]
pub struct TokenError;

/// The minimum length. A random string of this length cannot be guessed.
const MIN_LENGTH: usize = 16;

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let fits = text.len() >= MIN_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic());
        if text.is_empty() || fits { Ok(Self(text.to_owned())) } else { Err(TokenError) }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_set() { "Token(…)" } else { "Token()" })
    }
}

impl Token {
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns `true` if the token is not set, or if a request's `Authorization` header contains it.
    pub(crate) fn admits(&self, authorization: Option<&str>) -> bool {
        let digest = |text: &str| Sha256::digest(text);
        let bearer = authorization.and_then(|value| value.strip_prefix("Bearer "));
        // Digests are compared so that the time taken reveals nothing about the token.
        !self.is_set() || bearer.is_some_and(|bearer| digest(bearer.trim()) == digest(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_admits_only_requests_that_contain_it_and_debug_hides_it() {
        let token: Token = "0123456789abcdef".parse().unwrap();
        assert!(token.admits(Some("Bearer 0123456789abcdef")));
        for other in
            [None, Some(""), Some("Bearer "), Some("0123456789abcdef"), Some("Bearer 0123456789abcdeX")]
        {
            assert!(!token.admits(other), "{other:?}");
        }
        assert!(Token::default().admits(None));
        assert_eq!(format!("{token:?}"), "Token(…)");
        for text in ["short", "0123456789 abcdef", "0123456789abcdé"] {
            assert_eq!(text.parse::<Token>(), Err(TokenError), "{text}");
        }
    }
}
