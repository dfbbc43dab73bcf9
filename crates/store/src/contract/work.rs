use adoube_vocabulary::{GameId, Level, Millis, NodeId};

use super::{
    game_id,
    games::new_game,
    nodes::{lease, waiting_for_machine},
    player,
};
use crate::{JOB_ATTEMPTS, JOB_RETENTION_MS, Job, JobId, JobState, LEASE_MS, NewJob, Store};

/// A time later than all leases and downtimes in the parts of the test that run before this one.
const START: i64 = 5_000_000;

fn worker(number: u128) -> NodeId {
    NodeId::from_random(9_500 + number)
}

async fn renew(store: &dyn Store, number: u128, ms: i64) -> bool {
    let address = format!("worker {number}");
    store.renew_worker(&worker(number), &address, Millis(ms), Millis(ms)).await.unwrap().was_valid
}

/// Checks the work that processes hand over to each other. Does nothing if the database is not shared.
pub(super) async fn check(store: &dyn Store) {
    if !store.is_shared() {
        return;
    }
    a_worker_has_a_lease(store).await;
    a_turn_without_a_live_worker_is_listed(store).await;
    a_job_is_claimed_finished_and_forgotten(store).await;
    a_job_is_given_up_after_some_attempts(store).await;
    a_reminder_without_a_sender_is_due(store).await;
}

async fn a_worker_has_a_lease(store: &dyn Store) {
    assert!(!renew(store, 1, START).await, "it is new");
    assert!(renew(store, 1, START + LEASE_MS - 1).await);
    assert!(!renew(store, 1, START + 3 * LEASE_MS).await, "it was late");
    // A worker is not a node: it is not listed as one, and a period with only workers is a downtime.
    let node = NodeId::from_random(9_590);
    let renewal = store.renew_lease(lease(&node, "alone:1", Millis(START)), Millis(START - 1)).await.unwrap();
    assert_eq!(renewal.nodes.len(), 1);
    store.release_lease(&node, Millis(START)).await.unwrap();
    let later = START + 20_000;
    renew(store, 1, later - 1).await;
    store.renew_lease(lease(&node, "alone:1", Millis(later)), Millis(START)).await.unwrap();
    store.release_lease(&node, Millis(later)).await.unwrap();
    let seen = store.renew_worker(&worker(1), "worker 1", Millis(later), Millis(START)).await.unwrap();
    assert!(seen.downtimes.iter().any(|down| (down.from.0, down.until.0) == (START, later)), "{seen:?}");
    store.release_worker(&worker(1)).await.unwrap();
}

async fn a_turn_without_a_live_worker_is_listed(store: &dyn Store) {
    let now = START + 30_000;
    let level = Level::try_from(3).unwrap();
    let ids = [9_501, 9_502].map(|number: u128| (number, game_id(number)));
    for (number, _) in &ids {
        store.add_game(new_game(*number, 950, *number)).await.unwrap();
        store.append(waiting_for_machine(*number, 1, Some(level))).await.unwrap();
    }
    renew(store, 2, now).await;
    let listed_by = async |by: u128, ms: i64, since: i64| -> Vec<GameId> {
        let all = store.list_unclaimed_turns(&worker(by), Millis(ms), Millis(since), 1_000).await.unwrap();
        all.into_iter().filter(|game| ids.iter().any(|(_, id)| id == game)).collect()
    };
    let listed = async |ms: i64, since: i64| listed_by(3, ms, since).await;
    assert_eq!(listed(now, now).await.len(), 2);
    assert_eq!(listed(now, -1).await.len(), 0, "they have not waited that long");
    assert!(store.claim_machine_turn(&worker(2), &ids[0].1, Millis(now)).await.unwrap());
    assert_eq!(listed(now, now).await, [ids[1].1.clone()]);
    assert_eq!(listed_by(2, now, now).await.len(), 2, "a worker's own claim is listed");
    assert!(!store.claim_machine_turn(&worker(3), &ids[0].1, Millis(now)).await.unwrap());
    // The worker dies.
    let later = now + LEASE_MS;
    assert_eq!(listed(later, later).await.len(), 2);
    renew(store, 3, later).await;
    assert!(store.claim_machine_turn(&worker(3), &ids[0].1, Millis(later)).await.unwrap());
    // A worker that stops gracefully releases its claims immediately.
    assert_eq!(listed_by(4, later, later).await, [ids[1].1.clone()]);
    store.release_worker(&worker(3)).await.unwrap();
    assert_eq!(listed_by(4, later, later).await.len(), 2);
    for (number, _) in ids {
        store.append(waiting_for_machine(number, 2, None)).await.unwrap();
    }
}

fn job(number: u8, kind: &'static str, now: i64) -> NewJob {
    NewJob {
        id: JobId([number; 32]),
        kind,
        body: format!("job {number}"),
        now: Millis(now),
        requested_until: Millis(now + 3_000),
    }
}

async fn claim(store: &dyn Store, by: u128, now: i64, requested_before: i64) -> Option<Job> {
    let kinds = ["proof", "report"];
    store.claim_job(&worker(by), &kinds, Millis(now), Millis(requested_before)).await.unwrap()
}

async fn a_job_is_claimed_finished_and_forgotten(store: &dyn Store) {
    let now = START + 50_000;
    for number in [4, 5] {
        renew(store, number, now).await;
    }
    assert_eq!(store.request_job(&job(1, "proof", now)).await.unwrap(), JobState::Waiting);
    assert_eq!(store.request_job(&job(2, "report", now + 1)).await.unwrap(), JobState::Waiting);
    assert_eq!(store.request_job(&job(3, "unheard-of", now)).await.unwrap(), JobState::Waiting);
    assert_eq!(claim(store, 4, now, now - 1).await, None, "no job has waited that long");
    let first = claim(store, 4, now + 1, now + 1).await.unwrap();
    assert_eq!(first, Job { id: JobId([1; 32]), kind: "proof".into(), body: "job 1".into() });
    assert_eq!(claim(store, 5, now + 1, now + 1).await.unwrap().body, "job 2");
    assert_eq!(claim(store, 5, now + 1, now + 1).await, None, "the third job's kind is unknown");
    assert_eq!(store.request_job(&job(1, "proof", now + 2)).await.unwrap(), JobState::Running);

    // Only the worker that has claimed a job can finish it, and only once.
    let id = first.id;
    assert!(store.is_job_requested(&id, &worker(4), Millis(now + 2)).await.unwrap());
    assert!(!store.is_job_requested(&id, &worker(5), Millis(now + 2)).await.unwrap());
    assert!(!store.finish_job(&id, &worker(5), "wrong").await.unwrap());
    assert!(store.finish_job(&id, &worker(4), "right").await.unwrap());
    assert!(!store.finish_job(&id, &worker(4), "again").await.unwrap());
    assert_eq!(store.request_job(&job(1, "proof", now + 3)).await.unwrap(), JobState::Done("right".into()));

    // The second job was abandoned because no caller requested it again. A new request starts it over.
    assert!(!store.is_job_requested(&JobId([2; 32]), &worker(5), Millis(now + 5_000)).await.unwrap());
    store.release_job(&JobId([2; 32]), &worker(5), false).await.unwrap();
    renew(store, 4, now + 5_000).await;
    assert_eq!(claim(store, 4, now + 5_000, now + 5_000).await, None);
    assert_eq!(store.request_job(&job(2, "report", now + 5_000)).await.unwrap(), JobState::Waiting);
    assert_eq!(claim(store, 4, now + 5_000, now + 4_999).await, None, "its wait starts now");
    assert!(claim(store, 4, now + 5_000, now + 5_000).await.is_some());

    let end = now + 8_000 + JOB_RETENTION_MS;
    store.forget_jobs(Millis(end - 1)).await.unwrap();
    assert!(store.forget_jobs(Millis(end)).await.unwrap() >= 1);
    assert_eq!(
        store.request_job(&job(1, "proof", end)).await.unwrap(),
        JobState::Waiting,
        "it was forgotten"
    );
    store.forget_jobs(Millis(end + 3_000 + JOB_RETENTION_MS)).await.unwrap();
    for number in [4, 5] {
        store.release_worker(&worker(number)).await.unwrap();
    }
}

async fn a_job_is_given_up_after_some_attempts(store: &dyn Store) {
    let mut now = START + 500_000;
    store.request_job(&job(9, "proof", now)).await.unwrap();
    for attempt in 0..JOB_ATTEMPTS {
        let by = 20 + u128::from(attempt);
        assert_eq!(store.request_job(&job(9, "proof", now)).await.unwrap(), JobState::Waiting);
        renew(store, by, now).await;
        assert!(claim(store, by, now, now).await.is_some(), "attempt {attempt}");
        if attempt == 0 {
            // A claim that is released without a failure does not count as an attempt.
            store.release_job(&JobId([9; 32]), &worker(by), false).await.unwrap();
            assert!(claim(store, by, now, now).await.is_some());
        }
        // The worker dies.
        now += LEASE_MS;
    }
    assert_eq!(store.request_job(&job(9, "proof", now)).await.unwrap(), JobState::GivenUp);
    renew(store, 6, now).await;
    assert_eq!(claim(store, 6, now, now).await, None);
    store.forget_jobs(Millis(now + 3_000 + JOB_RETENTION_MS)).await.unwrap();
    store.release_worker(&worker(6)).await.unwrap();
}

async fn a_reminder_without_a_sender_is_due(store: &dyn Store) {
    let now = Millis(START + 700_000);
    let (owner, game) = (player(950), game_id(9_501));
    store.add_account(super::accounts::account(950, "Reminded")).await.unwrap();
    renew(store, 7, now.0).await;
    let claim = async || store.claim_reminders(&worker(7), now, 100).await.unwrap();
    assert!(store.add_reminder(&owner, &game, None).await.unwrap());
    assert!(!store.add_reminder(&owner, &game, Some(&worker(7))).await.unwrap());
    let due = (owner.clone(), game.clone());
    assert!(claim().await.contains(&due));
    assert!(!claim().await.contains(&due), "it is on its way");
    assert!(store.is_reminded(&owner, &game).await.unwrap());
    store.confirm_reminder(&owner, &game).await.unwrap();
    assert!(store.is_reminded(&owner, &game).await.unwrap());
    store.release_worker(&worker(7)).await.unwrap();
    assert!(!claim().await.contains(&due), "it was sent");
    store.delete_reminder(&owner, &game).await.unwrap();
}
