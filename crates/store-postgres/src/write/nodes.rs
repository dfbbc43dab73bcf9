//! Leases of nodes, one change at a time among all nodes, and the players connected to each.

use adoube_store::{DeadNode, Downtime, LEASE_MS, Node, PresenceChange, Renewal, Result};
use adoube_vocabulary::{Color, GameId, Millis, NodeId};
use sqlx::postgres::{PgConnection, PgRow};

use super::house::{ADD_DOWNTIME, RECORD_HEARTBEAT};
use crate::{
    database::{Change, Database, GlobalLock},
    error::translate,
    text::{color, color_text, get, parse},
};

pub(crate) struct RenewLease {
    pub(crate) id: NodeId,
    pub(crate) address: String,
    pub(crate) now: Millis,
    pub(crate) since: Millis,
}

impl Change for RenewLease {
    type Done = Renewal;

    async fn apply(&self, connection: &mut PgConnection) -> Result<Renewal> {
        let Self { id, address, now, since } = self;
        GlobalLock::Nodes.acquire(connection).await?;
        let before = sqlx::query("SELECT seen_at, valid_until FROM nodes WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let (seen_at, was_valid) = match &before {
            Some(row) => (get(row, "seen_at")?, get::<i64>(row, "valid_until")? > now.0),
            None => (now.0, false),
        };
        if before.is_none() {
            // Two processes cannot listen in the same place: the one before has died.
            sqlx::query("UPDATE nodes SET valid_until = least(valid_until, $1) WHERE address = $2")
                .bind(now.0)
                .bind(address)
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        let others = valid_nodes(connection, *now).await?.into_iter().filter(|node| node.id != *id).count();
        if others == 0 && !was_valid {
            let last = sqlx::query(
                "SELECT max(at) AS at FROM (SELECT at FROM heartbeat UNION ALL SELECT seen_at FROM nodes) AS times",
            )
            .fetch_one(&mut *connection)
            .await
            .map_err(translate)?;
            if let Some(last) = get::<Option<i64>>(&last, "at")?
                && last < now.0
            {
                let added = sqlx::query(ADD_DOWNTIME).bind(last).bind(now.0);
                added.execute(&mut *connection).await.map_err(translate)?;
            }
        }
        if !was_valid {
            // The others have taken it for dead.
            sqlx::query("UPDATE presence SET away_since = coalesce(away_since, $1) WHERE node = $2")
                .bind(seen_at)
                .bind(id.as_str())
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
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
        .bind(now.0 + LEASE_MS)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        sqlx::query(RECORD_HEARTBEAT).bind(now.0).execute(&mut *connection).await.map_err(translate)?;
        let downtimes =
            sqlx::query("SELECT from_at, until_at FROM downtimes WHERE until_at > $1 ORDER BY from_at")
                .bind(since.0)
                .fetch_all(&mut *connection)
                .await
                .map_err(translate)?;
        let downtime = |row: &PgRow| {
            Ok(Downtime { from: Millis(get(row, "from_at")?), until: Millis(get(row, "until_at")?) })
        };
        Ok(Renewal {
            was_valid,
            nodes: valid_nodes(connection, *now).await?,
            downtimes: downtimes.iter().map(downtime).collect::<Result<_>>()?,
        })
    }
}

/// Lists the nodes with a valid lease, by id.
async fn valid_nodes(connection: &mut PgConnection, now: Millis) -> Result<Vec<Node>> {
    let rows = sqlx::query("SELECT id, address, seen_at FROM nodes WHERE valid_until > $1 ORDER BY id")
        .bind(now.0)
        .fetch_all(connection)
        .await
        .map_err(translate)?;
    let node = |row: &PgRow| {
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
    type Done = ();

    async fn apply(&self, connection: &mut PgConnection) -> Result<()> {
        GlobalLock::Nodes.acquire(connection).await?;
        disconnect_all(connection, &self.id, self.now).await?;
        sqlx::query(RECORD_HEARTBEAT).bind(self.now.0).execute(&mut *connection).await.map_err(translate)?;
        delete_node(connection, &self.id).await
    }
}

/// Marks the players of a node as away from that time on.
async fn disconnect_all(connection: &mut PgConnection, id: &NodeId, since: Millis) -> Result<()> {
    sqlx::query("UPDATE presence SET away_since = $1 WHERE node = $2 AND away_since IS NULL")
        .bind(since.0)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}

async fn delete_node(connection: &mut PgConnection, id: &NodeId) -> Result<()> {
    sqlx::query("DELETE FROM nodes WHERE id = $1")
        .bind(id.as_str())
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
}

pub(crate) struct TakeOver {
    pub(crate) by: NodeId,
    pub(crate) now: Millis,
}

impl Change for TakeOver {
    type Done = Vec<DeadNode>;

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
            let players = players_only_at(connection, &id, self.now).await?;
            dead.push(DeadNode { id, seen_at: Millis(get(row, "seen_at")?), players });
        }
        // The statement returns them in any order.
        dead.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(dead)
    }
}

/// Lists the players who are connected to a node, and to no node with a valid lease.
async fn players_only_at(
    connection: &mut PgConnection,
    id: &NodeId,
    now: Millis,
) -> Result<Vec<(GameId, Color)>> {
    let rows = sqlx::query(
        "SELECT game, color FROM presence AS mine WHERE node = $1 AND away_since IS NULL AND NOT EXISTS (\
         SELECT 1 FROM presence AS other JOIN nodes ON nodes.id = other.node WHERE other.game = mine.game \
         AND other.color = mine.color AND other.away_since IS NULL AND nodes.valid_until > $2) ORDER BY game, color",
    )
    .bind(id.as_str())
    .bind(now.0)
    .fetch_all(connection)
    .await
    .map_err(translate)?;
    rows.iter()
        .map(|row| Ok((parse(row, "game", "presence")?, color(get(row, "color")?, "presence")?)))
        .collect()
}

pub(crate) struct ForgetNode(pub(crate) NodeId);

impl Change for ForgetNode {
    type Done = ();

    async fn apply(&self, connection: &mut PgConnection) -> Result<()> {
        GlobalLock::Nodes.acquire(connection).await?;
        let row = sqlx::query("SELECT seen_at FROM nodes WHERE id = $1")
            .bind(self.0.as_str())
            .fetch_optional(&mut *connection)
            .await
            .map_err(translate)?;
        let Some(row) = row else { return Ok(()) };
        disconnect_all(connection, &self.0, Millis(get(&row, "seen_at")?)).await?;
        delete_node(connection, &self.0).await
    }
}

pub(crate) async fn set_presence(database: &Database, id: &NodeId, changes: &[PresenceChange]) -> Result<()> {
    // Of several changes for one player the last one counts: a statement must not touch a row twice.
    let mut last = std::collections::BTreeMap::new();
    for PresenceChange { game, color, away_since } in changes {
        last.insert((game.as_str(), color_text(*color)), away_since.map(|since| since.0));
    }
    // A game that was deleted meanwhile has no players; one that is there stays until the rows are written.
    let set = "INSERT INTO presence (game, color, node, away_since) \
         SELECT asked.game, asked.color, $1, asked.away_since \
         FROM unnest($2::text[], $3::text[], $4::bigint[]) AS asked (game, color, away_since) \
         JOIN games ON games.id = asked.game ORDER BY asked.game, asked.color FOR KEY SHARE OF games \
         ON CONFLICT (game, color, node) DO UPDATE SET away_since = excluded.away_since";
    database
        .execute(
            sqlx::query(set)
                .bind(id.as_str())
                .bind(last.keys().map(|(game, _)| *game).collect::<Vec<_>>())
                .bind(last.keys().map(|(_, color)| *color).collect::<Vec<_>>())
                .bind(last.values().copied().collect::<Vec<_>>()),
        )
        .await
        .map(|_| ())
}

pub(crate) async fn claim_machine_turn(
    database: &Database,
    id: &NodeId,
    game: &GameId,
    now: Millis,
) -> Result<bool> {
    let claim = "UPDATE games SET thinking_node = $1, thinking_version = version \
         WHERE id = $2 AND awaits_machine IS NOT NULL AND (thinking_version IS NULL OR thinking_version <> version \
         OR thinking_node = $1 \
         OR NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = thinking_node AND nodes.valid_until > $3))";
    Ok(database.execute(sqlx::query(claim).bind(id.as_str()).bind(game.as_str()).bind(now.0)).await? == 1)
}
