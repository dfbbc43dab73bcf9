//! Games and their logs, and the heartbeats and downtimes of a house with one process.

use std::sync::Arc;

use adoube_protocol::{CommandId, GameId, InvitationToken, MatchId, Millis, PlayerId, Version};
use adoube_store::{
    Ages, Append, Appended, Created, Cursor, Downtime, Game, GameFilter, GameStore, Invitation, ListedGame,
    Match, MatchedGame, NewGame, Phase, Result, RunningGame, StoredEvent, Tidied,
};
use async_trait::async_trait;

use super::{super::fault::Fault, SimStore, absent, disk::State};

impl State {
    fn add(&mut self, new: NewGame, fault: Option<Fault>) -> Created {
        let key = (new.command.player.clone(), new.command.id);
        if fault != Some(Fault::ForgetCommands)
            && let Some(answer) = self.commands.get(&key)
        {
            return Created::Repeated(answer.clone());
        }
        if self.games.contains_key(&new.id) {
            return Created::IdTaken;
        }
        let game = Game {
            id: new.id.clone(),
            version: Version(0),
            created_at: new.created_at,
            updated_at: new.created_at,
            variant: new.variant,
            phase: Phase::Waiting,
            turn: None,
            result: None,
            deadline: None,
            summary: String::new(),
        };
        self.games.insert(new.id.clone(), (game, Vec::new()));
        if let Some(token) = new.invitation {
            self.invitations.insert(token, new.id.clone());
        }
        let append = Append {
            game: new.id,
            based_on: Version(0),
            events: new.events,
            seats: new.seats,
            read_model: new.read_model,
            command: Some(new.command),
        };
        self.append(append, fault);
        Created::Done
    }

    fn append(&mut self, append: Append, fault: Option<Fault>) -> Appended {
        if let Some(command) = &append.command
            && fault != Some(Fault::ForgetCommands)
            && let Some(answer) = self.commands.get(&(command.player.clone(), command.id))
        {
            return Appended::Repeated(answer.clone());
        }
        let Some((game, events)) = self.games.get_mut(&append.game) else { return Appended::Missing };
        if game.version != append.based_on && fault != Some(Fault::AppendWithoutComparing) {
            return Appended::Conflict(game.version);
        }
        for (version, event) in (append.based_on.0 + 1..).zip(append.events) {
            game.updated_at = game.updated_at.max(event.at);
            events.push(StoredEvent { version: Version(version), at: event.at, body: event.body });
        }
        game.version = Version(events.len() as u64);
        game.phase = append.read_model.phase;
        game.turn = append.read_model.turn;
        game.result = append.read_model.result;
        game.deadline = append.read_model.deadline;
        game.summary = append.read_model.summary;
        match append.read_model.awaits_machine {
            Some(_) => self.awaiting_machine.insert(game.id.clone(), game.updated_at),
            None => self.awaiting_machine.remove(&game.id),
        };
        if let Some(command) = append.command {
            self.commands.insert((command.player, command.id), command.answer);
        }
        Appended::Done(game.version)
    }
}

#[async_trait]
impl GameStore for SimStore {
    async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        let (name, fresh) = (name.to_owned(), fresh.to_vec());
        self.change(move |state| state.secrets.entry(name).or_insert(fresh).clone()).await
    }

    async fn set_secret(&self, name: &str, value: &[u8]) -> Result<()> {
        let (name, value) = (name.to_owned(), value.to_vec());
        self.change(move |state| drop(state.secrets.insert(name, value))).await
    }

    async fn add_game(&self, game: NewGame) -> Result<Created> {
        let fault = self.disk.fault;
        self.write(move |state| state.add(game, fault)).await
    }

    async fn lookup_game(&self, id: &GameId) -> Result<Option<Game>> {
        self.read(|state| state.games.get(id).map(|(game, _)| game.clone())).await
    }

    async fn is_public(&self, _: &GameId) -> Result<bool> {
        Ok(false)
    }

    async fn list_events(&self, id: &GameId, after: Version) -> Result<Vec<StoredEvent>> {
        let later = |(_, events): &(Game, Vec<StoredEvent>)| {
            events.iter().skip(after.0 as usize).cloned().collect::<Vec<_>>()
        };
        self.read(|state| state.games.get(id).map(later).unwrap_or_default()).await
    }

    async fn append(&self, append: Append) -> Result<Appended> {
        let (fault, disk) = (self.disk.fault, Arc::clone(&self.disk));
        self.write(move |state| {
            let (game, before) = (append.game.clone(), append.based_on.0);
            let appended = state.append(append, fault);
            if let Appended::Done(Version(last)) = appended {
                let stored = (before + 1..=last).map(|version| ((game.clone(), version), disk.now_ms()));
                state.stored_at.extend(stored);
            }
            appended
        })
        .await
    }

    async fn lookup_command(&self, player: &PlayerId, command: CommandId) -> Result<Option<String>> {
        if self.disk.fault == Some(Fault::ForgetCommands) {
            return Ok(None);
        }
        self.read(|state| state.commands.get(&(player.clone(), command)).cloned()).await
    }

    async fn lookup_invitation(&self, token: &InvitationToken) -> Result<Option<Invitation>> {
        let found = |game: &GameId| Invitation { token: token.clone(), game: game.clone() };
        self.read(|state| state.invitations.get(token).map(found)).await
    }

    async fn list_games(&self, _: &GameFilter) -> Result<Vec<ListedGame>> {
        Ok(Vec::new())
    }

    async fn list_public(&self, _: u32) -> Result<Vec<ListedGame>> {
        Ok(Vec::new())
    }

    async fn list_awaiting_machine(&self, _: Option<&Cursor>, _: u32) -> Result<Vec<Cursor>> {
        if self.disk.fault == Some(Fault::ForgetMachineTurns) {
            return Ok(Vec::new());
        }
        let cursor = |(game, at): (&GameId, &Millis)| Cursor { at: *at, game: game.clone() };
        self.read(|state| state.awaiting_machine.iter().map(cursor).collect()).await
    }

    async fn list_running(&self) -> Result<Vec<RunningGame>> {
        if self.disk.fault == Some(Fault::ForgetDeadlines) {
            return Ok(Vec::new());
        }
        let running = |(game, _): &(Game, Vec<StoredEvent>)| {
            let deadline = game.deadline?;
            Some(RunningGame { id: game.id.clone(), deadline, updated_at: game.updated_at })
        };
        self.read(|state| state.games.values().filter_map(running).collect()).await
    }

    async fn list_due(&self, after: Option<&Cursor>, until: Millis, limit: u32) -> Result<Vec<RunningGame>> {
        if self.disk.fault == Some(Fault::ForgetDueGames) {
            return Ok(Vec::new());
        }
        let mut running = self.list_running().await?;
        let order = |game: &RunningGame| (game.deadline, game.id.clone());
        running.sort_by_key(order);
        let after = after.map(|cursor| (cursor.at, cursor.game.clone()));
        running
            .retain(|game| game.deadline <= until && after.as_ref().is_none_or(|after| order(game) > *after));
        running.truncate(limit as usize);
        Ok(running)
    }

    async fn latest_write(&self) -> Result<Option<Millis>> {
        let newest = |state: &State| {
            let events = state.games.values().map(|(game, _)| game.updated_at).max();
            state.latest_heartbeat().max(events)
        };
        self.read(newest).await
    }

    async fn add_match(&self, _: Match) -> Result<()> {
        absent()
    }

    async fn lookup_match(&self, _: &MatchId) -> Result<Option<Match>> {
        Ok(None)
    }

    async fn list_match(&self, _: &MatchId) -> Result<Vec<MatchedGame>> {
        Ok(Vec::new())
    }

    async fn record_heartbeat(&self, now: Millis) -> Result<()> {
        self.write(move |state| state.heartbeat = state.heartbeat.max(Some(now))).await
    }

    async fn add_downtime(&self, downtime: Downtime) -> Result<()> {
        self.write(move |state| state.add_downtime(downtime)).await
    }

    async fn record_start(&self, now: Millis) -> Result<Vec<Downtime>> {
        let fault = self.disk.fault;
        self.write(move |state| state.start_node(now, fault)).await
    }

    async fn tidy(&self, _: &Ages, _: u32, _: bool) -> Result<Tidied> {
        Ok(Tidied::default())
    }

    async fn check(&self) -> Result<()> {
        Ok(())
    }

    async fn close(&self) {
        let _ = self.write(|_| ()).await;
    }
}
