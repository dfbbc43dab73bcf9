//! Checks the log filter. The library reads every unknown word as a target whose lines are logged, so a
//! misspelled level would silence the server.

use tracing_subscriber::{EnvFilter, filter::LevelFilter};

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// The names of this program and of all crates in the lock file, one per line, as they appear in the log.
const CRATES: &str = include_str!(concat!(env!("OUT_DIR"), "/crates"));

/// Parses a filter such as `info,adoube_server=debug`.
///
/// # Errors
///
/// If it is not valid, contains an unknown level, or contains a word that stands alone and is neither a level
/// nor a part of this program. The message completes a sentence that starts with `log`.
pub(crate) fn parse(filter: &str) -> Result<EnvFilter, String> {
    for directive in directives(filter) {
        let (target, level) = target_and_level(directive);
        match level {
            Some(level) if !is_level(level) => {
                return Err(format!(
                    "contains {directive:?}, but {level:?} is not a level{}",
                    suggestion(level)
                ));
            }
            None if !is_level(target) && !is_known(target) => {
                return Err(format!(
                    "contains {target:?}, which is neither a level nor a part of this program{}",
                    suggestion(target)
                ));
            }
            _ => {}
        }
    }
    // The library would take a space as part of a name.
    let directives = directives(filter).collect::<Vec<_>>().join(",");
    directives.parse::<EnvFilter>().map_err(|error| {
        format!("must be a filter such as info or adoube_server=debug, not {filter:?}: {error}")
    })
}

/// Returns the targets in a filter that are not part of this program. They may have been part of an earlier
/// version, so they are not errors.
pub(crate) fn unknown_targets(filter: &str) -> Vec<&str> {
    let targets = directives(filter).map(target_and_level);
    let unknown = targets.filter(|(target, level)| level.is_some() && !is_known(target));
    unknown.map(|(target, _)| target).collect()
}

fn directives(filter: &str) -> impl Iterator<Item = &str> {
    filter.split(',').map(str::trim).filter(|directive| !directive.is_empty())
}

/// Returns the target of a directive, without a span, and its level if it has one. A word alone is a target
/// or a level.
fn target_and_level(directive: &str) -> (&str, Option<&str>) {
    let (rest, level) = match directive.rsplit_once('=') {
        // An equals sign before the end of a span belongs to its fields.
        Some((rest, level)) if !level.contains(']') => (rest, Some(level.trim())),
        _ => (directive, None),
    };
    (rest.split('[').next().unwrap_or_default().trim(), level)
}

fn is_level(word: &str) -> bool {
    !word.is_empty() && word.parse::<LevelFilter>().is_ok()
}

/// Returns `true` for the path of a module of this program. The directive for a span alone has no path.
fn is_known(target: &str) -> bool {
    let name = target.split("::").next().unwrap_or_default();
    name.is_empty() || CRATES.lines().any(|known| known == name)
}

/// Returns the names of the levels, or only the one that was probably meant.
fn suggestion(word: &str) -> String {
    let word = word.to_lowercase();
    let distance = |level: &str| {
        if word.starts_with(level) { 0 } else { strsim::damerau_levenshtein(level, &word) }
    };
    match LEVELS.iter().map(|level| (distance(level), level)).min() {
        Some((distance, level)) if distance <= 2 && distance < level.len() => {
            format!("; did you mean {level}?")
        }
        _ => format!("; the levels are {}", LEVELS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_filters_are_accepted() {
        for filter in [
            "info",
            "INFO",
            "Warn",
            "off",
            "3",
            "0",
            "adoube=debug",
            "adoube_server=debug",
            "info,sqlx=warn",
            "info, adoube_server::auth=warn",
            "adoube_server",
            "debug,hyper=info,async_nats=off",
            "warn,adoube_server[request{method=GET}]=debug",
            "[request]=debug",
            "info,",
        ] {
            assert!(parse(filter).is_ok(), "{filter}: {:?}", parse(filter));
            assert_eq!(unknown_targets(filter), Vec::<&str>::new(), "{filter}");
        }
    }

    #[test]
    fn misspelled_levels_are_refused() {
        for (filter, expected) in [
            (
                "infoo",
                "contains \"infoo\", which is neither a level nor a part of this program; did you mean info?",
            ),
            ("warning", "did you mean warn?"),
            ("verbose", "the levels are off, error, warn, info, debug, trace"),
            ("6", "\"6\", which is neither"),
            ("info,adoube=debgu", "\"adoube=debgu\", but \"debgu\" is not a level; did you mean debug?"),
            ("adoube_server=", "\"\" is not a level"),
            ("info,adoub", "\"adoub\", which is neither"),
        ] {
            let error = parse(filter).map(|_| ()).unwrap_err();
            assert!(error.contains(expected), "{filter}: {error}");
        }
        assert!(parse("info,,=x[").is_err());
    }

    #[test]
    fn unknown_targets_are_found() {
        assert!(parse("info,adoub_server=debug").is_ok());
        assert_eq!(unknown_targets("info,adoub_server=debug,sqlx=warn,x::y=off"), ["adoub_server", "x::y"]);
    }
}
