use adoube_store::{
    AuditEntry, Class, ClassSummary, Handled, HandledReport, HouseInvitation, Member, MemberFilter,
    MemberSearch, Membership, Result, Statistics, StoreError, TokenHash,
};
use adoube_vocabulary::{Millis, PlayerId};
use sqlx::postgres::PgRow;

use super::chat::report_from;
use crate::{
    database::Database,
    text::{account_state, account_state_text, get, head, name_key, outcome, parse, role},
};

pub(crate) fn membership_from(row: &PgRow) -> Result<Membership> {
    Ok(Membership {
        role: role(row)?,
        state: account_state(get(row, "state")?)?,
        silenced_until: get::<Option<i64>>(row, "silenced_until")?.map(Millis),
        teacher: player_from(row, "teacher", "accounts")?,
        class: get(row, "class")?,
    })
}

/// Returns the player in a column that may be null.
fn player_from(row: &PgRow, column: &'static str, table: &'static str) -> Result<Option<PlayerId>> {
    match get::<Option<&str>>(row, column)? {
        Some(_) => parse(row, column, table).map(Some),
        None => Ok(None),
    }
}

fn count(row: &PgRow, column: &str) -> Result<u64> {
    Ok(u64::try_from(get::<i64>(row, column)?).unwrap_or_default())
}

fn member_from(row: &PgRow) -> Result<Member> {
    Ok(Member {
        player: parse(row, "player", "accounts")?,
        name: get(row, "name")?,
        membership: membership_from(row)?,
        email: get(row, "email")?,
        second_factor: get(row, "second_factor")?,
        created_at: Millis(get(row, "created_at")?),
        used_at: get::<Option<i64>>(row, "used_at")?.map(Millis),
        sessions: u32::try_from(get::<i64>(row, "sessions")?).unwrap_or(u32::MAX),
    })
}

pub(crate) async fn members(database: &Database, filter: &MemberFilter, now: Millis) -> Result<Vec<Member>> {
    let mut search = MemberSearch::new(filter);
    loop {
        let rows = database
        .fetch_all(
            sqlx::query(
                "SELECT accounts.*, \
                 EXISTS (SELECT 1 FROM second_factors WHERE player = accounts.player AND spent_at IS NOT NULL) AS second_factor, \
                 (SELECT max(used_at) FROM sessions WHERE player = accounts.player AND expires_at > $1) AS used_at, \
                 (SELECT count(*) FROM sessions WHERE player = accounts.player AND expires_at > $1) AS sessions \
                 FROM accounts WHERE name IS NOT NULL AND \
                 ($2::text IS NULL OR (coalesce(unaccented_key, name_key), name_key) > ($9, $2)) \
                 AND ($3::text IS NULL OR unaccented_key IS NULL OR unaccented_key LIKE $3 ESCAPE '\\') AND ($4::text IS NULL OR state = $4) \
                 AND (NOT $5 OR role IS NOT NULL) AND ($6::text IS NULL OR teacher = $6) \
                 AND ($7::text IS NULL OR class = $7) ORDER BY coalesce(unaccented_key, name_key), name_key LIMIT $8",
            )
            .bind(now.0)
            .bind(search.after())
            .bind(search.pattern())
            .bind(filter.state.map(account_state_text))
            .bind(filter.with_role)
            .bind(filter.teacher.as_ref().map(PlayerId::as_str))
            .bind(filter.class.as_deref())
            .bind(i64::from(filter.limit))
            .bind(search.after_unaccented()),
        )
        .await?;
        let page = rows.iter().map(member_from).collect::<Result<Vec<Member>>>()?;
        if let Some(found) = search.add(page) {
            return Ok(found);
        }
    }
}

pub(crate) async fn member(database: &Database, name: &str, now: Millis) -> Result<Option<Member>> {
    let row = database
        .fetch_optional(
            sqlx::query(
                "SELECT accounts.*, \
                 EXISTS (SELECT 1 FROM second_factors WHERE player = accounts.player AND spent_at IS NOT NULL) AS second_factor, \
                 (SELECT max(used_at) FROM sessions WHERE player = accounts.player AND expires_at > $1) AS used_at, \
                 (SELECT count(*) FROM sessions WHERE player = accounts.player AND expires_at > $1) AS sessions \
                 FROM accounts WHERE name IS NOT NULL AND name_key = $2",
            )
            .bind(now.0)
            .bind(name_key(name)),
        )
        .await?;
    row.as_ref().map(member_from).transpose()
}

pub(crate) async fn classes(database: &Database) -> Result<Vec<ClassSummary>> {
    let rows = database
        .fetch_all(sqlx::query(
            "SELECT teacher, class, count(*) AS pupils, min(name COLLATE \"C\") AS pupil FROM accounts \
             WHERE teacher IS NOT NULL AND class IS NOT NULL AND name IS NOT NULL GROUP BY teacher, class",
        ))
        .await?;
    rows.iter().map(class_from).collect()
}

fn class_from(row: &PgRow) -> Result<ClassSummary> {
    Ok(ClassSummary {
        class: Class { name: get(row, "class")?, teacher: parse(row, "teacher", "accounts")? },
        pupils: u32::try_from(count(row, "pupils")?).unwrap_or(u32::MAX),
        pupil: get(row, "pupil")?,
    })
}

pub(crate) async fn has_administrator(database: &Database) -> Result<bool> {
    let found = database
        .fetch_optional(sqlx::query(
            "SELECT 1 FROM accounts WHERE role = 'administrator' AND state = 'open' AND name IS NOT NULL LIMIT 1",
        ))
        .await?;
    Ok(found.is_some())
}

pub(crate) async fn invitation(
    database: &Database,
    token: &TokenHash,
    now: Millis,
) -> Result<Option<HouseInvitation>> {
    let row = database
        .fetch_optional(
            sqlx::query(
                "SELECT role, uses, is_first, expires_at FROM house_invitations \
                 WHERE token = $1 AND uses > 0 AND expires_at > $2 AND (NOT is_first OR NOT EXISTS \
                 (SELECT 1 FROM accounts WHERE role = 'administrator' AND state = 'open' AND name IS NOT NULL))",
            )
            .bind(token.0.as_slice())
            .bind(now.0),
        )
        .await?;
    let read = |row: &PgRow| {
        Ok(HouseInvitation {
            role: role(row)?,
            uses: u32::try_from(get::<i64>(row, "uses")?).unwrap_or(u32::MAX),
            is_first: get(row, "is_first")?,
            expires_at: Millis(get(row, "expires_at")?),
        })
    };
    row.as_ref().map(read).transpose()
}

pub(crate) async fn reports(
    database: &Database,
    open_only: bool,
    skip: u32,
    limit: u32,
) -> Result<Vec<HandledReport>> {
    let rows = database
        .fetch_all(
            sqlx::query(
                "SELECT line, player, game, room, reason, author, name, said::text AS said, at, handled_at, \
                 handled_by, outcome, note FROM reports WHERE NOT $1 OR handled_at IS NULL \
                 ORDER BY at DESC, line DESC, player LIMIT $2 OFFSET $3",
            )
            .bind(open_only)
            .bind(i64::from(limit))
            .bind(i64::from(skip)),
        )
        .await?;
    let report = |row: &PgRow| {
        let handled = match get::<Option<i64>>(row, "handled_at")? {
            Some(at) => Some(Handled {
                at: Millis(at),
                by: player_from(row, "handled_by", "reports")?,
                outcome: outcome(get::<Option<&str>>(row, "outcome")?.unwrap_or_default())?,
                note: get::<Option<String>>(row, "note")?.unwrap_or_default(),
            }),
            None => None,
        };
        Ok(HandledReport { report: report_from(row)?, handled })
    };
    rows.iter().map(report).collect()
}

pub(crate) async fn audit(database: &Database, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>> {
    let rows = database
        .fetch_all(
            sqlx::query(
                "SELECT number, happened, body, head FROM audit WHERE $1::bigint IS NULL OR number < $1 \
                 ORDER BY number DESC LIMIT $2",
            )
            .bind(before)
            .bind(i64::from(limit)),
        )
        .await?;
    let entry = |row: &PgRow| {
        Ok(AuditEntry {
            number: get(row, "number")?,
            at: Millis(get(row, "happened")?),
            body: get(row, "body")?,
            head: head(row)?,
        })
    };
    rows.iter().map(entry).collect()
}

pub(crate) async fn document(database: &Database, name: &str) -> Result<Option<String>> {
    let row =
        database.fetch_optional(sqlx::query("SELECT body FROM documents WHERE name = $1").bind(name)).await?;
    row.as_ref().map(|row| get(row, "body")).transpose()
}

pub(crate) async fn statistics(database: &Database, since: Millis, now: Millis) -> Result<Statistics> {
    let row = database
        .fetch_optional(
            sqlx::query(
                "SELECT \
                 (SELECT count(*) FROM accounts WHERE name IS NOT NULL AND state = 'open') AS members, \
                 (SELECT count(*) FROM accounts WHERE name IS NOT NULL AND state = 'pending') AS pending, \
                 (SELECT count(*) FROM accounts WHERE name IS NOT NULL AND state = 'closed') AS closed, \
                 (SELECT count(*) FROM accounts WHERE name IS NOT NULL AND teacher IS NOT NULL) AS pupils, \
                 (SELECT count(DISTINCT player) FROM sessions WHERE used_at > $1 AND expires_at > $2) AS recent, \
                 (SELECT count(*) FROM games) AS games, \
                 (SELECT count(*) FROM games WHERE phase = 'playing') AS playing, \
                 (SELECT count(*) FROM games WHERE created_at > $1) AS new_games, \
                 (SELECT count(*) FROM reports WHERE handled_at IS NULL) AS open_reports",
            )
            .bind(since.0)
            .bind(now.0),
        )
        .await?;
    let Some(row) = row else {
        return Err(StoreError::InvalidValue { table: "accounts", what: "count", found: "nothing".into() });
    };
    Ok(Statistics {
        members: count(&row, "members")?,
        pending: count(&row, "pending")?,
        closed: count(&row, "closed")?,
        pupils: count(&row, "pupils")?,
        recent: count(&row, "recent")?,
        games: count(&row, "games")?,
        playing: count(&row, "playing")?,
        new_games: count(&row, "new_games")?,
        open_reports: count(&row, "open_reports")?,
    })
}
