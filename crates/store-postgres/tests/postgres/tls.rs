//! Connections to the server use TLS, and certificates are verified.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown},
    path::PathBuf,
};

use adoube_store::GameStore as _;
use adoube_test_services::Postgres;

use crate::{database, new_game, open, opening::refused, start};

/// Gives the server a self-signed certificate for 127.0.0.1, and returns the path of the certificate.
fn certify(server: &Postgres, database: &str) -> PathBuf {
    let key = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (certificate, secret) = (server.folder().join("certificate.pem"), server.folder().join("key.pem"));
    let owner = fs::metadata(server.folder()).unwrap();
    for (file, text) in [(&certificate, key.cert.pem()), (&secret, key.signing_key.serialize_pem())] {
        fs::write(file, text).unwrap();
        // The server rejects a key that others can read.
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
        chown(file, Some(owner.uid()), Some(owner.gid())).unwrap();
    }
    for (name, value) in [
        ("ssl", "on"),
        ("ssl_cert_file", certificate.to_str().unwrap()),
        ("ssl_key_file", secret.to_str().unwrap()),
    ] {
        server.psql(database, &format!("ALTER SYSTEM SET {name} = '{value}'")).unwrap();
    }
    server.stop().unwrap();
    server.restart().unwrap();
    certificate
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_is_used_and_certificates_are_verified() {
    let Some((server, address)) = start() else { return };
    let with = |parameters: &str| format!("{address}?{parameters}");
    let message = refused(&with("sslmode=require")).await;
    assert!(
        message.starts_with("TLS with postgres://postgres@127.0.0.1:")
            && message.contains("failed: it does not offer TLS; set ssl"),
        "{message}"
    );

    let database = database(&address);
    let certificate = certify(&server, database);
    let trusting = format!("sslmode=verify-full&sslrootcert={}", certificate.display());
    open(&with(&trusting)).await.add_game(new_game(1)).await.unwrap();
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
        WHERE ssl AND application_name = 'adoube'";
    let store = open(&with(&trusting)).await;
    store.lookup_game(&new_game(1).id).await.unwrap().unwrap();
    assert_ne!(server.psql(database, encrypted).unwrap(), "0");
    // `require` does not verify; by default, TLS is used if the server offers it.
    open(&with("sslmode=require")).await;
    open(&address).await;

    // The message is the same if the system trusts no certificates at all.
    let message = refused(&with("sslmode=verify-full")).await;
    assert!(message.contains("its certificate has an unknown issuer; add sslrootcert=FILE"), "{message}");
    let other = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let other_file = server.folder().join("other.pem");
    fs::write(&other_file, other.cert.pem()).unwrap();
    let message = refused(&with(&format!("sslmode=verify-ca&sslrootcert={}", other_file.display()))).await;
    assert!(message.contains("its certificate has an unknown issuer"), "{message}");
    let message = refused(&with(&trusting).replace("127.0.0.1", "localhost")).await;
    assert!(
        message.contains("its certificate is for another host; use the name in the certificate"),
        "{message}"
    );

    // A server that requires TLS.
    let rules = server.folder().join("data/pg_hba.conf");
    let before = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, format!("hostnossl all all 127.0.0.1/32 reject\n{before}")).unwrap();
    server.stop().unwrap();
    server.restart().unwrap();
    let message = refused(&with("sslmode=disable")).await;
    assert!(message.contains(" requires TLS (add sslmode=verify-full or "), "{message}");
    open(&with(&trusting)).await;
}
