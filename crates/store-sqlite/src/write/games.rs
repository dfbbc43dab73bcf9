use adoube_store::{CommandRecord, Created, Match, NewEvent, NewGame, Result, Seat};
use adoube_vocabulary::{CommandId, GameId, PlayerId};
use sqlx::{Row as _, sqlite::SqliteConnection};

use super::hall;
use crate::{
    chain,
    error::translate,
    text::{color_text, phase_text, result_text},
    writer::Change,
};

pub(crate) struct Secret {
    pub(crate) name: String,
    pub(crate) fresh: Vec<u8>,
}

impl Change for Secret {
    type Output = Vec<u8>;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Vec<u8>> {
        sqlx::query("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .bind(&self.name)
            .bind(&self.fresh)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
        sqlx::query("SELECT value FROM secrets WHERE name = ?")
            .bind(&self.name)
            .fetch_one(&mut *connection)
            .await
            .and_then(|row| row.try_get("value"))
            .map_err(translate)
    }
}

pub(crate) struct SetSecret {
    pub(crate) name: String,
    pub(crate) value: Vec<u8>,
}

impl Change for SetSecret {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query(
            "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        )
        .bind(&self.name)
        .bind(&self.value)
        .execute(connection)
        .await
        .map_err(translate)
        .map(|_| ())
    }
}

pub(crate) struct AddGame(pub(crate) NewGame);

impl Change for AddGame {
    type Output = Created;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Created> {
        let Self(game) = self;
        if let Some(answer) = earlier_answer(connection, &game.command.player, game.command.id).await? {
            return Ok(Created::Repeated(answer));
        }
        if version(connection, &game.id).await?.is_some() {
            return Ok(Created::IdTaken);
        }
        if let Some(proposal) = &game.proposal
            && !hall::remove(connection, proposal).await?
        {
            return Ok(Created::ProposalGone);
        }
        sqlx::query(
            "INSERT INTO games (id, version, created_at, updated_at, phase, turn, result, deadline, awaits_machine, \
             summary, variant, public, match_id, match_number, chain) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(game.id.as_str())
        .bind(count(&game.events))
        .bind(game.created_at.0)
        .bind(game.created_at.0)
        .bind(phase_text(game.read_model.phase))
        .bind(game.read_model.turn.map(color_text))
        .bind(game.read_model.result.map(result_text))
        .bind(game.read_model.deadline.map(|deadline| deadline.0))
        .bind(game.read_model.awaits_machine.map(|level| i64::from(level.get())))
        .bind(&game.read_model.summary)
        .bind(&game.variant)
        .bind(game.public)
        .bind(game.in_match.as_ref().map(|(id, _)| id.as_str()))
        .bind(game.in_match.as_ref().map(|(_, number)| *number))
        .bind(chain::extend_all(chain::begin(game.id.as_str()), 0, &game.events).to_vec())
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
        add_events(connection, &game.id, 0, &game.events).await?;
        add_seats(connection, &game.id, &game.seats).await?;
        if let Some(token) = &game.invitation {
            sqlx::query("INSERT INTO invitations (token, game) VALUES (?, ?)")
                .bind(token.as_str())
                .bind(game.id.as_str())
                .execute(&mut *connection)
                .await
                .map_err(translate)?;
        }
        add_command(connection, &game.id, &game.command).await?;
        Ok(Created::Done)
    }
}

pub(crate) struct AddMatch(pub(crate) Match);

impl Change for AddMatch {
    type Output = ();

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<()> {
        sqlx::query("INSERT INTO matches (id, body) VALUES (?, ?)")
            .bind(self.0.id.as_str())
            .bind(&self.0.body)
            .execute(connection)
            .await
            .map_err(translate)
            .map(|_| ())
    }
}

async fn version(connection: &mut SqliteConnection, game: &GameId) -> Result<Option<i64>> {
    let row = sqlx::query("SELECT version FROM games WHERE id = ?")
        .bind(game.as_str())
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
    row.map(|row| row.try_get("version")).transpose().map_err(translate)
}

async fn earlier_answer(
    connection: &mut SqliteConnection,
    player: &PlayerId,
    command: CommandId,
) -> Result<Option<String>> {
    let row = sqlx::query("SELECT answer FROM commands WHERE player = ? AND id = ?")
        .bind(player.as_str())
        .bind(command.0.as_bytes().as_slice())
        .fetch_optional(&mut *connection)
        .await
        .map_err(translate)?;
    row.map(|row| row.try_get("answer")).transpose().map_err(translate)
}

async fn add_events(
    connection: &mut SqliteConnection,
    game: &GameId,
    after: i64,
    events: &[NewEvent],
) -> Result<()> {
    for (version, event) in (after + 1..).zip(events) {
        sqlx::query("INSERT INTO events (game, version, at, body) VALUES (?, ?, ?, ?)")
            .bind(game.as_str())
            .bind(version)
            .bind(event.at.0)
            .bind(&event.body)
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
    }
    Ok(())
}

pub(super) async fn add_seats(
    connection: &mut SqliteConnection,
    game: &GameId,
    seats: &[Seat],
) -> Result<()> {
    for seat in seats {
        sqlx::query("INSERT INTO seats (player, game, color) VALUES (?, ?, ?)")
            .bind(seat.player.as_str())
            .bind(game.as_str())
            .bind(color_text(seat.color))
            .execute(&mut *connection)
            .await
            .map_err(translate)?;
    }
    Ok(())
}

async fn add_command(
    connection: &mut SqliteConnection,
    game: &GameId,
    command: &CommandRecord,
) -> Result<()> {
    sqlx::query("INSERT INTO commands (player, id, game, answer) VALUES (?, ?, ?, ?)")
        .bind(command.player.as_str())
        .bind(command.id.0.as_bytes().as_slice())
        .bind(game.as_str())
        .bind(&command.answer)
        .execute(&mut *connection)
        .await
        .map_err(translate)?;
    Ok(())
}

/// Returns the number of events as an SQLite integer. Saturates, but no list is that long.
fn count(events: &[NewEvent]) -> i64 {
    i64::try_from(events.len()).unwrap_or(i64::MAX)
}
