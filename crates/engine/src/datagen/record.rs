//! The file format of training positions: a header followed by records, of 32 bytes each.

use adoube_rules::{Color, Variant};

use crate::network::placement::Placement;

/// The first bytes of every position file.
const MAGIC: [u8; 8] = *b"ADOUBEPO";
const VERSION: u16 = 1;

/// The header of a position file: the variant, and how the positions were generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The variant.
    pub variant: Variant,
    /// The seed from which the games were generated.
    pub seed: u64,
    /// The number of nodes after which the search for a turn could end.
    pub nodes: u64,
}

/// The reason why a position file cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadRecordsError {
    /// The file is not a position file.
    #[error("this is not a position file")]
    Magic,
    /// The file was written by another version of the program.
    #[error("the position file has version {0}, not {VERSION}")]
    Version(u16),
    /// The variant of the file is unknown.
    #[error("the position file has the unknown variant {0}")]
    Game(u16),
}

impl Header {
    /// The size of a header in bytes.
    pub const SIZE: usize = 32;

    /// Returns the bytes of the header.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.variant.info().number.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..].copy_from_slice(&self.nodes.to_le_bytes());
        bytes
    }

    /// Reads a header.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Result<Self, ReadRecordsError> {
        let read_u16 = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let read_u64 =
            |at: usize| bytes[at..at + 8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        if bytes[..8] != MAGIC {
            return Err(ReadRecordsError::Magic);
        }
        if read_u16(8) != VERSION {
            return Err(ReadRecordsError::Version(read_u16(8)));
        }
        let variant = Variant::of_number(read_u16(10));
        let variant = variant.ok_or(ReadRecordsError::Game(read_u16(10)))?;
        Ok(Self { variant, seed: read_u64(16), nodes: read_u64(24) })
    }
}

/// A training position: the men, the side to move, the search score and the result of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    occupied: u64,
    /// Four bits for each man, in the order of the squares: the index of its set in [`Placement`].
    men: u128,
    /// The search score for the side to move, in units of the search.
    score: i16,
    /// From the lowest bit: White's and Black's reserve (6 bits each), the side to move (1), the result (2).
    flags: u16,
    game: u32,
}

impl Record {
    /// The size of a record in bytes.
    pub const SIZE: usize = 32;

    pub(crate) fn new(placement: &Placement, side_to_move: Color, score: i16, game: u32) -> Self {
        let mut codes = [0_u8; 64];
        let mut occupied = 0;
        for (set, &squares) in placement.sets[..2 * Placement::ROLES].iter().enumerate() {
            occupied |= squares;
            for (square, code) in codes.iter_mut().enumerate() {
                if squares >> square & 1 != 0 {
                    *code = set as u8;
                }
            }
        }
        let squares = (0..64).filter(|square| occupied >> square & 1 != 0);
        let men =
            squares.take(32).enumerate().map(|(index, square)| u128::from(codes[square]) << (4 * index));
        let [white, black] = [0, 1].map(|color| placement.sets[2 * Placement::ROLES + color] as u16);
        let flags = white | black << 6 | (side_to_move as u16) << 12;
        Self { occupied, men: men.sum(), score, flags, game }
    }

    /// Sets the game's result for the side to move: 0 lost, 1 drawn, 2 won.
    pub(crate) fn set_result(&mut self, result: u8) {
        self.flags = self.flags & 0x1fff | u16::from(result) << 13;
    }

    /// Returns the game's result for the side to move: 0 lost, 1 drawn, 2 won.
    pub fn result(&self) -> u8 {
        (self.flags >> 13 & 3) as u8
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        Color::ALL[usize::from(self.flags >> 12 & 1)]
    }

    /// Returns the search score for the side to move, in units of the search.
    pub fn score(&self) -> i16 {
        self.score
    }

    /// Returns the index of the game among those generated from the same seed.
    pub fn game(&self) -> u32 {
        self.game
    }

    pub(crate) fn placement(&self, variant: Variant) -> Placement {
        let mut placement = Placement::EMPTY;
        let (mut left, mut men) = (self.occupied, self.men);
        while left != 0 {
            placement.sets[(men & 15) as usize] |= left & left.wrapping_neg();
            left &= left - 1;
            men >>= 4;
        }
        placement.sets[2 * Placement::ROLES] = u64::from(self.flags & 63);
        placement.sets[2 * Placement::ROLES + 1] = u64::from(self.flags >> 6 & 63);
        placement.complete(variant);
        placement
    }

    /// Returns the bytes of the record.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.men.to_le_bytes());
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..28].copy_from_slice(&self.flags.to_le_bytes());
        bytes[28..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    /// Parses a record. Returns `None` if it has more than 32 men, a man or a reserve that the variant lacks,
    /// or an unknown result.
    pub fn from_bytes(bytes: &[u8; Self::SIZE], variant: Variant) -> Option<Self> {
        let part = |at: usize, size: usize| {
            bytes[at..at + size].iter().rev().fold(0_u128, |sum, &byte| sum << 8 | u128::from(byte))
        };
        let record = Self {
            occupied: part(0, 8) as u64,
            men: part(8, 16),
            score: part(24, 2) as i16,
            flags: part(26, 2) as u16,
            game: part(28, 4) as u32,
        };
        let men = record.occupied.count_ones();
        let sets = 2 * variant.roles().len() as u128;
        let are_men = men <= 32 && (0..men).all(|index| record.men >> (4 * index) & 15 < sets);
        let has_impossible_reserve = variant.reserve_roles().is_empty() && record.flags & 0xfff != 0;
        (are_men && !has_impossible_reserve && record.result() < 3).then_some(record)
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{AnyPosition, Position as _, with_position};

    use super::*;
    use crate::random::Random;

    #[test]
    fn records_round_trip() {
        let mut random = Random::new(5, 5);
        for variant in Variant::ALL {
            for game in 0..40 {
                let mut position = AnyPosition::initial(variant);
                for _ in 0..60 {
                    let turns = position.legal_turns();
                    if turns.is_empty() {
                        break;
                    }
                    position.play_turn_unchecked(&turns[random.below(turns.len())]);
                    let placement = with_position!(&position, position => Placement::of(position));
                    let score = random.next() as i16;
                    let mut record = Record::new(&placement, position.side_to_move(), score, game);
                    record.set_result((game % 3) as u8);
                    let back = Record::from_bytes(&record.to_bytes(), variant).expect("a record");
                    assert_eq!(back, record);
                    assert_eq!(back.placement(variant), placement, "{}", position.fen());
                    assert_eq!((back.side_to_move(), back.score()), (position.side_to_move(), score));
                    assert_eq!((u32::from(back.result()), back.game()), (game % 3, game));
                }
            }
        }
    }

    #[test]
    fn a_header_round_trips_or_gives_an_error() {
        let header = Header { variant: Variant::Interweave, seed: u64::MAX - 5, nodes: 1_000 };
        let bytes = header.to_bytes();
        assert_eq!(Header::from_bytes(&bytes), Ok(header));
        let changed = |at: usize| {
            let mut bytes = bytes;
            bytes[at] ^= 0x10;
            Header::from_bytes(&bytes).expect_err("changed")
        };
        assert_eq!(changed(0).to_string(), "this is not a position file");
        assert_eq!(changed(8).to_string(), "the position file has version 17, not 1");
        assert_eq!(changed(10).to_string(), "the position file has the unknown variant 18");
    }

    #[test]
    fn impossible_positions_are_not_records() {
        let position = AnyPosition::initial(Variant::Chess);
        let placement = with_position!(&position, position => Placement::of(position));
        let bytes = Record::new(&placement, Color::White, 0, 0).to_bytes();
        assert!(Record::from_bytes(&bytes, Variant::Chess).is_some());
        // 33 men; men of an unknown role; a reserve; a fourth result.
        for (at, value) in [(3, 1), (8, 0xff), (26, 1), (27, 0x60)] {
            let mut bytes = bytes;
            bytes[at] = value;
            assert!(Record::from_bytes(&bytes, Variant::Chess).is_none(), "{at}");
        }
        assert!(Record::from_bytes(&[0xff; Record::SIZE], Variant::Interweave).is_none());
    }
}
