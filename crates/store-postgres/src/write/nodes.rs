//! Node leases, and the players connected to each node.
//!
//! A renewal before the lease expires changes one row and does not wait for any other node. All other changes
//! to leases are made by one node at a time.

use std::collections::BTreeMap;

use adoube_store::{CutOffPlayer, DeadNode, Downtime, LeaseRequest, Node, PresenceChange, Renewal, Result};
use adoube_vocabulary::{Millis, NodeId};
use sqlx::postgres::{PgConnection, PgRow};

use super::{
    hall::disconnect_visitors,
    house::{ADD_DOWNTIME, RECORD_HEARTBEAT},
};
use crate::{
    database::{Change, Database, GlobalLock},
    error::translate,
    text::{color, color_text, get, parse},
};

const VALID_NODES: &str = "SELECT id, address, seen_at FROM nodes WHERE valid_until > $1 ORDER BY id";

/// Adds a node, or renews its lease.
pub(crate) async fn renew_lease(
    database: &Database,
    request: LeaseRequest,
    since: Millis,
) -> Result<Renewal> {
    let now = request.now;
    let renew = "UPDATE nodes SET seen_at = greatest(seen_at, $2), valid_until = greatest(valid_until, $3), taken_by = NULL \
         WHERE id = $1 AND valid_until > $2";
    let renew = sqlx::query(renew).bind(request.id.as_str()).bind(now.0).bind(now.0 + request.duration_ms());
    let was_valid = database.execute(renew).await? == 1;
    let cut_off =
        if was_valid { None } else { database.apply(BeginLease { request: request.clone() }).await? };
    let nodes = database.fetch_all(sqlx::query(VALID_NODES).bind(request.granted_at().0)).await?;
    let downtimes = "SELECT from_at, until_at FROM downtimes WHERE until_at > $1 ORDER BY from_at";
    let downtimes = database.fetch_all(sqlx::query(downtimes).bind(since.0)).await?;
    let downtime = |row: &PgRow| {
        Ok(Downtime { from: Millis(get(row, "from_at")?), until: Millis(get(row, "until_at")?) })
    };
    Ok(Renewal {
        was_valid,
        cut_off,
        nodes: nodes.iter().map(node).collect::<Result<_>>()?,
        downtimes: downtimes.iter().map(downtime).collect::<Result<_>>()?,
    })
}

fn node(row: &PgRow) -> Result<Node> {
    Ok(Node {
        id: parse(row, "id", "nodes")?,
        address: get(row, "address")?,
        seen_at: Millis(get(row, "seen_at")?),
    })
}

/// The first lease of a node, or a new one after the last has expired.
struct BeginLease {
    request: LeaseRequest,
}

impl Change for BeginLease {
    type Output = Option<DeadNode>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Option<DeadNode>> {
        let LeaseRequest { id, address, .. } = &self.request;
        GlobalLock::Nodes.acquire(connection).await?;
        let now = self.request.granted_at();
        let before = sqlx::query("SELECT seen_at FROM nodes WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let seen_at = before.map(|row| get(&row, "seen_at").map(Millis)).transpose()?;
        if seen_at.is_none() {
            // Two processes cannot listen on the same address, so the previous one has died.
            sqlx::query("UPDATE nodes SET valid_until = least(valid_until, $1) WHERE address = $2")
                .bind(now.0)
                .bind(address)
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        let valid =
            sqlx::query(VALID_NODES).bind(now.0).fetch_all(&mut *connection).await.map_err(translate)?;
        // If there is no other node, the downtime gives the players their time back.
        let has_others = !valid.is_empty();
        if !has_others {
            add_downtime_until(connection, now).await?;
        }
        let mut cut_off = None;
        if let Some(seen_at) = seen_at {
            // The other nodes considered this one dead.
            if has_others {
                let players = players_connected_only_to(connection, id, seen_at, now).await?;
                cut_off = Some(DeadNode { id: id.clone(), seen_at, players });
            }
            disconnect_all(connection, id, seen_at).await?;
        }
        sqlx::query(
            "INSERT INTO nodes (id, address, seen_at, valid_until) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (id) DO UPDATE SET address = excluded.address, \
             seen_at = greatest(nodes.seen_at, excluded.seen_at), \
             valid_until = greatest(nodes.valid_until, excluded.valid_until), taken_by = NULL",
        )
        .bind(id.as_str())
        .bind(address)
        .bind(now.0)
        .bind(now.0 + self.request.duration_ms())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        Ok(cut_off)
    }
}

/// Adds the time since the last heartbeat of any node as a downtime.
async fn add_downtime_until(connection: &mut PgConnection, now: Millis) -> Result<()> {
    let last = sqlx::query(
        "SELECT max(at) AS at FROM (SELECT at FROM heartbeat UNION ALL SELECT seen_at FROM nodes) AS times",
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(translate)?;
    if let Some(last) = get::<Option<i64>>(&last, "at")?
        && last < now.0
    {
        let add = sqlx::query(ADD_DOWNTIME).bind(last).bind(now.0);
        add.execute(connection).await.map_err(translate)?;
    }
    Ok(())
}

pub(crate) struct ReleaseLease {
    pub(crate) id: NodeId,
    pub(crate) now: Millis,
}

impl Change for ReleaseLease {
    type Output = ();

    async fn apply(&self, connection: &mut PgConnection) -> Result<()> {
        GlobalLock::Nodes.acquire(connection).await?;
        sqlx::query(RECORD_HEARTBEAT).bind(self.now.0).execute(&mut *connection).await.map_err(translate)?;
        delete_node(connection, &self.id, self.now).await
    }
}

/// Marks the players and visitors of a node as cut off at the given time.
async fn disconnect_all(connection: &mut PgConnection, id: &NodeId, at: Millis) -> Result<()> {
    sqlx::query(
        "UPDATE presence SET away_since = $1, is_cut_off = true WHERE node = $2 AND away_since IS NULL",
    )
    .bind(at.0)
    .bind(id.as_str())
    .execute(&mut *connection)
    .await
    .map_err(translate)?;
    disconnect_visitors(connection, id, at).await
}

/// Deletes a node, and marks its players and visitors as cut off at the given time.
async fn delete_node(connection: &mut PgConnection, id: &NodeId, at: Millis) -> Result<()> {
    // Delete the node first: this waits for a `set_presence` that is still writing the node's players.
    sqlx::query("DELETE FROM nodes WHERE id = $1")
        .bind(id.as_str())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    disconnect_all(connection, id, at).await
}

/// Assigns to `by` the nodes whose leases have expired.
pub(crate) async fn take_over(database: &Database, by: &NodeId, now: Millis) -> Result<Vec<DeadNode>> {
    // Usually there are none. Checking first avoids the lock.
    let any = "SELECT EXISTS (SELECT 1 FROM nodes WHERE valid_until <= $1 AND id <> $2) AS is_any";
    let any = database.fetch_one(sqlx::query(any).bind(now.0).bind(by.as_str())).await?;
    if !get::<bool>(&any, "is_any")? {
        return Ok(Vec::new());
    }
    database.apply(TakeOver { by: by.clone(), now }).await
}

struct TakeOver {
    by: NodeId,
    now: Millis,
}

impl Change for TakeOver {
    type Output = Vec<DeadNode>;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Vec<DeadNode>> {
        GlobalLock::Nodes.acquire(connection).await?;
        let rows = sqlx::query(
            "UPDATE nodes SET taken_by = $1 WHERE valid_until <= $2 AND id <> $1 AND (taken_by IS NULL OR taken_by = $1 \
             OR NOT EXISTS (SELECT 1 FROM nodes AS taker WHERE taker.id = nodes.taken_by AND taker.valid_until > $2)) \
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

/// Lists the players who were connected to a node, and only to that one, when it was last seen. Some may have
/// reconnected since.
async fn players_connected_only_to(
    connection: &mut PgConnection,
    id: &NodeId,
    seen_at: Millis,
    now: Millis,
) -> Result<Vec<CutOffPlayer>> {
    let rows = sqlx::query(
        "SELECT mine.game, mine.color, mine.lost_at, min(other.since) FILTER (WHERE other.since > mine.lost_at) AS back_at \
         FROM (SELECT game, color, node, greatest(since, $2) AS lost_at FROM presence \
             WHERE node = $1 AND away_since IS NULL) AS mine \
         LEFT JOIN presence AS other \
         ON other.game = mine.game AND other.color = mine.color AND other.node <> mine.node \
         AND (other.away_since IS NOT NULL \
             OR EXISTS (SELECT 1 FROM nodes WHERE nodes.id = other.node AND nodes.valid_until > $3)) \
         GROUP BY mine.game, mine.color, mine.lost_at \
         HAVING NOT coalesce(bool_or(other.since <= mine.lost_at \
             AND (other.away_since IS NULL OR other.away_since > mine.lost_at)), false) \
         ORDER BY mine.game, mine.color",
    )
    .bind(id.as_str())
    .bind(seen_at.0)
    .bind(now.0)
    .fetch_all(connection)
    .await
    .map_err(translate)?;
    let player = |row: &PgRow| {
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

    async fn apply(&self, connection: &mut PgConnection) -> Result<bool> {
        GlobalLock::Nodes.acquire(connection).await?;
        // Lock the row, because a renewal before the lease expires takes no other lock.
        let row = sqlx::query(
            "SELECT seen_at FROM nodes WHERE id = $1 AND taken_by = $2 AND valid_until <= $3 FOR UPDATE",
        )
        .bind(self.id.as_str())
        .bind(self.by.as_str())
        .bind(self.now.0)
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
        let Some(row) = row else { return Ok(false) };
        let seen_at = Millis(get(&row, "seen_at")?);
        // Preserve the time of its last heartbeat.
        sqlx::query(RECORD_HEARTBEAT).bind(seen_at.0).execute(&mut *connection).await.map_err(translate)?;
        delete_node(connection, &self.id, seen_at).await?;
        Ok(true)
    }
}

pub(crate) async fn set_presence(database: &Database, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
    // Only a player's last change counts, because the statement cannot change the same row twice.
    let mut last = BTreeMap::new();
    for PresenceChange { game, color, since, away_since } in changes {
        last.insert((game.as_str(), color_text(*color)), (since.0, away_since.map(|since| since.0)));
    }
    // A deleted game or node has no players; existing ones cannot be deleted until the rows are written.
    let set = "INSERT INTO presence (game, color, node, since, away_since) \
         SELECT asked.game, asked.color, nodes.id, asked.since, asked.away_since \
         FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS asked (game, color, since, away_since) \
         JOIN nodes ON nodes.id = $1 JOIN games ON games.id = asked.game \
         ORDER BY asked.game, asked.color FOR KEY SHARE OF nodes, games \
         ON CONFLICT (game, color, node) DO UPDATE \
         SET since = excluded.since, away_since = excluded.away_since, is_cut_off = false";
    database
        .execute(
            sqlx::query(set)
                .bind(id.as_str())
                .bind(last.keys().map(|(game, _)| *game).collect::<Vec<_>>())
                .bind(last.keys().map(|(_, color)| *color).collect::<Vec<_>>())
                .bind(last.values().map(|(since, _)| *since).collect::<Vec<_>>())
                .bind(last.values().map(|(_, away_since)| *away_since).collect::<Vec<_>>()),
        )
        .await
        .map(|_| ())
}

pub(crate) async fn tidy_presence(database: &Database, before: Millis, limit: u32) -> Result<u64> {
    let tidy = "DELETE FROM presence WHERE (game, color, node) IN \
         (SELECT game, color, node FROM presence WHERE away_since < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)";
    database.execute(sqlx::query(tidy).bind(before.0).bind(i64::from(limit))).await
}
