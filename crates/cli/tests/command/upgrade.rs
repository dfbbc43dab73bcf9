//! Kills servers while they bring data from an older version up to date.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use adoube_store::Inspection;

use super::copy::old_house;

const TIMEOUT: Duration = Duration::from_mins(1);
const OLD_SCHEMA: Option<i64> = Some(25);

/// Returns a path with a suffix after its file name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn inspect(data: &Path) -> Inspection {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(adoube_store_sqlite::inspect(data)).unwrap()
}

/// Starts a server, and kills it as soon as a condition holds.
fn serve_until(house: &Path, mut condition: impl FnMut() -> bool) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(house)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < TIMEOUT, "the condition was not met in time for {}", house.display());
        assert_eq!(server.try_wait().unwrap(), None, "the server has exited");
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

/// At every moment, the older program can use either the data or a copy of it.
#[test]
fn r13_a_server_killed_during_an_upgrade_leaves_the_old_data_or_a_copy_of_it() {
    for suffix in ["-wal", ".before-NEWEST.part", ".before-NEWEST"] {
        for _ in 0..5 {
            let folder = tempfile::tempdir().unwrap();
            let house = old_house(folder.path());
            let newest = inspect(&house).newest_schema;
            let awaited = with_suffix(&house, &suffix.replace("NEWEST", &newest.to_string()));
            let copy = with_suffix(&house, &format!(".before-{newest}"));
            serve_until(&house, || awaited.exists());
            let found = inspect(&house).schema;
            if found != OLD_SCHEMA {
                assert_eq!(found, Some(newest), "killed when {suffix} appeared");
                assert!(copy.exists(), "killed when {suffix} appeared");
            }
            // The next start completes the upgrade, and does not repeat the copy.
            serve_until(&house, || inspect(&house).schema == Some(newest));
            let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
            let files: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
            let copies = files.iter().filter(|name| name.contains(".before-")).count();
            assert_eq!(copies, 1, "{files:?}");
            assert_eq!(inspect(&copy).schema, OLD_SCHEMA);
        }
    }
}
