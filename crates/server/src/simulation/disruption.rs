//! A record of all disruptions. The timing checks allow for these, and for nothing else.

use std::fmt;

/// The kind of a [`Disruption`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum DisruptionKind {
    /// A process crashed.
    Crash,
    /// A process was shut down.
    Leave,
    /// A process was started.
    Start,
    /// A process was suspended for a while, or all of them were.
    Stall,
    /// The database could not be reached.
    Outage,
    /// The database was slow.
    Slow,
    /// The database made a change, but its response was lost.
    UncertainCommit,
    /// A process was cut off from the bus.
    BusOutage,
}

/// A period in which something was wrong, in milliseconds by the database's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disruption {
    pub(super) kind: DisruptionKind,
    /// The process; `None` if all are affected.
    pub(super) node: Option<usize>,
    pub(super) from: i64,
    /// `i64::MAX` until it has ended.
    pub(super) until: i64,
}

/// Everything that went wrong, in the order in which it was recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Disruptions(Vec<Disruption>);

impl Disruptions {
    /// Records the beginning of a disruption. Returns its number.
    pub(super) fn begin(&mut self, kind: DisruptionKind, node: Option<usize>, from: i64) -> usize {
        self.0.push(Disruption { kind, node, from, until: i64::MAX });
        self.0.len() - 1
    }

    pub(super) fn end(&mut self, number: usize, until: i64) {
        self.0[number].until = until;
    }

    /// Records a disruption without duration.
    pub(super) fn add(&mut self, kind: DisruptionKind, node: Option<usize>, at: i64) {
        self.0.push(Disruption { kind, node, from: at, until: at });
    }

    /// Returns the disruptions that overlap a period.
    pub(super) fn overlapping(&self, from: i64, until: i64) -> impl Iterator<Item = &Disruption> {
        self.0.iter().filter(move |disruption| disruption.from <= until && disruption.until >= from)
    }

    /// Returns the latest end of a disruption that had begun by `at`, or `earliest` if that is later. Returns
    /// `at` if a disruption was still in progress.
    pub(super) fn undisturbed_since(&self, earliest: i64, at: i64) -> i64 {
        let began = self.0.iter().filter(|disruption| disruption.from <= at);
        began.map(|disruption| disruption.until.min(at)).fold(earliest, i64::max)
    }
}

impl Disruptions {
    /// Returns the periods in which none of `count` processes was serving, because each had ended or was
    /// individually suspended. Omits stalls of all processes at once, and a period that has not ended.
    pub(super) fn unserved(&self, count: usize) -> Vec<(i64, i64)> {
        // All changes to processes, as (time, process, whether it runs from then on, or `None` if that does
        // not change, and the change in its number of stalls).
        let mut changes = Vec::new();
        for it in &self.0 {
            match (it.kind, it.node) {
                (DisruptionKind::Start, Some(node)) => changes.push((it.from, node, Some(true), 0)),
                (DisruptionKind::Crash | DisruptionKind::Leave, Some(node)) => {
                    changes.push((it.from, node, Some(false), 0));
                }
                (DisruptionKind::Stall, Some(node)) => {
                    changes.extend([(it.from, node, None, 1), (it.until, node, None, -1)]);
                }
                _ => {}
            }
        }
        changes.sort_by_key(|(at, ..)| *at);
        let mut nodes = vec![(false, 0); count];
        let (mut periods, mut since) = (Vec::new(), None);
        for (at, node, runs, stalls) in changes {
            let (is_running, stopped) = &mut nodes[node];
            *is_running = runs.unwrap_or(*is_running);
            *stopped += stalls;
            let is_served = nodes.iter().any(|(is_running, stopped)| *is_running && *stopped == 0);
            match since {
                None if !is_served => since = Some(at),
                Some(from) if is_served => {
                    periods.push((from, at));
                    since = None;
                }
                _ => {}
            }
        }
        periods
    }
}

/// Merges downtimes that overlap or touch.
pub(super) fn merged(down: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut sorted = down.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (from, until) in sorted {
        match merged.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(until),
            _ => merged.push((from, until)),
        }
    }
    merged
}

impl fmt::Display for Disruptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("disruptions:")?;
        for Disruption { kind, node, from, until } in &self.0 {
            let node = node.map_or_else(String::new, |node| format!(" of {node}"));
            write!(f, " {kind:?}{node} {from}")?;
            if until > from {
                write!(f, " to {until}")?;
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}
