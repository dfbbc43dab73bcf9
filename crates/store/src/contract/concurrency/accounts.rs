//! Accounts, and their names, sessions, links and e-mails.

use std::collections::BTreeSet;

use adoube_vocabulary::{AccountState, Millis, Role, SessionId};

use super::{
    FIRST, ROUNDS, Shared, at_once, exactly_one, many,
    study::{analysis, attempt},
};
use crate::{
    AccountChange, AdminChange, Administered, Credentials, Deleted, MemberFilter, NameRetirement,
    NameSkeleton, NewAccount, NewAuditEntry, NewMail, NewSession, Registered, SESSIONS_PER_ACCOUNT,
    TokenHash,
    contract::{accounts::account, player},
};

pub(super) async fn check(both: &(Shared, Shared)) {
    a_name_is_taken_once(both).await;
    the_sessions_of_an_account_are_limited(both).await;
    links_and_codes_are_spent_once(both).await;
    a_deleted_account_leaves_nothing_behind(both).await;
    the_last_of_two_administrators_is_not_deleted(both).await;
    a_name_is_not_available_while_its_account_is_being_deleted(both).await;
    emails_are_counted_together(both).await;
}

async fn a_name_is_taken_once(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let got = at_once(both, |store, number| async move {
            let new = account(FIRST + 300 + 2 * round + number, &format!("Racer{round}"));
            store.add_account(new).await.unwrap()
        })
        .await;
        assert_eq!(exactly_one(got, |got| *got == Registered::Done).1, Registered::NameTaken);
        let got = at_once(both, |store, number| async move {
            let name = format!("Lookalike{round}of{number}");
            let skeleton = NameSkeleton {
                skeleton: format!("look{round}"),
                alternatives: Vec::new(),
                retired: Vec::new(),
            };
            let new = account(FIRST + 400 + 2 * round + number, &name);
            store.add_account(NewAccount { skeleton, ..new }).await.unwrap()
        })
        .await;
        assert_eq!(exactly_one(got, |got| *got == Registered::Done).1, Registered::NameAlike);
    }
}

fn session(number: u128, owner: u128) -> NewSession {
    let mut token = [83; 32];
    token[..16].copy_from_slice(&number.to_le_bytes());
    NewSession {
        id: SessionId::from_random(FIRST + number),
        player: player(FIRST + owner),
        credentials: Credentials { password: "hash".into(), second_factor: false },
        token: TokenHash(token),
        agent: "a browser".into(),
        created_at: Millis(number as i64),
        expires_at: Millis(1_000_000),
    }
}

async fn the_sessions_of_an_account_are_limited(both: &(Shared, Shared)) {
    let owner = player(FIRST + 500);
    both.0.add_account(account(FIRST + 500, "Racing-sessions")).await.unwrap();
    let more = u128::from(SESSIONS_PER_ACCOUNT) + 30;
    let ended = many(both, more, |store, number| async move {
        store.add_session(session(number, 500)).await.unwrap().expect("the credentials are valid")
    })
    .await;
    let ended = ended.into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(ended.iter().collect::<BTreeSet<_>>().len(), ended.len(), "a session ends once");
    let listed = both.1.list_sessions(&owner, Millis(0)).await.unwrap();
    assert_eq!((listed.len(), ended.len()), (SESSIONS_PER_ACCOUNT as usize, 30));
    assert!(listed.iter().all(|session| !ended.contains(&session.id)));
}

async fn links_and_codes_are_spent_once(both: &(Shared, Shared)) {
    let owner = player(FIRST + 501);
    let verified = Credentials { password: "hash".into(), second_factor: true };
    both.0.add_account(account(FIRST + 501, "Racing-links")).await.unwrap();
    let token = |number: u128| TokenHash([150 + number as u8; 32]);
    assert!(both.0.set_email(&owner, &verified, Some("race@example.org")).await.unwrap());
    for round in 0..ROUNDS {
        let confirmation = token(round);
        both.0.add_confirmation(&owner, "race@example.org", &confirmation, Millis(50)).await.unwrap();
        let got =
            at_once(
                both,
                |store, _| async move { store.confirm_email(&confirmation, Millis(10)).await.unwrap() },
            )
            .await;
        exactly_one(got, Option::is_some);
    }
    both.0.add_second_factor(&owner, b"secret").await.unwrap();
    both.0.add_session(session(9_000, 501)).await.unwrap().expect("the credentials are valid");
    let keep = SessionId::from_random(FIRST + 9_000);
    let got = at_once(both, |store, number| {
        let (owner, keep, codes) = (owner.clone(), keep.clone(), [token(20 + number)]);
        async move { store.confirm_second_factor(&owner, b"secret", Millis(1), &codes, &keep).await.unwrap() }
    })
    .await;
    let (winner, _) = exactly_one(got, Option::is_some);
    let code = token(20 + winner as u128);
    let got = at_once(both, |store, _| {
        let owner = owner.clone();
        async move { store.spend_recovery_code(&owner, &code).await.unwrap() }
    })
    .await;
    exactly_one(got, |spent| *spent);
    for at in 2..2 + ROUNDS as i64 {
        let got = at_once(both, |store, _| {
            let owner = owner.clone();
            async move { store.spend_time_step(&owner, Millis(at)).await.unwrap() }
        })
        .await;
        exactly_one(got, |spent| *spent);
    }
    for round in 0..ROUNDS {
        let link = token(40 + round);
        assert!(both.0.add_recovery(&owner, "race@example.org", &link, Millis(50)).await.unwrap());
        let got = at_once(both, |store, number| async move {
            store.recover(&link, &format!("hash of {number}"), Millis(10)).await.unwrap()
        })
        .await;
        let (winner, _) = exactly_one(got, Option::is_some);
        let password = both.1.lookup_account(&owner).await.unwrap().unwrap().password;
        assert_eq!(password, format!("hash of {winner}"));
    }
}

/// An account is deleted through one handle while both add sessions and other data to it.
async fn a_deleted_account_leaves_nothing_behind(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let number = 600 + round;
        let owner = player(FIRST + number);
        both.0.add_account(account(FIRST + number, &format!("Racing-away{round}"))).await.unwrap();
        let deleted = owner.clone();
        let done = many(both, 6, |store, which| {
            let deleted = deleted.clone();
            async move {
                match which {
                    0 => drop(store.delete_account(&deleted, &NameRetirement::default()).await.unwrap()),
                    1 => drop(store.add_second_factor(&deleted, b"secret").await.unwrap()),
                    2 => drop(store.add_attempt(&deleted, attempt("race", 1)).await.unwrap()),
                    3 => drop(store.add_analysis(analysis(1_000 + round, number)).await.unwrap()),
                    _ => drop(store.add_session(session(10 * number + which, number)).await.unwrap()),
                }
            }
        })
        .await;
        assert_eq!(done.len(), 6);
        assert_eq!(both.1.lookup_account(&owner).await.unwrap(), None);
        assert_eq!(both.1.list_sessions(&owner, Millis(0)).await.unwrap(), []);
        assert_eq!(both.1.lookup_second_factor(&owner).await.unwrap(), None);
        assert_eq!(both.1.list_attempts(&owner, None).await.unwrap(), []);
        assert_eq!(both.1.list_analyses(&owner).await.unwrap(), []);
    }
}

/// The accounts of two administrators are deleted at the same moment, each by its owner or by an
/// administrator.
async fn the_last_of_two_administrators_is_not_deleted(both: &(Shared, Shared)) {
    let create_administrator = async |number: u128| {
        let owner = player(FIRST + number);
        both.0.add_account(account(FIRST + number, &format!("Admin{number}"))).await.unwrap();
        let change = AccountChange::Role(Some(Role::Administrator));
        let change = AdminChange::Account { player: owner.clone(), change };
        let outcome = both.0.administer(change, entry()).await.unwrap();
        assert!(matches!(outcome, Administered::Done { .. }), "{outcome:?}");
        owner
    };
    // The accounts of other administrators, if there are any, stay closed until the end.
    let filter = MemberFilter { with_role: true, limit: 1_000, ..MemberFilter::default() };
    let mut others = both.0.list_members(&filter, Millis(0)).await.unwrap();
    others.retain(|member| {
        (member.membership.role, member.membership.state) == (Some(Role::Administrator), AccountState::Open)
    });
    let set_others = async |state: AccountState| {
        for other in &others {
            let change =
                AdminChange::Account { player: other.player.clone(), change: AccountChange::State(state) };
            assert!(matches!(both.0.administer(change, entry()).await.unwrap(), Administered::Done { .. }));
        }
    };
    let mut stays = create_administrator(700).await;
    set_others(AccountState::Closed).await;
    for round in 1..=ROUNDS {
        let pair = [stays, create_administrator(700 + round).await];
        let got = at_once(both, |store, number| {
            let owner = pair[number as usize].clone();
            async move {
                let name = NameRetirement::default();
                // An owner and an administrator make different requests.
                if (round + number) % 3 != 0 {
                    return store.delete_account(&owner, &name).await.unwrap() == Deleted::LastAdministrator;
                }
                let change = AdminChange::Account { player: owner, change: AccountChange::Delete(name) };
                store.administer(change, entry()).await.unwrap() == Administered::LastAdministrator
            }
        })
        .await;
        let (last, _) = exactly_one(got, |is_last| *is_last);
        assert!(both.1.has_administrator().await.unwrap());
        stays = pair[last].clone();
    }
    set_others(AccountState::Open).await;
    // This account still has its role, so it would count as an administrator in later tests.
    if !others.is_empty() {
        let deleted = both.0.delete_account(&stays, &NameRetirement::default()).await.unwrap();
        assert_eq!(deleted, Deleted::Done(Vec::new()));
    }
}

/// An account is deleted through one handle, while both try to register another account with its name.
async fn a_name_is_not_available_while_its_account_is_being_deleted(both: &(Shared, Shared)) {
    for round in 0..ROUNDS {
        let number = 720 + 2 * round;
        let mut hash = [84; 32];
        hash[0] = round as u8;
        let skeleton = NameSkeleton {
            skeleton: format!("leaving{round}"),
            alternatives: Vec::new(),
            retired: vec![TokenHash(hash)],
        };
        let new = |number| NewAccount {
            skeleton: skeleton.clone(),
            ..account(FIRST + number, &format!("Leaving{round}"))
        };
        both.0.add_account(new(number)).await.unwrap();
        let got = many(both, 6, |store, which| {
            let (owner, next) = (player(FIRST + number), new(number + 1));
            async move {
                if which == 2 {
                    let name =
                        NameRetirement { skeleton_hashes: vec![TokenHash(hash)], until: Millis(1_000_000) };
                    let deleted = store.delete_account(&owner, &name).await.unwrap();
                    return deleted == Deleted::Done(Vec::new());
                }
                let refused = store.add_account(next).await.unwrap();
                matches!(refused, Registered::NameTaken | Registered::NameRetired(_))
            }
        })
        .await;
        assert!(got.into_iter().all(|is_expected| is_expected));
    }
}

fn entry() -> NewAuditEntry {
    NewAuditEntry { at: Millis(20), body: "{}".into() }
}

async fn emails_are_counted_together(both: &(Shared, Shared)) {
    let counted = many(both, 24, |store, _| async move {
        let mail = NewMail {
            recipient: TokenHash([230; 32]),
            pool: "race",
            kind: "a",
            at: Millis(1_000),
            since: Millis(900),
            max_of_pool: 10,
            max_of_kind: 10,
        };
        store.count_mail(mail).await.unwrap()
    })
    .await;
    let mut left = counted.into_iter().flatten().collect::<Vec<_>>();
    left.sort_unstable();
    assert_eq!(left, (0..10).collect::<Vec<_>>());
}
