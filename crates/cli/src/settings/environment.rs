//! The environment as a source of settings.

use anyhow::{anyhow, bail};

use super::Warning;

const PREFIX: &str = "ADOUBE_";

/// Returns the environment variables that look like settings.
pub(super) fn variables() -> anyhow::Result<Vec<(String, String)>> {
    let mut variables = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
        let value = value.into_string().map_err(|_| anyhow!("${name} is not UTF-8"))?;
        variables.push((name.to_owned(), value));
    }
    Ok(variables)
}

/// Variables whose names do not follow from the name of a setting: the path of the settings file, short forms
/// for two settings, and variables that the scripts, tests and builds of this project use.
const NOT_SETTINGS: [&str; 9] = [
    "ADOUBE_CONFIG",
    "ADOUBE_LIMITS",
    "ADOUBE_BIN",
    "ADOUBE_BUS",
    "ADOUBE_NATIVE",
    "ADOUBE_SIMULATION_FIRST",
    "ADOUBE_SIMULATION_SEEDS",
    "ADOUBE_URL",
    "ADOUBE_VERSION",
];

/// Returns the number of characters by which a misspelled name may differ from a known one: one for every
/// four after the prefix, and at most three. `ADOUBE_TAG` is therefore not taken for a misspelled
/// `ADOUBE_LOG`.
fn tolerance(known: &str) -> usize {
    (known.len().saturating_sub(PREFIX.len()) / 4).min(3)
}

/// Returns the name of the environment variable for a setting.
pub(super) fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('.', "_").to_uppercase())
}

/// Returns a warning about a variable that is not a setting, unless it was set by other software.
///
/// # Errors
///
/// If the variable looks like a misspelled setting. Ignoring it could leave a limit at its default.
pub(super) fn unknown_variable(
    name: &str,
    value: &str,
    settings: &[String],
) -> anyhow::Result<Option<Warning>> {
    if NOT_SETTINGS.contains(&name) || settings.iter().any(|known| known == name) {
        return Ok(None);
    }
    // Kubernetes and Docker set these for services with names like ours.
    let belongs_to_service =
        ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT_", "_ENV_"].iter().any(|part| name.contains(part))
            || ["tcp://", "udp://"].iter().any(|scheme| value.starts_with(scheme));
    if belongs_to_service {
        return Ok(None);
    }
    let distance = |known: &String| strsim::damerau_levenshtein(known, name);
    let Some(nearest) = settings.iter().min_by_key(|known| distance(known)) else { return Ok(None) };
    if distance(nearest) <= tolerance(nearest) {
        bail!("the environment sets ${name}, which is not a setting; did you mean ${nearest}?");
    }
    Ok(Some(Warning {
        problem: format!("the environment sets ${name}, which is not a setting"),
        remedy: "`adoube config` lists all settings".into(),
    }))
}
