//! The boards, with the same colours as on the web page.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A board: the colours of its squares and coordinates, as `#rrggbb`. Wooden boards are drawn without the
/// grain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    name: &'static str,
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
    pub(crate) on_light: &'static str,
    pub(crate) on_dark: &'static str,
}

/// All boards, the default first. The build script generates the table from the page's tokens.
const BOARDS: &[Board] = include!(concat!(env!("OUT_DIR"), "/boards.rs"));

impl Board {
    /// Returns all boards, the default first.
    pub const fn all() -> &'static [Self] {
        BOARDS
    }

    /// Returns the name of the board, as used in options and addresses.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl Default for Board {
    fn default() -> Self {
        // The table is not empty: an empty one would not compile.
        const FIRST: Board = BOARDS[0];
        FIRST
    }
}

/// The error for an unknown board name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub struct BoardError;

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the board must be one of")?;
        for (index, board) in BOARDS.iter().enumerate() {
            write!(f, "{} \"{}\"", if index == 0 { "" } else { "," }, board.name)?;
        }
        Ok(())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(name: &str) -> Result<Self, BoardError> {
        BOARDS.iter().find(|board| board.name == name).copied().ok_or(BoardError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_found_by_their_names() {
        for board in Board::all() {
            assert_eq!(board.name().parse(), Ok(*board));
        }
        assert_eq!(Board::default().name(), "brown");
        let message = "glass".parse::<Board>().unwrap_err().to_string();
        assert!(message.starts_with("the board must be one of \"brown\", \""), "{message}");
    }
}
