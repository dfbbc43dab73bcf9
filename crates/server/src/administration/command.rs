//! Opens the administration for a command that works on the data directly, either while no server is running
//! or alongside servers that share the database.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{Administration, Parts};
use crate::{
    app::{Caches, Services, follow_changes, open_message_senders, startup_error},
    attendance::Attendance,
    auth::{Hasher, random_bytes},
    clock::{Clock, MonotonicClock, SharedClock},
    config::Config,
    downtimes::Downtimes,
    games::{self, Games},
    lease::Lease,
    machine::MachineNotifier,
    metrics::Metrics,
    rooms::Rooms,
    serve_error::ServeError,
};

pub(super) async fn open(config: &Config, services: &Services) -> Result<Administration, ServeError> {
    let Services { store, bus, clock, entropy, .. } = services.clone();
    let shared_clock = SharedClock::of(&*store, Arc::clone(&clock)).await?;
    let clock = shared_clock.map_or(clock, |shared| shared as Arc<dyn Clock>);
    let clock = MonotonicClock::from(clock, store.latest_write().await?);
    let Caches { names, changes, house, .. } =
        follow_changes(services, config.name_lifetime, &CancellationToken::new()).await?;
    let metrics = Arc::new(Metrics::default());
    let (emails, pushes) = open_message_senders(services, &clock, config, &metrics).await?;
    let name_salt = store.secret("name-salt", &random_bytes(&*entropy, 1)?).await?;
    let hasher = Arc::new(Hasher::new(config.limits.hashes, Arc::clone(&entropy)).map_err(startup_error)?);
    // A command never decides whether a clock has run out, so it needs neither a lease nor the downtimes.
    let games = Arc::new(Games::new(games::Parts {
        store: Arc::clone(&store),
        bus: Arc::clone(&bus),
        clock: Arc::clone(&clock),
        entropy: Arc::clone(&entropy),
        notifier: MachineNotifier::new().0,
        names: Arc::clone(&names),
        house: Arc::clone(&house),
        attendance: Arc::new(Attendance {
            rooms: Arc::new(Rooms::new(Arc::clone(&clock), bus, store.is_shared())),
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
        }),
        metrics,
        emails,
        pushes,
        sender: None,
        downtimes: Arc::new(Downtimes::new(Arc::clone(&clock), Vec::new(), store.is_shared()).for_worker()),
        lease: Arc::new(Lease::new(Arc::clone(&clock), None)),
    }));
    games.ledger.deadlines().disable();
    Ok(Administration::new(Parts {
        store,
        clock,
        entropy,
        changes,
        names,
        hasher,
        house,
        games,
        name_salt,
        host: config.public_origin.as_ref().map(|address| address.origin().host().to_owned()),
        retention: config.retention,
        announces: true,
    }))
}
