use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Upper bounds of the size classes by which transactions are counted.
pub const GROUP_SIZES: [u64; 8] = [1, 2, 4, 8, 16, 64, 256, 1024];

/// Number and size of the transactions that were written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WriteCounts {
    /// The number of transactions.
    pub groups: u64,
    /// The number of changes in them: turns and, depending on the database, other changes.
    pub changes: u64,
    /// The number of transactions with at most as many changes as the [bound](GROUP_SIZES) at the same index.
    pub by_size: [u64; GROUP_SIZES.len()],
}

/// Counts a writer's transactions.
#[derive(Debug, Default)]
pub struct WriteCounter {
    groups: AtomicU64,
    changes: AtomicU64,
    by_size: [AtomicU64; GROUP_SIZES.len()],
}

impl WriteCounter {
    /// Counts a transaction with this number of changes.
    pub fn record(&self, changes: usize) {
        let changes = u64::try_from(changes).unwrap_or(u64::MAX);
        self.groups.fetch_add(1, Relaxed);
        self.changes.fetch_add(changes, Relaxed);
        for (count, _) in self.by_size.iter().zip(GROUP_SIZES).filter(|&(_, bound)| changes <= bound) {
            count.fetch_add(1, Relaxed);
        }
    }

    pub fn read(&self) -> WriteCounts {
        WriteCounts {
            groups: self.groups.load(Relaxed),
            changes: self.changes.load(Relaxed),
            by_size: std::array::from_fn(|index| self.by_size[index].load(Relaxed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_are_counted_by_size() {
        let counter = WriteCounter::default();
        for changes in [1, 3, 1024, 5000] {
            counter.record(changes);
        }
        let expected = WriteCounts { groups: 4, changes: 6028, by_size: [1, 1, 2, 2, 2, 2, 2, 3] };
        assert_eq!(counter.read(), expected);
    }
}
