//! Sends requests to other servers, with limits on the size of the response body and on the time. Redirects
//! are not followed, and TLS is used unless the address begins with `http:`.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

use std::{io, time::Duration};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Request, Response, body::Bytes};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use thiserror::Error;

/// The reason why there is no usable response.
#[derive(Debug, Error)]
pub enum HttpError {
    #[error("the request failed: {0}")]
    Connection(#[from] hyper_util::client::legacy::Error),
    #[error("the response is incomplete, or longer than {max_bytes} bytes: {reason}")]
    Body { max_bytes: usize, reason: Box<dyn std::error::Error + Send + Sync> },
    #[error("no response within {} s", .0.as_secs())]
    Timeout(Duration),
}

/// A client that gives up on responses that take too long or are too large. Clones share their connections.
#[derive(Clone, Debug)]
pub struct HttpClient {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    timeout: Duration,
    max_bytes: usize,
}

impl HttpClient {
    /// Returns a client that waits at most `timeout` for a response, and accepts bodies of at most
    /// `max_bytes`.
    ///
    /// # Errors
    ///
    /// If the system has no certificates.
    pub fn new(timeout: Duration, max_bytes: usize) -> io::Result<Self> {
        let connector =
            HttpsConnectorBuilder::new().with_native_roots()?.https_or_http().enable_http1().build();
        Ok(Self { client: Client::builder(TokioExecutor::new()).build(connector), timeout, max_bytes })
    }

    /// Sends a request. Returns the response even if its status is an error. Redirects are not followed.
    pub async fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, HttpError> {
        tokio::time::timeout(self.timeout, self.exchange(request))
            .await
            .unwrap_or(Err(HttpError::Timeout(self.timeout)))
    }

    async fn exchange(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, HttpError> {
        let request = request.map(|body| Full::new(Bytes::from(body)));
        let (head, body) = self.client.request(request).await?.into_parts();
        let max_bytes = self.max_bytes;
        let body = Limited::new(body, max_bytes)
            .collect()
            .await
            .map_err(|reason| HttpError::Body { max_bytes, reason })?;
        Ok(Response::from_parts(head, body.to_bytes().to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;

    /// Sends a request to a server that replies with this text, and then keeps the connection open.
    async fn get(response: &'static str) -> Result<Response<Vec<u8>>, HttpError> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let uri = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = [0; 1_000];
                let _ = stream.read(&mut request).await.unwrap();
                stream.write_all(response.as_bytes()).await.unwrap();
                tokio::spawn(async move {
                    let _stream = stream;
                    std::future::pending::<()>().await;
                });
            }
        });
        let client = HttpClient::new(Duration::from_millis(500), 10).unwrap();
        client.send(Request::get(uri).body(Vec::new()).unwrap()).await
    }

    #[tokio::test]
    async fn responses_are_bounded_in_size_and_time() {
        let short = get("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n0123456789").await.unwrap();
        assert_eq!(short.into_body(), b"0123456789");
        let long = get("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n0123456789a").await;
        assert!(matches!(long, Err(HttpError::Body { .. })), "{long:?}");
        let slow = get("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n0").await;
        assert!(matches!(slow, Err(HttpError::Timeout(_))), "{slow:?}");
        let silent = get("").await;
        assert!(matches!(silent, Err(HttpError::Timeout(_))), "{silent:?}");
    }

    #[tokio::test]
    async fn redirects_are_not_followed() {
        let moved = get("HTTP/1.1 307 Moved\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        assert_eq!(moved.status(), 307);
    }
}
