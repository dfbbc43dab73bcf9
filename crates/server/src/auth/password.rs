//! Password hashes: argon2id with 19 MiB of memory, two passes and one lane, the minimum that OWASP
//! recommends.
//!
//! By design, a hash keeps a core busy for tens of milliseconds, which makes hashing a target for denial of
//! service. Therefore, only a few hashes are computed at a time, and requests are refused when too many are
//! waiting.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::phc::{Output, ParamsString, PasswordHash, Salt},
};

use super::password_rules::normalized;
use crate::{entropy::Entropy, error::Error, limits::Tenant, work::Workers};

/// The maximum number of waiting requests. If a whole class signs in at once and two hashes are computed at a
/// time, the last pupil waits for about a second.
const MAX_WAITING: usize = 128;

#[derive(Debug)]
pub(crate) struct Hasher {
    work: Workers,
    buffers: Buffers,
    entropy: Arc<dyn Entropy>,
    /// The hash of a random string. If a name does not exist, the password is verified against this hash, so
    /// the time taken reveals nothing. The first verification computes the decoy whether or not the name
    /// exists. The decoy therefore does not delay the server's start, and the first verification reveals
    /// nothing either.
    decoy: Arc<OnceLock<String>>,
    /// The decoy's text and salt.
    decoy_text_and_salt: (u128, u128),
}

impl Hasher {
    /// Creates a hasher that computes at most `max_running` hashes at the same time.
    pub(crate) fn new(max_running: usize, entropy: Arc<dyn Entropy>) -> Result<Self, Error> {
        let decoy_text_and_salt = (entropy.random()?, entropy.random()?);
        let work = Workers::with_queue(max_running, MAX_WAITING);
        Ok(Self { work, buffers: Buffers::default(), entropy, decoy: Arc::default(), decoy_text_and_salt })
    }

    /// Returns the hash of a new password in PHC string format, which contains its parameters and salt.
    pub(crate) async fn hash(&self, password: &str, tenant: Tenant) -> Result<String, Error> {
        let (password, salt) = (normalized(password), self.entropy.random()?);
        let buffers = self.buffers.clone();
        self.work.run(tenant, move || hash(&password, salt, &buffers)).await
    }

    /// Returns `true` if the password matches the stored hash. Returns `false`, taking just as long, if there
    /// is no hash, or if the hash is empty because the account has no password.
    pub(crate) async fn verify(
        &self,
        password: &str,
        stored: Option<&str>,
        tenant: Tenant,
    ) -> Result<bool, Error> {
        let stored = stored.filter(|stored| !stored.is_empty());
        let known = stored.is_some();
        let (password, stored) = (password.to_owned(), stored.map(str::to_owned));
        let (decoy, (secret, salt)) = (Arc::clone(&self.decoy), self.decoy_text_and_salt);
        let buffers = self.buffers.clone();
        let matches = self.work.run(tenant, move || {
            if decoy.get().is_none() {
                // Concurrent calls compute the same decoy, so it does not matter which is stored.
                let _ = decoy.set(hash(&secret.to_string(), salt, &buffers)?);
            }
            let stored = stored.as_ref().or(decoy.get()).ok_or(Error::Internal("there is no decoy"))?;
            let normalized = normalized(&password);
            Ok(matches_hash(&normalized, stored, &buffers)?
                // Earlier versions hashed passwords as they were typed.
                || (normalized != password && matches_hash(&password, stored, &buffers)?))
        });
        Ok(matches.await? && known)
    }
}

/// A pool of argon2's working memory, with one buffer for each hash computed at the same time.
///
/// If the buffers were freed instead, the allocator would keep one for each thread that ever computed a hash.
/// After a hundred wrong passwords at once, that would be hundreds of MB.
#[derive(Clone, Debug, Default)]
struct Buffers(Arc<Mutex<Vec<Vec<Block>>>>);

impl Buffers {
    /// Fills `output` with the argon2 hash of a password and a salt. The hash also depends on the length of
    /// `output`.
    fn fill(&self, argon2: &Argon2<'_>, password: &str, salt: &Salt, output: &mut [u8]) -> Result<(), Error> {
        let mut blocks = self.buffers().pop().unwrap_or_default();
        blocks.resize(argon2.params().block_count(), Block::new());
        let filled = argon2.hash_password_into_with_memory(password.as_bytes(), salt, output, &mut blocks);
        self.buffers().push(blocks);
        filled.map_err(|_| Error::Internal("a password could not be hashed"))
    }

    fn buffers(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Block>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(password: &str, salt: u128, buffers: &Buffers) -> Result<String, Error> {
    const NOT_WRITTEN: Error = Error::Internal("a hash could not be written");
    let argon2 = Argon2::default();
    let salt = Salt::new(&salt.to_le_bytes()).map_err(|_| NOT_WRITTEN)?;
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    buffers.fill(&argon2, password, &salt, &mut output)?;
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(argon2.params()).map_err(|_| NOT_WRITTEN)?,
        salt: Some(salt),
        hash: Some(Output::new(&output).map_err(|_| NOT_WRITTEN)?),
    };
    Ok(hash.to_string())
}

/// Returns `true` if a password matches a stored hash, which may have any parameters.
fn matches_hash(password: &str, stored: &str, buffers: &Buffers) -> Result<bool, Error> {
    const NO_HASH: Error = Error::Internal("a stored hash is not a password hash");
    let stored = PasswordHash::new(stored).map_err(|_| NO_HASH)?;
    let algorithm = Algorithm::try_from(stored.algorithm.as_str()).map_err(|_| NO_HASH)?;
    let version = stored.version.map_or(Ok(Version::default()), Version::try_from).map_err(|_| NO_HASH)?;
    let params = Params::try_from(&stored).map_err(|_| NO_HASH)?;
    let (Some(salt), Some(expected)) = (stored.salt, stored.hash) else { return Err(NO_HASH) };
    let mut output = [0; Output::MAX_LENGTH];
    let output = output.get_mut(..expected.len()).ok_or(NO_HASH)?;
    buffers.fill(&Argon2::new(algorithm, version, params), password, &salt, output)?;
    // `Output` compares in constant time.
    Ok(Output::new(output).map_err(|_| NO_HASH)? == expected)
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

    use super::*;
    use crate::SystemEntropy;

    #[test]
    fn hashes_in_reused_memory_match_the_library() {
        let buffers = Buffers::default();
        for (number, password) in
            ["", "correct horse", "é\u{301}", "x".repeat(500).as_str()].iter().enumerate()
        {
            let ours = hash(password, number as u128, &buffers).unwrap();
            let theirs = Argon2::default()
                .hash_password_with_salt(password.as_bytes(), &(number as u128).to_le_bytes())
                .unwrap();
            assert_eq!(ours, theirs.to_string());
            Argon2::default().verify_password(password.as_bytes(), ours.as_str()).unwrap();
            assert!(matches_hash(password, &ours, &buffers).unwrap());
            assert!(!matches_hash("another", &ours, &buffers).unwrap());
        }
        // A hash with different parameters, such as one stored by an older version.
        let params = Params::new(8 * 1024, 3, 2, Some(24)).unwrap();
        let other = Argon2::new(Algorithm::Argon2i, Version::V0x10, params);
        let other = other.hash_password_with_salt(b"correct horse", b"sixteen bytes ok").unwrap().to_string();
        assert!(matches_hash("correct horse", &other, &buffers).unwrap());
        assert!(!matches_hash("wrong horse", &other, &buffers).unwrap());
        assert_eq!(buffers.buffers().len(), 1);
    }

    #[tokio::test]
    async fn passwords_are_hashed_with_salt_and_verified() {
        let hasher = Hasher::new(1, Arc::new(SystemEntropy)).unwrap();
        let (one, two) = (
            hasher.hash("correct horse", Tenant::Server).await.unwrap(),
            hasher.hash("correct horse", Tenant::Server).await.unwrap(),
        );
        assert_ne!(one, two);
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert!(hasher.verify("correct horse", Some(&two), Tenant::Server).await.unwrap());
        assert!(!hasher.verify("wrong horse", Some(&one), Tenant::Server).await.unwrap());
        assert!(!hasher.verify("correct horse", None, Tenant::Server).await.unwrap());

        // An accent may be typed as a character of its own, and a space as a non-breaking one.
        let accented = hasher.hash("café noir fort", Tenant::Server).await.unwrap();
        let typed = "cafe\u{301}\u{a0}noir fort";
        assert!(hasher.verify(typed, Some(&accented), Tenant::Server).await.unwrap());
        let by_an_earlier_version = hash(typed, 1, &Buffers::default()).unwrap();
        assert!(hasher.verify(typed, Some(&by_an_earlier_version), Tenant::Server).await.unwrap());
        assert!(!hasher.verify("cafe noir fort", Some(&accented), Tenant::Server).await.unwrap());
    }

    #[tokio::test]
    async fn s10_a_request_is_refused_when_too_many_wait() {
        const MAX_WAITING: usize = 16;
        let hasher = Hasher::new(1, Arc::new(SystemEntropy)).unwrap();
        let hasher = Arc::new(Hasher { work: Workers::with_queue(1, MAX_WAITING), ..hasher });
        let many = (0..MAX_WAITING * 2).map(|_| {
            let hasher = Arc::clone(&hasher);
            tokio::spawn(async move { hasher.verify("x", None, Tenant::Server).await })
        });
        let mut busy = 0;
        for one in many.collect::<Vec<_>>() {
            busy += usize::from(matches!(one.await.unwrap(), Err(Error::Busy)));
        }
        // One request is being served, `MAX_WAITING` are queued, and the others are refused.
        assert_eq!(busy, MAX_WAITING - 1);
        assert!(hasher.verify("x", None, Tenant::Server).await.is_ok());
    }

    /// Other tenants need not wait until all the busy tenant's requests are done, and their own requests are
    /// not pushed out of the queue.
    #[tokio::test]
    async fn a_tenant_with_many_requests_does_not_hold_up_the_others() {
        const MAX_WAITING: usize = 16;
        let hasher = Hasher::new(1, Arc::new(SystemEntropy)).unwrap();
        let hasher = Arc::new(Hasher { work: Workers::with_queue(1, MAX_WAITING), ..hasher });
        let request = |tenant: Tenant| {
            let hasher = Arc::clone(&hasher);
            tokio::spawn(async move { hasher.verify("x", None, tenant).await })
        };
        let account = Tenant::Account(adoube_protocol::PlayerId::from_random(1));
        let greedy = (0..MAX_WAITING * 2).map(|_| request(account.clone())).collect::<Vec<_>>();
        // Each task submits its request.
        tokio::task::yield_now().await;
        for number in 0..4 {
            let honest = request(Tenant::Network([192, 0, 2, number].into())).await.unwrap();
            assert!(matches!(honest, Ok(false)), "{honest:?}");
            assert!(
                greedy.iter().any(|one| !one.is_finished()),
                "the honest request was served only after all of the greedy ones"
            );
        }
    }
}
