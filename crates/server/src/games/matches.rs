//! Matches (C25): several games between the same two players, with alternating colours.
//!
//! The state of a match is not stored, because it follows from the match's games. When a game ends, the next
//! one is created. Its command id is derived from the id of the game that ended, so it is created only once,
//! whichever process creates it. If the server restarts before that, the next game is created when the one
//! that ended is next viewed.

use std::sync::Arc;

use adoube_documents::{MatchDocument, Schema};
use adoube_game::Game;
use adoube_protocol::{GameId, GameResult, HalfPoints, MatchId, MatchState, ServerMessage};
use adoube_rules::ByColor;
use adoube_store::{MatchedGame, Store};

use super::{
    create::{Creator, Seating, Terms},
    derived_command_id,
    ledger::Ledger,
    news::GameNewsPublisher,
    system_player,
};
use crate::{
    error::{Error, LogError},
    publisher::Publisher,
};

/// A match ends once a game has ended without a result this many times; until then, the game is replayed.
/// Once a match has begun, players cannot end its games without a result (C25), but an arbiter can, and in
/// older versions players could.
const MAX_CALLED_OFF_GAMES: usize = 3;

pub(super) fn document(terms: &Terms) -> Result<String, Error> {
    let document = MatchDocument { schema: Schema::default(), best_of: terms.games.into() };
    Ok(serde_json::to_string(&document).map_err(LogError::Write)?)
}

/// The score of a match in half points. `first` is the score of the player who had White in the first game.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Score {
    first: u16,
    second: u16,
    counted: u16,
    is_over: bool,
}

/// Computes the score of a match from its games in order. Each has its number, and its result if it is over.
fn score(games: &[(u16, Option<GameResult>)], best_of: u16) -> Score {
    let mut score = Score::default();
    for (number, result) in games {
        let (white, black) = match result {
            Some(GameResult::WhiteWins) => (2, 0),
            Some(GameResult::BlackWins) => (0, 2),
            Some(GameResult::Draw) => (1, 1),
            Some(GameResult::NoResult) | None => continue,
        };
        let (first, second) = if first_player_is_white(*number) { (white, black) } else { (black, white) };
        score.first += first;
        score.second += second;
        score.counted += 1;
    }
    let remaining = best_of.saturating_sub(score.counted);
    let called_off = games.last().is_some_and(|(last, _)| {
        let is_called_off = |(number, result): &&(u16, Option<GameResult>)| {
            number == last && *result == Some(GameResult::NoResult)
        };
        games.iter().filter(is_called_off).count() >= MAX_CALLED_OFF_GAMES
    });
    score.is_over = remaining == 0 || score.first.abs_diff(score.second) > 2 * remaining || called_off;
    score
}

fn first_player_is_white(number: u16) -> bool {
    number % 2 == 1
}

/// The service for matches.
#[derive(Debug)]
pub(crate) struct Matches {
    pub(super) ledger: Arc<Ledger>,
    pub(super) creator: Arc<Creator>,
    pub(super) store: Arc<dyn Store>,
    pub(super) publisher: Publisher,
    pub(super) news: Arc<GameNewsPublisher>,
}

impl Matches {
    /// Returns the state of the match that a game belongs to, or `None` if it belongs to none. Creates the
    /// next game if it is due.
    pub(super) async fn state_of(&self, id: &GameId, game: &Game) -> Result<Option<MatchState>, Error> {
        let Some(entry) = &game.options().in_match else { return Ok(None) };
        let broken = Error::Internal("a game belongs to a match that does not exist");
        let stored = self.store.lookup_match(&entry.id).await?.ok_or(broken)?;
        let stored: MatchDocument = serde_json::from_str(&stored.body)
            .map_err(|source| LogError::Match { game: id.clone(), source })?;
        let mut games = self.store.list_match(&entry.id).await?;
        let results = games.iter().map(|game| (game.number, game.result)).collect::<Vec<_>>();
        let mut score = score(&results, stored.best_of);
        // A player who is waiting for an opponent may call off the game, which also ends the match.
        score.is_over |= game.ending().is_some() && !game.is_started();
        let is_last = games.last().is_some_and(|last| last.id == *id);
        if is_last
            && !score.is_over
            && let Some(ending) = game.ending()
        {
            let called_off = ending.result == adoube_game::GameResult::NoResult;
            let number = if called_off { entry.number } else { entry.number + 1 };
            // The next game is listed if the first game of the match is, so a match that began with an
            // invitation stays unlisted.
            let public = self.is_public(games.first().map_or(id, |first| &first.id)).await?;
            let next = self.next_game(id, game, (&entry.id, number), public).await?;
            // White has little time for the first turn, and may still be looking at the game that ended.
            if let Err(error) = self.news.publish_started(&next).await {
                error.log();
            }
            games.push(MatchedGame { id: next, number, result: None });
        }
        let index = games.iter().position(|other| other.id == *id);
        let next = index.and_then(|index| games.get(index + 1)).map(|next| next.id.clone());
        let (white, black) = if first_player_is_white(entry.number) {
            (score.first, score.second)
        } else {
            (score.second, score.first)
        };
        Ok(Some(MatchState {
            id: entry.id.clone(),
            number: entry.number,
            best_of: stored.best_of,
            half_points: HalfPoints { white, black },
            over: score.is_over,
            next,
        }))
    }

    async fn next_game(
        &self,
        id: &GameId,
        game: &Game,
        (match_id, number): (&MatchId, u16),
        public: bool,
    ) -> Result<GameId, Error> {
        let seats = if game.options().in_match.as_ref().is_some_and(|entry| entry.number == number) {
            game.seats().clone()
        } else {
            swapped_seats(game)
        };
        let seating = Seating {
            seats,
            player: system_player(),
            command: derived_command_id("match", id.as_str()),
            request_digest: None,
            public,
            proposal: None,
        };
        Ok(self.creator.add(&Terms::of(game), Some((match_id.clone(), number)), seating).await?.id)
    }

    /// Creates a rematch with swapped colours.
    pub(super) async fn rematch(&self, id: &GameId, game: &Game) -> Result<GameId, Error> {
        let seating = Seating {
            seats: swapped_seats(game),
            player: system_player(),
            command: derived_command_id("rematch", id.as_str()),
            request_digest: None,
            public: self.is_public(id).await?,
            proposal: None,
        };
        Ok(self.creator.add(&Terms::of(game), None, seating).await?.id)
    }

    /// Returns `true` if the hall lists a game.
    async fn is_public(&self, id: &GameId) -> Result<bool, Error> {
        Ok(self.store.is_public(id).await?)
    }

    /// Publishes the state of the match after one of its games has ended.
    pub(super) async fn publish_state(&self, id: &GameId) -> Result<(), Error> {
        let game = self.ledger.load(id).await?;
        if let Some(state) = self.state_of(id, &game).await? {
            self.publisher.publish(id, &ServerMessage::Match { state }).await;
        }
        Ok(())
    }
}

fn swapped_seats(game: &Game) -> ByColor<adoube_game::Seat> {
    ByColor { white: game.seats().black.clone(), black: game.seats().white.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c25_a_match_is_over_when_the_leader_cannot_be_caught() {
        use GameResult::{BlackWins, Draw, NoResult, WhiteWins};

        let none: &[_] = &[];
        for (games, best_of, expected) in [
            (none, 3, (0, 0, false)),
            (&[(1, Some(WhiteWins))], 3, (2, 0, false)),
            // The same player wins with Black.
            (&[(1, Some(WhiteWins)), (2, Some(BlackWins))], 3, (4, 0, true)),
            (&[(1, Some(WhiteWins)), (2, Some(WhiteWins))], 3, (2, 2, false)),
            (&[(1, Some(WhiteWins)), (2, Some(WhiteWins)), (3, Some(Draw))], 3, (3, 3, true)),
            (&[(1, Some(Draw)), (2, Some(NoResult)), (2, None)], 2, (1, 1, false)),
            // A lead of one point with one game to go.
            (&[(1, Some(WhiteWins)), (2, Some(Draw)), (3, Some(Draw))], 4, (4, 2, false)),
            (&[(1, Some(NoResult)), (1, Some(NoResult)), (1, Some(NoResult))], 2, (0, 0, true)),
            // If no player ever appears, White forfeits each game, and the match ends.
            (&[(1, Some(BlackWins)), (2, Some(BlackWins)), (3, Some(BlackWins))], 3, (2, 4, true)),
        ] {
            let score = score(games, best_of);
            assert_eq!((score.first, score.second, score.is_over), expected, "{games:?}");
        }
    }
}
