//! Who can still win, by any sequence of legal turns whatsoever (C20, C23, B13).

mod pattern;
mod reach;
mod search;
mod shadow;

use crate::{
    color::Color,
    moves::Step,
    position::Position,
    variant::orthodox::Orthodox,
};
use arrayvec::ArrayVec;
use pattern::{Pattern, mating_squares, patterns};
use reach::Reach;
use shadow::ShadowSearch;
use search::{AIMS, Found, Plan, Search};

/// Whether a side can win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It can: these legal steps, of both sides in turn, end in its giving mate.
    Winnable(Vec<Step>),
    /// No sequence of legal turns ends in its giving mate.
    Unwinnable(Reason),
    /// Not known within the limit.
    Unknown,
}

/// Why a side cannot win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// It has nothing but its king.
    BareKing,
    /// The game is over, and it has not won.
    Over,
    /// The men could not mate even if each stood wherever it may ever come to stand.
    Walls,
    /// The men could not mate wherever kings and pawns may come to stand together.
    Shadows,
    /// Every position that can be reached was looked at, those apart that are unwinnable for another reason.
    Exhausted,
}

/// Finds out whether sides can win; keeps its memory from one question to the next.
#[derive(Debug, Default)]
pub struct Analyst {
    search: Search,
    shadows: ShadowSearch,
    nodes: u64,
}

impl Analyst {
    /// Positions made for the last answer.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns whether `winner` can win.
    pub fn full(&mut self, position: &Orthodox, winner: Color, limit: u64) -> Verdict {
        self.nodes = 0;
        let mut position = position.clone();
        let mut line = Vec::new();
        // Forced turns are played out. A game cannot be forced for ever round in a circle without being caught
        // by the bound.
        for _ in 0..64 {
            if !position.men(winner).more_than_one() {
                return Verdict::Unwinnable(Reason::BareKing);
            }
            let steps = position.legal_steps();
            match steps.len() {
                0 if position.is_check() && position.turn() != winner => return Verdict::Winnable(line),
                0 => return Verdict::Unwinnable(Reason::Over),
                1 => {
                    line.push(steps[0]);
                    position.play_unchecked(steps[0]);
                    self.nodes += 1;
                }
                _ => break,
            }
        }
        let reach = Reach::of(&position);
        let squares = mating_squares(&reach, winner);
        let Some(_) = squares.together else { return Verdict::Unwinnable(Reason::Walls) };
        let mut found = Found::LimitReached;
        let goals = squares.each_for_itself;
        let mut aims: ArrayVec<Pattern, AIMS> = ArrayVec::new();
        for round in 0.. {
            if round == 1 && self.shadows.proves_unwinnable(&position, &reach, winner, 20_000) {
                return Verdict::Unwinnable(Reason::Shadows);
            }
            let (budget, chosen) = match round {
                0 => (std::env::var("STAGEA").map_or(300, |t| t.parse().unwrap()), ArrayVec::new()),
                1 => {
                    aims = patterns(&reach, winner, goals);
                    (3_000, aims.clone())
                }
                2..8 => match aims.get(round - 2) {
                    Some(aim) => (2_000, [aim.clone()].into_iter().collect()),
                    None => continue,
                },
                8 => (20_000, ArrayVec::new()),
                9 => (u64::MAX, aims.clone()),
                _ => break,
            };
            let plan = Plan {
                limit: budget.min(limit.saturating_sub(self.nodes)),
                prove_after: if round == 0 { u64::MAX } else { 0 },
                prove_first: round > 0,
            };
            found = self.search.run(&position, winner, goals, chosen, &reach, plan);
            if found == Found::LimitReached && round == 1 && self.search.seems_small() {
                let plan = Plan { limit: 200_000.min(limit.saturating_sub(self.nodes)), ..plan };
                found = self.search.resume(plan);
            }
            self.nodes += self.search.visited();
            if found != Found::LimitReached || self.nodes >= limit {
                break;
            }
        }
        match found {
            Found::Mate(rest) => {
                line.extend(rest);
                Verdict::Winnable(line)
            }
            Found::Exhausted => Verdict::Unwinnable(Reason::Exhausted),
            Found::LimitReached => Verdict::Unknown,
        }
    }
}
