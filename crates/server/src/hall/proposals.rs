//! Open seeks and challenges, and the limits on their number.

use std::{collections::HashMap, fmt::Debug, hash::Hash, net::IpAddr};

use adoube_documents::ProposalDocument;
use adoube_protocol::{
    ChallengeId, ColorChoice, CommandId, GameSettings, HallServerMessage, Millis, PlayerId, SeekId,
};
use adoube_store::Proposal;

use super::{EVERYBODY, private_topic};
use crate::{
    error::{Error, LogError},
    stored,
};

/// Open seeks and challenges of one player, together.
const PER_PLAYER: usize = 5;
/// Open seeks and challenges from one address, together.
const PER_ADDRESS: usize = 40;
/// Open challenges to one player.
const PER_RECIPIENT: usize = 20;
/// Maximum number of open seeks, and of open challenges, of all accounts; the same again for all players
/// without one. The limits are independent.
const SEEKS: usize = 1_000;
const CHALLENGES: usize = 4_000;

/// The game that is proposed: the part that is stored as a document.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Body {
    pub(super) command: CommandId,
    pub(super) color: ColorChoice,
    pub(super) settings: GameSettings,
}

impl Body {
    /// Parses the stored document of a proposal.
    pub(super) fn read(text: &str) -> Result<Self, LogError> {
        let document: ProposalDocument = serde_json::from_str(text).map_err(LogError::Proposal)?;
        let ProposalDocument { schema: _, command, color, settings } = document;
        Ok(Self { command, color: stored::color_choice(color), settings: stored::game_settings(settings) })
    }

    /// Returns the stored document of a proposal.
    pub(super) fn write(&self) -> Result<String, LogError> {
        let document = stored::proposal(self.command, self.color, &self.settings);
        serde_json::to_string(&document).map_err(LogError::Write)
    }
}

/// The common part of a seek and a challenge.
#[derive(Clone, Debug)]
pub(super) struct Posting {
    pub(super) from: PlayerId,
    pub(super) body: Body,
    pub(super) created_at: Millis,
    pub(super) expires_at: Millis,
    /// Whether it is in the store and survives a restart.
    pub(super) kept: bool,
    /// Whether its maker has an account.
    pub(super) signed_in: bool,
    /// The network of its maker; unknown after a restart.
    pub(super) address: Option<IpAddr>,
}

/// An open seek.
#[derive(Clone, Debug)]
pub(super) struct OpenSeek(pub(super) Posting);

/// An open challenge.
#[derive(Clone, Debug)]
pub(super) struct OpenChallenge {
    pub(super) posting: Posting,
    pub(super) to: Recipient,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Recipient {
    pub(super) player: PlayerId,
    pub(super) name: String,
}

impl OpenChallenge {
    /// Returns `true` if a player has made this challenge or is challenged by it; it is hidden from all others.
    pub(super) fn concerns(&self, player: &PlayerId) -> bool {
        self.to.player == *player || self.posting.from == *player
    }
}

/// A seek or a challenge.
pub(super) trait Proposed: Clone + Debug + Send + Sync {
    type Id: Clone + Debug + Eq + Hash + Send + Sync + ToString;

    fn posting(&self) -> &Posting;

    /// Returns the table of all open proposals of this kind.
    fn table(open: &mut OpenProposals) -> &mut HashMap<Self::Id, Self>;

    /// Returns `true` if two proposals ask for the same game of the same players.
    fn is_like(&self, other: &Self) -> bool;

    /// Checks the limits that apply before this one is added.
    fn check_room(&self, open: &OpenProposals) -> Result<(), Error>;

    fn stored(&self, id: &Self::Id) -> Result<Proposal, Error>;

    /// Returns the topics of all visitors who can see it.
    fn topics(&self) -> Vec<String>;

    /// Returns the message that it is no longer open.
    fn ended(id: Self::Id) -> HallServerMessage;
}

impl Proposed for OpenSeek {
    type Id = SeekId;

    fn posting(&self) -> &Posting {
        &self.0
    }

    fn table(open: &mut OpenProposals) -> &mut HashMap<SeekId, Self> {
        &mut open.seeks
    }

    fn is_like(&self, other: &Self) -> bool {
        self.0.body == other.0.body
    }

    fn check_room(&self, open: &OpenProposals) -> Result<(), Error> {
        open.check_maker(&self.0)?;
        let of_this_kind = open.seeks.values().filter(|other| other.0.signed_in == self.0.signed_in);
        if of_this_kind.count() >= SEEKS { Err(Error::HallFull) } else { Ok(()) }
    }

    fn stored(&self, id: &SeekId) -> Result<Proposal, Error> {
        self.0.stored(id.to_string(), None)
    }

    fn topics(&self) -> Vec<String> {
        vec![EVERYBODY.to_owned()]
    }

    fn ended(id: SeekId) -> HallServerMessage {
        HallServerMessage::SeekRemoved { id }
    }
}

impl Proposed for OpenChallenge {
    type Id = ChallengeId;

    fn posting(&self) -> &Posting {
        &self.posting
    }

    fn table(open: &mut OpenProposals) -> &mut HashMap<ChallengeId, Self> {
        &mut open.challenges
    }

    fn is_like(&self, other: &Self) -> bool {
        (&self.posting.body, &self.to) == (&other.posting.body, &other.to)
    }

    fn check_room(&self, open: &OpenProposals) -> Result<(), Error> {
        open.check_maker(&self.posting)?;
        let to_the_same = || open.challenges.values().filter(|other| other.to.player == self.to.player);
        if to_the_same().filter(|other| other.posting.is_from_address_of(&self.posting)).count() >= PER_PLAYER
        {
            return Err(Error::TooManyFromHere(PER_PLAYER));
        }
        let is_of_this_kind = |other: &&Self| other.posting.signed_in == self.posting.signed_in;
        // Those of accounts are counted separately, so that others cannot crowd them out.
        if to_the_same().filter(is_of_this_kind).count() >= PER_RECIPIENT {
            return Err(Error::TooManyChallenges(PER_RECIPIENT));
        }
        let of_this_kind = open.challenges.values().filter(is_of_this_kind);
        if of_this_kind.count() >= CHALLENGES { Err(Error::HallFull) } else { Ok(()) }
    }

    fn stored(&self, id: &ChallengeId) -> Result<Proposal, Error> {
        self.posting.stored(id.to_string(), Some(self.to.player.clone()))
    }

    fn topics(&self) -> Vec<String> {
        vec![private_topic(&self.posting.from), private_topic(&self.to.player)]
    }

    fn ended(id: ChallengeId) -> HallServerMessage {
        HallServerMessage::ChallengeGone { id }
    }
}

impl Posting {
    fn is_from_address_of(&self, other: &Self) -> bool {
        self.address.is_some() && self.address == other.address
    }

    fn stored(&self, id: String, to: Option<PlayerId>) -> Result<Proposal, Error> {
        Ok(Proposal {
            id,
            from: self.from.clone(),
            to,
            body: self.body.write()?,
            created_at: self.created_at,
            expires_at: self.expires_at,
        })
    }
}

/// All open seeks and challenges.
#[derive(Debug, Default)]
pub(super) struct OpenProposals {
    pub(super) seeks: HashMap<SeekId, OpenSeek>,
    pub(super) challenges: HashMap<ChallengeId, OpenChallenge>,
}

/// The outcome of adding a proposal.
pub(super) enum Added<I> {
    New,
    /// The same command was sent before and made this one.
    Repeated(I),
}

impl OpenProposals {
    pub(super) fn len(&self) -> usize {
        self.seeks.len() + self.challenges.len()
    }

    fn postings(&self) -> impl Iterator<Item = &Posting> {
        self.seeks.values().map(Proposed::posting).chain(self.challenges.values().map(Proposed::posting))
    }

    /// Adds a proposal, unless its maker has sent the same command before or a limit is reached.
    pub(super) fn add<P: Proposed>(&mut self, id: P::Id, new: P) -> Result<Added<P::Id>, Error> {
        let is_sent_before = |other: &Posting| {
            other.from == new.posting().from && other.body.command == new.posting().body.command
        };
        let earlier = P::table(self).iter().find(|(_, other)| is_sent_before(other.posting()));
        if let Some((id, other)) = earlier {
            return if other.is_like(&new) {
                Ok(Added::Repeated(id.clone()))
            } else {
                Err(Error::CommandUsed)
            };
        }
        if self.postings().any(is_sent_before) {
            return Err(Error::CommandUsed);
        }
        new.check_room(self)?;
        P::table(self).insert(id, new);
        Ok(Added::New)
    }

    /// Checks the limits of the player and of its address.
    fn check_maker(&self, new: &Posting) -> Result<(), Error> {
        if self.postings().filter(|other| other.from == new.from).count() >= PER_PLAYER {
            return Err(Error::TooManySeeks(PER_PLAYER));
        }
        if self.postings().filter(|other| other.is_from_address_of(new)).count() >= PER_ADDRESS {
            return Err(Error::TooManyFromHere(PER_ADDRESS));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posting(from: u128, signed_in: bool, address: u32) -> Posting {
        let settings = serde_json::from_str(r#"{"variant":"chess"}"#).unwrap();
        let command = CommandId("00000000-0000-0000-0000-000000000001".parse().unwrap());
        Posting {
            from: PlayerId::from_random(from),
            body: Body { command, color: ColorChoice::White, settings },
            created_at: Millis(0),
            expires_at: Millis(1),
            kept: signed_in,
            signed_in,
            address: Some(IpAddr::from(address.to_be_bytes())),
        }
    }

    fn seek(from: u128, signed_in: bool, address: u32) -> OpenSeek {
        OpenSeek(posting(from, signed_in, address))
    }

    fn challenge(from: u128, to: u128, signed_in: bool, address: u32) -> OpenChallenge {
        let to = Recipient { player: PlayerId::from_random(to), name: "Anna".into() };
        OpenChallenge { posting: posting(from, signed_in, address), to }
    }

    fn refused(open: &OpenProposals, new: &impl Proposed) -> Option<&'static str> {
        new.check_room(open).err().map(|error| error.code())
    }

    #[test]
    fn anonymous_proposals_leave_room_for_those_of_accounts() {
        // Identities from many addresses, each with the maximum number of seeks.
        let mut open = OpenProposals::default();
        for number in 0..SEEKS as u128 {
            let seek = seek(number / 5, false, u32::try_from(number / 40).unwrap());
            open.seeks.insert(SeekId::from_random(number), seek);
        }
        assert_eq!(refused(&open, &seek(900_000, false, 99_999)), Some("hall-full"));
        assert_eq!(refused(&open, &seek(0, false, 99_999)), Some("too-many-seeks"));
        assert_eq!(refused(&open, &seek(900_000, false, 1)), Some("too-many-from-here"));
        assert_eq!(refused(&open, &seek(900_000, true, 99_999)), None);
        assert_eq!(refused(&open, &challenge(900_000, 1, false, 99_999)), None);
        // Seeks and challenges of one player count together.
        assert_eq!(refused(&open, &challenge(0, 1, false, 99_999)), Some("too-many-seeks"));
        // After a restart the origin of proposals is unknown.
        for seek in open.seeks.values_mut() {
            seek.0.address = None;
        }
        assert_eq!(refused(&open, &seek(900_000, true, 1)), None);
    }

    #[test]
    fn the_challenges_to_one_player_leave_room_for_those_of_accounts() {
        let mut open = OpenProposals::default();
        for number in 0..PER_RECIPIENT as u128 {
            let challenge = challenge(number, 1_000, false, u32::try_from(number).unwrap());
            open.challenges.insert(ChallengeId::from_random(number), challenge);
        }
        assert_eq!(refused(&open, &challenge(500, 1_000, false, 99)), Some("too-many-challenges"));
        assert_eq!(refused(&open, &challenge(500, 1_001, false, 99)), None);
        assert_eq!(refused(&open, &challenge(500, 1_000, true, 99)), None);
    }

    #[test]
    fn a_command_creates_one_proposal() {
        let mut open = OpenProposals::default();
        let [first, second] = [1, 2].map(SeekId::from_random);
        assert!(matches!(open.add(first.clone(), seek(1, true, 1)), Ok(Added::New)));
        assert!(matches!(open.add(second.clone(), seek(1, true, 2)), Ok(Added::Repeated(id)) if id == first));
        let mut other = seek(1, true, 1);
        other.0.body.color = ColorChoice::Black;
        assert!(matches!(open.add(second.clone(), other), Err(Error::CommandUsed)));
        let challenge = challenge(1, 9, true, 1);
        assert!(matches!(open.add(ChallengeId::from_random(3), challenge), Err(Error::CommandUsed)));
        assert!(matches!(open.add(second, seek(2, true, 1)), Ok(Added::New)));
        assert_eq!(open.len(), 2);
    }
}
