//! Composed problems.

use std::sync::Arc;

use adoube_vocabulary::{Millis, PlayerId, ProblemId};

use super::{accounts, command_id, player};
use crate::{NameRetirement, NewProblem, ProblemCursor, ProblemFilter, Published, Store, StoredProblem};

const ANNA: u128 = 820;
const BELA: u128 = 821;

pub(super) async fn check(store: &Arc<dyn Store>) {
    for (number, name) in [(ANNA, "Composer"), (BELA, "Other")] {
        store.add_account(accounts::account(number, name)).await.unwrap();
    }
    a_problem_is_published_once(&**store).await;
    only_one_of_many_concurrent_problems_gets_the_position(store).await;
    problems_are_listed_newest_first(&**store).await;
    a_withdrawn_problem_is_gone(&**store).await;
    deleting_an_account_keeps_its_problems(&**store).await;
}

fn problem_id(number: u128) -> ProblemId {
    ProblemId::from_random(number)
}

fn problem(number: u128, owner: u128) -> NewProblem {
    NewProblem {
        id: problem_id(number),
        owner: player(owner),
        command: command_id(number),
        variant: "chess".into(),
        position: format!("position {number}"),
        title: Some(format!("<b>{number}</b>")),
        document: format!("document {number}"),
        created_at: Millis(100),
        max_bytes: 1_000_000,
    }
}

async fn listed(
    store: &dyn Store,
    variant: Option<&str>,
    owner: Option<PlayerId>,
    limit: u32,
) -> Vec<ProblemId> {
    let mut filter = ProblemFilter { variant: variant.map(Into::into), owner, after: None, limit };
    let mut all = Vec::new();
    loop {
        let page = store.list_problems(&filter).await.unwrap();
        assert!(page.len() <= limit as usize);
        let Some(last) = page.last() else { return all };
        filter.after = Some(ProblemCursor { at: last.created_at, id: last.id.clone() });
        all.extend(page.into_iter().map(|problem| problem.id));
    }
}

async fn a_problem_is_published_once(store: &dyn Store) {
    assert_eq!(store.lookup_problem(&problem_id(1)).await.unwrap(), None);
    assert_eq!(store.lookup_publication(&player(ANNA), command_id(1)).await.unwrap(), None);
    assert_eq!(store.add_problem(problem(1, ANNA)).await.unwrap(), Published::Done);
    let stored = StoredProblem {
        id: problem_id(1),
        owner: player(ANNA),
        name: Some("Composer".into()),
        variant: "chess".into(),
        title: Some("<b>1</b>".into()),
        document: "document 1".into(),
        created_at: Millis(100),
    };
    assert_eq!(store.lookup_problem(&problem_id(1)).await.unwrap(), Some(stored));
    // The same command, even with a different problem, returns the first problem.
    let again = NewProblem { command: command_id(1), ..problem(2, ANNA) };
    assert_eq!(store.add_problem(again).await.unwrap(), Published::Repeated(problem_id(1)));
    assert_eq!(store.lookup_publication(&player(ANNA), command_id(1)).await.unwrap(), Some(problem_id(1)));
    // The same command id from another player is a different command, but the position is taken in this
    // variant.
    let same = NewProblem { command: command_id(1), position: "position 1".into(), ..problem(2, BELA) };
    assert_eq!(store.add_problem(same.clone()).await.unwrap(), Published::Known(problem_id(1)));
    assert_eq!(store.lookup_publication(&player(BELA), command_id(1)).await.unwrap(), None);
    assert_eq!(store.lookup_problem_at("chess", "position 1").await.unwrap(), Some(problem_id(1)));
    assert_eq!(store.lookup_problem_at("baroque", "position 1").await.unwrap(), None);
    let elsewhere = NewProblem { variant: "baroque".into(), ..same };
    assert_eq!(store.add_problem(elsewhere).await.unwrap(), Published::Done);
    assert_eq!(
        store.add_problem(NewProblem { id: problem_id(1), ..problem(3, BELA) }).await.unwrap(),
        Published::IdTaken
    );
}

async fn only_one_of_many_concurrent_problems_gets_the_position(store: &Arc<dyn Store>) {
    let rivals = (0..16).map(|number| {
        let store = Arc::clone(store);
        let new = NewProblem { position: "wanted".into(), ..problem(100 + number, BELA) };
        tokio::spawn(async move { store.add_problem(new).await.unwrap() })
    });
    let mut done = 0;
    for rival in rivals.collect::<Vec<_>>() {
        match rival.await.unwrap() {
            Published::Done => done += 1,
            Published::Known(_) => {}
            other => panic!("neither published nor known: {other:?}"),
        }
    }
    assert_eq!(done, 1);
    let winner = store.lookup_problem_at("chess", "wanted").await.unwrap().unwrap();
    assert!(store.withdraw_problem(&player(BELA), &winner).await.unwrap());
}

async fn problems_are_listed_newest_first(store: &dyn Store) {
    for (number, at) in [(11, 300), (12, 200), (13, 300), (14, 400)] {
        let owner = if number == 12 { BELA } else { ANNA };
        let new = NewProblem {
            variant: "interweave".into(),
            created_at: Millis(at),
            title: None,
            ..problem(number, owner)
        };
        assert_eq!(store.add_problem(new).await.unwrap(), Published::Done);
    }
    let ids = |numbers: &[u128]| numbers.iter().map(|&number| problem_id(number)).collect::<Vec<_>>();
    let mut equals = ids(&[11, 13]);
    equals.sort_unstable();
    equals.reverse();
    let newest = [ids(&[14]), equals.clone(), ids(&[12])].concat();
    for limit in [1, 2, 9] {
        assert_eq!(listed(store, Some("interweave"), None, limit).await, newest);
    }
    let mine = [ids(&[14]), equals, ids(&[1])].concat();
    assert_eq!(listed(store, None, Some(player(ANNA)), 2).await, mine);
    assert_eq!(listed(store, Some("interweave"), Some(player(BELA)), 9).await, ids(&[12]));
    assert_eq!(listed(store, Some("draughts"), None, 9).await, []);
    assert_eq!(
        store.list_problems(&ProblemFilter::default()).await.unwrap(),
        [],
        "a limit of zero lists nothing"
    );
}

async fn a_withdrawn_problem_is_gone(store: &dyn Store) {
    assert!(
        !store.withdraw_problem(&player(BELA), &problem_id(1)).await.unwrap(),
        "it belongs to another player"
    );
    assert!(store.withdraw_problem(&player(ANNA), &problem_id(1)).await.unwrap());
    assert!(!store.withdraw_problem(&player(ANNA), &problem_id(1)).await.unwrap(), "it is already withdrawn");
    assert_eq!(store.lookup_problem(&problem_id(1)).await.unwrap(), None);
    assert_eq!(store.lookup_problem_at("chess", "position 1").await.unwrap(), None);
    assert_eq!(listed(store, Some("chess"), None, 9).await, []);
    // A late repeat does not bring the problem back. Its position is available again.
    assert_eq!(store.add_problem(problem(1, ANNA)).await.unwrap(), Published::Repeated(problem_id(1)));
    assert_eq!(store.lookup_problem(&problem_id(1)).await.unwrap(), None);
    let other = NewProblem { position: "position 1".into(), ..problem(20, BELA) };
    assert_eq!(store.add_problem(other).await.unwrap(), Published::Done);
}

async fn deleting_an_account_keeps_its_problems(store: &dyn Store) {
    store.delete_account(&player(BELA), &NameRetirement::default()).await.unwrap();
    let left = store.lookup_problem(&problem_id(20)).await.unwrap().unwrap();
    assert_eq!((left.name, left.title, left.document.as_str()), (None, None, "document 20"));
    assert_eq!(listed(store, Some("chess"), None, 9).await, [problem_id(20)]);
}
