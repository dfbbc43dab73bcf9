//! The id of the house. The processes on a bus compare it to verify that they use the same data.

use std::fmt::Write as _;

use adoube_store::{HOUSE_ID, Store};

use crate::{auth::random_bytes, entropy::Entropy, serve_error::ServeError};

/// The number of 16-byte random numbers in an id.
const NUMBERS: usize = 1;

/// Returns the id of the house, a random string kept in the store. It is not confidential, and a copy of the
/// data has the same id.
///
/// # Errors
///
/// If the store cannot be read, or the system provides no random numbers for a new id.
pub async fn house_id(store: &dyn Store, entropy: &dyn Entropy) -> Result<String, ServeError> {
    let stored = store.secret(HOUSE_ID, &random_bytes(entropy, NUMBERS)?).await?;
    Ok(stored.iter().fold(String::with_capacity(2 * stored.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
