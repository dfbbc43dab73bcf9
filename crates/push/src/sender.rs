//! Requests to push services.

use std::{io, time::Duration};

use adoube_https::{HttpClient, HttpError};
use hyper::{Request, StatusCode, header};
use thiserror::Error;

use crate::{Endpoint, VapidKey};

/// The timeout for a request. Push services respond once they have stored the message.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum length of a response in bytes. Its body is ignored.
const MAX_BYTES: usize = 1 << 16;

/// How soon a message should reach a device that is saving power (RFC 8030, section 5.3).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Urgency {
    Normal,
    High,
}

impl Urgency {
    const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}

/// An encrypted message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Message<'a> {
    pub body: Vec<u8>,
    /// How long the service keeps it for a browser that is not connected, in seconds.
    pub ttl_s: u32,
    pub urgency: Urgency,
    /// A later message with the same topic replaces one that has not been delivered yet. At most 32
    /// characters from the URL-safe base64 alphabet.
    pub topic: &'a str,
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Delivery {
    /// The service has accepted the message, and will deliver it when the browser is connected.
    Accepted,
    /// The subscription no longer exists.
    Gone,
}

/// The reason why a message was not accepted.
#[derive(Debug, Error)]
pub enum PushError {
    #[error("the request to the push service {host} failed: {source}")]
    Http { host: String, source: HttpError },
    #[error("the push service {host} answered with status {status}")]
    Status { host: String, status: u16 },
    #[error("the request could not be built: {0}")]
    Request(#[from] hyper::http::Error),
}

/// Sends messages to push services. The caller must check the endpoint with [`Endpoint::is_at`].
#[derive(Clone, Debug)]
pub struct Sender {
    client: HttpClient,
    key: VapidKey,
    subject: Option<String>,
}

impl Sender {
    /// Returns a sender that signs with this key. `subject` is an `https:` or `mailto:` URL at which
    /// operators of a push service can reach the sender's operator.
    ///
    /// # Errors
    ///
    /// If the system has no certificates.
    pub fn new(key: VapidKey, subject: Option<String>) -> io::Result<Self> {
        Ok(Self { client: HttpClient::new(TIMEOUT, MAX_BYTES)?, key, subject })
    }

    /// Sends a message to a browser. `expires_s` is the time at which the signature expires, in seconds since
    /// 1970, at most a day ahead.
    pub async fn send(
        &self,
        to: &Endpoint,
        message: Message<'_>,
        expires_s: i64,
    ) -> Result<Delivery, PushError> {
        let authorization = self.key.authorization(&to.origin, self.subject.as_deref(), expires_s);
        let request = Request::post(&to.uri)
            .header(header::AUTHORIZATION, authorization)
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header("ttl", message.ttl_s)
            .header("urgency", message.urgency.name())
            .header("topic", message.topic)
            .body(message.body)?;
        let host = || to.host().to_owned();
        let response =
            self.client.send(request).await.map_err(|source| PushError::Http { host: host(), source })?;
        match response.status() {
            status if status.is_success() => Ok(Delivery::Accepted),
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(Delivery::Gone),
            status => Err(PushError::Status { host: host(), status: status.as_u16() }),
        }
    }
}
