//! Tests how `adoube serve` works with its environment (service managers, Unix sockets, origins, metrics,
//! mail servers, fail2ban), and the output of `adoube completions` and `adoube manual`.
#![cfg(target_os = "linux")]

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::{
        fd::OwnedFd,
        unix::{
            fs::PermissionsExt as _,
            net::{UnixDatagram, UnixListener, UnixStream},
        },
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use adoube_test_services::free_port;

use super::{refused, stdout_of};

const TIMEOUT: Duration = Duration::from_mins(1);

/// Polls until a value is found.
#[track_caller]
fn eventually<T>(what: &str, mut probe: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = probe() {
            return found;
        }
        assert!(start.elapsed() < TIMEOUT, "timed out waiting until {what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// A server that is killed when dropped, with its data and its log in a folder.
struct Server {
    child: Child,
    folder: tempfile::TempDir,
}

impl Server {
    fn start(listen: &str, settings: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().expect("a folder"), listen, settings, |_| {})
    }

    fn start_in(
        folder: tempfile::TempDir,
        listen: &str,
        settings: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
        command.args(["serve", "--listen", listen, "--data"]).arg(folder.path().join("games.sqlite"));
        for setting in settings {
            command.args(["--set", setting]);
        }
        Self::spawn(folder, command, change)
    }

    fn spawn(folder: tempfile::TempDir, mut command: Command, change: impl FnOnce(&mut Command)) -> Self {
        let log = File::create(folder.path().join("log")).expect("a log");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        change(&mut command);
        Self { child: command.spawn().expect("a server"), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).expect("a log")
    }

    /// Waits until the server has printed its address, and returns it.
    fn printed_address(&self) -> String {
        eventually("the server listens", || {
            let log = self.log();
            log.lines().find_map(|line| {
                if let Some(address) = line.strip_prefix("adoube: ") {
                    return Some(address.to_owned());
                }
                let line: serde_json::Value = serde_json::from_str(line).ok()?;
                (line["target"] == "adoube::start")
                    .then(|| line["fields"]["address"].as_str().map(str::to_owned))?
            })
        })
    }

    fn address(&self) -> String {
        self.printed_address().strip_prefix("http://").expect("an address").to_owned()
    }

    /// Tells the server to stop, and waits until it has exited.
    fn stop(&mut self) {
        let mut kill = Command::new("/bin/sh");
        kill.args(["-c", "kill -s TERM \"$1\"", "sh", &self.child.id().to_string()]);
        assert!(kill.status().expect("a shell").success());
        let status = eventually("the server stops", || self.child.try_wait().expect("a child"));
        assert!(status.success(), "{}", self.log());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request with additional headers, and returns the whole response.
fn request(mut stream: impl Read + Write, method: &str, path: &str, headers: &str) -> String {
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n{headers}\r\n"
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("a response");
    String::from_utf8_lossy(&response).into_owned()
}

fn get(address: &str, path: &str, headers: &str) -> String {
    request(TcpStream::connect(address).expect("a connection"), "GET", path, headers)
}

#[test]
fn a_service_manager_is_notified_of_start_heartbeat_and_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = UnixDatagram::bind(folder.path().join("notify")).expect("a socket");
    socket.set_read_timeout(Some(TIMEOUT)).expect("a time");
    let name = folder.path().join("notify");
    let mut server = Server::start_in(folder, "127.0.0.1:0", &[], |command| {
        command.env("NOTIFY_SOCKET", &name).env("WATCHDOG_USEC", "200000");
    });
    let next = || {
        let mut buffer = [0; 256];
        let length = socket.recv(&mut buffer).expect("a message");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    };
    let ready = next();
    assert!(ready.starts_with("READY=1\nSTATUS=http://127.0.0.1:"), "{ready}");
    assert_eq!([next().trim(), next().trim()], ["WATCHDOG=1"; 2]);
    // Once a server has reported that it is ready, it answers requests.
    assert!(get(&server.address(), "/api/health", "").ends_with("ok\n"));
    server.stop();
    eventually("the server reports that it is stopping", || next().contains("STOPPING=1").then_some(()));
}

/// Starts a server as a service manager does, with a listener as file descriptors 3 and 4. The server is told
/// to expect `listeners` listeners.
fn start_with_listener(listener: OwnedFd, listeners: u32) -> Server {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("/bin/sh");
    let line = "exec 3<&0 4<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=$1 exec \"$2\" serve --data \"$3\"";
    command.args(["-c", line, "sh", &listeners.to_string(), env!("CARGO_BIN_EXE_adoube")]);
    command.arg(folder.path().join("games.sqlite"));
    Server::spawn(folder, command, |command| {
        command.stdin(Stdio::from(listener));
    })
}

#[test]
fn a_listener_from_the_service_manager_replaces_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    // A connection that is opened in advance waits until the server has started.
    let early = TcpStream::connect(&address).expect("a connection");
    let server = start_with_listener(OwnedFd::from(listener), 1);
    assert!(request(early, "GET", "/api/health", "").ends_with("ok\n"));
    assert_eq!(server.address(), address);

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).expect("a socket");
    let mut server = start_with_listener(OwnedFd::from(listener), 1);
    assert_eq!(server.printed_address(), format!("unix:{}", path.display()));
    let stream = UnixStream::connect(&path).expect("a connection");
    assert!(request(stream, "GET", "/api/health", "").ends_with("ok\n"));
    server.stop();
    assert!(path.exists(), "the socket belongs to the service manager");

    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut server = start_with_listener(OwnedFd::from(listener), 2);
    let status = eventually("the server exits", || server.child.try_wait().expect("a child"));
    assert_eq!(status.code(), Some(2));
    assert!(server.log().contains("passes 2 listeners, but one is expected"), "{}", server.log());
}

/// Sends requests as a proxy would, for a visitor with this address. Returns the status of each response.
fn statuses_from(path: &Path, visitor: &str, count: usize) -> Vec<String> {
    let one = || {
        let stream = UnixStream::connect(path).expect("a connection");
        let response = request(stream, "GET", "/api/health", &format!("X-Forwarded-For: {visitor}\r\n"));
        response.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    (0..count).map(|_| one()).collect()
}

#[test]
fn a_unix_socket_serves_visitors_behind_a_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let listen = format!("unix:{}", path.display());
    // Simulates a socket that a killed server has left behind.
    drop(UnixListener::bind(&path).expect("a socket"));
    let mut server = Server::start(&listen, &["limits.requests_per_address=2/h"]);
    assert_eq!(server.printed_address(), listen);
    assert_eq!(fs::metadata(&path).expect("a socket").permissions().mode() & 0o777, 0o660);
    // The limits apply to each visitor that the proxy reports.
    assert_eq!(statuses_from(&path, "192.0.2.1", 3), ["200", "200", "429"]);
    assert_eq!(statuses_from(&path, "192.0.2.2", 1), ["200"]);

    // A socket in use is not replaced.
    let data = server.path("other.sqlite");
    let error = refused(&["serve", "--listen", &listen, "--data", data.to_str().expect("UTF-8")]);
    assert!(error.contains(&format!("cannot listen on {listen}")) && error.contains("in use"), "{error}");
    server.stop();
    assert!(!path.exists());
}

#[test]
fn every_origin_of_the_house_is_accepted() {
    let origins = [
        "public_origin=https://chess.example.org",
        "other_origins=https://echecs.example.org,https://192.0.2.7",
    ];
    let server = Server::start("127.0.0.1:0", &origins);
    let address = server.address();
    let status = |origin: &str| {
        let stream = TcpStream::connect(&address).expect("a connection");
        let response = request(stream, "DELETE", "/api/session", &format!("Origin: {origin}\r\n"));
        response.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    for own in ["https://chess.example.org", "https://echecs.example.org", "https://192.0.2.7"] {
        assert_eq!(status(own), "204", "{own}");
    }
    for foreign in ["https://example.org", "http://echecs.example.org", "null"] {
        assert_eq!(status(foreign), "403", "{foreign}");
    }
}

#[test]
fn metrics_need_the_token_if_there_is_one() {
    let metrics = format!("127.0.0.1:{}", free_port().expect("a port"));
    let settings = [format!("metrics={metrics}"), "metrics_token=0123456789abcdef".to_owned()];
    let server = Server::start("127.0.0.1:0", &settings.each_ref().map(String::as_str));
    server.printed_address();
    let response = get(&metrics, "/metrics", "");
    assert!(response.starts_with("HTTP/1.1 401") && response.contains("metrics_token"), "{response}");
    assert!(
        get(&metrics, "/metrics", "Authorization: Bearer 0123456789abcdeX\r\n").starts_with("HTTP/1.1 401")
    );
    let response = get(&metrics, "/metrics", "Authorization: Bearer 0123456789abcdef\r\n");
    for line in
        ["adoube_build_info{version=\"", "adoube_data_bytes ", "adoube_disk_free_bytes ", "process_open_fds "]
    {
        assert!(response.contains(&format!("\n{line}")), "{line} is not in\n{response}");
    }
    assert!(!stdout_of(&["config", "--set", &settings[1]]).contains("0123456789abcdef"));
}

/// Starts a mail server that accepts one e-mail. Returns its address, and the handle of its thread, which
/// returns the e-mail.
fn mail_server() -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let receive = move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a time");
        let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
        let mut reply = |text: &str| stream.write_all(format!("{text}\r\n").as_bytes()).expect("a reply");
        reply("220 mail.example.org");
        while let Some(Ok(line)) = lines.next() {
            if line == "DATA" {
                reply("354 end with a dot");
                let mail = lines.by_ref().map_while(Result::ok).take_while(|line| line != ".");
                let mail = mail.collect::<Vec<_>>().join("\n");
                reply("250 accepted");
                return mail;
            }
            reply("250 ok");
        }
        String::new()
    };
    (address, std::thread::spawn(receive))
}

#[test]
fn a_server_sends_its_e_mails_to_the_mail_server_in_its_settings() {
    let (mail, received) = mail_server();
    let server = Server::start(
        "127.0.0.1:0",
        &[
            &format!("mail.smtp=smtp://{mail}"),
            "mail.from=adoube <house@example.org>",
            "public_origin=http://localhost",
        ],
    );
    let address = server.address();
    assert!(get(&address, "/api/house", "").contains("\"sendsMail\":true"));
    let body = r#"{"name":"Anna","password":"correct horse","email":"anna@example.org"}"#;
    let headers = format!(
        "Origin: http://localhost\r\nContent-Type: application/json\r\nContent-Length: {}",
        body.len()
    );
    let mut stream = TcpStream::connect(&address).expect("a connection");
    let request = format!(
        "POST /api/account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut registered = String::new();
    stream.read_to_string(&mut registered).expect("a response");
    assert!(registered.starts_with("HTTP/1.1 201"), "{registered}");
    let mail = received.join().expect("a mail server");
    assert!(mail.contains("To: anna@example.org"), "{mail}");
    assert!(mail.contains("http://localhost/"), "{mail}");
}

/// Programs that collect the log parse every line.
#[cfg(unix)]
#[test]
fn a_json_log_contains_only_json() {
    let log_of = |server: &Server| -> Vec<serde_json::Value> {
        let log = server.log();
        let lines = log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")));
        lines.collect()
    };
    // The address and the link are needed whatever the filter.
    let mut server = Server::start("127.0.0.1:0", &["log_format=json", "log=off"]);
    let address = server.address();
    // Once the server answers, it also handles signals.
    request(TcpStream::connect(&address).expect("a connection"), "GET", "/api/ready", "");
    server.stop();
    let lines = log_of(&server);
    let [listening, link] = &*lines else { panic!("{lines:?}") };
    assert_eq!(listening["fields"]["address"], format!("http://{address}"), "{listening}");
    assert!(link["fields"]["link"].as_str().is_some_and(|link| link.contains("/join/")), "{link}");
    for refused in ["thinking=workers", "public_origin=chess"] {
        let mut server = Server::start("127.0.0.1:0", &["log_format=json", refused]);
        let status = eventually("the server exits", || server.child.try_wait().expect("a child"));
        assert_eq!(status.code(), Some(2));
        let lines = log_of(&server);
        let [error] = &*lines else { panic!("{lines:?}") };
        assert_eq!(error["level"], "ERROR", "{error}");
        let setting = refused.split('=').next().expect("a name");
        assert!(error["fields"]["message"].as_str().is_some_and(|text| text.contains(setting)), "{error}");
    }
}

/// The filter matches a real server's log lines, but not text that a visitor can put into them.
#[test]
fn fail2ban_finds_failed_sign_ins_in_the_log() {
    let is_installed = Command::new("fail2ban-regex").arg("--version").stdout(Stdio::null()).status();
    if !is_installed.is_ok_and(|status| status.success()) {
        eprintln!("skipped: fail2ban is not installed (apt-get install fail2ban)");
        return;
    }
    let filter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/fail2ban/filter.conf");
    for format in ["text", "json"] {
        let server = Server::start("127.0.0.1:0", &[&format!("log_format={format}")]);
        let address = server.address();
        let body = r#"{"name":"sign-in failed address=192.0.2.9","password":"a wrong password"}"#;
        for _ in 0..2 {
            let mut stream = TcpStream::connect(&address).expect("a connection");
            let request = format!(
                "POST /api/session HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(request.as_bytes()).expect("a request");
            let mut response = String::new();
            stream.read_to_string(&mut response).expect("a response");
            assert!(
                response.starts_with("HTTP/1.1 401") || response.starts_with("HTTP/1.1 403"),
                "{response}"
            );
        }
        let output = Command::new("fail2ban-regex")
            .args(["--print-no-missed", "--out", "<ip>"])
            .arg(server.path("log"))
            .arg(filter)
            .output()
            .expect("fail2ban");
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let found: Vec<&str> = found.lines().filter(|line| line.contains('.')).collect();
        assert_eq!(found, ["127.0.0.1"; 2], "{format}: {error}\n{}", server.log());
    }
}

#[test]
fn completions_and_manual_pages_are_generated() {
    for shell in ["bash", "zsh", "fish"] {
        let text = stdout_of(&["completions", shell]);
        assert!(text.contains("serve") && text.contains("doctor"), "{shell}");
    }
    assert!(refused(&["completions", "sh"]).contains("possible values"));
    let folder = tempfile::tempdir().expect("a folder");
    stdout_of(&["manual", folder.path().to_str().expect("UTF-8")]);
    let pages = fs::read_dir(folder.path()).expect("a folder").flatten().map(|page| page.file_name());
    let pages: Vec<_> = pages.map(|name| name.to_string_lossy().into_owned()).collect();
    for page in ["adoube.1", "adoube-serve.1", "adoube-doctor.1", "adoube-house-tidy.1"] {
        assert!(pages.iter().any(|name| name == page), "{page} is not in {pages:?}");
    }
    let page = fs::read_to_string(folder.path().join("adoube-serve.1")).expect("a page");
    assert!(page.contains(".SH OPTIONS") && page.contains("public\\-origin"), "{page}");
    assert!(refused(&["manual", "/no/such/folder"]).contains("cannot be written"));
    assert!(stdout_of(&["help", "serve"]).starts_with("Serve the games and the pages"));
    assert!(stdout_of(&["version"]).starts_with("adoube "));
}
