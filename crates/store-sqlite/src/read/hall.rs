use adoube_store::{
    Proposal, ProposalList, Result, RoomState, StoreError, TokenHash, Versions, VisitorList, VisitorName,
};
use adoube_vocabulary::{CommandId, GameId, Millis, PlayerId};
use sqlx::{SqlitePool, sqlite::SqliteRow};
use uuid::Uuid;

use crate::{
    error::translate,
    text::{get, parse, version},
};

/// Returns the proposal in a row with all columns of the table.
pub(crate) fn proposal(row: &SqliteRow) -> Result<Proposal> {
    let invalid = |what, bytes: &[u8]| StoreError::InvalidValue {
        table: "proposals",
        what,
        found: format!("{} bytes", bytes.len()),
    };
    let command = get::<Option<&[u8]>>(row, "command")?
        .map(|bytes| Uuid::from_slice(bytes).map(CommandId).map_err(|_| invalid("command", bytes)));
    let origin = get::<Option<&[u8]>>(row, "origin")?
        .map(|bytes| bytes.try_into().map(TokenHash).map_err(|_| invalid("origin", bytes)));
    Ok(Proposal {
        id: get(row, "id")?,
        from: parse(row, "player", "proposals")?,
        to: match get::<Option<&str>>(row, "recipient")? {
            Some(_) => Some(parse(row, "recipient", "proposals")?),
            None => None,
        },
        command: command.transpose()?,
        body: get(row, "body")?,
        created_at: Millis(get(row, "created_at")?),
        expires_at: Millis(get(row, "expires_at")?),
        signed_in: get(row, "signed_in")?,
        needs_maker: get(row, "needs_maker")?,
        origin: origin.transpose()?,
    })
}

pub(crate) async fn lookup_proposal(readers: &SqlitePool, id: &str, now: Millis) -> Result<Option<Proposal>> {
    let row = sqlx::query("SELECT * FROM proposals WHERE id = ? AND expires_at > ?")
        .bind(id)
        .bind(now.0)
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    row.as_ref().map(proposal).transpose()
}

pub(crate) async fn proposals(readers: &SqlitePool, now: Millis) -> Result<ProposalList> {
    // A single statement reads a consistent snapshot. Without proposals, there is one row, with only the
    // version.
    let rows = sqlx::query(
        "SELECT versions.version, proposals.* FROM versions LEFT JOIN proposals ON expires_at > ? \
         WHERE versions.name = 'proposals' ORDER BY created_at, id",
    )
    .bind(now.0)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    let mut found = ProposalList::default();
    for row in &rows {
        found.version = version(row, "versions")?.0;
        if get::<Option<&str>>(row, "id")?.is_some() {
            found.proposals.push(proposal(row)?);
        }
    }
    Ok(found)
}

pub(crate) async fn versions(readers: &SqlitePool) -> Result<Versions> {
    let rows =
        sqlx::query("SELECT name, version FROM versions").fetch_all(readers).await.map_err(translate)?;
    let mut found = Versions::default();
    for row in &rows {
        let version = version(row, "versions")?.0;
        match get::<&str>(row, "name")? {
            "proposals" => found.proposals = version,
            "house" => found.house = version,
            // There are no other counters: data written by a newer version is refused.
            _ => {}
        }
    }
    Ok(found)
}

pub(crate) async fn visitors(readers: &SqlitePool, names: u32) -> Result<VisitorList> {
    let row = sqlx::query("SELECT count(DISTINCT player) AS count FROM visitors WHERE is_here")
        .fetch_one(readers)
        .await
        .map_err(translate)?;
    let rows = sqlx::query(
        "SELECT name, shown_to = 'members' AS members_only FROM accounts WHERE name IS NOT NULL AND shown_to <> 'nobody' \
         AND EXISTS (SELECT 1 FROM visitors WHERE visitors.player = accounts.player AND is_here) ORDER BY name_key LIMIT ?",
    )
    .bind(names)
    .fetch_all(readers)
    .await
    .map_err(translate)?;
    Ok(VisitorList {
        count: get(&row, "count")?,
        names: rows.iter().map(visitor_name).collect::<Result<_>>()?,
    })
}

fn visitor_name(row: &SqliteRow) -> Result<VisitorName> {
    Ok(VisitorName { name: get(row, "name")?, members_only: get(row, "members_only")? })
}

pub(crate) async fn is_visiting(readers: &SqlitePool, player: &PlayerId) -> Result<bool> {
    let found = sqlx::query("SELECT 1 FROM visitors WHERE player = ? AND is_here LIMIT 1")
        .bind(player.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
    Ok(found.is_some())
}

pub(crate) async fn absent(
    readers: &SqlitePool,
    players: &[PlayerId],
    since: Millis,
) -> Result<Vec<PlayerId>> {
    let mut absent = Vec::new();
    for player in players {
        let found =
            sqlx::query("SELECT 1 FROM visitors WHERE player = ? AND (is_in_hall OR left_hall_at > ?)")
                .bind(player.as_str())
                .bind(since.0)
                .fetch_optional(readers)
                .await
                .map_err(translate)?;
        if found.is_none() {
            absent.push(player.clone());
        }
    }
    Ok(absent)
}

pub(crate) async fn rooms(readers: &SqlitePool, games: &[GameId]) -> Result<Vec<RoomState>> {
    let mut rooms = Vec::with_capacity(games.len());
    for game in games {
        let row = sqlx::query(
            "SELECT version, \
             EXISTS (SELECT 1 FROM presence WHERE game = id AND color = 'white' AND away_since IS NULL) AS white, \
             EXISTS (SELECT 1 FROM presence WHERE game = id AND color = 'black' AND away_since IS NULL) AS black, \
             (SELECT coalesce(sum(sockets), 0) FROM watchers WHERE game = id) AS watchers FROM games WHERE id = ?",
        )
        .bind(game.as_str())
        .fetch_optional(readers)
        .await
        .map_err(translate)?;
        let Some(row) = row else { continue };
        rooms.push(RoomState {
            game: game.clone(),
            version: version(&row, "games")?,
            white: get(&row, "white")?,
            black: get(&row, "black")?,
            watchers: get(&row, "watchers")?,
        });
    }
    rooms.sort_by(|one, other| one.game.cmp(&other.game));
    rooms.dedup();
    Ok(rooms)
}
