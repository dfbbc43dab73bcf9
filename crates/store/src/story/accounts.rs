//! Accounts and what opens them.

use adoube_protocol::{GameId, Millis, PlayerId, SessionId};

use super::{games::new_game, player};
use crate::{GameFilter, NewAccount, NewSession, Registered, Store, TokenHash};

pub(super) async fn story(store: &dyn Store) {
    a_name_is_given_once(store).await;
    sessions_open_and_end(store).await;
    a_recovery_is_spent_once(store).await;
    a_deleted_account_leaves_its_games(store).await;
}

pub(super) fn account(number: u128, name: &str) -> NewAccount {
    NewAccount {
        player: player(number),
        name: name.into(),
        password: "hash".into(),
        email: None,
        created_at: Millis(5),
    }
}

fn session(number: u128, owner: &PlayerId, token: u8) -> NewSession {
    NewSession {
        id: SessionId::from_random(number),
        player: owner.clone(),
        token: TokenHash([token; 32]),
        agent: "a browser".into(),
        created_at: Millis(number as i64),
        expires_at: Millis(1000),
    }
}

async fn a_name_is_given_once(store: &dyn Store) {
    assert!(!store.is_account(&player(800)).await.unwrap());
    assert_eq!(store.add_account(account(800, "Anna")).await.unwrap(), Registered::Done);
    assert_eq!(store.add_account(account(801, "aNNa")).await.unwrap(), Registered::NameTaken);
    assert_eq!(store.add_account(account(800, "Other")).await.unwrap(), Registered::PlayerTaken);
    assert!(store.is_account(&player(800)).await.unwrap());
    assert!(!store.is_account(&player(801)).await.unwrap());
    let found = store.lookup_account_by_name("ANNA").await.unwrap().unwrap();
    assert_eq!((found.player, found.name.as_str()), (player(800), "Anna"));
    assert_eq!(store.lookup_account_by_name("nobody").await.unwrap(), None);
    store.set_email(&player(800), Some("anna@example.org")).await.unwrap();
    let found = store.lookup_account(&player(800)).await.unwrap().unwrap();
    assert_eq!(found.email.as_deref(), Some("anna@example.org"));
}

async fn sessions_open_and_end(store: &dyn Store) {
    let anna = player(800);
    for number in 1..=3 {
        store.add_session(session(number, &anna, number as u8)).await.unwrap();
    }
    let open = async |token: u8, now: i64| {
        let found = store.lookup_session(&TokenHash([token; 32]), Millis(now)).await.unwrap();
        found.map(|session| session.id)
    };
    assert_eq!(open(1, 10).await, Some(SessionId::from_random(1)));
    assert_eq!(open(9, 10).await, None);
    assert_eq!(open(1, 1000).await, None, "expired");
    store.set_session_used(&SessionId::from_random(1), Millis(900), Millis(2000)).await.unwrap();
    assert_eq!(open(1, 1000).await, Some(SessionId::from_random(1)));
    let listed = store.list_sessions(&anna, Millis(10)).await.unwrap();
    let listed = listed.into_iter().map(|session| session.created_at.0).collect::<Vec<_>>();
    assert_eq!(listed, [3, 2, 1]);
    // Nobody ends the session of somebody else.
    assert!(!store.delete_session(&player(801), &SessionId::from_random(3)).await.unwrap());
    assert!(store.delete_session(&anna, &SessionId::from_random(3)).await.unwrap());
    assert!(!store.delete_session(&anna, &SessionId::from_random(3)).await.unwrap());
    let ended = store.set_password(&anna, "new hash", Some(&SessionId::from_random(2))).await.unwrap();
    assert_eq!(ended, [SessionId::from_random(1)]);
    assert_eq!(open(2, 10).await, Some(SessionId::from_random(2)));
    assert_eq!(store.lookup_account(&anna).await.unwrap().unwrap().password, "new hash");
}

async fn a_recovery_is_spent_once(store: &dyn Store) {
    let (anna, token) = (player(800), TokenHash([70; 32]));
    store.add_recovery(&anna, &token, Millis(50)).await.unwrap();
    assert_eq!(store.take_recovery(&token, Millis(50)).await.unwrap(), None, "expired");
    store.add_recovery(&anna, &TokenHash([71; 32]), Millis(50)).await.unwrap();
    assert_eq!(store.take_recovery(&TokenHash([71; 32]), Millis(49)).await.unwrap(), Some(anna.clone()));
    assert_eq!(store.take_recovery(&TokenHash([71; 32]), Millis(49)).await.unwrap(), None);
    store.add_recovery(&anna, &TokenHash([72; 32]), Millis(50)).await.unwrap();
    store.set_password(&anna, "newer hash", None).await.unwrap();
    assert_eq!(store.take_recovery(&TokenHash([72; 32]), Millis(49)).await.unwrap(), None);
}

async fn a_deleted_account_leaves_its_games(store: &dyn Store) {
    let gone = player(810);
    store.add_account(account(810, "Gone")).await.unwrap();
    store.add_session(session(10, &gone, 10)).await.unwrap();
    store.add_game(new_game(810, 810, 810)).await.unwrap();
    let listed = store.list_games(&GameFilter::all_of(&gone, 9)).await.unwrap();
    assert_eq!(listed[0].names.white.as_deref(), Some("Gone"));
    assert_eq!(store.delete_account(&gone).await.unwrap(), [SessionId::from_random(10)]);
    assert_eq!(store.lookup_account(&gone).await.unwrap(), None);
    assert_eq!(store.lookup_account_by_name("gone").await.unwrap(), None);
    assert!(store.is_account(&gone).await.unwrap(), "an old cookie must not revive it");
    assert_eq!(store.lookup_session(&TokenHash([10; 32]), Millis(10)).await.unwrap(), None);
    let listed = store.list_games(&GameFilter::all_of(&gone, 9)).await.unwrap();
    assert_eq!((listed[0].game.id.clone(), listed[0].names.white.clone()), (GameId::from_random(810), None));
    // The name is free again.
    assert_eq!(store.add_account(account(811, "gone")).await.unwrap(), Registered::Done);
}
