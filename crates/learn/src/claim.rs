//! Claims that diagrams make about their positions, and the code that verifies them.

use std::{fmt, str::FromStr};

use adoube_rules::{
    AnyPosition, DrawRules, Position, Square, SquareSet, coordinate,
    explain::{self, outcome_clause},
};
use adoube_winnable::Effort;
use thiserror::Error;

/// A statement about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// `c2c4 takes c5 d4`, `e2e4 takes nothing`: the turn is legal and captures exactly these men.
    Takes {
        /// The turn, in coordinate notation.
        turn: String,
        /// The squares of the men that its steps capture.
        squares: SquareSet,
    },
    /// `b2 goes a1 c1`: without capturing, the man can end a turn on exactly these squares.
    Goes {
        /// The square of the man.
        from: Square,
        /// The destinations.
        squares: SquareSet,
    },
    /// `b2 takes-by b6 f2`: the man can begin a turn by capturing with a step to exactly these squares.
    TakesBy {
        /// The square of the man.
        from: Square,
        /// The destinations of its capturing steps.
        squares: SquareSet,
    },
    /// `e4e5 illegal B12`: the step is illegal, and this clause is one of the reasons.
    Illegal {
        /// The origin of the step.
        from: Square,
        /// The destination of the step.
        to: Square,
        /// The clause.
        clause: String,
    },
    /// `check`: the side to move is in check, and the game continues.
    Check,
    /// `over C16`: the game has ended under this clause.
    Over {
        /// The clause.
        clause: String,
    },
    /// `dead`: neither side can win by any sequence of turns.
    Dead,
}

/// The error for a string that is not a claim.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a claim")]
pub struct ClaimError(String);

/// A false claim, with what is true instead.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the claim is `{claim}`, but {actual}")]
pub struct FalseClaim {
    claim: String,
    actual: String,
}

impl FromStr for Claim {
    type Err = ClaimError;

    fn from_str(text: &str) -> Result<Self, ClaimError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let read = || {
            Some(match words.as_slice() {
                ["check"] => Self::Check,
                ["dead"] => Self::Dead,
                ["over", clause] => Self::Over { clause: (*clause).to_owned() },
                [step, "illegal", clause] if step.len() == 4 && step.is_ascii() => Self::Illegal {
                    from: step[..2].parse().ok()?,
                    to: step[2..].parse().ok()?,
                    clause: (*clause).to_owned(),
                },
                [turn, "takes", "nothing"] => {
                    Self::Takes { turn: (*turn).to_owned(), squares: SquareSet::EMPTY }
                }
                [turn, "takes", squares @ ..] => {
                    Self::Takes { turn: (*turn).to_owned(), squares: read_squares(squares)? }
                }
                [from, "goes", "nowhere"] => {
                    Self::Goes { from: from.parse().ok()?, squares: SquareSet::EMPTY }
                }
                [from, "goes", squares @ ..] => {
                    Self::Goes { from: from.parse().ok()?, squares: read_squares(squares)? }
                }
                [from, "takes-by", squares @ ..] => {
                    Self::TakesBy { from: from.parse().ok()?, squares: read_squares(squares)? }
                }
                _ => return None,
            })
        };
        read().ok_or_else(|| ClaimError(text.to_owned()))
    }
}

fn read_squares(words: &[&str]) -> Option<SquareSet> {
    let squares = words.iter().map(|word| word.parse().ok()).collect::<Option<Vec<Square>>>()?;
    (!squares.is_empty()).then(|| squares.into_iter().collect())
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Takes { turn, squares } if squares.is_empty() => write!(f, "{turn} takes nothing"),
            Self::Takes { turn, squares } => write!(f, "{turn} takes {}", list(*squares)),
            Self::Goes { from, squares } => write!(f, "{from} goes {}", list(*squares)),
            Self::TakesBy { from, squares } => write!(f, "{from} takes-by {}", list(*squares)),
            Self::Illegal { from, to, clause } => write!(f, "{from}{to} illegal {clause}"),
            Self::Check => f.write_str("check"),
            Self::Over { clause } => write!(f, "over {clause}"),
            Self::Dead => f.write_str("dead"),
        }
    }
}

fn list(squares: SquareSet) -> String {
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    if names.is_empty() { "nowhere".to_owned() } else { names.join(" ") }
}

impl Claim {
    /// Checks the claim about a position against the rules.
    pub fn confirm(&self, position: &AnyPosition) -> Result<(), FalseClaim> {
        let found = match self {
            Self::Takes { turn, squares } => match taken_by(position, turn) {
                Ok(taken) if taken == *squares => return Ok(()),
                Ok(taken) if taken.is_empty() => "it takes nothing".to_owned(),
                Ok(taken) => format!("it takes {}", list(taken)),
                Err(reason) => reason,
            },
            Self::Goes { from, squares } => {
                let quiet = destinations(position, *from, SquareSet::is_empty);
                if quiet == *squares {
                    return Ok(());
                }
                format!("it goes {}", list(quiet))
            }
            Self::TakesBy { from, squares } => {
                let taking = destinations(position, *from, |taken| !taken.is_empty());
                if taking == *squares {
                    return Ok(());
                }
                format!("`{from} takes-by {}` is true", list(taking))
            }
            Self::Illegal { from, to, clause } => match explain::step(position, *from, *to, None) {
                Ok(_) => "it is legal".to_owned(),
                Err(reasons) => {
                    let clauses: Vec<_> =
                        reasons.iter().map(|reason| reason.clause(position.variant())).collect();
                    if clauses.contains(&clause.as_str()) {
                        return Ok(());
                    }
                    format!("the reasons are {}", clauses.join(" "))
                }
            },
            Self::Check => match position.outcome(DrawRules::Club) {
                None if position.is_check() => return Ok(()),
                None => "there is no check".to_owned(),
                Some(outcome) => format!("the game is over: {outcome:?}"),
            },
            Self::Over { clause } => match position.outcome(DrawRules::Club) {
                Some(outcome) if outcome_clause(outcome, position.variant()) == clause => return Ok(()),
                Some(outcome) => {
                    format!("the game is over under {}", outcome_clause(outcome, position.variant()))
                }
                None => "the game goes on".to_owned(),
            },
            Self::Dead if adoube_winnable::is_dead(position, Effort::Full { nodes: 1_000_000 }) => {
                return Ok(());
            }
            Self::Dead => "no proof of that was found".to_owned(),
        };
        Err(FalseClaim { claim: self.to_string(), actual: found })
    }
}

/// Returns the squares of all men that the steps of a legal turn capture.
fn taken_by(position: &AnyPosition, text: &str) -> Result<SquareSet, String> {
    let turn = coordinate::parse(position, text).map_err(|error| error.to_string())?;
    let mut current = position.clone();
    let mut taken = SquareSet::EMPTY;
    for &step in turn.steps() {
        taken |= current.taken(step);
        current.play_unchecked(step);
    }
    Ok(taken)
}

/// Returns the destinations of a man's legal steps for which `takes` accepts the captured men.
fn destinations(position: &AnyPosition, from: Square, takes: impl Fn(SquareSet) -> bool) -> SquareSet {
    // Every legal step begins a turn.
    position
        .legal_steps()
        .into_iter()
        .filter(|step| step.from() == from && takes(position.taken(*step)))
        .map(|step| position.destination(step))
        .collect()
}
