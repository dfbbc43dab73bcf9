//! Creates, lists, accepts, declines and withdraws challenges.

use std::net::IpAddr;

use adoube_protocol::{
    Challenge, ChallengeId, ChallengeList, CreateChallenge, GameId, OpponentChoice, PlayerId,
};

use super::{
    Hall,
    proposals::{Body, OpenProposal, Recipient},
};
use crate::{auth::Visitor, error::Error};

impl Hall {
    /// Returns the challenges that a player has sent and received, oldest first.
    pub(crate) async fn challenges(&self, player: &PlayerId) -> Result<ChallengeList, Error> {
        let mut list = ChallengeList::default();
        // There are only a few, because the number of challenges from and to one player is limited.
        let challenges = {
            let open = self.open();
            let challenges = open.open.values().filter(|open| open.to.is_some() && open.concerns(player));
            challenges.cloned().collect::<Vec<_>>()
        };
        for open in challenges {
            let Some(challenge) = self.challenge(&open).await? else { continue };
            if open.from == *player { list.sent.push(challenge) } else { list.received.push(challenge) }
        }
        list.sent.sort_by_key(|challenge| challenge.created_at);
        list.received.sort_by_key(|challenge| challenge.created_at);
        Ok(list)
    }

    /// Returns a challenge as its two players see it.
    pub(super) async fn challenge(&self, open: &OpenProposal) -> Result<Option<Challenge>, Error> {
        let (Some(to), Ok(id)) = (&open.to, open.id.parse()) else { return Ok(None) };
        Ok(Some(Challenge {
            id,
            from: self.parts.names.of(&open.from).await?,
            to: to.name.clone(),
            color: open.body.color,
            settings: open.body.settings.clone(),
            created_at: open.created_at,
        }))
    }

    pub(crate) async fn create_challenge(
        &self,
        visitor: &Visitor,
        address: IpAddr,
        request: CreateChallenge,
    ) -> Result<ChallengeId, Error> {
        let terms = self.parts.games.creator.terms(&request.settings, OpponentChoice::Friend)?;
        self.parts.games.creator.check_seat_allowed(&visitor.player, terms.options.clock).await?;
        let to =
            self.parts.store.lookup_account_by_typed_name(&request.to).await?.ok_or(Error::PlayerNotFound)?;
        if to.player == visitor.player {
            return Err(Error::OwnChallenge);
        }
        self.parts.blocks.check_contact(&visitor.player, &to.player).await?;
        let id = ChallengeId::from_random(self.parts.entropy.random()?).to_string();
        let body = Body { command: request.command, color: request.color, settings: request.settings };
        let to = Recipient { player: to.player, name: to.name };
        // An anonymous identity costs nothing, so its challenges end some time after it has left the hall.
        let needs_maker = visitor.session.is_none();
        let id = self.post((visitor, address), (id, Some(to), body), needs_maker).await?;
        id.parse().map_err(|_| Error::CommandUsed)
    }

    pub(crate) async fn accept_challenge(
        &self,
        player: &PlayerId,
        id: &ChallengeId,
    ) -> Result<GameId, Error> {
        let Some(challenge) = self.find_challenge(player, id).await? else {
            return self.accepted(player, id.as_str(), Error::ChallengeNotFound).await;
        };
        if challenge.from == *player {
            return Err(Error::OwnChallenge);
        }
        self.accept(player, &challenge, Error::ChallengeNotFound).await
    }

    /// Declines a challenge that the player has received, or withdraws one that the player has made.
    pub(crate) async fn end_challenge(&self, player: &PlayerId, id: &ChallengeId) -> Result<(), Error> {
        let challenge = self.find_challenge(player, id).await?.ok_or(Error::ChallengeNotFound)?;
        self.delete_proposal(&challenge.id).await
    }

    /// Returns a challenge that the player has made or received. Other players get `None`, because they must
    /// not learn that it exists.
    async fn find_challenge(
        &self,
        player: &PlayerId,
        id: &ChallengeId,
    ) -> Result<Option<OpenProposal>, Error> {
        let found = self.find(id.as_str()).await?;
        Ok(found.filter(|open| open.to.is_some() && open.concerns(player)))
    }
}
