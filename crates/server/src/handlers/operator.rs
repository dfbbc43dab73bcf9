//! Endpoints for the operator.

use std::{collections::BTreeMap, sync::Arc};

use adoube_protocol::{ErrorBody, ErrorDetail, Millis};
use axum::{
    Extension, Json,
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::sync::Mutex;

use crate::{
    app::App,
    config::Token,
    error::{Error, causes},
    metrics::Gauges,
};

/// Responds "ok" whenever the process is alive.
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// The period during which a response is cached, in milliseconds. Each check costs a write.
const READINESS_CACHE_MS: i64 = 1_000;

/// A cache of the last check's result and time.
#[derive(Debug, Default)]
pub(crate) struct Readiness(Mutex<Option<(Millis, Result<(), NotReady>)>>);

#[derive(Clone, Debug)]
struct NotReady {
    status: StatusCode,
    code: &'static str,
    reason: String,
}

/// Responds "ok" if the process can read and write, and is not about to stop. The check writes to the store
/// and waits until the write is on disk.
pub(crate) async fn ready(
    State(app): State<App>,
    Extension(readiness): Extension<Arc<Readiness>>,
) -> Result<Response, Error> {
    if app.stop.is_cancelled() {
        return Err(Error::Busy);
    }
    // Concurrent requests wait for one check and get the same response.
    let mut last = readiness.0.lock().await;
    let now = app.clock.now();
    let known = last.take().filter(|(at, _)| now.0.saturating_sub(at.0) < READINESS_CACHE_MS);
    let (at, found) = if let Some(known) = known {
        known
    } else {
        let found = probe(&app).await;
        // The time is read after the check, so requests that waited for a slow check also share its result.
        (app.clock.now(), found)
    };
    *last = Some((at, found.clone()));
    drop(last);
    Ok(match found {
        Ok(()) => "ok\n".into_response(),
        Err(NotReady { status, code, reason }) => {
            let error = ErrorDetail { code: code.to_owned(), args: BTreeMap::new(), message: reason };
            (status, Json(ErrorBody { error })).into_response()
        }
    })
}

async fn probe(app: &App) -> Result<(), NotReady> {
    let written = async {
        app.store.check().await?;
        app.store.record_heartbeat(app.clock.now()).await
    };
    let Err(error) = written.await else { return Ok(()) };
    let reason = match causes(&error) {
        cause if cause.is_empty() => error.to_string(),
        cause => format!("{error}: {cause}"),
    };
    let error = Error::from(error);
    error.log();
    Err(NotReady { status: StatusCode::SERVICE_UNAVAILABLE, code: error.code(), reason })
}

/// Refuses metrics requests that lack the token, if one is set.
pub(crate) async fn require_token(State(token): State<Token>, request: Request, next: Next) -> Response {
    let authorization = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if token.admits(authorization) {
        return next.run(request).await;
    }
    let scheme = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, scheme, "send the token from the metrics_token setting\n").into_response()
}

/// Responds with metrics. They are served at a separate address, because at the public address, behind a
/// proxy, the operator's programs cannot be told apart from visitors.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let gauges = Gauges {
        games_cached: app.games.ledger.cached_count(),
        deadlines: app.games.ledger.deadlines().len(),
        seeks: app.hall.proposal_count(),
        connections: app.connections.count(),
        bus: app.bus.counts(),
        nodes: app.nodes.gauges(),
        writes: app.store.write_counts(),
        free_bytes: app.store.free_bytes(),
        // An error is ignored, because the other metrics matter most when the database does not respond.
        data_bytes: app.store.size().await.unwrap_or_default(),
    };
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, app.metrics.text(gauges)).into_response()
}
