//! Warnings to players of correspondence games whose time for a turn is running out.
//!
//! A player is warned once per turn, when a quarter of the time is left, or twelve hours if that is less:
//! late enough that most players have already played, and early enough for a night's sleep before playing.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use adoube_game::{Game, TimeControl};
use adoube_protocol::{GameId, Millis, PlayerId};
use adoube_store::{Cursor, Store};
use futures_util::{StreamExt as _, stream};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::{
    ledger::Ledger,
    reminders::{Reminders, WarnOutcome},
};
use crate::{clock::Clock, error::Error, names::player_of};

const HOUR_MS: i64 = 60 * 60 * 1000;
/// The maximum time between a warning and the deadline, in milliseconds.
const MAX_LEAD_MS: i64 = 12 * HOUR_MS;
/// The minimum time between a warning and the deadline, in milliseconds: a later warning would not help. This
/// limit also means that most live games need no check when the server starts.
const MIN_LEAD_MS: i64 = 10 * 60 * 1000;
/// The delay before another attempt if the player has a page open, in milliseconds.
const PAGE_OPEN_MS: i64 = 5 * 60 * 1000;
/// The delay before another attempt after an error, in milliseconds.
const RETRY_MS: i64 = 60 * 1000;
/// The number of games read in one query.
const PAGE: u32 = 500;
/// The maximum number of players who are warned concurrently.
const MAX_CONCURRENT: usize = 16;

#[derive(Debug)]
pub(crate) struct Warnings {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) reminders: Arc<Reminders>,
}

/// The games to check.
#[derive(Debug, Default)]
struct Schedule {
    /// Deadlines up to this time have been read.
    read_until: Option<Millis>,
    by_time: BTreeSet<(i64, GameId)>,
}

/// A player, and the games about which to warn the player.
type Due = (PlayerId, Vec<(GameId, Arc<Game>)>);

/// The result of checking a game.
#[derive(Debug)]
enum Check {
    Warn(PlayerId, Arc<Game>),
    /// Check it again at this time.
    At(i64),
    Nothing,
}

impl Warnings {
    /// Warns players until `stop` is cancelled. Every node does so; the store lets only one of them send each
    /// warning.
    pub(crate) async fn watch(self, round: Duration, stop: CancellationToken) {
        let mut schedule = Schedule::default();
        let mut rounds = tokio::time::interval(round);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let watch = async {
            loop {
                rounds.tick().await;
                if let Err(error) = self.run_round(&mut schedule).await {
                    error.log();
                    tracing::warn!(
                        code = error.code(),
                        "could not read the deadlines; warnings will be late"
                    );
                }
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = watch => {}
        }
    }

    async fn run_round(&self, schedule: &mut Schedule) -> Result<(), Error> {
        let now_ms = self.clock.now().0;
        self.read(schedule, now_ms).await?;
        let mut due = BTreeMap::<PlayerId, Vec<(GameId, Arc<Game>)>>::new();
        while schedule.by_time.first().is_some_and(|(at_ms, _)| *at_ms <= now_ms)
            && let Some((_, id)) = schedule.by_time.pop_first()
        {
            match self.check(&id, now_ms).await {
                Ok(Check::Warn(player, game)) => due.entry(player).or_default().push((id, game)),
                Ok(Check::At(at_ms)) => {
                    schedule.by_time.insert((at_ms, id));
                }
                Ok(Check::Nothing) | Err(Error::GameNotFound) => {}
                Err(error) => {
                    error.log();
                    schedule.by_time.insert((now_ms + RETRY_MS, id));
                }
            }
        }
        let warned = stream::iter(due).map(|due| self.warn(due, now_ms)).buffer_unordered(MAX_CONCURRENT);
        let rechecks = warned.collect::<Vec<_>>().await;
        schedule.by_time.extend(rechecks.into_iter().flatten());
        Ok(())
    }

    /// Adds the games whose deadlines have come within [`MAX_LEAD_MS`] since the last call. Correspondence
    /// deadlines are set at least a day ahead, so every node finds each of them. Deadlines of live games are
    /// nearer, so they are found only when the server starts.
    async fn read(&self, schedule: &mut Schedule, now_ms: i64) -> Result<(), Error> {
        let until = Millis(now_ms.saturating_add(MAX_LEAD_MS));
        // The lowest id, so that no game whose deadline is in the first unread millisecond is skipped.
        let next = |read: Millis| Cursor { at: Millis(read.0 + 1), game: GameId::from_random(0) };
        let mut after = schedule.read_until.map(next);
        loop {
            let games = self.store.list_due(after.as_ref(), until, PAGE).await?;
            for game in &games {
                let refund_ms = self.ledger.downtimes().within_ms(game.updated_at.0, i64::MAX);
                if game.deadline.0.saturating_add(refund_ms) >= now_ms + MIN_LEAD_MS {
                    schedule.by_time.insert((now_ms, game.id.clone()));
                }
            }
            let Some(last) = games.last().filter(|_| games.len() >= PAGE as usize) else { break };
            after = Some(Cursor { at: last.deadline, game: last.id.clone() });
        }
        schedule.read_until = Some(until);
        Ok(())
    }

    /// Checks a game. Loading a game writes missing downtimes to its log, so only games that are due are
    /// loaded; the others are only read.
    async fn check(&self, id: &GameId, now_ms: i64) -> Result<Check, Error> {
        let known = self.ledger.read(id).await?;
        let refund_ms = self.ledger.downtimes().within_ms(known.updated_at_ms(), i64::MAX);
        match check(&known, refund_ms, now_ms) {
            Check::Warn(..) => Ok(check(&self.ledger.load(id).await?, 0, now_ms)),
            other => Ok(other),
        }
    }

    /// Warns a player. Returns the games to check again, each with the time of that check.
    async fn warn(&self, (player, games): Due, now_ms: i64) -> Vec<(i64, GameId)> {
        let recheck_at_ms = match self.reminders.warn(&player, &games).await {
            Ok(WarnOutcome::Done) => return Vec::new(),
            Ok(WarnOutcome::PageOpen) => now_ms + PAGE_OPEN_MS,
            Err(error) => {
                error.log();
                tracing::warn!(code = error.code(), "could not send a warning");
                now_ms + RETRY_MS
            }
        };
        games.into_iter().map(|(id, _)| (recheck_at_ms, id)).collect()
    }
}

/// Returns the time between a warning and the deadline, or `None` if the time control is not for
/// correspondence.
fn lead_ms(clock: TimeControl) -> Option<i64> {
    let time_ms = clock.initial_ms().filter(|_| clock.is_correspondence())?;
    Some((time_ms / 4).min(MAX_LEAD_MS))
}

/// Checks a game. `refund_ms` is the downtime that is not yet in its log.
fn check(game: &Arc<Game>, refund_ms: i64, now_ms: i64) -> Check {
    let (None, Some(lead_ms), Some(deadline_ms)) =
        (game.ending(), lead_ms(game.options().clock), game.next_deadline_ms())
    else {
        return Check::Nothing;
    };
    // A later deadline will be found when it comes within `MAX_LEAD_MS`. If only the refund makes it later,
    // it has already been found.
    if deadline_ms > now_ms + MAX_LEAD_MS {
        return Check::Nothing;
    }
    let deadline_ms = deadline_ms.saturating_add(refund_ms);
    let at_ms = deadline_ms - lead_ms;
    if deadline_ms < now_ms + MIN_LEAD_MS {
        return Check::Nothing;
    }
    if at_ms > now_ms {
        return Check::At(at_ms);
    }
    match player_of(&game.seats()[game.side_to_move()]) {
        Some(player) => Check::Warn(player.clone(), Arc::clone(game)),
        None => Check::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use adoube_game::{DrawRules, NewGame, Options, Seat};
    use adoube_rules::{ByColor, Variant};

    use super::*;

    /// A game that began at time 0, in which White has a day for the first turn.
    fn game() -> Arc<Game> {
        let person = |number| Seat::Person { player: PlayerId::from_random(number) };
        let new = NewGame {
            variant: Variant::Chess,
            fen: None,
            draw_rules: DrawRules::Club,
            seats: ByColor { white: person(1), black: person(2) },
            options: Options {
                clock: TimeControl::Correspondence { days_per_turn: 1 },
                ..Options::default()
            },
        };
        Arc::new(Game::create(new, 0).unwrap().0)
    }

    #[test]
    fn a_deadline_that_a_refund_makes_later_is_checked_again() {
        let at = |refund_ms, now_ms| match check(&game(), refund_ms, now_ms) {
            Check::At(at_ms) => Some(at_ms),
            Check::Warn(..) => Some(now_ms),
            Check::Nothing => None,
        };
        assert_eq!(at(0, 11 * HOUR_MS), None, "it will be found in an hour");
        assert_eq!(at(0, 12 * HOUR_MS), Some(18 * HOUR_MS));
        assert_eq!(at(5 * HOUR_MS, 12 * HOUR_MS), Some(23 * HOUR_MS));
        assert_eq!(at(5 * HOUR_MS, 23 * HOUR_MS), Some(23 * HOUR_MS));
        assert_eq!(at(0, 24 * HOUR_MS), None, "a warning would be too late");
    }

    #[test]
    fn players_are_warned_when_a_quarter_of_the_time_or_twelve_hours_are_left() {
        let days = |days_per_turn| lead_ms(TimeControl::Correspondence { days_per_turn });
        assert_eq!([1, 2, 14].map(days), [Some(6 * HOUR_MS), Some(12 * HOUR_MS), Some(12 * HOUR_MS)]);
        assert_eq!(lead_ms(TimeControl::Unlimited), None);
        assert_eq!(lead_ms(TimeControl::Fischer { initial_ms: 10_800_000, increment_ms: 0 }), None);
    }
}
