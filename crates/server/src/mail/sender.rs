use std::sync::Arc;

use adoube_notation::Language;
use adoube_protocol::{GameId, Millis, PlayerId};
use adoube_rules::Variant;
use adoube_store::{Account, NewMail, Store, TokenHash};
use adoube_texts as texts;

use super::{
    Email, Mailer,
    address::{Address, keyed_hash},
};
use crate::{clock::Clock, error::Error};

pub(crate) const HOUR_MS: i64 = 60 * 60 * 1000;
const MINUTE_MS: i64 = 60 * 1000;
/// The window in which e-mails are counted.
const DAY_MS: i64 = 24 * HOUR_MS;
const TWO_DAYS_MS: i64 = 2 * DAY_MS;

/// The maximum number of recovery links sent to one mailbox in a day.
const MAX_RECOVERIES: u32 = 5;
/// The maximum number of e-mails of all other kinds, except warnings, sent to one mailbox in a day.
const MAX_OTHERS: u32 = 3;
/// The maximum number of confirmations, reminders and new-browser notices among these. The rest is reserved
/// for notices of changes to the account. Otherwise strangers, who can trigger the other kinds, could
/// suppress such a notice.
const MAX_STRANGER_TRIGGERED: u32 = 2;
/// The maximum number of warnings before deadlines sent to one mailbox in a day. They are counted separately
/// from reminders, because opponents, who trigger reminders, must not be able to suppress warnings.
const MAX_WARNINGS: u32 = 2;
/// The maximum number of confirmation links that one account may trigger in a day, across all addresses.
const MAX_CONFIRMATIONS: u32 = 5;

/// The content of an e-mail.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum EmailContent<'a> {
    /// A link to confirm the address.
    Confirm {
        secret: &'a str,
        hours: i64,
    },
    /// A link to choose a new password.
    Recover {
        secret: &'a str,
        hours: i64,
    },
    /// The player is to move in correspondence games.
    Reminder {
        games: &'a [WaitingGame],
        /// The number of further games, which are not listed.
        more: usize,
    },
    /// The time for a turn is running out in correspondence games.
    Warning {
        games: &'a [WaitingGame],
    },
    /// An unknown browser has signed in.
    NewDevice,
    NewPassword,
    /// The address was changed or removed.
    NewAddress,
    SecondFactorOn,
    SecondFactorOff,
    /// The account was linked to an identity at a provider.
    NewIdentity,
}

/// A game in which a player is to move, as listed in e-mails.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct WaitingGame {
    pub(crate) id: GameId,
    pub(crate) variant: Variant,
    /// The name of the opponent's account.
    pub(crate) opponent: Option<String>,
    pub(crate) deadline: Option<Millis>,
}

impl EmailContent<'_> {
    /// Returns `true` if a recipient may stop e-mails of this kind.
    fn can_be_stopped(self) -> bool {
        matches!(self, Self::Reminder { .. } | Self::Warning { .. })
    }
}

/// The outcome of a request to send an e-mail.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum SendOutcome {
    Sent,
    /// The mailbox, or the account that requests confirmations, has reached a daily limit.
    LimitReached,
}

/// The service that counts e-mails and sends them in the account's language.
///
/// In any 24 hours a mailbox gets at most 5 recovery links, at most 2 warnings before deadlines, and at most
/// 3 e-mails of all other kinds together. The counts are in the store, so a restart does not reset them.
#[derive(Debug)]
pub(crate) struct EmailSender {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    mailer: Arc<dyn Mailer>,
    key: Vec<u8>,
    link_address: String,
}

impl EmailSender {
    /// Creates the service. `key` signs links that are not stored, and hashes the addresses that are counted.
    /// `link_address` is this server's address as browsers see it. Links begin with it.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        mailer: Arc<dyn Mailer>,
        key: Vec<u8>,
        link_address: String,
    ) -> Self {
        Self { store, clock, mailer, key, link_address }
    }

    /// Returns `true` unless e-mails are silently dropped.
    pub(crate) fn is_connected(&self) -> bool {
        self.mailer.is_connected()
    }

    /// Counts an e-mail to an account's address. Returns the number of further e-mails of this kind that the
    /// mailbox may get within the day, or `None` if this one exceeds a limit.
    pub(crate) async fn count(
        &self,
        account: &Account,
        to: &Address,
        content: EmailContent<'_>,
    ) -> Result<Option<u32>, Error> {
        let now = self.clock.now();
        let mail = |recipient, pool, kind, max_of_pool, max_of_kind| NewMail {
            recipient,
            pool,
            kind,
            at: now,
            since: Millis(now.0.saturating_sub(DAY_MS)),
            max_of_pool,
            max_of_kind,
        };
        if matches!(content, EmailContent::Confirm { .. }) {
            let requester = keyed_hash(&self.key, &["account", account.player.as_str()]);
            let counted =
                mail(requester, "confirmations", "confirmation", MAX_CONFIRMATIONS, MAX_CONFIRMATIONS);
            if self.store.count_mail(counted).await?.is_none() {
                return Ok(None);
            }
        }
        let recipient = to.hash(&self.key);
        let counted = match content {
            EmailContent::Recover { .. } => {
                mail(recipient, "recovery", "recovery", MAX_RECOVERIES, MAX_RECOVERIES)
            }
            EmailContent::Confirm { .. } | EmailContent::Reminder { .. } => {
                mail(recipient, "other", "caused", MAX_STRANGER_TRIGGERED, MAX_STRANGER_TRIGGERED)
            }
            EmailContent::Warning { .. } => {
                mail(recipient, "warnings", "warning", MAX_WARNINGS, MAX_WARNINGS)
            }
            // An intruder with the password triggers this notice first, so it must not use up the reserve.
            EmailContent::NewDevice => {
                mail(recipient, "other", "device", MAX_STRANGER_TRIGGERED, MAX_STRANGER_TRIGGERED)
            }
            EmailContent::NewPassword
            | EmailContent::NewAddress
            | EmailContent::SecondFactorOn
            | EmailContent::SecondFactorOff
            | EmailContent::NewIdentity => mail(recipient, "other", "notice", MAX_OTHERS, MAX_OTHERS),
        };
        Ok(self.store.count_mail(counted).await?)
    }

    /// Sends an e-mail that has been counted.
    pub(crate) async fn send(
        &self,
        account: &Account,
        to: &Address,
        content: EmailContent<'_>,
    ) -> Result<(), Error> {
        let stop = content.can_be_stopped().then(|| self.unsubscribe_link(&account.player, to));
        let mail = self.write(account, to, content, stop);
        Ok(self.mailer.send(mail).await?)
    }

    /// Counts an e-mail and sends it, unless a daily limit is reached.
    pub(crate) async fn send_within_limit(
        &self,
        account: &Account,
        to: &Address,
        content: EmailContent<'_>,
    ) -> Result<SendOutcome, Error> {
        if self.count(account, to, content).await?.is_none() {
            return Ok(SendOutcome::LimitReached);
        }
        self.send(account, to, content).await.map(|()| SendOutcome::Sent)
    }

    /// Sends a notice to an account's confirmed address, if it has one, in the background.
    pub(crate) fn notice(self: &Arc<Self>, account: Account, content: EmailContent<'static>) {
        let Some(to) = confirmed_address(&account) else { return };
        let sender = Arc::clone(self);
        tokio::spawn(async move {
            match sender.send_within_limit(&account, &to, content).await {
                Ok(SendOutcome::Sent) => {}
                Ok(SendOutcome::LimitReached) => {
                    tracing::info!(
                        name = account.name,
                        ?content,
                        "did not send a notice: the daily limit has been reached"
                    );
                }
                Err(error) => error.log(),
            }
        });
    }

    fn write(
        &self,
        account: &Account,
        to: &Address,
        content: EmailContent<'_>,
        stop: Option<String>,
    ) -> Email {
        let address = &self.link_address;
        let (key, link) = match content {
            EmailContent::Confirm { secret, .. } => ("confirm", format!("{address}/confirm/{secret}")),
            EmailContent::Recover { secret, .. } => ("recovery", format!("{address}/recover/{secret}")),
            EmailContent::Reminder { .. } => ("reminder", format!("{address}/games")),
            EmailContent::Warning { .. } => ("warning", format!("{address}/games")),
            EmailContent::NewDevice => ("device", format!("{address}/account")),
            EmailContent::NewPassword => ("password", format!("{address}/account")),
            EmailContent::NewAddress => ("address", format!("{address}/account")),
            EmailContent::SecondFactorOn => ("second-factor-on", format!("{address}/account")),
            EmailContent::SecondFactorOff => ("second-factor-off", format!("{address}/account")),
            EmailContent::NewIdentity => ("identity", format!("{address}/account")),
        };
        let mut args = texts::Args::new();
        args.set("name", account.name.as_str());
        args.set("site", address.split_once("://").map_or(address.as_str(), |(_, rest)| rest));
        args.set("link", link);
        args.set("stop", stop.as_deref().unwrap_or_default());
        if let EmailContent::Confirm { hours, .. } | EmailContent::Recover { hours, .. } = content {
            args.set("hours", hours);
        }
        let language = account.language.parse::<Language>().unwrap_or_default();
        args.set("date", date(language, self.clock.now()));
        if let EmailContent::Reminder { games, .. } | EmailContent::Warning { games } = content {
            let lines = games.iter().map(|game| self.line(language, game)).collect::<Vec<_>>();
            args.set("games", lines.join("\n\n"));
            let more = if let EmailContent::Reminder { more, .. } = content { more } else { 0 };
            args.set("count", games.len() + more);
            args.set("more", more);
        }
        Email {
            to: to.to_string(),
            subject: texts::message(language, &format!("mail-{key}-subject"), &args),
            text: texts::message(language, &format!("mail-{key}-text"), &args),
            unsubscribe: stop,
        }
    }

    /// Returns two lines about a game: its variant, the opponent and the time left, then its address.
    fn line(&self, language: Language, game: &WaitingGame) -> String {
        let WaitingGame { id, variant, opponent, deadline } = game;
        let mut args = texts::Args::new();
        args.set("game", texts::name(language, *variant));
        args.set("opponent", opponent_name(language, opponent.as_deref()));
        let left = deadline.map(|deadline| time_left(language, self.clock.now(), deadline));
        args.set("left", left.unwrap_or_default());
        format!("{}\n{}/game/{id}", texts::message(language, "mail-game", &args), self.link_address)
    }

    /// Returns the link that stops reminders and warnings. It is signed, and valid for this account at this
    /// address.
    fn unsubscribe_link(&self, player: &PlayerId, to: &Address) -> String {
        let TokenHash(signature) = self.stop_signature(player, to);
        let half = signature.first_chunk::<16>().map_or(0, |half| u128::from_be_bytes(*half));
        format!("{}/mail/stop/{player}{half:032x}", self.link_address)
    }

    fn stop_signature(&self, player: &PlayerId, to: &Address) -> TokenHash {
        keyed_hash(&self.key, &["stop", player.as_str(), &to.to_string()])
    }

    /// Turns off reminders and warnings for the account named by the token of an unsubscribe link.
    ///
    /// # Errors
    ///
    /// [`Error::MailLinkNotFound`] if the token is invalid, or if the account's address has changed since.
    pub(crate) async fn stop_reminders(&self, token: &str) -> Result<(), Error> {
        let (player, signature) =
            token.len().checked_sub(32).and_then(|at| token.split_at_checked(at)).unwrap_or_default();
        let player = player.parse::<PlayerId>().map_err(|_| Error::MailLinkNotFound)?;
        let account = self.store.lookup_account(&player).await?.ok_or(Error::MailLinkNotFound)?;
        let to = address_of(&account).ok_or(Error::MailLinkNotFound)?;
        let TokenHash(expected) = self.stop_signature(&player, &to);
        let signature_number = u128::from_str_radix(signature, 16).map_err(|_| Error::MailLinkNotFound)?;
        // Compared in constant time.
        let differ =
            expected.iter().zip(signature_number.to_be_bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
        if differ != 0 {
            return Err(Error::MailLinkNotFound);
        }
        Ok(self.store.set_reminders(&player, false).await?)
    }
}

/// Returns an account's address, confirmed or not.
pub(crate) fn address_of(account: &Account) -> Option<Address> {
    account.email.as_deref().and_then(Address::parse)
}

/// Returns an account's address, if its owner has confirmed it.
pub(crate) fn confirmed_address(account: &Account) -> Option<Address> {
    address_of(account).filter(|_| account.email_confirmed)
}

/// Returns the address that a recovery link may be sent to: one that is confirmed, or that was stored by a
/// version without confirmations. Without the second case, an update would lock out owners who have forgotten
/// their passwords.
pub(crate) fn recovery_address(account: &Account) -> Option<Address> {
    address_of(account).filter(|_| account.email_confirmed || account.email_from_before)
}

/// Returns the name of an opponent, or a placeholder for one without an account.
pub(crate) fn opponent_name(language: Language, name: Option<&str>) -> String {
    name.map_or_else(|| texts::text(language, "mail-opponent-unnamed"), str::to_owned)
}

/// Returns the time until a deadline in whole days, hours or minutes.
pub(crate) fn time_left(language: Language, now: Millis, deadline: Millis) -> String {
    let left_ms = deadline.0.saturating_sub(now.0).max(0);
    let (unit, number) = match left_ms {
        0..HOUR_MS => ("minutes", left_ms / MINUTE_MS),
        // Times of less than two days are given in hours, because whole days would be too imprecise.
        ..TWO_DAYS_MS => ("hours", left_ms / HOUR_MS),
        _ => ("days", left_ms / DAY_MS),
    };
    let mut args = texts::Args::new();
    args.set("number", number);
    texts::message(language, &format!("mail-left-{unit}"), &args)
}

/// Formats a time in UTC to the minute, as is usual in the language.
fn date(language: Language, at: Millis) -> String {
    let Ok(at) = time::OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000)) else {
        return String::new();
    };
    let mut args = texts::Args::new();
    args.set("year", format!("{:04}", at.year()));
    args.set("month", format!("{:02}", u8::from(at.month())));
    args.set("day", format!("{:02}", at.day()));
    args.set("time", format!("{:02}:{:02}", at.hour(), at.minute()));
    texts::message(language, "mail-date", &args)
}

#[cfg(test)]
pub(crate) mod tests;
