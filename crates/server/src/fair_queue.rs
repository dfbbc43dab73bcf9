//! A fair queue.
//!
//! In a first-in, first-out queue, one visitor with many requests would delay all others. In this queue the
//! tenants take turns, and if the queue is full, the tenant with the most items loses one.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

#[derive(Debug)]
pub(crate) struct FairQueue<K, T> {
    waiting: HashMap<K, VecDeque<T>>,
    /// The tenants that have waiting items, in the order of their turns.
    turns: VecDeque<K>,
    /// The number of items in progress, by tenant.
    running: HashMap<K, usize>,
    /// The tenant whose item was taken last.
    last: Option<K>,
    count: usize,
    capacity: usize,
    max_running_per_tenant: usize,
}

impl<K: Clone + Eq + Hash, T> FairQueue<K, T> {
    /// Creates a queue in which at most `capacity` items wait and at most `max_running_per_tenant` items of
    /// one tenant are in progress at the same time.
    pub(crate) fn new(capacity: usize, max_running_per_tenant: usize) -> Self {
        Self {
            waiting: HashMap::new(),
            turns: VecDeque::new(),
            running: HashMap::new(),
            last: None,
            count: 0,
            capacity,
            max_running_per_tenant: max_running_per_tenant.max(1),
        }
    }

    /// Adds an item. If the queue is full, returns the item that is displaced: the last item of the tenant
    /// with the most items, or the new item itself.
    pub(crate) fn push(&mut self, tenant: K, item: T) -> Option<T> {
        let mut displaced = None;
        if self.count >= self.capacity {
            let mine = self.waiting.get(&tenant).map_or(0, VecDeque::len);
            let largest = self.waiting.iter().max_by_key(|(_, items)| items.len());
            let Some(largest) =
                largest.filter(|(_, items)| items.len() > mine + 1).map(|(key, _)| key.clone())
            else {
                return Some(item);
            };
            displaced = self.waiting.get_mut(&largest).and_then(VecDeque::pop_back);
            self.count -= usize::from(displaced.is_some());
        }
        let items = self.waiting.entry(tenant.clone()).or_default();
        if items.is_empty() {
            self.turns.push_back(tenant);
        }
        items.push_back(item);
        self.count += 1;
        displaced
    }

    /// Takes the first item of the tenant whose turn it is. The caller must call [`finish`](Self::finish)
    /// when the item is done.
    pub(crate) fn pop(&mut self) -> Option<(K, T)> {
        let may_run = |tenant: &K| {
            self.running.get(tenant).is_none_or(|&running| running < self.max_running_per_tenant)
        };
        // A tenant that arrives while another tenant's item is in progress goes before that tenant's next
        // item.
        let is_other = |tenant: &K| self.last.as_ref() != Some(tenant);
        let next = self.turns.iter().position(|tenant| may_run(tenant) && is_other(tenant));
        let next = next.or_else(|| self.turns.iter().position(may_run))?;
        let tenant = self.turns.remove(next)?;
        let items = self.waiting.get_mut(&tenant)?;
        let item = items.pop_front()?;
        self.count -= 1;
        if items.is_empty() {
            self.waiting.remove(&tenant);
        } else {
            self.turns.push_back(tenant.clone());
        }
        *self.running.entry(tenant.clone()).or_default() += 1;
        self.last = Some(tenant.clone());
        Some((tenant, item))
    }

    pub(crate) fn finish(&mut self, tenant: &K) {
        if let Some(running) = self.running.get_mut(tenant) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(tenant);
            }
        }
    }

    /// Removes the items that are no longer wanted.
    pub(crate) fn retain(&mut self, mut is_wanted: impl FnMut(&T) -> bool) {
        for items in self.waiting.values_mut() {
            items.retain(&mut is_wanted);
        }
        self.waiting.retain(|_, items| !items.is_empty());
        self.turns.retain(|tenant| self.waiting.contains_key(tenant));
        self.count = self.waiting.values().map(VecDeque::len).sum();
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(fair: &mut FairQueue<char, u32>) -> Vec<(char, u32)> {
        std::iter::from_fn(|| {
            let (tenant, item) = fair.pop()?;
            fair.finish(&tenant);
            Some((tenant, item))
        })
        .collect()
    }

    #[test]
    fn tenants_take_turns_regardless_of_their_number_of_items() {
        let mut fair = FairQueue::new(100, 9);
        for item in 0..60 {
            assert_eq!(fair.push('a', item), None);
        }
        fair.push('b', 1);
        fair.push('c', 1);
        fair.push('b', 2);
        let order = drain(&mut fair);
        assert_eq!(order[..6], [('a', 0), ('b', 1), ('c', 1), ('a', 1), ('b', 2), ('a', 2)]);
        assert_eq!((order.len(), fair.len()), (63, 0));
    }

    #[test]
    fn in_a_full_queue_the_tenant_with_the_most_items_loses_one() {
        let mut fair = FairQueue::new(4, 9);
        for item in 0..4 {
            assert_eq!(fair.push('a', item), None);
        }
        assert_eq!(fair.push('a', 4), Some(4));
        assert_eq!(fair.push('b', 10), Some(3));
        assert_eq!(fair.push('b', 11), Some(2));
        // Now both tenants have two items.
        assert_eq!(fair.push('b', 12), Some(12));
        assert_eq!(fair.push('a', 5), Some(5));
        // If two tenants have the same number of items, either may lose one.
        assert!(matches!(fair.push('c', 20), Some(1 | 11)));
        assert_eq!(fair.len(), 4);
    }

    #[test]
    fn one_tenant_does_not_take_all_slots() {
        let mut fair = FairQueue::new(9, 1);
        for (tenant, item) in [('a', 1), ('a', 2), ('b', 1)] {
            fair.push(tenant, item);
        }
        assert_eq!(fair.pop(), Some(('a', 1)));
        assert_eq!(fair.pop(), Some(('b', 1)));
        assert_eq!(fair.pop(), None);
        fair.finish(&'a');
        assert_eq!(fair.pop(), Some(('a', 2)));
    }

    #[test]
    fn a_tenant_that_arrives_while_another_is_served_is_next() {
        let mut fair = FairQueue::new(9, 1);
        fair.push('a', 1);
        fair.push('a', 2);
        assert_eq!(fair.pop(), Some(('a', 1)));
        fair.push('b', 1);
        fair.finish(&'a');
        assert_eq!(drain(&mut fair), [('b', 1), ('a', 2)]);
    }

    #[test]
    fn unwanted_items_are_removed() {
        let mut fair = FairQueue::new(2, 1);
        fair.push('a', 1);
        fair.push('b', 2);
        fair.retain(|&item| item == 2);
        assert_eq!(fair.push('a', 3), None);
        assert_eq!(drain(&mut fair), [('b', 2), ('a', 3)]);
    }
}
