//! Explains why a step is illegal, which men a legal step takes and how, why a man is held, and which man
//! attacks which.
//!
//! The answers are values, not text; other crates turn them into sentences in the reader's language. Each
//! value names the rule that applies ([`Reason::clause`], [`Taking::clause`], [`outcome_clause`]).
//!
//! Only [`Position::legal_steps`] decides whether a step is legal. To find the reasons, this module examines
//! the geometry again, one question at a time, so that *all* reasons can be given, whereas a move generator
//! stops at the first. Tests check that every illegal step has a reason and that no legal step has one. This
//! module is not fast: it answers a person's question about one man.
//!
//! # Chess
//!
//! The knight shields its king from the bishop:
//!
//! ```
//! use adoube_rules::{AnyPosition, Position, Square, Variant, explain::{self, Reason}};
//!
//! let position = AnyPosition::from_fen(Variant::Chess, "4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . k . . .
//! 7 . . . . . . . .
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . b
//! 3 . . . . . . . .
//! 2 . . . . . N . .
//! 1 . . . . K . . .
//!   a b c d e f g h
//! ");
//! let reasons = explain::step(&position, Square::F2, Square::D3, None).unwrap_err();
//! let [Reason::Pinned { by, .. }] = &reasons[..] else { panic!("{reasons:?}") };
//! assert_eq!((by.square, reasons[0].clause(Variant::Chess)), (Square::H4, "C11"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Baroque
//!
//! A coordinator takes men at the corners of the rectangle that it forms with its king, and the explanation
//! names all the corners, so that a board can show the rectangle:
//!
//! ```
//! use adoube_rules::{AnyPosition, Position, Square, Variant, explain::{self, CaptureMethod}};
//!
//! let position = AnyPosition::from_fen(Variant::Baroque, "8/2b4K/2q5/3p1N1p/8/8/2R5/k7")?;
//! assert_eq!(position.diagram(), "\
//! 8 . . . . . . . .
//! 7 . . b . . . . K
//! 6 . . q . . . . .
//! 5 . . . p . N . p
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . R . . . . .
//! 1 k . . . . . . .
//!   a b c d e f g h
//! ");
//! let legal = explain::step(&position, Square::C2, Square::C5, None).expect("a legal step");
//! let [on_c7, on_h5] = &legal.takings[..] else { panic!("{legal:?}") };
//! assert_eq!((on_c7.victim.square, on_h5.victim.square), (Square::C7, Square::H5));
//! assert_eq!(on_c7.method, CaptureMethod::Coordination { king: Square::H7, opposite: Square::H5 });
//! assert_eq!(on_c7.clause(Variant::Baroque), "B7");
//! assert_eq!(on_c7.squares().to_string(), "\
//! 8 . . . . . . . .
//! 7 . . x . . . . x
//! 6 . . . . . . . .
//! 5 . . x . . . . x
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . x . . . . .
//! 1 . . . . . . . .
//!   a b c d e f g h
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Interweave
//!
//! Taking is compulsory: the king may not go to d4 while it can leap. The reason lists everything that can be
//! taken instead.
//!
//! ```
//! use adoube_rules::{AnyPosition, DrawRules, Position, Square, Variant, explain::{self, Reason}};
//!
//! let position = AnyPosition::from_fen(Variant::Interweave, "k6k/8/4b3/3nK3/8/8/8/7K")?;
//! assert_eq!(position.diagram(), "\
//! 8 k . . . . . . k
//! 7 . . . . . . . .
//! 6 . . . . b . . .
//! 5 . . . n K . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 . . . . . . . .
//! 1 . . . . . . . K
//!   a b c d e f g h
//! ");
//! let reasons = explain::step(&position, Square::E5, Square::D4, None).unwrap_err();
//! let [Reason::TakingCompulsory { takings }] = &reasons[..] else { panic!("{reasons:?}") };
//! let to: Vec<_> = takings.iter().map(|legal| legal.to).collect();
//! assert_eq!(to, [Square::C5, Square::E7]);
//!
//! let about = explain::position(&position, DrawRules::Club);
//! assert_eq!(&about.compulsory, takings);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abbott;
mod about;
mod chess;
mod geometry;
mod interweave;
mod reason;
mod taking;
#[cfg(test)]
mod tests;

pub use reason::{CastlingObstacle, Reason, outcome_clause};
pub use taking::{CaptureMethod, Man, Taking};

use crate::{
    color::Color,
    moves::{Step, Turn},
    outcome::{DrawRules, Outcome},
    position::{AnyPosition, Position, SearchPosition},
    role::Role,
    square::Square,
    with_position,
};
use about::{explain_man, explain_position, legal_steps};
use geometry::man_at;

/// A legal step, explained.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Legal {
    /// The step.
    pub step: Step,
    /// The man that moves, with the square that it leaves.
    pub man: Man,
    /// The square where the man ends up; a castling [`step`](Self::step) names the rook's square instead.
    pub to: Square,
    /// The men taken, each with the way it is taken; exactly those of [`Position::taken`].
    pub takings: Vec<Taking>,
    /// The squares that the rook leaves and reaches, if the step is castling (C10).
    pub castling: Option<(Square, Square)>,
    /// Whether the same man must take again afterwards (I4).
    pub chain_continues: bool,
    /// The clause by which the man leaves the board instead of moving (U14); `None` if it moves, or takes
    /// where it stands.
    pub giving_up: Option<&'static str>,
}

/// A turn that is not legal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The legal steps at the start of the turn. The step after them is illegal or missing.
    pub legal: Vec<Legal>,
    /// All reasons why the turn is illegal, at least one.
    pub reasons: Vec<Reason>,
}

/// The explanation of one man.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ManExplanation {
    /// The man.
    pub man: Man,
    /// The reasons that keep the man from moving at all, or from moving freely: a pin (C11), a check that it
    /// cannot parry (C12), a king that it shields (B12), an immobilizer or chameleon (B4), a taking elsewhere
    /// or a chain (I4), the other side's turn, the end of the game. Empty if there are none.
    ///
    /// A pinned or shielding man may still have steps: along the line, or to squares where it still shields.
    pub holding: Vec<Reason>,
    /// For a man without steps, the reasons why it cannot go to the squares that it could otherwise reach;
    /// empty if `holding` contains more than the end of the game or the other side's turn. Contains the men
    /// in its way, each once, and the enemies that could take its king after each step. This explains blocked men,
    /// stalemates and mates.
    pub exclusions: Vec<Reason>,
    /// The man's steps; for a man of the other side, its steps if its side were to move.
    pub steps: Vec<Legal>,
    /// The attacks by the man: the enemies that it could take if its side were to move, ignoring check to its
    /// own king and compulsory takings. A frozen man attacks nothing; a pinned man does attack (it still
    /// gives check).
    pub attacks: Vec<Taking>,
    /// The attacks on the man, in the same sense.
    pub attacked_by: Vec<Taking>,
}

/// The explanation of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PositionExplanation {
    /// The checks to the side to move (C12, B12). Interweave has no check (I3).
    pub checks: Vec<Taking>,
    /// The takings that would be legal for the other side if it were to move, except those that take a royal
    /// king.
    pub threats: Vec<Taking>,
    /// The takings to choose from, if taking is compulsory (I4).
    pub compulsory: Vec<Legal>,
    /// The man that must continue to take (I4).
    pub chain: Option<Man>,
    /// The outcome of the game on the board; [`outcome_clause`] names the rule.
    pub outcome: Option<Outcome>,
}

/// Explains a step of the side to move: the men it takes, or all reasons why it is not legal.
///
/// For castling, `to` may be the king's destination or the rook's square.
pub fn step(
    position: &AnyPosition,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Legal, Vec<Reason>> {
    step_of(position, position.side_to_move(), from, to, promotion)
}

/// Explains a step for a side that need not be the side to move.
pub fn step_of(
    position: &AnyPosition,
    side: Color,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Legal, Vec<Reason>> {
    with_position!(position, position => explain_step(position, side, from, to, promotion))
}

/// Explains a turn of the side to move, step by step.
pub fn turn(position: &AnyPosition, turn: &Turn) -> Result<Vec<Legal>, Refusal> {
    with_position!(position, position => explain_turn(position, turn))
}

/// Returns the squares that the rook leaves and reaches, if a legal step is castling (C10). In Chess960 they may
/// be equal.
pub fn castling(position: &AnyPosition, step: Step) -> Option<(Square, Square)> {
    with_position!(position, position => position.castling(step))
}

/// Explains the man on a square: why it is held, where it could go, which men it attacks and which attack it.
/// Returns `None` if the square is empty.
pub fn man(position: &AnyPosition, square: Square) -> Option<ManExplanation> {
    with_position!(position, position => explain_man(position, square))
}

/// Explains a position: checks, threats, compulsory takings, and why the game is over.
pub fn position(position: &AnyPosition, rules: DrawRules) -> PositionExplanation {
    with_position!(position, position => explain_position(position, rules))
}

/// The explanations that depend on the game.
trait Explain: SearchPosition {
    /// Returns the reasons why a man of either side cannot reach a square by its way of moving. Ignores check
    /// to its own king, compulsory takings, castling and the role chosen for a promotion.
    fn obstacles(&self, man: Man, to: Square) -> Vec<Reason>;

    /// Returns the takings of a man that moves to a square, provided that it can move there.
    fn takings(&self, man: Man, to: Square) -> Vec<Taking>;

    /// Returns all reasons why a man of the side to move may not move to a square; none if it may.
    fn reasons(&self, man: Man, to: Square, promotion: Option<Role>) -> Vec<Reason>;

    /// Returns the reasons that hold a man of either side on its square.
    fn holding_reasons(&self, man: Man) -> Vec<Reason>;

    /// Returns the position with the other side to move.
    fn after_passing(&self) -> Self;

    /// Returns the square of a side's king, if kings are royal in this game.
    fn royal(&self, color: Color) -> Option<Square>;

    /// Returns the squares that the rook leaves and reaches in a castling step.
    fn castling(&self, _step: Step) -> Option<(Square, Square)> {
        None
    }
}

fn explain_step<P: Explain>(
    position: &P,
    side: Color,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Legal, Vec<Reason>> {
    if side == position.side_to_move()
        && let Some(step) = find(position, from, to, promotion)
        && let Some(legal) = legal(position, step)
    {
        return Ok(legal);
    }
    let mut reasons = reasons(position, side, from, to, promotion);
    debug_assert!(!reasons.is_empty(), "no reason why {from}{to} is illegal in {}", position.fen());
    if reasons.is_empty()
        && let Some(man) = man_at(position, from)
    {
        reasons.push(Reason::InvalidMovement { man });
    }
    Err(reasons)
}

/// Returns the matching legal step. A step whose `to` is the given square takes precedence over castling in
/// which the king ends up there.
fn find<P: Explain>(position: &P, from: Square, to: Square, promotion: Option<Role>) -> Option<Step> {
    let steps = position.legal_steps();
    let candidates =
        || steps.iter().copied().filter(|step| (step.from(), step.promotion()) == (from, promotion));
    candidates()
        .find(|step| step.to() == to)
        .or_else(|| candidates().find(|&step| position.destination(step) == to))
}

/// Returns the full explanation of a legal step.
fn legal<P: Explain>(position: &P, step: Step) -> Option<Legal> {
    let man = man_at(position, step.from())?;
    let clauses = &position.variant().info().clauses;
    let giving_up = clauses.passing.as_ref().and_then(|passing| passing.giving_up);
    Some(Legal {
        step,
        man,
        to: position.destination(step),
        takings: position.takings(man, step.to()),
        castling: position.castling(step),
        chain_continues: position.after(step).chain().is_some(),
        giving_up: giving_up.filter(|_| position.gives_up(step)),
    })
}

/// Returns all reasons why a step is illegal; none if it is legal.
fn reasons<P: Explain>(
    position: &P,
    side: Color,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if let Some(outcome) = outcome_without_steps(position) {
        reasons.push(Reason::GameOver { outcome });
    }
    let to_move = position.side_to_move();
    if side != to_move {
        reasons.push(Reason::NotYourTurn { to_move });
    }
    match man_at(position, from) {
        None => reasons.push(Reason::NoMan { square: from }),
        Some(man) if man.color() != side => reasons.push(Reason::NotYourMan { man }),
        Some(man) if side == to_move => reasons.extend(position.reasons(man, to, promotion)),
        Some(_) => {}
    }
    reasons
}

/// Returns the outcome if there are no legal steps. A draw that leaves legal steps does not make them
/// illegal.
fn outcome_without_steps<P: SearchPosition>(position: &P) -> Option<Outcome> {
    if position.count_steps() == 0 { position.outcome(DrawRules::default()) } else { None }
}

fn explain_turn<P: Explain>(position: &P, turn: &Turn) -> Result<Vec<Legal>, Refusal> {
    let side = position.side_to_move();
    let mut current = position.clone();
    let mut legal = Vec::new();
    for &step in turn.steps() {
        match explain_step(&current, side, step.from(), step.to(), step.promotion()) {
            Ok(explained) => {
                current.play_unchecked(explained.step);
                legal.push(explained);
            }
            Err(reasons) => return Err(Refusal { legal, reasons }),
        }
    }
    if let Some(reason) = unfinished(&current) {
        Err(Refusal { legal, reasons: vec![reason] })
    } else if legal.is_empty() {
        Err(Refusal { legal, reasons: vec![Reason::Pass] })
    } else {
        Ok(legal)
    }
}

/// Returns the reason, if any, why the turn cannot end here.
fn unfinished<P: Explain>(position: &P) -> Option<Reason> {
    let with = man_at(position, position.chain()?)?;
    Some(Reason::ChainMustContinue { with, takings: legal_steps(position) })
}
