//! Servers start and stop, and leave nothing behind.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use adoube_test_services::{Durability, Nats, Postgres, or_skip};

/// The variable that tells a child process to run a server. Its value is the path of the file to which the
/// child writes the path of the server's folder.
const CHILD: &str = "ADOUBE_TEST_SERVICES_CHILD";

#[test]
fn postgres_keeps_its_data_across_a_restart() {
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let address = server.create_database().unwrap();
    let database = address.rsplit('/').next().unwrap();
    server.psql(database, "CREATE TABLE kept (number integer); INSERT INTO kept VALUES (7)").unwrap();
    server.stop().unwrap();
    assert!(server.psql(database, "SELECT 1").is_err(), "it is still running");
    server.restart().unwrap();
    assert_eq!(server.psql(database, "SELECT number FROM kept").unwrap(), "7");
    let other = server.create_database().unwrap();
    assert_ne!(other, address);
    server.pause().unwrap();
    server.resume().unwrap();
    assert_eq!(server.psql(database, "SELECT 1").unwrap(), "1");
    let folder = server.folder().to_owned();
    drop(server);
    assert!(!folder.exists());
}

/// The test runs itself in a child process, which it kills.
#[test]
fn a_server_ends_with_its_process() {
    if let Ok(file) = std::env::var(CHILD) {
        let server: &'static Postgres = Box::leak(Box::new(Postgres::start(Durability::Off).unwrap()));
        std::fs::write(file, server.folder().to_str().unwrap()).unwrap();
        // Wait to be killed.
        std::io::stdin().read_line(&mut String::new()).unwrap();
    }
    if or_skip(Postgres::start(Durability::Off)).is_none() {
        return;
    }
    let notes = tempfile::tempdir().unwrap();
    let file = notes.path().join("folder");
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_server_ends_with_its_process"]).env(CHILD, &file).stdin(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let folder = wait_for(|| std::fs::read_to_string(&file).ok().filter(|folder| !folder.is_empty()));
    let folder = PathBuf::from(folder);
    assert!(folder.join("data/postmaster.pid").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for(|| (!folder.exists()).then_some(()));
}

#[test]
fn nats_is_killed_and_restarted_on_the_same_port() {
    let mut folder = None;
    let settings = |path: &std::path::Path| {
        folder = Some(path.to_owned());
        "max_payload: 4321".to_owned()
    };
    let Some(server) = or_skip(Nats::start_with(settings)) else { return };
    let folder = folder.unwrap();
    assert!(server.request("/varz").unwrap().contains("\"max_payload\": 4321"));
    server.pause().unwrap();
    server.resume().unwrap();
    server.kill();
    assert!(server.pause().is_err());
    assert!(server.request("/varz").is_err());
    server.restart().unwrap();
    assert!(server.request("/connz").is_ok());
    // A suspended process is killed, too.
    server.pause().unwrap();
    drop(server);
    assert!(!folder.exists());
}

#[test]
fn a_failed_start_is_reported_with_the_reason() {
    let Some(_) = or_skip(Nats::start()) else { return };
    let error = Nats::start_with(|_| "no_such_setting: 1".to_owned()).unwrap_err().to_string();
    assert!(error.starts_with("nats-server did not start: "), "{error}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "there is no runtime here, and no event when a folder is deleted"
)]
fn wait_for<T>(mut ready: impl FnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(value) = ready() {
            return value;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it took too long");
}
