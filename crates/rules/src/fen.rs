//! FEN: positions as one line of text (N1).
//!
//! Written FENs always have six fields. Only chess has castling rights: `KQkq`, or the file of a rook that is
//! not the outermost one on its side of the king. Interweave's men in reserve are in brackets after the board,
//! and its en passant field is the crossed square followed by the pawn's.
//!
//! The reader also accepts fewer fields, ranks with too few squares (the rest is empty), the files of all
//! rooks that may castle (`HAha`), and the format of the French site that the rules of Baroque and Interweave
//! come from: `… w 0 - 000000` (side, plies played, and, where the game has them, castling files, en passant,
//! reserves).
//!
//! [`parse_lenient`] is for pasted text: it also accepts quotes and tags around a FEN, EPD with operations,
//! and castling rights that the men do not allow. It returns the setup with a list of what was left out.
//!
//! ```
//! use adoube_rules::{Variant, fen};
//!
//! let setup = fen::parse(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7")?;
//! assert_eq!(fen::write(&setup), "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1");
//! # Ok::<(), fen::FenError>(())
//! ```

mod lenient;
mod read;
mod write;

use crate::{setup::Setup, variant::Variant, zobrist::MAX_RESERVE};

pub(crate) use lenient::repaired;
pub use lenient::{Repair, parse_lenient};
use read::parse_with_repairs;
pub use write::{man_char, write, write_board};

/// The maximum length of a string to read. Every FEN is much shorter.
const MAX_LENGTH: usize = 256;

/// The first error in a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is empty.
    #[error("the FEN is empty; it must begin with the eight ranks of the board")]
    Empty,
    /// The text is longer than any FEN.
    #[error("the text is {length} bytes long; it can have at most {max}")]
    TooLong {
        /// The length of the text, in bytes.
        length: usize,
        /// The maximum length, in bytes. [`parse_lenient`] accepts longer text.
        max: usize,
    },
    /// The board does not have eight ranks.
    #[error("the board has {} {}; there must be 8, separated by \"/\"", .0, if *.0 == 1 { "rank" } else { "ranks" })]
    RankCount(usize),
    /// A rank has more than eight squares.
    #[error("rank {rank} has more than 8 squares: {text:?}")]
    RankTooLong {
        /// The rank, `1` to `8`.
        rank: char,
        /// The text of the rank.
        text: String,
    },
    /// A character on the board stands for neither a man of the game nor a number of empty squares.
    #[error("{letter:?} on rank {rank} is not a man of {variant}; its men are {letters}", letters = letters(*variant))]
    UnknownMan {
        /// The game.
        variant: Variant,
        /// The character read.
        letter: char,
        /// The rank, `1` to `8`.
        rank: char,
    },
    /// The second field does not name a side.
    #[error("{0:?} is not a side to move; it must be \"w\" or \"b\"")]
    SideToMove(String),
    /// The game has no castling, but the field is not `-`.
    #[error("the castling rights {text:?}: {variant} has no castling; write \"-\"")]
    NoCastling {
        /// The game.
        variant: Variant,
        /// The field read.
        text: String,
    },
    /// A character in the castling field does not name a rook that can have the right. The rook and its king
    /// must stand on the first rank of their side.
    #[error(
        "the castling rights {text:?}: {letter:?} does not name a rook on its side's first rank, where the king must stand too; write \"-\", letters from KQkq, or the files of the rooks"
    )]
    Castling {
        /// The field read.
        text: String,
        /// The first character that does not name a rook; or, in the format of the French site, the last
        /// character if the field does not have exactly four.
        letter: char,
    },
    /// The en passant field cannot be read.
    #[error("{text:?} is not an en passant field for {variant}; write \"-\" or {expected}", expected = en_passant_form(*variant))]
    EnPassant {
        /// The game.
        variant: Variant,
        /// The field read.
        text: String,
    },
    /// The men in reserve cannot be read.
    #[error("{text:?} is not a reserve for {variant}; {expected}", expected = reserve_form(*variant))]
    Reserve {
        /// The game.
        variant: Variant,
        /// The text read.
        text: String,
    },
    /// The halfmove clock cannot be read.
    #[error("{0:?} is not a halfmove clock; it must be a number from 0 to 9999")]
    HalfmoveClock(String),
    /// The move number, or the number of plies in the format of the French site, cannot be read.
    #[error("{0:?} is not a move number; it must be a number from 0 to 9999")]
    FullmoveNumber(String),
    /// The FEN has too many fields.
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
        return "the game has no reserve".to_owned();
    }
    let letters: String = variant.reserve_roles().iter().map(|&role| variant.letter(role)).collect();
    let (black, most) = (letters.to_lowercase(), MAX_RESERVE);
    format!("write up to {most} of each of the letters {letters} and {black}, such as \"[RNb]\"")
}

/// Reads a FEN of a game. Does not check that the setup is playable.
pub fn parse(variant: Variant, text: &str) -> Result<Setup, FenError> {
    parse_with_repairs(variant, text, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(variant: Variant, fen: &str) -> String {
        write(&parse(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
    }

    #[test]
    fn n1_full_fens_round_trip_unchanged() {
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
    fn n1_the_format_of_the_french_site_is_read() {
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
    fn n1_errors_name_the_faulty_field() {
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
                "8/8/8/8/8/8/8/8 w 0 abai",
                FenError::Castling { text: "abai".into(), letter: 'a' },
            ),
            (
                Variant::Baroque,
                "8/8/8/8/8/8/8/8 w KQkq",
                FenError::NoCastling { variant: Variant::Baroque, text: "KQkq".into() },
            ),
            (
                Variant::Chess,
                "8/8/8/8/8/8/8/8 w - e3e4",
                FenError::EnPassant { variant: Variant::Chess, text: "e3e4".into() },
            ),
            (Variant::Chess, "8/8/8/8/8/8/8/8 w - - +1", FenError::HalfmoveClock("+1".into())),
            (Variant::Chess, "8/8/8/8/8/8/8/8 w - - 0 x", FenError::FullmoveNumber("x".into())),
            (Variant::Chess, "8/8/8/8/8/8/8/8 w - - 0 1 x", FenError::TooManyFields("x".into())),
            // In the format of the French site, files are lower-case letters, even for White.
            (
                Variant::Chess,
                "r3k2r/8/8/8/8/8/8/R3K2R w 2 ahAh",
                FenError::Castling { text: "ahAh".into(), letter: 'A' },
            ),
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
