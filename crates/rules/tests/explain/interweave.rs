//! I: Interweave.

use adoube_rules::{AnyPosition, DrawRules, Turn, Variant, explain};

use super::{Explained, explained, squares};

#[track_caller]
fn interweave(fen: &str) -> Explained {
    explained(Variant::Interweave, fen)
}

#[test]
fn i2_square_colours() {
    let start = Explained(AnyPosition::initial(Variant::Interweave));
    assert_eq!(start.why("b2b3"), ["I2 other shade"]);
    let position = interweave("k6k/8/8/8/8/8/1R6/K2K4 w - - 0 1");
    assert_eq!(position.why("b2b5"), ["I2 odd distance 3"]);
    assert_eq!(position.why("b2c5"), ["I6 invalid movement"]);
    assert_eq!(position.why("b2c4"), ["I2 other shade"]);
    assert_eq!(position.why("d1e1"), ["I2 other shade"]);
}

#[test]
fn i3_kings_are_not_royal_and_taking_one_ends_the_game() {
    let position = interweave("7k/8/8/8/8/4k3/4P3/K6K w - - 0 1");
    assert_eq!(position.checks(), [""; 0]);
    let over = position.after("e2e4");
    assert_eq!(over.why("h8g7"), ["I3 over 1-0 king-captured"]);
    assert_eq!(over.holds("h8"), ["I3 over 1-0 king-captured"]);
}

#[test]
fn i4_a_compulsory_taking_elsewhere_is_named() {
    let position = interweave("k6k/1p6/8/8/8/8/1R4p1/K6K w - - 0 1");
    // The takings elsewhere are listed in addition to any other reason.
    assert_eq!(position.why("h1g2"), ["I5 occupied pg2", "I4 must take Rb2-f2 Rb2-b6"]);
    assert_eq!(position.why("b2b4"), ["I4 must take Rb2-f2 Rb2-b6"]);
    assert_eq!(position.holds("h1"), ["I4 must take Rb2-f2 Rb2-b6"]);
    assert_eq!(position.holds("b2"), [""; 0]);
    let about = explain::position(&position.0, DrawRules::Club);
    assert_eq!(position.steps(&about.compulsory), "Rb2-f2 Rb2-b6");
    assert_eq!(about.chain, None);
    // If there is nothing to take, nothing is compulsory.
    let start = explain::position(&AnyPosition::initial(Variant::Interweave), DrawRules::Club);
    assert_eq!(start.compulsory, []);
}

#[test]
fn i4_the_chain_continues() {
    let position = interweave("k6k/8/1Pr5/3nK3/8/8/8/7K w - - 0 1");
    let first = position.step("e5c5").expect("legal");
    assert!(first.chain_continues);
    let chain = position.after("e5c5");
    assert_eq!(chain.why("h1g2"), ["I4 must continue Kc5: Kc5-c7"]);
    assert_eq!(chain.why("c5d4"), ["I4 must continue Kc5: Kc5-c7"]);
    assert_eq!(chain.holds("b6"), ["I4 must continue Kc5: Kc5-c7"]);
    assert_eq!(chain.holds("c5"), [""; 0]);
    assert_eq!(explain::position(&chain.0, DrawRules::Club).chain, Some(chain.about("c5").man));
    // The first step alone is not a turn.
    let refusal = explain::turn(&position.0, &Turn::from(first.step)).expect_err("unfinished");
    assert_eq!((refusal.legal, refusal.reasons.len()), (vec![first.clone()], 1));
    assert_eq!(position.reason(&refusal.reasons[0]), "I4 must continue Kc5: Kc5-c7");
    let mut whole = Turn::from(first.step);
    whole.push(chain.step("c5c7").expect("legal").step);
    let steps = explain::turn(&position.0, &whole).expect("legal");
    let victims: Vec<_> = steps.iter().flat_map(|legal| position.takings(&legal.takings)).collect();
    assert_eq!(victims, ["I5 Ke5-c5 takes nd5, short leap", "I5 Kc5-c7 takes rc6, short leap"]);
}

#[test]
fn i5_king() {
    let position = interweave("k6k/8/4b3/3nK3/8/8/8/7K w - - 0 1");
    assert_eq!(position.takes("e5c5"), ["I5 Ke5-c5 takes nd5, short leap"]);
    let position = interweave("k6k/8/8/4K3/4P3/8/8/7K w - - 0 1");
    assert_eq!(position.why("e5e7"), ["I5 nothing to leap over on e6"]);
    assert_eq!(position.why("e5e3"), ["I5 over friend Pe4"]);
    assert_eq!(position.why("e5g7"), ["I5 invalid movement"]);
    let position = interweave("k6k/8/4b3/2rnK3/8/8/8/7K w - - 0 1");
    assert_eq!(position.why("e5c5"), ["I5 no room behind nd5: rc5", "I4 must take Ke5-e7"]);
}

#[test]
fn i6_smasher() {
    let position = interweave("k6k/1p6/8/8/8/8/1R4p1/K6K w - - 0 1");
    assert_eq!(position.takes("b2b6"), ["I6 Rb2-b6 takes pb7, approach"]);
    let position = interweave("k6k/8/8/8/1P6/8/1R6/K6K w - - 0 1");
    assert_eq!(position.why("b2b6"), ["I6 blocked by Pb4"]);
    assert_eq!(position.why("b2b4"), ["I6 own Pb4"]);
}

#[test]
fn i7_leaper() {
    let position = interweave("5k1k/8/7K/8/p6K/8/2p5/N6b w - - 0 1");
    assert_eq!(position.takes("a1e3"), ["I7 Na1-e3 takes pc2, double leap c2"]);
    assert_eq!(position.takes("a1a7"), ["I7 Na1-a7 takes pa4, long leap a2+a3+a4+a5+a6"]);
    let taking = position.step("a1a5").expect("legal").takings[0];
    assert_eq!(squares(taking.squares()), "a1+a2+a3+a4+a5");
}

#[test]
fn i7_every_obstacle_to_a_leap_is_named() {
    // An enemy at an even distance, a friend, two men.
    let position = interweave("k6k/8/8/p7/8/p7/2P5/N5KK w - - 0 1");
    assert_eq!(position.why("a1a7"), ["I2 over even pa3", "I2 over even pa5", "I7 two in one leap pa3 pa5"]);
    assert_eq!(position.why("a1e3"), ["I7 over friend Pc2"]);
    let position = interweave("k6k/8/8/8/P7/8/8/N5KK w - - 0 1");
    assert_eq!(position.why("a1a5"), ["I7 over friend Pa4"]);
    let position = interweave("k6k/8/p7/8/p7/8/8/N5KK w - - 0 1");
    assert_eq!(position.takes("a1a5"), ["I7 Na1-a5 takes pa4, long leap a2+a3+a4"]);
    assert_eq!(position.why("a1a7"), ["I7 two in one leap pa4 pa6", "I4 must take Na1-a5"]);
    let position = interweave("k6k/8/8/p7/p7/8/8/N5KK w - - 0 1");
    assert_eq!(position.why("a1a5"), ["I7 no room behind pa4: pa5"]);
}

#[test]
fn i8_remover() {
    let position = interweave("k6k/8/8/4p3/4Bp2/8/8/K6K w - - 0 1");
    assert_eq!(position.takes("e4e4"), ["I8 Be4-e4 takes pf4, removal", "I8 Be4-e4 takes pe5, removal"]);
    let position = interweave("k6k/8/5P2/8/3B4/8/8/K6K w - - 0 1");
    assert_eq!(position.why("d4d4"), ["I8 nothing to take on d4"]);
    assert_eq!(position.why("d4g7"), ["I8 blocked by Pf6"]);
    assert_eq!(position.why("d4d6"), ["I8 invalid movement"]);
}

#[test]
fn i9_pawn() {
    let position = interweave("5k1k/Nr5R/2rP3n/2N5/7b/4b2P/4P3/K1K5 w - - 0 1");
    assert_eq!(
        position.takes("d6c7"),
        ["I9 Pd6-c7 takes rb7, custodian a7", "I9 Pd6-c7 takes rc6, custodian c5"]
    );
    assert_eq!(
        position.takes("h3h5"),
        ["I9 Ph3-h5 takes nh6, custodian h7", "I9 Ph3-h5 takes bh4, short leap"]
    );
    let position = interweave("k6k/8/8/8/4P3/1P6/2P5/K6K w - - 0 1");
    assert_eq!(position.why("c2a4"), ["I9 blocked by Pb3"]);
    assert_eq!(position.why("c2b3"), ["I9 own Pb3"]);
    assert_eq!(position.why("e4g6"), ["I9 not from start"]);
    assert_eq!(position.why("e4e6"), ["I9 nothing to leap over on e5"]);
    assert_eq!(position.why("e4f3"), ["I9 invalid movement"]);
    let position = interweave("k6k/8/4r3/4r3/4P3/8/8/K6K w - - 0 1");
    assert_eq!(position.why("e4e6"), ["I9 no room behind re5: re6"]);
    let position = interweave("k6k/8/8/4R3/4P3/8/8/K6K w - - 0 1");
    assert_eq!(position.why("e4e6"), ["I9 over friend Re5"]);
}

#[test]
fn i10_en_passant() {
    let crossed = interweave("k6k/8/8/8/3p4/8/2P5/K6K w - - 0 1").after("c2e4");
    assert_eq!(crossed.takes("d4d2"), ["I10 pd4-d2 takes Pe4, crossed d3"]);
    let taking = crossed.step("d4d2").expect("legal").takings[0];
    assert_eq!(squares(taking.squares()), "d2+d3+d4+e4");
    // Another taking was chosen, so en passant is no longer possible.
    let passed = interweave("k6k/8/7p/7R/3p4/8/2P5/K6K w - - 0 1").after("c2e4 h6h4 a1b2");
    assert_eq!(passed.why("d4d2"), ["I10 not en passant Pe4"]);
    // The landing square must be empty.
    let barred = interweave("k6k/8/8/8/3p4/8/2PN4/K6K w - - 0 1").after("c2e4");
    assert_eq!(barred.why("d4d2"), ["I9 occupied Nd2"]);
}

#[test]
fn i11_promotion() {
    let none = interweave("7k/k2P4/8/8/8/8/8/K6K[] w - - 0 1");
    assert_eq!(none.why("d7c8"), ["I11 no man in reserve"]);
    let must = interweave("7k/k2P4/8/8/8/8/8/K6K[RN] w - - 0 1");
    assert_eq!(must.why("d7c8"), ["I11 promotion missing RN"]);
    assert_eq!(must.why("d7c8b"), ["I11 no B in reserve, only RN"]);
    assert_eq!(must.why("d7c8k"), ["I11 not to K, only RN"]);
    let may = interweave("7k/k7/3P4/8/8/8/8/K6K[R] w - - 0 1");
    assert!(may.step("d6c7").is_ok() && may.step("d6c7r").is_ok());
    assert_eq!(may.why("d6c7n"), ["I11 no N in reserve, only R"]);
    assert_eq!(may.why("a1b2r"), ["I11 no promotion to R"]);
    // A taking is not compulsory if it needs a man from the reserve and the reserve is empty.
    let position = interweave("7k/k2n4/3P4/8/8/8/8/K6K[] w - - 0 1");
    assert_eq!(position.why("d6d8"), ["I11 no man in reserve"]);
    assert!(position.step("a1b2").is_ok());
}

#[test]
fn i12_no_legal_turn_loses() {
    let position = interweave("7k/k7/8/8/8/8/1p4p1/K6K w - - 0 1");
    assert_eq!(position.why("a1b2"), ["I12 over 0-1 no-moves", "I5 occupied pb2"]);
}

#[test]
fn threats_and_attacks() {
    // If Black were to move, the king on d5 could leap over the pawn.
    let position = interweave("k7/8/8/3kP3/8/8/8/K6K w - - 0 1");
    assert_eq!(position.threats(), ["I5 kd5-f5 takes Pe5, short leap"]);
    assert_eq!(position.takings(&position.about("e5").attacked_by), ["I5 kd5-f5 takes Pe5, short leap"]);
    assert_eq!(position.holds("d5"), ["C2 white to move"]);
    assert_eq!(position.about("d5").steps.len(), 1);
}

#[test]
fn i12_blocked_men_name_their_blockers() {
    let position = interweave("7k/k7/8/8/8/8/1p4p1/K6K w - - 0 1");
    assert_eq!(position.barred("a1"), ["I5 occupied pb2"]);
    assert_eq!(position.barred("h1"), ["I5 occupied pg2"]);
    let none = interweave("7k/k2P4/8/8/8/8/8/K6K[] w - - 0 1");
    assert_eq!(none.barred("d7"), ["I11 no man in reserve"]);
}
