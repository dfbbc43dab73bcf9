//! Headers whose value is a list (RFC 9110, section 5.6.1).

use axum::http::{HeaderMap, HeaderName};

/// Returns the items of a header whose value is a comma-separated list, which may be spread over several
/// lines. Skips lines that are not text.
pub(crate) fn list_items<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',').map(str::trim))
}
