//! What the search already knows of positions reached by another order of turns.

use adoube_rules::Step;

use crate::score::Score;

/// What a score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    /// The true score is this or more.
    Lower,
    /// The true score is this or less.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u64,
    pub(crate) step: Option<Step>,
    score: i16,
    depth: u8,
    /// `None` marks a place that was never written.
    bound: Option<Bound>,
}

const _: () = assert!(size_of::<Entry>() == 16);

impl Entry {
    const EMPTY: Self = Self { key: 0, step: None, score: 0, depth: 0, bound: None };

    pub(crate) fn score(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// Returns whether the entry decides a node of this depth and window.
    pub(crate) fn decides(&self, depth: i32, ply: usize, alpha: Score, beta: Score) -> bool {
        i32::from(self.depth) >= depth
            && match self.bound {
                Some(Bound::Exact) => true,
                Some(Bound::Lower) => self.score(ply) >= beta,
                Some(Bound::Upper) => self.score(ply) <= alpha,
                None => false,
            }
    }
}

/// A table of fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// 2²⁰ entries of 16 bytes.
    const MOST_ENTRIES: u64 = 1 << 20;

    /// Returns an empty table for a search of so many nodes: at most 16 MiB, less for a short search, because
    /// every search begins with an empty table to be repeatable.
    pub(crate) fn for_nodes(nodes: u64) -> Self {
        let entries = nodes.clamp(1 << 10, Self::MOST_ENTRIES).next_power_of_two();
        Self { entries: vec![Entry::EMPTY; entries as usize] }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key as usize) & (self.entries.len() - 1)
    }

    /// Returns what is known of a position.
    #[inline]
    pub(crate) fn lookup(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[self.place(key)];
        (entry.key == key && entry.bound.is_some()).then_some(entry)
    }

    /// Keeps what was found, unless something much deeper about the same position is known.
    #[inline]
    pub(crate) fn add(
        &mut self,
        key: u64,
        step: Option<Step>,
        score: Score,
        depth: i32,
        ply: usize,
        bound: Bound,
    ) {
        let place = self.place(key);
        let old = &mut self.entries[place];
        let depth = depth.clamp(0, 255) as u8;
        if old.key == key {
            if bound != Bound::Exact && depth.saturating_add(2) < old.depth {
                return;
            }
            // A node that failed low has no best step; the one known before is still the one to try first.
            let step = step.or(old.step);
            *old = Entry { key, step, score: score.to_table(ply), depth, bound: Some(bound) };
        } else {
            *old = Entry { key, step, score: score.to_table(ply), depth, bound: Some(bound) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_decides_only_what_it_knows() {
        let mut table = Table::for_nodes(1);
        table.add(5, None, Score::of_evaluation(30), 4, 0, Bound::Lower);
        let entry = table.lookup(5).expect("just added");
        let (low, high) = (Score::of_evaluation(0), Score::of_evaluation(20));
        assert!(entry.decides(4, 0, low, high));
        assert!(!entry.decides(5, 0, low, high), "too shallow");
        assert!(!entry.decides(4, 0, low, Score::of_evaluation(40)), "the bound does not reach beta");
        assert!(table.lookup(6).is_none());
        assert!(table.lookup(0).is_none(), "an empty place knows nothing of key 0");
    }
}
