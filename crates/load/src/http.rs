//! HTTP requests, one connection each.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use http_body_util::{BodyExt as _, Full};
use hyper::{Method, Request, body::Bytes, header};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// Connects from one of many loopback addresses, because limits apply per address.
pub(crate) async fn connect(to: SocketAddr, visitor: usize) -> Result<TcpStream> {
    // Fifty visitors per address, like a school behind one router.
    let offset = u32::try_from(visitor / 50 % 60_000)?;
    connect_from(to, Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + offset)).await
}

/// Connects from the given loopback address, or from any address if the server is on another machine.
pub(crate) async fn connect_from(to: SocketAddr, from: Ipv4Addr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    if to.ip().is_loopback() {
        socket.bind(SocketAddr::new(IpAddr::V4(from), 0))?;
    }
    let stream = socket.connect(to).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A response with a success status.
pub(crate) struct HttpResponse {
    pub(crate) body: Bytes,
    /// The cookies that the server has set, as the value of a `Cookie` header; `None` if there are none.
    pub(crate) cookie: Option<String>,
}

/// The timeout for a request. It is longer than the server's own.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Sends a request, and fails unless the status indicates success.
pub(crate) async fn request(
    to: SocketAddr,
    visitor: usize,
    method: Method,
    path: &str,
    cookie: Option<&str>,
    body: Option<String>,
) -> Result<HttpResponse> {
    let request = request_without_timeout(to, visitor, method, path, cookie, body);
    timeout(TIMEOUT, request).await.with_context(|| format!("{path}: no response"))?
}

async fn request_without_timeout(
    to: SocketAddr,
    visitor: usize,
    method: Method,
    path: &str,
    cookie: Option<&str>,
    body: Option<String>,
) -> Result<HttpResponse> {
    let stream = TokioIo::new(connect(to, visitor).await?);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await?;
    let connection = tokio::spawn(connection);
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, to.to_string())
        .header(header::ORIGIN, format!("http://{to}"))
        .header(header::CONNECTION, "close");
    if let Some(cookie) = cookie {
        request = request.header(header::COOKIE, cookie);
    }
    if body.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    let request = request.body(Full::new(Bytes::from(body.unwrap_or_default())))?;
    let response = sender.send_request(request).await?;
    let status = response.status();
    let cookies = response.headers().get_all(header::SET_COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok()?.split(';').next()).collect::<Vec<_>>();
    let cookie = (!cookies.is_empty()).then(|| cookies.join("; "));
    let body = response.into_body().collect().await?.to_bytes();
    connection.abort();
    ensure!(status.is_success(), "{path}: {status}: {}", String::from_utf8_lossy(&body));
    Ok(HttpResponse { body, cookie })
}

impl HttpResponse {
    pub(crate) fn json<T: for<'de> serde::Deserialize<'de>>(&self) -> Result<T> {
        serde_json::from_slice(&self.body)
            .with_context(|| format!("the response cannot be read: {}", String::from_utf8_lossy(&self.body)))
    }
}
