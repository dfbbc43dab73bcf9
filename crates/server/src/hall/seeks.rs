//! Seeks: creating, listing, accepting and withdrawing.

use std::{cmp::Reverse, net::IpAddr};

use adoube_protocol::{CreateSeek, GameId, HallServerMessage, PlayerId, Seek, SeekId};

use super::{
    DAY_MS, EVERYBODY, Hall, LONG_MS, is_correspondence,
    proposals::{Added, Body, OpenSeek},
};
use crate::{auth::Visitor, error::Error};

/// Number of seeks that a visitor is shown, the newest ones.
const SHOWN: usize = 200;

impl Hall {
    /// Returns the newest seeks, and all of the player's own, newest first; and the ids of the player's own.
    pub(super) async fn seeks(&self, player: &PlayerId) -> Result<(Vec<Seek>, Vec<SeekId>), Error> {
        let (mut seeks, mut mine) = (Vec::new(), Vec::new());
        for (id, seek) in self.seeks_for(player) {
            if seek.0.from == *player {
                mine.push(id.clone());
            }
            seeks.push(self.seek(id, &seek).await?);
        }
        Ok((seeks, mine))
    }

    fn seeks_for(&self, player: &PlayerId) -> Vec<(SeekId, OpenSeek)> {
        let open = self.open();
        let mut seeks = open.seeks.iter().collect::<Vec<_>>();
        seeks.sort_unstable_by_key(|(id, seek)| Reverse((seek.0.created_at, id.as_str())));
        let shown = seeks.into_iter().enumerate();
        let shown = shown.filter(|(place, (_, seek))| *place < SHOWN || seek.0.from == *player);
        shown.map(|(_, (id, seek))| (id.clone(), seek.clone())).collect()
    }

    async fn seek(&self, id: SeekId, seek: &OpenSeek) -> Result<Seek, Error> {
        let OpenSeek(posting) = seek;
        Ok(Seek {
            id,
            name: self.parts.names.of(&posting.from).await?,
            color: posting.body.color,
            settings: posting.body.settings.clone(),
            created_at: posting.created_at,
        })
    }

    pub(crate) async fn create_seek(
        &self,
        visitor: &Visitor,
        address: IpAddr,
        request: CreateSeek,
    ) -> Result<SeekId, Error> {
        let terms = self.parts.games.creator.terms(&request.settings)?;
        self.parts.games.creator.may_sit(&visitor.player, terms.options.clock).await?;
        let id = SeekId::from_random(self.parts.entropy.random()?);
        let body = Body { command: request.command, color: request.color, settings: request.settings };
        let kept = is_correspondence(&body.settings);
        let lasts_ms = if kept { LONG_MS } else { DAY_MS };
        let seek = OpenSeek(self.posting((visitor, address), body, lasts_ms, kept)?);
        if let Added::Repeated(id) = self.add(&id, &seek).await? {
            return Ok(id);
        }
        let seek = self.seek(id.clone(), &seek).await?;
        self.publish(EVERYBODY, &HallServerMessage::SeekAdded { seek }).await;
        Ok(id)
    }

    pub(crate) async fn accept_seek(&self, player: &PlayerId, id: &SeekId) -> Result<GameId, Error> {
        let seek = self.open().seeks.get(id).cloned().ok_or(Error::SeekNotFound)?;
        if seek.0.from == *player {
            return Err(Error::OwnSeek);
        }
        self.accept(player, id, &seek, Error::SeekNotFound).await
    }

    pub(crate) async fn withdraw_seek(&self, player: &PlayerId, id: &SeekId) -> Result<(), Error> {
        let seek = self.open().seeks.get(id).cloned().ok_or(Error::SeekNotFound)?;
        if seek.0.from != *player {
            return Err(Error::NotYours);
        }
        self.take::<OpenSeek>(id).await?;
        self.publish_end(id, &seek).await;
        Ok(())
    }
}
