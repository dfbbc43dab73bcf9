//! The drills of a variant, which are small tasks, and its small games for practice. The answers to the
//! drills are checked against the rules.

mod goal;

use std::{collections::BTreeSet, fmt, sync::LazyLock};

use adoube_rules::{AnyPosition, Position, SquareSet, Variant, coordinate, explain};
use serde::Deserialize;
use thiserror::Error;

pub use self::goal::{AnswerForm, Goal, Parry};
use self::goal::{is_dead, is_over_under};

/// A drill.
#[derive(Clone, Debug)]
pub struct Drill {
    /// The name of the drill within its variant. Its title, task, hint and explanation are the messages
    /// `drill-GAME-NAME-…`.
    pub name: String,
    /// The man or the mechanism that the drill teaches.
    pub group: String,
    /// The difficulty, relative to the other drills of the group.
    pub difficulty: Difficulty,
    /// Whether a newcomer may skip it because it is not part of the 45-minute path.
    pub optional: bool,
    /// The clause of the rules that the drill teaches.
    pub clause: String,
    /// The position in which the first turn of `before` is played.
    pub start: AnyPosition,
    /// Turns in coordinate notation that are played before the learner's first turn.
    pub before: Vec<String>,
    /// The goal.
    pub goal: Goal,
    /// All answers: turns in coordinate notation, squares, or `yes` or `no`, depending on the goal. In a
    /// drill with several turns, the only turn that forces the goal.
    pub solutions: Vec<String>,
    /// The stages after the first turn; empty in a drill with one turn.
    pub then: Vec<Stage>,
}

/// The difficulty of a drill, relative to the other drills of its group.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "kebab-case")]
pub enum Difficulty {
    /// The rule, applied once.
    Easy,
    /// The rule, with a choice or an obstacle.
    Medium,
    /// An exception, several captures or several turns.
    Hard,
}

impl Difficulty {
    /// Returns the stable name, by which the message `drill-difficulty` selects its text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

/// A later stage of a drill with several turns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The opponent's reply, in coordinate notation.
    pub reply: String,
    /// All answers to the reply, in coordinate notation.
    pub solutions: Vec<String>,
}

/// A small game against the machine for practising one man or mechanism. It is meant for learners who have
/// finished all the lessons, because it can end in any way that a full game can.
#[derive(Clone, Debug)]
pub struct Practice {
    /// The group of drills that the game belongs to.
    pub group: String,
    /// The position from which it is played. The learner plays the side to move.
    pub start: AnyPosition,
}

/// An error in the drills of a variant. The drills are part of the program, so it occurs only in tests.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrillError {
    /// The file is not valid TOML, or a field is missing.
    #[error("the drills cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
    /// The position, the goal or a turn cannot be read, or the stages are not valid.
    #[error("{name}: {reason}")]
    Invalid {
        /// The name of the drill, or the group of the small game.
        name: String,
        /// The problem.
        reason: String,
    },
    /// The listed answers differ from those that are right according to the rules, or no answer is right.
    #[error("{name}, turn {number}: {goal:?} has the answers {found:?}, not {listed:?}")]
    Answers {
        /// The name of the drill.
        name: String,
        /// The number of the learner's turn, starting from 1.
        number: usize,
        /// The goal.
        goal: Goal,
        /// The answers according to the rules.
        found: Vec<String>,
        /// The answers in the file.
        listed: Vec<String>,
    },
    /// Every legal turn is an answer.
    #[error("{0}: every legal turn is an answer")]
    Trivial(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    drill: Vec<RawDrill>,
    #[serde(default)]
    practice: Vec<RawPractice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPractice {
    group: String,
    fen: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDrill {
    name: String,
    group: String,
    difficulty: Difficulty,
    #[serde(default)]
    optional: bool,
    clause: String,
    fen: String,
    #[serde(default)]
    before: Vec<String>,
    goal: String,
    solutions: Vec<String>,
    #[serde(default)]
    then: Vec<Stage>,
}

/// Returns the drills of a variant, in the order in which they are to be solved.
pub fn drills(variant: Variant) -> &'static [Drill] {
    static DRILLS: LazyLock<[Vec<Drill>; Variant::COUNT]> = LazyLock::new(|| {
        // A test checks that every file can be read.
        Variant::ALL.map(|variant| read(variant, source(variant)).unwrap_or_default())
    });
    &DRILLS[variant.index()]
}

/// Returns the small games of a variant, at most one for each group of drills.
pub fn practices(variant: Variant) -> &'static [Practice] {
    static PRACTICES: LazyLock<[Vec<Practice>; Variant::COUNT]> = LazyLock::new(|| {
        // A test checks that every file can be read.
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
    drill.into_iter().map(|raw| Drill::of(variant, raw)).collect()
}

/// Reads the small games of a variant.
fn read_practices(variant: Variant, text: &str) -> Result<Vec<Practice>, DrillError> {
    let File { practice, .. } = toml::from_str(text)?;
    let read = |RawPractice { group, fen }| match AnyPosition::from_fen(variant, &fen) {
        Ok(start) => Ok(Practice { group, start }),
        Err(error) => Err(DrillError::Invalid { name: group, reason: error.to_string() }),
    };
    practice.into_iter().map(read).collect()
}

impl Drill {
    fn of(variant: Variant, raw: RawDrill) -> Result<Self, DrillError> {
        let RawDrill { name, group, difficulty, optional, clause, fen, before, goal, solutions, then } = raw;
        let invalid = |reason: String| DrillError::Invalid { name: name.clone(), reason };
        let start = AnyPosition::from_fen(variant, &fen).map_err(|error| invalid(error.to_string()))?;
        let goal = Goal::read(variant, &goal).ok_or_else(|| invalid(format!("{goal:?} is not a goal")))?;
        let drill = Self {
            name: name.clone(),
            group,
            difficulty,
            optional,
            clause,
            start,
            before,
            goal,
            solutions,
            then,
        };
        if !drill.then.is_empty() && drill.goal.answer_form() != AnswerForm::Turn {
            return Err(invalid("only a turn can be followed by further stages".to_owned()));
        }
        drill.try_positions(drill.then.len()).map_err(invalid)?;
        Ok(drill)
    }

    /// Returns the position of the first question.
    pub fn position(&self) -> AnyPosition {
        self.positions(0).pop().unwrap_or_else(|| self.start.clone())
    }

    /// Returns the positions from the start to the one before the learner's turn with this index, counted
    /// from 0.
    pub(crate) fn positions(&self, stage: usize) -> Vec<AnyPosition> {
        self.try_positions(stage).unwrap_or_default()
    }

    fn try_positions(&self, stage: usize) -> Result<Vec<AnyPosition>, String> {
        let mut positions = vec![self.start.clone()];
        let mut position = self.start.clone();
        let earlier = std::iter::once(&self.solutions).chain(self.then.iter().map(|stage| &stage.solutions));
        let line = earlier.zip(&self.then).take(stage).flat_map(|(solutions, stage)| {
            // Stages before the last have one answer; `confirm` checks that.
            [solutions.first().map_or("", String::as_str), stage.reply.as_str()]
        });
        for text in self.before.iter().map(String::as_str).chain(line) {
            let turn = coordinate::parse(&position, text).map_err(|error| error.to_string())?;
            position.play_turn_unchecked(&turn);
            positions.push(position.clone());
        }
        Ok(positions)
    }

    /// Returns all answers to the first question, computed from the rules, in a fixed order.
    pub fn answers(&self) -> Vec<String> {
        self.answers_at(0)
    }

    /// Returns all answers for the learner's turn with this index, computed from the rules.
    fn answers_at(&self, stage: usize) -> Vec<String> {
        let positions = self.positions(stage);
        let Some(position) = positions.last().cloned() else { return Vec::new() };
        let choice = |holds: bool| vec![if holds { "yes" } else { "no" }.to_owned()];
        match &self.goal {
            Goal::Moves(from) => {
                let steps = position.legal_steps();
                let ends = steps.iter().filter(|step| step.from() == *from);
                let squares: SquareSet = ends.map(|&step| position.destination(step)).collect();
                squares.into_iter().map(|square| square.to_string()).collect()
            }
            Goal::Dead => choice(is_dead(&position)),
            Goal::Over(clause) => choice(is_over_under(&position, clause)),
            Goal::Legal(from, to) => choice(explain::step(&position, *from, *to, None).is_ok()),
            // If the step is illegal, neither answer is right.
            Goal::Captures(from, to) => explain::step(&position, *from, *to, None)
                .map_or_else(|_| Vec::new(), |legal| choice(!legal.takings.is_empty())),
            goal => {
                let more = self.then.len().saturating_sub(stage);
                let turns = goal.solutions(&positions, more);
                let texts: BTreeSet<String> =
                    turns.iter().map(|turn| coordinate::write(&position, turn)).collect();
                texts.into_iter().collect()
            }
        }
    }

    /// Checks that the listed answers are exactly those that are right according to the rules, that not every
    /// legal turn is right (except for parrying), and that each stage before the last has only one answer.
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
        let invalid =
            |reason: &str| DrillError::Invalid { name: self.name.clone(), reason: reason.to_owned() };
        if stage < self.then.len() {
            if listed.len() > 1 {
                return Err(invalid("a stage before the last needs exactly one answer"));
            }
            if !self.goal.solutions(&self.positions(stage), 0).is_empty() {
                return Err(invalid("the goal is reached before the last turn"));
            }
        }
        let is_turn = self.goal.answer_form() == AnswerForm::Turn;
        // In check, every legal turn parries; the wrong answers are the illegal turns.
        let parries = matches!(self.goal, Goal::Parries(_));
        let legal = || self.positions(stage).last().map_or(0, |position| position.legal_turns().len());
        if is_turn && !parries && found.len() == legal() {
            return Err(DrillError::Trivial(self.name.clone()));
        }
        Ok(())
    }
}

impl fmt::Display for Drill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests;
