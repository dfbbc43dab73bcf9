//! Second factors, changes of credentials, and limits on password checks and requests.

use adoube_server::Clock as _;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::{
    emails::{next_mail, register_confirmed, request_recovery, secret},
    house::{House, Response, Visitor},
};

const RIGHT: &str = "correct horse";
const OTHER: &str = "battery staple";
const PATH: &str = "/api/account/second-factor";
const CODES: &str = "/api/account/second-factor/codes";
const STEP_MS: i64 = 30_000;

async fn request(visitor: &mut Visitor, method: &str, path: &str, body: &Value) -> Response {
    visitor.request(method, path, &[("content-type", "application/json")], &body.to_string()).await
}

/// Returns the code that an app shows now, by the house's clock.
fn code(house: &House, secret: &str) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    totp.generate(u64::try_from(house.clock.now().0 / 1000).unwrap()).to_string()
}

/// Advances to the next time step and returns its code.
fn next_code(house: &House, secret: &str) -> String {
    house.clock.advance(STEP_MS);
    code(house, secret)
}

/// Turns the second factor on. Returns the secret and the recovery codes.
async fn enable_second_factor(house: &House, visitor: &mut Visitor) -> (String, Vec<String>) {
    let setup = visitor.post(PATH, &json!({ "password": RIGHT })).await;
    assert_eq!(setup.status, 200, "{setup:?}");
    let secret = setup.json()["secret"].as_str().unwrap().to_owned();
    let confirmed = request(visitor, "PUT", PATH, &json!({ "code": next_code(house, &secret) })).await;
    assert_eq!(confirmed.status, 200, "{confirmed:?}");
    (secret, recovery_codes(&confirmed))
}

fn recovery_codes(codes: &Response) -> Vec<String> {
    let codes = codes.json()["codes"].as_array().unwrap().clone();
    codes.into_iter().map(|code| code.as_str().unwrap().to_owned()).collect()
}

async fn sign_in(visitor: &mut Visitor, name: &str, password: &str, code: &str) -> Response {
    visitor.post("/api/session", &json!({ "name": name, "password": password, "code": code })).await
}

async fn codes_left(visitor: &mut Visitor) -> Value {
    visitor.get("/api/account").await.json()["account"]["secondFactor"].clone()
}

#[tokio::test]
async fn a_second_factor_takes_effect_with_its_first_code() {
    let house = House::new().await;
    let (mut anna, mut phone) = (house.visitor(), house.visitor());
    anna.post(PATH, &json!({ "password": RIGHT })).await.assert_error(401, "not-signed-in");
    request(&mut anna, "PUT", PATH, &json!({ "code": "123456" })).await.assert_error(401, "not-signed-in");
    anna.register("Anna").await;
    assert_eq!(phone.sign_in("Anna", RIGHT).await.status, 200);
    assert_eq!(codes_left(&mut anna).await, Value::Null);

    request(&mut anna, "PUT", PATH, &json!({ "code": "123456" }))
        .await
        .assert_error(409, "second-factor-off");
    anna.post(PATH, &json!({ "password": "wrong horse" })).await.assert_error(403, "wrong-password");
    let setup = anna.post(PATH, &json!({ "password": RIGHT })).await.json();
    let secret = setup["secret"].as_str().unwrap();
    assert_eq!(secret.len(), 32);
    let url = format!("otpauth://totp/adoube:Anna?secret={secret}&issuer=adoube");
    assert_eq!(setup["url"].as_str(), Some(url.as_str()));
    let qr = setup["qr"].as_str().unwrap();
    assert!(qr.starts_with("<?xml") && qr.contains("<path") && qr.ends_with("</svg>"), "{qr}");

    // Until the first code is confirmed, the second factor is not required.
    assert_eq!(house.visitor().sign_in("Anna", RIGHT).await.status, 200);
    assert_eq!(codes_left(&mut anna).await, Value::Null);
    request(&mut anna, "PUT", PATH, &json!({ "code": "12345" }))
        .await
        .assert_error(403, "second-factor-wrong");
    request(&mut anna, "DELETE", PATH, &json!({ "password": RIGHT, "code": "123456" }))
        .await
        .assert_error(409, "second-factor-off");
    let confirmed = request(&mut anna, "PUT", PATH, &json!({ "code": code(&house, secret) })).await;
    let codes = recovery_codes(&confirmed);
    assert_eq!(codes.len(), 10);
    assert!(codes.iter().all(|code| code.len() == 29 && code.split('-').all(|group| group.len() == 4)));
    assert_eq!(codes_left(&mut anna).await, json!({ "recoveryCodes": 10 }));
    assert_eq!(phone.get("/api/account").await.json()["account"], Value::Null, "other sessions end");
    anna.post(PATH, &json!({ "password": RIGHT })).await.assert_error(409, "second-factor-on");

    house.visitor().sign_in("Anna", RIGHT).await.assert_error(401, "second-factor-needed");
    house.visitor().sign_in("Anna", "wrong horse").await.assert_error(401, "sign-in-failed");
    sign_in(&mut house.visitor(), "Anna", "wrong horse", &codes[0]).await.assert_error(401, "sign-in-failed");
    // The code that confirmed the second factor is used up.
    let spent = code(&house, secret);
    sign_in(&mut house.visitor(), "Anna", RIGHT, &spent).await.assert_error(403, "second-factor-wrong");
    let next = next_code(&house, secret);
    assert_eq!(sign_in(&mut phone, "Anna", RIGHT, &next).await.status, 200);
    sign_in(&mut house.visitor(), "Anna", RIGHT, &next).await.assert_error(403, "second-factor-wrong");
    // A code from an app whose clock is half a minute ahead is accepted.
    house.clock.advance(STEP_MS);
    let ahead = next_code(&house, secret);
    house.clock.advance(-STEP_MS);
    assert_eq!(sign_in(&mut phone, "Anna", RIGHT, &ahead).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_accepted_once_among_concurrent_requests() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (secret, codes) = enable_second_factor(&house, &mut anna).await;
    for code in [next_code(&house, &secret), codes[3].to_lowercase()] {
        let tries = (0..4).map(|_| {
            let (mut visitor, code) = (house.visitor(), code.clone());
            tokio::spawn(async move { sign_in(&mut visitor, "Anna", RIGHT, &code).await.status })
        });
        let mut statuses = Vec::new();
        for one in tries.collect::<Vec<_>>() {
            statuses.push(one.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 403, 403, 403], "{code}");
    }
    assert_eq!(codes_left(&mut anna).await, json!({ "recoveryCodes": 9 }));
}

#[tokio::test]
async fn renewal_and_removal_need_the_password_and_a_code() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (secret, codes) = enable_second_factor(&house, &mut anna).await;
    let both = |password: &str, code: &str| json!({ "password": password, "code": code });
    for (method, path) in [("POST", CODES), ("DELETE", PATH)] {
        request(&mut anna, method, path, &both("wrong horse", &codes[0]))
            .await
            .assert_error(403, "wrong-password");
        request(&mut anna, method, path, &both(RIGHT, "000000"))
            .await
            .assert_error(403, "second-factor-wrong");
        request(&mut anna, method, path, &json!({ "password": RIGHT }))
            .await
            .assert_error(400, "bad-message");
    }
    let renewed = request(&mut anna, "POST", CODES, &both(RIGHT, &next_code(&house, &secret))).await;
    let renewed = recovery_codes(&renewed);
    assert!(renewed.iter().all(|code| !codes.contains(code)));
    sign_in(&mut house.visitor(), "Anna", RIGHT, &codes[1]).await.assert_error(403, "second-factor-wrong");
    assert_eq!(sign_in(&mut house.visitor(), "Anna", RIGHT, &renewed[1]).await.status, 200);
    assert_eq!(codes_left(&mut anna).await, json!({ "recoveryCodes": 9 }));

    assert_eq!(request(&mut anna, "DELETE", PATH, &both(RIGHT, &renewed[2])).await.status, 204);
    assert_eq!(codes_left(&mut anna).await, Value::Null);
    assert_eq!(house.visitor().sign_in("Anna", RIGHT).await.status, 200);
    // When the second factor is turned on again, it has a new secret.
    let (other, _) = enable_second_factor(&house, &mut anna).await;
    assert_ne!(other, secret);
}

#[tokio::test]
async fn code_guesses_are_limited_per_account() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (secret, _) = enable_second_factor(&house, &mut anna).await;
    house.visitor().register("Bela").await;
    for _ in 0..10 {
        sign_in(&mut house.visitor(), "Anna", RIGHT, "000000").await.assert_error(403, "second-factor-wrong");
    }
    let next = next_code(&house, &secret);
    sign_in(&mut house.visitor(), "Anna", RIGHT, &next).await.assert_error(429, "too-many");
    assert_eq!(house.visitor().sign_in("Bela", RIGHT).await.status, 200);
    // Guesses in requests with a session are counted separately.
    let wrong = json!({ "password": RIGHT, "code": "000000" });
    for _ in 0..10 {
        request(&mut anna, "DELETE", PATH, &wrong).await.assert_error(403, "second-factor-wrong");
    }
    let right = json!({ "password": RIGHT, "code": next });
    request(&mut anna, "DELETE", PATH, &right).await.assert_error(429, "too-many");
}

#[tokio::test]
async fn a_recovery_link_does_not_bypass_the_second_factor() {
    let house = House::new().await;
    let (mut anna, to) = (house.visitor(), "anna@example.org");
    register_confirmed(&house, &mut anna, "Anna", to).await;
    let (_, codes) = enable_second_factor(&house, &mut anna).await;
    let mail = next_mail(&house, to, 1).await;
    assert!(mail.contains("Subject: Two-step sign-in is on\r\n"), "{mail}");
    request_recovery(&house, "Anna").await;
    let path = format!("/api/recovery/{}", secret(&next_mail(&house, to, 2).await, "/recover/"));
    let password = "tr0ub4dor and 3";
    house
        .visitor()
        .post(&path, &json!({ "password": password }))
        .await
        .assert_error(401, "second-factor-needed");
    let guess = json!({ "password": password, "code": "000000" });
    house.visitor().post(&path, &guess).await.assert_error(403, "second-factor-wrong");
    house.visitor().sign_in("Anna", password).await.assert_error(401, "sign-in-failed");
    // The link is still valid.
    let right = json!({ "password": password, "code": codes[0] });
    assert_eq!(house.visitor().post(&path, &right).await.status, 200);
    sign_in(&mut anna, "Anna", password, &codes[0]).await.assert_error(403, "second-factor-wrong");
    assert_eq!(sign_in(&mut anna, "Anna", password, &codes[1]).await.status, 200);
    let off = json!({ "password": password, "code": codes[2] });
    assert_eq!(request(&mut anna, "DELETE", PATH, &off).await.status, 204);
    let delete = json!({ "password": password });
    assert_eq!(request(&mut anna, "DELETE", "/api/account", &delete).await.status, 204);
}

#[tokio::test]
async fn an_accounts_export_contains_neither_the_secret_nor_the_recovery_codes() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (secret, codes) = enable_second_factor(&house, &mut anna).await;
    let data = anna.get("/api/account/data").await;
    let text = data.body;
    assert!(text.contains("\"secondFactor\":{\"recoveryCodes\":10}"), "{text}");
    assert!(!text.contains(&secret) && codes.iter().all(|code| !text.contains(code)), "{text}");
}

/// A sign-in that was verified before a change of credentials does not leave a session open after the change.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_credentials_ends_concurrent_sign_ins() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    for change in ["a new password", "a second factor"] {
        let (turned_on, setup) = match change {
            "a second factor" => (true, anna.post(PATH, &json!({ "password": OTHER })).await.json()),
            _ => (false, Value::Null),
        };
        let password = if turned_on { OTHER } else { RIGHT };
        let many = (0..24).map(|_| {
            let mut visitor = house.visitor();
            tokio::spawn(async move {
                let status = visitor.sign_in("Anna", password).await.status;
                (status, visitor)
            })
        });
        let many = many.collect::<Vec<_>>();
        // Waits until at least one sign-in is done, while the others are still being verified.
        while !many.iter().any(tokio::task::JoinHandle::is_finished) {
            tokio::task::yield_now().await;
        }
        let changed = if turned_on {
            let secret = setup["secret"].as_str().unwrap();
            request(&mut anna, "PUT", PATH, &json!({ "code": next_code(&house, secret) })).await
        } else {
            let change = json!({ "password": RIGHT, "newPassword": OTHER });
            request(&mut anna, "PATCH", "/api/account", &change).await
        };
        assert_eq!(changed.status, 200, "{change}: {changed:?}");
        let mut open = 0;
        for one in many {
            let (status, mut visitor) = one.await.unwrap();
            assert!([200, 401, 429, 503].contains(&status), "{change}: {status}");
            open += usize::from(!visitor.get("/api/account").await.json()["account"].is_null());
        }
        assert_eq!(open, 0, "{change}");
        let sessions = anna.get("/api/account/sessions").await.json();
        assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1, "{change}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_concurrent_changes_succeeds() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let many = (0..6).map(|number| {
        let mut anna = anna.clone();
        let change = json!({ "password": RIGHT, "newPassword": format!("battery staple {number}") });
        tokio::spawn(async move { request(&mut anna, "PATCH", "/api/account", &change).await.status })
    });
    let mut statuses = Vec::new();
    for one in many.collect::<Vec<_>>() {
        statuses.push(one.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403, 403, 403, 403, 403]);
}

/// Strangers who know the password can use up the attempts that unknown browsers have. Attempts from a known
/// browser are counted separately, and a change of password resets the count for unknown browsers.
#[tokio::test]
async fn strangers_guesses_do_not_lock_out_the_owner() {
    let first = std::sync::Arc::new(crate::house::FirstTurnOpponent);
    let house = House::with(first, |config| config.trusted_proxies.push([127, 0, 0, 1].into())).await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (secret, codes) = enable_second_factor(&house, &mut anna).await;
    for _ in 0..11 {
        sign_in(&mut house.visitor(), "Anna", RIGHT, "000000").await;
    }
    sign_in(&mut house.visitor(), "Anna", RIGHT, &next_code(&house, &secret))
        .await
        .assert_error(429, "too-many");
    assert_eq!(request(&mut anna, "DELETE", "/api/session", &json!({})).await.status, 204);
    let next = next_code(&house, &secret);
    assert_eq!(sign_in(&mut anna, "Anna", RIGHT, &next).await.status, 200, "the browser is known");
    let change = json!({ "password": RIGHT, "newPassword": OTHER });
    assert_eq!(request(&mut anna, "PATCH", "/api/account", &change).await.status, 200);
    let elsewhere = [("content-type", "application/json"), ("x-forwarded-for", "192.0.2.9")];
    let right = json!({ "name": "Anna", "password": OTHER, "code": codes[0] }).to_string();
    let phone = house.visitor().request("POST", "/api/session", &elsewhere, &right).await;
    assert_eq!(phone.status, 200, "{phone:?}");
    assert_eq!(codes_left(&mut anna).await, json!({ "recoveryCodes": 9 }));
}

/// Requests that verify or set a password, or that verify a code, count as sign-ins, on every path.
#[tokio::test]
async fn password_checks_are_limited_per_address_on_every_path() {
    let house = House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
        config.limits.sign_ins_per_address = crate::house::times(4).0;
    })
    .await;
    for (method, path, body) in [
        ("PATCH", "/api/account", json!({ "password": "wrong" })),
        ("DELETE", "/api/account", json!({ "password": "wrong" })),
        ("POST", PATH, json!({ "password": "wrong" })),
        ("PUT", PATH, json!({ "code": "000000" })),
        ("DELETE", PATH, json!({ "password": "wrong", "code": "000000" })),
        ("POST", CODES, json!({ "password": "wrong", "code": "000000" })),
        ("POST", "/api/session", json!({ "name": "Anna", "password": "wrong" })),
        ("POST", "/api/recovery/none", json!({ "password": "wrong horse" })),
        ("POST", "/api/account", json!({ "name": "x", "password": "wrong" })),
    ] {
        let mut refused = 0;
        for _ in 0..5 {
            refused += u32::from(request(&mut house.visitor(), method, path, &body).await.status == 429);
        }
        assert!(refused >= 1, "{method} {path}");
    }
}

/// Changing e-mail settings does not require a password, so it does not count towards an IP address's sign-in
/// limit.
#[tokio::test]
async fn changes_to_email_settings_do_not_count_as_sign_ins() {
    let house = House::with(std::sync::Arc::new(crate::house::FirstTurnOpponent), |config| {
        config.limits.sign_ins_per_address = crate::house::times(4).0;
    })
    .await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    for _ in 0..5 {
        let body = json!({ "reminders": false });
        assert_eq!(request(&mut anna, "PATCH", "/api/account/mail", &body).await.status, 200);
    }
    assert_eq!(house.visitor().sign_in("Nobody", "wrong password").await.status, 401);
}

/// Requests of any kind are limited per address, without affecting other addresses.
#[tokio::test]
async fn requests_from_an_address_are_limited() {
    let first = std::sync::Arc::new(crate::house::FirstTurnOpponent);
    let house = House::with(first, |config| {
        config.limits.requests_per_address = crate::house::times(20).0;
        config.trusted_proxies.push([127, 0, 0, 1].into());
    })
    .await;
    for path in ["/api/health", "/", "/api/hall", "/diagram.svg?variant=chess", "/none"] {
        for _ in 0..4 {
            assert_ne!(house.visitor().get(path).await.status, 429, "{path}");
        }
    }
    house.visitor().get("/api/health").await.assert_error(429, "too-many");
    let elsewhere = [("x-forwarded-for", "192.0.2.9")];
    assert_eq!(house.visitor().request("GET", "/api/health", &elsewhere, "").await.status, 200);
}

/// Apps display the digits in two groups.
#[tokio::test]
async fn a_code_may_contain_spaces() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let (secret, _) = enable_second_factor(&house, &mut anna).await;
    let next = next_code(&house, &secret);
    let typed = format!(" {} {} ", &next[..3], &next[3..]);
    assert_eq!(sign_in(&mut house.visitor(), "Anna", RIGHT, &typed).await.status, 200);
}

/// Attempts from a known browser are counted separately, so only a registration or a sign-in may make a
/// browser known.
#[tokio::test]
async fn a_change_to_the_account_does_not_make_a_browser_known() {
    let house = House::new().await;
    let mut anna = house.visitor();
    anna.register("Anna").await;
    let body = json!({ "password": RIGHT }).to_string();
    let headers = [("content-type", "application/json")];
    let mut known = anna.clone();
    let renewed = known.request("PATCH", "/api/account", &headers, &body).await;
    assert!(renewed.headers["set-cookie"].starts_with("adoube-device="), "{renewed:?}");
    let session =
        anna.cookie.unwrap().split("; ").find(|cookie| cookie.contains("session")).map(str::to_owned);
    let mut unknown = Visitor { cookie: session, ..house.visitor() };
    let changed = unknown.request("PATCH", "/api/account", &headers, &body).await;
    assert_eq!((changed.status, changed.headers.get("set-cookie")), (200, None), "{changed:?}");
}
