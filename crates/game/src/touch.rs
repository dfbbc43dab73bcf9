//! Touch-move (C13–C15).
//!
//! A touch is reported when it happens, before the turn is known. The obligation follows from the order of
//! the touches. At most two men bind the player: the player's first touched man that has a legal turn, and
//! the first touched enemy that can be taken. If there is one of each, the player's man must take
//! the enemy if that is legal; otherwise only the one touched first binds. A turn that was not preceded by a
//! touch, such as a planned turn (premove), is a touch and a release in one, so nothing binds it. In Ultima,
//! a man that can only be given up (U14) has no move and does not bind.
//!
//! In chess, castling is a move of the king: a player who touches the rook first may not castle. In
//! Interweave, a turn counts as a move of the man that makes its first step, and it takes everything that its
//! steps take.
//!
//! An Interweave position can have millions of chains, and after a touch the game may have to find out
//! whether one of them takes a certain man. The search looks at up to [`TOUCH_STEPS`] steps. If it has not
//! found such a chain by then, the enemy does not bind. The outcome is stored in the touch's event, so it
//! is computed only once.

use std::fmt;

use adoube_rules::{AnyPosition, Position as _, Square, SquareSet, Step, Turn, capture};
use serde::{Deserialize, Serialize};

/// The number of times that a player may say *j'adoube* in one turn: once for every man in the initial
/// position.
pub const ADJUSTS_PER_TURN: u8 = 32;

/// The maximum number of steps that are examined for one touch (C13). Examining that many takes a few
/// milliseconds. The worst of the positions constructed to be expensive needs two and a half times as many;
/// positions from real games need far fewer.
pub const TOUCH_STEPS: u32 = 50_000;

/// The obligation of a player in the current turn (C13).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Obligation {
    /// Must move the player's man on this square.
    MustMove(Square),
    /// Must take the enemy on this square.
    MustTake(Square),
    /// Must take `enemy` with `own`.
    MustTakeWith { own: Square, enemy: Square },
}

impl Obligation {
    /// Returns the stable name: `must-move`, `must-take` or `must-take-with`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MustMove(_) => "must-move",
            Self::MustTake(_) => "must-take",
            Self::MustTakeWith { .. } => "must-take-with",
        }
    }

    /// Returns the player's man that must move, if known.
    pub fn own_man(self) -> Option<Square> {
        match self {
            Self::MustMove(own) | Self::MustTakeWith { own, .. } => Some(own),
            Self::MustTake(_) => None,
        }
    }

    /// Returns the enemy that must be taken, if there is one.
    pub fn enemy(self) -> Option<Square> {
        match self {
            Self::MustTake(enemy) | Self::MustTakeWith { enemy, .. } => Some(enemy),
            Self::MustMove(_) => None,
        }
    }

    /// Returns `true` if `turn`, which must be legal, fulfils the obligation.
    pub fn allows(self, position: &AnyPosition, turn: &Turn) -> bool {
        let moves = |own| turn.steps().first().is_some_and(|step| step.from() == own);
        let takes = |enemy| taken_by(position, turn).contains(enemy);
        self.own_man().is_none_or(moves) && self.enemy().is_none_or(takes)
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MustMove(own) => write!(f, "the man on {own} was touched and must move"),
            Self::MustTake(enemy) => write!(f, "the man on {enemy} was touched and must be taken"),
            Self::MustTakeWith { own, enemy } => {
                write!(f, "the man on {own} must take the man on {enemy}: both were touched")
            }
        }
    }
}

/// Returns the squares of all men that the steps of a legal turn take.
fn taken_by(position: &AnyPosition, turn: &Turn) -> SquareSet {
    let mut current = position.clone();
    let mut taken = SquareSet::EMPTY;
    for &step in turn.steps() {
        taken |= current.taken(step);
        current.play_unchecked(step);
    }
    taken
}

/// Returns the legal steps after `prefix` with which the turn fulfils the obligation or can still do so.
pub(crate) fn allowed_steps(
    position: &AnyPosition,
    prefix: &Turn,
    obligation: Option<Obligation>,
) -> Vec<Step> {
    let mut current = position.clone();
    let mut taken = SquareSet::EMPTY;
    for &step in prefix.steps() {
        taken |= current.taken(step);
        current.play_unchecked(step);
    }
    let own = obligation.and_then(Obligation::own_man).filter(|_| prefix.steps().is_empty());
    let enemy = obligation.and_then(Obligation::enemy).filter(|&enemy| !taken.contains(enemy));
    let mut left = TOUCH_STEPS;
    let mut takes = |step: Step, enemy: Square| {
        if current.taken(step).contains(enemy) {
            return true;
        }
        let after = current.after(step);
        after.chain().is_some() && capture::can_take(&after, None, enemy, &mut left).unwrap_or(true)
    };
    current
        .legal_steps()
        .into_iter()
        .filter(|step| own.is_none_or(|own| step.from() == own))
        .filter(|&step| enemy.is_none_or(|enemy| takes(step, enemy)))
        .collect()
}

/// The outcome of a touch, as stored in its event.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TouchOutcome {
    /// Whether this is the player's first touched man that has a legal turn, or the first touched enemy that
    /// can be taken.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub binds: bool,
    /// Whether the player's binding man can take the binding enemy. Set by the touch that completes the pair.
    #[serde(rename = "together", default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub can_take: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// The men that the side to move has touched in the current turn.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Touches {
    /// All men touched without *j'adoube*, whether they bind or not.
    squares: SquareSet,
    /// The side's first touched man that has a turn.
    own: Option<Square>,
    /// The first touched enemy that can be taken.
    enemy: Option<Square>,
    enemy_first: bool,
    /// Whether `own` can take `enemy`.
    can_take: bool,
    /// Whether *j'adoube* has been said, so that the next touch does not bind (C14).
    adjusting: bool,
    adjusted: u8,
}

impl Touches {
    /// Returns the outcome of a touch by the side to move. Looks at up to [`TOUCH_STEPS`] steps.
    pub(crate) fn outcome(&self, position: &AnyPosition, square: Square) -> TouchOutcome {
        let mut outcome = TouchOutcome::default();
        if self.adjusting {
            return outcome;
        }
        let mut steps = TOUCH_STEPS;
        let (mut own, mut enemy) = (self.own, self.enemy);
        if position.men(position.side_to_move()).contains(square) {
            // Every legal step begins some turn, so chains need not be followed. A man that can only be given
            // up cannot move.
            let moves = |&step: &Step| step.from() == square && !position.gives_up(step);
            outcome.binds = own.is_none() && position.legal_steps().iter().any(moves);
            own = own.or(outcome.binds.then_some(square));
        } else {
            outcome.binds =
                enemy.is_none() && capture::can_take(position, None, square, &mut steps).unwrap_or(false);
            enemy = enemy.or(outcome.binds.then_some(square));
        }
        if outcome.binds
            && let (Some(own), Some(enemy)) = (own, enemy)
        {
            outcome.can_take = capture::can_take(position, Some(own), enemy, &mut steps).unwrap_or(false);
        }
        outcome
    }

    /// Records a touch by the side to move, with its outcome.
    pub(crate) fn touch(&mut self, position: &AnyPosition, square: Square, outcome: TouchOutcome) {
        if std::mem::take(&mut self.adjusting) {
            return;
        }
        self.squares.insert(square);
        if !outcome.binds {
            return;
        }
        if position.men(position.side_to_move()).contains(square) {
            self.own = Some(square);
            self.enemy_first = self.enemy.is_some();
        } else {
            self.enemy = Some(square);
        }
        self.can_take = outcome.can_take;
    }

    /// Records a *j'adoube*.
    pub(crate) fn adjust(&mut self) {
        self.adjusting = true;
        self.adjusted = self.adjusted.saturating_add(1);
    }

    pub(crate) fn obligation(&self) -> Option<Obligation> {
        match (self.own, self.enemy) {
            (Some(own), Some(enemy)) if self.can_take => Some(Obligation::MustTakeWith { own, enemy }),
            (Some(own), None) => Some(Obligation::MustMove(own)),
            (Some(own), Some(_)) if !self.enemy_first => Some(Obligation::MustMove(own)),
            (_, Some(enemy)) => Some(Obligation::MustTake(enemy)),
            (None, None) => None,
        }
    }

    pub(crate) fn squares(&self) -> SquareSet {
        self.squares
    }

    pub(crate) fn is_adjusting(&self) -> bool {
        self.adjusting
    }

    pub(crate) fn may_adjust(&self) -> bool {
        self.adjusted < ADJUSTS_PER_TURN
    }
}
