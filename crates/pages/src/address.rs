//! Addresses that begin with a language.

use adoube_notation::Language;

/// Returns the address of a page in a language. `path` is the path without a language, such as
/// `/rules/chess`.
///
/// ```
/// use adoube_notation::Language;
/// use adoube_pages::localized;
///
/// assert_eq!(localized(Language::Spanish, "/rules/chess"), "/es/rules/chess");
/// assert_eq!(localized(Language::French, "/"), "/fr/");
/// ```
pub fn localized(language: Language, path: &str) -> String {
    format!("/{language}{path}")
}

/// Splits a path into its language and the rest, which is `/` for `/fr`. Returns `None` if the path has no
/// language.
pub fn language_of_path(path: &str) -> Option<(Language, &str)> {
    let rest = path.strip_prefix('/')?;
    let (code, _) = rest.split_once('/').unwrap_or((rest, ""));
    let language = code.parse().ok()?;
    let rest = &rest[code.len()..];
    Some((language, if rest.is_empty() { "/" } else { rest }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_language_is_split() {
        for language in Language::ALL {
            for path in ["/", "/rules", "/problems/chess/0a1b2c3d"] {
                assert_eq!(language_of_path(&localized(language, path)), Some((language, path)));
            }
        }
        assert_eq!(language_of_path("/en"), Some((Language::English, "/")));
        for path in ["/", "", "/rules/fr", "/english/rules", "/FR/rules", "fr/rules"] {
            assert_eq!(language_of_path(path), None, "{path}");
        }
    }
}
