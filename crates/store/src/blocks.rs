//! Players who have blocked each other, and who may see whether a player is here.

use adoube_vocabulary::{Millis, PlayerId, PresenceAudience};
use async_trait::async_trait;

use crate::Result;

/// The maximum number of players that an account may block.
pub const BLOCKS_PER_ACCOUNT: u32 = 200;

/// A player whom another one has blocked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BlockedPlayer {
    pub player: PlayerId,
    pub name: String,
    pub at: Millis,
}

/// The blocks that concern a player.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Blocks {
    /// Those whom the player has blocked, the latest first.
    pub blocked: Vec<BlockedPlayer>,
    /// Those who have blocked the player, with their names.
    pub blockers: Vec<(PlayerId, String)>,
}

/// The outcome of [`BlockStore::add_block`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Blocked {
    Done,
    /// The account has blocked [`BLOCKS_PER_ACCOUNT`] players already.
    Full,
    /// One of the two has no account.
    NoAccount,
}

/// Blocks between accounts. [`delete_account`](crate::AccountStore::delete_account) deletes those by and of the account.
#[async_trait]
pub trait BlockStore: Send + Sync {
    /// Blocks a player. Blocking again changes nothing.
    async fn add_block(&self, player: &PlayerId, blocked: &PlayerId, at: Millis) -> Result<Blocked>;

    /// Undoes a block. Returns `false` if there was none.
    async fn delete_block(&self, player: &PlayerId, blocked: &PlayerId) -> Result<bool>;

    /// Returns the blocks that concern a player.
    async fn lookup_blocks(&self, player: &PlayerId) -> Result<Blocks>;

    /// Sets who may see whether an account is here.
    async fn set_shown_to(&self, player: &PlayerId, shown_to: PresenceAudience) -> Result<()>;
}
