//! Tests commands on data in a PostgreSQL database.

use adoube_protocol::{Millis, PlayerId};
use adoube_store::{AccountStore as _, GameStore as _, NameSkeleton, NewAccount};
use adoube_store_postgres::PostgresStore;
use adoube_test_services::{Durability, Postgres, or_skip};

use super::{refused, stdout_of};

#[test]
fn maintenance_works_on_a_database_too() {
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let address = server.create_database().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = PostgresStore::open(&address).await.unwrap();
        let anna = NewAccount {
            player: PlayerId::from_random(1),
            name: "Anna".into(),
            skeleton: NameSkeleton { skeleton: "anna".into(), alternatives: Vec::new(), retired: Vec::new() },
            password: "hash".into(),
            identity: None,
            email: None,
            language: "en".into(),
            created_at: Millis(1),
            admission: adoube_store::Admission::Open,
        };
        store.add_account(anna).await.unwrap();
        store.close().await;
    });
    let data = ["--data", &address];
    let error = refused(&[&["house", "sign-out", "anna"][..], &data].concat());
    assert!(error.contains("this account has no open sessions"), "{error}");
    let error = refused(&[&["house", "sign-out", "Bela"][..], &data].concat());
    assert!(error.contains("no player has this name"), "{error}");
    assert_eq!(stdout_of(&[&["house", "reports"][..], &data].concat()), "");
    assert!(
        stdout_of(&[&["house", "tidy", "--dry-run"][..], &data].concat()).starts_with("0 unjoined games\n")
    );
    assert_eq!(
        stdout_of(&[&["house", "rotate-key"][..], &data].concat()),
        "the old key is accepted for 30 days\n"
    );
}

/// Operations that need a file are refused, and no password is shown.
#[test]
fn a_database_is_not_a_file() {
    let data = ["--data", "postgres://me:open-sesame@127.0.0.1:1/games"];
    for (command, instead) in [
        (&["backup", "copy"][..], "pg_dump"),
        (&["restore", "copy"], "pg_restore"),
        (&["house", "check"], "pg_amcheck"),
        (&["house", "reset-clock"], "restore a copy"),
    ] {
        let error = refused(&[command, &data].concat());
        assert!(
            error.contains("the data is in the database postgres://me@127.0.0.1:1/games, not in a file: "),
            "{error}"
        );
        assert!(error.contains(instead) && !error.contains("sesame"), "{error}");
    }
    let error = refused(&[&["serve", "--listen", "127.0.0.1:0"][..], &data].concat());
    assert!(
        error.contains("postgres://me@127.0.0.1:1/games cannot be reached: ") && !error.contains("sesame"),
        "{error}"
    );
    let error = refused(&["config", "--check", "--data", "postgres://me:open-sesame@host:port/games"]);
    assert!(
        error.contains("must look like postgres://USER@HOST:5432/DATABASE") && !error.contains("sesame"),
        "{error}"
    );
    let shown = stdout_of(&[&["config"][..], &data].concat());
    assert!(shown.contains("data = \"…\"") && !shown.contains("sesame"), "{shown}");
    let shown = stdout_of(&["config", "--data", "postgres://me@127.0.0.1:1/games"]);
    assert!(shown.contains("data = \"postgres://me@127.0.0.1:1/games\""), "{shown}");
}
