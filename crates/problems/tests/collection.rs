//! Checks that the built-in problems are legal, and proves most of their wins again.

use std::collections::HashSet;

use adoube_problems::{Goal, Problem, Prover, position_of, problems};
use adoube_rules::{AnyPosition, DrawRules, Outcome, Position, Variant, coordinate, with_position};

/// The minimum number of problems per game that come with the turn that led to them.
const MIN_WITH_PREVIOUS: usize = 100;
/// The minimum number of problems offered per game.
const MIN_OFFERED: usize = 200;

fn position(variant: Variant, problem: &Problem) -> AnyPosition {
    AnyPosition::from_fen(variant, &problem.fen).unwrap_or_else(|error| panic!("{}: {error}", problem.id))
}

#[test]
fn every_problem_is_legal_and_every_line_to_a_win_wins() {
    for variant in Variant::ALL {
        let all = problems(variant);
        let ids: HashSet<&str> = all.iter().map(|problem| problem.id.as_str()).collect();
        assert_eq!(ids.len(), all.len(), "{variant}: ids must be unique");
        assert!(all.is_sorted_by_key(|problem| problem.rating), "{variant}: not sorted by rating");
        for problem in all {
            let mut position = position(variant, problem);
            let solver = position.side_to_move();
            assert!(
                position.legal_turns().len() > 1,
                "{variant} {}: there is only one legal turn",
                problem.id
            );
            for text in &problem.line {
                let turn = coordinate::parse(&position, text).expect("a legal turn");
                position.try_play(&turn).expect("a legal turn");
            }
            assert_eq!(problem.line.len(), usize::from(problem.turns) * 2 - 1, "{}", problem.id);
            if problem.goal == Goal::Win {
                let winner = position.outcome(DrawRules::Club).and_then(Outcome::winner);
                assert_eq!(winner, Some(solver), "{variant} {}: {position}", problem.id);
            }
        }
    }
}

#[test]
fn the_turn_before_a_problem_leads_to_it() {
    for variant in Variant::ALL {
        let mut with_previous = 0;
        for problem in problems(variant) {
            let Some(before) = &problem.before else { continue };
            with_previous += 1;
            let mut current = AnyPosition::from_fen(variant, &before.fen).expect("a position");
            let turn = coordinate::parse(&current, &before.turn).expect("a legal turn");
            current.try_play(&turn).expect("a legal turn");
            assert_eq!(position_of(&current.fen()), position_of(&problem.fen), "{variant} {}", problem.id);
        }
        assert!(with_previous >= MIN_WITH_PREVIOUS, "{variant}: {with_previous}");
        let offered = problems(variant).iter().filter(|problem| !problem.retired).count();
        assert!(offered >= MIN_OFFERED, "{variant}: {offered}");
    }
}

/// Exactly one first turn wins in time, and none wins sooner. Checks all wins in one and two turns, and some
/// of the longer ones, which take longer to prove.
#[test]
fn wins_are_proved_to_have_one_first_turn() {
    for variant in Variant::ALL {
        let wins = problems(variant).iter().filter(|problem| problem.goal == Goal::Win);
        let mut prover = Prover::new(18);
        for (index, problem) in wins.enumerate() {
            if problem.turns > 2 && index % 4 != 0 {
                continue;
            }
            let any = position(variant, problem);
            let turns = problem.turns;
            let (shortest, first) = with_position!(&any, position => {
                let shortest = prover.shortest(position, turns).expect("no limit");
                let first = prover.first_turns(position, turns).expect("no limit");
                let first: Vec<_> = first.iter().map(|turn| coordinate::write(position, turn)).collect();
                (shortest, first)
            });
            assert_eq!(shortest, Some(turns), "{variant} {}", problem.id);
            assert_eq!(first, problem.line[..1], "{variant} {}", problem.id);
        }
    }
}
