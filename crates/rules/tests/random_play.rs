//! Properties that hold in every position of random games of all three games.

use adoube_rules::{
    AnyPosition, Color, DrawRules, EnPassant, Piece, Position, Setup, Square, Step, Turn, Variant, coordinate,
};
use proptest::prelude::*;

/// Plays a random game and gives every position on the way to `visit`.
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

/// The position seen from the other side: ranks upside down, colours exchanged.
fn mirrored(setup: &Setup) -> Setup {
    let mut mirror = Setup::empty(setup.variant);
    for square in Square::ALL {
        mirror.pieces[square.flip_vertical().index()] =
            setup.pieces[square.index()].map(|piece| Piece { color: !piece.color, ..piece });
    }
    mirror.turn = !setup.turn;
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
    fn fen_and_coordinates_read_back(variant in variants(), seed: u64) {
        random_game(variant, seed, 120, |position, turns| {
            let again = AnyPosition::from_fen(variant, &position.fen()).expect("a written FEN");
            assert_eq!(&again, position, "{}", position.fen());
            // The hash that was kept up to date is the one computed from scratch.
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
    fn counting_is_listing(variant in variants(), seed: u64) {
        random_game(variant, seed, 120, |position, turns| {
            assert_eq!(position.count_steps(), position.legal_steps().len(), "{}", position.fen());
            assert_eq!(position.count_turns(), turns.len() as u64, "{}", position.fen());
            let over = position.outcome(DrawRules::Fide).is_some_and(|outcome| outcome.reason() != "insufficient-material");
            assert_eq!(turns.is_empty(), over, "{}", position.fen());
        });
    }

    #[test]
    fn what_is_taken_is_gone_and_nothing_else(variant in variants(), seed: u64) {
        random_game(variant, seed, 120, |position, _| {
            for step in position.legal_steps() {
                let taken = position.taken(step);
                let side = position.turn();
                let next = position.after(step);
                assert_eq!(taken - position.men(!side), adoube_rules::SquareSet::EMPTY, "only enemies are taken");
                assert_eq!(next.men(!side), position.men(!side) - taken, "{} {step:?}", position.fen());
                assert_eq!(next.men(side).len(), position.men(side).len());
                assert_eq!(next.chain().is_some(), next.turn() == side);
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
    fn no_text_makes_the_readers_panic(variant in variants(), text in "\\PC{0,80}") {
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
