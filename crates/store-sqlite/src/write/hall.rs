//! Proposals, visitors, spectators, and the change counters for proposals and the house.

use adoube_store::{Proposal, ProposalAdded, ProposalCounts, ProposalLimits, Result, VisitorChange};
use adoube_vocabulary::{GameId, Millis, NodeId, PlayerId};
use sqlx::sqlite::SqliteConnection;

use crate::{error::translate, read::hall::proposal, text::get, writer::Change};

pub(crate) struct AddProposal {
    pub(crate) new: Proposal,
    pub(crate) limits: ProposalLimits,
}

impl Change for AddProposal {
    type Output = ProposalAdded;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<ProposalAdded> {
        let Self { new, limits } = self;
        // An expired proposal is not treated as repeated, and does not count towards the limits.
        sqlx::query("DELETE FROM proposals WHERE expires_at <= ?")
            .bind(new.created_at.0)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        let earlier = sqlx::query("SELECT * FROM proposals WHERE player = ? AND command = ?")
            .bind(new.from.as_str())
            .bind(new.command.as_ref().map(|command| command.0.as_bytes().as_slice()))
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        if let Some(row) = earlier {
            return Ok(ProposalAdded::Repeated(Box::new(proposal(&row)?)));
        }
        if let Some(limit) = limits.reached_limit(&count(connection, new).await?) {
            return Ok(ProposalAdded::Full(limit));
        }
        sqlx::query(
            "INSERT INTO proposals (id, player, recipient, command, body, created_at, expires_at, signed_in, needs_maker, origin) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&new.id)
        .bind(new.from.as_str())
        .bind(new.to.as_ref().map(PlayerId::as_str))
        .bind(new.command.as_ref().map(|command| command.0.as_bytes().as_slice()))
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

/// Returns, for each limit on a new proposal, the number of existing proposals that count towards it. Expired
/// ones have already been deleted.
async fn count(connection: &mut SqliteConnection, new: &Proposal) -> Result<ProposalCounts> {
    let row = sqlx::query(
        "SELECT \
         (SELECT count(*) FROM proposals WHERE player = ?1) AS of_player, \
         (SELECT count(*) FROM proposals WHERE origin = ?3) AS of_origin, \
         (SELECT count(*) FROM proposals WHERE origin = ?3 AND recipient = ?2) AS to_recipient_from_origin, \
         (SELECT count(*) FROM proposals WHERE recipient = ?2 AND signed_in = ?4) AS to_recipient, \
         iif(?2 IS NULL, (SELECT count(*) FROM proposals WHERE recipient IS NULL AND signed_in = ?4), \
             (SELECT count(*) FROM proposals WHERE recipient > '' AND signed_in = ?4)) AS of_kind",
    )
    .bind(new.from.as_str())
    .bind(new.to.as_ref().map(PlayerId::as_str))
    .bind(new.origin.as_ref().map(|origin| origin.0.as_slice()))
    .bind(new.signed_in)
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

/// Increases the version of the proposals by the number of changes.
pub(super) async fn bump_version(connection: &mut SqliteConnection, count: u64) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    sqlx::query("UPDATE versions SET version = version + ? WHERE name = 'proposals'")
        .bind(i64::try_from(count).unwrap_or(i64::MAX))
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}

/// Deletes a proposal. Returns `true` if it existed.
pub(super) async fn remove(connection: &mut SqliteConnection, id: &str) -> Result<bool> {
    let deleted = sqlx::query("DELETE FROM proposals WHERE id = ?")
        .bind(id)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    bump_version(connection, deleted.rows_affected()).await?;
    Ok(deleted.rows_affected() == 1)
}

pub(crate) struct DeleteProposal(pub(crate) String);

impl Change for DeleteProposal {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        remove(connection, &self.0).await
    }
}

pub(crate) struct AnnounceChange;

impl Change for AnnounceChange {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query("UPDATE versions SET version = version + 1 WHERE name = 'house'")
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

pub(crate) struct SetVisitors {
    pub(crate) node: NodeId,
    pub(crate) changes: Vec<VisitorChange>,
    pub(crate) forget_before: Millis,
}

impl Change for SetVisitors {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        for VisitorChange { player, is_here, is_in_hall, left_hall_at } in &self.changes {
            sqlx::query(
                "INSERT INTO visitors (player, node, is_here, is_in_hall, left_hall_at) VALUES (?, ?, ?, ?, ?) \
                 ON CONFLICT DO UPDATE SET is_here = excluded.is_here, is_in_hall = excluded.is_in_hall, \
                 left_hall_at = iif(excluded.is_in_hall, NULL, coalesce(excluded.left_hall_at, left_hall_at))",
            )
            .bind(player.as_str())
            .bind(self.node.as_str())
            .bind(is_here)
            .bind(is_in_hall)
            .bind(left_hall_at.filter(|_| !is_in_hall).map(|left_at| left_at.0))
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        }
        sqlx::query("DELETE FROM visitors WHERE NOT is_here AND (left_hall_at IS NULL OR left_hall_at < ?)")
            .bind(self.forget_before.0)
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

pub(crate) struct SetWatchers {
    pub(crate) node: NodeId,
    pub(crate) counts: Vec<(GameId, u32)>,
}

impl Change for SetWatchers {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        for (game, sockets) in &self.counts {
            // A game that was deleted in the meantime has no spectators.
            let set = if *sockets == 0 {
                sqlx::query("DELETE FROM watchers WHERE game = ? AND node = ?")
            } else {
                sqlx::query(
                    "INSERT INTO watchers (game, node, sockets) \
                     SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM games WHERE id = ?1) \
                     ON CONFLICT DO UPDATE SET sockets = excluded.sockets",
                )
            };
            let set = set.bind(game.as_str()).bind(self.node.as_str());
            let set = if *sockets == 0 { set } else { set.bind(sockets) };
            set.execute(&mut *connection).await.map_err(translate)?;
        }
        Ok(())
    }
}

/// Marks the visitors of a node as having left at the given time, and forgets its spectators.
pub(super) async fn disconnect_visitors(
    connection: &mut SqliteConnection,
    node: &NodeId,
    at: Millis,
) -> Result<()> {
    sqlx::query(
        "UPDATE visitors SET is_here = 0, is_in_hall = 0, left_hall_at = iif(is_in_hall, ?1, left_hall_at) \
         WHERE node = ?2 AND is_here",
    )
    .bind(at.0)
    .bind(node.as_str())
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    sqlx::query("DELETE FROM watchers WHERE node = ?")
        .bind(node.as_str())
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}
