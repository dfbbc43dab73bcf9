//! The goals of drills: their notation, and the test of whether a turn reaches them.

use std::str::FromStr as _;

use adoube_rules::{
    AnyPosition, DrawRules, Outcome, Position, Role, Square, SquareSet, Turn, Variant, arbiter,
    explain::{self, CaptureMethod, Legal, Reason, outcome_clause},
};
use adoube_winnable::Effort;

/// The goal of a drill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// `takes c5 d4`: a turn that captures exactly these men.
    Takes(SquareSet),
    /// `most`: a turn that captures the largest possible number of men.
    Most,
    /// `ends C16`: a turn that ends the game under this clause.
    Ends(String),
    /// `wins`: a turn that wins the game for the side that plays it.
    Wins,
    /// `parries`, `parries king`, `parries taking`, `parries between`: a turn that parries the check, in the
    /// given way if there is one.
    Parries(Option<Parry>),
    /// `checks`: a turn that gives check.
    Checks,
    /// `castles`: a turn that castles.
    Castles,
    /// `passes`: a turn that captures a pawn en passant.
    EnPassant,
    /// `promotes N`: a turn that promotes a pawn to this role.
    Promotes(Role),
    /// `frees e4`: a turn after which the man on this square is no longer frozen.
    Frees(Square),
    /// `freezes e4`: a turn after which the man on this square is frozen.
    Freezes(Square),
    /// `dies`: a turn that leads to a dead position, in which neither side can win by any sequence of turns.
    Dies,
    /// `repeats`: a turn after which the position on the board occurs for the third time.
    Repeats,
    /// `avoids`: a turn after which the position on the board does not occur for the third time.
    Avoids,
    /// `moves e1`: all squares to which the man on this square can legally step.
    Moves(Square),
    /// `dead`: whether the position is dead, that is, whether neither side can win by any sequence of turns.
    Dead,
    /// `over C18`: whether the game is over under this clause.
    Over(String),
    /// `legal e5d6`: whether this step is legal.
    Legal(Square, Square),
    /// `captures a5f5`: whether this legal step captures anything.
    Captures(Square, Square),
}

/// The ways to parry a check (C12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parry {
    /// The king moves.
    King,
    /// A man other than the king captures the checking man.
    Taking,
    /// Any other way, for instance by interposing a man.
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

impl Goal {
    pub(super) fn read(variant: Variant, text: &str) -> Option<Self> {
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
            ["passes"] => Self::EnPassant,
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
            [verb @ ("legal" | "captures"), step] if step.len() == 4 && step.is_ascii() => {
                let (from, to) = (Square::from_str(&step[..2]).ok()?, Square::from_str(&step[2..]).ok()?);
                if *verb == "legal" { Self::Legal(from, to) } else { Self::Captures(from, to) }
            }
            _ => return None,
        })
    }

    /// Returns the form of the answers.
    pub const fn answer_form(&self) -> AnswerForm {
        match self {
            Self::Moves(_) => AnswerForm::Squares,
            Self::Dead | Self::Over(_) | Self::Legal(..) | Self::Captures(..) => AnswerForm::Choice,
            _ => AnswerForm::Turn,
        }
    }

    /// Returns the stable name. The web page uses it to find the text for a wrong answer.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Takes(_) => "takes",
            Self::Most => "most",
            Self::Ends(_) => "ends",
            Self::Wins => "wins",
            Self::Parries(_) => "parries",
            Self::Checks => "checks",
            Self::Castles => "castles",
            Self::EnPassant => "passes",
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
            Self::Captures(..) => "captures",
        }
    }

    /// Returns the square of the man that the question is about, if any.
    pub const fn man(&self) -> Option<Square> {
        match self {
            Self::Frees(square)
            | Self::Freezes(square)
            | Self::Moves(square)
            | Self::Legal(square, _)
            | Self::Captures(square, _) => Some(*square),
            _ => None,
        }
    }

    /// Returns the legal turns that reach the goal from the last of these positions, or that force it within
    /// `more` further turns. The search is exhaustive, so it is suitable only for positions with few men.
    pub(crate) fn solutions(&self, positions: &[AnyPosition], more: usize) -> Vec<Turn> {
        let Some(position) = positions.last() else { return Vec::new() };
        let turns = position.legal_turns();
        let max = turns.iter().map(|turn| taken(position, turn).len()).max().unwrap_or(0);
        let is_solution = |turn: &Turn| {
            self.is_met(position, turn, positions, max) || (more > 0 && self.is_forced(positions, turn, more))
        };
        turns.into_iter().filter(is_solution).collect()
    }

    /// Returns `true` if a turn forces the goal within `more` further turns.
    pub(super) fn is_forced(&self, positions: &[AnyPosition], turn: &Turn, more: usize) -> bool {
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
                let has_solution = !self.solutions(&line, more - 1).is_empty();
                line.pop();
                has_solution
            })
    }

    /// Returns `true` if a legal turn reaches the goal. `before` contains all positions of the game,
    /// including this one; `max` is the largest number of men that a turn captures.
    pub(super) fn is_met(
        &self,
        position: &AnyPosition,
        turn: &Turn,
        before: &[AnyPosition],
        max: usize,
    ) -> bool {
        let mut after = position.clone();
        after.play_turn_unchecked(turn);
        let legal = || explain::turn(position, turn).unwrap_or_default();
        match self {
            Self::Takes(squares) => taken(position, turn) == *squares,
            Self::Most => max > 0 && taken(position, turn).len() == max,
            Self::Ends(clause) => is_over_under(&after, clause),
            Self::Wins => {
                after.outcome(DrawRules::Club).and_then(Outcome::winner) == Some(position.side_to_move())
            }
            Self::Parries(way) => {
                position.is_check() && way.is_none_or(|way| Some(way) == parry(position, turn, &legal()))
            }
            Self::Checks => after.is_check(),
            Self::Castles => legal().iter().any(|legal| legal.castling.is_some()),
            Self::EnPassant => legal()
                .iter()
                .flat_map(|legal| &legal.takings)
                .any(|taking| matches!(taking.method, CaptureMethod::EnPassant { .. })),
            Self::Promotes(role) => turn.steps().iter().any(|step| step.promotion() == Some(*role)),
            Self::Frees(square) => is_frozen(position, *square) && !is_frozen(&after, *square),
            Self::Freezes(square) => !is_frozen(position, *square) && is_frozen(&after, *square),
            Self::Dies => !is_dead(position) && is_dead(&after),
            Self::Repeats => is_third_occurrence(before, &after),
            Self::Avoids => !is_third_occurrence(before, &after),
            Self::Moves(_) | Self::Dead | Self::Over(_) | Self::Legal(..) | Self::Captures(..) => false,
        }
    }
}

/// Returns `true` if a position that follows those in `before` occurs for the third time.
fn is_third_occurrence(before: &[AnyPosition], position: &AnyPosition) -> bool {
    before.iter().filter(|earlier| earlier.key() == position.key()).count() >= 2
}

pub(super) fn is_dead(position: &AnyPosition) -> bool {
    adoube_winnable::is_dead(position, Effort::Full { nodes: 1_000_000 })
}

pub(super) fn is_over_under(position: &AnyPosition, clause: &str) -> bool {
    let end = arbiter::outcome(position, &[], DrawRules::Club);
    end.is_some_and(|end| outcome_clause(end, position.variant()) == clause)
}

/// Returns `true` if there is a frozen man on a square.
fn is_frozen(position: &AnyPosition, square: Square) -> bool {
    let freezes = |reason: &Reason| {
        matches!(reason, Reason::FrozenByImmobilizer { .. } | Reason::FrozenByChameleon { .. })
    };
    explain::man(position, square).is_some_and(|about| about.holding.iter().any(freezes))
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

/// Returns the squares of all men taken in the course of a legal turn.
fn taken(position: &AnyPosition, turn: &Turn) -> SquareSet {
    let mut current = position.clone();
    let mut taken = SquareSet::EMPTY;
    for &step in turn.steps() {
        taken |= current.taken(step);
        current.play_unchecked(step);
    }
    taken
}
