//! Hashes of passwords: argon2id with 19 MiB, two passes and one lane, which OWASP calls the least.
//!
//! A hash costs a core for tens of milliseconds on purpose, so it is a door to wear the server out: few are made at
//! a time, few may wait, and the rest is sent away.

use std::sync::{Arc, OnceLock};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};

use crate::{ambient::Entropy, error::Error, limits::Holder, work::Work};

/// Passwords that may wait for their turn: with two at a time, the last one of a class that signs in at once waits for a
/// second.
const WAITING: usize = 128;

#[derive(Debug)]
pub(crate) struct Hasher {
    work: Work,
    entropy: Arc<dyn Entropy>,
    /// A hash of nothing that anybody knows, for names that nobody has. It is made with the first one that is
    /// asked for, whoever asks: so a server starts without it, and its absence tells nothing.
    decoy: Arc<OnceLock<String>>,
    /// What is hashed for it, and the salt.
    drawn: (u128, u128),
}

impl Hasher {
    /// At most so many are made at the same time.
    pub(crate) fn new(at_once: usize, entropy: Arc<dyn Entropy>) -> Result<Self, Error> {
        let drawn = (entropy.random()?, entropy.random()?);
        Ok(Self { work: Work::with_queue(at_once, WAITING), entropy, decoy: Arc::default(), drawn })
    }

    /// Returns the hash of a new password, with its parameters and its salt.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, Error> {
        let (password, salt) = (password.to_owned(), self.entropy.random()?);
        self.work.done(Holder::House, move || hash(&password, salt)).await
    }

    /// Returns whether a password is the one of a hash. Without a hash it is not, after the same time.
    pub(crate) async fn verify(&self, password: &str, kept: Option<&str>) -> Result<bool, Error> {
        let known = kept.is_some();
        let (password, kept) = (password.to_owned(), kept.map(str::to_owned));
        let (decoy, (secret, salt)) = (Arc::clone(&self.decoy), self.drawn);
        let fits = self.work.done(Holder::House, move || {
            if decoy.get().is_none() {
                // Of two that make it at once, it is the same.
                let _ = decoy.set(hash(&secret.to_string(), salt)?);
            }
            let kept = kept.as_ref().or(decoy.get()).ok_or(Error::Internal("there is no decoy"))?;
            let kept = PasswordHash::new(kept).map_err(|_| Error::Internal("a kept hash is none"))?;
            Ok(Argon2::default().verify_password(password.as_bytes(), &kept).is_ok())
        });
        Ok(fits.await? && known)
    }
}

fn hash(password: &str, salt: u128) -> Result<String, Error> {
    let hashed = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt.to_le_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|_| Error::Internal("a password could not be hashed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemEntropy;

    #[tokio::test]
    async fn passwords_are_hashed_with_salt_and_verified() {
        let hasher = Hasher::new(1, Arc::new(SystemEntropy)).unwrap();
        let (one, two) =
            (hasher.hash("correct horse").await.unwrap(), hasher.hash("correct horse").await.unwrap());
        assert_ne!(one, two);
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert!(hasher.verify("correct horse", Some(&two)).await.unwrap());
        assert!(!hasher.verify("wrong horse", Some(&one)).await.unwrap());
        assert!(!hasher.verify("correct horse", None).await.unwrap());
    }

    #[tokio::test]
    async fn s10_who_comes_when_too_many_wait_is_sent_away() {
        const WAITING: usize = 16;
        let hasher = Hasher::new(1, Arc::new(SystemEntropy)).unwrap();
        let hasher = Arc::new(Hasher { work: Work::with_queue(1, WAITING), ..hasher });
        let many = (0..WAITING * 2).map(|_| {
            let hasher = Arc::clone(&hasher);
            tokio::spawn(async move { hasher.verify("x", None).await })
        });
        let mut busy = 0;
        for one in many.collect::<Vec<_>>() {
            busy += usize::from(matches!(one.await.unwrap(), Err(Error::Busy)));
        }
        // One is served, and the queue waits.
        assert_eq!(busy, WAITING - 1);
        assert!(hasher.verify("x", None).await.is_ok());
    }
}
