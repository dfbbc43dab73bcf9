//! For those who run the house.

use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};

use crate::{
    app::{App, Peer},
    error::Error,
    metrics::Gauges,
};

/// The process lives.
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// The process can also read and write, and is not about to stop.
pub(crate) async fn ready(State(app): State<App>) -> Result<&'static str, Error> {
    if app.stop.is_cancelled() {
        return Err(Error::Busy);
    }
    app.store.check().await?;
    Ok("ok\n")
}

/// For the machine itself: what came through a proxy is not from here, wherever the proxy stands.
pub(crate) async fn metrics(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let forwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
    if !peer.connected.is_loopback() || forwarded.iter().any(|name| headers.contains_key(*name)) {
        return Err(Error::NotFound);
    }
    let gauges = Gauges {
        games_remembered: app.games.remembered(),
        deadlines: app.games.deadlines().len(),
        seeks: app.hall.wish_count(),
        connections: app.connections.count(),
    };
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    Ok((kind, app.metrics.text(gauges)).into_response())
}
