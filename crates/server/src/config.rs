use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use thiserror::Error;

use adoube_protocol::Millis;

use crate::{clock_check::ClockCheck, limits::Rate, tidy::Retention};

/// A setting with which the server cannot start.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ConfigError {
    #[error("the listen address {0:?} is none; write an IP address and a port, such as 127.0.0.1:8787")]
    Listen(String),
    #[error("the public origin {0:?} is none; write scheme and host only, such as https://chess.example.org")]
    Origin(String),
    #[error("the data file {} cannot be used: {why}", path.display())]
    Data { path: PathBuf, why: &'static str },
}

/// How long a session lasts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SessionTimes {
    /// Without being used.
    pub idle: Duration,
    /// However it is used; then its owner signs in again.
    pub longest: Duration,
}

impl Default for SessionTimes {
    fn default() -> Self {
        Self { idle: Duration::from_hours(60 * 24), longest: Duration::from_hours(365 * 24) }
    }
}

impl SessionTimes {
    /// Returns when a session ends that began at a time, however it is used.
    pub(crate) fn end(&self, began: Millis) -> Millis {
        after(began, self.longest)
    }

    /// Returns when a session ends that began at a time and is used now, for the last time.
    pub(crate) fn expiry(&self, began: Millis, now: Millis) -> Millis {
        after(now, self.idle).min(self.end(began))
    }
}

fn after(time: Millis, duration: Duration) -> Millis {
    Millis(time.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
}

/// For how much of the public host browsers are told to insist on TLS (HSTS).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Hsts {
    Off,
    #[default]
    Host,
    /// Also for all names below it, whoever serves them.
    Subdomains,
}

/// Where browsers see this server: what they send as `Origin`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Origin {
    text: String,
}

impl Origin {
    fn parse(given: &str) -> Result<Self, ConfigError> {
        let wrong = || ConfigError::Origin(given.to_owned());
        let text = given.strip_suffix('/').unwrap_or(given).to_ascii_lowercase();
        let (scheme, authority) = text.split_once("://").ok_or_else(wrong)?;
        let plain = authority.parse::<axum::http::uri::Authority>().is_ok() && !authority.contains('@');
        if plain && matches!(scheme, "http" | "https") { Ok(Self { text }) } else { Err(wrong()) }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the host without scheme and port.
    pub(crate) fn host(&self) -> &str {
        let authority = self.text.split_once("://").map_or("", |(_, authority)| authority);
        authority.rsplit_once(':').map_or(authority, |(host, _)| host)
    }

    /// Whether browsers come over TLS, so that cookies may insist on it.
    pub fn is_secure(&self) -> bool {
        self.text.starts_with("https:")
    }
}

/// What bounds a visitor. The figures suit a small machine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Connections of all visitors.
    pub connections: usize,
    /// Connections of one IP address.
    pub connections_per_address: usize,
    /// Bytes of a message on a socket, and of the body of a request.
    pub message_bytes: usize,
    /// Messages of a visitor on sockets, and of an address.
    pub messages: Rate,
    pub messages_per_address: Rate,
    /// What a visitor creates: games, also those that follow from games, seeks, challenges, analyses, judged tries; and an address.
    pub creations: Rate,
    pub creations_per_address: Rate,
    /// Trees of conditional turns of a visitor, and of an address.
    pub conditions: Rate,
    pub conditions_per_address: Rate,
    /// Touches of a visitor, in games with touch-move, and of an address.
    pub touches: Rate,
    pub touches_per_address: Rate,
    /// Whole games and halls that a visitor asks for anew, and an address.
    pub resyncs: Rate,
    pub resyncs_per_address: Rate,
    /// Files of many games and of all that is kept, of a visitor and of an address.
    pub exports: Rate,
    pub exports_per_address: Rate,
    /// HTTP requests from an address, of any kind.
    pub requests_per_address: Rate,
    /// Wrong passwords of a name from one address, of a browser that an account knows, and in one session.
    pub sign_ins: Rate,
    /// Requests with a password from an address, right or wrong: signing in, registering, a link to recover an account.
    pub sign_ins_per_address: Rate,
    /// Wrong passwords of a name from all addresses.
    pub wrong_passwords_per_name: Rate,
    /// Wrong passwords from an address, of all names.
    pub wrong_passwords_per_address: Rate,
    /// Accounts that are registered from an address.
    pub registrations_per_address: Rate,
    /// Links to recover an account that are asked for from an address.
    pub recoveries_per_address: Rate,
    /// Links to confirm an address of mail that are asked for from an address.
    pub confirmations_per_address: Rate,
    /// Lines of chat of a visitor, and of an address.
    pub chat_lines: Rate,
    pub chat_lines_per_address: Rate,
    /// Bytes that a visitor, and an address, can cause to be kept.
    pub bytes: Rate,
    pub bytes_per_address: Rate,
    /// Bytes that the analyses and composed problems of an account may take.
    pub account_bytes: u64,
    /// When less than so many bytes are free where the data is, nothing new is begun; 0 if that is not to be looked at.
    pub low_disk_bytes: u64,
    /// Time for a file of many games, or of all that is kept of an account.
    pub export_time: Duration,
    /// Passwords that are hashed at the same time.
    pub hashes: usize,
    /// Composed problems that are proved at the same time.
    pub proofs: usize,
    /// Positions that a proof may look at.
    pub proof_nodes: u64,
    /// Time for a proof; half of it for the wait before. Together less than `request_time`.
    pub proof_time: Duration,
    /// Proofs that a visitor may ask for, and an address.
    pub proof_asks: Rate,
    pub proof_asks_per_address: Rate,
    /// Time for the headers of a request.
    pub header_time: Duration,
    /// Time for a request as a whole.
    pub request_time: Duration,
    /// Time for a socket to take what it is sent; then it is closed.
    pub send_time: Duration,
    /// Silence after which a socket is closed.
    pub silence: Duration,
    /// Time for what is under way when the server stops.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 20_000,
            connections_per_address: 256,
            message_bytes: 8 * 1024,
            messages: Rate::new(100, Duration::from_secs(20)),
            messages_per_address: Rate::new(1_000, Duration::from_secs(20)),
            creations: Rate::per_min(60),
            creations_per_address: Rate::per_min(60),
            conditions: Rate::per_min(20),
            conditions_per_address: Rate::per_min(60),
            touches: Rate::per_min(120),
            touches_per_address: Rate::per_min(600),
            resyncs: Rate::per_min(20),
            resyncs_per_address: Rate::per_min(120),
            exports: Rate::new(6, Duration::from_mins(10)),
            exports_per_address: Rate::new(20, Duration::from_mins(10)),
            requests_per_address: Rate::new(3_000, Duration::from_secs(10)),
            sign_ins: Rate::per_hour(10),
            sign_ins_per_address: Rate::per_min(120),
            wrong_passwords_per_name: Rate::new(100, Duration::from_hours(2)),
            wrong_passwords_per_address: Rate::per_hour(120),
            registrations_per_address: Rate::per_hour(100),
            recoveries_per_address: Rate::per_hour(20),
            confirmations_per_address: Rate::new(100, Duration::from_hours(24)),
            chat_lines: Rate::new(5, Duration::from_secs(15)),
            chat_lines_per_address: Rate::new(30, Duration::from_secs(15)),
            // A full bucket and what comes back: at most 20 MB in any hour.
            bytes: Rate::per_hour(10_000_000),
            bytes_per_address: Rate::per_hour(10_000_000),
            account_bytes: 10_000_000,
            low_disk_bytes: 200_000_000,
            export_time: Duration::from_mins(10),
            hashes: 2,
            proofs: 2,
            proof_nodes: 6_000_000,
            proof_time: Duration::from_secs(8),
            proof_asks: Rate::new(20, Duration::from_mins(2)),
            proof_asks_per_address: Rate::new(20, Duration::from_mins(2)),
            header_time: Duration::from_secs(10),
            request_time: Duration::from_secs(15),
            send_time: Duration::from_secs(10),
            silence: Duration::from_secs(30),
            farewell: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// Returns the limits of a preset: `default`, or `club` for a class of 60 behind one address.
    ///
    /// A person may do no more under `club`; what is larger is the share of an address.
    pub fn preset(name: &str) -> Option<Self> {
        let usual = Self::default();
        match name {
            "default" => Some(usual),
            "club" => Some(Self {
                // Browsers open up to six, and a game is a socket more.
                connections_per_address: 1_024,
                messages_per_address: Rate::new(6_000, Duration::from_secs(20)),
                creations_per_address: Rate::per_min(600),
                conditions_per_address: Rate::per_min(600),
                touches_per_address: Rate::per_min(6_000),
                resyncs_per_address: Rate::per_min(1_200),
                exports_per_address: Rate::new(120, Duration::from_mins(10)),
                requests_per_address: Rate::new(12_000, Duration::from_secs(10)),
                sign_ins_per_address: Rate::per_min(240),
                wrong_passwords_per_address: Rate::per_hour(240),
                registrations_per_address: Rate::per_hour(240),
                recoveries_per_address: Rate::per_hour(120),
                confirmations_per_address: Rate::new(300, Duration::from_hours(24)),
                chat_lines_per_address: Rate::new(300, Duration::from_secs(15)),
                bytes_per_address: Rate::per_hour(100_000_000),
                proof_asks_per_address: Rate::new(100, Duration::from_mins(2)),
                ..usual
            }),
            _ => None,
        }
    }

    /// The names of the presets.
    pub const PRESETS: [&str; 2] = ["default", "club"];
}

/// The settings of a server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Config {
    pub listen: SocketAddr,
    /// The file of the games; the caller opens it, because the server knows no database.
    pub data: PathBuf,
    /// Without it, a request's origin must be the host that it asks for.
    pub public_origin: Option<Origin>,
    pub hsts: Hsts,
    pub sessions: SessionTimes,
    /// The address of `/metrics`, which answers every request that reaches it; `None` serves no metrics.
    pub metrics: Option<SocketAddr>,
    /// Those whose word is taken for where a request comes from.
    pub trusted_proxies: Vec<IpAddr>,
    pub limits: Limits,
    /// For how long things are kept.
    pub retention: Retention,
    /// When what is too old is looked for first, after the start.
    pub first_sweep: Duration,
    /// What is believed of the system's clock when the server starts.
    pub clock: ClockCheck,
    /// Threads on which the machine thinks.
    pub machine_threads: usize,
    /// How often the machine looks for games in which it is to move and that were lost on the way.
    pub machine_round: Duration,
}

impl Config {
    /// Returns where links in mails lead: the public origin or, on a machine where things are tried out, the address that it listens on.
    pub(crate) fn link_origin(&self) -> String {
        let address = match self.listen {
            SocketAddr::V4(listen) if listen.ip().is_unspecified() => {
                (Ipv4Addr::LOCALHOST, listen.port()).into()
            }
            SocketAddr::V6(listen) if listen.ip().is_unspecified() => {
                (Ipv6Addr::LOCALHOST, listen.port()).into()
            }
            listen => listen,
        };
        self.public_origin
            .as_ref()
            .map_or_else(|| format!("http://{address}"), |origin| origin.as_str().to_owned())
    }

    /// Returns the settings, or which of them is wrong.
    pub fn new(listen: &str, data: &Path, public_origin: Option<&str>) -> Result<Self, ConfigError> {
        let wrong = |why| ConfigError::Data { path: data.to_owned(), why };
        if data.is_dir() {
            return Err(wrong("it is a folder"));
        }
        match data.parent() {
            None => return Err(wrong("it has no name")),
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                return Err(wrong("its folder does not exist"));
            }
            Some(_) => {}
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            listen: listen.parse().map_err(|_| ConfigError::Listen(listen.to_owned()))?,
            data: data.to_owned(),
            public_origin: public_origin.map(Origin::parse).transpose()?,
            hsts: Hsts::default(),
            sessions: SessionTimes::default(),
            metrics: None,
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            retention: Retention::default(),
            first_sweep: Duration::from_mins(10),
            clock: ClockCheck::default(),
            // One core stays free for those who are waiting for an answer.
            machine_threads: cores.saturating_sub(1).clamp(1, 8),
            machine_round: Duration::from_secs(5),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_settings_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data.sqlite");
        let error = |listen, data: &Path, origin| Config::new(listen, data, origin).unwrap_err().to_string();
        assert!(error("8787", &data, None).contains("listen address \"8787\""));
        assert!(error("127.0.0.1:0", folder.path(), None).contains("it is a folder"));
        assert!(error("127.0.0.1:0", &folder.path().join("no/file"), None).contains("does not exist"));
        for origin in ["example.org", "ftp://example.org", "https://a/b", "https://a@b", "https://"] {
            assert!(error("127.0.0.1:0", &data, Some(origin)).contains(origin), "{origin}");
        }
    }

    #[test]
    fn links_are_whole_whatever_is_set() {
        for (listen, origin, link) in [
            ("127.0.0.1:8787", None, "http://127.0.0.1:8787"),
            ("0.0.0.0:80", None, "http://127.0.0.1:80"),
            ("[::]:80", None, "http://[::1]:80"),
            ("[::]:80", Some("https://chess.example.org"), "https://chess.example.org"),
        ] {
            let config = Config::new(listen, Path::new("data.sqlite"), origin).unwrap();
            assert_eq!(config.link_origin(), link);
        }
    }

    #[test]
    fn origins_are_compared_as_browsers_write_them() {
        let config = Config::new("[::1]:80", Path::new("data.sqlite"), Some("https://Example.org/")).unwrap();
        let origin = config.public_origin.unwrap();
        assert_eq!((origin.as_str(), origin.is_secure()), ("https://example.org", true));
    }
}
