//! Browsers that an account recognises because the account's owner has signed in from them before.
//!
//! A browser keeps the tokens for its most recent accounts in a separate cookie, which outlives the session.
//! A token is a random number, signed together with the account and the hash of its password. It is therefore
//! valid only for that account, and a new password invalidates all earlier tokens. A token does not sign
//! anyone in.

use adoube_protocol::PlayerId;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// The maximum number of tokens in a browser's cookie, which keeps the most recent ones. Eight are enough for
/// a family or a shared school computer.
const MAX_TOKENS: usize = 8;
/// The number of hexadecimal digits in a token's random number, and in its signature. Each has 128 bits.
const DIGITS: usize = 32;

/// A browser that an account recognises.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) struct DeviceId(pub(crate) u128);

/// The device tokens that a browser sends. They are untrusted until their signatures are verified.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Devices(Vec<String>);

impl Devices {
    /// Parses the value of the cookie. Drops anything that does not have the form of a token, and whatever
    /// follows the first [`MAX_TOKENS`] parts.
    pub(crate) fn parse(cookie: &str) -> Self {
        let is_token =
            |token: &&str| token.len() == 2 * DIGITS && token.bytes().all(|b| b.is_ascii_hexdigit());
        Self(cookie.split('.').take(MAX_TOKENS).filter(is_token).map(str::to_owned).collect())
    }

    /// Returns the browser's number if it has a valid token for this account with this password hash.
    pub(crate) fn recognise(&self, key: &[u8], player: &PlayerId, password: &str) -> Option<DeviceId> {
        self.0.iter().find_map(|token| {
            let id = u128::from_str_radix(token.get(..DIGITS)?, 16).ok()?;
            let signature = u128::from_str_radix(token.get(DIGITS..)?, 16).ok()?;
            let signed = mac(key, id, player, password)?;
            signed.verify_truncated_left(&signature.to_be_bytes()).ok()?;
            Some(DeviceId(id))
        })
    }

    /// Returns the new value of the cookie after a sign-in. A known browser keeps its number, and a new one
    /// gets the number `fresh`.
    pub(crate) fn after_sign_in(&self, key: &[u8], player: &PlayerId, password: &str, fresh: u128) -> String {
        let known = self.recognise(key, player, password);
        let token = device_tag(key, known.unwrap_or(DeviceId(fresh)), player, password);
        let others = self.0.iter().filter(|other| **other != token).take(MAX_TOKENS - 1);
        std::iter::once(&token).chain(others).map(String::as_str).collect::<Vec<_>>().join(".")
    }
}

fn device_tag(key: &[u8], id: DeviceId, player: &PlayerId, password: &str) -> String {
    let signature = mac(key, id.0, player, password).map(|mac| mac.finalize().into_bytes());
    let signature = signature.iter().flatten().take(DIGITS / 2).map(|byte| format!("{byte:02x}"));
    format!("{:0DIGITS$x}{}", id.0, signature.collect::<String>())
}

fn mac(key: &[u8], id: u128, player: &PlayerId, password: &str) -> Option<Hmac<Sha256>> {
    // HMAC accepts a key of any length.
    let mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    // All parts except the last have a fixed length, so the concatenation is unambiguous.
    Some(
        mac.chain_update(b"device")
            .chain_update(id.to_be_bytes())
            .chain_update(player.as_str())
            .chain_update(password),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"a key";

    #[test]
    fn a_token_is_valid_for_one_account_with_one_password() {
        let (anna, bela) = (PlayerId::from_random(1), PlayerId::from_random(2));
        let cookie = Devices::default().after_sign_in(KEY, &anna, "hash", 7);
        let devices = Devices::parse(&cookie);
        assert_eq!(devices.recognise(KEY, &anna, "hash"), Some(DeviceId(7)));
        assert_eq!(devices.recognise(KEY, &anna, "another hash"), None);
        assert_eq!(devices.recognise(KEY, &bela, "hash"), None);
        assert_eq!(devices.recognise(b"another key", &anna, "hash"), None);
        // Signing in again neither changes the browser's number nor adds a token.
        assert_eq!(devices.after_sign_in(KEY, &anna, "hash", 8), cookie);
        let both = devices.after_sign_in(KEY, &bela, "hash", 9);
        let devices = Devices::parse(&both);
        assert_eq!(devices.recognise(KEY, &anna, "hash"), Some(DeviceId(7)));
        assert_eq!(devices.recognise(KEY, &bela, "hash"), Some(DeviceId(9)));
    }

    #[test]
    fn forged_cookies_match_no_account_and_long_ones_are_truncated() {
        let anna = PlayerId::from_random(1);
        let cookie = Devices::default().after_sign_in(KEY, &anna, "hash", 7);
        let altered = cookie.replacen('7', "8", 1);
        for forged in ["", ".", "é", &"0".repeat(64), &"x".repeat(64), &"+".repeat(64), &altered] {
            assert_eq!(Devices::parse(forged).recognise(KEY, &anna, "hash"), None, "{forged}");
        }
        let many = (0..100).fold(Devices::default(), |devices, number| {
            let player = PlayerId::from_random(number);
            Devices::parse(&devices.after_sign_in(KEY, &player, "hash", number))
        });
        assert_eq!(many.0.len(), MAX_TOKENS);
        assert!(many.recognise(KEY, &PlayerId::from_random(99), "hash").is_some());
        assert!(many.recognise(KEY, &PlayerId::from_random(0), "hash").is_none());
    }
}
