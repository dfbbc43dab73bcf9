//! What follows from events that are on the disk, without anybody asking for it.

use std::sync::Arc;

use adoube_game::{Act, ActContext, Event, EventKind, Game, Refusal, Seat};
use adoube_protocol::{CommandId, GameId, PlayerId, Version};
use adoube_rules::Color;

use super::{Games, house};
use crate::{
    error::Error,
    mail::{Letter, Posted, confirmed_address},
};

impl Games {
    /// Sees to it in a task of its own: who has made the events does not wait for it.
    pub(super) fn follow(self: &Arc<Self>, id: &GameId, game: &Arc<Game>, events: &[Event]) {
        let ended = events.iter().any(|event| matches!(event.kind, EventKind::Ended { .. }));
        if ended && game.options().in_match.is_some() {
            self.in_background(id, async |games: Arc<Self>, id: GameId| games.tell_match(&id).await);
        }
        let played = events.iter().any(|event| matches!(event.kind, EventKind::Played { .. }));
        if played && !ended && game.options().clock.is_correspondence() {
            self.in_background(id, async |games: Arc<Self>, id: GameId| games.remind(&id).await);
        }
        let machine =
            Color::ALL.into_iter().find(|&color| matches!(game.seats()[color], Seat::Machine { .. }));
        if let Some(machine) = machine
            && let Some(answer) = courtesy(game, machine)
        {
            self.in_background(id, async move |games: Arc<Self>, id: GameId| {
                games.answer(&id, machine, answer).await
            });
        }
    }

    fn in_background<F>(self: &Arc<Self>, id: &GameId, task: impl FnOnce(Arc<Self>, GameId) -> F)
    where
        F: Future<Output = Result<(), Error>> + Send + 'static,
    {
        let task = task(Arc::clone(self), id.clone());
        let id = id.clone();
        tokio::spawn(async move {
            if let Err(error) = task.await {
                error.log();
                tracing::debug!(game = %id, code = error.code(), "what follows from an event was not done");
            }
        });
    }

    /// Reminds the player who is to move by correspondence and is not looking on: once, until the player has looked.
    async fn remind(self: &Arc<Self>, id: &GameId) -> Result<(), Error> {
        let Some(game) = self.recall(id) else { return Ok(()) };
        let Seat::Person { player } = &game.seats()[game.side_to_move()] else { return Ok(()) };
        if self.parts.rooms.is_here(id, game.side_to_move()) {
            return Ok(());
        }
        let Ok(player) = player.parse::<PlayerId>() else { return Ok(()) };
        let (store, post) = (&self.parts.store, &self.parts.post);
        let Some(account) = store.lookup_account(&player).await? else { return Ok(()) };
        let Some(to) = confirmed_address(&account).filter(|_| account.reminders) else { return Ok(()) };
        if !store.add_reminder(&player, id).await? {
            return Ok(());
        }
        let letter = Letter::Reminder { game: id, variant: game.variant() };
        let posted = post.post(&account, &to, letter).await;
        if !matches!(posted, Ok(Posted::Sent)) {
            // The next turn may bring it.
            store.delete_reminder(&player, id).await?;
        }
        posted.map(|_| ())
    }

    /// Notes that a player has looked at a game: the next turn may be worth a mail again.
    pub(crate) async fn looked(&self, id: &GameId, player: &PlayerId) -> Result<(), Error> {
        if self.parts.store.is_reminded(player, id).await? {
            self.parts.store.delete_reminder(player, id).await?;
        }
        Ok(())
    }

    /// Answers a proposal in the machine's name.
    async fn answer(self: &Arc<Self>, id: &GameId, machine: Color, answer: Courtesy) -> Result<(), Error> {
        let (act, rematch) = match answer {
            Courtesy::AcceptTakeback => (Act::AcceptTakeback, None),
            Courtesy::AcceptRematch => {
                let game = self.load(id).await?;
                (Act::AcceptRematch, Some(self.rematch(id, &game).await?.to_string()))
            }
        };
        let context = ActContext { rematch, ..ActContext::default() };
        let random = self.parts.entropy.random()?.to_le_bytes();
        let command = CommandId(uuid::Builder::from_random_bytes(random).into_uuid());
        let side = |_: &Game| Ok(machine);
        self.act_as(id, &house(), command, (&act, &context), &side).await.map(|_| ())
    }

    /// Accepts a rematch in the name of a player: the game is made first, so that it is there when it is told of.
    pub(crate) async fn accept_rematch(
        self: &Arc<Self>,
        id: &GameId,
        player: &PlayerId,
        command: CommandId,
    ) -> Result<Version, Error> {
        let game = self.load(id).await?;
        let by = game.color_of(player.as_str()).ok_or(Error::NotAPlayer)?;
        let next = match game.rematch() {
            // Agreed already: it may be this very command, come again.
            Some(next) => next.to_owned(),
            None if game.rematch_offer() == Some(!by) => self.rematch(id, &game).await?.to_string(),
            None if game.ending().is_none() => return Err(Refusal::NotOver.into()),
            None => return Err(Refusal::NoRematch.into()),
        };
        let context = ActContext { rematch: Some(next), ..ActContext::default() };
        self.act(id, player, command, &Act::AcceptRematch, &context).await
    }
}

#[derive(Clone, Copy, Debug)]
enum Courtesy {
    AcceptTakeback,
    AcceptRematch,
}

/// What the machine agrees to. (It plays on rather than agree to a draw.)
fn courtesy(game: &Game, machine: Color) -> Option<Courtesy> {
    if game.takeback_proposal() == Some(!machine) {
        Some(Courtesy::AcceptTakeback)
    } else if game.rematch_offer() == Some(!machine) {
        Some(Courtesy::AcceptRematch)
    } else {
        None
    }
}
