use adoube_store::{CutOffPlayer, DeadNode, Downtime, LeaseRequest, Node, PresenceChange, Renewal, Result};
use adoube_vocabulary::{GameId, Millis, NodeId};
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::{
    hall::disconnect_visitors,
    house::{AddDowntime, RecordHeartbeat},
};
use crate::{
    error::translate,
    text::{color, color_text, get, parse},
    writer::Change,
};

pub(crate) struct RenewLease {
    pub(crate) request: LeaseRequest,
    pub(crate) since: Millis,
}

impl Change for RenewLease {
    type Output = Renewal;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Renewal> {
        let Self { request, since } = self;
        let LeaseRequest { id, address, .. } = request;
        let now = &request.granted_at();
        let before = sqlx::query("SELECT seen_at, valid_until FROM nodes WHERE id = ?")
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let (seen_at, was_valid) = match &before {
            Some(row) => (get(row, "seen_at")?, get::<i64>(row, "valid_until")? > now.0),
            None => (now.0, false),
        };
        if before.is_none() {
            // Two processes cannot listen on the same address, so the previous one has died.
            sqlx::query("UPDATE nodes SET valid_until = min(valid_until, ?) WHERE address = ?")
                .bind(now.0)
                .bind(address)
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        let others = valid_nodes(connection, *now).await?.into_iter().filter(|node| node.id != *id).count();
        if others == 0 && !was_valid {
            let last = sqlx::query(
                "SELECT max(at) AS at FROM (SELECT at FROM heartbeat UNION ALL SELECT seen_at FROM nodes)",
            )
            .fetch_one(&mut *connection)
            .await
            .map_err(translate)?;
            if let Some(last) = get::<Option<i64>>(&last, "at")?
                && last < now.0
            {
                AddDowntime(Downtime { from: Millis(last), until: *now }).apply(&mut *connection).await?;
            }
        }
        let mut cut_off = None;
        if before.is_some() && !was_valid {
            // If there are other nodes, they considered this one dead. If there are none, the downtime gives
            // the players their time back.
            if others > 0 {
                cut_off = Some(DeadNode {
                    id: id.clone(),
                    seen_at: Millis(seen_at),
                    players: players_connected_only_to(connection, id, Millis(seen_at), *now).await?,
                });
            }
            disconnect_all(connection, id, Millis(seen_at)).await?;
        }
        sqlx::query(
            "INSERT INTO nodes (id, address, seen_at, valid_until) VALUES (?, ?, ?, ?) \
             ON CONFLICT DO UPDATE SET address = excluded.address, seen_at = max(seen_at, excluded.seen_at), \
             valid_until = max(valid_until, excluded.valid_until), taken_by = NULL",
        )
        .bind(id.as_str())
        .bind(address)
        .bind(now.0)
        .bind(now.0 + request.duration_ms())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        RecordHeartbeat(*now).apply(&mut *connection).await?;
        let downtimes =
            sqlx::query("SELECT from_at, until_at FROM downtimes WHERE until_at > ? ORDER BY from_at")
                .bind(since.0)
                .fetch_all(&mut *connection)
                .await
                .map_err(translate)?;
        let downtime = |row: &SqliteRow| {
            Ok(Downtime { from: Millis(get(row, "from_at")?), until: Millis(get(row, "until_at")?) })
        };
        Ok(Renewal {
            was_valid,
            cut_off,
            nodes: valid_nodes(connection, *now).await?,
            downtimes: downtimes.iter().map(downtime).collect::<Result<_>>()?,
        })
    }
}

/// Lists the nodes with a valid lease, ordered by id.
async fn valid_nodes(connection: &mut SqliteConnection, now: Millis) -> Result<Vec<Node>> {
    let rows = sqlx::query("SELECT id, address, seen_at FROM nodes WHERE valid_until > ? ORDER BY id")
        .bind(now.0)
        .fetch_all(connection)
        .await
        .map_err(translate)?;
    let node = |row: &SqliteRow| {
        Ok(Node {
            id: parse(row, "id", "nodes")?,
            address: get(row, "address")?,
            seen_at: Millis(get(row, "seen_at")?),
        })
    };
    rows.iter().map(node).collect()
}

pub(crate) struct ReleaseLease {
    pub(crate) id: NodeId,
    pub(crate) now: Millis,
}

impl Change for ReleaseLease {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        RecordHeartbeat(self.now).apply(&mut *connection).await?;
        delete_node(connection, &self.id, self.now).await
    }
}

/// Marks the players of a node as cut off at the given time, and its visitors as having left then.
async fn disconnect_all(connection: &mut SqliteConnection, id: &NodeId, at: Millis) -> Result<()> {
    sqlx::query("UPDATE presence SET away_since = ?, is_cut_off = 1 WHERE node = ? AND away_since IS NULL")
        .bind(at.0)
        .bind(id.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    disconnect_visitors(connection, id, at).await
}

/// Deletes a node, and marks its players as cut off at the given time, and its visitors as having left then.
async fn delete_node(connection: &mut SqliteConnection, id: &NodeId, at: Millis) -> Result<()> {
    sqlx::query("DELETE FROM nodes WHERE id = ?")
        .bind(id.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    disconnect_all(connection, id, at).await
}

pub(crate) struct TakeOver {
    pub(crate) by: NodeId,
    pub(crate) now: Millis,
}

impl Change for TakeOver {
    type Output = Vec<DeadNode>;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Vec<DeadNode>> {
        let rows = sqlx::query(
            "UPDATE nodes SET taken_by = ?1 WHERE valid_until <= ?2 AND id <> ?1 AND (taken_by IS NULL OR taken_by = ?1 \
             OR NOT EXISTS (SELECT 1 FROM nodes AS taker WHERE taker.id = nodes.taken_by AND taker.valid_until > ?2)) \
             RETURNING id, seen_at",
        )
        .bind(self.by.as_str())
        .bind(self.now.0)
        .fetch_all(&mut *connection)
        .await
        .map_err(translate)?;
        let mut dead = Vec::with_capacity(rows.len());
        for row in &rows {
            let id: NodeId = parse(row, "id", "nodes")?;
            let seen_at = Millis(get(row, "seen_at")?);
            let players = players_connected_only_to(connection, &id, seen_at, self.now).await?;
            dead.push(DeadNode { id, seen_at, players });
        }
        // The statement returns them in no particular order.
        dead.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(dead)
    }
}

/// Lists the players who were connected to a node, and to no other node, when it was last seen. Some may have
/// reconnected since.
async fn players_connected_only_to(
    connection: &mut SqliteConnection,
    id: &NodeId,
    seen_at: Millis,
    now: Millis,
) -> Result<Vec<CutOffPlayer>> {
    let rows = sqlx::query(
        "SELECT mine.game, mine.color, mine.lost_at, min(other.since) FILTER (WHERE other.since > mine.lost_at) AS back_at \
         FROM (SELECT game, color, node, max(since, ?2) AS lost_at FROM presence WHERE node = ?1 AND away_since IS NULL) AS mine \
         LEFT JOIN (\
             SELECT game, color, node, since, away_since FROM presence AS any_of WHERE away_since IS NOT NULL \
             OR EXISTS (SELECT 1 FROM nodes WHERE nodes.id = any_of.node AND nodes.valid_until > ?3)) AS other \
         ON other.game = mine.game AND other.color = mine.color AND other.node <> mine.node \
         GROUP BY mine.game, mine.color, mine.lost_at \
         HAVING coalesce(max(other.since <= mine.lost_at \
             AND (other.away_since IS NULL OR other.away_since > mine.lost_at)), 0) = 0 \
         ORDER BY mine.game, mine.color",
    )
    .bind(id.as_str())
    .bind(seen_at.0)
    .bind(now.0)
    .fetch_all(connection)
    .await
    .map_err(translate)?;
    let player = |row: &SqliteRow| {
        Ok(CutOffPlayer {
            game: parse(row, "game", "presence")?,
            color: color(get(row, "color")?, "presence")?,
            last_seen_at: Millis(get(row, "lost_at")?),
            reconnected_at: get::<Option<i64>>(row, "back_at")?.map(Millis),
        })
    };
    rows.iter().map(player).collect()
}

pub(crate) struct ForgetNode {
    pub(crate) by: NodeId,
    pub(crate) id: NodeId,
    pub(crate) now: Millis,
}

impl Change for ForgetNode {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let row = sqlx::query("SELECT seen_at FROM nodes WHERE id = ? AND taken_by = ? AND valid_until <= ?")
            .bind(self.id.as_str())
            .bind(self.by.as_str())
            .bind(self.now.0)
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let Some(row) = row else { return Ok(false) };
        let seen_at = Millis(get(&row, "seen_at")?);
        // Preserve the time of its last heartbeat.
        RecordHeartbeat(seen_at).apply(&mut *connection).await?;
        delete_node(connection, &self.id, seen_at).await?;
        Ok(true)
    }
}

pub(crate) struct TidyPresence {
    pub(crate) before: Millis,
    pub(crate) limit: u32,
}

impl Change for TidyPresence {
    type Output = u64;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<u64> {
        let deleted = sqlx::query(
            "DELETE FROM presence WHERE (game, color, node) IN \
             (SELECT game, color, node FROM presence WHERE away_since < ? LIMIT ?)",
        )
        .bind(self.before.0)
        .bind(self.limit)
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(deleted.rows_affected())
    }
}

pub(crate) struct SetPresence {
    pub(crate) id: NodeId,
    pub(crate) changes: Vec<PresenceChange>,
}

impl Change for SetPresence {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        for PresenceChange { game, color, since, away_since } in &self.changes {
            // A deleted game or node has no players.
            sqlx::query(
                "INSERT INTO presence (game, color, node, away_since, since) SELECT ?1, ?2, ?3, ?4, ?5 \
                 WHERE EXISTS (SELECT 1 FROM games WHERE id = ?1) AND EXISTS (SELECT 1 FROM nodes WHERE id = ?3) \
                 ON CONFLICT DO UPDATE SET since = excluded.since, away_since = excluded.away_since, is_cut_off = 0",
            )
            .bind(game.as_str())
            .bind(color_text(*color))
            .bind(self.id.as_str())
            .bind(away_since.map(|since| since.0))
            .bind(since.0)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        }
        Ok(())
    }
}

pub(crate) struct ClaimMachineTurn {
    pub(crate) id: NodeId,
    pub(crate) game: GameId,
    pub(crate) now: Millis,
}

impl Change for ClaimMachineTurn {
    type Output = bool;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<bool> {
        let claimed = sqlx::query(
            "UPDATE games SET thinking_node = ?1, thinking_version = version \
             WHERE id = ?2 AND awaits_machine IS NOT NULL AND (thinking_version IS NULL OR thinking_version <> version \
             OR thinking_node = ?1 \
             OR NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = thinking_node AND nodes.valid_until > ?3))",
        )
        .bind(self.id.as_str())
        .bind(self.game.as_str())
        .bind(self.now.0)
        .execute(connection)
        .await
        .map_err(translate)?;
        Ok(claimed.rows_affected() == 1)
    }
}
