//! Problems, attempts and analyses.

use adoube_vocabulary::{AnalysisId, Millis, ProblemId};

use super::{FIRST, ROUNDS, Shared, at_once, exactly_one, many};
use crate::{
    Attempt, AttemptOutcome, NewAnalysis, NewProblem, Published, SaveOutcome,
    contract::{accounts::account, command_id, player},
};

pub(super) async fn check(both: &(Shared, Shared)) {
    problem_positions_are_unique(both).await;
    attempts_are_numbered_and_analyses_limited(both).await;
}

async fn problem_positions_are_unique(both: &(Shared, Shared)) {
    for (number, name) in [(510, "Racing-composer"), (511, "Racing-rival")] {
        both.0.add_account(account(FIRST + number, name)).await.unwrap();
    }
    let id = |round: u128, which: u128| ProblemId::from_random(FIRST + 2 * round + which);
    for round in 0..ROUNDS {
        let got = at_once(both, |store, which| async move {
            let problem = NewProblem {
                id: id(round, which),
                owner: player(FIRST + 510 + which),
                command: command_id(FIRST + round),
                variant: "chess".into(),
                position: format!("race {round}"),
                title: None,
                document: "document".into(),
                created_at: Millis(1),
                max_bytes: 1_000_000,
            };
            store.add_problem(problem).await.unwrap()
        })
        .await;
        let (winner, loser) = exactly_one(got, |got| *got == Published::Done);
        assert_eq!(loser, Published::Known(id(round, winner as u128)));
    }
}

pub(super) fn attempt(problem: &str, number: u32) -> Attempt {
    Attempt {
        variant: "chess".into(),
        problem: problem.into(),
        number,
        command: command_id(FIRST + u128::from(number)),
        solved: true,
        before: 1000,
        after: 1040,
        streak: number,
        at: Millis(1),
    }
}

pub(super) fn analysis(number: u128, owner: u128) -> NewAnalysis {
    NewAnalysis {
        id: AnalysisId::from_random(FIRST + number),
        player: player(FIRST + owner),
        command: command_id(FIRST + number),
        name: "race".into(),
        text: crate::AnalysisText { variant: "chess".into(), body: "1. e4 *".into() },
        at: Millis(1),
        max_analyses: 5,
        max_bytes: 1_000_000,
    }
}

async fn attempts_are_numbered_and_analyses_limited(both: &(Shared, Shared)) {
    let owner = player(FIRST + 512);
    both.0.add_account(account(FIRST + 512, "Racing-solver")).await.unwrap();
    for number in 1..=ROUNDS as u32 {
        let got = at_once(both, |store, which| {
            let owner = owner.clone();
            async move {
                store.add_attempt(&owner, attempt(&format!("{number} of {which}"), number)).await.unwrap()
            }
        })
        .await;
        assert_eq!(exactly_one(got, |got| *got == AttemptOutcome::Done).1, AttemptOutcome::Conflict);
    }
    let saved =
        many(
            both,
            12,
            |store, number| async move { store.add_analysis(analysis(number, 512)).await.unwrap() },
        )
        .await;
    assert_eq!(saved.iter().filter(|saved| matches!(saved, SaveOutcome::Done(_))).count(), 5);
    assert_eq!(saved.iter().filter(|saved| **saved == SaveOutcome::Full).count(), 7);
    assert_eq!(both.1.list_analyses(&owner).await.unwrap().len(), 5);
}
