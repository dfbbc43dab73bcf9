use std::{
    ffi::OsStr,
    io,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::Account;

/// Stops a server and deletes its folder when dropped, or when the process has ended in any way.
///
/// A shell waits for the end of a pipe that this process holds open. It has its own process group and ignores
/// the signals of a terminal, so that a signal to the test does not end it.
#[derive(Debug)]
pub struct Cleanup {
    shell: Child,
}

impl Cleanup {
    /// Starts the shell. `stop` is a program with its arguments that stops the server. It and the deletion
    /// run as `account`, if given.
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
        // If the shell fails, a temporary folder is left.
        let _ = self.shell.wait();
    }
}
