//! What follows from events that are on the disk, without anybody asking for it.

use std::sync::Arc;

use adoube_game::{Event, EventKind, Game, Refusal, Seat};
use adoube_protocol::{CommandId, GameId, PlayerId, Version};
use adoube_rules::Color;

use super::{Ask, Games, house};
use crate::{config::Origin, error::Error, mail::Mail};

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

    /// Sends word by mail to who is to move by correspondence and is not looking on.
    async fn remind(self: &Arc<Self>, id: &GameId) -> Result<(), Error> {
        let Some(game) = self.recall(id) else { return Ok(()) };
        let Seat::Person { player } = &game.seats()[game.turn()] else { return Ok(()) };
        if self.parts.rooms.is_here(id, game.turn()) {
            return Ok(());
        }
        let Ok(player) = player.parse::<PlayerId>() else { return Ok(()) };
        let Some(account) = self.parts.store.lookup_account(&player).await? else { return Ok(()) };
        let Some(to) = account.email else { return Ok(()) };
        let origin = self.parts.origin.as_ref().map_or("", Origin::as_str);
        let text = format!(
            "{}, it is your turn in a game of {} on adoube:\n\n{origin}/game/{id}\n",
            account.name,
            game.variant()
        );
        self.parts.mailer.send(Mail { to, subject: "adoube: it is your turn".into(), text }).await?;
        Ok(())
    }

    /// Answers a proposal in the machine's name.
    async fn answer(self: &Arc<Self>, id: &GameId, machine: Color, answer: Courtesy) -> Result<(), Error> {
        let ask = match answer {
            Courtesy::AcceptTakeback => Ask::AcceptTakeback,
            Courtesy::AcceptRematch => {
                let game = self.load(id).await?;
                Ask::AcceptRematch { next: self.rematch(id, &game).await? }
            }
        };
        let random = self.parts.entropy.random()?.to_le_bytes();
        let command = CommandId(uuid::Builder::from_random_bytes(random).into_uuid());
        let side = |_: &Game| Ok(machine);
        self.act(id, &house(), command, &ask, &side).await.map(|_| ())
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
            Some(next) => next.parse().map_err(|_| Error::Internal("a rematch that is no game"))?,
            None if game.rematch_offer() == Some(!by) => self.rematch(id, &game).await?,
            None if game.ending().is_none() => return Err(Refusal::NotOver.into()),
            None => return Err(Refusal::NoRematch.into()),
        };
        self.ask(id, player, command, &Ask::AcceptRematch { next }).await
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
