//! Creates many games in a few statements.

use adoube_store::{
    Created, NewGame, Result, StoreError,
    chain::{self, Head},
};
use adoube_vocabulary::Version;
use sqlx::postgres::PgConnection;
use uuid::Uuid;

use crate::{
    error::translate,
    text::{color_text, get, phase_text, result_text, version_as_i64},
    write::hall::{bump_version, remove},
};

/// Returns the values that two games created in one call must not share.
pub(crate) fn keys(game: &NewGame) -> (&str, (&str, Uuid)) {
    (game.id.as_str(), (game.command.player.as_str(), game.command.id.0))
}

/// Adds distinct games, for distinct commands. Returns the outcome of each, in order.
pub(crate) async fn create_all(connection: &mut PgConnection, games: &[&NewGame]) -> Result<Vec<Created>> {
    let before = check(connection, games).await?;
    let (before, taken) = take_proposals(connection, games, before).await?;
    let fresh = games.iter().zip(&before).filter(|(_, outcome)| outcome.is_none()).map(|(game, _)| *game);
    let fresh = fresh.collect::<Vec<_>>();
    let written = if fresh.is_empty() { Vec::new() } else { write(connection, &fresh).await? };
    // The commands of the remaining games have just been carried out by another node. Their receipts are now
    // visible.
    let conflicting = games
        .iter()
        .zip(&before)
        .filter(|(game, outcome)| outcome.is_none() && !written.iter().any(|id| id == game.id.as_str()));
    let conflicting = conflicting.map(|(game, _)| *game).collect::<Vec<_>>();
    let mut answers =
        if conflicting.is_empty() { Vec::new() } else { check(connection, &conflicting).await? }.into_iter();
    let outcome = |(game, before): (&&NewGame, Option<Created>)| match before {
        Some(outcome) => Ok(outcome),
        None if written.iter().any(|id| id == game.id.as_str()) => Ok(Created::Done),
        None => answers.next().flatten().ok_or_else(|| {
            let source = "the command was already used, but its receipt cannot be found".into();
            StoreError::Unreachable { source }
        }),
    };
    let outcomes = games.iter().zip(before).map(outcome).collect::<Result<_>>()?;
    bump_version(connection, taken).await?;
    Ok(outcomes)
}

/// Deletes the proposals that led to the games that are still to be created. If another node is taking one of
/// them, waits until that node has finished. Returns the outcomes, including those of games whose proposal is
/// gone, and the number of deleted proposals.
async fn take_proposals(
    connection: &mut PgConnection,
    games: &[&NewGame],
    mut outcomes: Vec<Option<Created>>,
) -> Result<(Vec<Option<Created>>, usize)> {
    let with_proposal =
        || games.iter().enumerate().filter_map(|(at, game)| Some((at, game.proposal.as_deref()?)));
    let proposals =
        with_proposal().filter(|(at, _)| outcomes[*at].is_none()).map(|(_, id)| id).collect::<Vec<_>>();
    if proposals.is_empty() {
        return Ok((outcomes, 0));
    }
    let mut taken = remove(connection, &proposals).await?;
    let count = taken.len();
    for (at, id) in with_proposal() {
        if outcomes[at].is_some() {
            continue;
        }
        match taken.iter().position(|taken| taken == id) {
            // If two games come from one proposal, the second finds it gone.
            Some(found) => drop(taken.swap_remove(found)),
            None => outcomes[at] = Some(Created::ProposalGone),
        }
    }
    Ok((outcomes, count))
}

/// Returns the outcomes of games that need not be written, because the command has a receipt or the id is
/// taken.
async fn check(connection: &mut PgConnection, games: &[&NewGame]) -> Result<Vec<Option<Created>>> {
    let rows = sqlx::query(
        "SELECT commands.answer, EXISTS (SELECT 1 FROM games WHERE games.id = asked.game) AS is_taken \
         FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY AS asked (game, player, command, number) \
         LEFT JOIN commands ON commands.player = asked.player AND commands.id = asked.command \
         ORDER BY asked.number",
    )
    .bind(games.iter().map(|game| game.id.as_str()).collect::<Vec<_>>())
    .bind(games.iter().map(|game| game.command.player.as_str()).collect::<Vec<_>>())
    .bind(games.iter().map(|game| game.command.id.0).collect::<Vec<_>>())
    .fetch_all(connection)
    .await
    .map_err(translate)?;
    let outcome = |row| {
        let answer: Option<String> = get(row, "answer")?;
        Ok(match answer {
            Some(answer) => Some(Created::Repeated(answer)),
            None => get::<bool>(row, "is_taken")?.then_some(Created::IdTaken),
        })
    };
    rows.iter().map(outcome).collect()
}

/// Writes games with their events, seats, invitations and receipts. Skips games whose command already has a
/// receipt. If another node is writing that receipt, waits for it. Returns the ids of the written games.
async fn write(connection: &mut PgConnection, games: &[&NewGame]) -> Result<Vec<String>> {
    let each = || games.iter().copied();
    let head =
        |game: &NewGame| -> Head { chain::extend_all(chain::begin(game.id.as_str()), 0, &game.events) };
    let heads = each().map(head).collect::<Vec<_>>();
    let events = || each().flat_map(|game| (1..).zip(&game.events).map(move |event| (game, event)));
    let seats = || each().flat_map(|game| game.seats.iter().map(move |seat| (game, seat)));
    let invitations = || each().filter_map(|game| Some((game, game.invitation.as_ref()?)));
    let rows = sqlx::query(
        "WITH claimed AS (\
             INSERT INTO commands (player, id, game, answer) \
             SELECT player, id, game, answer FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) \
                 AS asked (player, id, game, answer) ORDER BY player, id \
             ON CONFLICT (player, id) DO NOTHING RETURNING game), \
         created AS (\
             INSERT INTO games (id, version, created_at, updated_at, phase, turn, result, deadline, awaits_machine, summary, variant, \
                 public, match_id, match_number, chain) \
             SELECT asked.id, asked.version, asked.at, asked.at, asked.phase, asked.turn, asked.result, asked.deadline, asked.machine, \
                 asked.summary, asked.variant, asked.public, asked.match_id, asked.match_number, asked.chain \
             FROM claimed JOIN unnest($3::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::bigint[], \
                 $11::smallint[], $12::text[], $13::text[], $14::boolean[], $15::text[], $16::integer[], $17::bytea[]) \
                 AS asked (id, version, at, phase, turn, result, deadline, machine, summary, variant, public, match_id, match_number, \
                 chain) ON asked.id = claimed.game), \
         added AS (\
             INSERT INTO events (game, version, at, body) \
             SELECT asked.game, asked.version, asked.at, asked.body \
             FROM claimed JOIN unnest($18::text[], $19::bigint[], $20::bigint[], $21::text[]) \
                 AS asked (game, version, at, body) ON asked.game = claimed.game), \
         seated AS (\
             INSERT INTO seats (player, game, color) SELECT asked.player, asked.game, asked.color \
             FROM claimed JOIN unnest($22::text[], $23::text[], $24::text[]) AS asked (player, game, color) \
                 ON asked.game = claimed.game), \
         invited AS (\
             INSERT INTO invitations (token, game) SELECT asked.token, asked.game \
             FROM claimed JOIN unnest($25::text[], $26::text[]) AS asked (token, game) ON asked.game = claimed.game) \
         SELECT game FROM claimed",
    )
    .bind(each().map(|game| game.command.player.as_str()).collect::<Vec<_>>())
    .bind(each().map(|game| game.command.id.0).collect::<Vec<_>>())
    .bind(each().map(|game| game.id.as_str()).collect::<Vec<_>>())
    .bind(each().map(|game| game.command.answer.as_str()).collect::<Vec<_>>())
    .bind(each().map(|game| game.events.len() as i64).collect::<Vec<_>>())
    .bind(each().map(|game| game.created_at.0).collect::<Vec<_>>())
    .bind(each().map(|game| phase_text(game.read_model.phase)).collect::<Vec<_>>())
    .bind(each().map(|game| game.read_model.turn.map(color_text)).collect::<Vec<_>>())
    .bind(each().map(|game| game.read_model.result.map(result_text)).collect::<Vec<_>>())
    .bind(each().map(|game| game.read_model.deadline.map(|deadline| deadline.0)).collect::<Vec<_>>())
    .bind(each().map(|game| game.read_model.awaits_machine.map(|level| i16::from(level.get()))).collect::<Vec<_>>())
    .bind(each().map(|game| game.read_model.summary.as_str()).collect::<Vec<_>>())
    .bind(each().map(|game| game.variant.as_str()).collect::<Vec<_>>())
    .bind(each().map(|game| game.public).collect::<Vec<_>>())
    .bind(each().map(|game| game.in_match.as_ref().map(|(id, _)| id.as_str())).collect::<Vec<_>>())
    .bind(each().map(|game| game.in_match.as_ref().map(|(_, number)| i32::from(*number))).collect::<Vec<_>>())
    .bind(heads.iter().map(Head::as_slice).collect::<Vec<_>>())
    .bind(events().map(|(game, _)| game.id.as_str()).collect::<Vec<_>>())
    .bind(events().map(|(_, (version, _))| version_as_i64(Version(version))).collect::<Vec<_>>())
    .bind(events().map(|(_, (_, event))| event.at.0).collect::<Vec<_>>())
    .bind(events().map(|(_, (_, event))| event.body.as_str()).collect::<Vec<_>>())
    .bind(seats().map(|(_, seat)| seat.player.as_str()).collect::<Vec<_>>())
    .bind(seats().map(|(game, _)| game.id.as_str()).collect::<Vec<_>>())
    .bind(seats().map(|(_, seat)| color_text(seat.color)).collect::<Vec<_>>())
    .bind(invitations().map(|(_, token)| token.as_str()).collect::<Vec<_>>())
    .bind(invitations().map(|(game, _)| game.id.as_str()).collect::<Vec<_>>())
    .fetch_all(connection)
    .await
    .map_err(translate)?;
    rows.iter().map(|row| get(row, "game")).collect()
}
