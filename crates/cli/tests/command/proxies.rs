//! Tests the proxies of `deploy/proxy`, with TLS, in front of a server. The tests use the example files with
//! other names, ports and certificates.
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
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer},
};

const NGINX: &str = include_str!("../../../../deploy/proxy/nginx-site.conf");
const CADDY: &str = include_str!("../../../../deploy/proxy/Caddyfile");

/// A certificate for `localhost`, and its key.
struct Certificate {
    folder: tempfile::TempDir,
    der: CertificateDer<'static>,
}

impl Certificate {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        fs::write(folder.path().join("certificate.pem"), made.cert.pem()).expect("a file");
        fs::write(folder.path().join("key.pem"), made.signing_key.serialize_pem()).expect("a file");
        Self { folder, der: made.cert.der().clone() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    fn key(&self) -> PathBuf {
        self.folder.path().join("key.pem")
    }
}

/// Replaces texts, each of which must occur exactly once.
fn replaced(text: &str, pairs: &[(&str, String)]) -> String {
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
    let begin = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(begin.elapsed() < Duration::from_mins(1), "nothing listens on {port}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// Returns the protocol that a proxy chooses if the client offers HTTP/2.
fn protocol(port: u16, certificate: &Certificate) -> Option<Vec<u8>> {
    let mut authorities = RootCertStore::empty();
    authorities.add(certificate.der.clone()).expect("a certificate");
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(authorities)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let stream = tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.expect("a connection");
        let name = "localhost".try_into().expect("a name");
        let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.expect("TLS");
        stream.get_ref().1.alpn_protocol().map(<[u8]>::to_vec)
    })
}

/// Checks the findings of `adoube doctor` through a proxy, without a server and with one.
fn check(port: u16, server: u16, certificate: &Certificate) {
    let data = certificate.folder.path().join("games.sqlite");
    let settings = [
        "--listen".to_owned(),
        format!("127.0.0.1:{server}"),
        "--public-origin".to_owned(),
        format!("https://localhost:{port}"),
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
        &format!("ok proxy: https://localhost:{port} reaches this command"),
        "ok proxy: it reports the addresses of visitors",
        "ok proxy: WebSockets work",
    ]);
    let _server = Process(adoube("serve").stderr(Stdio::null()).spawn().expect("a server"));
    wait_for(server);
    expect_lines(&[
        &format!("ok proxy: https://localhost:{port} reaches the server"),
        "ok proxy: WebSockets work",
    ]);
    assert_eq!(protocol(port, certificate).as_deref(), Some(&b"h2"[..]));
}

#[test]
fn the_example_for_nginx_works() {
    let certificate = Certificate::new();
    let [server, plain] = [free_port(), free_port()].map(|port| port.expect("a port"));
    let file = |path: &Path| path.display().to_string();
    let configuration = |folder: &Path, port: u16| {
        let site = replaced(
            NGINX,
            &[
                // IPv6 may not be available on this machine.
                ("    listen [::]:80;\n", String::new()),
                ("    listen [::]:443 ssl http2;\n", String::new()),
                ("listen 80;", format!("listen 127.0.0.1:{plain};")),
                ("listen 443 ssl http2;", format!("listen 127.0.0.1:{port} ssl http2;")),
                ("/etc/letsencrypt/live/echecs.example.org/fullchain.pem", file(&certificate.file())),
                ("/etc/letsencrypt/live/echecs.example.org/privkey.pem", file(&certificate.key())),
                ("    server 127.0.0.1:8787;", format!("    server 127.0.0.1:{server};")),
            ],
        );
        let folder = folder.display();
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|path| format!("{path}_temp_path {folder}/{path};\n"))
            .concat();
        format!("pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{site}}}\n")
    };
    let Some(proxy) = or_skip(Nginx::start(configuration)) else { return };
    check(proxy.port(), server, &certificate);
}

#[test]
fn the_example_for_caddy_works() {
    let Some(program) = find_program("caddy", ["/usr/bin".into(), "/usr/local/bin".into()]) else {
        assert!(std::env::var_os("CI").is_none(), "caddy is not installed: apt-get install caddy");
        eprintln!("skipped: caddy is not installed: apt-get install caddy");
        return;
    };
    let certificate = Certificate::new();
    let [server, port] = [free_port(), free_port()].map(|port| port.expect("a port"));
    let (file, key) = (certificate.file(), certificate.key());
    let site = replaced(
        CADDY,
        &[
            (
                "\nechecs.example.org {\n",
                format!("\nhttps://localhost:{port} {{\n    tls {} {}\n", file.display(), key.display()),
            ),
            ("    reverse_proxy 127.0.0.1:8787 {", format!("    reverse_proxy 127.0.0.1:{server} {{")),
        ],
    );
    let folder = certificate.folder.path();
    let path = folder.join("Caddyfile");
    fs::write(&path, format!("{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}"))
        .expect("a file");
    let log = fs::File::create(folder.join("caddy.log")).expect("a log");
    let _proxy = Process(
        Command::new(program)
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(&path)
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
    check(port, server, &certificate);
}
