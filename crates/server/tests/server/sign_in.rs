//! Limits on signing in and on guessing passwords.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use crate::house::{FirstTurnOpponent, House, Visitor, times};

const RIGHT: &str = "correct horse";
const WRONG: &str = "wrong password";

/// Opens a house behind a proxy so that visitors can come from any address.
async fn house() -> House {
    House::with(Arc::new(FirstTurnOpponent), |config| {
        config.trusted_proxies.push([127, 0, 0, 1].into());
        // Hashing is slow, so the limit is lower than the default.
        config.limits.wrong_passwords_per_name = times(30).0;
    })
    .await
}

/// Sends a request from an address.
async fn request(visitor: &mut Visitor, from: &str, method: &str, path: &str, body: &Value) -> u16 {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
    visitor.request(method, path, &headers, &body.to_string()).await.status
}

async fn sign_in(visitor: &mut Visitor, from: &str, name: &str, password: &str) -> u16 {
    request(visitor, from, "POST", "/api/session", &json!({ "name": name, "password": password })).await
}

async fn register(visitor: &mut Visitor, from: &str, name: &str) -> u16 {
    request(visitor, from, "POST", "/api/account", &json!({ "name": name, "password": RIGHT })).await
}

fn counted(statuses: Vec<u16>) -> BTreeMap<u16, usize> {
    statuses.into_iter().fold(BTreeMap::new(), |mut counted, status| {
        *counted.entry(status).or_default() += 1;
        counted
    })
}

/// The times depend on the computer, so they are printed rather than checked.
#[tokio::test(flavor = "multi_thread")]
async fn a_class_of_sixty_registers_and_signs_in_from_one_address() {
    let house = house().await;
    let started = std::time::Instant::now();
    let pupils = (0..60).map(|pupil| {
        let mut visitor = house.visitor();
        tokio::spawn(async move { register(&mut visitor, "192.0.2.1", &format!("pupil{pupil}")).await })
    });
    let mut registered = Vec::new();
    for pupil in pupils.collect::<Vec<_>>() {
        registered.push(pupil.await.unwrap());
    }
    assert_eq!(counted(registered), BTreeMap::from([(201, 60)]));
    let all_registered = started.elapsed();
    let started = std::time::Instant::now();
    // All pupils sign in at the same moment, each in an unknown browser, and half of them mistype the
    // password first.
    let pupils = (0..60).map(|pupil| {
        let mut visitor = house.visitor();
        tokio::spawn(async move {
            let name = format!("pupil{pupil}");
            if pupil % 2 == 0 {
                assert_eq!(sign_in(&mut visitor, "192.0.2.2", &name, WRONG).await, 401);
            }
            sign_in(&mut visitor, "192.0.2.2", &name, RIGHT).await
        })
    });
    let mut signed_in = Vec::new();
    for pupil in pupils.collect::<Vec<_>>() {
        signed_in.push(pupil.await.unwrap());
    }
    println!("60 registered in {all_registered:?}, and signed in within {:?}", started.elapsed());
    assert_eq!(counted(signed_in), BTreeMap::from([(200, 60)]));
}

#[tokio::test]
async fn strangers_who_guess_passwords_do_not_lock_the_owner_out() {
    let house = house().await;
    let mut anna = house.visitor();
    assert_eq!(register(&mut anna, "192.0.2.1", "Anna").await, 201);
    // Guesses from three addresses use up all attempts for the name, so a fourth address has none.
    let mut guesses = Vec::new();
    for address in 0..4 {
        let from = format!("198.51.100.{address}");
        for _ in 0..11 {
            guesses.push(sign_in(&mut house.visitor(), &from, "anna", WRONG).await);
        }
    }
    assert_eq!(counted(guesses), BTreeMap::from([(401, 30), (429, 14)]));
    assert_eq!(sign_in(&mut house.visitor(), "203.0.113.1", "Anna", RIGHT).await, 429);

    // The owner's browser can still sign in from anywhere, even after signing out.
    assert_eq!(request(&mut anna, "203.0.113.2", "DELETE", "/api/session", &json!({})).await, 204);
    assert_eq!(sign_in(&mut anna, "203.0.113.2", "Anna", RIGHT).await, 200);
    // Changing the password, requesting a recovery link and deleting the account also still work.
    let change = json!({ "password": RIGHT, "newPassword": "battery staple" });
    assert_eq!(request(&mut anna, "203.0.113.2", "PATCH", "/api/account", &change).await, 200);
    let recovery = json!({ "name": "Anna" });
    assert_eq!(request(&mut house.visitor(), "203.0.113.3", "POST", "/api/recovery", &recovery).await, 202);
    // The browser that changed the password stays known.
    request(&mut anna, "203.0.113.2", "DELETE", "/api/session", &json!({})).await;
    assert_eq!(sign_in(&mut anna, "203.0.113.2", "Anna", "battery staple").await, 200);
    let delete = json!({ "password": "battery staple" });
    assert_eq!(request(&mut anna, "203.0.113.2", "DELETE", "/api/account", &delete).await, 204);
}

#[tokio::test]
async fn a_browser_is_known_to_one_account_until_its_password_changes() {
    let house = house().await;
    let (mut anna, mut phone) = (house.visitor(), house.visitor());
    register(&mut anna, "192.0.2.1", "Anna").await;
    register(&mut house.visitor(), "192.0.2.1", "Bela").await;
    assert_eq!(sign_in(&mut phone, "192.0.2.1", "Anna", RIGHT).await, 200);
    let change = json!({ "password": RIGHT, "newPassword": "battery staple" });
    assert_eq!(request(&mut anna, "192.0.2.1", "PATCH", "/api/account", &change).await, 200);
    for name in ["anna", "bela"] {
        for guess in 0..30 {
            let from = format!("198.51.100.{}", guess / 10);
            assert_eq!(sign_in(&mut house.visitor(), &from, name, WRONG).await, 401, "{name} {guess}");
        }
        if name == "anna" {
            assert_eq!(sign_in(&mut phone, "192.0.2.1", "Anna", "battery staple").await, 429);
            assert_eq!(sign_in(&mut anna, "192.0.2.1", "Anna", "battery staple").await, 200);
        }
    }
    assert_eq!(sign_in(&mut anna, "192.0.2.1", "Bela", RIGHT).await, 429);
}

#[tokio::test]
async fn a_name_may_be_typed_without_its_accents() {
    let house = house().await;
    assert_eq!(register(&mut house.visitor(), "192.0.2.1", "Léa").await, 201);
    for typed in ["Léa", "Lea", "LEA", "lèa "] {
        assert_eq!(sign_in(&mut house.visitor(), "192.0.2.1", typed, RIGHT).await, 200, "{typed}");
    }
    // All spellings together allow as many guesses as one.
    let mut guesses = Vec::new();
    for typed in ["Léa", "Lea", "Lèa", "LEA", "Lêa", "leä"] {
        for _ in 0..2 {
            guesses.push(sign_in(&mut house.visitor(), "198.51.100.1", typed, WRONG).await);
        }
    }
    assert_eq!(counted(guesses), BTreeMap::from([(401, 10), (429, 2)]));
    // Once another account has the name without accents, each owner must type the accents exactly.
    let lea = json!({ "name": "Lea", "password": "battery staple" });
    assert_eq!(request(&mut house.visitor(), "192.0.2.1", "POST", "/api/account", &lea).await, 201);
    assert_eq!(sign_in(&mut house.visitor(), "192.0.2.2", "LEA", "battery staple").await, 200);
    assert_eq!(sign_in(&mut house.visitor(), "192.0.2.2", "léa", RIGHT).await, 200);
    for (typed, password) in [("lea", RIGHT), ("Lèa", RIGHT), ("Lèa", "battery staple")] {
        assert_eq!(sign_in(&mut house.visitor(), "192.0.2.2", typed, password).await, 401, "{typed}");
    }
}

#[tokio::test]
async fn requests_for_many_names_from_many_addresses_do_not_affect_others() {
    let house = house().await;
    register(&mut house.visitor(), "192.0.2.1", "Anna").await;
    for number in 0..300 {
        let from = format!("2001:db8:{:x}:{:x}::1", number / 20, number % 20);
        let recovery = json!({ "name": format!("name{number}") });
        assert_eq!(request(&mut house.visitor(), &from, "POST", "/api/recovery", &recovery).await, 202);
    }
    assert_eq!(sign_in(&mut house.visitor(), "192.0.2.1", "Anna", RIGHT).await, 200);
    // One address is limited, but the neighbouring address is not.
    let recover = async |from: &str| {
        request(&mut house.visitor(), from, "POST", "/api/recovery", &json!({ "name": "Nobody" })).await
    };
    let mut requests = Vec::new();
    for _ in 0..25 {
        requests.push(recover("192.0.2.7").await);
    }
    assert_eq!(counted(requests), BTreeMap::from([(202, 20), (429, 5)]));
    assert_eq!(recover("192.0.2.8").await, 202);
}

#[tokio::test]
async fn registrations_from_an_address_are_limited() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.limits.registrations_per_address = times(3).0;
    })
    .await;
    for number in 0..3 {
        house.visitor().register(&format!("anna{number}")).await;
    }
    // An invalid registration is still refused for its own reason, but a valid one is refused because of the
    // limit.
    let body = json!({ "name": "x", "password": RIGHT });
    house.visitor().post("/api/account", &body).await.assert_error(422, "bad-name");
    let body = json!({ "name": "anna9", "password": RIGHT });
    house.visitor().post("/api/account", &body).await.assert_error(429, "too-many");
}

/// If spellings were counted separately, each one would give an attacker further guesses.
#[tokio::test]
async fn guesses_are_counted_by_name_in_any_spelling() {
    let house = House::with(Arc::new(FirstTurnOpponent), |config| {
        config.limits.sign_ins = times(4).0;
    })
    .await;
    let register = json!({ "name": "Éléonore", "password": "correct horse" });
    assert_eq!(house.visitor().post("/api/account", &register).await.status, 201);
    let mut stranger = house.visitor();
    for name in ["Éléonore", "E\u{301}le\u{301}onore", "E\u{301}léonore", "ÉLE\u{301}ONORE"] {
        stranger.sign_in(name, "wrong horse").await.assert_error(401, "sign-in-failed");
    }
    stranger.sign_in("éle\u{301}onore", "wrong horse").await.assert_error(429, "too-many");
}
