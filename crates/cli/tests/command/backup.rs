//! Tests `adoube backup` and `adoube restore` on a full disk.

use std::{fs, path::Path, process::Command};

use crate::{
    copy::{large_house, old_house},
    stdout_of,
};

/// Returns the error from a command that cannot write files larger than 512 KiB, as if the disk were full.
#[track_caller]
fn error_with_limited_file_size(arguments: &[&str]) -> String {
    // In POSIX, the unit is 512 bytes.
    let script = "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_adoube")]).args(arguments);
    let output = command.output().expect("a shell");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The copy to be restored is small enough to be written, but the data that it replaces is not.
#[test]
fn a_full_disk_is_not_taken_for_damaged_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, old) = (large_house(folder.path()), old_house(folder.path()));
    let copy = folder.path().join("copy.sqlite");
    let before = fs::read(&data).expect("the data");
    assert!(before.len() > 1 << 20, "the data is too small for this test");

    let error = error_with_limited_file_size(&["backup", "--data", text(&data), text(&copy)]);
    assert!(error.contains("copy.sqlite.part cannot be written: "), "{error}");
    assert!(!copy.exists());

    stdout_of(&["backup", "--data", text(&old), text(&copy)]);
    let error = error_with_limited_file_size(&["restore", "--data", text(&data), text(&copy)]);
    assert!(error.contains("large.sqlite.before.part cannot be written: "), "{error}");
    assert_eq!(fs::read(&data).expect("the data"), before);
    for left in ["large.sqlite.before", "large.sqlite.before.part", "large.sqlite.part"] {
        assert!(!folder.path().join(left).exists(), "{left}");
    }
}
