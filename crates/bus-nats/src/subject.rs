//! The NATS subjects for a house's topics.
//!
//! All subjects begin with the prefix from the settings, so that one permission covers them: `PREFIX.>`.

use std::fmt::Write as _;

use adoube_bus::BusError;

/// Maximum length of a topic in bytes. Each byte may take three bytes of the subject, and a line of the
/// protocol has at most 4096 bytes.
const MAX_TOPIC_LENGTH: usize = 512;

/// The subjects of one house.
#[derive(Clone, Debug)]
pub(crate) struct Subjects {
    prefix: String,
    /// The prefix, followed by the id of the house.
    house: String,
}

impl Subjects {
    pub(crate) fn new(prefix: &str, house: &str) -> Self {
        Self { prefix: prefix.to_owned(), house: format!("{prefix}.{}", token(house)) }
    }

    pub(crate) fn topic(&self, topic: &str) -> Result<String, BusError> {
        if topic.len() > MAX_TOPIC_LENGTH {
            return Err(BusError::TopicTooLong { length: topic.len(), limit: MAX_TOPIC_LENGTH });
        }
        Ok(format!("{}.topic.{}", self.house, token(topic)))
    }

    /// Returns the subject of messages that report a possible loss of notices on any topic.
    pub(crate) fn lost(&self) -> String {
        format!("{}.lost", self.house)
    }

    /// Returns the subject on which processes ask each other for the id of their house. All houses share it.
    pub(crate) fn houses(&self) -> String {
        format!("{}.houses", self.prefix)
    }

    /// Returns a subject without subscribers, on which the server itself replies to a request after
    /// processing all earlier messages.
    pub(crate) fn without_subscribers(&self) -> String {
        format!("{}.nobody", self.house)
    }

    /// Returns the prefix of the subjects on which replies arrive.
    pub(crate) fn reply_prefix(&self) -> String {
        format!("{}.inbox", self.prefix)
    }
}

/// Encodes any text reversibly as one token of a subject. ASCII letters, digits and hyphens stay as they are;
/// every other byte becomes `_` and two hexadecimal digits; and the empty text becomes `_`.
fn token(text: &str) -> String {
    if text.is_empty() {
        return "_".to_owned();
    }
    let mut token = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            token.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(token, "_{byte:02x}");
        }
    }
    token
}

/// Returns `true` if a string is a valid prefix: tokens of ASCII letters, digits, `-` and `_`, separated by
/// dots, at most 100 bytes in all.
pub(crate) fn is_prefix(text: &str) -> bool {
    let is_token = |token: &str| {
        !token.is_empty()
            && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    text.len() <= 100 && text.split('.').all(is_token)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Decodes a token.
    fn decode(token: &str) -> Option<String> {
        let mut bytes = Vec::new();
        let mut rest = token.as_bytes();
        if rest == b"_" {
            return Some(String::new());
        }
        while let Some((&first, others)) = rest.split_first() {
            if first == b'_' {
                let (digits, others) = others.split_at_checked(2)?;
                bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
                rest = others;
            } else {
                bytes.push(first);
                rest = others;
            }
        }
        String::from_utf8(bytes).ok()
    }

    #[test]
    fn every_topic_is_one_token_and_can_be_decoded() {
        let topics =
            ["", "_", "a", "A", "hall 1", "a.b", "*", ">", "a.>", "_20", "\r\n", "\0", "é", "棋", "$SYS"];
        let mut tokens = HashSet::new();
        for topic in topics {
            let token = token(topic);
            assert!(is_prefix(&token) && !token.contains('.'), "{topic:?}: {token}");
            assert_eq!(decode(&token).as_deref(), Some(topic));
            assert!(tokens.insert(token));
        }
    }

    #[test]
    fn the_length_of_a_topic_is_limited() {
        let subjects = Subjects::new("adoube", "house");
        assert_eq!(subjects.topic("hall 1").unwrap(), "adoube.house.topic.hall_201");
        assert!(subjects.topic(&"é".repeat(256)).unwrap().len() < 2_000);
        assert!(matches!(
            subjects.topic(&"x".repeat(513)),
            Err(BusError::TopicTooLong { length: 513, limit: 512 })
        ));
    }

    #[test]
    fn prefixes_are_tokens() {
        for good in ["adoube", "clubs.one", "a-b_c.D.9"] {
            assert!(is_prefix(good), "{good}");
        }
        for bad in ["", ".", "a.", ".a", "a..b", "a b", "a.*", ">", "é", &"x".repeat(101)] {
            assert!(!is_prefix(bad), "{bad}");
        }
    }
}
