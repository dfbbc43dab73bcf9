//! The transposition table: search results for positions, regardless of the path to them. Shared by all
//! threads without a lock.
//!
//! An entry is two words that are read and written separately, so a thread may read halves written by two
//! others. Therefore the first word is the key combined with the second word by XOR: only halves that belong
//! together give back the key (Hyatt and Mann, *A lock-less transposition-table implementation for parallel
//! search chess engines*, 2002). A mixed entry is a miss, never a wrong result.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use adoube_rules::Step;

use crate::{memory::prefer_huge_pages, score::Score};

/// The relation of a score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    Exact = 3,
}

/// The stored data about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableHit {
    pub(crate) step: Option<Step>,
    score: i16,
    /// The static evaluation, if it was computed.
    pub(crate) evaluation: Option<i16>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was on a principal variation when it was stored.
    pub(crate) was_pv: bool,
}

impl TableHit {
    #[inline]
    pub(crate) fn score(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// Returns `true` if the stored score causes a cutoff in a node with this window. Ignores the depth.
    #[inline]
    pub(crate) fn causes_cutoff(&self, ply: usize, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score(ply) >= beta,
            Bound::Upper => self.score(ply) <= alpha,
        }
    }
}

/// The data to store about a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRecord {
    pub(crate) step: Option<Step>,
    pub(crate) score: Score,
    pub(crate) evaluation: Option<i16>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) is_pv: bool,
}

/// The second word of an entry, from the lowest bit: step (16 bits), score (16), evaluation (16), depth (8),
/// bound (2), principal variation (1), age (5).
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    /// Represents a missing evaluation; no evaluation comes near it.
    const NO_EVALUATION: i16 = i16::MIN;
    /// Added to depths, so that they are stored without a sign.
    const DEPTH_OFFSET: i32 = 8;
    const AGE_COUNT: u8 = 32;

    fn new(record: &NodeRecord, step: Option<Step>, ply: usize, age: u8) -> Self {
        let score = record.score.to_table(ply) as u16;
        let evaluation = record.evaluation.unwrap_or(Self::NO_EVALUATION) as u16;
        let depth = (record.depth + Self::DEPTH_OFFSET).clamp(0, 255) as u8;
        let flags = age << 3 | u8::from(record.is_pv) << 2 | record.bound as u8;
        Self(
            step.map_or(0, |step| u64::from(step.to_bits()))
                | u64::from(score) << 16
                | u64::from(evaluation) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    #[inline]
    const fn depth(self) -> i32 {
        (self.0 >> 48 & 0xff) as i32 - Self::DEPTH_OFFSET
    }

    #[inline]
    const fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    fn to_hit(self) -> Option<TableHit> {
        let evaluation = (self.0 >> 32) as i16;
        Some(TableHit {
            step: Step::from_bits(self.0 as u16),
            score: (self.0 >> 16) as i16,
            evaluation: (evaluation != Self::NO_EVALUATION).then_some(evaluation),
            depth: self.depth(),
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => return None,
            },
            was_pv: self.0 >> 58 & 1 != 0,
        })
    }
}

#[derive(Default, Debug)]
struct Entry {
    /// The key of the position, combined with the data by XOR.
    check: AtomicU64,
    data: AtomicU64,
}

impl Entry {
    #[inline]
    fn load(&self) -> (u64, Data) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, Data(data))
    }

    #[inline]
    fn store(&self, key: u64, data: Data) {
        self.data.store(data.0, Relaxed);
        self.check.store(key ^ data.0, Relaxed);
    }
}

/// The entries that may contain a position: one cache line.
#[repr(align(64))]
#[derive(Default, Debug)]
struct Cluster([Entry; 4]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// The error for insufficient memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there is not enough memory for a table of that size")
    }
}

impl std::error::Error for OutOfMemory {}

/// A table of fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

impl Table {
    /// Returns an empty table of this many mebibytes, at least one.
    pub(crate) fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(OutOfMemory)?;
        Self::with_clusters(bytes / size_of::<Cluster>())
    }

    /// Returns an empty table large enough for a single search of this many nodes, at most 16 MiB.
    pub(crate) fn for_nodes(nodes: u64) -> Result<Self, OutOfMemory> {
        Self::with_clusters((nodes / 2).clamp(1 << 8, 1 << 18) as usize)
    }

    fn with_clusters(count: usize) -> Result<Self, OutOfMemory> {
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(count).map_err(|_| OutOfMemory)?;
        prefer_huge_pages(&mut clusters);
        clusters.resize_with(count, Cluster::default);
        Ok(Self { clusters, age: AtomicU8::new(0) })
    }

    /// Returns the size in mebibytes.
    pub(crate) fn size(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// Clears the table.
    pub(crate) fn clear(&self) {
        // Skip empty entries: in WebAssembly with shared memory, every store is a fence.
        let is_used = |entry: &&Entry| entry.data.load(Relaxed) != 0;
        for entry in self.clusters.iter().flat_map(|cluster| &cluster.0).filter(is_used) {
            entry.check.store(0, Relaxed);
            entry.data.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// Makes existing entries older, so that new ones replace them first.
    pub(crate) fn grow_older(&self) {
        self.age.store((self.age() + 1) % Data::AGE_COUNT, Relaxed);
    }

    #[inline]
    fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    /// Estimates the share of the table filled by the current search, in thousandths.
    pub(crate) fn fullness(&self) -> usize {
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let entries = sample.iter().flat_map(|cluster| &cluster.0);
        let age = self.age();
        let used = entries.map(Entry::load).filter(|(_, data)| data.0 != 0 && data.age() == age).count();
        used * 1_000 / (sample.len() * 4)
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // The high half of the product scales the key to any table size (Lemire, 2016).
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Prefetches a position that will be looked up soon, because the table is usually too large for a cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch cannot fault and changes nothing, whatever the address; this one is inside
            // the table. Measured with `adoube bench` in chess: without the prefetch, a quarter of the
            // profiler's samples in `node` were waits for the cache line.
            #[expect(unsafe_code, reason = "there is no safe way to prefetch")]
            unsafe {
                _mm_prefetch(std::ptr::from_ref(self.cluster(key)).cast(), _MM_HINT_T0);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Returns the entry for a position.
    #[inline]
    pub(crate) fn lookup(&self, key: u64) -> Option<TableHit> {
        let mut entries = self.cluster(key).0.iter().map(Entry::load);
        entries.find(|(found, data)| *found == key && data.0 != 0).and_then(|(_, data)| data.to_hit())
    }

    /// Stores a result. If it is only a bound, a much deeper result of the same search for the same position
    /// is kept instead.
    #[inline]
    pub(crate) fn add(&self, key: u64, ply: usize, record: &NodeRecord) {
        let cluster = self.cluster(key);
        let age = self.age();
        let mut worst: Option<(&Entry, i32)> = None;
        for entry in &cluster.0 {
            let (found, data) = entry.load();
            if found == key && data.0 != 0 {
                let much_deeper = data.depth() > record.depth + 3;
                if much_deeper && record.bound != Bound::Exact && data.age() == age {
                    return;
                }
                // A node that failed low has no best step. The previous best step is still the best to try
                // first.
                let step = record.step.or(Step::from_bits(data.0 as u16));
                entry.store(key, Data::new(record, step, ply, age));
                return;
            }
            let age_difference = (age + Data::AGE_COUNT - data.age()) % Data::AGE_COUNT;
            let worth = if data.0 == 0 { i32::MIN } else { data.depth() - 4 * i32::from(age_difference) };
            if worst.is_none_or(|(_, min)| worth < min) {
                worst = Some((entry, worth));
            }
        }
        if let Some((entry, _)) = worst {
            entry.store(key, Data::new(record, record.step, ply, age));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use adoube_rules::Square;

    use super::*;

    fn record(score: i32, depth: i32, bound: Bound) -> NodeRecord {
        let step = Some(Step::new(Square::E2, Square::E4));
        NodeRecord {
            step,
            score: Score::of_evaluation(score),
            evaluation: Some(-7),
            depth,
            bound,
            is_pv: true,
        }
    }

    #[test]
    fn an_entry_round_trips() {
        let table = Table::new(1).expect("a mebibyte");
        table.add(5, 0, &record(30, 4, Bound::Lower));
        let known = table.lookup(5).expect("just added");
        assert_eq!(known.score(0), Score::of_evaluation(30));
        assert_eq!((known.depth, known.bound, known.was_pv), (4, Bound::Lower, true));
        assert_eq!((known.evaluation, known.step), (Some(-7), Some(Step::new(Square::E2, Square::E4))));
        assert!(known.causes_cutoff(0, Score::of_evaluation(0), Score::of_evaluation(20)));
        assert!(!known.causes_cutoff(0, Score::of_evaluation(0), Score::of_evaluation(40)));
        assert!(table.lookup(6).is_none());
        assert!(table.lookup(0).is_none(), "an empty entry does not match key 0");
    }

    #[test]
    fn a_step_survives_a_node_that_failed_low() {
        let table = Table::new(1).expect("a mebibyte");
        table.add(5, 0, &record(30, 4, Bound::Exact));
        table.add(5, 0, &NodeRecord { step: None, ..record(-10, 5, Bound::Upper) });
        let known = table.lookup(5).expect("added twice");
        assert_eq!((known.depth, known.step), (5, Some(Step::new(Square::E2, Square::E4))));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let table = Table::with_clusters(1).expect("one cluster");
        for key in 1..=4 {
            table.add(key, 0, &record(0, 10 + key as i32, Bound::Exact));
        }
        table.grow_older();
        table.add(1, 0, &record(0, 9, Bound::Exact));
        table.add(9, 0, &record(0, 1, Bound::Exact));
        assert!(table.lookup(2).is_none(), "deeper than the first one, but old");
        assert!([1, 3, 4, 9].into_iter().all(|key| table.lookup(key).is_some()));
    }

    #[test]
    fn mixed_entries_are_misses() {
        let entry = Entry::default();
        let first = Data::new(&record(1, 1, Bound::Exact), None, 0, 0);
        let second = Data::new(&record(2, 2, Bound::Exact), None, 0, 0);
        entry.store(11, first);
        // Simulates another thread that has written only one half so far.
        entry.data.store(second.0, Relaxed);
        assert!(![11, 12].contains(&entry.load().0));
    }

    #[test]
    fn concurrent_writes_never_give_a_mixed_result() {
        // The score, evaluation and depth of a record are the same number, so that a mixed one can be
        // recognised.
        let table = Table::with_clusters(1).expect("one cluster");
        let keys: Vec<u64> = (1..=16_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let work = |from: usize| {
            let mut hits = 0;
            for round in 0..40_000 {
                let index = (round + from) % keys.len();
                let number = index as i32 + 1;
                let evaluation = Some(number as i16);
                table.add(keys[index], 0, &NodeRecord { evaluation, ..record(number, number, Bound::Exact) });
                let other = (round * 7 + from) % keys.len();
                if let Some(known) = table.lookup(keys[other]) {
                    let number = other as i32 + 1;
                    assert_eq!(known.score(0), Score::of_evaluation(number));
                    assert_eq!((known.depth, known.evaluation), (number, Some(number as i16)));
                    hits += 1;
                }
            }
            hits
        };
        let hits: usize = thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|from| scope.spawn(move || work(from * 5))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no mixed entry")).sum()
        });
        assert!(hits > 1_000, "{hits}");
    }

    #[test]
    fn a_table_larger_than_memory_is_refused() {
        assert_eq!(Table::new(usize::MAX).err(), Some(OutOfMemory));
        assert_eq!(Table::new(usize::MAX >> 21).err(), Some(OutOfMemory));
    }
}
