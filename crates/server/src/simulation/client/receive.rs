//! Handles and checks the messages that a client receives.

use adoube_protocol::{CommandId, EventKind, Game, GameEvent, Seat, ServerMessage, SessionMessage, Status};
use adoube_rules::{AnyPosition, Color, Position as _, coordinate};

use super::{super::connection::ClientEnd, Client, View, text};
use crate::wire;

impl Client {
    pub(super) fn receive(&mut self, text: &str, connection: &mut ClientEnd) {
        self.world.trace(text);
        match serde_json::from_str(text) {
            Ok(ServerMessage::Snapshot { game }) => self.take_snapshot(&game),
            Ok(ServerMessage::Event { version, event, .. }) => self.take_event(version.0, event, connection),
            Ok(ServerMessage::Accepted { command, version }) => self.accepted(command, version.0),
            Ok(ServerMessage::Refused { command: Some(command), code, .. }) => {
                self.handle_refusal(command, &code);
            }
            Ok(ServerMessage::Refused { command: None, .. }) => {
                self.report_violation("the server could not read a message");
            }
            Ok(ServerMessage::Presence { white, black, version, .. }) => {
                self.presence_version = version;
                self.world.record().presence.insert(self.name, (white, black));
            }
            Ok(ServerMessage::Pong { version, presence, .. }) => self.check_pong(version.0, presence),
            Ok(_) => {}
            Err(error) => self.report_violation(&format!("{text} cannot be read: {error}")),
        }
    }

    /// Checks that the client already knows the versions in a pong, because everything up to them must have
    /// been sent before the pong.
    fn check_pong(&self, version: u64, presence: u64) {
        let known = self.view.as_ref().map_or(0, |view| view.version);
        if known != version || self.presence_version != presence {
            self.report_violation(&format!(
                "a pong names version {version} and presence {presence}, but {known} and {} were sent",
                self.presence_version
            ));
        }
    }

    /// Records that the client now knows a version of the game.
    fn record_version(&self, version: u64) {
        let now = self.world.now_ms();
        if let Some(span) = self.span {
            self.world.record().spans[span].received_versions.push((version, now));
        }
    }

    fn take_snapshot(&mut self, game: &Game) {
        self.record_version(game.version.0);
        if self.view.as_ref().is_some_and(|view| view.version > game.version.0) {
            self.report_violation("a snapshot is older than the version that the client already has");
        }
        // A visitor may connect before taking the seat.
        if game.you.is_some() && game.you != self.side.map(wire::color_to_wire) {
            self.report_violation("a snapshot is for another player");
        }
        let initial = AnyPosition::from_fen(self.variant, &game.initial_fen).unwrap();
        let Some(position) = replayed(&initial, &game.turns) else {
            self.report_violation(&format!("a snapshot has turns that are not legal: {:?}", game.turns));
            return;
        };
        let color = |color: adoube_protocol::Color| match color {
            adoube_protocol::Color::White => Color::White,
            adoube_protocol::Color::Black => Color::Black,
        };
        self.view = Some(View {
            version: game.version.0,
            turns: game.turns.clone(),
            position,
            initial,
            started: game.status != Status::Waiting,
            is_over: matches!(game.status, Status::Over { .. }),
            draw: game.draw_offer.map(color),
            takeback: game.takeback.map(color),
        });
    }

    fn take_event(&mut self, version: u64, mut event: GameEvent, connection: &mut ClientEnd) {
        let Some(view) = &mut self.view else {
            return self.report_violation("an event arrived before any snapshot");
        };
        if version != view.version + 1 {
            let violation = format!("version {version} arrived after {}", view.version);
            connection.send(text(&SessionMessage::Resync.into()));
            return self.report_violation(&violation);
        }
        view.version = version;
        self.record_version(version);
        let Some(view) = &mut self.view else { return };
        let mut problem = None;
        match &event {
            GameEvent::Joined { .. } => view.started = true,
            GameEvent::Other(EventKind::Played { turn, .. }) => {
                match coordinate::parse(&view.position, turn) {
                    Ok(legal) => view.position.play_turn_unchecked(&legal),
                    Err(error) => problem = Some(format!("{turn} is not legal: {error}")),
                }
                view.turns.push(turn.clone());
                (view.draw, view.takeback) = (None, None);
            }
            GameEvent::Other(EventKind::TakenBack { plies, .. }) => {
                let left = view.turns.len().saturating_sub(usize::from(*plies));
                view.turns.truncate(left);
                match replayed(&view.initial, &view.turns) {
                    Some(position) => view.position = position,
                    None => problem = Some("the turns that remain after a takeback are not legal".into()),
                }
                (view.draw, view.takeback) = (None, None);
            }
            GameEvent::Other(EventKind::DrawOffered { color }) => view.draw = Some(*color),
            GameEvent::Other(EventKind::DrawDeclined { .. }) => view.draw = None,
            GameEvent::Other(EventKind::TakebackProposed { color }) => view.takeback = Some(*color),
            GameEvent::Other(EventKind::TakebackDeclined { .. }) => view.takeback = None,
            GameEvent::Ended { .. } => view.is_over = true,
            _ => {}
        }
        if let GameEvent::Joined { seat: Seat::Person { name }, .. } = &mut event {
            // The player may have registered an account in the meantime.
            *name = None;
        }
        if let GameEvent::Ended { clock, .. } = &mut event {
            // Visitors who are connected get the event with the clock; those who read it from the log get it
            // without.
            *clock = None;
        }
        if let Some(problem) = problem {
            self.report_violation(&problem);
        }
        let text = serde_json::to_string(&event).unwrap();
        let mut record = self.world.record();
        let before =
            record.published.entry((self.game.clone(), version)).or_insert_with(|| text.clone()).clone();
        drop(record);
        if before != text {
            self.report_violation(&format!("version {version} was published as {before} and as {text}"));
        }
    }

    fn accepted(&mut self, command: CommandId, version: u64) {
        self.pending.retain(|pending| pending.id != command);
        let mut record = self.world.record();
        let Some(sent) = record.sent.get_mut(&command) else {
            record.violations.push(format!("{command} was accepted but never sent"));
            return;
        };
        let before = sent.accepted.replace(version);
        let violation = if sent.by.is_none() {
            format!("a spectator's {sent:?} was accepted")
        } else if before.is_some_and(|before| before != version) {
            format!("{sent:?} was accepted before as {before:?}")
        } else {
            return;
        };
        record.violations.push(violation);
    }

    fn handle_refusal(&mut self, command: CommandId, code: &str) {
        match code {
            // The command was not carried out; it will be sent again.
            "no-room" | "not-saved" | "too-many" => {}
            "internal" => self.report_violation("the server reported an internal error"),
            _ => {
                self.pending.retain(|pending| pending.id != command);
                if let Some(sent) = self.world.record().sent.get_mut(&command) {
                    sent.refused += 1;
                }
            }
        }
    }
}

fn replayed(initial: &AnyPosition, turns: &[String]) -> Option<AnyPosition> {
    let mut position = initial.clone();
    for turn in turns {
        let legal = coordinate::parse(&position, turn).ok()?;
        position.play_turn_unchecked(&legal);
    }
    Some(position)
}
