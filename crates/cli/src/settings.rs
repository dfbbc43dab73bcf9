//! The settings of the server, and where each comes from: what is built in, then one TOML file, then the environment,
//! then the command line. The later one holds.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::Write,
    net::IpAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_server::{ClockCheck, Config, Hsts, Keep, Limits, Rate, Retention, SessionTimes};
use anyhow::{Context as _, bail};
use clap::Args;

/// Settings from the command line. They hold before those of the environment, and these before those of the file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Chosen {
    /// A file of settings, in TOML; `$ADOUBE_CONFIG` if not given
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Where to listen, as an IP address and a port: 127.0.0.1:8787
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// The file that holds the games: adoube.sqlite
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// How browsers reach the server, if something stands before it: `https://chess.example.org`
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) public_origin: Option<String>,
    /// Any setting by its name, such as `limits.connections=500`; `adoube config` lists them
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub(crate) set: Vec<(String, String)>,
}

impl Chosen {
    /// Returns all of them by name.
    fn values(&self) -> Vec<(&str, String)> {
        let data = self.data.as_ref().map(|path| path.to_string_lossy().into_owned());
        let named =
            [("listen", self.listen.clone()), ("data", data), ("public_origin", self.public_origin.clone())];
        let named = named.into_iter().filter_map(|(name, value)| Some((name, value?)));
        named.chain(self.set.iter().map(|(name, value)| (name.as_str(), value.clone()))).collect()
    }
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is a name and a value, with `=` between them")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A setting that there is.
struct Key {
    name: &'static str,
    default: fn(&Limits) -> String,
    /// Whether it must not be shown.
    secret: bool,
}

const fn key(name: &'static str, default: fn(&Limits) -> String) -> Key {
    Key { name, default, secret: false }
}

/// All settings. In the file a dot begins a table; in the environment it is an underscore, after `ADOUBE_`.
const KEYS: &[Key] = &[
    key("keep.unjoined_games", |_| Retention::default().unjoined_games.to_string()),
    key("keep.called_off_games", |_| Retention::default().called_off_games.to_string()),
    key("keep.anonymous_games", |_| Retention::default().anonymous_games.to_string()),
    key("keep.reports", |_| Retention::default().reports.to_string()),
    key("keep.names", |_| Retention::default().names.to_string()),
    key("sessions.idle_d", |_| "60".into()),
    key("sessions.longest_d", |_| "365".into()),
    key("listen", |_| "127.0.0.1:8787".into()),
    key("data", |_| "adoube.sqlite".into()),
    key("public_origin", |_| String::new()),
    key("trusted_proxies", |_| String::new()),
    key("machine_threads", |_| String::new()),
    key("log", |_| "info".into()),
    key("log_format", |_| "text".into()),
    key("metrics", |_| String::new()),
    key("hsts", |_| "host".into()),
    key("clock.tolerance_h", |_| "6".into()),
    key("clock.longest_absence_d", |_| "400".into()),
    key("mail.folder", |_| String::new()),
    key("mail.from", |_| String::new()),
    Key { name: "mail.smtp", default: |_| String::new(), secret: true },
    key("limits.preset", |_| "default".into()),
    key("limits.connections", |limits| limits.connections.to_string()),
    key("limits.connections_per_address", |limits| limits.connections_per_address.to_string()),
    key("limits.messages", |limits| limits.messages.to_string()),
    key("limits.messages_per_address", |limits| limits.messages_per_address.to_string()),
    key("limits.creations", |limits| limits.creations.to_string()),
    key("limits.creations_per_address", |limits| limits.creations_per_address.to_string()),
    key("limits.conditions", |limits| limits.conditions.to_string()),
    key("limits.conditions_per_address", |limits| limits.conditions_per_address.to_string()),
    key("limits.touches", |limits| limits.touches.to_string()),
    key("limits.touches_per_address", |limits| limits.touches_per_address.to_string()),
    key("limits.resyncs", |limits| limits.resyncs.to_string()),
    key("limits.resyncs_per_address", |limits| limits.resyncs_per_address.to_string()),
    key("limits.exports", |limits| limits.exports.to_string()),
    key("limits.exports_per_address", |limits| limits.exports_per_address.to_string()),
    key("limits.sign_ins", |limits| limits.sign_ins.to_string()),
    key("limits.requests_per_address", |limits| limits.requests_per_address.to_string()),
    key("limits.sign_ins_per_address", |limits| limits.sign_ins_per_address.to_string()),
    key("limits.wrong_passwords_per_name", |limits| limits.wrong_passwords_per_name.to_string()),
    key("limits.wrong_passwords_per_address", |limits| limits.wrong_passwords_per_address.to_string()),
    key("limits.registrations_per_address", |limits| limits.registrations_per_address.to_string()),
    key("limits.recoveries_per_address", |limits| limits.recoveries_per_address.to_string()),
    key("limits.confirmations_per_address", |limits| limits.confirmations_per_address.to_string()),
    key("limits.chat_lines", |limits| limits.chat_lines.to_string()),
    key("limits.chat_lines_per_address", |limits| limits.chat_lines_per_address.to_string()),
    key("limits.bytes", |limits| limits.bytes.to_string()),
    key("limits.bytes_per_address", |limits| limits.bytes_per_address.to_string()),
    key("limits.account_bytes", |limits| limits.account_bytes.to_string()),
    key("limits.low_disk_bytes", |limits| limits.low_disk_bytes.to_string()),
    key("limits.export_s", |limits| limits.export_time.as_secs().to_string()),
    key("limits.hashes", |limits| limits.hashes.to_string()),
    key("limits.proofs", |limits| limits.proofs.to_string()),
    key("limits.proof_nodes", |limits| limits.proof_nodes.to_string()),
    key("limits.proof_s", |limits| limits.proof_time.as_secs().to_string()),
    key("limits.proof_asks", |limits| limits.proof_asks.to_string()),
    key("limits.proof_asks_per_address", |limits| limits.proof_asks_per_address.to_string()),
    key("limits.request_s", |limits| limits.request_time.as_secs().to_string()),
    key("limits.send_s", |limits| limits.send_time.as_secs().to_string()),
    key("limits.silence_s", |limits| limits.silence.as_secs().to_string()),
    key("limits.farewell_s", |limits| limits.farewell.as_secs().to_string()),
];

/// No clock that is right shows an earlier time than this, when the program was written: the beginning of 2026.
pub(crate) const EARLIEST: Millis = Millis(1_767_225_600_000);

/// Where a value comes from.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Source {
    BuiltIn,
    Preset(String),
    File(String),
    Environment(String),
    CommandLine,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::Preset(name) => write!(f, "preset {name}"),
            Self::File(path) => f.write_str(path),
            Self::Environment(name) => write!(f, "${name}"),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}

const PREFIX: &str = "ADOUBE_";
/// Variables that are no settings: where the file of settings is, and what scripts, tests and builds of this project are told.
const NO_SETTINGS: [&str; 8] = [
    "ADOUBE_CONFIG",
    "ADOUBE_LIMITS",
    "ADOUBE_BIN",
    "ADOUBE_NATIVE",
    "ADOUBE_SIMULATION_FIRST",
    "ADOUBE_SIMULATION_SEEDS",
    "ADOUBE_URL",
    "ADOUBE_VERSION",
];
/// Letters in which a misspelled name may differ: one of each four behind the prefix, and at most three. `ADOUBE_TAG` is not
/// `ADOUBE_LOG`.
fn tolerance(known: &str) -> usize {
    (known.len().saturating_sub(PREFIX.len()) / 4).min(3)
}

/// The variable of a setting.
fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('.', "_").to_uppercase())
}

/// Returns a warning about a variable that is not a setting, if it needs one.
///
/// # Errors
///
/// If it is a misspelled setting: ignoring it would leave a limit as it is built in.
fn stranger(name: &str, value: &str) -> anyhow::Result<Option<String>> {
    let settings = KEYS.iter().map(|key| variable(key.name)).collect::<Vec<_>>();
    if NO_SETTINGS.contains(&name) || settings.iter().any(|known| known == name) {
        return Ok(None);
    }
    // What Kubernetes and Docker tell of services whose names begin as ours.
    let is_of_service =
        ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT_", "_ENV_"].iter().any(|part| name.contains(part))
            || ["tcp://", "udp://"].iter().any(|scheme| value.starts_with(scheme));
    if is_of_service {
        return Ok(None);
    }
    let distance = |known: &String| strsim::damerau_levenshtein(known, name);
    let Some(nearest) = settings.iter().min_by_key(|known| distance(known)) else { return Ok(None) };
    if distance(nearest) <= tolerance(nearest) {
        bail!("the environment sets ${name}, which is not a setting; did you mean ${nearest}?");
    }
    Ok(Some(format!("the environment sets ${name}, which is not a setting; `adoube config` lists them all")))
}

/// All settings with their values.
#[derive(Debug)]
pub(crate) struct Settings {
    values: BTreeMap<&'static str, (String, Source)>,
    /// What is in the environment and looks as if it were meant for us.
    strangers: Vec<String>,
}

impl Settings {
    /// Returns the settings that hold, or which of them is none.
    pub(crate) fn read(chosen: &Chosen) -> anyhow::Result<Self> {
        let mut environment = Vec::new();
        for (name, value) in std::env::vars_os() {
            let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
            let value = value.into_string().map_err(|_| anyhow::anyhow!("${name} is not UTF-8"))?;
            environment.push((name.to_owned(), value));
        }
        Self::read_with(chosen, &environment)
    }

    fn read_with(chosen: &Chosen, variables: &[(String, String)]) -> anyhow::Result<Self> {
        let mut strangers = Vec::new();
        for (name, value) in variables {
            strangers.extend(stranger(name, value)?);
        }
        let environment =
            |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let limits = Limits::default();
        let built_in = KEYS.iter().map(|key| (key.name, ((key.default)(&limits), Source::BuiltIn)));
        let mut settings = Self { values: built_in.collect(), strangers };
        let file = chosen.config.clone().or_else(|| environment("ADOUBE_CONFIG").map(Into::into));
        if let Some(path) = &file {
            settings.read_file(path)?;
        }
        for key in KEYS {
            let name = variable(key.name);
            if let Some(value) = environment(&name) {
                settings.set(key.name, value, Source::Environment(name))?;
            }
        }
        if let Some(value) = environment("ADOUBE_LIMITS") {
            settings.set("limits", value, Source::Environment("ADOUBE_LIMITS".into()))?;
        }
        for (name, value) in chosen.values() {
            settings.set(name, value, Source::CommandLine)?;
        }
        settings.apply_preset()?;
        Ok(settings)
    }

    /// Gives all that was not set the value of the chosen preset.
    fn apply_preset(&mut self) -> anyhow::Result<()> {
        let name = self.text("limits.preset").unwrap_or_default().to_owned();
        let Some(limits) = Limits::preset(&name) else {
            bail!("limits.preset is one of {}, not {name:?}", Limits::PRESETS.join(", "));
        };
        for key in KEYS {
            let value = (key.default)(&limits);
            if let Some(held) = self.values.get_mut(key.name)
                && held.1 == Source::BuiltIn
                && held.0 != value
            {
                *held = (value, Source::Preset(name.clone()));
            }
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display().to_string();
        let text = fs::read_to_string(path).with_context(|| format!("{shown} cannot be read"))?;
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| anyhow::anyhow!("{shown} is no TOML: {}", error.message()))?;
        for (name, value) in flatten("", table) {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Array(values) => {
                    values.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join(",")
                }
                other => bail!("{shown}: {name} cannot be a {}", other.type_str()),
            };
            self.set(&name, value, Source::File(shown.clone())).with_context(|| shown.clone())?;
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: String, source: Source) -> anyhow::Result<()> {
        // One word for all limits, where no table of them is wanted.
        let name = if name == "limits" { "limits.preset" } else { name };
        if let Some(rate) = name.strip_suffix("_per_s")
            && self.values.contains_key(rate)
        {
            bail!("{name} is not a setting any more: the period stands in {rate}, as in {rate} = \"60/min\"");
        }
        let Some(held) = self.values.get_mut(name) else {
            let nearest = KEYS.iter().min_by_key(|key| strsim::damerau_levenshtein(key.name, name));
            let nearest = nearest.map(|key| format!("; did you mean {}?", key.name)).unwrap_or_default();
            bail!("no setting is called {name:?}{nearest}")
        };
        *held = (value, source);
        Ok(())
    }

    /// The text of a setting; nothing if it is empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|(value, _)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn number<T: FromStr>(&self, name: &str) -> anyhow::Result<T> {
        let value = self.text(name).unwrap_or_default();
        value.parse().map_err(|_| anyhow::anyhow!("{name} must be a number, not {value:?}"))
    }

    /// For how long things are kept.
    pub(crate) fn retention(&self) -> anyhow::Result<Retention> {
        let keep = |name: &str| {
            let value = self.text(name).unwrap_or_default();
            value.parse::<Keep>().map_err(|error| anyhow::anyhow!("{name}: {error}"))
        };
        Ok(Retention {
            unjoined_games: keep("keep.unjoined_games")?,
            called_off_games: keep("keep.called_off_games")?,
            anonymous_games: keep("keep.anonymous_games")?,
            reports: keep("keep.reports")?,
            names: keep("keep.names")?,
        })
    }

    fn rate(&self, name: &str) -> anyhow::Result<Rate> {
        let value = self.text(name).unwrap_or_default();
        value.parse().map_err(|error| anyhow::anyhow!("{name}: {error}"))
    }

    fn seconds(&self, name: &str) -> anyhow::Result<Duration> {
        match self.number(name)? {
            0 => bail!("{name} must be a second at least"),
            seconds => Ok(Duration::from_secs(seconds)),
        }
    }

    /// A setting in units of so many hours.
    fn hours(&self, name: &str, each: u64) -> anyhow::Result<Duration> {
        // A hundred years are enough, and can be counted in milliseconds.
        const MOST: u64 = 100 * 366 * 24;
        match self.number::<u64>(name)?.checked_mul(each) {
            Some(hours @ 1..=MOST) => Ok(Duration::from_hours(hours)),
            _ => bail!("{name} must be a number from 1 to {}", MOST / each),
        }
    }

    /// What the server is given.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let data = Path::new(self.text("data").unwrap_or_default());
        let listen = self.text("listen").unwrap_or_default();
        let mut config = Config::new(listen, data, self.text("public_origin"))?;
        for address in self.text("trusted_proxies").unwrap_or_default().split(',').map(str::trim) {
            if !address.is_empty() {
                let address = address.parse::<IpAddr>();
                config
                    .trusted_proxies
                    .push(address.context("trusted_proxies holds IP addresses, separated by commas")?);
            }
        }
        if self.text("machine_threads").is_some() {
            config.machine_threads = self.number("machine_threads")?;
        }
        config.metrics = match self.text("metrics") {
            Some(address) => Some(address.parse().with_context(|| {
                format!("metrics must be an IP address and a port, such as 127.0.0.1:9187, not {address:?}")
            })?),
            None => None,
        };
        config.hsts = match self.text("hsts") {
            Some("off") => Hsts::Off,
            Some("host") | None => Hsts::Host,
            Some("subdomains") => Hsts::Subdomains,
            Some(other) => bail!("hsts is one of off, host, subdomains, not {other:?}"),
        };
        config.sessions = SessionTimes {
            idle: self.hours("sessions.idle_d", 24)?,
            longest: self.hours("sessions.longest_d", 24)?,
        };
        config.clock = ClockCheck {
            tolerance: self.hours("clock.tolerance_h", 1)?,
            longest_absence: self.hours("clock.longest_absence_d", 24)?,
            earliest: EARLIEST,
            accept: false,
        };
        config.retention = self.retention()?;
        config.limits = Limits {
            connections: self.number("limits.connections")?,
            connections_per_address: self.number("limits.connections_per_address")?,
            messages: self.rate("limits.messages")?,
            messages_per_address: self.rate("limits.messages_per_address")?,
            creations: self.rate("limits.creations")?,
            creations_per_address: self.rate("limits.creations_per_address")?,
            conditions: self.rate("limits.conditions")?,
            conditions_per_address: self.rate("limits.conditions_per_address")?,
            touches: self.rate("limits.touches")?,
            touches_per_address: self.rate("limits.touches_per_address")?,
            resyncs: self.rate("limits.resyncs")?,
            resyncs_per_address: self.rate("limits.resyncs_per_address")?,
            exports: self.rate("limits.exports")?,
            exports_per_address: self.rate("limits.exports_per_address")?,
            requests_per_address: self.rate("limits.requests_per_address")?,
            sign_ins: self.rate("limits.sign_ins")?,
            sign_ins_per_address: self.rate("limits.sign_ins_per_address")?,
            wrong_passwords_per_name: self.rate("limits.wrong_passwords_per_name")?,
            wrong_passwords_per_address: self.rate("limits.wrong_passwords_per_address")?,
            registrations_per_address: self.rate("limits.registrations_per_address")?,
            recoveries_per_address: self.rate("limits.recoveries_per_address")?,
            confirmations_per_address: self.rate("limits.confirmations_per_address")?,
            chat_lines: self.rate("limits.chat_lines")?,
            chat_lines_per_address: self.rate("limits.chat_lines_per_address")?,
            bytes: self.rate("limits.bytes")?,
            bytes_per_address: self.rate("limits.bytes_per_address")?,
            account_bytes: self.number("limits.account_bytes")?,
            low_disk_bytes: self.number("limits.low_disk_bytes")?,
            export_time: self.seconds("limits.export_s")?,
            hashes: self.number("limits.hashes")?,
            proofs: self.number("limits.proofs")?,
            proof_nodes: self.number("limits.proof_nodes")?,
            proof_time: self.seconds("limits.proof_s")?,
            proof_asks: self.rate("limits.proof_asks")?,
            proof_asks_per_address: self.rate("limits.proof_asks_per_address")?,
            request_time: self.seconds("limits.request_s")?,
            send_time: self.seconds("limits.send_s")?,
            silence: self.seconds("limits.silence_s")?,
            farewell: self.seconds("limits.farewell_s")?,
            ..config.limits
        };
        Ok(config)
    }

    /// Returns a warning for each thing that is allowed but unwise.
    #[cfg(unix)]
    pub(crate) fn warnings(&self) -> Vec<String> {
        use std::os::unix::fs::PermissionsExt as _;
        let mut warnings = self.strangers.clone();
        for key in KEYS.iter().filter(|key| key.secret) {
            if let Some((value, Source::File(path))) = self.values.get(key.name)
                && !value.is_empty()
                && fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o004 != 0)
            {
                warnings.push(format!(
                    "every user of this machine can read {path}, which holds {}: chmod 600 {path}",
                    key.name
                ));
            }
        }
        warnings
    }

    #[cfg(not(unix))]
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.strangers.clone()
    }

    /// Prints all settings as a file that could be read again, each with where it comes from.
    pub(crate) fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for key in KEYS {
            let Some((value, source)) = self.values.get(key.name) else { continue };
            let shown = if key.secret && !value.is_empty() { "…" } else { value };
            writeln!(out, "{} = {}  # {source}", key.name, toml::Value::from(shown))?;
        }
        Ok(())
    }
}

/// The values of nested tables under dotted names.
fn flatten(prefix: &str, table: toml::Table) -> Vec<(String, toml::Value)> {
    let mut flat = Vec::new();
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) => flat.extend(flatten(&format!("{prefix}{name}."), inner)),
            value => flat.push((format!("{prefix}{name}"), value)),
        }
    }
    flat
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, environment: &[(&str, &str)], chosen: Chosen) -> anyhow::Result<Settings> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("adoube.toml");
        fs::write(&path, file)?;
        let chosen = Chosen { config: Some(path), ..chosen };
        let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Settings::read_with(&chosen, &environment.collect::<Vec<_>>())
    }

    #[test]
    fn the_later_source_holds() {
        let file = "listen = \"0.0.0.0:1\"\ndata = \"file.sqlite\"\n[limits]\ncreations = \"7/min\"\nmessages = \"8/20s\"\n";
        let environment = [("ADOUBE_LISTEN", "0.0.0.0:2"), ("ADOUBE_LIMITS_MESSAGES", "9/20s")];
        let chosen = Chosen { listen: Some("0.0.0.0:3".into()), ..Chosen::default() };
        let settings = read(file, &environment, chosen).unwrap();
        let config = settings.config().unwrap();
        assert_eq!(config.listen, "0.0.0.0:3".parse().unwrap());
        assert_eq!(config.data, Path::new("file.sqlite"));
        let limits = &config.limits;
        assert_eq!(
            (limits.creations.to_string(), limits.messages.to_string()),
            ("7/min".into(), "9/20s".into())
        );
        let mut printed = Vec::new();
        settings.print(&mut printed).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        for line in [
            "listen = \"0.0.0.0:3\"  # command line",
            "limits.messages = \"9/20s\"  # $ADOUBE_LIMITS_MESSAGES",
            "limits.hashes = \"2\"  # built in",
        ] {
            assert!(printed.lines().any(|found| found == line), "{line} is not in\n{printed}");
        }
        // What was printed can be read again.
        read(&printed, &[], Chosen::default()).unwrap().config().unwrap();
    }

    #[test]
    fn a_preset_gives_what_was_not_set() {
        let usual = read("", &[], Chosen::default()).unwrap().config().unwrap().limits;
        assert_eq!(usual, Limits::default());
        for file in ["limits = \"club\"", "[limits]\npreset = \"club\""] {
            let settings = read(file, &[], Chosen::default()).unwrap();
            assert_eq!(settings.config().unwrap().limits, Limits::preset("club").unwrap(), "{file}");
            let mut printed = Vec::new();
            settings.print(&mut printed).unwrap();
            let printed = String::from_utf8(printed).unwrap();
            assert!(
                printed.contains("limits.connections_per_address = \"1024\"  # preset club"),
                "{printed}"
            );
            assert_eq!(
                read(&printed, &[], Chosen::default()).unwrap().config().unwrap().limits,
                Limits::preset("club").unwrap()
            );
        }
        let file = "[limits]\npreset = \"club\"\ncreations_per_address = \"5/min\"";
        let limits =
            read(file, &[("ADOUBE_LIMITS", "default")], Chosen::default()).unwrap().config().unwrap().limits;
        let expected = Rate::new(5, Duration::from_mins(1));
        assert_eq!(limits, Limits { creations_per_address: expected, ..Limits::default() });
    }

    #[test]
    fn secrets_are_not_printed() {
        let settings =
            read("[mail]\nsmtp = \"smtps://me:horse@example.org\"", &[], Chosen::default()).unwrap();
        let mut printed = Vec::new();
        settings.print(&mut printed).unwrap();
        assert!(!String::from_utf8(printed).unwrap().contains("horse"));
    }

    #[test]
    fn a_variable_that_is_no_setting_is_refused_with_the_nearest_one() {
        for (name, nearest) in [
            ("ADOUBE_LIMITS_CREATION", "$ADOUBE_LIMITS_CREATIONS?"),
            ("ADOUBE_PUBLIC_ORIGN", "$ADOUBE_PUBLIC_ORIGIN?"),
            ("ADOUBE_MAIL.SMTP", "$ADOUBE_MAIL_SMTP?"),
        ] {
            let error = read("", &[(name, "3")], Chosen::default()).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(nearest), "{error}");
        }
        // What is far from every setting is told, and is not in the way: an upgrade may have taken it away.
        let settings =
            read("", &[("ADOUBE_PRIVATE_GARDEN", "1"), ("ADOUBE_TAG", "v1")], Chosen::default()).unwrap();
        assert!(matches!(&*settings.warnings(), [one, _] if one.contains("$ADOUBE_PRIVATE_GARDEN")));
        // Of services whose names begin so.
        let others = [
            ("ADOUBE_PORT", "tcp://10.0.0.1:8787"),
            ("ADOUBE_PORT_8787_TCP", "tcp://10.0.0.1:8787"),
            ("ADOUBE_PORT_8787_TCP_PROTO", "tcp"),
            ("ADOUBE_WEB_SERVICE_HOST", "10.0.0.1"),
            ("ADOUBE_SERVICE_PORT_HTTP", "80"),
        ];
        assert_eq!(read("", &others, Chosen::default()).unwrap().warnings(), [""; 0]);
        let set = vec![("limits.creatons".to_owned(), "3".to_owned())];
        let error = read("", &[], Chosen { set, ..Chosen::default() }).unwrap_err().to_string();
        assert!(error.contains("did you mean limits.creations?"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_a_secret_that_everybody_can_read_is_told() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("adoube.toml");
        fs::write(&path, "[mail]\nsmtp = \"smtps://me:horse@example.org\"").unwrap();
        for (mode, told) in [(0o644, 1), (0o640, 0), (0o600, 0)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let chosen = Chosen { config: Some(path.clone()), ..Chosen::default() };
            let warnings = Settings::read_with(&chosen, &[]).unwrap().warnings();
            assert_eq!(warnings.len(), told, "{warnings:?}");
            assert!(
                warnings.iter().all(|warning| warning.contains("mail.smtp") && !warning.contains("horse"))
            );
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (file, problem) in [
            ("lisen = \"0.0.0.0:1\"", "no setting is called \"lisen\""),
            ("listen = ", "is no TOML"),
            ("listen = true", "listen cannot be a boolean"),
            ("listen = \"here\"", "listen address \"here\""),
            ("[limits]\nhashes = \"many\"", "limits.hashes must be a number"),
            ("[limits]\nsilence_s = 0", "limits.silence_s must be a second"),
            (
                "[limits]\ncreations = 60",
                "limits.creations: \"60\" is not a count and a period, such as 60/min",
            ),
            ("[limits]\ncreations_per_s = 60", "as in limits.creations = \"60/min\""),
            ("[limits]\nsign_ins_per_s = 300", "the period stands in limits.sign_ins"),
            ("[keep]\nreports = 30", "keep.reports: \"30\" is not a number of days, such as 30d, nor always"),
            ("limits = \"school\"", "limits.preset is one of default, club, not \"school\""),
            ("metrics = \"9187\"", "metrics must be an IP address and a port"),
            ("hsts = \"all\"", "hsts is one of off, host, subdomains"),
            ("trusted_proxies = [\"proxy\"]", "trusted_proxies holds IP addresses"),
        ] {
            let error =
                read(file, &[], Chosen::default()).and_then(|settings| settings.config()).unwrap_err();
            assert!(format!("{error:#}").contains(problem), "{file}: {error:#}");
        }
    }
}
