//! One end of a socket of a game.

use std::net::SocketAddr;

use adoube_protocol::{ClientMessage, ServerMessage};
use anyhow::Result;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest as _, http::HeaderValue, protocol::WebSocketConfig},
};

pub(crate) struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Opens the socket of a game as one who has that version.
    pub(crate) async fn open(
        address: SocketAddr,
        id: &str,
        version: u64,
        cookie: Option<&String>,
    ) -> Result<Self> {
        let mut request =
            format!("ws://{address}/api/games/{id}/socket?version={version}").into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("origin", HeaderValue::from_str(&format!("http://{address}"))?);
        if let Some(cookie) = cookie {
            headers.insert("cookie", HeaderValue::from_str(cookie)?);
        }
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let (stream, _) = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        Ok(Self(stream))
    }

    pub(crate) async fn send(&mut self, message: &ClientMessage) -> Result<()> {
        Ok(self.0.send(Message::text(serde_json::to_string(message)?)).await?)
    }

    /// The next message; an error when the line is gone. Losing the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<ServerMessage> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text)?),
                Some(Ok(Message::Close(frame))) => anyhow::bail!("closed: {frame:?}"),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
                None => anyhow::bail!("closed"),
            }
        }
    }
}
