//! Checks the owners and permissions of the data file, its folder and the files next to it. If they are
//! wrong, the usual cause is a command that was run as root. Each problem has one remedy, which names all
//! files that it concerns, because a remedy for one file alone may make another inaccessible to the server.

use std::{
    fmt::Write as _,
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use super::report::Report;

const ROOT: u32 = 0;
/// The permission bits that let other users read or write.
const OTHERS_READ: u32 = 0o004;
const OTHERS_WRITE: u32 = 0o002;
/// The bits that let the owner read and write.
const OWNER_READS_AND_WRITES: u32 = 0o600;
/// The bits that let users other than the owner create files in a folder.
const SHARED: u32 = 0o022;

/// The extension of the lock file.
const LOCK: &str = "lock";

/// A file or folder that exists.
#[derive(Clone, Debug)]
struct Found {
    path: PathBuf,
    owner: u32,
    mode: u32,
}

impl Found {
    fn new(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self { path: path.to_owned(), owner: found.uid(), mode: found.mode() })
    }

    /// Returns `true` for the data file, its log and the index of the log. The lock file has no
    /// content to protect.
    fn has_content(&self) -> bool {
        self.path.extension().is_none_or(|extension| extension != LOCK)
    }
}

/// The data file and the files next to it, in their folder, as this process sees them.
#[derive(Debug)]
struct Installation {
    folder: Found,
    /// Whichever of these files exist: the data file, its log, the index of the log and the lock file. The
    /// data file, if it exists, comes first.
    files: Vec<Found>,
    has_data: bool,
    /// The user that this process runs as.
    user: u32,
    /// Whether this process can create files in the folder.
    may_create: bool,
    /// Whether this process can read the data file, its log and the index of the log.
    may_read: bool,
}

#[derive(Debug, Eq, PartialEq)]
struct Problem {
    is_error: bool,
    finding: String,
    remedy: String,
}

impl Problem {
    fn error(finding: String, remedy: String) -> Self {
        Self { is_error: true, finding, remedy }
    }

    fn warning(finding: String, remedy: String) -> Self {
        Self { is_error: false, finding, remedy }
    }
}

/// Reports what is wrong with the owners and permissions. Returns `false` if it has reported an error, which
/// may also be the reason why the data cannot be opened.
pub(super) fn check(path: &Path, report: &mut Report<'_>) -> anyhow::Result<bool> {
    // The lock and the log are next to the real file, not next to a link to it.
    let path = &fs::canonicalize(path).or_else(|_| std::path::absolute(path))?;
    let folder = super::data::folder_of(path);
    let (folder, files) = match Found::new(&folder).and_then(|folder| Ok((folder, files(path)?))) {
        Ok(found) => found,
        Err(error) => {
            let mut finding = format!("{} cannot be examined: {error}", path.display());
            let remedy = if error.kind() == io::ErrorKind::PermissionDenied {
                let user = rustix::process::geteuid().as_raw();
                let foreign = Found::new(&folder).ok().filter(|folder| folder.owner != user);
                let as_server = "run this command as the server's user: sudo -u USER adoube doctor";
                foreign.map_or(as_server.to_owned(), |folder| {
                    let name = user_name(user);
                    let _ = write!(finding, "; {}", list_owners(&[&folder], &user_name));
                    let change = change_owner(&name, [&folder]);
                    format!(
                        "if the server runs as {name}: {change}, and run this again; otherwise {as_server}"
                    )
                })
            } else {
                format!("correct the file name in `data`, or create the folder {}", quoted(&folder))
            };
            report.error("permissions", finding, remedy)?;
            return Ok(false);
        }
    };
    let write_access = rustix::fs::access(&folder.path, rustix::fs::Access::WRITE_OK);
    if write_access == Err(rustix::io::Errno::ROFS) {
        report.error(
            "permissions",
            format!("{} is on a file system that is mounted read-only", folder.path.display()),
            "remount it read-write; if the system made it read-only after an error (`dmesg`), check the disk first",
        )?;
        return Ok(false);
    }
    let is_readable = |file: &Found| rustix::fs::access(&file.path, rustix::fs::Access::READ_OK).is_ok();
    let has_data = files.first().is_some_and(|first| first.path == *path);
    let may_read = files.iter().filter(|file| file.has_content()).all(is_readable);
    let user = rustix::process::geteuid().as_raw();
    let installation =
        Installation { folder, files, has_data, user, may_create: write_access.is_ok(), may_read };
    let problems = installation.problems(user_name);
    for Problem { is_error, finding, remedy } in &problems {
        if *is_error {
            report.error("permissions", finding, remedy)?;
        } else {
            report.warning("permissions", finding, remedy)?;
        }
    }
    if problems.is_empty()
        && installation.has_data
        && let [data, ..] = &*installation.files
    {
        report.ok(
            "permissions",
            format!("the data belongs to {}, and others cannot read it", user_name(data.owner)),
        )?;
    }
    Ok(!problems.iter().any(|problem| problem.is_error))
}

/// Returns those of the server's files that exist.
fn files(path: &Path) -> io::Result<Vec<Found>> {
    let mut found = Vec::new();
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match Found::new(Path::new(&name)) {
            Ok(file) => found.push(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

impl Installation {
    /// Returns the problems, most important first. `name` returns the name of a user.
    fn problems(&self, name: impl Fn(u32) -> String) -> Vec<Problem> {
        let of_owners = match self.server_user() {
            Some(server) => self.owner_problem(server, &name),
            None => self.unclear_owner_problem(&name),
        };
        of_owners.into_iter().chain(self.exposure()).collect()
    }

    /// Returns the user that the server runs as, if the owners show it.
    fn server_user(&self) -> Option<u32> {
        let Found { owner, mode, .. } = self.folder;
        if mode & SHARED == 0 {
            // Only the owner of such a folder can create the log next to the data. An owner other than root
            // is therefore the server's user; a folder that belongs to root may be a mistake.
            let of_data = self.files.first().filter(|_| self.has_data).map_or(ROOT, |data| data.owner);
            return match (owner, of_data) {
                (ROOT, ROOT) => (self.user == ROOT).then_some(ROOT),
                (ROOT, of_data) => Some(of_data),
                (owner, _) => Some(owner),
            };
        }
        let owners = self.files.iter().map(|file| file.owner);
        let others: Vec<u32> = owners.filter(|&of_file| of_file != ROOT).collect();
        match &*others {
            [] => [ROOT, owner].contains(&self.user).then_some(owner),
            [first, rest @ ..] if rest.iter().all(|other| other == first) => Some(*first),
            several => several.contains(&self.user).then_some(self.user),
        }
    }

    /// Returns the problem with the owners of the files, given the user that the server runs as.
    fn owner_problem(&self, server: u32, name: &impl Fn(u32) -> String) -> Option<Problem> {
        let (folder, server_name) = (&self.folder, name(server));
        // Root can use the files of every user.
        let is_root = server == ROOT;
        let wrong: Vec<&Found> = self.files.iter().filter(|file| !is_root && file.owner != server).collect();
        if !is_root && folder.owner != server && folder.mode & SHARED == 0 {
            let finding = format!(
                "the data belongs to {server_name}, who is not allowed to create files in {}",
                folder.path.display()
            );
            let remedy = change_owner(&server_name, [folder].into_iter().chain(wrong));
            // A server that runs as root can use these files.
            return Some(if self.user == ROOT {
                Problem::warning(finding, format!("unless the server runs as root: {remedy}"))
            } else {
                Problem::error(finding, remedy)
            });
        }
        if !wrong.is_empty() {
            let finding = format!("{}, but must belong to {server_name}", list_owners(&wrong, name));
            return Some(Problem::error(finding, change_owner(&server_name, wrong)));
        }
        let closed: Vec<&Found> = self
            .files
            .iter()
            .filter(|file| !is_root && file.mode & OWNER_READS_AND_WRITES != OWNER_READS_AND_WRITES)
            .collect();
        if !closed.is_empty() {
            let names = list(closed.iter().map(|file| file.path.display().to_string()));
            let finding = format!("{server_name} is not allowed to read and write {names}");
            return Some(Problem::error(finding, format!("chmod u+rw {}", paths(closed))));
        }
        if self.user == server && !self.may_create {
            let finding =
                format!("{server_name} is not allowed to create files in {}", folder.path.display());
            let remedy = if folder.owner == server {
                format!("chmod u+rwx {}", quoted(&folder.path))
            } else {
                change_owner(&server_name, [folder])
            };
            return Some(Problem::error(finding, remedy));
        }
        if self.user == server || self.user == ROOT {
            return None;
        }
        // `sudo` requires a `#` before a numeric user id.
        let is_id = server_name.bytes().all(|byte| byte.is_ascii_digit());
        let sudo_name = if is_id { format!("'#{server_name}'") } else { server_name.clone() };
        let (user_name, remedy) = (name(self.user), format!("sudo -u {sudo_name} adoube doctor"));
        if !self.has_data {
            let finding =
                format!("{user_name} is not allowed to create the data in {}", folder.path.display());
            return (!self.may_create).then(|| Problem::error(finding, remedy));
        }
        let finding = format!("the data belongs to {server_name}, and this command runs as {user_name}");
        Some(if self.may_read {
            Problem::warning(finding, remedy)
        } else {
            Problem::error(format!("{finding}, who is not allowed to read it"), remedy)
        })
    }

    /// Returns the problem if the owners do not show which user the server runs as.
    fn unclear_owner_problem(&self, name: &impl Fn(u32) -> String) -> Option<Problem> {
        let folder = (!self.may_create).then_some(&self.folder);
        let wrong = self.files.iter().filter(|file| self.user == ROOT || file.owner != self.user);
        let wrong: Vec<&Found> = folder.into_iter().chain(wrong).collect();
        if wrong.is_empty() {
            return None;
        }
        let (finding, user_name) = (list_owners(&wrong, name), name(self.user));
        // If there are no files, this may be the wrong folder, and its owner should not be changed.
        let elsewhere =
            if self.files.is_empty() { "if the data should be elsewhere, correct `data`; " } else { "" };
        Some(if self.user == ROOT {
            Problem::error(
                finding,
                format!("{elsewhere}give them to the server's user: {}", change_owner("USER", wrong)),
            )
        } else {
            Problem::error(
                format!("{finding}, and this command runs as {user_name}"),
                format!(
                    "{elsewhere}if the server runs as {user_name}: {}; otherwise run this command as the server's user",
                    change_owner(&user_name, wrong)
                ),
            )
        })
    }

    /// Returns the problem if every user of the machine has access to the data.
    fn exposure(&self) -> Option<Problem> {
        let exposed: Vec<&Found> = self
            .files
            .iter()
            .filter(|file| file.has_content() && file.mode & (OTHERS_READ | OTHERS_WRITE) != 0)
            .collect();
        let has = |bits: u32| exposed.iter().any(|file| file.mode & bits != 0);
        let access = match (has(OTHERS_READ), has(OTHERS_WRITE)) {
            (true, true) => "read and change",
            (true, false) => "read",
            (false, true) => "change",
            (false, false) => return None,
        };
        let names = list(exposed.iter().map(|file| file.path.display().to_string()));
        Some(Problem::warning(
            format!(
                "every user of this machine can {access} {names}; the data contains e-mail addresses and password hashes"
            ),
            format!("chmod o= {}", paths(exposed)),
        ))
    }
}

/// Returns the command that gives files to a user, and to that user's group.
fn change_owner<'a>(user: &str, files: impl IntoIterator<Item = &'a Found>) -> String {
    // A user without a name has no group that `chown` could look up.
    let group = if user.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { ":" };
    format!("chown {user}{group} {}", paths(files))
}

/// Lists the owner of each file.
fn list_owners(files: &[&Found], name: &impl Fn(u32) -> String) -> String {
    list(files.iter().map(|file| format!("{} belongs to {}", file.path.display(), name(file.owner))))
}

fn list(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}

/// Returns the paths of files as words for a shell.
fn paths<'a>(files: impl IntoIterator<Item = &'a Found>) -> String {
    files.into_iter().map(|file| quoted(&file.path)).collect::<Vec<_>>().join(" ")
}

/// Quotes a path for a shell, if it needs quotes.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@%:,=".contains(c);
    if text.chars().all(is_plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Returns the name of an operating-system user, or the id of a user without a name.
fn user_name(uid: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut named = users.lines().filter_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    });
    named.next().unwrap_or_else(|| uid.to_string())
}

#[cfg(test)]
mod tests;
