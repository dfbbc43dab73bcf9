use std::{any::Any, time::Duration};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use tower_http::{catch_panic::CatchPanicLayer, trace::TraceLayer};

use crate::{app::App, assets, config::Origin, error::Error, handlers, identity, socket};

/// No inline script or style, nothing from elsewhere; WebAssembly for the rules.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; \
     worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sent with every answer. The two cross-origin policies give the client memory that threads can share.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(crate) fn router(app: App) -> Router {
    let recognised = middleware::from_fn_with_state(app.clone(), identity::recognise);
    let api = Router::new()
        .route("/games", get(handlers::list_games).post(handlers::create_game))
        .route("/games/{id}", get(handlers::show_game))
        .route("/games/{id}/pgn", get(handlers::show_pgn))
        .route("/games/{id}/socket", get(socket::open))
        .route("/invitations/{token}", post(handlers::take_invitation))
        .route_layer(recognised.clone())
        .route("/health", get(handlers::health))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::Method)
        .layer(middleware::map_response(not_stored));
    let pages = Router::new()
        .route("/", get(assets::page))
        .route("/game/{id}", get(assets::page))
        .route("/invite/{token}", get(assets::page))
        .route_layer(recognised)
        .fallback(get(assets::file));
    Router::new()
        .nest("/api", api)
        .merge(pages)
        .layer(DefaultBodyLimit::max(app.config.limits.message_bytes))
        .layer(middleware::from_fn_with_state(app.clone(), same_site))
        .layer(middleware::from_fn_with_state(app.clone(), in_time))
        .layer(CatchPanicLayer::custom(after_panic))
        .layer(middleware::from_fn_with_state(app.clone(), add_headers))
        .layer(TraceLayer::new_for_http())
        .with_state(app)
}

async fn add_headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if app.config.public_origin.as_ref().is_some_and(Origin::is_secure) {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    response
}

async fn not_stored(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// What changes something must come from our own pages, and a body must be JSON, which no form of another site can
/// send.
async fn same_site(State(app): State<App>, request: Request, next: Next) -> Response {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !safe {
        if !is_own(&app, request.headers(), Missing::Allowed) {
            return Error::ForeignOrigin.into_response();
        }
        if let Some(kind) = request.headers().get(header::CONTENT_TYPE) {
            let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
            if !kind.eq_ignore_ascii_case("application/json") {
                return Error::JsonExpected.into_response();
            }
        }
    }
    next.run(request).await
}

/// Whether a request without `Origin` counts as our own.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Missing {
    /// Browsers send it with everything that changes something; other programs have no foreign cookies.
    Allowed,
    /// Browsers send it with the handshake of every WebSocket, and nothing but it guards the handshake.
    Refused,
}

/// Whether a request comes from our own pages.
pub(crate) fn is_own(app: &App, headers: &HeaderMap, missing: Missing) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else {
        let site = text(HeaderName::from_static("sec-fetch-site"));
        return missing == Missing::Allowed && site.is_none_or(|site| matches!(site, "same-origin" | "none"));
    };
    let Ok(origin) = origin.to_str() else { return false };
    if let Some(public) = &app.config.public_origin {
        return origin.eq_ignore_ascii_case(public.as_str());
    }
    // Behind a proxy the scheme is not known here, but the host is.
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.zip(text(header::HOST)).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b))
}

async fn in_time(State(app): State<App>, request: Request, next: Next) -> Response {
    let limit: Duration = app.config.limits.request_time;
    tokio::time::timeout(limit, next.run(request)).await.unwrap_or_else(|_| Error::Timeout.into_response())
}

fn after_panic(_: Box<dyn Any + Send + 'static>) -> Response {
    Error::Internal("a handler panicked").into_response()
}
