//! Web push: messages to browsers through their vendors' push services.
//!
//! A browser's subscription consists of an [`Endpoint`] (its URL at a push service, RFC 8030) and the
//! browser's keys, the [`Receiver`]. A message is encrypted for the browser, so the service cannot read it
//! (RFC 8291, in [`encryption`]). The request is signed with the key to which the subscription is bound
//! (VAPID, RFC 8292, in [`vapid`]).
//!
//! Callers pass keys, salts and times: this crate draws no random numbers and reads no clock.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod encryption;
mod sender;
mod service;
pub mod vapid;

use thiserror::Error;

pub use encryption::Receiver;
pub use sender::{Delivery, Message, PushError, Sender, Urgency};
pub use service::{Endpoint, PushService, ServiceError, known_services};
pub use vapid::{VapidKey, is_private_key};

/// The reason why a key cannot be used.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum KeyError {
    #[error("the private key is not valid for the P-256 curve")]
    Private,
    #[error("the public key of a subscription is not a point on the P-256 curve")]
    Public,
    #[error("the authentication secret of a subscription must be 16 bytes long, not {0}")]
    Secret(usize),
}
