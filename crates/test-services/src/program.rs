//! Helpers for tests that run programs: find a program, a free port or an account, and wait until a process
//! is stopped.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The ids of a system account and its group.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Account {
    pub user: u32,
    pub group: u32,
}

/// Finds a program in `PATH`, or else in the first of `folders` that has it.
pub fn find_program(name: &str, folders: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::env::split_paths(&path).chain(folders).map(|folder| folder.join(name));
    programs.into_iter().find(|program| program.is_file())
}

/// Returns a free TCP port on the loopback interface. Another process may take it before it is used, in which
/// case the caller should try another one.
pub fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Returns an account under which to run a server if this process runs as root, because some servers refuse
/// to run as root. Otherwise returns `None`.
///
/// `folder` must have been created by this process: its owner shows whether the process runs as root.
pub fn unprivileged_account(folder: &Path, preferred: &[&str]) -> std::io::Result<Option<Account>> {
    use std::os::unix::fs::MetadataExt as _;
    const ROOT: u32 = 0;
    if fs::metadata(folder)?.uid() != ROOT {
        return Ok(None);
    }
    let accounts = fs::read_to_string("/etc/passwd")?;
    let account = |name: &str| {
        let mut fields = accounts
            .lines()
            .map(|line| line.split(':'))
            .find(|fields| fields.clone().next() == Some(name))?
            .skip(2);
        Some(Account { user: fields.next()?.parse().ok()?, group: fields.next()?.parse().ok()? })
    };
    let found = preferred.iter().chain(&["nobody"]).find_map(|name| account(name));
    found.map(Some).ok_or_else(|| std::io::Error::other("the system has no `nobody` account"))
}

/// Waits until all threads of a process that was sent `SIGSTOP` are stopped. On a busy machine, the other
/// threads keep running until the one that received the signal has been scheduled. Returns `false` after five
/// seconds, and `true` immediately on systems without `/proc`.
pub(crate) fn wait_until_stopped(process: u32) -> bool {
    let end = Instant::now() + Duration::from_secs(5);
    let is_stopped = |thread: &fs::DirEntry| {
        // The state follows the name of the program, which is in parentheses and may contain any character.
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, fields)| fields.starts_with('T'))
    };
    loop {
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return true };
        if threads.flatten().all(|thread| is_stopped(&thread)) {
            return true;
        }
        if Instant::now() > end {
            return false;
        }
        #[expect(clippy::disallowed_methods, reason = "there is no event to wait for")]
        thread::sleep(Duration::from_millis(1));
    }
}
