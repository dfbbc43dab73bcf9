use adoube_store::{
    Admission, Credentials, Deleted, NameRetirement, NameSkeleton, NewAccount, NewSession, Registered,
    Result, SESSIONS_PER_ACCOUNT,
};
use adoube_vocabulary::{AccountState, Millis, PlayerId, Role, SessionId};
use sqlx::postgres::{PgConnection, PgRow};

use super::{
    administration::{add_invitation_entry, is_last_administrator, spend_invitation},
    hall,
};
use crate::{
    database::{Change, Database, GlobalLock, lock_account},
    error::translate,
    read::names,
    text::{account_state_text, get, name_key, parse, unaccented_key},
};

pub(crate) struct AddAccount(pub(crate) NewAccount);

impl Change for AddAccount {
    type Output = Registered;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Registered> {
        let Self(new) = self;
        if matches!(new.admission, Admission::Invited { .. }) {
            GlobalLock::Administration.acquire(connection).await?;
        }
        // The check for similar names reads several rows, so no index can prevent two nodes from registering
        // similar names at the same time.
        GlobalLock::Names.acquire(connection).await?;
        let existing = sqlx::query("SELECT 1 FROM accounts WHERE player = $1")
            .bind(new.player.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if existing.is_some() {
            return Ok(Registered::PlayerTaken);
        }
        if let Some(identity) = &new.identity {
            let taken = sqlx::query("SELECT 1 FROM identities WHERE issuer = $1 AND subject = $2")
                .bind(&identity.issuer)
                .bind(&identity.subject)
                .fetch_optional(&mut *connection)
                .await
                .map_err(translate)?;
            if taken.is_some() {
                return Ok(Registered::IdentityTaken);
            }
        }
        let refusal = name_refusal(connection, None, &new.name, &new.skeleton, new.created_at).await?;
        if let Some(refusal) = refusal {
            return Ok(refusal);
        }
        let role = match &new.admission {
            Admission::Invited { token, .. } => {
                match spend_invitation(connection, token, new.created_at).await? {
                    Some(role) => role,
                    None => return Ok(Registered::NotInvited),
                }
            }
            _ => None,
        };
        insert(connection, new, role).await?;
        let entry = add_invitation_entry(connection, &new.admission).await?;
        Ok(entry.map_or(Registered::Done, Registered::DoneWithEntry))
    }
}

/// Returns the reason, if any, why an account cannot have this name. Ignores the current name of `account`.
/// Deletes the names whose retirement has ended.
pub(super) async fn name_refusal(
    connection: &mut PgConnection,
    account: Option<&PlayerId>,
    name: &str,
    skeletons: &NameSkeleton,
    now: Millis,
) -> Result<Option<Registered>> {
    // The caller holds the lock on names, so no other node deletes them.
    sqlx::query("DELETE FROM retired_names WHERE until <= $1")
        .bind(now.0)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    names::refusal(connection, account, name, skeletons, now).await
}

/// Adds an account whose name the caller has found to be available.
pub(super) async fn insert(
    connection: &mut PgConnection,
    new: &NewAccount,
    role: Option<Role>,
) -> Result<()> {
    let state = match new.admission {
        Admission::Pending => AccountState::Pending,
        _ => AccountState::Open,
    };
    let (teacher, class) = match &new.admission {
        Admission::Pupil { teacher, class } => (Some(teacher.as_str()), Some(class.as_str())),
        _ => (None, None),
    };
    sqlx::query(
        "INSERT INTO accounts (player, name, name_key, unaccented_key, skeleton, password, email, language, created_at, role, \
         state, teacher, class, reminders) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, false)",
    )
    .bind(new.player.as_str())
    .bind(&new.name)
    .bind(name_key(&new.name))
    .bind(unaccented_key(&new.name))
    .bind(&new.skeleton.skeleton)
    .bind(&new.password)
    .bind(&new.email)
    .bind(&new.language)
    .bind(new.created_at.0)
    .bind(role.map(Role::name))
    .bind(account_state_text(state))
    .bind(teacher)
    .bind(class)
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    let Some(identity) = &new.identity else { return Ok(()) };
    sqlx::query("INSERT INTO identities (issuer, subject, player) VALUES ($1, $2, $3)")
        .bind(&identity.issuer)
        .bind(&identity.subject)
        .bind(new.player.as_str())
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}

/// Retires a name. The caller must hold [`GlobalLock::Names`]: otherwise a registration could find the name
/// neither taken nor retired.
async fn retire(connection: &mut PgConnection, name: &NameRetirement) -> Result<()> {
    for skeleton_hash in &name.skeleton_hashes {
        sqlx::query(
            "INSERT INTO retired_names (mark, until) VALUES ($1, $2) \
             ON CONFLICT (mark) DO UPDATE SET until = greatest(retired_names.until, excluded.until)",
        )
        .bind(skeleton_hash.0.as_slice())
        .bind(name.until.0)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    }
    Ok(())
}

pub(crate) struct SetSkeletons(pub(crate) Vec<(PlayerId, String)>);

impl Change for SetSkeletons {
    type Output = ();

    async fn apply(&self, connection: &mut PgConnection) -> Result<()> {
        GlobalLock::Names.acquire(connection).await?;
        for (player, skeleton) in &self.0 {
            let name = sqlx::query("SELECT name FROM accounts WHERE player = $1 AND name IS NOT NULL")
                .bind(player.as_str())
                .fetch_optional(&mut *connection)
                .await
                .map_err(translate)?;
            let Some(name) = name else { continue };
            let key = unaccented_key(get(&name, "name")?);
            sqlx::query("UPDATE accounts SET skeleton = $1, unaccented_key = $2 WHERE player = $3")
                .bind(skeleton)
                .bind(key)
                .bind(player.as_str())
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        Ok(())
    }
}

/// Returns `true` if the account is open and still has these credentials. Locks the account until the end of
/// the transaction.
async fn credentials_match(
    connection: &mut PgConnection,
    player: &PlayerId,
    verified: &Credentials,
) -> Result<bool> {
    lock_account(connection, player).await?;
    let found = sqlx::query(
        "SELECT 1 FROM accounts WHERE player = $1 AND name IS NOT NULL AND password = $2 AND state = 'open' AND ($3 OR NOT EXISTS \
         (SELECT 1 FROM second_factors WHERE player = $1 AND spent_at IS NOT NULL))",
    )
    .bind(player.as_str())
    .bind(&verified.password)
    .bind(verified.second_factor)
    .fetch_optional(connection)
    .await
    .map_err(translate)?;
    Ok(found.is_some())
}

pub(crate) struct SetPassword {
    pub(crate) player: PlayerId,
    pub(crate) credentials: Credentials,
    pub(crate) password: String,
    pub(crate) keep: Option<SessionId>,
}

impl Change for SetPassword {
    type Output = Option<Vec<SessionId>>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<Vec<SessionId>>> {
        if !credentials_match(connection, &self.player, &self.credentials).await? {
            return Ok(None);
        }
        sqlx::query("UPDATE accounts SET password = $1 WHERE player = $2 AND name IS NOT NULL")
            .bind(&self.password)
            .bind(self.player.as_str())
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        end_sessions(connection, &self.player, self.keep.as_ref()).await.map(Some)
    }
}

pub(crate) struct SetEmail {
    pub(crate) player: PlayerId,
    pub(crate) credentials: Credentials,
    pub(crate) email: Option<String>,
}

impl Change for SetEmail {
    type Output = bool;

    async fn apply(&self, connection: &mut PgConnection) -> Result<bool> {
        if !credentials_match(connection, &self.player, &self.credentials).await? {
            return Ok(false);
        }
        // Setting the same address again changes nothing.
        let changed = sqlx::query(
            "UPDATE accounts SET email = $1, email_confirmed = false, email_from_before = false \
             WHERE player = $2 AND name IS NOT NULL AND email IS DISTINCT FROM $1",
        )
        .bind(&self.email)
        .bind(self.player.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        if changed.rows_affected() > 0 {
            revoke_links(connection, &self.player).await?;
        }
        Ok(true)
    }
}

pub(crate) struct EndSessions(pub(crate) PlayerId);

impl Change for EndSessions {
    type Output = Vec<SessionId>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Vec<SessionId>> {
        lock_account(connection, &self.0).await?;
        end_sessions(connection, &self.0, None).await
    }
}

pub(crate) struct DeleteAccount {
    pub(crate) player: PlayerId,
    pub(crate) name: NameRetirement,
}

impl Change for DeleteAccount {
    type Output = Deleted;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Deleted> {
        // If the last two administrators are deleted at the same moment, the second deletion must see that
        // only one is left.
        GlobalLock::Administration.acquire(connection).await?;
        GlobalLock::Names.acquire(connection).await?;
        lock_account(connection, &self.player).await?;
        if is_last_administrator(connection, &self.player).await? == Some(true) {
            return Ok(Deleted::LastAdministrator);
        }
        delete(connection, &self.player, &self.name).await.map(Deleted::Done)
    }
}

/// Deletes an account and retires its name. Returns the ended sessions. The caller must hold
/// [`GlobalLock::Names`] and the lock on the account.
pub(super) async fn delete(
    connection: &mut PgConnection,
    player: &PlayerId,
    name: &NameRetirement,
) -> Result<Vec<SessionId>> {
    retire(connection, name).await?;
    let ended = end_sessions(connection, player, None).await?;
    revoke_links(connection, player).await?;
    for statement in [
        "UPDATE accounts SET name = NULL, name_key = NULL, unaccented_key = NULL, skeleton = NULL, password = NULL, \
         email = NULL, email_confirmed = false, email_from_before = false, role = NULL, shown_to = 'everybody', silenced_until = NULL, teacher = NULL, \
         class = NULL, language = '', reminders = true WHERE player = $1",
        "DELETE FROM recovery_codes WHERE player = $1",
        "DELETE FROM second_factors WHERE player = $1",
        "DELETE FROM reminders WHERE player = $1",
        "DELETE FROM chat WHERE player = $1",
        "UPDATE problems SET title = NULL WHERE owner = $1",
        "DELETE FROM identities WHERE player = $1",
        "DELETE FROM blocks WHERE player = $1 OR blocked = $1",
        "DELETE FROM preferences WHERE player = $1",
        "DELETE FROM tries WHERE player = $1",
        "DELETE FROM analyses WHERE player = $1",
    ] {
        sqlx::query(statement).bind(player.as_str()).execute(&mut *connection).await.map_err(translate)?;
    }
    let deleted = sqlx::query("DELETE FROM proposals WHERE player = $1 OR recipient = $1")
        .bind(player.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    hall::bump_version(connection, usize::try_from(deleted.rows_affected()).unwrap_or(usize::MAX)).await?;
    Ok(ended)
}

/// Revokes a player's recovery and confirmation links.
async fn revoke_links(connection: &mut PgConnection, player: &PlayerId) -> Result<()> {
    for statement in
        ["DELETE FROM recoveries WHERE player = $1", "DELETE FROM confirmations WHERE player = $1"]
    {
        sqlx::query(statement).bind(player.as_str()).execute(&mut *connection).await.map_err(translate)?;
    }
    Ok(())
}

/// Ends all sessions of a player except `keep`, revokes the recovery links and deletes an unconfirmed second
/// factor. Returns the ended sessions.
pub(super) async fn end_sessions(
    connection: &mut PgConnection,
    player: &PlayerId,
    keep: Option<&SessionId>,
) -> Result<Vec<SessionId>> {
    for statement in [
        "DELETE FROM recoveries WHERE player = $1",
        // Otherwise someone else could complete an unfinished setup of a second factor.
        "DELETE FROM second_factors WHERE player = $1 AND spent_at IS NULL",
    ] {
        sqlx::query(statement).bind(player.as_str()).execute(&mut *connection).await.map_err(translate)?;
    }
    let ended = sqlx::query("DELETE FROM sessions WHERE player = $1 AND id IS DISTINCT FROM $2 RETURNING id")
        .bind(player.as_str())
        .bind(keep.map(SessionId::as_str))
        .fetch_all(connection)
        .await
        .map_err(translate)?;
    ended.iter().map(|row: &PgRow| parse(row, "id", "sessions")).collect()
}

pub(crate) struct AddSession(pub(crate) NewSession);

impl Change for AddSession {
    type Output = Option<Vec<SessionId>>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<Vec<SessionId>>> {
        let Self(new) = self;
        if !credentials_match(connection, &new.player, &new.credentials).await? {
            return Ok(None);
        }
        // Expired sessions do not count towards the limit.
        sqlx::query("DELETE FROM sessions WHERE player = $1 AND expires_at <= $2")
            .bind(new.player.as_str())
            .bind(new.created_at.0)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        sqlx::query(
            "INSERT INTO sessions (token, id, player, agent, created_at, used_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(new.token.0.as_slice())
        .bind(new.id.as_str())
        .bind(new.player.as_str())
        .bind(&new.agent)
        .bind(new.created_at.0)
        .bind(new.created_at.0)
        .bind(new.expires_at.0)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        let ended = sqlx::query(
            "DELETE FROM sessions WHERE id IN \
             (SELECT id FROM sessions WHERE player = $1 AND id <> $2 ORDER BY used_at DESC, id OFFSET $3) \
             RETURNING id",
        )
        .bind(new.player.as_str())
        .bind(new.id.as_str())
        .bind(i64::from(SESSIONS_PER_ACCOUNT - 1))
        .fetch_all(connection)
        .await
        .map_err(translate)?;
        ended.iter().map(|row: &PgRow| parse(row, "id", "sessions")).collect::<Result<_>>().map(Some)
    }
}

pub(crate) async fn set_session_used(
    database: &Database,
    id: &SessionId,
    now: Millis,
    expires_at: Millis,
) -> Result<()> {
    let set = "UPDATE sessions SET used_at = $1, expires_at = $2 WHERE id = $3";
    database.execute(sqlx::query(set).bind(now.0).bind(expires_at.0).bind(id.as_str())).await.map(|_| ())
}

pub(crate) async fn delete_session(database: &Database, player: &PlayerId, id: &SessionId) -> Result<bool> {
    let delete = "DELETE FROM sessions WHERE player = $1 AND id = $2";
    Ok(database.execute(sqlx::query(delete).bind(player.as_str()).bind(id.as_str())).await? == 1)
}
