//! Checks that compositions in each variant are proved, or that their flaws are reported.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use adoube_problems::{
    Branch, Composition, CompositionError, Effort, Finding, Goal, MAX_COMPOSED_TURNS, Proof, check, examine,
    position_of, problems,
};
use adoube_rules::{
    AnyPosition, DrawRules, Outcome, Position as _, ReadPositionError, SetupProblem, Variant, coordinate,
    fen::FenError,
};

const NODES: u64 = 20_000_000;

fn effort(nodes: u64) -> Effort {
    Effort { nodes, stop: Arc::default() }
}

fn lines(lines: &[&str]) -> Vec<Vec<String>> {
    lines.iter().map(|line| line.split_whitespace().map(Into::into).collect()).collect()
}

fn examine_lines(
    variant: Variant,
    fen: &str,
    turns: u8,
    given: &[&str],
) -> Result<Finding, CompositionError> {
    let lines = lines(given);
    let composition = Composition { variant, fen, goal: Goal::Win, turns, lines: &lines };
    let examined = examine(&composition, &effort(NODES));
    assert_eq!(check(&composition).err(), examined.as_ref().err().cloned(), "`check` and `examine` differ");
    examined
}

#[track_caller]
fn prove(variant: Variant, fen: &str, turns: u8, given: &[&str]) -> Proof {
    match examine_lines(variant, fen, turns, given) {
        Ok(Finding::Proved(proof)) => proof,
        other => panic!("not proved: {other:?}"),
    }
}

/// Plays every branch. Checks that each turn is legal and no branch is too long; in a complete tree, also
/// that each leaf is a win and each legal reply occurs once.
fn walk(position: &AnyPosition, branch: &Branch, left: u8, is_complete: bool) {
    let solver = position.side_to_move();
    let mut next = position.clone();
    next.try_play(&coordinate::parse(position, &branch.turn).unwrap()).unwrap();
    for other in &branch.others {
        coordinate::parse(position, other).unwrap();
    }
    let outcome = next.outcome(DrawRules::Club);
    if is_complete && branch.replies.is_empty() {
        assert_eq!(outcome.and_then(Outcome::winner), Some(solver), "{next}");
    }
    if is_complete && outcome.is_none() {
        let replies: BTreeSet<_> = branch.replies.iter().map(|(reply, _)| reply).collect();
        assert_eq!(replies.len(), branch.replies.len(), "a reply occurs twice: {next}");
        assert_eq!(replies.len(), next.legal_turns().len(), "{next}");
    }
    assert!(left > 0, "the win comes too late: {position}");
    for (reply, answer) in &branch.replies {
        let mut after = next.clone();
        after.try_play(&coordinate::parse(&next, reply).unwrap()).unwrap();
        walk(&after, answer, left - 1, is_complete);
    }
}

/// The minimum number of problems that are won in at most three turns, by variant. A new variant may have no
/// problems yet.
const MIN_WINS: [(Variant, usize); 4] =
    [(Variant::Chess, 200), (Variant::Baroque, 200), (Variant::Interweave, 190), (Variant::Ultima, 150)];

#[test]
fn problems_with_one_solution_are_proved_with_a_winning_tree() {
    for variant in Variant::ALL {
        let mut seen = 0;
        for problem in
            problems(variant).iter().filter(|problem| problem.goal == Goal::Win && problem.turns <= 3)
        {
            let key = problem.line[0].as_str();
            let proof = prove(variant, &problem.fen, problem.turns, &[key]);
            assert_eq!(proof.line[0], key);
            assert_eq!(proof.line.len(), 2 * usize::from(problem.turns) - 1, "{}", problem.fen);
            assert_eq!(position_of(&proof.fen), position_of(&problem.fen));
            assert!(proof.fen.ends_with(" 0 1"));
            let position = AnyPosition::from_fen(variant, &proof.fen).unwrap();
            walk(&position, &proof.solution.first, problem.turns, proof.solution.is_complete);
            seen += 1;
        }
        let min = MIN_WINS.iter().find(|(other, _)| *other == variant).map_or(0, |&(_, min)| min);
        assert!(seen >= min, "{variant}: {seen}");
    }
}

#[test]
fn too_many_or_too_few_turns_are_reported() {
    for variant in Variant::ALL {
        for problem in problems(variant)
            .iter()
            .filter(|problem| problem.goal == Goal::Win && problem.turns == 2)
            .take(12)
        {
            let key = problem.line[0].clone();
            match examine_lines(variant, &problem.fen, 3, &[&key]).unwrap() {
                Finding::Sooner { turns, line } => {
                    assert_eq!((turns, &line[0], line.len()), (2, &key, 3));
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(examine_lines(variant, &problem.fen, 1, &[]), Ok(Finding::NoWin));
            match examine_lines(variant, &problem.fen, 1, &[&key]).unwrap() {
                Finding::Refuted(refutation) => {
                    assert_eq!((&refutation.line, refutation.alternatives), (&vec![key.clone()], Vec::new()));
                    let mut position = AnyPosition::from_fen(variant, &problem.fen).unwrap();
                    position.try_play(&coordinate::parse(&position, &key).unwrap()).unwrap();
                    coordinate::parse(&position, &refutation.reply.unwrap()).unwrap();
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[track_caller]
fn assert_two_solutions(variant: Variant, fen: &str, own: &str, other: &str) {
    let second = Finding::SecondSolution { own: Some(own.into()), others: vec![vec![other.into()]] };
    assert_eq!(examine_lines(variant, fen, 1, &[own]), Ok(second));
    // If the author gives no solution, both first turns are reported.
    match examine_lines(variant, fen, 1, &[]).unwrap() {
        Finding::SecondSolution { own: None, others } => {
            let mut others = others.concat();
            others.sort_unstable();
            let mut both = [own, other];
            both.sort_unstable();
            assert_eq!(others, both);
        }
        found => panic!("{found:?}"),
    }
}

#[test]
fn a_second_solution_is_reported() {
    assert_two_solutions(Variant::Chess, "7k/4Q3/5N2/5K2/3P1P2/8/8/1r6 w - - 0 1", "e7h7", "e7f8");
    assert_two_solutions(Variant::Baroque, "k7/1Q6/2B5/5P2/6K1/3M4/8/8 w - - 0 1", "c6a6", "c6c8");
    let interweave = "2rkk1b1/pp1pn1p1/8/1P1p1P2/3p4/2p1B3/1P1KP2P/RB1K3R[NNrnb] b - - 0 1";
    assert_two_solutions(Variant::Interweave, interweave, "e7g3c1e1", "e7g3c1g1");
}

#[test]
fn a_second_solution_in_several_turns_is_reported_with_its_line() {
    // With the king in the centre there is no win in two.
    let fen = "8/8/8/2k5/6RR/8/8/6K1 w - - 0 1";
    let Ok(Finding::NoWin) = examine_lines(Variant::Chess, fen, 2, &[]) else { panic!() };
    // The ladder can begin with either rook.
    let found = examine_lines(Variant::Chess, "k7/8/8/8/6RR/8/8/6K1 w - - 0 1", 2, &["g4g7"]).unwrap();
    let Finding::SecondSolution { own, others } = found else { panic!("{found:?}") };
    assert_eq!(own.as_deref(), Some("g4g7"));
    let line = others.iter().find(|line| line[0] == "h4h7").expect("the other rook also wins");
    assert_eq!((line.len(), line[2].as_str()), (3, "g4g8"));
}

#[test]
fn later_turns_of_the_author_are_refuted_too() {
    let fen = "8/k7/8/1RK1N3/8/8/8/8 w - - 0 1";
    let found = examine_lines(Variant::Chess, fen, 2, &["e5c6 a7a8 b5b8", "e5c6 a7a6 b5b7"]).unwrap();
    let Finding::Refuted(refutation) = found else { panic!("{found:?}") };
    assert_eq!(refutation.line, ["e5c6", "a7a6", "b5b7"]);
    assert_eq!(refutation.alternatives, [["e5c6", "a7a6", "b5b6"]]);
    // A stalemating key has no reply.
    let found = examine_lines(Variant::Chess, "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", 1, &["f5f7"]).unwrap();
    let Finding::Refuted(refutation) = found else { panic!("{found:?}") };
    assert_eq!(refutation.reply, None);
    assert!(refutation.alternatives.contains(&vec!["f5f8".to_owned()]), "{:?}", refutation.alternatives);
}

#[test]
fn the_authors_turn_is_preferred_among_equal_ones() {
    let fen = "6kp/8/8/3p4/2P5/b2m2K1/M1P1P3/7n b - - 7 31";
    let proof = prove(Variant::Baroque, fen, 2, &["d3f3 c4h4 h1h2"]);
    assert_eq!(proof.line, ["d3f3", "c4h4", "h1h2"]);
    let (_, last) = &proof.solution.first.replies[0];
    assert_eq!((last.turn.as_str(), last.others.as_slice()), ("h1h2", &["h1g1".into(), "h1g2".into()][..]));
}

#[test]
fn an_invalid_position_is_refused_with_its_reasons() {
    let kingless = [
        (Variant::Chess, "8/8/8/8/8/8/8/Q3K3 w - - 0 1"),
        (Variant::Baroque, "8/8/8/8/8/8/8/Q3K3 w - - 0 1"),
    ];
    for (variant, fen) in kingless {
        match examine_lines(variant, fen, 2, &[]) {
            Err(CompositionError::Position(ReadPositionError::Position(error))) => {
                assert!(matches!(error.problems(), [SetupProblem::Kings { found: 0, .. }]), "{error:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    let none = examine_lines(Variant::Interweave, "8/8/8/8/8/8/8/8[] w - - 0 1", 2, &[]);
    let Err(CompositionError::Position(ReadPositionError::Position(error))) = none else {
        panic!("{none:?}")
    };
    assert!(!error.problems().is_empty());
    let crowd = "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1";
    let Err(CompositionError::Position(ReadPositionError::Position(error))) =
        examine_lines(Variant::Chess, crowd, 2, &[])
    else {
        panic!()
    };
    assert!(error.problems().iter().any(|problem| matches!(problem, SetupProblem::TooManyMen { .. })));
    // The middle of a chain is not a position: a FEN cannot express it.
    let chain = "6kk/8/8/8/8/Nr6/8/6KK[] w - - 0 1 a3";
    let extra = examine_lines(Variant::Interweave, chain, 2, &[]);
    assert!(
        matches!(extra, Err(CompositionError::Position(ReadPositionError::Fen(FenError::TooManyFields(_))))),
        "{extra:?}"
    );
}

#[test]
fn compositions_that_cannot_be_examined_are_refused() {
    let fen = "8/k7/8/1RK1N3/8/8/8/8 w - - 0 1";
    let chess = |turns, given: &[&str]| examine_lines(Variant::Chess, fen, turns, given).unwrap_err();
    assert_eq!(chess(0, &[]), CompositionError::Turns(0));
    assert_eq!(chess(MAX_COMPOSED_TURNS + 1, &[]), CompositionError::Turns(MAX_COMPOSED_TURNS + 1));
    assert_eq!(chess(1, &["e5c6 a7a6 b5b6"]), CompositionError::LineTooLong { line: 0 });
    assert_eq!(chess(2, &["e5c6", "e5d7"]), CompositionError::TwoFirstTurns("e5c6".into(), "e5d7".into()));
    assert!(matches!(chess(2, &["e5c6", "e5c6 a7a1"]), CompositionError::Turn { line: 1, turn: 1, .. }));
    assert!(matches!(chess(2, &["💥"]), CompositionError::Turn { line: 0, turn: 0, .. }));
    assert_eq!(chess(2, &["e5c6"; 65]), CompositionError::TooManyLines);
    let gain = Composition { variant: Variant::Chess, fen, goal: Goal::Gain, turns: 2, lines: &[] };
    assert_eq!(examine(&gain, &effort(NODES)), Err(CompositionError::Goal));
    let mated = examine_lines(Variant::Chess, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 2, &[]);
    assert!(matches!(mated, Err(CompositionError::Over(_))), "{mated:?}");
    // A turn must not end in the middle of a chain.
    let open = examine_lines(Variant::Interweave, "6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1", 2, &["a1a3"]);
    let Err(CompositionError::Turn { line: 0, turn: 0, error: coordinate::TurnError::Unfinished(_) }) = open
    else {
        panic!("{open:?}")
    };
}

#[test]
fn a_small_limit_gives_too_hard_or_a_whole_line() {
    let mut seen = 0;
    for variant in Variant::ALL {
        let mut wins = problems(variant).iter().filter(|problem| problem.goal == Goal::Win);
        let Some(problem) = wins.find(|problem| problem.turns == 3) else { continue };
        seen += 1;
        let lines = lines(&[&problem.line[0]]);
        let composition =
            Composition { variant, fen: &problem.fen, goal: Goal::Win, turns: 3, lines: &lines };
        let Ok(Finding::Proved(whole)) = examine(&composition, &effort(NODES)) else { panic!() };
        let mut too_hard = 0;
        for nodes in (0..whole.nodes).step_by(usize::try_from(whole.nodes / 40).unwrap().max(1)) {
            match examine(&composition, &effort(nodes)).unwrap() {
                Finding::TooHard { nodes: spent } => {
                    assert!(spent <= nodes + 1);
                    too_hard += 1;
                }
                // The whole line was found; only the tree may be incomplete.
                Finding::Proved(proof) => assert_eq!(proof.line.len(), 5),
                other => panic!("{other:?}"),
            }
        }
        assert!(too_hard > 0, "{variant}");
    }
    assert!(seen >= 3, "only {seen}");
    let stop = Arc::new(AtomicBool::new(false));
    stop.store(true, Ordering::Relaxed);
    let initial = AnyPosition::initial(Variant::Chess).fen();
    let hard = Composition { variant: Variant::Chess, fen: &initial, goal: Goal::Win, turns: 8, lines: &[] };
    let stopped = examine(&hard, &Effort { nodes: u64::MAX, stop });
    assert!(matches!(stopped, Ok(Finding::TooHard { .. })), "{stopped:?}");
}
