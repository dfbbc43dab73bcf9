//! The encoding of messages: a fixed-size header followed by the body of a notice.
//!
//! NATS headers are not used: they are a map of strings, which is slow to parse for thousands of notices a
//! second.

use adoube_bus::Notice;
use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

/// The version of the encoding. A process treats a message of an unknown version as lost.
const VERSION: u8 = 1;
/// Length of the header in bytes.
pub(crate) const HEADER_LEN: usize = 1 + 1 + 8 + 4 + 8 + 8 + 1;

/// A message from one process to the others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Envelope {
    pub(crate) stamp: Stamp,
    pub(crate) content: Content,
}

/// The sender of a message, and its number among that sender's messages on the topic.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Stamp {
    /// The random id of the sender.
    pub(crate) node: u64,
    /// Changes when the sender discards its counters and starts again from 1.
    pub(crate) epoch: u32,
    /// The number of the message among the sender's messages on this topic, starting at 1.
    pub(crate) number: u64,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Content {
    Notice(Notice),
    /// A notice could not be sent.
    Lost,
}

impl Envelope {
    pub(crate) fn write(&self) -> Bytes {
        let body = match &self.content {
            Content::Notice(notice) => &*notice.body,
            Content::Lost => &[],
        };
        let mut bytes = BytesMut::with_capacity(HEADER_LEN + body.len());
        bytes.put_u8(VERSION);
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

    /// Decodes a message. Returns `None` if it is truncated or its encoding is unknown.
    pub(crate) fn read(mut bytes: Bytes) -> Option<Self> {
        if bytes.len() < HEADER_LEN || bytes.get_u8() != VERSION {
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
    fn messages_round_trip() {
        let stamp = Stamp { node: u64::MAX, epoch: 7, number: 1 << 40 };
        let notice = |body: &'static str| Notice { sequence: u64::MAX - 1, audience: 200, body: body.into() };
        for content in [Content::Notice(notice("")), Content::Notice(notice("body")), Content::Lost] {
            let envelope = Envelope { stamp, content };
            assert_eq!(Envelope::read(envelope.write()), Some(envelope));
        }
    }

    #[test]
    fn unknown_encodings_are_not_read() {
        let stamp = Stamp { node: 1, epoch: 0, number: 1 };
        let good = Envelope { stamp, content: Content::Lost }.write();
        for length in 0..HEADER_LEN {
            assert_eq!(Envelope::read(good.slice(..length)), None);
        }
        for (at, other) in [(0, 0), (0, 2), (1, 2)] {
            let mut bad = good.to_vec();
            bad[at] = other;
            assert_eq!(Envelope::read(bad.into()), None);
        }
    }
}
