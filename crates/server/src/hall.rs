//! The hall: who is present, open seeks and challenges, and the games that can be watched.
//!
//! A seek for a live game is held in memory only and ends when its maker leaves; so does a challenge by a player without an account. A
//! seek for correspondence and a challenge by an account are stored, and the store decides who accepts them first.

mod challenges;
mod presence;
mod proposals;
mod seeks;

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_bus::{Bus, Notice, Subscription};
use adoube_protocol::{
    ChallengeId, GameId, GameSettings, GameSummary, Hall as Shown, HallServerMessage, Millis, PlayerId,
    SeekId, TimeControl,
};
use adoube_store::Store;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use presence::Presence;
pub(crate) use presence::{PresenceGuard, Room};
use proposals::{Added, Body, OpenChallenge, OpenProposals, OpenSeek, Posting, Proposed, Recipient};

use crate::{
    audience,
    auth::Visitor,
    clock::Clock,
    entropy::Entropy,
    error::{Error, LogError, causes},
    games::Games,
    limits, listed,
    names::Names,
};

/// The topic of messages to all visitors of the hall. No game has an id of that length.
const EVERYBODY: &str = "hall";
/// Interval at which changes of presence and of the list of games are published.
const PACE: Duration = Duration::from_secs(1);
/// A live seek outlives its maker's last socket by this much, so that reloading the page keeps it.
const GRACE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Lifetime of proposals for correspondence.
const LONG_MS: i64 = 14 * DAY_MS;
/// Maximum size of a stored body; a position and some choices take a few hundred bytes.
const BODY_BYTES: usize = 1_024;
/// Maximum length of the list of games.
const GAMES: u32 = 50;

#[derive(Debug)]
pub(crate) struct Hall {
    parts: Parts,
    open: Mutex<OpenProposals>,
    presence: Arc<Presence>,
}

/// The services that the hall depends on.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) names: Arc<Names>,
    pub(crate) games: Arc<Games>,
}

impl Hall {
    /// Returns a hall with the proposals that are stored.
    pub(crate) async fn load(parts: Parts) -> Result<Self, Error> {
        let mut open = OpenProposals::default();
        for proposal in parts.store.list_proposals(parts.clock.now()).await? {
            let unreadable = |error: LogError| {
                tracing::error!(proposal = proposal.id, error = %causes(&error), "a seek or a challenge cannot be read and is left out");
            };
            let Ok(body) = Body::read(&proposal.body).map_err(unreadable) else { continue };
            let posting = Posting {
                from: proposal.from,
                body,
                created_at: proposal.created_at,
                expires_at: proposal.expires_at,
                kept: true,
                signed_in: true,
                address: None,
            };
            let broken = || unreadable(LogError::ProposalId(proposal.id.clone()));
            match proposal.to {
                None => {
                    let Ok(id) = proposal.id.parse::<SeekId>().map_err(|_| broken()) else { continue };
                    open.seeks.insert(id, OpenSeek(posting));
                }
                Some(player) => {
                    let Ok(id) = proposal.id.parse::<ChallengeId>().map_err(|_| broken()) else { continue };
                    // Without a name, the account has been deleted.
                    if let Some(name) = parts.names.of(&player).await? {
                        let to = Recipient { player, name };
                        open.challenges.insert(id, OpenChallenge { posting, to });
                    }
                }
            }
        }
        Ok(Self { parts, open: Mutex::new(open), presence: Arc::default() })
    }

    fn open(&self) -> MutexGuard<'_, OpenProposals> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of open seeks and challenges.
    pub(crate) fn proposal_count(&self) -> usize {
        self.open().len()
    }

    /// Marks the player present until the returned guard is dropped.
    pub(crate) fn enter(&self, player: &PlayerId, name: Option<String>, room: Room) -> PresenceGuard {
        self.presence.enter(player, name, room, Arc::clone(&self.parts.clock))
    }

    /// Returns the hall as a visitor sees it.
    pub(crate) async fn show(&self, player: &PlayerId) -> Result<Shown, Error> {
        let (seeks, mine) = self.seeks(player).await?;
        Ok(Shown {
            seeks,
            mine,
            challenges: self.challenges(player).await?,
            people: self.presence.people(),
            games: self.games().await?,
        })
    }

    async fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let listed = self.parts.store.list_public(GAMES).await?;
        Ok(listed::listed_games(&listed))
    }

    fn posting(
        &self,
        (visitor, address): (&Visitor, IpAddr),
        body: Body,
        lasts_ms: i64,
        kept: bool,
    ) -> Result<Posting, Error> {
        // A FEN could be followed by anything.
        if body.write()?.len() > BODY_BYTES {
            return Err(Error::TooLarge(BODY_BYTES));
        }
        let now = self.parts.clock.now();
        Ok(Posting {
            from: visitor.player.clone(),
            body,
            created_at: now,
            expires_at: Millis(now.0 + lasts_ms),
            kept,
            signed_in: visitor.session.is_some(),
            address: Some(limits::home_network(address)),
        })
    }

    /// Adds a proposal, and stores it if it is to be kept.
    async fn add<P: Proposed>(&self, id: &P::Id, new: &P) -> Result<Added<P::Id>, Error> {
        // Under one lock: of two requests at the same time, the second sees the first.
        if let Added::Repeated(id) = self.open().add(id.clone(), new.clone())? {
            return Ok(Added::Repeated(id));
        }
        if new.posting().kept
            && let Err(error) = self.store_proposal(id, new).await
        {
            P::table(&mut self.open()).remove(id);
            return Err(error);
        }
        Ok(Added::New)
    }

    async fn store_proposal<P: Proposed>(&self, id: &P::Id, new: &P) -> Result<(), Error> {
        Ok(self.parts.store.add_proposal(new.stored(id)?).await?)
    }

    /// Begins the game of a proposal that a player accepts; fails with `gone` if another player was faster.
    async fn accept<P: Proposed>(
        &self,
        player: &PlayerId,
        id: &P::Id,
        proposal: &P,
        gone: Error,
    ) -> Result<GameId, Error> {
        let posting = proposal.posting();
        let terms = self.parts.games.creator.terms(&posting.body.settings)?;
        self.parts.games.creator.may_sit(player, terms.options.clock).await?;
        let is_taken = self.take::<P>(id).await?;
        self.publish_end(id, proposal).await;
        if !is_taken {
            return Err(gone);
        }
        let proposer = (&posting.from, posting.body.color);
        let game = self.parts.games.creator.create_between(proposer, player, terms, &id.to_string()).await?;
        let started = HallServerMessage::GameStarted { id: game.clone() };
        self.publish(&private_topic(&posting.from), &started).await;
        Ok(game)
    }

    /// Removes a proposal. Returns `true` if it was still open: if several requests race, one gets `true`.
    async fn take<P: Proposed>(&self, id: &P::Id) -> Result<bool, Error> {
        let Some(proposal) = P::table(&mut self.open()).remove(id) else { return Ok(false) };
        if !proposal.posting().kept {
            return Ok(true);
        }
        match self.parts.store.delete_proposal(&id.to_string()).await {
            Ok(taken) => Ok(taken),
            Err(error) => {
                P::table(&mut self.open()).insert(id.clone(), proposal);
                Err(error.into())
            }
        }
    }

    /// Removes all proposals by and to a player whose account is deleted.
    pub(crate) async fn forget(&self, player: &PlayerId) {
        self.remove_all(|seek: &OpenSeek| seek.0.from == *player).await;
        self.remove_all(|challenge: &OpenChallenge| challenge.concerns(player)).await;
    }

    async fn remove_all<P: Proposed>(&self, is_gone: impl Fn(&P) -> bool) {
        let gone = {
            let mut open = self.open();
            P::table(&mut open).extract_if(|_, proposal| is_gone(proposal)).collect::<Vec<_>>()
        };
        for (id, proposal) in gone {
            // The store has deleted them with the account, except one that was made at the same moment.
            if proposal.posting().kept
                && let Err(error) = self.parts.store.delete_proposal(&id.to_string()).await
            {
                Error::from(error).log();
            }
            self.publish_end(&id, &proposal).await;
        }
    }

    /// Subscribes to the messages for all visitors of the hall, and to those for one player.
    pub(crate) async fn subscribe(
        &self,
        player: &PlayerId,
    ) -> Result<(Box<dyn Subscription>, Box<dyn Subscription>), Error> {
        let failed = |error| {
            tracing::error!(%error, "the bus refused a subscription");
            Error::Internal("the bus does not answer")
        };
        let all = self.parts.bus.subscribe(EVERYBODY).await.map_err(failed)?;
        Ok((all, self.parts.bus.subscribe(&private_topic(player)).await.map_err(failed)?))
    }

    async fn publish_end<P: Proposed>(&self, id: &P::Id, proposal: &P) {
        for topic in proposal.topics() {
            self.publish(&topic, &P::ended(id.clone())).await;
        }
    }

    async fn publish(&self, topic: &str, message: &HallServerMessage) {
        let Ok(body) = serde_json::to_vec(message) else { return };
        let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
        if let Err(error) = self.parts.bus.publish(topic, notice).await {
            tracing::warn!(%error, "a message to the hall was not published");
        }
    }

    /// Publishes presence and games, and removes proposals that have expired or whose makers have left, until `stop`.
    pub(crate) async fn keep(self: Arc<Self>, stop: CancellationToken) {
        let mut rounds = tokio::time::interval(PACE);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut shown = Vec::new();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = rounds.tick() => {}
            }
            self.sweep::<OpenSeek>().await;
            self.sweep::<OpenChallenge>().await;
            if let Some(people) = self.presence.news() {
                self.publish(EVERYBODY, &HallServerMessage::People { people }).await;
            }
            if self.presence.is_hall_empty() {
                continue;
            }
            match self.games().await {
                Ok(games) if games != shown => {
                    shown.clone_from(&games);
                    self.publish(EVERYBODY, &HallServerMessage::Games { games }).await;
                }
                Ok(_) => {}
                Err(error) => error.log(),
            }
        }
    }

    async fn sweep<P: Proposed>(&self) {
        let now = self.parts.clock.now();
        let has_left = |posting: &Posting| {
            !posting.kept
                && now.0.saturating_sub(posting.created_at.0) >= GRACE_MS
                && self
                    .presence
                    .away_from_hall_ms(&posting.from, now)
                    .is_none_or(|away_ms| away_ms >= GRACE_MS)
        };
        let gone = {
            let mut open = self.open();
            let is_gone = |proposal: &P| {
                let posting = proposal.posting();
                posting.expires_at <= now || has_left(posting)
            };
            let gone = P::table(&mut open).iter().filter(|(_, proposal)| is_gone(proposal));
            gone.map(|(id, proposal)| (id.clone(), proposal.clone())).collect::<Vec<_>>()
        };
        for (id, proposal) in gone {
            match self.take::<P>(&id).await {
                Ok(_) => self.publish_end(&id, &proposal).await,
                Err(error) => error.log(),
            }
        }
    }
}

/// Returns the topic of messages to one player.
fn private_topic(player: &PlayerId) -> String {
    format!("to {player}")
}

fn is_correspondence(settings: &GameSettings) -> bool {
    matches!(settings.time_control, Some(TimeControl::Correspondence { .. }))
}
