//! Tests the proxy configurations in `deploy/proxy`, with TLS, in front of a server. The tests replace the
//! parts of these examples that depend on the machine, such as ports and certificates.
#![cfg(target_os = "linux")]

use std::{
    fs,
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use adoube_test_services::{Nginx, find_program, free_port, or_skip};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer},
};

const NGINX: &str = include_str!("../../../../deploy/proxy/nginx-site.conf");
const NGINX_PATH: &str = include_str!("../../../../deploy/proxy/nginx-path.conf");
const CADDY: &str = include_str!("../../../../deploy/proxy/Caddyfile");
const CADDY_PATH: &str = include_str!("../../../../deploy/proxy/Caddyfile-path");
/// The path of the house in the examples that serve it under a path.
const PATH: &str = "/echecs";
/// The page that the rest of the site serves in those examples.
const OTHER_SITE: &str = "the club's page";

/// A certificate for `localhost`, and its key.
struct Certificate {
    folder: tempfile::TempDir,
    der: CertificateDer<'static>,
}

impl Certificate {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let certificate =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        fs::write(folder.path().join("certificate.pem"), certificate.cert.pem()).expect("a file");
        fs::write(folder.path().join("key.pem"), certificate.signing_key.serialize_pem()).expect("a file");
        Self { folder, der: certificate.cert.der().clone() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    fn key(&self) -> PathBuf {
        self.folder.path().join("key.pem")
    }
}

/// Replaces strings, each of which must occur exactly once.
fn replace_once(text: &str, pairs: &[(&str, String)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (found, instead)| {
        assert_eq!(text.matches(found).count(), 1, "{found}");
        text.replace(found, instead)
    })
}

/// A process that is killed when dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for(port: u16) {
    let start = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(start.elapsed() < Duration::from_mins(1), "nothing listens on {port}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// Connects to a proxy and offers it these protocols.
async fn connect(
    port: u16,
    certificate: &Certificate,
    protocols: &[&[u8]],
) -> TlsStream<tokio::net::TcpStream> {
    let mut authorities = RootCertStore::empty();
    authorities.add(certificate.der.clone()).expect("a certificate");
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(authorities)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let stream = tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.expect("a connection");
    let name = "localhost".try_into().expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.expect("TLS")
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Returns the protocol that a proxy chooses if it is offered HTTP/2.
fn protocol(port: u16, certificate: &Certificate) -> Option<Vec<u8>> {
    runtime().block_on(async {
        let stream = connect(port, certificate, &[b"h2", b"http/1.1"]).await;
        stream.get_ref().1.alpn_protocol().map(<[u8]>::to_vec)
    })
}

/// Requests a path. Returns the whole response, including its head.
fn get(port: u16, certificate: &Certificate, path: &str) -> String {
    runtime().block_on(async {
        let mut stream = connect(port, certificate, &[b"http/1.1"]).await;
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("a request");
        let mut response = Vec::new();
        // Some servers close a TLS connection without sending `close_notify`.
        let _ = stream.read_to_end(&mut response).await;
        String::from_utf8_lossy(&response).into_owned()
    })
}

/// Checks what `adoube doctor` finds through a proxy, first without a server and then with one, and the pages
/// that the proxy serves. The house is below `path`, unless that is empty.
fn check(port: u16, server: u16, path: &str, certificate: &Certificate) {
    let data = certificate.folder.path().join("games.sqlite");
    let settings = [
        "--listen".to_owned(),
        format!("127.0.0.1:{server}"),
        "--public-origin".to_owned(),
        format!("https://localhost:{port}{path}"),
        "--set".to_owned(),
        "trusted_proxies=127.0.0.1,::1".to_owned(),
    ];
    let adoube = |command: &str| {
        let mut adoube = Command::new(env!("CARGO_BIN_EXE_adoube"));
        adoube.arg(command).args(&settings).arg("--data").arg(&data);
        // Trust the test certificate.
        adoube.env("SSL_CERT_FILE", certificate.file()).env("ADOUBE_LOG", "error");
        adoube
    };
    let expect_lines = |expected: &[&str]| {
        let output = adoube("doctor").output().expect("the binary runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for line in expected {
            assert!(text.lines().any(|found| found.starts_with(line)), "{line} is not in\n{text}");
        }
        assert!(output.status.success(), "{text}");
    };
    expect_lines(&[
        &format!("ok proxy: https://localhost:{port}{path} reaches this command"),
        "ok proxy: it reports the addresses of visitors",
        "ok proxy: WebSockets work",
    ]);
    let _server = Process(adoube("serve").stderr(Stdio::null()).spawn().expect("a server"));
    wait_for(server);
    expect_lines(&[
        &format!("ok proxy: https://localhost:{port}{path} reaches the server"),
        "ok proxy: WebSockets work",
    ]);
    assert_eq!(protocol(port, certificate).as_deref(), Some(&b"h2"[..]));
    let page = get(port, certificate, &format!("{path}/en/rules/chess"));
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains(&format!("href=\"{path}/en/hall\"")), "{page}");
    if path.is_empty() {
        return;
    }
    let without_slash = get(port, certificate, path);
    let location = without_slash.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("location").then(|| value.trim())
    });
    assert!(location.is_some_and(|location| location.ends_with(&format!("{path}/"))), "{without_slash}");
    for outside in ["/", "/echecs2/", "/api/health"] {
        let page = get(port, certificate, outside);
        assert!(!page.contains("adoube"), "{outside}: {page}");
    }
    assert!(get(port, certificate, "/").contains(OTHER_SITE));
}

/// Checks an example for nginx. `name` is the name of its site, and `others` are further replacements.
fn check_nginx(example: &str, path: &str, name: &str, others: &[(&str, String)]) {
    let certificate = Certificate::new();
    let server = free_port().expect("a port");
    let file = |path: &Path| path.display().to_string();
    let [chain, key] =
        ["fullchain", "privkey"].map(|file| format!("/etc/letsencrypt/live/{name}/{file}.pem"));
    let configuration = |folder: &Path, port: u16| {
        let site = replace_once(
            example,
            &[
                // IPv6 may not be available on this machine.
                ("    listen [::]:443 ssl http2;\n", String::new()),
                ("listen 443 ssl http2;", format!("listen 127.0.0.1:{port} ssl http2;")),
                (&chain, file(&certificate.file())),
                (&key, file(&certificate.key())),
                ("    server 127.0.0.1:8787;", format!("    server 127.0.0.1:{server};")),
            ],
        );
        let site = replace_once(&site, others);
        let folder = folder.display();
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|path| format!("{path}_temp_path {folder}/{path};\n"))
            .concat();
        format!("pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{site}}}\n")
    };
    let Some(proxy) = or_skip(Nginx::start(configuration)) else { return };
    check(proxy.port(), server, path, &certificate);
}

#[test]
fn the_example_for_nginx_works() {
    let plain = free_port().expect("a port");
    let plain = format!("listen 127.0.0.1:{plain};");
    let others = [("    listen [::]:80;\n", String::new()), ("listen 80;", plain)];
    check_nginx(NGINX, "", "echecs.example.org", &others);
}

#[test]
fn the_example_for_nginx_under_a_path_works() {
    let site = tempfile::tempdir().expect("a folder");
    // nginx's workers may run as a different user.
    open_to_all(site.path());
    fs::write(site.path().join("index.html"), OTHER_SITE).expect("a page");
    let root = format!("root {};", site.path().display());
    check_nginx(NGINX_PATH, PATH, "club.example.org", &[("root /var/www/html;", root)]);
}

/// Lets all users enter a folder.
fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("the owner");
}

#[test]
fn the_example_for_caddy_works() {
    check_caddy(CADDY, "", "echecs.example.org", &[]);
}

#[test]
fn the_example_for_caddy_under_a_path_works() {
    let site = tempfile::tempdir().expect("a folder");
    fs::write(site.path().join("index.html"), OTHER_SITE).expect("a page");
    let root = format!("root * {}", site.path().display());
    check_caddy(CADDY_PATH, PATH, "club.example.org", &[("root * /var/www/html", root)]);
}

/// Checks an example for Caddy. `name` is the name of its site, and `others` are further replacements.
fn check_caddy(example: &str, path: &str, name: &str, others: &[(&str, String)]) {
    let Some(program) = find_program("caddy", ["/usr/bin".into(), "/usr/local/bin".into()]) else {
        assert!(std::env::var_os("CI").is_none(), "caddy is not installed: apt-get install caddy");
        eprintln!("skipped: caddy is not installed: apt-get install caddy");
        return;
    };
    let certificate = Certificate::new();
    let [server, port] = [free_port(), free_port()].map(|port| port.expect("a port"));
    let (chain, key) = (certificate.file(), certificate.key());
    let site = replace_once(
        example,
        &[
            (
                &format!("\n{name} {{\n"),
                format!("\nhttps://localhost:{port} {{\n    tls {} {}\n", chain.display(), key.display()),
            ),
            ("    reverse_proxy 127.0.0.1:8787 {", format!("    reverse_proxy 127.0.0.1:{server} {{")),
        ],
    );
    let site = replace_once(&site, others);
    let folder = certificate.folder.path();
    let file = folder.join("Caddyfile");
    fs::write(&file, format!("{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}"))
        .expect("a file");
    let log = fs::File::create(folder.join("caddy.log")).expect("a log");
    let _proxy = Process(
        Command::new(program)
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(&file)
            .env("HOME", folder)
            .env("XDG_DATA_HOME", folder)
            .env("XDG_CONFIG_HOME", folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("caddy"),
    );
    wait_for(port);
    check(port, server, path, &certificate);
}
