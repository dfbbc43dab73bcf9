//! Builds the application: creates each part and passes it the parts that it depends on.

use std::{sync::Arc, time::Duration};

use adoube_protocol::GameId;
use adoube_store::{Boot, Downtime, NodeId, Store};
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{App, Services, Shared};
use crate::{
    administration::{self, Administration, HouseCache},
    attendance::Attendance,
    auth::{Accounts, Hasher, Keyring, Providers, SignInLimits, fill_skeletons, random_bytes},
    blocks::BlockCache,
    changes::Changes,
    chat::Chat,
    claims::Claims,
    clock::{Clock, MonotonicClock, SharedClock},
    clock_check::ClockCheck,
    config::{Config, Thinking},
    downtimes::Downtimes,
    error::Error,
    export::Exports,
    games::{self, Games, Warnings},
    hall::{self, Hall},
    housekeeping::{start_housekeeping, start_tidying},
    jobs::{JobWorker, Jobs},
    limits::{Allowances, Connections, SharedLimits},
    machine::{self, MachineNotifier},
    mail::{CountedMailer, EmailSender},
    metrics::Metrics,
    names::Names,
    nodes::{NodeParts, NodeServices, Nodes},
    proofs::Proofs,
    push::Pushes,
    rooms::Rooms,
    serve_error::ServeError,
    studies::Studies,
    work::Workers,
};

/// Builds the application, and starts its background tasks.
///
/// # Errors
///
/// If the system clock is implausible, the settings are not valid, or the stored state cannot be read.
#[expect(clippy::too_many_lines, reason = "a list of services, built one after another")]
pub(crate) async fn app(
    config: Config,
    services: &Services,
    connections: Connections,
    stop: CancellationToken,
    sockets: TaskTracker,
) -> Result<App, ServeError> {
    if config.thinking != Thinking::InProcess && !services.store.is_shared() {
        return Err(ServeError::ThinkingElsewhere(config.thinking));
    }
    let providers = Providers::new(&config)?;
    let Services { store, bus, clock, entropy, .. } = services.clone();
    // The nodes share one clock. Its time must be plausible, and not earlier than any time already in the
    // store.
    let shared_clock = SharedClock::of(&*store, Arc::clone(&clock)).await?;
    let clock = shared_clock.clone().map_or(clock, |shared| shared as Arc<dyn Clock>);
    let (clock, boot) = begin_clock(clock, &*store, &config.clock).await?;
    let caches = follow_changes(services, config.name_lifetime, &stop).await?;
    let Caches { names, keys, changes, house, blocks } = caches;
    let salt = store.secret("chat-salt", &random_bytes(&*entropy, 1)?).await?;

    let metrics = Arc::new(Metrics::new(config.version, clock.now()));
    let (emails, pushes) = open_message_senders(services, &clock, &config, &metrics).await?;
    let rooms = Arc::new(Rooms::new(Arc::clone(&clock), Arc::clone(&bus), store.is_shared()));
    let room_changes = rooms.subscribe().await.map_err(startup_error)?;
    let attendance = Arc::new(Attendance {
        rooms: Arc::clone(&rooms),
        store: Arc::clone(&store),
        clock: Arc::clone(&clock),
    });
    let (nodes, known) =
        join(services, &clock, shared_clock, &config.listen.port_or_path(), &metrics, &stop).await?;
    let (notifier, notifications) = MachineNotifier::new();
    let downtimes = Arc::new(Downtimes::new(Arc::clone(&clock), known, store.is_shared()));
    let games = Arc::new(Games::new(games::Parts {
        store: Arc::clone(&store),
        bus: Arc::clone(&bus),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
        notifier: notifier.clone(),
        names: Arc::clone(&names),
        house: Arc::clone(&house),
        attendance: Arc::clone(&attendance),
        metrics: Arc::clone(&metrics),
        emails: Arc::clone(&emails),
        pushes: Arc::clone(&pushes),
        sender: Some(nodes.id().clone()),
        downtimes: Arc::clone(&downtimes),
        lease: Arc::clone(nodes.lease()),
    }));
    games.ledger.begin().await.map_err(startup_error)?;
    let hall = Hall::load(hall::Parts {
        store: Arc::clone(&store),
        bus: Arc::clone(&bus),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
        names: Arc::clone(&names),
        games: Arc::clone(&games),
        blocks: Arc::clone(&blocks),
        changes: Arc::clone(&changes),
        presence: Arc::clone(rooms.visitors()),
        salt: store.secret("hall-salt", &random_bytes(&*entropy, 1)?).await?,
        grace: config.seek_grace,
    });
    let (hall, hall_changes) = hall.await.map_err(startup_error)?;
    let hall = Arc::new(hall);
    let chat = open_chat(services, &clock, salt, (&names, &games, &metrics), (&house, &blocks));
    let limits = &config.limits;
    let hasher = Arc::new(Hasher::new(limits.hashes, Arc::clone(&entropy)).map_err(startup_error)?);
    let (accounts, shared_limits) =
        open_accounts(services, &clock, &config, (&names, &changes, &keys, &house), &hasher, emails).await?;
    let caches = (names.clone(), house.clone(), changes);
    let administration = open_administration(services, &clock, &config, caches, (&games, hasher, &accounts));

    let studies = open_studies(services, &clock, &config);

    let claims = Arc::new(Claims::new(nodes.id().clone(), Arc::clone(&store), Arc::clone(&clock)));
    start_machine(&config, services, (&games, &nodes, &claims, &metrics), (notifier, notifications), &stop);
    let reminders = Arc::clone(&games.reminders);
    tokio::spawn(reminders.watch(Arc::clone(&games.ledger), Arc::clone(&clock), stop.clone()));
    let warnings = Warnings {
        store: Arc::clone(&store),
        clock: Arc::clone(&clock),
        ledger: Arc::clone(&games.ledger),
        reminders: Arc::clone(&games.reminders),
    };
    tokio::spawn(warnings.watch(config.warning_round, stop.clone()));
    tokio::spawn(Arc::clone(&rooms).broadcast_changes(Arc::clone(&store), room_changes, stop.clone()));
    tokio::spawn(Arc::clone(&hall).run(hall_changes, stop.clone()));
    nodes.start(&NodeServices { ledger: Arc::clone(&games.ledger), rooms: Arc::clone(&rooms) });
    let boot = (config.clock.clone(), boot);
    start_housekeeping(&games, (&attendance, nodes.lease()), &store, &clock, boot, &stop);
    let free_space = start_tidying(&config, &store, &clock, &stop);

    let (allowances, exports) = (Allowances::new(limits, shared_limits), Exports::new(limits.export_time));
    let proofs = start_proofs(&config, services, (&clock, &claims, &metrics), &stop);
    Ok(App::new(Shared {
        config,
        store,
        bus,
        clock,
        entropy,
        games,
        rooms,
        chat,
        hall,
        accounts,
        providers,
        administration,
        house,
        names,
        blocks,
        pushes,
        nodes,
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

/// Opens the chat for all games.
fn open_chat(
    services: &Services,
    clock: &Arc<dyn Clock>,
    salt: Vec<u8>,
    (names, games, metrics): (&Arc<Names>, &Games, &Arc<Metrics>),
    (house, blocks): (&Arc<HouseCache>, &Arc<BlockCache>),
) -> Chat {
    Chat {
        store: Arc::clone(&services.store),
        clock: Arc::clone(clock),
        names: Arc::clone(names),
        publisher: games.publisher.clone(),
        news: Arc::clone(&games.news),
        metrics: Arc::clone(metrics),
        house: Arc::clone(house),
        blocks: Arc::clone(blocks),
        salt,
    }
}

/// The caches of data that other processes may change.
pub(crate) struct Caches {
    pub(crate) names: Arc<Names>,
    pub(crate) keys: Arc<Keyring>,
    pub(crate) changes: Arc<Changes>,
    pub(crate) house: Arc<HouseCache>,
    pub(crate) blocks: Arc<BlockCache>,
}

/// Opens the caches, and starts a task that keeps them up to date until `stop` is cancelled.
pub(crate) async fn follow_changes(
    services: &Services,
    lifetime: Duration,
    stop: &CancellationToken,
) -> Result<Caches, ServeError> {
    let Services { store, bus, entropy, .. } = services.clone();
    let announced = store.versions().await?.house;
    let keys = Arc::new(Keyring::open(Arc::clone(&store), entropy).await?);
    let house = Arc::new(HouseCache::open(Arc::clone(&store)).await.map_err(startup_error)?);
    let names = Arc::new(Names::new(Arc::clone(&store), lifetime));
    let blocks = Arc::new(BlockCache::new(store, lifetime));
    let cached = (Arc::clone(&names), Arc::clone(&keys), Arc::clone(&house), Arc::clone(&blocks));
    let changes = Arc::new(Changes::new(bus, cached, announced));
    // The settings are read again after subscribing, because a change made before that is not delivered.
    let subscription = changes.subscribe().await.map_err(startup_error)?;
    house.reload().await.map_err(startup_error)?;
    tokio::spawn(Arc::clone(&changes).follow(subscription, stop.clone()));
    Ok(Caches { names, keys, changes, house, blocks })
}

fn start_machine(
    config: &Config,
    services: &Services,
    (games, nodes, claims, metrics): (&Arc<Games>, &Arc<Nodes>, &Arc<Claims>, &Arc<Metrics>),
    notifier: (MachineNotifier, mpsc::Receiver<GameId>),
    stop: &CancellationToken,
) {
    let machine = machine::Parts {
        thinking: config.thinking,
        threads: config.machine_threads(),
        round: config.machine_round,
        games: Arc::clone(games),
        nodes: Some(Arc::clone(nodes)),
        claims: Arc::clone(claims),
        bus: Arc::clone(&services.bus),
        entropy: Arc::clone(&services.entropy),
        metrics: Arc::clone(metrics),
    };
    machine::start(machine, Arc::clone(&services.opponent), notifier, TaskTracker::new(), stop.clone());
}

/// Returns the service that proves composed problems. A node on standby also runs a worker, which computes
/// proofs that no other worker has started.
fn start_proofs(
    config: &Config,
    services: &Services,
    (clock, claims, metrics): (&Arc<dyn Clock>, &Arc<Claims>, &Arc<Metrics>),
    stop: &CancellationToken,
) -> Arc<Proofs> {
    let limits = &config.limits;
    let (store, bus) = (&services.store, &services.bus);
    let proofs = || Proofs::new(limits.proofs, limits.proof_nodes, limits.proof_time);
    if config.thinking == Thinking::InProcess {
        return Arc::new(proofs());
    }
    if config.thinking == Thinking::Standby {
        let worker = Arc::new(JobWorker {
            claims: Arc::clone(claims),
            bus: Arc::clone(bus),
            proofs: Arc::new(proofs()),
            metrics: Arc::clone(metrics),
            max_running: limits.proofs,
            waiting_ms: config.thinking.waiting_ms(),
            wake: Arc::default(),
        });
        tokio::spawn(worker.run(TaskTracker::new(), stop.clone()));
    }
    let jobs = Jobs::new(Arc::clone(store), Arc::clone(bus), Arc::clone(clock));
    Arc::new(proofs().delegating_to(jobs))
}

/// Returns the server's clock and the host's boot. Fails if the system clock is implausible, unless the
/// operator has accepted it.
async fn begin_clock(
    clock: Arc<dyn Clock>,
    store: &dyn Store,
    check: &ClockCheck,
) -> Result<(Arc<dyn Clock>, Option<Boot>), ServeError> {
    let newest = store.latest_write().await?;
    let (boot, last_boot) = (clock.boot(), store.last_boot().await?);
    if let Err(error) = check.check_with_boots(clock.now(), newest, (boot.as_ref(), last_boot.as_ref())) {
        if !check.accept {
            return Err(error.into());
        }
        tracing::warn!(%error, "accepted the clock because of --accept-clock");
    }
    if let Some(boot) = &boot {
        store.set_last_boot(boot).await?;
    }
    Ok((MonotonicClock::from(clock, newest), boot))
}

/// Registers this process as a node. Returns the service for nodes, and all known downtimes.
async fn join(
    services: &Services,
    clock: &Arc<dyn Clock>,
    shared_clock: Option<Arc<SharedClock>>,
    port_or_path: &str,
    metrics: &Arc<Metrics>,
    stop: &CancellationToken,
) -> Result<(Arc<Nodes>, Vec<Downtime>), ServeError> {
    let node = NodeParts {
        id: NodeId::from_random(services.entropy.random().map_err(|error| startup_error(error.into()))?),
        address: address(port_or_path, clock.boot().as_ref()),
        store: Arc::clone(&services.store),
        clock: Arc::clone(clock),
        shared_clock,
        has_bus: services.bus.counts().is_some(),
        metrics: Arc::clone(metrics),
        stop: stop.clone(),
    };
    let (nodes, known) = Nodes::join(node).await?;
    Ok((Arc::new(nodes), known))
}

/// Returns an address for this process that no other process has at the same time. `port_or_path`
/// distinguishes the process from others on the same host. The host name by itself is not enough, because
/// cloned hosts and containers may share one. The boot id distinguishes hosts, and the network namespace
/// distinguishes containers.
pub(crate) fn address(port_or_path: &str, boot: Option<&Boot>) -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let Some(boot) = boot else { return format!("{host}:{port_or_path}") };
    let network = std::fs::read_link("/proc/self/ns/net").unwrap_or_default();
    let digest =
        Sha256::new().chain_update(&boot.id).chain_update(network.as_os_str().as_encoded_bytes()).finalize();
    let mark = digest[..4].iter().fold(0u32, |mark, byte| mark << 8 | u32::from(*byte));
    format!("{host}:{port_or_path}#{mark:08x}")
}

/// Opens the channels that reach players who have no page open: e-mails and notifications.
pub(crate) async fn open_message_senders(
    services: &Services,
    clock: &Arc<dyn Clock>,
    config: &Config,
    metrics: &Arc<Metrics>,
) -> Result<(Arc<EmailSender>, Arc<Pushes>), ServeError> {
    let Services { store, entropy, mailer, .. } = services.clone();
    let mailer = Arc::new(CountedMailer { mailer, metrics: Arc::clone(metrics) });
    let key = store.secret("mail-key", &random_bytes(&*entropy, 2)?).await?;
    let (push_store, metrics) = (Arc::clone(&store), Arc::clone(metrics));
    let pushes = Pushes::open(push_store, Arc::clone(clock), entropy, metrics, config, key.clone()).await?;
    let emails = EmailSender::new(store, Arc::clone(clock), mailer, key, config.link_address());
    Ok((Arc::new(emails), Arc::new(pushes)))
}

fn open_studies(services: &Services, clock: &Arc<dyn Clock>, config: &Config) -> Studies {
    Studies {
        store: Arc::clone(&services.store),
        clock: Arc::clone(clock),
        entropy: Arc::clone(&services.entropy),
        work: Workers::new(config.machine_threads()),
        max_bytes: config.limits.account_bytes,
    }
}

fn open_administration(
    services: &Services,
    clock: &Arc<dyn Clock>,
    config: &Config,
    (names, house, changes): (Arc<Names>, Arc<HouseCache>, Arc<Changes>),
    (games, hasher, accounts): (&Arc<Games>, Arc<Hasher>, &Accounts),
) -> Arc<Administration> {
    Arc::new(Administration::new(administration::Parts {
        store: Arc::clone(&services.store),
        clock: Arc::clone(clock),
        entropy: Arc::clone(&services.entropy),
        changes,
        names,
        hasher,
        house,
        games: Arc::clone(games),
        name_salt: accounts.name_salt.clone(),
        host: config.public_origin.as_ref().map(|address| address.origin().host().to_owned()),
        retention: config.retention,
        announces: false,
    }))
}

/// Opens the accounts, with the limits that nodes share.
async fn open_accounts(
    services: &Services,
    clock: &Arc<dyn Clock>,
    config: &Config,
    (names, changes, keys, house): (&Arc<Names>, &Arc<Changes>, &Arc<Keyring>, &Arc<HouseCache>),
    hasher: &Arc<Hasher>,
    emails: Arc<EmailSender>,
) -> Result<(Arc<Accounts>, SharedLimits), ServeError> {
    let (store, entropy) = (&services.store, &services.entropy);
    fill_skeletons(&**store).await?;
    let name_salt = store.secret("name-salt", &random_bytes(&**entropy, 1)?).await?;
    let shared_limits = SharedLimits::open(store, clock, &**entropy).await?;
    let accounts = Accounts {
        store: Arc::clone(store),
        clock: Arc::clone(clock),
        entropy: Arc::clone(entropy),
        emails,
        names: Arc::clone(names),
        hasher: Arc::clone(hasher),
        house: Arc::clone(house),
        limits: SignInLimits::new(&config.limits, shared_limits.clone()),
        keys: Arc::clone(keys),
        changes: Arc::clone(changes),
        origin: config.public_origin.as_ref().map(|address| address.origin().clone()),
        times: config.sessions,
        name_retention: config.retention.names,
        name_salt,
    };
    Ok((Arc::new(accounts), shared_limits))
}

pub(crate) fn startup_error(error: Error) -> ServeError {
    match error {
        Error::Store(error) => ServeError::Store(error),
        error => {
            error.log();
            ServeError::Begin(error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use adoube_protocol::Millis;

    use super::*;

    #[test]
    fn cloned_hosts_have_different_addresses() {
        let boot = |id: &str| Boot { id: id.into(), at: Millis(0) };
        let of = |id| address("8787", Some(&boot(id)));
        assert_eq!(of("one"), of("one"));
        assert_ne!(of("one"), of("another"));
        assert_ne!(of("one"), address("8788", Some(&boot("one"))));
        assert!(of("one").contains(":8787#"), "{}", of("one"));
    }
}
