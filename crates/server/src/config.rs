//! The settings of a server as one serde struct. The serialized field names are the names of the settings,
//! and each value is read from text.

mod limits;
mod listen;
mod origin;
mod public_address;
mod push;
mod sign_in;
pub(crate) mod text;
mod token;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use adoube_protocol::Millis;
use serde::{Deserialize, Serialize};

pub use limits::{Limits, Preset};
pub use listen::{Listen, ListenError};
pub use origin::{Origin, OriginError};
pub use public_address::{PublicAddress, PublicAddressError, PublicAddressProblem};
pub use push::PushSettings;
pub(crate) use sign_in::CALLBACK;
pub use sign_in::{
    ClientSecret, IdentityHeader, IdentityHeaderError, OpenIdSettings, SignInError, SignInSettings,
};
pub use text::ChoiceError;
pub use token::{Token, TokenError};

use crate::{clock_check::ClockCheck, tidy::Retention};
use text::{as_text, choices};

/// Lifetimes of a session.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct SessionTimes {
    /// The time after which a session that is not used expires.
    #[serde(rename = "idle_d", with = "text::days")]
    pub idle: Duration,
    /// The time after which a session expires even if it is used, so the owner must sign in again.
    #[serde(rename = "longest_d", with = "text::days")]
    pub longest: Duration,
}

impl Default for SessionTimes {
    fn default() -> Self {
        Self { idle: Duration::from_hours(60 * 24), longest: Duration::from_hours(365 * 24) }
    }
}

impl SessionTimes {
    /// Returns the time at which a session that began at `began` expires even if it is used.
    pub(crate) fn end(&self, began: Millis) -> Millis {
        after(began, self.longest)
    }

    /// Returns the time at which a session that began at `began` expires if it is not used after `now`.
    pub(crate) fn expiry(&self, began: Millis, now: Millis) -> Millis {
        after(now, self.idle).min(self.end(began))
    }
}

fn after(time: Millis, duration: Duration) -> Millis {
    Millis(time.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
}

/// The hosts for which browsers are told to use nothing but TLS (HSTS).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Hsts {
    Off,
    #[default]
    Host,
    /// The public host and all its subdomains, including those on other servers.
    Subdomains,
}

choices!(Hsts: Off = "off", Host = "host", Subdomains = "subdomains");
as_text!(Hsts);

/// The processes that compute the machine's turns and the proofs of composed problems.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Thinking {
    /// The server itself, in addition to serving.
    #[default]
    InProcess,
    /// Workers. The server takes over work that no worker begins within [`STANDBY_MS`](Self::STANDBY_MS).
    Standby,
    /// Workers, and never the server.
    Workers,
}

choices!(Thinking: InProcess = "here", Standby = "standby", Workers = "workers");
as_text!(Thinking);
as_text!(Listen);
as_text!(Token);

impl Thinking {
    /// The time after which a process on standby takes over work that no worker has begun, in milliseconds.
    pub const STANDBY_MS: i64 = 2_000;

    /// Returns the minimum time that work must have waited before this process takes it, in milliseconds.
    pub(crate) fn waiting_ms(self) -> i64 {
        match self {
            Self::InProcess | Self::Workers => 0,
            Self::Standby => Self::STANDBY_MS,
        }
    }
}

/// The settings of a server.
///
/// Fields marked `skip` have no text form. They are set by the program, by tests, or by an argument for one run.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Config {
    pub listen: Listen,
    /// The address at which browsers reach the server, with a path if the house is under one. If it is not
    /// set, the origin of a request must match its `Host` header.
    #[serde(with = "text::optional")]
    pub public_origin: Option<PublicAddress>,
    /// Additional origins at which the pages are served, under the same path. All must have the scheme of the
    /// public origin, because the names and attributes of cookies depend on it.
    #[serde(with = "text::list")]
    pub other_origins: Vec<Origin>,
    pub hsts: Hsts,
    pub sessions: SessionTimes,
    /// The address at which `/metrics` is served, or `None` to serve no metrics.
    #[serde(with = "text::optional_address")]
    pub metrics: Option<SocketAddr>,
    /// The token that requests for metrics must send as `Authorization: Bearer TOKEN`. If it is not set,
    /// every request is accepted.
    pub metrics_token: Token,
    /// Proxies that are trusted to report a visitor's address.
    #[serde(with = "text::addresses")]
    pub trusted_proxies: Vec<IpAddr>,
    pub sign_in: SignInSettings,
    pub push: PushSettings,
    pub limits: Limits,
    /// The retention of data.
    #[serde(rename = "keep")]
    pub retention: Retention,
    /// The version of the program, for metrics.
    #[serde(skip)]
    pub version: &'static str,
    /// The delay between the start and the first deletion of old data.
    #[serde(skip)]
    pub first_sweep: Duration,
    /// The plausible range of the system clock at startup.
    pub clock: ClockCheck,
    /// The processes that do long computations. Values other than [`Thinking::InProcess`] require a database
    /// that workers can also open.
    pub thinking: Thinking,
    /// The number of threads on which the machine thinks. By default, it depends on the number of cores.
    #[serde(with = "text::optional_number")]
    pub machine_threads: Option<usize>,
    /// The maximum interval at which the store is searched for games that await the machine but are not in
    /// its queue, for example because of a restart or because the queue was full.
    #[serde(skip)]
    pub machine_round: Duration,
    /// The interval at which the store is searched for games whose deadline is near.
    #[serde(skip)]
    pub warning_round: Duration,
    /// The grace period during which a live seek outlives its maker's last hall socket, to allow for a page
    /// reload.
    #[serde(skip)]
    pub seek_grace: Duration,
    /// The time after which a player's cached name and blocks are looked up again, in case the notice of a
    /// change was lost.
    #[serde(skip)]
    pub name_lifetime: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, 8787).into(),
            public_origin: None,
            other_origins: Vec::new(),
            hsts: Hsts::default(),
            sessions: SessionTimes::default(),
            metrics: None,
            metrics_token: Token::default(),
            trusted_proxies: Vec::new(),
            sign_in: SignInSettings::default(),
            push: PushSettings::default(),
            limits: Limits::default(),
            retention: Retention::default(),
            version: env!("CARGO_PKG_VERSION"),
            first_sweep: Duration::from_mins(10),
            clock: ClockCheck::default(),
            thinking: Thinking::default(),
            machine_threads: None,
            machine_round: Duration::from_secs(5),
            warning_round: Duration::from_mins(1),
            seek_grace: Duration::from_secs(10),
            name_lifetime: Duration::from_mins(1),
        }
    }
}

impl Config {
    /// Returns the number of threads on which the machine thinks.
    pub(crate) fn machine_threads(&self) -> usize {
        // One core is left for requests.
        let by_cores =
            || std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).clamp(1, 8);
        self.machine_threads.unwrap_or_else(by_cores)
    }

    /// Returns the number of threads on which the machine thinks in a worker, which does not serve requests.
    pub(crate) fn worker_threads(&self) -> usize {
        self.machine_threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from).min(64))
    }

    /// Returns the base URL of links in e-mails: the public address or, if that is not set, an address at
    /// which this host reaches the server.
    pub fn link_address(&self) -> String {
        let local_address = || match self.listen.local_address() {
            Some(address) => format!("http://{address}"),
            None => "http://localhost".to_owned(),
        };
        self.public_origin.as_ref().map_or_else(local_address, ToString::to_string)
    }

    /// Returns all configured origins at which the pages are served.
    pub(crate) fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.public_origin.iter().map(PublicAddress::origin).chain(&self.other_origins)
    }

    /// Returns the path under which the house is served, such as `/echecs`; empty at the root of a host.
    pub(crate) fn base_path(&self) -> &str {
        self.public_origin.as_ref().map_or("", PublicAddress::path)
    }

    /// Returns `true` if browsers connect over TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.public_origin.as_ref().is_some_and(PublicAddress::is_secure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_emails_begin_with_an_absolute_address() {
        for (listen, origin, link) in [
            ("127.0.0.1:8787", None, "http://127.0.0.1:8787"),
            ("0.0.0.0:80", None, "http://127.0.0.1:80"),
            ("[::]:80", None, "http://[::1]:80"),
            ("unix:/run/adoube/socket", None, "http://localhost"),
            ("[::]:80", Some("https://chess.example.org"), "https://chess.example.org"),
            ("[::]:80", Some("https://club.example.org/echecs/"), "https://club.example.org/echecs"),
        ] {
            let public_origin = origin.map(|origin| origin.parse().unwrap());
            let config = Config { listen: listen.parse().unwrap(), public_origin, ..Config::default() };
            assert_eq!(config.link_address(), link);
        }
    }

    #[test]
    fn settings_round_trip() {
        let changed = Config {
            listen: "[::1]:80".parse().unwrap(),
            public_origin: Some("https://chess.example.org/club".parse().unwrap()),
            other_origins: vec!["https://echecs.example.org".parse().unwrap()],
            hsts: Hsts::Subdomains,
            thinking: Thinking::Standby,
            metrics: Some("127.0.0.1:9187".parse().unwrap()),
            metrics_token: "0123456789abcdef".parse().unwrap(),
            trusted_proxies: vec!["10.0.0.1".parse().unwrap(), "::1".parse().unwrap()],
            sign_in: SignInSettings {
                header: Some("remote-user".parse().unwrap()),
                openid: OpenIdSettings {
                    issuer: "https://login.example.org".into(),
                    client_secret: "secret".to_owned().into(),
                    ..OpenIdSettings::default()
                },
            },
            push: PushSettings {
                services: vec!["*.push.example.org".parse().unwrap(), "http://127.0.0.1:1".parse().unwrap()],
            },
            machine_threads: Some(3),
            limits: Limits { hashes: 7, silence: Duration::from_secs(5), ..Limits::of(Preset::Club) },
            ..Config::default()
        };
        for config in [Config::default(), changed] {
            let written = serde_json::to_string(&config).unwrap();
            assert_eq!(serde_json::from_str::<Config>(&written).unwrap(), config, "{written}");
        }
    }

    #[test]
    fn setting_errors_explain_the_problem() {
        for (settings, message) in [
            (r#"{"listen": "8787"}"#, "address \"8787\" is not an IP address and a port"),
            (r#"{"metrics": "9187"}"#, "must be an IP address and a port"),
            (r#"{"public_origin": "example.org"}"#, "\"example.org\" is not a scheme and a host, such as"),
            (r#"{"public_origin": "https://a.example/b?c"}"#, "has a query, which is not part"),
            (r#"{"hsts": "all"}"#, "must be one of off, host, subdomains, not \"all\""),
            (r#"{"thinking": "no"}"#, "must be one of here, standby, workers, not \"no\""),
            (r#"{"machine_threads": "many"}"#, "must be a whole number, not \"many\""),
            (r#"{"sessions": {"idle_d": "0"}}"#, "must be a number from 1 to 36600"),
            (r#"{"clock": {"tolerance_h": "878401"}}"#, "must be a number from 1 to 878400"),
            (r#"{"limits": {"silence_s": "0"}}"#, "must be a number of seconds, at least 1"),
            (r#"{"trusted_proxies": "10.0.0.1, proxy"}"#, "\"proxy\" is not one"),
            (r#"{"push": {"services": "push.example.org/x"}}"#, "is not the host of a push service"),
            (r#"{"sign_in": {"header": "Remote User"}}"#, "must be the name of a header"),
        ] {
            let error = serde_json::from_str::<Config>(settings).unwrap_err().to_string();
            assert!(error.contains(message), "{settings}: {error}");
        }
    }
}
