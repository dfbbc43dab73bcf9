//! Work that only one node or worker may do.

use adoube_vocabulary::{Level, Millis, NodeId};

use super::{FIRST, ROUNDS, Shared, at_once, exactly_one, many, new};
use crate::{
    JobId, JobState, LEASE_MS, NewGame, NewJob, ReadModel,
    contract::{accounts::account, game_id, nodes::lease, player},
};

pub(super) async fn check(both: &(Shared, Shared)) {
    work_is_assigned_to_one_node(both).await;
    one_worker_gets_a_job(both).await;
    one_node_sends_a_reminder(both).await;
}

/// The machine's turn and the work of a dead node go to one node at a time.
async fn work_is_assigned_to_one_node(both: &(Shared, Shared)) {
    let node = |number: u128| NodeId::from_random(FIRST + number);
    let address = |number: u128| format!("race-{number}:1");
    // This is later than all leases so far, so only the leases requested here are valid.
    let mut now = 1_000_000_000;
    let got = at_once(both, |store, number| async move {
        store.renew_lease(lease(&node(number), &address(number), Millis(now)), Millis(now - 1)).await.unwrap()
    })
    .await;
    // The downtime before these leases is recorded once.
    assert!(
        got.iter().all(|renewal| renewal.downtimes.iter().filter(|found| found.until.0 == now).count() == 1)
    );
    for round in 0..ROUNDS {
        let number = 700 + round;
        let game = new(number, 0);
        let read_model =
            ReadModel { awaits_machine: Some(Level::try_from(2).unwrap()), ..game.read_model.clone() };
        both.0.add_game(NewGame { read_model, ..game }).await.unwrap();
        let got = at_once(both, |store, which| async move {
            store.claim_machine_turn(&node(which), &game_id(FIRST + number), Millis(now)).await.unwrap()
        })
        .await;
        exactly_one(got, |claimed| *claimed);

        both.0
            .renew_lease(lease(&node(10 + round), &address(10 + round), Millis(now)), Millis(now))
            .await
            .unwrap();
        now += LEASE_MS - 1;
        for which in [0, 1] {
            both.0.renew_lease(lease(&node(which), &address(which), Millis(now)), Millis(now)).await.unwrap();
        }
        now += 1;
        let got =
            at_once(
                both,
                |store, which| async move { store.take_over(&node(which), Millis(now)).await.unwrap() },
            )
            .await;
        exactly_one(got, |dead| dead.iter().any(|dead| dead.id == node(10 + round)));
        let got = at_once(both, |store, which| async move {
            store.forget_node(&node(which), &node(10 + round), Millis(now)).await.unwrap()
        })
        .await;
        exactly_one(got, |is_forgotten| *is_forgotten);
    }
    for which in [0, 1] {
        both.0.release_lease(&node(which), Millis(now)).await.unwrap();
    }
}

fn job(number: u128, now: i64) -> NewJob {
    let mut id = [91; 32];
    id[..16].copy_from_slice(&number.to_le_bytes());
    NewJob {
        id: JobId(id),
        kind: "race",
        body: format!("job {number}"),
        now: Millis(now),
        requested_until: Millis(now + 1_000),
    }
}

/// A job that both nodes request exists once, and one of two workers gets it.
async fn one_worker_gets_a_job(both: &(Shared, Shared)) {
    if !both.0.is_shared() {
        return;
    }
    let worker = |number: u128| NodeId::from_random(FIRST + 800 + number);
    let now = 1_100_000_000;
    for which in [0, 1] {
        let address = format!("racing worker {which}");
        both.0.renew_worker(&worker(which), &address, Millis(now), Millis(now)).await.unwrap();
    }
    for round in 0..ROUNDS {
        let requests =
            at_once(both, |store, _| async move { store.request_job(&job(round, now)).await.unwrap() }).await;
        assert_eq!(requests, [JobState::Waiting, JobState::Waiting]);
        let got = at_once(both, |store, which| async move {
            store.claim_job(&worker(which), &["race"], Millis(now), Millis(now)).await.unwrap()
        })
        .await;
        let (winner, _) = exactly_one(got, Option::is_some);
        let finished = at_once(both, |store, which| async move {
            let result = format!("result of {which}");
            store.finish_job(&job(round, now).id, &worker(which), &result).await.unwrap()
        })
        .await;
        assert_eq!(exactly_one(finished, |finished| *finished).0, winner);
        let state = both.1.request_job(&job(round, now)).await.unwrap();
        assert_eq!(state, JobState::Done(format!("result of {winner}")));
    }
    // Two workers share many jobs: none is claimed twice, and none is left.
    let count = 40;
    for number in 100..100 + count {
        both.0.request_job(&job(number, now)).await.unwrap();
    }
    let claimed = many(both, count, |store, number| async move {
        store.claim_job(&worker(number % 2), &["race"], Millis(now), Millis(now)).await.unwrap()
    })
    .await;
    let mut bodies = claimed.into_iter().flatten().map(|job| job.body).collect::<Vec<_>>();
    while let Some(job) = both.0.claim_job(&worker(0), &["race"], Millis(now), Millis(now)).await.unwrap() {
        bodies.push(job.body);
    }
    bodies.sort();
    let mut all = (100..100 + count).map(|number| format!("job {number}")).collect::<Vec<_>>();
    all.sort();
    assert_eq!(bodies, all);
    for which in [0, 1] {
        both.0.release_worker(&worker(which)).await.unwrap();
    }
}

/// After a node dies, exactly one of the other nodes sends its reminder.
async fn one_node_sends_a_reminder(both: &(Shared, Shared)) {
    if !both.0.is_shared() {
        return;
    }
    let node = |number: u128| NodeId::from_random(FIRST + 820 + number);
    let mut now = 1_200_000_000;
    let owner = player(FIRST + 520);
    both.0.add_account(account(FIRST + 520, "Racing-reminded")).await.unwrap();
    for round in 0..ROUNDS {
        let number = 830 + round;
        both.0.add_game(new(number, 0)).await.unwrap();
        let game = game_id(FIRST + number);
        for which in 0..3 {
            let address = format!("reminding-{which}:1");
            both.0.renew_lease(lease(&node(which), &address, Millis(now)), Millis(now)).await.unwrap();
        }
        let added = at_once(both, |store, _| {
            let (owner, game) = (owner.clone(), game.clone());
            async move { store.add_reminder(&owner, &game, Some(&node(2))).await.unwrap() }
        })
        .await;
        exactly_one(added, |added| *added);
        let claim = async |now: i64| {
            at_once(both, |store, which| {
                let owner = owner.clone();
                async move {
                    let mut claimed = store.claim_reminders(&node(which), Millis(now), 100).await.unwrap();
                    // Other parts of the contract test may leave reminders behind.
                    claimed.retain(|(player, _)| *player == owner);
                    claimed
                }
            })
            .await
        };
        assert_eq!(claim(now).await, [Vec::new(), Vec::new()], "the node that is to send it is alive");
        now += LEASE_MS;
        for which in [0, 1] {
            let address = format!("reminding-{which}:1");
            both.0.renew_lease(lease(&node(which), &address, Millis(now)), Millis(now)).await.unwrap();
        }
        let got = claim(now).await;
        let due = (owner.clone(), game.clone());
        exactly_one(got, |claimed| claimed.contains(&due));
        both.1.confirm_reminder(&owner, &game).await.unwrap();
        now += LEASE_MS;
        let address = "reminding-3:1";
        both.0.renew_lease(lease(&node(3), address, Millis(now)), Millis(now)).await.unwrap();
        let left = both.0.claim_reminders(&node(3), Millis(now), 100).await.unwrap();
        assert!(!left.contains(&due), "it was sent");
        both.0.release_lease(&node(3), Millis(now)).await.unwrap();
    }
}
