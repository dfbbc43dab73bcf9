//! Judges attempts at problems.

use adoube_rules::{AnyPosition, Position as _, ReadPositionError, Variant, coordinate};
use thiserror::Error;

use crate::{BestDefence, Goal, LimitReached, Problem, Prover};

/// The reason why an attempt cannot be judged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AttemptError {
    /// The problem itself is not valid.
    #[error("the position of the problem cannot be read")]
    Position(#[from] ReadPositionError),
    /// A turn of the solver or of the problem's line is illegal.
    #[error("turn {number} of the attempt is not legal")]
    Turn {
        /// The number of the turn; 1 is the solver's first.
        number: usize,
        /// The reason why the turn is not legal.
        source: coordinate::TurnError,
    },
}

/// Returns `true` if the solver's turns, in coordinate notation, solve a problem. As on the web page, the
/// opponent plays the problem's line while the solver follows it, and otherwise the turn that resists
/// longest. An attempt that ends before the line does, without an earlier win, fails. So does one
/// that leaves the line on the first turn or, if the goal is a gain, on any turn, unless it wins at once.
///
/// A win that cannot be proved within the limits of [`Prover::bounded`] does not count. Turns after the end
/// are ignored.
pub fn is_solved<T: AsRef<str>>(
    variant: Variant,
    problem: &Problem,
    turns: &[T],
) -> Result<bool, AttemptError> {
    let mut position = AnyPosition::from_fen(variant, &problem.fen)?;
    // The rest of the line, while the solver follows it.
    let mut line = Some(problem.line.as_slice());
    let mut left = problem.turns;
    for (index, text) in turns.iter().enumerate() {
        let invalid = |source| AttemptError::Turn { number: index + 1, source };
        let turn = coordinate::parse(&position, text.as_ref()).map_err(invalid)?;
        let text = coordinate::write(&position, &turn);
        position.play_turn_unchecked(&turn);
        left = left.saturating_sub(1);
        let rest = line.and_then(<[String]>::split_first);
        let reply = match rest {
            Some((expected, rest)) if *expected == text => {
                let Some((reply, rest)) = rest.split_first() else { return Ok(true) };
                line = Some(rest);
                coordinate::parse(&position, reply).map_err(invalid)?
            }
            _ => {
                line = None;
                // If the goal is a gain, an immediate win counts, because it is better than any gain. A
                // later win does not count.
                let within = if problem.goal == Goal::Win { left } else { 0 };
                match Prover::bounded().best_defence(&position, within) {
                    Ok(BestDefence::AlreadyWon) => return Ok(true),
                    // The first turn is excluded: the one in the line was proved to be the only one that
                    // wins.
                    Ok(BestDefence::Resists { turn, left: remaining })
                        if problem.goal == Goal::Win && index > 0 =>
                    {
                        left = remaining;
                        turn
                    }
                    Ok(
                        BestDefence::Resists { .. } | BestDefence::Refutes(_) | BestDefence::OverWithoutWin,
                    )
                    | Err(LimitReached) => {
                        return Ok(false);
                    }
                }
            }
        };
        position.play_turn_unchecked(&reply);
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems;

    fn solver_turns(problem: &Problem) -> Vec<&String> {
        problem.line.iter().step_by(2).collect()
    }

    #[test]
    fn complete_lines_solve_and_truncated_ones_do_not() {
        for variant in Variant::ALL {
            for problem in problems(variant) {
                let turns = solver_turns(problem);
                assert!(is_solved(variant, problem, &turns).unwrap(), "{variant} {}", problem.id);
                assert!(!is_solved(variant, problem, &turns[..0]).unwrap());
                assert!(!is_solved(variant, problem, &turns[..turns.len() - 1]).unwrap());
            }
        }
    }

    #[test]
    fn another_first_turn_fails_regardless_of_later_turns() {
        for variant in Variant::ALL {
            let two = problems(variant).iter().filter(|each| each.goal == Goal::Win && each.turns == 2);
            for problem in two.take(10) {
                let start = AnyPosition::from_fen(variant, &problem.fen).unwrap();
                let texts = start.legal_turns().into_iter().map(|turn| coordinate::write(&start, &turn));
                for text in texts.filter(|text| *text != problem.line[0]).take(5) {
                    let attempt = [text, problem.line[2].clone()];
                    let judged = is_solved(variant, problem, &attempt);
                    assert!(!matches!(judged, Ok(true)), "{variant} {} {attempt:?}", problem.id);
                }
            }
        }
    }

    #[test]
    fn a_win_in_time_counts_even_off_the_line() {
        // Several first turns mate in two; the line contains only one of them.
        let problem = Problem {
            id: "a".into(),
            fen: "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1".into(),
            goal: Goal::Win,
            turns: 2,
            line: ["a2a7", "h8g8", "b1b8"].map(Into::into).into(),
            rating: 1000,
            before: None,
            themes: Vec::new(),
            retired: false,
        };
        assert!(is_solved(Variant::Chess, &problem, &["a2a7", "b1b8"]).unwrap());
        // No other second turn wins in time, as the prover confirms.
        assert!(!is_solved(Variant::Chess, &problem, &["a2a7", "b1b7"]).unwrap());
        let longer = Problem {
            fen: "8/8/2k5/7R/6R1/8/8/6K1 w - - 0 1".into(),
            turns: 4,
            line: ["g4g6", "c6b7", "h5h7", "b7b8", "g6g5", "b8a8", "g5g8"].map(Into::into).into(),
            ..problem
        };
        // The line delays the mate on its third turn; an immediate mate also solves the problem.
        assert!(is_solved(Variant::Chess, &longer, &["g4g6", "h5h7", "g6g8"]).unwrap());
    }

    #[test]
    fn an_illegal_turn_is_reported() {
        let problem = &problems(Variant::Chess)[0];
        for turn in ["", "e9e4", "a1a1", "\u{1f600}"] {
            let error = is_solved(Variant::Chess, problem, &[turn]).unwrap_err();
            assert!(matches!(error, AttemptError::Turn { number: 1, .. }), "{turn}");
        }
    }
}
