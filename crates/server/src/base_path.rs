//! Serves the house under a path on its host, if the public address has one.
//!
//! The proxy forwards requests with the whole path. The house's path is removed here, before routing, so
//! no other module needs it to find a handler. Other modules add it where a browser reads it: in links
//! (`adoube_pages`), redirects and cookies.

use std::{collections::HashSet, convert::Infallible};

use axum::{
    Router,
    extract::Request,
    http::{
        HeaderMap, HeaderValue, Uri, header,
        uri::{Parts, PathAndQuery},
    },
    response::{IntoResponse as _, Redirect, Response},
};
use tower::{ServiceExt as _, service_fn};

use crate::{app::App, config::PublicAddress, error::Error};

/// Paths that load balancers and supervisors request directly from the process. They also work without the
/// house's path, so that the settings of these programs do not depend on the public address.
const ALSO_OUTSIDE: [&str; 2] = ["/api/health", "/api/ready"];

/// Returns a router that passes requests under the path of the public address to `house`. It redirects the
/// path itself to the same path with a slash, and responds to other requests, except those for
/// [`ALSO_OUTSIDE`], with status 404.
pub(crate) fn below(public: &PublicAddress, house: Router) -> Router<App> {
    let public = public.clone();
    Router::new().fallback_service(service_fn(move |request| {
        let (public, house) = (public.clone(), house.clone());
        async move { Ok::<_, Infallible>(respond(&public, house, request).await) }
    }))
}

async fn respond(public: &PublicAddress, house: Router, mut request: Request) -> Response {
    let uri = request.uri();
    if uri.path() == public.path() {
        // Relative addresses on the page would otherwise be resolved against the root of the host.
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        return Redirect::permanent(&format!("{}/{query}", public.path())).into_response();
    }
    match without_base(uri, public.path()) {
        Some(uri) => *request.uri_mut() = uri,
        None if ALSO_OUTSIDE.contains(&uri.path()) => {}
        None => return Error::OutsidePath(format!("{public}/")).into_response(),
    }
    keep_first_cookies(request.headers_mut());
    house.oneshot(request).await.unwrap_or_else(|never| match never {})
}

/// Returns a URI with the house's path removed, or `None` if it is outside that path.
fn without_base(uri: &Uri, base: &str) -> Option<Uri> {
    let path = uri.path_and_query()?.as_str();
    let rest = path.strip_prefix(base).filter(|rest| rest.starts_with('/'))?;
    let mut parts = Parts::default();
    parts.path_and_query = Some(rest.parse::<PathAndQuery>().ok()?);
    Uri::from_parts(parts).ok()
}

/// Keeps only the first cookie of each name. Browsers send the cookie with the longest path first (RFC 6265,
/// section 5.4), and a house at the root of the same host, or this house before it moved, may have set
/// cookies with the same names. The parser would use the last one.
fn keep_first_cookies(headers: &mut HeaderMap) {
    let mut names = HashSet::new();
    let mut kept = Vec::new();
    let mut are_distinct = true;
    for value in headers.get_all(header::COOKIE) {
        // Skips a header that is not text, as the parser does.
        let Ok(cookies) = value.to_str() else { continue };
        for cookie in cookies.split(';').map(str::trim) {
            let name = cookie.split('=').next().unwrap_or_default();
            if names.insert(name.to_owned()) {
                kept.push(cookie);
            } else {
                are_distinct = false;
            }
        }
    }
    if are_distinct {
        return;
    }
    if let Ok(kept) = HeaderValue::from_str(&kept.join("; ")) {
        headers.insert(header::COOKIE, kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_path_matches_only_whole_segments() {
        let inside = |uri: &'static str| without_base(&Uri::from_static(uri), "/echecs");
        assert_eq!(inside("/echecs/"), Some(Uri::from_static("/")));
        assert_eq!(inside("/echecs/rules?a=/b"), Some(Uri::from_static("/rules?a=/b")));
        // The form of requests to a proxy.
        assert_eq!(inside("http://club.example.org/echecs/hall"), Some(Uri::from_static("/hall")));
        for outside in ["/", "/echecs", "/echecs2/", "/Echecs/", "/other/echecs/", "//echecs/", "/%65checs/"]
        {
            assert_eq!(inside(outside), None, "{outside}");
        }
    }

    #[test]
    fn only_the_first_cookie_of_each_name_is_kept() {
        let kept = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::COOKIE, HeaderValue::from_static(value));
            }
            keep_first_cookies(&mut headers);
            let values = headers.get_all(header::COOKIE).iter();
            values.map(|value| value.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(kept(&["a=1; b=2; a=3; c=4"]), ["a=1; b=2; c=4"]);
        // HTTP/2 may send each cookie in a header of its own.
        assert_eq!(kept(&["a=1", "a=2", "b=3"]), ["a=1; b=3"]);
        assert_eq!(kept(&["a=1", "b=a=2"]), ["a=1", "b=a=2"]);
        assert!(kept(&[]).is_empty());
    }
}
