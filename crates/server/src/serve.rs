//! Listens and serves connections, with a limit on their number and a timeout for the headers of each
//! request. `axum::serve` has neither.

use std::{
    future::Future,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use adoube_store::Store;
use axum::{Extension, Router, http::StatusCode, response::Response};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::{Layer as _, util::MapResponseLayer};

use crate::{
    administration::Administration,
    app::{Peer, Services, app},
    clock::Clock,
    config::{Config, Limits, Listen},
    downtimes::Downtimes,
    housekeeping::finish,
    limits::{Connections, Tenant, home_network},
    listener::{Inherited, Listener, Stream},
    nodes::Nodes,
    router::{self, router},
    serve_error::ServeError,
    work::WorkerSlots,
    write_timeout::LimitedStream,
};

/// The maximum size of the headers of a request, in bytes.
const HEADER_BYTES: usize = 16 * 1024;
/// The maximum number of headers in a request.
const HEADERS: usize = 64;
/// The maximum number of connections that are new at the same time. Further ones wait without being read.
/// Otherwise, thousands of clients that reconnect at once would need the memory and time of thousands of
/// handshakes at the same moment.
const NEWCOMERS: usize = 128;
/// The maximum number of new connections from one network. Networks take turns so that silent connections
/// from some networks do not delay visitors from others.
const NEWCOMERS_PER_NETWORK: usize = 32;
/// The time after which a connection is no longer new, even if nothing has been sent on it.
const NEW_CONNECTION_TIME: Duration = Duration::from_millis(500);
/// The maximum number of connections for metrics; further ones are closed.
const METRICS_CONNECTIONS: usize = 8;

/// A server that is listening but does not serve requests yet.
#[derive(Debug)]
pub struct Server {
    listener: Listener,
    metrics: Option<(TcpListener, Router)>,
    listen_address: Listen,
    router: Router,
    limits: Limits,
    trusted_proxies: Vec<IpAddr>,
    connections: Connections,
    stop: CancellationToken,
    sockets: TaskTracker,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    downtimes: Arc<Downtimes>,
    nodes: Arc<Nodes>,
    administration: Arc<Administration>,
    link_address: String,
}

/// Binds the address and serves until `shutdown` completes (see [`Server::run`]).
pub async fn serve(
    config: Config,
    services: Services,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    Server::bind(config, services).await?.run(shutdown).await
}

impl Server {
    /// Binds the address so that [`listen_address`](Self::listen_address) is known before the first request.
    pub async fn bind(config: Config, services: Services) -> Result<Self, ServeError> {
        Self::bind_or_inherit(config, services, None).await
    }

    /// Takes over a listener opened by another program, or binds the address if there is none.
    pub async fn bind_or_inherit(
        config: Config,
        services: Services,
        inherited: Option<Inherited>,
    ) -> Result<Self, ServeError> {
        let address = config.listen.to_string();
        let failed = |source| ServeError::Listen { address: address.clone(), source };
        let (listener, listen_address) = match inherited {
            Some(inherited) => Listener::inherit(inherited).map_err(failed)?,
            None => (Listener::open(&config.listen).map_err(failed)?, config.listen.clone()),
        };
        // Links need the port that the system has chosen.
        let listen_address = listener.local_addr().map_err(failed)?.map_or(listen_address, Listen::Tcp);
        let config = Config { listen: listen_address.clone(), ..config };
        let metrics = match config.metrics {
            Some(address) => {
                let failed = |source| ServeError::Listen { address: address.to_string(), source };
                Some(TcpListener::bind(address).await.map_err(failed)?)
            }
            None => None,
        };
        let link_address = config.link_address();
        let limits = config.limits.clone();
        let trusted_proxies = config.trusted_proxies.clone();
        let connections = Connections::new(limits.connections, limits.connections_per_address);
        let stop = CancellationToken::new();
        let sockets = TaskTracker::new();
        let app = app(config, &services, connections.clone(), stop.clone(), sockets.clone()).await?;
        let (store, clock) = (services.store, Arc::clone(&app.clock));
        let downtimes = Arc::clone(app.games.ledger.downtimes());
        let nodes = Arc::clone(&app.nodes);
        let administration = Arc::clone(&app.administration);
        Ok(Self {
            listener,
            metrics: metrics.map(|listener| (listener, router::metrics_router(app.clone()))),
            listen_address,
            router: router(app),
            limits,
            trusted_proxies,
            connections,
            stop,
            sockets,
            store,
            clock,
            downtimes,
            nodes,
            administration,
            link_address,
        })
    }

    /// Returns the address or path on which the server listens. It contains the port that the system has
    /// chosen if the settings give port 0.
    pub fn listen_address(&self) -> &Listen {
        &self.listen_address
    }

    /// Returns the base URL of links to this server.
    pub fn link_address(&self) -> &str {
        &self.link_address
    }

    /// Returns the administration of the house.
    pub fn administration(&self) -> &Arc<Administration> {
        &self.administration
    }

    /// Returns the address on which metrics are served, or `None` if they are not served.
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().and_then(|(listener, _)| listener.local_addr().ok())
    }

    /// Serves until `shutdown` completes. Returns when all requests in progress are done, or have had
    /// [`Limits::farewell`] to finish.
    ///
    /// # Errors
    ///
    /// If the store can no longer keep its guarantees.
    pub async fn run(mut self, shutdown: impl Future<Output = ()> + Send) -> Result<(), ServeError> {
        tracing::info!(address = %self.listen_address, "listening");
        let tasks = TaskTracker::new();
        if let Some((listener, router)) = self.metrics.take() {
            tokio::spawn(serve_metrics(listener, router, self.limits.clone(), self.stop.clone()));
        }
        let newcomers = WorkerSlots::new(NEWCOMERS, self.limits.connections, NEWCOMERS_PER_NETWORK);
        // All connections from a proxy have the same address, but they come from visitors in many networks.
        let proxied = WorkerSlots::new(NEWCOMERS, self.limits.connections, NEWCOMERS);
        let mut shutdown = std::pin::pin!(shutdown);
        let mut failed = std::pin::pin!(self.store.wait_for_failure());
        let result = loop {
            tokio::select! {
                () = &mut shutdown => break Ok(()),
                error = &mut failed => break Err(ServeError::Store(error)),
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, address)) => {
                        let connected = address.map(|address| address.ip().to_canonical());
                        // Only a proxy can connect to the Unix domain socket. Such a connection has
                        // no IP address.
                        let is_proxy = connected.is_none_or(|connected| self.trusted_proxies.contains(&connected));
                        let connected = connected.unwrap_or(Ipv4Addr::LOCALHOST.into());
                        // A proxy must itself limit the connections that it forwards.
                        let has_network_limits = !is_proxy;
                        let Some(slot) = self.connections.enter(connected, has_network_limits) else {
                            tracing::debug!(%connected, "too many connections; refused one");
                            continue;
                        };
                        let peer = Peer { is_proxy, address: connected, slot: Arc::new(slot) };
                        let (router, limits) = (self.router.clone(), self.limits.clone());
                        let newcomers = if has_network_limits { newcomers.clone() } else { proxied.clone() };
                        let stop = self.stop.clone();
                        tasks.spawn(async move {
                            tokio::select! {
                                newcomer = newcomers.take(Tenant::Network(home_network(connected))) => match newcomer {
                                    Ok(newcomer) => peer.slot.hold_new_slot(newcomer),
                                    // The queue is full. This connection was refused, or one from a network
                                    // with fewer waiting connections has displaced it.
                                    Err(_) => return,
                                },
                                () = stop.cancelled() => return,
                            }
                            // Boxed so that a waiting connection takes little memory.
                            match stream {
                                Stream::Tcp(stream) => {
                                    // Responses are small and clients wait for them, so they must not be
                                    // delayed.
                                    if let Err(error) = stream.set_nodelay(true) {
                                        tracing::debug!(%error, "a connection was closed before it was served");
                                        return;
                                    }
                                    Box::pin(connection(stream, peer, router, limits, stop)).await;
                                }
                                #[cfg(unix)]
                                Stream::Unix(stream) => {
                                    Box::pin(connection(stream, peer, router, limits, stop)).await;
                                }
                            }
                        });
                    }
                    Err(error) => {
                        // For instance, no file descriptors are free until other connections close.
                        tracing::warn!(%error, "could not accept a connection");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        };
        tracing::info!("stopping");
        let stopped_at = self.clock.now();
        drop(self.listener);
        // The players reconnect to other nodes, which must know by then when the players were disconnected.
        self.nodes.stop(stopped_at).await;
        self.stop.cancel();
        tasks.close();
        self.sockets.close();
        let serving = async {
            tasks.wait().await;
            self.sockets.wait().await;
        };
        if tokio::time::timeout(self.limits.farewell, serving).await.is_err() {
            tracing::warn!(
                connections = tasks.len(),
                sockets = self.sockets.len(),
                "some connections did not finish in time and will be dropped"
            );
        }
        if result.is_ok() {
            finish(&*self.store, &self.downtimes, stopped_at).await;
        } else {
            self.store.close().await;
        }
        tracing::info!("stopped");
        result
    }
}

/// Serves metrics on a few connections at a time, until `stop` is cancelled.
pub(crate) async fn serve_metrics(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: CancellationToken,
) {
    let permits = Arc::new(Semaphore::new(METRICS_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // For instance, no file descriptors are free.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else { continue };
        let (router, limits) = (router.clone(), limits.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.header_time)
                .max_buf_size(HEADER_BYTES)
                .max_headers(HEADERS)
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
            if tokio::time::timeout(limits.request_time, connection).await.is_err() {
                tracing::debug!("metrics were requested but not read");
            }
            drop(permit);
        });
    }
}

async fn connection(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    peer: Peer,
    router: Router,
    limits: Limits,
    stop: CancellationToken,
) {
    let slot = Arc::downgrade(&peer.slot);
    let new_slot = slot.clone();
    tokio::spawn(async move {
        tokio::time::sleep(NEW_CONNECTION_TIME).await;
        if let Some(slot) = new_slot.upgrade() {
            slot.free_new_slot();
        }
    });
    let on_response = MapResponseLayer::new(move |response: Response| {
        // The response that opens a WebSocket does not count as the first response, but the first message on
        // it does.
        if response.status() != StatusCode::SWITCHING_PROTOCOLS
            && let Some(slot) = slot.upgrade()
        {
            slot.free_new_slot();
        }
        response
    });
    // Wraps the whole router, because its own `layer` would wrap every route again for each connection.
    let service = on_response.layer(Extension(peer).layer(router));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(HEADER_BYTES)
        .max_headers(HEADERS)
        .serve_connection(
            TokioIo::new(LimitedStream::new(stream, limits.send_time)),
            TowerToHyperService::new(service),
        )
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
        tracing::debug!(%error, "a connection ended with an error");
    }
}
