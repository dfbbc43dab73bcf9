//! The push services to which requests may be sent. The browser chooses the URL of its service, so without
//! this list it could make the server send requests to any host.

use std::{fmt, str::FromStr};

use hyper::Uri;
use thiserror::Error;

/// The maximum length of a subscription's URL, in bytes.
const MAX_BYTES: usize = 2048;

/// The services used by browsers that support web push: Chrome and others based on it, Firefox, Safari, Edge.
const PUSH_SERVICES: [&str; 5] = [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
];

/// A push service: `HOST`, or `*.DOMAIN` for all hosts in a domain, both with TLS; or an origin such as
/// `http://127.0.0.1:9000`, for a service of the operator's own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PushService {
    Host(String),
    Domain(String),
    Origin(String),
}

/// The error for a string that is not a push service.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error(
    "{0:?} is not the host of a push service, such as push.example.org or *.push.example.org, nor an origin"
)]
pub struct ServiceError(pub String);

impl FromStr for PushService {
    type Err = ServiceError;

    fn from_str(text: &str) -> Result<Self, ServiceError> {
        let invalid = || ServiceError(text.to_owned());
        let lower = text.trim().to_ascii_lowercase();
        if lower.contains("://") {
            let endpoint = Endpoint::parse(&lower).ok_or_else(invalid)?;
            return if endpoint.uri.path() == "/" && endpoint.uri.query().is_none() {
                Ok(Self::Origin(endpoint.origin))
            } else {
                Err(invalid())
            };
        }
        let (host, is_domain) = match lower.strip_prefix("*.") {
            Some(domain) => (domain, true),
            None => (lower.as_str(), false),
        };
        let is_label = |label: &str| {
            !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        // A domain with a single label would be a whole top-level domain.
        if !host.split('.').all(is_label) || is_domain && !host.contains('.') {
            return Err(invalid());
        }
        Ok(if is_domain { Self::Domain(host.to_owned()) } else { Self::Host(host.to_owned()) })
    }
}

impl fmt::Display for PushService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(host) => f.write_str(host),
            Self::Domain(domain) => write!(f, "*.{domain}"),
            Self::Origin(origin) => f.write_str(origin),
        }
    }
}

/// A browser's address at its push service.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Endpoint {
    pub(crate) uri: Uri,
    /// The scheme and the authority, in lower case.
    pub(crate) origin: String,
}

impl Endpoint {
    /// Reads a URL. Whether requests may be sent there is checked by [`is_at`](Self::is_at).
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let uri: Uri = text.parse().ok()?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        if !matches!(scheme, "http" | "https") || authority.as_str().contains('@') {
            return None;
        }
        let origin = format!("{scheme}://{}", authority.as_str().to_ascii_lowercase());
        Some(Self { uri, origin })
    }

    /// Returns the host of the push service.
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// Returns `true` if the URL belongs to one of these services, so requests may be sent there.
    pub fn is_at(&self, services: &[PushService]) -> bool {
        let host = self.host().to_ascii_lowercase();
        let has_default_port = self.uri.port().is_none();
        let is_standard_https = self.uri.scheme_str() == Some("https") && has_default_port;
        services.iter().any(|service| match service {
            PushService::Host(known) => is_standard_https && *known == host,
            PushService::Domain(domain) => {
                let subdomain = host.strip_suffix(domain.as_str()).and_then(|rest| rest.strip_suffix('.'));
                is_standard_https && subdomain.is_some_and(|subdomain| !subdomain.is_empty())
            }
            PushService::Origin(origin) => *origin == self.origin,
        })
    }
}

/// Returns the services used by the common browsers.
pub fn known_services() -> Vec<PushService> {
    PUSH_SERVICES.iter().filter_map(|service| service.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(address: &str, services: &[PushService]) -> bool {
        Endpoint::parse(address).is_some_and(|endpoint| endpoint.is_at(services))
    }

    #[test]
    fn addresses_at_known_services_are_allowed() {
        assert_eq!(known_services().len(), PUSH_SERVICES.len());
        for address in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA_-",
            "https://web.push.apple.com/QOF",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d%3d",
            "https://FCM.googleapis.com/fcm/send/abc",
        ] {
            assert!(is_allowed(address, &known_services()), "{address}");
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for address in [
            "",
            "/fcm/send",
            "fcm.googleapis.com",
            "http://fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:8443/fcm/send/abc",
            "https://fcm.googleapis.com:443@127.0.0.1/",
            "https://user@fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com.example.org/",
            "https://fcm.googleapis.com./",
            "https://evilpush.apple.com/",
            "https://.push.apple.com/",
            "https://push.apple.com/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://169.254.169.254/latest/meta-data",
            "https://localhost/",
            "ftp://fcm.googleapis.com/",
            "https://fcm.googleapis.com\\@127.0.0.1/",
            "https://fcm.googleapis.com/\r\nx: y",
        ] {
            assert!(!is_allowed(address, &known_services()), "{address}");
        }
        assert!(Endpoint::parse(&format!("https://a.push.apple.com/{}", "x".repeat(2_048))).is_none());
    }

    #[test]
    fn push_services_round_trip_and_invalid_ones_are_refused() {
        for text in ["push.example.org", "*.push.example.org", "http://127.0.0.1:9000", "https://push.lan"] {
            assert_eq!(text.parse::<PushService>().unwrap().to_string(), text);
        }
        for text in
            ["", "*", "*.org", "a b", "push.example.org/x", "*.*.org", "ftp://a.org", "https://a.org/x"]
        {
            assert_eq!(text.parse::<PushService>(), Err(ServiceError(text.to_owned())));
        }
        let own = ["http://127.0.0.1:9000".parse().unwrap()];
        assert!(is_allowed("http://127.0.0.1:9000/one", &own));
        assert!(!is_allowed("http://127.0.0.1:9001/one", &own));
        assert!(!is_allowed("https://127.0.0.1:9000/one", &own));
    }
}
