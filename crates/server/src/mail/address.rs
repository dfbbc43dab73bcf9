use adoube_store::TokenHash;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// The maximum length of an address in characters (RFC 5321).
const MAX_LENGTH: usize = 254;
/// The maximum number of characters before the `@`.
const MAX_LOCAL_LENGTH: usize = 64;

/// The address of a mailbox: ASCII without any character that could end a header.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Address {
    local: String,
    domain: String,
}

impl Address {
    /// Parses an address. The domain may be internationalized, but the part before the `@` must be ASCII,
    /// because not every mail server accepts other characters there. Whether the mailbox exists becomes clear
    /// only when an e-mail is sent.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (local, domain) = text.rsplit_once('@')?;
        let plain = |c: char| c.is_ascii_graphic() && !"<>(),;:\\\"[]@".contains(c);
        let dotted = |text: &str| text.split('.').all(|part| !part.is_empty());
        if local.len() > MAX_LOCAL_LENGTH || !local.chars().all(plain) || !dotted(local) {
            return None;
        }
        // The strict rules allow only letters, digits and hyphens, in labels of at most 63 characters.
        let domain = idna::domain_to_ascii_strict(domain).ok()?;
        let fits = domain.contains('.') && dotted(&domain) && local.len() + 1 + domain.len() <= MAX_LENGTH;
        // An IP address is not a domain.
        let named = !domain.rsplit('.').next()?.bytes().all(|byte| byte.is_ascii_digit());
        (fits && named).then(|| Self { local: local.to_owned(), domain })
    }

    /// Returns the key under which e-mails to this mailbox are counted.
    ///
    /// Many mail servers deliver `anna`, `Anna`, `an.na` and `anna+chess` to the same mailbox, so these count
    /// as one. Otherwise the limit could be evaded.
    pub(crate) fn hash(&self, key: &[u8]) -> TokenHash {
        let local = self.local.split('+').next().unwrap_or_default().replace('.', "").to_lowercase();
        keyed_hash(key, &["recipient", &local, &self.domain])
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}@{}", self.local, self.domain)
    }
}

/// Returns a keyed hash of a sequence of strings.
pub(crate) fn keyed_hash(key: &[u8], texts: &[&str]) -> TokenHash {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        // HMAC accepts a key of any length, so this does not happen.
        return TokenHash([0; 32]);
    };
    for text in texts {
        // Each string is preceded by its length, which makes the concatenation unambiguous.
        mac.update(&(text.len() as u64).to_be_bytes());
        mac.update(text.as_bytes());
    }
    TokenHash(mac.finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        Address::parse(text).map(|address| address.to_string())
    }

    #[test]
    fn valid_addresses_are_normalized() {
        for (text, address) in [
            ("anna@example.org", "anna@example.org"),
            ("a.b+c@sub.example.org", "a.b+c@sub.example.org"),
            ("Anna@Example.ORG", "Anna@example.org"),
            ("anna@bücher.example", "anna@xn--bcher-kva.example"),
            ("anna@例え.テスト", "anna@xn--r8jz45g.xn--zckzah"),
        ] {
            assert_eq!(read(text).as_deref(), Some(address), "{text}");
        }
    }

    #[test]
    fn invalid_addresses_are_rejected() {
        let long = format!("{}@example.org", "a".repeat(65));
        let longer = format!("a@{}org", "abcdefghi.".repeat(26));
        for text in [
            "",
            "anna",
            "@example.org",
            "anna@",
            "anna@example",
            "a@b@example.org",
            "anna@example.org\r\nBcc: x@y.z",
            "anna@example.org\u{2028}x.y",
            "anna\u{85}@example.org",
            "a b@example.org",
            "é@example.org",
            "a..b@example.org",
            ".a@example.org",
            "a.@example.org",
            "anna@.example.org",
            "anna@example.org.",
            "anna@exa mple.org",
            "anna@exa_mple.org",
            "anna@-example.org",
            "anna@127.0.0.1",
            "anna@[127.0.0.1]",
            "anna@example.org>",
            "\"anna\"@example.org",
            &long,
            &longer,
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn spellings_of_one_mailbox_share_a_hash() {
        let hash = |text: &str| Address::parse(text).unwrap().hash(b"key");
        for same in ["Anna@example.org", "an.na@EXAMPLE.org", "anna+x@example.org", "a.nna+y+z@example.org"] {
            assert_eq!(hash(same), hash("anna@example.org"), "{same}");
        }
        assert_ne!(hash("anna@example.org"), hash("anna@example.com"));
        assert_ne!(hash("anna@example.org"), Address::parse("anna@example.org").unwrap().hash(b"other"));
    }
}
