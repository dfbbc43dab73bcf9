//! Lists, adds and removes the browsers to which notifications are pushed.

use adoube_protocol::{PushDevice, PushDevices, SessionId, SubscribePush};
use adoube_push::Endpoint;
use axum::{Extension, Json, extract::State, http::StatusCode};
use data_encoding::{BASE64URL, BASE64URL_NOPAD};

use super::{JsonBody, PathSegment, ROW_BYTES, accounts::signed_in};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    limits::WriteKind,
};

pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Json<PushDevices>, Error> {
    Ok(Json(devices_of(&app, &visitor).await?))
}

/// Returns the push key, and the browsers to which the account's notifications are pushed.
pub(crate) async fn devices_of(app: &App, visitor: &Visitor) -> Result<PushDevices, Error> {
    let current = signed_in(visitor)?;
    let devices = app.store.list_push_devices(&visitor.player, app.clock.now()).await?.into_iter();
    let device = |device: adoube_store::PushDevice| {
        let adoube_store::PushDevice { subscription, agent } = device;
        let service = Endpoint::parse(&subscription.endpoint).map(|address| address.host().to_owned());
        PushDevice {
            current: subscription.session == *current,
            id: subscription.session,
            service: service.unwrap_or_default(),
            agent,
            created_at: subscription.created_at,
        }
    };
    Ok(PushDevices {
        key: app.pushes.public_key().map(str::to_owned),
        devices: devices.map(device).collect(),
    })
}

/// Adds the browser that sends the request.
pub(crate) async fn subscribe(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    body: Result<JsonBody<SubscribePush>, Error>,
) -> Result<Json<PushDevices>, Error> {
    let session = signed_in(&visitor)?;
    let JsonBody(SubscribePush { endpoint, p256dh, auth }) = body?;
    app.charge_bytes(peer.requester(&visitor), WriteKind::New, ROW_BYTES + endpoint.len())?;
    let keys = (decoded(&p256dh)?, decoded(&auth)?);
    app.pushes.subscribe(&visitor.player, session, endpoint, keys).await?;
    Ok(Json(devices_of(&app, &visitor).await?))
}

/// Decodes a key, with or without padding.
fn decoded(text: &str) -> Result<Vec<u8>, Error> {
    let text = text.as_bytes();
    BASE64URL_NOPAD.decode(text).or_else(|_| BASE64URL.decode(text)).map_err(|_| Error::PushKeys)
}

pub(crate) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    session: PathSegment,
) -> Result<Json<PushDevices>, Error> {
    signed_in(&visitor)?;
    let id = session.id::<SessionId>(Error::PushDeviceNotFound)?;
    if !app.store.delete_push_subscription(&visitor.player, &id).await? {
        return Err(Error::PushDeviceNotFound);
    }
    Ok(Json(devices_of(&app, &visitor).await?))
}

/// Turns off notifications in the browser that received this token in a notification. The browser may no
/// longer be signed in.
pub(crate) async fn stop(State(app): State<App>, token: PathSegment) -> Result<StatusCode, Error> {
    app.pushes.stop(token.text()).await?;
    Ok(StatusCode::NO_CONTENT)
}
