//! Perft: compares our chess with `shakmaty` and `cozy-chess`, and times Baroque and Interweave alone.

use adoube_rules::{
    AnyPosition, Variant,
    perft::{LeafCounting, perft},
    with_position,
};
use shakmaty::Position as _;

use crate::measure::{Contestant, measure_interleaved, print};

/// The positions on which libraries are compared, each with a depth at which a run takes from a quarter of a
/// second to a few seconds.
const CHESS: [(&str, &str, u32); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
];

const BAROQUE: &str = include_str!("../../rules/tests/perft/baroque.epd");
const INTERWEAVE: &str = include_str!("../../rules/tests/perft/interweave.epd");

pub(crate) fn run(rounds: usize) {
    println!("one thread, {rounds} rounds, contestants interleaved, medians\n");
    for (name, fen, depth) in CHESS {
        chess(name, fen, depth, rounds);
    }
    // Steps are measured as well, because a search visits steps, and a chain in Interweave has several.
    measure_alone(Variant::Baroque, BAROQUE, 4, 3, rounds);
    measure_alone(Variant::Interweave, INTERWEAVE, 5, 4, rounds);
}

fn chess(name: &str, fen: &str, depth: u32, rounds: usize) {
    let ours = to_our_position(Variant::Chess, fen);
    let peer: shakmaty::Chess = fen
        .parse::<shakmaty::fen::Fen>()
        .expect("a FEN in this file")
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("a position in this file");
    let cozy: cozy_chess::Board = fen.parse().expect("a FEN in this file");
    for (counting, label) in
        [(LeafCounting::Bulk, "last ply in bulk"), (LeafCounting::Played, "every move made")]
    {
        let bulk = counting == LeafCounting::Bulk;
        let contestants = [
            Contestant { name: "adoube", run: Box::new(|| count(&ours, depth, counting)) },
            Contestant { name: "shakmaty", run: Box::new(|| shakmaty_perft(&peer, depth, bulk)) },
            Contestant { name: "cozy-chess", run: Box::new(|| cozy_perft(&cozy, depth, bulk)) },
        ];
        print(&format!("chess, {name}, depth {depth}, {label}"), &measure_interleaved(&contestants, rounds));
    }
}

fn measure_alone(variant: Variant, file: &str, start_depth: u32, other_depth: u32, rounds: usize) {
    let start = AnyPosition::initial(variant);
    // Ten positions with legal turns, spread evenly over the file.
    let fens: Vec<_> = file
        .lines()
        .filter(|line| !line.contains("D1 0;"))
        .filter_map(|line| line.split(';').next())
        .collect();
    let positions: Vec<_> = fens
        .iter()
        .skip(1)
        .step_by(fens.len() / 10)
        .take(10)
        .map(|fen| to_our_position(variant, fen))
        .collect();
    for (counting, label) in
        [(LeafCounting::Bulk, "last ply in bulk"), (LeafCounting::Played, "every turn made")]
    {
        let contestants =
            [Contestant { name: "adoube", run: Box::new(|| count(&start, start_depth, counting)) }];
        print(
            &format!("{variant}, start, depth {start_depth}, {label}"),
            &measure_interleaved(&contestants, rounds),
        );
        let contestants = [Contestant {
            name: "adoube",
            run: Box::new(|| positions.iter().map(|position| count(position, other_depth, counting)).sum()),
        }];
        print(
            &format!("{variant}, ten positions, depth {other_depth}, {label}"),
            &measure_interleaved(&contestants, rounds),
        );
    }
    let contestants = [Contestant {
        name: "adoube",
        run: Box::new(|| positions.iter().map(|position| steps(position, other_depth)).sum()),
    }];
    print(
        &format!("{variant}, ten positions, depth {other_depth}, steps made"),
        &measure_interleaved(&contestants, rounds),
    );
}

fn to_our_position(variant: Variant, fen: &str) -> AnyPosition {
    AnyPosition::from_fen(variant, fen).expect("a position in the project's own files")
}

fn count(position: &AnyPosition, depth: u32, counting: LeafCounting) -> u64 {
    with_position!(position, position => perft(position, depth, counting))
}

/// Counts all steps made, including those at inner nodes.
fn steps(position: &AnyPosition, depth: u32) -> u64 {
    fn walk<P: adoube_rules::Position>(position: &P, depth: u32) -> u64 {
        if depth == 0 {
            return 0;
        }
        position
            .legal_steps()
            .into_iter()
            .map(|step| {
                let next = position.after(step);
                1 + walk(
                    &next,
                    if next.side_to_move() == position.side_to_move() { depth } else { depth - 1 },
                )
            })
            .sum()
    }
    with_position!(position, position => walk(position, depth))
}

pub(crate) fn shakmaty_perft(position: &shakmaty::Chess, depth: u32, bulk: bool) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 && bulk {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|m| {
            let mut next = position.clone();
            next.play_unchecked(m);
            if depth == 1 { 1 } else { shakmaty_perft(&next, depth - 1, bulk) }
        })
        .sum()
}

pub(crate) fn cozy_perft(board: &cozy_chess::Board, depth: u32, bulk: bool) -> u64 {
    let mut nodes = 0;
    if depth == 1 && bulk {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            nodes += if depth == 1 { 1 } else { cozy_perft(&next, depth - 1, bulk) };
        }
        false
    });
    nodes
}
