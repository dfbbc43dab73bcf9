//! The settings of a connection: addresses, credentials, certificates, prefix.

use std::{borrow::Cow, fmt, fs, path::PathBuf, str::Utf8Error, time::Duration};

use async_nats::{ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::{error::OpenError, subject::is_prefix};

/// The maximum time to connect to a server, including TLS and authentication.
const CONNECTION_TIME: Duration = Duration::from_secs(5);
/// Ping interval on a silent connection. After two unanswered pings the connection is closed.
const PING_INTERVAL: Duration = Duration::from_secs(2);
/// The maximum number of received messages that wait for delivery on a topic. An overflow is a loss.
const SUBSCRIPTION_CAPACITY: usize = 1_024;
/// The maximum number of commands that wait for the connection. Notices first wait in a separate queue.
const COMMAND_CAPACITY: usize = 256;

/// The settings of a [`NatsBus`](crate::NatsBus).
#[derive(Clone, Default)]
pub struct NatsSettings {
    /// Addresses such as `nats://bus.example.org:4222`, or `tls://…` to require TLS, separated by commas if a
    /// cluster has several servers. A user with a password, or a token, may precede the host, as in
    /// `nats://user:password@host`.
    pub url: String,
    /// A file with a JWT and a key, as written by `nsc` and `nats`.
    pub credentials: Option<PathBuf>,
    /// A PEM file with the certificates of the accepted issuers; `None` means those that the system accepts.
    pub certificates: Option<PathBuf>,
    /// The first words of all subjects; `adoube` if it is empty.
    pub prefix: String,
}

impl fmt::Debug for NatsSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsSettings")
            .field("url", &redact(&self.url))
            .field("credentials", &self.credentials)
            .field("certificates", &self.certificates)
            .field("prefix", &self.prefix)
            .finish()
    }
}

/// The validated settings, in the format that the client expects.
pub(crate) struct ClientSettings {
    pub(crate) servers: Vec<ServerAddr>,
    /// The addresses without passwords.
    pub(crate) address: String,
    pub(crate) prefix: String,
    pub(crate) options: ConnectOptions,
    /// Whether there is no user, token or credentials file.
    pub(crate) is_anonymous: bool,
}

impl NatsSettings {
    /// Validates the settings as far as possible without a server.
    ///
    /// # Errors
    ///
    /// If an address or the prefix is malformed, or a file cannot be read.
    pub fn check(&self) -> Result<(), OpenError> {
        self.client_settings().map(|_| ())
    }

    pub(crate) fn client_settings(&self) -> Result<ClientSettings, OpenError> {
        let mut options = ConnectOptions::new()
            .connection_timeout(CONNECTION_TIME)
            .ping_interval(PING_INTERVAL)
            .subscription_capacity(SUBSCRIPTION_CAPACITY)
            .client_capacity(COMMAND_CAPACITY)
            .no_echo();
        let mut servers = Vec::new();
        let mut login = None;
        for text in split_addresses(&self.url) {
            let text = text.trim();
            let malformed = |problem| OpenError::Address { address: redact(text), problem };
            let mut url = parse_address(text).map_err(malformed)?;
            let this_login = Login::of(&url).map_err(|_| malformed("its user or password is not UTF-8"))?;
            if servers.is_empty() {
                login = this_login;
            } else if this_login.is_some() && this_login != login {
                return Err(malformed(
                    "its login differs from the one in the first address; all servers must accept the same login",
                ));
            }
            if url.scheme() == "tls" {
                options = options.require_tls(true);
            }
            // Neither call fails for an address with a host. The user and the password are removed because
            // the client logs addresses.
            let _ = (url.set_username(""), url.set_password(None));
            servers.push(ServerAddr::from_url(url).map_err(|_| malformed("its scheme is unknown"))?);
        }
        let is_anonymous = login.is_none() && self.credentials.is_none();
        match login {
            Some(Login { user, password: Some(password) }) => {
                options = options.user_and_password(user, password);
            }
            Some(Login { user: token, password: None }) => options = options.token(token),
            None => {}
        }
        if let Some(path) = &self.credentials {
            let unreadable = |problem| OpenError::Credentials { path: path.clone(), problem };
            let text = fs::read_to_string(path).map_err(unreadable)?;
            options = options.credentials(&text).map_err(unreadable)?;
        }
        if let Some(path) = &self.certificates {
            let unreadable = |problem| OpenError::Certificates { path: path.clone(), problem };
            // The client reads the file for each connection. Reading it here reports a wrong path
            // immediately.
            fs::read(path).map_err(unreadable)?;
            options = options.add_root_certificates(path.clone());
        }
        let prefix = if self.prefix.is_empty() { "adoube" } else { &self.prefix };
        if !is_prefix(prefix) {
            return Err(OpenError::Prefix { prefix: prefix.to_owned() });
        }
        let address = servers.iter().map(|server| redact(server.as_url_str())).collect::<Vec<_>>().join(",");
        Ok(ClientSettings { servers, address, prefix: prefix.to_owned(), options, is_anonymous })
    }
}

/// The user and the password in an address. By NATS convention, a user without a password is a token.
#[derive(Eq, PartialEq)]
struct Login {
    user: String,
    password: Option<String>,
}

impl Login {
    /// Returns the user and the password in an address, if it has any.
    fn of(url: &Url) -> Result<Option<Self>, Utf8Error> {
        if url.username().is_empty() && url.password().is_none() {
            return Ok(None);
        }
        let decode = |text| percent_decode_str(text).decode_utf8().map(Cow::into_owned);
        let password = url.password().map(decode).transpose()?;
        Ok(Some(Self { user: decode(url.username())?, password }))
    }
}

/// Parses an address, or returns a description of the error.
fn parse_address(text: &str) -> Result<Url, &'static str> {
    if text.is_empty() {
        return Err("it is empty");
    }
    if !text.contains("://") {
        return Err("it has no scheme");
    }
    let url = Url::parse(text).map_err(|error| match error {
        url::ParseError::InvalidPort => "its port is not a number up to 65535",
        url::ParseError::EmptyHost => "it has no host",
        _ => "its host is malformed",
    })?;
    if !matches!(url.scheme(), "nats" | "tls") {
        return Err("its scheme is unknown");
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("it has no host");
    }
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return Err("there is extra text after the port");
    }
    Ok(url)
}

/// Splits addresses at the commas between them, but not at those in a password.
fn split_addresses(text: &str) -> Vec<String> {
    let mut addresses: Vec<Vec<&str>> = Vec::new();
    for part in text.split(',') {
        match addresses.last_mut() {
            Some(address) if !part.contains("://") => address.push(part),
            _ => addresses.push(vec![part]),
        }
    }
    let split = addresses.into_iter().flat_map(|parts| {
        let host = parts.iter().rposition(|part| part.contains('@')).unwrap_or_default();
        let (address, others) = parts.split_at(host + 1);
        let others = others.iter().map(|part| (*part).to_owned());
        std::iter::once(address.join(",")).chain(others).collect::<Vec<_>>()
    });
    split.collect()
}

/// Removes everything between the scheme and the last `@` from addresses, however malformed they are. Hides
/// ports that are not numbers, because `USER:PASSWORD` without an `@` looks like `HOST:PORT`.
pub(crate) fn redact(text: &str) -> String {
    let addresses = split_addresses(text);
    let shown = addresses.iter().map(|address| {
        let (scheme, rest) =
            address.split_once("://").map_or(("", address.as_str()), |(scheme, rest)| (scheme, rest));
        let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest).trim_end_matches('/');
        let (host, port) = rest.rsplit_once(':').unwrap_or((rest, ""));
        let is_number =
            port.split('/').next().is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let shown = if is_number || port.ends_with(']') { rest.to_owned() } else { format!("{host}:***") };
        let separator = if scheme.is_empty() { "" } else { "://" };
        format!("{scheme}{separator}{shown}")
    });
    shown.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str) -> NatsSettings {
        NatsSettings { url: url.into(), ..NatsSettings::default() }
    }

    #[test]
    fn addresses_are_read_and_shown_without_secrets() {
        for (url, expected) in [
            ("nats://localhost", "nats://localhost"),
            ("nats://127.0.0.1:4222/", "nats://127.0.0.1:4222"),
            ("nats://[::1]", "nats://[::1]"),
            ("tls://me:h%40rse@[::1]:4222", "tls://[::1]:4222"),
            ("nats://horse@one:1, nats://two:2", "nats://one:1,nats://two:2"),
            ("nats://me:h,o,rse@one:1,nats://two:2", "nats://one:1,nats://two:2"),
        ] {
            let client_settings = settings(url).client_settings().unwrap();
            assert_eq!(client_settings.address, expected, "{url}");
            let debug = format!("{:?} {:?}", settings(url), client_settings.servers);
            assert!(!debug.contains("rse"), "{debug}");
        }
    }

    #[test]
    fn settings_errors_are_one_line_without_secrets() {
        let folder = tempfile::tempdir().unwrap();
        let junk = folder.path().join("junk");
        fs::write(&junk, "junk").unwrap();
        let absent = folder.path().join("absent");
        let good = || settings("nats://localhost");
        for (settings, expected) in [
            (settings(""), "bus address `` is not nats://HOST:PORT or tls://HOST:PORT: it is empty"),
            (settings("localhost:4222"), "it has no scheme"),
            (settings("http://me:horse@localhost"), "`http://localhost` is not nats://HOST:PORT"),
            (settings("nats://me:horse@localhost:99999"), "`nats://localhost:99999` is not"),
            (settings("nats://me:horse@localhost:x"), "its port is not a number"),
            (settings("nats://me:horse@"), "it has no host"),
            (settings("nats://me:horse,horse@a:x"), "`nats://a:***` is not"),
            (settings("nats://me:horse"), "`nats://me:***` is not"),
            (settings("me:horse"), "`me:***` is not"),
            (settings("nats://a,b:4222"), "`b:4222` is not"),
            (settings("nats://localhost/games"), "there is extra text after the port"),
            (settings("nats://me:horse@a,nats://you:horse@b"), "`nats://b`"),
            (settings("nats://a,"), "it is empty"),
            (NatsSettings { prefix: "a b".into(), ..good() }, "bus prefix `a b` is not"),
            (
                NatsSettings { credentials: Some(absent.clone()), ..good() },
                "absent cannot be read: No such file",
            ),
            (NatsSettings { credentials: Some(junk), ..good() }, "junk cannot be read: "),
            (NatsSettings { certificates: Some(absent), ..good() }, "absent cannot be read: No such file"),
        ] {
            let error = settings.check().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains("horse") && !error.contains('\n'), "{error}");
        }
    }
}
