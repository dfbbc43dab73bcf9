//! Accounts: names, sessions, second factors, preferences, e-mails and the links in them, and reminders.

use adoube_vocabulary::{GameId, Millis, PlayerId, SessionId, Version};

use super::{games::new_game, player};
use crate::{
    Admission, Credentials, Deleted, GameFilter, NameRetirement, NameSkeleton, NewAccount, NewMail,
    NewSession, Registered, SESSIONS_PER_ACCOUNT, Store, TokenHash,
};

pub(super) async fn check(store: &dyn Store) {
    a_name_can_be_taken_once(store).await;
    only_one_of_similar_names_can_be_taken(store).await;
    a_typed_name_may_lack_its_accents(store).await;
    a_retired_name_becomes_available_again(store).await;
    sessions_begin_and_end(store).await;
    the_number_of_sessions_is_limited(store).await;
    a_recovery_token_can_be_spent_once(store).await;
    an_address_is_confirmed_only_by_its_own_link(store).await;
    emails_are_counted_by_recipient(store).await;
    a_player_is_not_reminded_again_before_viewing_the_game(store).await;
    a_second_factor_takes_effect_when_confirmed(store).await;
    deleting_an_account_keeps_its_games(store).await;
}

pub(super) fn account(number: u128, name: &str) -> NewAccount {
    NewAccount {
        player: player(number),
        name: name.into(),
        skeleton: NameSkeleton {
            skeleton: name.to_lowercase(),
            alternatives: Vec::new(),
            retired: Vec::new(),
        },
        password: "hash".into(),
        identity: None,
        email: None,
        language: "en".into(),
        created_at: Millis(5),
        admission: Admission::Open,
    }
}

/// Credentials without a second factor.
fn credentials(password: &str) -> Credentials {
    Credentials { password: password.into(), second_factor: false }
}

fn session(number: u128, owner: &PlayerId, token: u8) -> NewSession {
    NewSession {
        id: SessionId::from_random(number),
        player: owner.clone(),
        credentials: credentials("hash"),
        token: TokenHash([token; 32]),
        agent: "a browser".into(),
        created_at: Millis(number as i64),
        expires_at: Millis(1000),
    }
}

async fn a_name_can_be_taken_once(store: &dyn Store) {
    assert!(!store.is_account(&player(800)).await.unwrap());
    assert_eq!(store.add_account(account(800, "Anna")).await.unwrap(), Registered::Done);
    assert_eq!(store.add_account(account(801, "aNNa")).await.unwrap(), Registered::NameTaken);
    assert_eq!(store.add_account(account(800, "Other")).await.unwrap(), Registered::PlayerTaken);
    assert!(store.is_account(&player(800)).await.unwrap());
    assert!(!store.is_account(&player(801)).await.unwrap());
    let found = store.lookup_account_by_name("ANNA").await.unwrap().unwrap();
    assert_eq!((found.player, found.name.as_str()), (player(800), "Anna"));
    assert_eq!(store.lookup_account_by_name("nobody").await.unwrap(), None);
    assert!(store.set_email(&player(800), &credentials("hash"), Some("anna@example.org")).await.unwrap());
    assert!(!store.set_email(&player(800), &credentials("old hash"), None).await.unwrap());
    let found = store.lookup_account(&player(800)).await.unwrap().unwrap();
    assert_eq!(found.email.as_deref(), Some("anna@example.org"));
}

async fn only_one_of_similar_names_can_be_taken(store: &dyn Store) {
    let alike = |number: u128, name: &str, skeleton: &str, others: &[&str]| {
        let alternatives = others.iter().map(|&other| other.to_owned()).collect();
        let skeleton = NameSkeleton { skeleton: skeleton.into(), alternatives, retired: Vec::new() };
        NewAccount { skeleton, ..account(number, name) }
    };
    assert_eq!(store.add_account(alike(860, "Marion", "marlon", &[])).await.unwrap(), Registered::Done);
    assert_eq!(store.add_account(alike(861, "Mari0n", "marlon", &[])).await.unwrap(), Registered::NameAlike);
    assert_eq!(
        store.add_account(alike(861, "MARI0N", "other", &["x", "marlon"])).await.unwrap(),
        Registered::NameAlike
    );
    assert!(!store.is_account(&player(861)).await.unwrap());
    // The same name is found with its accents in a different Unicode form.
    assert_eq!(store.add_account(alike(862, "Zoë", "zoë", &[])).await.unwrap(), Registered::Done);
    let found = store.lookup_account_by_name("ZOE\u{308}").await.unwrap().unwrap();
    assert_eq!((found.player, found.name.as_str()), (player(862), "Zoë"));

    // Phone keyboards type a different apostrophe and add a space after a suggested name.
    assert_eq!(store.add_account(alike(864, "O'Brien", "o-brien", &[])).await.unwrap(), Registered::Done);
    let found = store.lookup_account_by_name("o’brien ").await.unwrap().unwrap();
    assert_eq!(found.player, player(864));

    // An account from an older version has no skeleton at first. The skeleton that it then gets may be the
    // same as another account's.
    store.set_skeletons(vec![(player(862), "marlon".into())]).await.unwrap();
    assert_eq!(store.add_account(alike(863, "Zoe", "zoe", &["zoë"])).await.unwrap(), Registered::Done);
    assert!(store.list_names_without_skeleton(9).await.unwrap().is_empty());
}

async fn a_typed_name_may_lack_its_accents(store: &dyn Store) {
    let found = async |name: &str| {
        store.lookup_account_by_typed_name(name).await.unwrap().map(|account| account.player)
    };
    assert_eq!(store.add_account(account(850, "Léa")).await.unwrap(), Registered::Done);
    for typed in ["Léa", "LÉA", "lea", "LEA ", "Lèa"] {
        assert_eq!(found(typed).await, Some(player(850)), "{typed}");
    }
    assert_eq!(store.lookup_account_by_name("lea").await.unwrap(), None);
    assert_eq!(found("le").await, None);
    // If two names differ only in their accents, each is found by its own spelling. Neither is found by a
    // third spelling.
    assert_eq!(store.add_account(account(851, "Lea")).await.unwrap(), Registered::Done);
    assert_eq!(found("LEA").await, Some(player(851)));
    assert_eq!(found("léa").await, Some(player(850)));
    assert_eq!(found("Lèa").await, None);
    // A deleted account is no longer found, so the other name is unambiguous again.
    store.delete_account(&player(851), &NameRetirement::default()).await.unwrap();
    assert_eq!(found("lea").await, Some(player(850)));
    // Keys that earlier versions did not store are filled in together with the skeletons.
    store.set_skeletons(vec![(player(850), "léa".into()), (player(851), "lea".into())]).await.unwrap();
    assert_eq!(found("lea").await, Some(player(850)));
}

async fn a_retired_name_becomes_available_again(store: &dyn Store) {
    let skeleton_hash = TokenHash([80; 32]);
    let retired = |number: u128, now: i64| NewAccount {
        skeleton: NameSkeleton {
            skeleton: "retired".into(),
            alternatives: Vec::new(),
            retired: vec![TokenHash([81; 32]), skeleton_hash],
        },
        created_at: Millis(now),
        ..account(number, "Retired")
    };
    // The later of the two times counts.
    for (number, until) in [(868, 500), (869, 400)] {
        store.add_account(account(number, &format!("Retired{number}"))).await.unwrap();
        let name = NameRetirement { skeleton_hashes: vec![skeleton_hash], until: Millis(until) };
        assert_eq!(store.delete_account(&player(number), &name).await.unwrap(), Deleted::Done(Vec::new()));
    }
    let check = async |now: i64| {
        let NewAccount { name, skeleton, .. } = retired(870, now);
        store.check_name(&name, &skeleton, Millis(now)).await.unwrap()
    };
    assert_eq!(check(499).await, Some(Registered::NameRetired(Millis(500))));
    let refused = store.add_account(retired(870, 499)).await.unwrap();
    assert_eq!(refused, Registered::NameRetired(Millis(500)));
    assert_eq!(check(500).await, None);
    assert_eq!(store.add_account(retired(870, 500)).await.unwrap(), Registered::Done);
    assert_eq!(check(500).await, Some(Registered::NameTaken));
    let alike = NameSkeleton { retired: Vec::new(), ..retired(870, 500).skeleton };
    let check = store.check_name("Retlred", &alike, Millis(500)).await.unwrap();
    assert_eq!(check, Some(Registered::NameAlike));
}

async fn sessions_begin_and_end(store: &dyn Store) {
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
    // A session can be ended only by its own player.
    assert!(!store.delete_session(&player(801), &SessionId::from_random(3)).await.unwrap());
    assert!(store.delete_session(&anna, &SessionId::from_random(3)).await.unwrap());
    assert!(!store.delete_session(&anna, &SessionId::from_random(3)).await.unwrap());
    let keep = SessionId::from_random(2);
    let stale = store.set_password(&anna, &credentials("old hash"), "other hash", Some(&keep)).await.unwrap();
    assert_eq!(stale, None);
    let ended =
        store.set_password(&anna, &credentials("hash"), "new hash", Some(&keep)).await.unwrap().unwrap();
    assert_eq!(ended, [SessionId::from_random(1)]);
    assert_eq!(open(2, 10).await, Some(SessionId::from_random(2)));
    assert_eq!(store.lookup_account(&anna).await.unwrap().unwrap().password, "new hash");
}

async fn the_number_of_sessions_is_limited(store: &dyn Store) {
    let owner = player(888);
    store.add_account(account(888, "Often")).await.unwrap();
    let with_number = |number: u32| {
        let mut token = [82; 32];
        token[..4].copy_from_slice(&number.to_le_bytes());
        NewSession { token: TokenHash(token), ..session(82_000 + u128::from(number), &owner, 0) }
    };
    let id = |number: u32| SessionId::from_random(82_000 + u128::from(number));
    for number in 0..SESSIONS_PER_ACCOUNT {
        let new = NewSession { created_at: Millis(i64::from(number)), ..with_number(number) };
        assert_eq!(store.add_session(new).await.unwrap(), Some(Vec::new()));
    }
    // The first session has been used more recently, so the second one ends.
    store.set_session_used(&id(0), Millis(500), Millis(1000)).await.unwrap();
    let new = NewSession { created_at: Millis(501), ..with_number(SESSIONS_PER_ACCOUNT) };
    assert_eq!(store.add_session(new).await.unwrap(), Some(vec![id(1)]));
    let listed = store.list_sessions(&owner, Millis(501)).await.unwrap();
    assert_eq!(listed.len(), SESSIONS_PER_ACCOUNT as usize);
    assert!(listed.iter().any(|session| session.id == id(0)));
}

async fn a_recovery_token_can_be_spent_once(store: &dyn Store) {
    let anna = player(800);
    let token = |number| TokenHash([number; 32]);
    store.add_recovery(&anna, "anna@example.org", &token(70), Millis(50)).await.unwrap();
    assert_eq!(store.lookup_recovery(&token(70), Millis(50)).await.unwrap(), None, "expired");
    assert_eq!(store.recover(&token(70), "other hash", Millis(50)).await.unwrap(), None, "expired");
    assert_eq!(store.lookup_account(&anna).await.unwrap().unwrap().password, "new hash");
    // Credentials verified before the password was changed do not open a session.
    assert_eq!(store.add_session(session(20, &anna, 20)).await.unwrap(), None);
    let with_new_hash = |number: u128, token| NewSession {
        credentials: credentials("new hash"),
        ..session(number, &anna, token)
    };
    assert_eq!(store.add_session(with_new_hash(20, 20)).await.unwrap(), Some(Vec::new()));
    store.add_recovery(&anna, "anna@example.org", &token(71), Millis(50)).await.unwrap();
    // Looking up a recovery token does not spend it.
    for _ in 0..2 {
        assert_eq!(store.lookup_recovery(&token(71), Millis(49)).await.unwrap(), Some(anna.clone()));
    }
    store.add_recovery(&anna, "anna@example.org", &token(72), Millis(50)).await.unwrap();
    let recovered = store.recover(&token(71), "newer hash", Millis(49)).await.unwrap().unwrap();
    assert_eq!(recovered.player, anna);
    assert!(recovered.ended.contains(&SessionId::from_random(20)));
    let account = store.lookup_account(&anna).await.unwrap().unwrap();
    assert_eq!((account.password.as_str(), account.email_confirmed), ("newer hash", true));
    for spent in [71, 72] {
        assert_eq!(store.recover(&token(spent), "x", Millis(49)).await.unwrap(), None, "{spent}");
    }
    store.add_recovery(&anna, "anna@example.org", &token(73), Millis(50)).await.unwrap();
    assert!(
        store.set_password(&anna, &credentials("newer hash"), "newest hash", None).await.unwrap().is_some()
    );
    assert_eq!(store.recover(&token(73), "x", Millis(49)).await.unwrap(), None, "the password has changed");
    store.add_recovery(&anna, "anna@example.org", &token(74), Millis(50)).await.unwrap();
    assert!(store.set_email(&anna, &credentials("newest hash"), Some("anna@example.org")).await.unwrap());
    assert!(store.lookup_recovery(&token(74), Millis(49)).await.unwrap().is_some(), "the same address");
    assert!(store.set_email(&anna, &credentials("newest hash"), Some("other@example.org")).await.unwrap());
    assert_eq!(store.recover(&token(74), "x", Millis(49)).await.unwrap(), None, "the address has changed");
    let late = store.add_recovery(&anna, "anna@example.org", &token(75), Millis(50)).await.unwrap();
    assert!(!late, "it would go to the former address");
    assert_eq!(store.lookup_recovery(&token(75), Millis(49)).await.unwrap(), None);
    assert_eq!(store.lookup_account(&anna).await.unwrap().unwrap().password, "newest hash");
}

async fn an_address_is_confirmed_only_by_its_own_link(store: &dyn Store) {
    let anna = player(800);
    let token = |number| TokenHash([number; 32]);
    let confirmed = async || store.lookup_account(&anna).await.unwrap().unwrap().email_confirmed;
    assert!(!confirmed().await, "only the former address was confirmed");
    store.add_confirmation(&anna, "other@example.org", &token(80), Millis(50)).await.unwrap();
    assert_eq!(store.confirm_email(&token(80), Millis(50)).await.unwrap(), None, "expired");
    assert!(store.set_email(&anna, &credentials("newest hash"), Some("third@example.org")).await.unwrap());
    assert_eq!(
        store.confirm_email(&token(80), Millis(49)).await.unwrap(),
        None,
        "the link was sent to another address"
    );
    let late = store.add_confirmation(&anna, "other@example.org", &token(80), Millis(50)).await.unwrap();
    assert!(!late, "it would go to the former address");
    // Only the newest links are valid.
    for number in 81..=85 {
        let until = Millis(50 + i64::from(number));
        store.add_confirmation(&anna, "third@example.org", &token(number), until).await.unwrap();
    }
    assert_eq!(store.confirm_email(&token(81), Millis(49)).await.unwrap(), None);
    assert!(!confirmed().await);
    // A request for a former address deletes none of them. The oldest of the three is 83.
    assert!(!store.add_confirmation(&anna, "other@example.org", &token(86), Millis(200)).await.unwrap());
    assert_eq!(store.confirm_email(&token(82), Millis(49)).await.unwrap(), None);
    assert_eq!(store.confirm_email(&token(83), Millis(49)).await.unwrap(), Some(anna.clone()));
    assert!(store.set_email(&anna, &credentials("newest hash"), Some("fourth@example.org")).await.unwrap());
    assert!(store.set_email(&anna, &credentials("newest hash"), Some("third@example.org")).await.unwrap());
    for number in [84, 85] {
        let until = Millis(50 + i64::from(number));
        store.add_confirmation(&anna, "third@example.org", &token(number), until).await.unwrap();
    }
    assert_eq!(store.confirm_email(&token(84), Millis(49)).await.unwrap(), Some(anna.clone()));
    assert!(confirmed().await);
    assert_eq!(
        store.confirm_email(&token(85), Millis(49)).await.unwrap(),
        None,
        "there is nothing to confirm"
    );
    assert!(store.set_email(&anna, &credentials("newest hash"), None).await.unwrap());
    assert!(!confirmed().await);
    let preferences = async || store.lookup_preferences(&anna).await.unwrap();
    let set = async |based_on, text| store.set_preferences(&anna, Version(based_on), text).await.unwrap();
    assert_eq!(preferences().await, None);
    assert_eq!(set(1, "early").await, None);
    assert_eq!(set(0, "first").await, Some(Version(1)));
    assert_eq!(set(0, "late").await, None);
    assert_eq!(preferences().await, Some((Version(1), "first".into())));
    assert_eq!(set(1, "second").await, Some(Version(2)));
    assert_eq!(preferences().await, Some((Version(2), "second".into())));
    assert_eq!(store.set_preferences(&player(999), Version(0), "nobody's").await.unwrap(), None);
    store.set_language(&anna, "es").await.unwrap();
    assert!(!store.lookup_account(&anna).await.unwrap().unwrap().reminders, "off until turned on");
    store.set_reminders(&anna, true).await.unwrap();
    let account = store.lookup_account(&anna).await.unwrap().unwrap();
    assert_eq!((account.language.as_str(), account.reminders, account.email), ("es", true, None));
}

async fn emails_are_counted_by_recipient(store: &dyn Store) {
    let mail = |recipient, pool, kind, at: i64| NewMail {
        recipient: TokenHash([recipient; 32]),
        pool,
        kind,
        at: Millis(at),
        since: Millis(at - 100),
        max_of_pool: 3,
        max_of_kind: 2,
    };
    let count = async |mail| store.count_mail(mail).await.unwrap();
    assert_eq!(count(mail(1, "pool", "a", 1_000)).await, Some(1));
    assert_eq!(count(mail(1, "pool", "a", 1_001)).await, Some(0));
    assert_eq!(count(mail(1, "pool", "a", 1_002)).await, None, "two of one kind");
    assert_eq!(count(mail(1, "pool", "b", 1_003)).await, Some(0));
    assert_eq!(count(mail(1, "pool", "b", 1_004)).await, None, "three of one pool");
    assert_eq!(count(mail(1, "other", "a", 1_005)).await, Some(1));
    assert_eq!(count(mail(2, "pool", "a", 1_006)).await, Some(1));
    // The first e-mail was not sent after `since` and no longer counts, so one more is allowed.
    assert_eq!(count(mail(1, "pool", "a", 1_100)).await, Some(0));
    assert_eq!(count(mail(1, "pool", "c", 1_100)).await, None);
    // An e-mail counted while the clock was far ahead does not block the address.
    assert_eq!(count(mail(3, "pool", "a", 1_000_000_000_000)).await, Some(1));
    assert_eq!(count(mail(3, "pool", "a", 2_000)).await, Some(1));
}

async fn a_player_is_not_reminded_again_before_viewing_the_game(store: &dyn Store) {
    let (anna, game) = (player(800), GameId::from_random(800));
    store.add_game(new_game(800, 800, 800)).await.unwrap();
    assert!(!store.is_reminded(&anna, &game).await.unwrap());
    assert!(store.add_reminder(&anna, &game, None).await.unwrap());
    assert!(!store.add_reminder(&anna, &game, None).await.unwrap());
    assert!(store.is_reminded(&anna, &game).await.unwrap());
    store.delete_reminder(&anna, &game).await.unwrap();
    assert!(!store.is_reminded(&anna, &game).await.unwrap());
    assert!(store.add_reminder(&anna, &game, None).await.unwrap());
}

async fn a_second_factor_takes_effect_when_confirmed(store: &dyn Store) {
    let anna = player(889);
    let codes = |from: u8| [from, from + 1].map(|byte| TokenHash([byte; 32]));
    let left = async || store.lookup_account(&anna).await.unwrap().unwrap().recovery_codes;
    assert!(!store.add_second_factor(&anna, b"first").await.unwrap(), "there is no such account");
    store.add_account(account(889, "Doubly")).await.unwrap();
    assert!(store.set_email(&anna, &credentials("hash"), Some("doubly@example.org")).await.unwrap());
    assert_eq!((left().await, store.lookup_second_factor(&anna).await.unwrap()), (None, None));
    assert!(!store.set_recovery_codes(&anna, &codes(1)).await.unwrap());

    // An unconfirmed secret can be replaced.
    assert!(store.add_second_factor(&anna, b"first").await.unwrap());
    assert!(store.add_second_factor(&anna, b"second").await.unwrap());
    let stored = store.lookup_second_factor(&anna).await.unwrap().unwrap();
    assert_eq!((stored.secret.as_slice(), stored.confirmed, left().await), (&b"second"[..], false, None));
    assert!(!store.spend_time_step(&anna, Millis(30)).await.unwrap());
    assert!(!store.set_recovery_codes(&anna, &codes(1)).await.unwrap());

    store.add_session(session(41, &anna, 41)).await.unwrap();
    store.add_session(session(42, &anna, 42)).await.unwrap();
    let link = TokenHash([43; 32]);
    assert!(store.add_recovery(&anna, "doubly@example.org", &link, Millis(1000)).await.unwrap());
    let keep = SessionId::from_random(42);
    let confirm = async |secret: &[u8], at| {
        store.confirm_second_factor(&anna, secret, Millis(at), &codes(1), &keep).await.unwrap()
    };
    assert_eq!(confirm(b"first", 60).await, None);
    assert_eq!(confirm(b"second", 60).await, Some(vec![SessionId::from_random(41)]));
    assert_eq!(confirm(b"second", 90).await, None);
    assert_eq!(store.lookup_recovery(&link, Millis(10)).await.unwrap(), None);
    assert!(store.lookup_second_factor(&anna).await.unwrap().unwrap().confirmed);
    assert!(!store.add_second_factor(&anna, b"third").await.unwrap());
    assert_eq!(
        store.add_session(session(44, &anna, 44)).await.unwrap(),
        None,
        "the credentials lack the second factor"
    );
    let both = Credentials { second_factor: true, ..credentials("hash") };
    let with_both = NewSession { credentials: both, ..session(44, &anna, 44) };
    assert_eq!(store.add_session(with_both).await.unwrap(), Some(Vec::new()));
    assert!(store.delete_session(&anna, &SessionId::from_random(44)).await.unwrap());

    // Each time step and each recovery code is accepted once.
    for (at, opens) in [(60, false), (30, false), (90, true), (90, false), (120, true)] {
        assert_eq!(store.spend_time_step(&anna, Millis(at)).await.unwrap(), opens, "{at}");
    }
    assert_eq!(left().await, Some(2));
    for (code, opens) in [(2, true), (2, false), (9, false)] {
        assert_eq!(store.spend_recovery_code(&anna, &TokenHash([code; 32])).await.unwrap(), opens, "{code}");
    }
    assert!(
        !store.spend_recovery_code(&player(800), &TokenHash([1; 32])).await.unwrap(),
        "it belongs to another account"
    );
    assert_eq!(left().await, Some(1));
    assert!(store.set_recovery_codes(&anna, &codes(5)).await.unwrap());
    assert!(!store.spend_recovery_code(&anna, &TokenHash([1; 32])).await.unwrap(), "it was replaced");
    let by_name = store.lookup_account_by_name("doubly").await.unwrap().unwrap();
    assert_eq!((left().await, by_name.recovery_codes), (Some(2), Some(2)));

    assert_eq!(store.end_sessions(&anna).await.unwrap().as_slice(), std::slice::from_ref(&keep));
    assert!(store.delete_second_factor(&anna).await.unwrap());
    assert!(!store.delete_second_factor(&anna).await.unwrap());
    assert_eq!((left().await, store.lookup_second_factor(&anna).await.unwrap()), (None, None));

    // Deleting the account deletes its second factor.
    assert!(store.add_second_factor(&anna, b"fourth").await.unwrap());
    assert_eq!(confirm(b"fourth", 1).await, None, "the session has ended");
    assert_eq!(store.add_session(session(42, &anna, 42)).await.unwrap(), Some(Vec::new()));
    assert_eq!(confirm(b"fourth", 1).await, Some(Vec::new()));
    store.delete_account(&anna, &NameRetirement::default()).await.unwrap();
    assert_eq!(store.lookup_second_factor(&anna).await.unwrap(), None);
    assert!(!store.spend_recovery_code(&anna, &TokenHash([1; 32])).await.unwrap());
}

async fn deleting_an_account_keeps_its_games(store: &dyn Store) {
    let deleted_player = player(810);
    store.add_account(account(810, "Gone")).await.unwrap();
    store.add_session(session(10, &deleted_player, 10)).await.unwrap();
    store.add_game(new_game(810, 810, 810)).await.unwrap();
    let listed = store.list_games(&GameFilter::all_of(&deleted_player, 9)).await.unwrap();
    assert_eq!(listed[0].names.white.as_deref(), Some("Gone"));
    let deleted = store.delete_account(&deleted_player, &NameRetirement::default()).await.unwrap();
    assert_eq!(deleted, Deleted::Done(vec![SessionId::from_random(10)]));
    assert_eq!(store.lookup_account(&deleted_player).await.unwrap(), None);
    assert_eq!(store.lookup_account_by_name("gone").await.unwrap(), None);
    assert!(store.is_account(&deleted_player).await.unwrap(), "an old cookie must not revive it");
    assert_eq!(store.lookup_session(&TokenHash([10; 32]), Millis(10)).await.unwrap(), None);
    let listed = store.list_games(&GameFilter::all_of(&deleted_player, 9)).await.unwrap();
    assert_eq!((listed[0].game.id.clone(), listed[0].names.white.clone()), (GameId::from_random(810), None));
    // The name is available again.
    assert_eq!(store.add_account(account(811, "gone")).await.unwrap(), Registered::Done);
}
