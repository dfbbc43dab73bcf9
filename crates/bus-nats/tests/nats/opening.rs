//! Opening a bus, and the errors when a requirement is not met.

use std::fs;

use adoube_bus_nats::OpenError;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use super::*;
use crate::credentials::Issuer;

#[tokio::test(flavor = "multi_thread")]
async fn a_second_house_is_refused_unless_it_uses_another_prefix() {
    let Some(server) = or_skip(Nats::start()) else { return };
    let one = open(&server).await;
    let error = NatsBus::open(&settings(&server), "other house").await.unwrap_err();
    assert!(matches!(error, OpenError::OtherHouse { .. }), "{error}");
    let expected = format!("another house is using the bus at {} with the prefix `adoube`", server.address());
    assert!(error.to_string().starts_with(&expected), "{error}");
    let other_prefix = NatsSettings { prefix: "clubs.other".into(), ..settings(&server) };
    let other = NatsBus::open(&other_prefix, "other house").await.unwrap();
    let mut at_other = other.subscribe("topic").await.unwrap();
    let mut at_one = one.subscribe("topic").await.unwrap();
    publish(&one, "topic", notice(1)).await;
    publish(&other, "topic", notice(2)).await;
    assert_eq!(next(&mut at_one).await, Delivery::Notice(notice(1)));
    assert_eq!(next(&mut at_other).await, Delivery::Notice(notice(2)));
    // Once the first house has left, another one can use the bus.
    drop((one, at_one));
    let taken_over = async { while NatsBus::open(&settings(&server), "other house").await.is_err() {} };
    timeout(TIMEOUT, taken_over).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_houses_that_start_at_once_cannot_both_open_the_bus() {
    let Some(server) = or_skip(Nats::start()) else { return };
    for _ in 0..10 {
        let settings = settings(&server);
        let (one, two) = tokio::join!(NatsBus::open(&settings, "one"), NatsBus::open(&settings, "two"));
        assert!(one.is_err() || two.is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn users_and_their_permissions_are_checked() {
    let users = r#"authorization { users: [
        { user: "me", password: "ho:rse" }
        { user: "reader", password: "horse", permissions: { publish: ["nothing"], subscribe: [">"] } }
        { user: "granted", password: "horse", permissions: { publish: ["adoube.>"], subscribe: ["adoube.>"] } }
    ] }"#;
    let Some(server) = or_skip(Nats::start_with(|_| users.into())) else { return };
    let open = async |user: &str| {
        let url = server.address().replace("nats://", &format!("nats://{user}"));
        NatsBus::open(&NatsSettings { url, ..NatsSettings::default() }, "house").await
    };
    for good in ["me:ho%3Arse@", "granted:horse@"] {
        let (one, two) = (open(good).await.unwrap(), open(good).await.unwrap());
        let mut at_two = two.subscribe("topic").await.unwrap();
        publish(&one, "topic", notice(1)).await;
        assert_eq!(next(&mut at_two).await, Delivery::Notice(notice(1)));
    }
    for (bad, expected) in [
        ("", "requires a user: put one into the address"),
        ("me:wrong@", "refuses the given user, password, token or credentials"),
        ("horse@", "refuses the given user, password, token or credentials"),
        ("reader:horse@", "does not allow publishing and subscribing to `adoube.>`"),
    ] {
        let error = open(bad).await.unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(&server.address()), "{bad}: {error}");
        assert!(!error.contains("horse") && !error.contains("wrong") && !error.contains('\n'), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_opens_the_bus() {
    let token = || "authorization { token: \"ho/rse\" }".to_owned();
    let Some(server) = or_skip(Nats::start_with(|_| token())) else { return };
    let url = server.address().replace("nats://", "nats://ho%2Frse@");
    NatsBus::open(&NatsSettings { url, ..NatsSettings::default() }, "house").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credentials_file_opens_the_bus() {
    let issuer = Issuer::new();
    let Some(server) = or_skip(Nats::start_with(|_| issuer.settings())) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("user.creds");
    fs::write(&path, issuer.credentials()).unwrap();
    let with_file = NatsSettings { credentials: Some(path.clone()), ..settings(&server) };
    NatsBus::open(&with_file, "house").await.unwrap();
    let without = NatsBus::open(&settings(&server), "house").await.unwrap_err();
    assert!(matches!(without, OpenError::Anonymous { .. }), "{without}");
    fs::write(&path, Issuer::new().credentials()).unwrap();
    let wrong_credentials = NatsBus::open(&with_file, "house").await.unwrap_err();
    assert!(matches!(wrong_credentials, OpenError::Refused { .. }), "{wrong_credentials}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_certificates_are_verified() {
    let key = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (certificate, secret) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    fs::write(&certificate, key.cert.pem()).unwrap();
    fs::write(&secret, key.signing_key.serialize_pem()).unwrap();
    let tls = || format!("tls {{ cert_file: {certificate:?}, key_file: {secret:?} }}");
    let Some(server) = or_skip(Nats::start_with(|_| tls())) else { return };
    let encrypted = |settings: &NatsSettings| {
        let url = settings.url.replace("nats://", "tls://");
        NatsSettings { url, ..settings.clone() }
    };
    let trusting = NatsSettings { certificates: Some(certificate.clone()), ..settings(&server) };
    // TLS is required by the server or by the address.
    for settings in [trusting.clone(), encrypted(&trusting)] {
        NatsBus::open(&settings, "house").await.unwrap();
    }
    let error = async |settings: &NatsSettings| {
        let error = NatsBus::open(settings, "house").await.unwrap_err().to_string();
        assert!(error.starts_with("TLS with the bus at ") && !error.contains('\n'), "{error}");
        error
    };
    // The system may trust no certificates at all.
    let untrusted = error(&encrypted(&settings(&server))).await;
    assert!(untrusted.contains("unknown issuer") || untrusted.contains("certs"), "{untrusted}");
    let url = trusting.url.replace("127.0.0.1", "localhost");
    let other_name = error(&NatsSettings { url, ..trusting.clone() }).await;
    assert!(other_name.contains("not valid for name"), "{other_name}");
    let plain = Nats::start().unwrap();
    let plain = error(&NatsSettings { url: encrypted(&settings(&plain)).url, ..trusting }).await;
    assert!(plain.contains("it does not offer TLS"), "{plain}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_and_unsuitable_servers_are_reported() {
    let error = async |url: &str| {
        let settings = NatsSettings { url: url.into(), ..NatsSettings::default() };
        NatsBus::open(&settings, "house").await.unwrap_err().to_string()
    };
    let free = adoube_test_services::free_port().unwrap();
    let old = r#"INFO {"server_id":"x","version":"1.4.1","max_payload":1048576,"proto":1}"#;
    for (url, expected) in [
        (
            format!("nats://127.0.0.1:{free}"),
            "Connection refused (os error 111); is nats-server running there?",
        ),
        ("nats://no-such-host.invalid".into(), "the bus at nats://no-such-host.invalid cannot be reached: "),
        (fake_server(old).await, "has version 1.4.1, which is too old: 2.2 or later is needed"),
        (fake_server("220 mail.example.org ESMTP").await, "cannot be reached: "),
    ] {
        let error = error(&url).await;
        assert!(error.contains(expected) && !error.contains('\n'), "{error}");
    }
}

/// Returns the address of a fake server that sends a greeting, and answers every line with `PONG`.
async fn fake_server(line: &'static str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(format!("{line}\r\n").as_bytes()).await.unwrap();
            let (reader, mut writer) = stream.split();
            let mut lines = BufReader::new(reader).lines();
            while let Ok(Some(_)) = lines.next_line().await {
                if writer.write_all(b"PONG\r\n").await.is_err() {
                    break;
                }
            }
        }
    });
    format!("nats://{address}")
}
