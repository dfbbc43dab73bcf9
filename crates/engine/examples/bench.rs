//! Searches fixed positions of the three games to a fixed depth and prints nodes and speed: `bench [variant]`.
//!
//! The total is a checksum of behaviour: a change that means to change nothing leaves it equal.

use std::time::Instant;

use adoube_engine::{Limits, search};
use adoube_rules::{AnyPosition, Variant, with_position};

const POSITIONS: [(Variant, u32, &[&str]); 3] = [
    (
        Variant::Chess,
        8,
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ],
    ),
    (
        Variant::Baroque,
        5,
        &[
            "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1",
            "rnbkqbnm/p1pppp1p/8/1p4p1/4P3/2P5/PP1P1PPP/MNBQKBNR w - - 0 3",
            "7k/2p2ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1",
        ],
    ),
    (
        Variant::Interweave,
        7,
        &[
            "rbnkknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNKKNBR[] w - - 0 1",
            "r1nkkn1r/pp2pppp/1b4b1/2pp4/3PP3/2B2B2/PPP2PPP/R1NKKN1R[] w - - 0 5",
            "2nkk3/1p4p1/8/3r4/2B5/6P1/1P6/3KK1N1[RBrb] w - - 0 20",
        ],
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut total = 0_u32;
    let only: Option<Variant> = std::env::args().nth(1).map(|text| text.parse()).transpose()?;
    for (variant, depth, fens) in POSITIONS {
        if only.is_some_and(|only| only != variant) {
            continue;
        }
        let (mut nodes, start) = (0, Instant::now());
        for fen in fens {
            let position = AnyPosition::from_fen(variant, fen)?;
            let limits = Limits::depth(depth);
            let report = with_position!(&position, position => search(position, &[], &limits, &|| false));
            let report = report.ok_or("no legal turn")?;
            println!(
                "{variant} depth {} score {} nodes {} {:?}",
                report.depth, report.score, report.nodes, report.pv
            );
            nodes += u32::try_from(report.nodes)?;
        }
        let seconds = start.elapsed().as_secs_f64();
        let speed = f64::from(nodes) / seconds;
        println!("{variant}: {nodes} nodes, {seconds:.2} s, {speed:.0} nodes/s");
        total += nodes;
    }
    println!("Bench: {total}");
    Ok(())
}
