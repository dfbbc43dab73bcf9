//! The same searches every time: their nodes say whether a change has changed the search, and the time they take
//! how fast it is.

use adoube_rules::{AnyPosition, Variant, with_position};

use crate::{Control, Engine, Limits, game::Profile};

/// The transposition table of the searches, in MiB: another size has other nodes.
pub const BENCH_TABLE: usize = 16;

/// Returns the nodes that the searches of a game take, to a depth or to the usual one, in an engine of the
/// caller's, which forgets all it knew. They are always the same where the engine has a table of [`BENCH_TABLE`],
/// one thread and the same network.
pub fn bench(engine: &mut Engine, variant: Variant, depth: Option<u32>) -> u64 {
    let limits = Limits::depth(depth.unwrap_or(Profile::of(variant).bench_depth));
    let mut nodes = 0;
    for fen in [variant.initial_fen()].iter().chain(Profile::of(variant).bench) {
        let Ok(position) = AnyPosition::from_fen(variant, fen) else { continue };
        engine.forget();
        let report = with_position!(&position, position => {
            engine.search(position, &[], &limits, &Control::NONE)
        });
        nodes += report.map_or(0, |report| report.nodes);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use adoube_rules::SearchPosition as _;

    use super::*;

    #[test]
    fn every_position_can_be_played() {
        for variant in Variant::ALL {
            for fen in Profile::of(variant).bench {
                let position =
                    AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
                assert!(position.count_steps() > 0, "{fen}");
            }
        }
    }

    #[test]
    fn the_same_nodes_every_time() {
        for variant in Variant::ALL {
            let mut engine = Engine::new(BENCH_TABLE, 1).expect("memory");
            let nodes = bench(&mut engine, variant, Some(4));
            assert!(nodes > 1_000, "{variant}: {nodes}");
            assert_eq!(bench(&mut engine, variant, Some(4)), nodes, "{variant}");
        }
    }
}
