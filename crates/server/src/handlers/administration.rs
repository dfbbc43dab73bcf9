//! Endpoints for administration, and for public information about the house.

use adoube_notation::Language;
use adoube_protocol::{
    AdminAct, AdminDone, AdminQuery, AuditQuery, House, HouseInvitation, HousePage, HousePageName, Me,
    MemberQuery, ReportQuery,
};
use axum::{Extension, Json, extract::State, http::HeaderMap};
use serde::Deserialize;
use serde_json::Value;

use super::{
    ApiQuery, JsonBody, PathSegment, ROW_BYTES, accounts::signed_in, large_body, rules::preferred_language,
};
use crate::{
    administration::{Actor, Facts, page},
    app::{App, Peer},
    auth::{Visitor, hash_of},
    error::Error,
    limits::{Resource, WriteKind},
};

/// The maximum size of an act in bytes. The longest acts set the text of a page.
pub(crate) const MAX_BODY_BYTES: usize = 4 * 30_000 + 4_000;

/// Carries out an administrative act.
pub(crate) async fn act(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<AdminAct>, Error>,
) -> Result<Json<AdminDone>, Error> {
    // The actor is checked before the body so that visitors without a role do not learn how bodies are
    // validated.
    let actor = Actor::of(&*app.store, &visitor).await?;
    app.charge_bytes(peer.requester(&visitor), WriteKind::New, ROW_BYTES)?;
    let act = large_body(body, MAX_BODY_BYTES)?;
    Ok(Json(app.administration.act_as(&actor, &act).await?))
}

async fn run_query(app: &App, visitor: &Visitor, query: AdminQuery) -> Result<Json<Value>, Error> {
    let actor = Actor::of(&*app.store, visitor).await?;
    Ok(Json(app.administration.answer(&actor, &query).await?))
}

pub(crate) async fn overview(State(app): State<App>, visitor: Visitor) -> Result<Json<Value>, Error> {
    run_query(&app, &visitor, AdminQuery::Overview).await
}

pub(crate) async fn members(
    State(app): State<App>,
    visitor: Visitor,
    query: Result<ApiQuery<MemberQuery>, Error>,
) -> Result<Json<Value>, Error> {
    run_query(&app, &visitor, AdminQuery::Members(query?.0)).await
}

pub(crate) async fn classes(State(app): State<App>, visitor: Visitor) -> Result<Json<Value>, Error> {
    run_query(&app, &visitor, AdminQuery::Classes).await
}

pub(crate) async fn reports(
    State(app): State<App>,
    visitor: Visitor,
    query: Result<ApiQuery<ReportQuery>, Error>,
) -> Result<Json<Value>, Error> {
    run_query(&app, &visitor, AdminQuery::Reports(query?.0)).await
}

pub(crate) async fn audit(
    State(app): State<App>,
    visitor: Visitor,
    query: Result<ApiQuery<AuditQuery>, Error>,
) -> Result<Json<Value>, Error> {
    run_query(&app, &visitor, AdminQuery::Audit(query?.0)).await
}

pub(crate) async fn check_audit(State(app): State<App>, visitor: Visitor) -> Result<Json<Value>, Error> {
    run_query(&app, &visitor, AdminQuery::CheckAudit).await
}

/// Responds with public information about the house.
pub(crate) async fn house(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Json<House> {
    let sign_in = app.providers.sign_in_methods(&peer, &headers);
    let sends_mail = app.accounts.emails.is_connected();
    Json(House { settings: (*app.house.settings()).clone(), sign_in, sends_mail })
}

#[derive(Debug, Deserialize)]
pub(crate) struct InLanguage {
    language: Option<String>,
}

/// Responds with the house's legal notice or privacy page.
pub(crate) async fn house_page(
    State(app): State<App>,
    name: PathSegment,
    ApiQuery(query): ApiQuery<InLanguage>,
    headers: HeaderMap,
) -> Result<Json<HousePage>, Error> {
    let name = match name.text() {
        "legal" => HousePageName::Legal,
        "privacy" => HousePageName::Privacy,
        _ => return Err(Error::NotFound),
    };
    let language = match query.language {
        Some(text) => text.parse::<Language>().map_err(|_| Error::Language(text))?,
        None => preferred_language(&headers),
    };
    let settings = app.house.settings();
    let facts = Facts {
        settings: &settings,
        retention: &app.config.retention,
        sessions: &app.config.sessions,
        site: &app.config.link_address(),
    };
    Ok(Json(page(&*app.store, name, language, &facts).await?))
}

/// Responds with an invitation's expiry and the role that it grants, without using up the invitation.
pub(crate) async fn invitation(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    token: PathSegment,
) -> Result<Json<HouseInvitation>, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    let found = app.store.lookup_house_invitation(&hash_of(token.text()), app.clock.now()).await?;
    let found = found.ok_or(Error::HouseInvitationNotFound)?;
    Ok(Json(HouseInvitation { role: found.role, is_first: found.is_first, expires_at: found.expires_at }))
}

/// Gives the visitor's account the role that an invitation grants.
pub(crate) async fn claim(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    token: PathSegment,
) -> Result<Json<Me>, Error> {
    app.allowances.of(Resource::SignIns).spend_at(peer.address)?;
    signed_in(&visitor)?;
    app.administration.claim(&visitor.player, token.text()).await?;
    Ok(Json(app.accounts.me(&visitor).await?))
}
