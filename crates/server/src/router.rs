use std::{any::Any, net::IpAddr, sync::Arc, time::Duration};

use adoube_notation::Language;
use adoube_pages::localized;
use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderName, HeaderValue, Method, Version, header, uri::Authority},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{delete, get, patch, post},
};
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    trace::{DefaultOnFailure, TraceLayer},
};
use tracing::Level;

use crate::{
    app::{App, Peer},
    auth, base_path,
    config::{CALLBACK, Hsts},
    error::Error,
    handlers::{
        accounts, administration, analyses, composed, drills, games, hall, identity, operator, pages,
        privacy, problems, push, rules, standings,
    },
    list_header::list_items,
    origin_check::{MissingOrigin, is_same_origin},
    pages::PAGES,
    socket,
};

/// The path of the unsubscribe link in a reminder.
const STOP_REMINDERS: &str = "/mail/stop/{token}";

/// The default content security policy. It forbids inline scripts and styles and anything from other origins,
/// but allows WebAssembly for the rules.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; \
     worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The maximum number of characters of a host name that an error repeats.
const MAX_NAME_LENGTH: usize = 100;

/// Headers of every response, unless a handler sets its own value. The opener policy and the embedder policy
/// together allow the client to share memory between threads.
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
    let recognised = middleware::from_fn_with_state(app.clone(), auth::recognise);
    let long_body = DefaultBodyLimit::max(analyses::MAX_BODY_BYTES);
    let api = Router::new()
        .route("/games", get(games::list).post(games::create))
        .route("/games/pgn", get(games::list_pgn))
        .route("/games/{id}", get(games::show))
        .route("/games/{id}/pgn", get(games::show_pgn))
        // Compressed, unlike other API responses, because boards contain no secrets, and a list of games
        // shows many boards.
        .route("/games/{id}/board.svg", get(games::show_board).layer(CompressionLayer::new()))
        .route("/games/{id}/animation.gif", get(games::animate))
        .route("/games/{id}/socket", get(socket::game::open))
        .route("/invitations/{token}", get(games::show_invitation).post(games::accept_invitation))
        .route("/invitations/{token}/qr.svg", get(games::draw_invitation))
        .route("/hall", get(hall::show))
        .route("/hall/socket", get(socket::hall::open))
        .route("/pairings", post(hall::pair))
        .route("/seeks", post(hall::create_seek))
        .route("/seeks/{id}", delete(hall::withdraw_seek))
        .route("/seeks/{id}/accept", post(hall::accept_seek))
        .route("/challenges", get(hall::list_challenges).post(hall::create_challenge))
        .route("/challenges/{id}", delete(hall::end_challenge))
        .route("/challenges/{id}/accept", post(hall::accept_challenge))
        .route("/standings/{variant}", get(standings::show).post(standings::count))
        .route("/analyses", post(analyses::save).layer(long_body).get(analyses::list))
        .route("/analyses/pgn", get(analyses::list_pgn))
        .route(
            "/analyses/{id}",
            patch(analyses::change).layer(long_body).get(analyses::show).delete(analyses::delete),
        )
        .route("/session", post(accounts::sign_in).delete(accounts::sign_out))
        .route("/recovery", post(accounts::request_recovery))
        .route("/recovery/{token}", get(accounts::check_recovery).post(accounts::recover))
        .route("/problems/{variant}/composed", get(composed::list).post(composed::publish))
        .route("/problems/{variant}/composed/{id}", get(composed::show).delete(composed::withdraw))
        .route("/problems/{variant}/proof", post(composed::prove))
        .merge(account_routes())
        .merge(administration_routes())
        .route_layer(recognised.clone())
        .route("/house", get(administration::house))
        .route("/house/pages/{page}", get(administration::house_page))
        .route("/rules/{variant}", get(rules::show))
        .route("/drills/{variant}", get(drills::show))
        .route("/problems/{variant}", get(problems::show))
        .route("/health", get(operator::health))
        .route("/ready", get(operator::ready).layer(Extension(Arc::<operator::Readiness>::default())))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::Method)
        .layer(middleware::map_response(forbid_caching));
    // Each page has one URL without a language, and one for each language.
    let languages = || Language::ALL.into_iter();
    let addresses = PAGES.into_iter().flat_map(|path| {
        std::iter::once(path.to_owned()).chain(languages().map(move |language| localized(language, path)))
    });
    let pages = addresses.fold(Router::new(), |pages, path| pages.route(&path, get(pages::show)));
    let pages = languages().fold(pages, |pages, language| {
        pages
            .route(&format!("/{language}"), get(pages::redirect_to_language))
            .route(&format!("/sitemap-{language}.xml"), get(pages::sitemap))
    });
    // Mail programs unsubscribe with a POST request to the same address.
    let pages = pages.route(STOP_REMINDERS, post(accounts::stop_reminders));
    let pages = pages
        .route("/openid/begin", get(identity::begin))
        .route(CALLBACK, get(identity::callback))
        .route("/proxy/begin", get(identity::begin_by_proxy))
        .route_layer(recognised)
        .route("/robots.txt", get(pages::robots))
        .route("/sitemap.xml", get(pages::sitemap_index))
        .route("/diagram.svg", get(rules::diagram))
        .fallback(get(pages::file))
        // The API is not compressed, because the compressed length of a response with secrets would reveal
        // something about them.
        .layer(CompressionLayer::new());
    let house = Router::new()
        .nest("/api", api)
        .route("/diagram.png", get(rules::preview))
        .merge(pages)
        .layer(DefaultBodyLimit::max(app.config.limits.message_bytes))
        .layer(middleware::from_fn_with_state(app.clone(), require_same_origin));
    let public = app.config.public_origin.as_ref().filter(|public| !public.path().is_empty());
    let house = match public {
        Some(public) => base_path::below(public, house.with_state(app.clone())),
        None => house,
    };
    house
        .layer(middleware::from_fn_with_state(app.clone(), check_host))
        .layer(middleware::from_fn(require_host))
        .layer(middleware::from_fn_with_state(app.clone(), check_rate))
        .layer(middleware::from_fn_with_state(app.clone(), resolve_client_address))
        .layer(middleware::from_fn_with_state(app.clone(), limit_time))
        .layer(CatchPanicLayer::custom(after_panic))
        .layer(middleware::from_fn_with_state(app.clone(), add_headers))
        .layer(TraceLayer::new_for_http().on_failure(DefaultOnFailure::new().level(Level::DEBUG)))
        .with_state(app)
}

/// Returns the routes for accounts: settings, sessions, linked identities, blocks, notifications and data.
fn account_routes() -> Router<App> {
    Router::new()
        .route(
            "/account",
            get(accounts::show).post(accounts::register).patch(accounts::change).delete(accounts::delete),
        )
        .route(
            "/account/second-factor",
            post(accounts::begin_second_factor)
                .put(accounts::confirm_second_factor)
                .delete(accounts::end_second_factor),
        )
        .route("/account/second-factor/codes", post(accounts::renew_recovery_codes))
        .route("/account/mail", patch(accounts::change_mail))
        .route("/account/preferences", get(accounts::preferences).patch(accounts::change_preferences))
        .route("/account/confirmation", post(accounts::request_confirmation))
        .route("/confirmation/{token}", post(accounts::confirm_address))
        .route("/mail/stop/{token}", post(accounts::stop_reminders))
        .route("/account/sessions", get(accounts::list_sessions))
        .route("/account/sessions/{id}", delete(accounts::delete_session))
        .route("/account/identities", get(identity::list).post(identity::link).delete(identity::unlink))
        .route("/account/blocks", get(privacy::list).post(privacy::block).delete(privacy::unblock))
        .route("/account/push", get(push::list).post(push::subscribe))
        .route("/account/push/{id}", delete(push::remove))
        .route("/push/stop/{token}", post(push::stop))
        .route("/account/presence", patch(privacy::change_presence))
        .route("/identity", get(identity::show).post(identity::complete).delete(identity::cancel))
        .route("/account/export", get(accounts::export))
        .route("/account/data", get(accounts::data))
}

/// Returns the routes for administration, and for invitations to the house.
fn administration_routes() -> Router<App> {
    let page_body = DefaultBodyLimit::max(administration::MAX_BODY_BYTES);
    Router::new()
        .route("/admin", get(administration::overview))
        .route("/admin/acts", post(administration::act).layer(page_body))
        .route("/admin/members", get(administration::members))
        .route("/admin/classes", get(administration::classes))
        .route("/admin/reports", get(administration::reports))
        .route("/admin/audit", get(administration::audit))
        .route("/admin/audit/check", get(administration::check_audit))
        .route("/house/invitations/{token}", get(administration::invitation).post(administration::claim))
}

/// Returns the router for the metrics address.
pub(crate) fn metrics_router(app: App) -> Router {
    let token = app.config.metrics_token.clone();
    Router::new()
        .route("/metrics", get(operator::metrics))
        .route_layer(middleware::from_fn_with_state(token, operator::require_token))
        .with_state(app)
}

/// Refuses host names that anyone could point at this server, unless a public origin is configured. Without
/// this check, browsers on the local network would treat a page from such a host as one of this house's (DNS
/// rebinding). IP addresses and local-network names are accepted, because they cannot be registered.
async fn check_host(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.config.public_origin.is_none() {
        let named = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or_default());
        let authority = request.uri().authority().map(Authority::as_str);
        if let Some(foreign) = named.into_iter().chain(authority).find(|host| !is_local(host)) {
            return Error::UnknownHost(foreign.chars().take(MAX_NAME_LENGTH).collect()).into_response();
        }
    }
    next.run(request).await
}

/// Suffixes of names that only the local network assigns: those from RFCs 6761, 6762 and 8375, and the one
/// that ICANN has reserved.
const LOCAL: [&str; 4] = [".localhost", ".local", ".home.arpa", ".internal"];

/// Returns `true` if a host is an IP address, or a name that cannot be registered publicly.
fn is_local(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().trim_end_matches('.').to_ascii_lowercase();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let is_reserved = !name.contains('.') || LOCAL.iter().any(|ending| name.ends_with(ending));
    !authority.as_str().contains('@') && (bare.parse::<IpAddr>().is_ok() || is_name && is_reserved)
}

/// Limits the rate of requests from each address, regardless of what they request.
async fn check_rate(State(app): State<App>, request: Request, next: Next) -> Response {
    let address = request.extensions().get::<Peer>().map(|peer| peer.address);
    match address.map_or(Ok(()), |address| app.allowances.request(address)) {
        Ok(()) => next.run(request).await,
        Err(wait) => Error::TooMany(wait).into_response(),
    }
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Replaces the address of a trusted proxy with the visitor's: the last address in its `X-Forwarded-For`
/// header that is not itself a trusted proxy's.
async fn resolve_client_address(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let trusted = |address: &IpAddr| app.config.trusted_proxies.contains(address);
    if request.extensions().get::<Peer>().is_some_and(|peer| peer.is_proxy) {
        let addresses = list_items(request.headers(), &X_FORWARDED_FOR)
            .map(|address| address.parse::<IpAddr>().ok().map(|address| address.to_canonical()))
            .collect::<Vec<_>>();
        // The search ends at an invalid address, because nothing to the left of it can be trusted.
        let visitor =
            addresses.into_iter().rev().map_while(|address| address).find(|address| !trusted(address));
        if let (Some(visitor), Some(peer)) = (visitor, request.extensions_mut().get_mut::<Peer>()) {
            peer.address = visitor;
        }
    }
    next.run(request).await
}

async fn add_headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    app.metrics.request(response.status().as_u16());
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // A value set by a handler takes precedence.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if app.config.is_secure() {
        let policy = match app.config.hsts {
            Hsts::Off => None,
            Hsts::Host => Some("max-age=31536000"),
            Hsts::Subdomains => Some("max-age=31536000; includeSubDomains"),
        };
        if let Some(policy) = policy {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(policy));
        }
    }
    response
}

async fn forbid_caching(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Requires one `Host` header in HTTP/1.1 (RFC 9112, 3.2). A request without one is not from a browser; one
/// with several is ambiguous.
async fn require_host(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return Error::HostHeader.into_response();
    }
    next.run(request).await
}

/// Refuses requests with side effects from the pages of other sites, and those whose bodies are not JSON. A
/// form on another site cannot send JSON. Programs that send no `Origin` are accepted.
async fn require_same_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    // Mail programs post a form to this path, as RFC 8058 requires. The token in the link authorizes the
    // request, whatever cookies it carries.
    let by_mail = request.uri().path().starts_with("/mail/stop/");
    if !safe && !by_mail {
        if !is_same_origin(&app, request.headers(), MissingOrigin::Allowed) {
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

async fn limit_time(State(app): State<App>, request: Request, next: Next) -> Response {
    let limit: Duration = app.config.limits.request_time;
    tokio::time::timeout(limit, next.run(request)).await.unwrap_or_else(|_| Error::Timeout.into_response())
}

fn after_panic(_: Box<dyn Any + Send + 'static>) -> Response {
    Error::Internal("a handler panicked").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_in_reminders_is_a_page() {
        assert!(PAGES.contains(&STOP_REMINDERS));
    }
}
