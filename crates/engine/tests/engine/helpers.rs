//! Tests of threads that wait for searches, like the workers of a web page.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use adoube_engine::{Control, Engine, Helpers, Info, Limits, STACK, SearchReport};
use adoube_rules::{AnyPosition, Variant};

/// An engine, and threads that wait for its searches.
struct HelperThreads {
    engine: Engine,
    helpers: Arc<Helpers>,
    threads: Vec<JoinHandle<()>>,
}

impl HelperThreads {
    fn new(waiting: usize, expected: usize) -> Self {
        let mut engine = Engine::new(4, 1).expect("a table");
        let helpers = Arc::new(Helpers::default());
        engine.set_helpers(Arc::clone(&helpers), expected);
        let mut helpers = Self { engine, helpers, threads: Vec::new() };
        (0..waiting).for_each(|_| helpers.add());
        helpers
    }

    fn add(&mut self) {
        self.threads.push(start(&self.helpers));
    }

    fn search(
        &mut self,
        variant: Variant,
        fen: &str,
        limits: &Limits,
        control: &Control<'_>,
    ) -> SearchReport {
        let position = AnyPosition::from_fen(variant, fen).expect("a position");
        self.engine.search(&position, &[], limits, control).expect("a legal turn")
    }

    /// Searches until this many threads have joined, which may take a while on a busy machine.
    fn search_until(&mut self, threads: usize) -> SearchReport {
        self.search_until_reported(threads, &|| {})
    }

    fn search_until_reported(&mut self, threads: usize, on_report: &dyn Fn()) -> SearchReport {
        let started = Instant::now();
        let seen = Cell::new(0);
        let report = |info: &Info| {
            seen.set(seen.get().max(info.threads));
            on_report();
        };
        let stop = || {
            assert!(started.elapsed() < Duration::from_mins(1), "{} threads take part", seen.get());
            seen.get() >= threads
        };
        let control = Control { stop: &stop, report: Some(&report), ..Control::NONE };
        self.search(Variant::Chess, MIDDLE_GAME, &Limits::default(), &control)
    }
}

fn start(helpers: &Arc<Helpers>) -> JoinHandle<()> {
    let helpers = Arc::clone(helpers);
    thread::Builder::new().stack_size(STACK).spawn(move || helpers.help()).expect("a thread")
}

impl Drop for HelperThreads {
    fn drop(&mut self) {
        self.helpers.dismiss();
        for thread in self.threads.drain(..) {
            thread.join().expect("a thread that was dismissed");
        }
    }
}

const MIDDLE_GAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

#[test]
fn waiting_threads_take_part_up_to_the_limit() {
    let mut helpers = HelperThreads::new(3, 2);
    let report = helpers.search_until(3);
    assert_eq!(report.threads, 3, "the searching thread and two of the three helpers");
    // Two helpers, not necessarily the same ones, join every later search.
    for _ in 0..20 {
        assert_eq!(helpers.search_until(3).threads, 3);
    }
}

#[test]
fn a_late_thread_joins_the_next_search() {
    let mut helpers = HelperThreads::new(0, 3);
    let limits = Limits::nodes(20_000);
    assert_eq!(helpers.search(Variant::Chess, MIDDLE_GAME, &limits, &Control::NONE).threads, 1);
    helpers.add();
    assert_eq!(helpers.search_until(2).threads, 2);
}

#[test]
fn a_thread_that_starts_during_a_search_joins_it() {
    let mut helpers = HelperThreads::new(0, 1);
    let (shared, late) = (Arc::clone(&helpers.helpers), RefCell::new(None));
    let report = helpers.search_until_reported(2, &|| {
        late.borrow_mut().get_or_insert_with(|| start(&shared));
    });
    assert_eq!(report.threads, 2);
    helpers.threads.extend(late.into_inner());
}

#[test]
fn nodes_of_all_threads_are_limited_together() {
    let mut helpers = HelperThreads::new(2, 2);
    let report = helpers.search(Variant::Chess, MIDDLE_GAME, &Limits::nodes(300_000), &Control::NONE);
    assert!((299_000..330_000).contains(&report.nodes), "{}", report.nodes);
}

#[test]
fn certain_wins_are_found_with_helpers() {
    let mut helpers = HelperThreads::new(2, 2);
    for (variant, fen, plies) in [
        (Variant::Chess, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 3),
        (Variant::Baroque, "6N1/1p6/3k4/1Q4K1/8/6R1/8/7B w - - 0 1", 3),
        (Variant::Interweave, "7k/8/8/7p/k7/8/8/R2K2K1[] w - - 0 1", 1),
    ] {
        for _ in 0..10 {
            let report = helpers.search(variant, fen, &Limits::default(), &Control::NONE);
            assert_eq!(report.score.certain_end(), Some(plies), "{fen}");
        }
        helpers.engine.forget();
    }
}

#[test]
fn a_search_without_helpers_equals_a_search_with_one_thread() {
    let limits = Limits::depth(8);
    let mut alone = Engine::new(4, 1).expect("a table");
    let position = AnyPosition::from_fen(Variant::Chess, MIDDLE_GAME).expect("a position");
    let expected = alone.search(&position, &[], &limits, &Control::NONE);
    let expected = expected.expect("a legal turn").nodes;
    for mut helpers in [HelperThreads::new(0, 7), HelperThreads::new(2, 0)] {
        let report = helpers.search(Variant::Chess, MIDDLE_GAME, &limits, &Control::NONE);
        assert_eq!((report.nodes, report.threads), (expected, 1), "no helpers exist, or none are allowed");
    }
}
