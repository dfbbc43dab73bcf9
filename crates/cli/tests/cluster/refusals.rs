//! If the settings for a database or bus are wrong, the server exits with one line that names the problem and
//! the remedy.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
};

use adoube_test_services::{Durability, Nats, Postgres, free_port, or_skip};

use crate::house::{Visitor, eventually};

/// Runs a server that must refuse to start. Returns its message, without the name of the program.
#[track_caller]
fn refused(data: &str, bus: Option<&str>) -> String {
    let mut serve = Command::new(env!("CARGO_BIN_EXE_adoube"));
    serve
        .args(["serve", "--listen", "127.0.0.1:0", "--data", data])
        .env("NO_COLOR", "1")
        .env_remove("ADOUBE_LOG");
    if let Some(bus) = bus {
        serve.args(["--bus", bus]);
    }
    serve.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut server = serve.spawn().unwrap();
    eventually("the server has exited", || server.try_wait().unwrap());
    let output = server.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{message}");
    // All other lines belong to the log.
    let lines = message.lines().filter_map(|line| line.strip_prefix("adoube: ")).collect::<Vec<_>>();
    let [line] = lines[..] else { panic!("expected one line: {message}") };
    assert_eq!(message.lines().last(), Some(&*format!("adoube: {line}")), "{message}");
    line.to_owned()
}

#[test]
fn the_error_names_a_database_that_cannot_be_used() {
    let message = refused("mysql://me@127.0.0.1/games", None);
    assert!(message.contains("postgres://"), "{message}");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let message = refused(&format!("postgres://me@127.0.0.1:{free}/games"), None);
    assert!(
        message.contains(&format!("postgres://me@127.0.0.1:{free}/games cannot be reached")),
        "{message}"
    );

    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let port = server.port();
    let new = || {
        let address = server.create_database().unwrap();
        let database = address.rsplit('/').next().unwrap().to_owned();
        (address, database)
    };
    let (_, rights) = new();
    server
        .psql(&rights, "CREATE ROLE guarded; CREATE ROLE guest LOGIN PASSWORD 'right' IN ROLE guarded")
        .unwrap();
    let message = refused(&format!("postgres://guest:wrong@127.0.0.1:{port}/{rights}"), None);
    assert!(message.contains("rejects the role guest") && !message.contains("wrong"), "{message}");
    let message = refused(&format!("postgres://guest:right@127.0.0.1:{port}/{rights}"), None);
    assert!(message.contains("not allowed to create tables in the schema public; GRANT CREATE"), "{message}");
    let message = refused(&format!("postgres://postgres@127.0.0.1:{port}/nowhere"), None);
    assert!(message.contains("database nowhere does not exist; create it: createdb"), "{message}");

    let (address, foreign) = new();
    server.psql(&foreign, "CREATE TABLE bookmarks (address text)").unwrap();
    let message = refused(&address, None);
    assert!(message.contains("belongs to another program: it has a table called bookmarks"), "{message}");

    let (address, newer) = new();
    server
        .psql(
            &newer,
            "CREATE TABLE adoube_schema (number bigint PRIMARY KEY, works_from bigint, digest bytea); \
             INSERT INTO adoube_schema VALUES (9999, 8888, '')",
        )
        .unwrap();
    let message = refused(&address, None);
    assert!(
        message.contains("it has schema 9999, which needs a program that knows schema 8888"),
        "{message}"
    );
}

#[test]
fn the_error_names_a_bus_that_cannot_be_used() {
    let Some(database) = or_skip(Postgres::start(Durability::Off)) else { return };
    let Some(bus) = or_skip(Nats::start()) else { return };
    let houses = [(); 2].map(|()| database.create_database().unwrap());
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let message = refused(&houses[0], Some(&format!("nats://127.0.0.1:{free}")));
    assert!(message.contains(&format!("127.0.0.1:{free}")), "{message}");
    let message = refused(&houses[0], Some("amqp://127.0.0.1"));
    assert!(message.contains("nats://"), "{message}");

    // Another house uses the bus.
    let port = free_port().unwrap();
    let mut other = Command::new(env!("CARGO_BIN_EXE_adoube"));
    other.args(["serve", "--data", &houses[1], "--bus", &bus.address()]);
    other.args(["--listen", &format!("127.0.0.1:{port}")]);
    let mut other = ChildGuard(other.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap());
    let mut visitor = Visitor::at(port);
    eventually("the first server is ready", || {
        visitor.try_request("GET", "/api/ready", "").filter(|response| response.status == 200)
    });
    let message = refused(&houses[0], Some(&bus.address()));
    assert!(
        message.contains("another house is using the bus at")
            && message.contains("needs a different bus.prefix"),
        "{message}"
    );
    assert!(other.0.try_wait().unwrap().is_none(), "the first server has stopped");
}

/// A process that is killed when it is dropped.
struct ChildGuard(Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
