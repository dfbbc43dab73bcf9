//! Changes to the hall's lists. This process makes and publishes changes, receives those of other processes,
//! and reads from the store those that it has missed.

use std::{collections::HashSet, sync::Arc};

use adoube_bus::{Delivery, Notice, Subscription};
use adoube_protocol::{GameId, GameNews, HallServerMessage, Millis, PlayerId};
use adoube_store::VisitorList;
use serde::{Deserialize, Serialize};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::{
    Hall, LISTS_TOPIC, MEMBERS_TOPIC, PACE, RESTART_GRACE_MS, TOPIC, people_for,
    proposals::{Body, OpenProposal, PublishedProposal, Recipient},
};
use crate::{
    audience,
    error::{Error, LogError, causes},
};

/// A change to the hall that has been committed to the store.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "change")]
pub(super) enum Change {
    Added { proposal: PublishedProposal },
    Ended { id: String, started: Option<Started> },
}

/// The game that began when a proposal was accepted.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Started {
    pub(super) maker: PlayerId,
    pub(super) game: GameId,
}

impl Hall {
    /// Sends a message to the hall sockets in this process that subscribe to a topic.
    fn send(&self, topic: &str, message: &HallServerMessage) {
        let Some(topic) = self.sockets.topic(topic) else { return };
        match serde_json::to_vec(message) {
            Ok(body) => {
                topic.sender().notice(Notice { sequence: 0, audience: audience::ALL, body: body.into() });
            }
            Err(error) => tracing::error!(%error, "a message cannot be serialized"),
        }
    }

    /// Sends a message to all sockets in this process that receive the lists.
    fn send_lists(&self, message: &HallServerMessage) {
        for topic in [LISTS_TOPIC, MEMBERS_TOPIC] {
            self.send(topic, message);
        }
    }

    /// Publishes a change to all processes, including this one.
    pub(super) async fn publish(&self, change: &Change) {
        let body = match serde_json::to_vec(change) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, "a change to the hall cannot be serialized");
                return;
            }
        };
        let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
        if let Err(error) = self.parts.bus.publish(TOPIC, notice).await {
            tracing::warn!(%error, "could not publish a change to the hall; other servers will read it from the store");
        }
    }

    /// Removes a proposal that has ended from the copy in memory, and publishes the change.
    pub(super) async fn end(&self, id: &str, started: Option<Started>) {
        self.apply_ended(id, started.as_ref()).await;
        self.publish(&Change::Ended { id: id.to_owned(), started }).await;
    }

    pub(super) async fn apply_added(&self, posted: PublishedProposal) -> Result<(), Error> {
        let Some(new) = self.parse(posted).await? else { return Ok(()) };
        let version = self.open().add(&new);
        if let Some(version) = version {
            self.send_added(&new, version).await?;
        }
        Ok(())
    }

    async fn apply_ended(&self, id: &str, started: Option<&Started>) {
        let ended = self.open().end(id);
        if let Some((ended, version)) = ended {
            self.send_ended(&ended, version);
        }
        // The proposal has ended even if its maker cannot be notified; the maker's list shows the game.
        if let Some(Started { maker, game }) = started
            && let Err(error) = self.send_started(id, maker, game).await
        {
            error.log();
            tracing::warn!(%game, code = error.code(), "could not notify a player that a game has started");
        }
    }

    /// Notifies a proposal's maker that the game has begun, unless the maker has been notified before.
    async fn send_started(&self, id: &str, maker: &PlayerId, game: &GameId) -> Result<(), Error> {
        if self.sockets.topic(maker.as_str()).is_none() {
            return Ok(());
        }
        let message = self.parts.games.news.message(game, maker, GameNews::Started).await?;
        if self.open().mark_maker_notified(id) {
            self.send(maker.as_str(), &message);
        }
        Ok(())
    }

    async fn send_added(&self, new: &OpenProposal, version: u64) -> Result<(), Error> {
        let Some(to) = &new.to else {
            if let Some(seek) = self.seek(new).await? {
                let message = |mine| HallServerMessage::SeekAdded { seek: seek.clone(), mine, version };
                self.send_lists(&message(false));
                self.send(new.from.as_str(), &message(true));
            }
            return Ok(());
        };
        if let Some(challenge) = self.challenge(new).await? {
            let message = HallServerMessage::Challenge { challenge, version };
            self.send(new.from.as_str(), &message);
            self.send(to.player.as_str(), &message);
        }
        Ok(())
    }

    fn send_ended(&self, ended: &OpenProposal, version: u64) {
        let Some(to) = &ended.to else {
            if let Ok(id) = ended.id.parse() {
                let message = HallServerMessage::SeekRemoved { id, version };
                self.send_lists(&message);
                self.send(ended.from.as_str(), &message);
            }
            return;
        };
        if let Ok(id) = ended.id.parse() {
            let message = HallServerMessage::ChallengeGone { id, version };
            self.send(ended.from.as_str(), &message);
            self.send(to.player.as_str(), &message);
        }
    }

    /// Parses a proposal. Returns `None` if it cannot be read, or if its recipient's account has been
    /// deleted.
    async fn parse(&self, posted: PublishedProposal) -> Result<Option<OpenProposal>, Error> {
        let PublishedProposal { id, from, to, body, created_at, expires_at, needs_maker } = posted;
        let body = match Body::read(&body) {
            Ok(body) => body,
            Err(error) => {
                log_unreadable(&id, &error);
                return Ok(None);
            }
        };
        let to = match to {
            None => None,
            Some(player) => {
                let Some(name) = self.parts.names.of(&player).await? else { return Ok(None) };
                Some(Recipient { player, name })
            }
        };
        let is_valid = match to {
            None => id.parse::<adoube_protocol::SeekId>().is_ok(),
            Some(_) => id.parse::<adoube_protocol::ChallengeId>().is_ok(),
        };
        if !is_valid {
            log_unreadable(&id, &LogError::ProposalId(id.clone()));
            return Ok(None);
        }
        Ok(Some(OpenProposal { id, from, to, body, created_at, expires_at, needs_maker }))
    }

    /// Reads all proposals from the store, and sends the differences to this process's sockets.
    pub(super) async fn reload(&self) -> Result<(), Error> {
        let _one_at_a_time = self.read_lock.lock().await;
        self.open().begin_reading();
        let list = self.parts.store.list_proposals(self.parts.clock.now()).await?;
        let mut read = Vec::with_capacity(list.proposals.len());
        for proposal in list.proposals {
            read.extend(self.parse(proposal.into()).await?);
        }
        let difference = self.open().replace(list.version, read);
        for (ended, version) in difference.ended {
            self.send_ended(&ended, version);
            // If the proposal was accepted, its maker must learn the id of the game.
            let game = self.parts.games.creator.created_by(&ended.id, &ended.from).await?;
            if let Some(game) = game {
                self.send_started(&ended.id, &ended.from, &game).await?;
            }
        }
        for (new, version) in difference.added {
            self.send_added(&new, version).await?;
        }
        Ok(())
    }

    /// Applies the changes from all processes, sends presence and the list of games, and removes proposals
    /// that have expired or whose makers have left, until `stop` is cancelled.
    pub(crate) async fn run(self: Arc<Self>, mut changes: Box<dyn Subscription>, stop: CancellationToken) {
        let rounds = tokio::spawn(Arc::clone(&self).run_rounds(stop.clone()));
        loop {
            let delivery = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                delivery = changes.next() => delivery,
            };
            let applied = match delivery {
                Delivery::Notice(notice) => match serde_json::from_slice(&notice.body) {
                    Ok(Change::Added { proposal }) => self.apply_added(proposal).await,
                    Ok(Change::Ended { id, started }) => {
                        self.apply_ended(&id, started.as_ref()).await;
                        Ok(())
                    }
                    // Published by a process that runs a newer version.
                    Err(_) => self.reload().await,
                },
                Delivery::Lost => self.reload().await,
                Delivery::Closed => break,
            };
            if let Err(error) = applied {
                // A change that was not counted is read from the store in the next round if the store is
                // shared. If it was counted, only its message was lost; the next pong tells pages that a
                // change to the lists is missing.
                error.log();
                tracing::warn!(code = error.code(), "could not apply a change to the hall");
            }
        }
        let _ = rounds.await;
    }

    async fn run_rounds(self: Arc<Self>, stop: CancellationToken) {
        let mut rounds = tokio::time::interval(PACE);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut sent_visitors, mut sent_games) = (VisitorList::default(), Vec::new());
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = rounds.tick() => {}
            }
            for result in [self.catch_up().await, self.sweep().await] {
                if let Err(error) = result {
                    error.log();
                }
            }
            if [LISTS_TOPIC, MEMBERS_TOPIC].iter().all(|topic| self.sockets.topic(topic).is_none()) {
                continue;
            }
            match self.visitors().await {
                Ok(visitors) if visitors != sent_visitors => {
                    for (topic, is_member) in [(LISTS_TOPIC, false), (MEMBERS_TOPIC, true)] {
                        let people = people_for(is_member, &visitors);
                        self.send(topic, &HallServerMessage::People { people });
                    }
                    sent_visitors = visitors;
                }
                Ok(_) => {}
                Err(error) => error.log(),
            }
            match self.games().await {
                Ok(games) if games != sent_games => {
                    sent_games.clone_from(&games);
                    self.send_lists(&HallServerMessage::Games { games });
                }
                Ok(_) => {}
                Err(error) => error.log(),
            }
        }
    }

    /// Reads changes whose notices this process has missed. Without this check, the loss of the last notice
    /// would remain undetected.
    async fn catch_up(&self) -> Result<(), Error> {
        self.open().forget_ended();
        if !self.parts.store.is_shared() {
            return Ok(());
        }
        let versions = self.parts.store.versions().await?;
        self.parts.changes.compare(versions.house).await;
        if versions.proposals != self.open().stored {
            self.reload().await?;
        }
        Ok(())
    }

    /// Deletes proposals that have expired, and those that need their maker's presence, once the maker has
    /// left the hall.
    async fn sweep(&self) -> Result<(), Error> {
        let now = self.parts.clock.now();
        let grace_ms = i64::try_from(self.parts.grace.as_millis()).unwrap_or(i64::MAX);
        let (mut ended, orphans) = {
            let open = self.open();
            let expired = open.open.values().filter(|open| open.expires_at <= now);
            let orphan = |open: &&OpenProposal| {
                open.needs_maker
                    && now.0.saturating_sub(open.created_at.0) >= grace_ms
                    && self.is_away(&open.from, now, grace_ms)
            };
            let orphans = open.open.values().filter(orphan);
            (
                expired.map(|open| open.id.clone()).collect::<Vec<_>>(),
                orphans.map(|open| (open.id.clone(), open.from.clone())).collect::<Vec<_>>(),
            )
        };
        if self.parts.store.is_shared() && !orphans.is_empty() {
            // The makers may be connected to another node, or may have left another node more recently.
            let makers = orphans.iter().map(|(_, maker)| maker.clone()).collect::<Vec<_>>();
            let absent = self.parts.store.list_absent(&makers, Millis(now.0 - grace_ms)).await?;
            let absent = absent.into_iter().collect::<HashSet<_>>();
            ended.extend(orphans.into_iter().filter(|(_, maker)| absent.contains(maker)).map(|(id, _)| id));
        } else {
            ended.extend(orphans.into_iter().map(|(id, _)| id));
        }
        for id in ended {
            self.delete_proposal(&id).await?;
        }
        Ok(())
    }

    /// Returns `true` if, as far as this process knows, a player has had no hall socket for at least the
    /// given time.
    fn is_away(&self, player: &PlayerId, now: Millis, at_least_ms: i64) -> bool {
        let away_ms = self.parts.presence.away_from_hall_ms(player, now);
        // Players who were connected before this process started get time to reconnect.
        let up_ms = now.0.saturating_sub(self.started_at.0);
        away_ms.map_or(up_ms >= at_least_ms.max(RESTART_GRACE_MS), |away_ms| away_ms >= at_least_ms)
    }
}

fn log_unreadable(id: &str, error: &LogError) {
    tracing::error!(proposal = id, error = %causes(error), "skipped a seek or challenge that cannot be read");
}
