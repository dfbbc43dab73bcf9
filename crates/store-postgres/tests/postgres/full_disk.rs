//! PostgreSQL's disk fills up, and then has space again.

use std::{
    fs::File,
    io::Write as _,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use adoube_store::{Append, Appended, GameStore as _, NewEvent, StoreError};
use adoube_test_services::{Durability, Postgres, or_skip};
use adoube_vocabulary::{Millis, Version};
use tempfile::TempDir;

use crate::{append, command, new_game, open_with_short_timeouts};

const GAMES: u128 = 4;
/// The size of the disk in MiB: enough for an empty server and some of its log.
const DISK_MB: usize = 250;
/// The number of turns played in each game once there is space again.
const TURNS: u64 = 5;
/// The size of a turn in bytes, large enough to fill the disk quickly.
const TURN_BYTES: usize = 200_000;
/// The maximum time until the disk is full. Play may take as long again to resume.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A small RAM disk.
struct Disk(TempDir);

impl Disk {
    /// Returns `None` if this process is not allowed to mount anything.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={DISK_MB}m,mode=755"), "tmpfs"]).arg(folder.path());
        match mount.output() {
            Ok(output) if output.status.success() => Some(Self(folder)),
            refused => {
                eprintln!("skipped: only root can mount a disk: {refused:?}");
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Fills the remaining space with a file. Returns its path.
    fn fill(&self) -> std::path::PathBuf {
        let path = self.path().join("ballast");
        let mut file = File::create(&path).unwrap();
        while file.write_all(&[1; 8 * 1024]).is_ok() {}
        while file.write_all(&[1]).is_ok() {}
        path
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The folder cannot be deleted until it is unmounted.
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

/// Returns a long turn that cannot be compressed.
fn turn(game: u128, version: u64) -> Append {
    let mut state = version.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game as u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'a' + (state >> 60) as u8)
    };
    let body = (0..TURN_BYTES).map(|_| next()).collect();
    Append {
        events: vec![NewEvent { at: Millis(2), body }],
        command: Some(command(game, 100 + u128::from(version))),
        ..append(game, version)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_on_a_full_disk_and_play_continues_when_there_is_space() {
    let Some(disk) = Disk::mount() else { return };
    let Some(server) = or_skip(Postgres::start_in(disk.path(), Durability::Full)) else { return };
    let store = open_with_short_timeouts(&server.create_database().unwrap()).await;
    let mut versions = [1; GAMES as usize];
    for game in 0..GAMES {
        store.add_game(new_game(game)).await.unwrap();
    }
    let ballast = disk.fill();
    // The log has reserved space. Once that is used up, nothing is acknowledged.
    let started = Instant::now();
    let (mut refusals, mut is_full) = (0, false);
    while refusals < 20 {
        assert!(started.elapsed() < TIMEOUT, "the disk did not fill up in time");
        for game in 0..GAMES {
            let version = &mut versions[game as usize];
            match store.append(turn(game, *version)).await {
                Ok(Appended::Done(_) | Appended::Repeated(_)) => {
                    *version += 1;
                    refusals = 0;
                }
                Err(StoreError::Full { .. }) => {
                    is_full = true;
                    refusals += 1;
                }
                // PostgreSQL exits when its write-ahead log runs out of space.
                Err(StoreError::Unreachable { .. }) => refusals += 1,
                other => panic!("game {game} at {version}: {other:?}"),
            }
        }
    }
    let played = versions;
    println!("versions {played:?} when the disk was full; the server reported a full disk: {is_full}");

    std::fs::remove_file(ballast).unwrap();
    // The server may have exited.
    let _ = server.restart();
    for game in 0..GAMES {
        let version = &mut versions[game as usize];
        let end = *version + TURNS;
        while *version < end {
            assert!(started.elapsed() < 2 * TIMEOUT, "game {game} at {version} did not resume in time");
            match store.append(turn(game, *version)).await {
                Ok(Appended::Done(_) | Appended::Repeated(_)) => *version += 1,
                Err(StoreError::Unreachable { .. } | StoreError::Full { .. }) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                other => panic!("game {game} at {version}: {other:?}"),
            }
        }
        let log = store.list_events(&new_game(game).id, Version(0)).await.unwrap();
        let bodies = log.into_iter().skip(1).map(|event| event.body).collect::<Vec<_>>();
        let expected = (1..*version).map(|version| turn(game, version).events[0].body.clone());
        assert!(
            bodies.iter().eq(expected.collect::<Vec<_>>().iter()),
            "game {game}: turns are missing, duplicated or out of order"
        );
    }
}
