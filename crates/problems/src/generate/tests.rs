use adoube_rules::Position as _;

use super::*;
use crate::problems;

#[test]
fn offered_problems_are_not_dull() {
    for variant in Variant::ALL {
        for problem in problems(variant) {
            let any = AnyPosition::from_fen(variant, &problem.fen).unwrap();
            let dull = with_position!(&any, position => is_dull(position));
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
