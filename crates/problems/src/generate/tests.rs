use adoube_rules::Position as _;

use super::{dull::is_plain_recapture, *};
use crate::{problem, problems};

#[test]
fn offered_problems_are_not_dull() {
    for variant in Variant::ALL {
        for problem in problems(variant) {
            let any = AnyPosition::from_fen(variant, &problem.fen).unwrap();
            let dull = with_position!(&any, position => is_dull_problem(problem, position));
            assert_eq!(dull, problem.retired, "{variant} {}: {}", problem.id, problem.fen);
        }
    }
}

#[test]
fn known_problems_keep_their_ids_and_dull_ones_are_retired() {
    let bare =
        Problem { fen: "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1".into(), ..problems(Variant::Chess)[0].clone() };
    let mut known: Vec<Problem> = problems(Variant::Chess)[..40].to_vec();
    known.retain(|problem| problem.id != bare.id);
    known.push(bare);
    let recipe = Recipe { variant: Variant::Chess, seed: 1, count: 0, games: 0 };
    let generated = recipe.generate(known.clone(), &mut |_| {}).unwrap();
    let ids = |problems: &[Problem]| -> HashSet<String> {
        problems.iter().map(|problem| problem.id.clone()).collect()
    };
    assert_eq!(ids(&generated), ids(&known));
    let bare = known.last().unwrap();
    assert!(generated.iter().find(|problem| problem.id == bare.id).unwrap().retired);
    let unreadable = Problem { fen: "8/8".into(), ..known[0].clone() };
    let error = recipe.generate(vec![unreadable], &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains(&known[0].id), "{error}");
}

#[test]
fn a_generated_problem_keeps_the_turn_that_led_to_it() {
    let recipe = Recipe { variant: Variant::Baroque, seed: 2, count: 1, games: 30 };
    let generated = recipe.generate(Vec::new(), &mut |_| {}).unwrap();
    assert!(!generated.is_empty(), "no problem was found in thirty games");
    for problem in &generated {
        let before = problem.before.as_ref().expect("a turn led to the problem");
        let mut position = AnyPosition::from_fen(Variant::Baroque, &before.fen).unwrap();
        position.try_play(&coordinate::parse(&position, &before.turn).unwrap()).unwrap();
        assert_eq!(crate::position_of(&position.fen()), crate::position_of(&problem.fen));
    }
}

fn is_solved_by_a_recapture(variant: Variant, problem: &Problem) -> bool {
    let any = AnyPosition::from_fen(variant, &problem.fen).unwrap();
    with_position!(&any, position => is_plain_recapture(problem, position))
}

#[test]
fn a_recapture_that_is_the_whole_solution_is_dull() {
    let recaptured = |before: &str, turn: &str, line: &[&str]| {
        let mut position = AnyPosition::from_fen(Variant::Chess, before).unwrap();
        position.try_play(&coordinate::parse(&position, turn).unwrap()).unwrap();
        let problem = Problem {
            fen: position.fen(),
            goal: Goal::Gain,
            line: line.iter().map(|&text| text.into()).collect(),
            before: Some(PreviousTurn { fen: before.into(), turn: turn.into() }),
            ..problems(Variant::Chess)[0].clone()
        };
        assert!(!is_solved_by_a_recapture(Variant::Chess, &Problem { before: None, ..problem.clone() }));
        assert!(!is_solved_by_a_recapture(Variant::Chess, &Problem { goal: Goal::Win, ..problem.clone() }));
        is_solved_by_a_recapture(Variant::Chess, &problem)
    };
    let knight_takes = "4k3/8/2n5/8/3N4/2P5/8/4K3 b - - 0 1";
    assert!(recaptured(knight_takes, "c6d4", &["c3d4"]));
    assert!(!recaptured(knight_takes, "c6d4", &["c3c4"]), "the pawn takes nothing");
    assert!(!recaptured(knight_takes, "c6d4", &["c3d4", "e8e7", "d4d5"]), "there is more to find");
    let knight_moves = "4k3/8/2n5/8/8/2P5/8/4K3 b - - 0 1";
    assert!(!recaptured(knight_moves, "c6d4", &["c3d4"]), "the knight has taken nothing");
    let en_passant = "4k3/8/8/8/3pP3/8/8/2B1K3 b - e3 0 1";
    assert!(recaptured(en_passant, "d4e3", &["c1e3"]));
}

#[test]
fn men_that_take_from_a_distance_recapture_as_well() {
    for (variant, id, expected) in [
        // Recaptures by a pincer pawn, by a coordinator, and by a withdrawer.
        (Variant::Baroque, "6ed0f8b6", true),
        (Variant::Baroque, "d72409ab", true),
        (Variant::Ultima, "e3ee7ce5", true),
        // A long leaper takes the immobilizer as well.
        (Variant::Ultima, "853ae8c3", false),
    ] {
        assert_eq!(
            is_solved_by_a_recapture(variant, problem(variant, id).unwrap()),
            expected,
            "{variant} {id}"
        );
    }
}
