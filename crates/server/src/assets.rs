//! The built web client, embedded in the binary.

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, Uri, header},
    response::Response,
};
use memory_serve::CacheControl;
use tokio::sync::OnceCell;
use tower::ServiceExt as _;

/// The content security policy for images, which do not load or execute anything. It is stricter than the
/// policy of the pages. It is also 300 bytes shorter, which adds up over the forty images on the home page.
const POLICY_OF_IMAGES: &str = "default-src 'none'; frame-ancestors 'none'";

/// Returns the client's router. Unpacking the assets takes a quarter of a second, so it is done on a separate
/// thread.
async fn client() -> Router {
    static CLIENT: OnceCell<Router> = OnceCell::const_new();
    let unpack = || {
        memory_serve::load!()
            .index_file(Some("/index.html"))
            .enable_brotli(true)
            .enable_gzip(true)
            // The page refers to assets of its own version, so it must not be served from a cache after an
            // update.
            .html_cache_control(CacheControl::NoCache)
            .cache_control(CacheControl::NoCache)
            .into_router()
    };
    // If unpacking fails, the response is 404, and a later request tries again.
    compute_once(&CLIENT, unpack).await.unwrap_or_default()
}

/// Returns the value of the cell, or `None` if its computation panics. The first caller starts the
/// computation on a blocking thread. It continues if that caller is dropped, so clients that disconnect early
/// cannot restart it repeatedly.
async fn compute_once<T: Clone + Send + Sync>(
    cell: &'static OnceCell<T>,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    if let Some(value) = cell.get() {
        return Some(value.clone());
    }
    let value = tokio::spawn(cell.get_or_try_init(async || tokio::task::spawn_blocking(compute).await));
    value.await.ok()?.ok().cloned()
}

async fn ask(request: Request) -> Response {
    client().await.oneshot(request).await.unwrap_or_else(|never| match never {})
}

/// Answers with the client's only page, which chooses its content according to the URL.
pub(crate) async fn page(mut request: Request) -> Response {
    *request.uri_mut() = Uri::from_static("/");
    ask(request).await
}

/// Returns a response with one of the client's files, or `None` if no file has this name.
pub(crate) async fn file(mut request: Request) -> Option<Response> {
    let (parts, _) = request.into_parts();
    // The names of these files change with their content.
    let is_immutable = parts.uri.path().starts_with("/assets/");
    request = Request::from_parts(parts, Body::empty());
    let mut response = ask(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        return None;
    }
    let headers = response.headers_mut();
    if headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"image/")) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY_OF_IMAGES));
    }
    if is_immutable && response.status().is_success() {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, forever);
    }
    Some(response)
}

#[cfg(test)]
mod tests {
    use std::sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    };

    use super::*;

    #[tokio::test]
    async fn the_client_is_unpacked_once_even_if_the_first_request_is_dropped() {
        static CELL: OnceCell<&str> = OnceCell::const_new();
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (resume, resumed) = mpsc::channel::<()>();
        let first = tokio::spawn(compute_once(&CELL, move || {
            MADE.fetch_add(1, Ordering::SeqCst);
            started.send(()).expect("the test is still waiting for the start");
            resumed.recv().expect("the test lets the work continue");
            "first"
        }));
        has_started.await.expect("the first request starts the work");
        first.abort();
        assert!(first.await.is_err());
        let second = tokio::spawn(compute_once(&CELL, || {
            MADE.fetch_add(1, Ordering::SeqCst);
            "second"
        }));
        resume.send(()).expect("the work is still in progress");
        assert_eq!(second.await.expect("the second request is not dropped"), Some("first"));
        assert_eq!(MADE.load(Ordering::SeqCst), 1);
    }
}
