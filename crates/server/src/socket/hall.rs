//! The hall socket, which every page keeps open. It marks the visitor as present, and delivers challenges and
//! news about games. A page that shows the hall's lists also requests them.

use std::sync::Arc;

use adoube_bus::{Delivery, Subscription};
use adoube_protocol::{HallClientMessage, HallServerMessage, HouseSettings, PlayerId};
use axum::{
    Extension,
    body::Bytes,
    extract::{
        Query, State,
        rejection::QueryRejection,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::Response,
};
use serde::Deserialize;
use tokio::sync::watch;

use super::{CloseReason, Connection, Incoming, check_origin, or_close, upgrade};
use crate::{
    app::{App, Peer},
    auth::Visitor,
    error::Error,
    hall::Room,
    limits::Resource,
    metrics::Socket as SocketKind,
    names::Profile,
};

#[derive(Debug, Deserialize)]
pub(crate) struct HallQuery {
    /// `false` if the client does not show the hall's lists.
    lists: Option<String>,
}

pub(crate) async fn open(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Visitor,
    query: Result<Query<HallQuery>, QueryRejection>,
    headers: HeaderMap,
    upgraded: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Error> {
    check_origin(&app, &headers)?;
    let shows_lists = query.ok().and_then(|Query(query)| query.lists).is_none_or(|lists| lists != "false");
    let player = visitor.player.clone();
    let profile = app.names.profile(&player).await?;
    upgrade(app, &peer, &visitor, upgraded, SocketKind::Hall, move |connection| {
        run(connection, player, profile, shows_lists)
    })
}

/// Runs a visitor's session.
async fn run(
    connection: Box<Connection>,
    player: PlayerId,
    profile: Option<Profile>,
    shows_lists: bool,
) -> (Box<Connection>, CloseReason) {
    let news = match or_close(connection.app.games.news.subscribe(&player).await) {
        Ok(news) => news,
        Err(end) => return (connection, end),
    };
    let is_member = profile.is_some();
    let lists = shows_lists.then(|| connection.app.hall.subscribe_lists(is_member));
    let own = connection.app.hall.subscribe_to_player(&player);
    let blocks = connection.app.blocks.watch(&player);
    let house = connection.app.house.watch();
    let _presence = connection.app.hall.enter(&player, profile, Room::Hall);
    let mut session = Session { connection, player, is_member, lists, own, news, blocks, house };
    let Err(end) = session.run().await;
    (session.connection, end)
}

struct Session {
    connection: Box<Connection>,
    player: PlayerId,
    /// Whether the visitor is signed in.
    is_member: bool,
    /// The changes to the lists, if the client shows them.
    lists: Option<Box<dyn Subscription>>,
    /// The changes to this player's own seeks and challenges.
    own: Box<dyn Subscription>,
    /// News about this player's games.
    news: Box<dyn Subscription>,
    /// Changes to the blocks that involve this player.
    blocks: Box<dyn Subscription>,
    /// The settings of the house.
    house: watch::Receiver<Arc<HouseSettings>>,
}

impl Session {
    async fn run(&mut self) -> Result<std::convert::Infallible, CloseReason> {
        Box::pin(self.show()).await?;
        loop {
            let delivery = tokio::select! {
                biased;
                incoming = self.connection.next() => {
                    if let Incoming::Text(text) = incoming? {
                        Box::pin(self.handle(&text)).await?;
                    }
                    continue;
                }
                delivery = next_of(&mut self.lists) => match delivery {
                    Delivery::Notice(notice) => {
                        Box::pin(self.forward_list(notice.body)).await?;
                        continue;
                    }
                    delivery => delivery,
                },
                Ok(()) = self.house.changed() => {
                    let settings = Box::new((**self.house.borrow_and_update()).clone());
                    self.connection.send_json(&HallServerMessage::House { settings }).await?;
                    continue;
                }
                // Blocks change the content of the lists, so the lists are sent again.
                delivery = self.blocks.next() => match delivery {
                    Delivery::Closed => Delivery::Closed,
                    Delivery::Notice(_) | Delivery::Lost => Delivery::Lost,
                },
                delivery = self.own.next() => delivery,
                delivery = self.news.next() => match delivery {
                    // Lost news is not sent again, because the client's list still shows the games in which
                    // it is the player's turn.
                    Delivery::Lost => continue,
                    delivery => delivery,
                },
            };
            match delivery {
                Delivery::Notice(notice) => self.connection.forward(notice.body).await?,
                Delivery::Lost => Box::pin(self.show()).await?,
                Delivery::Closed => return Err(CloseReason::restart()),
            }
        }
    }

    async fn handle(&mut self, text: &str) -> Result<(), CloseReason> {
        match serde_json::from_str(text) {
            Ok(HallClientMessage::Ping) => {
                let at = self.connection.app.clock.now();
                let hall = &self.connection.app.hall;
                let version = if self.lists.is_some() {
                    hall.version_for(&self.player)
                } else {
                    hall.own_version(&self.player)
                };
                self.connection.send_json(&HallServerMessage::Pong { at, version }).await
            }
            Ok(HallClientMessage::ShowLists) => {
                let lists = self.connection.app.hall.subscribe_lists(self.is_member);
                self.lists = Some(lists);
                self.resend_all().await
            }
            Ok(HallClientMessage::HideLists) => {
                self.lists = None;
                Ok(())
            }
            Ok(HallClientMessage::Resync) => self.resend_all().await,
            Err(error) => self.refuse(&Error::Message(error.to_string())).await,
        }
    }

    /// Sends everything to a client that requests it, within its allowance.
    async fn resend_all(&mut self) -> Result<(), CloseReason> {
        match self.connection.spend(Resource::Resyncs) {
            Ok(()) => self.show().await,
            Err(error) => self.refuse(&error).await,
        }
    }

    async fn show(&mut self) -> Result<(), CloseReason> {
        let hall = &self.connection.app.hall;
        let message = if self.lists.is_some() {
            HallServerMessage::Hall {
                hall: Box::new(or_close(hall.show(&self.player, self.is_member).await)?),
            }
        } else {
            HallServerMessage::Own { own: Box::new(or_close(hall.own_proposals(&self.player).await)?) }
        };
        self.connection.send_json(&message).await
    }

    /// Forwards a message about the lists, omitting the seeks of players who have blocked the visitor or are
    /// blocked by the visitor, and the names of those online who have blocked the visitor.
    async fn forward_list(&mut self, body: Bytes) -> Result<(), CloseReason> {
        let relations = or_close(self.connection.app.blocks.of(&self.player).await)?;
        if !relations.is_empty()
            && let Ok(message) = serde_json::from_slice(&body)
        {
            return self.connection.send_json(&relations.as_shown(message)).await;
        }
        self.connection.forward(body).await
    }

    async fn refuse(&mut self, error: &Error) -> Result<(), CloseReason> {
        self.connection.send_json(&HallServerMessage::Refused { code: error.code().to_owned() }).await
    }
}

/// Waits for the next delivery of a subscription, if there is one; otherwise waits forever.
async fn next_of(subscription: &mut Option<Box<dyn Subscription>>) -> Delivery {
    match subscription {
        Some(subscription) => subscription.next().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::socket::tests::assert_size_of_session;

    #[test]
    fn an_idle_session_is_small() {
        assert_size_of_session(|(connection, player)| run(connection, player, None, true));
    }
}
