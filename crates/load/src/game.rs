//! One game of random turns between two simulated players, which keep to a schedule and check every message.

use std::{
    net::SocketAddr,
    sync::{Arc, PoisonError},
    time::Duration,
};

use adoube_rules::{AnyPosition, Color, DrawRules, Position as _, Variant, arbiter, coordinate};
use adoube_winnable::Effort;
use anyhow::{Context as _, Result};
use hyper::Method;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep_until, timeout_at};
use uuid::Uuid;

use crate::{
    http,
    nodes::Nodes,
    player::{Clocks, Event, Next, Player, Received, SeededRng, Snapshot, Status},
    report::Tally,
    spectators::DueTurns,
};

#[derive(Deserialize)]
struct Created {
    id: String,
    invitation: String,
}

/// The delay before a turn that was refused as `not-saved` or `busy` is sent again.
const RESEND_DELAY: Duration = Duration::from_millis(500);

/// Counts of the differences between the server's data and its acknowledgements.
#[derive(Debug, Default)]
pub(crate) struct Discrepancies {
    pub(crate) lost: u64,
    pub(crate) unasked: u64,
    pub(crate) illegal: u64,
    /// Games that ended for no valid reason.
    pub(crate) wrong_results: u64,
}

/// The settings that all games of a run share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) variant: Variant,
    /// The initial time of each side in seconds. It must be more than a side uses.
    pub(crate) clock: Option<u32>,
    /// The mean time that a player stays connected.
    pub(crate) churn: Option<Duration>,
    /// Whether players ping the server and reconnect when it stays silent.
    pub(crate) has_heartbeat: bool,
}

/// A turn that was sent, until it is both acknowledged and received by the opponent.
#[derive(Debug)]
struct PendingTurn {
    by: Color,
    /// The index of the turn in the game.
    ply: usize,
    command: Uuid,
    turn: String,
    message: String,
    due: Instant,
    acknowledged: bool,
    was_received: bool,
    /// Whether it was sent more than once, or a player's connection broke in the meantime. Its latency then
    /// says nothing about the server.
    was_resent: bool,
}

pub(crate) struct Table {
    id: String,
    variant: Variant,
    white: Player,
    black: Player,
    position: AnyPosition,
    /// The turns that the server has acknowledged or sent to a player, in order.
    turns_received: Vec<String>,
    /// The number of these that were acknowledged.
    acknowledged: usize,
    pending: Option<PendingTurn>,
    /// When to send the pending turn again, if it was refused as `not-saved` or `busy`.
    resend_at: Option<Instant>,
    /// The number of turns so far, the clocks after the last one, and when the player to move received them
    /// (until then, when the opponent received them).
    clocks: Option<(usize, Clocks, Instant)>,
    /// The number of turns including the pending one, and the time its player took, measured by this client.
    thinking_time: Option<(usize, Duration)>,
    is_over: bool,
    rng: SeededRng,
    tally: Arc<Tally>,
    due: DueTurns,
}

impl Table {
    /// Creates a game, seats both players and opens their sockets.
    pub(crate) async fn create(
        nodes: &Nodes,
        number: usize,
        terms: Terms,
        seed: u64,
        tally: Arc<Tally>,
    ) -> Result<Self> {
        let Terms { variant, clock, churn, has_heartbeat } = terms;
        // Players of one game come from different addresses. 720,720 is a multiple of every number of
        // nodes from 1 to 16.
        let (first, second) = (number, 720_720 + number);
        let mut request_body = json!({
            "command": Uuid::new_v4(), "variant": variant.to_string(), "color": "white",
            "opponent": { "type": "friend" },
        });
        if let Some(seconds) = clock {
            request_body["timeControl"] =
                json!({ "type": "fischer", "initialMs": seconds * 1000, "incrementMs": 0 });
        }
        let response = http::request(
            nodes.get(number),
            first,
            Method::POST,
            "/api/games",
            None,
            Some(request_body.to_string()),
        )
        .await?;
        let created: Created = response.json()?;
        let cookie = response.cookie.context("no cookie for the first player")?;
        let path = format!("/api/invitations/{}", created.invitation);
        let response = http::request(nodes.get(number + 1), second, Method::POST, &path, None, None).await?;
        let other = response.cookie.context("no cookie for the second player")?;
        let player = |visitor: usize, cookie| {
            Player::new(nodes, &created.id, visitor, cookie).with_churn(churn).with_heartbeat(has_heartbeat)
        };
        let mut table = Self {
            variant,
            white: player(first, cookie),
            // The next number connects to another node, if there are several.
            black: player(second + 1, other),
            position: AnyPosition::initial(variant),
            turns_received: Vec::new(),
            acknowledged: 0,
            pending: None,
            resend_at: None,
            clocks: None,
            thinking_time: None,
            is_over: false,
            rng: SeededRng::new(seed.wrapping_add(number as u64)),
            tally,
            due: DueTurns::default(),
            id: created.id,
        };
        table.white.connect().await?;
        table.black.connect().await?;
        Ok(table)
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn due_turns(&self) -> &DueTurns {
        &self.due
    }

    /// Plays each turn when it is due, until `end`, and then waits until the pending turn is complete.
    pub(crate) async fn play(mut self, first: Instant, pace: Duration, end: Instant) -> Self {
        let mut due = first;
        loop {
            let idle = self.pending.is_none();
            if idle && (self.is_over || due >= end) {
                return self;
            }
            tokio::select! {
                () = sleep_until(due), if idle => {
                    self.send(due).await;
                    due += pace;
                }
                () = sleep_until(self.resend_at.unwrap_or(due)), if self.resend_at.is_some() => self.send_again().await,
                next = self.white.next() => self.handle(Color::White, next).await,
                next = self.black.next() => self.handle(Color::Black, next).await,
            }
        }
    }

    fn player(&mut self, color: Color) -> &mut Player {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// Sends a random legal turn, preferably one that does not end the game.
    async fn send(&mut self, due: Instant) {
        let turns = self.position.legal_turns();
        if turns.is_empty() {
            self.is_over = true;
            return;
        }
        let mut turn = &turns[self.rng.below(turns.len())];
        for _ in 0..8 {
            let mut after = self.position.clone();
            after.play_turn_unchecked(turn);
            if after.outcome(DrawRules::Club).is_none() {
                break;
            }
            turn = &turns[self.rng.below(turns.len())];
        }
        if let Some((plies, _, since)) = self.clocks {
            self.thinking_time = Some((plies + 1, since.elapsed()));
        }
        let by = self.position.side_to_move();
        let turn = coordinate::write(&self.position, turn);
        let (command, version) = (Uuid::new_v4(), self.player(by).version);
        self.due
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(format!("{} {turn}", version + 1), due);
        let message =
            json!({ "type": "play", "command": command, "version": version, "turn": turn }).to_string();
        self.pending = Some(PendingTurn {
            by,
            ply: self.turns_received.len(),
            command,
            turn,
            message: message.clone(),
            due,
            acknowledged: false,
            was_received: false,
            was_resent: false,
        });
        // If the connection is broken, the next read fails, and the turn is sent again.
        self.player(by).send(message).await;
    }

    async fn handle(&mut self, color: Color, next: Next) {
        let received = match next {
            Next::Received(received) => received,
            Next::Disconnected => return self.reconnect(color),
            Next::Reconnected(after) => {
                self.tally.record_reconnection(after);
                if let Some(sent) = &mut self.pending {
                    // It may have been sent while this player was not connected.
                    sent.was_resent = true;
                    if sent.by == color {
                        self.send_again().await;
                    }
                }
                return;
            }
        };
        match received {
            Err(error) => {
                eprintln!("{error:#}");
                self.report_violation();
            }
            Ok(Received::Snapshot { game }) => self.compare_snapshot(color, game),
            Ok(Received::Event { version, event }) => {
                let player = self.player(color);
                if version != player.version + 1 {
                    self.report_violation();
                }
                self.player(color).version = version;
                match event {
                    Event::Played { turn, clock } => {
                        self.receive_turn(color, turn);
                        if let Some(clocks) = clock {
                            let plies = self.player(color).plies;
                            self.read_clocks(color, plies, clocks);
                        }
                    }
                    Event::Ended { reason, .. } => self.end(&reason),
                    Event::Interrupted { .. } | Event::Other => {}
                }
            }
            Ok(Received::Accepted { command }) => self.acknowledge(command),
            Ok(Received::Refused { command, code }) => {
                self.tally.count_refusal(&code);
                if self.pending.as_ref().is_some_and(|sent| Some(sent.command) == command) {
                    if code == "not-saved" || code == "busy" {
                        self.resend_at = Some(Instant::now() + RESEND_DELAY);
                    } else {
                        // No turn is pending any more.
                        self.pending = None;
                        self.is_over = true;
                    }
                }
            }
            Ok(Received::Other) => {}
        }
    }

    /// Records how much more time the clock charged for the last turn than its player took. The next player's
    /// time begins when that player receives the turn, not when the opponent does.
    fn read_clocks(&mut self, color: Color, plies: usize, now: Clocks) {
        if let Some((known, _, since)) = &mut self.clocks
            && *known >= plies
        {
            if *known == plies && self.position.side_to_move() == color {
                *since = Instant::now();
            }
            return;
        }
        if let Some((before_plies, before, _)) = self.clocks.replace((plies, now, Instant::now()))
            && let Some((thought_plies, thought)) = self.thinking_time
            && before_plies + 1 == plies
            && thought_plies == plies
        {
            let charged = (before.white - now.white) + (before.black - now.black);
            let charged = Duration::from_millis(u64::try_from(charged).unwrap_or(0));
            self.tally.record_clock_loss(charged.saturating_sub(thought));
        }
    }

    /// Ends a game in which the server violated a guarantee.
    fn report_violation(&mut self) {
        self.tally.count_contradiction();
        self.is_over = true;
        self.pending = None;
    }

    fn end(&mut self, reason: &str) {
        if !self.is_over {
            self.is_over = true;
            self.tally.count_end(reason);
        }
    }

    fn acknowledge(&mut self, command: Uuid) {
        let Some(sent) = &mut self.pending else { return };
        if sent.command != command || sent.acknowledged {
            return;
        }
        sent.acknowledged = true;
        if !sent.was_resent {
            self.tally.record_acknowledgement(sent.due.elapsed());
        }
        let (ply, turn) = (sent.ply, sent.turn.clone());
        self.compare_turn(ply, turn);
        self.acknowledged = ply + 1;
        self.complete_turn();
    }

    /// Handles the next turn that a player receives: either the pending one, or one that was received before.
    fn receive_turn(&mut self, color: Color, turn: String) {
        let ply = self.player(color).plies;
        self.player(color).plies += 1;
        self.compare_turn(ply, turn);
        if let Some(sent) = &mut self.pending
            && sent.ply == ply
            && sent.by != color
            && !sent.was_received
        {
            sent.was_received = true;
            if !sent.was_resent {
                self.tally.record_delivery(sent.due.elapsed());
            }
        }
        self.complete_turn();
    }

    /// Compares a turn with those received before; a new one must be the pending one.
    fn compare_turn(&mut self, ply: usize, turn: String) {
        let is_consistent = if let Some(known) = self.turns_received.get(ply) {
            *known == turn
        } else {
            let expected = self.pending.as_ref().is_some_and(|sent| sent.ply == ply && sent.turn == turn);
            if expected && ply == self.turns_received.len() {
                self.advance(turn);
            }
            expected
        };
        if !is_consistent {
            self.report_violation();
        }
    }

    fn compare_snapshot(&mut self, color: Color, game: Snapshot) {
        if game.turns.len() < self.acknowledged {
            self.report_violation();
        }
        self.player(color).version = game.version;
        self.player(color).plies = 0;
        for turn in game.turns {
            self.receive_turn(color, turn);
        }
    }

    fn advance(&mut self, turn: String) {
        match coordinate::parse(&self.position, &turn) {
            Ok(legal) => self.position.play_turn_unchecked(&legal),
            Err(_) => self.report_violation(),
        }
        self.turns_received.push(turn);
    }

    /// Completes the pending turn once it is acknowledged and the opponent has received it.
    fn complete_turn(&mut self) {
        if let Some(sent) = self.pending.take_if(|sent| sent.acknowledged && sent.was_received) {
            self.tally.record_completion(sent.due.elapsed());
        }
    }

    fn reconnect(&mut self, color: Color) {
        if let Some(sent) = &mut self.pending {
            sent.was_resent = true;
        }
        self.player(color).start_reconnecting();
    }

    /// Repeats the pending command if it has not been acknowledged.
    async fn send_again(&mut self) {
        self.resend_at = None;
        let Some(sent) = self.pending.as_mut().filter(|sent| !sent.acknowledged) else { return };
        sent.was_resent = true;
        let (by, message) = (sent.by, sent.message.clone());
        self.player(by).send(message).await;
    }

    /// Compares the server's data with the acknowledged turns and with all turns that were sent.
    pub(crate) async fn compare(self, server: SocketAddr) -> Result<Discrepancies> {
        let path = format!("/api/games/{}", self.id);
        let request = http::request(server, 0, Method::GET, &path, None, None);
        let timed = timeout_at(Instant::now() + Duration::from_secs(10), request).await;
        let response = match timed.map_err(Into::into).flatten() {
            Ok(response) => response,
            // A game that the server can no longer show counts as entirely lost.
            Err(error) => {
                eprintln!("{error:#}");
                return Ok(Discrepancies {
                    lost: self.acknowledged.max(1) as u64,
                    ..Discrepancies::default()
                });
            }
        };
        let game: Snapshot = response.json()?;
        let same = game
            .turns
            .iter()
            .zip(&self.turns_received)
            .take_while(|(stored, received)| stored == received)
            .count();
        // A turn that was sent, and that neither player has received yet.
        let is_in_transit = self.pending.as_ref().is_some_and(|sent| sent.ply == self.turns_received.len());
        let mut found = Discrepancies {
            lost: self.acknowledged.saturating_sub(same) as u64,
            unasked: game.turns.len().saturating_sub(self.turns_received.len() + usize::from(is_in_transit))
                as u64,
            illegal: 0,
            wrong_results: 0,
        };
        let mut position = AnyPosition::initial(self.variant);
        let mut before = Vec::with_capacity(game.turns.len());
        for turn in &game.turns {
            before.push(position.key());
            let Ok(turn) = coordinate::parse(&position, turn) else {
                found.illegal += 1;
                break;
            };
            position.play_turn_unchecked(&turn);
        }
        if let Status::Over { reason } = &game.status {
            // No player resigns, leaves or runs out of time, so only a position can end a game.
            let is_right = arbiter::outcome(&position, &before, DrawRules::Club).is_some()
                || (reason == "dead-position" && adoube_winnable::is_dead(&position, Effort::Quick));
            found.wrong_results = u64::from(!is_right);
        }
        Ok(found)
    }
}
