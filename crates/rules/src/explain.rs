//! Why a step is not legal, what a legal one takes and how, what holds a man, who attacks whom.
//!
//! The answers are values, no text: words are made elsewhere, in the language of the reader. Each names the rule
//! it applies ([`Reason::clause`], [`Taking::clause`], [`outcome_clause`]).
//!
//! Whether a step is legal is asked from [`Position::legal_steps`] alone. The reasons look at the geometry once
//! more, one question at a time, so that *all* reasons can be given where a generator stops at the first; that
//! there are some for every step that is not legal, and none for a legal one, is tested. Nothing here is fast:
//! it answers a person who asks about one man.
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
//! A coordinator takes on the corners of the rectangle that it makes with its king, and the explanation names them all, so that
//! a board can show the figure:
//!
//! ```
//! use adoube_rules::{AnyPosition, Position, Square, Variant, explain::{self, Way}};
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
//! assert_eq!(on_c7.way, Way::Coordination { king: Square::H7, opposite: Square::H5 });
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
//! Taking is compulsory: the king may not go to d4 while it can leap. The reason holds all that can be taken instead.
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
mod chess;
mod interweave;
mod reason;
mod taking;

pub use reason::{CastlingObstacle, Reason, outcome_clause};
pub use taking::{Man, Taking, Way};

use crate::{
    attacks,
    color::Color,
    moves::{Step, Turn},
    outcome::{DrawRules, Outcome},
    position::{AnyPosition, Position, SearchPosition},
    role::Role,
    square::Square,
    square_set::SquareSet,
    with_position,
};

/// A legal step, told in full.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Legal {
    /// The step.
    pub step: Step,
    /// The man that moves, on the square it leaves.
    pub man: Man,
    /// Where it ends; a castling step itself names the rook's square instead.
    pub to: Square,
    /// The men taken, each with the way it is taken; exactly those of [`Position::taken`].
    pub takings: Vec<Taking>,
    /// Where the rook goes from and to, if this is castling (C10).
    pub castling: Option<(Square, Square)>,
    /// Whether the same man must take again afterwards (I4).
    pub goes_on: bool,
    /// The clause by which the man leaves the board instead of moving (U14); `None` if it moves, or takes where it stands.
    pub giving_up: Option<&'static str>,
}

/// A turn that is not legal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The steps that are legal, from the first; the next one is not, or is missing.
    pub legal: Vec<Legal>,
    /// All reasons why not, at least one.
    pub reasons: Vec<Reason>,
}

/// All about one man.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AboutMan {
    /// The man.
    pub man: Man,
    /// What keeps it from moving, or from moving freely, wherever it would go: a pin (C11), a check that it
    /// cannot parry (C12), a king that it shields (B12), an immobilizer or chameleon (B4), a taking elsewhere or
    /// a chain (I4), the other side's turn, the end of the game. Empty if nothing does.
    ///
    /// A pinned or shielding man may have steps all the same: along the line, or to where it shields as well.
    pub holds: Vec<Reason>,
    /// If it has no step, and nothing of the above but the end of the game or the other side's turn is why: what
    /// bars it from where it could go otherwise. Men in its way, each once; for a king, also who would take it on
    /// each square. So a man that is hemmed in, a stalemate and a mate are told.
    pub barred: Vec<Reason>,
    /// Where it could go; for a man of the other side, if its side were to move.
    pub steps: Vec<Legal>,
    /// What it attacks: what it could take if its side were to move, whatever became of its own king and
    /// whatever had to be taken first. A frozen man attacks nothing; a pinned one does (it still gives check).
    pub attacks: Vec<Taking>,
    /// By whom it is attacked, in the same sense.
    pub attacked_by: Vec<Taking>,
}

/// All about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AboutPosition {
    /// Who gives check to the side to move, and how (C12, B12). Interweave knows no check (I3).
    pub checks: Vec<Taking>,
    /// What the other side could legally take were it to move, royal kings aside.
    pub threats: Vec<Taking>,
    /// What must be taken now: the takings to choose from where taking is compulsory (I4).
    pub compulsory: Vec<Legal>,
    /// The man that must go on taking (I4).
    pub chain: Option<Man>,
    /// How the game has ended on the board; [`outcome_clause`] says by which rule.
    pub outcome: Option<Outcome>,
}

/// Explains a step of the side to move: what it takes, or all reasons why it is not legal.
///
/// Castling is understood by the king's square of destination and by the rook's square.
pub fn step(
    position: &AnyPosition,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Legal, Vec<Reason>> {
    step_of(position, position.side_to_move(), from, to, promotion)
}

/// Explains a step that a side asks for, whoever is to move.
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

/// Explains the man of a square: what holds it, where it could go, what it attacks and what attacks it.
pub fn man(position: &AnyPosition, square: Square) -> Option<AboutMan> {
    with_position!(position, position => about_man(position, square))
}

/// Explains a position: checks, threats, what must be taken, why the game is over.
pub fn position(position: &AnyPosition, rules: DrawRules) -> AboutPosition {
    with_position!(position, position => about_position(position, rules))
}

/// What each game says for itself.
trait Explain: SearchPosition {
    /// Returns why a man does not get to a square by the way it moves, whoever is to move: its own king, the
    /// takings that are compulsory and promotion are not looked at, castling is not meant.
    fn obstacles(&self, man: Man, to: Square) -> Vec<Reason>;

    /// Returns what a man takes by going to a square, if nothing is in the way of that.
    fn takings(&self, man: Man, to: Square) -> Vec<Taking>;

    /// Returns all reasons why a man of the side to move may not go to a square; none if it may.
    fn reasons(&self, man: Man, to: Square, promotion: Option<Role>) -> Vec<Reason>;

    /// Returns what holds a man wherever it would go, whoever is to move.
    fn holds(&self, man: Man) -> Vec<Reason>;

    /// Returns the position with the other side to move.
    fn passed(&self) -> Self;

    /// Returns the square of a king that must not be taken.
    fn royal(&self, color: Color) -> Option<Square>;

    /// Returns where the rook goes from and to in a castling step.
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
    debug_assert!(!reasons.is_empty(), "no reason against {from}{to} in {}", position.fen());
    if reasons.is_empty()
        && let Some(man) = man_at(position, from)
    {
        reasons.push(Reason::DoesNotMoveSo { man });
    }
    Err(reasons)
}

/// Returns the legal step that is meant: the exact one first, then castling by the king's destination.
fn find<P: Explain>(position: &P, from: Square, to: Square, promotion: Option<Role>) -> Option<Step> {
    let steps = position.legal_steps();
    let candidates =
        || steps.iter().copied().filter(|step| (step.from(), step.promotion()) == (from, promotion));
    candidates()
        .find(|step| step.to() == to)
        .or_else(|| candidates().find(|&step| position.destination(step) == to))
}

/// Tells a legal step in full.
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
        goes_on: position.after(step).chain().is_some(),
        giving_up: giving_up.filter(|_| position.gives_up(step)),
    })
}

/// Returns all reasons against a step; none if it is legal.
fn reasons<P: Explain>(
    position: &P,
    side: Color,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if let Some(outcome) = over(position) {
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

/// Returns the end of the game that leaves no legal step. Draws that leave some do not make them illegal.
fn over<P: SearchPosition>(position: &P) -> Option<Outcome> {
    if position.count_steps() == 0 { position.outcome(DrawRules::default()) } else { None }
}

fn explain_turn<P: Explain>(position: &P, turn: &Turn) -> Result<Vec<Legal>, Refusal> {
    let side = position.side_to_move();
    let mut at = position.clone();
    let mut legal = Vec::new();
    for &step in turn.steps() {
        match explain_step(&at, side, step.from(), step.to(), step.promotion()) {
            Ok(explained) => {
                at.play_unchecked(explained.step);
                legal.push(explained);
            }
            Err(reasons) => return Err(Refusal { legal, reasons }),
        }
    }
    if let Some(reason) = unfinished(&at) {
        Err(Refusal { legal, reasons: vec![reason] })
    } else if legal.is_empty() {
        Err(Refusal { legal, reasons: vec![Reason::Pass] })
    } else {
        Ok(legal)
    }
}

/// Returns why a turn cannot end here.
fn unfinished<P: Explain>(position: &P) -> Option<Reason> {
    let with = man_at(position, position.chain()?)?;
    Some(Reason::ChainGoesOn { with, takings: legal_steps(position) })
}

fn about_man<P: Explain>(position: &P, square: Square) -> Option<AboutMan> {
    let man = man_at(position, square)?;
    let to_move = position.side_to_move();
    let mut holds = Vec::new();
    if let Some(outcome) = over(position) {
        holds.push(Reason::GameOver { outcome });
    }
    let mut steps = if man.color() == to_move {
        legal_steps(position)
    } else {
        holds.push(Reason::NotYourTurn { to_move });
        legal_steps(&position.passed())
    };
    holds.extend(position.holds(man));
    let royal = position.royal(!man.color());
    // With the other side to move, its men could take a king in check; that never comes to pass (C16).
    steps.retain(|legal| {
        legal.man == man && legal.takings.iter().all(|taking| Some(taking.victim.square) != royal)
    });
    let only_ends_or_waits =
        |reason: &Reason| matches!(reason, Reason::GameOver { .. } | Reason::NotYourTurn { .. });
    let barred = if steps.is_empty() && holds.iter().all(only_ends_or_waits) {
        barred(position, man)
    } else {
        Vec::new()
    };
    let attacks = attacks_of(position, man);
    let attacked_by = attacks_by(position, !man.color(), |taking| taking.victim == man);
    Some(AboutMan { man, holds, barred, steps, attacks, attacked_by })
}

/// Returns what bars a man that has no step from the squares where it could go otherwise, the nearest first.
fn barred<P: Explain>(position: &P, man: Man) -> Vec<Reason> {
    let mut squares = Square::ALL;
    squares.sort_by_key(|&to| distance(man.square, to));
    let (mut barred, mut told) = (Vec::new(), SquareSet::EMPTY);
    for to in squares {
        let reasons = if man.color() == position.side_to_move() {
            position.reasons(man, to, None)
        } else {
            position.obstacles(man, to)
        };
        match &reasons[..] {
            // One square may be attacked by several men; none of them is in the way anywhere else.
            [Reason::KingExposed { .. }, ..] => barred.extend(reasons),
            // With another reason beside it, the square is out of reach anyway, or somebody nearer is in the way.
            [
                reason @ (Reason::OwnMan { there: by, .. }
                | Reason::Occupied { there: by, .. }
                | Reason::Blocked { by, .. }
                | Reason::LeapOverFriend { over: by, .. }
                | Reason::NoRoomBehind { behind: by, .. }),
            ] if !told.contains(by.square) => {
                told.insert(by.square);
                barred.push(reason.clone());
            }
            [reason @ Reason::NoManToBecome { .. }] if !barred.contains(reason) => {
                barred.push(reason.clone());
            }
            _ => {}
        }
    }
    barred
}

fn about_position<P: Explain>(position: &P, rules: DrawRules) -> AboutPosition {
    let us = position.side_to_move();
    let royal = position.royal(us);
    let mut threats = Vec::new();
    for legal in legal_steps(&position.passed()) {
        threats.extend(legal.takings.into_iter().filter(|taking| Some(taking.victim.square) != royal));
    }
    AboutPosition {
        checks: checks(position, us),
        threats: distinct(threats),
        compulsory: compulsory(position),
        chain: position.chain().and_then(|square| man_at(position, square)),
        outcome: position.outcome(rules),
    }
}

/// Returns the takings that are compulsory: all legal steps if the game compels and they take (I4).
fn compulsory<P: Explain>(position: &P) -> Vec<Legal> {
    let compels = position.variant().info().taking_is_compulsory();
    let takes = position.legal_steps().first().is_some_and(|&step| position.taken(step).any());
    if compels && takes { legal_steps(position) } else { Vec::new() }
}

/// Tells all legal steps in full.
fn legal_steps<P: Explain>(position: &P) -> Vec<Legal> {
    position.legal_steps().into_iter().filter_map(|step| legal(position, step)).collect()
}

/// Returns the ways to take the king of a side, if it is one that must not be taken.
fn checks<P: Explain>(position: &P, color: Color) -> Vec<Taking> {
    position
        .royal(color)
        .map_or_else(Vec::new, |king| attacks_by(position, !color, |taking| taking.victim.square == king))
}

/// Returns the attacks of all men of a side that are asked for.
fn attacks_by<P: Explain>(position: &P, color: Color, wanted: impl Fn(&Taking) -> bool) -> Vec<Taking> {
    let men = position.men(color).into_iter().filter_map(|square| man_at(position, square));
    men.flat_map(|man| attacks_of(position, man)).filter(wanted).collect()
}

/// Returns what a man could take, each enemy once for each way.
fn attacks_of<P: Explain>(position: &P, man: Man) -> Vec<Taking> {
    let mut takings = Vec::new();
    for to in Square::ALL {
        if position.obstacles(man, to).is_empty() {
            takings.extend(position.takings(man, to));
        }
    }
    distinct(takings)
}

/// Keeps one of the takings that differ only in where the taking man ends: the shortest.
fn distinct(mut takings: Vec<Taking>) -> Vec<Taking> {
    takings.sort_by_key(|taking| (taking.by.square, distance(taking.by.square, taking.to)));
    let mut kept: Vec<Taking> = Vec::new();
    for taking in takings {
        if kept.iter().all(|other| other.identity() != taking.identity()) {
            kept.push(taking);
        }
    }
    kept
}

fn man_at<P: Position>(position: &P, square: Square) -> Option<Man> {
    position.piece_at(square).map(|piece| Man { square, piece })
}

/// Returns the men strictly between two squares of one line, the nearest first.
fn in_the_way<P: Position>(position: &P, from: Square, to: Square) -> Vec<Man> {
    let mut men: Vec<_> =
        attacks::between(from, to).into_iter().filter_map(|square| man_at(position, square)).collect();
    men.sort_by_key(|man| distance(from, man.square));
    men
}

fn blocked<P: Position>(position: &P, man: Man, to: Square) -> impl Iterator<Item = Reason> + use<P> {
    in_the_way(position, man.square, to).into_iter().map(move |by| Reason::Blocked { man, by })
}

/// Returns why a man cannot end on a square because of who stands there.
fn landing<P: Position>(position: &P, man: Man, to: Square, takes_by_landing: bool) -> Option<Reason> {
    let there = man_at(position, to)?;
    if there.color() == man.color() {
        Some(Reason::OwnMan { man, there })
    } else if takes_by_landing {
        None
    } else {
        Some(Reason::Occupied { man, there })
    }
}

/// Returns the number of king's steps between two squares.
fn distance(from: Square, to: Square) -> u8 {
    let (files, ranks) = difference(from, to);
    files.unsigned_abs().max(ranks.unsigned_abs())
}

/// Returns how many files to the right and how many ranks up a square lies from another.
fn difference(from: Square, to: Square) -> (i8, i8) {
    (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8)
}

/// Returns the square in the middle of two squares an even number of files and ranks apart.
fn middle(from: Square, to: Square) -> Option<Square> {
    let (files, ranks) = difference(from, to);
    if files % 2 == 0 && ranks % 2 == 0 { from.offset(files / 2, ranks / 2) } else { None }
}

/// Returns the rank direction in which the pawns of a side move, where there is one.
fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Returns the enemies next to a square that have a friend of the man right behind them in the same line, each
/// with that friend's square (B6, I9). The square the man comes from is nobody's any more.
fn closed_on<P: Position>(position: &P, man: Man, to: Square) -> Vec<(Man, Square)> {
    let friends = position.men(man.color()) - SquareSet::of(man.square);
    attacks::ORTHOGONAL
        .into_iter()
        .filter_map(|(files, ranks)| {
            let victim = man_at(position, to.offset(files, ranks)?)?;
            let partner = victim.square.offset(files, ranks)?;
            (victim.color() != man.color() && friends.contains(partner)).then_some((victim, partner))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Piece, Setup, Variant};

    /// Numbers that look random and are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % bound
        }
    }

    /// A board with a few men anywhere, if that can be played: more pins, frozen men and leaps than games have.
    fn scattered(variant: Variant, random: &mut Random) -> Option<AnyPosition> {
        let mut setup = Setup::empty(variant);
        let start = AnyPosition::initial(variant);
        let king = variant.role_of_name("king")?;
        let kings = (start.men_of_role(king) & start.men(Color::White)).len();
        let men = 2 + random.below(11);
        for color in Color::ALL {
            for index in 0..kings + men {
                let role = if index < kings {
                    king
                } else {
                    variant.roles()[random.below(variant.roles().len())].role
                };
                let square = Square::from_index(random.below(64));
                let surplus = index >= kings && role == king;
                let stray = variant.role_name(role) == "pawn" && SquareSet::BACK_RANKS.contains(square);
                if !surplus && !stray && setup.pieces[square.index()].is_none() {
                    setup.pieces[square.index()] = Some(Piece { color, role });
                }
            }
            for role in variant.reserve_roles() {
                setup.reserves[color][role.index()] = (random.below(4) / 3) as u8;
            }
        }
        setup.side_to_move = Color::ALL[random.below(2)];
        if variant.has_castling() {
            let corners = [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().collect::<SquareSet>();
            let with_castling = Setup { castling: corners, ..setup.clone() };
            if let Ok(position) = AnyPosition::from_setup(&with_castling) {
                return Some(position);
            }
        }
        AnyPosition::from_setup(&setup).ok()
    }

    /// Gives many positions of a game to `visit`: one ply in `every`, and those in the middle of a chain.
    fn positions(variant: Variant, every: usize, mut visit: impl FnMut(&AnyPosition, &mut Random)) {
        let mut random = Random(0xadb0_be5e_ed01 ^ variant.name().len() as u64);
        let mut chains = 0;
        for round in 0..60 {
            let mut position = AnyPosition::initial(variant);
            if round % 3 != 0 {
                let Some(other) = scattered(variant, &mut random) else { continue };
                position = other;
            }
            for ply in 0..80 {
                chains += usize::from(position.chain().is_some());
                if ply % every == 0 || position.chain().is_some() {
                    visit(&position, &mut random);
                }
                let steps = position.legal_steps();
                if steps.is_empty() {
                    visit(&position, &mut random);
                    break;
                }
                position.play_unchecked(steps[random.below(steps.len())]);
            }
        }
        assert!(variant != Variant::Interweave || chains > 20, "{chains}");
    }

    /// Checks one (from, to, promotion) and returns whether it is legal.
    fn has_reasons_iff_illegal<P: Explain>(
        position: &P,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> bool {
        let found = find(position, from, to, promotion);
        let reasons = reasons(position, position.side_to_move(), from, to, promotion);
        assert_eq!(
            found.is_some(),
            reasons.is_empty(),
            "{} chain {:?}: {from}{to}{promotion:?}: {found:?}, {reasons:?}",
            position.fen(),
            position.chain(),
        );
        for reason in &reasons {
            assert_eq!(reasons.iter().filter(|other| *other == reason).count(), 1, "{reason:?} twice");
        }
        found.is_some()
    }

    fn every_pair(variant: Variant) {
        let (mut legal, mut illegal) = (0, 0);
        positions(variant, 15, |position, random| {
            for from in Square::ALL {
                for to in Square::ALL {
                    let roles = variant.roles();
                    let role = Some(roles[random.below(roles.len())].role);
                    for promotion in [None, role] {
                        let is_legal = with_position!(position, position => {
                            has_reasons_iff_illegal(position, from, to, promotion)
                        });
                        if is_legal { legal += 1 } else { illegal += 1 }
                    }
                }
            }
        });
        assert!(legal > 1_000 && illegal > 500_000, "{legal} {illegal}");
    }

    /// One test for each game, so that they run side by side.
    macro_rules! every_pair_of {
        ({ $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {$(
            mod $module {
                #[test]
                fn a_step_has_reasons_iff_it_is_illegal() {
                    super::every_pair(crate::Variant::$variant);
                }
            }
        )*};
    }

    crate::for_each_game!([every_pair_of]);

    #[test]
    fn what_is_said_to_be_taken_is_what_is_taken() {
        for variant in Variant::ALL {
            let mut men = 0;
            positions(variant, 1, |position, _| {
                for &step in &position.legal_steps() {
                    let legal =
                        with_position!(position, position => legal(position, step)).expect("a legal step");
                    let victims: SquareSet =
                        legal.takings.iter().map(|taking| taking.victim.square).collect();
                    let told = format!("{} {legal:?}", position.fen());
                    assert_eq!(victims, position.taken(step), "{told}");
                    assert_eq!(victims.len(), legal.takings.len(), "a man is taken once, one way: {told}");
                    assert_eq!(legal.to, position.destination(step));
                    assert_eq!(legal.goes_on, position.after(step).side_to_move() == position.side_to_move());
                    for taking in &legal.takings {
                        assert_eq!((taking.by, taking.to), (legal.man, legal.to), "{told}");
                        assert_eq!(position.piece_at(taking.victim.square), Some(taking.victim.piece));
                    }
                    men += victims.len();
                }
            });
            assert!(men > 300, "{variant}: {men}");
        }
    }

    #[test]
    fn checks_are_told_where_there_are_checks() {
        for variant in Variant::ALL {
            let mut in_check = 0;
            positions(variant, 4, |position, _| {
                let about = super::position(position, DrawRules::Club);
                let kings: SquareSet = about.checks.iter().map(|check| check.victim.square).collect();
                assert_eq!(kings, position.checked_kings(), "{}", position.fen());
                assert_eq!(about.outcome, position.outcome(DrawRules::Club));
                in_check += usize::from(kings.any());
            });
            assert_eq!(in_check > 20, variant.info().royal.is_some(), "{variant}: {in_check}");
        }
    }

    #[test]
    fn a_man_is_attacked_by_those_that_attack_it() {
        for variant in Variant::ALL {
            positions(variant, 12, |position, _| {
                let men: Vec<_> =
                    Square::ALL.into_iter().filter_map(|square| super::man(position, square)).collect();
                let mut attacks: Vec<_> = men.iter().flat_map(|man| man.attacks.clone()).collect();
                let mut attacked: Vec<_> = men.iter().flat_map(|man| man.attacked_by.clone()).collect();
                let order = |taking: &Taking| (taking.by.square, taking.victim.square, taking.to);
                attacks.sort_by_key(order);
                attacked.sort_by_key(order);
                assert_eq!(attacks, attacked, "{}", position.fen());
                let own = men.iter().filter(|about| about.man.color() == position.side_to_move());
                let steps: usize = own.map(|about| about.steps.len()).sum();
                assert_eq!(steps, position.count_steps(), "{}", position.fen());
            });
        }
    }

    fn frozen_men_are_those_with_a_reason(variant: Variant, clause: &str) {
        let info = variant.info().freezing.expect("a game with immobilizers");
        let mut frozen = 0;
        positions(variant, 4, |position, _| {
            let [immobilizers, chameleons] =
                [info.immobilizer, info.chameleon].map(|role| position.men_of_role(role));
            for color in Color::ALL {
                let told: SquareSet = position
                    .men(color)
                    .into_iter()
                    .filter_map(|square| super::man(position, square))
                    .filter(|about| about.holds.iter().any(|reason| reason.clause(variant) == clause))
                    .map(|about| about.man.square)
                    .collect();
                let expected =
                    info.frozen(position.men(color), position.men(!color), immobilizers, chameleons);
                assert_eq!(told, expected, "{}", position.fen());
                frozen += told.len();
            }
        });
        assert!(frozen > 100, "{frozen}");
    }

    #[test]
    fn b4_frozen_men_are_those_with_a_reason() {
        frozen_men_are_those_with_a_reason(Variant::Baroque, "B4");
    }

    #[test]
    fn u4_frozen_men_are_those_with_a_reason() {
        frozen_men_are_those_with_a_reason(Variant::Ultima, "U4");
    }
}
