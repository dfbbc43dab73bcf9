//! Publishes messages to the followers of a game.

use std::sync::Arc;

use adoube_bus::{Bus, Notice, Subscription};
use adoube_game::Event;
use adoube_protocol::{GameId, ServerMessage};

use crate::{
    audience,
    error::Error,
    wire::{self, EventContext},
};

/// A publisher on the bus, with one topic for each game.
#[derive(Clone, Debug)]
pub(crate) struct Publisher {
    bus: Arc<dyn Bus>,
}

impl Publisher {
    pub(crate) fn new(bus: Arc<dyn Bus>) -> Self {
        Self { bus }
    }

    /// Subscribes to everything that is published about a game.
    pub(crate) async fn subscribe(&self, game: &GameId) -> Result<Box<dyn Subscription>, Error> {
        self.bus.subscribe(game.as_str()).await.map_err(|error| {
            tracing::error!(%error, "could not subscribe to a game");
            Error::Internal("the bus is not responding")
        })
    }

    /// Publishes a message that is not in the log to all followers of a game.
    pub(crate) async fn publish(&self, game: &GameId, message: &ServerMessage) {
        self.send(game, 0, audience::ALL, message).await;
    }

    /// Publishes a message that is not in the log to some of the followers of a game.
    pub(crate) async fn publish_to(&self, audience: u8, game: &GameId, message: &ServerMessage) {
        self.send(game, 0, audience, message).await;
    }

    /// Publishes the event that produced a version of a game: in full to the followers who may see it, and as
    /// a hidden event to the others. Each form is serialized only once for all its recipients.
    pub(crate) async fn publish_event(
        &self,
        game: &GameId,
        version: u64,
        event: &Event,
        context: EventContext,
    ) {
        tracing::debug!(%game, version, event = %event.kind, "event");
        let Some(message) = wire::event(version, event, context) else { return };
        let audience = audience::viewers(|viewer| event.kind.visible_to(viewer));
        self.send(game, version, audience, &message).await;
        if audience != audience::ALL {
            self.send(game, version, audience::ALL & !audience, &wire::hidden(version, event)).await;
        }
    }

    /// Sends a message. `sequence` is the version that an event produced, or 0 for a message that is not in
    /// the log.
    async fn send(&self, game: &GameId, sequence: u64, audience: u8, message: &ServerMessage) {
        let body = match serde_json::to_vec(message) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, %game, sequence, "a message cannot be serialized");
                return;
            }
        };
        let notice = Notice { sequence, audience, body: body.into() };
        if let Err(error) = self.bus.publish(game.as_str(), notice).await {
            tracing::warn!(%error, %game, sequence, "could not publish a notice; if it is an event, clients will get it from the log");
        }
    }
}
