//! Endpoints for blocking players, and for choosing who may see that a visitor is online.

use adoube_protocol::{Block, BlockList, BlockedPlayer, ChangePresence, Me, PlayerId};
use adoube_store::Blocked;
use axum::{Extension, Json, extract::State};

use super::{JsonBody, ROW_BYTES, accounts::signed_in};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    changes::Change,
    error::Error,
    limits::WriteKind,
};

pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Json<BlockList>, Error> {
    signed_in(&visitor)?;
    Ok(Json(blocked_by(&app, &visitor.player).await?))
}

/// Returns the players whom a player has blocked, most recent first.
pub(crate) async fn blocked_by(app: &App, player: &PlayerId) -> Result<BlockList, Error> {
    let blocked = app.store.lookup_blocks(player).await?.blocked.into_iter();
    Ok(BlockList { blocked: blocked.map(|one| BlockedPlayer { name: one.name, at: one.at }).collect() })
}

pub(crate) async fn block(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<Block>, Error>,
) -> Result<Json<BlockList>, Error> {
    signed_in(&visitor)?;
    app.charge_bytes(peer.requester(&visitor), WriteKind::New, ROW_BYTES)?;
    let other = player_named(&app, body).await?;
    if other == visitor.player {
        return Err(Error::OwnBlock);
    }
    match app.store.add_block(&visitor.player, &other, app.clock.now()).await? {
        Blocked::Done => {}
        Blocked::Full => return Err(Error::TooManyBlocks(adoube_store::BLOCKS_PER_ACCOUNT)),
        Blocked::NoAccount => return Err(Error::PlayerNotFound),
    }
    publish_blocks_changed(&app, &visitor.player, &other).await;
    app.hall.remove_challenges_between(&visitor.player, &other).await;
    Ok(Json(blocked_by(&app, &visitor.player).await?))
}

pub(crate) async fn unblock(
    State(app): State<App>,
    visitor: Visitor,
    body: Result<JsonBody<Block>, Error>,
) -> Result<Json<BlockList>, Error> {
    signed_in(&visitor)?;
    let other = player_named(&app, body).await?;
    if app.store.delete_block(&visitor.player, &other).await? {
        publish_blocks_changed(&app, &visitor.player, &other).await;
    }
    Ok(Json(blocked_by(&app, &visitor.player).await?))
}

async fn player_named(app: &App, body: Result<JsonBody<Block>, Error>) -> Result<PlayerId, Error> {
    let JsonBody(Block { name }) = body?;
    let account = app.store.lookup_account_by_typed_name(&name).await?;
    account.map(|account| account.player).ok_or(Error::PlayerNotFound)
}

/// Notifies all nodes that one of two players has blocked or unblocked the other.
async fn publish_blocks_changed(app: &App, one: &PlayerId, other: &PlayerId) {
    let players = vec![one.clone(), other.clone()];
    // The cached blocks of both players are dropped here, because the change must be in effect when the
    // visitor gets the response, but the notice arrives a little later.
    app.blocks.forget(&players);
    app.accounts.changes.publish(Change::BlocksChanged { players }).await;
}

/// Sets who may see that the visitor is online.
pub(crate) async fn change_presence(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<ChangePresence>, Error>,
) -> Result<Json<Me>, Error> {
    signed_in(&visitor)?;
    app.charge_bytes(peer.requester(&visitor), WriteKind::New, ROW_BYTES)?;
    let JsonBody(ChangePresence { shown_to }) = body?;
    app.store.set_shown_to(&visitor.player, shown_to).await?;
    app.names.forget(&visitor.player);
    app.hall.set_shown_to(&visitor.player, shown_to);
    Ok(Json(app.accounts.me(&visitor).await?))
}
