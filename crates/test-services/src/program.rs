//! Paths, ports and accounts of programs.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
};

/// An account of the system.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Account {
    pub user: u32,
    pub group: u32,
}

/// Returns the path of a program: from `PATH`, or else from the first of `folders` that has it.
pub fn find_program(name: &str, folders: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::env::split_paths(&path).chain(folders).map(|folder| folder.join(name));
    programs.into_iter().find(|program| program.is_file())
}

/// Returns a free TCP port of the loopback interface. Another process may take it before it is used; the
/// caller then tries another one.
pub fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Returns the account for a server if this process runs as root, which some servers refuse; otherwise
/// `None`.
///
/// `folder` was created by this process, so its owner is the account of the process.
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
    found.map(Some).ok_or_else(|| std::io::Error::other("the system has no account `nobody`"))
}
