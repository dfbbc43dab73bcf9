//! The HTTP API.

use std::str::FromStr;

use adoube_protocol::{CreateGame, CreatedGame, Game, GameId, GameList, InvitationToken, JoinedGame};
use axum::{
    Extension, Json,
    extract::{FromRequestParts, Path, State, rejection::JsonRejection},
    http::{StatusCode, header, request::Parts},
    response::IntoResponse,
};

use crate::{
    app::{App, Peer},
    error::Error,
    identity::Visitor,
    pgn, wire,
};

/// The one part of an address that varies. What is not even text is not found.
#[derive(Debug)]
pub(crate) struct Name(String);

impl Name {
    /// Returns the id that it is; what cannot be one is missing.
    pub(crate) fn id<T: FromStr>(&self, missing: Error) -> Result<T, Error> {
        self.0.parse().map_err(|_| missing)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(text)| Self(text)).map_err(|_| Error::NotFound)
    }
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
    token: Name,
) -> Result<Json<JoinedGame>, Error> {
    let token = token.id::<InvitationToken>(Error::InvitationNotFound)?;
    let id = app.games.join(&player, &token).await?;
    Ok(Json(JoinedGame { id }))
}

pub(crate) async fn show_game(
    State(app): State<App>,
    Visitor(player): Visitor,
    game: Name,
) -> Result<Json<Game>, Error> {
    let id = game.id::<GameId>(Error::GameNotFound)?;
    let game = app.games.load(&id).await?;
    Ok(Json(wire::snapshot(&id, &game, game.color_of(player.as_str()))))
}

pub(crate) async fn show_pgn(State(app): State<App>, game: Name) -> Result<impl IntoResponse, Error> {
    let id = game.id::<GameId>(Error::GameNotFound)?;
    let game = app.games.load(&id).await?;
    let text = pgn::text(&id, &game, app.config.public_origin.as_ref())?;
    let kind = "application/x-chess-pgn; charset=utf-8".to_owned();
    let file = format!("attachment; filename=\"{id}.pgn\"");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, file)], text))
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
