use std::{fmt, str::FromStr};

use thiserror::Error;

use super::Origin;

/// The maximum length of the path, in bytes. It is part of every link and of every cookie.
const MAX_PATH: usize = 100;

/// The address of this house as browsers see it: an origin and, if the house is under a path on a host that
/// also serves something else, that path.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PublicAddress {
    origin: Origin,
    /// `/echecs`, or empty.
    path: String,
    /// The origin followed by the path: the beginning of every link.
    text: String,
}

/// The error for a string that is not the address of a house.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{text:?} {problem}{}", proposed.as_ref().map(|proposed| format!("; write {proposed:?}")).unwrap_or_default())]
pub struct PublicAddressError {
    pub text: String,
    pub problem: PublicAddressProblem,
    /// The address that was probably meant, if there is one.
    pub proposed: Option<String>,
}

/// The reason why a string is not the address of a house.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum PublicAddressProblem {
    #[error(
        "is not a scheme and a host, such as https://chess.example.org, optionally with a path, as in \
         https://club.example.org/echecs"
    )]
    NoOrigin,
    #[error("has a space")]
    Space,
    #[error("has a query, which is not part of the address of a house")]
    Query,
    #[error("has a fragment, which is not part of the address of a house")]
    Fragment,
    #[error("has the segment {0:?} in its path, which browsers would remove")]
    DotSegment(String),
    #[error("has a dot at the end of its path")]
    FinalDot,
    #[error("has two slashes in its path without a name between them")]
    EmptySegment,
    #[error("has {0:?} in its path, which may contain only unaccented letters, digits, and / - . _ ~")]
    Character(char),
    #[error("has a path of more than {MAX_PATH} characters")]
    Length,
}

/// Splits an address, without its query and fragment, into the origin and the path.
fn split(text: &str) -> (&str, &str) {
    let authority = text.find("://").map_or(0, |at| at + 3);
    let path = text[authority..].find('/').map_or(text.len(), |at| authority + at);
    text.split_at(path)
}

fn parse(text: &str) -> Result<PublicAddress, PublicAddressProblem> {
    if text.contains(char::is_whitespace) {
        return Err(PublicAddressProblem::Space);
    }
    if text.contains('#') {
        return Err(PublicAddressProblem::Fragment);
    }
    if text.contains('?') {
        return Err(PublicAddressProblem::Query);
    }
    let (origin, path) = split(text);
    let origin: Origin = origin.parse().map_err(|_| PublicAddressProblem::NoOrigin)?;
    // Browsers show the root of a host with a slash at the end, and people copy addresses from browsers.
    let path = path.strip_suffix('/').unwrap_or(path);
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || "/-._~".contains(char);
    if let Some(char) = path.chars().find(|&char| !is_allowed(char)) {
        return Err(PublicAddressProblem::Character(char));
    }
    for segment in path.split('/').skip(1) {
        match segment {
            "" => return Err(PublicAddressProblem::EmptySegment),
            "." | ".." => return Err(PublicAddressProblem::DotSegment(segment.to_owned())),
            _ => {}
        }
    }
    if path.ends_with('.') {
        return Err(PublicAddressProblem::FinalDot);
    }
    if path.len() > MAX_PATH {
        return Err(PublicAddressProblem::Length);
    }
    Ok(PublicAddress { text: format!("{origin}{path}"), path: path.to_owned(), origin })
}

/// Returns the address that was probably meant, which may still be invalid.
fn suggested_address(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default().replace(char::is_whitespace, "");
    let (origin, path) = split(&text);
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment.trim_end_matches('.') {
            // Resolves `..` as browsers do.
            "" if segment == ".." => drop(segments.pop()),
            "" => {}
            name => segments.push(name),
        }
    }
    segments.into_iter().fold(origin.to_owned(), |address, segment| address + "/" + segment)
}

impl FromStr for PublicAddress {
    type Err = PublicAddressError;

    fn from_str(text: &str) -> Result<Self, PublicAddressError> {
        parse(text).map_err(|problem| PublicAddressError {
            text: text.to_owned(),
            problem,
            proposed: parse(&suggested_address(text)).ok().map(|address| address.text),
        })
    }
}

impl fmt::Display for PublicAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PublicAddress {
    /// Returns the address without a slash at its end: the beginning of every link.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the origin that browsers send with requests, which has no path.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the path, such as `/echecs`, without a slash at its end. It is empty at the root of a host.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns `true` if browsers connect over TLS, in which case cookies can be marked `Secure`.
    pub fn is_secure(&self) -> bool {
        self.origin.is_secure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_an_origin_and_a_path() {
        for (text, origin, path) in [
            ("https://Example.org", "https://example.org", ""),
            ("https://example.org/", "https://example.org", ""),
            ("http://[::1]:8787/echecs", "http://[::1]:8787", "/echecs"),
            ("https://club.example.org/echecs/", "https://club.example.org", "/echecs"),
            // Only the host is case-insensitive.
            ("https://Club.example.org/Jeux/v1.2_~-", "https://club.example.org", "/Jeux/v1.2_~-"),
        ] {
            let address: PublicAddress = text.parse().unwrap();
            assert_eq!((address.origin().as_str(), address.path()), (origin, path), "{text}");
            assert_eq!(address.as_str(), format!("{origin}{path}"));
            assert_eq!(address.as_str().parse(), Ok(address));
        }
    }

    #[test]
    fn an_invalid_address_is_refused_and_the_right_one_suggested() {
        let right = Some("https://club.example.org/echecs");
        for (text, problem, proposed) in [
            ("https://club.example.org/echecs?a=1", "has a query", right),
            ("https://club.example.org/echecs#top", "has a fragment", right),
            ("https://club.example.org/echecs ", "has a space", right),
            (" https://club.example.org/echecs", "has a space", right),
            ("https://club.example.org/./echecs", "has the segment \".\"", right),
            ("https://club.example.org/a/../echecs", "has the segment \"..\"", right),
            ("https://club.example.org/echecs.", "has a dot at the end", right),
            ("https://club.example.org/echecs./", "has a dot at the end", right),
            ("https://club.example.org//echecs", "has two slashes", right),
            ("https://club.example.org/echecs//", "has two slashes", right),
            ("https://club.example.org/échecs", "has 'é' in its path", None),
            ("https://club.example.org/%C3%A9checs", "has '%' in its path", None),
            ("https://club.example.org?a", "has a query", Some("https://club.example.org")),
            ("club.example.org/echecs", "is not a scheme and a host", None),
            ("/echecs", "is not a scheme and a host", None),
            ("ftp://club.example.org", "is not a scheme and a host", None),
            ("https://me@club.example.org/echecs", "is not a scheme and a host", None),
            ("https:///echecs", "is not a scheme and a host", None),
            ("", "is not a scheme and a host", None),
        ] {
            let error = text.parse::<PublicAddress>().unwrap_err();
            assert_eq!(error.proposed.as_deref(), proposed, "{text}");
            let message = error.to_string();
            assert!(message.starts_with(&format!("{text:?} {problem}")), "{message}");
            assert_eq!(message.contains("; write \"https"), proposed.is_some(), "{message}");
        }
        let long = format!("https://a.example/{}", "a".repeat(MAX_PATH));
        assert!(long.parse::<PublicAddress>().unwrap_err().to_string().contains("more than 100"));
    }
}
