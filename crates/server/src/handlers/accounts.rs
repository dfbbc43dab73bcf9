use adoube_protocol::{
    BeginSecondFactor, ChangeAccount, ChangeMail, ChangePreferences, ChangeSecondFactor, ConfirmSecondFactor,
    DeleteAccount, GameId, Me, NewSecondFactor, Preferences, Recover, RecoveryCodes, Register,
    RequestRecovery, Session, SessionId, SessionList, SignIn,
};
use adoube_store::{Attempt, ChatMessage, GameFilter};
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{
    JsonBody, PathSegment, ROW_BYTES, composed, games::export_games, privacy, push, rules::preferred_language,
};
use crate::{
    app::{App, Peer},
    auth::{ClientInfo, SignedIn, Visitor, devices, end_session, set_device_cookie, start_session},
    error::Error,
    export::{ExportWriter, PAGE_SIZE, Stopped},
    limits::{Resource, WriteKind},
    listed, studies,
};

pub(crate) fn client_info(app: &App, peer: &Peer, headers: &HeaderMap) -> ClientInfo {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    ClientInfo {
        agent: agent.unwrap_or_default().to_owned(),
        address: peer.address,
        devices: devices(app, headers),
        language: preferred_language(headers),
    }
}

pub(crate) fn signed_in_response(app: &App, status: StatusCode, signed_in: SignedIn) -> Response {
    let response = set_device_cookie(app, signed_in.device, (status, Json(signed_in.me)).into_response());
    start_session(app, signed_in.secret, response)
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Json<Me>, Error> {
    Ok(Json(app.accounts.me(&visitor).await?))
}

pub(crate) async fn register(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Result<JsonBody<Register>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    app.charge_bytes(peer.requester(&visitor), WriteKind::New, 2 * ROW_BYTES)?;
    let signed_in = app.accounts.register(&visitor, request, client_info(&app, &peer, &headers)).await?;
    Ok(signed_in_response(&app, StatusCode::CREATED, signed_in))
}

pub(crate) async fn sign_in(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Result<JsonBody<SignIn>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    let signed_in = app.accounts.sign_in(&request, client_info(&app, &peer, &headers)).await;
    app.metrics.sign_in(&signed_in);
    let signed_in = signed_in?;
    // Ends the browser's earlier session, which could otherwise be ended only from the list of sessions.
    if let Some(session) = &visitor.session {
        app.accounts.end(&visitor, session).await?;
    }
    Ok(signed_in_response(&app, StatusCode::OK, signed_in))
}

pub(crate) async fn sign_out(State(app): State<App>, visitor: Visitor) -> Result<Response, Error> {
    if let Some(session) = &visitor.session {
        app.accounts.end(&visitor, session).await?;
    }
    Ok(end_session(&app, StatusCode::NO_CONTENT.into_response()))
}

pub(crate) async fn change(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Result<JsonBody<ChangeAccount>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    let client_info = client_info(&app, &peer, &headers);
    let (me, device) = app.accounts.change(&visitor, request, &client_info).await?;
    let response = Json(me).into_response();
    Ok(match device {
        Some(device) => set_device_cookie(&app, device, response),
        None => response,
    })
}

pub(crate) async fn delete(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<DeleteAccount>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    app.accounts.delete(&visitor, &request.password).await?;
    app.hall.forget(&visitor.player).await;
    let mut response = end_session(&app, StatusCode::NO_CONTENT.into_response());
    // Browsers respect this header only over TLS.
    let all = HeaderValue::from_static("\"cache\", \"cookies\", \"storage\"");
    response.headers_mut().insert(HeaderName::from_static("clear-site-data"), all);
    Ok(response)
}

pub(crate) async fn begin_second_factor(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<BeginSecondFactor>, Error>,
) -> Result<Json<NewSecondFactor>, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    Ok(Json(app.accounts.begin_second_factor(&visitor, &request.password).await?))
}

pub(crate) async fn confirm_second_factor(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<ConfirmSecondFactor>, Error>,
) -> Result<Json<RecoveryCodes>, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    Ok(Json(app.accounts.confirm_second_factor(&visitor, &request).await?))
}

pub(crate) async fn end_second_factor(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<ChangeSecondFactor>, Error>,
) -> Result<StatusCode, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    app.accounts.end_second_factor(&visitor, &request).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn renew_recovery_codes(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<ChangeSecondFactor>, Error>,
) -> Result<Json<RecoveryCodes>, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    Ok(Json(app.accounts.renew_recovery_codes(&visitor, &request).await?))
}

pub(crate) async fn list_sessions(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<SessionList>, Error> {
    let current = signed_in(&visitor)?;
    let sessions = app.store.list_sessions(&visitor.player, app.clock.now()).await?;
    let session = |session: adoube_store::Session| Session {
        current: session.id == *current,
        id: session.id,
        created_at: session.created_at,
        used_at: session.used_at,
        agent: session.agent,
    };
    Ok(Json(SessionList { sessions: sessions.into_iter().map(session).collect() }))
}

pub(crate) async fn delete_session(
    State(app): State<App>,
    visitor: Visitor,
    session: PathSegment,
) -> Result<StatusCode, Error> {
    signed_in(&visitor)?;
    let id = session.id::<SessionId>(Error::SessionNotFound)?;
    if app.accounts.end(&visitor, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Error::SessionNotFound)
    }
}

pub(crate) async fn export(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
) -> Result<Response, Error> {
    signed_in(&visitor)?;
    export_games(&app, &peer, &visitor, GameFilter::all_of(&visitor.player, PAGE_SIZE))
}

/// Streams all of an account's own data as JSON, excluding secrets and messages from others.
pub(crate) async fn data(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
) -> Result<Response, Error> {
    signed_in(&visitor)?;
    let slot = app.charge_export(peer.requester(&visitor))?;
    let writer_app = app.clone();
    let body = app.exports.body(slot, async move |mut out| {
        write_data(&writer_app, visitor, &mut out).await?;
        Ok(out)
    });
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"adoube.json\""),
    ];
    Ok((headers, body).into_response())
}

async fn write_data(app: &App, visitor: Visitor, out: &mut ExportWriter) -> Result<(), Stopped> {
    let player = &visitor.player;
    out.text("{\"account\":").await?;
    out.json(&app.accounts.me(&visitor).await?.account).await?;

    out.text(",\"identities\":").await?;
    let identities = app.store.list_identities(player).await?.into_iter();
    out.json(&identities.map(|identity| app.providers.shown(identity)).collect::<Vec<_>>()).await?;

    out.text(",\"blocks\":").await?;
    out.json(&privacy::blocked_by(app, player).await?.blocked).await?;

    // The list omits the push endpoints and their keys, which are secrets.
    out.text(",\"notifications\":").await?;
    out.json(&push::devices_of(app, &visitor).await?.devices).await?;

    out.text(",\"preferences\":").await?;
    out.json(&app.accounts.preferences(player).await?.values).await?;

    out.text(",\"games\":[").await?;
    let (mut first, mut filter) = (true, GameFilter::all_of(player, PAGE_SIZE));
    loop {
        let page = app.store.list_games(&filter).await?;
        let games = listed::listed_games(&page);
        out.elements(games, &mut first).await?;
        filter.after =
            page.last().filter(|_| page.len() == PAGE_SIZE as usize).map(|last| last.cursor(filter.state));
        if filter.after.is_none() {
            break;
        }
    }

    out.text("],\"chat\":[").await?;
    let (mut first, mut after) = (true, Some(0));
    while let Some(last) = after {
        let page = app.store.list_messages_of(player, last, PAGE_SIZE).await?;
        after = page.last().filter(|_| page.len() == PAGE_SIZE as usize).map(|(_, line)| line.id);
        let line = |(game, line): (GameId, ChatMessage)| json!({ "game": game, "at": line.at, "room": line.room, "text": line.text });
        out.elements(page.into_iter().map(line), &mut first).await?;
    }

    out.text("],\"composed\":[").await?;
    let (mut first, mut after) = (true, None);
    loop {
        let (page, next) = composed::page_of(app, &visitor, after).await?;
        out.elements(page, &mut first).await?;
        after = next;
        if after.is_none() {
            break;
        }
    }

    out.text("],\"sessions\":").await?;
    out.json(&list_sessions(State(app.clone()), visitor.clone()).await?.0.sessions).await?;
    out.text(",\"challenges\":").await?;
    out.json(&app.hall.challenges(player).await?).await?;

    out.text(",\"problems\":[").await?;
    let attempts = app.store.list_attempts(player, None).await?;
    let attempts = attempts.into_iter().map(|one: Attempt| {
        json!({
            "variant": one.variant,
            "problem": one.problem,
            "solved": one.solved,
            "before": one.before,
            "after": one.after,
            "at": one.at,
        })
    });
    out.elements(attempts, &mut true).await?;

    out.text("],\"analyses\":[").await?;
    let mut first = true;
    for analysis in app.store.list_analyses(player).await? {
        // An analysis that was deleted in the meantime is omitted.
        let Some((analysis, pgn)) = app.store.lookup_analysis(player, &analysis.id).await? else { continue };
        out.elements([json!({ "analysis": studies::analysis_view(analysis), "pgn": pgn })], &mut first)
            .await?;
    }
    out.text("]}").await
}

/// Sends a new confirmation link.
pub(crate) async fn request_confirmation(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
) -> Result<StatusCode, Error> {
    app.accounts.request_confirmation(&visitor, peer.address).await?;
    Ok(StatusCode::ACCEPTED)
}

pub(crate) async fn confirm_address(State(app): State<App>, token: PathSegment) -> Result<StatusCode, Error> {
    app.accounts.confirm_address(token.text()).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn change_mail(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<ChangeMail>, Error>,
) -> Result<Json<Me>, Error> {
    signed_in(&visitor)?;
    app.charge_bytes(peer.requester(&visitor), WriteKind::New, ROW_BYTES)?;
    let JsonBody(request) = body?;
    Ok(Json(app.accounts.change_mail(&visitor, request).await?))
}

pub(crate) async fn preferences(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<Preferences>, Error> {
    signed_in(&visitor)?;
    Ok(Json(app.accounts.preferences(&visitor.player).await?))
}

pub(crate) async fn change_preferences(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<ChangePreferences>, Error>,
) -> Result<Json<Preferences>, Error> {
    signed_in(&visitor)?;
    app.charge_bytes(peer.requester(&visitor), WriteKind::New, ROW_BYTES)?;
    let JsonBody(request) = body?;
    Ok(Json(app.accounts.change_preferences(&visitor.player, request.values).await?))
}

/// Stops the reminders to the account that an unsubscribe link identifies. Mail programs call this without a
/// cookie.
pub(crate) async fn stop_reminders(State(app): State<App>, token: PathSegment) -> Result<StatusCode, Error> {
    app.accounts.emails.stop_reminders(token.text()).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn request_recovery(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    body: Result<JsonBody<RequestRecovery>, Error>,
) -> Result<StatusCode, Error> {
    let JsonBody(request) = body?;
    app.accounts.request_recovery(request.name, peer.address).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Responds with 204 if a recovery link is valid, without using it up.
pub(crate) async fn check_recovery(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    token: PathSegment,
) -> Result<StatusCode, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    app.accounts.check_recovery(token.text()).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn recover(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    token: PathSegment,
    headers: HeaderMap,
    body: Result<JsonBody<Recover>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let JsonBody(request) = body?;
    let signed_in = app.accounts.recover(token.text(), &request, client_info(&app, &peer, &headers)).await?;
    Ok(signed_in_response(&app, StatusCode::OK, signed_in))
}

/// Returns the visitor's session. Fails if the visitor is not signed in.
pub(crate) fn signed_in(visitor: &Visitor) -> Result<&SessionId, Error> {
    visitor.session.as_ref().ok_or(Error::NotSignedIn)
}
