//! Commands from players, the machine and arbiters. An act is carried out once, and its answer is stored.

use std::sync::Arc;

use adoube_game::{Act, ActContext, Command, Game, MachineTask, Refusal, Seat};
use adoube_protocol::{CommandId, GameId, InvitationToken, Millis, PlayerId, Version};
use adoube_rules::Color;
use adoube_store::{self as store, Appended, AuditEntry, NewAuditEntry, Store};
use tokio::time::Instant;

use super::{
    create::Creator,
    ledger::{Draft, Ledger},
    matches::Matches,
    receipt::Receipt,
    system_player,
};
use crate::{attendance::Attendance, error::Error, lease::Lease, metrics::Metrics, wire};

/// A function that returns the context of an act, given the game and the time at which the act is decided.
pub(crate) type ContextOf<'a> = &'a (dyn Fn(&Game, Millis) -> ActContext + Sync);

#[derive(Debug)]
pub(crate) struct Commands {
    pub(super) ledger: Arc<Ledger>,
    pub(super) creator: Arc<Creator>,
    pub(super) matches: Arc<Matches>,
    pub(super) store: Arc<dyn Store>,
    pub(super) attendance: Arc<Attendance>,
    pub(super) lease: Arc<Lease>,
    pub(super) metrics: Arc<Metrics>,
}

impl Commands {
    /// Gives the player the open seat of an invitation, unless another visitor has already taken it.
    pub(crate) async fn join(&self, player: &PlayerId, token: &InvitationToken) -> Result<GameId, Error> {
        let invitation = self.store.lookup_invitation(token).await?.ok_or(Error::InvitationNotFound)?;
        let id = invitation.game;
        let game = self.ledger.load(&id).await?;
        if game.color_of(player).is_some() {
            return Ok(id);
        }
        let open_seat = |game: &Game| {
            let open = Color::ALL.into_iter().find(|&color| game.seats()[color] == Seat::Open);
            open.ok_or_else(|| Error::InvitationUsed(id.clone()))
        };
        // This check comes before `check_seat_allowed`, because a visitor without an account should also
        // learn that the seat is taken and which game to watch.
        open_seat(&game)?;
        self.creator.check_seat_allowed(player, game.options().clock).await?;
        let join = |game: &Game, now: Millis| {
            if game.color_of(player).is_some() {
                return Ok(None);
            }
            let color = open_seat(game)?;
            let command = Command::Join { color, player: player.clone() };
            let draft = Draft::new(&id, game, &command, now)?;
            let seat = store::Seat { color: wire::color_to_wire(color), player: player.clone() };
            Ok(Some(Draft { seats: vec![seat], ..draft }))
        };
        match self.ledger.append(&id, game, &join).await?.1 {
            None | Some(Appended::Done(_)) => Ok(id),
            Some(_) => Err(Error::Internal("a repeated command, but no command was given")),
        }
    }

    /// Carries out a visitor's act, once per command id. Returns the resulting version of the game once the
    /// events are stored.
    pub(crate) async fn act(
        &self,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        act: &Act,
        context: ContextOf<'_>,
    ) -> Result<Version, Error> {
        let side = |game: &Game| game.color_of(player).ok_or(Error::NotAPlayer);
        let started = Instant::now();
        let result = self.act_as(id, player, command, (act, context), &side).await;
        self.metrics.command(&result, started.elapsed());
        result
    }

    /// Accepts a rematch for a player. The next game is created first so that it exists when it is announced.
    pub(crate) async fn accept_rematch(
        &self,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
    ) -> Result<Version, Error> {
        let game = self.ledger.load(id).await?;
        let by = game.color_of(player).ok_or(Error::NotAPlayer)?;
        let next = match game.rematch() {
            // The rematch has already been agreed, so this may be a repeat of the same command.
            Some(next) => next.clone(),
            None if game.rematch_offer() == Some(!by) => self.matches.rematch(id, &game).await?,
            None if game.ending().is_none() => return Err(Refusal::NotOver.into()),
            None => return Err(Refusal::NoRematch.into()),
        };
        let context = |_: &Game, _| ActContext { rematch: Some(next.clone()), ..ActContext::default() };
        self.act(id, player, command, &Act::AcceptRematch, &context).await
    }

    /// Returns the answer to a command if the player has already sent the command to this game.
    pub(crate) async fn previous_answer(
        &self,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        act: &Act,
    ) -> Result<Option<Version>, Error> {
        let answer = self.store.lookup_command(player, command).await?;
        answer.map(|answer| Receipt::read(&answer)?.version_for(id, act)).transpose()
    }

    /// Carries out an act of the machine in a game. Fails if `task` is no longer the machine's task, or if
    /// the position has changed since `seen_version`.
    pub(crate) async fn act_for_machine(
        &self,
        id: &GameId,
        command: CommandId,
        act: &Act,
        (task, seen_version): (MachineTask, u64),
    ) -> Result<Version, Error> {
        let machine = |game: &Game| {
            let is_same = game.machine_task() == Some(task) && game.position_version() <= seen_version;
            is_same.then_some(task.color).ok_or(Error::NotAPlayer)
        };
        let context = |_: &Game, _| ActContext::default();
        self.act_as(id, &system_player(), command, (act, &context), &machine).await
    }

    /// Ends a game with the result that an arbiter has decided, and adds the entry to the audit log. Either
    /// both are stored, or neither.
    pub(crate) async fn adjudicate(
        &self,
        id: &GameId,
        result: adoube_game::GameResult,
        entry: &NewAuditEntry,
    ) -> Result<AuditEntry, Error> {
        self.lease.wait().await?;
        let game = self.ledger.cached_or_loaded(id).await?;
        let decide =
            |game: &Game, now: Millis| Draft::new(id, game, &Command::Adjudicate { result }, now).map(Some);
        let added = self.ledger.append_audited(id, game, &decide, entry).await?;
        added.ok_or(Error::Internal("an adjudication without an entry in the audit log"))
    }

    /// Carries out an act of one side, once per command id. `side` determines the side from the current state
    /// of the game.
    pub(super) async fn act_as(
        &self,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
        (act, context): (&Act, ContextOf<'_>),
        side: &(dyn Fn(&Game) -> Result<Color, Error> + Sync),
    ) -> Result<Version, Error> {
        // If this node has lost its lease, other nodes may be about to refund time in this game.
        self.lease.wait().await?;
        let requested_at = self.ledger.downtimes().check();
        let game = self.ledger.cached_or_loaded(id).await?;
        let opponent_away_since = match (act, side(&game)) {
            (Act::ClaimLeft, Ok(by)) => self.attendance.away_since_ms(id, !by).await?,
            _ => None,
        };
        let decide = |game: &Game, now: Millis| {
            let by = side(game)?;
            // The opponent may have returned since `requested_at`, and may even have left again.
            let away_since_now = self.attendance.rooms.away_since_ms(id, !by);
            let away_since = opponent_away_since
                .zip(away_since_now)
                .map(|(before, current)| if current > requested_at.0 { current } else { before });
            let away_ms = away_since.map_or(0, |since| self.away_ms(since, now));
            let context = ActContext { opponent_away_ms: away_ms, ..context(game, now) };
            let act_command = Command::Act { by, act: act.clone(), context };
            let draft = Draft::new(id, game, &act_command, now)?;
            let answer = Receipt::new(id, act, Version(draft.after.version()))?.write()?;
            let command = store::CommandRecord { player: player.clone(), id: command, answer };
            Ok(Some(Draft { command: Some(command), ..draft }))
        };
        match self.ledger.append(id, game, &decide).await {
            Ok((_, Some(Appended::Done(version)))) => Ok(version),
            Ok((_, Some(Appended::Repeated(answer)))) => Receipt::read(&answer)?.version_for(id, act),
            Ok(_) => Err(Error::Internal("an append with a command returned no answer")),
            // The command may repeat one that was carried out before and would now be refused.
            Err(refusal) => self.previous_answer(id, player, command, act).await?.ok_or(refusal),
        }
    }

    /// Returns the duration of an absence that began at `since`, in milliseconds, excluding downtimes.
    fn away_ms(&self, since: i64, now: Millis) -> i64 {
        (now.0 - since - self.ledger.downtimes().within_ms(since, now.0)).max(0)
    }
}
