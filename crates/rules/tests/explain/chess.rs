//! C: chess.

use adoube_rules::{
    AnyPosition, Color, DrawRules, Position, Setup, Square, SquareSet, Turn, Variant,
    explain::{self, Reason},
};

use super::{Explained, explained, squares};

#[track_caller]
fn chess(fen: &str) -> Explained {
    explained(Variant::Chess, fen)
}

fn start() -> Explained {
    Explained(AnyPosition::initial(Variant::Chess))
}

#[test]
fn c2_the_wrong_side_or_an_empty_square_is_named() {
    assert_eq!(start().why("e4e5"), ["C2 no man on e4"]);
    assert_eq!(start().why("e7e5"), ["C2 not yours pe7"]);
    let reasons_for_black = |from, to| {
        let reasons =
            explain::step_of(&start().0, Color::Black, from, to, None).expect_err("not Black's turn");
        reasons.iter().map(|reason| start().reason(reason)).collect::<Vec<_>>()
    };
    assert_eq!(reasons_for_black(Square::E7, Square::E5), ["C2 white to move"]);
    assert_eq!(reasons_for_black(Square::E2, Square::E4), ["C2 white to move", "C2 not yours Pe2"]);
}

#[test]
fn c2_a_turn_is_exactly_one_step() {
    let position = start().0;
    let none = explain::turn(&position, &Turn::empty()).expect_err("passing");
    assert_eq!(none.reasons, [Reason::Pass]);
    let two: Turn = {
        let mut turn = Turn::from(start().step("e2e4").expect("legal").step);
        turn.push(start().step("d2d4").expect("legal").step);
        turn
    };
    let refusal = explain::turn(&position, &two).expect_err("two steps");
    assert_eq!(refusal.legal.len(), 1);
    assert_eq!(refusal.reasons, [Reason::NotYourTurn { to_move: Color::Black }]);
    let one = Turn::from(start().step("e2e4").expect("legal").step);
    assert_eq!(explain::turn(&position, &one).expect("legal").len(), 1);
}

#[test]
fn c4_the_king_may_not_step_into_an_attack() {
    let position = chess("4k3/3r4/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(position.why("e1d1"), ["C4 exposed C5 rd7-d1 takes Kd1, landing"]);
    // A king that steps away from a rook along the rook's line remains in the same check.
    let position = chess("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
    assert_eq!(position.why("e1f1"), ["C4 still C5 ra1-f1 takes Kf1, landing"]);
    // A pawn counts as an attacker; the man taken does not.
    let position = chess("8/8/8/2k5/4p3/3r4/4K3/8 w - - 0 1");
    assert_eq!(position.why("e2d3"), ["C4 exposed C7 pe4-d3 takes Kd3, landing"]);
    assert_eq!(position.why("e2e4"), ["C4 invalid movement"]);
}

#[test]
fn c5_men_in_the_way_are_named() {
    assert_eq!(start().why("a1a3"), ["C5 blocked by Pa2"]);
    assert_eq!(start().why("a1a8"), ["C5 blocked by Pa2", "C5 blocked by pa7"]);
    assert_eq!(start().why("a1a2"), ["C5 own Pa2"]);
    assert_eq!(start().why("c1d2"), ["C5 own Pd2"]);
    assert_eq!(start().why("c1c3"), ["C5 invalid movement"]);
    assert_eq!(start().why("d1d1"), ["C5 invalid movement"]);
}

#[test]
fn c6_knight() {
    assert_eq!(start().why("b1b3"), ["C6 invalid movement"]);
    assert_eq!(start().why("b1d2"), ["C6 own Pd2"]);
}

#[test]
fn c7_pawn() {
    let position = chess("4k3/8/8/8/P3p3/8/4P3/4K3 w - - 0 1");
    assert_eq!(position.why("e2e4"), ["C7 blocked by pe4"]);
    assert_eq!(position.why("e2d3"), ["C7 nothing to take on d3"]);
    assert_eq!(position.why("e2f4"), ["C7 invalid movement"]);
    assert_eq!(position.why("a4a6"), ["C7 not from start"]);
    assert_eq!(position.why("a4a3"), ["C7 invalid movement"]);
    let position = chess("4k3/8/8/8/8/4N3/4P3/4K3 w - - 0 1");
    assert_eq!(position.why("e2e4"), ["C7 blocked by Ne3"]);
    assert_eq!(position.why("e2e3"), ["C7 own Ne3"]);
}

#[test]
fn c8_en_passant() {
    let position = chess("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1").after("d7d5");
    assert_eq!(position.takes("e5d6"), ["C8 Pe5-d6 takes pd5, crossed d6"]);
    let taking = position.step("e5d6").expect("legal").takings[0];
    assert_eq!(squares(taking.squares()), "d5+e5+d6");
    assert_eq!(position.after("e1e2 e8e7").why("e5d6"), ["C8 not en passant pd5"]);
    // En passant is never possible if the man next to the pawn is not a pawn.
    assert_eq!(chess("4k3/8/8/3rP3/8/8/8/4K3 w - - 0 1").why("e5d6"), ["C7 nothing to take on d6"]);
}

#[test]
fn c8_en_passant_must_not_expose_the_king() {
    let position = chess("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1");
    assert_eq!(position.why("e5d6"), ["C8 opens C5 rh5-a5 takes Ka5, landing"]);
    // If none of the pawn's steps is legal, the reason for each is listed.
    let position = chess("8/8/4n3/K2pP2r/8/8/8/4k3 w - d6 0 1");
    assert_eq!(position.barred("e5"), ["C8 opens C5 rh5-a5 takes Ka5, landing", "C7 blocked by ne6"]);
    // A pin is reported as a pin.
    let position = chess("4r3/8/8/3pP3/8/8/8/k3K3 w - d6 0 1");
    assert_eq!(position.why("e5d6"), ["C11 pinned by re8, Ke1, line e1+e2+e3+e4+e5+e6+e7+e8"]);
    // En passant may parry a check by the pawn that it takes.
    let position = chess("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1");
    assert_eq!(position.checks(), ["C7 pd5-e4 takes Ke4, landing"]);
    assert_eq!(position.takes("e5d6"), ["C8 Pe5-d6 takes pd5, crossed d6"]);
}

#[test]
fn c9_promotion() {
    let position = chess("5n2/4P3/8/8/8/8/8/k1K5 w - - 0 1");
    assert_eq!(position.why("e7e8"), ["C9 promotion missing QRBN"]);
    assert_eq!(position.why("e7e8k"), ["C9 not to K, only QRBN"]);
    assert_eq!(position.why("c1c2q"), ["C9 no promotion to Q"]);
    assert_eq!(position.takes("e7f8q"), ["C7 Pe7-f8 takes nf8, landing"]);
    assert_eq!(position.why("e7d8q"), ["C7 nothing to take on d8"]);
}

#[test]
fn c10_castling() {
    let position = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for text in ["e1g1", "e1h1"] {
        let legal = position.step(text).expect("legal");
        assert_eq!((legal.to, legal.castling), (Square::G1, Some((Square::H1, Square::F1))), "{text}");
    }
    assert_eq!(position.step("e1f1").expect("legal").castling, None);
    for (fen, reasons) in [
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", &["C10 castling h1: right lost"][..]),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", &["C10 castling h1: no rook"]),
        ("4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", &["C10 castling h1: between Bf1"]),
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", &["C10 castling h1: check by re2"]),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", &["C10 castling h1: crosses f1, attacked by rf3"]),
        ("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", &["C10 castling h1: lands on g1, attacked by rg3"]),
        (
            "4k3/8/8/8/8/6r1/5p2/R3K1nR w - - 0 1",
            &[
                "C10 castling h1: right lost",
                "C10 castling h1: between ng1",
                "C10 castling h1: check by pf2",
                "C10 castling h1: lands on g1, attacked by pf2",
                "C10 castling h1: lands on g1, attacked by rg3",
            ],
        ),
    ] {
        assert_eq!(chess(fen).why("e1g1"), reasons, "{fen}");
    }
    let position = chess("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1");
    assert_eq!(position.why("e1c1"), ["C10 castling a1: between Nb1"]);
    assert_eq!(position.why("e1a1"), ["C10 castling a1: between Nb1"]);
    // A king step of three squares is neither castling nor an ordinary step.
    assert_eq!(position.why("e1b1"), ["C4 own Nb1", "C4 invalid movement"]);
}

#[test]
fn c10_the_castling_rook_may_be_the_kings_only_shield() {
    let position = chess("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1");
    assert_eq!(position.why("d1b1"), ["C10 castling b1: lands on c1, attacked by qa1"]);
}

#[test]
fn c11_pinned() {
    let position = chess("4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1");
    assert_eq!(position.why("f2d3"), ["C11 pinned by bh4, Ke1, line e1+f2+g3+h4"]);
    assert_eq!(position.why("f2f3"), ["C6 invalid movement", "C11 pinned by bh4, Ke1, line e1+f2+g3+h4"]);
    assert_eq!(position.holds("f2"), ["C11 pinned by bh4, Ke1, line e1+f2+g3+h4"]);
    assert_eq!(position.holds("h4"), ["C2 white to move"]);
    // It may move along the line, up to the man that pins it.
    let position = chess("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1");
    let about = position.about("e2");
    assert_eq!(about.holding.len(), 1);
    assert_eq!(about.steps.len(), 5);
    assert_eq!(position.why("e2d2"), ["C11 pinned by re7, Ke1, line e1+e2+e3+e4+e5+e6+e7"]);
    // Two men between king and rook are not pinned.
    assert_eq!(chess("4k3/4r3/8/8/8/4N3/4R3/4K3 w - - 0 1").holds("e2"), [""; 0]);
}

/// If a pin is the only reason why a step is illegal, the step becomes legal once the enemy men on the line
/// of the pin are removed.
#[test]
fn c11_a_pinned_man_can_move_once_the_pinning_man_is_removed() {
    let mut random = 0xc11_u64;
    let mut pins = 0;
    for _ in 0..40 {
        let mut position = AnyPosition::initial(Variant::Chess);
        for _ in 0..100 {
            for from in position.men(position.side_to_move()) {
                for to in Square::ALL {
                    let Err(reasons) = explain::step(&position, from, to, None) else { continue };
                    let [Reason::Pinned { king, line, .. }] = reasons[..] else { continue };
                    assert!(line.contains(king) && line.contains(from) && !line.contains(to));
                    let mut setup: Setup = position.to_setup();
                    let behind =
                        adoube_rules::attacks::line(king, from) & position.men(!position.side_to_move());
                    for square in behind.into_iter().filter(|&square| square != to) {
                        setup.pieces[square.index()] = None;
                    }
                    // The castling rights of removed rooks go too, and so does the en passant square, whose
                    // pawn may be gone.
                    setup.castling -= behind;
                    setup.en_passant = None;
                    let Ok(freed) = AnyPosition::from_setup(&setup) else { continue };
                    assert!(explain::step(&freed, from, to, None).is_ok(), "{} {from}{to}", position.fen());
                    pins += 1;
                }
            }
            let steps = position.legal_steps();
            if steps.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position.play_unchecked(steps[(random >> 33) as usize % steps.len()]);
        }
    }
    assert!(pins > 100, "{pins}");
}

#[test]
fn c12_check_not_parried() {
    let position = chess("4r2k/8/8/8/1B6/8/3P1P2/3QKB2 w - - 0 1");
    assert_eq!(position.checks(), ["C5 re8-e1 takes Ke1, landing"]);
    assert_eq!(position.why("d1c1"), ["C12 check by re8"]);
    assert_eq!(position.why("b4c5"), ["C12 check by re8"]);
    assert!(position.step("b4e7").is_ok() && position.step("d1e2").is_ok());
    // The pawn on f2 could move, but none of its steps parries the check.
    assert_eq!(position.holds("f2"), ["C12 check by re8"]);
    assert_eq!(position.holds("d1"), [""; 0]);
}

#[test]
fn c12_double_check() {
    let position = chess("4r2k/8/8/8/8/3n4/5P2/RQ2KBR1 w - - 0 1");
    assert_eq!(position.checks(), ["C6 nd3-e1 takes Ke1, landing", "C5 re8-e1 takes Ke1, landing"]);
    // Taking one of the two is not enough.
    assert_eq!(position.why("b1d3"), ["C12 double check by re8"]);
    assert_eq!(position.why("f1e2"), ["C12 double check by nd3"]);
    assert_eq!(position.why("a1a2"), ["C12 double check by nd3", "C12 double check by re8"]);
}

#[test]
fn c16_c18_c19_the_end_of_the_game_is_explained() {
    let mate = chess("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(mate.why("g8f8"), ["C16 over 1-0 checkmate", "C4 still C5 Ra8-f8 takes kf8, landing"]);
    assert_eq!(mate.holds("f7"), ["C16 over 1-0 checkmate", "C12 check by Ra8"]);
    let stalemate = chess("k7/P7/K7/8/8/8/8/8 b - - 0 1");
    assert_eq!(
        stalemate.why("a8b8"),
        ["C18 over 1/2-1/2 stalemate", "C4 exposed C7 Pa7-b8 takes kb8, landing"]
    );
    // In a draw by insufficient material, steps are still explained as legal.
    let bare = chess("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let outcome = explain::position(&bare.0, DrawRules::Club).outcome.expect("a draw");
    assert_eq!(explain::outcome_clause(outcome, Variant::Chess), "C19");
    assert!(bare.step("e1e2").is_ok());
}

#[test]
fn attacks_and_threats() {
    let position = chess("4k3/8/8/3p4/4N3/8/8/r3K2R w K - 0 1");
    assert_eq!(position.threats(), ["C7 pd5-e4 takes Ne4, landing"]);
    assert_eq!(position.takings(&position.about("e4").attacked_by), ["C7 pd5-e4 takes Ne4, landing"]);
    assert_eq!(position.takings(&position.about("a1").attacks), ["C5 ra1-e1 takes Ke1, landing"]);
    // The steps of a man of the other side are those that it would have if its side were to move, except
    // those that would take the king.
    let steps: SquareSet = position.about("a1").steps.iter().map(|legal| legal.to).collect();
    assert_eq!(squares(steps), "b1+c1+d1+a2+a3+a4+a5+a6+a7+a8");
    assert_eq!(explain::man(&position.0, Square::B5), None);
}

#[test]
fn blocked_men_name_their_blockers() {
    assert_eq!(start().barred("a1"), ["C5 own Nb1", "C5 own Pa2"]);
    assert_eq!(start().barred("b1"), [""; 0], "the knight has steps");
    let position = chess("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1");
    assert_eq!(position.barred("e3"), ["C7 blocked by pe4"]);
    assert_eq!(position.barred("e4"), ["C7 blocked by Pe3"], "men of the side not to move are blocked too");
}

#[test]
fn c16_c18_mate_and_stalemate_are_explained_square_by_square() {
    let mate = chess("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(mate.holds("g8"), ["C16 over 1-0 checkmate"]);
    assert_eq!(
        mate.barred("g8"),
        [
            "C4 own pf7",
            "C4 own pg7",
            "C4 own ph7",
            "C4 still C5 Ra8-f8 takes kf8, landing",
            "C4 still C5 Ra8-h8 takes kh8, landing"
        ]
    );
    let stalemate = chess("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(stalemate.holds("a8"), ["C18 over 1/2-1/2 stalemate"]);
    assert_eq!(
        stalemate.barred("a8"),
        [
            "C4 exposed C5 Qc7-a7 takes ka7, landing",
            "C4 exposed C5 Qc7-b7 takes kb7, landing",
            "C4 exposed C5 Qc7-b8 takes kb8, landing"
        ]
    );
}
