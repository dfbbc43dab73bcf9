//! Plays one game between two players, and enforces the rules and the clock.

use std::time::Instant;

use adoube_notation::pgn::{Game, GameResult};
use adoube_rules::{AnyPosition, Color, DrawRules, Position, Turn, arbiter};

use super::{
    clock::{Clock, TimeControl},
    player::{Answer, Player, Situation},
};

/// The result of a game for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ContestResult {
    Loss,
    Draw,
    Win,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) winner: Option<Color>,
    /// Why the game ended, as a stable identifier: it is written to the PGN and the report.
    pub(super) reason: &'static str,
    /// Whether the loser's program has exited or does not respond. It must then be restarted.
    pub(super) loser_is_unresponsive: bool,
    turns: Vec<Turn>,
}

impl Played {
    pub(super) fn to_pgn(
        &self,
        initial: &AnyPosition,
        number: u64,
        [first, second]: &[&str; 2],
        first_color: Color,
    ) -> anyhow::Result<Game> {
        let (white, black) = match first_color {
            Color::White => (first, second),
            Color::Black => (second, first),
        };
        let mut game = Game::new(initial.clone());
        game.tags.set("Event", "adoube match")?;
        game.tags.set("Round", &number.to_string())?;
        game.tags.set("White", white)?;
        game.tags.set("Black", black)?;
        game.tags.set("Termination", self.reason)?;
        game.turns.clone_from(&self.turns);
        game.result = self.winner.map_or(GameResult::Draw, GameResult::Won);
        Ok(game)
    }
}

/// Returns the winner, if any, and why the game ended. Returns `None` if it goes on from this position.
/// `history` contains the keys of the earlier positions.
fn end(position: &AnyPosition, history: &[u64]) -> Option<(Option<Color>, &'static str)> {
    let outcome = arbiter::outcome(position, history, DrawRules::Club)?;
    Some((outcome.winner(), outcome.reason()))
}

/// Plays a game from an opening to its end.
pub(super) fn play(
    mut players: [&mut Player; 2],
    (initial, opening): &(AnyPosition, Vec<Turn>),
    control: Option<TimeControl>,
    max_plies: Option<u32>,
    seed: u64,
) -> anyhow::Result<Played> {
    let mut position = initial.clone();
    let mut history = Vec::new();
    let mut turns = Vec::new();
    for turn in opening {
        history.push(position.key());
        position.play_turn_unchecked(turn);
        turns.push(turn.clone());
    }
    for player in &mut players {
        player.new_game()?;
    }
    let mut clocks = control.map(|control| [Clock::new(control), Clock::new(control)]);
    let over = |winner, reason, turns| Ok(Played { winner, reason, loser_is_unresponsive: false, turns });
    let unresponsive =
        |winner, reason, turns| Ok(Played { winner, reason, loser_is_unresponsive: true, turns });
    loop {
        if let Some((winner, reason)) = end(&position, &history) {
            return over(winner, reason, turns);
        }
        if max_plies.is_some_and(|max| turns.len() >= max as usize) {
            return over(None, "adjudication", turns);
        }
        let side = position.side_to_move();
        let [white, black] = &mut players;
        let player = if side == Color::White { white } else { black };
        let situation = Situation {
            initial,
            turns: &turns,
            position: &position,
            history: &history,
            clocks: clocks.as_ref(),
            seed,
        };
        let started = Instant::now();
        let answer = player.choose(&situation);
        let spent = started.elapsed();
        if matches!(answer, Answer::Late) {
            eprintln!("adoube: {:?} did not answer in time; position: {}", player.name, position.fen());
            return unresponsive(Some(!side), "time", turns);
        }
        if let Some(clocks) = clocks.as_mut().filter(|_| player.uses_clock()) {
            let [white, black] = clocks;
            let clock = if side == Color::White { white } else { black };
            if !clock.spend(spent) {
                return over(Some(!side), "time", turns);
            }
        }
        match answer {
            Answer::Turn(turn) => {
                history.push(position.key());
                position.play_turn_unchecked(&turn);
                turns.push(turn);
            }
            Answer::Illegal(text) => {
                eprintln!(
                    "adoube: {:?} played {text:?}, which is not legal in {}",
                    player.name,
                    position.fen()
                );
                return over(Some(!side), "illegal", turns);
            }
            Answer::Late => {}
            Answer::Gone => {
                eprintln!(
                    "adoube: {:?} has exited or stopped responding; position: {}",
                    player.name,
                    position.fen()
                );
                return unresponsive(Some(!side), "disconnected", turns);
            }
        }
    }
}
