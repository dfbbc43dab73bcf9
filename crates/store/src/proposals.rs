use adoube_vocabulary::{CommandId, Millis, PlayerId};
use async_trait::async_trait;

use crate::{Result, TokenHash};

/// A seek, open to all, or a challenge to one player.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Proposal {
    /// The id, which is unique among seeks and challenges.
    pub id: String,
    pub from: PlayerId,
    /// The challenged player; `None` for a seek.
    pub to: Option<PlayerId>,
    /// The command that created the proposal; `None` if the release that created it did not store commands.
    pub command: Option<CommandId>,
    /// Text that only the server interprets.
    pub body: String,
    pub created_at: Millis,
    pub expires_at: Millis,
    /// Whether the maker has an account.
    pub signed_in: bool,
    /// Whether the proposal ends some time after the maker has left the hall.
    pub needs_maker: bool,
    /// Identifies the maker's network without revealing it; `None` if it is unknown.
    pub origin: Option<TokenHash>,
}

/// Maximum numbers of open proposals.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ProposalLimits {
    /// Seeks and challenges made by one player, together.
    pub per_player: u32,
    /// Seeks and challenges from one network, together.
    pub per_origin: u32,
    /// Challenges to one player from one network.
    pub per_recipient_and_origin: u32,
    /// Challenges to one player: this many by players with an account, and as many again by others.
    pub per_recipient: u32,
    /// Seeks, or challenges, by all players: this many by those with an account, and as many again by others.
    pub per_kind: u32,
}

/// The limit that has been reached, one of the [`ProposalLimits`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ProposalLimit {
    Player,
    Origin,
    RecipientAndOrigin,
    Recipient,
    Kind,
}

/// The numbers of open proposals that count towards the [`ProposalLimits`] of a new one.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ProposalCounts {
    pub player: i64,
    pub origin: i64,
    pub to_recipient_from_origin: i64,
    pub to_recipient: i64,
    pub kind: i64,
}

impl ProposalLimits {
    /// Returns the limit, if any, that prevents one more proposal.
    pub fn reached_limit(&self, counts: &ProposalCounts) -> Option<ProposalLimit> {
        let limits = [
            (counts.player, self.per_player, ProposalLimit::Player),
            (counts.origin, self.per_origin, ProposalLimit::Origin),
            (
                counts.to_recipient_from_origin,
                self.per_recipient_and_origin,
                ProposalLimit::RecipientAndOrigin,
            ),
            (counts.to_recipient, self.per_recipient, ProposalLimit::Recipient),
            (counts.kind, self.per_kind, ProposalLimit::Kind),
        ];
        limits.into_iter().find(|(count, limit, _)| *count >= i64::from(*limit)).map(|(.., which)| which)
    }
}

/// The outcome of [`ProposalStore::add_proposal`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ProposalAdded {
    Done,
    /// The player already has an open proposal that the same command created. Nothing was added.
    Repeated(Box<Proposal>),
    /// Nothing was added, because a limit is reached.
    Full(ProposalLimit),
}

/// All open proposals.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ProposalList {
    /// The version of the proposals: the number of proposals added, plus the number of those removed before
    /// they expired.
    pub version: u64,
    /// Oldest first.
    pub proposals: Vec<Proposal>,
}

/// Open seeks and challenges.
///
/// Each is added once and ends once, so the notices of these changes bring every process to the same state,
/// whatever order they arrive in. The [`version`](ProposalList::version) tells a process whether it has seen
/// all changes.
#[async_trait]
pub trait ProposalStore: Send + Sync {
    /// Adds a proposal if the limits allow it. Expired proposals are ignored, both for the limits and when
    /// looking for an earlier proposal made by the same command.
    async fn add_proposal(&self, proposal: Proposal, limits: &ProposalLimits) -> Result<ProposalAdded>;

    /// Deletes a proposal. Returns `true` if it still existed, so only one of several concurrent calls
    /// returns `true`. Creating a game from a proposal also deletes the proposal
    /// ([`NewGame::proposal`](crate::NewGame::proposal)).
    async fn delete_proposal(&self, id: &str) -> Result<bool>;

    /// Returns a proposal, if it is open.
    async fn lookup_proposal(&self, id: &str, now: Millis) -> Result<Option<Proposal>>;

    /// Lists the proposals that have not expired, as a consistent snapshot.
    async fn list_proposals(&self, now: Millis) -> Result<ProposalList>;
}
