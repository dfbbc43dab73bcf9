//! Whether what stands in a PGN can be played: shared by all that read games.

use std::{mem, ops::ControlFlow};

use adoube_rules::{AnyPosition, Position, Turn, Variant, coordinate, with_position};

use super::{
    explicit,
    game::GameProblem,
    tag::{DERIVED, GameResult},
};
use crate::san;

/// Plays a game while it is read, and keeps its first problem.
#[derive(Debug, Default)]
pub(super) struct Replay {
    variant: Option<(usize, String)>,
    fen: Option<(usize, String)>,
    result: Option<GameResult>,
    start: Option<AnyPosition>,
    /// The line that is read now, and those that it interrupts.
    line: Option<Line>,
    interrupted: Vec<Line>,
    /// The turns of the main line.
    turns: Vec<Turn>,
    /// The same turns, as the second block says them, and where they lead.
    explicit: Vec<Turn>,
    explicit_at: Option<AnyPosition>,
    /// The line of the last of them.
    explicit_line: usize,
    explicit_failed: bool,
    problem: Option<(usize, GameProblem)>,
}

/// One line of play.
#[derive(Debug)]
struct Line {
    /// The position before the last turn, from which a variation begins.
    before: AnyPosition,
    position: AnyPosition,
}

/// What has been read of a game.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) start: Option<AnyPosition>,
    pub(super) turns: Vec<Turn>,
    /// Whether the turns come from the second block because the first could not be read.
    pub(super) second_block: bool,
    pub(super) result: GameResult,
    pub(super) problem: Option<(usize, GameProblem)>,
}

impl Replay {
    /// The first problem is the one to tell: the others often follow from it.
    pub(super) fn note(&mut self, line: usize, problem: GameProblem) {
        self.problem.get_or_insert((line, problem));
    }

    /// Reads a tag; returns whether it says what a game holds otherwise than as a tag.
    pub(super) fn tag(&mut self, line: usize, name: &str, value: &str) -> bool {
        match name {
            "Variant" => self.variant = Some((line, value.to_owned())),
            // vchess does not write it in capitals.
            "FEN" | "Fen" => self.fen = Some((line, value.to_owned())),
            "Result" => {
                self.result = if value == "1/2" { Some(GameResult::Draw) } else { value.parse().ok() };
            }
            _ => return DERIVED.contains(&name),
        }
        true
    }

    pub(super) fn begin_movetext(&mut self) -> ControlFlow<()> {
        let variant = match &self.variant {
            None => Variant::Chess,
            Some((line, name)) => {
                let Some(variant) = variant_of_tag(name) else {
                    let (line, name) = (*line, name.clone());
                    self.note(line, GameProblem::Variant(name));
                    return ControlFlow::Break(());
                };
                variant
            }
        };
        let start = match &self.fen {
            None => AnyPosition::initial(variant),
            Some((line, fen)) => match AnyPosition::from_fen(variant, fen) {
                Ok(position) => position,
                Err(error) => {
                    let line = *line;
                    self.note(line, GameProblem::Fen(error));
                    return ControlFlow::Break(());
                }
            },
        };
        self.line = Some(Line { before: start.clone(), position: start.clone() });
        self.start = Some(start);
        ControlFlow::Continue(())
    }

    /// Plays a turn of the line that is read now.
    pub(super) fn turn(&mut self, line: usize, text: &str) -> ControlFlow<(), Turn> {
        let Some(at) = &mut self.line else { return ControlFlow::Break(()) };
        // Castling in coordinates is no SAN, and several programs write it.
        let read = with_position!(&at.position, position => {
            san::parse(position, text).or_else(|error| coordinate::parse(position, text).map_err(|_| error))
        });
        match read {
            Ok(turn) => {
                at.before.clone_from(&at.position);
                at.position.play_turn_unchecked(&turn);
                if self.interrupted.is_empty() {
                    self.turns.push(turn.clone());
                }
                ControlFlow::Continue(turn)
            }
            Err(error) => {
                let number = self.turns.len() + usize::from(self.interrupted.is_empty());
                self.note(line, GameProblem::Turn { number: number.max(1), error });
                ControlFlow::Break(())
            }
        }
    }

    /// Plays a turn of the second block.
    pub(super) fn explicit_turn(&mut self, line: usize, text: &str) {
        let Some(start) = self.start.as_ref().filter(|_| !self.explicit_failed) else { return };
        self.explicit_line = line;
        let position = self.explicit_at.get_or_insert_with(|| start.clone());
        if let Some(turn) = with_position!(&*position, position => explicit::parse(position, text)) {
            position.play_turn_unchecked(&turn);
            self.explicit.push(turn);
        } else {
            self.explicit_failed = true;
            let problem = GameProblem::Explicit {
                number: self.explicit.len() + 1,
                text: text.chars().take(80).collect(),
            };
            self.note(line, problem);
        }
    }

    /// Begins a variation on the last turn.
    pub(super) fn begin_variation(&mut self) -> ControlFlow<()> {
        let Some(at) = &self.line else { return ControlFlow::Break(()) };
        let line = Line { before: at.before.clone(), position: at.before.clone() };
        self.interrupted.extend(self.line.replace(line));
        ControlFlow::Continue(())
    }

    pub(super) fn end_variation(&mut self) {
        if let Some(line) = self.interrupted.pop() {
            self.line = Some(line);
        }
    }

    pub(super) fn result(&mut self, result: GameResult) {
        // A game without a result at its end may still have it in its tag.
        if result != GameResult::Unknown {
            self.result = Some(result);
        }
    }

    /// Forgets a game, but not the room that it took.
    pub(super) fn clear(&mut self) {
        let mut turns = mem::take(&mut self.turns);
        turns.clear();
        *self = Self { turns, ..Self::default() };
    }

    /// Gives room for the turns of the next game.
    pub(super) fn reuse(&mut self, turns: Vec<Turn>) {
        self.turns = turns;
    }

    /// Returns what has been read, and forgets it.
    pub(super) fn finish(&mut self) -> Replayed {
        let Self { start, turns, explicit, explicit_line, explicit_failed, mut problem, result, .. } =
            mem::take(self);
        // The first block does not say which of several men moves; the second says all.
        let second_block = !explicit_failed
            && turns.len() < explicit.len()
            && explicit.starts_with(&turns)
            && matches!(&problem, Some((_, GameProblem::Turn { .. })));
        if second_block {
            problem = None;
        } else if problem.is_none() && !explicit.is_empty() && explicit != turns {
            let same = turns.iter().zip(&explicit).take_while(|(one, other)| one == other).count();
            problem = Some((explicit_line, GameProblem::BlocksDiffer { number: same + 1 }));
        }
        let turns = if second_block { explicit } else { turns };
        Replayed { start, turns, second_block, result: result.unwrap_or_default(), problem }
    }
}

/// Returns the game that a tag `Variant` names, if it is one of ours.
pub fn variant_of_tag(name: &str) -> Option<Variant> {
    // What the large collections write for orthodox chess.
    const ORTHODOX: [&str; 7] =
        ["", "chess", "chess960", "fischerandom", "from position", "orthodox", "standard"];
    let name = name.trim().to_lowercase();
    match name.as_str() {
        "baroque" | "ultima" => Some(Variant::Baroque),
        "interweave" => Some(Variant::Interweave),
        name => ORTHODOX.contains(&name).then_some(Variant::Chess),
    }
}
