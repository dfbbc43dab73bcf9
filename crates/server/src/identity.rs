//! Who a visitor is: nobody but the same as last time.

use adoube_protocol::PlayerId;
use axum::{
    extract::{FromRequestParts, Request, State},
    http::request::Parts,
    middleware::Next,
    response::{IntoResponse, Response},
};
use axum_extra::extract::cookie::{Cookie, SameSite, SignedCookieJar};

use crate::{app::App, config::Origin, error::Error};

/// The longest that browsers keep a cookie.
const MAX_AGE: time::Duration = time::Duration::days(400);

/// Browsers give a cookie with this prefix to none but this host, over TLS.
const SECURE_NAME: &str = "__Host-adoube";
const PLAIN_NAME: &str = "adoube";

/// The visitor of a request, by the signed cookie.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub(crate) PlayerId);

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let visitor = parts.extensions.get::<Self>().cloned();
        visitor.ok_or(Error::Internal("a request was routed past the identity"))
    }
}

/// Recognises the visitor, or gives a new one an identity.
pub(crate) async fn recognise(
    State(app): State<App>,
    jar: SignedCookieJar,
    mut request: Request,
    next: Next,
) -> Response {
    let secure = app.config.public_origin.as_ref().is_some_and(Origin::is_secure);
    let name = if secure { SECURE_NAME } else { PLAIN_NAME };
    if let Some(known) = jar.get(name).and_then(|cookie| cookie.value().parse::<PlayerId>().ok()) {
        request.extensions_mut().insert(Visitor(known));
        return next.run(request).await;
    }
    let fresh = match app.entropy.random() {
        Ok(random) => PlayerId::from_random(random),
        Err(error) => return Error::from(error).into_response(),
    };
    request.extensions_mut().insert(Visitor(fresh.clone()));
    let response = next.run(request).await;
    let cookie = Cookie::build((name, fresh.to_string()))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(secure)
        .max_age(MAX_AGE);
    (jar.add(cookie), response).into_response()
}
