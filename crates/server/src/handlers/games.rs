use std::time::Duration;

use adoube_diagram::{Animation, Picture, RasterError};
use adoube_protocol::{
    CreateGame, CreatedGame, Game, GameId, GameList, Invitation, InvitationToken, JoinedGame, ListState,
    PlayerId,
};
use adoube_rules::{AnyPosition, Color, Position as _, coordinate};
use adoube_store::{Cursor, GameFilter};
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{ApiQuery, GAME_BYTES, JsonBody, PathSegment, cursor, games_of};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    export::write_games,
    limits::{Resource, WriteKind},
    listed,
    names::player_of,
    pgn, qr,
};

/// The number of games on each page of a list.
const PAGE: u32 = 100;
/// The size of one module of an invitation's QR code, in pixels.
const QR_MODULE: u32 = 6;

pub(crate) async fn create(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<CreateGame>, Error>,
) -> Result<(StatusCode, Json<CreatedGame>), Error> {
    let JsonBody(request) = body?;
    app.charge_creation(peer.requester(&visitor), games_of(&request.settings), GAME_BYTES).await?;
    app.games.record_tenant(&visitor.player, peer.tenant(&visitor));
    let created = app.games.creator.create(&visitor.player, request).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

pub(crate) async fn show_invitation(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    token: PathSegment,
) -> Result<Json<Invitation>, Error> {
    let token = token.id::<InvitationToken>(Error::InvitationNotFound)?;
    app.allowances.spend(Resource::Snapshots, peer.requester(&visitor))?;
    let found = app.store.lookup_invitation(&token).await?.ok_or(Error::InvitationNotFound)?;
    let game = app.games.ledger.load(&found.game).await?;
    let host_is_here = match Color::ALL.into_iter().find_map(|color| player_of(&game.seats()[color])) {
        Some(host) if app.blocks.of(&visitor.player).await?.is_blocked_by(host) => false,
        Some(host) => app.hall.is_here(host).await?,
        None => false,
    };
    let game = Box::new(app.games.snapshot(&found.game, &visitor.player).await?);
    Ok(Json(Invitation { game, host_is_here }))
}

/// Responds with the QR code of an invitation's link as SVG, for another device to scan.
pub(crate) async fn draw_invitation(
    State(app): State<App>,
    headers: HeaderMap,
    token: PathSegment,
) -> Result<impl IntoResponse, Error> {
    let token = token.id::<InvitationToken>(Error::InvitationNotFound)?;
    // Without a configured origin, the server accepts only IP addresses and local-network names as hosts, and
    // the scheme is assumed to be HTTP.
    let address = app.config.public_origin.as_ref().map(ToString::to_string).or_else(|| {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        Some(format!("http://{host}"))
    });
    let address = address.ok_or(Error::HostHeader)?;
    let svg = qr::svg(&format!("{address}/invite/{token}"), QR_MODULE)?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg))
}

pub(crate) async fn accept_invitation(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    token: PathSegment,
) -> Result<Json<JoinedGame>, Error> {
    app.charge_bytes(peer.requester(&visitor), WriteKind::Turn, GAME_BYTES)?;
    let token = token.id::<InvitationToken>(Error::InvitationNotFound)?;
    let invitation = app.store.lookup_invitation(&token).await?.ok_or(Error::InvitationNotFound)?;
    let game = app.games.ledger.load(&invitation.game).await?;
    let players = Color::ALL.map(|color| player_of(&game.seats()[color]));
    // Blocks matter only while a seat is open. Otherwise the visitor is told that the seat is taken.
    if let [Some(host), None] | [None, Some(host)] = players
        && *host != visitor.player
    {
        app.blocks.check_contact(&visitor.player, host).await?;
    }
    let id = app.games.commands.join(&visitor.player, &token).await?;
    let game = app.games.ledger.load(&id).await?;
    if game.options().clock.is_live() {
        let players = Color::ALL.into_iter().filter_map(|color| player_of(&game.seats()[color]));
        app.hall.withdraw_live_seeks(&players.collect::<Vec<_>>()).await?;
    }
    Ok(Json(JoinedGame { id }))
}

pub(crate) async fn show(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    game: PathSegment,
) -> Result<Json<Game>, Error> {
    let id = game.id::<GameId>(Error::GameNotFound)?;
    app.allowances.spend(Resource::Snapshots, peer.requester(&visitor))?;
    let game = app.games.snapshot(&id, &visitor.player).await?;
    if visitor.session.is_some() && game.you.is_some() {
        app.games.reminders.record_viewed(&id, &visitor.player).await?;
    }
    Ok(Json(game))
}

pub(crate) async fn show_pgn(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    game: PathSegment,
) -> Result<Response, Error> {
    let id = game.id::<GameId>(Error::GameNotFound)?;
    app.allowances.spend(Resource::Snapshots, peer.requester(&visitor))?;
    let game = app.games.ledger.load(&id).await?;
    let names = app.names.of_game(&game).await?;
    let (address, game_id) = (app.config.public_origin.clone(), id.clone());
    let write = move || pgn::text(&game_id, &game, &names, address.as_ref());
    let text = app.studies.work.run(peer.tenant(&visitor), write).await?;
    Ok(file(&format!("{id}.pgn"), text))
}

/// The query parameters for a game's picture or animation.
#[derive(Debug, Deserialize)]
pub(crate) struct BoardQuery {
    #[serde(default)]
    flip: bool,
}

/// Responds with a game's current position as SVG, for lists of games.
pub(crate) async fn show_board(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    game: PathSegment,
    ApiQuery(query): ApiQuery<BoardQuery>,
) -> Result<Response, Error> {
    let id = game.id::<GameId>(Error::GameNotFound)?;
    app.allowances.spend(Resource::Snapshots, peer.requester(&visitor))?;
    let game = app.games.ledger.load(&id).await?;
    let orientation = if query.flip { Color::Black } else { Color::White };
    let picture = Picture { orientation, coordinates: false, ..Picture::of(game.position().clone()) };
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture.svg()).into_response())
}

/// The width of an animation, in pixels.
const ANIMATION_WIDTH: u32 = 320;
/// The maximum number of turns in an animation. If a game is longer, only its last turns are shown.
const ANIMATION_TURNS: usize = 300;
/// The duration of each frame of an animation, except the last one.
const ANIMATION_PACE: Duration = Duration::from_millis(900);

/// Responds with a game as an animated GIF.
pub(crate) async fn animate(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    game: PathSegment,
    ApiQuery(query): ApiQuery<BoardQuery>,
) -> Result<Response, Error> {
    let id = game.id::<GameId>(Error::GameNotFound)?;
    app.allowances.spend(Resource::Snapshots, peer.requester(&visitor))?;
    let game = app.games.ledger.load(&id).await?;
    let animated = app.studies.work.run(peer.tenant(&visitor), move || animation(&game, query.flip)).await?;
    let name = format!("inline; filename=\"adoube-{id}.gif\"");
    Ok(([(header::CONTENT_TYPE, "image/gif"), (header::CONTENT_DISPOSITION, &name)], animated)
        .into_response())
}

fn animation(game: &adoube_game::Game, flip: bool) -> Result<Vec<u8>, Error> {
    let unreadable = |_| Error::Internal("a played turn cannot be read");
    let mut position = AnyPosition::from_fen(game.variant(), game.initial_fen())
        .map_err(|_| Error::Internal("the initial position of a game cannot be read"))?;
    let mut turns = Vec::new();
    let texts = game.turn_texts();
    let skipped = texts.len().saturating_sub(ANIMATION_TURNS);
    let mut start = position.clone();
    for (index, text) in texts.iter().enumerate() {
        if index == skipped {
            start = position.clone();
        }
        let turn = coordinate::parse(&position, text).map_err(unreadable)?;
        position.play_turn_unchecked(&turn);
        if index >= skipped {
            turns.push(turn);
        }
    }
    let orientation = if flip { Color::Black } else { Color::White };
    let pictures =
        Picture { orientation, width: ANIMATION_WIDTH, ..Picture::of(start) }.after_each_turn(&turns);
    let failed = |error: RasterError| {
        tracing::error!(%error, "a game cannot be animated");
        Error::Internal("a game cannot be animated")
    };
    let (Some(first), Some((last, earlier))) = (pictures.first(), pictures.split_last()) else {
        return Err(Error::Internal("a game has no pictures"));
    };
    let mut animation = Animation::new(Vec::new(), first).map_err(failed)?;
    for picture in earlier {
        animation.add(picture, ANIMATION_PACE).map_err(failed)?;
    }
    animation.add(last, ANIMATION_PACE * 4).map_err(failed)?;
    animation.finish().map_err(failed)
}

/// The query parameters for a list of games.
#[derive(Debug, Deserialize)]
pub(crate) struct GameQuery {
    state: Option<String>,
    variant: Option<String>,
    cursor: Option<String>,
}

impl GameQuery {
    fn filter(self, player: &PlayerId, limit: u32) -> Result<GameFilter, Error> {
        let state = match self.state.as_deref() {
            None | Some("" | "mine") => ListState::Mine,
            Some("waiting") => ListState::Waiting,
            Some("playing") => ListState::Playing,
            Some("finished") => ListState::Finished,
            Some(other) => return Err(Error::ListState(other.chars().take(32).collect())),
        };
        let variant = self.variant.filter(|variant| !variant.is_empty());
        let variant =
            variant.as_deref().map(listed::variant_of).transpose()?.map(|variant| variant.name().to_owned());
        let after = self.cursor.as_deref().filter(|text| !text.is_empty()).map(cursor).transpose()?;
        let after = after.map(|(at, game)| Cursor { at, game });
        Ok(GameFilter { player: player.clone(), state, variant, after, limit })
    }
}

pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    ApiQuery(query): ApiQuery<GameQuery>,
) -> Result<Json<GameList>, Error> {
    let filter = query.filter(&visitor.player, PAGE)?;
    let listed = app.store.list_games(&filter).await?;
    let is_full = listed.len() == PAGE as usize;
    let next = listed.last().filter(|_| is_full).map(|last| {
        let Cursor { at, game } = last.cursor(filter.state);
        format!("{}-{game}", at.0)
    });
    let games = listed::listed_games(&listed);
    Ok(Json(GameList { games, next }))
}

/// Streams all of the visitor's games that match the query as one PGN file.
pub(crate) async fn list_pgn(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    ApiQuery(query): ApiQuery<GameQuery>,
) -> Result<Response, Error> {
    let filter = query.filter(&visitor.player, PAGE)?;
    export_games(&app, &peer, &visitor, filter)
}

/// Streams all games that match a filter as one PGN file.
pub(super) fn export_games(
    app: &App,
    peer: &Peer,
    visitor: &Visitor,
    filter: GameFilter,
) -> Result<Response, Error> {
    let slot = app.charge_export(peer.requester(visitor))?;
    let (writer_app, tenant) = (app.clone(), peer.tenant(visitor));
    let body = app.exports.body(slot, async move |mut out| {
        write_games(&writer_app, tenant, filter, &mut out).await?;
        Ok(out)
    });
    Ok(file("adoube.pgn", body))
}

pub(super) fn file(name: &str, text: impl IntoResponse) -> Response {
    let kind = "application/x-chess-pgn; charset=utf-8".to_owned();
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
}
