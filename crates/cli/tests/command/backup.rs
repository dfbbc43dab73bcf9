//! Tests `adoube backup` and `adoube restore` when nothing more can be written.

use std::{fs, process::Command};

use crate::{copy::old_house, stdout_of};

/// Returns the error of a command that cannot write files larger than 64 KiB, as if the disk were full.
#[track_caller]
fn refused_with_small_files(arguments: &[&str]) -> String {
    let script = "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_adoube")]).args(arguments);
    let output = command.output().expect("a shell");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_full_disk_is_not_taken_for_damaged_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = old_house(folder.path());
    let data = house.to_str().expect("UTF-8");
    let before = fs::read(&house).expect("the data");
    assert!(before.len() > 64 << 10, "the data is too small for this test");
    let copy = folder.path().join("copy.sqlite");
    let path = copy.to_str().expect("UTF-8");

    let error = refused_with_small_files(&["backup", "--data", data, path]);
    assert!(error.contains("copy.sqlite.part cannot be written: "), "{error}");
    let damaged = ["restore", "--accept-damaged"];
    for restore in [&damaged[..1], &damaged] {
        assert_eq!(stdout_of(&["backup", "--data", data, path]).trim_end(), path);
        let error = refused_with_small_files(&[restore, &["--data", data, path]].concat());
        assert!(error.contains(" cannot be written: "), "{error}");
        fs::remove_file(&copy).expect("the copy");
    }
    // Of the attempts, only the lock is left, and the data is what it was.
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["house.sqlite", "house.sqlite.lock"]);
    assert_eq!(fs::read(&house).expect("the data"), before);
}
