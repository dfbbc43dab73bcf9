//! Reactions to stored events.

use std::sync::Arc;

use adoube_game::{Event, EventKind, Game};
use adoube_protocol::GameId;

use super::{
    ledger::Observer,
    machine_reply::{MachineReplies, MachineReply},
    matches::Matches,
    news::GameNewsPublisher,
    reminders::Reminders,
};
use crate::{error::Error, machine::MachineNotifier};

#[derive(Debug)]
pub(super) struct Followers {
    pub(super) notifier: MachineNotifier,
    pub(super) matches: Arc<Matches>,
    pub(super) reminders: Arc<Reminders>,
    pub(super) news: Arc<GameNewsPublisher>,
    pub(super) replies: Arc<MachineReplies>,
}

impl Observer for Followers {
    fn committed(&self, id: &GameId, game: &Arc<Game>, events: &[Event]) {
        if game.machine_task().is_some() {
            // The machine answers a draw offer before it plays, so a search for its turn is abandoned.
            if events.iter().any(|event| matches!(event.kind, EventKind::DrawOffered { .. })) {
                self.notifier.stop(id);
            }
            self.notifier.think(id);
        }
        if game.ending().is_some() {
            self.notifier.stop(id);
        }
        let ended = events.iter().any(|event| matches!(event.kind, EventKind::Ended { .. }));
        if ended && game.options().in_match.is_some() {
            let (matches, id) = (Arc::clone(&self.matches), id.clone());
            in_background(id.clone(), async move { matches.publish_state(&id).await });
        }
        let played = events.iter().any(|event| matches!(event.kind, EventKind::Played { .. }));
        if played && !ended && game.options().clock.is_correspondence() {
            let (reminders, id, game) = (Arc::clone(&self.reminders), id.clone(), Arc::clone(game));
            in_background(id.clone(), async move { reminders.remind(&id, &game).await });
        }
        for (player, kind) in self.news.recipients(id, game, events) {
            let (news, id, game) = (Arc::clone(&self.news), id.clone(), Arc::clone(game));
            in_background(id.clone(), async move { news.publish(&id, &game, (&player, kind)).await });
        }
        if let Some((next, player)) = self.news.agreed_rematch(id, game, events) {
            let news = Arc::clone(&self.news);
            in_background(next.clone(), async move { news.publish_rematch(&next, &player).await });
        }
        if let Some(reply) = MachineReply::to(game) {
            let (replies, id, game) = (Arc::clone(&self.replies), id.clone(), Arc::clone(game));
            in_background(id.clone(), async move { replies.apply(&id, &game, reply).await });
        }
    }
}

/// Runs a reaction in a separate task, so the command that caused the events does not wait for it.
fn in_background(id: GameId, task: impl Future<Output = Result<(), Error>> + Send + 'static) {
    tokio::spawn(async move {
        if let Err(error) = task.await {
            error.log();
            tracing::debug!(game = %id, code = error.code(), "a reaction to an event failed");
        }
    });
}
