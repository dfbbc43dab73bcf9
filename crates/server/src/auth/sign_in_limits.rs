//! Limits on password guesses. They are designed so that an attacker cannot use them to lock out the owner of
//! an account.
//!
//! | What is counted | Burst | Refills in | Guesses on the first day |
//! |---|---|---|---|
//! | wrong passwords for a name, from one address (for IPv6, one /48) | 10 | an hour | 250 |
//! | wrong passwords for a name, from all addresses | 100 | two hours | 1,300 |
//! | wrong passwords from one address, for all names | 120 | an hour | 3,000 |
//! | wrong passwords for a name, from a browser known to the account | 10 | an hour | 250 |
//! | wrong second-factor codes, per account and password | 10 | an hour | 250 |
//! | wrong second-factor codes, per known browser or session | 10 | an hour | 250 |
//! | wrong second-factor codes, per account, with a recovery link or an identity | 10 | an hour | 250 |
//! | wrong second-factor codes, per account, from all of these | 40 | an hour | 1,000 |
//!
//! An attempt with the correct password is refunded unless the code that comes with it is wrong, so a whole
//! class can sign in from one address. A browser that the account knows is counted separately, so failures by
//! strangers do not affect it. A name's allowance refills five times as fast as one address can use it up, so
//! an attacker needs more than five addresses to keep the owner from signing in on a *new* device. Even then
//! the owner can recover the account, because recovery has a limit of its own. Passwords that a signed-in
//! visitor enters to confirm a change or a deletion are counted per session. TOTP codes from unknown browsers
//! are counted per account and password, because only someone who knows the password can enter one. A new
//! password therefore resets their count. It also resets the count of wrong passwords for the name, so a
//! pupil who has forgotten the password can sign in with the new one immediately. TOTP codes are counted
//! separately for each known browser and session, but together for an account's recovery links and
//! identities. The total for an account is also limited. Recovery codes cannot be guessed and have no limit
//! of their own.
//!
//! Registrations and requests for recovery and confirmation links are limited here too, per address.

use std::net::IpAddr;

use adoube_protocol::{PlayerId, SessionId};
use adoube_store::Account;

use super::devices::DeviceId;
use crate::{
    config::Limits,
    error::Error,
    limits::{AddressBuckets, Buckets, Rate, SharedBucket, SharedLimits, Wait, networks},
};

/// The limit on an account's codes from all sources, as a multiple of the limit for one source.
const ALL_GUESSERS: u64 = 4;

/// The maximum number of characters of a submitted name that are used as a key. Account names are shorter.
const MAX_NAME_CHARS: usize = 64;

#[derive(Debug)]
pub(crate) struct SignInLimits {
    /// Counts per name and network.
    pairs: Buckets<(String, IpAddr)>,
    names: Buckets<String>,
    addresses: AddressBuckets,
    devices: Buckets<DeviceId>,
    sessions: Buckets<SessionId>,
    codes: Buckets<CodeKey>,
    codes_of_account: Buckets<PlayerId>,
    registrations: AddressBuckets,
    recoveries: AddressBuckets,
    confirmations: AddressBuckets,
    /// The same limits, for all nodes together.
    shared: SharedLimits,
}

/// An attempt whose password or code is being verified. It counts as a failure unless it is refunded.
#[derive(Debug)]
#[must_use]
pub(crate) struct Attempt<'a> {
    limits: &'a SignInLimits,
    by: AttemptSource,
}

#[derive(Debug)]
enum AttemptSource {
    UnknownBrowser { pair: (String, IpAddr), address: IpAddr },
    Device(DeviceId),
    Session(SessionId),
    Code(CodeKey, PlayerId),
}

/// The source of a second-factor attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CodeGuesser<'a> {
    /// A browser unknown to the account.
    UnknownBrowser,
    Device(DeviceId),
    Session(&'a SessionId),
    /// The holder of a recovery link, which was sent to the account's mailbox, or of an identity at a
    /// provider.
    Proved,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum CodeKey {
    /// The hash of the password. It is salted, so it also identifies the account.
    Account(String),
    Device(DeviceId),
    Session(SessionId),
    Proved(PlayerId),
}

impl SignInLimits {
    pub(crate) fn new(limits: &Limits, shared: SharedLimits) -> Self {
        Self {
            pairs: Buckets::new(limits.sign_ins),
            names: Buckets::new(limits.wrong_passwords_per_name),
            addresses: AddressBuckets::new(limits.wrong_passwords_per_address),
            devices: Buckets::new(limits.sign_ins),
            sessions: Buckets::new(limits.sign_ins),
            codes: Buckets::new(limits.sign_ins),
            codes_of_account: Buckets::new(Rate {
                count: limits.sign_ins.count.saturating_mul(ALL_GUESSERS),
                ..limits.sign_ins
            }),
            registrations: AddressBuckets::new(limits.registrations_per_address),
            recoveries: AddressBuckets::new(limits.recoveries_per_address),
            confirmations: AddressBuckets::new(limits.confirmations_per_address),
            shared,
        }
    }

    pub(crate) async fn register(&self, address: IpAddr) -> Result<(), Error> {
        self.spend_at(&self.registrations, "registrations", address).await
    }

    /// Counts a request for a recovery link from a network address. E-mails are counted per mailbox
    /// elsewhere.
    pub(crate) async fn request_recovery(&self, address: IpAddr) -> Result<(), Error> {
        self.spend_at(&self.recoveries, "recoveries", address).await
    }

    /// Counts a request for a confirmation link from a network address. E-mails are counted per mailbox
    /// elsewhere.
    pub(crate) async fn confirm_address(&self, address: IpAddr) -> Result<(), Error> {
        self.spend_at(&self.confirmations, "confirmations", address).await
    }

    async fn spend_at(
        &self,
        buckets: &AddressBuckets,
        kind: &'static str,
        address: IpAddr,
    ) -> Result<(), Error> {
        buckets.spend(address)?;
        let shared = self.shared.take(&buckets.shared(kind, address, 1)).await;
        shared.inspect_err(|_| buckets.refund(address, 1.0))
    }

    /// Counts an attempt to sign in with a password. `stored_hash` is the hash of the account's current
    /// password, if there is an account with this name.
    pub(crate) async fn sign_in(
        &self,
        name: &str,
        stored_hash: Option<&str>,
        address: IpAddr,
        device: Option<DeviceId>,
    ) -> Result<Attempt<'_>, Error> {
        let by = if let Some(device) = device {
            AttemptSource::Device(device)
        } else {
            // Folded as when accounts are looked up, so that other spellings of the same name, with different
            // case or accents, do not allow more guesses.
            let name =
                adoube_store::columns::unaccented_key(&name.chars().take(MAX_NAME_CHARS).collect::<String>());
            // The salt is public and differs for each password. In the PHC format it precedes the hash.
            let salt = stored_hash.and_then(|hash| hash.rsplit('$').nth(1)).unwrap_or_default();
            let name = format!("{name} {salt}");
            // The widest network is used because the many addresses of one home must not allow more guesses.
            let network = networks(address).last().copied().unwrap_or(address);
            AttemptSource::UnknownBrowser { pair: (name, network), address }
        };
        self.begin(by).await
    }

    /// Counts an attempt to confirm an action with the password of a signed-in visitor.
    pub(crate) async fn confirm(&self, session: &SessionId) -> Result<Attempt<'_>, Error> {
        self.begin(AttemptSource::Session(session.clone())).await
    }

    /// Counts an attempt to enter a second-factor code.
    pub(crate) async fn second_factor(
        &self,
        account: &Account,
        guesser: CodeGuesser<'_>,
    ) -> Result<Attempt<'_>, Error> {
        let key = match guesser {
            CodeGuesser::UnknownBrowser => CodeKey::Account(account.password.clone()),
            CodeGuesser::Device(device) => CodeKey::Device(device),
            CodeGuesser::Session(session) => CodeKey::Session(session.clone()),
            CodeGuesser::Proved => CodeKey::Proved(account.player.clone()),
        };
        self.begin(AttemptSource::Code(key, account.player.clone())).await
    }

    /// Counts an attempt, first in this process and then for all nodes.
    async fn begin(&self, by: AttemptSource) -> Result<Attempt<'_>, Error> {
        self.spend(&by)?;
        if let Err(error) = self.shared.take(&self.shared_buckets(&by)).await {
            self.refund(&by);
            return Err(error);
        }
        Ok(Attempt { limits: self, by })
    }

    fn spend(&self, by: &AttemptSource) -> Result<(), Wait> {
        match by {
            AttemptSource::Device(device) => self.devices.spend(*device),
            AttemptSource::Session(session) => self.sessions.spend(session.clone()),
            AttemptSource::UnknownBrowser { pair, address } => {
                // A refused attempt costs nothing. In particular, one network cannot use up the name's
                // allowance.
                self.pairs.spend(pair.clone())?;
                let spent = self.addresses.spend(*address).and_then(|()| {
                    let spent = self.names.spend(pair.0.clone());
                    spent.inspect_err(|_| self.addresses.refund(*address, 1.0))
                });
                spent.inspect_err(|_| self.pairs.refund(pair, 1.0))
            }
            AttemptSource::Code(key, player) => {
                self.codes.spend(key.clone())?;
                let spent = self.codes_of_account.spend(player.clone());
                spent.inspect_err(|_| self.codes.refund(key, 1.0))
            }
        }
    }

    fn refund(&self, by: &AttemptSource) {
        match by {
            AttemptSource::UnknownBrowser { pair, address } => {
                self.names.refund(&pair.0, 1.0);
                self.addresses.refund(*address, 1.0);
                self.pairs.refund(pair, 1.0);
            }
            AttemptSource::Device(device) => self.devices.refund(device, 1.0),
            AttemptSource::Session(session) => self.sessions.refund(session, 1.0),
            AttemptSource::Code(key, player) => {
                self.codes.refund(key, 1.0);
                self.codes_of_account.refund(player, 1.0);
            }
        }
    }

    /// Returns the shared buckets from which an attempt takes tokens.
    fn shared_buckets(&self, by: &AttemptSource) -> Vec<SharedBucket> {
        match by {
            AttemptSource::Device(DeviceId(device)) => {
                vec![SharedBucket::one_token("devices", device, self.devices.rate())]
            }
            AttemptSource::Session(session) => {
                vec![SharedBucket::one_token("sessions", session, self.sessions.rate())]
            }
            AttemptSource::UnknownBrowser { pair: (name, network), address } => {
                let mut buckets = self.addresses.shared("passwords", *address, 1);
                buckets.push(SharedBucket::one_token("names", name, self.names.rate()));
                // The network comes first, because it contains no spaces.
                buckets.push(SharedBucket::one_token(
                    "pairs",
                    &format!("{network} {name}"),
                    self.pairs.rate(),
                ));
                buckets
            }
            AttemptSource::Code(key, player) => {
                let key = match key {
                    CodeKey::Account(password) => format!("account {password}"),
                    CodeKey::Device(DeviceId(device)) => format!("device {device}"),
                    CodeKey::Session(session) => format!("session {session}"),
                    CodeKey::Proved(player) => format!("link {player}"),
                };
                vec![
                    SharedBucket::one_token("codes", &key, self.codes.rate()),
                    SharedBucket::one_token("account-codes", player, self.codes_of_account.rate()),
                ]
            }
        }
    }
}

impl Attempt<'_> {
    /// Refunds the attempt because the password or code was correct or could not be verified.
    pub(crate) async fn refund(self) {
        let Self { limits, by } = self;
        limits.refund(&by);
        limits.shared.return_tokens(&limits.shared_buckets(&by)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, time::Duration};

    use super::*;

    fn address(number: u32) -> IpAddr {
        Ipv4Addr::from(0x0a00_0000 + number).into()
    }

    /// Returns the number of guesses allowed in a day if each address makes 200 guesses at first and then two
    /// every half minute.
    async fn guesses(limits: &SignInLimits, addresses: u32, name: impl Fn(u32) -> String) -> u32 {
        let mut accepted = 0;
        for round in 0..24 * 60 * 2u32 {
            // The first round uses up the burst.
            let at_once = if round == 0 { 200 } else { 2 };
            for from in (0..addresses).flat_map(|from| std::iter::repeat_n(from, at_once)) {
                accepted +=
                    u32::from(limits.sign_in(&name(accepted), None, address(from), None).await.is_ok());
            }
            tokio::time::advance(Duration::from_secs(30)).await;
        }
        accepted
    }

    #[tokio::test(start_paused = true)]
    async fn guesses_per_day_are_limited_per_name_and_per_address() {
        let limits = Limits::default();
        let (one, all, sprayed) = (
            SignInLimits::new(&limits, SharedLimits::none()),
            SignInLimits::new(&limits, SharedLimits::none()),
            SignInLimits::new(&limits, SharedLimits::none()),
        );
        let one = guesses(&one, 1, |_| "Anna".into()).await;
        let all = guesses(&all, 20, |_| "Anna".into()).await;
        let sprayed = guesses(&sprayed, 1, |guess| format!("name{guess}")).await;
        println!(
            "guesses a day: {one} for one name from one address, {all} from twenty, {sprayed} for many names"
        );
        assert!((249..=250).contains(&one), "{one}");
        assert!((1_299..=1_300).contains(&all), "{all}");
        assert!((2_999..=3_000).contains(&sprayed), "{sprayed}");
    }

    #[tokio::test(start_paused = true)]
    async fn failures_from_one_address_do_not_block_the_owner_elsewhere() {
        let limits = SignInLimits::new(&Limits::default(), SharedLimits::none());
        for _ in 0..24 * 60 {
            let _ = limits.sign_in("Anna", None, address(1), None).await.map(|_| ());
            limits.sign_in("anna", None, address(2), None).await.unwrap().refund().await;
            tokio::time::advance(Duration::from_mins(1)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_password_can_be_used_immediately_after_wrong_ones() {
        let limits = SignInLimits::new(&Limits::default(), SharedLimits::none());
        let [old, new] =
            ["$argon2id$v=19$m=19456,t=2,p=1$b2xk$aGFzaA", "$argon2id$v=19$m=19456,t=2,p=1$bmV3$aGFzaA"];
        for _ in 0..20 {
            let _ = limits.sign_in("Anna", Some(old), address(1), None).await.map(|_| ());
        }
        assert!(limits.sign_in("Anna", Some(old), address(1), None).await.is_err());
        assert!(limits.sign_in("Anna", Some(new), address(1), None).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn known_devices_and_sessions_are_counted_separately() {
        let limits = SignInLimits::new(&Limits::default(), SharedLimits::none());
        for number in 0..200 {
            let _ = limits.sign_in("Anna", None, address(number), None).await.map(|_| ());
        }
        assert!(limits.sign_in("Anna", None, address(999), None).await.is_err());
        let device = DeviceId(7);
        for _ in 0..10 {
            // The attempt is dropped without a refund. A client that does not wait for the response has
            // nevertheless made a guess.
            let _ = limits.sign_in("Anna", None, address(999), Some(device)).await.unwrap();
        }
        assert!(limits.sign_in("Anna", None, address(999), Some(device)).await.is_err());
        assert!(limits.sign_in("Anna", None, address(999), Some(DeviceId(8))).await.is_ok());
        let session = SessionId::from_random(1);
        for _ in 0..1_000 {
            limits.confirm(&session).await.unwrap().refund().await;
        }
    }
}
