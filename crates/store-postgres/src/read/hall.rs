use adoube_store::{
    Proposal, ProposalList, Result, RoomState, StoreError, TokenHash, Versions, VisitorList, VisitorName,
};
use adoube_vocabulary::{CommandId, GameId, Millis, PlayerId};
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::{
    database::Database,
    text::{get, parse, version},
};

/// Returns the proposal in a row with all columns of the table.
pub(crate) fn proposal(row: &PgRow) -> Result<Proposal> {
    let origin = get::<Option<&[u8]>>(row, "origin")?.map(|origin| {
        let length = |_| StoreError::InvalidValue {
            table: "proposals",
            what: "origin",
            found: format!("{} bytes", origin.len()),
        };
        origin.try_into().map(TokenHash).map_err(length)
    });
    Ok(Proposal {
        id: get(row, "id")?,
        from: parse(row, "player", "proposals")?,
        to: match get::<Option<&str>>(row, "recipient")? {
            Some(_) => Some(parse(row, "recipient", "proposals")?),
            None => None,
        },
        command: get::<Option<Uuid>>(row, "command")?.map(CommandId),
        body: get(row, "body")?,
        created_at: Millis(get(row, "created_at")?),
        expires_at: Millis(get(row, "expires_at")?),
        signed_in: get(row, "signed_in")?,
        needs_maker: get(row, "needs_maker")?,
        origin: origin.transpose()?,
    })
}

pub(crate) async fn lookup_proposal(database: &Database, id: &str, now: Millis) -> Result<Option<Proposal>> {
    let lookup = "SELECT * FROM proposals WHERE id = $1 AND expires_at > $2";
    let row = database.fetch_optional(sqlx::query(lookup).bind(id).bind(now.0)).await?;
    row.as_ref().map(proposal).transpose()
}

pub(crate) async fn proposals(database: &Database, now: Millis) -> Result<ProposalList> {
    // A single statement reads a consistent snapshot. Without proposals, there is one row, with only the
    // version.
    let list = "SELECT versions.version, proposals.* FROM versions LEFT JOIN proposals ON expires_at > $1 \
         WHERE versions.name = 'proposals' ORDER BY created_at, id";
    let rows = database.fetch_all(sqlx::query(list).bind(now.0)).await?;
    let mut found = ProposalList::default();
    for row in &rows {
        found.version = version(row, "versions")?.0;
        if get::<Option<&str>>(row, "id")?.is_some() {
            found.proposals.push(proposal(row)?);
        }
    }
    Ok(found)
}

pub(crate) async fn versions(database: &Database) -> Result<Versions> {
    let mut found = Versions::default();
    for row in &database.fetch_all(sqlx::query("SELECT name, version FROM versions")).await? {
        let version = version(row, "versions")?.0;
        match get::<&str>(row, "name")? {
            "proposals" => found.proposals = version,
            "house" => found.house = version,
            // A counter added by a later release.
            _ => {}
        }
    }
    Ok(found)
}

pub(crate) async fn visitors(database: &Database, names: u32) -> Result<VisitorList> {
    let count = "SELECT count(DISTINCT player)::integer AS count FROM visitors WHERE is_here";
    let row = database.fetch_one(sqlx::query(count)).await?;
    let list = "SELECT name, shown_to = 'members' AS members_only FROM accounts WHERE name IS NOT NULL AND shown_to <> 'nobody' \
         AND EXISTS (SELECT 1 FROM visitors WHERE visitors.player = accounts.player AND is_here) ORDER BY name_key LIMIT $1";
    let rows = database.fetch_all(sqlx::query(list).bind(i64::from(names))).await?;
    Ok(VisitorList {
        count: u32::try_from(get::<i32>(&row, "count")?).unwrap_or_default(),
        names: rows.iter().map(visitor_name).collect::<Result<_>>()?,
    })
}

fn visitor_name(row: &PgRow) -> Result<VisitorName> {
    Ok(VisitorName { name: get(row, "name")?, members_only: get(row, "members_only")? })
}

pub(crate) async fn is_visiting(database: &Database, player: &PlayerId) -> Result<bool> {
    let found = sqlx::query("SELECT 1 FROM visitors WHERE player = $1 AND is_here LIMIT 1");
    Ok(database.fetch_optional(found.bind(player.as_str())).await?.is_some())
}

pub(crate) async fn absent(
    database: &Database,
    players: &[PlayerId],
    since: Millis,
) -> Result<Vec<PlayerId>> {
    let list = "SELECT asked.player FROM unnest($1::text[]) AS asked (player) WHERE NOT EXISTS \
         (SELECT 1 FROM visitors WHERE visitors.player = asked.player AND (is_in_hall OR left_hall_at > $2))";
    let players = players.iter().map(PlayerId::as_str).collect::<Vec<_>>();
    let rows = database.fetch_all(sqlx::query(list).bind(players).bind(since.0)).await?;
    rows.iter().map(|row| parse(row, "player", "visitors")).collect()
}

pub(crate) async fn rooms(database: &Database, games: &[GameId]) -> Result<Vec<RoomState>> {
    let list = "SELECT id, version, \
         EXISTS (SELECT 1 FROM presence WHERE game = id AND color = 'white' AND away_since IS NULL) AS white, \
         EXISTS (SELECT 1 FROM presence WHERE game = id AND color = 'black' AND away_since IS NULL) AS black, \
         (SELECT coalesce(sum(sockets), 0) FROM watchers WHERE game = id) AS watchers \
         FROM games WHERE id = ANY($1) ORDER BY id";
    let games = games.iter().map(GameId::as_str).collect::<Vec<_>>();
    let rows = database.fetch_all(sqlx::query(list).bind(games)).await?;
    let room = |row: &PgRow| {
        Ok(RoomState {
            game: parse(row, "id", "games")?,
            version: version(row, "games")?,
            white: get(row, "white")?,
            black: get(row, "black")?,
            watchers: u32::try_from(get::<i64>(row, "watchers")?).unwrap_or(u32::MAX),
        })
    };
    rows.iter().map(room).collect()
}
