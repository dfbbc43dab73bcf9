//! The same searches every time: their nodes say whether a change has changed the search, and the time they take
//! how fast it is.

use adoube_rules::{AnyPosition, Variant, with_position};

use crate::{Control, Engine, Limits};

/// Openings, middle games, sharp positions and endgames of each game.
const POSITIONS: [(Variant, &[&str]); 3] = [
    (
        Variant::Chess,
        &[
            Variant::Chess.initial_fen(),
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P1B2/2P1PN2/PP1N1PPP/R2QKB1R b KQkq - 1 6",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "2rq1rk1/pb2bppp/1p2pn2/n7/2BP4/P1N1BN2/1P2QPPP/3R1RK1 w - - 4 14",
            "3r2k1/p4ppp/1q2p3/2b1P3/8/1P3Q2/P4PPP/3R2K1 b - - 2 25",
            "8/5pk1/1p2p1p1/p2nP2p/P2R3P/1P3PP1/6K1/3r4 w - - 0 37",
            "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
        ],
    ),
    (
        Variant::Baroque,
        &[
            Variant::Baroque.initial_fen(),
            "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1",
            "p2k1qm1/1r1p4/3N4/N1B1P3/P1P1b1p1/2p2pB1/PPQPK1P1/6PR w - - 13 49",
            "1r1qnb2/3kp2p/8/p2PpN1b/1P4R1/7B/PP2P2Q/M3Km1P b - - 2 39",
            "3rqb2/ppkpppnp/7p/1b1P2B1/Pp1NPB1n/2mK1R2/1PPP2P1/MN2Q3 b - - 15 26",
            "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1",
        ],
    ),
    (
        Variant::Interweave,
        &[
            Variant::Interweave.initial_fen(),
            "3kkBb1/p1b2pp1/5p2/p7/2PnN3/5p2/2PPP1P1/1B1KK1r1[RRNrn] b - - 2 18",
            "1b1kk1b1/pr1p1p2/5rp1/3pn3/6P1/1K1BP1PP/PPn4P/R1N1K1BR[N] w - - 3 16",
            "3kknbr/4pp2/6pN/1p1p4/r1K1P3/6pn/P6P/1B2K3[RRNBb] w - - 2 19",
            "4k3/b1k2b2/6R1/6P1/2K4P/4K3/1p6/8[RNNBBrrnn] b - - 0 41",
            "1b1k2br/8/1p1pk2n/8/1P5P/2B1K3/4K3/8[RRNNBrn] w - - 2 24",
        ],
    ),
];

/// Depths at which the searches of each game take about equally long.
const fn usual_depth(variant: Variant) -> u32 {
    match variant {
        Variant::Chess => 11,
        Variant::Baroque | Variant::Interweave => 9,
    }
}

/// The transposition table of the searches, in MiB: another size has other nodes.
pub const BENCH_TABLE: usize = 16;

/// Returns the nodes that the searches of a game take, to a depth or to the usual one, in an engine of the caller's, which forgets
/// all it knew. They are always the same where the engine has a table of [`BENCH_TABLE`], one thread and the same network.
pub fn bench(engine: &mut Engine, variant: Variant, depth: Option<u32>) -> u64 {
    let limits = Limits::depth(depth.unwrap_or(usual_depth(variant)));
    let mut nodes = 0;
    for (_, fens) in POSITIONS.iter().filter(|(game, _)| *game == variant) {
        for fen in *fens {
            let Ok(position) = AnyPosition::from_fen(variant, fen) else { continue };
            engine.forget();
            let report = with_position!(&position, position => {
                engine.search(position, &[], &limits, &Control::NONE)
            });
            nodes += report.map_or(0, |report| report.nodes);
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use adoube_rules::Position as _;

    use super::*;

    #[test]
    fn every_position_can_be_played() {
        for (variant, fens) in POSITIONS {
            for fen in fens {
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
