//! Listening, and the connections themselves: with a deadline for their headers and a count of their number, which
//! `axum::serve` does not have.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
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
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::util::MapResponseLayer;

use crate::{
    app::{Peer, Services, app},
    clock::Clock,
    config::{Config, Limits},
    downtimes::Downtimes,
    housekeeping::finish,
    limits::{Connections, Holder, home},
    router::{self, router},
    serve_error::ServeError,
    work::WorkerSlots,
    write_timeout::WriteTimeout,
};

/// Bytes of the headers of a request.
const HEADER_BYTES: usize = 16 * 1024;
/// Headers of a request.
const HEADERS: usize = 64;
/// Connections that may be new at the same time; nothing is read from others before. When thousands come back at once, what
/// a handshake takes for a moment would otherwise be taken thousands of times: memory, and everybody's time.
const NEWCOMERS: usize = 128;
/// Of one home. The homes take turns, so that silent connections of some do not put the visitors of others back.
const NEWCOMERS_OF_A_HOME: usize = 32;
/// Connections that the system keeps until they are accepted.
const BACKLOG: u32 = 1_024;
/// From then on a connection is not new any more, even if it has asked for nothing.
const NEW_FOR: Duration = Duration::from_millis(500);
/// Connections for figures; others are closed.
const FIGURES_AT_ONCE: usize = 8;
/// A server that listens already but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    figures: Option<(TcpListener, Router)>,
    address: SocketAddr,
    router: Router,
    limits: Limits,
    trusted_proxies: Vec<IpAddr>,
    connections: Connections,
    stop: CancellationToken,
    sockets: TaskTracker,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    downtimes: Arc<Downtimes>,
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
        let listener = listen(address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        // The port that the system has chosen, for links.
        let config = Config { listen: address, ..config };
        let figures = match config.metrics {
            Some(address) => {
                let failed = |source| ServeError::Listen { address, source };
                Some(TcpListener::bind(address).await.map_err(failed)?)
            }
            None => None,
        };
        let limits = config.limits.clone();
        let trusted_proxies = config.trusted_proxies.clone();
        let connections = Connections::new(limits.connections, limits.connections_per_address);
        let stop = CancellationToken::new();
        let sockets = TaskTracker::new();
        let app = app(config, &services, connections.clone(), stop.clone(), sockets.clone()).await?;
        let (store, clock) = (services.store, Arc::clone(&app.clock));
        let downtimes = Arc::clone(app.games.ledger.downtimes());
        Ok(Self {
            listener,
            figures: figures.map(|listener| (listener, router::figures(app.clone()))),
            address,
            router: router(app),
            limits,
            trusted_proxies,
            connections,
            stop,
            sockets,
            store,
            clock,
            downtimes,
        })
    }

    /// Returns the address on which the server listens; the port is the one it was given by the system if the
    /// settings say 0.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address at which figures are told, if they are.
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.figures.as_ref().and_then(|(listener, _)| listener.local_addr().ok())
    }

    /// Serves until `shutdown`; returns when what was under way is done, or with an error if the store can no
    /// longer keep what it promises.
    pub async fn run(mut self, shutdown: impl Future<Output = ()> + Send) -> Result<(), ServeError> {
        tracing::info!(address = %self.address, "listening");
        let tasks = TaskTracker::new();
        if let Some((listener, router)) = self.figures.take() {
            tokio::spawn(tell_figures(listener, router, self.limits.clone(), self.stop.clone()));
        }
        let newcomers = WorkerSlots::new(NEWCOMERS, self.limits.connections, NEWCOMERS_OF_A_HOME);
        // Behind a proxy there are many homes, which it has to count.
        let proxied = WorkerSlots::new(NEWCOMERS, self.limits.connections, NEWCOMERS);
        let mut shutdown = std::pin::pin!(shutdown);
        let mut failed = std::pin::pin!(self.store.failed());
        let result = loop {
            tokio::select! {
                () = &mut shutdown => break Ok(()),
                error = &mut failed => break Err(ServeError::Store(error)),
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, address)) => {
                        let connected = address.ip().to_canonical();
                        // All come through a proxy that stands before us; it has to count them.
                        let alone = !self.trusted_proxies.contains(&connected);
                        let Some(slot) = self.connections.enter(connected, alone) else {
                            tracing::debug!(%address, "too many connections; one is refused");
                            continue;
                        };
                        let peer = Peer { connected, address: connected, slot: Arc::new(slot) };
                        let (router, limits) = (self.router.clone(), self.limits.clone());
                        let newcomers = if alone { newcomers.clone() } else { proxied.clone() };
                        let stop = self.stop.clone();
                        tasks.spawn(async move {
                            tokio::select! {
                                newcomer = newcomers.take(Holder::Network(home(connected))) => match newcomer {
                                    Ok(newcomer) => peer.slot.admit(newcomer),
                                    // Too many wait, and most of them come from there.
                                    Err(_) => return,
                                },
                                () = stop.cancelled() => return,
                            }
                            // Boxed: one that waits is to take next to nothing.
                            Box::pin(connection(stream, peer, router, limits, stop)).await;
                        });
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
        let stopped_at = self.clock.now();
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
        if result.is_ok() {
            finish(&*self.store, &self.downtimes, stopped_at).await;
        } else {
            self.store.close().await;
        }
        tracing::info!("stopped");
        result
    }
}

/// Listens with a queue of our own: the library's is of 128, which a few addresses can keep full.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Where it means that a port can be taken again at once, and not that two programs can have it.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Tells figures to a few at a time, until `stop`.
async fn tell_figures(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(FIGURES_AT_ONCE));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // No file descriptors left, for instance.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
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
                tracing::debug!("figures were asked for and not taken");
            }
            drop(place);
        });
    }
}

async fn connection(stream: TcpStream, peer: Peer, router: Router, limits: Limits, stop: CancellationToken) {
    // Answers are small and awaited.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection ended before it began");
        return;
    }
    let slot = Arc::downgrade(&peer.slot);
    let had_its_time = slot.clone();
    tokio::spawn(async move {
        tokio::time::sleep(NEW_FOR).await;
        if let Some(slot) = had_its_time.upgrade() {
            slot.settle();
        }
    });
    let answered = MapResponseLayer::new(move |response: Response| {
        // A socket has only begun with its first answer.
        if response.status() != StatusCode::SWITCHING_PROTOCOLS
            && let Some(slot) = slot.upgrade()
        {
            slot.settle();
        }
        response
    });
    let service = router.layer(Extension(peer)).layer(answered);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(HEADER_BYTES)
        .max_headers(HEADERS)
        .serve_connection(
            TokioIo::new(WriteTimeout::new(stream, limits.send_time)),
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
        tracing::debug!(%error, "a connection ended badly");
    }
}
