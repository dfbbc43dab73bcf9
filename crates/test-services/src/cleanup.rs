use std::{
    ffi::OsStr,
    io,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::Account;

/// Stops a server and deletes its folder when this is dropped, or when the process ends without dropping it.
///
/// A shell waits for end of file on a pipe that this process holds open. The shell has its own process group
/// and ignores SIGHUP, SIGINT and SIGTERM, so that a signal to the test does not end it.
#[derive(Debug)]
pub struct Cleanup {
    shell: Child,
}

impl Cleanup {
    /// Starts the shell. `stop` is the command that stops the server: a program and its arguments. The
    /// command and the deletion run as `account`, if given.
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
        // If the shell fails, the temporary folder is left behind.
        let _ = self.shell.wait();
    }
}
