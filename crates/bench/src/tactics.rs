//! Tactics: has the engine solve the problems with a forced win, which are proved to have only one solution.

use adoube_engine::{Control, Engine, Limits};
use adoube_problems::{Goal, problems};
use adoube_rules::{AnyPosition, Variant, coordinate};
use anyhow::{Context as _, Result};

/// Default number of nodes for each problem.
pub(crate) const NODES: u64 = 100_000;

/// Counts of the engine's results on a set of problems.
#[derive(Default)]
struct Tally {
    count: usize,
    /// The engine found the only turn that wins within the required number of turns.
    solved: usize,
    /// The engine announced a forced win of exactly the right length.
    exact: usize,
    /// The engine announced a forced win shorter than the shortest one, which is a bug.
    impossible: usize,
}

pub(crate) fn run(nodes: u64, list: bool) -> Result<()> {
    println!("{nodes} nodes per problem, one thread, an empty 64 MiB table for each");
    println!("game            turns  problems  solved   forced win of the right length  too short");
    for variant in Variant::ALL {
        let mut engine = Engine::new(64, 1)?;
        let mut tallies: [Tally; 4] = Default::default();
        for problem in problems(variant).iter().filter(|problem| problem.goal == Goal::Win) {
            let position = AnyPosition::from_fen(variant, &problem.fen).context("an unplayable problem")?;
            engine.forget();
            let limits = Limits { nodes, ..Limits::default() };
            let report = engine.search(&position, &[], &limits, &Control::NONE);
            let report = report.context("a problem without a legal turn")?;
            let tally = &mut tallies[usize::from(problem.turns).clamp(1, 4) - 1];
            let found = coordinate::write(&position, &report.turn);
            let is_solved = problem.line.first() == Some(&found);
            tally.count += 1;
            tally.solved += usize::from(is_solved);
            let plies = 2 * i32::from(problem.turns) - 1;
            let announced = report.score.certain_end().filter(|&end| end > 0);
            tally.exact += usize::from(announced == Some(plies));
            tally.impossible += usize::from(announced.is_some_and(|end| end < plies));
            if list && !is_solved {
                println!("{variant} {} {} found {found}, wanted {:?}", problem.id, problem.fen, problem.line);
            }
        }
        let all = tallies.iter().fold(Tally::default(), |sum, tally| Tally {
            count: sum.count + tally.count,
            solved: sum.solved + tally.solved,
            exact: sum.exact + tally.exact,
            impossible: sum.impossible + tally.impossible,
        });
        let rows = (1..).zip(&tallies).map(|(turns, tally)| (format!("{turns}"), tally));
        for (turns, Tally { count, solved, exact, impossible }) in rows.chain([("all".to_owned(), &all)]) {
            let per_thousand = (solved * 1_000 + count / 2) / (*count).max(1);
            let share = format!("{}.{}", per_thousand / 10, per_thousand % 10);
            println!(
                "{variant:<14} {turns:>6} {count:>9} {solved:>7} ({share} %) {exact:>24} {impossible:>9}"
            );
        }
    }
    Ok(())
}
