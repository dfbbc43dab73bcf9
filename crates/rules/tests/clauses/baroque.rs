//! B: Baroque.

use adoube_rules::{
    AnyPosition, Baroque, Color, Piece, Position, Setup, Square, Variant, attacks,
    variant::baroque::{KINGS_FACING_FEN, role},
};

use super::{destinations, is_legal, outcome, play, takes, turns_from};

#[track_caller]
fn baroque(fen: &str) -> AnyPosition {
    super::position(Variant::Baroque, fen)
}

#[test]
fn b1_initial_positions() {
    let position = AnyPosition::initial(Variant::Baroque);
    assert_eq!(position.fen(), "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1");
    // A half-turn of the board maps one army onto the other.
    for square in Square::ALL {
        let turned = Square::from_index(63 - square.index());
        let other = position.piece_at(turned).map(|piece| Piece { color: !piece.color, ..piece });
        assert_eq!(position.piece_at(square), other);
    }
    assert_eq!(baroque(KINGS_FACING_FEN).fen(), KINGS_FACING_FEN);
}

#[test]
fn b2_men_move_only_onto_empty_squares() {
    let position = baroque("7k/8/8/8/3p4/8/8/K2P4 w - - 0 1");
    assert_eq!(destinations(&position, "d1"), ["b1", "c1", "d2", "d3", "e1", "f1", "g1", "h1"]);
}

#[test]
fn b3_only_the_king_takes_by_landing() {
    let position = baroque("7k/8/8/8/8/8/1p6/K7 w - - 0 1");
    assert_eq!(takes(&position, "a1b2"), "b2");
    // A move takes every man that it can. The player cannot choose.
    let position = baroque("7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1");
    assert_eq!(turns_from(&position, "c2c4"), ["c2c4 [d4+c5]"]);
}

#[test]
fn b4_a_man_next_to_an_enemy_immobilizer_cannot_move() {
    let position = baroque("7k/8/8/3m4/3P4/8/8/K7 w - - 0 1");
    assert_eq!(destinations(&position, "d4"), [""; 0]);
    assert!(is_legal(&position, "a1a2"));
    // An immobilizer neutralised by a chameleon or an immobilizer next to it freezes at most that neighbour.
    for neutralizer in ["B", "M"] {
        let position = baroque(&format!("7k/8/4{neutralizer}3/3m4/3P4/8/8/K7 w - - 0 1"));
        assert_eq!(destinations(&position, "d4").len(), 10, "{neutralizer}");
        assert_eq!(destinations(&position, "e6"), [""; 0], "{neutralizer}: it does not free itself");
    }
    // Two chameleons next to the immobilizer free each other as well.
    let position = baroque("7k/8/2B1B3/3m4/3P4/8/8/K7 w - - 0 1");
    assert!(!destinations(&position, "e6").is_empty() && !destinations(&position, "c6").is_empty());
}

#[test]
fn b4_an_immobilizer_next_to_a_chameleon_is_frozen() {
    let position = baroque("7k/8/8/3b4/3M4/8/8/K7 w - - 0 1");
    assert_eq!(destinations(&position, "d4"), [""; 0]);
}

#[test]
fn b4_either_reason_is_enough_in_every_arrangement() {
    // A white immobilizer next to a neutralised black one and to a black chameleon, in every arrangement.
    let here = Square::D4;
    let mut arrangements = 0;
    for immobilizer in attacks::king(here) {
        for chameleon in attacks::king(here) {
            for neutralizer in attacks::king(immobilizer) {
                if chameleon == immobilizer || neutralizer == here || neutralizer == chameleon {
                    continue;
                }
                let mut setup = Setup::empty(Variant::Baroque);
                for (square, color, role) in [
                    (Square::A1, Color::White, role::KING),
                    (Square::H8, Color::Black, role::KING),
                    (here, Color::White, role::IMMOBILIZER),
                    (immobilizer, Color::Black, role::IMMOBILIZER),
                    (chameleon, Color::Black, role::CHAMELEON),
                    (neutralizer, Color::White, role::CHAMELEON),
                ] {
                    setup.pieces[square.index()] = Some(Piece { color, role });
                }
                let position = Baroque::from_setup(&setup).expect("a playable arrangement");
                assert!(position.immobilized(Color::White).contains(here), "{}", position.fen());
                assert!(position.legal_steps().iter().all(|step| step.from() != here));
                arrangements += 1;
            }
        }
    }
    assert!(arrangements > 300);
}

#[test]
fn b5_the_immobilizer_takes_nothing() {
    let position = baroque("7k/8/8/8/3pP3/8/M7/K7 w - - 0 1");
    assert!(turns_from(&position, "a2").iter().all(|turn| turn.ends_with("[]")));
}

#[test]
fn b6_a_pawn_takes_between_itself_and_a_friend() {
    assert_eq!(takes(&baroque("7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7"), "c2c4"), "d4+c5");
    // A pawn can take three men at once. The friend may be any man, including the king.
    assert_eq!(takes(&baroque("7k/8/8/3P4/3p4/1Pp1pK2/8/3P4"), "d1d3"), "c3+e3+d4");
    // An enemy next to the square that the pawn left is not taken.
    assert_eq!(takes(&baroque("7k/8/8/8/8/3pP3/8/K7 w - - 0 1"), "e3e2"), "");
}

#[test]
fn b7_a_coordinator_takes_at_the_corners_of_the_rectangle_with_its_king() {
    assert_eq!(takes(&baroque("8/2b4K/2q5/3p1N1p/8/8/2R5/k7"), "c2c5"), "h5+c7");
    // On the king's file or rank it takes nothing, and a move of the king never takes this way.
    assert_eq!(takes(&baroque("7k/8/8/8/7p/K7/7p/1R6 w - - 0 1"), "b1b3"), "");
    assert_eq!(takes(&baroque("7k/8/8/8/8/8/1pR5/K7 w - - 0 1"), "a1b1"), "");
    // The king may be immobilised.
    assert_eq!(takes(&baroque("7k/8/8/p6R/8/8/1m6/K7 w - - 0 1"), "h5g5"), "a5");
}

#[test]
fn b8_a_long_leaper_jumps_enemies_one_by_one() {
    let position = baroque("2n4k/3r4/5b2/3p4/1m6/3b4/3N4/K7");
    let takings: Vec<_> =
        turns_from(&position, "d2").into_iter().filter(|turn| !turn.ends_with("[]")).collect();
    assert_eq!(takings, ["d2a5 [b4]", "d2d4 [d3]", "d2d6 [d3+d5]", "d2d8 [d3+d5+d7]"]);
}

#[test]
fn b8_no_leap_over_a_friend_or_two_men_in_a_row() {
    let position = baroque("7k/8/8/8/8/3p4/3p4/K2N4 w - - 0 1");
    assert!(turns_from(&position, "d1").iter().all(|turn| turn.ends_with("[]")));
    let position = baroque("7k/8/8/3P4/8/3p4/8/K2N4 w - - 0 1");
    assert!(is_legal(&position, "d1d4") && !is_legal(&position, "d1d6"));
    // There may be any number of empty squares before and behind the victim.
    let position = baroque("7k/8/8/8/8/8/8/KN2p3 w - - 0 1");
    assert_eq!(turns_from(&position, "b1").iter().filter(|turn| turn.ends_with("[e1]")).count(), 3);
}

#[test]
fn b9_a_withdrawer_takes_the_man_it_moves_away_from() {
    let position = baroque("7k/8/8/3Qr3/8/8/8/K7");
    let takings: Vec<_> =
        turns_from(&position, "d5").into_iter().filter(|turn| turn.ends_with("[e5]")).collect();
    assert_eq!(takings, ["d5a5 [e5]", "d5b5 [e5]", "d5c5 [e5]"]);
}

#[test]
fn b10_a_chameleon_takes_each_kind_in_its_own_way_all_combined() {
    assert_eq!(takes(&baroque("7k/8/8/r3pP2/2n5/8/B7/K7"), "a2d5"), "c4+a5");
    // Moving along a file or rank, it pinches pawns.
    assert_eq!(takes(&baroque("7k/8/8/4pP2/8/8/8/K2B4 w - - 0 1"), "d1d5"), "e5");
    // It withdraws from withdrawers, leaps over leapers, and takes no other men in these ways.
    assert_eq!(takes(&baroque("7k/8/8/8/8/8/3q4/K3B3 w - - 0 1"), "e1f1"), "");
    assert_eq!(takes(&baroque("7k/8/8/8/8/8/8/K2qB3 w - - 0 1"), "e1g1"), "d1");
    assert_eq!(takes(&baroque("7k/8/8/8/8/8/8/K2rB3 w - - 0 1"), "e1g1"), "");
    assert_eq!(takes(&baroque("7k/8/8/4n3/8/8/8/K3B3 w - - 0 1"), "e1e7"), "e5");
    assert!(!is_legal(&baroque("7k/8/8/4b3/8/8/8/K3B3 w - - 0 1"), "e1e7"));
    // It cannot take an immobilizer.
    assert!(!is_legal(&baroque("7k/8/8/4m3/8/8/8/K3B3 w - - 0 1"), "e1e7"));
}

#[test]
fn b11_a_chameleon_checks_a_king_next_to_it() {
    assert!(baroque("8/6Bk/8/8/8/8/8/K7 b - - 0 1").is_check());
    assert!(!baroque("8/5B1k/8/8/8/8/8/K7 b - - 0 1").is_check());
}

#[test]
fn b12_check_by_each_way_of_taking() {
    for (fen, check) in [
        // A pawn can enclose the king only if its friend stands next to the king.
        ("7k/8/8/p3K2r/8/8/8/8 w - - 0 1", false),
        ("7k/8/8/p3Kr2/8/8/8/8 w - - 0 1", true),
        // An immobilised pawn does not give check.
        ("7k/8/8/p3Kr2/1M6/8/8/8 w - - 0 1", false),
        // Leaper, with room behind the king and without.
        ("7k/8/8/n3K3/8/8/8/8 w - - 0 1", true),
        ("7k/8/8/n3KP2/8/8/8/8 w - - 0 1", false),
        ("7k/8/8/n6K/8/8/8/8 w - - 0 1", false),
        ("7k/8/8/n1P1K3/8/8/8/8 w - - 0 1", true),
        ("7k/8/8/n1PPK3/8/8/8/8 w - - 0 1", false),
        ("7k/8/8/n1p1K3/8/8/8/8 w - - 0 1", false),
        // Withdrawer, with room to withdraw and without.
        ("7k/8/8/3qK3/8/8/8/8 w - - 0 1", true),
        ("7k/8/8/2Pq1K2/8/8/8/8 w - - 0 1", false),
        ("7k/8/8/2PqK3/8/8/8/8 w - - 0 1", false),
        ("7k/8/8/qK6/8/8/8/8 w - - 0 1", false),
        // Coordinator, with the black king on the white king's rank and off it.
        ("8/8/8/k3K3/8/8/8/r7 w - - 0 1", true),
        ("8/8/k7/4K3/8/8/8/r7 w - - 0 1", false),
    ] {
        assert_eq!(baroque(fen).is_check(), check, "{fen}");
    }
}

#[test]
fn b12_a_turn_may_not_leave_the_king_en_prise() {
    let position = baroque("7k/8/8/p4r2/4K3/8/8/8");
    assert!(!is_legal(&position, "e4e5"));
    assert!(is_legal(&position, "e4e3"));
}

#[test]
fn b13_endings() {
    assert_eq!(outcome(&baroque("7k/8/8/8/8/8/8/K7 w - - 0 1")), "1/2-1/2 insufficient-material");
    // With any other man on the board, the game goes on, even if the men cannot mate.
    assert_eq!(outcome(&baroque("7k/8/8/8/8/8/8/KM6 w - - 0 1")), "ongoing");
    // The frozen king in the corner is the only man of its side.
    assert_eq!(outcome(&baroque("7k/6M1/8/8/8/8/8/K7 b - - 0 1")), "1/2-1/2 stalemate");
    assert_eq!(outcome(&baroque("7k/5BM1/8/8/8/8/8/K7 b - - 0 1")), "1/2-1/2 stalemate");
    assert_eq!(outcome(&baroque("7k/6MB/8/8/8/8/8/K7 b - - 0 1")), "1-0 checkmate");
}

#[test]
fn b13_the_clock_counts_turns_without_a_capture() {
    let position = baroque("7k/8/8/8/8/8/1p5P/K7 w - - 40 60");
    assert_eq!(play(&position, "h2h3").halfmove_clock(), 41);
    assert_eq!(play(&position, "a1b2").halfmove_clock(), 0);
}
