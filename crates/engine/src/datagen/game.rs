//! Generates one game.

use adoube_rules::{Color, Draw, DrawRules, Outcome, Turn, arbiter};

use super::{Played, Recipe, Record};
use crate::{
    Control, Engine, Limits,
    eval::{FULL_SHARE, Searchable, worth_of_men},
    network::placement::Placement,
    random::Random,
};

/// The minimum number of random turns at the beginning. There may be up to two more.
const RANDOM_PLIES: usize = 8;
/// Openings in which either side is ahead by more than this are not played.
const MAX_UNBALANCED: i32 = 300;
/// Positions with a score beyond this for either side are not stored, because there is nothing to learn from
/// them.
const MAX_SCORE: i32 = 3_000;
/// A game counts as won once both sides' searches have put one side ahead by this much for [`WINNING_PLIES`]
/// turns in a row.
const WINNING_SCORE: i32 = 2_000;
const WINNING_PLIES: u32 = 6;
/// The halfmove clock at which the game ends [undecided](GameEnd::Undecided). There is little to learn from
/// later turns, and the rules would end the game soon.
const DRAWN_CLOCK: u16 = 70;
/// The number of turns after which a game ends [undecided](GameEnd::Undecided).
const MAX_PLIES: u32 = 400;
/// A game that ends [undecided](GameEnd::Undecided) still counts as won if both sides' searches have put one
/// side ahead by this much for the last [`AHEAD_PLIES`] turns. With a hundred nodes a turn the engine cannot
/// mate with a queen, so without this rule a network would learn that such endings are drawn. (Before this
/// rule, three in ten positions with an advantage of ten pawns counted as drawn.)
const AHEAD: i32 = 600;
const AHEAD_PLIES: u32 = 8;
/// The factor by which a search may exceed [`Recipe::nodes`] to finish an iteration.
const NODES_TO_FINISH: u64 = 10;

/// The end of a game.
enum GameEnd {
    Won(Color),
    /// The game ended in a draw such as stalemate, so the sides' scores do not matter.
    Drawn,
    /// The game ended by repetition, for lack of progress, or because it was too long.
    Undecided,
}

/// The number of turns in a row in which both sides' searches have put White ahead by a minimum score;
/// negative if they have put Black ahead.
#[derive(Clone, Copy, Default)]
struct Lead(i32);

impl Lead {
    fn note(&mut self, white_score: i32, min: i32) {
        self.0 = match white_score {
            _ if white_score >= min => self.0.max(0) + 1,
            _ if white_score <= -min => self.0.min(0) - 1,
            _ => 0,
        };
    }

    /// Returns the side that has led for enough turns.
    fn leader(self, plies: u32) -> Option<Color> {
        let color = if self.0 > 0 { Color::White } else { Color::Black };
        (self.0.unsigned_abs() >= plies).then_some(color)
    }
}

/// A game in progress.
struct Game<P> {
    position: P,
    history: Vec<u64>,
}

impl<P: Searchable> Game<P> {
    fn play(&mut self, turn: &Turn) {
        self.history.push(self.position.key());
        self.position.play_turn_unchecked(turn);
    }

    /// Returns the end of the game, if it has ended.
    fn end(&self) -> Option<GameEnd> {
        match arbiter::outcome(&self.position, &self.history, DrawRules::Club) {
            // Such a draw does not show that the position is equal, so the lead decides.
            Some(Outcome::Draw { reason: Draw::Repetition | Draw::FiftyMoves }) => {
                return Some(GameEnd::Undecided);
            }
            Some(outcome) => return Some(outcome.winner().map_or(GameEnd::Drawn, GameEnd::Won)),
            None => {}
        }
        if self.position.is_material_draw() {
            return Some(GameEnd::Drawn);
        }
        let is_too_long =
            self.position.halfmove_clock() >= DRAWN_CLOCK || self.history.len() >= MAX_PLIES as usize;
        is_too_long.then_some(GameEnd::Undecided)
    }

    /// Returns `true` if the side to move must capture.
    fn must_capture(&self) -> bool {
        let first = self.position.legal_steps().first().copied();
        P::TAKING_IS_COMPULSORY && first.is_some_and(|step| self.position.taken(step).any())
    }

    /// Returns `true` if the search scales the network's score because it knows the ending. A network that
    /// learned from the scaled score would count that knowledge twice.
    fn is_known_ending(&self, stronger: Color) -> bool {
        self.position.share_of_advantage(worth_of_men(&self.position), stronger) < FULL_SHARE
    }

    /// Returns `true` if a turn captures or promotes.
    fn is_loud(&self, turn: &Turn) -> bool {
        let mut position = self.position.clone();
        turn.steps().iter().any(|&step| {
            let gain = position.gain(step) > 0;
            position.play_unchecked(step);
            gain
        })
    }
}

/// Plays random opening turns. Returns `None` if the game ended during them.
fn opening<P: Searchable>(initial: &P, random: &mut Random) -> Option<Game<P>> {
    let mut game = Game { position: initial.clone(), history: Vec::new() };
    for _ in 0..RANDOM_PLIES + random.below(3) {
        let turns = game.position.legal_turns();
        if turns.is_empty() {
            return None;
        }
        game.play(&turns[random.below(turns.len())]);
    }
    game.end().is_none().then_some(game)
}

pub(super) fn play<P: Searchable>(engine: &mut Engine, recipe: &Recipe, initial: &P, number: u32) -> Played {
    let mut random = Random::new(recipe.seed, number.into());
    let limits = Limits {
        nodes: recipe.nodes.saturating_mul(NODES_TO_FINISH),
        enough_nodes: recipe.nodes,
        ..Limits::default()
    };
    let mut game = loop {
        let Some(game) = opening(initial, &mut random) else { continue };
        engine.forget();
        let report = engine.search_game(&game.position, &game.history, &limits, &Control::NONE);
        if report.is_some_and(|report| report.score.units().abs() <= MAX_UNBALANCED) {
            break game;
        }
    };
    let mut records: Vec<Record> = Vec::new();
    let (mut winning, mut ahead) = (Lead::default(), Lead::default());
    let end = loop {
        if let Some(end) = game.end() {
            break end;
        }
        let Some(report) = engine.search_game(&game.position, &game.history, &limits, &Control::NONE) else {
            break GameEnd::Drawn;
        };
        let (side, score) = (game.position.side_to_move(), report.score.units());
        let white_score = if side == Color::White { score } else { -score };
        winning.note(white_score, WINNING_SCORE);
        ahead.note(white_score, AHEAD);
        if let Some(winner) = winning.leader(WINNING_PLIES) {
            break GameEnd::Won(winner);
        }
        let check = P::KNOWS_CHECK && game.position.is_check();
        let stronger = if score > 0 { side } else { !side };
        let is_uninformative =
            check || game.must_capture() || game.is_loud(&report.turn) || game.is_known_ending(stronger);
        if score.abs() <= MAX_SCORE && !is_uninformative {
            records.push(Record::new(&Placement::of(&game.position), side, score as i16, number));
        }
        game.play(&report.turn);
    };
    let winner = match end {
        GameEnd::Won(winner) => Some(winner),
        GameEnd::Drawn => None,
        GameEnd::Undecided => ahead.leader(AHEAD_PLIES),
    };
    for record in &mut records {
        record.set_result(winner.map_or(1, |winner| 2 * u8::from(winner == record.side_to_move())));
    }
    Played { number, plies: game.history.len() as u32, records }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_counted_until_it_is_lost() {
        let mut lead = Lead::default();
        for _ in 0..7 {
            lead.note(650, AHEAD);
            assert_eq!(lead.leader(AHEAD_PLIES), None);
        }
        lead.note(600, AHEAD);
        assert_eq!(lead.leader(AHEAD_PLIES), Some(Color::White));
        lead.note(-600, AHEAD);
        assert_eq!(lead.leader(AHEAD_PLIES), None);
        for _ in 0..7 {
            lead.note(-900, AHEAD);
        }
        assert_eq!(lead.leader(AHEAD_PLIES), Some(Color::Black));
        lead.note(599, AHEAD);
        assert_eq!(lead.leader(1), None);
    }
}
