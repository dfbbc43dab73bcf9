//! E-mails that remind players of correspondence games.

use std::sync::Arc;

use adoube_game::Game;
use adoube_protocol::{GameId, PlayerId};
use adoube_store::Store;

use crate::{
    attendance::Attendance,
    error::Error,
    mail::{EmailContent, EmailSender, SendOutcome, confirmed_address},
    names::player_of,
};

#[derive(Debug)]
pub(crate) struct Reminders {
    pub(super) store: Arc<dyn Store>,
    pub(super) attendance: Arc<Attendance>,
    pub(super) emails: Arc<EmailSender>,
}

impl Reminders {
    /// Reminds the player to move who has no socket of the game: once, until the player has viewed the game.
    pub(super) async fn remind(&self, id: &GameId, game: &Game) -> Result<(), Error> {
        let side = game.side_to_move();
        let Some(player) = player_of(&game.seats()[side]) else { return Ok(()) };
        if self.attendance.is_here(id, side).await? {
            return Ok(());
        }
        let Some(account) = self.store.lookup_account(player).await? else { return Ok(()) };
        let Some(to) = confirmed_address(&account).filter(|_| account.reminders) else { return Ok(()) };
        if !self.store.add_reminder(player, id).await? {
            return Ok(());
        }
        let content = EmailContent::Reminder { game: id, variant: game.variant() };
        let posted = self.emails.post(&account, &to, content).await;
        if !matches!(posted, Ok(SendOutcome::Sent)) {
            // The next turn may try again.
            self.store.delete_reminder(player, id).await?;
        }
        posted.map(|_| ())
    }

    /// Records that a player has viewed a game, so that the next turn may send a reminder again.
    pub(crate) async fn looked(&self, id: &GameId, player: &PlayerId) -> Result<(), Error> {
        if self.store.is_reminded(player, id).await? {
            self.store.delete_reminder(player, id).await?;
        }
        Ok(())
    }
}
