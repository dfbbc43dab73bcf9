//! Checks properties that hold in every position of random games, in all variants.

use adoube_rules::{
    AnyPosition, Color, DrawRules, EnPassant, Piece, Position, SearchPosition, Setup, Square, Step, Turn,
    Variant, capture, coordinate,
};
use proptest::prelude::*;

/// Plays a random game and calls `visit` with every position.
fn random_game(variant: Variant, seed: u64, plies: usize, mut visit: impl FnMut(&AnyPosition, &[Turn])) {
    let mut random = seed | 1;
    let mut position = AnyPosition::initial(variant);
    for _ in 0..plies {
        let turns = position.legal_turns();
        visit(&position, &turns);
        if turns.is_empty() {
            return;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        position.play_turn_unchecked(&turns[(random >> 11) as usize % turns.len()]);
    }
}

fn variants() -> impl Strategy<Value = Variant> {
    prop::sample::select(&Variant::ALL[..])
}

/// Returns the position as seen from the other side: ranks reversed, colours exchanged.
fn mirrored(setup: &Setup) -> Setup {
    let mut mirror = Setup::empty(setup.variant);
    for square in Square::ALL {
        mirror.pieces[square.flip_vertical().index()] =
            setup.pieces[square.index()].map(|piece| Piece { color: !piece.color, ..piece });
    }
    mirror.side_to_move = !setup.side_to_move;
    mirror.castling = setup.castling.flip_vertical();
    mirror.en_passant = setup.en_passant.map(|EnPassant { crossed, pawn }| EnPassant {
        crossed: crossed.flip_vertical(),
        pawn: pawn.flip_vertical(),
    });
    for color in Color::ALL {
        mirror.reserves[!color] = setup.reserves[color];
    }
    mirror.halfmove_clock = setup.halfmove_clock;
    mirror.fullmove_number = setup.fullmove_number;
    mirror
}

fn mirrored_turn(turn: &Turn) -> Turn {
    let mut mirror = Turn::empty();
    for step in turn.steps() {
        let (from, to) = (step.from().flip_vertical(), step.to().flip_vertical());
        mirror.push(match step.promotion() {
            None => Step::new(from, to),
            Some(role) => Step::promoting(from, to, role),
        });
    }
    mirror
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fen_and_coordinates_round_trip(variant in variants(), seed: u64) {
        random_game(variant, seed, 120, |position, turns| {
            let again = AnyPosition::from_fen(variant, &position.fen()).expect("a written FEN");
            assert_eq!(&again, position, "{}", position.fen());
            // The incremental hash equals the hash computed from scratch.
            assert_eq!(again.key(), position.key());
            let mut texts: Vec<_> = turns.iter().map(|turn| coordinate::write(position, turn)).collect();
            for (text, turn) in texts.iter().zip(turns) {
                assert_eq!(coordinate::parse(position, text).as_ref(), Ok(turn), "{} {text}", position.fen());
            }
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), turns.len(), "N2: one text, one turn: {}", position.fen());
        });
    }

    #[test]
    fn counts_match_lists(variant in variants(), seed: u64) {
        random_game(variant, seed, 120, |position, turns| {
            assert_eq!(position.count_steps(), position.legal_steps().len(), "{}", position.fen());
            assert_eq!(position.count_turns(), turns.len() as u64, "{}", position.fen());
            let over = position.outcome(DrawRules::Fide).is_some_and(|outcome| outcome.reason() != "insufficient-material");
            assert_eq!(turns.is_empty(), over, "{}", position.fen());
        });
    }

    #[test]
    fn exactly_the_taken_men_disappear(variant in variants(), seed: u64) {
        random_game(variant, seed, 120, |position, _| {
            for step in position.legal_steps() {
                let taken = position.taken(step);
                let side = position.side_to_move();
                let next = position.after(step);
                assert_eq!(taken - position.men(!side), adoube_rules::SquareSet::EMPTY, "only enemies are taken");
                assert_eq!(next.men(!side), position.men(!side) - taken, "{} {step:?}", position.fen());
                let given_up = usize::from(position.gives_up(step));
                assert_eq!(next.men(side).len(), position.men(side).len() - given_up);
                assert_eq!(next.chain().is_some(), next.side_to_move() == side);
            }
        });
    }

    #[test]
    fn a_mirrored_position_has_mirrored_turns(variant in variants(), seed: u64) {
        random_game(variant, seed, 120, |position, turns| {
            let mirror = AnyPosition::from_setup(&mirrored(&position.to_setup())).expect("a mirrored position");
            let mut expected: Vec<_> = turns.iter().map(mirrored_turn).collect();
            let mut found = mirror.legal_turns();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{}", position.fen());
            assert_eq!(mirror.is_check(), position.is_check());
        });
    }

    #[test]
    fn no_text_makes_the_parsers_panic(variant in variants(), text in "\\PC{0,80}") {
        let _ = AnyPosition::from_fen(variant, &text);
        let _ = coordinate::parse(&AnyPosition::initial(variant), &text);
    }

    #[test]
    fn fen_like_text_is_read_or_refused(
        variant in variants(),
        text in "([pnbrqkmPNBRQKM1-8]{1,9}/){7}[pnbrqkmPNBRQKM1-8]{1,9}(\\[[rnbRNBx]{0,5}\\])? [wbx] (-|[KQkqA-Ha-h]{1,4}|[0-9]{1,3}) (-|[a-h][36]|[a-h][36][a-h][45]|[a-h][36],[a-h]) [0-9]{1,4} [0-9]{1,4}",
    ) {
        if let Ok(position) = AnyPosition::from_fen(variant, &text) {
            let again = AnyPosition::from_fen(variant, &position.fen()).expect("a written FEN");
            prop_assert_eq!(&again, &position);
            for turn in position.legal_turns() {
                let text = coordinate::write(&position, &turn);
                prop_assert_eq!(coordinate::parse(&position, &text), Ok(turn));
            }
        }
    }
}

/// Compares `can_take` with the list of all turns, for each enemy and each man of the side to move.
fn compare_captures(position: &AnyPosition) {
    let turns = position.legal_turns();
    let mut by_pair = std::collections::HashSet::new();
    for turn in &turns {
        let mut current = position.clone();
        for &step in turn.steps() {
            for enemy in current.taken(step) {
                by_pair.insert((turn.steps()[0].from(), enemy));
            }
            current.play_unchecked(step);
        }
    }
    for enemy in position.men(!position.side_to_move()) {
        let any = by_pair.iter().any(|(_, taken)| *taken == enemy);
        assert_eq!(capture::can_take(position, None, enemy, &mut 500_000), Some(any), "{enemy} {position}");
        for own in position.men(position.side_to_move()) {
            let known = capture::can_take(position, Some(own), enemy, &mut 500_000);
            assert_eq!(known, Some(by_pair.contains(&(own, enemy))), "{own} {enemy} {position}");
        }
    }
}

#[test]
fn i4_a_man_can_be_taken_iff_some_turn_takes_it() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % below.max(1)
    };
    for game in 0..60 {
        let mut position = AnyPosition::initial(Variant::ALL[game % Variant::ALL.len()]);
        for _ in 0..60 {
            compare_captures(&position);
            let turns = position.legal_turns();
            let Some(turn) = turns.get(next(turns.len())) else { break };
            position.play_turn_unchecked(turn);
        }
    }
    // Use crowded Interweave boards, on which chains are long and pawns can promote.
    let mut long = 0;
    for _ in 0..10_000 {
        let men: Vec<char> = "pppppnbrPNNBR..........................".chars().collect();
        let mut board: Vec<char> = (0..64)
            .map(|square| match men[next(men.len())] {
                'p' | 'P' if !(8..56).contains(&square) => '.',
                man => man,
            })
            .collect();
        for king in ['k', 'k', 'K', 'K'] {
            let at = next(64);
            board[at] = king;
        }
        let row = |men: &[char]| {
            let row = men.iter().collect::<String>();
            (1..=8).rev().fold(row, |row, empty| row.replace(&".".repeat(empty), &empty.to_string()))
        };
        let rows: Vec<String> = board.chunks(8).map(row).collect();
        let fen = format!("{}[Nn] w - - 0 1", rows.join("/"));
        let Ok(position) = AnyPosition::from_fen(Variant::Interweave, &fen) else { continue };
        let mut turns = position.turns().with_limit(20_000);
        let max = turns.by_ref().map(|turn| turn.steps().len()).max().unwrap_or(0);
        if turns.is_truncated() {
            continue;
        }
        long += usize::from(max > 4);
        compare_captures(&position);
    }
    assert!(long > 50, "{long}");
}

#[test]
fn turns_are_iterated_within_a_limit() {
    // There are nine million chains, so the limit cuts them off.
    let fen = "3k4/3p4/2p1p3/1p1pNp2/pKpKp1p1/1p1p1p2/2p4k/8[] w - - 0 1";
    let position = AnyPosition::from_fen(Variant::Interweave, fen).unwrap();
    let mut turns = position.turns().with_limit(1_000);
    assert_eq!(turns.by_ref().take(100).count(), 100);
    assert!(!turns.is_truncated() && turns.steps_played() < 1_000);
    turns.by_ref().for_each(drop);
    assert!(turns.is_truncated());
    assert_eq!(turns.steps_played(), 1_000);
    let start = AnyPosition::initial(Variant::Chess);
    let mut turns = start.turns().with_limit(20);
    assert_eq!(turns.by_ref().count(), 20);
    assert!(!turns.is_truncated());
}
