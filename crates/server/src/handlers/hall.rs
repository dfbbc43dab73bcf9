use adoube_protocol::{
    ChallengeId, ChallengeList, CreateChallenge, CreateSeek, CreatedChallenge, CreatedSeek, Hall, JoinedGame,
    PairingResult, SeekId,
};
use axum::{Extension, Json, extract::State, http::StatusCode};

use super::{GAME_BYTES, JsonBody, PathSegment, ROW_BYTES, games_of};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    limits::Resource,
};

pub(crate) async fn show(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
) -> Result<Json<Hall>, Error> {
    app.allowances.spend(Resource::Resyncs, peer.requester(&visitor))?;
    Ok(Json(app.hall.show(&visitor.player, visitor.session.is_some()).await?))
}

pub(crate) async fn create_seek(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<CreateSeek>, Error>,
) -> Result<(StatusCode, Json<CreatedSeek>), Error> {
    let JsonBody(request) = body?;
    app.charge_creation(peer.requester(&visitor), games_of(&request.settings), ROW_BYTES).await?;
    let id = app.hall.create_seek(&visitor, peer.address, request).await?;
    Ok((StatusCode::CREATED, Json(CreatedSeek { id })))
}

pub(crate) async fn pair(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<CreateSeek>, Error>,
) -> Result<Json<PairingResult>, Error> {
    let JsonBody(request) = body?;
    app.charge_creation(peer.requester(&visitor), games_of(&request.settings), GAME_BYTES).await?;
    Ok(Json(app.hall.pair(&visitor, peer.address, request).await?))
}

pub(crate) async fn accept_seek(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    seek: PathSegment,
) -> Result<Json<JoinedGame>, Error> {
    app.charge_creation(peer.requester(&visitor), 1, GAME_BYTES).await?;
    let id = seek.id::<SeekId>(Error::SeekNotFound)?;
    Ok(Json(JoinedGame { id: app.hall.accept_seek(&visitor.player, &id).await? }))
}

pub(crate) async fn withdraw_seek(
    State(app): State<App>,
    visitor: Visitor,
    seek: PathSegment,
) -> Result<StatusCode, Error> {
    let id = seek.id::<SeekId>(Error::SeekNotFound)?;
    app.hall.withdraw_seek(&visitor.player, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn list_challenges(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<ChallengeList>, Error> {
    Ok(Json(app.hall.challenges(&visitor.player).await?))
}

pub(crate) async fn create_challenge(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<CreateChallenge>, Error>,
) -> Result<(StatusCode, Json<CreatedChallenge>), Error> {
    let JsonBody(request) = body?;
    app.charge_creation(peer.requester(&visitor), games_of(&request.settings), ROW_BYTES).await?;
    let id = app.hall.create_challenge(&visitor, peer.address, request).await?;
    Ok((StatusCode::CREATED, Json(CreatedChallenge { id })))
}

pub(crate) async fn accept_challenge(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    challenge: PathSegment,
) -> Result<Json<JoinedGame>, Error> {
    app.charge_creation(peer.requester(&visitor), 1, GAME_BYTES).await?;
    let id = challenge.id::<ChallengeId>(Error::ChallengeNotFound)?;
    Ok(Json(JoinedGame { id: app.hall.accept_challenge(&visitor.player, &id).await? }))
}

pub(crate) async fn end_challenge(
    State(app): State<App>,
    visitor: Visitor,
    challenge: PathSegment,
) -> Result<StatusCode, Error> {
    let id = challenge.id::<ChallengeId>(Error::ChallengeNotFound)?;
    app.hall.end_challenge(&visitor.player, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
