//! E-mails that remind players that it is their turn in a correspondence game.

use std::{sync::Arc, time::Duration};

use adoube_game::Game;
use adoube_protocol::{GameId, PlayerId};
use adoube_store::{Account, NodeId, Store};
use tokio_util::sync::CancellationToken;

use super::ledger::Ledger;
use crate::{
    attendance::Attendance,
    clock::Clock,
    error::Error,
    mail::{Address, EmailContent, EmailSender, SendOutcome, confirmed_address},
    names::player_of,
};

/// The interval at which reminders left behind by other processes are looked up.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of reminders claimed at once.
const BATCH_SIZE: u32 = 20;

#[derive(Debug)]
pub(crate) struct Reminders {
    pub(super) store: Arc<dyn Store>,
    pub(super) attendance: Arc<Attendance>,
    pub(super) emails: Arc<EmailSender>,
    /// The node id under which this process sends e-mails, or `None` if other processes send them.
    pub(super) sender: Option<NodeId>,
}

impl Reminders {
    /// Reminds the player whose turn it is, unless the player has an open socket for the game. Another
    /// reminder is sent only after the player has viewed the game.
    pub(super) async fn remind(&self, id: &GameId, game: &Game) -> Result<(), Error> {
        let Some((player, account, to)) = self.addressee(id, game).await? else { return Ok(()) };
        if !self.store.add_reminder(&player, id, self.sender.as_ref()).await? || self.sender.is_none() {
            return Ok(());
        }
        self.send(id, game, &account, &to).await
    }

    /// Sends the reminders of processes that died before sending them, and of processes that do not send
    /// e-mails, until `stop` is cancelled. If a process dies just after the mail server has accepted an
    /// e-mail, the e-mail is sent twice.
    pub(crate) async fn watch(
        self: Arc<Self>,
        ledger: Arc<Ledger>,
        clock: Arc<dyn Clock>,
        stop: CancellationToken,
    ) {
        let Some(sender) = self.sender.clone().filter(|_| self.attendance.is_shared()) else { return };
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
            match self.store.claim_reminders(&sender, clock.now(), BATCH_SIZE).await {
                Ok(due) => {
                    for (player, game) in due {
                        if let Err(error) = self.send_due(&player, &game, &ledger).await {
                            error.log();
                            tracing::warn!(%game, code = error.code(), "could not send a reminder");
                        }
                    }
                }
                Err(error) => Error::from(error).log(),
            }
        }
    }

    /// Sends a reminder that another process left behind, if it is still due.
    async fn send_due(&self, player: &PlayerId, id: &GameId, ledger: &Arc<Ledger>) -> Result<(), Error> {
        let game = match ledger.load(id).await {
            Err(Error::GameNotFound) => return Ok(()),
            loaded => loaded?,
        };
        match self.addressee(id, &game).await? {
            Some((to_move, account, to)) if to_move == *player && game.ending().is_none() => {
                self.send(id, &game, &account, &to).await
            }
            _ => Ok(self.store.delete_reminder(player, id).await?),
        }
    }

    /// Returns the player whose turn it is, with the account and address, if a reminder may be sent.
    async fn addressee(
        &self,
        id: &GameId,
        game: &Game,
    ) -> Result<Option<(PlayerId, Account, Address)>, Error> {
        let side = game.side_to_move();
        let Some(player) = player_of(&game.seats()[side]) else { return Ok(None) };
        if self.attendance.is_here(id, side).await? {
            return Ok(None);
        }
        let Some(account) = self.store.lookup_account(player).await? else { return Ok(None) };
        let to = confirmed_address(&account).filter(|_| account.reminders);
        Ok(to.map(|to| (player.clone(), account, to)))
    }

    async fn send(&self, id: &GameId, game: &Game, account: &Account, to: &Address) -> Result<(), Error> {
        let content = EmailContent::Reminder { game: id, variant: game.variant() };
        let posted = self.emails.post(account, to, content).await;
        if matches!(posted, Ok(SendOutcome::Sent)) {
            self.store.confirm_reminder(&account.player, id).await?;
        } else {
            // A reminder may be sent again at the next turn.
            self.store.delete_reminder(&account.player, id).await?;
        }
        posted.map(|_| ())
    }

    /// Records that a player has viewed a game so that a reminder may be sent again at the next turn.
    pub(crate) async fn record_viewed(&self, id: &GameId, player: &PlayerId) -> Result<(), Error> {
        if self.store.is_reminded(player, id).await? {
            self.store.delete_reminder(player, id).await?;
        }
        Ok(())
    }
}
