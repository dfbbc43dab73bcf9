//! U: Ultima under its original rules. `ultima_by_definition.rs` tests the rules shared with Baroque.

use adoube_rules::{AnyPosition, Position, Square, Variant, shuffle};

use super::{destinations, is_legal, outcome, play, takes, turns_from};

#[track_caller]
fn ultima(fen: &str) -> AnyPosition {
    super::position(Variant::Ultima, fen)
}

#[test]
fn u1_the_array_is_that_of_chess_with_the_left_rook_upside_down() {
    let position = AnyPosition::initial(Variant::Ultima);
    assert_eq!(position.fen(), "rnbqkbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1");
    let chess = AnyPosition::initial(Variant::Chess);
    for square in Square::ALL {
        let letter = |position: &AnyPosition| {
            position.piece_at(square).map(|piece| position.variant().letter(piece.role))
        };
        let (here, there) = (letter(&position), letter(&chess));
        // White's left is the a-file, Black's the h-file.
        let turned = matches!(square, Square::A1 | Square::H8);
        assert_eq!(here, if turned { Some('M') } else { there }, "{square}");
    }
    // Starts have the same numbers as in Baroque.
    let shuffled = |variant| shuffle::setup(variant, 6412, 5347).expect("a start").pieces;
    assert_eq!(shuffled(Variant::Ultima), shuffled(Variant::Baroque));
}

#[test]
fn u4_a_man_next_to_an_immobilizer_is_frozen_whatever_stands_nearby() {
    let position = ultima("7k/8/8/3mN3/8/8/8/K7 w - - 0 1");
    assert_eq!(destinations(&position, "e5"), ["e5"]);
    // A chameleon or an immobilizer of the same side next to the enemy immobilizer does not free a man.
    for neutralizer in ["B", "M"] {
        let position = ultima(&format!("7k/8/8/3mN3/3{neutralizer}4/8/8/K7 w - - 0 1"));
        assert_eq!(destinations(&position, "e5"), ["e5"], "{neutralizer}");
        assert_eq!(destinations(&position, "d4"), ["d4"], "{neutralizer}");
    }
}

#[test]
fn u4_two_adjacent_immobilizers_freeze_each_other_and_all_other_neighbours() {
    let position = ultima("7k/8/8/3mMn2/8/8/8/K7 w - - 0 1");
    assert_eq!(destinations(&position, "e5"), ["e5"]);
    // After the king's move it is Black's turn: the leaper is frozen by an immobilizer that is frozen itself.
    let position = play(&position, "a1b1");
    assert_eq!(destinations(&position, "d5"), ["d5"]);
    assert_eq!(destinations(&position, "f5"), ["f5"]);
    // Once one of them is taken, the other is free.
    let position = ultima("7k/8/8/3mM3/8/8/8/K1P5 w - - 0 1");
    assert!(!is_legal(&position, "e5e6"));
    assert_eq!(takes(&position, "c1c5"), "d5");
    assert!(is_legal(&play(&position, "c1c5 h8h7"), "e5e6"));
    let free = play(&ultima("7k/8/8/2Kmm3/8/8/8/M7 w - - 0 1"), "a1a2");
    assert!(is_legal(&free, "e5e6"), "two immobilizers of one side do not freeze each other");
}

#[test]
fn u4_an_immobilizer_and_a_chameleon_freeze_each_other() {
    let position = ultima("7k/8/8/3mB3/2N5/8/8/K7 w - - 0 1");
    assert_eq!(destinations(&position, "e5"), ["e5"]);
    // The leaper stays frozen although the chameleon freezes the immobilizer.
    assert_eq!(destinations(&position, "c4"), ["c4"]);
    let position = play(&position, "a1b1");
    assert_eq!(destinations(&position, "d5"), ["d5"]);
}

#[test]
fn u12_a_frozen_man_does_not_give_check_and_freeing_it_may_expose_a_king() {
    // The withdrawer next to the king would take it by going to f5.
    assert!(ultima("7k/8/8/3Kq3/8/8/8/8 w - - 0 1").is_check());
    let position = ultima("7k/8/5M2/3Kq3/8/8/8/8 w - - 0 1");
    assert!(!position.is_check());
    assert!(!is_legal(&position, "f6g7"), "the withdrawer would be free");
    // Giving up the immobilizer would free the withdrawer as well.
    let position = ultima("7k/8/5Mm1/3Kq3/8/8/8/8 w - - 0 1");
    assert!(!position.is_check() && !is_legal(&position, "f6f6"));
    // A frozen king does not attack the other king.
    assert!(is_legal(&ultima("8/8/2k5/2M5/4K3/8/8/8 w - - 0 1"), "e4d5"));
    assert!(!is_legal(&ultima("8/8/2k5/8/4K3/8/8/M7 w - - 0 1"), "e4d5"));
}

#[test]
fn u12_giving_up_a_man_may_not_expose_the_king() {
    // The leaper on e8 cannot leap over two men in a row; if either were gone, it could take the king.
    let position = ultima("4n2k/8/8/4Pm2/4N3/8/4K3/8 w - - 0 1");
    assert!(!position.is_check());
    assert!(!is_legal(&position, "e4e4") && !is_legal(&position, "e5e5"));
    // Without the leaper, either could be given up.
    let position = ultima("7k/8/8/4Pm2/4N3/8/4K3/8 w - - 0 1");
    assert!(is_legal(&position, "e4e4") && is_legal(&position, "e5e5"));
}

#[test]
fn u13_checkmate_and_stalemate_win() {
    assert_eq!(outcome(&ultima("7k/6MB/8/8/8/8/8/K7 b - - 0 1")), "1-0 checkmate");
    // The side to move is not in check, and has nothing to move or to give up.
    assert_eq!(outcome(&ultima("7k/6M1/8/8/8/8/8/K7 b - - 0 1")), "1-0 no-moves");
    assert_eq!(outcome(&ultima("1Km5/8/8/8/8/8/8/7k w - - 0 1")), "0-1 no-moves");
    assert_eq!(outcome(&ultima("K2m4/8/8/8/8/8/8/7k w - - 0 1")), "ongoing");
    // Giving up a frozen man is a turn.
    let position = ultima("6pk/6M1/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(outcome(&position), "ongoing");
    assert_eq!(turns_from(&position, "g8"), ["g8g8 []"]);
    assert_eq!(outcome(&ultima("7k/8/8/8/8/8/8/K7 w - - 0 1")), "1/2-1/2 insufficient-material");
}

#[test]
fn u13_the_clock_counts_turns_in_which_no_man_leaves_the_board() {
    let position = ultima("7k/8/8/3mN3/8/8/1p5P/K7 w - - 40 60");
    assert_eq!(play(&position, "h2h3").halfmove_clock(), 41);
    assert_eq!(play(&position, "a1b2").halfmove_clock(), 0);
    let given_up = play(&position, "e5e5");
    assert_eq!(given_up.fen(), "7k/8/8/3m4/8/8/1p5P/K7 b - - 0 60");
}

#[test]
fn u14_a_frozen_man_of_ones_own_may_be_given_up() {
    let position = ultima("7k/8/8/3mM3/8/8/8/K7 w - - 0 1");
    assert_eq!(takes(&position, "e5e5"), "");
    assert_eq!(play(&position, "e5e5").fen(), "7k/8/8/3m4/8/8/8/K7 b - - 0 1");
    // The king, a free man, an enemy and an empty square cannot be given up.
    let position = ultima("7k/8/8/3mK3/8/8/8/N6n w - - 0 1");
    for turn in ["e5e5", "a1a1", "d5d5", "h1h1", "c3c3"] {
        assert!(!is_legal(&position, turn), "{turn}");
    }
    // In Baroque, no man can be given up.
    assert!(!is_legal(&super::position(Variant::Baroque, "7k/8/8/3mN3/8/8/8/K7 w - - 0 1"), "e5e5"));
}
