//! Replays the turns of a PGN game; shared by all visitors that check legality.

use std::{mem, ops::ControlFlow};

use adoube_rules::{AnyPosition, Position, Turn, Variant, coordinate, with_position};

use super::{
    explicit,
    game::{GameProblem, Limit, Warning, Warnings},
    signs,
    tag::{CHESS960, DERIVED, GameResult, MAX_TAG_VALUE, Tags, result_of_tag, truncate},
};
use crate::san;

/// A game that is played while it is read, with its first problem.
#[derive(Debug, Default)]
pub(super) struct Replay {
    variant: Option<(usize, String)>,
    fen: Option<(usize, String)>,
    result: Option<GameResult>,
    /// The text of the `Result` tag, if it is not a result.
    invalid_result: Option<(usize, String)>,
    /// Whether the `Variant` tag names a shuffled start.
    is_chess960: bool,
    start: Option<AnyPosition>,
    /// The line being read, and the lines that it interrupts.
    line: Option<ReplayLine>,
    interrupted: Vec<ReplayLine>,
    /// The turns of the main line.
    turns: Vec<Turn>,
    /// The turns in the second block, and the position after them.
    explicit: Vec<Turn>,
    explicit_at: Option<AnyPosition>,
    /// The line number of the last turn in the second block.
    explicit_line: usize,
    explicit_failed: bool,
    problem: Option<(usize, GameProblem)>,
    /// The first warning that turns of a variation were left out, even if it is omitted from the warnings.
    first_cut: Option<Warning>,
    warnings: Warnings,
}

/// A line of play.
#[derive(Debug)]
struct ReplayLine {
    /// The position before the last turn, from which a variation begins.
    before: AnyPosition,
    position: AnyPosition,
}

/// The part of a game that was read.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) start: Option<AnyPosition>,
    pub(super) turns: Vec<Turn>,
    /// Whether the turns come from the second block because the first could not be read.
    pub(super) second_block: bool,
    pub(super) result: GameResult,
    pub(super) problem: Option<(usize, GameProblem)>,
    /// The first warning that turns of a variation were left out. It is also stored or counted in the
    /// warnings.
    pub(super) first_cut: Option<Warning>,
    pub(super) warnings: Warnings,
}

impl Replay {
    /// Stores a problem. If several problems are not harmless, only the first is reported, because the others
    /// often follow from it.
    pub(super) fn note(&mut self, line: usize, problem: GameProblem) {
        if problem.is_harmless() {
            if self.first_cut.is_none() && problem.cuts_variation() {
                self.first_cut = Some(Warning { line, problem: problem.clone() });
            }
            // Each limit is reported once.
            let limit = |warning: &Warning| {
                matches!(warning.problem, GameProblem::TooMuch(_)) && warning.problem == problem
            };
            if !self.warnings.first.iter().any(limit) {
                self.warnings.push(line, problem);
            }
        } else {
            self.problem.get_or_insert((line, problem));
        }
    }

    /// Reads a tag. Variant, start position and result are stored here, other tags in the list.
    pub(super) fn tag(&mut self, line: usize, name: &str, value: &str, tags: &mut Tags) {
        if value.len() > MAX_TAG_VALUE {
            self.note(line, GameProblem::TooMuch(Limit::TagValue));
        }
        let value = truncate(value, MAX_TAG_VALUE);
        match name {
            "Variant" => {
                self.is_chess960 = is_chess960(value);
                self.variant = Some((line, value.to_owned()));
            }
            // vchess writes `Fen`.
            "FEN" | "Fen" => self.fen = Some((line, value.to_owned())),
            "Result" => {
                self.result = result_of_tag(value);
                self.invalid_result = self.result.is_none().then(|| (line, value.to_owned()));
            }
            _ if DERIVED.contains(&name) => {}
            _ if tags.is_full() => self.note(line, GameProblem::TooMuch(Limit::Tags)),
            // This cannot fail: the reader passes only names that `set` accepts, and there is room.
            _ => drop(tags.set(name, value)),
        }
    }

    pub(super) fn begin_movetext(&mut self, tags: &mut Tags) -> ControlFlow<()> {
        let variant = match &self.variant {
            None => Variant::DEFAULT,
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
            Some((line, fen)) => match AnyPosition::from_fen_lenient(variant, fen) {
                Ok((position, repairs)) => {
                    let line = *line;
                    for repair in repairs {
                        self.note(line, GameProblem::FenRepair(repair));
                    }
                    position
                }
                Err(error) => {
                    let line = *line;
                    self.note(line, GameProblem::Fen(error));
                    return ControlFlow::Break(());
                }
            },
        };
        // If the castling rights do not show that the start was shuffled, only the tag does.
        if self.is_chess960 && !start.castles_onto_rook() && !tags.is_full() {
            drop(tags.set("Variant", CHESS960));
        }
        self.line = Some(ReplayLine { before: start.clone(), position: start.clone() });
        self.start = Some(start);
        ControlFlow::Continue(())
    }

    /// Plays a turn of the line being read and returns it, or `None` if the text turns out to be a result. A
    /// turn that cannot be played ends its line, that is, the game or a variation.
    pub(super) fn turn(&mut self, line: usize, text: &str) -> ControlFlow<(), Option<Turn>> {
        let Some(at) = &mut self.line else { return ControlFlow::Break(()) };
        let is_main = self.interrupted.is_empty();
        let number = (self.turns.len() + usize::from(is_main)).max(1);
        let error = if signs::is_null(text) {
            match at.position.after_null_move() {
                Some(after) => {
                    at.before = mem::replace(&mut at.position, after);
                    let turn = Turn::empty();
                    if is_main {
                        self.turns.push(turn.clone());
                    }
                    return ControlFlow::Continue(Some(turn));
                }
                None => GameProblem::NullMove { number },
            }
        } else {
            // Castling in coordinate notation is not SAN, but several programs write it.
            let read = with_position!(&at.position, position => {
                san::parse(position, text).or_else(|error| coordinate::parse(position, text).map_err(|_| error))
            });
            match read {
                Ok(turn) => {
                    at.before.clone_from(&at.position);
                    at.position.play_turn_unchecked(&turn);
                    if is_main {
                        self.turns.push(turn.clone());
                    }
                    return ControlFlow::Continue(Some(turn));
                }
                Err(error) => GameProblem::Turn { number, error },
            }
        };
        // If the text in the `Result` tag is not a standard result, `0-0` is not castling here but means that
        // both sides have lost.
        if is_main
            && text.bytes().all(|byte| matches!(byte, b'0' | b'-' | b' '))
            && self.invalid_result.is_some()
        {
            return ControlFlow::Continue(None);
        }
        self.note(line, if is_main { error } else { GameProblem::CutVariation(Box::new(error)) });
        ControlFlow::Break(())
    }

    /// Plays a turn in the second block.
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
        let line = ReplayLine { before: at.before.clone(), position: at.before.clone() };
        self.interrupted.extend(self.line.replace(line));
        ControlFlow::Continue(())
    }

    pub(super) fn end_variation(&mut self) {
        if let Some(line) = self.interrupted.pop() {
            self.line = Some(line);
        }
    }

    pub(super) fn result(&mut self, result: GameResult) {
        // A game that ends with `*` may still have a result in its tag.
        if result != GameResult::Unknown {
            self.result = Some(result);
        }
    }

    /// Clears the game, but keeps its memory.
    pub(super) fn clear(&mut self) {
        let mut turns = mem::take(&mut self.turns);
        turns.clear();
        *self = Self { turns, ..Self::default() };
    }

    /// Reuses a list's memory for the turns of the next game.
    pub(super) fn reuse(&mut self, turns: Vec<Turn>) {
        self.turns = turns;
    }

    /// Returns the game read so far, and resets the state for the next game.
    pub(super) fn finish(&mut self) -> Replayed {
        if self.result.is_none()
            && let Some((line, text)) = self.invalid_result.take()
        {
            self.note(line, GameProblem::Result(truncate(&text, 80).to_owned()));
        }
        let Self {
            start,
            turns,
            explicit,
            explicit_line,
            explicit_failed,
            mut problem,
            result,
            first_cut,
            warnings,
            ..
        } = mem::take(self);
        // The first block does not specify which of several men moves. The second one is complete.
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
        let result = result.unwrap_or_default();
        Replayed { start, turns, second_block, result, problem, first_cut, warnings }
    }
}

/// Plays a turn of a game that was read. A turn without steps is a null move: the opponent is to move, and
/// the right to capture en passant is lost.
pub fn play(position: &mut AnyPosition, turn: &Turn) {
    if turn.steps().is_empty() {
        if let Some(after) = position.after_null_move() {
            *position = after;
        }
    } else {
        position.play_turn_unchecked(turn);
    }
}

/// Returns the variant that a `Variant` tag names, if it is supported.
pub fn variant_of_tag(name: &str) -> Option<Variant> {
    let name = plain(name);
    // A value that means "unknown" in PGN, or chess from a shuffled start.
    if matches!(&*name, "" | "?" | "-") || is_chess960(&name) {
        return Some(Variant::DEFAULT);
    }
    Variant::ALL.into_iter().find(|variant| variant.info().pgn_aliases.contains(&&*name))
}

/// Returns `true` if a `Variant` tag names chess from one of the 960 start positions.
fn is_chess960(name: &str) -> bool {
    const NAMES: [&str; 9] = [
        "960",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischerrandomchess",
        "fischerandomchess",
        "freestyle",
        "freestylechess",
        "frc",
    ];
    NAMES.contains(&plain(name).as_str())
}

/// Returns a name in lower case, without separators between its words.
fn plain(name: &str) -> String {
    let name = name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '.')).take(32);
    let name: String = name.flat_map(char::to_lowercase).collect();
    if name == "-" { name } else { name.replace('-', "") }
}
