//! Tests the findings and remedies of `adoube doctor`.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use adoube_test_services::{Durability, Nats, Nginx, Postgres, free_port, or_skip};

use super::{adoube, stdout_of};

/// The output of `adoube doctor`, and whether it reported an error.
struct Findings {
    text: String,
    failed: bool,
}

impl Findings {
    /// Checks that there is a line that starts with `line`, followed by a remedy that contains `remedy`.
    #[track_caller]
    fn expect_problem(&self, line: &str, remedy: &str) {
        let mut lines = self.text.lines().skip_while(|found| !found.starts_with(line));
        assert!(lines.next().is_some(), "{line:?} is not in\n{}", self.text);
        let found = lines.next().unwrap_or_default();
        assert!(found.starts_with("  remedy: ") && found.contains(remedy), "{found}\n{}", self.text);
    }

    #[track_caller]
    fn expect_ok(&self, line: &str) {
        let line = format!("ok {line}");
        assert!(self.text.lines().any(|found| found.starts_with(&line)), "{line:?} is not in\n{}", self.text);
    }
}

#[track_caller]
fn doctor(data: &Path, arguments: &[&str]) -> Findings {
    let output = adoube(&[&["doctor", "--data", data.to_str().unwrap()], arguments].concat());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    let failed = output.status.code() == Some(2);
    assert!(failed || output.status.success(), "{text}{error}");
    assert_eq!(failed, text.contains("\nerror "), "{text}{error}");
    assert_eq!(error.lines().count(), usize::from(failed), "{error}");
    for line in text.lines() {
        let is_known =
            ["ok ", "warning ", "error ", "  remedy: "].iter().any(|prefix| line.starts_with(prefix));
        assert!(is_known, "{line}");
    }
    Findings { text, failed }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("games.sqlite");
    (folder, data)
}

fn free_address() -> String {
    format!("127.0.0.1:{}", free_port().expect("a port"))
}

/// A server that is killed when dropped.
struct Server(std::process::Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(data: &Path, arguments: &[&str], address: &str) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.args(["serve", "--listen", address, "--set", "log=error", "--data"]).arg(data).args(arguments);
    let server = Server(command.stderr(Stdio::null()).spawn().expect("a server"));
    let start = Instant::now();
    while std::net::TcpStream::connect(address).is_err() {
        assert!(start.elapsed() < Duration::from_mins(1), "the server is not listening");
        std::thread::park_timeout(Duration::from_millis(20));
    }
    server
}

#[test]
fn a_new_installation_has_no_problems_except_mail() {
    let (folder, data) = folder();
    let address = free_address();
    let found = doctor(&data, &["--listen", &address]);
    assert!(!found.failed);
    found.expect_ok("version: adoube ");
    found.expect_ok("data: SQLite 3.");
    found.expect_ok("clock: plausible");
    found.expect_ok(&format!("listen: {address} is free"));
    found.expect_ok("address: http://127.0.0.1:");
    found.expect_problem("warning mail: not set up", "mail.smtp");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "the check creates no files");
}

#[test]
fn a_missing_settings_file_is_mentioned_but_is_not_a_problem() {
    let (folder, data) = folder();
    // The machine that runs the tests may have a system-wide file.
    if !Path::new("/etc/adoube/adoube.toml").exists() {
        let found = doctor(&data, &[]);
        found.expect_ok("settings: a server would accept them");
        assert!(found.text.contains("; there is no settings file, neither /etc/adoube/adoube.toml nor"));
    }
    let file = folder.path().join("adoube.toml");
    std::fs::write(&file, "log = \"error\"\n").expect("a file");
    let found = doctor(&data, &["--config", file.to_str().unwrap()]);
    found.expect_ok("settings: a server would accept them");
    assert!(!found.text.contains("no settings file"), "{}", found.text);
}

#[test]
fn wrong_settings_are_reported_and_the_data_is_still_checked() {
    let (_folder, data) = folder();
    let found = doctor(&data, &["--set", "limits.creations=many"]);
    found.expect_problem("error settings: limits.creations: \"many\" is not a count", "`adoube config`");
    found.expect_ok("data: SQLite 3.");
    let found = doctor(&data, &["--set", "limits.creation=60/min"]);
    found.expect_problem(
        "error settings: unknown setting \"limits.creation\"; did you mean limits.creations?",
        "correct it",
    );
}

#[test]
fn a_running_server_and_another_program_are_distinguished() {
    let (_folder, data) = folder();
    let address = free_address();
    let server = serve(&data, &[], &address);
    let found = doctor(&data, &["--listen", &address]);
    assert!(!found.failed, "{}", found.text);
    found.expect_ok(&format!("listen: a server answers on {address}"));
    assert!(found.text.contains(&format!("in use by process {} on ", server.0.id())), "{}", found.text);
    drop(server);

    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = other.local_addr().expect("an address").to_string();
    // This program closes the connection without a response.
    drop(std::thread::spawn(move || other.accept().map(drop)));
    let found = doctor(&data, &["--listen", &address]);
    found.expect_problem(&format!("error listen: another program is using {address}"), "ss -ltnp");
    let found = doctor(&data, &["--listen", "192.0.2.7:8787"]);
    found.expect_problem("error listen: 192.0.2.7:8787 cannot be used", "must be an address of this machine");
}

#[test]
fn files_that_are_not_databases_and_missing_folders_are_reported() {
    let (folder, data) = folder();
    std::fs::write(&data, "not a database, but long enough to be read as one").expect("a file");
    let found = doctor(&data, &["--listen", &free_address()]);
    found.expect_problem("error data: ", "adoube restore");
    let found = doctor(&folder.path().join("no/games.sqlite"), &["--listen", &free_address()]);
    found.expect_problem("error settings: the data file ", "correct it");
}

#[cfg(unix)]
#[test]
fn wrong_permissions_left_by_a_command_run_as_root_are_found() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    let (folder, data) = folder();
    let address = free_address();
    drop(serve(&data, &[], &address));
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o644)).expect("the owner");
    let found = doctor(&data, &["--listen", &address]);
    found.expect_problem("warning permissions: every user of this machine can read ", "chmod o= ");
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o600)).expect("the owner");
    doctor(&data, &["--listen", &address]).expect_ok("permissions: the data belongs to ");
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o602)).expect("the owner");
    doctor(&data, &["--listen", &address])
        .expect_problem("warning permissions: every user of this machine can change ", "chmod o= ");
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o600)).expect("the owner");
    // Only root can change the owner of a file. `adoube doctor` assumes that the server runs as the folder's
    // owner.
    if chown(folder.path(), Some(65_534), None).is_ok() {
        let found = doctor(&data, &["--listen", &address]);
        found.expect_problem("error permissions: ", "chown ");
        let remedies: Vec<_> = found.text.lines().filter(|line| line.contains("remedy: chown ")).collect();
        let [remedy] = &*remedies else { panic!("{}", found.text) };
        for file in [&data, &data.with_file_name("games.sqlite.lock")] {
            assert!(remedy.split(' ').any(|word| Path::new(word) == file), "{remedy}");
        }
        assert!(!found.text.contains("adoube restore") && !found.text.contains("-u root"), "{}", found.text);
        check_as_another_user(folder.path(), &data);
    }
}

/// Checks the output for a user who can neither enter the folder nor read the settings. Must run as root.
#[cfg(unix)]
fn check_as_another_user(folder: &Path, data: &Path) {
    use std::os::unix::{
        fs::{PermissionsExt as _, chown},
        process::CommandExt as _,
    };
    let settings = tempfile::NamedTempFile::new().expect("a file");
    std::fs::set_permissions(settings.path(), std::fs::Permissions::from_mode(0o600)).expect("the owner");
    chown(folder, Some(0), None).expect("root");
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).expect("the owner");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.args(["doctor", "--data"]).arg(data).uid(65_534).current_dir("/");
    // That user may not be able to reach the program.
    let Ok(output) = command.output() else { return };
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains(" belongs to root\n  remedy: if the server runs as "), "{text}");
    assert!(text.contains(": chown ") && text.contains("sudo -u USER adoube doctor"), "{text}");
    let output = command.arg("--config").arg(settings.path()).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("error settings: ") && text.contains("chmod 640 FILE"), "{text}");
}

#[test]
fn an_unreachable_mail_server_is_reported_without_the_password() {
    let (_folder, data) = folder();
    let smtp = format!("mail.smtp=smtp://me:open-sesame@{}", free_address());
    let address = free_address();
    let set = ["--set", &smtp, "--set", "mail.from=a@example.org", "--listen", &address];
    let found = doctor(&data, &[&set[..], &["--public-origin", &format!("http://{address}")]].concat());
    found.expect_problem("error mail: the mail server cannot be used: ", "`mail.smtp`");
    assert!(!found.text.contains("open-sesame"), "{}", found.text);
    found.expect_ok("proxy: there is none");
}

#[test]
fn databases_and_buses_are_checked() {
    let (_folder, _) = folder();
    let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
    let database = server.create_database().expect("a database");
    let listen = free_address();
    let found = doctor(Path::new(&database), &["--listen", &listen]);
    found.expect_ok("data: PostgreSQL ");
    assert!(found.text.contains("there is no data yet"), "{}", found.text);
    // The test database runs with durability off.
    found.expect_problem("error data: the database runs with fsync = off", "postgresql.conf");
    stdout_of(&["house", "tidy", "--data", &database]);
    let found = doctor(Path::new(&database), &["--listen", &listen, "--bus", "nats://127.0.0.1:1"]);
    assert!(found.text.contains(", schema "), "{}", found.text);
    found.expect_problem("error bus: the bus at nats://127.0.0.1:1 cannot be reached", "start nats-server");
    let Some(bus) = or_skip(Nats::start()) else { return };
    let found = doctor(Path::new(&database), &["--listen", &listen, "--bus", &bus.address()]);
    found.expect_ok("bus: nats://127.0.0.1:");
}

/// Starts a proxy in front of a port. `lines` are added to its `location` block.
fn proxy(port: u16, lines: &str) -> Option<Nginx> {
    proxy_with(&format!("location / {{ proxy_pass http://127.0.0.1:{port};\n{lines} }}"))
}

fn proxy_with(location: &str) -> Option<Nginx> {
    or_skip(Nginx::start(|folder, listen| {
        let folder = folder.display();
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|path| format!("{path}_temp_path {folder}/{path};\n"))
            .concat();
        format!(
            "pid {folder}/pid;\nevents {{}}\nhttp {{\n{paths}access_log off;\n\
             map $http_upgrade $connection_header {{ default upgrade; '' ''; }}\n\
             server {{ listen 127.0.0.1:{listen}; {location} }} }}"
        )
    }))
}

const FORWARDED: &str = "proxy_set_header X-Forwarded-For $remote_addr;\n";
const SOCKETS: &str = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade;\
     proxy_set_header Connection $connection_header;\n";

/// Runs `adoube doctor` for a house behind a proxy that has these lines in its `location` block.
#[track_caller]
fn check_behind_proxy(lines: &str, trusted: &[&str]) -> Option<Findings> {
    let (_folder, data) = folder();
    let port = free_port().expect("a port");
    let proxy = proxy(port, lines)?;
    let origin = format!("http://127.0.0.1:{}", proxy.port());
    let listen = format!("127.0.0.1:{port}");
    Some(doctor(&data, &[&["--listen", &listen, "--public-origin", &origin], trusted].concat()))
}

const TRUSTED: [&str; 2] = ["--set", "trusted_proxies=127.0.0.1"];

#[test]
fn a_correct_proxy_configuration_is_distinguished_from_wrong_ones() {
    let Some(found) = check_behind_proxy(&format!("{FORWARDED}{SOCKETS}"), &TRUSTED) else { return };
    assert!(!found.failed, "{}", found.text);
    found.expect_ok("proxy: http://127.0.0.1:");
    found.expect_ok("proxy: it reports the addresses of visitors");
    found.expect_ok("proxy: WebSockets work");

    let Some(found) = check_behind_proxy(&format!("{FORWARDED}{SOCKETS}"), &[]) else { return };
    found.expect_problem(
        "error proxy: requests come from 127.0.0.1, which is not trusted",
        "trusted_proxies = [\"127.0.0.1\"]",
    );
    let Some(found) = check_behind_proxy(SOCKETS, &TRUSTED) else { return };
    found.expect_problem(
        "error proxy: it forwards addresses that visitors claim",
        "X-Forwarded-For $remote_addr",
    );
    let Some(found) =
        check_behind_proxy(&format!("proxy_set_header X-Forwarded-For '';\n{SOCKETS}"), &TRUSTED)
    else {
        return;
    };
    found.expect_problem(
        "error proxy: it does not report the addresses of visitors",
        "X-Forwarded-For $remote_addr",
    );
    let Some(found) = check_behind_proxy(FORWARDED, &TRUSTED) else { return };
    found.expect_problem("error proxy: WebSockets fail", "proxy_http_version 1.1");
}

#[test]
fn a_proxy_that_does_not_reach_the_server_is_reported() {
    let (_folder, data) = folder();
    let address = free_address();
    let check = |origin: &str| doctor(&data, &["--listen", &address, "--public-origin", origin]);
    let found = check(&format!("http://{}", free_address()));
    found.expect_problem("error proxy: http://127.0.0.1:", "start the proxy");
    let found = check("https://no-such-host.invalid");
    found.expect_problem(
        "error proxy: https://no-such-host.invalid: no address was found for the host name ",
        "A or AAAA record",
    );
    let Some(proxy) = proxy(free_port().expect("a port"), "") else { return };
    let found = check(&format!("http://127.0.0.1:{}", proxy.port()));
    found.expect_problem("error proxy: http://127.0.0.1:", &format!("to http://{address}"));
    assert!(found.text.contains("502"), "{}", found.text);
    // This proxy does not support TLS.
    let found = check(&format!("https://127.0.0.1:{}", proxy.port()));
    found.expect_problem("error proxy: https://127.0.0.1:", "certificate");
}

#[test]
fn a_proxy_that_adds_a_path_is_reported() {
    let (_folder, data) = folder();
    let listen = free_address();
    let location = format!("location / {{ proxy_pass http://{listen}/echecs/;\n{FORWARDED}{SOCKETS} }}");
    let Some(proxy) = proxy_with(&location) else { return };
    let address = format!("http://127.0.0.1:{}", proxy.port());
    let found = doctor(&data, &[&["--listen", &listen, "--public-origin", &address], &TRUSTED[..]].concat());
    found.expect_problem(
        &format!("error proxy: {address} reaches the server, but /api/health?adoube-doctor-"),
        "make the proxy pass on requests with their paths and queries unchanged",
    );
    assert!(found.text.contains(" arrives there as /echecs/api/health?"), "{}", found.text);
}

#[test]
fn a_proxy_that_removes_the_path_of_the_house_is_reported() {
    let (_folder, data) = folder();
    let port = free_port().expect("a port");
    let listen = format!("127.0.0.1:{port}");
    // A slash after the port replaces the path of the location.
    for (end, removes) in [("/", true), ("", false)] {
        let location =
            format!("location /echecs/ {{ proxy_pass http://{listen}{end};\n{FORWARDED}{SOCKETS} }}");
        let Some(proxy) = proxy_with(&location) else { return };
        let address = format!("http://127.0.0.1:{}/echecs", proxy.port());
        let check = || {
            let found =
                doctor(&data, &[&["--listen", &listen, "--public-origin", &address], &TRUSTED[..]].concat());
            if removes {
                let problem = format!(
                    "error proxy: {address} reaches the server, but the proxy removes /echecs from request paths"
                );
                found.expect_problem(
                    &problem,
                    &format!("`location /echecs/ {{ proxy_pass http://{listen}; }}`"),
                );
            } else {
                assert!(!found.failed, "{}", found.text);
                found.expect_ok("proxy: WebSockets work");
            }
        };
        check();
        let _server = serve(&data, &["--public-origin", &address], &listen);
        check();
    }
}

#[test]
fn a_proxy_in_front_of_a_running_server_is_checked() {
    let (_folder, data) = folder();
    let port = free_port().expect("a port");
    let address = format!("127.0.0.1:{port}");
    let Some(proxy) = proxy(port, &format!("{FORWARDED}{SOCKETS}")) else { return };
    let origin = format!("http://127.0.0.1:{}", proxy.port());
    let _server = serve(&data, &["--public-origin", &origin], &address);
    let found = doctor(&data, &["--listen", &address, "--public-origin", &origin]);
    found.expect_ok("proxy: http://127.0.0.1:");
    found.expect_ok("proxy: WebSockets work");
}
