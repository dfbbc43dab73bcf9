//! Proves composed problems, or reports their flaws.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicBool},
};

use adoube_rules::{
    AnyPosition, DrawRules, Outcome, Position, ReadPositionError, SearchPosition, Turn, Variant,
    coordinate::{self, TurnError},
    with_position,
};
use thiserror::Error;

use crate::{
    collection::Goal,
    prove::{BestDefence, LimitReached, Limited, Prover, choices, is_won},
};

/// The maximum length of a composed win, counted in the solver's turns.
pub const MAX_COMPOSED_TURNS: u8 = 8;
/// The maximum number of lines in an author's solution.
const MAX_LINES: usize = 64;
/// The maximum number of the solver's turns in a tree.
const MAX_BRANCHES: usize = 300;
/// The maximum number of other solutions that are reported; more would not help.
const MAX_OTHERS: usize = 12;
/// The number of other solutions that are reported with their continuations.
const MAX_OTHER_LINES: usize = 3;
/// The binary logarithm of the number of positions in the prover's table, at 16 bytes each.
const TABLE_BITS: u32 = 19;

/// A composed problem, as entered by its author.
#[derive(Clone, Copy, Debug)]
pub struct Composition<'a> {
    /// The variant.
    pub variant: Variant,
    /// The position, with the solver to move.
    pub fen: &'a str,
    /// The goal. Only a win can be proved.
    pub goal: Goal,
    /// The number of the solver's turns, 1 to [`MAX_COMPOSED_TURNS`].
    pub turns: u8,
    /// The author's solution in coordinate notation: lines with the turns of both sides, starting with the
    /// solver's first turn. A line may end early, and the list may be empty.
    pub lines: &'a [Vec<String>],
}

/// The cost limit for a proof.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The maximum number of positions to visit.
    pub nodes: u64,
    /// Set to true when the proof is no longer needed.
    pub stop: Arc<AtomicBool>,
}

/// The reason why a composition cannot be examined.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CompositionError {
    /// The position cannot be read or is not playable.
    #[error(transparent)]
    Position(#[from] ReadPositionError),
    /// The game is over before the first turn.
    #[error("the game is over in this position")]
    Over(Outcome),
    /// The goal is a win in 0 turns, or in more than [`MAX_COMPOSED_TURNS`].
    #[error("the number of turns must be 1 to {MAX_COMPOSED_TURNS}, not {0}")]
    Turns(u8),
    /// The goal is a gain, which cannot be proved because it depends on a search.
    #[error("only a win can be proved")]
    Goal,
    /// There are too many lines.
    #[error("a solution may have at most {MAX_LINES} lines")]
    TooManyLines,
    /// A line continues after the last turn that the goal allows.
    #[error("line {line} is longer than the goal allows")]
    LineTooLong {
        /// The index of the line, starting from 0.
        line: usize,
    },
    /// A turn of a line is illegal.
    #[error("turn {turn} of line {line}: {error}")]
    Turn {
        /// The index of the line, starting from 0.
        line: usize,
        /// The index of the turn, starting from 0.
        turn: usize,
        /// The reason why the turn is not legal.
        error: TurnError,
    },
    /// The lines begin with different turns, so the author has given two solutions.
    #[error("the lines begin with different turns: {0} and {1}")]
    TwoFirstTurns(String, String),
}

/// The result of examining a composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Exactly one first turn reaches the goal, and none reaches it sooner.
    Proved(Proof),
    /// The problem is *cooked*: a first turn other than the author's also reaches the goal. If the author
    /// gave no solution, several first turns reach it.
    SecondSolution {
        /// The author's first turn, if one was given.
        own: Option<String>,
        /// A line for each of the other turns. Within the limit, the first few lines continue beyond it.
        others: Vec<Vec<String>>,
    },
    /// The goal can be reached sooner.
    Sooner {
        /// The number of turns.
        turns: u8,
        /// A winning line.
        line: Vec<String>,
    },
    /// One of the author's turns does not reach the goal within the given number of turns.
    Refuted(Refutation),
    /// No turn reaches the goal within the given number of turns, and the author gave no solution.
    NoWin,
    /// A limit was reached, or the proof was stopped, before there was a result.
    TooHard {
        /// The number of visited positions.
        nodes: u64,
    },
}

/// The refutation of one of the author's turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The turns up to and including the refuted one.
    pub line: Vec<String>,
    /// The opponent's reply; `None` if the game ends there without a winner.
    pub reply: Option<String>,
    /// Lines that reach the goal with another turn instead, if the search limit allowed finding them.
    pub alternatives: Vec<Vec<String>>,
}

/// A proved win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The position, with its clocks reset because a problem has no history.
    pub fen: String,
    /// Turns in coordinate notation, from the solver's first to the last. The replies resist longest.
    pub line: Vec<String>,
    /// The solution, complete unless it is too large or the search limit is reached.
    pub solution: Solution,
    /// The number of visited positions.
    pub nodes: u64,
}

/// A solution as a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The first turn and the turns that follow it.
    pub first: Branch,
    /// Whether every reply is included.
    pub is_complete: bool,
}

/// The solver's turn, with the opponent's replies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The turn.
    pub turn: String,
    /// Other turns that win just as fast (*duals*). The first turn has none.
    pub others: Vec<String>,
    /// Replies, longest resistance first, each with the solver's answer.
    pub replies: Vec<(String, Branch)>,
}

/// Returns a FEN without its clocks. The result identifies a problem.
pub fn position_of(fen: &str) -> String {
    fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

/// Proves a composition, or reports its flaws.
pub fn examine(composition: &Composition<'_>, effort: &Effort) -> Result<Finding, CompositionError> {
    let position = start(composition)?;
    Ok(with_position!(position, position => Examiner::new(composition, position, effort)?.examine()))
}

/// Checks quickly whether a composition can be examined. Returns the same errors as [`examine`].
pub fn check(composition: &Composition<'_>) -> Result<(), CompositionError> {
    let position = start(composition)?;
    with_position!(position, position => AuthorLines::read(composition, &position).map(|_| ()))
}

/// Returns the position of a composition, with its clocks reset because a problem has no history.
fn start(composition: &Composition<'_>) -> Result<AnyPosition, CompositionError> {
    let Composition { variant, fen, goal, turns, .. } = *composition;
    if goal != Goal::Win {
        return Err(CompositionError::Goal);
    }
    if !(1..=MAX_COMPOSED_TURNS).contains(&turns) {
        return Err(CompositionError::Turns(turns));
    }
    let mut setup = AnyPosition::from_fen(variant, fen)?.to_setup();
    (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
    let position = AnyPosition::from_setup(&setup).map_err(ReadPositionError::from)?;
    match position.outcome(DrawRules::Club) {
        Some(outcome) => Err(CompositionError::Over(outcome)),
        None => Ok(position),
    }
}

/// The author's solution.
struct AuthorLines {
    /// The author's lines, in canonical text.
    lines: Vec<Vec<String>>,
    /// Each of the author's turns, keyed by the turns of both sides that precede it.
    author_turns: HashMap<Vec<String>, String>,
}

impl AuthorLines {
    fn read<P: SearchPosition>(composition: &Composition<'_>, start: &P) -> Result<Self, CompositionError> {
        if composition.lines.len() > MAX_LINES {
            return Err(CompositionError::TooManyLines);
        }
        let mut lines: Vec<Vec<String>> = Vec::new();
        let mut author_turns = HashMap::new();
        for (line, given) in composition.lines.iter().enumerate().filter(|(_, given)| !given.is_empty()) {
            if given.len() >= 2 * usize::from(composition.turns) {
                return Err(CompositionError::LineTooLong { line });
            }
            let mut position = start.clone();
            let mut read = Vec::with_capacity(given.len());
            for (index, text) in given.iter().enumerate() {
                let parsed = coordinate::parse(&position, text);
                let turn = parsed.map_err(|error| CompositionError::Turn { line, turn: index, error })?;
                let text = coordinate::write(&position, &turn);
                if index.is_multiple_of(2) {
                    author_turns.entry(read.clone()).or_insert_with(|| text.clone());
                }
                position.play_turn_unchecked(&turn);
                read.push(text);
            }
            if let (Some(one), Some(other)) = (lines.first().and_then(|line| line.first()), read.first())
                && one != other
            {
                return Err(CompositionError::TwoFirstTurns(one.clone(), other.clone()));
            }
            lines.push(read);
        }
        Ok(Self { lines, author_turns })
    }
}

struct Examiner<P> {
    start: P,
    turns: u8,
    /// The author's lines, in canonical text.
    lines: Vec<Vec<String>>,
    /// Each of the author's turns, keyed by the turns of both sides that precede it.
    author_turns: HashMap<Vec<String>, String>,
    prover: Prover,
}

impl<P: SearchPosition> Examiner<P> {
    fn new(composition: &Composition<'_>, start: P, effort: &Effort) -> Result<Self, CompositionError> {
        let AuthorLines { lines, author_turns } = AuthorLines::read(composition, &start)?;
        let prover = Prover::new(TABLE_BITS).with_total(effort.nodes, Arc::clone(&effort.stop));
        Ok(Self { start, turns: composition.turns, lines, author_turns, prover })
    }

    fn examine(mut self) -> Finding {
        let found = self.find();
        found.unwrap_or_else(|LimitReached| Finding::TooHard { nodes: self.prover.nodes() })
    }

    fn find(&mut self) -> Limited<Finding> {
        if let Some(refutation) = self.find_refutation()? {
            return Ok(Finding::Refuted(refutation));
        }
        if self.turns > 1
            && let Some(turns) = self.prover.shortest(&self.start, self.turns - 1)?
        {
            let start = self.start.clone();
            let line = self.prover.line(&start, turns)?.unwrap_or_default();
            return Ok(Finding::Sooner { turns, line: write_line(&start, &line) });
        }
        let author = self.lines.first().and_then(|line| line.first().cloned());
        let mut others = Vec::new();
        let searched = self.find_winning_turns(author.as_deref(), &mut others);
        let first = match (author, others.as_slice()) {
            (Some(turn), []) => {
                searched?;
                coordinate::parse(&self.start, &turn).map_err(|_| LimitReached)?
            }
            (None, []) => return searched.map(|()| Finding::NoWin),
            (None, [only]) => {
                searched?;
                only.clone()
            }
            // A second solution is a finding even if the limit was reached before the rest was examined.
            (author, _) => {
                return Ok(Finding::SecondSolution { own: author, others: self.with_continuations(others) });
            }
        };
        let start = self.start.clone();
        let line = self.main_line(&start, &first)?;
        let solution = self.tree(&start, &first);
        Ok(Finding::Proved(Proof { fen: start.fen(), line, solution, nodes: self.prover.nodes() }))
    }

    /// Returns the refutation of the first of the author's turns that does not win in time; `None` if all do.
    fn find_refutation(&mut self) -> Limited<Option<Refutation>> {
        for line in self.lines.clone() {
            let mut position = self.start.clone();
            for (index, text) in line.iter().enumerate() {
                // The turn has already been read.
                let turn = coordinate::parse(&position, text).map_err(|_| LimitReached)?;
                let left = self.turns - u8::try_from(index / 2).unwrap_or(self.turns - 1);
                if index.is_multiple_of(2) && !self.prover.turn_wins(&position, &turn, left)? {
                    let mut next = position.clone();
                    next.play_turn_unchecked(&turn);
                    let reply = match self.prover.best_defence(&next, left - 1)? {
                        BestDefence::Refutes(reply) | BestDefence::Resists { turn: reply, .. } => {
                            Some(coordinate::write(&next, &reply))
                        }
                        BestDefence::AlreadyWon | BestDefence::OverWithoutWin => None,
                    };
                    let (before, line) = (&line[..index], &line[..=index]);
                    let alternatives = self.alternatives(&position, left, before);
                    return Ok(Some(Refutation { line: line.to_vec(), reply, alternatives }));
                }
                position.play_turn_unchecked(&turn);
            }
        }
        Ok(None)
    }

    /// Returns lines that begin with the turns `before` and win in time, unlike the author's next turn.
    fn alternatives(&mut self, position: &P, left: u8, before: &[String]) -> Vec<Vec<String>> {
        if before.is_empty() {
            let mut found = Vec::new();
            // The refutation is valid even if the limit is reached here.
            let _ = self.find_winning_turns(None, &mut found);
            return self.with_continuations(found);
        }
        let found = self.prover.first_turns(position, left).unwrap_or_default();
        let line = |turn: &Turn| before.iter().cloned().chain([coordinate::write(position, turn)]).collect();
        found.iter().take(MAX_OTHERS).map(line).collect()
    }

    /// Adds to `found` the first turns that win in time, except the author's; at most [`MAX_OTHERS`].
    fn find_winning_turns(&mut self, except: Option<&str>, found: &mut Vec<Turn>) -> Limited<()> {
        for turn in choices(&self.start)? {
            if except.is_some_and(|except| except == coordinate::write(&self.start, &turn)) {
                continue;
            }
            if self.prover.turn_wins(&self.start, &turn, self.turns)? {
                found.push(turn);
                if found.len() == MAX_OTHERS {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Returns one line for each of these turns. Within the limit, the first few lines continue beyond it.
    fn with_continuations(&mut self, turns: Vec<Turn>) -> Vec<Vec<String>> {
        let start = self.start.clone();
        let line = |(index, turn): (usize, Turn)| {
            let all = if index < MAX_OTHER_LINES { self.main_line(&start, &turn).ok() } else { None };
            all.unwrap_or_else(|| vec![coordinate::write(&start, &turn)])
        };
        turns.into_iter().enumerate().map(line).collect()
    }

    /// Returns the line that begins with a winning turn and continues with the longest resistance. Among
    /// equally good turns, the author's is chosen.
    fn main_line(&mut self, start: &P, first: &Turn) -> Limited<Vec<String>> {
        let mut line = vec![coordinate::write(start, first)];
        let mut position = start.clone();
        position.play_turn_unchecked(first);
        let mut left = self.turns - 1;
        while !is_won(&position, !position.side_to_move()) {
            let replies = self.replies(&position, left, &line)?;
            let (reply, distance) = replies.into_iter().next().ok_or(LimitReached)?;
            line.push(coordinate::write(&position, &reply));
            position.play_turn_unchecked(&reply);
            let (turn, _) = self.choose(&position, distance, &line)?;
            line.push(coordinate::write(&position, &turn));
            position.play_turn_unchecked(&turn);
            left = distance - 1;
        }
        Ok(line)
    }

    /// Returns all replies, each with the number of turns until the solver has won. Those that resist longest
    /// come first; among equal ones, the author's come first.
    fn replies(&mut self, position: &P, left: u8, before: &[String]) -> Limited<Vec<(Turn, u8)>> {
        let mut replies = Vec::new();
        for turn in choices(position)? {
            let mut next = position.clone();
            next.play_turn_unchecked(&turn);
            // The previous turn wins in time, so there is always a win.
            let distance = self.prover.shortest(&next, left)?.ok_or(LimitReached)?;
            let text = coordinate::write(position, &turn);
            let matches =
                |line: &Vec<String>| line.starts_with(before) && line.get(before.len()) == Some(&text);
            let rank = self.lines.iter().position(matches);
            replies.push((turn, distance, rank.unwrap_or(usize::MAX)));
        }
        replies.sort_by_key(|(_, distance, rank)| (u8::MAX - distance, *rank));
        Ok(replies.into_iter().map(|(turn, distance, _)| (turn, distance)).collect())
    }

    /// Returns a turn that wins within `left` turns, preferably the author's, and all other turns that do.
    fn choose(&mut self, position: &P, left: u8, before: &[String]) -> Limited<(Turn, Vec<String>)> {
        let found = self.prover.first_turns(position, left)?;
        let author = self.author_turns.get(before);
        let index =
            found.iter().position(|turn| Some(&coordinate::write(position, turn)) == author).unwrap_or(0);
        let texts = found.iter().enumerate().filter(|(other, _)| *other != index);
        let others = texts.map(|(_, turn)| coordinate::write(position, turn)).collect();
        Ok((found.get(index).cloned().ok_or(LimitReached)?, others))
    }

    /// Builds the tree of a proved first turn, level by level, until it is full or the limit is reached.
    fn tree(&mut self, start: &P, first: &Turn) -> Solution {
        struct Node<P> {
            position: P,
            left: u8,
            line: Vec<String>,
            others: Vec<String>,
            /// The parent node, and the opponent's reply that leads here.
            parent: Option<(usize, String)>,
        }
        let mut position = start.clone();
        let line = vec![coordinate::write(start, first)];
        position.play_turn_unchecked(first);
        let mut nodes = vec![Node { position, left: self.turns - 1, line, others: Vec::new(), parent: None }];
        let mut is_complete = true;
        let mut index = 0;
        while let Some(node) = nodes.get(index) {
            let (position, left, line) = (node.position.clone(), node.left, node.line.clone());
            index += 1;
            if is_won(&position, !position.side_to_move()) {
                continue;
            }
            if nodes.len() >= MAX_BRANCHES {
                is_complete = false;
                break;
            }
            let Ok(replies) = self.replies(&position, left, &line) else {
                is_complete = false;
                break;
            };
            for (reply, distance) in replies {
                let text = coordinate::write(&position, &reply);
                let mut next = position.clone();
                next.play_turn_unchecked(&reply);
                let mut next_line = line.clone();
                next_line.push(text.clone());
                let chosen = if nodes.len() < MAX_BRANCHES {
                    self.choose(&next, distance, &next_line)
                } else {
                    Err(LimitReached)
                };
                let Ok((turn, others)) = chosen else {
                    is_complete = false;
                    break;
                };
                next_line.push(coordinate::write(&next, &turn));
                next.play_turn_unchecked(&turn);
                let parent = Some((index - 1, text));
                nodes.push(Node { position: next, left: distance - 1, line: next_line, others, parent });
            }
        }
        // A node comes after its parent, so in reverse order each is complete when it is attached.
        let mut children: HashMap<usize, Vec<(String, Branch)>> = HashMap::new();
        let mut root = Branch { turn: String::new(), others: Vec::new(), replies: Vec::new() };
        for (index, node) in nodes.into_iter().enumerate().rev() {
            let mut replies = children.remove(&index).unwrap_or_default();
            replies.reverse();
            let turn = node.line.into_iter().next_back().unwrap_or_default();
            let branch = Branch { turn, others: node.others, replies };
            match node.parent {
                Some((parent, reply)) => children.entry(parent).or_default().push((reply, branch)),
                None => root = branch,
            }
        }
        Solution { first: root, is_complete }
    }
}

/// Writes a line of turns in coordinate notation.
fn write_line<P: Position>(start: &P, line: &[Turn]) -> Vec<String> {
    let mut position = start.clone();
    let write = |turn: &Turn| {
        let text = coordinate::write(&position, turn);
        position.play_turn_unchecked(turn);
        text
    };
    line.iter().map(write).collect()
}
