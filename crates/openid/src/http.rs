//! Requests to a provider: bounded in size and time, without redirects, and with TLS unless the address
//! begins with `http:`.

use std::{io, time::Duration};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use openidconnect::{HttpRequest, HttpResponse};
use thiserror::Error;

/// The timeout of a request, including its answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum length of an answer in bytes. Keys and metadata of large providers take a few kilobytes.
const MAX_BYTES: usize = 1 << 20;

/// The reason why a provider has not answered.
#[derive(Debug, Error)]
pub(crate) enum HttpError {
    #[error("no connection: {0}")]
    Connection(#[from] hyper_util::client::legacy::Error),
    #[error("its answer is incomplete, or longer than {MAX_BYTES} bytes: {0}")]
    Body(Box<dyn std::error::Error + Send + Sync>),
    #[error("no answer within {} s", TIMEOUT.as_secs())]
    Timeout,
}

#[derive(Clone, Debug)]
pub(crate) struct Http(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Http {
    /// Creates a client. Fails if the system has no root certificates.
    pub(crate) fn new() -> io::Result<Self> {
        let connector =
            HttpsConnectorBuilder::new().with_native_roots()?.https_or_http().enable_http1().build();
        Ok(Self(Client::builder(TokioExecutor::new()).build(connector)))
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
            Box::pin(async move {
                tokio::time::timeout(TIMEOUT, ask(client, request)).await.unwrap_or(Err(HttpError::Timeout))
            })
        }
    }
}

async fn ask(
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    request: HttpRequest,
) -> Result<HttpResponse, HttpError> {
    let (head, body) = client.request(request.map(|body| Full::new(Bytes::from(body)))).await?.into_parts();
    let body = Limited::new(body, MAX_BYTES).collect().await.map_err(HttpError::Body)?;
    Ok(HttpResponse::from_parts(head, body.to_bytes().to_vec()))
}
