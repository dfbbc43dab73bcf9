use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::{Account, Cleanup, StartError, find_program, free_port, unprivileged_account};

const PROGRAM: &str = "postgres";
const INSTALL: &str = "apt-get install postgresql";
/// The superuser of the database server.
const USER: &str = "postgres";
/// Maximum number of attempts. Each uses a different port, because another process may
/// take the port before the server does.
const ATTEMPTS: usize = 5;

/// Whether commits survive a power cut.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Durability {
    /// Commits wait for the disk, as in production. Use it to test or measure durability.
    Full,
    /// Commits do not wait (`fsync = off`), which is faster. Killing the server still loses no data, because
    /// the system keeps what was written.
    Off,
}

/// An empty PostgreSQL server.
///
/// It can be reached over TCP on the loopback interface and through a Unix socket in
/// [`folder`](Self::folder). Every role is trusted, except that members of the `guarded` role, which a test
/// may create, need a password over TCP.
#[derive(Debug)]
pub struct Postgres {
    /// Stops the server and deletes the folder.
    _cleanup: Cleanup,
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    account: Option<Account>,
    databases: AtomicU32,
}

impl Postgres {
    /// Starts a server and waits until it answers, which takes about two seconds.
    pub fn start(durability: Durability) -> Result<Self, StartError> {
        Self::start_in(&std::env::temp_dir(), durability)
    }

    /// Starts a server whose data is in a new folder within `parent`, for instance to use a separate disk.
    pub fn start_in(parent: &Path, durability: Durability) -> Result<Self, StartError> {
        let programs = find_programs().ok_or(StartError::Missing { program: PROGRAM, install: INSTALL })?;
        let failed = |error: io::Error| StartError::failed(PROGRAM, error);
        let folder = tempfile::Builder::new().prefix("adoube-postgres-").tempdir_in(parent);
        let folder = folder.map_err(failed)?.keep();
        let account = unprivileged_account(&folder, &[USER]).map_err(failed)?;
        if let Some(Account { user, group }) = account {
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).map_err(failed)?;
        }
        let data = folder.join("data");
        let stop: [OsString; 6] = [
            programs.join("pg_ctl").into(),
            "stop".into(),
            "--silent".into(),
            "--mode=immediate".into(),
            "--pgdata".into(),
            data.into(),
        ];
        let cleanup = Cleanup::new(&folder, stop, account).map_err(failed)?;
        let databases = AtomicU32::new(0);
        let mut server = Self { _cleanup: cleanup, programs, folder, port: 0, account, databases };
        server.create(durability)?;
        let mut attempt = 1;
        loop {
            server.port = free_port().map_err(failed)?;
            match server.restart() {
                Err(error) if attempt < ATTEMPTS && error.to_string().contains("Address already in use") => {
                    attempt += 1;
                }
                Err(error) => return Err(error),
                Ok(()) => return Ok(server),
            }
        }
    }

    fn create(&self, durability: Durability) -> Result<(), StartError> {
        let mut initdb = self.command("initdb");
        initdb.arg("--pgdata").arg(self.data()).args(["--username", USER, "--auth=trust"]);
        run(initdb.args(["--encoding=UTF8", "--locale=C", "--no-sync"]))?;
        let fsync = match durability {
            Durability::Full => "on",
            Durability::Off => "off",
        };
        let settings = format!(
            "listen_addresses = '127.0.0.1'\nunix_socket_directories = '{}'\nfsync = {fsync}\n\
             full_page_writes = {fsync}\nmax_connections = 200\n",
            self.folder.display()
        );
        let access = "host all +guarded 127.0.0.1/32 scram-sha-256\n\
                      host all all 127.0.0.1/32 trust\nlocal all all trust\n";
        let append = |name: &str, text: &str| {
            let mut file = fs::OpenOptions::new().append(true).open(self.data().join(name))?;
            io::Write::write_all(&mut file, text.as_bytes())
        };
        append("postgresql.conf", &settings)
            .and_then(|()| fs::write(self.data().join("pg_hba.conf"), access))
            .map_err(|error| StartError::failed(PROGRAM, error))
    }

    /// Starts the server on its old port after [`stop`](Self::stop), and waits until it answers.
    pub fn restart(&self) -> Result<(), StartError> {
        let log = self.folder.join("log");
        // Otherwise the log would still contain the error from an earlier attempt.
        let _ = fs::remove_file(&log);
        let mut start = self.command("pg_ctl");
        start.args(["start", "--silent", "--wait", "--timeout=60", "--pgdata"]).arg(self.data());
        start.arg("--log").arg(&log).arg(format!("--options=-p {}", self.port));
        run(&mut start).map_err(|error| match fs::read_to_string(&log) {
            Ok(log) => StartError::failed(PROGRAM, log.trim_end()),
            Err(_) => error,
        })
    }

    /// Kills all the server's processes (`pg_ctl stop -m immediate`).
    pub fn stop(&self) -> Result<(), StartError> {
        let mut stop = self.command("pg_ctl");
        run(stop.args(["stop", "--silent", "--mode=immediate", "--pgdata"]).arg(self.data()))
    }

    /// Suspends the processes (`SIGSTOP`) until [`resume`](Self::resume). Connections stay open and get no
    /// response.
    pub fn pause(&self) -> Result<(), StartError> {
        self.signal("STOP")
    }

    /// Resumes the processes after [`pause`](Self::pause).
    pub fn resume(&self) -> Result<(), StartError> {
        self.signal("CONT")
    }

    /// Sends a signal to the server's main process and to all its child processes.
    fn signal(&self, name: &str) -> Result<(), StartError> {
        const SCRIPT: &str =
            r#"leader=$(head -n 1 "$2") && kill -s "$1" "$leader" $(ps -o pid= --ppid "$leader")"#;
        let mut shell = Command::new("/bin/sh");
        run(shell.args(["-c", SCRIPT, "sh", name]).arg(self.data().join("postmaster.pid")))
    }

    /// Creates a database with a unique name, and returns its address.
    pub fn create_database(&self) -> Result<String, StartError> {
        self.create_database_with("ENCODING 'UTF8'")
    }

    /// Creates a database with these `CREATE DATABASE` options, and returns its address.
    pub fn create_database_with(&self, options: &str) -> Result<String, StartError> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.psql("postgres", &format!("CREATE DATABASE {name} TEMPLATE template0 {options}"))?;
        Ok(self.address(&name))
    }

    /// Returns the address of a database, for the superuser.
    pub fn address(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    /// Returns the port on the loopback interface.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the folder that contains the data and the Unix socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Executes statements as the superuser. Returns the result as text, one row per line with `|` between
    /// columns.
    pub fn psql(&self, database: &str, statements: &str) -> Result<String, StartError> {
        let mut psql = self.command("psql");
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]);
        psql.arg("--dbname").arg(self.address(database)).arg("--command").arg(statements);
        output(&mut psql)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Returns a command for one of the programs, to run under the server's account.
    fn command(&self, program: &str) -> Command {
        use std::os::unix::process::CommandExt as _;
        let mut command = Command::new(self.programs.join(program));
        // Variables such as PGHOST could point to another server.
        command.env_clear().env("LC_ALL", "C").current_dir("/");
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        if let Some(Account { user, group }) = self.account {
            command.uid(user).gid(group);
        }
        command
    }
}

/// Returns the folder that contains the PostgreSQL programs: those in `PATH` or, if there are none, those of
/// the newest installed version.
fn find_programs() -> Option<PathBuf> {
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed = installed.map(|entry| entry.path()).collect::<Vec<_>>();
    installed.sort_by_key(|path| std::cmp::Reverse(version(path)));
    let initdb = find_program("initdb", installed.into_iter().map(|path| path.join("bin")))?;
    // A program in `PATH` may be a link into that folder.
    Some(initdb.canonicalize().ok()?.parent()?.to_owned())
}

fn run(command: &mut Command) -> Result<(), StartError> {
    output(command.stdin(Stdio::null())).map(|_| ())
}

fn output(command: &mut Command) -> Result<String, StartError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().map_err(|error| StartError::failed(PROGRAM, format!("{program}: {error}")))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    } else {
        let messages = [output.stdout, output.stderr].concat();
        Err(StartError::failed(
            PROGRAM,
            format!("{program}: {}", String::from_utf8_lossy(&messages).trim_end()),
        ))
    }
}
