//! Reads the usual form of SAN for chess without listing the legal steps.
//!
//! Files contain millions of turns, nearly all in exactly the standard form. For these, the men that could
//! move to the destination are found by computing moves backwards from it, and each is tried separately.
//! Everything else (castling, en passant, other forms, and text that fits no man or more than one) is left to
//! the general reader, which decides all doubtful cases and produces all error messages.

use adoube_rules::{
    Color, File, Position, Rank, Role, Square, SquareSet, Step, attacks, variant::chess::role,
};

/// Returns the legal step for a string in the usual form.
pub(super) fn parse<P: Position>(position: &P, text: &[u8]) -> Option<Step> {
    let text = text.strip_suffix(b"+").or_else(|| text.strip_suffix(b"#")).unwrap_or(text);
    let (role, text) = match text {
        [b'N', rest @ ..] => (role::KNIGHT, rest),
        [b'B', rest @ ..] => (role::BISHOP, rest),
        [b'R', rest @ ..] => (role::ROOK, rest),
        [b'Q', rest @ ..] => (role::QUEEN, rest),
        [b'K', rest @ ..] => (role::KING, rest),
        pawn => return parse_pawn(position, pawn),
    };
    let (origin, to) = text.split_last_chunk::<2>()?;
    let to = square(*to)?;
    let (origin, takes) = match origin {
        [origin @ .., b'x'] => (origin, true),
        origin => (origin, false),
    };
    let origin = match origin {
        [] => SquareSet::FULL,
        &[file @ b'a'..=b'h'] => SquareSet::file(File::from_char(char::from(file))?),
        &[rank @ b'1'..=b'8'] => SquareSet::rank(Rank::from_char(char::from(rank))?),
        &[file, rank] => SquareSet::of(square([file, rank])?),
        _ => return None,
    };
    let board = Men::new(position);
    if board.own.contains(to) || takes && !board.enemies.contains(to) {
        return None;
    }
    let reached = match role {
        role::KNIGHT => attacks::knight(to),
        role::BISHOP => attacks::bishop(to, board.occupied()),
        role::ROOK => attacks::rook(to, board.occupied()),
        role::QUEEN => attacks::queen(to, board.occupied()),
        _ => attacks::king(to),
    };
    let candidates = reached & origin & board.own & position.men_of_role(role);
    let mut safe = candidates.into_iter().filter(|&from| {
        let king = if role == role::KING { to } else { board.king };
        board.is_safe(position, king, from, to)
    });
    let from = safe.next()?;
    safe.next().is_none().then(|| Step::new(from, to))
}

/// Reads `e4`, `exd5`, `e8=Q`, `exd8=Q`.
fn parse_pawn<P: Position>(position: &P, text: &[u8]) -> Option<Step> {
    let (text, promotion) = match text {
        [plain @ .., b'=', letter] => {
            let role = match letter {
                b'Q' => role::QUEEN,
                b'R' => role::ROOK,
                b'B' => role::BISHOP,
                b'N' => role::KNIGHT,
                _ => return None,
            };
            (plain, Some(role))
        }
        plain => (plain, None),
    };
    let (file, to) = match *text {
        [file, b'x', to_file, to_rank] => {
            (Some(File::from_char(char::from(file))?), square([to_file, to_rank])?)
        }
        [to_file, to_rank] => (None, square([to_file, to_rank])?),
        _ => return None,
    };
    let board = Men::new(position);
    let (back, double_rank, last) = match position.side_to_move() {
        Color::White => (-1, Rank::Fourth, Rank::Eighth),
        Color::Black => (1, Rank::Fifth, Rank::First),
    };
    if promotion.is_some() != (to.rank() == last) {
        return None;
    }
    let pawns = board.own & position.men_of_role(role::PAWN);
    let from = if let Some(file) = file {
        let difference = file as i8 - to.file() as i8;
        // En passant captures a man on another square.
        if difference.abs() != 1 || !board.enemies.contains(to) {
            return None;
        }
        to.offset(difference, back)?
    } else {
        if board.occupied().contains(to) {
            return None;
        }
        let before = to.offset(0, back)?;
        if to.rank() == double_rank && !board.occupied().contains(before) {
            before.offset(0, back)?
        } else {
            before
        }
    };
    if !pawns.contains(from) || !board.is_safe(position, board.king, from, to) {
        return None;
    }
    Some(match promotion {
        Some(role) => Step::promoting(from, to, role),
        None => Step::new(from, to),
    })
}

#[inline]
fn square([file, rank]: [u8; 2]) -> Option<Square> {
    Some(Square::new(File::from_char(char::from(file))?, Rank::from_char(char::from(rank))?))
}

/// The men on the board.
struct Men {
    own: SquareSet,
    enemies: SquareSet,
    king: Square,
    side_to_move: Color,
}

impl Men {
    #[inline]
    fn new<P: Position>(position: &P) -> Self {
        let side_to_move = position.side_to_move();
        let own = position.men(side_to_move);
        // Each side has a king, so the fallback to a1 is never used.
        let king = (own & position.men_of_role(role::KING)).first().unwrap_or(Square::A1);
        Self { own, enemies: position.men(!side_to_move), king, side_to_move }
    }

    #[inline]
    fn occupied(&self) -> SquareSet {
        self.own | self.enemies
    }

    /// Returns `true` if no enemy attacks the king after a man has moved from one square to another. This
    /// covers pins, checks that are not parried, and kings that move into check.
    #[inline]
    fn is_safe<P: Position>(&self, position: &P, king: Square, from: Square, to: Square) -> bool {
        let enemies = self.enemies - SquareSet::of(to);
        let occupied = (self.occupied() - SquareSet::of(from)) | SquareSet::of(to);
        let men_of = |role: Role| position.men_of_role(role);
        let attackers = attacks::pawn(self.side_to_move, king) & men_of(role::PAWN)
            | attacks::knight(king) & men_of(role::KNIGHT)
            | attacks::king(king) & men_of(role::KING)
            | attacks::bishop(king, occupied) & (men_of(role::BISHOP) | men_of(role::QUEEN))
            | attacks::rook(king, occupied) & (men_of(role::ROOK) | men_of(role::QUEEN));
        (attackers & enemies).is_empty()
    }
}
