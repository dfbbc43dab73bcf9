//! Attempts at problems, and analyses.

use adoube_vocabulary::{AnalysisId, Millis, Version};

use super::{accounts::account, command_id, player};
use crate::{
    AnalysisChange, AnalysisText, Attempt, AttemptOutcome, ChangeOutcome, NameRetirement, NewAnalysis,
    SaveOutcome, Store,
};

pub(super) async fn check(store: &dyn Store) {
    for (number, name) in [(900, "Solver"), (901, "Other-solver")] {
        store.add_account(account(number, name)).await.unwrap();
    }
    a_problem_counts_once(store).await;
    an_analysis_is_visible_only_to_its_owner(store).await;
    a_change_based_on_an_old_version_is_refused(store).await;
    the_number_and_size_of_analyses_are_limited(store).await;
    deleting_an_account_deletes_its_studies(store).await;
}

fn attempt(variant: &str, problem: &str, number: u32) -> Attempt {
    Attempt {
        variant: variant.into(),
        problem: problem.into(),
        number,
        command: command_id(u128::from(number)),
        solved: number.is_multiple_of(2),
        before: 1000,
        after: 1040,
        streak: number,
        at: Millis(i64::from(number)),
    }
}

async fn a_problem_counts_once(store: &dyn Store) {
    let (solver, other) = (player(900), player(901));
    assert_eq!(store.list_attempts(&solver, None).await.unwrap(), []);
    assert_eq!(store.add_attempt(&solver, attempt("chess", "b", 1)).await.unwrap(), AttemptOutcome::Done);
    assert_eq!(
        store.add_attempt(&solver, attempt("chess", "b", 2)).await.unwrap(),
        AttemptOutcome::AlreadyCounted(attempt("chess", "b", 1))
    );
    // One attempt is based on an outdated rating, the other on a rating that does not exist yet.
    for number in [1, 3] {
        assert_eq!(
            store.add_attempt(&solver, attempt("chess", "a", number)).await.unwrap(),
            AttemptOutcome::Conflict,
            "{number}"
        );
    }
    assert_eq!(store.add_attempt(&solver, attempt("chess", "a", 2)).await.unwrap(), AttemptOutcome::Done);
    // Each variant and each solver has its own sequence of numbers.
    assert_eq!(store.add_attempt(&solver, attempt("baroque", "b", 1)).await.unwrap(), AttemptOutcome::Done);
    assert_eq!(store.add_attempt(&other, attempt("chess", "b", 1)).await.unwrap(), AttemptOutcome::Done);
    assert_eq!(
        store.add_attempt(&player(999), attempt("chess", "b", 1)).await.unwrap(),
        AttemptOutcome::NoAccount
    );
    let chess = [attempt("chess", "b", 1), attempt("chess", "a", 2)];
    assert_eq!(store.list_attempts(&solver, Some("chess")).await.unwrap(), chess);
    let all = [attempt("baroque", "b", 1), attempt("chess", "b", 1), attempt("chess", "a", 2)];
    assert_eq!(store.list_attempts(&solver, None).await.unwrap(), all);
}

fn new_analysis(number: u128, owner: u128) -> NewAnalysis {
    NewAnalysis {
        id: AnalysisId::from_random(number),
        player: player(owner),
        command: command_id(number),
        name: format!("analysis {number}"),
        text: text("chess", "1. e4 *"),
        at: Millis(number as i64),
        max_analyses: 9,
        max_bytes: 1_000,
    }
}

fn text(variant: &str, body: &str) -> AnalysisText {
    AnalysisText { variant: variant.into(), body: body.into() }
}

fn change(number: u128, owner: u128, based_on: u64) -> AnalysisChange {
    AnalysisChange {
        id: AnalysisId::from_random(number),
        player: player(owner),
        based_on: Version(based_on),
        name: None,
        text: None,
        at: Millis(100),
        max_bytes: 1_000,
    }
}

async fn an_analysis_is_visible_only_to_its_owner(store: &dyn Store) {
    let (owner, stranger) = (player(900), player(901));
    let id = AnalysisId::from_random(1);
    let SaveOutcome::Done(first) = store.add_analysis(new_analysis(1, 900)).await.unwrap() else {
        panic!("it was not saved")
    };
    assert_eq!((first.version, first.name.as_str(), first.changed_at), (Version(1), "analysis 1", Millis(1)));
    let again = NewAnalysis { id: AnalysisId::from_random(77), ..new_analysis(1, 900) };
    assert_eq!(store.add_analysis(again).await.unwrap(), SaveOutcome::Repeated(first.clone()));
    assert_eq!(store.add_analysis(new_analysis(2, 999)).await.unwrap(), SaveOutcome::NoAccount);
    store.add_analysis(new_analysis(2, 900)).await.unwrap();
    let names = store.list_analyses(&owner).await.unwrap();
    let names = names.iter().map(|analysis| analysis.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["analysis 2", "analysis 1"]);
    let found = store.lookup_analysis(&owner, &id).await.unwrap();
    assert_eq!(found, Some((first, "1. e4 *".into())));
    // Other players cannot see it.
    assert_eq!(store.lookup_analysis(&stranger, &id).await.unwrap(), None);
    assert_eq!(store.list_analyses(&stranger).await.unwrap(), []);
    assert_eq!(store.change_analysis(change(1, 901, 1)).await.unwrap(), ChangeOutcome::Missing);
    assert!(!store.delete_analysis(&stranger, &id).await.unwrap());
    assert!(store.delete_analysis(&owner, &AnalysisId::from_random(2)).await.unwrap());
    assert!(!store.delete_analysis(&owner, &AnalysisId::from_random(2)).await.unwrap());
}

async fn a_change_based_on_an_old_version_is_refused(store: &dyn Store) {
    let (owner, id) = (player(900), AnalysisId::from_random(1));
    let renamed = AnalysisChange { name: Some("the French".into()), ..change(1, 900, 1) };
    let ChangeOutcome::Done(second) = store.change_analysis(renamed.clone()).await.unwrap() else {
        panic!("it was not changed")
    };
    assert_eq!((second.version, second.changed_at), (Version(2), Millis(100)));
    let late = AnalysisChange { text: Some(text("baroque", "1. e4 e5 *")), ..change(1, 900, 1) };
    assert_eq!(store.change_analysis(late.clone()).await.unwrap(), ChangeOutcome::Conflict(second.clone()));
    assert_eq!(store.lookup_analysis(&owner, &id).await.unwrap().unwrap().1, "1. e4 *");
    // A repeat of the same change, sent because the response was lost, succeeds.
    assert_eq!(store.change_analysis(renamed).await.unwrap(), ChangeOutcome::Done(second));
    let up_to_date = AnalysisChange { based_on: Version(2), ..late };
    let ChangeOutcome::Done(third) = store.change_analysis(up_to_date).await.unwrap() else {
        panic!("it was not changed")
    };
    assert_eq!(
        (third.version, third.name.as_str(), third.variant.as_str()),
        (Version(3), "the French", "baroque")
    );
    assert_eq!(store.lookup_analysis(&owner, &id).await.unwrap(), Some((third, "1. e4 e5 *".into())));
}

async fn the_number_and_size_of_analyses_are_limited(store: &dyn Store) {
    let one_more = |number| NewAnalysis { max_analyses: 2, ..new_analysis(number, 900) };
    assert!(matches!(store.add_analysis(one_more(3)).await.unwrap(), SaveOutcome::Done(_)));
    assert_eq!(store.add_analysis(one_more(4)).await.unwrap(), SaveOutcome::Full);
    // A repeat of an earlier command needs no space.
    assert!(matches!(store.add_analysis(one_more(3)).await.unwrap(), SaveOutcome::Repeated(_)));
    // The total size in bytes is limited too. The analyses so far take 10 and 7 bytes.
    let long = |number, max_bytes| NewAnalysis { max_bytes, ..new_analysis(number, 900) };
    assert_eq!(store.add_analysis(long(4, 23)).await.unwrap(), SaveOutcome::NoRoom);
    assert!(matches!(store.add_analysis(long(4, 24)).await.unwrap(), SaveOutcome::Done(_)));
    let longer =
        AnalysisChange { text: Some(text("chess", "1. e4 e5 *")), max_bytes: 26, ..change(4, 900, 1) };
    assert_eq!(store.change_analysis(longer.clone()).await.unwrap(), ChangeOutcome::NoRoom);
    let fits = AnalysisChange { max_bytes: 27, ..longer };
    assert!(matches!(store.change_analysis(fits).await.unwrap(), ChangeOutcome::Done(_)));
    // A change that makes the text smaller is always allowed.
    let shorter = AnalysisChange { text: Some(text("chess", "*")), max_bytes: 1, ..change(4, 900, 2) };
    assert!(matches!(store.change_analysis(shorter).await.unwrap(), ChangeOutcome::Done(_)));
}

async fn deleting_an_account_deletes_its_studies(store: &dyn Store) {
    let deleted_player = player(900);
    store.delete_account(&deleted_player, &NameRetirement::default()).await.unwrap();
    assert_eq!(store.list_attempts(&deleted_player, None).await.unwrap(), []);
    assert_eq!(store.list_analyses(&deleted_player).await.unwrap(), []);
    assert_eq!(store.lookup_analysis(&deleted_player, &AnalysisId::from_random(1)).await.unwrap(), None);
    // An attempt made after the account was deleted is refused.
    assert_eq!(
        store.add_attempt(&deleted_player, attempt("chess", "b", 1)).await.unwrap(),
        AttemptOutcome::NoAccount
    );
    assert_eq!(store.add_analysis(new_analysis(5, 900)).await.unwrap(), SaveOutcome::NoAccount);
    assert_eq!(store.list_attempts(&player(901), None).await.unwrap().len(), 1);
}
