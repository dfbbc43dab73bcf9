//! Tests of whole games and of single choices. Games must be legal to the end, and the stronger player must
//! score at least half the points. A choice must be reproducible, vary in the opening and obey node limits,
//! and it must be made even after an immediate stop.

use adoube_engine::{AlphaBeta, Level, Limits, Opponent, search};
use adoube_rules::{AnyPosition, Color, Position, Variant, coordinate};

use crate::common::{Player, play, position};

/// Plays games between the last level and the first. Returns the last level's half points.
fn last_against_first(variant: Variant, nodes: u64, games: u64) -> u32 {
    let opponent = AlphaBeta::with_max_nodes(nodes);
    let strong = Player::Machine(&opponent, Level::LAST);
    let weak = Player::Machine(&opponent, Level::FIRST);
    half_points(variant, [&strong, &weak], games)
}

/// Plays games between two players, who alternate colours. Returns the first player's half points.
fn half_points(variant: Variant, [first, second]: [&Player<'_>; 2], games: u64) -> u32 {
    let mut half_points = 0;
    for game in 0..games {
        let side = Color::ALL[game as usize % 2];
        let players = if side == Color::White { [first, second] } else { [second, first] };
        let (winner, last) = play(variant, players, game + 1, 140);
        // A game without a winner is adjudicated: a lead of 500 units of the search wins.
        let winner = winner.or_else(|| {
            let report = search(&last, &[], &Limits::depth(2), &|| false)?;
            match report.score.units() {
                500.. => Some(last.side_to_move()),
                ..=-500 => Some(!last.side_to_move()),
                _ => None,
            }
        });
        half_points += match winner {
            Some(winner) if winner == side => 2,
            Some(_) => 0,
            None => 1,
        };
    }
    half_points
}

#[test]
fn the_last_level_beats_the_first_at_chess() {
    let points = last_against_first(Variant::Chess, 3_000, 4);
    assert!(points >= 7, "{points} half points of 8");
}

#[test]
fn the_last_level_beats_the_first_at_baroque() {
    let points = last_against_first(Variant::Baroque, 3_000, 6);
    assert!(points >= 9, "{points} half points of 12");
}

#[test]
fn the_last_level_beats_the_first_at_interweave() {
    let points = last_against_first(Variant::Interweave, 3_000, 6);
    assert!(points >= 10, "{points} half points of 12");
}

#[test]
fn a_player_looking_two_turns_ahead_scores_at_least_half_against_the_first_level() {
    let first = Player::Machine(&AlphaBeta::default(), Level::FIRST);
    for variant in Variant::ALL {
        let points = half_points(variant, [&Player::Plain(2), &first], 20);
        assert!((20..40).contains(&points), "{variant}: {points} half points of 40");
    }
}

#[test]
fn games_against_random_turns_are_legal_and_never_lost() {
    let opponent = AlphaBeta::with_max_nodes(1_000);
    for variant in Variant::ALL {
        for (seed, level) in (1..).zip(Level::all()) {
            let machine = Player::Machine(&opponent, level);
            let (winner, last) = play(variant, [&machine, &Player::Chance], seed, 300);
            assert_ne!(winner, Some(Color::Black), "{variant} {level:?} {}", last.fen());
            let (winner, last) = play(variant, [&Player::Chance, &machine], seed, 300);
            assert_ne!(winner, Some(Color::White), "{variant} {level:?} {}", last.fen());
        }
    }
}

#[test]
fn the_same_position_and_seed_give_the_same_turn() {
    let opponent = AlphaBeta::with_max_nodes(5_000);
    for variant in Variant::ALL {
        let position = AnyPosition::initial(variant);
        let mut answers = Vec::new();
        for seed in 0..12 {
            let choose = || opponent.choose(&position, &[], Level::FIRST, seed, &|| false);
            assert_eq!(choose(), choose());
            answers.extend(choose());
        }
        answers.sort();
        answers.dedup();
        assert!(answers.len() > 1, "{variant}: a beginner's opponent must vary its openings");
        let best = |seed| opponent.choose(&position, &[], Level::LAST, seed, &|| false);
        assert_eq!(best(1), best(1));
    }
}

#[test]
fn the_last_level_varies_its_openings() {
    let opponent = AlphaBeta::with_max_nodes(60_000);
    for variant in Variant::ALL {
        let position = AnyPosition::initial(variant);
        let choose = |seed| opponent.choose(&position, &[], Level::LAST, seed, &|| false).expect("a turn");
        let mut turns: Vec<_> = (0..8).map(choose).collect();
        assert_eq!(turns[5], choose(5));
        turns.sort();
        turns.dedup();
        assert!(turns.len() > 1, "{variant}: {turns:?}");
    }
    // A winning turn is not varied.
    let position = position(Variant::Chess, "6k1/8/6K1/8/8/8/8/R7 w - - 0 1");
    for seed in 0..8 {
        let turn = opponent.choose(&position, &[], Level::LAST, seed, &|| false).expect("a turn");
        assert_eq!(coordinate::write(&position, &turn), "a1a8");
    }
}

#[test]
fn nodes_are_counted_and_limited() {
    for variant in Variant::ALL {
        let position = AnyPosition::initial(variant);
        let limits = Limits::nodes(10_000);
        let report = search(&position, &[], &limits, &|| false).expect("a turn");
        assert!((9_000..=10_000).contains(&report.nodes), "{variant}: {}", report.nodes);
        assert!(report.depth >= 2, "{variant}: {}", report.depth);
    }
}

#[test]
fn a_turn_is_returned_even_after_an_immediate_stop() {
    for (variant, fen) in [
        (Variant::Chess, Variant::Chess.initial_fen()),
        (Variant::Baroque, Variant::Baroque.initial_fen()),
        (Variant::Interweave, Variant::Interweave.initial_fen()),
        // Even if the search stops in the middle of a chain, the turn must be complete.
        (Variant::Interweave, "1b1k2br/8/1p1pk2n/8/1P5P/2B1K3/4K3/8[RRNNBrn] w - - 2 24"),
    ] {
        let position = position(variant, fen);
        let turn = AlphaBeta::default().choose(&position, &[], Level::LAST, 1, &|| true);
        assert!(turn.is_some_and(|turn| position.legal_turns().contains(&turn)), "{fen}");
    }
}

#[test]
fn no_turn_is_returned_if_there_is_none() {
    for (variant, fen) in [
        (Variant::Chess, "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"),
        (Variant::Chess, "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"),
        (Variant::Interweave, "7k/8/8/8/8/8/8/3K2K1[] b - - 0 1"),
    ] {
        let position = position(variant, fen);
        assert_eq!(AlphaBeta::default().choose(&position, &[], Level::LAST, 1, &|| false), None, "{fen}");
    }
}
