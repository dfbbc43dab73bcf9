//! Descriptions of positions, steps and turns for the page.

use adoube_problems::{BestDefence, LimitReached};
use adoube_rules::{
    AnyPosition, Color, Position, Square, SquareSet, Step, Turn, Variant, coordinate, explain::castling,
};
use serde::Serialize;

/// One kind of man: its stable name and its letter in FEN and PGN.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoleView {
    #[cfg_attr(test, ts(type = "Role"))]
    pub name: &'static str,
    pub letter: char,
}

/// A man on the board.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PieceView {
    #[cfg_attr(test, ts(type = "Square"))]
    pub square: &'static str,
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: &'static str,
    #[cfg_attr(test, ts(type = "Role"))]
    pub role: &'static str,
}

/// The path of a second man that moves in the same step: the rook's, in castling.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompanionView {
    #[cfg_attr(test, ts(type = "Square"))]
    pub from: &'static str,
    #[cfg_attr(test, ts(type = "Square"))]
    pub to: &'static str,
}

/// A legal step, or one that was played.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    #[cfg_attr(test, ts(type = "Square"))]
    pub from: &'static str,
    /// The square where the man ends up; equal to `from` if it takes without moving, or is given up (U14).
    #[cfg_attr(test, ts(type = "Square"))]
    pub to: &'static str,
    /// Other squares that a player may choose for this step: the rook's, for castling.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub also_to: Vec<&'static str>,
    pub companion: Option<CompanionView>,
    #[cfg_attr(test, ts(type = "Role | null"))]
    pub promotion: Option<&'static str>,
    /// The squares of the men taken.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub takes: Vec<&'static str>,
    /// The step in coordinate notation.
    pub text: String,
}

/// The men of one role in a side's reserve.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReserveView {
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: &'static str,
    #[cfg_attr(test, ts(type = "Role"))]
    pub role: &'static str,
    pub count: u8,
}

/// The description of a position.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PositionView {
    #[cfg_attr(test, ts(type = "Color"))]
    pub turn: &'static str,
    pub pieces: Vec<PieceView>,
    pub steps: Vec<StepView>,
    /// The kings of the side to move that are in check.
    #[cfg_attr(test, ts(type = "Square[]"))]
    pub check: Vec<&'static str>,
    /// The man that must continue its chain.
    #[cfg_attr(test, ts(type = "Square | null"))]
    pub chain: Option<&'static str>,
    pub reserves: Vec<ReserveView>,
    pub fen: String,
}

/// A legal turn with its notation and its effects.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TurnView {
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: &'static str,
    /// Coordinate notation, or `--` for a null move, which has no steps.
    pub text: String,
    /// The turn in SAN, with English letters.
    pub san: String,
    pub steps: Vec<StepView>,
    /// Whether it gives check.
    pub check: bool,
}

/// A FEN read from text that a person typed or pasted.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FenView {
    pub fen: String,
    /// The changes made to the text, as codes with arguments.
    #[cfg_attr(test, ts(type = "Array<Refusal>"))]
    pub changes: Vec<adoube_refusal::Refusal>,
}

/// The best defence against a turn that is meant to win.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DefenceView {
    pub outcome: Defence,
    /// The coordinate notation of the turn that refutes the win, or of the one that resists longest.
    pub turn: Option<String>,
    /// The number of turns within which the other side still wins.
    pub left: Option<u8>,
}

/// The result of the search for a defence.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Defence {
    /// The game is over, and won.
    Over,
    /// The game is over, but not won.
    Ends,
    /// A turn refutes the win.
    Refutes,
    /// No turn refutes the win; this one resists longest.
    Resists,
    /// The search reached its limit.
    Unknown,
}

/// A solver's rating, and the number of problems that have counted towards it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingView {
    pub value: u16,
    pub problems: u32,
}

pub(crate) fn defence(position: &AnyPosition, answer: Result<BestDefence, LimitReached>) -> DefenceView {
    let text = |turn: &Turn| Some(coordinate::write(position, turn));
    let view = |outcome, turn, left| DefenceView { outcome, turn, left };
    match answer {
        Ok(BestDefence::AlreadyWon) => view(Defence::Over, None, None),
        Ok(BestDefence::OverWithoutWin) => view(Defence::Ends, None, None),
        Ok(BestDefence::Refutes(turn)) => view(Defence::Refutes, text(&turn), None),
        Ok(BestDefence::Resists { turn, left }) => view(Defence::Resists, text(&turn), Some(left)),
        Err(LimitReached) => view(Defence::Unknown, None, None),
    }
}

pub(crate) fn roles(variant: Variant) -> Vec<RoleView> {
    variant.roles().iter().map(|info| RoleView { name: info.name, letter: info.letter }).collect()
}

pub(crate) fn position(position: &AnyPosition) -> PositionView {
    PositionView {
        turn: color_name(position.side_to_move()),
        pieces: Square::ALL.into_iter().filter_map(|square| piece(position, square)).collect(),
        steps: position.legal_steps().iter().map(|&each| step(position, each)).collect(),
        check: squares(position.checked_kings()),
        chain: position.chain().map(square_name),
        reserves: reserves(position),
        fen: position.fen(),
    }
}

/// Returns the description of a legal turn in this position.
pub(crate) fn turn(before: &AnyPosition, turn: &Turn, san: String) -> TurnView {
    let mut position = before.clone();
    let mut steps = Vec::with_capacity(turn.steps().len());
    for &each in turn.steps() {
        steps.push(step(&position, each));
        position.play_unchecked(each);
    }
    TurnView {
        color: color_name(before.side_to_move()),
        text: coordinate::write(before, turn),
        san,
        steps,
        check: position.is_check(),
    }
}

pub(crate) fn step(position: &AnyPosition, step: Step) -> StepView {
    let destination = position.destination(step);
    let also = (destination != step.to()).then(|| square_name(step.to()));
    StepView {
        from: square_name(step.from()),
        to: square_name(destination),
        also_to: also.into_iter().collect(),
        companion: castling(position, step)
            .map(|(from, to)| CompanionView { from: square_name(from), to: square_name(to) }),
        promotion: step.promotion().map(|role| position.variant().role_name(role)),
        takes: squares(position.taken(step)),
        text: coordinate::write(position, &Turn::from(step)),
    }
}

fn piece(position: &AnyPosition, square: Square) -> Option<PieceView> {
    let piece = position.piece_at(square)?;
    Some(PieceView {
        square: square_name(square),
        color: color_name(piece.color),
        role: position.variant().role_name(piece.role),
    })
}

fn reserves(position: &AnyPosition) -> Vec<ReserveView> {
    let variant = position.variant();
    let of = |color: Color| {
        variant.reserve_roles().iter().map(move |&role| ReserveView {
            color: color_name(color),
            role: variant.role_name(role),
            count: position.reserve(color, role),
        })
    };
    Color::ALL.into_iter().flat_map(of).filter(|reserve| reserve.count > 0).collect()
}

fn squares(set: SquareSet) -> Vec<&'static str> {
    set.into_iter().map(square_name).collect()
}

/// The names of all squares, two characters each. Views borrow them, because heap-allocated strings would add
/// code to the module for allocating and freeing them.
const SQUARE_NAMES: &str = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8";

pub(crate) fn square_name(square: Square) -> &'static str {
    let at = 2 * square.index();
    SQUARE_NAMES.get(at..at + 2).unwrap_or_default()
}

pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c10_castling_says_where_the_rook_goes() {
        let companion = |fen: &str, text: &str| {
            let position = AnyPosition::from_fen(Variant::Chess, fen).unwrap();
            let (turn, _) = coordinate::parse_steps(&position, text).unwrap();
            step(&position, turn.steps()[0]).companion.map(|path| (path.from, path.to))
        };
        assert_eq!(companion("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), Some(("h1", "f1")));
        assert_eq!(companion("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8"), Some(("a8", "d8")));
        assert_eq!(companion("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1"), None);
        // Chess960: first the king and the rook swap squares, then only the king moves, then only the rook.
        assert_eq!(companion("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), Some(("g1", "f1")));
        assert_eq!(companion("4k3/8/8/8/8/8/8/3R1K2 w D - 0 1", "f1d1"), Some(("d1", "d1")));
        assert_eq!(companion("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1"), Some(("h1", "f1")));
    }

    #[test]
    fn u14_a_man_that_is_given_up_has_no_companion() {
        let position = AnyPosition::from_fen(Variant::Ultima, "7k/8/8/8/3Nm3/8/8/K7 w - - 0 1").unwrap();
        let steps = position.legal_steps();
        let given_up = steps.iter().find(|&&step| position.gives_up(step)).unwrap();
        assert_eq!(step(&position, *given_up).companion, None);
    }

    #[test]
    fn names_match_the_rules() {
        for square in Square::ALL {
            assert_eq!(square_name(square), square.to_string());
        }
        for color in Color::ALL {
            assert_eq!(color_name(color), color.to_string());
        }
    }
}
