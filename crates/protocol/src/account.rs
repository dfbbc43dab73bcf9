//! Accounts and their sessions. No message here carries what opens a session: that is in a cookie alone.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Millis, SessionId};

/// A password on its way to the server. It is shown to nobody, logs included.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
#[cfg_attr(test, ts(type = "string"))]
pub struct Password(String);

impl Password {
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text itself, to be hashed and forgotten.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// `POST /api/account`: keeps what the visitor has played so far under a name.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Register {
    /// 3 to 20 letters, digits, `-` and `_`.
    pub name: String,
    /// 8 to 128 characters.
    pub password: Password,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub email: Option<String>,
    /// The language of its mails: `fr`, `en` or `es`. Without one, the first of the browser's that there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub language: Option<String>,
}

/// `POST /api/session`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignIn {
    pub name: String,
    pub password: Password,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub name: String,
    pub email: Option<String>,
    /// Whether the link that went to the address was used. Nothing else goes there before.
    pub email_confirmed: bool,
    /// The language of its mails.
    pub language: String,
    /// Whether it is told by mail that it is to move.
    pub reminders: bool,
    pub created_at: Millis,
}

/// The answer to `GET /api/account`, to registering and to signing in.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// None for an anonymous visitor.
    pub account: Option<Account>,
}

/// `PATCH /api/account`: a new password ends all other sessions.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangeAccount {
    /// The present one.
    pub password: Password,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub new_password: Option<Password>,
    /// An empty text takes the address away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub email: Option<String>,
}

/// `PATCH /api/account/mail`
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

/// `DELETE /api/account`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeleteAccount {
    pub password: Password,
}

/// `POST /api/recovery`: asks for a link by mail. The answer does not tell whether there is such an account.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskRecovery {
    pub name: String,
}

/// `POST /api/recovery/{token}`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Recover {
    pub password: Password,
}

/// A sign-in that has not ended.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub id: SessionId,
    pub created_at: Millis,
    /// Roughly: to the hour.
    pub used_at: Millis,
    /// What the browser called itself.
    pub agent: String,
    /// Whether this request came with it.
    pub current: bool,
}

/// The answer to `GET /api/account/sessions`, newest first.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionList {
    pub sessions: Vec<Session>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let text = r#"{"name":"anna","password":"correct horse"}"#;
        let sign_in: SignIn = serde_json::from_str(text).unwrap();
        assert_eq!(sign_in.password.expose(), "correct horse");
        assert!(!format!("{sign_in:?}").contains("horse"));
    }
}
