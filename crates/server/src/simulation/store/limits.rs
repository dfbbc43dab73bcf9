//! The token buckets that all processes share.

use std::sync::Arc;

use adoube_protocol::Millis;
use adoube_store::{LimitStore, Result, TakeOutcome, TokenRequest};
use async_trait::async_trait;

use super::SimStore;

#[async_trait]
impl LimitStore for SimStore {
    async fn take(&self, takes: &[TokenRequest], now: Millis) -> Result<TakeOutcome> {
        let (disk, takes) = (Arc::clone(&self.disk), takes.to_vec());
        self.change(move |_| disk.limits.take(&takes, now)).await
    }

    async fn return_tokens(&self, takes: &[TokenRequest], _: Millis) -> Result<()> {
        let (disk, takes) = (Arc::clone(&self.disk), takes.to_vec());
        self.change(move |_| disk.limits.return_tokens(&takes)).await
    }
}
