//! Browsers that get push notifications, each for as long as its session lasts.

use adoube_vocabulary::{Millis, PlayerId, SessionId};
use async_trait::async_trait;

use crate::Result;

/// The maximum number of browsers per account that get notifications.
pub const PUSH_SUBSCRIPTIONS_PER_ACCOUNT: u32 = 10;

/// A browser's subscription to its push service (RFC 8030), with its keys (RFC 8291).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PushSubscription {
    /// The browser's session. A session has at most one subscription, which ends with it.
    pub session: SessionId,
    /// The URL at the push service.
    pub endpoint: String,
    /// The browser's public key, as an uncompressed point on P-256.
    pub p256dh: Vec<u8>,
    /// The secret that authenticates messages to the browser.
    pub auth: Vec<u8>,
    pub created_at: Millis,
}

/// A subscription, and the `User-Agent` with which its browser signed in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PushDevice {
    pub subscription: PushSubscription,
    pub agent: String,
}

/// The push subscriptions of accounts. Deleting a session deletes its subscription.
#[async_trait]
pub trait PushStore: Send + Sync {
    /// Sets the subscription of a session. Deletes other sessions' subscriptions with the same endpoint,
    /// because the browser now belongs to this session. Also deletes the account's oldest subscriptions
    /// beyond [`PUSH_SUBSCRIPTIONS_PER_ACCOUNT`]. Returns `false`, without any change, if the player has no
    /// such session.
    async fn set_push_subscription(&self, player: &PlayerId, new: PushSubscription) -> Result<bool>;

    /// Lists those of a player's subscriptions whose sessions have not expired, newest first.
    async fn list_push_devices(&self, player: &PlayerId, now: Millis) -> Result<Vec<PushDevice>>;

    /// Deletes the subscription of a player's session. Returns `false` if there was none.
    async fn delete_push_subscription(&self, player: &PlayerId, session: &SessionId) -> Result<bool>;

    /// Deletes the subscription with an endpoint that its push service no longer knows.
    async fn delete_push_endpoint(&self, endpoint: &str) -> Result<()>;
}
