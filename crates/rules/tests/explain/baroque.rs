//! B: Baroque.

use adoube_rules::{AnyPosition, DrawRules, Variant, explain};

use super::{Explained, explained, squares};

#[track_caller]
fn baroque(fen: &str) -> Explained {
    explained(Variant::Baroque, fen)
}

#[test]
fn b1_no_promotion() {
    let start = Explained(AnyPosition::initial(Variant::Baroque));
    assert_eq!(start.why("a2a4q"), ["B1 no promotion to Q"]);
}

#[test]
fn b2_how_men_move() {
    let start = Explained(AnyPosition::initial(Variant::Baroque));
    assert_eq!(start.why("a2b3"), ["B2 invalid movement"]);
    assert_eq!(start.why("c1c3"), ["B8 over friend Pc2"]);
    assert_eq!(start.why("h1h3"), ["B2 blocked by Ph2"]);
    assert_eq!(start.why("e1e2"), ["B2 own Pe2"]);
    assert_eq!(start.why("e1e3"), ["B2 invalid movement"]);
    assert_eq!(start.why("h1g3"), ["B2 invalid movement"]);
}

#[test]
fn b3_only_the_king_takes_by_landing() {
    let position = baroque("7k/8/8/8/4p3/8/1p2P3/K7 w - - 0 1");
    assert_eq!(position.why("e2e4"), ["B3 occupied pe4"]);
    assert_eq!(position.takes("a1b2"), ["B3 Ka1-b2 takes pb2, landing"]);
}

#[test]
fn b4_the_freezing_immobilizer_is_named() {
    let position = baroque("7k/8/8/3m4/3P4/8/8/K7 w - - 0 1");
    assert_eq!(position.why("d4d3"), ["B4 frozen by md5"]);
    assert_eq!(position.why("d4e3"), ["B2 invalid movement", "B4 frozen by md5"]);
    assert_eq!(position.holds("d4"), ["B4 frozen by md5"]);
    assert_eq!(position.about("d4").steps, []);
    // Two immobilizers are two reasons.
    let position = baroque("7k/8/8/3m4/3P4/2m5/8/K7 w - - 0 1");
    assert_eq!(position.why("d4d3"), ["B4 frozen by mc3", "B4 frozen by md5"]);
    // A neutralised immobilizer freezes only the man that neutralises it.
    let position = baroque("7k/8/4B3/3m4/3P4/8/8/K7 w - - 0 1");
    assert!(position.step("d4d3").is_ok());
    assert_eq!(position.why("e6e7"), ["B4 frozen by md5, frees others"]);
    assert_eq!(baroque("7k/8/2B1B3/3m4/3P4/8/8/K7 w - - 0 1").holds("e6"), [""; 0]);
}

#[test]
fn b4_the_freezing_chameleon_is_named() {
    let position = baroque("7k/8/8/3b4/3M4/8/8/K7 w - - 0 1");
    assert_eq!(position.why("d4d3"), ["B4 frozen by bd5"]);
    // An immobilizer and a chameleon are separate reasons.
    let position = baroque("7k/8/8/3bm3/3M4/8/8/K7 w - - 0 1");
    assert_eq!(position.why("d4d3"), ["B4 frozen by me5, frees others", "B4 frozen by bd5"]);
}

#[test]
fn b6_pincer() {
    let position = baroque("7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1");
    assert_eq!(position.takes("c2c4"), ["B6 Pc2-c4 takes rd4, pincer e4", "B6 Pc2-c4 takes nc5, pincer c6"]);
    let taking = position.step("c2c4").expect("legal").takings[0];
    assert_eq!(squares(taking.squares()), "c2+c4+d4+e4");
}

#[test]
fn b7_coordination() {
    let position = baroque("8/2b4K/2q5/3p1N1p/8/8/2R5/k7 w - - 0 1");
    assert_eq!(
        position.takes("c2c5"),
        ["B7 Rc2-c5 takes bc7, king h7 opposite h5", "B7 Rc2-c5 takes ph5, king h7 opposite c7"]
    );
    let taking = position.step("c2c5").expect("legal").takings[0];
    assert_eq!(squares(taking.squares()), "c2+c5+h5+c7+h7");
}

#[test]
fn b8_leap() {
    let position = baroque("2n4k/3r4/5b2/3p4/1m6/3b4/3N4/K7 w - - 0 1");
    assert_eq!(
        position.takes("d2d6"),
        ["B8 Nd2-d6 takes bd3, leap d3+d4+d5", "B8 Nd2-d6 takes pd5, leap d3+d4+d5"]
    );
    assert_eq!(position.why("d2d3"), ["B3 occupied bd3"]);
    assert_eq!(position.why("d2d5"), ["B3 occupied pd5"]);
}

#[test]
fn b8_every_obstacle_to_a_leap_is_named() {
    // Two in a row.
    let position = baroque("7k/8/8/8/8/3p4/3p4/K2N4 w - - 0 1");
    assert_eq!(position.why("d1d4"), ["B8 two in a row pd2 pd3"]);
    // A man stands right behind the one to be leapt over.
    assert_eq!(position.why("d1d3"), ["B8 no room behind pd2: pd3"]);
    let position = baroque("7k/8/8/8/8/3P4/3p4/K2N4 w - - 0 1");
    assert_eq!(position.why("d1d3"), ["B8 no room behind pd2: Pd3"]);
    // A friend is an obstacle, wherever it stands.
    let position = baroque("7k/8/8/3P4/8/3p4/8/K2N4 w - - 0 1");
    assert_eq!(position.why("d1d6"), ["B8 over friend Pd5"]);
    assert_eq!(position.takes("d1d4"), ["B8 Nd1-d4 takes pd3, leap d2+d3"]);
}

#[test]
fn b9_withdrawal() {
    let position = baroque("7k/8/8/3Qr3/8/8/8/K7 w - - 0 1");
    assert_eq!(position.takes("d5b5"), ["B9 Qd5-b5 takes re5, withdrawal"]);
    assert_eq!(position.takes("d5d6"), [""; 0]);
    // The attack is listed only once, although the withdrawer can stop on several squares.
    assert_eq!(position.takings(&position.about("d5").attacks), ["B9 Qd5-c5 takes re5, withdrawal"]);
    assert_eq!(position.takings(&position.about("e5").attacked_by), ["B9 Qd5-c5 takes re5, withdrawal"]);
}

#[test]
fn b10_chameleon_takes_as_its_victim_does() {
    let position = baroque("7k/8/8/r3pP2/2n5/8/B7/K7 w - - 0 1");
    let takings = position.takes("a2d5");
    // It moved along a diagonal, not like a pawn: e5 stays.
    assert_eq!(
        takings,
        ["B10 Ba2-d5 takes nc4, leap b3+c4 as N", "B10 Ba2-d5 takes ra5, king a1 opposite d1 as R"]
    );
    let position = baroque("7k/8/8/4pP2/8/8/8/K2B4 w - - 0 1");
    assert_eq!(position.takes("d1d5"), ["B10 Bd1-d5 takes pe5, pincer f5 as P"]);
    let position = baroque("7k/8/8/8/8/8/8/K2qB3 w - - 0 1");
    assert_eq!(position.takes("e1g1"), ["B10 Be1-g1 takes qd1, withdrawal as Q"]);
    // The chameleon leaps only over leapers.
    assert_eq!(baroque("7k/8/8/4b3/8/8/8/K3B3 w - - 0 1").why("e1e7"), ["B10 over other be5"]);
    assert_eq!(baroque("7k/8/8/4m3/8/8/8/K3B3 w - - 0 1").why("e1e7"), ["B10 over other me5"]);
}

#[test]
fn b12_checks_by_each_way_of_taking() {
    for (fen, expected) in [
        ("7k/8/8/p3Kr2/8/8/8/8 w - - 0 1", "B6 pa5-d5 takes Ke5, pincer f5"),
        ("7k/8/8/n3K3/8/8/8/8 w - - 0 1", "B8 na5-f5 takes Ke5, leap b5+c5+d5+e5"),
        ("7k/8/8/3qK3/8/8/8/8 w - - 0 1", "B9 qd5-c5 takes Ke5, withdrawal"),
        ("8/8/8/k3K3/8/8/8/r7 w - - 0 1", "B7 ra1-e1 takes Ke5, king a5 opposite a1"),
        ("7k/8/8/3bK3/8/8/8/8 w - - 0 1", "B11 bd5-e5 takes Ke5, landing as K"),
    ] {
        assert_eq!(baroque(fen).checks(), [expected], "{fen}");
    }
    // An immobilised pawn does not give check.
    assert_eq!(baroque("7k/8/8/p3Kr2/1M6/8/8/8 w - - 0 1").checks(), [""; 0]);
}

#[test]
fn b12_king_exposed() {
    // The king moves to a square where a pawn can take it.
    let position = baroque("7k/8/8/p4r2/4K3/8/8/8 w - - 0 1");
    assert_eq!(position.why("e4e5"), ["B12 exposed B6 pa5-d5 takes Ke5, pincer f5"]);
    // Next to the enemy king.
    let position = baroque("8/8/8/2k5/8/3K4/8/8 w - - 0 1");
    assert_eq!(position.why("d3d4"), ["B12 exposed B3 kc5-d4 takes Kd4, landing"]);
    // An existing check that a move elsewhere does not parry.
    let position = baroque("7k/8/8/n3K3/8/8/8/P7 w - - 0 1");
    assert_eq!(position.why("a1a2"), ["B12 still B8 na5-f5 takes Ke5, leap b5+c5+d5+e5"]);
}

#[test]
fn b12_a_man_that_shields_its_king_is_held() {
    // The pawn bars the square behind the king; without the pawn, the leaper could land there.
    let position = baroque("7k/8/8/n3KP2/8/8/8/8 w - - 0 1");
    let exposed = "B12 exposed B8 na5-f5 takes Ke5, leap b5+c5+d5+e5";
    assert_eq!(position.holds("f5"), [exposed]);
    assert_eq!(position.why("f5f4"), [exposed]);
    // An immobilizer that moves away frees the man that it froze.
    let position = baroque("7k/8/8/p3Kr2/1M6/8/8/8 w - - 0 1");
    assert_eq!(position.holds("b4"), ["B12 exposed B6 pa5-d5 takes Ke5, pincer f5"]);
}

#[test]
fn b13_the_end_of_the_game_is_explained() {
    for (fen, expected) in [
        ("7k/6MB/8/8/8/8/8/K7 b - - 0 1", "B13 over 1-0 checkmate"),
        ("7k/6M1/8/8/8/8/8/K7 b - - 0 1", "B13 over 1/2-1/2 stalemate"),
    ] {
        let position = baroque(fen);
        assert_eq!(position.why("h8g8"), [expected, "B4 frozen by Mg7"], "{fen}");
        let outcome = explain::position(&position.0, DrawRules::Club).outcome.expect("the end");
        assert_eq!(explain::outcome_clause(outcome, Variant::Baroque), "B13");
    }
}

#[test]
fn threats() {
    let position = baroque("7k/8/8/3qR3/8/8/8/K7 w - - 0 1");
    assert_eq!(position.threats(), ["B9 qd5-c5 takes Re5, withdrawal"]);
    // A frozen man threatens nothing.
    assert_eq!(baroque("7k/8/8/3qR3/3M4/8/8/K7 w - - 0 1").threats(), [""; 0]);
}

#[test]
fn b2_blocked_men_name_their_blockers() {
    let start = Explained(AnyPosition::initial(Variant::Baroque));
    assert_eq!(start.barred("a1"), ["B2 own Nb1", "B2 own Pa2", "B2 own Pb2"]);
    assert_eq!(start.barred("b1"), ["B2 own Ma1", "B2 own Bc1", "B2 own Pa2", "B2 own Pb2", "B2 own Pc2"]);
}
