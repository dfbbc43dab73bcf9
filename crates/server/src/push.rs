//! Notifications to the browsers of players who do not have a page of this server open. They are sent
//! through the browser vendors' push services.
//!
//! A browser subscribes on the account page, for its current session. Requests go only to the services that
//! the settings name, and their content is encrypted for the browser. An account gets at most [`PER_DAY`]
//! notifications a day in total.

mod key;
mod text;

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use adoube_protocol::{GameId, Millis, PlayerId, SessionId};
use adoube_push::{Delivery, Endpoint, Message, PushService, Receiver, Sender, Urgency, VapidKey};
use adoube_rules::Variant;
use adoube_store::{Account, NewMail, PushDevice, PushSubscription, Store, TokenHash};
use futures_util::future::join_all;
use tokio::sync::{OnceCell, Semaphore};

use crate::{
    clock::Clock,
    config::Config,
    entropy::Entropy,
    error::Error,
    log_throttle::LogThrottle,
    mail::keyed_hash,
    metrics::{Metrics, PushEnd},
    serve_error::ServeError,
};

/// The maximum number of notifications to an account per day. One that is sent to several browsers counts
/// once.
const PER_DAY: u32 = 12;
/// The maximum number of these that announce a turn. Opponents cause them, and must not be able to suppress
/// the warnings before a deadline.
const TURNS_PER_DAY: u32 = 10;
/// The window in which notifications are counted.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// The maximum number of concurrent requests to push services.
const MAX_CONCURRENT: usize = 32;
/// The maximum time that a request waits for a permit. After that, the notification is dropped, because a
/// push service is then probably not responding, and later notifications should not be delayed as well.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// How long a request's signature is valid, in seconds.
const SIGNATURE_S: i64 = 12 * 60 * 60;
/// The maximum time that a push service keeps a notification for a browser that is not running, in
/// milliseconds.
const MAX_TTL_MS: i64 = DAY_MS;

/// A notification about a game.
#[derive(Clone, Debug)]
pub(crate) struct Notification<'a> {
    pub(crate) game: &'a GameId,
    pub(crate) variant: Variant,
    /// The name of the opponent's account, if there is one.
    pub(crate) opponent: Option<&'a str>,
    pub(crate) deadline: Option<Millis>,
    pub(crate) kind: NotificationKind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NotificationKind {
    /// The opponent has played.
    Turn,
    /// The deadline is near.
    Warning,
}

/// Sends notifications.
#[derive(Debug)]
pub(crate) struct Pushes {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    metrics: Arc<Metrics>,
    services: Vec<PushService>,
    /// The key that signs requests. `vapid` and `sender` are derived from it on first use; `sender` is `None`
    /// if the system has no certificates.
    secret: [u8; VapidKey::BYTES],
    vapid: OnceLock<Option<VapidKey>>,
    sender: OnceCell<Option<Sender>>,
    /// A URL at which operators of push services can reach the operator of this server.
    subject: Option<String>,
    /// Signs the tokens that turn notifications off, and hashes the accounts whose notifications are counted.
    key: Vec<u8>,
    permits: Semaphore,
    failures: LogThrottle,
}

impl Pushes {
    /// Opens the service. `key` also signs the links in e-mails.
    pub(crate) async fn open(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        metrics: Arc<Metrics>,
        config: &Config,
        key: Vec<u8>,
    ) -> Result<Self, ServeError> {
        let secret = key::open(&*store, &*entropy).await?;
        // Push services expect a contact address, and refuse an invalid one.
        let subject = Some(config.link_address()).filter(|origin| origin.starts_with("https:"));
        let services = config.push.services.clone();
        Ok(Self {
            store,
            clock,
            entropy,
            metrics,
            services,
            secret,
            vapid: OnceLock::new(),
            sender: OnceCell::new(),
            subject,
            key,
            permits: Semaphore::new(MAX_CONCURRENT),
            failures: LogThrottle::new(),
        })
    }

    fn vapid(&self) -> Option<&VapidKey> {
        self.vapid.get_or_init(|| VapidKey::new(&self.secret).ok()).as_ref()
    }

    /// Returns the client for push services. The first call reads the system's certificates.
    async fn sender(&self) -> Option<&Sender> {
        let open = async || {
            let (vapid, subject) = (self.vapid()?.clone(), self.subject.clone());
            let opened = tokio::task::spawn_blocking(|| Sender::new(vapid, subject)).await.ok()?;
            let warn = |error: &std::io::Error| {
                tracing::warn!(
                    %error,
                    "notifications cannot be pushed, because the system has no certificates: install \
                     ca-certificates, and restart the server"
                );
            };
            opened.inspect_err(warn).ok()
        };
        self.sender.get_or_init(open).await.as_ref()
    }

    fn is_on(&self) -> bool {
        !self.services.is_empty()
    }

    /// Returns the public key with which a browser subscribes, or `None` if no notifications are sent.
    pub(crate) fn public_key(&self) -> Option<&str> {
        self.vapid().filter(|_| self.is_on()).map(VapidKey::public)
    }

    /// Stores the subscription of a session, replacing any earlier one.
    pub(crate) async fn subscribe(
        &self,
        player: &PlayerId,
        session: &SessionId,
        endpoint: String,
        (p256dh, auth): (Vec<u8>, Vec<u8>),
    ) -> Result<(), Error> {
        let address = Endpoint::parse(&endpoint);
        if !address.as_ref().is_some_and(|address| address.is_at(&self.services)) {
            let host = address.as_ref().map_or("", Endpoint::host);
            return Err(Error::PushService(host.chars().take(100).collect()));
        }
        Receiver::new(&p256dh, &auth).map_err(|_| Error::PushKeys)?;
        let session = session.clone();
        let new = PushSubscription { session, endpoint, p256dh, auth, created_at: self.clock.now() };
        if self.store.set_push_subscription(player, new).await? { Ok(()) } else { Err(Error::NotSignedIn) }
    }

    /// Returns the browsers of an account to which notifications can be sent.
    pub(crate) async fn devices(&self, player: &PlayerId) -> Result<Vec<PushDevice>, Error> {
        if !self.is_on() {
            return Ok(Vec::new());
        }
        Ok(self.store.list_push_devices(player, self.clock.now()).await?)
    }

    /// Sends a notification to the given browsers of an account, unless the daily limit has been reached.
    /// Returns `true` if at least one push service has accepted it.
    pub(crate) async fn send(
        &self,
        account: &Account,
        devices: &[PushDevice],
        notification: &Notification<'_>,
    ) -> Result<bool, Error> {
        if devices.is_empty() {
            return Ok(false);
        }
        let Some(sender) = self.sender().await else { return Ok(false) };
        if !self.count(&account.player, notification.kind).await? {
            self.metrics.push(PushEnd::Limited);
            return Ok(false);
        }
        let sent = join_all(devices.iter().map(|device| async move {
            let end = self.send_to(sender, account, &device.subscription, notification).await;
            self.metrics.push(end);
            end == PushEnd::Sent
        }));
        Ok(sent.await.contains(&true))
    }

    /// Counts a notification. Returns `false` if a daily limit has been reached.
    async fn count(&self, player: &PlayerId, kind: NotificationKind) -> Result<bool, Error> {
        let now = self.clock.now();
        let (kind, max_of_kind) = match kind {
            NotificationKind::Turn => ("turn", TURNS_PER_DAY),
            NotificationKind::Warning => ("warning", PER_DAY),
        };
        let new = NewMail {
            recipient: keyed_hash(&self.key, &["push", player.as_str()]),
            pool: "push",
            kind,
            at: now,
            since: Millis(now.0.saturating_sub(DAY_MS)),
            max_of_pool: PER_DAY,
            max_of_kind,
        };
        Ok(self.store.count_mail(new).await?.is_some())
    }

    async fn send_to(
        &self,
        sender: &Sender,
        account: &Account,
        to: &PushSubscription,
        notification: &Notification<'_>,
    ) -> PushEnd {
        match self.try_send(sender, account, to, notification).await {
            Ok(Delivery::Accepted) => PushEnd::Sent,
            Ok(Delivery::Gone) => {
                if let Err(error) = self.store.delete_push_endpoint(&to.endpoint).await {
                    Error::from(error).log();
                }
                PushEnd::Gone
            }
            Err(reason) => {
                if let Some(suppressed) = self.failures.line(Instant::now()) {
                    tracing::warn!(reason, suppressed, "a notification was not pushed");
                }
                PushEnd::Failed
            }
        }
    }

    async fn try_send(
        &self,
        sender: &Sender,
        account: &Account,
        to: &PushSubscription,
        notification: &Notification<'_>,
    ) -> Result<Delivery, String> {
        // The settings may have changed since the browser subscribed.
        let Some(endpoint) = Endpoint::parse(&to.endpoint).filter(|one| one.is_at(&self.services)) else {
            return Err("the settings do not name the browser's push service".to_owned());
        };
        let receiver = Receiver::new(&to.p256dh, &to.auth).map_err(|error| error.to_string())?;
        let now = self.clock.now();
        let stop = self.stop_token(&account.player, &to.session);
        let text = text::payload(account, notification, now, &stop);
        let (private, salt) = self.randomness().map_err(|error| error.to_string())?;
        let body = receiver.encrypt(text.as_bytes(), &private, &salt).map_err(|error| error.to_string())?;
        let left_ms = notification.deadline.map_or(MAX_TTL_MS, |deadline| deadline.0.saturating_sub(now.0));
        let message = Message {
            body,
            ttl_s: u32::try_from(left_ms.clamp(0, MAX_TTL_MS) / 1000).unwrap_or_default(),
            urgency: match notification.kind {
                NotificationKind::Turn => Urgency::Normal,
                NotificationKind::Warning => Urgency::High,
            },
            topic: notification.game.as_str(),
        };
        let Ok(Ok(_permit)) = tokio::time::timeout(MAX_WAIT, self.permits.acquire()).await else {
            return Err("too many requests to push services are waiting".to_owned());
        };
        let expires_s = now.0.div_euclid(1000).saturating_add(SIGNATURE_S);
        sender.send(&endpoint, message, expires_s).await.map_err(|error| error.to_string())
    }

    /// Returns a private key and a salt for one message.
    fn randomness(&self) -> Result<([u8; 32], [u8; 16]), Error> {
        let private = key::random_private_key(&*self.entropy)?;
        Ok((private, self.entropy.random()?.to_le_bytes()))
    }

    /// Returns a token with which a browser can turn off its notifications without a cookie.
    fn stop_token(&self, player: &PlayerId, session: &SessionId) -> String {
        let TokenHash(signature) = self.stop_signature(player, session);
        let half = signature.first_chunk::<16>().map_or(0, |half| u128::from_be_bytes(*half));
        format!("{player}{session}{half:032x}")
    }

    fn stop_signature(&self, player: &PlayerId, session: &SessionId) -> TokenHash {
        keyed_hash(&self.key, &["stop-push", player.as_str(), session.as_str()])
    }

    /// Turns off notifications in the browser to which a token was sent.
    pub(crate) async fn stop(&self, token: &str) -> Result<(), Error> {
        let (player, rest) = token.split_at_checked(PlayerId::LENGTH).unwrap_or_default();
        let (session, signature) = rest.split_at_checked(SessionId::LENGTH).unwrap_or_default();
        let player = player.parse::<PlayerId>().map_err(|_| Error::PushDeviceNotFound)?;
        let session = session.parse::<SessionId>().map_err(|_| Error::PushDeviceNotFound)?;
        let TokenHash(expected) = self.stop_signature(&player, &session);
        let given = u128::from_str_radix(signature, 16).map_err(|_| Error::PushDeviceNotFound)?;
        // Compared in constant time.
        let differ = expected.iter().zip(given.to_be_bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
        if differ != 0 {
            return Err(Error::PushDeviceNotFound);
        }
        // This succeeds a second time too: the browser may repeat a request whose response was lost.
        self.store.delete_push_subscription(&player, &session).await?;
        Ok(())
    }
}
