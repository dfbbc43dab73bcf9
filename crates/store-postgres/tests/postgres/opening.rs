//! Opening a database. If it fails, the error is one line that contains the remedy, but not the password.

use std::{
    error::Error as _,
    io::{Read as _, Write as _},
    net::TcpListener,
};

use adoube_store::{GameStore as _, StoreError};
use adoube_store_postgres::PostgresStore;

use crate::{database, new_game, open, start};

const PASSWORD: &str = "open-sesame";

/// Tries to open an address that must be refused. Returns the reason.
pub(crate) async fn refused(address: &str) -> String {
    let error = PostgresStore::open(address).await.expect_err(address);
    assert!(matches!(error, StoreError::Open { .. }), "{error:?}");
    let source = error.source().unwrap().to_string();
    let all = format!("{error} {error:?} {source}");
    assert!(!all.contains(PASSWORD), "{all}");
    assert!(!source.contains('\n'), "{source}");
    source
}

#[tokio::test]
async fn an_invalid_address_is_refused() {
    for (address, problem) in [
        (format!("mysql://me:{PASSWORD}@localhost/x"), "it does not begin with postgres://"),
        (format!("postgres://me:{PASSWORD}@localhost:port/x"), "invalid port number"),
        (format!("postgres://me:{PASSWORD}@localhost/x?sslmod=require"), "unknown parameter \"sslmod\""),
        (format!("postgres://me:a?{PASSWORD}@localhost/x"), "write `?` as %3F"),
        (format!("postgres://me@localhost/x?password=a&{PASSWORD}"), "`&` as %26"),
        (format!("postgres://me:{PASSWORD}@localhost/x?sslmode=perhaps"), "perhaps"),
        (
            format!("postgres://me:{PASSWORD}@localhost/x?sslmode=verify-full&sslrootcert=/nowhere.pem"),
            "the sslrootcert file /nowhere.pem cannot be read: No such file",
        ),
    ] {
        let source = refused(&address).await;
        assert!(
            source.starts_with("the database address must look like postgres://USER@HOST:5432/"),
            "{source}"
        );
        assert!(source.contains(problem), "{source}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_server_or_a_rejected_role_is_reported() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let source = refused(&format!("postgres://me:{PASSWORD}@127.0.0.1:{free}/x")).await;
    assert!(source.starts_with(&format!("postgres://me@127.0.0.1:{free}/x cannot be reached")), "{source}");
    assert!(source.ends_with("; is PostgreSQL running there?"), "{source}");

    let Some((server, address)) = start() else { return };
    let database = database(&address);
    let port = server.port();
    server
        .psql(database, "CREATE ROLE guarded; CREATE ROLE guest LOGIN PASSWORD 'right' IN ROLE guarded")
        .unwrap();
    let source = refused(&format!("postgres://guest:{PASSWORD}@127.0.0.1:{port}/{database}")).await;
    assert!(source.contains("rejects the role guest: ") && source.contains("PGPASSWORD"), "{source}");
    let source = refused(&format!("postgres://postgres@127.0.0.1:{port}/nowhere")).await;
    assert!(source.contains("database nowhere does not exist; create it: createdb"), "{source}");
    // A correct password alone is not enough.
    let source = refused(&format!("postgres://guest:right@127.0.0.1:{port}/{database}")).await;
    assert!(
        source.contains("the role guest is not allowed to create tables in the schema public; GRANT CREATE"),
        "{source}"
    );
    server.psql(database, "GRANT CREATE ON SCHEMA public TO guest").unwrap();
    let guest = format!("postgres://guest:right@127.0.0.1:{port}/{database}");
    open(&guest).await.add_game(new_game(1)).await.unwrap();

    // Tables that belong to another role.
    server.psql(database, "ALTER TABLE games OWNER TO postgres").unwrap();
    let source = refused(&guest).await;
    assert!(
        source.contains("not allowed to read and write the games table; use the role postgres"),
        "{source}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_programs_database_is_not_modified() {
    let Some((server, address)) = start() else { return };
    let latin = server.create_database_with("ENCODING 'LATIN1'").unwrap();
    let source = refused(&latin).await;
    assert!(source.contains("has the encoding LATIN1; create a database with UTF8"), "{source}");

    server.psql(database(&address), "CREATE TABLE bookmarks (address text)").unwrap();
    let source = refused(&address).await;
    assert!(source.contains("belongs to another program: it has a table called bookmarks"), "{source}");
    let tables = "SELECT string_agg(relname, ' ') FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    assert_eq!(server.psql(database(&address), tables).unwrap(), "bookmarks");

    // Other programs may use the database, as long as this one has a separate schema.
    server.psql(database(&address), "CREATE SCHEMA playing").unwrap();
    let within = format!("{address}?options=-csearch_path%3Dplaying");
    open(&within).await.add_game(new_game(1)).await.unwrap();
    open(&within).await.check().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn schemas_of_other_versions_are_recognised() {
    let Some((server, address)) = start() else { return };
    open(&address).await.add_game(new_game(1)).await.unwrap();
    let database = database(&address);
    // A newer program has only added something, so this one can still use the database.
    server.psql(database, "INSERT INTO adoube_schema VALUES (7777, 1, '')").unwrap();
    let store = open(&address).await;
    assert!(store.lookup_game(&new_game(1).id).await.unwrap().is_some());
    // A newer program has removed something.
    server.psql(database, "INSERT INTO adoube_schema VALUES (9999, 8888, '')").unwrap();
    let source = refused(&address).await;
    assert!(source.contains("it has schema 9999, which needs a program that knows schema 8888"), "{source}");
    assert!(source.ends_with("; use the newer one"), "{source}");
    server.psql(database, "DELETE FROM adoube_schema WHERE number > 7000").unwrap();
    open(&address).await;
}

/// The server is simulated: it only accepts a connection and reports an old version.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_too_old_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut read = || {
            let mut length = [0; 4];
            client.read_exact(&mut length)?;
            let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
            client.read_exact(&mut body)
        };
        // The client sends a TLS request, which this server does not support, and then the startup message.
        read().unwrap();
        client.write_all(b"N").unwrap();
        let mut length = [0; 4];
        client.read_exact(&mut length).unwrap();
        let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
        client.read_exact(&mut body).unwrap();
        let mut response = Vec::new();
        let mut message = |kind: u8, body: &[u8]| {
            response.push(kind);
            response.extend((body.len() as u32 + 4).to_be_bytes());
            response.extend(body);
        };
        message(b'R', &0u32.to_be_bytes());
        message(b'S', b"server_version\x0012.9\x00");
        message(b'Z', b"I");
        client.write_all(&response).unwrap();
        // The statements that set up the session.
        let mut kind = [0];
        client.read_exact(&mut kind).unwrap();
        client.write_all(b"C\x00\x00\x00\x08SET\x00Z\x00\x00\x00\x05I").unwrap();
        let _ = client.read_to_end(&mut Vec::new());
    });
    let source = refused(&format!("postgres://me@127.0.0.1:{port}/x")).await;
    assert!(source.contains("is PostgreSQL 12, which is too old: version 13 or later is needed"), "{source}");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_starts_create_the_tables_once() {
    let Some((server, address)) = start() else { return };
    let opened = (0..8).map(|_| {
        let address = address.clone();
        tokio::spawn(async move { open(&address).await })
    });
    let mut houses = Vec::new();
    for opened in opened.collect::<Vec<_>>() {
        houses.push(opened.await.unwrap().house());
    }
    houses.dedup();
    assert_eq!(houses.len(), 1);
    // All migrations are applied: their numbers have no gaps.
    let applied = "SELECT count(*) > 3 AND count(*) = max(number) FROM adoube_schema";
    assert_eq!(server.psql(database(&address), applied).unwrap(), "t");
}
