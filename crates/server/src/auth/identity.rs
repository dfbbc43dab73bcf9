//! Visitors and their cookies.

use adoube_protocol::{Millis, PlayerId, SessionId};
use adoube_store::TokenHash;
use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite, SignedCookieJar};
use sha2::{Digest as _, Sha256};

use super::devices::Devices;
use crate::{app::App, entropy::Entropy, error::Error};

/// The maximum lifetime that browsers allow for a cookie.
const MAX_AGE: time::Duration = time::Duration::days(400);
/// The minimum interval between updates of a session's last use, in milliseconds.
const LAST_USE_INTERVAL_MS: i64 = 60 * 60 * 1000;

/// The visitor who sends a request.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub(crate) player: PlayerId,
    /// The session of a signed-in visitor.
    pub(crate) session: Option<SessionId>,
    /// The time at which the session expires even if it is in use.
    pub(crate) until: Option<Millis>,
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let visitor = parts.extensions.get::<Self>().cloned();
        visitor.ok_or(Error::Internal("the visitor was not identified"))
    }
}

/// Identifies the visitor by the request's cookies, or assigns a new identity.
pub(crate) async fn recognise(
    State(app): State<App>,
    jar: SignedCookieJar,
    mut request: Request,
    next: Next,
) -> Response {
    match visitor(&app, &jar, request.headers()).await {
        Ok((visitor, None)) => {
            request.extensions_mut().insert(visitor);
            next.run(request).await
        }
        Ok((visitor, Some(fresh))) => {
            request.extensions_mut().insert(visitor);
            let response = next.run(request).await;
            // Only responses to sign-in, sign-out and account requests set cookies, and they need no
            // anonymous identity.
            if response.headers().contains_key(header::SET_COOKIE) {
                return response;
            }
            (jar.add(anonymous_cookie(&app, &fresh)), response).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// Returns the visitor and, if a new cookie is needed, the identity for it.
async fn visitor(
    app: &App,
    jar: &SignedCookieJar,
    headers: &HeaderMap,
) -> Result<(Visitor, Option<PlayerId>), Error> {
    let store = &app.store;
    let cookies = CookieJar::from_headers(headers);
    if let Some(cookie) = cookies.get(SESSION.of(app)) {
        let now = app.clock.now();
        if let Some(session) = store.lookup_session(&hash_of(cookie.value()), now).await? {
            if now.0 - session.used_at.0 >= LAST_USE_INTERVAL_MS {
                let until = app.config.sessions.expiry(session.created_at, now);
                store.set_session_used(&session.id, now, until).await?;
            }
            let until = Some(app.config.sessions.end(session.created_at));
            return Ok((Visitor { player: session.player, session: Some(session.id), until }, None));
        }
    }
    let identity = |jar: &SignedCookieJar| jar.get(ANONYMOUS.of(app))?.value().parse::<PlayerId>().ok();
    let known = identity(jar);
    let by_previous_key = || {
        let key = app.keys.keys().previous(app.clock.now())?.clone();
        identity(&SignedCookieJar::from_headers(headers, key))
    };
    // The identity of an account is valid only with a session.
    if let Some(player) = known.clone().or_else(by_previous_key)
        && !store.is_account(&player).await?
    {
        if known.is_none() {
            // The cookie is signed with the previous key, so it must be re-signed before that key expires.
            return Ok((Visitor { player: player.clone(), session: None, until: None }, Some(player)));
        }
        return Ok((Visitor { player, session: None, until: None }, None));
    }
    let fresh = PlayerId::from_random(app.entropy.random()?);
    Ok((Visitor { player: fresh.clone(), session: None, until: None }, Some(fresh)))
}

/// The names of a cookie.
struct Names {
    /// With TLS. Browsers accept it only from this host, and send it only to this host.
    host: &'static str,
    /// With TLS, under a path. Browsers refuse the `__Host-` prefix for a cookie whose path is not `/`.
    path: &'static str,
    /// Without TLS.
    plain: &'static str,
}

macro_rules! names {
    ($name:literal) => {
        Names { host: concat!("__Host-", $name), path: concat!("__Secure-", $name), plain: $name }
    };
}

const ANONYMOUS: Names = names!("adoube");
const SESSION: Names = names!("adoube-session");
const DEVICE: Names = names!("adoube-device");
const PENDING: Names = names!("adoube-identity");

impl Names {
    /// Returns the name that a house uses.
    fn of(&self, app: &App) -> &'static str {
        match (app.config.is_secure(), app.config.base_path()) {
            (true, "") => self.host,
            (true, _) => self.path,
            (false, _) => self.plain,
        }
    }
}

fn anonymous_cookie(app: &App, player: &PlayerId) -> Cookie<'static> {
    cookie(app, &ANONYMOUS, player.to_string(), MAX_AGE)
}

fn cookie(app: &App, names: &Names, value: String, max_age: time::Duration) -> Cookie<'static> {
    let path = match app.config.base_path() {
        "" => "/",
        path => path,
    };
    Cookie::build((names.of(app), value))
        .path(path.to_owned())
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.config.is_secure())
        .max_age(max_age)
        .build()
}

/// Creates a token. Returns its secret for a cookie or a link, and the hash of the secret for the store.
pub(crate) fn new_token(entropy: &dyn Entropy) -> Result<(String, TokenHash), Error> {
    let secret = format!("{:032x}{:032x}", entropy.random()?, entropy.random()?);
    let hash = hash_of(&secret);
    Ok((secret, hash))
}

pub(crate) fn hash_of(secret: &str) -> TokenHash {
    TokenHash(Sha256::digest(secret).into())
}

/// Returns the value stored in the browser by [`keep_pending`].
pub(crate) fn pending(app: &App, headers: &HeaderMap) -> Option<String> {
    let jar = SignedCookieJar::from_headers(headers, app.keys.keys().current.clone());
    jar.get(PENDING.of(app)).map(|cookie| cookie.value().to_owned())
}

/// Stores a value in a browser cookie for the duration of a sign-in through a provider, or deletes it if
/// `kept` is `None`. The cookie is signed, so it cannot be changed, and scripts cannot read it.
pub(crate) fn keep_pending(
    app: &App,
    kept: Option<(String, time::Duration)>,
    mut response: Response,
) -> Response {
    let Some((value, max_age)) = kept else {
        set(&mut response, &cookie(app, &PENDING, String::new(), time::Duration::ZERO));
        return response;
    };
    let jar = SignedCookieJar::new(app.keys.keys().current.clone());
    (jar.add(cookie(app, &PENDING, value, max_age)), response).into_response()
}

/// Adds the cookie of a new session.
pub(crate) fn start_session(app: &App, secret: String, mut response: Response) -> Response {
    set(&mut response, &cookie(app, &SESSION, secret, MAX_AGE));
    response
}

/// Removes the cookie of a session that has ended.
pub(crate) fn end_session(app: &App, mut response: Response) -> Response {
    set(&mut response, &cookie(app, &SESSION, String::new(), time::Duration::ZERO));
    response
}

/// Returns the device tokens in a request.
pub(crate) fn devices(app: &App, headers: &HeaderMap) -> Devices {
    let cookies = CookieJar::from_headers(headers);
    cookies.get(DEVICE.of(app)).map(|cookie| Devices::parse(cookie.value())).unwrap_or_default()
}

/// Adds the device cookie, which remains when the session ends.
pub(crate) fn set_device_cookie(app: &App, device: String, mut response: Response) -> Response {
    set(&mut response, &cookie(app, &DEVICE, device, MAX_AGE));
    response
}

fn set(response: &mut Response, cookie: &Cookie<'_>) {
    if let Ok(value) = HeaderValue::from_str(&cookie.encoded().to_string()) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}
