//! Fixed searches. Their node counts show whether a change affects the search, and their duration shows how
//! fast the search is.

use adoube_rules::{AnyPosition, Variant};

use crate::{Control, Engine, Limits, game::Profile};

/// The size of the transposition table for these searches, in MiB. A different size gives different node
/// counts.
pub const BENCH_TABLE: usize = 16;

/// Searches the initial position and the bench positions of a variant to `depth`, or to the variant's usual
/// depth. Clears the engine before each search. Returns the total number of nodes, which is reproducible with
/// a table of [`BENCH_TABLE`], one thread and the same network.
pub fn bench(engine: &mut Engine, variant: Variant, depth: Option<u32>) -> u64 {
    let limits = Limits::depth(depth.unwrap_or(Profile::of(variant).bench_depth));
    let mut nodes = 0;
    for fen in [variant.initial_fen()].iter().chain(Profile::of(variant).bench) {
        let Ok(position) = AnyPosition::from_fen(variant, fen) else { continue };
        engine.forget();
        let report = engine.search(&position, &[], &limits, &Control::NONE);
        nodes += report.map_or(0, |report| report.nodes);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use adoube_rules::SearchPosition as _;

    use super::*;

    #[test]
    fn every_bench_position_is_playable() {
        for variant in Variant::ALL {
            for fen in Profile::of(variant).bench {
                let position =
                    AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
                assert!(position.count_steps() > 0, "{fen}");
            }
        }
    }

    #[test]
    fn bench_nodes_are_reproducible() {
        for variant in Variant::ALL {
            let mut engine = Engine::new(BENCH_TABLE, 1).expect("memory");
            let nodes = bench(&mut engine, variant, Some(4));
            assert!(nodes > 1_000, "{variant}: {nodes}");
            assert_eq!(bench(&mut engine, variant, Some(4)), nodes, "{variant}");
        }
    }
}
