use std::{
    ffi::OsStr,
    io,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::Account;

/// Stops a server and deletes its folder when this is dropped or when the process has ended, however that happens.
///
/// A small shell waits for the end of a pipe that this process holds open. It has a process group of its own and ignores the signals of a
/// terminal, so that what ends the test does not end it.
#[derive(Debug)]
pub struct Cleanup {
    shell: Child,
}

impl Cleanup {
    /// Prepares the end of a server: `stop` is a program with its arguments. Both the program and the deletion run as `account`, if one is
    /// given.
    pub fn new<A: AsRef<OsStr>>(
        folder: &Path,
        stop: impl IntoIterator<Item = A>,
        account: Option<Account>,
    ) -> io::Result<Self> {
        const SCRIPT: &str =
            r#"trap "" HUP INT TERM; read -r _; folder="$1"; shift; "$@"; cd / && rm -rf -- "$folder""#;
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "sh"]).arg(folder).args(stop);
        shell.current_dir("/").process_group(0);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(account) = account {
            shell.uid(account.user).gid(account.group);
        }
        Ok(Self { shell: shell.spawn()? })
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // Nothing can be done about a shell that fails; the folder is a temporary one.
        let _ = self.shell.wait();
    }
}
