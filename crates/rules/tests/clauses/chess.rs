//! C: chess.

use adoube_rules::{AnyPosition, DrawRules, Position, Rank, Square, SquareSet, Variant, fen, shuffle};

use super::{destinations, is_legal, outcome, play, takes};

#[track_caller]
fn chess(fen: &str) -> AnyPosition {
    super::position(Variant::Chess, fen)
}

#[test]
fn c1_initial_position() {
    let position = AnyPosition::initial(Variant::Chess);
    assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(position.legal_turns().len(), 20);
}

#[test]
fn c3_capturing_is_not_compulsory() {
    assert!(is_legal(&chess("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), "e1e2"));
    // Even if there is no other turn, a king may not capture a protected man.
    assert_eq!(chess("7k/5KpP/6P1/8/8/8/8/8 b - - 0 1").legal_turns().len(), 0);
    assert_eq!(chess("k7/P7/K7/8/8/8/8/8 b - - 0 1").legal_turns().len(), 0);
}

#[test]
fn c4_the_king_does_not_step_into_an_attack() {
    // The king may not step away from the rook along the rook's line.
    assert_eq!(destinations(&chess("4k3/8/8/8/8/8/8/r3K3 w - - 0 1"), "e1"), ["d2", "e2", "f2"]);
}

#[test]
fn c7_pawns() {
    let position = chess("4k3/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1");
    assert_eq!(destinations(&position, "e2"), ["d3", "e3", "e4", "f3"]);
    assert_eq!(destinations(&chess("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1"), "e2"), [""; 0]);
    assert_eq!(destinations(&chess("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1"), "e2"), ["e3"]);
}

#[test]
fn c8_en_passant_is_possible_only_in_the_next_turn() {
    let position = chess("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    let after = play(&position, "d7d5");
    assert_eq!(takes(&after, "e5d6"), "d5");
    assert_eq!(play(&after, "e5d6").fen(), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
    assert!(!is_legal(&play(&after, "e1e2 e8e7"), "e5d6"));
}

#[test]
fn c8_en_passant_must_not_expose_the_king() {
    // Both pawns leave the rank between the king and the rook.
    assert!(!is_legal(&chess("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"), "e5d6"));
    assert!(is_legal(&chess("8/8/8/K2pP3/8/8/8/4k2r w - d6 0 1"), "e5d6"));
}

#[test]
fn c8_en_passant_can_parry_a_check() {
    let position = chess("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1");
    assert!(position.is_check());
    assert!(is_legal(&position, "e5d6"));
}

#[test]
fn c9_promotion_is_a_choice_of_four() {
    let position = chess("5n2/4P3/8/8/8/8/8/k1K5 w - - 0 1");
    assert_eq!(destinations(&position, "e7"), ["e8b", "e8n", "e8q", "e8r", "f8b", "f8n", "f8q", "f8r"]);
    assert!(!is_legal(&position, "e7e8"));
    assert!(!is_legal(&position, "e7e8k"));
    assert!(!is_legal(&position, "e7e8p"));
}

#[test]
fn c10_castling() {
    let position = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert!(is_legal(&position, "e1g1") && is_legal(&position, "e1c1"));
    assert_eq!(play(&position, "e1g1 e8c8").fen(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    // Castling may also be written as the king taking its rook.
    assert_eq!(play(&position, "e1h1").fen(), play(&position, "e1g1").fen());
}

#[test]
fn c10_no_castling_after_the_rook_or_king_has_moved() {
    let position = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let rook_moved = play(&position, "h1h2 a8b8 h2h1 b8a8");
    assert!(!is_legal(&rook_moved, "e1g1"));
    assert!(is_legal(&rook_moved, "e1c1"));
    assert!(!is_legal(&play(&position, "e1e2 a8b8 e2e1 b8a8"), "e1c1"));
    // A castling right is lost when its rook is taken, even if another rook comes to the square.
    assert_eq!(play(&position, "h1h8").fen(), "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1");
}

#[test]
fn c10_no_castling_out_of_through_or_into_check() {
    for (fen, short) in [
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", false),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", false),
        ("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", false),
        // The rook may be attacked, or cross an attacked square.
        ("4k3/8/8/8/8/7r/8/R3K2R w KQ - 0 1", true),
    ] {
        assert_eq!(is_legal(&chess(fen), "e1g1"), short, "{fen}");
    }
    assert!(is_legal(&chess("4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1"), "e1c1"));
    assert!(!is_legal(&chess("4k3/8/8/8/8/2r5/8/R3K2R w KQ - 0 1"), "e1c1"));
    assert!(!is_legal(&chess("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1"), "e1c1"));
}

#[test]
fn c10_castling_from_shuffled_starts() {
    // The rook between the king and the attacker shields the king's destination until it leaves.
    assert!(!is_legal(&chess("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1"), "d1b1"));
    let position = chess("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1");
    assert_eq!(play(&position, "d1b1").fen(), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
}

/// Reads the castling rights of each of the 960 starts as `KQkq` (X-FEN) and as rook files (Shredder).
#[test]
fn n1_x_fen_and_shredder_letters_name_the_same_rooks() {
    for number in 0..shuffle::count(Variant::Chess) {
        let setup = shuffle::setup(Variant::Chess, number, number).expect("a number in range");
        let x_fen = setup.to_string();
        let (board, rest) = x_fen.split_once(" w KQkq ").unwrap_or_else(|| panic!("{number}: {x_fen}"));
        let rooks = setup.castling & SquareSet::rank(Rank::First);
        let files: String = rooks.into_iter().map(|rook| rook.file().char()).rev().collect();
        let shredder = format!("{board} w {}{files} {rest}", files.to_uppercase());
        assert_eq!(fen::parse(Variant::Chess, &shredder), Ok(setup), "{number}: {shredder}");
        // Some programs write the letters in another order, or mix the notations.
        for field in ["kqKQ".to_owned(), format!("Q{files}K")] {
            assert_eq!(chess(&format!("{board} w {field} {rest}")).fen(), x_fen, "{number}: {field}");
        }
    }
}

#[test]
fn n1_the_inner_of_two_rooks_is_named_by_its_file() {
    // K names the outermost rook on the kingside; G names the rook on the g-file, even if another stands
    // beyond it.
    let outer = chess("4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
    let inner = chess("4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert_eq!(chess("4k3/8/8/8/8/8/8/4K1RR w H - 0 1"), outer);
    assert_eq!(inner.fen(), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert!(!is_legal(&outer, "e1g1") && is_legal(&inner, "e1g1"));
    for (field, problem) in [("F", "no rook stands there"), ("GH", "two rooks on one side")] {
        let fen = format!("4k3/8/8/8/8/8/8/4K1RR w {field} - 0 1");
        assert!(AnyPosition::from_fen(Variant::Chess, &fen).is_err(), "{field}: {problem}");
    }
}

#[test]
fn n2_castling_from_a_shuffled_start_is_the_king_taking_its_rook() {
    // f1g1 is an ordinary step here; castling with the rook on h1 is f1h1.
    let position = chess("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
    assert_eq!(play(&position, "f1h1").fen(), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_eq!(play(&position, "f1g1").fen(), "4k3/8/8/8/8/8/8/R5KR b - - 1 1");
    assert_eq!(play(&position, "f1a1").fen(), "4k3/8/8/8/8/8/8/2KR3R b - - 1 1");
    // If the king and rooks stand as usual, both forms of castling are accepted.
    let usual = chess("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(play(&usual, "e1g1"), play(&usual, "e1h1"));
}

#[test]
fn c11_a_pinned_man_moves_only_along_its_line() {
    let position = chess("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1");
    assert_eq!(destinations(&position, "e2"), ["e3", "e4", "e5", "e6", "e7"]);
    assert_eq!(destinations(&chess("4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1"), "f2"), [""; 0]);
}

#[test]
fn c12_a_check_must_be_parried() {
    // The king has no flight square, and no man can take the rook. Only interposing parries the check.
    let position = chess("4r2k/8/8/8/1B6/8/3P1P2/3QKB2 w - - 0 1");
    assert_eq!(destinations(&position, "e1"), [""; 0]);
    assert_eq!(destinations(&position, "d1"), ["e2"]);
    assert_eq!(destinations(&position, "b4"), ["e7"]);
    // Only the king can parry a double check.
    let double = chess("4r2k/8/8/8/8/3n4/5P2/RQ2KBR1 w - - 0 1");
    assert!(double.legal_turns().iter().all(|turn| turn.steps()[0].from() == Square::E1));
    assert_eq!(destinations(&double, "e1"), ["d1", "d2"]);
}

#[test]
fn c16_checkmate() {
    let position = play(&AnyPosition::initial(Variant::Chess), "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(outcome(&position), "0-1 checkmate");
}

#[test]
fn c18_stalemate() {
    assert_eq!(outcome(&chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), "1/2-1/2 stalemate");
}

#[test]
fn c19_lack_of_material() {
    for (fen, club, fide) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", true, false),
        ("3nk3/8/8/8/8/8/8/4KN2 w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/3N4/3NKN2 w - - 0 1", false, false),
        // Any number of bishops of both sides, all on squares of one colour.
        ("4kb2/8/8/8/8/4B3/8/B1B1K3 w - - 0 1", true, true),
        ("4k1b1/8/8/8/8/8/8/2B1K3 w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false, false),
    ] {
        let position = chess(fen);
        assert_eq!(position.outcome(DrawRules::Club).is_some(), club, "{fen}");
        assert_eq!(position.outcome(DrawRules::Fide).is_some(), fide, "{fen}");
    }
}

#[test]
fn c21_the_clock_counts_turns_without_a_pawn_move_or_capture() {
    let position = chess("4k3/8/8/8/8/3p4/4P3/R3K3 w Q - 40 60");
    assert_eq!(play(&position, "a1a8").halfmove_clock(), 41);
    assert_eq!(play(&position, "e1c1").halfmove_clock(), 41);
    assert_eq!(play(&position, "e2e3").halfmove_clock(), 0);
    assert_eq!(play(&position, "e2d3").halfmove_clock(), 0);
}

#[test]
fn c22_positions_are_the_same_if_the_same_turns_are_possible() {
    let key = |fen| chess(fen).key();
    // An en passant square that no pawn can use makes no difference …
    assert_eq!(
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    );
    // … nor does one where the capture would expose the king …
    assert_eq!(key("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"), key("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1"));
    // … but a usable one does, and so do castling rights and the side to move.
    assert_ne!(key("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), key("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"));
    assert_ne!(key("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), key("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
    assert_ne!(key("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), key("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"));
    // The move counters make no difference.
    assert_eq!(key("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), key("4k3/8/8/8/8/8/8/R3K3 w - - 9 30"));
}

#[test]
fn setups_that_cannot_be_played_are_refused_with_the_reason() {
    for (fen, expected) in [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "black has 0 kings; there must be exactly 1"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "black has 2 kings; there must be exactly 1"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn cannot stand on h8"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "black has just moved and its king can be taken"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "no pawn can have crossed e6 with its last move"),
        ("k7/8/QQQQQQQQ/QQQQQQQQ/8/8/8/K7 b - - 0 1", "white has 17 men; a side can have at most 16"),
    ] {
        let error = AnyPosition::from_fen(Variant::Chess, fen).expect_err(fen).to_string();
        assert_eq!(error, expected, "{fen}");
    }
}
