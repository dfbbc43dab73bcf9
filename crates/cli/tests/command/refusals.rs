//! If a database or bus cannot be used, every command exits with one line that names the cause and the
//! remedy.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use adoube_test_services::{Durability, Nats, Postgres, free_port, or_skip};

use super::{copy::old_house, refused, stdout_of};

/// The password in the addresses, which no message may show.
const PASSWORD: &str = "open-sesame";

#[track_caller]
fn check(message: &str, expected: &[&str]) {
    for expected in expected {
        assert!(message.contains(expected), "{expected:?} is not in {message}");
    }
    assert!(!message.contains(PASSWORD), "{message}");
}

/// Checks the error lines of `serve` and two other commands.
#[track_caller]
fn assert_data_refused(data: &str, expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let house = old_house(folder.path());
    for command in [
        &["serve", "--listen", "127.0.0.1:0", "--data", data][..],
        &["house", "tidy", "--data", data],
        &["copy", "--from", house.to_str().unwrap(), "--to", data],
    ] {
        check(&refused(command), expected);
    }
}

/// Checks the error line of a server, which may already have opened its data.
#[track_caller]
fn assert_bus_refused(data: &Path, bus: &str, expected: &[&str]) {
    check(&refused(&serve(data, bus)), expected);
}

fn serve<'a>(data: &'a Path, bus: &'a str) -> [&'a str; 9] {
    let data = data.to_str().unwrap();
    ["serve", "--listen", "127.0.0.1:0", "--set", "log=error", "--data", data, "--bus", bus]
}

#[test]
fn the_error_names_a_database_server_that_cannot_be_used() {
    for (address, expected) in [
        ("postgres://me:open-sesame@127.0.0.1:port/x", "the database address must look like postgres://"),
        ("postgres://me:open-sesame@127.0.0.1/x?sslmod=require", "unknown parameter \"sslmod\""),
    ] {
        assert_data_refused(address, &[expected]);
    }
    let free = free_port().unwrap();
    assert_data_refused(
        &format!("postgres://me:{PASSWORD}@127.0.0.1:{free}/x"),
        &[
            &format!("postgres://me@127.0.0.1:{free}/x cannot be reached: "),
            "Connection refused",
            "is PostgreSQL running there?",
        ],
    );
    assert_data_refused(
        &format!("postgres://me:{PASSWORD}@no-such-host.invalid/x"),
        &["postgres://me@no-such-host.invalid:5432/x cannot be reached: ", "is PostgreSQL running there?"],
    );
    // The port belongs to another service.
    let Some(bus) = or_skip(Nats::start()) else { return };
    assert_data_refused(
        &format!("postgres://me:{PASSWORD}@127.0.0.1:{}/x", bus.port()),
        &["cannot be reached: ", "is PostgreSQL running there?"],
    );
}

#[test]
fn the_error_names_a_database_that_cannot_be_used_and_the_remedy() {
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let address = server.create_database().unwrap();
    let database = address.rsplit('/').next().unwrap();
    let port = server.port();
    let psql = |statements: &str| server.psql(database, statements).unwrap();
    psql("CREATE ROLE guarded; CREATE ROLE guest LOGIN PASSWORD 'open-sesame' IN ROLE guarded");
    let of_guest = |password: &str| format!("postgres://guest:{password}@127.0.0.1:{port}/{database}");
    assert_data_refused(&of_guest("wrong"), &["rejects the role guest: ", "PGPASSWORD"]);
    assert_data_refused(
        &format!("postgres://postgres@127.0.0.1:{port}/nowhere"),
        &["database nowhere does not exist; create it: createdb "],
    );
    assert_data_refused(
        &of_guest(PASSWORD),
        &[
            "the role guest is not allowed to create tables in the schema public; GRANT CREATE ON SCHEMA public TO guest",
        ],
    );

    psql("CREATE TABLE bookmarks (address text)");
    assert_data_refused(
        &address,
        &["belongs to another program: it has a table called bookmarks; create a separate database"],
    );
    psql("DROP TABLE bookmarks");

    stdout_of(&["house", "tidy", "--data", &address]);
    assert_data_refused(
        &of_guest(PASSWORD),
        &["is not allowed to read and write the ", " table; use the role postgres"],
    );
    psql("INSERT INTO adoube_schema VALUES (9999, 8888, '')");
    assert_data_refused(
        &address,
        &["was migrated by a newer adoube: it has schema 9999", "; use the newer one"],
    );
}

/// Starts a server and waits until it listens.
fn start(data: &Path, bus: &str) -> Child {
    let mut server = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(serve(data, bus))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("adoube: http://"), "{line}");
    server
}

#[test]
fn the_error_names_a_bus_that_cannot_be_used_and_the_remedy() {
    let users = r#"authorization { users: [
        { user: "me", password: "open-sesame" }
        { user: "reader", password: "open-sesame", permissions: { publish: ["nothing"], subscribe: [">"] } }
    ] }"#;
    let Some(bus) = or_skip(Nats::start_with(|_| users.into())) else { return };
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one.sqlite", "other.sqlite"].map(|name| folder.path().join(name));
    let address_of = |user: &str| bus.address().replace("nats://", &format!("nats://{user}"));
    for (user, expected) in [
        ("", "requires a user: put one into the address, nats://USER:PASSWORD@HOST"),
        ("me:wrong@", "refuses the given user, password"),
        ("reader:open-sesame@", "does not allow publishing and subscribing to `adoube.>`"),
    ] {
        assert_bus_refused(&one, &address_of(user), &[&bus.address(), expected]);
    }
    if let Some(database) = or_skip(Postgres::start(Durability::Off)) {
        let wrong = format!("nats://127.0.0.1:{}", database.port());
        assert_bus_refused(
            &one,
            &wrong,
            &[&format!("the bus at {wrong} cannot be reached: "), "is nats-server running there?"],
        );
    }

    let good = address_of("me:open-sesame@");
    let mut server = start(&one, &good);
    assert_bus_refused(
        &other,
        &good,
        &[
            &format!("another house is using the bus at {} with the prefix `adoube`: ", bus.address()),
            "servers of one house must share their data, and a second house needs a different bus.prefix",
        ],
    );
    // The first server continues, and the second one starts with the right settings.
    assert!(server.try_wait().unwrap().is_none());
    let second = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(serve(&other, &good))
        .args(["--set", "bus.prefix=other"])
        .stderr(Stdio::piped())
        .spawn();
    let mut second = second.unwrap();
    let mut line = String::new();
    BufReader::new(second.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("adoube: http://"), "{line}");
    for process in [&mut server, &mut second] {
        process.kill().unwrap();
        process.wait().unwrap();
    }
}
