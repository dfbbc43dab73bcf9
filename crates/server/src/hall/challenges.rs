//! Challenges: creating, listing, accepting, declining and withdrawing.

use std::net::IpAddr;

use adoube_protocol::{
    Challenge, ChallengeId, ChallengeList, CreateChallenge, GameId, HallServerMessage, PlayerId,
};

use super::{
    DAY_MS, Hall, LONG_MS, is_correspondence,
    proposals::{Added, Body, OpenChallenge, Proposed as _, Recipient},
};
use crate::{auth::Visitor, error::Error};

impl Hall {
    /// Returns the challenges that a player has sent and received, oldest first.
    pub(crate) async fn challenges(&self, player: &PlayerId) -> Result<ChallengeList, Error> {
        let mut list = ChallengeList::default();
        // At most those of one player, and those to one player.
        let concerned = {
            let open = self.open();
            let concerned = open.challenges.iter().filter(|(_, challenge)| challenge.concerns(player));
            concerned.map(|(id, challenge)| (id.clone(), challenge.clone())).collect::<Vec<_>>()
        };
        for (id, challenge) in concerned {
            let is_sent = challenge.posting.from == *player;
            let challenge = self.challenge(id, &challenge).await?;
            if is_sent { list.sent.push(challenge) } else { list.received.push(challenge) }
        }
        list.sent.sort_by_key(|challenge| challenge.created_at);
        list.received.sort_by_key(|challenge| challenge.created_at);
        Ok(list)
    }

    async fn challenge(&self, id: ChallengeId, challenge: &OpenChallenge) -> Result<Challenge, Error> {
        let OpenChallenge { posting, to } = challenge;
        Ok(Challenge {
            id,
            from: self.parts.names.of(&posting.from).await?,
            to: to.name.clone(),
            color: posting.body.color,
            settings: posting.body.settings.clone(),
            created_at: posting.created_at,
        })
    }

    pub(crate) async fn create_challenge(
        &self,
        visitor: &Visitor,
        address: IpAddr,
        request: CreateChallenge,
    ) -> Result<ChallengeId, Error> {
        let terms = self.parts.games.creator.terms(&request.settings)?;
        self.parts.games.creator.may_sit(&visitor.player, terms.options.clock).await?;
        let to = self.parts.store.lookup_account_by_name(&request.to).await?.ok_or(Error::PlayerNotFound)?;
        if to.player == visitor.player {
            return Err(Error::OwnChallenge);
        }
        let id = ChallengeId::from_random(self.parts.entropy.random()?);
        let body = Body { command: request.command, color: request.color, settings: request.settings };
        let lasts_ms = if is_correspondence(&body.settings) { LONG_MS } else { DAY_MS };
        // An identity without an account costs nothing, so its challenge lasts as long as its socket, like a
        // live seek.
        let kept = visitor.session.is_some();
        let challenge = OpenChallenge {
            posting: self.posting((visitor, address), body, lasts_ms, kept)?,
            to: Recipient { player: to.player, name: to.name },
        };
        if let Added::Repeated(id) = self.add(&id, &challenge).await? {
            return Ok(id);
        }
        let shown = self.challenge(id.clone(), &challenge).await?;
        for topic in challenge.topics() {
            self.publish(&topic, &HallServerMessage::Challenge { challenge: shown.clone() }).await;
        }
        Ok(id)
    }

    pub(crate) async fn accept_challenge(
        &self,
        player: &PlayerId,
        id: &ChallengeId,
    ) -> Result<GameId, Error> {
        let challenge = self.challenge_of(player, id)?;
        if challenge.posting.from == *player {
            return Err(Error::OwnChallenge);
        }
        self.accept(player, id, &challenge, Error::ChallengeNotFound).await
    }

    /// Declines a challenge, or withdraws the player's own.
    pub(crate) async fn end_challenge(&self, player: &PlayerId, id: &ChallengeId) -> Result<(), Error> {
        let challenge = self.challenge_of(player, id)?;
        self.take::<OpenChallenge>(id).await?;
        self.publish_end(id, &challenge).await;
        Ok(())
    }

    /// Returns a challenge that the player has made or received. Others do not learn that it exists.
    fn challenge_of(&self, player: &PlayerId, id: &ChallengeId) -> Result<OpenChallenge, Error> {
        let open = self.open();
        let challenge = open.challenges.get(id).filter(|challenge| challenge.concerns(player));
        challenge.cloned().ok_or(Error::ChallengeNotFound)
    }
}
