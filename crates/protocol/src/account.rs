//! Accounts and their sessions. A session's secret is sent only in a cookie, never in a message.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::{Millis, PresenceAudience, Role, SessionId, Version};

/// A password or a code, as sent in a message. `Debug` redacts it.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
#[cfg_attr(test, ts(type = "string"))]
pub struct Password(String);

impl Password {
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text itself, to be hashed and then discarded.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// `POST /api/account`: creates an account, which keeps the games that the visitor has played so far.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Register {
    /// 3 to 20 characters: letters of one script, digits, `-` and `_`, and single `.` or `'` between them.
    pub name: String,
    /// 8 to 128 characters.
    pub password: Password,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub email: Option<String>,
    /// The language of e-mails to the account: `fr`, `en` or `es`. If absent, the available language that the
    /// browser prefers most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub language: Option<String>,
    /// The token of an invitation to the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub invitation: Option<String>,
}

/// `POST /api/session`: signs in.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignIn {
    pub name: String,
    pub password: Password,
    /// A TOTP code or a recovery code, if the account has a second factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub code: Option<Password>,
}

/// The state of an account's second factor.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// The number of unused recovery codes, 0 to 10.
    pub recovery_codes: u32,
}

/// `POST /api/account/second-factor`: starts the setup. The second factor takes effect when it is confirmed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BeginSecondFactor {
    pub password: Password,
}

/// A TOTP secret (RFC 6238: SHA-1, six digits, 30-second time step).
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewSecondFactor {
    /// The secret in base32, 32 characters, to be typed.
    pub secret: String,
    /// The secret as a URL for authenticator apps, `otpauth://totp/…`.
    pub url: String,
    /// The URL as a QR code, in SVG.
    pub qr: String,
}

impl fmt::Debug for NewSecondFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewSecondFactor(…)")
    }
}

/// `PUT /api/account/second-factor`: completes the setup. All other sessions end.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConfirmSecondFactor {
    /// The current TOTP code, six digits.
    pub code: Password,
}

/// `DELETE /api/account/second-factor`, and `POST /api/account/second-factor/codes` to replace the recovery
/// codes.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeSecondFactor {
    pub password: Password,
    /// A TOTP code or a recovery code.
    pub code: Password,
}

/// New recovery codes. Each can be used once instead of a TOTP code. They cannot be retrieved later.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecoveryCodes {
    /// Each consists of six groups of four base32 characters, separated by hyphens.
    pub codes: Vec<String>,
}

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecoveryCodes({})", self.codes.len())
    }
}

/// `POST /api/account/push`: this browser's subscription to its push service, with the values from the
/// browser's `PushSubscription`. It ends with the session.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SubscribePush {
    pub endpoint: String,
    /// The browser's public key, in base64 (URL alphabet).
    pub p256dh: String,
    /// The secret that authenticates messages to the browser, in base64 (URL alphabet).
    pub auth: String,
}

impl fmt::Debug for SubscribePush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubscribePush(…)")
    }
}

/// `GET /api/account/push`, and the response to changes: the browsers to which notifications are pushed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PushDevices {
    /// The key with which a browser subscribes, in base64 (URL alphabet). `None` if this server does
    /// not send notifications.
    pub key: Option<String>,
    /// Newest first.
    pub devices: Vec<PushDevice>,
}

/// A browser to which notifications are pushed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PushDevice {
    /// The id of the browser's session.
    pub id: SessionId,
    /// The host of the browser's push service.
    pub service: String,
    /// The user agent that the browser sent when it signed in.
    pub agent: String,
    pub created_at: Millis,
    /// Whether this request comes from this browser.
    pub current: bool,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub name: String,
    pub email: Option<String>,
    /// Whether the owner has confirmed the address. Until then, only confirmation links are sent to it. If
    /// the address was stored by a version that did not yet ask for confirmation, recovery links are sent
    /// too.
    pub email_confirmed: bool,
    /// The language of e-mails to the account: `fr`, `en` or `es`.
    pub language: String,
    /// Whether the owner receives e-mails about correspondence games: when it is their turn, and before a
    /// deadline.
    pub reminders: bool,
    /// `None` if the second factor is off.
    pub second_factor: Option<SecondFactor>,
    pub created_at: Millis,
    /// Whether the account has a password. Without one, its owner signs in through a provider.
    pub password: bool,
    /// The visitors who may see whether the owner is present.
    pub shown_to: PresenceAudience,
    pub role: Option<Role>,
    /// The class, if a teacher created the account for a pupil.
    pub class: Option<String>,
}

/// The response to `GET /api/account`, to registering and to signing in.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// `None` for an anonymous visitor.
    pub account: Option<Account>,
}

/// `PATCH /api/account`: changes the password or the e-mail address. A new password ends all other sessions.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangeAccount {
    /// The current password. If the account has none, this field is ignored, and the visitor must have signed
    /// in within the last ten minutes. The same is true of every request that must be confirmed with a
    /// password.
    pub password: Password,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub new_password: Option<Password>,
    /// An empty string removes the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub email: Option<String>,
}

/// `PATCH /api/account/mail`: changes the e-mail settings. Absent fields stay unchanged.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeMail {
    /// `fr`, `en` or `es`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reminders: Option<bool>,
}

/// The preferences of an account: the response to `GET /api/account/preferences` and to changing them.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Preferences {
    /// Increases with each change; 0 if nothing has changed yet.
    pub version: Version,
    /// Values by name. The client decides what they mean.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub values: BTreeMap<String, String>,
}

/// `PATCH /api/account/preferences`: sets the named values and leaves the others unchanged.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangePreferences {
    /// Names consist of 1 to 40 characters from `a`–`z`, `0`–`9`, `.` and `-`; values have at most 100
    /// printable characters. An account has at most 100 preferences.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub values: BTreeMap<String, String>,
}

/// `DELETE /api/account`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeleteAccount {
    pub password: Password,
}

/// `POST /api/recovery`: requests a recovery link by e-mail. The response does not reveal whether the account
/// exists.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RequestRecovery {
    pub name: String,
}

/// `POST /api/recovery/{token}`: sets a new password using a recovery link, and signs in.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Recover {
    pub password: Password,
    /// A TOTP code or a recovery code, if the account has a second factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub code: Option<Password>,
}

/// `PATCH /api/account/presence`: changes who may see whether the visitor is online.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangePresence {
    pub shown_to: PresenceAudience,
}

/// A player whom the visitor has blocked.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockedPlayer {
    pub name: String,
    pub at: Millis,
}

/// The response to `GET /api/account/blocks`, most recent first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockList {
    pub blocked: Vec<BlockedPlayer>,
}

/// `POST /api/account/blocks` blocks a player, and `DELETE` unblocks one. Both return the [`BlockList`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Block {
    /// The name of the account.
    pub name: String,
}

/// A sign-in method other than a password.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum IdentityProvider {
    /// The house's identity provider.
    Openid,
    /// A proxy in front of the server. The proxy admits only users who have signed in to it.
    Proxy,
}

/// The sign-in methods other than a password.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignInMethods {
    /// The name of the identity provider; `None` if there is none. A sign-in begins at
    /// `/openid/begin?to=PATH`.
    pub openid: Option<String>,
    /// The name under which the visitor has signed in to the proxy; `None` if the proxy names no user. A
    /// sign-in begins at `/proxy/begin?to=PATH`.
    pub proxy: Option<String>,
}

/// The information that a sign-in still needs after the visitor has proved an identity.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum MissingPart {
    /// The name of a new account.
    Name,
    /// A TOTP code or a recovery code.
    Code,
}

/// `GET /api/identity`: an incomplete sign-in through a provider.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PendingIdentity {
    /// The name of the provider; `None` if a proxy has signed the person in.
    pub provider: Option<String>,
    pub missing: MissingPart,
    /// The person's name at the provider. Another account of this house may already use it.
    pub name: Option<String>,
    /// The address that the provider has verified.
    pub email: Option<String>,
    /// The path of the page to open after the sign-in.
    pub to: String,
}

/// `POST /api/identity`: completes a sign-in through a provider. The response is [`Me`], as for [`SignIn`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompleteIdentity {
    /// The name of the new account, as in [`Register`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// The address of the new account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub email: Option<String>,
    /// The language of the new account, as in [`Register`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub language: Option<String>,
    /// A TOTP code or a recovery code, if the account has a second factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub code: Option<Password>,
}

/// An identity at a provider, linked to an account for signing in.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkedIdentity {
    /// The address of the provider, or `header:` and the name of the proxy's header.
    pub issuer: String,
    /// The person's id at the provider.
    pub subject: String,
    /// The sign-in method that uses it; `None` if the house no longer offers that method.
    pub provider: Option<IdentityProvider>,
}

/// The response to `GET /api/account/identities`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkedIdentities {
    pub identities: Vec<LinkedIdentity>,
}

/// `POST /api/account/identities`: links an identity to the account.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkIdentity {
    pub provider: IdentityProvider,
    pub password: Password,
}

/// The response to [`LinkIdentity`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkStarted {
    /// The provider's URL to which the browser must navigate to prove the identity. `None` if the proxy has
    /// already proved the identity; it is then linked at once.
    pub address: Option<String>,
}

/// `DELETE /api/account/identities`: unlinks an identity from the account.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnlinkIdentity {
    pub issuer: String,
    pub subject: String,
    pub password: Password,
}

/// A session that is still valid.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub id: SessionId,
    pub created_at: Millis,
    /// The time of the last recorded use. A use is recorded at most once an hour.
    pub used_at: Millis,
    /// The browser's user agent.
    pub agent: String,
    /// Whether this request was made in this session.
    pub current: bool,
}

/// The response to `GET /api/account/sessions`, newest first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionList {
    pub sessions: Vec<Session>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_passwords() {
        let text = r#"{"name":"anna","password":"correct horse"}"#;
        let sign_in: SignIn = serde_json::from_str(text).unwrap();
        assert_eq!(sign_in.password.expose(), "correct horse");
        assert!(!format!("{sign_in:?}").contains("horse"));
    }
}
