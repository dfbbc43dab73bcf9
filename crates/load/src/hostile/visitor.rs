//! A simulated visitor, which keeps cookies and ignores all limits.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use futures_util::{SinkExt as _, StreamExt as _};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, StatusCode,
    body::{Bytes, Incoming},
    client::conn::http1::{SendRequest, handshake},
    header,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{ClientRequestBuilder, Message, http::Uri},
};
use uuid::Uuid;

use crate::http::connect_from;

/// The password of all accounts that a run registers.
pub(super) const PASSWORD: &str = "correct horse battery";

/// Timeout for a request or a message.
const TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Visitor {
    pub(super) server: SocketAddr,
    pub(super) from: Ipv4Addr,
    cookies: BTreeMap<String, String>,
    /// The sending half of the last connection, if it can be used again.
    sender: Option<SendRequest<Full<Bytes>>>,
}

/// A response, whatever its status.
#[derive(Debug)]
pub(super) struct HttpResponse {
    pub(super) status: StatusCode,
    pub(super) body: Bytes,
}

impl HttpResponse {
    /// Parses the body, or returns an error if the status is not a success. A body that is not JSON gives
    /// `null`.
    pub(super) fn json(&self) -> Result<Value> {
        ensure!(self.status.is_success(), "{}: {}", self.status, String::from_utf8_lossy(&self.body));
        Ok(serde_json::from_slice(&self.body).unwrap_or_default())
    }
}

pub(super) fn command() -> String {
    Uuid::new_v4().to_string()
}

impl Visitor {
    pub(super) fn new(server: SocketAddr, from: Ipv4Addr) -> Self {
        Self { server, from, cookies: BTreeMap::new(), sender: None }
    }

    /// Returns the same visitor, with a separate connection.
    pub(super) fn reconnected(&self) -> Self {
        Self { server: self.server, from: self.from, cookies: self.cookies.clone(), sender: None }
    }

    /// Returns a different visitor at the same address.
    pub(super) fn another_visitor(&self) -> Self {
        Self::new(self.server, self.from)
    }

    pub(super) fn cookie(&self) -> String {
        let pairs = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("; ")
    }

    pub(super) async fn get(&mut self, path: &str) -> Result<HttpResponse> {
        self.request(Method::GET, path, None).await
    }

    pub(super) async fn post(&mut self, path: &str, body: &Value) -> Result<HttpResponse> {
        self.request(Method::POST, path, Some(body.to_string())).await
    }

    /// Sends a request over the previous connection if there is one, and reads the response to its end.
    pub(super) async fn request(
        &mut self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<HttpResponse> {
        let response = timeout(TIMEOUT, self.send_request(method, path, body)).await;
        if !matches!(response, Ok(Ok(_))) {
            self.sender = None;
        }
        response.context("no response within 30 s")?
    }

    async fn send_request(
        &mut self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<HttpResponse> {
        let response = self.send(method, path, body).await?;
        let status = response.status();
        for value in response.headers().get_all(header::SET_COOKIE) {
            let pair = value.to_str().ok().and_then(|text| text.split(';').next()?.split_once('='));
            if let Some((name, value)) = pair {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let body = response.into_body().collect().await?.to_bytes();
        Ok(HttpResponse { status, body })
    }

    /// Sends a request and returns the response with its body unread.
    pub(super) async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<hyper::Response<Incoming>> {
        let open = self.sender.take().filter(|sender| !sender.is_closed());
        let mut sender = if let Some(sender) = open {
            sender
        } else {
            let stream = TokioIo::new(connect_from(self.server, self.from).await?);
            let (sender, connection) = handshake(stream).await?;
            tokio::spawn(connection);
            sender
        };
        sender.ready().await?;
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.server.to_string())
            .header(header::ORIGIN, format!("http://{}", self.server));
        if !self.cookies.is_empty() {
            request = request.header(header::COOKIE, self.cookie());
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let response = sender.send_request(request.body(Full::new(body.unwrap_or_default().into()))?).await?;
        self.sender = Some(sender);
        Ok(response)
    }

    /// Makes a first request to get a cookie.
    pub(super) async fn with_cookie(mut self) -> Result<Self> {
        self.get("/api/account").await?.json()?;
        Ok(self)
    }

    /// Registers an account under a new name. Returns the name.
    pub(super) async fn register(&mut self, email: Option<&str>) -> Result<String> {
        let name = format!("eve{:.12}", Uuid::new_v4().simple().to_string());
        let mut body = json!({ "name": name, "password": PASSWORD });
        if let Some(email) = email {
            body["email"] = email.into();
        }
        self.post("/api/account", &body).await?.json()?;
        Ok(name)
    }

    /// Creates a game with these settings, and returns its id and the invitation.
    pub(super) async fn create(&mut self, settings: &Value) -> Result<(String, String)> {
        let mut body = json!({
            "command": command(), "color": "white", "opponent": { "type": "friend" }, "variant": "chess",
        });
        if let (Some(body), Some(settings)) = (body.as_object_mut(), settings.as_object()) {
            body.extend(settings.clone());
        }
        let created = self.post("/api/games", &body).await?.json()?;
        let text = |name: &str| created[name].as_str().unwrap_or_default().to_owned();
        Ok((text("id"), text("invitation")))
    }

    /// Creates a game, has another visitor join it, and returns its id.
    pub(super) async fn play_with(&mut self, other: &mut Self, settings: &Value) -> Result<String> {
        let (game, invitation) = self.create(settings).await?;
        other.post(&format!("/api/invitations/{invitation}"), &json!({})).await?.json()?;
        Ok(game)
    }

    pub(super) async fn socket(&self, path: &str) -> Result<Socket> {
        let stream = connect_from(self.server, self.from).await?;
        let uri = format!("ws://{}{path}", self.server).parse::<Uri>()?;
        let request = ClientRequestBuilder::new(uri)
            .with_header(header::ORIGIN.as_str(), format!("http://{}", self.server))
            .with_header(header::COOKIE.as_str(), self.cookie());
        let opened = timeout(TIMEOUT, tokio_tungstenite::client_async(request, stream)).await;
        let (socket, _) = opened.context("no socket within 30 s")??;
        Ok(Socket(socket))
    }

    /// Opens a game's socket and waits for the snapshot. Returns the socket and the game's version.
    pub(super) async fn open_game_socket(&self, game: &str) -> Result<(Socket, u64)> {
        let mut socket = self.socket(&format!("/api/games/{game}/socket")).await?;
        let snapshot = socket.receive_until(|message| message["type"] == "snapshot").await?;
        Ok((socket, snapshot["game"]["version"].as_u64().unwrap_or_default()))
    }
}

pub(super) struct Socket(pub(super) WebSocketStream<TcpStream>);

impl Socket {
    pub(super) async fn send(&mut self, message: &Value) -> Result<()> {
        self.send_text(message.to_string()).await
    }

    pub(super) async fn send_text(&mut self, text: String) -> Result<()> {
        Ok(timeout(TIMEOUT, self.0.send(Message::text(text))).await??)
    }

    pub(super) async fn receive_until(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        timeout(TIMEOUT, async {
            while let Some(message) = self.0.next().await {
                if let Message::Text(text) = message? {
                    let message: Value = serde_json::from_str(&text)?;
                    if is_wanted(&message) {
                        return Ok(message);
                    }
                }
            }
            bail!("the socket was closed")
        })
        .await
        .context("no message within 30 s")?
    }

    /// Sends a command with a new id, and returns the response, which is of type `accepted` or `refused`.
    pub(super) async fn command(&mut self, mut message: Value) -> Result<Value> {
        let id = command();
        message["command"] = id.clone().into();
        self.send(&message).await?;
        self.receive_until(|received| {
            (received["type"] == "accepted" || received["type"] == "refused") && received["command"] == id
        })
        .await
    }
}
