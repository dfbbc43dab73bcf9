//! The built web client, out of the binary.

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

/// Returns the client's router. Its assets are unpacked once per process, which takes a quarter of a second: on a thread of its own, so
/// that no other request waits for it.
async fn client() -> Router {
    static CLIENT: OnceCell<Router> = OnceCell::const_new();
    let make = || {
        memory_serve::load!()
            .index_file(Some("/index.html"))
            .enable_brotli(true)
            .enable_gzip(true)
            // The page names the assets of its own version, so an old page must not outlive an update.
            .html_cache_control(CacheControl::NoCache)
            .cache_control(CacheControl::NoCache)
            .into_router()
    };
    // Without the assets, the answer is 404 and a later request tries again.
    let unpacked = CLIENT.get_or_try_init(async || tokio::task::spawn_blocking(make).await).await;
    unpacked.cloned().unwrap_or_default()
}

async fn ask(request: Request) -> Response {
    client().await.oneshot(request).await.unwrap_or_else(|never| match never {})
}

/// The page of the client, which finds by its address what to show.
pub(crate) async fn page(mut request: Request) -> Response {
    *request.uri_mut() = Uri::from_static("/");
    ask(request).await
}

/// A file of the client; where there is none, the page with the status that says so.
pub(crate) async fn file(mut request: Request) -> Response {
    let (parts, _) = request.into_parts();
    // The names of these files change with their content.
    let lasting = parts.uri.path().starts_with("/assets/");
    request = Request::from_parts(parts.clone(), Body::empty());
    let mut response = ask(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        let mut parts = parts;
        // The client may know the page, but not that it stands here.
        parts.headers.remove(header::IF_NONE_MATCH);
        let mut response = page(Request::from_parts(parts, Body::empty())).await;
        if response.status() == StatusCode::OK {
            *response.status_mut() = StatusCode::NOT_FOUND;
        }
        return response;
    }
    if lasting && response.status().is_success() {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, forever);
    }
    response
}
