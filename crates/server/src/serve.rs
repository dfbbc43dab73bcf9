//! Listening, and the connections themselves: with a deadline for their headers and a count of their number, which
//! `axum::serve` does not have.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use adoube_protocol::Millis;
use adoube_store::{Boot, Store, StoreError};
use axum::{Extension, Router, http::StatusCode, response::Response};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use thiserror::Error;
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Semaphore,
    time::MissedTickBehavior,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::util::MapResponseLayer;

use crate::{
    ambient::{Clock, EntropyError, Onward},
    app::{App, Peer, Services, Shared},
    auth::{Accounts, CookieKeys, Hasher, SignInLimits, device_key, fill_looks, random_bytes},
    chat::Chat,
    clock_check::{ClockCheck, ClockError},
    config::{Config, Limits},
    deadlines,
    downtimes::{Downtimes, PULSE},
    error::Error,
    export::Exports,
    free_space::FreeSpace,
    games::{self, Games},
    hall::{self, Hall},
    limits::{Allowances, Connections, Holder, home},
    machine::{self, Wake},
    mail::Post,
    metrics::Metrics,
    names::Names,
    patience::Patience,
    proofs::Proofs,
    rooms::Rooms,
    router::{self, router},
    studies::Studies,
    tidy,
    work::{Work, WorkerSlots},
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
/// What a crash may cost at most: so long before it, time is charged to nobody although the server was there.
const BEAT: Duration = Duration::from_secs(1);
/// Beats.
const FORGET_EVERY: u64 = 30;

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
    Clock(#[from] ClockError),
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    #[error("the key that signs cookies is damaged: it has {0} bytes")]
    Key(usize),
    #[error("what is kept cannot be begun with: {0}")]
    Begin(String),
}

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
                        let Some(place) = self.connections.enter(connected, alone) else {
                            tracing::debug!(%address, "too many connections; one is refused");
                            continue;
                        };
                        let peer = Peer { connected, address: connected, place: Arc::new(place) };
                        let (router, limits) = (self.router.clone(), self.limits.clone());
                        let newcomers = if alone { newcomers.clone() } else { proxied.clone() };
                        let stop = self.stop.clone();
                        tasks.spawn(async move {
                            tokio::select! {
                                newcomer = newcomers.take(Holder::Network(home(connected))) => match newcomer {
                                    Ok(newcomer) => peer.place.admit(newcomer),
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

/// Closes the store for good. Nobody's clock runs from when the server began to stop: since then nobody could play.
pub(crate) async fn finish(store: &dyn Store, downtimes: &Downtimes, stopped_at: Millis) {
    if let Err(error) = beat(store, downtimes, stopped_at).await {
        tracing::warn!(%error, "the end of this process was not written down");
    }
    store.close().await;
}

async fn open_accounts(
    services: &Services,
    clock: &Arc<dyn Clock>,
    config: &Config,
    names: &Arc<Names>,
    post: Arc<Post>,
) -> Result<Arc<Accounts>, ServeError> {
    let (store, entropy) = (&services.store, &services.entropy);
    fill_looks(&**store).await?;
    Ok(Arc::new(Accounts {
        store: Arc::clone(store),
        clock: Arc::clone(clock),
        entropy: Arc::clone(entropy),
        post,
        names: Arc::clone(names),
        hasher: Hasher::new(config.limits.hashes, Arc::clone(entropy)).map_err(begun)?,
        limits: SignInLimits::new(&config.limits),
        key: device_key(&**store, &**entropy).await?,
        ended: Accounts::endings(),
        origin: config.public_origin.clone(),
        times: config.sessions,
        keep_names: config.retention.names,
        name_salt: store.secret("name-salt", &random_bytes(&**entropy, 1)?).await?,
    }))
}

async fn open_post(
    services: &Services,
    clock: &Arc<dyn Clock>,
    config: &Config,
) -> Result<Arc<Post>, ServeError> {
    let Services { store, entropy, mailer, .. } = services.clone();
    let key = store.secret("mail-key", &random_bytes(&*entropy, 2)?).await?;
    Ok(Arc::new(Post::new(store, Arc::clone(clock), mailer, key, config.link_origin())))
}

pub(crate) async fn app(
    config: Config,
    services: &Services,
    connections: Connections,
    stop: CancellationToken,
    sockets: TaskTracker,
) -> Result<App, ServeError> {
    let Services { store, bus, clock, entropy, opponent, .. } = services.clone();
    let (clock, boot) = begin_clock(clock, &*store, &config.clock).await?;
    let keys = CookieKeys::read(&*store, &*entropy).await?;
    let salt = store.secret("chat-salt", &random_bytes(&*entropy, 1)?).await?;

    let post = open_post(services, &clock, &config).await?;

    let metrics = Arc::new(Metrics::default());
    let names = Arc::new(Names::new(Arc::clone(&store)));
    let rooms = Arc::new(Rooms::new(Arc::clone(&clock)));
    let (wake, woken) = Wake::new();
    let downtimes = Arc::new(Downtimes::new(Arc::clone(&clock), store.wake(clock.now()).await?));
    let games = Arc::new(Games::new(games::Parts {
        store: Arc::clone(&store),
        bus: Arc::clone(&bus),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
        wake: wake.clone(),
        names: Arc::clone(&names),
        rooms: Arc::clone(&rooms),
        metrics: Arc::clone(&metrics),
        post: Arc::clone(&post),
        downtimes: Arc::clone(&downtimes),
    }));
    games.ledger.begin().await.map_err(begun)?;
    let hall = Hall::open(hall::Parts {
        store: Arc::clone(&store),
        bus: Arc::clone(&bus),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
        names: Arc::clone(&names),
        games: Arc::clone(&games),
    });
    let hall = Arc::new(hall.await.map_err(begun)?);
    let chat = Chat {
        store: Arc::clone(&store),
        clock: Arc::clone(&clock),
        names: Arc::clone(&names),
        publisher: games.publisher.clone(),
        metrics: Arc::clone(&metrics),
        salt,
    };
    let limits = &config.limits;
    let accounts = open_accounts(services, &clock, &config, &names, post).await?;

    let studies = Studies {
        store: Arc::clone(&store),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
        work: Work::new(config.machine_threads),
        most_bytes: limits.account_bytes,
    };

    machine::start(
        &opponent,
        (config.machine_threads, config.machine_round),
        Arc::clone(&games),
        Arc::clone(&entropy),
        (wake, woken),
        stop.clone(),
    )
    .map_err(ServeError::Threads)?;
    tokio::spawn(Arc::clone(&rooms).tell(bus, stop.clone()));
    tokio::spawn(Arc::clone(&hall).keep(stop.clone()));
    keep_house(&games, &store, &clock, (config.clock.clone(), boot), &stop);
    let free_space = keep_room(&config, &store, &clock, &stop);

    let (allowances, exports) = (Allowances::new(limits), Exports::new(limits.export_time));
    let proofs = Proofs::new(limits.proofs, limits.proof_nodes, limits.proof_time);
    Ok(App::new(Shared {
        config,
        store,
        clock,
        entropy,
        games,
        rooms,
        chat,
        hall,
        accounts,
        names,
        studies,
        metrics,
        proofs,
        connections,
        keys,
        allowances,
        exports,
        free_space,
        stop,
        sockets,
    }))
}

/// Returns the clock of the server, and what is noted of the machine's boot; or why the system's clock is not believed.
async fn begin_clock(
    clock: Arc<dyn Clock>,
    store: &dyn Store,
    check: &ClockCheck,
) -> Result<(Arc<dyn Clock>, Option<Boot>), ServeError> {
    let newest = store.newest().await?;
    let (boot, noted) = (clock.boot(), store.last_boot().await?);
    if let Err(error) = check.judge(clock.now(), newest, (boot.as_ref(), noted.as_ref())) {
        if !check.accept {
            return Err(error.into());
        }
        tracing::warn!(%error, "the clock is accepted all the same");
    }
    if let Some(boot) = &boot {
        store.set_last_boot(boot).await?;
    }
    Ok((Onward::from(clock, newest), boot))
}

/// Deletes what is too old, and watches how much room there is.
fn keep_room(
    config: &Config,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
    stop: &CancellationToken,
) -> Arc<FreeSpace> {
    let (store, clock) = (Arc::clone(store), Arc::clone(clock));
    tokio::spawn(tidy::sweep(store, clock, config.retention, config.first_sweep, stop.clone()));
    let free_space = FreeSpace::new(&config.data, config.limits.low_disk_bytes);
    tokio::spawn(Arc::clone(&free_space).watch(stop.clone()));
    free_space
}

fn begun(error: Error) -> ServeError {
    match error {
        Error::Store(error) => ServeError::Store(error),
        error => {
            error.log();
            ServeError::Begin(error.to_string())
        }
    }
}

fn keep_house(
    games: &Arc<Games>,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
    boot: (ClockCheck, Option<Boot>),
    stop: &CancellationToken,
) {
    tokio::spawn(deadlines::watch(Arc::clone(&games.ledger), Arc::clone(clock), stop.clone()));
    let (games, store, clock) = (Arc::clone(games), Arc::clone(store), Arc::clone(clock));
    tokio::spawn(pulse(Arc::clone(games.ledger.downtimes()), stop.clone()));
    tokio::spawn(housekeeping(games, store, clock, boot, stop.clone()));
}

/// Says every second that the server is here, as long as anybody's time runs; and forgets what is idle.
async fn housekeeping(
    games: Arc<Games>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    (check, mut noted): (ClockCheck, Option<Boot>),
    stop: CancellationToken,
) {
    let mut seconds = tokio::time::interval(BEAT);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for second in 0u64.. {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            _ = seconds.tick() => {}
        }
        if games.ledger.deadlines().len() > 0 {
            let downtimes = games.ledger.downtimes();
            downtimes.begin_write();
            match beat(&*store, downtimes, clock.now()).await {
                Ok(()) => downtimes.end_write(),
                Err(error) => tracing::warn!(%error, "the server could not say that it is here"),
            }
        }
        if second % FORGET_EVERY == 0 {
            games.ledger.forget_idle();
            if let Some(boot) = clock.boot().filter(|boot| check.follows(boot, noted.as_ref())) {
                match store.set_last_boot(&boot).await {
                    Ok(()) => noted = Some(boot),
                    Err(error) => tracing::debug!(%error, "the time of the boot was not written down"),
                }
            }
        }
    }
}

/// Says that the server was here at that time. What is known of pauses goes first: after a beat, nothing else tells of them.
async fn beat(store: &dyn Store, downtimes: &Downtimes, now: Millis) -> Result<(), StoreError> {
    let unsaved = downtimes.unsaved();
    for downtime in &unsaved {
        store.add_downtime(*downtime).await?;
    }
    downtimes.set_saved(&unsaved);
    store.beat(now).await
}

/// Looks all the time whether the server still goes, until `stop`.
async fn pulse(downtimes: Arc<Downtimes>, stop: CancellationToken) {
    let mut pulses = tokio::time::interval(PULSE);
    pulses.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            _ = pulses.tick() => {}
        }
        downtimes.look();
    }
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
    let place = Arc::downgrade(&peer.place);
    let had_its_time = place.clone();
    tokio::spawn(async move {
        tokio::time::sleep(NEW_FOR).await;
        if let Some(place) = had_its_time.upgrade() {
            place.settle();
        }
    });
    let answered = MapResponseLayer::new(move |response: Response| {
        // A socket has only begun with its first answer.
        if response.status() != StatusCode::SWITCHING_PROTOCOLS
            && let Some(place) = place.upgrade()
        {
            place.settle();
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
            TokioIo::new(Patience::new(stream, limits.send_time)),
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
