//! Proposals and visitors.

use adoube_store::{Proposal, ProposalAdded, ProposalCounts, ProposalLimits, Result, VisitorChange};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId};
use sqlx::postgres::PgConnection;

use crate::{
    database::{Change, Database},
    error::translate,
    read::hall::proposal,
    text::get,
};

/// The maximum number of old rows that a write deletes. [`set_visitors`] may delete one more for each of its
/// changes.
const DELETED_PER_WRITE: i64 = 100;

pub(crate) struct AddProposal {
    pub(crate) new: Proposal,
    pub(crate) limits: ProposalLimits,
}

impl Change for AddProposal {
    type Output = ProposalAdded;

    async fn apply(&self, connection: &mut PgConnection) -> Result<ProposalAdded> {
        let Self { new, limits } = self;
        let command = new.command.map(|command| command.0);
        // A command may be repeated after its proposal has expired. The proposal is deleted before the
        // version is locked, as in the transactions that delete open proposals, so that no deadlock is
        // possible.
        sqlx::query("DELETE FROM proposals WHERE player = $1 AND command = $2 AND expires_at <= $3")
            .bind(new.from.as_str())
            .bind(command)
            .bind(new.created_at.0)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        // Lock the version, so that proposals are added one at a time and all nodes together stay within the
        // limits.
        sqlx::query("SELECT version FROM versions WHERE name = 'proposals' FOR UPDATE")
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        let earlier = sqlx::query("SELECT * FROM proposals WHERE player = $1 AND command = $2")
            .bind(new.from.as_str())
            .bind(command)
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if let Some(row) = earlier {
            return Ok(ProposalAdded::Repeated(Box::new(proposal(&row)?)));
        }
        if let Some(limit) = limits.reached_limit(&count(connection, new).await?) {
            return Ok(ProposalAdded::Full(limit));
        }
        // Skip proposals that another node is deleting.
        sqlx::query(
            "DELETE FROM proposals WHERE id IN \
             (SELECT id FROM proposals WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        )
        .bind(new.created_at.0)
        .bind(DELETED_PER_WRITE)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        sqlx::query(
            "INSERT INTO proposals (id, player, recipient, command, body, created_at, expires_at, signed_in, needs_maker, origin) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(&new.id)
        .bind(new.from.as_str())
        .bind(new.to.as_ref().map(PlayerId::as_str))
        .bind(command)
        .bind(&new.body)
        .bind(new.created_at.0)
        .bind(new.expires_at.0)
        .bind(new.signed_in)
        .bind(new.needs_maker)
        .bind(new.origin.as_ref().map(|origin| origin.0.as_slice()))
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        bump_version(connection, 1).await?;
        Ok(ProposalAdded::Done)
    }
}

async fn count(connection: &mut PgConnection, new: &Proposal) -> Result<ProposalCounts> {
    let row = sqlx::query(
        "SELECT \
         (SELECT count(*) FROM proposals WHERE player = $1 AND expires_at > $5) AS of_player, \
         (SELECT count(*) FROM proposals WHERE origin = $3 AND expires_at > $5) AS of_origin, \
         (SELECT count(*) FROM proposals WHERE recipient = $2 AND origin = $3 AND expires_at > $5) \
             AS to_recipient_from_origin, \
         (SELECT count(*) FROM proposals WHERE recipient = $2 AND signed_in = $4 AND expires_at > $5) AS to_recipient, \
         (SELECT count(*) FROM proposals WHERE (recipient IS NULL) = ($2 IS NULL) AND signed_in = $4 AND expires_at > $5) \
             AS of_kind",
    )
    .bind(new.from.as_str())
    .bind(new.to.as_ref().map(PlayerId::as_str))
    .bind(new.origin.as_ref().map(|origin| origin.0.as_slice()))
    .bind(new.signed_in)
    .bind(new.created_at.0)
    .fetch_one(connection)
    .await
    .map_err(translate)?;
    Ok(ProposalCounts {
        player: get(&row, "of_player")?,
        origin: get(&row, "of_origin")?,
        to_recipient_from_origin: get(&row, "to_recipient_from_origin")?,
        to_recipient: get(&row, "to_recipient")?,
        kind: get(&row, "of_kind")?,
    })
}

/// Increases the version of the proposals by the number of changes. Call this after all statements that lock
/// proposals, and late in the transaction: the row with the version stays locked until the commit, and all
/// other changes to proposals wait for it.
pub(crate) async fn bump_version(connection: &mut PgConnection, count: usize) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    sqlx::query("UPDATE versions SET version = version + $1 WHERE name = 'proposals'")
        .bind(i64::try_from(count).unwrap_or(i64::MAX))
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}

/// Locks the proposals in a fixed order, and deletes those that still exist. Returns their ids.
pub(crate) async fn remove(connection: &mut PgConnection, ids: &[&str]) -> Result<Vec<String>> {
    let rows = sqlx::query(
        "DELETE FROM proposals WHERE id IN \
         (SELECT id FROM proposals WHERE id = ANY($1) ORDER BY id FOR UPDATE) RETURNING id",
    )
    .bind(ids)
    .fetch_all(connection)
    .await
    .map_err(translate)?;
    rows.iter().map(|row| get(row, "id")).collect()
}

pub(crate) struct DeleteProposal(pub(crate) String);

impl Change for DeleteProposal {
    type Output = bool;

    async fn apply(&self, connection: &mut PgConnection) -> Result<bool> {
        let taken = remove(connection, &[&self.0]).await?.len();
        bump_version(connection, taken).await?;
        Ok(taken == 1)
    }
}

pub(crate) async fn announce_change(database: &Database) -> Result<()> {
    let announce = "UPDATE versions SET version = version + 1 WHERE name = 'house'";
    database.execute(sqlx::query(announce)).await.map(|_| ())
}

pub(crate) async fn set_visitors(
    database: &Database,
    node: &NodeId,
    changes: &[VisitorChange],
    forget_before: Millis,
) -> Result<()> {
    // Only a visitor's last change counts, because the statement cannot change the same row twice.
    let last = changes.iter().map(|change| (change.player.as_str(), change));
    let last = last.collect::<std::collections::BTreeMap<_, _>>();
    let set = "INSERT INTO visitors (player, node, is_here, is_in_hall, left_hall_at) \
         SELECT player, $1, is_here, is_in_hall, left_hall_at \
         FROM unnest($2::text[], $3::boolean[], $4::boolean[], $5::bigint[]) AS asked (player, is_here, is_in_hall, left_hall_at) \
         ON CONFLICT (player, node) DO UPDATE SET is_here = excluded.is_here, is_in_hall = excluded.is_in_hall, \
         left_hall_at = CASE WHEN excluded.is_in_hall THEN NULL \
         ELSE coalesce(excluded.left_hall_at, visitors.left_hall_at) END";
    database
        .execute(
            sqlx::query(set)
                .bind(node.as_str())
                .bind(last.keys().copied().collect::<Vec<_>>())
                .bind(last.values().map(|change| change.is_here).collect::<Vec<_>>())
                .bind(last.values().map(|change| change.is_in_hall).collect::<Vec<_>>())
                .bind(
                    last.values()
                        .map(|change| change.left_hall_at.filter(|_| !change.is_in_hall))
                        .map(|left_at| left_at.map(|at| at.0))
                        .collect::<Vec<_>>(),
                ),
        )
        .await?;
    let forget = "DELETE FROM visitors WHERE (player, node) IN (SELECT player, node FROM visitors \
         WHERE NOT is_here AND (left_hall_at IS NULL OR left_hall_at < $1) LIMIT $2 FOR UPDATE SKIP LOCKED)";
    // Delete more rows than this call has added, so that old rows do not accumulate.
    let limit = DELETED_PER_WRITE + i64::try_from(last.len()).unwrap_or(i64::MAX - DELETED_PER_WRITE);
    database.execute(sqlx::query(forget).bind(forget_before.0).bind(limit)).await.map(|_| ())
}

pub(crate) async fn set_watchers(database: &Database, node: &NodeId, counts: &[(GameId, u32)]) -> Result<()> {
    let last = counts.iter().map(|(game, sockets)| (game.as_str(), *sockets));
    let last = last.collect::<std::collections::BTreeMap<_, _>>();
    let (unwatched, watched): (Vec<_>, Vec<_>) = last.into_iter().partition(|(_, sockets)| *sockets == 0);
    if !unwatched.is_empty() {
        let unwatched = unwatched.into_iter().map(|(game, _)| game).collect::<Vec<_>>();
        let delete = "DELETE FROM watchers WHERE node = $1 AND game = ANY($2)";
        database.execute(sqlx::query(delete).bind(node.as_str()).bind(unwatched)).await?;
    }
    if watched.is_empty() {
        return Ok(());
    }
    // A deleted game has no spectators; an existing one cannot be deleted until the rows are written.
    let set = "INSERT INTO watchers (game, node, sockets) SELECT asked.game, $1, asked.sockets \
         FROM unnest($2::text[], $3::integer[]) AS asked (game, sockets) \
         JOIN games ON games.id = asked.game ORDER BY asked.game FOR KEY SHARE OF games \
         ON CONFLICT (game, node) DO UPDATE SET sockets = excluded.sockets";
    let sockets = watched.iter().map(|(_, sockets)| i32::try_from(*sockets).unwrap_or(i32::MAX));
    database
        .execute(
            sqlx::query(set)
                .bind(node.as_str())
                .bind(watched.iter().map(|(game, _)| *game).collect::<Vec<_>>())
                .bind(sockets.collect::<Vec<_>>()),
        )
        .await
        .map(|_| ())
}

/// Marks the visitors of a node as having left at the given time, and forgets its spectators.
pub(super) async fn disconnect_visitors(
    connection: &mut PgConnection,
    node: &NodeId,
    at: Millis,
) -> Result<()> {
    sqlx::query(
        "UPDATE visitors SET is_here = false, is_in_hall = false, \
         left_hall_at = CASE WHEN is_in_hall THEN $1 ELSE left_hall_at END WHERE node = $2 AND is_here",
    )
    .bind(at.0)
    .bind(node.as_str())
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    sqlx::query("DELETE FROM watchers WHERE node = $1")
        .bind(node.as_str())
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}
