//! Message numbers, which let receivers detect losses.

use std::collections::HashMap;

use crate::envelope::Stamp;

/// Maximum number of topics for which a sender keeps counters. Beyond that it discards all of them and starts
/// a new epoch, which its receivers treat as a loss.
const MAX_TOPICS: usize = 32_768;

/// The maximum number of senders that the receiver of a topic tracks. A restarted process is a new sender.
const MAX_SENDERS: usize = 64;

/// The numbers of outgoing messages.
#[derive(Debug)]
pub(crate) struct Numbers {
    node: u64,
    epoch: u32,
    last: HashMap<Box<str>, u64>,
}

impl Numbers {
    pub(crate) fn new(node: u64) -> Self {
        Self { node, epoch: 0, last: HashMap::new() }
    }

    /// Returns the stamp of the next message on a topic.
    pub(crate) fn next(&mut self, topic: &str) -> Stamp {
        let (node, epoch) = (self.node, self.epoch);
        if let Some(last) = self.last.get_mut(topic) {
            *last += 1;
            return Stamp { node, epoch, number: *last };
        }
        if self.last.len() >= MAX_TOPICS {
            self.last.clear();
            self.epoch = self.epoch.wrapping_add(1);
        }
        self.last.insert(topic.into(), 1);
        Stamp { node, epoch: self.epoch, number: 1 }
    }
}

/// The position of a received message relative to earlier ones from the same sender.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum SequenceCheck {
    /// The message follows the previous one.
    InOrder,
    /// Messages before this one may have been lost.
    AfterLoss,
    /// The message is a duplicate, or it is late and its loss was already reported.
    TooLate,
}

/// The last numbers received on one topic.
#[derive(Debug, Default)]
pub(crate) struct ReceivedNumbers {
    /// The last stamp of each sender; the sender heard from most recently is at the end.
    senders: Vec<Stamp>,
    /// Whether a sender was removed to make room for another.
    has_forgotten: bool,
}

impl ReceivedNumbers {
    /// Records the stamp of a message, and compares it with the last one from the same sender.
    pub(crate) fn check(&mut self, stamp: Stamp) -> SequenceCheck {
        let Some(index) = self.senders.iter().position(|sender| sender.node == stamp.node) else {
            // Usually the sender's first message since the subscription. The store has everything before it.
            // But the sender may have been forgotten, unless this is its very first message.
            let is_first = stamp.epoch == 0 && stamp.number == 1;
            let may_follow_loss = self.has_forgotten && !is_first;
            if self.senders.len() >= MAX_SENDERS {
                self.senders.remove(0);
                self.has_forgotten = true;
            }
            self.senders.push(stamp);
            return if may_follow_loss { SequenceCheck::AfterLoss } else { SequenceCheck::InOrder };
        };
        let last = self.senders.remove(index);
        if last.epoch == stamp.epoch && stamp.number <= last.number {
            self.senders.push(last);
            return SequenceCheck::TooLate;
        }
        self.senders.push(stamp);
        let is_next = last.epoch == stamp.epoch && stamp.number == last.number + 1;
        if is_next { SequenceCheck::InOrder } else { SequenceCheck::AfterLoss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_found_for_each_sender() {
        let (mut one, mut two) = (Numbers::new(1), Numbers::new(2));
        let mut received = ReceivedNumbers::default();
        // The subscription begins after the first message.
        one.next("topic");
        let early = one.next("topic");
        assert_eq!(received.check(early), SequenceCheck::InOrder);
        assert_eq!(received.check(two.next("topic")), SequenceCheck::InOrder);
        one.next("other");
        assert_eq!(received.check(one.next("topic")), SequenceCheck::InOrder);
        let lost = one.next("topic");
        assert_eq!(received.check(one.next("topic")), SequenceCheck::AfterLoss);
        assert_eq!(received.check(lost), SequenceCheck::TooLate);
        assert_eq!(received.check(early), SequenceCheck::TooLate);
        assert_eq!(received.check(one.next("topic")), SequenceCheck::InOrder);
        assert_eq!(received.check(two.next("topic")), SequenceCheck::InOrder);
    }

    #[test]
    fn discarded_counters_count_as_a_loss_and_memory_is_bounded() {
        let mut numbers = Numbers::new(1);
        let mut received = ReceivedNumbers::default();
        assert_eq!(received.check(numbers.next("topic")), SequenceCheck::InOrder);
        for topic in 0..MAX_TOPICS {
            numbers.next(&topic.to_string());
            assert!(numbers.last.len() <= MAX_TOPICS);
        }
        assert_eq!(received.check(numbers.next("topic")), SequenceCheck::AfterLoss);
        assert_eq!(received.check(numbers.next("topic")), SequenceCheck::InOrder);
        for node in 2..1_000 {
            received.check(Stamp { node, epoch: 0, number: 1 });
            assert!(received.senders.len() <= MAX_SENDERS);
        }
    }

    #[test]
    fn a_loss_from_a_forgotten_sender_is_found() {
        let mut received = ReceivedNumbers::default();
        let stamp = |node: u64, number: u64| Stamp { node, epoch: 0, number };
        // The first is heard from again after each of the others, so it is never forgotten.
        for node in 1..=MAX_SENDERS as u64 + 1 {
            assert_eq!(received.check(stamp(node, 5)), SequenceCheck::InOrder, "{node}");
            assert_eq!(received.check(stamp(1, 5 + node)), SequenceCheck::InOrder, "{node}");
        }
        // The second has been forgotten, and its messages 6 and 7 were lost.
        assert_eq!(received.check(stamp(2, 8)), SequenceCheck::AfterLoss);
        assert_eq!(received.check(stamp(2, 9)), SequenceCheck::InOrder);
        // No messages from a process that has just started can have been lost.
        assert_eq!(received.check(stamp(1_000, 1)), SequenceCheck::InOrder);
        assert_eq!(received.check(stamp(1_000, 3)), SequenceCheck::AfterLoss);
    }
}
