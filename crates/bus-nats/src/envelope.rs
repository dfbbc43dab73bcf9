//! What a message holds beside the body of a notice.
//!
//! A fixed head before the body rather than headers of NATS: those are a map of texts, which each receiver would read
//! anew for thousands of notices a second.

use adoube_bus::Notice;
use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

/// The number of this form. Processes that do not know the form of a message take it for a loss.
const FORM: u8 = 1;
/// Bytes before the body.
pub(crate) const HEAD: usize = 1 + 1 + 8 + 4 + 8 + 8 + 1;

/// A message from one process to the others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Envelope {
    pub(crate) stamp: Stamp,
    pub(crate) content: Content,
}

/// Where a message stands among those of its sender.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Stamp {
    /// The process that has sent the message.
    pub(crate) node: u64,
    /// Changes when the sender has forgotten its numbers.
    pub(crate) epoch: u32,
    /// One more than that of the message before it on the same topic.
    pub(crate) number: u64,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Content {
    Notice(Notice),
    /// The sender could not send a notice.
    Lost,
}

impl Envelope {
    pub(crate) fn write(&self) -> Bytes {
        let body = match &self.content {
            Content::Notice(notice) => &*notice.body,
            Content::Lost => &[],
        };
        let mut bytes = BytesMut::with_capacity(HEAD + body.len());
        bytes.put_u8(FORM);
        bytes.put_u8(u8::from(self.content == Content::Lost));
        bytes.put_u64(self.stamp.node);
        bytes.put_u32(self.stamp.epoch);
        bytes.put_u64(self.stamp.number);
        let (sequence, audience) = match &self.content {
            Content::Notice(notice) => (notice.sequence, notice.audience),
            Content::Lost => (0, 0),
        };
        bytes.put_u64(sequence);
        bytes.put_u8(audience);
        bytes.put_slice(body);
        bytes.freeze()
    }

    /// Reads a message; `None` if it has another form.
    pub(crate) fn read(mut bytes: Bytes) -> Option<Self> {
        if bytes.len() < HEAD || bytes.get_u8() != FORM {
            return None;
        }
        let kind = bytes.get_u8();
        let stamp = Stamp { node: bytes.get_u64(), epoch: bytes.get_u32(), number: bytes.get_u64() };
        let (sequence, audience) = (bytes.get_u64(), bytes.get_u8());
        let content = match kind {
            0 => Content::Notice(Notice { sequence, audience, body: bytes }),
            1 => Content::Lost,
            _ => return None,
        };
        Some(Self { stamp, content })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let stamp = Stamp { node: u64::MAX, epoch: 7, number: 1 << 40 };
        let notice = |body: &'static str| Notice { sequence: u64::MAX - 1, audience: 200, body: body.into() };
        for content in [Content::Notice(notice("")), Content::Notice(notice("body")), Content::Lost] {
            let envelope = Envelope { stamp, content };
            assert_eq!(Envelope::read(envelope.write()), Some(envelope));
        }
    }

    #[test]
    fn other_forms_are_not_read() {
        let stamp = Stamp { node: 1, epoch: 0, number: 1 };
        let good = Envelope { stamp, content: Content::Lost }.write();
        for length in 0..HEAD {
            assert_eq!(Envelope::read(good.slice(..length)), None);
        }
        for (at, other) in [(0, 0), (0, 2), (1, 2)] {
            let mut bad = good.to_vec();
            bad[at] = other;
            assert_eq!(Envelope::read(bad.into()), None);
        }
    }
}
