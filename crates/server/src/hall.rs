//! The hall: the visitors who are online, the open seeks and challenges, and the games that can be watched.
//!
//! Seeks and challenges are in the store, which decides who accepts them first. Each process keeps a copy in
//! memory (`proposals`). It publishes its own changes, applies those of other processes, and notifies its own
//! sockets, which subscribe within the process.
//!
//! Every page of the site has a hall socket. When a player closes the last one, the player's seeks end unless
//! they are for correspondence games. A challenge ends then too if its maker has no account. Except for
//! correspondence games, a game never begins while the maker of its proposal has no socket open.

mod challenges;
mod changes;
mod presence;
mod proposals;
mod seeks;

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_bus::{Bus, FanOut, Subscription};
use adoube_protocol::{
    GameId, GameSettings, GameSummary, Hall as HallView, Millis, OpponentChoice, OwnProposals, People,
    PlayerId, PresenceAudience, TimeControl,
};
use adoube_store::{Proposal, ProposalAdded, Store, TokenHash, VisitorList};
use sha2::{Digest as _, Sha256};

use changes::{Change, Started};
use presence::people_for;
pub(crate) use presence::{Presence, PresenceGuard, Room};
use proposals::{Body, LIMITS, OpenProposal, OpenProposals, PublishedProposal, Recipient, SEEK_LIMITS, full};

use crate::{
    auth::Visitor,
    blocks::BlockCache,
    changes::Changes,
    clock::Clock,
    entropy::Entropy,
    error::Error,
    games::Games,
    limits, listed,
    names::{Names, Profile},
};

/// The topic on which the processes of a house publish changes to the hall. It cannot be the topic of a game,
/// because game ids have a different length.
const TOPIC: &str = "hall";
/// The topics, within this process, of messages to sockets that receive the lists: one for visitors who are
/// not signed in, and one for members. Each player has a topic too, which is the player's id.
const LISTS_TOPIC: &str = "";
const MEMBERS_TOPIC: &str = "members";
/// The interval at which changes in presence and in the list of games are sent, and lost notices are
/// detected.
const PACE: Duration = Duration::from_secs(1);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// The time for players to reconnect after this process starts. Their pages retry with growing delays.
const RESTART_GRACE_MS: i64 = 60 * 1000;
/// The lifetime of proposals for correspondence games.
const CORRESPONDENCE_LIFETIME_MS: i64 = 14 * DAY_MS;
/// The maximum size of a stored body. A position and the other settings take a few hundred bytes.
const BODY_BYTES: usize = 1_024;
/// The maximum length of the list of games.
const GAMES: u32 = 50;

#[derive(Debug)]
pub(crate) struct Hall {
    parts: Parts,
    open: Mutex<OpenProposals>,
    /// Held while the proposals are read from the store.
    read_lock: tokio::sync::Mutex<()>,
    /// Held while a visitor is paired with the maker of a seek.
    pairing: tokio::sync::Mutex<()>,
    /// The hall sockets in this process.
    sockets: FanOut<()>,
    started_at: Millis,
}

/// The services that the hall uses.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) names: Arc<Names>,
    pub(crate) games: Arc<Games>,
    pub(crate) blocks: Arc<BlockCache>,
    pub(crate) changes: Arc<Changes>,
    pub(crate) presence: Arc<Presence>,
    /// The salt for the stored hashes of networks.
    pub(crate) salt: Vec<u8>,
    /// The grace period during which a seek outlives its maker's last socket, to allow for a page reload. The
    /// seek cannot be accepted in the meantime.
    pub(crate) grace: Duration,
}

impl Hall {
    /// Returns a hall with the proposals in the store, and a subscription to all later changes, for
    /// [`run`](Self::run).
    pub(crate) async fn load(parts: Parts) -> Result<(Self, Box<dyn Subscription>), Error> {
        let changes = parts.bus.subscribe(TOPIC).await.map_err(|error| {
            tracing::error!(%error, "could not subscribe to the changes in the hall");
            Error::Internal("the bus is not responding")
        })?;
        let started_at = parts.clock.now();
        let hall = Self {
            parts,
            open: Mutex::default(),
            read_lock: tokio::sync::Mutex::default(),
            pairing: tokio::sync::Mutex::default(),
            sockets: FanOut::default(),
            started_at,
        };
        hall.reload().await?;
        Ok((hall, changes))
    }

    fn open(&self) -> MutexGuard<'_, OpenProposals> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of open seeks and challenges.
    pub(crate) fn proposal_count(&self) -> usize {
        self.open().open.len()
    }

    /// Returns the version of the hall as a visitor sees it.
    pub(crate) fn version_for(&self, player: &PlayerId) -> u64 {
        self.open().version_for(player)
    }

    /// Returns the version of a visitor's own part of the hall.
    pub(crate) fn own_version(&self, player: &PlayerId) -> u64 {
        self.open().own_version(player)
    }

    /// Marks the player present until the returned guard is dropped.
    pub(crate) fn enter(&self, player: &PlayerId, profile: Option<Profile>, room: Room) -> PresenceGuard {
        self.parts.presence.enter(player, profile, room, Arc::clone(&self.parts.clock))
    }

    /// Sets the audience that may see that a player is online. Other nodes read it from the store.
    pub(crate) fn set_shown_to(&self, player: &PlayerId, shown_to: PresenceAudience) {
        self.parts.presence.set_shown_to(player, shown_to);
    }

    /// Returns the hall as a visitor sees it. Visitors who are signed in are members.
    pub(crate) async fn show(&self, player: &PlayerId, is_member: bool) -> Result<HallView, Error> {
        // The version is read before the lists, so a change made in between has a later version and is sent.
        let version = self.version_for(player);
        let (seeks, mine) = self.seeks(player).await?;
        Ok(HallView {
            version,
            seeks,
            mine,
            challenges: self.challenges(player).await?,
            people: self.people(player, is_member).await?,
            games: self.games().await?,
        })
    }

    /// Returns a visitor's own part of the hall.
    pub(crate) async fn own_proposals(&self, player: &PlayerId) -> Result<OwnProposals, Error> {
        // The version is read before the lists, as in `show`.
        let version = self.own_version(player);
        Ok(OwnProposals {
            version,
            seeks: self.own_seeks(player).await?,
            challenges: self.challenges(player).await?,
        })
    }

    /// Returns `true` if a player has a hall socket on any node.
    pub(crate) async fn is_here(&self, player: &PlayerId) -> Result<bool, Error> {
        if self.parts.presence.is_in_hall(player) {
            return Ok(true);
        }
        if !self.parts.store.is_shared() {
            return Ok(false);
        }
        // The time is in the distant future, so a player who has left counts as absent, no matter when the
        // player left.
        Ok(self.parts.store.list_absent(std::slice::from_ref(player), Millis(i64::MAX)).await?.is_empty())
    }

    /// Returns the visitors connected to any node.
    async fn visitors(&self) -> Result<VisitorList, Error> {
        if !self.parts.store.is_shared() {
            return Ok(self.parts.presence.visitors());
        }
        Ok(self.parts.store.list_visitors(presence::NAMES).await?)
    }

    /// Returns the visitors who are online, as this visitor sees them.
    async fn people(&self, player: &PlayerId, is_member: bool) -> Result<People, Error> {
        let relations = self.parts.blocks.of(player).await?;
        let mut people = people_for(is_member, &self.visitors().await?);
        people.names.retain(|name| !relations.hides(name));
        Ok(people)
    }

    async fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let listed = self.parts.store.list_public(GAMES).await?;
        Ok(listed::listed_games(&listed))
    }

    /// Adds a seek or a challenge, only once for each command, and returns its id.
    async fn post(
        &self,
        (visitor, address): (&Visitor, IpAddr),
        (id, to, body): (String, Option<Recipient>, Body),
        needs_maker: bool,
    ) -> Result<String, Error> {
        let text = body.write()?;
        // A FEN may be followed by arbitrary text.
        if text.len() > BODY_BYTES {
            return Err(Error::TooLarge(BODY_BYTES));
        }
        let now = self.parts.clock.now();
        let lifetime_ms = if is_correspondence(&body.settings) { CORRESPONDENCE_LIFETIME_MS } else { DAY_MS };
        let new = Proposal {
            id: id.clone(),
            from: visitor.player.clone(),
            to: to.as_ref().map(|to| to.player.clone()),
            command: Some(body.command),
            body: text,
            created_at: now,
            expires_at: Millis(now.0 + lifetime_ms),
            signed_in: visitor.session.is_some(),
            needs_maker,
            origin: Some(self.origin(address)),
        };
        let limits = if to.is_none() { &SEEK_LIMITS } else { &LIMITS };
        match self.parts.store.add_proposal(new.clone(), limits).await? {
            ProposalAdded::Done => {
                let posted = PublishedProposal::from(new);
                self.apply_added(posted.clone()).await?;
                self.publish(&Change::Added { proposal: posted }).await;
                Ok(id)
            }
            ProposalAdded::Repeated(earlier) => {
                let is_same = earlier.to == new.to && Body::read(&earlier.body)? == body;
                if is_same { Ok(earlier.id) } else { Err(Error::CommandUsed) }
            }
            ProposalAdded::Full(limit) => Err(full(limit)),
        }
    }

    /// Returns a hash of an address's network, for counting proposals from the same network.
    fn origin(&self, address: IpAddr) -> TokenHash {
        let hash = Sha256::new()
            .chain_update(&self.parts.salt)
            .chain_update(limits::home_network(address).to_string());
        TokenHash(hash.finalize().into())
    }

    /// Returns an open proposal. If it is not in memory, it is looked up in the store, because another node
    /// may have just added it.
    async fn find(&self, id: &str) -> Result<Option<OpenProposal>, Error> {
        let now = self.parts.clock.now();
        {
            let open = self.open();
            if let Some(found) = open.open.get(id) {
                return Ok(Some(found.clone()).filter(|found| found.expires_at > now));
            }
            if open.has_ended(id) {
                return Ok(None);
            }
        }
        let Some(found) = self.parts.store.lookup_proposal(id, now).await? else { return Ok(None) };
        self.apply_added(found.into()).await?;
        Ok(self.open().open.get(id).cloned())
    }

    /// Accepts a proposal and begins its game. Fails with `not_found` if another player accepted it first, or
    /// if either player has blocked the other. Fails with [`Error::MakerAway`] if the proposal is not for a
    /// correspondence game and its maker has no page open. The store ends the proposal and creates the game
    /// in one transaction.
    async fn accept(
        &self,
        player: &PlayerId,
        proposal: &OpenProposal,
        not_found: Error,
    ) -> Result<GameId, Error> {
        if self.parts.blocks.of(player).await?.is_blocked_either_way(&proposal.from) {
            return Err(not_found);
        }
        let creator = &self.parts.games.creator;
        let terms = creator.terms(&proposal.body.settings, OpponentChoice::Friend)?;
        creator.check_seat_allowed(player, terms.options.clock).await?;
        if !is_correspondence(&proposal.body.settings) && !self.is_here(&proposal.from).await? {
            return Err(Error::MakerAway);
        }
        let is_live = terms.options.clock.is_live();
        let proposer = (&proposal.from, proposal.body.color);
        let game = creator.create_between(proposer, player, terms, &proposal.id).await?;
        let started = game.clone().map(|game| Started { maker: proposal.from.clone(), game });
        self.end(&proposal.id, started).await;
        let game = game.ok_or(not_found)?;
        if is_live {
            self.withdraw_live_seeks(&[&proposal.from, player]).await?;
        }
        Ok(game)
    }

    /// Withdraws the seeks of players whose live game has begun, because players are available only for
    /// correspondence games while they are playing. Their seeks for such games stay open.
    pub(crate) async fn withdraw_live_seeks(&self, players: &[&PlayerId]) -> Result<(), Error> {
        let seeks = {
            let open = self.open();
            let seeks = open.open.values();
            let seeks =
                seeks.filter(|open| open.to.is_none() && open.needs_maker && players.contains(&&open.from));
            seeks.map(|open| open.id.clone()).collect::<Vec<_>>()
        };
        for id in seeks {
            self.delete_proposal(&id).await?;
        }
        Ok(())
    }

    /// Returns the game that began when the player accepted a proposal that is no longer open. Fails with
    /// `not_found` if the player did not accept it.
    async fn accepted(&self, player: &PlayerId, id: &str, not_found: Error) -> Result<GameId, Error> {
        self.parts.games.creator.created_by(id, player).await?.ok_or(not_found)
    }

    /// Deletes a proposal and notifies the players concerned.
    async fn delete_proposal(&self, id: &str) -> Result<(), Error> {
        self.parts.store.delete_proposal(id).await?;
        self.end(id, None).await;
        Ok(())
    }

    /// Removes all proposals by and to a player whose account was deleted. The store has deleted them with
    /// the account, except those added at the same moment.
    pub(crate) async fn forget(&self, player: &PlayerId) {
        let ids = {
            let open = self.open();
            let proposals = open.open.values().filter(|open| open.concerns(player));
            proposals.map(|open| open.id.clone()).collect::<Vec<_>>()
        };
        for id in ids {
            if let Err(error) = self.delete_proposal(&id).await {
                error.log();
            }
        }
    }

    /// Removes the challenges between two players because one of them has blocked the other.
    pub(crate) async fn remove_challenges_between(&self, one: &PlayerId, other: &PlayerId) {
        let ids = {
            let open = self.open();
            let ids = open
                .open
                .values()
                .filter(|open| open.to.is_some() && open.concerns(one) && open.concerns(other));
            ids.map(|open| open.id.clone()).collect::<Vec<_>>()
        };
        for id in ids {
            if let Err(error) = self.delete_proposal(&id).await {
                error.log();
            }
        }
    }

    /// Subscribes to changes in the lists, in the form shown to members or to other visitors.
    pub(crate) fn subscribe_lists(&self, is_member: bool) -> Box<dyn Subscription> {
        let topic = if is_member { MEMBERS_TOPIC } else { LISTS_TOPIC };
        Box::new(self.sockets.subscribe(topic, |_| ()))
    }

    /// Subscribes to changes that concern only this player.
    pub(crate) fn subscribe_to_player(&self, player: &PlayerId) -> Box<dyn Subscription> {
        Box::new(self.sockets.subscribe(player.as_str(), |_| ()))
    }
}

fn is_correspondence(settings: &GameSettings) -> bool {
    matches!(settings.time_control, Some(TimeControl::Correspondence { .. }))
}
