//! The drills of a variant: small tasks on one position each, with answers that are checked against the
//! rules.

use std::{collections::BTreeSet, fmt, str::FromStr, sync::LazyLock};

use adoube_rules::{
    AnyPosition, DrawRules, Outcome, Position, Role, Square, SquareSet, Turn, Variant, coordinate,
    explain::{self, Legal, Reason, Way, outcome_clause},
};
use adoube_winnable::Effort;
use serde::Deserialize;
use thiserror::Error;

/// A drill.
#[derive(Clone, Debug)]
pub struct Drill {
    /// Its name within its variant. Its texts are the messages `drill-GAME-NAME-…`.
    pub name: String,
    /// The man or the mechanism that it teaches.
    pub group: String,
    /// The clause of the rules that it teaches.
    pub clause: String,
    /// The position before the turns of `before`.
    pub start: AnyPosition,
    /// Turns in coordinates that are played before the learner's first turn.
    pub before: Vec<String>,
    /// The goal.
    pub goal: Goal,
    /// All answers: turns in coordinates, squares, or `yes` or `no`, depending on the goal. In a drill of
    /// several turns, the only turn that forces the goal.
    pub solutions: Vec<String>,
    /// The stages after the first turn; empty in a drill with one answer.
    pub then: Vec<Stage>,
}

/// A later stage of a drill of several turns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The reply of the opponent, in coordinates.
    pub reply: String,
    /// All answers to the reply, in coordinates.
    pub solutions: Vec<String>,
}

/// A small game against the machine that practises one man or mechanism.
#[derive(Clone, Debug)]
pub struct Practice {
    /// The group of drills that it belongs to.
    pub group: String,
    /// The position from which it is played. The learner plays the side to move.
    pub start: AnyPosition,
}

/// The goal of a drill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// `takes c5 d4`: a turn that captures exactly these men.
    Takes(SquareSet),
    /// `most`: a turn that captures as many men as any turn can.
    Most,
    /// `ends C16`: a turn after which the game is over by this clause.
    Ends(String),
    /// `wins`: a turn that wins the game for the side that plays it.
    Wins,
    /// `parries`, `parries king`, `parries taking`, `parries between`: a turn that parries the check, in this
    /// way.
    Parries(Option<Parry>),
    /// `checks`: a turn that gives check.
    Checks,
    /// `castles`.
    Castles,
    /// `passes`: a turn that captures a pawn en passant.
    Passes,
    /// `promotes N`: a turn that promotes a pawn to this man.
    Promotes(Role),
    /// `frees e4`: a turn after which the man on this square is no longer frozen.
    Frees(Square),
    /// `freezes e4`: a turn after which the man on this square is frozen.
    Freezes(Square),
    /// `dies`: a turn after which neither side can win by any sequence of turns.
    Dies,
    /// `repeats`: a turn after which a position occurs for the third time.
    Repeats,
    /// `avoids`: a turn after which no position occurs for the third time.
    Avoids,
    /// `moves e1`: the destinations of the legal steps of this man.
    Moves(Square),
    /// `dead`: whether neither side can win by any sequence of turns.
    Dead,
    /// `over C18`: whether the game is over by this clause.
    Over(String),
    /// `legal e5d6`: whether this step is legal.
    Legal(Square, Square),
}

/// The ways to parry a check (C12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parry {
    /// The king moves.
    King,
    /// A man other than the king captures the checking man.
    Taking,
    /// Any other way, for instance by stepping between.
    Between,
}

/// The form of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerForm {
    /// A turn on the board.
    Turn,
    /// A set of squares, which must be complete.
    Squares,
    /// Yes or no.
    Choice,
}

/// The reason why the drills of a variant cannot be used. They are part of the program, so this is only seen
/// in tests.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrillError {
    /// The file is not TOML, or lacks a field.
    #[error("the drills cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
    /// The position, a turn before it, or the goal cannot be read.
    #[error("{name}: {reason}")]
    Written {
        /// The drill.
        name: String,
        /// The problem.
        reason: String,
    },
    /// The file does not list the answers that are right by the rules.
    #[error("{name}, turn {number}: {goal:?} has the answers {found:?}, not {listed:?}")]
    Answers {
        /// The drill.
        name: String,
        /// The number of the learner's turn, starting from 1.
        number: usize,
        /// The goal.
        goal: Goal,
        /// The answers by the rules.
        found: Vec<String>,
        /// The answers in the file.
        listed: Vec<String>,
    },
    /// Every possible answer is right.
    #[error("{0}: every answer is right")]
    Trivial(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    drill: Vec<Written>,
    #[serde(default)]
    practice: Vec<WrittenPractice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPractice {
    group: String,
    fen: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    group: String,
    clause: String,
    fen: String,
    #[serde(default)]
    before: Vec<String>,
    goal: String,
    solutions: Vec<String>,
    #[serde(default)]
    then: Vec<Stage>,
}

/// Returns the drills of a variant, in the order of learning.
pub fn drills(variant: Variant) -> &'static [Drill] {
    static DRILLS: LazyLock<[Vec<Drill>; Variant::COUNT]> = LazyLock::new(|| {
        // A test reads every file.
        Variant::ALL.map(|variant| read(variant, source(variant)).unwrap_or_default())
    });
    &DRILLS[variant.index()]
}

/// Returns the small games of a variant, at most one for each group of drills.
pub fn practices(variant: Variant) -> &'static [Practice] {
    static PRACTICES: LazyLock<[Vec<Practice>; Variant::COUNT]> = LazyLock::new(|| {
        // A test reads every file.
        Variant::ALL.map(|variant| read_practices(variant, source(variant)).unwrap_or_default())
    });
    &PRACTICES[variant.index()]
}

const fn source(variant: Variant) -> &'static str {
    adoube_content::of!(variant, "drills.toml")
}

/// Reads the drills of a variant without checking their answers.
fn read(variant: Variant, text: &str) -> Result<Vec<Drill>, DrillError> {
    let File { drill, .. } = toml::from_str(text)?;
    drill.into_iter().map(|written| Drill::of(variant, written)).collect()
}

/// Reads the small games of a variant.
fn read_practices(variant: Variant, text: &str) -> Result<Vec<Practice>, DrillError> {
    let File { practice, .. } = toml::from_str(text)?;
    let read = |WrittenPractice { group, fen }| match AnyPosition::from_fen(variant, &fen) {
        Ok(start) => Ok(Practice { group, start }),
        Err(error) => Err(DrillError::Written { name: group, reason: error.to_string() }),
    };
    practice.into_iter().map(read).collect()
}

impl Drill {
    fn of(variant: Variant, written: Written) -> Result<Self, DrillError> {
        let Written { name, group, clause, fen, before, goal, solutions, then } = written;
        let wrong = |reason: String| DrillError::Written { name: name.clone(), reason };
        let start = AnyPosition::from_fen(variant, &fen).map_err(|error| wrong(error.to_string()))?;
        let goal = Goal::read(variant, &goal).ok_or_else(|| wrong(format!("{goal:?} is not a goal")))?;
        let drill = Self { name: name.clone(), group, clause, start, before, goal, solutions, then };
        if !drill.then.is_empty() && drill.goal.answer_form() != AnswerForm::Turn {
            return Err(wrong("only a turn can be followed by further stages".to_owned()));
        }
        drill.try_positions(drill.then.len()).map_err(wrong)?;
        Ok(drill)
    }

    /// Returns the position of the first question.
    pub fn position(&self) -> AnyPosition {
        self.positions(0).pop().unwrap_or_else(|| self.start.clone())
    }

    /// Returns all positions up to the one before the learner's turn with this index, starting from 0.
    fn positions(&self, stage: usize) -> Vec<AnyPosition> {
        self.try_positions(stage).unwrap_or_default()
    }

    fn try_positions(&self, stage: usize) -> Result<Vec<AnyPosition>, String> {
        let mut positions = vec![self.start.clone()];
        let mut at = self.start.clone();
        let earlier = std::iter::once(&self.solutions).chain(self.then.iter().map(|stage| &stage.solutions));
        let line = earlier.zip(&self.then).take(stage).flat_map(|(solutions, stage)| {
            // Stages before the last have one answer; `confirm` checks that.
            [solutions.first().map_or("", String::as_str), stage.reply.as_str()]
        });
        for text in self.before.iter().map(String::as_str).chain(line) {
            let turn = coordinate::parse(&at, text).map_err(|error| error.to_string())?;
            at.play_turn_unchecked(&turn);
            positions.push(at.clone());
        }
        Ok(positions)
    }

    /// Computes all answers to the first question by the rules, sorted.
    pub fn answers(&self) -> Vec<String> {
        self.answers_at(0)
    }

    /// Computes all answers to the learner's turn with this index by the rules.
    fn answers_at(&self, stage: usize) -> Vec<String> {
        let positions = self.positions(stage);
        let Some(position) = positions.last().cloned() else { return Vec::new() };
        let choice = |is: bool| vec![if is { "yes" } else { "no" }.to_owned()];
        match &self.goal {
            Goal::Moves(from) => {
                let steps = position.legal_steps();
                let ends = steps.iter().filter(|step| step.from() == *from);
                let squares: SquareSet = ends.map(|&step| position.destination(step)).collect();
                squares.into_iter().map(|square| square.to_string()).collect()
            }
            Goal::Dead => choice(is_dead(&position)),
            Goal::Over(clause) => choice(is_over_by(&position, clause)),
            Goal::Legal(from, to) => choice(explain::step(&position, *from, *to, None).is_ok()),
            goal => {
                let more = self.then.len().saturating_sub(stage);
                let turns = goal.ways(&positions, more);
                let met = turns.iter();
                let texts: BTreeSet<String> = met.map(|turn| coordinate::write(&position, turn)).collect();
                texts.into_iter().collect()
            }
        }
    }

    /// Checks by the rules that the listed answers are complete, and that some answers are wrong.
    pub fn confirm(&self) -> Result<(), DrillError> {
        let stages = std::iter::once(&self.solutions).chain(self.then.iter().map(|stage| &stage.solutions));
        for (stage, solutions) in stages.enumerate() {
            self.confirm_at(stage, solutions)?;
        }
        Ok(())
    }

    fn confirm_at(&self, stage: usize, solutions: &[String]) -> Result<(), DrillError> {
        let found = self.answers_at(stage);
        let mut listed = solutions.to_vec();
        listed.sort();
        let mut sorted = found.clone();
        sorted.sort();
        if found.is_empty() || sorted != listed {
            let (name, goal) = (self.name.clone(), self.goal.clone());
            return Err(DrillError::Answers { name, number: stage + 1, goal, found, listed });
        }
        let wrong = |reason: &str| DrillError::Written { name: self.name.clone(), reason: reason.to_owned() };
        if stage < self.then.len() {
            if listed.len() > 1 {
                return Err(wrong("a stage before the last needs exactly one answer"));
            }
            if !self.goal.ways(&self.positions(stage), 0).is_empty() {
                return Err(wrong("the goal is reached before the last turn"));
            }
        }
        let is_turn = self.goal.answer_form() == AnswerForm::Turn;
        // In check, wrong turns are illegal.
        let parries = matches!(self.goal, Goal::Parries(_));
        let legal = || self.positions(stage).last().map_or(0, |position| position.legal_turns().len());
        if is_turn && !parries && found.len() == legal() {
            return Err(DrillError::Trivial(self.name.clone()));
        }
        Ok(())
    }
}

impl Goal {
    fn read(variant: Variant, text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Some(match words.as_slice() {
            ["takes", squares @ ..] if !squares.is_empty() => {
                let squares = squares.iter().map(|word| word.parse().ok());
                Self::Takes(squares.collect::<Option<Vec<Square>>>()?.into_iter().collect())
            }
            ["most"] => Self::Most,
            ["ends", clause] => Self::Ends((*clause).to_owned()),
            ["wins"] => Self::Wins,
            ["parries"] => Self::Parries(None),
            ["parries", "king"] => Self::Parries(Some(Parry::King)),
            ["parries", "taking"] => Self::Parries(Some(Parry::Taking)),
            ["parries", "between"] => Self::Parries(Some(Parry::Between)),
            ["checks"] => Self::Checks,
            ["castles"] => Self::Castles,
            ["passes"] => Self::Passes,
            ["promotes", letter] => {
                let letter = letter.chars().next()?;
                Self::Promotes(variant.roles().iter().find(|info| info.letter == letter)?.role)
            }
            ["frees", square] => Self::Frees(square.parse().ok()?),
            ["freezes", square] => Self::Freezes(square.parse().ok()?),
            ["dies"] => Self::Dies,
            ["repeats"] => Self::Repeats,
            ["avoids"] => Self::Avoids,
            ["moves", square] => Self::Moves(square.parse().ok()?),
            ["dead"] => Self::Dead,
            ["over", clause] => Self::Over((*clause).to_owned()),
            ["legal", step] if step.len() == 4 && step.is_ascii() => {
                Self::Legal(Square::from_str(&step[..2]).ok()?, Square::from_str(&step[2..]).ok()?)
            }
            _ => return None,
        })
    }

    /// Returns the form of its answers.
    pub const fn answer_form(&self) -> AnswerForm {
        match self {
            Self::Moves(_) => AnswerForm::Squares,
            Self::Dead | Self::Over(_) | Self::Legal(..) => AnswerForm::Choice,
            _ => AnswerForm::Turn,
        }
    }

    /// Returns its stable name, by which the web page finds the text for a wrong answer.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Takes(_) => "takes",
            Self::Most => "most",
            Self::Ends(_) | Self::Wins => "ends",
            Self::Parries(_) => "parries",
            Self::Checks => "checks",
            Self::Castles => "castles",
            Self::Passes => "passes",
            Self::Promotes(_) => "promotes",
            Self::Frees(_) => "frees",
            Self::Freezes(_) => "freezes",
            Self::Dies => "dies",
            Self::Repeats => "repeats",
            Self::Avoids => "avoids",
            Self::Moves(_) => "moves",
            Self::Dead => "dead",
            Self::Over(_) => "over",
            Self::Legal(..) => "legal",
        }
    }

    /// Returns the square of the man that the question is about, if any.
    pub const fn man(&self) -> Option<Square> {
        match self {
            Self::Frees(square) | Self::Freezes(square) | Self::Moves(square) | Self::Legal(square, _) => {
                Some(*square)
            }
            _ => None,
        }
    }

    /// Returns the legal turns in the last of these positions that reach the goal, or after which it can be
    /// forced within `more` turns. The search is exhaustive, for small positions only.
    fn ways(&self, positions: &[AnyPosition], more: usize) -> Vec<Turn> {
        let Some(position) = positions.last() else { return Vec::new() };
        let turns = position.legal_turns();
        let max = turns.iter().map(|turn| taken(position, turn).len()).max().unwrap_or(0);
        let does = |turn: &Turn| {
            self.is_met(position, turn, positions, max) || (more > 0 && self.is_forced(positions, turn, more))
        };
        turns.into_iter().filter(does).collect()
    }

    /// Returns `true` if the goal can be forced within `more` turns after a turn.
    fn is_forced(&self, positions: &[AnyPosition], turn: &Turn, more: usize) -> bool {
        let Some(position) = positions.last() else { return false };
        let mut after = position.clone();
        after.play_turn_unchecked(turn);
        if after.outcome(DrawRules::Club).is_some() {
            return false;
        }
        let mut line = positions.to_vec();
        line.push(after.clone());
        let replies = after.legal_turns();
        !replies.is_empty()
            && replies.iter().all(|reply| {
                let mut next = after.clone();
                next.play_turn_unchecked(reply);
                line.push(next);
                let can = !self.ways(&line, more - 1).is_empty();
                line.pop();
                can
            })
    }

    /// Returns `true` if a legal turn reaches the goal. `before` contains all positions of the game,
    /// including this one; `max` is the largest number of men that a turn captures.
    fn is_met(&self, position: &AnyPosition, turn: &Turn, before: &[AnyPosition], max: usize) -> bool {
        let mut after = position.clone();
        after.play_turn_unchecked(turn);
        let legal = || explain::turn(position, turn).unwrap_or_default();
        match self {
            Self::Takes(squares) => taken(position, turn) == *squares,
            Self::Most => max > 0 && taken(position, turn).len() == max,
            Self::Ends(clause) => is_over_by(&after, clause),
            Self::Wins => {
                after.outcome(DrawRules::Club).and_then(Outcome::winner) == Some(position.side_to_move())
            }
            Self::Parries(how) => {
                position.is_check() && how.is_none_or(|how| Some(how) == parry(position, turn, &legal()))
            }
            Self::Checks => after.is_check(),
            Self::Castles => legal().iter().any(|legal| legal.castling.is_some()),
            Self::Passes => legal()
                .iter()
                .flat_map(|legal| &legal.takings)
                .any(|taking| matches!(taking.way, Way::EnPassant { .. })),
            Self::Promotes(role) => turn.steps().iter().any(|step| step.promotion() == Some(*role)),
            Self::Frees(square) => is_frozen(position, *square) && !is_frozen(&after, *square),
            Self::Freezes(square) => !is_frozen(position, *square) && is_frozen(&after, *square),
            Self::Dies => !is_dead(position) && is_dead(&after),
            Self::Repeats => is_third_occurrence(before, &after),
            Self::Avoids => !is_third_occurrence(before, &after),
            Self::Moves(_) | Self::Dead | Self::Over(_) | Self::Legal(..) => false,
        }
    }
}

/// Returns `true` if a position occurs for the third time after the positions of a game.
fn is_third_occurrence(before: &[AnyPosition], position: &AnyPosition) -> bool {
    before.iter().filter(|earlier| earlier.key() == position.key()).count() >= 2
}

fn is_dead(position: &AnyPosition) -> bool {
    adoube_winnable::is_dead(position, Effort::Full { nodes: 1_000_000 })
}

fn is_over_by(position: &AnyPosition, clause: &str) -> bool {
    let end = position.outcome(DrawRules::Club);
    end.is_some_and(|end| outcome_clause(end, position.variant()) == clause)
}

/// Returns `true` if there is a frozen man on a square.
fn is_frozen(position: &AnyPosition, square: Square) -> bool {
    let freezes = |reason: &Reason| {
        matches!(reason, Reason::FrozenByImmobilizer { .. } | Reason::FrozenByChameleon { .. })
    };
    explain::man(position, square).is_some_and(|about| about.holds.iter().any(freezes))
}

/// Returns the way in which a legal turn parries a check.
fn parry(position: &AnyPosition, turn: &Turn, legal: &[Legal]) -> Option<Parry> {
    let step = turn.steps().first()?;
    if position.checked_kings().contains(step.from()) {
        return Some(Parry::King);
    }
    let checking = explain::position(position, DrawRules::Club).checks;
    let takes = |square: Square| {
        legal.iter().flat_map(|legal| &legal.takings).any(|taking| taking.victim.square == square)
    };
    Some(if checking.iter().any(|check| takes(check.by.square)) { Parry::Taking } else { Parry::Between })
}

/// Returns the men that all steps of a legal turn take.
fn taken(position: &AnyPosition, turn: &Turn) -> SquareSet {
    let mut at = position.clone();
    let mut taken = SquareSet::EMPTY;
    for &step in turn.steps() {
        taken |= at.taken(step);
        at.play_unchecked(step);
    }
    taken
}

impl fmt::Display for Drill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests;
