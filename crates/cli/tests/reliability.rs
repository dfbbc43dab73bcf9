//! Runs the real server in a separate process with many players, stops it in every way that a server can
//! stop, and compares the acknowledged turns with the stored ones. For longer runs see `docs/reliability.md`.
#![cfg(target_os = "linux")]

use std::{
    path::PathBuf,
    process::Command,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use adoube_load::{Arguments, Report, run};
use adoube_test_services::{Durability, Nats, Postgres, or_skip};
use clap::Parser as _;
use tempfile::TempDir;

/// The library that simulates a slow or faulty disk and a wall clock that jumps, compiled once.
static SHIM: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("fsync-shim.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../load/fsync-shim.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).args([source, "-ldl"]);
    assert!(compiler.status().unwrap().success());
    (folder, library)
});

/// Makes these tests run one at a time, because each keeps all processors busy. `.config/nextest.toml` does so
/// for nextest, which runs each test in a process of its own.
fn serialize_tests() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn play(arguments: &str, with_shim: bool) -> Report {
    let _alone = serialize_tests();
    let mut all = vec!["adoube-load", "--server", env!("CARGO_BIN_EXE_adoube"), "--games", "30"];
    all.extend(arguments.split_whitespace());
    if with_shim {
        all.extend(["--preload", SHIM.1.to_str().unwrap()]);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let report = runtime.block_on(run(&Arguments::parse_from(all))).unwrap();
    println!("{}", serde_json::to_string_pretty(&report).unwrap());
    report
}

/// Runs a load test on a new PostgreSQL database. Returns `None` if PostgreSQL is not installed.
fn play_on_postgres(arguments: &str, durability: Durability) -> Option<Report> {
    let server = or_skip(Postgres::start(durability))?;
    let address = server.create_database().unwrap();
    Some(play(&format!("{arguments} --data {address}"), false))
}

fn assert_reliable(report: &Report, kills: u64) {
    report.check().unwrap();
    assert!(report.turns > 100, "only {} turns were played", report.turns);
    assert!(report.kills >= kills, "{} kills", report.kills);
    assert!(report.refused.keys().all(|code| code == "not-saved"), "{:?}", report.refused);
}

#[test]
fn r2_twenty_kills_neither_lose_nor_duplicate_anything() {
    assert_reliable(&play("--turns-per-second 60 --seconds 32 --kill-every 0.9", false), 20);
}

#[test]
fn r3_a_slow_disk_and_kills_lose_nothing() {
    let slow = |delay: u32| {
        format!("--turns-per-second 60 --seconds 10 --kill-every 1 --with FSYNC_DELAY_US={delay}")
    };
    assert_reliable(&play(&slow(3_000), true), 3);
    assert_reliable(&play(&slow(10_000), true), 3);
}

#[test]
fn r3_a_server_whose_disk_refuses_to_sync_exits_with_an_error_and_loses_nothing() {
    assert_reliable(&play("--turns-per-second 60 --seconds 12 --kill-every 1 --by sync-failure", true), 3);
}

#[test]
fn r4_a_power_cut_loses_nothing() {
    assert_reliable(&play("--turns-per-second 60 --seconds 16 --kill-every 1 --by power-cut", true), 8);
}

/// This is the control experiment: a disk that falsely reports syncs loses turns that the server
/// acknowledged, and the comparison detects the loss.
#[test]
fn r4_a_disk_that_lies_is_detected() {
    let report = play(
        "--turns-per-second 60 --seconds 10 --kill-every 1 --by power-cut --with FSYNC_LIE_EVERY=10",
        true,
    );
    assert!(report.check().is_err(), "no lost turn was detected");
}

#[test]
fn r10_a_wall_clock_jump_does_not_affect_game_clocks() {
    let jumps = "--turns-per-second 60 --seconds 6 --clock 60 --with WALL_JUMPS=0,3600,-3600,259200,-259200";
    let report = play(jumps, true);
    assert_reliable(&report, 0);
    assert!(!report.ended.contains_key("time-out"), "{:?}", report.ended);
}

#[test]
fn r11_a_server_that_is_asked_to_stop_loses_nothing() {
    let report = play("--turns-per-second 60 --seconds 14 --kill-every 1.5 --by terminate --clock 60", false);
    assert_reliable(&report, 2);
    assert!(!report.ended.contains_key("time-out"), "{:?}", report.ended);
}

#[test]
fn r5_killing_a_server_on_postgresql_neither_loses_nor_duplicates_anything() {
    let arguments = "--turns-per-second 60 --seconds 14 --kill-every 1";
    let Some(report) = play_on_postgres(arguments, Durability::Off) else { return };
    assert_reliable(&report, 5);
}

/// Runs a load test on three servers with their own database and bus. Returns `None` if one of the programs
/// is not installed.
fn play_on_three(arguments: &str) -> Option<Report> {
    or_skip(Postgres::start(Durability::Off))?;
    or_skip(Nats::start())?;
    Some(play(&format!("--nodes 3 --data postgres --bus nats --clock 600 --probes 1 {arguments}"), false))
}

#[test]
fn r5_faults_in_three_servers_and_their_shared_services_lose_nothing() {
    let faults = "--kills 2 --kill-data 1 --kill-bus 1 --suspend 1 --suspend-seconds 3 --seconds 60";
    let Some(report) = play_on_three(&format!("--turns-per-second 40 {faults}")) else { return };
    report.check().unwrap();
    assert!(report.turns > 100, "only {} turns were played", report.turns);
    let names =
        ["bus-killed", "bus-suspended", "data-killed", "data-suspended", "node-killed", "node-suspended"];
    let missing = names.iter().filter(|name| !report.faults.contains_key(**name)).count();
    assert!(missing <= report.faults_skipped, "{:?}", report.faults);
}

#[test]
fn r11_a_rolling_restart_of_three_servers_loses_nothing() {
    let Some(report) = play_on_three("--turns-per-second 40 --rolling-restarts 1 --seconds 30") else {
        return;
    };
    report.check().unwrap();
    assert_eq!(report.faults.get("node-restarted"), Some(&3));
    assert!(!report.ended.contains_key("time-out"), "{:?}", report.ended);
}
