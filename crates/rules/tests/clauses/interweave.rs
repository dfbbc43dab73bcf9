//! I: Interweave. Kings that the printed examples omit are added far away from the other men.

use adoube_rules::{AnyPosition, Color, Position, Role, Step, Variant, variant::interweave::role};

use super::{destinations, is_legal, outcome, play, takes, turns_from};

#[track_caller]
fn interweave(fen: &str) -> AnyPosition {
    super::position(Variant::Interweave, fen)
}

fn reserve(position: &AnyPosition, color: Color) -> [u8; 3] {
    [role::SMASHER, role::LEAPER, role::REMOVER].map(|role: Role| position.reserve(color, role))
}

#[test]
fn i1_initial_position() {
    let position = AnyPosition::initial(Variant::Interweave);
    assert_eq!(position.fen(), "rbnkknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNKKNBR[] w - - 0 1");
    assert_eq!(position.legal_turns().len(), 30);
}

#[test]
fn i2_every_step_stays_on_its_shade_and_takes_on_the_other() {
    let mut position = AnyPosition::initial(Variant::Interweave);
    let mut seed = 7_u64;
    for _ in 0..300 {
        for step in position.legal_steps() {
            assert_eq!(step.from().is_light(), step.to().is_light());
            assert!(position.taken(step).into_iter().all(|square| square.is_light() != step.to().is_light()));
        }
        let turns = position.legal_turns();
        if turns.is_empty() {
            position = AnyPosition::initial(Variant::Interweave);
            continue;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position.play_turn_unchecked(&turns[(seed >> 33) as usize % turns.len()]);
    }
}

#[test]
fn i10_a_double_advance_is_not_in_the_setup_while_its_chain_goes_on() {
    let mut position = interweave("k6k/8/8/3p4/4pR2/8/1P6/K6K[] w - - 0 1");
    let is_advance = |step: &Step| step.from().to_string() == "b2" && step.to().to_string() == "d4";
    let step = position.legal_steps().into_iter().find(is_advance).unwrap();
    position.play_unchecked(step);
    assert!(position.chain().is_some());
    let setup = position.to_setup();
    assert_eq!(setup.en_passant, None);
    AnyPosition::from_setup(&setup).unwrap();
}

#[test]
fn i3_taking_a_king_wins_at_once() {
    let position = interweave("7k/8/8/8/8/4k3/4P3/K6K w - - 0 1");
    let over = play(&position, "e2e4");
    assert_eq!(outcome(&over), "1-0 king-captured");
    assert_eq!(over.legal_turns().len(), 0);
}

#[test]
fn i3_a_remover_may_take_both_kings() {
    let position = interweave("8/8/8/4k3/4Bk2/8/8/K6K[] w - - 0 1");
    let over = play(&position, "e4e4");
    assert_eq!(outcome(&over), "1-0 king-captured");
    assert_eq!(interweave(&over.fen()).fen(), "8/8/8/8/4B3/8/8/K6K[] b - - 0 1");
    // However, the two sides cannot both have lost a king.
    let error =
        AnyPosition::from_fen(Variant::Interweave, "8/8/8/4k3/8/8/8/7K[] w - - 0 1").expect_err("no winner");
    assert_eq!(error.to_string(), "both sides have lost a king; the game ends with the first one taken");
}

#[test]
fn i4_taking_is_compulsory_and_must_continue() {
    // Every legal turn takes.
    let position = interweave("7k/1p6/8/8/8/8/kR4p1/K6K w - - 0 1");
    let turns: Vec<_> = position.legal_turns();
    assert!(turns.iter().all(|turn| position.taken(turn.steps()[0]).any()));
    let chain = interweave("k6k/1p6/8/1n2p3/8/8/1R6/K6K w - - 0 1");
    assert!(!is_legal(&chain, "h1g2"));
    // b2–b4 takes b5; from b4 the same man must take b7.
    assert_eq!(turns_from(&chain, "b2"), ["b2b4b6 [b5|b7]"]);
    assert!(!is_legal(&chain, "b2b4"));
    let chain = interweave("k6k/p7/8/8/n2p4/8/8/K1R4K w - - 0 1");
    assert!(turns_from(&chain, "c1").iter().all(|turn| turn.ends_with("[]")));
}

#[test]
fn i4_pieces_are_removed_as_they_are_taken() {
    // A king leaps over d5, and then over c6 from the square where it landed.
    let position = interweave("k6k/8/1Pr5/3nK3/8/8/8/7K w - - 0 1");
    assert_eq!(turns_from(&position, "e5"), ["e5c5c7 [d5|c6]"]);
    // The first step alone is not a turn.
    assert!(!is_legal(&position, "e5c5"));
}

#[test]
fn i4_a_turn_ends_when_a_king_is_taken() {
    let position = interweave("7k/8/2r5/3kK3/8/8/8/7K w - - 0 1");
    assert_eq!(turns_from(&position, "e5"), ["e5c5 [d5]"]);
    assert_eq!(outcome(&play(&position, "e5c5")), "1-0 king-captured");
}

#[test]
fn i5_king() {
    let position = interweave("k6k/8/4b3/3nK3/8/8/8/7K w - - 0 1");
    assert_eq!(turns_from(&position, "e5"), ["e5c5 [d5]", "e5e7 [e6]"]);
    // If there is nothing to take, it moves one square diagonally.
    let position = interweave("k6k/8/8/4K3/8/8/8/7K w - - 0 1");
    assert_eq!(destinations(&position, "e5"), ["d4", "d6", "f4", "f6"]);
}

#[test]
fn i6_smasher() {
    let position = interweave("k6k/1p6/8/8/8/8/1R4p1/K6K w - - 0 1");
    assert_eq!(turns_from(&position, "b2"), ["b2b6 [b7]", "b2f2 [g2]"]);
    let position = interweave("k6k/8/5p2/8/8/7K/1R3p2/7K w - - 0 1");
    assert_eq!(destinations(&position, "b2"), ["a1", "a3", "b4", "b6", "b8", "c1", "c3", "d2", "d4", "e5"]);
    // It must move to take.
    assert!(
        turns_from(&interweave("k6k/8/8/8/8/1p6/1R6/K6K w - - 0 1"), "b2")
            .iter()
            .all(|turn| turn.ends_with("[]"))
    );
}

#[test]
fn i7_leaper() {
    let position = interweave("3k3k/p7/5p2/7K/8/1P5K/8/N5p1 w - - 0 1");
    assert_eq!(destinations(&position, "a1"), ["a3", "a5", "b2", "c1", "c3", "d4", "e1", "e3", "e5"]);
    let position = interweave("5k1k/8/7K/8/p6K/8/2p5/N6b w - - 0 1");
    assert_eq!(turns_from(&position, "a1"), ["a1a5 [a4]", "a1a7 [a4]", "a1e3 [c2]"]);
}

#[test]
fn i8_remover_takes_all_its_neighbours_and_all_but_pawns_enter_the_reserve() {
    let position = interweave("k6k/8/8/4p3/4Bp2/8/8/K6K w - - 0 1");
    assert_eq!(turns_from(&position, "e4"), ["e4e4 [f4+e5]"]);
    let position = interweave("k6k/8/8/4r3/3nBb2/4p3/8/K6K w - - 0 1");
    assert_eq!(takes(&position, "e4e4"), "e3+d4+f4+e5");
    let after = play(&position, "e4e4");
    assert_eq!(reserve(&after, Color::Black), [1, 1, 1]);
    assert_eq!(after.fen(), "k6k/8/8/8/4B3/8/8/K6K[rnb] b - - 0 1");
}

#[test]
fn i9_pawns() {
    let position = interweave("k6k/8/3P4/8/8/8/1P6/K6K w - - 0 1");
    assert_eq!(destinations(&position, "b2"), ["a3", "c3", "d4"]);
    assert_eq!(destinations(&position, "d6"), ["c7", "e7"]);
    let position = interweave("5k1k/Nr5R/2rP3n/2N5/7b/4b2P/4P3/K1K5 w - - 0 1");
    assert_eq!(takes(&position, "d6c7"), "c6+b7");
    assert_eq!(takes(&position, "e2e4"), "e3");
    assert_eq!(takes(&position, "h3h5"), "h4+h6");
}

#[test]
fn i9_a_man_leapt_over_between_two_friends_is_taken_only_once() {
    // The remover on e3 stands between the pawn's origin and its landing square, and between friends on d3
    // and f3.
    let position = interweave("k6k/8/8/8/8/3PbP2/4P3/K6K w - - 0 1");
    assert_eq!(takes(&position, "e2e4"), "e3");
    assert_eq!(reserve(&play(&position, "e2e4"), Color::Black), [0, 0, 1]);
}

#[test]
fn i10_en_passant_leaps_over_the_crossed_square() {
    let position = interweave("k6k/8/8/8/3p4/8/2P5/K6K w - - 0 1");
    let crossed = play(&position, "c2e4");
    assert_eq!(crossed.fen(), "k6k/8/8/8/3pP3/8/8/K6K[] b - d3e4 0 1");
    // Being the only taking, it is compulsory.
    assert_eq!(turns_from(&crossed, ""), ["d4d2 [e4]"]);
    assert_eq!(play(&crossed, "d4d2").fen(), "k6k/8/8/8/8/8/3p4/K6K[] w - - 0 2");
    // The landing square must be empty.
    let barred = play(&interweave("k6k/8/8/8/3p4/8/2PN4/K6K w - - 0 1"), "c2e4");
    assert!(!is_legal(&barred, "d4d2"));
}

#[test]
fn i10_en_passant_is_possible_after_a_double_advance_that_took() {
    // c2–e4 crosses d3 and takes the man on f4, which is then between e4 and g4.
    let position = interweave("k6k/8/8/8/3p1nP1/8/2P5/K6K w - - 0 1");
    assert_eq!(takes(&position, "c2e4"), "f4");
    let after = play(&position, "c2e4");
    assert_eq!(takes(&after, "d4d2"), "e4");
}

#[test]
fn i10_en_passant_is_impossible_once_the_pawn_has_moved_on() {
    // After taking f4 the pawn on e4 must leap over e5, and there is nothing left to take on e4.
    let position = interweave("k6k/8/8/4r3/3p1nP1/8/2P5/K6K w - - 0 1");
    assert_eq!(takes(&position, "c2e4e6"), "f4|e5");
    let after = play(&position, "c2e4e6");
    assert!(!is_legal(&after, "d4d2"));
    assert!(after.fen().contains(" - - "), "{}", after.fen());
}

#[test]
fn i10_en_passant_is_possible_only_as_a_first_step() {
    // After c2–e4 the pawn on d6 takes d5, which brings it right behind the crossed square; it may not go on.
    let position = interweave("k6k/8/3p4/3R4/8/8/2P5/K6K w - - 0 1");
    let crossed = play(&position, "c2e4");
    assert_eq!(turns_from(&crossed, ""), ["d6d4 [d5]"]);
}

#[test]
fn i10_en_passant_only_in_the_next_turn() {
    // After another taking, en passant is no longer possible.
    let position = interweave("k6k/8/7p/7R/3p4/8/2P5/K6K w - - 0 1");
    let crossed = play(&position, "c2e4");
    assert_eq!(turns_from(&crossed, ""), ["d4d2 [e4]", "h6h4 [h5]"]);
    let passed = play(&crossed, "h6h4 a1b2");
    assert!(!is_legal(&passed, "d4d2"));
}

#[test]
fn i11_promotion_from_the_reserve() {
    let position = interweave("7k/k7/8/3P4/8/8/8/K6K[R] w - - 0 1");
    assert_eq!(destinations(&position, "d5"), ["c6", "e6"]);
    // On the last rank but one, a pawn may promote; on the last rank, it must.
    let may = interweave("7k/k7/3P4/8/8/8/8/K6K[RRN] w - - 0 1");
    assert_eq!(destinations(&may, "d6"), ["c7", "c7n", "c7r", "e7", "e7n", "e7r"]);
    let after = play(&may, "d6c7r");
    assert_eq!(reserve(&after, Color::White), [1, 1, 0]);
    let must = interweave("7k/k2P4/8/8/8/8/8/K6K[RRN] w - - 0 1");
    assert_eq!(destinations(&must, "d7"), ["c8n", "c8r", "e8n", "e8r"]);
    // If the reserve is empty, the last rank is out of reach.
    let none = interweave("7k/k2P4/8/8/8/8/8/K6K[] w - - 0 1");
    assert_eq!(destinations(&none, "d7"), [""; 0]);
    // The enemy's men are not available.
    let theirs = interweave("7k/k2P4/8/8/8/8/8/K6K[rnb] w - - 0 1");
    assert_eq!(destinations(&theirs, "d7"), [""; 0]);
}

#[test]
fn i11_a_taking_onto_the_last_rank_needs_a_man_in_reserve() {
    let position = interweave("7k/k2n4/3P4/8/8/8/8/K6K[] w - - 0 1");
    assert!(!is_legal(&position, "d6d8") && !is_legal(&position, "d6d8r"));
    assert!(is_legal(&position, "a1b2"), "a taking that is impossible is not compulsory");
    let position = interweave("7k/k2n4/3P4/8/8/8/8/K6K[B] w - - 0 1");
    assert_eq!(turns_from(&position, ""), ["d6d8b [d7]"]);
}

#[test]
fn i11_a_pawn_that_promotes_by_taking_continues_as_the_new_man() {
    // The pawn on d5 leaps over d6 to d7. If it becomes a remover there, the remover then takes c7.
    let position = interweave("7k/k1n5/3r4/3P4/8/8/8/K6K[B] w - - 0 1");
    assert_eq!(turns_from(&position, ""), ["d5d7 [d6]", "d5d7bd7 [d6|c7]"]);
}

#[test]
fn i11_a_promoted_man_enters_the_reserve_in_its_new_role() {
    let position = interweave("7k/k7/3P4/8/8/8/8/K6K[B] w - - 0 1");
    let position = play(&position, "d6c7b h8g7");
    assert_eq!(reserve(&position, Color::White), [0, 0, 0]);
    // When that remover, once a pawn, is taken, it enters the reserve as a remover.
    let leapt = interweave("8/1kB4k/8/8/8/8/8/K6K[] b - - 0 1");
    assert_eq!(takes(&leapt, "b7d7"), "c7");
    assert_eq!(reserve(&play(&leapt, "b7d7"), Color::White), [0, 0, 1]);
}

#[test]
fn i12_no_legal_turn_loses() {
    // Each king's only diagonal is barred.
    let position = interweave("7k/k7/8/8/8/8/1p4p1/K6K w - - 0 1");
    assert_eq!(position.legal_turns().len(), 0);
    assert_eq!(outcome(&position), "0-1 no-moves");
    assert_eq!(outcome(&interweave("7k/k7/8/8/8/8/1p6/K6K w - - 0 1")), "ongoing");
}

#[test]
fn i13_same_position_means_same_reserve_and_same_possible_taking() {
    let key = |fen| interweave(fen).key();
    assert_ne!(key("k6k/8/8/8/8/8/8/K6K[R] w - - 0 1"), key("k6k/8/8/8/8/8/8/K6K[] w - - 0 1"));
    assert_ne!(key("k6k/8/8/8/3pP3/8/8/K6K[] b - d3e4 0 1"), key("k6k/8/8/8/3pP3/8/8/K6K[] b - - 0 1"));
    // No pawn stands behind the crossed square, so it makes no difference.
    assert_eq!(key("k6k/8/8/8/4P3/8/8/K6K[] b - d3e4 0 1"), key("k6k/8/8/8/4P3/8/8/K6K[] b - - 0 1"));
}
