//! Endpoints for an account's problem results and rating.

use adoube_protocol::{AttemptResult, ProblemAttempt, ProblemStanding};
use axum::{Extension, Json, extract::State};

use super::{JsonBody, PathSegment, ROW_BYTES, accounts::signed_in};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    listed::variant_of,
};

pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    variant: PathSegment,
) -> Result<Json<ProblemStanding>, Error> {
    signed_in(&visitor)?;
    Ok(Json(app.studies.standing(&visitor.player, variant_of(variant.text())?).await?))
}

pub(crate) async fn count(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    variant: PathSegment,
    body: Result<JsonBody<ProblemAttempt>, Error>,
) -> Result<Json<AttemptResult>, Error> {
    signed_in(&visitor)?;
    app.charge_creation(peer.requester(&visitor), 1, ROW_BYTES).await?;
    let variant = variant_of(variant.text())?;
    let JsonBody(request) = body?;
    Ok(Json(app.studies.count(&visitor.player, peer.tenant(&visitor), variant, request).await?))
}
