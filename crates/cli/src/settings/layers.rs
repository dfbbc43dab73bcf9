//! The sources of settings, merged.
//!
//! They are merged here, as text keyed by name, rather than by a library, for two reasons. The preset is a
//! layer below the file, but the layers above choose its name. And libraries for layered settings read `yes`
//! as 1, treat `_` as a dot, or add a second TOML parser.

mod warnings;

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{self, Write},
    path::Path,
    str::FromStr,
};

use adoube_server::{Config, Limits, Preset, Retention};
use anyhow::{Context as _, anyhow, bail, ensure};
use serde::{Serialize, de::DeserializeOwned};

use super::{BusSettings, Data, EARLIEST, LogFormat, SettingFlags, Settings, environment, is_secret};

/// The source of a value. The variants are in order of increasing precedence.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Source {
    BuiltIn,
    Preset(String),
    /// A line of a file, counted from 1.
    File {
        path: String,
        line: usize,
    },
    Environment(String),
    CommandLine,
}

impl Source {
    /// Returns the prefix of an error about a value from this source; empty if the name of the setting is
    /// enough to find it.
    fn error_prefix(&self) -> String {
        match self {
            Self::File { .. } | Self::Environment(_) => format!("{self}: "),
            Self::BuiltIn | Self::Preset(_) | Self::CommandLine => String::new(),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::Preset(name) => write!(f, "preset {name}"),
            Self::File { path, line } => write!(f, "{path}:{line}"),
            Self::Environment(name) => write!(f, "${name}"),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}

/// The effective value of a setting, as text.
#[derive(Debug)]
struct LayeredValue {
    text: String,
    source: Source,
}

/// The settings file to use if none is named. Commands run by hand thus use the settings of the installed
/// server.
pub(crate) const SYSTEM_FILE: &str = "/etc/adoube/adoube.toml";

/// A warning about a setting or an environment variable, with a remedy.
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

/// The values of all settings as text, by name, merged from all sources.
#[derive(Debug)]
pub(crate) struct Layers {
    values: BTreeMap<String, LayeredValue>,
    /// Warnings about environment variables that may have been meant for this program.
    unknown_variables: Vec<Warning>,
    has_file: bool,
}

impl Layers {
    /// Reads all sources.
    ///
    /// # Errors
    ///
    /// If a source cannot be read, or contains an unknown setting, a value of a type that no setting has, or
    /// an unknown preset. Other values are parsed later, by [`settings`](Self::settings).
    pub(crate) fn read(flags: &SettingFlags) -> anyhow::Result<Self> {
        let variables = environment::variables()?;
        let names_file = |(name, path): &(String, String)| name == "ADOUBE_CONFIG" && !path.is_empty();
        let is_named = flags.config.is_some() || variables.iter().any(names_file);
        let system = Path::new(SYSTEM_FILE);
        if !is_named && system.exists() {
            let flags = SettingFlags { config: Some(system.to_owned()), ..flags.clone() };
            return Self::read_with(&flags, &variables);
        }
        Self::read_with(flags, &variables)
    }

    fn read_with(flags: &SettingFlags, variables: &[(String, String)]) -> anyhow::Result<Self> {
        let mut layers = Self::built_in()?;
        let names = layers.values.keys().cloned().collect::<Vec<_>>();
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
            layers.has_file = true;
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

    /// Returns `true` if the sources include a settings file.
    pub(crate) fn has_file(&self) -> bool {
        self.has_file
    }

    /// Returns the values that apply without any other source.
    pub(crate) fn built_in() -> anyhow::Result<Self> {
        let mut texts = texts_of(&Settings::default())?;
        texts.extend(texts_of(&Config::default())?);
        let layered =
            texts.into_iter().map(|(name, text)| (name, LayeredValue { text, source: Source::BuiltIn }));
        Ok(Self { values: layered.collect(), unknown_variables: Vec::new(), has_file: false })
    }

    /// Applies the chosen preset to each limit that no other source has set.
    fn add_preset(&mut self) -> anyhow::Result<()> {
        let name = self.text("limits.preset").to_owned();
        let preset =
            Preset::from_str(&name).map_err(|error| self.invalid("limits.preset", &error.to_string()))?;
        let config = Config { limits: Limits::of(preset), ..Config::default() };
        for (setting, text) in texts_of(&config)? {
            if let Some(layered) = self.values.get_mut(&setting)
                && layered.source == Source::BuiltIn
                && layered.text != text
            {
                *layered = LayeredValue { text, source: Source::Preset(name.clone()) };
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).with_context(|| format!("{shown} cannot be read"))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let line = line_at(&String::from_utf8_lossy(valid), valid.len());
            anyhow!("{shown}:{line}: this line is not valid UTF-8; save the file as UTF-8")
        })?;
        let not_toml = |error: toml::de::Error| {
            let line = line_at(&text, error.span().map_or(0, |span| span.start));
            if error.message().starts_with("duplicate key") {
                return anyhow!("{shown}:{line}: this line repeats a setting from a line above");
            }
            // The rest, which lists what the parser expected, rarely helps.
            let problem = error.message().lines().next().unwrap_or_default();
            let problem = problem.split(", expected").next().unwrap_or_default();
            anyhow!(
                "{shown}:{line}: this line is not valid TOML: {problem}; write NAME = \"VALUE\", [TABLE] or # COMMENT"
            )
        };
        let table: toml::Table = text.parse().map_err(not_toml)?;
        let mut lines = BTreeMap::new();
        add_lines("", toml::de::DeTable::parse(&text).map_err(not_toml)?.get_ref(), &text, &mut lines);
        for (name, value) in flatten("", table) {
            let source = Source::File { path: shown.clone(), line: lines.get(&name).copied().unwrap_or(1) };
            let prefix = source.error_prefix();
            // An unknown name is reported before a value of the wrong type.
            let known = self.known_name(&name).map_err(|error| anyhow!("{prefix}{error}"))?;
            let text = text_of(&value).map_err(|kind| {
                let example = self.text(known);
                let example =
                    if example.is_empty() { String::new() } else { format!(", for example {example:?}") };
                anyhow!(
                    "{prefix}{name} cannot be a {kind}; write a quoted string, a whole number or a list{example}"
                )
            })?;
            self.set(known, text, source)?;
        }
        Ok(())
    }

    /// Returns the full name of a setting.
    ///
    /// # Errors
    ///
    /// Fails if no setting has this name. The message suggests a setting with a similar name, if there is
    /// one.
    fn known_name<'a>(&self, name: &'a str) -> anyhow::Result<&'a str> {
        // `limits = "club"` is short for `limits.preset`, and `bus = "nats://…"` for `bus.url`.
        let name = match name {
            "limits" => "limits.preset",
            "bus" => "bus.url",
            name => name,
        };
        if self.values.contains_key(name) {
            return Ok(name);
        }
        if let Some(rate) = name.strip_suffix("_per_s")
            && self.values.contains_key(rate)
        {
            bail!(
                "{name} is no longer a setting: {rate} now includes the unit of time, as in {rate} = \"60/min\""
            );
        }
        // Top-level keys must come before the first table header.
        if let Some((table, key)) = name.split_once('.')
            && self.values.contains_key(key)
        {
            bail!(
                "unknown setting {name:?}; {key} belongs above the first line in brackets, not below [{table}]"
            );
        }
        let in_table = |known: &&str| known.split_once('.').is_some_and(|(_, key)| key == name);
        if let Some(known) = self.values.keys().map(String::as_str).find(in_table) {
            let table = known.trim_end_matches(name).trim_end_matches('.');
            bail!("unknown setting {name:?}; put it below the line [{table}], or write {known}");
        }
        let inner = self
            .values
            .keys()
            .filter(|known| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')));
        let inner = inner.map(String::as_str).collect::<Vec<_>>();
        if !inner.is_empty() {
            bail!("{name:?} is a table, not a setting; set {}", inner.join(" or "));
        }
        let tables = self.values.keys().filter_map(|known| known.split_once('.')).map(|(table, _)| table);
        let names = self.values.keys().map(String::as_str).chain(tables);
        let distances = names.map(|known| (strsim::damerau_levenshtein(known, name), known));
        let nearest = match distances.min() {
            Some((distance, nearest)) if distance * 2 <= name.chars().count() => {
                format!("; did you mean {nearest}?")
            }
            _ => "; `adoube config` lists all settings".to_owned(),
        };
        bail!("unknown setting {name:?}{nearest}")
    }

    fn set(&mut self, name: &str, text: String, source: Source) -> anyhow::Result<()> {
        let name = self.known_name(name)?;
        if let Some(layered) = self.values.get_mut(name) {
            *layered = LayeredValue { text, source };
        }
        Ok(())
    }

    /// Returns the error for an invalid value, with its source.
    fn invalid(&self, name: &str, message: &str) -> anyhow::Error {
        self.at(name, &with_name(name, message))
    }

    /// Adds the source of a setting to an error that its value causes.
    pub(crate) fn at(&self, name: &str, error: &anyhow::Error) -> anyhow::Error {
        let prefix = self.values.get(name).map(|layered| layered.source.error_prefix()).unwrap_or_default();
        anyhow!("{prefix}{}", crate::describe(error))
    }

    /// Returns the text of a setting.
    fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", |layered| &layered.text)
    }

    /// Returns the format of the log, even if another setting is invalid.
    pub(crate) fn log_format(&self) -> LogFormat {
        LogFormat::try_from(self.text("log_format").to_owned()).unwrap_or_default()
    }

    /// Returns the location of the data, which commands need even if a server setting is invalid.
    pub(crate) fn data(&self) -> anyhow::Result<Data> {
        let data = self.text("data");
        ensure!(!data.is_empty(), "data is not set");
        let data = Data::from(data.to_owned());
        data.check_scheme()?;
        Ok(data)
    }

    /// Returns the location of the data. Fails if it is a folder, or a file that does not exist or cannot be
    /// reached.
    pub(crate) fn existing_data(&self) -> anyhow::Result<Data> {
        let data = self.data()?;
        let Data::File(path) = &data else { return Ok(data) };
        let shown = path.display();
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => bail!("the data file {shown} cannot be used: it is a folder"),
            Ok(_) => Ok(data),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                bail!(
                    "the data file {shown} cannot be reached: {error}; run this command as the server's user"
                )
            }
            Err(_) => bail!("the data file {shown} does not exist"),
        }
    }

    /// Returns the values of all settings.
    ///
    /// # Errors
    ///
    /// If a value is invalid. The message names the first such setting, and the valid values.
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
        for (name, layered) in &self.values {
            if let Some(name) = name.strip_prefix(prefix) {
                insert(&mut root, name, &layered.text);
            }
        }
        serde_path_to_error::deserialize(toml::Value::Table(root))
            .map_err(|error| self.invalid(&format!("{prefix}{}", error.path()), error.inner().message()))
    }

    /// Prints all settings as a settings file, each with its source.
    pub(crate) fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (name, LayeredValue { text, source }) in &self.values {
            let shown = if is_secret(name, text) { "…" } else { text };
            writeln!(out, "{name} = {}  # {source}", toml::Value::from(shown))?;
        }
        Ok(())
    }
}

/// Prefixes a message with the name of a setting.
fn with_name(name: &str, message: &str) -> anyhow::Error {
    // Some messages start with the value. All others complete a sentence that starts with the name.
    if message.starts_with('"') { anyhow!("{name}: {message}") } else { anyhow!("{name} {message}") }
}

/// Returns the settings as text, by name.
fn texts_of(settings: &impl Serialize) -> anyhow::Result<BTreeMap<String, String>> {
    let table = toml::Table::try_from(settings).context("the settings cannot be written as TOML")?;
    let texts = flatten("", table).into_iter().map(|(name, value)| match text_of(&value) {
        Ok(text) => Ok((name, text)),
        Err(kind) => Err(anyhow!("{name} is a {kind}")),
    });
    texts.collect()
}

/// Returns a value as text. The items of a list are joined by commas. The error is the name of a type that no
/// setting can have.
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

/// Returns the number of the line that contains the byte at `offset`, counted from 1.
fn line_at(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or(text).matches('\n').count() + 1
}

/// Adds the line number of each value in nested tables, under its dotted name.
fn add_lines(prefix: &str, table: &toml::de::DeTable<'_>, text: &str, lines: &mut BTreeMap<String, usize>) {
    for (name, value) in table {
        let dotted = format!("{prefix}{}", name.get_ref());
        match value.get_ref() {
            toml::de::DeValue::Table(inner) => add_lines(&format!("{dotted}."), inner, text, lines),
            _ => {
                lines.insert(dotted, line_at(text, name.span().start));
            }
        }
    }
}

/// Inserts a value under a dotted name into nested tables.
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
mod tests;
