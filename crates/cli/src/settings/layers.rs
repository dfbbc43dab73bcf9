//! The sources of settings, merged.
//!
//! They are merged here, as text by name, and not by a library: the preset is a layer below the file, but its
//! name is chosen by the layers above, and libraries for layered settings read `yes` as 1, treat `_` as a
//! dot, or add a second TOML parser.

use std::{collections::BTreeMap, fmt, fs, io::Write, path::Path, str::FromStr};

use adoube_server::{Config, Limits, Preset, Retention};
use anyhow::{Context as _, anyhow, bail, ensure};
use serde::{Serialize, de::DeserializeOwned};

use super::{BusSettings, Data, EARLIEST, SettingFlags, Settings, environment, is_secret};

/// The source of a value, weakest first.
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

/// The value of a setting in effect, as text.
#[derive(Debug)]
struct LayeredValue {
    text: String,
    source: Source,
}

/// The file that is read if no other one is named, so that commands by hand have the settings of the installed
/// server.
const SYSTEM_FILE: &str = "/etc/adoube/adoube.toml";

/// A setting that is allowed but unwise, and what would be better.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Warning {
    pub(crate) problem: String,
    pub(crate) remedy: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.problem, self.remedy)
    }
}

/// The text of every setting by name, merged from all sources.
#[derive(Debug)]
pub(crate) struct Layers {
    held: BTreeMap<String, LayeredValue>,
    /// Warnings about variables that may have been meant for this program.
    unknown_variables: Vec<Warning>,
}

impl Layers {
    /// Reads all sources.
    ///
    /// # Errors
    ///
    /// If a source cannot be read, or sets something that is not a setting. Values are parsed later, by
    /// [`settings`](Self::settings).
    pub(crate) fn read(flags: &SettingFlags) -> anyhow::Result<Self> {
        let variables = environment::variables()?;
        let is_named = flags.config.is_some() || variables.iter().any(|(name, _)| name == "ADOUBE_CONFIG");
        let system = Path::new(SYSTEM_FILE);
        if !is_named && system.exists() {
            let flags = SettingFlags { config: Some(system.to_owned()), ..flags.clone() };
            return Self::read_with(&flags, &variables);
        }
        Self::read_with(flags, &variables)
    }

    fn read_with(flags: &SettingFlags, variables: &[(String, String)]) -> anyhow::Result<Self> {
        let mut layers = Self::built_in()?;
        let names = layers.held.keys().cloned().collect::<Vec<_>>();
        let known = names.iter().map(|name| environment::variable(name)).collect::<Vec<_>>();
        for (name, value) in variables {
            layers.unknown_variables.extend(environment::unknown_variable(name, value, &known)?);
        }
        let value_of =
            |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let named = value_of("ADOUBE_CONFIG").filter(|path| !path.is_empty());
        let file = flags.config.clone().or_else(|| named.map(Into::into));
        if let Some(path) = &file {
            layers.add_file(path)?;
        }
        for (name, variable) in names.iter().zip(known) {
            if let Some(value) = value_of(&variable) {
                layers.set(name, value, Source::Environment(variable))?;
            }
        }
        for (variable, name) in [("ADOUBE_LIMITS", "limits"), ("ADOUBE_BUS", "bus")] {
            if let Some(value) = value_of(variable) {
                layers.set(name, value, Source::Environment(variable.into()))?;
            }
        }
        for (name, value) in flags.values() {
            layers.set(name, value, Source::CommandLine)?;
        }
        layers.add_preset()?;
        Ok(layers)
    }

    fn built_in() -> anyhow::Result<Self> {
        let mut texts = texts_of(&Settings::default())?;
        texts.extend(texts_of(&Config::default())?);
        let held =
            texts.into_iter().map(|(name, text)| (name, LayeredValue { text, source: Source::BuiltIn }));
        Ok(Self { held: held.collect(), unknown_variables: Vec::new() })
    }

    /// Sets all limits that no other source sets to the values of the chosen preset.
    fn add_preset(&mut self) -> anyhow::Result<()> {
        let name = self.text("limits.preset").to_owned();
        let preset =
            Preset::from_str(&name).map_err(|error| with_name("limits.preset", &error.to_string()))?;
        let config = Config { limits: Limits::of(preset), ..Config::default() };
        for (setting, text) in texts_of(&config)? {
            if let Some(held) = self.held.get_mut(&setting)
                && held.source == Source::BuiltIn
                && held.text != text
            {
                *held = LayeredValue { text, source: Source::Preset(name.clone()) };
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display().to_string();
        let text = fs::read_to_string(path).with_context(|| format!("{shown} cannot be read"))?;
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| anyhow!("{shown} is not TOML: {}", error.message()))?;
        for (name, value) in flatten("", table) {
            let text = text_of(&value).map_err(|kind| anyhow!("{shown}: {name} cannot be a {kind}"))?;
            self.set(&name, text, Source::File(shown.clone())).with_context(|| shown.clone())?;
        }
        Ok(())
    }

    fn set(&mut self, name: &str, text: String, source: Source) -> anyhow::Result<()> {
        // `limits = "club"` is short for the preset, `bus = "nats://…"` for the address.
        let name = match name {
            "limits" => "limits.preset",
            "bus" => "bus.url",
            name => name,
        };
        if let Some(rate) = name.strip_suffix("_per_s")
            && self.held.contains_key(rate)
        {
            bail!("{name} is no longer a setting: {rate} contains the period, as in {rate} = \"60/min\"");
        }
        let Some(held) = self.held.get_mut(name) else {
            let nearest = self.held.keys().min_by_key(|known| strsim::damerau_levenshtein(known, name));
            let nearest = nearest.map(|known| format!("; did you mean {known}?")).unwrap_or_default();
            bail!("unknown setting {name:?}{nearest}")
        };
        *held = LayeredValue { text, source };
        Ok(())
    }

    /// Returns the text of a setting.
    fn text(&self, name: &str) -> &str {
        self.held.get(name).map_or("", |held| &held.text)
    }

    /// Returns the location of the data, which commands need even if a setting of the server is wrong.
    pub(crate) fn data(&self) -> anyhow::Result<Data> {
        let data = self.text("data");
        ensure!(!data.is_empty(), "data is not set");
        let data = Data::from(data.to_owned());
        data.check_scheme()?;
        Ok(data)
    }

    /// Returns the location of the data; a file must exist.
    pub(crate) fn existing_data(&self) -> anyhow::Result<Data> {
        let data = self.data()?;
        if let Data::File(path) = &data {
            ensure!(path.is_file(), "the data file {} does not exist", path.display());
        }
        Ok(data)
    }

    /// Returns the values of all settings.
    ///
    /// # Errors
    ///
    /// Names the first setting with a wrong value, and the valid values.
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        let mut server: Config = self.deserialize("")?;
        server.clock.earliest = EARLIEST;
        server.version = env!("ADOUBE_VERSION");
        Ok(Settings { server, ..self.deserialize("")? })
    }

    /// Returns the settings of the bus.
    pub(crate) fn bus(&self) -> anyhow::Result<BusSettings> {
        self.deserialize("bus.")
    }

    /// Returns the retention period of each kind of data.
    pub(crate) fn retention(&self) -> anyhow::Result<Retention> {
        self.deserialize("keep.")
    }

    /// Parses the settings whose names begin with a prefix.
    fn deserialize<T: DeserializeOwned>(&self, prefix: &str) -> anyhow::Result<T> {
        let mut root = toml::Table::new();
        for (name, held) in &self.held {
            if let Some(name) = name.strip_prefix(prefix) {
                insert(&mut root, name, &held.text);
            }
        }
        serde_path_to_error::deserialize(toml::Value::Table(root))
            .map_err(|error| with_name(&format!("{prefix}{}", error.path()), error.inner().message()))
    }

    /// Returns a warning for each setting that is allowed but unwise.
    #[cfg(unix)]
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        use std::os::unix::fs::PermissionsExt as _;
        let mut warnings = self.unknown_variables.clone();
        for (name, held) in &self.held {
            if let LayeredValue { text, source: Source::File(path) } = held
                && is_secret(name, text)
                && fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o004 != 0)
            {
                warnings.push(Warning {
                    problem: format!("every user of this machine can read {path}, which holds {name}"),
                    remedy: format!("chmod 600 {path}"),
                });
            }
        }
        warnings
    }

    #[cfg(not(unix))]
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        self.unknown_variables.clone()
    }

    /// Prints all settings as a settings file, each with its source.
    pub(crate) fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (name, LayeredValue { text, source }) in &self.held {
            let shown = if is_secret(name, text) { "…" } else { text };
            writeln!(out, "{name} = {}  # {source}", toml::Value::from(shown))?;
        }
        Ok(())
    }
}

/// Prefixes a message with the name of a setting.
fn with_name(name: &str, message: &str) -> anyhow::Error {
    // Some messages begin with the value; all others are the rest of a sentence.
    if message.starts_with('"') { anyhow!("{name}: {message}") } else { anyhow!("{name} {message}") }
}

/// Returns the texts of settings by name.
fn texts_of(settings: &impl Serialize) -> anyhow::Result<BTreeMap<String, String>> {
    let table = toml::Table::try_from(settings).context("the settings have no text form")?;
    let texts = flatten("", table).into_iter().map(|(name, value)| match text_of(&value) {
        Ok(text) => Ok((name, text)),
        Err(kind) => Err(anyhow!("{name} is a {kind}")),
    });
    texts.collect()
}

/// Returns a value as text; a list is joined by commas. The error is the type of a value that no setting has.
fn text_of(value: &toml::Value) -> Result<String, &'static str> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Array(values) => {
            let texts = values.iter().map(text_of).collect::<Result<Vec<_>, _>>()?;
            Ok(texts.join(","))
        }
        other => Err(other.type_str()),
    }
}

/// Returns the values of nested tables under dotted names.
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

/// Inserts a text under a dotted name into nested tables.
fn insert(table: &mut toml::Table, name: &str, text: &str) {
    match name.split_once('.') {
        None => {
            table.insert(name.to_owned(), text.into());
        }
        Some((outer, rest)) => {
            let inner = table.entry(outer).or_insert_with(|| toml::Table::new().into());
            if let toml::Value::Table(inner) = inner {
                insert(inner, rest, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use adoube_server::Rate;

    use super::*;

    fn read(file: &str, environment: &[(&str, &str)], flags: SettingFlags) -> anyhow::Result<Layers> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("adoube.toml");
        fs::write(&path, file)?;
        let flags = SettingFlags { config: Some(path), ..flags };
        let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Layers::read_with(&flags, &environment.collect::<Vec<_>>())
    }

    #[test]
    fn a_later_source_overrides_an_earlier_one() {
        let file = "listen = \"0.0.0.0:1\"\ndata = \"file.sqlite\"\n[limits]\ncreations = \"7/min\"\nmessages = \"8/20s\"\n";
        let environment = [("ADOUBE_LISTEN", "0.0.0.0:2"), ("ADOUBE_LIMITS_MESSAGES", "9/20s")];
        let flags = SettingFlags { listen: Some("0.0.0.0:3".into()), ..SettingFlags::default() };
        let layers = read(file, &environment, flags).unwrap();
        let Settings { server, data, .. } = layers.settings().unwrap();
        assert_eq!(server.listen, "0.0.0.0:3".parse().unwrap());
        assert_eq!(data, Data::File("file.sqlite".into()));
        let limits = &server.limits;
        assert_eq!(
            (limits.creations.to_string(), limits.messages.to_string()),
            ("7/min".into(), "9/20s".into())
        );
        let mut printed = Vec::new();
        layers.print(&mut printed).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        for line in [
            "listen = \"0.0.0.0:3\"  # command line",
            "limits.messages = \"9/20s\"  # $ADOUBE_LIMITS_MESSAGES",
            "limits.hashes = \"2\"  # built in",
        ] {
            assert!(printed.lines().any(|found| found == line), "{line} is not in\n{printed}");
        }
        // The output is a valid settings file.
        read(&printed, &[], SettingFlags::default()).unwrap().settings().unwrap();
    }

    #[test]
    fn a_preset_sets_what_was_not_set() {
        let usual = read("", &[], SettingFlags::default()).unwrap().settings().unwrap().server.limits;
        assert_eq!(usual, Limits::default());
        for file in ["limits = \"club\"", "[limits]\npreset = \"club\""] {
            let layers = read(file, &[], SettingFlags::default()).unwrap();
            assert_eq!(layers.settings().unwrap().server.limits, Limits::of(Preset::Club), "{file}");
            let mut printed = Vec::new();
            layers.print(&mut printed).unwrap();
            let printed = String::from_utf8(printed).unwrap();
            assert!(
                printed.contains("limits.connections_per_address = \"1024\"  # preset club"),
                "{printed}"
            );
            assert_eq!(
                read(&printed, &[], SettingFlags::default()).unwrap().settings().unwrap().server.limits,
                Limits::of(Preset::Club)
            );
        }
        let file = "[limits]\npreset = \"club\"\ncreations_per_address = \"5/min\"";
        let limits = read(file, &[("ADOUBE_LIMITS", "default")], SettingFlags::default())
            .unwrap()
            .settings()
            .unwrap()
            .server
            .limits;
        let expected = Rate::new(5, Duration::from_mins(1));
        assert_eq!(limits, Limits { creations_per_address: expected, ..Limits::default() });
    }

    #[test]
    fn the_guide_for_operators_lists_every_setting() {
        let guide = include_str!("../../../../docs/deployment.md");
        for name in Layers::built_in().unwrap().held.keys() {
            assert!(guide.contains(name), "docs/deployment.md does not mention {name}");
        }
    }

    #[test]
    fn commands_on_the_data_work_with_a_wrong_setting_of_the_server() {
        let layers =
            read("data = \"file.sqlite\"\n[limits]\nhashes = \"many\"", &[], SettingFlags::default());
        let layers = layers.unwrap();
        assert!(layers.settings().is_err());
        assert_eq!(layers.data().unwrap(), Data::File("file.sqlite".into()));
        assert_eq!(layers.retention().unwrap(), Retention::default());
        let layers = read("[keep]\nnames = \"30\"", &[], SettingFlags::default()).unwrap();
        assert!(layers.retention().unwrap_err().to_string().starts_with("keep.names: \"30\""));
    }

    #[test]
    fn secrets_are_not_printed() {
        for file in
            ["[mail]\nsmtp = \"smtps://me:horse@example.org\"", "bus = \"nats://me:horse@example.org\""]
        {
            let layers = read(file, &[], SettingFlags::default()).unwrap();
            let mut printed = Vec::new();
            layers.print(&mut printed).unwrap();
            assert!(!String::from_utf8(printed).unwrap().contains("horse"));
            assert!(!format!("{:?}", layers.settings().unwrap()).contains("horse"));
        }
    }

    #[test]
    fn the_bus_is_one_word_or_a_table() {
        let bus = |layers: &Layers| layers.settings().unwrap().bus.nats();
        assert!(bus(&read("", &[], SettingFlags::default()).unwrap()).is_none());
        let file = "[bus]\nurl = \"tls://a\"\ncredentials = \"user.creds\"\nprefix = \"club\"";
        let settings = bus(&read(file, &[], SettingFlags::default()).unwrap()).unwrap();
        assert_eq!((&*settings.url, &*settings.prefix, settings.certificates), ("tls://a", "club", None));
        assert_eq!(settings.credentials.as_deref(), Some(Path::new("user.creds")));
        let file = "bus = \"nats://a\"";
        let url = |layers: Layers| bus(&layers).unwrap().url;
        assert_eq!(url(read(file, &[], SettingFlags::default()).unwrap()), "nats://a");
        let environment = [("ADOUBE_BUS", "nats://b")];
        assert_eq!(url(read(file, &environment, SettingFlags::default()).unwrap()), "nats://b");
        let flags = SettingFlags { bus: Some("nats://c".into()), ..SettingFlags::default() };
        assert_eq!(url(read(file, &environment, flags).unwrap()), "nats://c");
    }

    #[test]
    fn a_misspelled_variable_is_refused_with_the_nearest_setting() {
        for (name, nearest) in [
            ("ADOUBE_LIMITS_CREATION", "$ADOUBE_LIMITS_CREATIONS?"),
            ("ADOUBE_PUBLIC_ORIGN", "$ADOUBE_PUBLIC_ORIGIN?"),
            ("ADOUBE_MAIL.SMTP", "$ADOUBE_MAIL_SMTP?"),
        ] {
            let error = read("", &[(name, "3")], SettingFlags::default()).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(nearest), "{error}");
        }
        // A variable that resembles no setting only causes a warning: an upgrade may have removed the
        // setting.
        let layers =
            read("", &[("ADOUBE_PRIVATE_GARDEN", "1"), ("ADOUBE_TAG", "v1")], SettingFlags::default())
                .unwrap();
        assert!(matches!(&*layers.warnings(), [one, _] if one.problem.contains("$ADOUBE_PRIVATE_GARDEN")));
        // Set by Kubernetes for services with names like ours.
        let others = [
            ("ADOUBE_PORT", "tcp://10.0.0.1:8787"),
            ("ADOUBE_PORT_8787_TCP", "tcp://10.0.0.1:8787"),
            ("ADOUBE_PORT_8787_TCP_PROTO", "tcp"),
            ("ADOUBE_WEB_SERVICE_HOST", "10.0.0.1"),
            ("ADOUBE_SERVICE_PORT_HTTP", "80"),
        ];
        assert_eq!(read("", &others, SettingFlags::default()).unwrap().warnings(), []);
        let set = vec![("limits.creatons".to_owned(), "3".to_owned())];
        let error = read("", &[], SettingFlags { set, ..SettingFlags::default() }).unwrap_err().to_string();
        assert!(error.contains("did you mean limits.creations?"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_readable_file_with_a_secret_is_warned_about() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("adoube.toml");
        fs::write(&path, "[mail]\nsmtp = \"smtps://me:horse@example.org\"").unwrap();
        for (mode, expected) in [(0o644, 1), (0o640, 0), (0o600, 0)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let flags = SettingFlags { config: Some(path.clone()), ..SettingFlags::default() };
            let warnings = Layers::read_with(&flags, &[]).unwrap().warnings();
            assert_eq!(warnings.len(), expected, "{warnings:?}");
            assert!(warnings.iter().map(ToString::to_string).all(|warning| warning.contains("mail.smtp")
                && warning.contains("chmod 600")
                && !warning.contains("horse")));
        }
    }

    #[test]
    fn errors_name_the_setting() {
        for (file, problem) in [
            ("lisen = \"0.0.0.0:1\"", "unknown setting \"lisen\""),
            ("listen = ", "is not TOML"),
            ("listen = true", "listen cannot be a boolean"),
            ("listen = \"here\"", "listen address \"here\""),
            ("other_origins = [\"chess\"]", "other_origins: \"chess\" is not a scheme and a host alone"),
            ("metrics_token = \"short\"", "metrics_token must have at least 16 letters and digits"),
            ("[limits]\nhashes = \"many\"", "limits.hashes must be a number"),
            ("[limits]\nsilence_s = 0", "limits.silence_s must be a number from 1, in seconds"),
            (
                "[limits]\ncreations = 60",
                "limits.creations: \"60\" is not a count and a period, such as 60/min",
            ),
            ("[limits]\ncreations_per_s = 60", "as in limits.creations = \"60/min\""),
            ("[limits]\nsign_ins_per_s = 300", "limits.sign_ins contains the period"),
            ("[keep]\nreports = 30", "keep.reports: \"30\" is not a number of days, such as 30d, or always"),
            ("limits = \"school\"", "limits.preset must be one of default, club, not \"school\""),
            ("metrics = \"9187\"", "metrics must be an IP address and a port"),
            ("hsts = \"all\"", "hsts must be one of off, host, subdomains"),
            ("trusted_proxies = [\"proxy\"]", "trusted_proxies must be IP addresses"),
            ("trusted_proxies = [true]", "trusted_proxies cannot be a boolean"),
            ("public_origin = \"chess\"", "public_origin: \"chess\" is not a scheme and a host alone"),
            ("machine_threads = \"two\"", "machine_threads must be a number, not \"two\""),
            ("log_format = \"xml\"", "log_format must be one of text, json, not \"xml\""),
            ("[sessions]\nidle_d = 0", "sessions.idle_d must be a number from 1 to 36600"),
        ] {
            let error =
                read(file, &[], SettingFlags::default()).and_then(|layers| layers.settings()).unwrap_err();
            assert!(format!("{error:#}").contains(problem), "{file}: {error:#}");
        }
    }
}
