//! Requests to a provider.

use std::{io, time::Duration};

use adoube_https::{HttpClient, HttpError};
use openidconnect::{HttpRequest, HttpResponse};

/// The timeout for a request, including its response.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum length of a response in bytes. A large provider's keys and metadata take up a few kilobytes.
const MAX_BYTES: usize = 1 << 20;

#[derive(Clone, Debug)]
pub(crate) struct Http(HttpClient);

impl Http {
    /// Creates a client. Fails if the system has no root certificates.
    pub(crate) fn new() -> io::Result<Self> {
        HttpClient::new(TIMEOUT, MAX_BYTES).map(Self)
    }

    /// Returns the function through which `openidconnect` sends its requests.
    pub(crate) fn caller(
        &self,
    ) -> impl Fn(
        HttpRequest,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send>>
    + Send
    + Sync {
        let client = self.0.clone();
        move |request| {
            let client = client.clone();
            Box::pin(async move { client.send(request).await })
        }
    }
}
