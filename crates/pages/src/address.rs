//! Paths that begin with a language, and the base path that is put in front of every link.

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

/// The place where the pages are served.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Site {
    /// The base URL, such as `https://club.example.org/echecs`, without a trailing slash.
    pub address: String,
    /// Its path, such as `/echecs`; empty at the root of a host.
    pub path: String,
}

/// The start of an attribute value that is a path. Quotes are escaped in text and in JSON data, so it occurs
/// only in tags.
const VALUE: &str = "=\"/";

/// Puts the path of the house in front of the links in HTML. The pages, the rule pages and the client's page
/// all write root-relative links, so no new link can be missed.
///
/// ```
/// use adoube_pages::prefix_links;
///
/// let html = r##"<a href="/rules">, <a href="#C1"> and <img src="/diagram.svg">"##.to_owned();
/// assert_eq!(
///     prefix_links(html, "/echecs"),
///     r##"<a href="/echecs/rules">, <a href="#C1"> and <img src="/echecs/diagram.svg">"##
/// );
/// ```
pub fn prefix_links(html: String, path: &str) -> String {
    if path.is_empty() {
        return html;
    }
    let mut prefixed = String::with_capacity(html.len() * 5 / 4);
    let mut rest = html.as_str();
    while let Some(at) = rest.find(VALUE) {
        let (before, value) = rest.split_at(at + VALUE.len() - 1);
        prefixed.push_str(before);
        let name = &rest[..at];
        // Two slashes begin the address of another host.
        if (name.ends_with(" href") || name.ends_with(" src")) && !value.starts_with("//") {
            prefixed.push_str(path);
        }
        rest = value;
    }
    prefixed.push_str(rest);
    prefixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_this_host_get_the_path() {
        let prefixed = |html: &str| prefix_links(html.to_owned(), "/a/b");
        for (html, expected) in [
            ("<script src=\"/x.js\"></script>", "<script src=\"/a/b/x.js\"></script>"),
            ("<a class=\"c\" href=\"/\">/</a>", "<a class=\"c\" href=\"/a/b/\">/</a>"),
            ("<a href=\"/x\"><a href=\"/x\">", "<a href=\"/a/b/x\"><a href=\"/a/b/x\">"),
        ] {
            assert_eq!(prefixed(html), expected);
        }
        for html in [
            "<a href=\"//example.org/\">",
            "<a href=\"https://example.org/\">",
            "<a href=\"#C1\">",
            "<a data-href=\"/x\" title=\"/x\">",
            "<p>href=&quot;/x&quot;</p>",
            "<script type=\"application/json\">{\"html\":\"<a href=\\\"/x\\\">\"}</script>",
            "",
        ] {
            assert_eq!(prefixed(html), html);
        }
        assert_eq!(prefix_links("<a href=\"/x\">".to_owned(), ""), "<a href=\"/x\">");
    }

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
