//! Tests the public interface of positions: text forms, checked play, lists of steps.

use std::collections::HashSet;

use adoube_rules::{
    AnyPosition, Chess, Color, Position, SearchPosition, SetupProblem, Square, Step, Turn, TurnError,
    Variant, coordinate, with_position,
};

#[track_caller]
fn position(variant: Variant, fen: &str) -> AnyPosition {
    AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn default_positions_are_initial_and_round_trip() {
    fn check<P: Position + Default + std::str::FromStr<Err: std::fmt::Debug>>(initial: &P)
    where
        AnyPosition: From<P>,
    {
        let (start, variant) = (P::default(), initial.variant());
        assert_eq!(start.to_string(), variant.initial_fen());
        assert_eq!(variant.initial_fen().parse::<P>().expect("the start"), start);
        assert_eq!(start.to_setup().to_string(), variant.initial_fen());
        assert_eq!(AnyPosition::from(start), AnyPosition::initial(variant));
        assert!("8/8/8".parse::<P>().is_err());
    }
    for variant in Variant::ALL {
        with_position!(&AnyPosition::initial(variant), position => check(position));
    }
}

#[test]
fn the_alternate_form_draws_the_board() {
    for variant in Variant::ALL {
        let start = AnyPosition::initial(variant);
        assert_eq!(format!("{start:#}"), start.diagram());
        assert_eq!(format!("{start:>80}").trim_start(), start.fen());
    }
}

#[test]
fn equal_positions_hash_equally() {
    let mut seen = HashSet::new();
    for turns in [["g1f3", "g8f6", "b1c3"], ["b1c3", "g8f6", "g1f3"]] {
        let mut position = AnyPosition::initial(Variant::Chess);
        for text in turns {
            let turn = coordinate::parse(&position, text).expect("a legal turn");
            position.try_play(&turn).expect("a legal turn");
        }
        seen.insert(position);
    }
    assert_eq!(seen.len(), 1);
}

#[test]
fn n2_only_a_destination_may_be_followed_by_a_promotion() {
    let initial = AnyPosition::initial(Variant::Chess);
    for text in ["e2qe4", "e2ke4", "e2", "e2e4x", ""] {
        assert_eq!(coordinate::parse(&initial, text), Err(TurnError::Syntax(text.to_owned())));
    }
    let promoting = position(Variant::Chess, "7k/P7/8/8/8/8/8/K7 w - - 0 1");
    assert!(coordinate::parse(&promoting, "a7a8q").is_ok());
    assert!(matches!(coordinate::parse(&promoting, "a7qa8q"), Err(TurnError::Syntax(_))));
}

#[test]
fn illegal_turns_change_nothing() {
    let step = |from, to| Step::new(from, to);
    let turn = |steps: &[Step]| {
        let mut turn = Turn::empty();
        assert!(steps.iter().all(|&step| turn.push(step)));
        turn
    };
    // The king on e5 leaps over e6 and must continue over d7.
    let start = position(Variant::Interweave, "k6k/3p4/4p3/4K3/8/8/8/7K[] w - - 0 1");
    let (first, second) = (step(Square::E5, Square::E7), step(Square::E7, Square::C7));
    let (late, far) = (step(Square::A8, Square::B7), step(Square::E5, Square::A1));
    for (steps, expected) in [
        (&[][..], TurnError::Pass),
        (&[first], TurnError::Unfinished(Square::E7)),
        (&[second], TurnError::EmptySquare(Square::E7)),
        (&[first, first], TurnError::EmptySquare(Square::E5)),
        (&[far], TurnError::Illegal { text: "e5a1".into(), from: Square::E5, to: Square::A1 }),
        // The chain is over; a further step would be a new turn.
        (&[first, second, late], TurnError::NotYourMan { square: Square::A8, owner: Color::Black }),
    ] {
        let mut position = start.clone();
        assert_eq!(position.try_play(&turn(steps)), Err(expected));
        assert_eq!(position, start);
    }
    let mut position = start.clone();
    assert_eq!(position.try_play(&turn(&[first, second])), Ok(()));
    assert_eq!(position.fen(), "k6k/2K5/8/8/8/8/8/7K[] b - - 0 1");
}

#[test]
fn step_lists_are_slices_and_iterators() {
    let start = AnyPosition::initial(Variant::Chess);
    let mut steps = start.legal_steps();
    let listed = steps.to_vec();
    assert_eq!(steps.clone().into_iter().rev().collect::<Vec<_>>().len(), 20);
    assert!((&steps).into_iter().eq(&listed) && steps.clone().into_iter().eq(listed.iter().copied()));
    assert!(listed.iter().all(|&step| start.is_legal(step)));
    assert!(!start.is_legal(Step::new(Square::E2, Square::E5)));
    steps.retain(|step| step.from() == Square::G1);
    assert_eq!(format!("{steps:?}"), "[g1f3, g1h3]");
}

#[test]
fn boards_index_men_by_role_and_colour() {
    use adoube_rules::variant::chess::role;

    let position = Chess::default();
    let pawns = position.board().piece(Color::Black, role::PAWN);
    assert_eq!(pawns, position.men(Color::Black) & position.men_of_role(role::PAWN));
    assert_eq!(position.board().pieces().count(), 32);
}

/// A man whose role the game lacks is refused with a reason, and never causes a panic.
#[test]
fn men_that_a_game_lacks_are_refused_by_name() {
    use adoube_rules::{Piece, Role, SetupProblem, SquareSet, with_position};

    for variant in Variant::ALL {
        let start = AnyPosition::initial(variant);
        for index in 0..Role::MAX {
            let role = Role::new(index);
            let known = index < variant.roles().len();
            let mut setup = start.to_setup();
            setup.pieces[Square::D4.index()] = Some(Piece { color: Color::White, role });
            let refused = AnyPosition::from_setup(&setup).expect_err("a seventeenth man");
            let unknown = SetupProblem::UnknownRole { variant, square: Square::D4, role };
            assert_eq!(refused.problems().contains(&unknown), !known, "{variant} {index}: {refused}");

            assert_eq!(start.men_of_role(role).any(), known);
            assert_eq!(start.reserve(Color::White, role), 0);
            with_position!(&start, position => {
                assert_eq!(position.men_of_role(role), start.men_of_role(role));
            });
            assert_eq!(variant.letter(role) != '?', known);
            let named = format!("{setup:?}");
            if known {
                assert!(named.contains(&format!("D4: white {}", variant.role_name(role))), "{named}");
            } else {
                assert!(named.contains("D4: white Role("), "{named}");
                assert!(setup.to_string().contains('?'), "{setup}");
            }

            let mut alone = adoube_rules::Setup::empty(variant);
            alone.pieces[0] = Some(Piece { color: Color::Black, role });
            let lacks_king = variant.info().royal.is_some();
            assert!(AnyPosition::from_setup(&alone).is_err() || known && !lacks_king);
        }
        assert_eq!(Role::try_new(Role::MAX), None);
    }
    let board = Chess::default().board().clone();
    assert_eq!(board.role(Role::new(7)), SquareSet::EMPTY);
    assert_eq!(board.piece(Color::White, Role::new(6)), SquareSet::EMPTY);
    assert_eq!(format!("{:?}", Role::new(1)), "Role(1: knight, long-leaper, leaper)");
}

/// Tries illegal steps, including promotions to roles of another game.
#[test]
fn no_step_makes_a_position_panic() {
    use adoube_rules::Role;

    fn check_every_step(position: &AnyPosition) {
        for from in Square::ALL {
            for to in Square::ALL {
                let promotions = (0..7).map(|index| Step::promoting(from, to, Role::new(index)));
                for step in promotions.chain([Step::new(from, to)]) {
                    let _ = (position.taken(step), position.destination(step), position.is_legal(step));
                    let after = position.after(step);
                    let _ = (after.fen(), after.key(), after.count_steps());
                }
            }
        }
    }

    for variant in Variant::ALL {
        let mut position = AnyPosition::initial(variant);
        for played in 0..24 {
            if played % 8 == 0 {
                check_every_step(&position);
            }
            let steps = position.legal_steps();
            position.play_unchecked(steps[(played * 11 + 5) % steps.len()]);
        }
    }
}

#[test]
fn men_in_reserve_are_refused_in_games_without_a_reserve() {
    for variant in Variant::ALL {
        let mut setup = AnyPosition::initial(variant).to_setup();
        setup.reserves[Color::Black][1] = 1;
        let problem = SetupProblem::Reserve { color: Color::Black };
        let found = AnyPosition::from_setup(&setup).map_err(|error| error.problems().contains(&problem));
        assert_eq!(found.is_err_and(|is_named| is_named), variant.reserve_roles().is_empty(), "{variant}");
    }
}
