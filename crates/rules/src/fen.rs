//! FEN: positions as one line of text (N1).
//!
//! Written FENs always have six fields. Baroque and Interweave have no castling; Interweave's men in reserve
//! stand in brackets after the board, and its en passant field is the crossed square followed by the pawn's.
//!
//! Read as well: fewer fields, a rank with too few squares (the rest is empty), castling rights as `KQkq`, as
//! rook files (`HAha`) or mixed, and the form of the site the rules of Baroque and Interweave come from:
//! `… w 0 - 000000` (side, plies played, castling files, en passant, reserves), where the game has them.
//!
//! [`parse_lenient`] also reads what people paste: quotes and tags around a FEN, EPD with its operations, castling rights that the
//! men do not allow. It tells what it changed.
//!
//! ```
//! use adoube_rules::{Variant, fen};
//!
//! let setup = fen::parse(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7")?;
//! assert_eq!(fen::write(&setup), "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1");
//! # Ok::<(), fen::FenError>(())
//! ```

use std::fmt::Write as _;

mod lenient;

use crate::{
    color::{ByColor, Color},
    role::Piece,
    setup::{EnPassant, Setup},
    square::{File, Rank, Square},
    square_set::SquareSet,
    variant::Variant,
    zobrist::MAX_RESERVE,
};

pub(crate) use lenient::repaired;
pub use lenient::{Repair, parse_lenient};

/// Longest text that is looked at; no FEN comes near.
const MAX_LENGTH: usize = 256;

/// What is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// Nothing there.
    #[error("the FEN is empty; it begins with the eight ranks of the board")]
    Empty,
    /// Longer than any FEN.
    #[error("the FEN has {0} characters; none has more than {MAX_LENGTH}")]
    TooLong(usize),
    /// Not eight ranks.
    #[error("the board has {} {}; there must be 8, separated by \"/\"", .0, if *.0 == 1 { "rank" } else { "ranks" })]
    RankCount(usize),
    /// More than eight squares in a rank.
    #[error("rank {rank} has more than 8 squares: {text:?}")]
    RankTooLong {
        /// The rank, `1` to `8`.
        rank: char,
        /// Its text.
        text: String,
    },
    /// A letter that is no man of the game.
    #[error("{letter:?} on rank {rank} is no man of {variant}; its men are {letters}", letters = letters(*variant))]
    UnknownMan {
        /// The game.
        variant: Variant,
        /// The character read.
        letter: char,
        /// The rank, `1` to `8`.
        rank: char,
    },
    /// The second field is neither side.
    #[error("{0:?} is not a side to move; it is \"w\" or \"b\"")]
    SideToMove(String),
    /// The castling field cannot be read, or names no rook.
    #[error(
        "the castling rights {text:?}: {letter:?} names no rook that stands on its first rank beside the king; write \"-\", or letters out of KQkq or files of rooks"
    )]
    Castling {
        /// The field read.
        text: String,
        /// The first letter that names no rook.
        letter: char,
    },
    /// The en passant field cannot be read.
    #[error("{text:?} is no en passant field of {variant}; write \"-\" or {expected}", expected = en_passant_form(*variant))]
    EnPassant {
        /// The game.
        variant: Variant,
        /// The field read.
        text: String,
    },
    /// The men in reserve cannot be read.
    #[error("{text:?} is no reserve in {variant}; {expected}", expected = reserve_form(*variant))]
    Reserve {
        /// The game.
        variant: Variant,
        /// The text read.
        text: String,
    },
    /// The halfmove clock cannot be read.
    #[error("{0:?} is no halfmove clock; it is a number from 0 to 9999")]
    HalfmoveClock(String),
    /// The move number cannot be read.
    #[error("{0:?} is no move number; it is a number from 1 to 9999")]
    FullmoveNumber(String),
    /// Too many fields.
    #[error("{0:?} follows the last field of the FEN")]
    TooManyFields(String),
}

fn letters(variant: Variant) -> String {
    variant.roles().iter().map(|info| info.letter).collect()
}

fn en_passant_form(variant: Variant) -> &'static str {
    if variant.en_passant_names_pawn() {
        "the crossed square and the pawn's, such as \"d3e4\""
    } else {
        "the crossed square, such as \"e3\""
    }
}

fn reserve_form(variant: Variant) -> String {
    if variant.reserve_roles().is_empty() {
        return "the game has none".to_owned();
    }
    let letters: String = variant.reserve_roles().iter().map(|&role| variant.letter(role)).collect();
    format!("it is letters out of {letters} and {}, such as \"[RNb]\"", letters.to_lowercase())
}

/// Reads a FEN of a game; the setup need not be playable.
pub fn parse(variant: Variant, text: &str) -> Result<Setup, FenError> {
    parse_noting(variant, text, None)
}

/// Reads a FEN, strictly if nowhere is given to note what had to be left out.
fn parse_noting(variant: Variant, text: &str, repairs: Option<&mut Vec<Repair>>) -> Result<Setup, FenError> {
    if text.len() > MAX_LENGTH {
        return Err(FenError::TooLong(text.len()));
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
        // In the other site's form the third field counts the plies played.
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
            (None, _) => return Err(FenError::Castling { text: text.to_owned(), letter }),
        }
    }
    Ok(())
}

/// Returns the rook that a letter of the castling field means: `K` and `Q` the outermost one on that side of
/// the king, a file letter the one on that file.
fn castling_rook(setup: &Setup, letter: char) -> Option<Square> {
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
    // The pawn that crossed belongs to the side that is not to move, and stands one rank further.
    let ranks = if setup.side_to_move == Color::White { -1 } else { 1 };
    let pawn = if variant.en_passant_names_pawn() {
        match rest.strip_prefix(',') {
            // The other site's form names only the pawn's file.
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

/// Reads what follows the plies in the other site's form.
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
        for (index, letter) in files.chars().enumerate() {
            if letter == '-' || letter > 'h' {
                continue;
            }
            let letter = if index < 2 { letter.to_ascii_uppercase() } else { letter };
            setup.castling.insert(castling_rook(setup, letter).ok_or_else(|| error(letter))?);
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

fn parse_count(text: &str) -> Option<u16> {
    // `u16::from_str` alone would let a sign pass.
    if text.len() > 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Writes a setup as a FEN of six fields.
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
        // King's side first, as the usual order KQ has it.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(variant: Variant, fen: &str) -> String {
        write(&parse(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
    }

    #[test]
    fn n1_full_fens_come_back_as_they_are() {
        for (variant, fen) in [
            (Variant::Chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            (Variant::Chess, "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2"),
            (Variant::Chess, "1r2k1r1/8/8/8/8/8/8/1R2K1RR w Gq - 3 40"),
            (Variant::Baroque, "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 17 9"),
            (Variant::Interweave, "rbnkknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNKKNBR[] w - - 0 1"),
            (Variant::Interweave, "rb1kk1br/pp4pp/2npp3/7p/P1PP4/2N4P/1P2KP1P/RB2K1BR[RNNrb] w - g6h5 0 9"),
        ] {
            assert_eq!(round_trip(variant, fen), fen);
        }
    }

    #[test]
    fn n1_short_forms_are_read() {
        assert_eq!(
            round_trip(Variant::Interweave, "8/p7/5p2/8/8/1P/8/N5p1"),
            "8/p7/5p2/8/8/1P6/8/N5p1[] w - - 0 1"
        );
        assert_eq!(round_trip(Variant::Chess, "8/8/8/8/8/8/8/K1k5 b - -"), "8/8/8/8/8/8/8/K1k5 b - - 0 1");
        assert_eq!(
            round_trip(Variant::Chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }

    #[test]
    fn n1_the_other_sites_form_is_read() {
        assert_eq!(
            round_trip(Variant::Interweave, "rbnkknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNKKNBR w 0 - 000000"),
            Variant::Interweave.initial_fen()
        );
        assert_eq!(
            round_trip(Variant::Interweave, "rbnkknbr/pp1ppppp/8/8/4P3/8/PP1PPPPP/RBNKKNBR b 5 d3,e 012300"),
            "rbnkknbr/pp1ppppp/8/8/4P3/8/PP1PPPPP/RBNKKNBR[NBBrrr] b - d3e4 0 3"
        );
        assert_eq!(
            round_trip(Variant::Chess, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w 2 ahai e6"),
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQq e6 0 2"
        );
        assert_eq!(
            round_trip(Variant::Baroque, "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w 0"),
            Variant::Baroque.initial_fen()
        );
    }

    #[test]
    fn n1_bad_fens_say_what_is_wrong() {
        for (variant, fen, expected) in [
            (Variant::Chess, "", FenError::Empty),
            (Variant::Chess, "8/8/8 w - -", FenError::RankCount(3)),
            (
                Variant::Chess,
                "8/8/8/8/8/8/8/9 w",
                FenError::UnknownMan { variant: Variant::Chess, letter: '9', rank: '1' },
            ),
            (
                Variant::Chess,
                "8/8/7M/8/8/8/8/8 w",
                FenError::UnknownMan { variant: Variant::Chess, letter: 'M', rank: '6' },
            ),
            (Variant::Chess, "8/8/44k/8/8/8/8/8", FenError::RankTooLong { rank: '6', text: "44k".into() }),
            (Variant::Chess, "8/8/8/8/8/8/8/8 x", FenError::SideToMove("x".into())),
            (Variant::Chess, "8/8/8/8/8/8/8/8 w K", FenError::Castling { text: "K".into(), letter: 'K' }),
            (
                Variant::Chess,
                "8/8/8/8/8/8/8/8 w - e3e4",
                FenError::EnPassant { variant: Variant::Chess, text: "e3e4".into() },
            ),
            (Variant::Chess, "8/8/8/8/8/8/8/8 w - - +1", FenError::HalfmoveClock("+1".into())),
            (Variant::Chess, "8/8/8/8/8/8/8/8 w - - 0 x", FenError::FullmoveNumber("x".into())),
            (Variant::Chess, "8/8/8/8/8/8/8/8 w - - 0 1 x", FenError::TooManyFields("x".into())),
            (
                Variant::Baroque,
                "8/8/8/8/8/8/8/8[R] w",
                FenError::Reserve { variant: Variant::Baroque, text: "[R]".into() },
            ),
            (
                Variant::Interweave,
                "8/8/8/8/8/8/8/8[RK] w",
                FenError::Reserve { variant: Variant::Interweave, text: "[RK]".into() },
            ),
        ] {
            assert_eq!(parse(variant, fen), Err(expected), "{fen}");
        }
    }
}
