//! Networks as files.
//!
//! A header of 32 bytes, then the weights, all of it with the low byte first:
//!
//! | bytes | what |
//! |-------|------|
//! | 0–7   | `ADOUBENN` |
//! | 8–9   | version of the format, 1 |
//! | 10–11 | game: 0 chess, 1 Baroque, 2 Interweave |
//! | 12–13 | inputs |
//! | 14–15 | values of the hidden layer, a multiple of 32 |
//! | 16–17 | sets of output weights |
//! | 18–19 | what an output of 1 is worth, in hundredths of a pawn |
//! | 20–23 | 0 |
//! | 24–31 | checksum of all other bytes (FNV-1a of 64 bits) |
//! | …     | weights of each input, 2 bytes each; biases of the hidden layer, 2 bytes each; for each set the output weights of the side to move and of the other side, 2 bytes each; the bias of each set, 4 bytes each |

use adoube_rules::Variant;

use super::{MOST_BIAS, MOST_OUTPUT, MOST_WEIGHT};
use super::{
    Network,
    kernels::{Block, LANES},
    placement::Inputs,
};

const MAGIC: [u8; 8] = *b"ADOUBENN";
const VERSION: u16 = 1;
const HEADER: usize = 32;
const CHECKSUM: std::ops::Range<usize> = 24..32;

/// Why a network cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadNetworkError {
    /// It is something else.
    #[error("this is no network")]
    Magic,
    /// It was written by another version of the program.
    #[error("the network has version {0} of the format, not {VERSION}")]
    Version(u16),
    /// It is of another game.
    #[error("the network is of {found}, not of {wanted}")]
    Game {
        /// The game of the network.
        found: &'static str,
        /// The game that was asked for.
        wanted: Variant,
    },
    /// It has other sizes than networks of this program can have.
    #[error(
        "the network has {inputs} inputs, {hidden} hidden values and {buckets} sets of outputs, which cannot be"
    )]
    Size {
        /// Inputs; each game has its number.
        inputs: u16,
        /// Values of the hidden layer.
        hidden: u16,
        /// Sets of output weights.
        buckets: u16,
    },
    /// Something is missing, or too much.
    #[error("the network has {found} bytes instead of {wanted}")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// It was changed after it was written.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// A weight is so large that sums could overflow.
    #[error("the network has weights that are too large")]
    Weight,
}

/// Returns the checksum of all bytes but its own (Fowler, Noll and Vo).
fn checksum(bytes: &[u8]) -> u64 {
    let covered = bytes[..CHECKSUM.start].iter().chain(&bytes[CHECKSUM.end..]);
    covered.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

impl Network {
    /// Reads a network of a game.
    pub fn from_bytes(wanted: Variant, bytes: &[u8]) -> Result<Self, ReadNetworkError> {
        if bytes.len() < HEADER || bytes[..8] != MAGIC {
            return Err(ReadNetworkError::Magic);
        }
        if short(bytes, 8) != VERSION {
            return Err(ReadNetworkError::Version(short(bytes, 8)));
        }
        let found = Variant::ALL.into_iter().find(|&variant| variant as u16 == short(bytes, 10));
        if found != Some(wanted) {
            let found = found.map_or("an unknown game", Variant::name);
            return Err(ReadNetworkError::Game { found, wanted });
        }
        let [count, hidden, buckets, scale] = [12, 14, 16, 18].map(|at| short(bytes, at));
        let inputs = Inputs::of(wanted);
        let width = usize::from(hidden) / LANES;
        let sizes_can_be = usize::from(count) == inputs.count()
            && usize::from(hidden).is_multiple_of(LANES)
            && (1..=Self::MOST_HIDDEN / LANES).contains(&width)
            && (1..=Self::MOST_BUCKETS).contains(&usize::from(buckets));
        if !sizes_can_be {
            return Err(ReadNetworkError::Size { inputs: count, hidden, buckets });
        }
        let buckets = usize::from(buckets);
        let rows = inputs.count() + 1 + 2 * buckets;
        let length = HEADER + rows * width * size_of::<Block>() + 4 * buckets;
        if bytes.len() != length {
            return Err(ReadNetworkError::Length { found: bytes.len(), wanted: length });
        }
        if bytes[CHECKSUM] != checksum(bytes).to_le_bytes() {
            return Err(ReadNetworkError::Checksum);
        }
        let mut rest = &bytes[HEADER..];
        let mut blocks = |rows: usize| -> Vec<Block> {
            let (these, after) = rest.split_at(rows * width * size_of::<Block>());
            rest = after;
            let chunks = these.chunks_exact(size_of::<Block>());
            chunks.map(|chunk| Block(std::array::from_fn(|lane| short(chunk, 2 * lane) as i16))).collect()
        };
        let (weights, biases, output) = (blocks(inputs.count()), blocks(1), blocks(2 * buckets));
        let output_biases =
            rest.chunks_exact(4).map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        let network = Self {
            inputs,
            width,
            buckets,
            scale: scale.into(),
            weights,
            biases,
            output,
            output_biases: output_biases.collect(),
        };
        if network.is_safe() { Ok(network) } else { Err(ReadNetworkError::Weight) }
    }

    /// Returns whether no sum can overflow.
    fn is_safe(&self) -> bool {
        let below = |blocks: &[Block], most: i16| {
            blocks.iter().flat_map(|block| &block.0).all(|weight| (-most..=most).contains(weight))
        };
        let most_sum = i32::MAX / (super::HIDDEN_UNIT * super::HIDDEN_UNIT);
        let sums = self.output.chunks_exact(2 * self.width).map(|bucket| {
            bucket.iter().flat_map(|block| &block.0).map(|&weight| i32::from(weight).abs()).sum::<i32>()
        });
        below(&self.weights, MOST_WEIGHT)
            && below(&self.biases, MOST_BIAS)
            && below(&self.output, MOST_OUTPUT)
            && sums.into_iter().all(|sum| sum <= most_sum)
            && self.output_biases.iter().all(|bias| bias.abs() < 1 << 20)
    }

    /// Returns the network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        let sizes = [
            VERSION,
            self.variant() as u16,
            self.inputs.count() as u16,
            self.hidden() as u16,
            self.buckets as u16,
            self.scale as u16,
        ];
        for (index, size) in sizes.into_iter().enumerate() {
            bytes[8 + 2 * index..][..2].copy_from_slice(&size.to_le_bytes());
        }
        let blocks = self.weights.iter().chain(&self.biases).chain(&self.output);
        bytes.extend(blocks.flat_map(|block| &block.0).flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Returns a network with weights drawn at random, for tests.
    #[cfg(test)]
    pub(crate) fn random(variant: Variant, hidden: usize, buckets: usize, seed: u64) -> Self {
        let mut random = crate::random::Random::new(seed, 0);
        let inputs = Inputs::of(variant);
        let width = hidden / LANES;
        let mut draw = |rows: usize, most: usize| -> Vec<Block> {
            let mut weight = || random.below(2 * most + 1) as i16 - most as i16;
            (0..rows * width).map(|_| Block(std::array::from_fn(|_| weight()))).collect()
        };
        Self {
            inputs,
            width,
            buckets,
            scale: 400,
            weights: draw(inputs.count(), 60),
            biases: draw(1, 100),
            output: draw(2 * buckets, 100),
            output_biases: (0..buckets as i32).map(|bucket| bucket * 50 - 70).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_comes_back_as_it_was() {
        for variant in Variant::ALL {
            for (hidden, buckets) in [(32, 1), (64, 4), (128, 8)] {
                let network = Network::random(variant, hidden, buckets, 3);
                assert_eq!(Network::from_bytes(variant, &network.to_bytes()), Ok(network));
            }
        }
    }

    #[test]
    fn what_is_no_network_of_the_game_is_refused_in_one_line() {
        let good = Network::random(Variant::Chess, 32, 1, 1).to_bytes();
        let refusal = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = good.clone();
            change(&mut bytes);
            let error = Network::from_bytes(Variant::Chess, &bytes).expect_err("a refusal").to_string();
            assert!(!error.contains('\n'));
            error
        };
        assert_eq!(refusal(&|bytes| bytes.clear()), "this is no network");
        assert_eq!(refusal(&|bytes| bytes[0] = 0), "this is no network");
        assert_eq!(refusal(&|bytes| bytes[8] = 9), "the network has version 9 of the format, not 1");
        assert_eq!(refusal(&|bytes| bytes[10] = 1), "the network is of baroque, not of chess");
        assert_eq!(refusal(&|bytes| bytes[10] = 7), "the network is of an unknown game, not of chess");
        assert_eq!(
            refusal(&|bytes| bytes[14] = 33),
            "the network has 768 inputs, 33 hidden values and 1 sets of outputs, which cannot be"
        );
        assert_eq!(refusal(&|bytes| bytes.truncate(100)), "the network has 100 bytes instead of 49380");
        assert_eq!(refusal(&|bytes| bytes.push(0)), "the network has 49381 bytes instead of 49380");
        assert_eq!(refusal(&|bytes| bytes[300] ^= 1), "the network is damaged: its checksum is wrong");
        let too_large = |bytes: &mut Vec<u8>| {
            bytes[HEADER..HEADER + 2].copy_from_slice(&591_i16.to_le_bytes());
            let checksum = checksum(bytes);
            bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        };
        assert_eq!(refusal(&too_large), "the network has weights that are too large");
    }
}
