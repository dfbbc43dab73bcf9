use adoube_protocol::{
    AskRecovery, ChangeAccount, DeleteAccount, Me, Recover, Register, Session, SessionId, SessionList, SignIn,
};
use adoube_store::GameFilter;
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{
    Body, Name, composed,
    games::{file, many},
};
use crate::{
    app::{App, Peer},
    auth::{Asker, SignedIn, Visitor, devices, end_session, keep_device, start_session},
    error::Error,
    limits::Kind,
    wire,
};

/// Games, and problems, in what is exported.
const EXPORTED: u32 = 100_000;

fn asker(app: &App, peer: &Peer, headers: &HeaderMap) -> Asker {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    Asker {
        agent: agent.unwrap_or_default().to_owned(),
        address: peer.address,
        devices: devices(app, headers),
    }
}

fn welcome(app: &App, status: StatusCode, signed_in: SignedIn) -> Response {
    let response = keep_device(app, signed_in.device, (status, Json(signed_in.me)).into_response());
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
    body: Result<Body<Register>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Kind::SignIns).spend_at(peer.address)?;
    let Body(request) = body?;
    let signed_in = app.accounts.register(&visitor, request, asker(&app, &peer, &headers)).await?;
    Ok(welcome(&app, StatusCode::CREATED, signed_in))
}

pub(crate) async fn sign_in(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Result<Body<SignIn>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Kind::SignIns).spend_at(peer.address)?;
    let Body(request) = body?;
    let signed_in = app.accounts.sign_in(&request, asker(&app, &peer, &headers)).await?;
    Ok(welcome(&app, StatusCode::OK, signed_in))
}

pub(crate) async fn sign_out(State(app): State<App>, visitor: Visitor) -> Result<Response, Error> {
    if let Some(session) = &visitor.session {
        app.accounts.end(&visitor, session).await?;
    }
    Ok(end_session(&app, StatusCode::NO_CONTENT.into_response()))
}

pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Result<Body<ChangeAccount>, Error>,
) -> Result<Response, Error> {
    let Body(request) = body?;
    let me = app.accounts.change(&visitor, request).await?;
    // A new password makes the mark of before worthless, on this browser too.
    let device = app.accounts.device(&visitor, &devices(&app, &headers)).await?;
    let response = Json(me).into_response();
    Ok(match device {
        Some(device) => keep_device(&app, device, response),
        None => response,
    })
}

pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    body: Result<Body<DeleteAccount>, Error>,
) -> Result<Response, Error> {
    let Body(request) = body?;
    app.accounts.delete(&visitor, &request.password).await?;
    Ok(end_session(&app, StatusCode::NO_CONTENT.into_response()))
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
    session: Name,
) -> Result<StatusCode, Error> {
    signed_in(&visitor)?;
    let id = session.id::<SessionId>(Error::SessionNotFound)?;
    if app.accounts.end(&visitor, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Error::SessionNotFound)
    }
}

pub(crate) async fn export(State(app): State<App>, visitor: Visitor) -> Result<Response, Error> {
    signed_in(&visitor)?;
    let filter = GameFilter::all_of(&visitor.player, EXPORTED);
    Ok(file("adoube.pgn", many(&app, &filter).await?))
}

/// All that is kept of an account and is its own. What opens it is not, nor what others have said.
pub(crate) async fn data(State(app): State<App>, visitor: Visitor) -> Result<Response, Error> {
    signed_in(&visitor)?;
    let me = app.accounts.me(&visitor).await?;
    let games = app.store.list_games(&GameFilter::all_of(&visitor.player, EXPORTED)).await?;
    let games = games.iter().map(wire::listed).collect::<Result<Vec<_>, _>>()?;
    let chat = app.store.list_lines_of(&visitor.player).await?;
    let chat = chat
        .into_iter()
        .map(|(game, line)| json!({ "game": game, "at": line.at, "room": line.room, "text": line.text }))
        .collect::<Vec<_>>();
    let composed = composed::all_of(&app, &visitor, EXPORTED).await?;
    let sessions = list_sessions(State(app.clone()), visitor.clone()).await?.0.sessions;
    let challenges = app.hall.challenges(&visitor.player).await?;
    let (problems, analyses) = app.studies.data(&visitor.player).await?;
    let data = json!({
        "account": me.account,
        "games": games,
        "chat": chat,
        "composed": composed,
        "sessions": sessions,
        "challenges": challenges,
        "problems": problems,
        "analyses": analyses,
    });
    let disposition = [(header::CONTENT_DISPOSITION, "attachment; filename=\"adoube.json\"")];
    Ok((disposition, Json(data)).into_response())
}

pub(crate) async fn ask_recovery(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    body: Result<Body<AskRecovery>, Error>,
) -> Result<StatusCode, Error> {
    let Body(request) = body?;
    app.accounts.ask_recovery(request.name, peer.address)?;
    Ok(StatusCode::ACCEPTED)
}

pub(crate) async fn recover(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    token: Name,
    headers: HeaderMap,
    body: Result<Body<Recover>, Error>,
) -> Result<Response, Error> {
    app.allowances.of(Kind::SignIns).spend_at(peer.address)?;
    let Body(request) = body?;
    let signed_in =
        app.accounts.recover(token.text(), &request.password, asker(&app, &peer, &headers)).await?;
    Ok(welcome(&app, StatusCode::OK, signed_in))
}

/// Returns the session of a visitor who has one.
pub(crate) fn signed_in(visitor: &Visitor) -> Result<&SessionId, Error> {
    visitor.session.as_ref().ok_or(Error::NotSignedIn)
}
