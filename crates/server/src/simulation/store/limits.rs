//! The token buckets that all processes share.

use std::sync::Arc;

use adoube_protocol::Millis;
use adoube_store::{LimitStore, Result, Take, Taken};
use async_trait::async_trait;

use super::SimStore;

#[async_trait]
impl LimitStore for SimStore {
    async fn take(&self, takes: &[Take], now: Millis) -> Result<Taken> {
        let (disk, takes) = (Arc::clone(&self.disk), takes.to_vec());
        self.change(move |_| disk.limits.take(&takes, now)).await
    }

    async fn give_back(&self, takes: &[Take], _: Millis) -> Result<()> {
        let (disk, takes) = (Arc::clone(&self.disk), takes.to_vec());
        self.change(move |_| disk.limits.give_back(&takes)).await
    }
}
