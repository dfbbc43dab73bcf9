//! Sends requests to the public address, and receives them with a stand-in for the server, to see how they
//! arrive.
//!
//! This implements only the part of HTTP/1.1 that the check needs: one request per connection, and responses
//! of at most 64 KiB, whose chunks it does not decode.

use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener as StdListener},
    sync::Arc,
    time::Duration,
};

use thiserror::Error;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, lookup_host},
    sync::mpsc,
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, pki_types::ServerName},
};
use url::Url;

/// The timeout for connecting, and again for the request and its response.
const MAX_TIME: Duration = Duration::from_secs(10);
/// The maximum number of bytes to read from a request or a response.
const MAX_BYTES: u64 = 64 * 1024;

/// The reason why a request got no response.
#[derive(Debug, Error)]
pub(super) enum ProbeError {
    #[error("no address was found for the host name {0}")]
    Name(String),
    #[error("{0} cannot be reached: {1}")]
    Unreachable(String, io::Error),
    #[error("no trusted root certificates are installed on this machine")]
    NoAuthorities,
    #[error("TLS failed: {0}")]
    Tls(io::Error),
    #[error("the connection was opened, but there was no complete response")]
    NoResponse,
}

/// The head of a message, and the part of its body that was read.
#[derive(Debug)]
pub(super) struct Message {
    /// The request line or the status line.
    pub(super) line: String,
    headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Message {
    fn parse(text: &str) -> Option<Self> {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lines = head.split("\r\n");
        let line = lines.next()?.to_owned();
        let headers = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        });
        Some(Self { line, headers: headers.collect(), body: body.to_owned() })
    }

    /// Returns the values of a header, joined by commas. `name` must be in lower case.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let values = self.headers.iter().filter(|(found, _)| found == name);
        let values = values.map(|(_, value)| value.as_str()).collect::<Vec<_>>();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Returns the status of a response.
    pub(super) fn status(&self) -> u16 {
        self.line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    }

    /// Returns `true` if the message requests a WebSocket, or accepts the request for one.
    pub(super) fn is_websocket(&self) -> bool {
        let has_token = |name, token: &str| {
            self.header(name)
                .is_some_and(|value| value.split(',').any(|one| one.trim().eq_ignore_ascii_case(token)))
        };
        has_token("upgrade", "websocket") && has_token("connection", "upgrade")
    }
}

/// Sends a GET request for a path to an origin, with additional headers, and returns the response.
pub(super) async fn get(origin: &Url, path: &str, headers: &[(&str, &str)]) -> Result<Message, ProbeError> {
    let host = origin.host_str().unwrap_or_default();
    let port = origin.port_or_known_default().unwrap_or(80);
    let name = host.trim_matches(['[', ']']);
    let unknown = || ProbeError::Name(host.to_owned());
    let addresses: Vec<_> = lookup_host((name, port)).await.map_err(|_| unknown())?.collect();
    if addresses.is_empty() {
        return Err(unknown());
    }
    let unreachable = |error| ProbeError::Unreachable(format!("{host}:{port}"), error);
    let timed_out = || unreachable(io::ErrorKind::TimedOut.into());
    let stream = timeout(MAX_TIME, TcpStream::connect(&*addresses)).await.map_err(|_| timed_out())?;
    let stream = stream.map_err(unreachable)?;
    let authority = origin.authority();
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\n");
    for (name, value) in headers {
        request.extend([name, ": ", value, "\r\n"]);
    }
    request.push_str("\r\n");
    let response = async {
        if origin.scheme() == "https" {
            let name = ServerName::try_from(name.to_owned()).map_err(|_| unknown())?;
            let stream = connector()?.connect(name, stream).await.map_err(ProbeError::Tls)?;
            exchange(stream, &request).await
        } else {
            exchange(stream, &request).await
        }
    };
    timeout(MAX_TIME, response).await.unwrap_or(Err(ProbeError::NoResponse))
}

fn connector() -> Result<TlsConnector, ProbeError> {
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if authorities.is_empty() {
        return Err(ProbeError::NoAuthorities);
    }
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ProbeError::Tls(io::Error::other(error)))?
        .with_root_certificates(authorities)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

async fn exchange(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    request: &str,
) -> Result<Message, ProbeError> {
    stream.write_all(request.as_bytes()).await.map_err(|_| ProbeError::NoResponse)?;
    let message = read(&mut stream, true).await.ok_or(ProbeError::NoResponse)?;
    Ok(message)
}

/// Reads a whole response, or only the head of a request or of a response that opens a WebSocket.
async fn read(stream: &mut (impl AsyncRead + Unpin), is_response: bool) -> Option<Message> {
    let mut bytes = Vec::new();
    let mut stream = stream.take(MAX_BYTES);
    loop {
        let mut buffer = [0; 4096];
        let count = match stream.read(&mut buffer).await {
            Ok(count) => count,
            // Some servers close a TLS connection without `close_notify`.
            Err(_) if is_response && !bytes.is_empty() => 0,
            Err(_) => return None,
        };
        bytes.extend_from_slice(buffer.get(..count)?);
        let message = Message::parse(&String::from_utf8_lossy(&bytes));
        let is_complete = message.as_ref().is_some_and(|message| {
            let length = message.header("content-length").and_then(|length| length.parse::<usize>().ok());
            let has_body = length.is_some_and(|length| message.body.len() >= length);
            !is_response || message.status() == 101 || has_body
        });
        if count == 0 || is_complete {
            return message;
        }
    }
}

/// A request as it arrived at the stand-in.
#[derive(Debug)]
pub(super) struct ReceivedRequest {
    pub(super) peer: IpAddr,
    pub(super) request: Message,
}

/// Stands in for a server that is not running. Responds to requests that contain a mark, and passes them to
/// the check. Responds to all others with status 503, so that visitors come back later.
pub(super) struct ProbeServer {
    requests: mpsc::Receiver<ReceivedRequest>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for ProbeServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ProbeServer {
    pub(super) fn start(listener: StdListener, mark: &str) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let (sender, arrived) = mpsc::channel(8);
        let mark = mark.to_owned();
        let task = tokio::spawn(async move {
            while let Ok((stream, peer)) = listener.accept().await {
                let (mark, sender) = (mark.clone(), sender.clone());
                tokio::spawn(async move {
                    let _ = timeout(MAX_TIME, respond(stream, peer, &mark, sender)).await;
                });
            }
        });
        Ok(Self { requests: arrived, task })
    }

    /// Returns the next request with the mark, if one has arrived.
    pub(super) fn take(&mut self) -> Option<ReceivedRequest> {
        self.requests.try_recv().ok()
    }
}

async fn respond(
    mut stream: TcpStream,
    peer: SocketAddr,
    mark: &str,
    sender: mpsc::Sender<ReceivedRequest>,
) -> Option<()> {
    let request = read(&mut stream, false).await?;
    let text = if !request.line.contains(mark) {
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            .to_owned()
    } else if request.is_websocket() {
        // The `Sec-WebSocket-Accept` header is left out, because neither proxies nor `get` check it.
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n".to_owned()
    } else {
        let length = mark.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{mark}"
        )
    };
    if request.line.contains(mark) {
        sender.try_send(ReceivedRequest { peer: peer.ip().to_canonical(), request }).ok()?;
    }
    stream.write_all(text.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}
