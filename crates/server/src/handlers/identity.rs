//! Endpoints for signing in through an OpenID Connect provider, or with an identity reported by a proxy, and
//! for linking such identities to accounts.
//!
//! A browser requests `/openid/begin`, is redirected to the provider, and returns to `/openid/callback`. In
//! between, it holds a signed cookie with the secrets of this sign-in, so a callback is refused if another
//! browser began the sign-in. A proxy has identified the visitor before a request arrives, so `/proxy/begin`
//! does not redirect to a provider.
//!
//! If an identity has no account yet, or if its account has a second factor, the identity is kept in the same
//! cookie until the visitor completes the sign-in on the `/identity` page. Until then, nothing is stored.

use std::{fmt::Write as _, time::Duration};

use adoube_openid::{OpenIdError, Pending};
use adoube_protocol::{
    CompleteIdentity, IdentityProvider, LinkIdentity, LinkStarted, LinkedIdentities, Millis, MissingPart,
    PendingIdentity, SessionId, UnlinkIdentity,
};
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use serde::{Deserialize, Serialize};

use super::{
    ApiQuery, JsonBody, ROW_BYTES,
    accounts::{client_info, signed_in, signed_in_response},
};
use crate::{
    app::{App, Peer},
    auth::{
        ProvedIdentity, SignedIn, Visitor, keep_pending, openid_failed, pending, set_device_cookie,
        start_session,
    },
    config::{Origin, PublicAddress},
    error::{Error, LogError},
    limits::{Resource, WriteKind},
};

/// The time limit for each step that the visitor takes, in milliseconds.
const STEP_MS: i64 = 10 * 60 * 1000;
/// The time limit for all requests to the provider in one step.
const PROVIDER_TIME: Duration = Duration::from_secs(10);
/// The longest path to return to, and the longest invitation token, in bytes.
const PATH_BYTES: usize = 300;
const INVITATION_BYTES: usize = 100;
/// The default path to return to.
const HOME: &str = "/account";

/// The state of a sign-in, which the browser holds in a cookie.
#[derive(Debug, Deserialize, Serialize)]
struct SignInState {
    expires_at: Millis,
    step: Step,
    to: String,
    invitation: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Step {
    /// The browser has been redirected to the provider.
    AtProvider {
        pending: Pending,
        /// The session whose account is to be linked, or `None` if the visitor is signing in.
        link: Option<SessionId>,
    },
    /// The identity has been proved, but the sign-in needs more information.
    Identified { identified: ProvedIdentity, missing: MissingPart },
}

impl SignInState {
    fn keep(&self, app: &App, response: Response) -> Result<Response, Error> {
        let text = serde_json::to_string(self).map_err(LogError::Write)?;
        let max_age = time::Duration::milliseconds(STEP_MS);
        Ok(keep_pending(app, Some((text, max_age)), response))
    }

    /// Reads the state from the browser's cookie. Fails if it is missing or has expired.
    fn read(app: &App, headers: &HeaderMap) -> Result<Self, Error> {
        let text = pending(app, headers).ok_or(Error::SignInExpired)?;
        let sign_in_state: Self = serde_json::from_str(&text).map_err(|_| Error::SignInExpired)?;
        let is_valid = sign_in_state.expires_at > app.clock.now();
        Some(sign_in_state).filter(|_| is_valid).ok_or(Error::SignInExpired)
    }
}

/// The query parameters of a request that begins a sign-in.
#[derive(Debug, Deserialize)]
pub(crate) struct Begin {
    /// The path to return to.
    to: Option<String>,
    /// The token of an invitation to use for registration.
    invitation: Option<String>,
}

impl Begin {
    fn checked(self) -> Result<(String, Option<String>), Error> {
        let to = self.to.unwrap_or_else(|| HOME.to_owned());
        if !is_own_path(&to) {
            return Err(Error::ReturnPath);
        }
        Ok((to, self.invitation.filter(|token| !token.is_empty() && token.len() <= INVITATION_BYTES)))
    }
}

/// Returns `true` if a browser that is redirected to this path stays within the house. Browsers interpret
/// `//host` and `/\host` as another site, ignore control characters, and go up one level at `..`.
fn is_own_path(to: &str) -> bool {
    let is_plain = to.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let path = to.split(['?', '#']).next().unwrap_or_default();
    let is_up = |segment: &str| segment.to_ascii_lowercase().replace("%2e", ".") == "..";
    to.len() <= PATH_BYTES
        && to.starts_with('/')
        && !to.starts_with("//")
        && is_plain
        && !path.split('/').any(is_up)
}

/// Returns a redirect to a path within the house.
fn redirect(app: &App, path: &str) -> Response {
    Redirect::to(&format!("{}{path}", app.config.base_path())).into_response()
}

/// The query parameters of the provider's redirect back to this server.
#[derive(Debug, Deserialize)]
pub(crate) struct Callback {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// Redirects a browser to the identity provider.
pub(crate) async fn begin(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    parameters: Result<ApiQuery<Begin>, Error>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (to, invitation) = parameters?.0.checked()?;
    if let Some(public) = other_origin(&app, &headers) {
        // The provider redirects browsers only to the public origin, so the cookie must be set there.
        let to = query(&[("to", Some(&to)), ("invitation", invitation.as_ref())]);
        return Ok(Redirect::to(&format!("{public}/openid/begin{to}")).into_response());
    }
    Ok(match begin_at_provider(&app, &peer, (to, invitation), None, visitor.session.is_some()).await {
        Ok((address, sign_in_state)) => sign_in_state.keep(&app, Redirect::to(&address).into_response())?,
        Err(error) => refuse(&app, &error),
    })
}

async fn begin_at_provider(
    app: &App,
    peer: &Peer,
    (to, invitation): (String, Option<String>),
    link: Option<SessionId>,
    force_login: bool,
) -> Result<(String, SignInState), Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let provider = app.providers.openid()?;
    let (address, pending) = in_time(provider.begin(force_login)).await?;
    let expires_at = Millis(app.clock.now().0 + STEP_MS);
    let step = Step::AtProvider { pending, link };
    Ok((address, SignInState { expires_at, step, to, invitation }))
}

/// Waits for the provider, for at most [`PROVIDER_TIME`].
async fn in_time<T>(response: impl Future<Output = Result<T, OpenIdError>>) -> Result<T, Error> {
    match tokio::time::timeout(PROVIDER_TIME, response).await {
        Ok(result) => result.map_err(|error| openid_failed(&error)),
        Err(_) => Err(openid_failed(&OpenIdError::Slow(PROVIDER_TIME))),
    }
}

/// Handles a browser's return from the identity provider.
pub(crate) async fn callback(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    parameters: Result<ApiQuery<Callback>, Error>,
    headers: HeaderMap,
) -> Response {
    let response = match parameters {
        Ok(ApiQuery(parameters)) => finish(&app, &peer, &visitor, parameters, &headers).await,
        Err(error) => Err(error),
    };
    // The cookie is deleted even after a failure, because its secrets may have been used.
    response.unwrap_or_else(|error| keep_pending(&app, None, refuse(&app, &error)))
}

async fn finish(
    app: &App,
    peer: &Peer,
    visitor: &Visitor,
    parameters: Callback,
    headers: &HeaderMap,
) -> Result<Response, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let SignInState { step, to, invitation, .. } = SignInState::read(app, headers)?;
    let Step::AtProvider { pending, link } = step else { return Err(Error::SignInExpired) };
    if parameters.state.as_ref() != Some(&pending.state) {
        return Err(Error::SignInExpired);
    }
    let code = match (parameters.code, parameters.error.as_deref()) {
        (Some(code), None) => code,
        (_, Some("access_denied")) => return Err(Error::OpenIdDenied),
        (_, error) => {
            let reason = error.unwrap_or("no code").chars().take(100).collect::<String>();
            return Err(openid_failed(&OpenIdError::Refused(reason)));
        }
    };
    let identity = in_time(app.providers.openid()?.finish(pending, code)).await?;
    let identified = ProvedIdentity::of(identity)?;
    if let Some(session) = link {
        // The visitor confirmed the linking in that session, so only that session may complete it.
        if visitor.session.as_ref() != Some(&session) {
            return Err(Error::SignInExpired);
        }
        app.accounts.link(visitor, &identified).await?;
        return Ok(keep_pending(app, None, redirect(app, &to)));
    }
    sign_in(app, peer, visitor, identified, (to, invitation), headers).await
}

/// Signs in with the identity reported by the proxy.
pub(crate) async fn begin_by_proxy(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    parameters: Result<ApiQuery<Begin>, Error>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let parameters = parameters?.0.checked()?;
    let response = async {
        app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
        let identified = app.providers.named_by_proxy(&peer, &headers).ok_or(Error::NoProxyIdentity)?;
        sign_in(&app, &peer, &visitor, identified, parameters, &headers).await
    };
    Ok(response.await.unwrap_or_else(|error| refuse(&app, &error)))
}

/// Signs in with a proved identity, or redirects the browser to the page that asks for the missing
/// information.
async fn sign_in(
    app: &App,
    peer: &Peer,
    visitor: &Visitor,
    identified: ProvedIdentity,
    (to, invitation): (String, Option<String>),
    headers: &HeaderMap,
) -> Result<Response, Error> {
    let nothing = CompleteIdentity { name: None, email: None, language: None, code: None };
    let signed_in = app.accounts.sign_in_by(&identified, &nothing, client_info(app, peer, headers)).await;
    if !matches!(signed_in, Err(Error::SecondFactorNeeded) | Ok(None)) {
        app.metrics.sign_in(&signed_in);
    }
    let missing = match signed_in {
        Ok(Some(signed_in)) => {
            end_earlier(app, visitor).await?;
            let response = keep_pending(app, None, redirect(app, &to));
            let SignedIn { secret, device, .. } = signed_in;
            return Ok(start_session(app, secret, set_device_cookie(app, device, response)));
        }
        Ok(None) => {
            // Checked before the visitor is asked to choose a name.
            app.accounts.may_register(visitor, invitation.as_deref()).await?;
            MissingPart::Name
        }
        Err(Error::SecondFactorNeeded) => MissingPart::Code,
        Err(error) => return Err(error),
    };
    let expires_at = Millis(app.clock.now().0 + STEP_MS);
    let step = Step::Identified { identified, missing };
    let sign_in_state = SignInState { expires_at, step, to, invitation };
    sign_in_state.keep(app, redirect(app, "/identity"))
}

/// Ends the browser's earlier session, which could otherwise be ended only from the list of sessions.
async fn end_earlier(app: &App, visitor: &Visitor) -> Result<(), Error> {
    if let Some(session) = &visitor.session {
        app.accounts.end(visitor, session).await?;
    }
    Ok(())
}

/// Responds with the state of this browser's sign-in and the information still missing.
pub(crate) async fn show(State(app): State<App>, headers: HeaderMap) -> Result<Json<PendingIdentity>, Error> {
    let SignInState { step, to, .. } = SignInState::read(&app, &headers)?;
    let Step::Identified { identified, missing } = step else { return Err(Error::SignInExpired) };
    let provider = app.providers.openid_name().filter(|_| !identified.is_by_proxy());
    Ok(Json(PendingIdentity { provider, missing, name: identified.name, email: identified.email, to }))
}

/// Completes a sign-in with the missing information.
pub(crate) async fn complete(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Result<JsonBody<CompleteIdentity>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    let SignInState { step, invitation, .. } = SignInState::read(&app, &headers)?;
    let Step::Identified { identified, missing } = step else { return Err(Error::SignInExpired) };
    let client_info = client_info(&app, &peer, &headers);
    let (status, signed_in) = match missing {
        MissingPart::Code => {
            let signed_in = app.accounts.sign_in_by(&identified, &request, client_info).await;
            // The result is `None` if the account was deleted in the meantime.
            let signed_in = signed_in.and_then(|found| found.ok_or(Error::SignInExpired));
            app.metrics.sign_in(&signed_in);
            let signed_in = signed_in?;
            end_earlier(&app, &visitor).await?;
            (StatusCode::OK, signed_in)
        }
        MissingPart::Name => {
            app.charge_bytes(peer.requester(&visitor), WriteKind::New, 2 * ROW_BYTES)?;
            let invitation = invitation.as_deref();
            let registered =
                app.accounts.register_by(&visitor, &identified, request, invitation, client_info).await;
            if matches!(registered, Err(Error::AccountPending)) {
                // The account has been created, so this sign-in is complete.
                return Ok(keep_pending(&app, None, Error::AccountPending.into_response()));
            }
            (StatusCode::CREATED, registered?)
        }
    };
    Ok(keep_pending(&app, None, signed_in_response(&app, status, signed_in)))
}

/// Cancels a sign-in that has not been completed.
pub(crate) async fn cancel(State(app): State<App>) -> Response {
    keep_pending(&app, None, StatusCode::NO_CONTENT.into_response())
}

/// Lists the identities of the visitor's account.
pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Json<LinkedIdentities>, Error> {
    signed_in(&visitor)?;
    let identities = app.store.list_identities(&visitor.player).await?;
    let identities = identities.into_iter().map(|identity| app.providers.shown(identity)).collect();
    Ok(Json(LinkedIdentities { identities }))
}

/// Links the visitor's account to the identity reported by the proxy, or responds with the provider's URL,
/// where the visitor can prove an identity.
pub(crate) async fn link(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Result<JsonBody<LinkIdentity>, Error>,
) -> Result<Response, Error> {
    let session = signed_in(&visitor)?.clone();
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    app.accounts.confirm(&visitor, &request.password).await?;
    match request.provider {
        IdentityProvider::Openid => {
            if other_origin(&app, &headers).is_some() {
                return Err(Error::OtherOrigin);
            }
            let to = (HOME.to_owned(), None);
            let (address, sign_in_state) = begin_at_provider(&app, &peer, to, Some(session), true).await?;
            sign_in_state.keep(&app, Json(LinkStarted { address: Some(address) }).into_response())
        }
        IdentityProvider::Proxy => {
            let identified = app.providers.named_by_proxy(&peer, &headers).ok_or(Error::NoProxyIdentity)?;
            app.accounts.link(&visitor, &identified).await?;
            Ok(Json(LinkStarted { address: None }).into_response())
        }
    }
}

/// Removes an identity from the visitor's account.
pub(crate) async fn unlink(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<UnlinkIdentity>, Error>,
) -> Result<StatusCode, Error> {
    signed_in(&visitor)?;
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    app.accounts.unlink(&visitor, request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Redirects a browser to the page that explains in the visitor's language why the sign-in failed.
fn refuse(app: &App, error: &Error) -> Response {
    error.log();
    redirect(app, &format!("/identity?refused={}", error.code()))
}

/// Returns the public address if a request was sent to one of the house's other origins.
fn other_origin<'a>(app: &'a App, headers: &HeaderMap) -> Option<&'a PublicAddress> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let is_at = |origin: &&Origin| {
        origin.as_str().split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host))
    };
    app.config.other_origins.iter().find(is_at)?;
    app.config.public_origin.as_ref()
}

/// Returns a query string with the parameters that have values.
fn query(parameters: &[(&str, Option<&String>)]) -> String {
    let mut text = String::new();
    for (name, value) in parameters {
        let Some(value) = value else { continue };
        text.push(if text.is_empty() { '?' } else { '&' });
        text.push_str(name);
        text.push('=');
        for byte in value.bytes() {
            match byte {
                b'&' | b'#' | b'%' | b'+' | b'=' => escape(&mut text, byte),
                byte if byte.is_ascii_graphic() => text.push(char::from(byte)),
                byte => escape(&mut text, byte),
            }
        }
    }
    text
}

fn escape(text: &mut String, byte: u8) {
    // Writing to a string does not fail.
    let _ = write!(text, "%{byte:02X}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_returns_only_to_this_site() {
        for own in ["/", "/account", "/en/hall?games=chess#top", "/join/0123abc", "/hall?to=/../a"] {
            assert!(is_own_path(own), "{own}");
        }
        for foreign in [
            "",
            "account",
            "https://example.org",
            "//example.org",
            "/\\example.org",
            "/..",
            "/../other",
            "/hall/%2E./other?a",
            "/\t/example.org",
            "/a\\b",
            "/é",
            "/a b",
            "javascript:alert(1)",
            &format!("/{}", "a".repeat(300)),
        ] {
            assert!(!is_own_path(foreign), "{foreign}");
        }
    }

    #[test]
    fn parameters_are_escaped() {
        let (to, token) = ("/a?b=c&d".to_owned(), "x y".to_owned());
        let text = query(&[("to", Some(&to)), ("none", None), ("invitation", Some(&token))]);
        assert_eq!(text, "?to=/a?b%3Dc%26d&invitation=x%20y");
    }
}
