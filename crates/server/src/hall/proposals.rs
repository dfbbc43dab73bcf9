//! This process's copy of the open seeks and challenges, which are in the store.
//!
//! Each proposal is added once and ends once, and a proposal that has ended is not added again. Therefore the
//! notices lead to the same result in any order. Both the store and this copy count the changes. If the
//! numbers differ, a notice was lost, and the store is read again.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use adoube_documents::ProposalDocument;
use adoube_protocol::{ColorChoice, CommandId, GameSettings, Millis, PlayerId};
use adoube_store::{Proposal, ProposalLimit, ProposalLimits};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::{
    error::{Error, LogError},
    stored,
};

pub(super) const LIMITS: ProposalLimits = ProposalLimits {
    per_player: 5,
    per_origin: 40,
    per_recipient_and_origin: 5,
    // Challenges from accounts are counted separately so that visitors without an account cannot crowd them
    // out.
    per_recipient: 20,
    per_kind: 4_000,
};
/// Seeks have a lower limit than challenges, because all visitors see them.
pub(super) const SEEK_LIMITS: ProposalLimits = ProposalLimits { per_kind: 1_000, ..LIMITS };
/// The period during which the end of a proposal is remembered. It is longer than a notice takes to arrive.
const END_MEMORY_TIME: Duration = Duration::from_mins(1);
/// The number of players whose last change is remembered. Once it is reached, the oldest entries are dropped.
const PLAYERS: usize = 4_096;

/// Returns the error to report when a limit is reached.
pub(super) fn full(limit: ProposalLimit) -> Error {
    let number = |limit: u32| usize::try_from(limit).unwrap_or(usize::MAX);
    match limit {
        ProposalLimit::Player => Error::TooManySeeks(number(LIMITS.per_player)),
        ProposalLimit::Origin => Error::TooManyFromHere(number(LIMITS.per_origin)),
        ProposalLimit::RecipientAndOrigin => Error::TooManyFromHere(number(LIMITS.per_recipient_and_origin)),
        ProposalLimit::Recipient => Error::TooManyChallenges(number(LIMITS.per_recipient)),
        ProposalLimit::Kind => Error::HallFull,
    }
}

/// The proposed game, which is the part of a proposal that is stored as a document.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Body {
    pub(super) command: CommandId,
    pub(super) color: ColorChoice,
    pub(super) settings: GameSettings,
}

impl Body {
    /// Parses a proposal's stored document.
    pub(super) fn read(text: &str) -> Result<Self, LogError> {
        let document: ProposalDocument = serde_json::from_str(text).map_err(LogError::Proposal)?;
        let ProposalDocument { schema: _, command, color, settings } = document;
        Ok(Self { command, color: stored::color_choice(color), settings: stored::game_settings(settings) })
    }

    /// Serializes the document to store.
    pub(super) fn write(&self) -> Result<String, LogError> {
        let document = stored::proposal(self.command, self.color, &self.settings);
        serde_json::to_string(&document).map_err(LogError::Write)
    }
}

/// A new proposal, as published to other processes.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct PublishedProposal {
    pub(super) id: String,
    pub(super) from: PlayerId,
    pub(super) to: Option<PlayerId>,
    /// The stored document, as JSON.
    pub(super) body: String,
    pub(super) created_at: Millis,
    pub(super) expires_at: Millis,
    pub(super) needs_maker: bool,
}

impl From<Proposal> for PublishedProposal {
    fn from(proposal: Proposal) -> Self {
        let Proposal { id, from, to, body, created_at, expires_at, needs_maker, .. } = proposal;
        Self { id, from, to, body, created_at, expires_at, needs_maker }
    }
}

/// An open seek or challenge.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct OpenProposal {
    pub(super) id: String,
    pub(super) from: PlayerId,
    /// `None` for a seek.
    pub(super) to: Option<Recipient>,
    pub(super) body: Body,
    pub(super) created_at: Millis,
    pub(super) expires_at: Millis,
    /// Whether the proposal ends some time after its maker has left the hall.
    pub(super) needs_maker: bool,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Recipient {
    pub(super) player: PlayerId,
    pub(super) name: String,
}

impl OpenProposal {
    /// Returns `true` if the player is the maker or the recipient. Challenges are hidden from all others.
    pub(super) fn concerns(&self, player: &PlayerId) -> bool {
        self.from == *player || self.to.as_ref().is_some_and(|to| to.player == *player)
    }

    /// Returns the players who are notified of a change even if they are not shown the lists.
    fn players(&self) -> impl Iterator<Item = &PlayerId> {
        std::iter::once(&self.from).chain(self.to.as_ref().map(|to| &to.player))
    }
}

/// All open seeks and challenges, as far as this process knows.
#[derive(Debug, Default)]
pub(super) struct OpenProposals {
    pub(super) open: HashMap<String, OpenProposal>,
    /// The proposals that ended recently. They are remembered so that a late notice does not add them again.
    ended: HashMap<String, EndedProposal>,
    /// The store's count of changes, as last known to this process.
    pub(super) stored: u64,
    /// The ids of the proposals that have changed since the current read of the store began, or `None` if no
    /// read is in progress.
    changed_since_read: Option<HashSet<String>>,
    /// The number of changes sent to this process's sockets.
    sent: u64,
    /// The number of the last change to any seek.
    seeks: u64,
    /// The number of the last change to each player's own seeks and challenges. For a player without an
    /// entry, the loss of a message may remain undetected until the next message.
    players: HashMap<PlayerId, u64>,
}

#[derive(Clone, Copy, Debug)]
struct EndedProposal {
    at: Instant,
    /// Whether the addition of the proposal has been counted.
    was_added: bool,
    /// Whether the maker has been notified of the game that began.
    is_maker_notified: bool,
}

/// The differences between this copy and the store, each with the version to send.
#[derive(Debug, Default)]
pub(super) struct Difference {
    pub(super) added: Vec<(OpenProposal, u64)>,
    pub(super) ended: Vec<(OpenProposal, u64)>,
}

impl OpenProposals {
    /// Returns the version of the last message to a player who is shown the lists.
    pub(super) fn version_for(&self, player: &PlayerId) -> u64 {
        self.seeks.max(self.own_version(player))
    }

    /// Returns the version of the last message about a player's own seeks and challenges.
    pub(super) fn own_version(&self, player: &PlayerId) -> u64 {
        self.players.get(player).copied().unwrap_or(0)
    }

    /// Counts a change to be sent to the players concerned, and returns its number.
    fn number_change(&mut self, changed: &OpenProposal) -> u64 {
        self.sent += 1;
        if changed.to.is_none() {
            self.seeks = self.sent;
        }
        if self.players.len() >= PLAYERS {
            let oldest_kept = self.sent.saturating_sub(PLAYERS as u64 / 4);
            self.players.retain(|_, last| *last >= oldest_kept);
        }
        for player in changed.players() {
            self.players.insert(player.clone(), self.sent);
        }
        self.sent
    }

    fn record_changed(&mut self, id: &str) {
        if let Some(changed) = &mut self.changed_since_read {
            changed.insert(id.to_owned());
        }
    }

    /// Returns `true` if a proposal is known to have ended.
    pub(super) fn has_ended(&self, id: &str) -> bool {
        self.ended.contains_key(id)
    }

    /// Adds a stored proposal. Returns the version to send, or `None` if the proposal is already known or has
    /// ended.
    pub(super) fn add(&mut self, new: &OpenProposal) -> Option<u64> {
        if self.open.contains_key(&new.id) {
            return None;
        }
        if let Some(ended) = self.ended.get_mut(&new.id) {
            self.stored += u64::from(!ended.was_added);
            ended.was_added = true;
            return None;
        }
        self.stored += 1;
        self.record_changed(&new.id);
        self.open.insert(new.id.clone(), new.clone());
        Some(self.number_change(new))
    }

    /// Removes a proposal that has ended. Returns it with the version to send, or `None` if it was not open.
    pub(super) fn end(&mut self, id: &str) -> Option<(OpenProposal, u64)> {
        if !self.ended.contains_key(id) {
            let was_added = self.open.contains_key(id);
            self.ended.insert(
                id.to_owned(),
                EndedProposal { at: Instant::now(), was_added, is_maker_notified: false },
            );
            self.stored += 1;
        }
        self.record_changed(id);
        let ended = self.open.remove(id)?;
        let version = self.number_change(&ended);
        Some((ended, version))
    }

    /// Marks the maker of an accepted proposal as notified of the game. Returns `true` if the maker had not
    /// been notified before.
    pub(super) fn mark_maker_notified(&mut self, id: &str) -> bool {
        self.ended.get_mut(id).is_none_or(|ended| !std::mem::replace(&mut ended.is_maker_notified, true))
    }

    /// Forgets the proposals that ended so long ago that no more notices about them are expected.
    pub(super) fn forget_ended(&mut self) {
        self.ended.retain(|_, ended| ended.at.elapsed() < END_MEMORY_TIME);
    }

    /// Starts recording changes, before the store is read. A change between this call and
    /// [`replace`](Self::replace) may or may not be part of the result.
    pub(super) fn begin_reading(&mut self) {
        self.changed_since_read = Some(HashSet::new());
    }

    /// Replaces this copy with the proposals that the store had at a version, but keeps the changes made
    /// since the read began. Returns the differences.
    pub(super) fn replace(&mut self, version: u64, read: Vec<OpenProposal>) -> Difference {
        let changed = self.changed_since_read.take().unwrap_or_default();
        let read = read.into_iter().map(|open| (open.id.clone(), open)).collect::<HashMap<_, _>>();
        let mut difference = Difference::default();
        // Changes that are missing from the result are not counted in its version either.
        let is_newer = |id: &&String| read.contains_key(*id) != self.open.contains_key(*id);
        self.stored = version + changed.iter().filter(is_newer).count() as u64;
        let is_gone = |id: &&String| !read.contains_key(*id) && !changed.contains(*id);
        for id in self.open.keys().filter(is_gone).cloned().collect::<Vec<_>>() {
            if let Some(ended) = self.open.remove(&id) {
                self.ended.insert(
                    id,
                    EndedProposal { at: Instant::now(), was_added: true, is_maker_notified: false },
                );
                let version = self.number_change(&ended);
                difference.ended.push((ended, version));
            }
        }
        for (id, open) in read {
            if !self.open.contains_key(&id) && !changed.contains(&id) && !self.ended.contains_key(&id) {
                let version = self.number_change(&open);
                self.open.insert(id, open.clone());
                difference.added.push((open, version));
            }
        }
        difference
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(number: u128, to: Option<u128>) -> OpenProposal {
        let settings = serde_json::from_str(r#"{"variant":"chess"}"#).unwrap();
        let command = CommandId("00000000-0000-0000-0000-000000000001".parse().unwrap());
        let recipient = |to| Recipient { player: PlayerId::from_random(to), name: "Anna".into() };
        OpenProposal {
            id: number.to_string(),
            from: PlayerId::from_random(number),
            to: to.map(recipient),
            body: Body { command, color: ColorChoice::White, settings },
            created_at: Millis(0),
            expires_at: Millis(1),
            needs_maker: false,
        }
    }

    fn ids(proposals: &OpenProposals) -> Vec<&str> {
        let mut ids = proposals.open.keys().map(String::as_str).collect::<Vec<_>>();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn the_order_and_repetition_of_notices_do_not_matter() {
        // Three proposals are added, and the second one ends.
        let notices = [0, 1, 2, 3];
        for first in notices {
            for second in notices {
                let mut proposals = OpenProposals::default();
                let order = [first, second].into_iter().chain(notices).chain([second, first]);
                for notice in order {
                    match notice {
                        3 => drop(proposals.end("1")),
                        number => drop(proposals.add(&open(number, None))),
                    }
                }
                assert_eq!(ids(&proposals), ["0", "2"], "{first} {second}");
                assert_eq!(proposals.stored, 4, "{first} {second}: each change counts once");
            }
        }
    }

    #[test]
    fn a_change_increases_the_versions_of_the_notified_players() {
        let mut proposals = OpenProposals::default();
        let [anna, bela, carl] = [10, 11, 12].map(PlayerId::from_random);
        let versions =
            |proposals: &OpenProposals| [&anna, &bela, &carl].map(|player| proposals.version_for(player));
        assert_eq!(versions(&proposals), [0, 0, 0]);
        assert_eq!(proposals.add(&open(1, None)), Some(1));
        assert_eq!(versions(&proposals), [1, 1, 1]);
        assert_eq!(proposals.add(&open(11, Some(10))), Some(2));
        assert_eq!(versions(&proposals), [2, 2, 1]);
        assert_eq!(proposals.end("1").map(|(_, version)| version), Some(3));
        assert_eq!(versions(&proposals), [3, 3, 3]);
        // Even if many other players displace a player's entry, the player's version includes the changes
        // sent to all visitors.
        for number in 0..10_000 {
            proposals.add(&open(100 + number, Some(99)));
        }
        assert!(proposals.players.len() <= PLAYERS);
        assert!(versions(&proposals).iter().all(|version| *version >= 3));
    }

    #[test]
    fn missed_changes_are_found_by_reading_the_store() {
        let mut proposals = OpenProposals::default();
        for number in [0, 1, 2] {
            proposals.add(&open(number, None));
        }
        proposals.begin_reading();
        // During the read, another proposal is added and one ends. The result contains neither change.
        proposals.add(&open(5, None));
        proposals.end("2");
        let difference = proposals.replace(10, vec![open(0, None), open(2, None), open(4, Some(9))]);
        assert_eq!(ids(&proposals), ["0", "4", "5"]);
        assert_eq!(proposals.stored, 12);
        let ids = |changes: &[(OpenProposal, u64)]| {
            changes.iter().map(|(open, _)| open.id.clone()).collect::<Vec<_>>()
        };
        assert_eq!((ids(&difference.added), ids(&difference.ended)), (vec!["4".into()], vec!["1".into()]));
        // A late notice of a proposal that has ended changes nothing.
        assert_eq!(proposals.add(&open(1, None)), None);
        assert!(proposals.has_ended("1"));
        assert_eq!([proposals.mark_maker_notified("1"), proposals.mark_maker_notified("1")], [true, false]);
        // The result of this read includes the changes made after it began.
        proposals.begin_reading();
        proposals.add(&open(6, None));
        proposals.end("0");
        proposals.replace(20, vec![open(4, Some(9)), open(5, None), open(6, None)]);
        assert_eq!(proposals.stored, 20);
    }
}
