use std::collections::BTreeSet;

use adoube_rules::{Variant, coordinate};

use super::*;
use crate::{AnswerForm, Drill, Goal, drills};

/// Calls `visit` with every legal first turn that is not an answer, in every drill that asks for a turn.
fn for_each_wrong_turn(visit: &mut impl FnMut(&Drill, &WrongTurn<'_>)) {
    for variant in Variant::ALL {
        for drill in drills(variant).iter().filter(|drill| drill.goal.answer_form() == AnswerForm::Turn) {
            let past = drill.positions(0);
            let before = past.last().unwrap();
            let solution = coordinate::parse(before, &drill.solutions[0]).unwrap();
            let (mut at, mut then) = (Effects::of(before, &solution).after, Vec::new());
            for text in drill.then.iter().flat_map(|stage| [&stage.reply, &stage.solutions[0]]) {
                then.push(coordinate::parse(&at, text).unwrap());
                at.play_turn_unchecked(&then[then.len() - 1]);
            }
            for turn in before.legal_turns() {
                if drill.solutions.contains(&coordinate::write(before, &turn)) {
                    continue;
                }
                let (goal, man) = (drill.goal.name(), drill.goal.man());
                visit(
                    drill,
                    &WrongTurn {
                        goal,
                        man,
                        past: &past,
                        before,
                        turn: &turn,
                        solution: &solution,
                        then: &then,
                    },
                );
            }
        }
    }
}

#[test]
fn every_wrong_turn_misses_something_that_a_second_look_confirms() {
    let mut seen = BTreeSet::new();
    let mut count = 0;
    for_each_wrong_turn(&mut |drill, wrong| {
        let variant = wrong.before.variant();
        let place = format!("{variant} {drill} {}", coordinate::write(wrong.before, wrong.turn));
        let misses = misses(wrong);
        let look = SecondLook { drill, wrong, effects: Effects::of(wrong.before, wrong.turn) };
        // These wrong turns need no explanation.
        let is_obvious = wrong.goal == "avoids" || wrong.goal == "parries" && look.effects.taken.any();
        assert_eq!(misses.is_empty(), is_obvious, "{place}");
        for (index, miss) in misses.iter().enumerate() {
            assert!(!misses[..index].contains(miss), "{place}: {miss:?} twice");
            assert!(look.confirms(miss), "{place}: {miss:?}");
            let text = format!("{miss:?}");
            seen.insert(text.split(' ').next().unwrap_or_default().to_owned());
        }
        count += 1;
    });
    assert!(count > 1000, "{count}");
    // The current drills produce nearly every kind of miss.
    assert!(seen.len() > 28, "{seen:?}");
}

/// Checks independently, from the position, whether a reported miss is correct.
struct SecondLook<'a> {
    drill: &'a Drill,
    wrong: &'a WrongTurn<'a>,
    effects: Effects,
}

impl SecondLook<'_> {
    fn confirms(&self, miss: &Miss) -> bool {
        self.confirms_capture(miss).or_else(|| self.confirms_goal(miss)).unwrap_or(false)
    }

    fn from(&self) -> Square {
        self.wrong.turn.steps()[0].from()
    }

    /// Returns `true` if the turn moves this man to this square.
    fn goes(&self, man: Man, to: Square) -> bool {
        man.square == self.from() && stands(self.wrong.before, man) && to == self.effects.to
    }

    /// Returns `true` if an enemy is on a square after the turn.
    fn is_enemy(&self, square: Square) -> bool {
        let us = self.wrong.before.side_to_move();
        self.effects.after.piece_at(square).is_some_and(|piece| piece.color != us)
    }

    fn is_our_king(&self, square: Square) -> bool {
        let before = self.wrong.before;
        royal_men(before, before.side_to_move()).iter().any(|king| king.square == square)
    }

    fn is_their_king(&self, square: Square) -> bool {
        let after = &self.effects.after;
        royal_men(after, after.side_to_move()).iter().any(|king| king.square == square)
    }

    fn can_finish(&self, reply: &Turn) -> bool {
        let mut line = self.wrong.past.to_vec();
        let after = &self.effects.after;
        line.extend([after.clone(), Effects::of(after, reply).after]);
        !self.drill.goal.solutions(&line, 0).is_empty()
    }

    /// Confirms a miss that is about taking; `None` for others.
    fn confirms_capture(&self, miss: &Miss) -> Option<bool> {
        let WrongTurn { before, turn, solution, .. } = *self.wrong;
        let Effects { after, taken, to: end } = &self.effects;
        let wanted = Effects::of(before, solution).taken;
        Some(match miss {
            Miss::Stays { men } => {
                men.iter().all(|&man| stands(after, man) && wanted.contains(man.square)) && !men.is_empty()
            }
            Miss::TooMany { men } => men
                .iter()
                .all(|&man| stands(before, man) && !stands(after, man) && !wanted.contains(man.square)),
            Miss::Retaken { man, to } => after.legal_steps().iter().any(|&step| {
                step.from() == man.square && stands(after, *man) && after.taken(step).contains(*to)
            }),
            Miss::Unreachable { at, .. } if matches!(self.wrong.goal, "takes" | "passes") => {
                !can_reach(before, self.from(), *at)
            }
            Miss::Landing { man, to, at } => self.goes(*man, *to) && to != at && self.is_enemy(*at),
            Miss::OtherMan => solution.steps()[0].from() != self.from(),
            Miss::PincerDiagonal { man, to } => self.goes(*man, *to) && !is_on_line(man.square, *to),
            Miss::PincerFar { man, to, at } => {
                let is_beside = touches(*to, *at) && is_on_line(*to, *at);
                self.goes(*man, *to) && self.is_enemy(*at) && !is_beside
            }
            Miss::PincerEdge { to, at } => {
                let (file, rank) = beyond(*to, *at);
                let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
                to == end && self.is_enemy(*at) && !is_on_board
            }
            Miss::PincerAlone { to, at, behind } => {
                let us = before.side_to_move();
                let is_ours = after.piece_at(*behind).is_some_and(|piece| piece.color == us);
                to == end && self.is_enemy(*at) && coordinates(*behind) == beyond(*to, *at) && !is_ours
            }
            Miss::Aligned { man, to, king } => {
                self.goes(*man, *to) && self.is_our_king(*king) && is_on_line(*to, *king)
            }
            Miss::Corners { to, king, corners, at } => {
                let is_corner = |corner: &Square| is_on_line(*corner, *to) && is_on_line(*corner, *king);
                let are_corners = corners.iter().all(is_corner) && !is_on_line(*to, *king);
                to == end && self.is_our_king(*king) && are_corners && !corners.contains(at)
            }
            Miss::EnPassant => {
                let is_en_passant =
                    |taking: &Taking| matches!(taking.method, CaptureMethod::EnPassant { .. });
                !takings(before, turn).iter().any(is_en_passant)
            }
            Miss::Leap { man, to, at } => {
                self.goes(*man, *to) && self.is_enemy(*at) && !is_between(man.square, *at, *to)
            }
            Miss::Withdrawal { man, to, at } => {
                let leaves = touches(man.square, *at) && is_between(*at, man.square, *to);
                self.goes(*man, *to) && self.is_enemy(*at) && !leaves
            }
            Miss::Approach { man, to, at } => {
                let arrives = touches(*to, *at) && is_between(man.square, *to, *at);
                self.goes(*man, *to) && self.is_enemy(*at) && !arrives
            }
            Miss::Count { count, most } => {
                let turns = before.legal_turns();
                let counts = turns.iter().map(|turn| Effects::of(before, turn).taken.len());
                count < most && *count == taken.len() && counts.max() == Some(*most)
            }
            _ => return None,
        })
    }

    /// Confirms a miss that is about another goal; `None` for others.
    fn confirms_goal(&self, miss: &Miss) -> Option<bool> {
        let Effects { after, taken, to: end } = &self.effects;
        let passed = after.after_null_move();
        let can_move = |man: Square| {
            let steps = [Some(after), passed.as_ref()].into_iter().flatten();
            steps
                .flat_map(|at| at.legal_steps().into_iter().filter(|&step| !at.gives_up(step)))
                .any(|step| step.from() == man)
        };
        Some(match miss {
            Miss::Over { outcome } => {
                after.legal_turns().is_empty() && after.outcome(DrawRules::Club) == Some(*outcome)
            }
            Miss::Unreachable { at, .. } => {
                self.is_their_king(*at) && !can_reach(passed.as_ref()?, *end, *at)
            }
            Miss::NoCheck { king } => self.is_their_king(king.square) && !after.is_check(),
            Miss::NoAttack { man, at } => {
                self.is_their_king(*at) && stands(after, *man) && man.square == *end && !after.is_check()
            }
            Miss::Left { men } => men.iter().all(|&man| stands(after, man)) && !men.is_empty(),
            Miss::Mobile { men } => men.iter().all(|man| can_move(man.square)) && !men.is_empty(),
            Miss::KingMoved { man } => self.goes(*man, *end) && self.is_our_king(man.square),
            Miss::KingStayed => !self.is_our_king(self.from()) && taken.is_empty(),
            Miss::KingStill { man } => self.is_our_king(man.square) && stands(after, *man),
            Miss::KingOneSquare { man } => {
                self.goes(*man, *end) && self.is_our_king(man.square) && touches(man.square, *end)
            }
            Miss::NoPromotion => self.wrong.turn.steps().iter().all(|step| step.promotion().is_none()),
            Miss::Promoted { role, .. } => {
                let is_there = after.piece_at(*end).is_some_and(|piece| piece.role == *role);
                is_there && self.drill.goal != Goal::Promotes(*role)
            }
            Miss::NotTouching { man, at } => stands(after, *man) && !touches(man.square, *at),
            Miss::Occurs { count } => *count < 3,
            Miss::Held { .. } => !can_move(self.drill.goal.man()?),
            Miss::Replies { count, turn } => {
                let turns = after.legal_turns();
                turns.len() == *count && turns.contains(turn)
            }
            Miss::Refuted { turn } => after.legal_turns().contains(turn) && !self.can_finish(turn),
            Miss::OutOfReach => !after.legal_turns().iter().any(|reply| self.can_finish(reply)),
            _ => return None,
        })
    }
}

fn stands(position: &AnyPosition, man: Man) -> bool {
    position.piece_at(man.square) == Some(man.piece)
}

fn can_reach(position: &AnyPosition, from: Square, to: Square) -> bool {
    position.legal_steps().iter().any(|&step| step.from() == from && position.destination(step) == to)
}

/// Returns the file and the rank of a square as numbers.
fn coordinates(square: Square) -> (i32, i32) {
    (square.file() as i32, square.rank() as i32)
}

fn distances(one: Square, other: Square) -> (i32, i32) {
    let ((file, rank), (other_file, other_rank)) = (coordinates(one), coordinates(other));
    ((file - other_file).abs(), (rank - other_rank).abs())
}

fn is_on_line(one: Square, other: Square) -> bool {
    let (files, ranks) = distances(one, other);
    files == 0 || ranks == 0
}

fn touches(one: Square, other: Square) -> bool {
    let (files, ranks) = distances(one, other);
    files.max(ranks) == 1
}

/// Returns the square as far behind `over` as `from` is in front of it; it may be off the board.
fn beyond(from: Square, over: Square) -> (i32, i32) {
    let ((file, rank), (over_file, over_rank)) = (coordinates(from), coordinates(over));
    (2 * over_file - file, 2 * over_rank - rank)
}

/// Returns `true` if a square is on the straight line between two others.
fn is_between(from: Square, over: Square, to: Square) -> bool {
    let ((file, rank), (over_file, over_rank)) = (coordinates(from), coordinates(over));
    let (to_file, to_rank) = coordinates(to);
    let cross = (over_file - file) * (to_rank - rank) - (over_rank - rank) * (to_file - file);
    let dot = (over_file - file) * (over_file - to_file) + (over_rank - rank) * (over_rank - to_rank);
    cross == 0 && dot < 0
}
