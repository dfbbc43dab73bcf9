//! The addresses of the servers that share the same data.

use std::{net::SocketAddr, sync::Arc};

/// The addresses. There is at least one.
#[derive(Clone, Debug)]
pub(crate) struct Nodes(Arc<[SocketAddr]>);

impl Nodes {
    /// Returns `None` if `addresses` is empty.
    pub(crate) fn new(addresses: impl IntoIterator<Item = SocketAddr>) -> Option<Self> {
        let addresses = addresses.into_iter().collect::<Arc<[_]>>();
        (!addresses.is_empty()).then_some(Self(addresses))
    }

    pub(crate) fn single(address: SocketAddr) -> Self {
        Self(Arc::new([address]))
    }

    /// Returns the node for a number, modulo the number of nodes.
    pub(crate) fn get(&self, number: usize) -> SocketAddr {
        self.0[number % self.0.len()]
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
