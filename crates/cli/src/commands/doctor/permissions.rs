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
    /// Whether this process can read the data and the files next to it.
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
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
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
    let created = rustix::fs::access(&folder.path, rustix::fs::Access::WRITE_OK);
    if created == Err(rustix::io::Errno::ROFS) {
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
    let installation = Installation { folder, files, has_data, user, may_create: created.is_ok(), may_read };
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
        let (user_name, remedy) = (name(self.user), format!("sudo -u {server_name} adoube doctor"));
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
        Some(if self.user == ROOT {
            Problem::error(
                finding,
                format!("give them to the server's user: {}", change_owner("USER", wrong)),
            )
        } else {
            Problem::error(
                format!("{finding}, and this command runs as {user_name}"),
                format!(
                    "if the server runs as {user_name}: {}; otherwise run this command as the server's user",
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

/// Returns the name of an operating-system user, or the user id if it has no name.
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
mod tests {
    use super::*;

    const ADOUBE: u32 = 100;
    const JEAN: u32 = 1000;

    fn name(user: u32) -> String {
        match user {
            ROOT => "root".into(),
            ADOUBE => "adoube".into(),
            JEAN => "jean".into(),
            other => other.to_string(),
        }
    }

    /// A folder with the data file and these owners, examined by `user`.
    fn installation(
        (folder, mode): (u32, u32),
        [data, log, index, lock]: [u32; 4],
        user: u32,
    ) -> Installation {
        let found = |path: &str, owner| Found { path: path.into(), owner, mode: 0o600 };
        let files = vec![
            found("/d/g", data),
            found("/d/g-wal", log),
            found("/d/g-shm", index),
            found("/d/g.lock", lock),
        ];
        let may_read = user == ROOT || files.iter().take(3).all(|file| file.owner == user);
        let may_create = user == ROOT || user == folder || mode & SHARED != 0;
        let folder = Found { path: "/d".into(), owner: folder, mode };
        Installation { folder, files, has_data: true, user, may_create, may_read }
    }

    const ALL: &str = "/d/g /d/g-wal /d/g-shm /d/g.lock";

    /// Checks that there is exactly one problem, an error, with this remedy.
    #[track_caller]
    fn expect_error(installation: &Installation, remedy: &str) {
        let problems = installation.problems(name);
        let [problem] = &*problems else { panic!("{problems:?}") };
        assert!(problem.is_error && problem.remedy == remedy, "{problem:?}");
    }

    #[test]
    fn one_command_gives_all_wrong_files_to_the_owner_of_the_folder() {
        let own = (ADOUBE, 0o750);
        for user in [ADOUBE, ROOT, JEAN] {
            expect_error(&installation(own, [ROOT; 4], user), &format!("chown adoube: {ALL}"));
            // The data was replaced, or only the lock was created, by a command run as root.
            let data = installation(own, [ROOT, ADOUBE, ADOUBE, ADOUBE], user);
            expect_error(&data, "chown adoube: /d/g");
            let lock = installation(own, [ADOUBE, ADOUBE, ADOUBE, ROOT], user);
            expect_error(&lock, "chown adoube: /d/g.lock");
            let log = installation(own, [ADOUBE, ROOT, ROOT, JEAN], user);
            expect_error(&log, "chown adoube: /d/g-wal /d/g-shm /d/g.lock");
        }
        let problems = installation(own, [ROOT, ADOUBE, ADOUBE, ROOT], ADOUBE).problems(name);
        let findings: Vec<_> = problems.iter().map(|problem| &*problem.finding).collect();
        assert_eq!(
            findings,
            ["/d/g belongs to root and /d/g.lock belongs to root, but must belong to adoube"]
        );
    }

    #[test]
    fn in_a_folder_owned_by_root_the_owner_of_the_data_is_the_servers_user() {
        let of_root = (ROOT, 0o755);
        // The server runs as root.
        assert_eq!(installation(of_root, [ROOT; 4], ROOT).problems(name), []);
        assert_eq!(installation(of_root, [ROOT, ROOT, ROOT, JEAN], ROOT).problems(name), []);
        // Someone else cannot tell whose server it is.
        expect_error(
            &installation(of_root, [ROOT; 4], JEAN),
            &format!(
                "if the server runs as jean: chown jean: /d {ALL}; otherwise run this command as the server's user"
            ),
        );
        // The server cannot create a log next to its data.
        let given = installation(of_root, [ADOUBE, ADOUBE, ADOUBE, ROOT], ADOUBE);
        expect_error(&given, "chown adoube: /d /d/g.lock");
        let problems = installation(of_root, [ADOUBE; 4], ROOT).problems(name);
        let [Problem { is_error: false, remedy, .. }] = &*problems else { panic!("{problems:?}") };
        assert_eq!(remedy, "unless the server runs as root: chown adoube: /d");
    }

    #[test]
    fn in_a_folder_for_several_users_the_files_show_whose_server_it_is() {
        let shared = (ROOT, 0o1777);
        for user in [ADOUBE, ROOT] {
            assert_eq!(installation(shared, [ADOUBE; 4], user).problems(name), []);
            expect_error(
                &installation(shared, [ADOUBE, ROOT, ROOT, ADOUBE], user),
                "chown adoube: /d/g-wal /d/g-shm",
            );
        }
        expect_error(
            &installation(shared, [ROOT; 4], JEAN),
            &format!(
                "if the server runs as jean: chown jean: {ALL}; otherwise run this command as the server's user"
            ),
        );
        let mixed = [ADOUBE, JEAN, ROOT, ADOUBE];
        expect_error(&installation(shared, mixed, JEAN), "chown jean: /d/g /d/g-shm /d/g.lock");
        expect_error(
            &installation(shared, mixed, ROOT),
            &format!("give them to the server's user: chown USER: {ALL}"),
        );
        assert_eq!(installation((JEAN, 0o775), [ADOUBE; 4], ADOUBE).problems(name), []);
    }

    #[test]
    fn another_user_is_told_to_run_the_command_as_the_servers_user() {
        let mut house = installation((ADOUBE, 0o750), [ADOUBE; 4], JEAN);
        expect_error(&house, "sudo -u adoube adoube doctor");
        house.may_read = true;
        let problems = house.problems(name);
        assert!(
            matches!(&*problems, [Problem { is_error: false, remedy, .. }] if remedy == "sudo -u adoube adoube doctor")
        );
        (house.files, house.has_data) = (Vec::new(), false);
        expect_error(&house, "sudo -u adoube adoube doctor");
        house.user = ADOUBE;
        house.may_create = true;
        assert_eq!(house.problems(name), []);
        // No remedy runs a command as root or gives files to root.
        for folder in [(ROOT, 0o755), (ROOT, 0o777), (ADOUBE, 0o750), (ADOUBE, 0o770)] {
            for owners in [[ROOT; 4], [ADOUBE; 4], [ROOT, ADOUBE, ROOT, JEAN], [ADOUBE, ADOUBE, ADOUBE, ROOT]]
            {
                for user in [ROOT, ADOUBE, JEAN] {
                    for problem in installation(folder, owners, user).problems(name) {
                        assert!(!problem.remedy.contains("-u root"), "{problem:?}");
                        assert!(!problem.remedy.contains("chown root"), "{problem:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_permission_bits_determine_the_finding_and_the_remedy() {
        let with_mode = |mode| {
            let mut house = installation((ADOUBE, 0o750), [ADOUBE; 4], ADOUBE);
            for file in house.files.iter_mut().take(2) {
                file.mode = mode;
            }
            house
        };
        for (mode, access) in [(0o644, "read"), (0o602, "change"), (0o606, "read and change")] {
            let problems = with_mode(mode).problems(name);
            let [Problem { is_error: false, finding, remedy }] = &*problems else { panic!("{problems:?}") };
            let expected = format!("every user of this machine can {access} /d/g and /d/g-wal;");
            assert!(finding.starts_with(&expected), "{finding}");
            assert_eq!(remedy, "chmod o= /d/g /d/g-wal");
        }
        assert_eq!(with_mode(0o601).problems(name), []);
        expect_error(&with_mode(0o400), "chmod u+rw /d/g /d/g-wal");
        let mut house = with_mode(0o600);
        house.may_create = false;
        expect_error(&house, "chmod u+rwx /d");
    }

    #[test]
    fn paths_are_quoted_for_a_shell() {
        assert_eq!(quoted(Path::new("/var/lib/échecs/games.sqlite-wal")), "/var/lib/échecs/games.sqlite-wal");
        assert_eq!(quoted(Path::new("/srv/l'école 1/g")), r"'/srv/l'\''école 1/g'");
        let file = Found { path: "/g".into(), owner: ROOT, mode: 0o600 };
        assert_eq!(change_owner("4711", [&file]), "chown 4711 /g");
    }
}
