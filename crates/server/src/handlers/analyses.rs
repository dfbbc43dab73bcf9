//! Analyses that accounts keep. They are their owner's alone: to others they are not there.

use adoube_protocol::{
    AnalysisDocument, AnalysisId, AnalysisList, ChangeAnalysis, SaveAnalysis, SavedAnalysis,
};
use axum::{Extension, Json, extract::State, http::StatusCode, response::Response};

use super::{Body, Name, accounts::signed_in, games::file};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    limits::Kind,
    studies::LONGEST_PGN,
};

/// Bytes of a body: the text, each line of it with two characters more, and what else there is.
pub(crate) const LONGEST_BODY: usize = 2 * LONGEST_PGN;

/// The body of a request that may be longer than others.
fn long<T>(body: Result<Body<T>, Error>) -> Result<T, Error> {
    match body {
        Ok(Body(body)) => Ok(body),
        Err(Error::TooLarge(_)) => Err(Error::TooLarge(LONGEST_PGN)),
        Err(other) => Err(other),
    }
}

fn id_of(name: &Name) -> Result<AnalysisId, Error> {
    name.id(Error::AnalysisNotFound)
}

pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Json<AnalysisList>, Error> {
    signed_in(&visitor)?;
    Ok(Json(app.studies.analyses(&visitor.player).await?))
}

/// All of them in one file.
pub(crate) async fn list_pgn(State(app): State<App>, visitor: Visitor) -> Result<Response, Error> {
    signed_in(&visitor)?;
    Ok(file("adoube-analyses.pgn", app.studies.pgn(&visitor.player).await?))
}

pub(crate) async fn save(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<Body<SaveAnalysis>, Error>,
) -> Result<(StatusCode, Json<SavedAnalysis>), Error> {
    signed_in(&visitor)?;
    app.allowances.spend(Kind::Creations, peer.spender(&visitor))?;
    Ok((StatusCode::CREATED, Json(app.studies.save(&visitor.player, long(body)?).await?)))
}

pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    id: Name,
) -> Result<Json<AnalysisDocument>, Error> {
    signed_in(&visitor)?;
    Ok(Json(app.studies.analysis(&visitor.player, &id_of(&id)?).await?))
}

pub(crate) async fn change(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    id: Name,
    body: Result<Body<ChangeAnalysis>, Error>,
) -> Result<Json<SavedAnalysis>, Error> {
    signed_in(&visitor)?;
    app.allowances.spend(Kind::Creations, peer.spender(&visitor))?;
    let id = id_of(&id)?;
    Ok(Json(app.studies.change(&visitor.player, id, long(body)?).await?))
}

pub(crate) async fn delete(State(app): State<App>, visitor: Visitor, id: Name) -> Result<StatusCode, Error> {
    signed_in(&visitor)?;
    app.studies.delete(&visitor.player, &id_of(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
