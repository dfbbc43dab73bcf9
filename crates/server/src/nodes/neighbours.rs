//! Other nodes of a node that has no bus: there must be none, because neither would learn what happens at the
//! other.

use std::time::Duration;

use adoube_store::{LEASE_MS, Node, NodeId, Renewal, Store};
use tokio::time::sleep;

use super::others;
use crate::{clock::Clock, serve_error::ServeError};

/// Interval of looks at a node that may be dead.
const LOOK: Duration = Duration::from_millis(250);

/// Checks that no other node lives. A node that has died, such as the one before, is waited for until its
/// lease ends.
///
/// # Errors
///
/// If another node renews its lease. This one is then removed again.
pub(super) async fn check_none(
    store: &dyn Store,
    clock: &dyn Clock,
    (id, address): (&NodeId, &str),
    first: &Renewal,
) -> Result<(), ServeError> {
    let mut nodes = first.nodes.clone();
    let end = clock.now().0 + LEASE_MS;
    loop {
        let Some(other) = others(id, &nodes).next() else { return Ok(()) };
        let lives = others(id, &nodes).find(|node| !first.nodes.contains(node));
        // One that began a moment ago may not have renewed its lease yet.
        if let Some(living) = lives.or_else(|| (clock.now().0 > end).then_some(other)) {
            let address = living.address.clone();
            store.release_lease(id, clock.now()).await?;
            return Err(ServeError::BusNeeded { address });
        }
        sleep(LOOK).await;
        let now = clock.now();
        nodes = store.renew_lease(id, address, now, now).await?.nodes;
    }
}

/// Logs that there are other nodes.
pub(super) fn warn(id: &NodeId, nodes: &[Node]) {
    let addresses = others(id, nodes).map(|node| &*node.address).collect::<Vec<_>>().join(", ");
    tracing::error!(
        addresses,
        "other servers use this database, and this one has no bus: neither learns what happens at the other. Stop them, or \
         start each with --bus nats://…"
    );
}
