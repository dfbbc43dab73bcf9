mod build;

use std::{fmt, net::IpAddr, ops::Deref, sync::Arc};

use adoube_bus::Bus;
use adoube_store::Store;
use axum::extract::FromRef;
use axum_extra::extract::cookie::Key;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use build::app;

use crate::{
    auth::{Accounts, CookieKeys, Visitor},
    chat::Chat,
    clock::Clock,
    config::Config,
    entropy::Entropy,
    error::Error,
    export::{ExportPlace, Exports},
    free_space::FreeSpace,
    games::Games,
    hall::Hall,
    limits::{Allowances, ConnectionSlot, Connections, Holder, Kind, Spender, Written},
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
    pub(crate) keys: CookieKeys,
    pub(crate) allowances: Allowances,
    pub(crate) exports: Exports,
    pub(crate) free_space: Arc<FreeSpace>,
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

impl App {
    /// Takes what a visitor needs to begin something new: so many creations, and room for so many bytes.
    pub(crate) fn may_begin(&self, by: Spender<'_>, count: u8, bytes: usize) -> Result<(), Error> {
        if self.free_space.is_scarce() {
            return Err(Error::LowDisk);
        }
        self.allowances.spend_many(Kind::Creations, by, count)?;
        self.allowances.spend_bytes(by, Written::New, bytes)?;
        Ok(())
    }

    /// Takes the room for something that goes on, or that is said.
    pub(crate) fn may_keep(&self, by: Spender<'_>, what: Written, bytes: usize) -> Result<(), Error> {
        if what == Written::New && self.free_space.is_scarce() {
            return Err(Error::LowDisk);
        }
        Ok(self.allowances.spend_bytes(by, what, bytes)?)
    }

    /// Takes what a visitor needs for an export, and a place among them.
    pub(crate) fn may_export(&self, by: Spender<'_>) -> Result<ExportPlace, Error> {
        let place = self.exports.begin(by)?;
        self.allowances.spend(Kind::Exports, by)?;
        Ok(place)
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
        app.keys.current.clone()
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
    pub(crate) slot: Arc<ConnectionSlot>,
}

impl Peer {
    /// Returns to whom work is done for a visitor from here.
    pub(crate) fn worker_holder(&self, visitor: &Visitor) -> Holder {
        Holder::of(visitor, self.address)
    }

    /// Returns whose allowances a visitor from here uses up.
    pub(crate) fn spender<'a>(&self, visitor: &'a Visitor) -> Spender<'a> {
        Spender { player: &visitor.player, address: self.address }
    }
}
