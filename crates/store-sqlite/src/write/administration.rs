use adoube_store::{
    AccountChange, AccountStatus, AdminChange, Administered, Admission, Appended, AuditEntry, NewAccount,
    NewAuditEntry, NewHouseInvitation, Registered, Result, TokenHash, next_entry,
};
use adoube_vocabulary::{AccountState, Millis, PlayerId, Role, SessionId};
use sqlx::sqlite::SqliteConnection;

use super::{
    accounts::{self, end_sessions},
    append::append_all,
    classes, recoveries,
};
use crate::{
    error::translate,
    text::{account_state, account_state_text, get, head, name_key, outcome_text, role, unaccented_key},
    writer::Change,
};

/// A change by an administrator, with its entry in the audit log.
pub(crate) struct Administer {
    pub(crate) change: AdminChange,
    pub(crate) entry: NewAuditEntry,
}

impl Change for Administer {
    type Output = Administered;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Administered> {
        let ended = match apply(connection, &self.change, self.entry.at).await? {
            ChangeResult::Done(ended) => ended,
            ChangeResult::Refused(refusal) => return Ok(refusal),
        };
        let entry = add_entry(connection, &self.entry).await?;
        Ok(Administered::Done { entry, ended })
    }
}

enum ChangeResult {
    /// Contains the sessions that were ended.
    Done(Vec<SessionId>),
    /// Nothing was changed.
    Refused(Administered),
}

impl ChangeResult {
    /// Returns the result of a statement that skips rows that it would not change.
    fn from_row_count(rows: u64, exists: bool) -> Self {
        match (rows, exists) {
            (0, false) => Self::Refused(Administered::Missing),
            (0, true) => Self::Refused(Administered::Unchanged),
            _ => Self::Done(Vec::new()),
        }
    }
}

async fn apply(connection: &mut SqliteConnection, change: &AdminChange, at: Millis) -> Result<ChangeResult> {
    match change {
        AdminChange::Append(append) => {
            let appended = append_all(connection, &[append]).await?.pop();
            Ok(match appended {
                Some(Appended::Done(_)) => ChangeResult::Done(Vec::new()),
                Some(refusal) => ChangeResult::Refused(Administered::NotAppended(refusal)),
                None => ChangeResult::Refused(Administered::NotAppended(Appended::Missing)),
            })
        }
        AdminChange::Account { player, change } => change_account(connection, player, change, at).await,
        AdminChange::Accounts(all) => add_accounts(connection, all).await,
        AdminChange::Passwords(all) => set_passwords(connection, all).await,
        AdminChange::GiveClass { class, to, name } => {
            Ok(match classes::give(connection, class, to, name).await? {
                None => ChangeResult::Done(Vec::new()),
                Some(refusal) => ChangeResult::Refused(refusal),
            })
        }
        AdminChange::Invitation(new) => {
            add_invitation(connection, new).await?;
            Ok(ChangeResult::Done(Vec::new()))
        }
        AdminChange::Report { line, by, outcome, note } => {
            let handled = sqlx::query(
                "UPDATE reports SET handled_at = ?1, handled_by = ?2, outcome = ?3, note = ?4 \
                 WHERE line = ?5 AND handled_at IS NULL",
            )
            .bind(at.0)
            .bind(by.as_ref().map(PlayerId::as_str))
            .bind(outcome_text(*outcome))
            .bind(note)
            .bind(line)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
            let found = sqlx::query("SELECT 1 FROM reports WHERE line = ?1 LIMIT 1").bind(line);
            let exists = found.fetch_optional(connection).await.map_err(translate)?.is_some();
            Ok(ChangeResult::from_row_count(handled.rows_affected(), exists))
        }
        AdminChange::Game { id, public } => {
            let changed = sqlx::query("UPDATE games SET public = ?1 WHERE id = ?2 AND public <> ?1")
                .bind(public)
                .bind(id.as_str())
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
            let found = sqlx::query("SELECT 1 FROM games WHERE id = ?1").bind(id.as_str());
            let exists = found.fetch_optional(connection).await.map_err(translate)?.is_some();
            Ok(ChangeResult::from_row_count(changed.rows_affected(), exists))
        }
        AdminChange::Document { name, body: Some(body) } => {
            sqlx::query(
                "INSERT INTO documents (name, body) VALUES (?1, ?2) \
                 ON CONFLICT (name) DO UPDATE SET body = excluded.body",
            )
            .bind(name)
            .bind(body)
            .execute(connection)
            .await
            .map_err(translate)?;
            Ok(ChangeResult::Done(Vec::new()))
        }
        AdminChange::Document { name, body: None } => {
            sqlx::query("DELETE FROM documents WHERE name = ?1")
                .bind(name)
                .execute(connection)
                .await
                .map_err(translate)?;
            Ok(ChangeResult::Done(Vec::new()))
        }
    }
}

async fn change_account(
    connection: &mut SqliteConnection,
    player: &PlayerId,
    change: &AccountChange,
    at: Millis,
) -> Result<ChangeResult> {
    let Some(is_last) = is_last_administrator(connection, player).await? else {
        return Ok(ChangeResult::Refused(Administered::Missing));
    };
    let stays = match change {
        AccountChange::Role(role) => *role == Some(Role::Administrator),
        AccountChange::State(state) => *state == AccountState::Open,
        AccountChange::Delete(_) => false,
        _ => true,
    };
    if !stays && is_last {
        return Ok(ChangeResult::Refused(Administered::LastAdministrator));
    }
    if change.is_done(&status(connection, player).await?, at) {
        return Ok(ChangeResult::Refused(Administered::Unchanged));
    }
    let ends_sessions = match change {
        AccountChange::Role(role) => {
            set_text_column(connection, player, "role", role.map(Role::name)).await?;
            false
        }
        AccountChange::State(state) => {
            set_text_column(connection, player, "state", Some(account_state_text(*state))).await?;
            *state != AccountState::Open
        }
        AccountChange::Name { name, skeleton } => {
            if let Some(refusal) =
                accounts::name_refusal(connection, Some(player), name, skeleton, at).await?
            {
                return Ok(ChangeResult::Refused(as_administered(&refusal, name)));
            }
            sqlx::query(
                "UPDATE accounts SET name = ?1, name_key = ?2, unaccented_key = ?3, skeleton = ?4 WHERE player = ?5",
            )
                .bind(name)
                .bind(name_key(name))
                .bind(unaccented_key(name))
                .bind(&skeleton.skeleton)
                .bind(player.as_str())
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
            false
        }
        AccountChange::SilencedUntil(until) => {
            sqlx::query("UPDATE accounts SET silenced_until = ?1 WHERE player = ?2")
                .bind(until.map(|until| until.0))
                .bind(player.as_str())
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
            false
        }
        AccountChange::Delete(name) => {
            return accounts::delete(connection, player, name).await.map(ChangeResult::Done);
        }
        AccountChange::Recovery { token, expires_at } => {
            recoveries::limit_recoveries(connection, player).await?;
            sqlx::query(
                "INSERT INTO recoveries (token, player, expires_at, was_mailed) VALUES (?1, ?2, ?3, 0)",
            )
            .bind(token.0.as_slice())
            .bind(player.as_str())
            .bind(expires_at.0)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
            false
        }
        AccountChange::Password(password) => {
            set_text_column(connection, player, "password", Some(password)).await?;
            true
        }
        AccountChange::EndSessions => true,
        AccountChange::SecondFactorOff => {
            let deleted =
                sqlx::query("DELETE FROM second_factors WHERE player = ?1 AND spent_at IS NOT NULL")
                    .bind(player.as_str())
                    .execute(&mut *connection)
                    .await
                    .map_err(translate)?;
            if deleted.rows_affected() == 0 {
                return Ok(ChangeResult::Refused(Administered::NoSecondFactor));
            }
            true
        }
    };
    if ends_sessions {
        return end_sessions(connection, player, None).await.map(ChangeResult::Done);
    }
    Ok(ChangeResult::Done(Vec::new()))
}

/// Returns the status of an account that exists.
async fn status(connection: &mut SqliteConnection, player: &PlayerId) -> Result<AccountStatus> {
    let row = sqlx::query(
        "SELECT name, role, state, silenced_until, \
         EXISTS (SELECT 1 FROM sessions WHERE player = ?1) \
             OR EXISTS (SELECT 1 FROM recoveries WHERE player = ?1) AS has_access \
         FROM accounts WHERE player = ?1",
    )
    .bind(player.as_str())
    .fetch_one(connection)
    .await
    .map_err(translate)?;
    Ok(AccountStatus {
        name: get(&row, "name")?,
        role: role(&row)?,
        state: account_state(get(&row, "state")?)?,
        silenced_until: get::<Option<i64>>(&row, "silenced_until")?.map(Millis),
        has_access: get(&row, "has_access")?,
    })
}

/// Sets new passwords and ends the sessions of these accounts.
async fn set_passwords(
    connection: &mut SqliteConnection,
    all: &[(PlayerId, String)],
) -> Result<ChangeResult> {
    for (player, _) in all {
        if is_last_administrator(connection, player).await?.is_none() {
            return Ok(ChangeResult::Refused(Administered::Missing));
        }
    }
    let mut ended = Vec::new();
    for (player, password) in all {
        set_text_column(connection, player, "password", Some(password)).await?;
        ended.extend(end_sessions(connection, player, None).await?);
    }
    Ok(ChangeResult::Done(ended))
}

/// Returns `true` if an account is the only open one with the administrator role, and `None` if the account
/// does not exist.
pub(super) async fn is_last_administrator(
    connection: &mut SqliteConnection,
    player: &PlayerId,
) -> Result<Option<bool>> {
    let found = sqlx::query(
        "SELECT role = 'administrator' AND state = 'open' AS administers, \
         (SELECT count(*) FROM accounts WHERE role = 'administrator' AND state = 'open' AND name IS NOT NULL) \
             AS administrators FROM accounts WHERE player = ?1 AND name IS NOT NULL",
    )
    .bind(player.as_str())
    .fetch_optional(connection)
    .await
    .map_err(translate)?;
    let Some(found) = found else { return Ok(None) };
    let administers = get::<Option<bool>>(&found, "administers")?.unwrap_or(false);
    Ok(Some(administers && get::<i64>(&found, "administrators")? <= 1))
}

/// Sets a text column of an account.
async fn set_text_column(
    connection: &mut SqliteConnection,
    player: &PlayerId,
    column: &'static str,
    value: Option<&str>,
) -> Result<()> {
    let statement = match column {
        "role" => "UPDATE accounts SET role = ?1 WHERE player = ?2",
        "state" => "UPDATE accounts SET state = ?1 WHERE player = ?2",
        _ => "UPDATE accounts SET password = ?1 WHERE player = ?2",
    };
    sqlx::query(statement)
        .bind(value)
        .bind(player.as_str())
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}

fn as_administered(refusal: &Registered, name: &str) -> Administered {
    match refusal {
        Registered::NameAlike => Administered::NameAlike(name.to_owned()),
        Registered::NameRetired(until) => Administered::NameRetired(name.to_owned(), *until),
        _ => Administered::NameTaken(name.to_owned()),
    }
}

async fn add_accounts(connection: &mut SqliteConnection, all: &[NewAccount]) -> Result<ChangeResult> {
    for (number, new) in all.iter().enumerate() {
        let alike = |other: &&NewAccount| {
            new.skeleton.unavailable().any(|skeleton| *skeleton == other.skeleton.skeleton)
                || name_key(&other.name) == name_key(&new.name)
        };
        if all.iter().take(number).any(|other| alike(&other)) {
            return Ok(ChangeResult::Refused(Administered::NameAlike(new.name.clone())));
        }
        if let Some(refusal) =
            accounts::name_refusal(connection, None, &new.name, &new.skeleton, new.created_at).await?
        {
            return Ok(ChangeResult::Refused(as_administered(&refusal, &new.name)));
        }
    }
    for new in all {
        accounts::insert(connection, new, None).await?;
    }
    Ok(ChangeResult::Done(Vec::new()))
}

async fn add_invitation(connection: &mut SqliteConnection, new: &NewHouseInvitation) -> Result<()> {
    sqlx::query("DELETE FROM house_invitations WHERE expires_at <= ?1")
        .bind(new.created_at.0)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    sqlx::query(
        "INSERT INTO house_invitations (token, role, uses, is_first, created_at, expires_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )
    .bind(new.token.0.as_slice())
    .bind(new.role.map(Role::name))
    .bind(i64::from(new.uses))
    .bind(new.is_first)
    .bind(new.created_at.0)
    .bind(new.expires_at.0)
    .execute(connection)
    .await
    .map_err(translate)
    .map(|_| ())
}

/// The maximum number of valid links for the first administrator. A server prints a new one each time it
/// starts, until there is an administrator.
const FIRST_INVITATIONS: i64 = 16;

pub(crate) struct AddFirstInvitation(pub(crate) NewHouseInvitation);

impl Change for AddFirstInvitation {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        add_invitation(connection, &self.0).await?;
        sqlx::query(
            "DELETE FROM house_invitations WHERE is_first AND token NOT IN \
             (SELECT token FROM house_invitations WHERE is_first ORDER BY created_at DESC, token LIMIT ?1)",
        )
        .bind(FIRST_INVITATIONS)
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
    }
}

/// Spends one use of an invitation. Returns its role, or `None` if the invitation is not valid.
pub(super) async fn spend_invitation(
    connection: &mut SqliteConnection,
    token: &TokenHash,
    now: Millis,
) -> Result<Option<Option<Role>>> {
    let row = sqlx::query(
        "UPDATE house_invitations SET uses = uses - 1 WHERE token = ?1 AND uses > 0 AND expires_at > ?2 \
         AND (NOT is_first OR NOT EXISTS \
             (SELECT 1 FROM accounts WHERE role = 'administrator' AND state = 'open' AND name IS NOT NULL)) \
         RETURNING role",
    )
    .bind(token.0.as_slice())
    .bind(now.0)
    .fetch_optional(connection)
    .await
    .map_err(translate)?;
    row.as_ref().map(role).transpose()
}

pub(crate) struct ClaimRole {
    pub(crate) player: PlayerId,
    pub(crate) token: TokenHash,
    pub(crate) entry: NewAuditEntry,
}

impl Change for ClaimRole {
    type Output = Option<(Role, AuditEntry)>;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Option<(Role, AuditEntry)>> {
        let found = sqlx::query(
            "SELECT 1 FROM accounts, house_invitations AS invitation \
             WHERE player = ?1 AND name IS NOT NULL AND state = 'open' AND accounts.role IS NOT 'administrator' \
             AND token = ?2 AND invitation.role IS NOT NULL",
        )
        .bind(self.player.as_str())
        .bind(self.token.0.as_slice())
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
        if found.is_none() {
            return Ok(None);
        }
        let Some(Some(role)) = spend_invitation(connection, &self.token, self.entry.at).await? else {
            return Ok(None);
        };
        set_text_column(connection, &self.player, "role", Some(role.name())).await?;
        let entry = add_entry(connection, &self.entry).await?;
        Ok(Some((role, entry)))
    }
}

/// Adds the audit log entry, if there is one, for a registration with an invitation.
pub(super) async fn add_invitation_entry(
    connection: &mut SqliteConnection,
    admission: &Admission,
) -> Result<Option<AuditEntry>> {
    match admission {
        Admission::Invited { entry: Some(entry), .. } => Ok(Some(add_entry(connection, entry).await?)),
        _ => Ok(None),
    }
}

/// Adds an entry to the audit log.
async fn add_entry(connection: &mut SqliteConnection, new: &NewAuditEntry) -> Result<AuditEntry> {
    let last = sqlx::query("SELECT number, head FROM audit ORDER BY number DESC LIMIT 1")
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
    let last = last.as_ref().map(|row| Ok((get(row, "number")?, head(row)?))).transpose()?;
    let entry = next_entry(last, new);
    sqlx::query("INSERT INTO audit (number, happened, body, head) VALUES (?1, ?2, ?3, ?4)")
        .bind(entry.number)
        .bind(entry.at.0)
        .bind(&entry.body)
        .bind(entry.head.as_slice())
        .execute(connection)
        .await
        .map_err(translate)?;
    Ok(entry)
}
