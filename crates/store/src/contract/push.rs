//! Browsers to which notifications are pushed, and warnings before a deadline.

use adoube_vocabulary::{Millis, PlayerId, SessionId};

use super::{accounts::account, game_id, games::new_game, player};
use crate::{
    Credentials, NameRetirement, NewSession, PUSH_SUBSCRIPTIONS_PER_ACCOUNT, PushDevice, PushSubscription,
    Registered, Store, TokenHash,
};

/// The first of the ids reserved for this module.
const FIRST: u128 = 86_000;

pub(super) async fn check(store: &dyn Store) {
    a_subscription_ends_with_its_session(store).await;
    the_number_of_subscriptions_is_limited(store).await;
    a_player_is_warned_once_per_turn(store).await;
}

fn id(number: u128) -> SessionId {
    SessionId::from_random(FIRST * 1_000 + number)
}

async fn sign_in(store: &dyn Store, owner: &PlayerId, number: u128) {
    let mut token = [86; 32];
    token[..16].copy_from_slice(&number.to_be_bytes());
    let new = NewSession {
        id: id(number),
        player: owner.clone(),
        credentials: Credentials { password: "hash".into(), second_factor: false },
        token: TokenHash(token),
        agent: format!("browser {number}"),
        created_at: Millis(1),
        expires_at: Millis(1_000),
    };
    assert_eq!(store.add_session(new).await.unwrap(), Some(Vec::new()));
}

fn subscription(number: u128, endpoint: &str, at: i64) -> PushSubscription {
    PushSubscription {
        session: id(number),
        endpoint: format!("https://push.example.org/{endpoint}"),
        p256dh: vec![4, 0, 255],
        auth: vec![0, 39, 255],
        created_at: Millis(at),
    }
}

async fn listed(store: &dyn Store, owner: &PlayerId, now: i64) -> Vec<PushSubscription> {
    let devices = store.list_push_devices(owner, Millis(now)).await.unwrap();
    devices.into_iter().map(|device| device.subscription).collect()
}

async fn a_subscription_ends_with_its_session(store: &dyn Store) {
    let (anna, bert) = (player(FIRST), player(FIRST + 1));
    for (number, name) in [(FIRST, "Pusher"), (FIRST + 1, "Pushed")] {
        assert_eq!(store.add_account(account(number, name)).await.unwrap(), Registered::Done);
    }
    for number in 1..=4 {
        sign_in(store, &anna, number).await;
    }
    sign_in(store, &bert, 5).await;
    let (one, two) = (subscription(1, "one", 10), subscription(2, "two", 11));
    for new in [&one, &two] {
        assert!(store.set_push_subscription(&anna, new.clone()).await.unwrap());
    }
    // A subscription can be set only for a session of this player.
    assert!(!store.set_push_subscription(&anna, subscription(5, "five", 12)).await.unwrap());
    assert!(!store.set_push_subscription(&anna, subscription(99, "five", 12)).await.unwrap());
    let devices = store.list_push_devices(&anna, Millis(20)).await.unwrap();
    let device = |subscription: &PushSubscription, agent: &str| PushDevice {
        subscription: subscription.clone(),
        agent: agent.into(),
    };
    assert_eq!(devices, [device(&two, "browser 2"), device(&one, "browser 1")]);
    assert_eq!(listed(store, &bert, 20).await, []);
    assert_eq!(listed(store, &anna, 1_000).await, [], "the sessions have expired");
    // A browser can replace its subscription, or sign in again, even with another account.
    let one = subscription(1, "one again", 13);
    assert!(store.set_push_subscription(&anna, one.clone()).await.unwrap());
    let three = subscription(3, "two", 14);
    assert!(store.set_push_subscription(&anna, three.clone()).await.unwrap());
    assert_eq!(listed(store, &anna, 20).await, [three.clone(), one.clone()]);
    let five = subscription(5, "two", 15);
    assert!(store.set_push_subscription(&bert, five.clone()).await.unwrap());
    assert_eq!(listed(store, &anna, 20).await, std::slice::from_ref(&one));
    assert_eq!(listed(store, &bert, 20).await, std::slice::from_ref(&five));
    // A player can remove only their own subscriptions. An endpoint that its service no longer knows is
    // removed whichever player it belongs to.
    assert!(!store.delete_push_subscription(&anna, &id(5)).await.unwrap());
    assert!(store.delete_push_subscription(&anna, &id(1)).await.unwrap());
    assert!(!store.delete_push_subscription(&anna, &id(1)).await.unwrap());
    store.delete_push_endpoint("https://push.example.org/unknown").await.unwrap();
    assert_eq!(listed(store, &bert, 20).await, std::slice::from_ref(&five));
    store.delete_push_endpoint(&five.endpoint).await.unwrap();
    assert_eq!(listed(store, &bert, 20).await, []);
    // However a session ends, its subscription ends with it.
    for number in [1, 2, 4] {
        let new = subscription(number, &format!("again {number}"), 16);
        assert!(store.set_push_subscription(&anna, new).await.unwrap());
    }
    assert!(store.delete_session(&anna, &id(2)).await.unwrap());
    assert_eq!(listed(store, &anna, 20).await.len(), 2);
    let verified = Credentials { password: "hash".into(), second_factor: false };
    store.set_password(&anna, &verified, "new hash", Some(&id(4))).await.unwrap().unwrap();
    assert_eq!(listed(store, &anna, 20).await, [subscription(4, "again 4", 16)]);
    store.delete_account(&anna, &NameRetirement::default()).await.unwrap();
    assert_eq!(listed(store, &anna, 20).await, []);
}

async fn the_number_of_subscriptions_is_limited(store: &dyn Store) {
    let owner = player(FIRST + 2);
    assert_eq!(store.add_account(account(FIRST + 2, "Gadgets")).await.unwrap(), Registered::Done);
    let count = u128::from(PUSH_SUBSCRIPTIONS_PER_ACCOUNT);
    for number in 100..=100 + count {
        sign_in(store, &owner, number).await;
    }
    // The newest is kept even if the clock was set back.
    let times = (0..count).map(|number| 50 + number as i64).chain([2]);
    for (number, at) in (100..).zip(times) {
        let new = subscription(number, &format!("gadget {number}"), at);
        assert!(store.set_push_subscription(&owner, new).await.unwrap());
    }
    let sessions = listed(store, &owner, 60).await.into_iter().map(|one| one.session).collect::<Vec<_>>();
    assert_eq!(sessions.len(), PUSH_SUBSCRIPTIONS_PER_ACCOUNT as usize);
    assert!(!sessions.contains(&id(100)) && sessions.contains(&id(100 + count)), "{sessions:?}");
    store.delete_account(&owner, &NameRetirement::default()).await.unwrap();
}

async fn a_player_is_warned_once_per_turn(store: &dyn Store) {
    let (number, unknown) = (FIRST * 10, game_id(FIRST * 10 + 1));
    store.add_game(new_game(number, FIRST + 3, number)).await.unwrap();
    let warn = async |turn: u32| store.add_warning(&game_id(number), turn).await.unwrap();
    assert!(warn(0).await);
    assert!(!warn(0).await);
    assert!(warn(7).await);
    assert!(!warn(7).await);
    // The number of turns is smaller after a takeback.
    assert!(warn(6).await);
    // The record of a warning that could not be sent can be deleted; a warning for a different turn is not
    // affected.
    store.delete_warning(&game_id(number), 7).await.unwrap();
    assert!(!warn(6).await);
    store.delete_warning(&game_id(number), 6).await.unwrap();
    assert!(warn(6).await);
    assert!(!store.add_warning(&unknown, 0).await.unwrap(), "there is no such game");
}
