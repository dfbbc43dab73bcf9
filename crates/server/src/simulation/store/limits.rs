//! The token buckets that all processes share.

use std::sync::Arc;

use adoube_protocol::Millis;
use adoube_store::{LimitStore, Result, TakeOutcome, TokenRequest};
use async_trait::async_trait;

use super::SimStore;

#[async_trait]
impl LimitStore for SimStore {
    async fn take(&self, requests: &[TokenRequest], now: Millis) -> Result<TakeOutcome> {
        let (disk, requests) = (Arc::clone(&self.disk), requests.to_vec());
        self.change(move |_| disk.limits.take(&requests, now)).await
    }

    async fn return_tokens(&self, requests: &[TokenRequest], _: Millis) -> Result<()> {
        let (disk, requests) = (Arc::clone(&self.disk), requests.to_vec());
        self.change(move |_| disk.limits.return_tokens(&requests)).await
    }
}
