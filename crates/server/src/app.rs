use std::{fmt, net::IpAddr, ops::Deref, sync::Arc};

use adoube_bus::Bus;
use adoube_store::Store;
use axum::extract::FromRef;
use axum_extra::extract::cookie::Key;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    ambient::{Clock, Entropy},
    auth::{Accounts, Visitor},
    chat::Chat,
    config::Config,
    games::Games,
    hall::Hall,
    limits::{Allowances, Connections, Place, Spender},
    machine::Opponent,
    mail::Mailer,
    metrics::Metrics,
    names::Names,
    proofs::Proofs,
    rooms::Rooms,
    studies::Studies,
};

/// What the server is given.
#[derive(Clone)]
pub struct Services {
    pub store: Arc<dyn Store>,
    pub bus: Arc<dyn Bus>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub opponent: Arc<dyn Opponent>,
    pub mailer: Arc<dyn Mailer>,
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Services").field("store", &self.store).field("bus", &self.bus).finish_non_exhaustive()
    }
}

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) games: Arc<Games>,
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) chat: Chat,
    pub(crate) hall: Arc<Hall>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) names: Arc<Names>,
    pub(crate) studies: Studies,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) proofs: Proofs,
    pub(crate) connections: Connections,
    /// Signs the cookies of identities.
    pub(crate) key: Key,
    pub(crate) allowances: Allowances,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    /// The sockets, which are to say goodbye then.
    pub(crate) sockets: TaskTracker,
}

impl App {
    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl FromRef<App> for Key {
    fn from_ref(app: &App) -> Self {
        app.key.clone()
    }
}

/// Where a request came from.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// The other end of the connection.
    pub(crate) connected: IpAddr,
    /// The visitor: the same, or what a trusted proxy says.
    pub(crate) address: IpAddr,
    /// Keeps the connection counted, also as a socket.
    pub(crate) place: Arc<Place>,
}

impl Peer {
    /// Returns whose allowances a visitor from here uses up.
    pub(crate) fn spender<'a>(&self, visitor: &'a Visitor) -> Spender<'a> {
        Spender { player: &visitor.player, address: self.address }
    }
}
