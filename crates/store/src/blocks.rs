//! Blocks between players, and the audience that may see whether a player is online.

use adoube_vocabulary::{Millis, PlayerId, PresenceAudience};
use async_trait::async_trait;

use crate::Result;

/// The maximum number of players that an account may block.
pub const BLOCKS_PER_ACCOUNT: u32 = 200;

/// A player whom another player has blocked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BlockedPlayer {
    pub player: PlayerId,
    pub name: String,
    pub at: Millis,
}

/// The blocks that concern a player.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Blocks {
    /// The players whom this player has blocked, latest first.
    pub blocked: Vec<BlockedPlayer>,
    /// The players who have blocked this player, with their names.
    pub blockers: Vec<(PlayerId, String)>,
}

/// The outcome of [`BlockStore::add_block`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Blocked {
    Done,
    /// The account has already blocked [`BLOCKS_PER_ACCOUNT`] players.
    Full,
    /// One of the two players has no account.
    NoAccount,
}

/// Blocks between accounts. [`delete_account`](crate::AccountStore::delete_account) deletes all blocks by the
/// account and of the account.
#[async_trait]
pub trait BlockStore: Send + Sync {
    /// Blocks a player. Blocking again changes nothing.
    async fn add_block(&self, player: &PlayerId, blocked: &PlayerId, at: Millis) -> Result<Blocked>;

    /// Removes a block. Returns `false` if there was none.
    async fn delete_block(&self, player: &PlayerId, blocked: &PlayerId) -> Result<bool>;

    /// Returns the blocks that concern a player.
    async fn lookup_blocks(&self, player: &PlayerId) -> Result<Blocks>;

    /// Sets the audience that may see whether the player is online.
    async fn set_shown_to(&self, player: &PlayerId, shown_to: PresenceAudience) -> Result<()>;
}
