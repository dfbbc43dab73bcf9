//! Explains why a wrong turn misses the goal of a drill.
//!
//! The results are values, not text, as in [`adoube_rules::explain`]. The page runs this code in the browser,
//! where the size of the code matters, so this module reuses the explanations that the page needs anyway.

mod miss;

use std::mem::discriminant;

use adoube_rules::{
    AnyPosition, Color, DrawRules, Outcome, Position, Square, SquareSet, Turn, Win,
    explain::{self, CaptureMethod, Man, Reason, Taking},
};

pub use self::miss::Miss;

/// A wrong turn, with the question that it answers.
#[derive(Clone, Copy, Debug)]
pub struct WrongTurn<'a> {
    /// The [name](crate::Goal::name) of the goal.
    pub goal: &'a str,
    /// The [man](crate::Goal::man) that the goal is about.
    pub man: Option<Square>,
    /// The positions of the drill so far.
    pub past: &'a [AnyPosition],
    /// The position in which the turn is played, the last of [`past`](Self::past).
    pub before: &'a AnyPosition,
    /// The turn, which is legal.
    pub turn: &'a Turn,
    /// A right answer.
    pub solution: &'a Turn,
    /// The rest of the drill after this answer: a reply and a right answer for each later stage.
    pub then: &'a [Turn],
}

/// The maximum number of missed captures to explain; more explanations would obscure the first.
const MAX_EXPLAINED: usize = 2;

/// Lists what a wrong turn in a drill does or leaves undone.
///
/// The list is empty if the goal itself says why: the position occurs too often, or the check is parried by a
/// capture although the goal asks for another way.
pub fn misses(wrong: &WrongTurn<'_>) -> Vec<Miss> {
    let man = wrong.turn.steps().first().and_then(|step| man_at(wrong.before, step.from()));
    let Some(man) = man else { return Vec::new() };
    Comparison { wrong, effects: Effects::of(wrong.before, wrong.turn), man }.misses()
}

/// The effects of a turn.
struct Effects {
    after: AnyPosition,
    taken: SquareSet,
    /// The square where the turn ends.
    to: Square,
}

impl Effects {
    fn of(before: &AnyPosition, turn: &Turn) -> Self {
        let mut effects = Self { after: before.clone(), taken: SquareSet::EMPTY, to: Square::A1 };
        for &step in turn.steps() {
            effects.taken |= effects.after.taken(step);
            effects.to = effects.after.destination(step);
            effects.after.play_unchecked(step);
        }
        effects
    }

    /// Returns the outcome of the game if no turn can follow. A draw that leaves legal turns is ignored, as
    /// on the page's board, where the game goes on.
    fn outcome(&self) -> Option<Outcome> {
        if self.after.legal_steps().is_empty() { self.after.outcome(DrawRules::default()) } else { None }
    }
}

/// A wrong turn, with its effects.
struct Comparison<'a> {
    wrong: &'a WrongTurn<'a>,
    effects: Effects,
    /// The man that moves, before the turn.
    man: Man,
}

impl Comparison<'_> {
    fn misses(&self) -> Vec<Miss> {
        let over = self.effects.outcome().map(|outcome| vec![Miss::Over { outcome }]);
        if !self.wrong.then.is_empty() {
            return over.unwrap_or_else(|| self.refutation());
        }
        let mut misses = match self.wrong.goal {
            "takes" | "passes" => self.missed_captures(),
            "most" => {
                let most = Effects::of(self.wrong.before, self.wrong.solution).taken.len();
                vec![Miss::Count { count: self.effects.taken.len(), most }]
            }
            "ends" | "wins" => return over.unwrap_or_else(|| self.missed_end()),
            "checks" => return over.unwrap_or_else(|| self.missed_check()),
            "parries" => return self.missed_parry(),
            "castles" => return self.missed_castling(),
            "promotes" => return self.missed_promotion(),
            "frees" => return self.missed_release(),
            "freezes" => return self.missed_freeze(),
            "dies" => return self.still_mobile(),
            "repeats" => return self.occurrences(),
            _ => Vec::new(),
        };
        misses.extend(over.unwrap_or_default());
        misses
    }

    /// Compares the men taken with those that a right answer takes.
    fn missed_captures(&self) -> Vec<Miss> {
        let WrongTurn { before, solution, .. } = *self.wrong;
        let Effects { after, taken, to } = &self.effects;
        let (mut wanted, mut missing, mut reasons) = (SquareSet::EMPTY, Vec::new(), Vec::new());
        for taking in takings(before, solution) {
            let victim = taking.victim;
            wanted.insert(victim.square);
            if taken.contains(victim.square) {
                continue;
            }
            missing.push(victim);
            if missing.len() <= MAX_EXPLAINED {
                reasons.extend(self.missed_capture(&taking));
            }
        }
        let is_missing = !missing.is_empty();
        let mut misses = Vec::new();
        if is_missing {
            misses.push(Miss::Stays { men: missing });
        }
        for miss in reasons {
            // These do not name the man that is still there, so one of each kind is enough. Comparing whole
            // values would take 5 kB of code.
            let is_general = matches!(
                miss,
                Miss::OtherMan | Miss::PincerDiagonal { .. } | Miss::Aligned { .. } | Miss::EnPassant
            );
            if !is_general || misses.iter().all(|other| discriminant(other) != discriminant(&miss)) {
                misses.push(miss);
            }
        }
        let extra = *taken - wanted;
        if !is_missing && extra.any() {
            misses.push(Miss::TooMany { men: men(before, extra, &|_| true) });
        }
        if extra.any()
            && let Some(step) = after.legal_steps().into_iter().find(|&step| after.taken(step).contains(*to))
            && let Some(man) = man_at(after, step.from())
        {
            misses.push(Miss::Retaken { man, to: *to });
        }
        misses
    }

    /// Explains why the turn does not take a man that a right answer takes.
    fn missed_capture(&self, taking: &Taking) -> Option<Miss> {
        let WrongTurn { before, turn, solution, .. } = *self.wrong;
        let (man, to, at) = (self.man, self.effects.to, taking.victim.square);
        let is_same_man = solution.steps().first()?.from() == man.square;
        if turn.steps().len() > 1 {
            return (!is_same_man).then_some(Miss::OtherMan);
        }
        if taking.method == CaptureMethod::Landing {
            let reasons = explain::step(before, man.square, at, None).err().unwrap_or_default();
            // The page asks for the role later.
            let reason = reasons.into_iter().find(|each| !matches!(each, Reason::PromotionMissing { .. }));
            return Some(
                reason.map_or(Miss::Landing { man, to, at }, |reason| Miss::Unreachable { at, reason }),
            );
        }
        if taking.by.role() != man.role() {
            return Some(Miss::OtherMan);
        }
        Some(match taking.method {
            CaptureMethod::Pincer { .. } | CaptureMethod::Custodian { .. } => {
                let (files, ranks) = difference(to, at);
                if taking.imitated.is_some() && !is_straight(man.square, to) {
                    Miss::PincerDiagonal { man, to }
                } else if files.abs() + ranks.abs() != 1 {
                    Miss::PincerFar { man, to, at }
                } else if let Some(behind) = at.offset(files, ranks) {
                    Miss::PincerAlone { to, at, behind }
                } else {
                    Miss::PincerEdge { to, at }
                }
            }
            CaptureMethod::Coordination { king, .. } if is_straight(king, to) => {
                Miss::Aligned { man, to, king }
            }
            CaptureMethod::Coordination { king, .. } => {
                let corners = [Square::new(to.file(), king.rank()), Square::new(king.file(), to.rank())];
                Miss::Corners { to, king, corners, at }
            }
            CaptureMethod::EnPassant { .. } => Miss::EnPassant,
            CaptureMethod::Leap { .. }
            | CaptureMethod::ShortLeap
            | CaptureMethod::LongLeap { .. }
            | CaptureMethod::DoubleKnightLeap { .. } => Miss::Leap { man, to, at },
            CaptureMethod::Withdrawal => Miss::Withdrawal { man, to, at },
            CaptureMethod::Approach => Miss::Approach { man, to, at },
            _ if taking.by.square == man.square => return None,
            _ => Miss::OtherMan,
        })
    }

    /// Explains why the turn does not give check.
    fn missed_check(&self) -> Vec<Miss> {
        let Effects { after, to, .. } = &self.effects;
        let mut misses = Vec::new();
        for king in royal_men(after, after.side_to_move()) {
            let Some(man) = man_at(after, *to).filter(|man| man.color() != king.color()) else {
                misses.push(Miss::NoCheck { king });
                continue;
            };
            misses.push(Miss::NoAttack { man, at: king.square });
            // A royal man does not give check, so explaining how it moves would not help.
            if is_royal(after, man) {
                continue;
            }
            let reasons = after
                .after_null_move()
                .and_then(|passed| explain::step(&passed, *to, king.square, None).err());
            let reason = reasons.unwrap_or_default().into_iter().find(is_about_the_path);
            misses.extend(reason.map(|reason| Miss::Unreachable { at: king.square, reason }));
        }
        misses
    }

    /// Counts the turns that the opponent still has, and names one of them.
    fn replies(&self) -> Vec<Miss> {
        let Effects { after, to, .. } = &self.effects;
        let (mut count, mut shown, mut retakes) = (0, None, false);
        for turn in after.turns() {
            count += 1;
            // A capture of the man that has just moved is the most telling.
            if !retakes {
                retakes = Effects::of(after, &turn).taken.contains(*to);
                if retakes || shown.is_none() {
                    shown = Some(turn);
                }
            }
        }
        shown.map(|turn| Miss::Replies { count, turn }).into_iter().collect()
    }

    /// Lists the effects of a right answer that the turn lacks.
    fn missed_end(&self) -> Vec<Miss> {
        let right = Effects::of(self.wrong.before, self.wrong.solution);
        let outcome = right.outcome();
        if matches!(outcome, Some(Outcome::Decisive { reason: Win::KingCaptured, .. })) {
            return self.missed_captures();
        }
        let after = &self.effects.after;
        if outcome.is_none() && !right.after.is_check() {
            // After a right answer, the game is over because of the men that are left.
            return vec![Miss::Left { men: non_royal_men(after) }];
        }
        let lacks_check = right.after.is_check() && !after.is_check();
        let mut misses = if lacks_check { self.missed_check() } else { Vec::new() };
        misses.extend(self.replies());
        misses
    }

    fn missed_parry(&self) -> Vec<Miss> {
        let man = self.man;
        if self.wrong.before.checked_kings().contains(man.square) {
            vec![Miss::KingMoved { man }]
        } else if self.effects.taken.is_empty() {
            vec![Miss::KingStayed]
        } else {
            Vec::new()
        }
    }

    fn missed_castling(&self) -> Vec<Miss> {
        let kings = royal_men(self.wrong.before, self.man.color());
        let miss = |&man: &Man| {
            if man == self.man { Miss::KingOneSquare { man } } else { Miss::KingStill { man } }
        };
        kings.first().map(miss).into_iter().collect()
    }

    fn missed_promotion(&self) -> Vec<Miss> {
        let color = self.man.color();
        let role = self.wrong.turn.steps().iter().find_map(|step| step.promotion());
        vec![role.map_or(Miss::NoPromotion, |role| Miss::Promoted { color, role })]
    }

    fn missed_release(&self) -> Vec<Miss> {
        let about = self.wrong.man.and_then(|square| explain::man(&self.effects.after, square));
        let mut misses = Vec::new();
        for reason in about.map(|about| about.holding).unwrap_or_default() {
            if !matches!(reason, Reason::NotYourTurn { .. }) {
                misses.push(Miss::Held { reason });
            }
        }
        misses
    }

    /// Explains why the man that freezes in a right answer does not freeze after the turn.
    fn missed_freeze(&self) -> Vec<Miss> {
        let freezer = self.wrong.solution.steps().first().map(|step| step.from());
        let (Some(freezer), Some(at)) = (freezer, self.wrong.man) else { return Vec::new() };
        let place = if freezer == self.man.square { self.effects.to } else { freezer };
        let (files, ranks) = difference(place, at);
        match man_at(&self.effects.after, place) {
            Some(man) if files.abs().max(ranks.abs()) > 1 => vec![Miss::NotTouching { man, at }],
            _ => Vec::new(),
        }
    }

    /// Lists the men of both sides, other than kings, that can still move. If there are none, counts the
    /// replies.
    fn still_mobile(&self) -> Vec<Miss> {
        let after = &self.effects.after;
        let mut men = non_royal_men(after);
        men.retain(|man| explain::man(after, man.square).is_some_and(|about| !about.steps.is_empty()));
        if men.is_empty() { self.replies() } else { vec![Miss::Mobile { men }] }
    }

    fn occurrences(&self) -> Vec<Miss> {
        let key = self.effects.after.key();
        let earlier = self.wrong.past.iter().filter(|position| position.key() == key).count();
        vec![Miss::Occurs { count: earlier + 1 }]
    }

    /// Finds a reply after which the goal cannot be reached with the next turn.
    fn refutation(&self) -> Vec<Miss> {
        let Some(right) = self.finish() else { return self.replies() };
        let outcome = right.outcome();
        let winner = Some(self.man.color());
        let reaches = |end: &Effects| match self.wrong.goal {
            "takes" => end.taken == right.taken,
            "wins" => end.outcome().and_then(Outcome::winner) == winner,
            _ => outcome.is_some() && end.outcome() == outcome,
        };
        let after = &self.effects.after;
        let (mut first, mut is_reached) = (None, false);
        for reply in after.turns() {
            let next = Effects::of(after, &reply).after;
            if next.turns().any(|turn| reaches(&Effects::of(&next, &turn))) {
                is_reached = true;
            } else if first.is_none() {
                first = Some(reply);
            }
            if is_reached && first.is_some() {
                break;
            }
        }
        match first {
            Some(turn) if is_reached => vec![Miss::Refuted { turn }],
            Some(_) => vec![Miss::OutOfReach],
            None => self.replies(),
        }
    }

    /// Returns the effects of the drill's last turn, if exactly one stage follows.
    fn finish(&self) -> Option<Effects> {
        let [reply, answer] = self.wrong.then else { return None };
        let solved = Effects::of(self.wrong.before, self.wrong.solution).after;
        Some(Effects::of(&Effects::of(&solved, reply).after, answer))
    }
}

/// Returns the captures of a turn.
fn takings(before: &AnyPosition, turn: &Turn) -> Vec<Taking> {
    let (mut at, mut takings) = (before.clone(), Vec::new());
    for &step in turn.steps() {
        if let Ok(legal) = explain::step(&at, step.from(), step.to(), step.promotion()) {
            takings.extend(legal.takings);
        }
        at.play_unchecked(step);
    }
    takings
}

/// Returns `true` if a reason is about the man's movement, its path, or a man that freezes it.
fn is_about_the_path(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::InvalidMovement { .. }
            | Reason::WrongSquareColor { .. }
            | Reason::Blocked { .. }
            | Reason::FrozenByImmobilizer { .. }
            | Reason::FrozenByChameleon { .. }
    )
}

fn man_at(position: &AnyPosition, square: Square) -> Option<Man> {
    position.piece_at(square).map(|piece| Man { square, piece })
}

/// Returns the men on some squares for which `keep` returns true.
fn men(position: &AnyPosition, squares: SquareSet, keep: &dyn Fn(Man) -> bool) -> Vec<Man> {
    let mut men = Vec::new();
    for square in squares {
        if let Some(man) = man_at(position, square)
            && keep(man)
        {
            men.push(man);
        }
    }
    men
}

fn is_royal(position: &AnyPosition, man: Man) -> bool {
    position.variant().info().royal == Some(man.role())
}

fn royal_men(position: &AnyPosition, color: Color) -> Vec<Man> {
    men(position, position.men(color), &|man| is_royal(position, man))
}

/// Returns the men that are not royal.
fn non_royal_men(position: &AnyPosition) -> Vec<Man> {
    let all = position.men(Color::White) | position.men(Color::Black);
    men(position, all, &|man| !is_royal(position, man))
}

/// Returns the offset from one square to another: files to the right, and ranks up.
fn difference(from: Square, to: Square) -> (i8, i8) {
    (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8)
}

fn is_straight(from: Square, to: Square) -> bool {
    from.file() == to.file() || from.rank() == to.rank()
}

#[cfg(test)]
mod tests;
