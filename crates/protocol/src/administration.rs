//! Administration of the house. Every request is checked against the role of the account that sends it.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::{
    AccountState, ChatPolicy, ChatRoom, GameId, GameResult, Millis, Password, Registration, ReportOutcome,
    Role, SignInMethods, TimeControl,
};

/// An administrative act. This is the only list of them: pages send them to `POST /api/admin/acts`, and the
/// operator's commands carry out the same acts. Each act that changes something is written to the audit log.
/// Accounts are given by name.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum AdminAct {
    /// Creates a link with which up to `uses` visitors can register, or claim the role for an existing
    /// account, within `days` days.
    Invite {
        /// The role that these accounts receive.
        role: Option<Role>,
        uses: u32,
        days: u16,
    },
    /// Approves an account that is waiting for approval.
    Approve {
        account: String,
    },
    Rename {
        account: String,
        name: String,
    },
    /// Bars an account from the chat for a number of days, or indefinitely if `days` is absent.
    Silence {
        account: String,
        days: Option<u16>,
    },
    Unsilence {
        account: String,
    },
    /// Ends all sessions of an account. The account cannot be used until it is reopened.
    Close {
        account: String,
    },
    Reopen {
        account: String,
    },
    /// Deletes an account, as its owner could.
    Delete {
        account: String,
    },
    /// Creates a link that lets the owner choose a new password.
    ResetPassword {
        account: String,
    },
    EndSessions {
        account: String,
    },
    SecondFactorOff {
        account: String,
    },
    SetRole {
        account: String,
        role: Option<Role>,
    },
    /// Creates accounts for the pupils of a class, with new passwords and without e-mail addresses. Creates
    /// either all of them or none.
    AddPupils {
        /// The name of the class, at most 40 characters.
        class: String,
        names: Vec<String>,
        /// The pupils' teacher, if it is not the account that acts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        teacher: Option<String>,
    },
    /// Creates a new password for a pupil. Ends all sessions of the account.
    ResetPupil {
        account: String,
    },
    /// Creates new passwords for several pupils, such as a whole class, and ends all sessions of their
    /// accounts. Changes either all of them or none.
    ResetPupils {
        accounts: Vec<String>,
    },
    /// Gives a class to another teacher, renames it, or both. The pupils keep their accounts.
    GiveClass {
        /// One of the pupils, who identifies the class even if its teacher's account was deleted.
        pupil: String,
        /// The name of the class. The act is refused if the pupil is in another one.
        class: String,
        /// The teacher who gets the class, whose role must be teacher or administrator. If the class is only
        /// renamed, this is its present teacher.
        to: String,
        /// The new name of the class, at most 40 characters. If absent, the class keeps its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// Records the outcome of all reports of a chat message. An outcome recorded earlier is kept.
    HandleReport {
        /// The id of the reported chat message.
        #[cfg_attr(test, ts(type = "number"))]
        line: i64,
        outcome: ReportOutcome,
        /// A note on the measures taken, at most 500 characters.
        note: String,
    },
    /// Removes a game from the hall, or restores it. Its players, and visitors who know its URL, can still
    /// see it.
    HideGame {
        game: GameId,
        hidden: bool,
    },
    /// Ends a game with a result. The result `*` ends it without one.
    Adjudicate {
        game: GameId,
        result: GameResult,
    },
    SetHouse {
        settings: HouseSettings,
    },
    /// Sets the text of a page in one language. An empty string restores the template text.
    SetPage {
        page: HousePageName,
        /// `fr`, `en` or `es`.
        language: String,
        text: String,
    },
}

/// The response to an act.
#[derive(Clone, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminDone {
    /// The number of the entry in the audit log; `None` if the act changed nothing and was not recorded.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub entry: Option<i64>,
    /// The number of sessions that were ended.
    pub ended_sessions: u32,
    /// The path of a link for the person who is invited, or who is to choose a new password. It cannot be
    /// retrieved later.
    pub link: Option<String>,
    /// The pupils' new passwords. They cannot be retrieved later.
    pub pupils: Vec<PupilPassword>,
}

impl fmt::Debug for AdminDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdminDone").field("entry", &self.entry).finish_non_exhaustive()
    }
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PupilPassword {
    pub name: String,
    pub password: Password,
}

/// A read-only query by an account with a role, or by the operator.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum AdminQuery {
    /// `GET /api/admin/members`, which returns a [`MemberList`].
    Members(MemberQuery),
    /// `GET /api/admin/classes`, which returns a [`ClassList`].
    Classes,
    /// `GET /api/admin/reports`, which returns a [`ReportList`].
    Reports(ReportQuery),
    /// `GET /api/admin/audit`, which returns an [`AuditList`].
    Audit(AuditQuery),
    /// `GET /api/admin/audit/check`, which checks the hash chain of the audit log and returns an
    /// [`AuditCheck`].
    CheckAudit,
    /// `GET /api/admin`, which returns an [`AdminOverview`].
    Overview,
}

/// A request by the operator, sent to the server's local socket: an act or a query.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdminRequest {
    Act(AdminAct),
    Query(AdminQuery),
}

#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, rename_all = "camelCase")]
pub struct MemberQuery {
    /// Part of the name to search for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub find: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub state: Option<AccountState>,
    /// Whether to list only accounts with a role.
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub with_role: bool,
    /// Whether to list only the pupils of the teacher who sends the request.
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub pupils: bool,
    /// Lists only the pupils in the class of this pupil.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub class_of: Option<String>,
    /// Lists the accounts after this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub after: Option<String>,
}

/// An account, as administrators, moderators and its teacher see it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub name: String,
    pub role: Option<Role>,
    pub state: AccountState,
    /// The end of the account's silence in the chat, if it is in the future.
    pub silenced_until: Option<Millis>,
    /// The name of the pupil's teacher.
    pub teacher: Option<String>,
    pub class: Option<String>,
    /// The classes that the account teaches. Only administrators see them.
    #[serde(default)]
    pub classes: Vec<HouseClass>,
    /// Whether the account has an e-mail address. Only the owner sees the address itself.
    pub has_email: bool,
    pub second_factor: bool,
    pub created_at: Millis,
    /// The time of the last recorded use. A use is recorded at most once an hour in each session. Known only
    /// while the account has open sessions.
    pub used_at: Option<Millis>,
    pub sessions: u32,
}

/// A class: the pupils of one teacher who have the same class name.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HouseClass {
    pub name: String,
    /// The name of the teacher; `None` if the account was deleted.
    pub teacher: Option<String>,
    /// The number of pupils.
    pub pupils: u32,
    /// The name of one of the pupils.
    pub pupil: String,
}

/// `GET /api/admin/classes`: all classes, by name.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClassList {
    pub classes: Vec<HouseClass>,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MemberList {
    pub members: Vec<Member>,
    /// The `after` of the next page.
    pub next: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, rename_all = "camelCase")]
pub struct ReportQuery {
    /// Whether to include reports that have been handled.
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub all: bool,
    /// The number of reports to skip.
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub skip: u32,
}

/// A report of a chat message, with the text at the time of the report.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChatReport {
    pub game: GameId,
    pub room: ChatRoom,
    /// The id of the reported message, which is one of `lines`.
    #[cfg_attr(test, ts(type = "number"))]
    pub line: i64,
    /// The name of the reporter's account.
    pub reporter: Option<String>,
    pub reason: String,
    pub at: Millis,
    /// The name of the author's account at the time of the report.
    pub author: Option<String>,
    /// The reported message and those around it in the room, oldest first.
    pub lines: Vec<ReportedLine>,
    pub handled: Option<HandledReport>,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportedLine {
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// The name of the author's account, or a number such as `#2`, which identifies the same visitor in all
    /// lines of the report.
    pub author: String,
    pub text: String,
    pub at: Millis,
}

/// The outcome of a report that has been handled.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HandledReport {
    pub at: Millis,
    /// The account that handled the report; `None` for the operator or a deleted account.
    pub by: Option<String>,
    pub outcome: ReportOutcome,
    pub note: String,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportList {
    pub reports: Vec<ChatReport>,
    /// The `skip` of the next page.
    pub next: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct AuditQuery {
    /// Lists the entries before this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub before: Option<i64>,
}

/// An entry in the audit log.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditLine {
    #[cfg_attr(test, ts(type = "number"))]
    pub number: i64,
    pub at: Millis,
    /// The name of the account that acted; `None` for the operator, or for a deleted account.
    pub by: Option<String>,
    /// Whether the operator acted, on the command line.
    pub operator: bool,
    /// The kind of act, as in [`AdminAct`], or `claim` if an account claimed the role that an invitation
    /// grants.
    pub act: String,
    /// The accounts, class, game, chat message or page that the act affected; `None` for a deleted account.
    pub subjects: Vec<Option<String>>,
    /// Further details by name, such as the new name, the role or the outcome.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub details: BTreeMap<String, String>,
    /// The hash of the log up to this entry, in hexadecimal.
    pub head: String,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditList {
    pub entries: Vec<AuditLine>,
    /// The `before` of the next page.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub next: Option<i64>,
}

/// The result of checking the audit log.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuditCheck {
    /// The number of entries if the hash chain is intact.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub entries: Option<u64>,
    /// The number of the newest entry that does not match the one before it, if the hash chain is broken.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub broken_at: Option<i64>,
}

/// `GET /api/admin`
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminOverview {
    /// The visitor's role.
    pub role: Role,
    pub statistics: HouseStatistics,
    pub settings: HouseSettings,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HouseStatistics {
    /// Open accounts.
    #[cfg_attr(test, ts(type = "number"))]
    pub members: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub pending: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub closed: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub pupils: u64,
    /// Accounts with an open session that was used in the last 30 days.
    #[cfg_attr(test, ts(type = "number"))]
    pub recent: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub games: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub playing: u64,
    /// Games created in the last 30 days.
    #[cfg_attr(test, ts(type = "number"))]
    pub new_games: u64,
    #[cfg_attr(test, ts(type = "number"))]
    pub open_reports: u64,
}

/// The settings that administrators choose for the house.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HouseSettings {
    /// The name of the house, at most 60 characters; may be empty.
    pub name: String,
    /// The contact address of the house's operator, one line of at most 200 characters; may be empty.
    pub contact: String,
    pub registration: Registration,
    pub chat: ChatPolicy,
    /// A notice to all visitors, at most 280 characters; may be empty.
    pub notice: String,
    /// The names of the variants offered for new games; all if empty.
    #[serde(default)]
    pub games: Vec<String>,
    /// The time controls that are offered for new games, at most 20; if empty, all of them, including those
    /// that players set freely.
    #[serde(default)]
    pub clocks: Vec<TimeControl>,
}

/// A text page of the house.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum HousePageName {
    /// The legal notice: the publisher and the host of the site.
    Legal,
    /// The privacy page: the use of personal data.
    Privacy,
}

/// `GET /api/house`: the public data of the house.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct House {
    pub settings: HouseSettings,
    pub sign_in: SignInMethods,
    /// Whether the house sends e-mails. If not, an e-mail address is of no use to a member.
    pub sends_mail: bool,
}

/// The response to `GET /api/house/pages/{page}?language=`: a house page in one language.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HousePage {
    /// The text as shown: paragraphs separated by empty lines, headings that start with `#` or `##`, list
    /// items that start with `- `.
    pub text: String,
    /// The text as written, with placeholders such as `{house}`.
    pub source: String,
    /// Whether the text is the unchanged template text.
    pub is_template: bool,
    pub language: String,
}

/// `GET /api/house/invitations/{token}`: the terms of an invitation.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HouseInvitation {
    pub role: Option<Role>,
    /// Whether the account that uses the invitation becomes the house's first administrator.
    pub is_first: bool,
    pub expires_at: Millis,
}
