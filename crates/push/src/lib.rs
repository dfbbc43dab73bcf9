//! Web push: messages to browsers through the push services of their makers.
//!
//! A browser that wants messages gives its [`Receiver`]: an address at a push service (RFC 8030) and its keys.
//! A message is encrypted for the browser, so the service cannot read it (RFC 8291, in [`encryption`]), and the
//! request is signed with the key that the browser was told when it subscribed (VAPID, RFC 8292, in
//! [`vapid`]).
//!
//! Keys and salts are passed in: this crate draws no random numbers and reads no clock.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod encryption;
mod sender;
mod service;
pub mod vapid;

use thiserror::Error;

pub use encryption::Receiver;
pub use sender::{Delivery, Message, PushError, Sender, Urgency};
pub use service::{Endpoint, PushService, ServiceError, known};
pub use vapid::{VapidKey, is_private_key};

/// A key that cannot be used.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum KeyError {
    #[error("it is not a private key of the curve P-256")]
    Private,
    #[error("it is not a point of the curve P-256")]
    Public,
    #[error("the secret of a subscription has 16 bytes, not {0}")]
    Secret(usize),
}
