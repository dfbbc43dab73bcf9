//! Endpoints for the analyses that accounts save. Only an analysis's owner can learn that it exists.

use adoube_protocol::{
    AnalysisDocument, AnalysisId, AnalysisList, ChangeAnalysis, SaveAnalysis, SavedAnalysis,
};
use axum::{
    Extension, Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};

use super::{JsonBody, PathSegment, ROW_BYTES, accounts::signed_in, games::file, large_body};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::{Error, LogError},
    studies::MAX_PGN_BYTES,
};

/// The maximum size of a body in bytes. It allows for escapes, which lengthen the text, and for the other
/// fields.
pub(crate) const MAX_BODY_BYTES: usize = 2 * MAX_PGN_BYTES;

fn id_of(name: &PathSegment) -> Result<AnalysisId, Error> {
    name.id(Error::AnalysisNotFound)
}

pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Json<AnalysisList>, Error> {
    signed_in(&visitor)?;
    Ok(Json(app.studies.analyses(&visitor.player).await?))
}

/// Streams all of the visitor's analyses as one PGN file.
pub(crate) async fn list_pgn(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
) -> Result<Response, Error> {
    signed_in(&visitor)?;
    let slot = app.charge_export(peer.requester(&visitor))?;
    let writer_app = app.clone();
    let body = app.exports.body(slot, async move |mut out| {
        for analysis in writer_app.store.list_analyses(&visitor.player).await? {
            // An analysis that was deleted in the meantime is omitted.
            if let Some((_, pgn)) = writer_app.store.lookup_analysis(&visitor.player, &analysis.id).await? {
                out.text(pgn.trim_end()).await?;
                out.text("\n\n").await?;
            }
        }
        Ok(out)
    });
    Ok(file("adoube-analyses.pgn", body))
}

pub(crate) async fn save(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<SaveAnalysis>, Error>,
) -> Result<(StatusCode, Json<SavedAnalysis>), Error> {
    signed_in(&visitor)?;
    let body = large_body(body, MAX_PGN_BYTES)?;
    app.charge_creation(peer.requester(&visitor), 1, ROW_BYTES + body.pgn.len()).await?;
    let saved = app.studies.save(&visitor.player, peer.tenant(&visitor), body).await?;
    Ok((StatusCode::CREATED, Json(saved)))
}

pub(crate) async fn show(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    id: PathSegment,
) -> Result<Response, Error> {
    signed_in(&visitor)?;
    let document: AnalysisDocument = app.studies.analysis(&visitor.player, &id_of(&id)?).await?;
    let text = serde_json::to_vec(&document).map_err(LogError::Write)?;
    let body = app.exports.text(peer.requester(&visitor), text)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

pub(crate) async fn change(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    id: PathSegment,
    body: Result<JsonBody<ChangeAnalysis>, Error>,
) -> Result<Json<SavedAnalysis>, Error> {
    signed_in(&visitor)?;
    let (id, body) = (id_of(&id)?, large_body(body, MAX_PGN_BYTES)?);
    app.charge_creation(peer.requester(&visitor), 1, ROW_BYTES + body.pgn.as_ref().map_or(0, String::len))
        .await?;
    Ok(Json(app.studies.change(&visitor.player, peer.tenant(&visitor), id, body).await?))
}

pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    id: PathSegment,
) -> Result<StatusCode, Error> {
    signed_in(&visitor)?;
    app.studies.delete(&visitor.player, &id_of(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
