//! Listening, and the connections themselves: with a deadline for their headers and a count of their number, which
//! `axum::serve` does not have.

use std::{future::Future, io, net::SocketAddr, sync::Arc, time::Duration};

use adoube_store::StoreError;
use axum::{Extension, Router};
use axum_extra::extract::cookie::Key;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    ambient::EntropyError,
    app::{App, Peer, Services, Shared},
    config::{Config, Limits},
    games::Games,
    limits::{Connections, CreditByAddress},
    machine::{self, Wake},
    router::router,
};

/// Bytes of the headers of a request.
const HEADER_BYTES: usize = 16 * 1024;
/// Headers of a request.
const HEADERS: usize = 64;
/// Random numbers in the key that signs cookies; each has 16 bytes, and the key needs 64.
const KEY_NUMBERS: usize = 4;

/// Why a server cannot start, or has to stop.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error("nothing can listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("the machine's threads cannot be started")]
    Threads(#[source] io::Error),
    #[error("the store does not answer as it should")]
    Store(#[from] StoreError),
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    #[error("the key that signs cookies is damaged: it has {0} bytes")]
    Key(usize),
}

/// A server that listens already but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    limits: Limits,
    stop: CancellationToken,
    sockets: TaskTracker,
    services: Services,
}

/// Serves until `shutdown`; returns when what was under way is done.
pub async fn serve(
    config: Config,
    services: Services,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    Server::bind(config, services).await?.run(shutdown).await
}

impl Server {
    /// Takes the address, so that [`local_addr`](Self::local_addr) is known before anybody asks.
    pub async fn bind(config: Config, services: Services) -> Result<Self, ServeError> {
        let address = config.listen;
        let failed = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let limits = config.limits.clone();
        let stop = CancellationToken::new();
        let sockets = TaskTracker::new();
        let app = app(config, &services, stop.clone(), sockets.clone()).await?;
        Ok(Self { listener, address, router: router(app), limits, stop, sockets, services })
    }

    /// Returns the address on which the server listens; the port is the one it was given by the system if the
    /// settings say 0.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`; returns when what was under way is done, or with an error if the store can no
    /// longer keep what it promises.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), ServeError> {
        tracing::info!(address = %self.address, "listening");
        let connections = Connections::new(self.limits.connections, self.limits.connections_per_address);
        let tasks = TaskTracker::new();
        let mut shutdown = std::pin::pin!(shutdown);
        let mut failed = std::pin::pin!(self.services.store.failed());
        let result = loop {
            tokio::select! {
                () = &mut shutdown => break Ok(()),
                error = &mut failed => break Err(ServeError::Store(error)),
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, address)) => {
                        let Some(place) = connections.enter(address.ip()) else {
                            tracing::debug!(%address, "too many connections; one is refused");
                            continue;
                        };
                        let peer = Peer { address: address.ip().to_canonical(), place: Arc::new(place) };
                        let router = self.router.clone().layer(Extension(peer));
                        tasks.spawn(connection(stream, router, self.limits.clone(), self.stop.clone()));
                    }
                    Err(error) => {
                        // No file descriptors left, for instance: others have to go first.
                        tracing::warn!(%error, "a connection cannot be accepted");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        };
        tracing::info!("stopping");
        drop(self.listener);
        self.stop.cancel();
        tasks.close();
        self.sockets.close();
        let done = async {
            tasks.wait().await;
            self.sockets.wait().await;
        };
        if tokio::time::timeout(self.limits.farewell, done).await.is_err() {
            tracing::warn!(
                connections = tasks.len(),
                sockets = self.sockets.len(),
                "some did not end in time and are cut off"
            );
        }
        self.services.store.close().await;
        tracing::info!("stopped");
        result
    }
}

async fn app(
    config: Config,
    services: &Services,
    stop: CancellationToken,
    sockets: TaskTracker,
) -> Result<App, ServeError> {
    let mut fresh = Vec::with_capacity(KEY_NUMBERS * 16);
    for _ in 0..KEY_NUMBERS {
        fresh.extend(services.entropy.random()?.to_le_bytes());
    }
    // Kept in the store: identities outlive the process, and several processes agree on them.
    let key = services.store.secret("cookie-key", &fresh).await?;
    let key = Key::try_from(key.as_slice()).map_err(|_| ServeError::Key(key.len()))?;

    let (wake, woken) = Wake::new();
    let games = Arc::new(Games::new(
        Arc::clone(&services.store),
        Arc::clone(&services.bus),
        Arc::clone(&services.clock),
        Arc::clone(&services.entropy),
        wake.clone(),
    ));
    machine::start(
        &services.opponent,
        (config.machine_threads, config.machine_round),
        Arc::clone(&games),
        Arc::clone(&services.entropy),
        (wake, woken),
        stop.clone(),
    )
    .map_err(ServeError::Threads)?;
    let creations = CreditByAddress::new(config.limits.creations, config.limits.creations_per);
    let entropy = Arc::clone(&services.entropy);
    Ok(App::new(Shared { config, games, entropy, key, creations, stop, sockets }))
}

async fn connection(stream: TcpStream, router: Router, limits: Limits, stop: CancellationToken) {
    // Answers are small and awaited.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection ended before it began");
        return;
    }
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(HEADER_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended badly");
    }
}
