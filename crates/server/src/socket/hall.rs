//! The socket of the hall.

use adoube_bus::{Delivery, Subscription};
use adoube_protocol::{HallClientMessage, HallServerMessage, PlayerId};
use axum::{
    Extension,
    extract::{
        State,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::Response,
};

use super::{CloseReason, Connection, Incoming, check_origin, or_close, upgrade};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    hall::Room,
    limits::Resource,
    metrics::Socket as SocketKind,
};

pub(crate) async fn open(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    headers: HeaderMap,
    upgraded: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Error> {
    check_origin(&app, &headers)?;
    let player = visitor.player.clone();
    let name = app.names.of(&player).await?;
    upgrade(app, &peer, &visitor, upgraded, SocketKind::Hall, move |line| async move {
        let (all, own) = line.app.hall.subscribe(&player);
        let _here = line.app.hall.enter(&player, name, Room::Hall);
        let mut session = Session { line, player, all, own };
        let Err(end) = session.run().await;
        (session.line, end)
    })
}

struct Session {
    line: Connection,
    player: PlayerId,
    /// The messages for all visitors of the hall.
    all: Box<dyn Subscription>,
    /// The messages for this player alone.
    own: Box<dyn Subscription>,
}

impl Session {
    async fn run(&mut self) -> Result<std::convert::Infallible, CloseReason> {
        self.show().await?;
        loop {
            let delivery = tokio::select! {
                biased;
                last_received = self.line.next() => {
                    if let Incoming::Text(text) = last_received? {
                        self.answer(&text).await?;
                    }
                    continue;
                }
                delivery = self.all.next() => delivery,
                delivery = self.own.next() => delivery,
            };
            match delivery {
                Delivery::Notice(notice) => self.line.forward(notice.body).await?,
                Delivery::Lost => self.show().await?,
                Delivery::Closed => return Err(CloseReason::restart()),
            }
        }
    }

    async fn answer(&mut self, text: &str) -> Result<(), CloseReason> {
        match serde_json::from_str(text) {
            Ok(HallClientMessage::Ping) => {
                let at = self.line.app.clock.now();
                let version = self.line.app.hall.version_for(&self.player);
                self.line.send_json(&HallServerMessage::Pong { at, version }).await
            }
            Ok(HallClientMessage::Resync) => match self.line.spend(Resource::Resyncs) {
                Ok(()) => self.show().await,
                Err(error) => {
                    self.line.send_json(&HallServerMessage::Refused { code: error.code().to_owned() }).await
                }
            },
            Err(error) => {
                let code = Error::Message(error.to_string()).code().to_owned();
                self.line.send_json(&HallServerMessage::Refused { code }).await
            }
        }
    }

    async fn show(&mut self) -> Result<(), CloseReason> {
        let hall = Box::new(or_close(self.line.app.hall.show(&self.player).await)?);
        self.line.send_json(&HallServerMessage::Hall { hall }).await
    }
}
