//! A chain of hashes over the log of each game. It reveals damage that the database does not detect, and
//! allows the logs of two databases to be compared using one hash per game.
//!
//! The head of the chain is stored with the game: `SHA-256(previous head ‖ version ‖ time ‖ length ‖ body)`
//! for each event, starting from `SHA-256(id)`. An append needs only the head. The chain does not protect
//! against an attacker who can write to the database.

use sha2::{Digest as _, Sha256};

use crate::{NewEvent, Result, StoreError};

/// The hash of a log from its first event to its last.
pub type Head = [u8; 32];

/// Returns the head of an empty log.
pub fn begin(game: &str) -> Head {
    Sha256::digest(game.as_bytes()).into()
}

/// Extends a chain by one event.
pub fn extend(head: &Head, version: i64, at_ms: i64, body: &str) -> Head {
    let mut hash = Sha256::new();
    hash.update(head);
    hash.update(prefix(version, at_ms, body));
    hash.update(body.as_bytes());
    hash.finalize().into()
}

/// Returns the bytes that are hashed between the previous head and the body of an event: version, time and
/// length, 8 bytes each.
pub fn prefix(version: i64, at_ms: i64, body: &str) -> [u8; 24] {
    let numbers = [version.to_le_bytes(), at_ms.to_le_bytes(), (body.len() as u64).to_le_bytes()];
    let mut bytes = [0; 24];
    bytes.copy_from_slice(numbers.as_flattened());
    bytes
}

/// Extends a chain by the events after a version.
pub fn extend_all(head: Head, after: i64, events: &[NewEvent]) -> Head {
    let events = (after.saturating_add(1)..).zip(events);
    events.fold(head, |head, (version, event)| extend(&head, version, event.at.0, &event.body))
}

/// Reads a head from its column in `games`.
pub fn head(bytes: Option<Vec<u8>>) -> Result<Option<Head>> {
    bytes
        .map(|bytes| {
            Head::try_from(bytes).map_err(|bytes| StoreError::InvalidValue {
                table: "games",
                what: "chain",
                found: format!("{} bytes", bytes.len()),
            })
        })
        .transpose()
}
