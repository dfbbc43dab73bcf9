//! Writes FENs.

use std::fmt::Write as _;

use super::read::castling_rook;
use crate::{
    color::{ByColor, Color},
    role::Piece,
    setup::{EnPassant, Setup},
    square::{File, Rank, Square},
    square_set::SquareSet,
    variant::Variant,
};

/// Writes a setup as a FEN with six fields.
pub fn write(setup: &Setup) -> String {
    let mut text = write_board(setup);
    let _ = write!(text, " {} {} ", setup.side_to_move.fen_char(), castling_field(setup));
    match setup.en_passant {
        None => text.push('-'),
        Some(EnPassant { crossed, pawn }) if setup.variant.en_passant_names_pawn() => {
            let _ = write!(text, "{crossed}{pawn}");
        }
        Some(EnPassant { crossed, .. }) => {
            let _ = write!(text, "{crossed}");
        }
    }
    let _ = write!(text, " {} {}", setup.halfmove_clock, setup.fullmove_number);
    text
}

/// Writes only the first field: the ranks and, where the game has one, the reserve.
pub fn write_board(setup: &Setup) -> String {
    let mut text = String::with_capacity(96);
    for rank in Rank::ALL.into_iter().rev() {
        let mut skipped = 0;
        for file in File::ALL {
            match setup.pieces[Square::new(file, rank).index()] {
                None => skipped += 1,
                Some(piece) => {
                    if skipped > 0 {
                        let _ = write!(text, "{skipped}");
                        skipped = 0;
                    }
                    text.push(man_char(setup.variant, piece));
                }
            }
        }
        if skipped > 0 {
            let _ = write!(text, "{skipped}");
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    if !setup.variant.reserve_roles().is_empty() {
        text.push('[');
        for color in Color::ALL {
            for &role in setup.variant.reserve_roles() {
                for _ in 0..setup.reserves[color][role.index()] {
                    text.push(man_char(setup.variant, Piece { color, role }));
                }
            }
        }
        text.push(']');
    }
    text
}

/// Returns the letter of a man, upper case for White.
pub fn man_char(variant: Variant, piece: Piece) -> char {
    let letter = variant.letter(piece.role);
    match piece.color {
        Color::White => letter,
        Color::Black => letter.to_ascii_lowercase(),
    }
}

fn castling_field(setup: &Setup) -> String {
    let letters: ByColor<String> = ByColor::new_with(|color| {
        let rank = match color {
            Color::White => Rank::First,
            Color::Black => Rank::Eighth,
        };
        let rooks = setup.castling & SquareSet::rank(rank);
        let mut letters = String::new();
        // Kingside first, as in the usual order KQ.
        for rook in rooks.into_iter().rev() {
            let side = |letter| castling_rook(setup, letter) == Some(rook);
            let case = |letter: char| match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            };
            letters.push(if side(case('k')) {
                case('k')
            } else if side(case('q')) {
                case('q')
            } else {
                case(rook.file().char())
            });
        }
        letters
    });
    let field = letters.white + &letters.black;
    if field.is_empty() { "-".to_owned() } else { field }
}
