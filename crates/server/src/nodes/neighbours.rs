//! Detects other nodes that use the same database if this node has no bus. There must not be any, because
//! without a bus, nodes do not learn of each other's changes.

use std::time::Duration;

use adoube_store::{LEASE_MS, LeaseRequest, Node, NodeId, Renewal, Store};
use tokio::time::sleep;

use super::others;
use crate::{clock::Clock, serve_error::ServeError};

/// The interval between checks of whether another node is still alive.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// Checks that no other node is alive. Waits for the lease of a dead node, such as the previous process, to
/// expire.
///
/// # Errors
///
/// If another node renews its lease, if its lease is still valid after [`LEASE_MS`], or if the store fails.
/// In the first two cases, this node is removed from the store.
pub(super) async fn check_none(
    store: &dyn Store,
    clock: &dyn Clock,
    request: &LeaseRequest,
    first: &Renewal,
) -> Result<(), ServeError> {
    let id = &request.id;
    let mut nodes = first.nodes.clone();
    let end = clock.now().0 + LEASE_MS;
    loop {
        let Some(other) = others(id, &nodes).next() else { return Ok(()) };
        let renewed = others(id, &nodes).find(|node| !first.nodes.contains(node));
        // A node that has just started may not have renewed its lease yet.
        if let Some(live) = renewed.or_else(|| (clock.now().0 > end).then_some(other)) {
            let address = live.address.clone();
            store.release_lease(id, clock.now()).await?;
            return Err(ServeError::BusNeeded { address });
        }
        sleep(CHECK_INTERVAL).await;
        let now = clock.now();
        nodes = store.renew_lease(LeaseRequest { now, ..request.clone() }, now).await?.nodes;
    }
}

/// Logs an error that lists the addresses of the other nodes.
pub(super) fn warn(id: &NodeId, nodes: &[Node]) {
    let addresses = others(id, nodes).map(|node| &*node.address).collect::<Vec<_>>().join(", ");
    tracing::error!(
        addresses,
        "other servers use this database, and this server has no bus: they do not see each other's changes. \
         Stop the others, or start each with --bus nats://…"
    );
}
