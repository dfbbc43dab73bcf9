//! News about games, sent over hall sockets to players who have other pages open.
//!
//! News is published on the bus, with one topic for each player, and is not stored. A player who misses it
//! can still see in the list of games whose turn it is.

use std::sync::Arc;

use adoube_bus::{Bus, Notice, Subscription};
use adoube_game::{Event, EventKind, Game};
use adoube_protocol::{GameId, GameNews, HallServerMessage, Millis, PlayerId, Version};
use adoube_rules::{ByColor, Color};
use adoube_store::{self as store, ListedGame};

use super::ledger::{Ledger, read_model};
use crate::{
    audience,
    error::Error,
    listed::game_summary,
    names::{Names, player_of},
    rooms::Rooms,
    wire,
};

#[derive(Debug)]
pub(crate) struct GameNewsPublisher {
    pub(super) bus: Arc<dyn Bus>,
    pub(super) ledger: Arc<Ledger>,
    pub(super) names: Arc<Names>,
    pub(super) rooms: Arc<Rooms>,
    /// Whether players may be connected to other nodes.
    pub(super) is_shared: bool,
}

impl GameNewsPublisher {
    /// Subscribes to a player's news. The topic is the player's id, which cannot be a game id because the
    /// lengths differ.
    pub(crate) async fn subscribe(&self, player: &PlayerId) -> Result<Box<dyn Subscription>, Error> {
        self.bus.subscribe(player.as_str()).await.map_err(|error| {
            tracing::error!(%error, "could not subscribe to a player's news");
            Error::Internal("the bus is not responding")
        })
    }

    /// Returns the players to notify of new events in a game, each with the news. These are the players who
    /// are not in its room but may have another page open. `game` is the state after the events. Games
    /// against the machine produce no news, because the machine replies immediately and there is no opponent
    /// to keep waiting.
    pub(super) fn recipients(&self, id: &GameId, game: &Game, events: &[Event]) -> Vec<(PlayerId, GameNews)> {
        let news = news_of(game, events);
        let recipient = |color: Color| {
            let (news, player) = (news[color]?, player_of(&game.seats()[color])?);
            player_of(&game.seats()[!color])?;
            self.is_reachable(id, color, player).then(|| (player.clone(), news))
        };
        Color::ALL.into_iter().filter_map(recipient).collect()
    }

    fn is_reachable(&self, id: &GameId, color: Color, player: &PlayerId) -> bool {
        let is_in_room = self.rooms.is_presumed_present(id, color);
        !is_in_room && (self.is_shared || self.rooms.visitors().is_in_hall(player))
    }

    /// Notifies the other player of a chat message.
    pub(crate) async fn publish_chat(&self, id: &GameId, by: Color) -> Result<(), Error> {
        let game = self.ledger.cached_or_loaded(id).await?;
        match player_of(&game.seats()[!by]) {
            Some(player) if self.is_reachable(id, !by, player) => {
                self.publish(id, &game, (player, GameNews::Chat)).await
            }
            _ => Ok(()),
        }
    }

    /// Notifies both players of the start of a game that neither of them created or joined.
    pub(super) async fn publish_started(&self, id: &GameId) -> Result<(), Error> {
        let game = self.ledger.cached_or_loaded(id).await?;
        let ByColor { white: Some(white), black: Some(black) } =
            ByColor::new_with(|color| player_of(&game.seats()[color]))
        else {
            return Ok(());
        };
        for (color, player) in [(Color::White, white), (Color::Black, black)] {
            if self.is_reachable(id, color, player) {
                self.publish(id, &game, (player, GameNews::Started)).await?;
            }
        }
        Ok(())
    }

    /// If a rematch was agreed in the events, returns its game and the player who offered it, provided that
    /// this player is not in the room of the finished game but may have another page open.
    pub(super) fn agreed_rematch(
        &self,
        id: &GameId,
        game: &Game,
        events: &[Event],
    ) -> Option<(GameId, PlayerId)> {
        let (accepted_by, next) = events.iter().find_map(|event| match &event.kind {
            EventKind::RematchAccepted { color, next } => Some((*color, next)),
            _ => None,
        })?;
        player_of(&game.seats()[accepted_by])?;
        let offered_by = player_of(&game.seats()[!accepted_by])?;
        self.is_reachable(id, !accepted_by, offered_by).then(|| (next.clone(), offered_by.clone()))
    }

    /// Notifies the player who offered a rematch that it has started.
    pub(super) async fn publish_rematch(&self, next: &GameId, player: &PlayerId) -> Result<(), Error> {
        let game = self.ledger.cached_or_loaded(next).await?;
        self.publish(next, &game, (player, GameNews::Started)).await
    }

    /// Publishes news about a game to one player.
    pub(super) async fn publish(
        &self,
        id: &GameId,
        game: &Game,
        (player, news): (&PlayerId, GameNews),
    ) -> Result<(), Error> {
        let message = self.message_of(id, game, player, news).await?;
        let body = match serde_json::to_vec(&message) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, "news cannot be serialized");
                return Ok(());
            }
        };
        let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
        if let Err(error) = self.bus.publish(player.as_str(), notice).await {
            tracing::warn!(%error, game = %id, "could not publish news");
        }
        Ok(())
    }

    /// Returns the message that carries news about a game to a player.
    pub(crate) async fn message(
        &self,
        id: &GameId,
        player: &PlayerId,
        news: GameNews,
    ) -> Result<HallServerMessage, Error> {
        let game = self.ledger.cached_or_loaded(id).await?;
        self.message_of(id, &game, player, news).await
    }

    async fn message_of(
        &self,
        id: &GameId,
        game: &Game,
        player: &PlayerId,
        news: GameNews,
    ) -> Result<HallServerMessage, Error> {
        let wire::PlayerNames { white, black } = self.names.of_game(game).await?;
        let store::ReadModel { phase, turn, result, deadline, awaits_machine: _, summary } =
            read_model(game)?;
        let row = store::Game {
            id: id.clone(),
            version: Version(game.version()),
            created_at: Millis(game.created_at_ms()),
            updated_at: Millis(game.updated_at_ms()),
            variant: game.variant().to_string(),
            phase,
            turn,
            result,
            deadline,
            summary,
        };
        let color = game.color_of(player).map(wire::color_to_wire);
        let game = ListedGame { game: row, names: store::PlayerNames { white, black }, color };
        Ok(HallServerMessage::Game { news, game: Box::new(game_summary(&game)?) })
    }
}

/// Returns the most important news for each side, if there is any. `game` is the state after `events`.
fn news_of(game: &Game, events: &[Event]) -> ByColor<Option<GameNews>> {
    let mut news = ByColor::default();
    for event in events {
        match event.kind {
            EventKind::Joined { color, .. } => news[!color] = Some(GameNews::Started),
            EventKind::Played { color, .. } if game.ending().is_none() => {
                news[!color] = Some(GameNews::YourTurn);
            }
            // A takeback may change the side to move.
            EventKind::TakenBack { .. } => news[game.side_to_move()] = Some(GameNews::YourTurn),
            EventKind::DrawOffered { color }
            | EventKind::TakebackProposed { color }
            | EventKind::RematchOffered { color } => {
                news[!color] = news[!color].or(Some(GameNews::Offer));
            }
            EventKind::Ended { .. } => {
                news = ByColor { white: Some(GameNews::Over), black: Some(GameNews::Over) }
            }
            _ => {}
        }
    }
    // The server may already have played a conditional turn for a side.
    for color in Color::ALL {
        if news[color] == Some(GameNews::YourTurn) && game.side_to_move() != color {
            news[color] = None;
        }
    }
    news
}
