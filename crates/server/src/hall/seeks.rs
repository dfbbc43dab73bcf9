//! Creates, lists, pairs, accepts and withdraws seeks.

use std::{cmp::Reverse, net::IpAddr};

use adoube_protocol::{
    ColorChoice, CreateSeek, GameId, OpponentChoice, PairingResult, PlayerId, Seek, SeekId,
};

use super::{
    Hall, is_correspondence,
    proposals::{Body, OpenProposal},
};
use crate::{auth::Visitor, blocks::Relations, error::Error};

/// The number of newest seeks shown to a visitor. The visitor's own seeks are always shown.
const MAX_SHOWN_SEEKS: usize = 200;
/// The maximum number of seeks that the server tries to accept for a visitor before it creates one.
const PAIRING_ATTEMPTS: usize = 8;

impl Hall {
    /// Returns the newest seeks and all of the player's own, newest first, and the ids of the player's own.
    /// Omits seeks by players who have blocked this player or whom this player has blocked.
    pub(super) async fn seeks(&self, player: &PlayerId) -> Result<(Vec<Seek>, Vec<SeekId>), Error> {
        let relations = self.parts.blocks.of(player).await?;
        let (mut seeks, mut mine) = (Vec::new(), Vec::new());
        let shown = newest_seeks(self.open().open.values(), player, &relations);
        for open in shown {
            let Some(seek) = self.seek(&open).await? else { continue };
            if open.from == *player {
                mine.push(seek.id.clone());
            }
            seeks.push(seek);
        }
        Ok((seeks, mine))
    }

    /// Returns the player's own seeks, newest first.
    pub(super) async fn own_seeks(&self, player: &PlayerId) -> Result<Vec<Seek>, Error> {
        let mut own = {
            let open = self.open();
            let own = open.open.values().filter(|open| open.to.is_none() && open.from == *player);
            own.cloned().collect::<Vec<_>>()
        };
        own.sort_unstable_by_key(|seek| Reverse((seek.created_at, seek.id.clone())));
        let mut seeks = Vec::with_capacity(own.len());
        for open in own {
            seeks.extend(self.seek(&open).await?);
        }
        Ok(seeks)
    }

    /// Returns a seek as visitors see it.
    pub(super) async fn seek(&self, open: &OpenProposal) -> Result<Option<Seek>, Error> {
        let Ok(id) = open.id.parse() else { return Ok(None) };
        Ok(Some(Seek {
            id,
            name: self.parts.names.of(&open.from).await?,
            color: open.body.color,
            settings: open.body.settings.clone(),
            created_at: open.created_at,
        }))
    }

    pub(crate) async fn create_seek(
        &self,
        visitor: &Visitor,
        address: IpAddr,
        request: CreateSeek,
    ) -> Result<SeekId, Error> {
        let terms = self.parts.games.creator.terms(&request.settings, OpponentChoice::Friend)?;
        self.parts.games.creator.check_seat_allowed(&visitor.player, terms.options.clock).await?;
        let id = SeekId::from_random(self.parts.entropy.random()?).to_string();
        let body = Body { command: request.command, color: request.color, settings: request.settings };
        let needs_maker = !is_correspondence(&body.settings);
        let id = self.post((visitor, address), (id, None, body), needs_maker).await?;
        id.parse().map_err(|_| Error::CommandUsed)
    }

    /// Accepts the oldest seek by another visitor for the same game, or creates a seek if there is none.
    pub(crate) async fn pair(
        &self,
        visitor: &Visitor,
        address: IpAddr,
        request: CreateSeek,
    ) -> Result<PairingResult, Error> {
        // The lock ensures that two visitors to this node who seek a game at the same time are paired with
        // each other.
        let _one_at_a_time = self.pairing.lock().await;
        let relations = self.parts.blocks.of(&visitor.player).await?;
        for seek in self.matching(&visitor.player, &relations, &request) {
            match self.accept(&visitor.player, &seek, Error::SeekNotFound).await {
                Ok(id) => return Ok(PairingResult::Game { id }),
                // Another visitor accepted the seek first, or its maker has just left.
                Err(Error::SeekNotFound | Error::MakerAway) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(PairingResult::Seek { id: self.create_seek(visitor, address, request).await? })
    }

    /// Returns the oldest seeks by others for the same game that leave this player a suitable side.
    fn matching(&self, player: &PlayerId, relations: &Relations, request: &CreateSeek) -> Vec<OpenProposal> {
        let leaves_side = |color| color == ColorChoice::Random || color != request.color;
        let open = self.open();
        let matching = open.open.values().filter(|open| {
            open.to.is_none()
                && open.from != *player
                && !relations.is_blocked_either_way(&open.from)
                && open.body.settings == request.settings
                && leaves_side(open.body.color)
        });
        let mut matching = matching.cloned().collect::<Vec<_>>();
        drop(open);
        matching.sort_unstable_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        matching.truncate(PAIRING_ATTEMPTS);
        matching
    }

    pub(crate) async fn accept_seek(&self, player: &PlayerId, id: &SeekId) -> Result<GameId, Error> {
        let Some(seek) = self.find_seek(id).await? else {
            return self.accepted(player, id.as_str(), Error::SeekNotFound).await;
        };
        if seek.from == *player {
            return Err(Error::OwnSeek);
        }
        self.accept(player, &seek, Error::SeekNotFound).await
    }

    pub(crate) async fn withdraw_seek(&self, player: &PlayerId, id: &SeekId) -> Result<(), Error> {
        let seek = self.find_seek(id).await?.ok_or(Error::SeekNotFound)?;
        if seek.from != *player {
            return Err(Error::NotYours);
        }
        self.delete_proposal(&seek.id).await
    }

    async fn find_seek(&self, id: &SeekId) -> Result<Option<OpenProposal>, Error> {
        Ok(self.find(id.as_str()).await?.filter(|open| open.to.is_none()))
    }
}

/// Returns the newest seeks that are shown to a player, and all of the player's own, newest first.
fn newest_seeks<'a>(
    open: impl Iterator<Item = &'a OpenProposal>,
    player: &PlayerId,
    relations: &Relations,
) -> Vec<OpenProposal> {
    let may_show = |open: &&OpenProposal| open.to.is_none() && !relations.is_blocked_either_way(&open.from);
    let mut seeks = open.filter(may_show).collect::<Vec<_>>();
    seeks.sort_unstable_by_key(|seek| Reverse((seek.created_at, seek.id.as_str())));
    let shown = seeks.into_iter().enumerate();
    let shown = shown.filter(|(index, seek)| *index < MAX_SHOWN_SEEKS || seek.from == *player);
    shown.map(|(_, seek)| seek.clone()).collect()
}

#[cfg(test)]
mod tests {
    use adoube_protocol::{CommandId, GameSettings, Millis};

    use super::*;

    #[test]
    fn seeks_by_blocked_players_do_not_displace_others() {
        let [player, blocked, other] = [1, 2, 3].map(PlayerId::from_random);
        let seek = |number: usize, from: &PlayerId| OpenProposal {
            id: number.to_string(),
            from: from.clone(),
            to: None,
            body: Body {
                command: CommandId(uuid::Uuid::from_u128(number as u128)),
                color: ColorChoice::Random,
                settings: GameSettings::default(),
            },
            created_at: Millis(number as i64),
            expires_at: Millis(i64::MAX),
            needs_maker: false,
        };
        let mut open = vec![seek(0, &player)];
        open.extend((1..=MAX_SHOWN_SEEKS + 1).map(|number| seek(number, &other)));
        // The newest ones.
        open.extend((1..=MAX_SHOWN_SEEKS).map(|number| seek(1_000 + number, &blocked)));
        let shown = newest_seeks(open.iter(), &player, &Relations::with_blocked(&blocked));
        let shown = shown.iter().map(|seek| seek.created_at.0).collect::<Vec<_>>();
        let newest = MAX_SHOWN_SEEKS as i64 + 1;
        assert_eq!(shown, (2..=newest).rev().chain([0]).collect::<Vec<_>>());
    }
}
