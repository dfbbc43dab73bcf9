//! The standing of an account in the problems.

use adoube_protocol::{JudgedTry, ProblemStanding, ProblemTry};
use axum::{Extension, Json, extract::State};

use super::{Body, Name, ROW_BYTES, accounts::signed_in};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    listed::variant_of,
};

pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    variant: Name,
) -> Result<Json<ProblemStanding>, Error> {
    signed_in(&visitor)?;
    Ok(Json(app.studies.standing(&visitor.player, variant_of(variant.text())?).await?))
}

pub(crate) async fn count(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    variant: Name,
    body: Result<Body<ProblemTry>, Error>,
) -> Result<Json<JudgedTry>, Error> {
    signed_in(&visitor)?;
    app.may_begin(peer.spender(&visitor), 1, ROW_BYTES)?;
    let variant = variant_of(variant.text())?;
    let Body(request) = body?;
    Ok(Json(app.studies.count(&visitor.player, peer.worker_holder(&visitor), variant, request).await?))
}
