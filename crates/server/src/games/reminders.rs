//! Reminders to players of correspondence games who have no page open: e-mails and browser notifications.
//!
//! There are two kinds: reminders that the opponent has played, and warnings that the deadline is near
//! (`warnings`).

use std::{sync::Arc, time::Duration};

use adoube_game::Game;
use adoube_protocol::{GameId, ListState, Millis, PlayerId, TimeControl};
use adoube_rules::Color;
use adoube_store::{Account, GameFilter, NodeId, PushDevice, Store};
use tokio_util::sync::CancellationToken;

use super::ledger::Ledger;
use crate::{
    attendance::Attendance,
    clock::Clock,
    error::Error,
    listed::{listed_games, variant_of},
    mail::{Address, EmailContent, EmailSender, SendOutcome, WaitingGame, confirmed_address},
    names::{Names, player_of},
    push::{Notification, NotificationKind, Pushes},
    wire,
};

/// The interval at which reminders left behind by other processes are looked up.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of reminders claimed at once.
const BATCH_SIZE: u32 = 20;
/// The maximum number of games listed in an e-mail.
const MAX_LISTED_GAMES: usize = 20;
/// The maximum number of waiting games counted for an e-mail.
const MAX_COUNTED_GAMES: u32 = 100;

#[derive(Debug)]
pub(crate) struct Reminders {
    pub(super) store: Arc<dyn Store>,
    pub(super) attendance: Arc<Attendance>,
    pub(super) names: Arc<Names>,
    pub(super) emails: Arc<EmailSender>,
    pub(super) pushes: Arc<Pushes>,
    /// The node id under which this process sends reminders, or `None` if other processes send them.
    pub(super) sender: Option<NodeId>,
}

/// A player who has no page open, and how to reach the player.
struct Absentee {
    account: Account,
    /// The address for reminders by e-mail, if the player wants them.
    to: Option<Address>,
    devices: Vec<PushDevice>,
}

/// The outcome of a warning before a deadline.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum WarnOutcome {
    /// No more attempts are needed, because the warning was sent or cannot reach the player.
    Done,
    /// The player has a page open, so the warning is due when the page is closed.
    PageOpen,
}

impl Reminders {
    /// Reminds the player whose turn it is, unless that player has a page open. The next reminder about this
    /// game is sent only after the player has viewed it.
    pub(super) async fn remind(&self, id: &GameId, game: &Game) -> Result<(), Error> {
        let Some(player) = player_of(&game.seats()[game.side_to_move()]) else { return Ok(()) };
        if self.attendance.has_page(player).await? {
            return Ok(());
        }
        let Some(absentee) = self.absentee(player).await? else { return Ok(()) };
        if !self.store.add_reminder(player, id, self.sender.as_ref()).await? || self.sender.is_none() {
            return Ok(());
        }
        self.send(id, game, &absentee).await
    }

    /// Sends the reminders recorded by processes that died before sending them or that never send any, until
    /// `stop` is cancelled. If a process dies just after the mail server or push service has accepted a
    /// reminder, the reminder is sent twice.
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
        let to_move = player_of(&game.seats()[game.side_to_move()]);
        let is_due = to_move == Some(player) && game.ending().is_none();
        if is_due
            && !self.attendance.has_page(player).await?
            && let Some(absentee) = self.absentee(player).await?
        {
            return self.send(id, &game, &absentee).await;
        }
        Ok(self.store.delete_reminder(player, id).await?)
    }

    /// Returns a player's account, address and devices, or `None` if reminders cannot reach the player.
    async fn absentee(&self, player: &PlayerId) -> Result<Option<Absentee>, Error> {
        let Some(account) = self.store.lookup_account(player).await? else { return Ok(None) };
        let to = confirmed_address(&account).filter(|_| account.reminders);
        let devices = self.pushes.devices(player).await?;
        Ok((to.is_some() || !devices.is_empty()).then_some(Absentee { account, to, devices }))
    }

    async fn send(&self, id: &GameId, game: &Game, absentee: &Absentee) -> Result<(), Error> {
        let player = &absentee.account.player;
        let waiting = self.waiting_game(id, game).await?;
        let (pushed, emailed) = tokio::join!(
            self.push(&absentee.account, &absentee.devices, &waiting, NotificationKind::Turn),
            self.email_list(id, absentee),
        );
        if matches!(pushed, Ok(true)) || matches!(emailed, Ok(true)) {
            self.store.confirm_reminder(player, id).await?;
        } else {
            // The record is deleted so that a reminder can be sent at the next turn.
            self.store.delete_reminder(player, id).await?;
        }
        pushed.and(emailed).map(|_| ())
    }

    /// Sends an e-mail that lists the correspondence games in which a player is to move, and records a
    /// reminder for every listed game except `id`. Returns `true` if the e-mail was sent.
    async fn email_list(&self, id: &GameId, absentee: &Absentee) -> Result<bool, Error> {
        let Absentee { account, to: Some(to), .. } = absentee else { return Ok(false) };
        let filter = GameFilter {
            state: ListState::Waiting,
            ..GameFilter::all_of(&account.player, MAX_COUNTED_GAMES)
        };
        let mut games = waiting_games(&self.store.list_games(&filter).await?)?;
        // The player may have played in the meantime.
        if games.is_empty() {
            return Ok(false);
        }
        let more = games.len().saturating_sub(MAX_LISTED_GAMES);
        games.truncate(MAX_LISTED_GAMES);
        let reminder = EmailContent::Reminder { games: &games, more };
        let outcome = self.emails.send_within_limit(account, to, reminder).await?;
        if outcome == SendOutcome::LimitReached {
            return Ok(false);
        }
        for other in games.iter().filter(|other| other.id != *id) {
            if self.store.add_reminder(&account.player, &other.id, self.sender.as_ref()).await? {
                self.store.confirm_reminder(&account.player, &other.id).await?;
            }
        }
        Ok(true)
    }

    async fn push(
        &self,
        account: &Account,
        devices: &[PushDevice],
        game: &WaitingGame,
        kind: NotificationKind,
    ) -> Result<bool, Error> {
        let WaitingGame { id, variant, opponent, deadline } = game;
        let notification = Notification {
            game: id,
            variant: *variant,
            opponent: opponent.as_deref(),
            deadline: *deadline,
            kind,
        };
        self.pushes.send(account, devices, &notification).await
    }

    /// Warns a player about deadlines in games, once per turn, unless the player has a page open. Fails if a
    /// warning could not be sent; the next call then tries to send it again. If the process dies between
    /// recording and sending a warning, the warning is lost.
    pub(super) async fn warn(
        &self,
        player: &PlayerId,
        games: &[(GameId, Arc<Game>)],
    ) -> Result<WarnOutcome, Error> {
        if self.attendance.has_page(player).await? {
            return Ok(WarnOutcome::PageOpen);
        }
        let Some(absentee) = self.absentee(player).await? else { return Ok(WarnOutcome::Done) };
        let Absentee { account, to, devices } = &absentee;
        // All names are looked up before any warning is recorded, because a recorded warning is not
        // attempted again unless sending it fails.
        let mut waiting = Vec::new();
        for (id, game) in games {
            let turn = u32::try_from(game.plies()).unwrap_or(u32::MAX);
            waiting.push((turn, self.waiting_game(id, game).await?));
        }
        let mut due = Vec::new();
        for (turn, game) in waiting {
            if self.store.add_warning(&game.id, turn).await? {
                due.push((turn, game));
            }
        }
        if due.is_empty() {
            return Ok(WarnOutcome::Done);
        }
        due.sort_by_key(|(_, game)| game.deadline);
        let (turns, due): (Vec<_>, Vec<_>) = due.into_iter().unzip();
        let email = async {
            let Some(to) = to else { return Ok(false) };
            let warning = EmailContent::Warning { games: &due };
            Ok(self.emails.send_within_limit(account, to, warning).await? == SendOutcome::Sent)
        };
        let push = async {
            let mut pushed = Vec::new();
            for game in &due {
                pushed.push(self.push(account, devices, game, NotificationKind::Warning).await);
            }
            pushed
        };
        let (pushed, emailed) = tokio::join!(push, email);
        let (is_emailed, has_email_failed) = (matches!(emailed, Ok(true)), emailed.is_err());
        let mut failed = emailed.map(|_| ());
        for ((turn, game), pushed) in turns.into_iter().zip(&due).zip(pushed) {
            let is_sent = is_emailed || matches!(pushed, Ok(true));
            if !is_sent && (has_email_failed || pushed.is_err()) {
                self.store.delete_warning(&game.id, turn).await?;
            }
            failed = failed.and(pushed.map(|_| ()));
        }
        failed.map(|()| WarnOutcome::Done)
    }

    async fn waiting_game(&self, id: &GameId, game: &Game) -> Result<WaitingGame, Error> {
        let wire::PlayerNames { white, black } = self.names.of_game(game).await?;
        Ok(WaitingGame {
            id: id.clone(),
            variant: game.variant(),
            opponent: if game.side_to_move() == Color::White { black } else { white },
            deadline: game.next_deadline_ms().map(Millis),
        })
    }

    /// Records that a player has viewed a game so that a reminder may be sent again at the next turn.
    pub(crate) async fn record_viewed(&self, id: &GameId, player: &PlayerId) -> Result<(), Error> {
        if self.store.is_reminded(player, id).await? {
            self.store.delete_reminder(player, id).await?;
        }
        Ok(())
    }
}

/// Returns the correspondence games in a list, in the same order.
fn waiting_games(list: &[adoube_store::ListedGame]) -> Result<Vec<WaitingGame>, Error> {
    let is_correspondence =
        |game: &adoube_protocol::GameSummary| matches!(game.time_control, TimeControl::Correspondence { .. });
    let games = listed_games(list).into_iter().filter(is_correspondence);
    games
        .map(|game| {
            let opponent = match game.you {
                Some(adoube_protocol::Color::White) => game.players.black,
                _ => game.players.white,
            };
            let opponent = match opponent {
                adoube_protocol::Seat::Person { name } => name,
                _ => None,
            };
            Ok(WaitingGame {
                id: game.id,
                variant: variant_of(&game.variant)?,
                opponent,
                deadline: game.deadline,
            })
        })
        .collect()
}
