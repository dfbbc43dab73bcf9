//! U: Ultima, where it differs from Baroque.

use adoube_rules::Variant;

use super::{Explained, explained};

#[track_caller]
fn ultima(fen: &str) -> Explained {
    explained(Variant::Ultima, fen)
}

#[test]
fn u4_frozen_by_an_immobilizer_whatever_stands_nearby() {
    // A man is not freed by a chameleon of its own side next to the immobilizer.
    let frozen = ultima("7k/8/8/3mN3/3B4/8/8/K7 w - - 0 1");
    assert_eq!(frozen.why("e5e6"), ["U4 frozen by md5"]);
    assert_eq!(frozen.why("d4c4"), ["U4 frozen by md5"]);
    let locked = ultima("7k/8/8/3mM3/4b3/8/8/K7 w - - 0 1");
    assert_eq!(locked.why("e5e6"), ["U4 frozen by md5", "U4 frozen by be4"]);
}

#[test]
fn u14_only_frozen_men_other_than_the_king_can_be_given_up() {
    let position = ultima("7k/8/8/3mN3/8/8/N7/K7 w - - 0 1");
    assert_eq!(position.takes("e5e5"), [""; 0]);
    assert_eq!(position.why("a2a2"), ["U2 invalid movement"]);
    let king = ultima("7k/8/8/3mK3/8/8/N7/8 w - - 0 1");
    assert_eq!(king.why("e5e5"), ["U2 invalid movement", "U4 frozen by md5"]);
}

#[test]
fn u14_a_frozen_man_lists_giving_up_among_its_steps() {
    let clauses = |position: &Explained, square: &str| -> Vec<_> {
        position.about(square).steps.iter().map(|legal| (legal.to.to_string(), legal.giving_up)).collect()
    };
    let ours = ultima("7k/8/8/3mN3/8/8/N7/K7 w - - 0 1");
    assert_eq!(clauses(&ours, "e5"), [("e5".to_owned(), Some("U14"))]);
    assert_eq!(ours.holds("e5"), ["U4 frozen by md5"]);
    assert!(clauses(&ours, "a2").iter().all(|(_, clause)| clause.is_none()));
    // A man of the other side lists it too, as if its side were to move.
    let theirs = ultima("7k/8/8/3Mn3/8/8/8/K7 w - - 0 1");
    assert_eq!(clauses(&theirs, "e5"), [("e5".to_owned(), Some("U14"))]);
    let baroque = explained(Variant::Baroque, "7k/8/8/3mN3/8/8/N7/K7 w - - 0 1");
    assert_eq!(clauses(&baroque, "e5"), []);
    for variant in Variant::ALL {
        let allowed = variant.info().freezing.is_some_and(|freezing| freezing.gives_up);
        let clause = variant.info().clauses.passing.as_ref().and_then(|passing| passing.giving_up);
        assert_eq!(allowed, clause.is_some(), "{variant}");
    }
}
