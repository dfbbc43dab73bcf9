use adoube_protocol::{
    ChallengeId, ChallengeList, CreateChallenge, CreateSeek, CreatedChallenge, CreatedSeek, Hall, JoinedGame,
    SeekId,
};
use axum::{Extension, Json, extract::State, http::StatusCode};

use super::{Body, GAME_BYTES, Name, ROW_BYTES, games_of};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    limits::Kind,
};

pub(crate) async fn show(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
) -> Result<Json<Hall>, Error> {
    app.allowances.spend(Kind::Resyncs, peer.spender(&visitor))?;
    Ok(Json(app.hall.show(&visitor.player).await?))
}

pub(crate) async fn create_seek(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<Body<CreateSeek>, Error>,
) -> Result<(StatusCode, Json<CreatedSeek>), Error> {
    let Body(request) = body?;
    app.may_begin(peer.spender(&visitor), games_of(&request.settings), ROW_BYTES)?;
    let id = app.hall.create_seek(&visitor, peer.address, request).await?;
    Ok((StatusCode::CREATED, Json(CreatedSeek { id })))
}

pub(crate) async fn accept_seek(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    seek: Name,
) -> Result<Json<JoinedGame>, Error> {
    app.may_begin(peer.spender(&visitor), 1, GAME_BYTES)?;
    let id = seek.id::<SeekId>(Error::SeekNotFound)?;
    Ok(Json(JoinedGame { id: app.hall.accept_seek(&visitor.player, &id).await? }))
}

pub(crate) async fn withdraw_seek(
    State(app): State<App>,
    visitor: Visitor,
    seek: Name,
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
    body: Result<Body<CreateChallenge>, Error>,
) -> Result<(StatusCode, Json<CreatedChallenge>), Error> {
    let Body(request) = body?;
    app.may_begin(peer.spender(&visitor), games_of(&request.settings), ROW_BYTES)?;
    let id = app.hall.create_challenge(&visitor, peer.address, request).await?;
    Ok((StatusCode::CREATED, Json(CreatedChallenge { id })))
}

pub(crate) async fn accept_challenge(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    challenge: Name,
) -> Result<Json<JoinedGame>, Error> {
    app.may_begin(peer.spender(&visitor), 1, GAME_BYTES)?;
    let id = challenge.id::<ChallengeId>(Error::ChallengeNotFound)?;
    Ok(Json(JoinedGame { id: app.hall.accept_challenge(&visitor.player, &id).await? }))
}

pub(crate) async fn end_challenge(
    State(app): State<App>,
    visitor: Visitor,
    challenge: Name,
) -> Result<StatusCode, Error> {
    let id = challenge.id::<ChallengeId>(Error::ChallengeNotFound)?;
    app.hall.end_challenge(&visitor.player, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
