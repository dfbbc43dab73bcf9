//! The application: the state shared by all requests, and the services that it is built from.

mod build;

use std::{fmt, net::IpAddr, ops::Deref, sync::Arc};

use adoube_bus::Bus;
use adoube_store::Store;
use axum::extract::FromRef;
use axum_extra::extract::cookie::Key;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use build::{Caches, address, app, follow_changes, open_message_senders, startup_error};

use crate::{
    administration::{Administration, HouseCache},
    auth::{Accounts, Keyring, Providers, Visitor},
    blocks::BlockCache,
    chat::Chat,
    clock::Clock,
    config::Config,
    entropy::Entropy,
    error::Error,
    export::{ExportSlot, Exports},
    free_space::FreeSpace,
    games::Games,
    hall::Hall,
    limits::{
        Allowances, ConnectionSlot, Connections, Requester, Resource, SharedResource, Tenant, WriteKind,
    },
    machine::Opponent,
    mail::Mailer,
    metrics::Metrics,
    names::Names,
    nodes::Nodes,
    proofs::Proofs,
    push::Pushes,
    rooms::Rooms,
    studies::Studies,
};

/// The services that a server depends on. Tests replace them.
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

/// The state shared by all requests.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) games: Arc<Games>,
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) chat: Chat,
    pub(crate) hall: Arc<Hall>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) providers: Providers,
    pub(crate) administration: Arc<Administration>,
    pub(crate) house: Arc<HouseCache>,
    pub(crate) names: Arc<Names>,
    pub(crate) blocks: Arc<BlockCache>,
    pub(crate) pushes: Arc<Pushes>,
    pub(crate) nodes: Arc<Nodes>,
    pub(crate) studies: Studies,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) proofs: Arc<Proofs>,
    pub(crate) connections: Connections,
    /// The keys that sign visitors' cookies.
    pub(crate) keys: Arc<Keyring>,
    pub(crate) allowances: Allowances,
    pub(crate) exports: Exports,
    pub(crate) free_space: Arc<FreeSpace>,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
    /// The tasks that serve WebSockets. The server waits for them before it stops.
    pub(crate) sockets: TaskTracker,
}

impl App {
    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

impl App {
    /// Charges a visitor's allowances for creating `count` items that take `bytes` on disk. Fails if an
    /// allowance is used up or disk space is low.
    pub(crate) async fn charge_creation(
        &self,
        by: Requester<'_>,
        count: u8,
        bytes: usize,
    ) -> Result<(), Error> {
        if self.free_space.is_low() {
            return Err(Error::LowDisk);
        }
        self.allowances.spend_shared(SharedResource::Creations, by, count).await?;
        self.allowances.spend_bytes(by, WriteKind::New, bytes)?;
        Ok(())
    }

    /// Charges a visitor's allowance for writing `bytes` to the disk. Fails if the allowance is used up or,
    /// for new data, if disk space is low.
    pub(crate) fn charge_bytes(&self, by: Requester<'_>, kind: WriteKind, bytes: usize) -> Result<(), Error> {
        if kind == WriteKind::New && self.free_space.is_low() {
            return Err(Error::LowDisk);
        }
        Ok(self.allowances.spend_bytes(by, kind, bytes)?)
    }

    /// Charges a visitor's allowance for an export and takes an export slot.
    pub(crate) fn charge_export(&self, by: Requester<'_>) -> Result<ExportSlot, Error> {
        let slot = self.exports.begin(by)?;
        self.allowances.spend(Resource::Exports, by)?;
        Ok(slot)
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
        app.keys.keys().current.clone()
    }
}

/// The network peer that sent a request.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Whether the peer is a proxy that is trusted to report the visitor's address.
    pub(crate) is_proxy: bool,
    /// The visitor's address: the peer's own, or the one that a trusted proxy reports.
    pub(crate) address: IpAddr,
    /// The slot that counts the connection until it closes, even after its upgrade to a WebSocket.
    pub(crate) slot: Arc<ConnectionSlot>,
}

impl Peer {
    /// Returns the tenant to charge for work on behalf of a visitor from this address.
    pub(crate) fn tenant(&self, visitor: &Visitor) -> Tenant {
        Tenant::of(visitor, self.address)
    }

    /// Returns the requester whose allowances to charge for a visitor from this address.
    pub(crate) fn requester<'a>(&self, visitor: &'a Visitor) -> Requester<'a> {
        Requester { player: &visitor.player, address: self.address }
    }
}
