//! Reads a FEN, field by field.

use super::{FenError, MAX_LENGTH, Repair};
use crate::{
    color::Color,
    role::Piece,
    setup::{EnPassant, Setup},
    square::{File, Rank, Square},
    square_set::SquareSet,
    variant::Variant,
    zobrist::MAX_RESERVE,
};

/// Reads a FEN. With `repairs`, castling rights that the men do not allow are left out and recorded there;
/// without it, and always in the format of the French site, they are an error.
pub(super) fn parse_with_repairs(
    variant: Variant,
    text: &str,
    repairs: Option<&mut Vec<Repair>>,
) -> Result<Setup, FenError> {
    if text.len() > MAX_LENGTH {
        return Err(FenError::TooLong { length: text.len(), max: MAX_LENGTH });
    }
    let mut fields = text.split_whitespace();
    let mut setup = Setup::empty(variant);
    let board = fields.next().ok_or(FenError::Empty)?;
    parse_board(&mut setup, board)?;
    if let Some(field) = fields.next() {
        setup.side_to_move = match field {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::SideToMove(field.to_owned())),
        };
    }
    match fields.next() {
        None => {}
        // In the format of the French site, the third field counts the plies played.
        Some(plies) if plies.bytes().all(|byte| byte.is_ascii_digit()) => {
            parse_after_plies(&mut setup, plies, &mut fields)?;
        }
        Some(castling) => {
            parse_castling(&mut setup, castling, repairs)?;
            if let Some(field) = fields.next() {
                parse_en_passant(&mut setup, field)?;
            }
            if let Some(field) = fields.next() {
                setup.halfmove_clock =
                    parse_count(field).ok_or_else(|| FenError::HalfmoveClock(field.to_owned()))?;
            }
            if let Some(field) = fields.next() {
                // Several programs write 0 for the first move.
                setup.fullmove_number =
                    parse_count(field).ok_or_else(|| FenError::FullmoveNumber(field.to_owned()))?.max(1);
            }
        }
    }
    match fields.next() {
        Some(field) => Err(FenError::TooManyFields(field.to_owned())),
        None => Ok(setup),
    }
}

fn parse_board(setup: &mut Setup, text: &str) -> Result<(), FenError> {
    let (ranks, reserve) = match text.split_once('[') {
        Some((ranks, reserve)) => (ranks, Some(reserve)),
        None => (text, None),
    };
    let count = ranks.split('/').count();
    if count != 8 {
        return Err(FenError::RankCount(count));
    }
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks.split('/')) {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(skipped) = letter.to_digit(10).filter(|digit| (1..=8).contains(digit)) {
                file += skipped as usize;
            } else {
                let role = setup.variant.role_of_letter(letter).ok_or(FenError::UnknownMan {
                    variant: setup.variant,
                    letter,
                    rank: rank.char(),
                })?;
                if let Some(file) = File::try_from_index(file) {
                    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                    setup.pieces[Square::new(file, rank).index()] = Some(Piece { color, role });
                }
                file += 1;
            }
            if file > 8 {
                return Err(FenError::RankTooLong { rank: rank.char(), text: text.to_owned() });
            }
        }
    }
    reserve.map_or(Ok(()), |reserve| parse_reserve(setup, reserve))
}

fn parse_reserve(setup: &mut Setup, text: &str) -> Result<(), FenError> {
    let variant = setup.variant;
    let error = || FenError::Reserve { variant, text: format!("[{text}") };
    for letter in text.strip_suffix(']').ok_or_else(error)?.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let role = variant
            .role_of_letter(letter)
            .filter(|role| variant.reserve_roles().contains(role))
            .ok_or_else(error)?;
        let count = &mut setup.reserves[color][role.index()];
        if usize::from(*count) == MAX_RESERVE {
            return Err(error());
        }
        *count += 1;
    }
    Ok(())
}

fn parse_castling(
    setup: &mut Setup,
    text: &str,
    mut repairs: Option<&mut Vec<Repair>>,
) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.chars() {
        let rook = setup.variant.has_castling().then(|| castling_rook(setup, letter)).flatten();
        match (rook, &mut repairs) {
            (Some(rook), _) => setup.castling.insert(rook),
            (None, Some(repairs)) if matches!(letter.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h') => {
                repairs.push(Repair::Castling(letter));
            }
            (None, _) if !setup.variant.has_castling() => {
                return Err(FenError::NoCastling { variant: setup.variant, text: text.to_owned() });
            }
            (None, _) => return Err(FenError::Castling { text: text.to_owned(), letter }),
        }
    }
    Ok(())
}

/// Returns the rook named by a letter of the castling field: `K` names the outermost rook on the kingside,
/// `Q` the outermost one on the queenside, and a file letter the one on that file.
pub(super) fn castling_rook(setup: &Setup, letter: char) -> Option<Square> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let rank = match color {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    };
    let of = |letter| {
        let role = setup.variant.role_of_letter(letter)?;
        Some(setup.squares_of(Piece { color, role }) & SquareSet::rank(rank))
    };
    let rooks = of('R')?;
    let king = of('K')?.first()?;
    match letter.to_ascii_lowercase() {
        'k' => rooks.last().filter(|rook| rook.file() > king.file()),
        'q' => rooks.first().filter(|rook| rook.file() < king.file()),
        file => Some(Square::new(File::from_char(file)?, rank)).filter(|&rook| rooks.contains(rook)),
    }
}

fn parse_en_passant(setup: &mut Setup, text: &str) -> Result<(), FenError> {
    let variant = setup.variant;
    let error = || FenError::EnPassant { variant, text: text.to_owned() };
    if text == "-" {
        return Ok(());
    }
    let crossed: Square = text.get(..2).and_then(|text| text.parse().ok()).ok_or_else(error)?;
    let rest = text.get(2..).unwrap_or_default();
    // The pawn belongs to the side that has just moved, and stands one rank beyond the crossed square.
    let ranks = if setup.side_to_move == Color::White { -1 } else { 1 };
    let pawn = if variant.en_passant_names_pawn() {
        match rest.strip_prefix(',') {
            // The format of the French site names only the pawn's file.
            Some(file) => {
                let mut chars = file.chars();
                let file = chars.next().filter(|_| chars.next().is_none()).and_then(File::from_char);
                let rank = crossed.offset(0, ranks).ok_or_else(error)?.rank();
                Square::new(file.ok_or_else(error)?, rank)
            }
            None => rest.parse().map_err(|_| error())?,
        }
    } else if rest.is_empty() {
        crossed.offset(0, ranks).ok_or_else(error)?
    } else {
        return Err(error());
    };
    setup.en_passant = Some(EnPassant { crossed, pawn });
    Ok(())
}

/// Reads the fields after the plies in the format of the French site.
fn parse_after_plies<'a>(
    setup: &mut Setup,
    plies: &str,
    fields: &mut impl Iterator<Item = &'a str>,
) -> Result<(), FenError> {
    let played = parse_count(plies).ok_or_else(|| FenError::FullmoveNumber(plies.to_owned()))?;
    setup.fullmove_number = played / 2 + 1;
    if setup.variant.has_castling()
        && let Some(files) = fields.next()
        && files != "-"
    {
        // Two files for each side, White first; a letter past h means that the right is gone.
        let error = |letter| FenError::Castling { text: files.to_owned(), letter };
        if files.chars().count() != 4 {
            return Err(error(files.chars().last().unwrap_or('-')));
        }
        for (index, file) in files.chars().enumerate() {
            let rook = match file {
                '-' | 'i'..='z' => continue,
                'a'..='h' if index < 2 => castling_rook(setup, file.to_ascii_uppercase()),
                'a'..='h' => castling_rook(setup, file),
                _ => None,
            };
            setup.castling.insert(rook.ok_or_else(|| error(file))?);
        }
    }
    if (setup.variant.has_castling() || setup.variant.en_passant_names_pawn())
        && let Some(field) = fields.next()
    {
        parse_en_passant(setup, field)?;
    }
    let roles = setup.variant.reserve_roles();
    if !roles.is_empty()
        && let Some(text) = fields.next()
    {
        if text.len() != 2 * roles.len() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(FenError::Reserve { variant: setup.variant, text: text.to_owned() });
        }
        let mut digits = text.bytes().map(|byte| byte - b'0');
        for color in Color::ALL {
            for (role, digit) in roles.iter().zip(&mut digits) {
                setup.reserves[color][role.index()] = digit;
            }
        }
    }
    Ok(())
}

pub(super) fn parse_count(text: &str) -> Option<u16> {
    // `u16::from_str` alone would accept a sign.
    if text.len() > 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}
