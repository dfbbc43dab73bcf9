//! The settings of the program. Each has a default, and can be set by a preset (limits only), a TOML file,
//! the environment or the command line. The last of these that sets it wins.
//!
//! All settings are fields of [`Settings`] and of the server's [`Config`], which serde reads and writes by
//! name; no other code lists them. In a name, a dot separates a table from its key. The environment variable
//! for a setting has the prefix `ADOUBE_`, and underscores instead of dots.

mod data;
mod environment;
mod layers;
mod log_filter;

use std::{fmt, path::PathBuf};

use adoube_bus_nats::NatsSettings;
use adoube_protocol::Millis;
use adoube_server::Config;
use adoube_store_postgres::Address;
use clap::Args;
use serde::{Deserialize, Serialize};

pub(crate) use data::Data;
pub(crate) use layers::{Layers, SYSTEM_FILE, Warning};
pub(crate) use log_filter::parse as parse_log_filter;

/// All settings: those of the program itself, and those of the server ([`Config`]).
#[derive(Debug, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Settings {
    /// The data file, or the address of a PostgreSQL database.
    pub(crate) data: Data,
    pub(crate) bus: BusSettings,
    /// The log filter, such as `info` or `adoube_server=debug`.
    pub(crate) log: String,
    pub(crate) log_format: LogFormat,
    pub(crate) mail: MailSettings,
    /// The settings of the server. They are not flattened, because serde would then lose the names of inner
    /// fields, which errors must mention.
    #[serde(skip)]
    pub(crate) server: Config,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            data: Data::File("adoube.sqlite".into()),
            bus: BusSettings::default(),
            log: "info".into(),
            log_format: LogFormat::default(),
            mail: MailSettings::default(),
            server: Config::default(),
        }
    }
}

/// The connection between the servers of one house. An empty value counts as not set.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct BusSettings {
    /// Addresses of NATS servers, possibly with a password. If not set, the bus is within this process.
    pub(crate) url: String,
    /// The credentials file.
    pub(crate) credentials: String,
    /// A file with the certificates of the accepted issuers.
    pub(crate) certificates: String,
    /// The prefix of all subjects.
    pub(crate) prefix: String,
}

impl BusSettings {
    /// Returns the settings of a bus over NATS, if one is configured.
    pub(crate) fn nats(&self) -> Option<NatsSettings> {
        let path = |text: &str| Some(PathBuf::from(text)).filter(|path| !path.as_os_str().is_empty());
        (!self.url.is_empty()).then(|| NatsSettings {
            url: self.url.clone(),
            credentials: path(&self.credentials),
            certificates: path(&self.certificates),
            prefix: self.prefix.clone(),
        })
    }
}

impl fmt::Debug for BusSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `NatsSettings` hides the password.
        self.nats().fmt(f)
    }
}

/// The delivery of e-mails. An empty value counts as not set.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct MailSettings {
    /// A folder for e-mails, for development.
    pub(crate) folder: String,
    /// The sender.
    pub(crate) from: String,
    /// The URL of a mail server, with a password.
    pub(crate) smtp: String,
}

impl fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailSettings")
            .field("folder", &self.folder)
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

/// Returns `true` if the value of a setting must not be shown because it contains a password or another
/// secret.
fn is_secret(name: &str, text: &str) -> bool {
    match name {
        "bus.url" | "mail.smtp" | "metrics_token" | "sign_in.openid.client_secret" => !text.is_empty(),
        "data" => Address::is_address(text) && Address::has_password(text),
        _ => false,
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum LogFormat {
    #[default]
    Text,
    Json,
}

impl TryFrom<String> for LogFormat {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match &*text {
            "" | "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(format!("must be one of text, json, not {text:?}")),
        }
    }
}

impl From<LogFormat> for String {
    fn from(format: LogFormat) -> Self {
        match format {
            LogFormat::Text => "text".into(),
            LogFormat::Json => "json".into(),
        }
    }
}

/// The earliest plausible time. The program was written after this, the beginning of 2026.
pub(crate) const EARLIEST: Millis = Millis(1_767_225_600_000);

/// Settings on the command line.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SettingFlags {
    /// The settings file, in TOML; by default the file that `$ADOUBE_CONFIG` names, or
    /// /etc/adoube/adoube.toml if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The address to listen on: an IP address and a port, such as 127.0.0.1:8787, or `unix:` and a path
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// The data file, or the address of a PostgreSQL database, `postgres://ROLE@HOST/DATABASE`; by default
    /// adoube.sqlite
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// The NATS server that connects the servers of one house, such as `nats://bus.example.org:4222`; without
    /// it, the house has only one server
    #[arg(long, value_name = "URL")]
    pub(crate) bus: Option<String>,
    /// The address that people open, if a proxy is in front of the server, such as
    /// `https://chess.example.org`; it may include a path
    #[arg(long, value_name = "URL")]
    pub(crate) public_origin: Option<String>,
    /// Any setting by its name, such as `limits.connections=500`; `adoube config` lists them
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub(crate) set: Vec<(String, String)>,
}

impl SettingFlags {
    /// Returns the settings given on the command line, with their names.
    fn values(&self) -> Vec<(&str, String)> {
        let data = self.data.as_ref().map(|path| path.to_string_lossy().into_owned());
        let named = [
            ("listen", self.listen.clone()),
            ("data", data),
            ("bus", self.bus.clone()),
            ("public_origin", self.public_origin.clone()),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some((name, value?)));
        named.chain(self.set.iter().map(|(name, value)| (name.as_str(), value.clone()))).collect()
    }
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
