//! The engine finds wins and avoids losses, as confirmed by a solver that knows only the rules.

use adoube_engine::{AlphaBeta, Level, Limits, Opponent, SearchReport, search};
use adoube_rules::{AnyPosition, Position, Turn, Variant, coordinate};

use crate::common::{Random, after, can_win, position, wins_by};

#[track_caller]
fn searched(position: &AnyPosition, history: &[u64], limits: &Limits) -> SearchReport {
    search(position, history, limits, &|| false).expect("there is a legal turn")
}

/// Returns a level that never misses a win in one, whether its own or the opponent's.
fn middle_level() -> Level {
    Level::from_number(7).expect("a level")
}

/// Checks that the last level plays a turn that wins by force in this many plies, and that there is no faster
/// win. If one ply is enough, the middle level must win at once as well.
#[track_caller]
fn check_forced_win(variant: Variant, fen: &str, plies: u32) {
    let position = position(variant, fen);
    assert!(plies == 1 || !can_win(&position, plies - 2), "there is a faster win in {fen}");
    let mut levels = vec![Level::LAST];
    if plies == 1 {
        levels.push(middle_level());
    }
    for level in levels {
        for seed in 0..3 {
            let turn = AlphaBeta::default()
                .choose(&position, &[], level, seed, &|| false)
                .expect("there is a legal turn");
            let text = coordinate::write(&position, &turn);
            assert!(wins_by(&position, &turn, plies), "{level:?} plays {text} in {fen}");
        }
    }
    let report = searched(&position, &[], &Limits::nodes(200_000));
    assert_eq!(report.score.certain_end(), i32::try_from(plies).ok(), "{report:?} in {fen}");
    assert_eq!(report.pv.first(), Some(&report.turn));
}

#[test]
fn c16_mates_in_one() {
    check_forced_win(Variant::Chess, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1);
    check_forced_win(Variant::Chess, "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1);
    // By promoting to a knight, not a queen.
    check_forced_win(Variant::Chess, "6br/5Ppk/6pp/8/8/8/8/K7 w - - 0 1", 1);
}

#[test]
fn c16_mates_in_two_and_three() {
    check_forced_win(Variant::Chess, "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 3);
    check_forced_win(Variant::Chess, "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 5);
}

#[test]
fn b13_mates_in_one() {
    for fen in [
        "p2k1qm1/1r1p4/3N4/N1B1P3/P1P1b1p1/2p2pB1/PPQPK1P1/6PR w - - 13 49",
        "1r1qnb2/3kp2p/8/p2PpN1b/1P4R1/7B/PP2P2Q/M3Km1P b - - 2 39",
        "3rqb2/ppkpppnp/7p/1b1P2B1/Pp1NPB1n/2mK1R2/1PPP2P1/MN2Q3 b - - 15 26",
    ] {
        check_forced_win(Variant::Baroque, fen, 1);
    }
}

#[test]
fn i3_the_engine_takes_a_king_at_once() {
    for fen in [
        "7k/8/8/7p/k7/8/8/R2K2K1[] w - - 0 1",
        "1b1k3r/p1p2kpp/1N1p4/6n1/5PN1/4P3/1P3BPP/3KK2R[RBrnb] w - - 2 17",
        "r1nk4/p2k1p1b/1Pp1pNp1/8/P2P1P2/4n3/2P2P2/RB1KK1B1[RNrb] w - - 0 19",
        "1b2k3/p1k3n1/8/1npP1b1R/1ppB2P1/5P2/P2K4/1B1K3r[RNNr] b - - 2 25",
    ] {
        check_forced_win(Variant::Interweave, fen, 1);
    }
}

#[test]
fn i3_the_engine_takes_a_king_in_two_turns() {
    for fen in [
        "3kk1b1/5P1R/r2pp3/1p1p3p/8/3BK3/5BKP/8[RNNrnnb] b - - 0 28",
        "4k3/b1k2b2/6R1/6P1/2K4P/4K3/1p6/8[RNNBBrrnn] b - - 0 41",
        "6b1/b2k4/1k2n1p1/3P4/p7/1P6/1K6/3K1B2[RRNNBrrn] w - - 5 28",
    ] {
        check_forced_win(Variant::Interweave, fen, 3);
    }
}

#[test]
fn i4_a_capture_that_keeps_the_kings_safe_is_preferred() {
    for fen in [
        "3kkBb1/p1b2pp1/5p2/p7/2PnN3/5p2/2PPP1P1/1B1KK1r1[RRNrn] b - - 2 18",
        "1b1kk1b1/pr1p1p2/5rp1/3pn3/6P1/1K1BP1PP/PPn4P/R1N1K1BR[N] w - - 3 16",
        "3kknbr/4pp2/6pN/1p1p4/r1K1P3/6pn/P6P/1B2K3[RRNBb] w - - 2 19",
        "3kk1br/1r5p/5pN1/3p4/3K4/R5P1/2P2PP1/1B1K2BR[Nnnb] w - - 0 17",
        "rb1kk3/p2p2pb/8/RP3p1p/1n6/3NB3/B3P1Pr/3KK3[RNn] b - - 3 14",
    ] {
        let position = position(Variant::Interweave, fen);
        let safe = |turn: &Turn| !can_win(&after(&position, turn), 1);
        let turns = position.legal_turns();
        assert!(turns.iter().any(safe) && !turns.iter().all(safe), "{fen}");
        for level in [middle_level(), Level::LAST] {
            let turn = AlphaBeta::default().choose(&position, &[], level, 5, &|| false).expect("a turn");
            assert!(safe(&turn), "{level:?} plays {} in {fen}", coordinate::write(&position, &turn));
        }
    }
}

#[test]
fn obvious_material_is_won() {
    for (variant, fen, best) in [
        (Variant::Chess, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        // A fork of king and rook.
        (Variant::Chess, "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7"),
        (Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1", "c2c4"),
        // A leaper is worth more than a remover; only one of them can be captured.
        (Variant::Interweave, "4k1k1/8/8/8/n7/8/8/R2b1K1K[] w - - 0 1", "a1a3"),
    ] {
        let position = position(variant, fen);
        for level in [middle_level(), Level::LAST] {
            let turn = AlphaBeta::default().choose(&position, &[], level, 9, &|| false).expect("a turn");
            assert_eq!(coordinate::write(&position, &turn), best, "{level:?} in {fen}");
        }
    }
}

/// Returns a history in which the position after a turn has occurred twice.
fn twice_before(position: &AnyPosition, turn: &Turn) -> Vec<u64> {
    let key = after(position, turn).key();
    // The keys of the eight plies before the current position. The other keys do not matter.
    (0..8).map(|ply| if ply == 1 || ply == 5 { key } else { ply }).collect()
}

#[test]
fn i12_the_engine_does_not_lose_by_repetition() {
    for fen in ["7k/8/8/7k/8/8/8/R2K2K1[] w - - 20 40", "3kk2r/8/8/8/8/8/8/1B1KK3[] w - - 30 40"] {
        let position = position(Variant::Interweave, fen);
        let limits = Limits::depth(4);
        let free = searched(&position, &[], &limits);
        let history = twice_before(&position, &free.turn);
        let restricted = searched(&position, &history, &limits);
        assert_ne!(restricted.turn, free.turn, "{fen}");
        assert_eq!(restricted.score.certain_end(), None, "{fen}");
        for level in Level::all() {
            let turn = AlphaBeta::default().choose(&position, &history, level, 3, &|| false);
            assert_ne!(turn.as_ref(), Some(&free.turn), "{level:?} in {fen}");
        }
    }
}

#[test]
fn c22_the_losing_side_repeats_and_the_winning_side_does_not() {
    let losing = position(Variant::Chess, "8/1q4k1/8/8/8/8/8/7K w - - 20 40");
    let turn = coordinate::parse(&losing, "h1h2").expect("legal");
    let report = searched(&losing, &twice_before(&losing, &turn), &Limits::depth(4));
    assert_eq!((report.turn, report.score.units()), (turn, 0));

    let winning = position(Variant::Chess, "8/1q4k1/8/8/8/8/8/6K1 b - - 20 40");
    let limits = Limits::depth(5);
    let best = searched(&winning, &[], &limits).turn;
    let report = searched(&winning, &twice_before(&winning, &best), &limits);
    assert_ne!(report.turn, best);
    assert!(report.score.units() > 500, "{report:?}");
}

#[test]
fn a_middle_level_sees_a_mate_in_one_against_it() {
    // Black threatens mate on d1. A player who considers only captures would take the pawn on f7.
    let position = position(Variant::Chess, "r6k/5ppp/8/8/5b2/3q4/B4PPP/6K1 w - - 0 1");
    for seed in 0..8 {
        let turn =
            AlphaBeta::default().choose(&position, &[], middle_level(), seed, &|| false).expect("a turn");
        assert!(!can_win(&after(&position, &turn), 1), "{}", coordinate::write(&position, &turn));
    }
}

#[test]
fn a_middle_level_prevents_every_preventable_win_in_one() {
    let mut random = Random(2_026);
    let mut variants_with_danger = 0;
    for variant in Variant::ALL {
        let mut dangers = 0;
        for _ in 0..300 {
            let mut position = AnyPosition::initial(variant);
            for _ in 0..10 + random.below(60) {
                let turns = position.legal_turns();
                if turns.is_empty() {
                    break;
                }
                position.play_turn_unchecked(&turns[random.below(turns.len())]);
            }
            let turns = position.legal_turns();
            let safe = turns.iter().filter(|turn| !can_win(&after(&position, turn), 1)).count();
            if safe == 0 || safe == turns.len() {
                continue;
            }
            dangers += 1;
            let turn =
                AlphaBeta::default().choose(&position, &[], middle_level(), 1, &|| false).expect("a turn");
            let text = coordinate::write(&position, &turn);
            assert!(!can_win(&after(&position, &turn), 1), "{text} in {}", position.fen());
            if dangers == 4 {
                break;
            }
        }
        variants_with_danger += u32::from(dangers >= 3);
    }
    // A variant added later may have no decisive threats so early.
    assert!(variants_with_danger >= 4, "only {variants_with_danger} variants had positions that needed care");
}
