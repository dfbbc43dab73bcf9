//! The HTTP API.

use std::str::FromStr;

use adoube_protocol::{CreateGame, CreatedGame, Game, GameId, GameList, InvitationToken, JoinedGame};
use axum::{
    Extension, Json,
    extract::{Path, State, rejection::JsonRejection},
    http::StatusCode,
    response::IntoResponse,
};

use crate::{
    app::{App, Peer},
    error::Error,
    identity::Visitor,
    wire,
};

/// An id of the address; what cannot be one is not found.
fn id<T: FromStr>(text: &str, missing: Error) -> Result<T, Error> {
    text.parse().map_err(|_| missing)
}

pub(crate) async fn create_game(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    Visitor(player): Visitor,
    body: Result<Json<CreateGame>, JsonRejection>,
) -> Result<(StatusCode, Json<CreatedGame>), Error> {
    if !app.creations.spend(peer.address) {
        return Err(Error::TooMany);
    }
    let Json(request) = body.map_err(|rejection| match Error::from(rejection) {
        Error::TooLarge(_) => Error::TooLarge(app.config.limits.message_bytes),
        other => other,
    })?;
    let created = app.games.create(&player, request).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

pub(crate) async fn take_invitation(
    State(app): State<App>,
    Visitor(player): Visitor,
    Path(token): Path<String>,
) -> Result<Json<JoinedGame>, Error> {
    let token = id::<InvitationToken>(&token, Error::InvitationNotFound)?;
    let id = app.games.join(&player, &token).await?;
    Ok(Json(JoinedGame { id }))
}

pub(crate) async fn show_game(
    State(app): State<App>,
    Visitor(player): Visitor,
    Path(game): Path<String>,
) -> Result<Json<Game>, Error> {
    let id = id::<GameId>(&game, Error::GameNotFound)?;
    let game = app.games.load(&id).await?;
    Ok(Json(wire::snapshot(&id, &game, game.color_of(player.as_str()))))
}

pub(crate) async fn list_games(
    State(app): State<App>,
    Visitor(player): Visitor,
) -> Result<Json<GameList>, Error> {
    Ok(Json(GameList { games: app.games.list(&player).await? }))
}

pub(crate) async fn health(State(app): State<App>) -> Result<impl IntoResponse, Error> {
    app.games.check().await?;
    Ok("ok\n")
}
