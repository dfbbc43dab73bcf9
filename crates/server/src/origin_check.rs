//! Distinguishes requests made by this house's pages from requests made by other sites.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::app::App;

/// The treatment of a request without an `Origin` header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MissingOrigin {
    /// Accepted unless `Sec-Fetch-Site` indicates another origin, because browsers send `Origin` with every
    /// request that changes data, and other programs do not have a visitor's cookies.
    Allowed,
    /// Refused, because browsers send the header with the handshake of every WebSocket, and the handshake
    /// has no other protection.
    Refused,
}

/// Returns `true` if a request may have been made by a page of this house, judging by its headers.
pub(crate) fn is_same_origin(app: &App, headers: &HeaderMap, missing: MissingOrigin) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else {
        let site = text(HeaderName::from_static("sec-fetch-site"));
        return missing == MissingOrigin::Allowed
            && site.is_none_or(|site| matches!(site, "same-origin" | "none"));
    };
    let Ok(origin) = origin.to_str() else { return false };
    if app.config.public_origin.is_some() {
        return app.config.origins().any(|own| origin.eq_ignore_ascii_case(own.as_str()));
    }
    // Behind a proxy the scheme is unknown here, but the host is known.
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.zip(text(header::HOST)).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b))
}
