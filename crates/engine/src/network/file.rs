//! The file format of networks.
//!
//! A header of 32 bytes, then the weights, all little-endian:
//!
//! | bytes | content |
//! |-------|------|
//! | 0–7   | `ADOUBENN` |
//! | 8–9   | version of the format, 2 |
//! | 10–11 | variant: 0 chess, 1 Baroque, 2 Interweave, 3 Ultima |
//! | 12–13 | inputs, over all king buckets |
//! | 14–15 | number of values in the hidden layer, a multiple of 32 |
//! | 16–17 | output buckets |
//! | 18–19 | value of an output of 1, in units of the search |
//! | 20–23 | 0 |
//! | 24–31 | checksum of all other bytes (64-bit FNV-1a) |
//! | …     | weights of each input, one byte each, or −128 followed by 2 bytes; biases of the hidden layer, 2 bytes each; for each bucket the output weights of the side to move and of the opponent, 2 bytes each; the bias of each bucket, 4 bytes each |
//!
//! Ninety-nine per cent of the input weights fit in a byte. In version 1, which can still be read, each takes
//! 2 bytes.

use adoube_rules::Variant;

use super::{MAX_BIAS, MAX_OUTPUT, MAX_WEIGHT};
use super::{
    Network,
    kernels::{Block, LANES},
    placement::Inputs,
};

const MAGIC: [u8; 8] = *b"ADOUBENN";
const VERSION: u16 = 2;
/// The version in which every weight takes 2 bytes.
const WIDE_VERSION: u16 = 1;
const HEADER: usize = 32;
const CHECKSUM: std::ops::Range<usize> = 24..32;

/// The reason why a network cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadNetworkError {
    /// The file is not a network.
    #[error("this is not a network file")]
    Magic,
    /// The network was written by another version of the program.
    #[error("the network has format version {0}, not {VERSION} or {WIDE_VERSION}")]
    Version(u16),
    /// The network is for another variant.
    #[error("the network is for {found}, not for {expected}")]
    Game {
        /// The variant of the network.
        found: &'static str,
        /// The requested variant.
        expected: Variant,
    },
    /// This program does not support the network's sizes.
    #[error(
        "the network has {inputs} inputs, {hidden} hidden values and {buckets} output buckets, which is not supported"
    )]
    Size {
        /// The number of inputs, which depends on the variant.
        inputs: u16,
        /// The number of hidden values.
        hidden: u16,
        /// The number of output buckets.
        buckets: u16,
    },
    /// Bytes are missing, or there are too many.
    #[error("the network is {found} bytes long instead of {expected}")]
    Length {
        /// The actual number of bytes.
        found: usize,
        /// The required number of bytes, or a lower bound on it.
        expected: usize,
    },
    /// The content has been changed since it was written.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// A weight is so large that sums could overflow.
    #[error("the network has weights that are too large")]
    Weight,
}

/// Returns the checksum of all bytes except those of the checksum itself (Fowler, Noll and Vo).
fn checksum(bytes: &[u8]) -> u64 {
    let covered = bytes[..CHECKSUM.start].iter().chain(&bytes[CHECKSUM.end..]);
    covered.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Reads the weight of an input. Returns it with the remaining bytes, or `None` at the end.
type ReadWeight = fn(&[u8]) -> Option<(i16, &[u8])>;

/// The byte that precedes a weight of two bytes.
const ESCAPE: u8 = i8::MIN as u8;

fn read_narrow(bytes: &[u8]) -> Option<(i16, &[u8])> {
    match bytes {
        [ESCAPE, low, high, rest @ ..] => Some((i16::from_le_bytes([*low, *high]), rest)),
        [ESCAPE, ..] | [] => None,
        [weight, rest @ ..] => Some((i16::from(*weight as i8), rest)),
    }
}

fn read_wide(bytes: &[u8]) -> Option<(i16, &[u8])> {
    let (&weight, rest) = bytes.split_first_chunk()?;
    Some((i16::from_le_bytes(weight), rest))
}

impl Network {
    /// Reads a network for a variant.
    pub fn from_bytes(expected: Variant, bytes: &[u8]) -> Result<Self, ReadNetworkError> {
        if bytes.len() < HEADER || bytes[..8] != MAGIC {
            return Err(ReadNetworkError::Magic);
        }
        let version = short(bytes, 8);
        if ![VERSION, WIDE_VERSION].contains(&version) {
            return Err(ReadNetworkError::Version(version));
        }
        let found = Variant::of_number(short(bytes, 10));
        if found != Some(expected) {
            let found = found.map_or("an unknown variant", Variant::name);
            return Err(ReadNetworkError::Game { found, expected });
        }
        let [count, hidden, buckets, scale] = [12, 14, 16, 18].map(|at| short(bytes, at));
        let king_buckets = usize::from(count) / Inputs::of(expected, 1).count();
        let inputs = Inputs::of(expected, king_buckets);
        let width = usize::from(hidden) / LANES;
        let are_sizes_supported = usize::from(count) == inputs.count()
            && Inputs::is_supported(expected, king_buckets)
            && usize::from(hidden).is_multiple_of(LANES)
            && (1..=Self::MAX_HIDDEN / LANES).contains(&width)
            && (1..=Self::MAX_BUCKETS).contains(&usize::from(buckets));
        if !are_sizes_supported {
            return Err(ReadNetworkError::Size { inputs: count, hidden, buckets });
        }
        let buckets = usize::from(buckets);
        let hidden = usize::from(hidden);
        let (next, min) =
            if version == VERSION { (read_narrow as ReadWeight, 1) } else { (read_wide as ReadWeight, 2) };
        let mut rest = &bytes[HEADER..];
        let mut weights = Vec::with_capacity((inputs.count() + 1) * hidden);
        while weights.len() < inputs.count() * hidden
            && let Some((weight, after)) = next(rest)
        {
            weights.push(weight);
            rest = after;
        }
        let missing = inputs.count() * hidden - weights.len();
        let after_inputs = 2 * (1 + 2 * buckets) * hidden + 4 * buckets;
        let length = bytes.len() - rest.len() + min * missing + after_inputs;
        if bytes.len() != length {
            return Err(ReadNetworkError::Length { found: bytes.len(), expected: length });
        }
        if bytes[CHECKSUM] != checksum(bytes).to_le_bytes() {
            return Err(ReadNetworkError::Checksum);
        }
        let (shorts, longs) = rest.split_at(after_inputs - 4 * buckets);
        let shorts: Vec<i16> = shorts.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let longs = longs.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect();
        let (biases, output) = shorts.split_at(hidden);
        weights.extend(biases);
        let network = Self::from_weights(inputs, buckets, scale.into(), &weights, output, longs);
        if network.is_safe() { Ok(network) } else { Err(ReadNetworkError::Weight) }
    }

    /// Returns `true` if no sum can overflow.
    fn is_safe(&self) -> bool {
        let below = |blocks: &[Block], max: i16| {
            blocks.iter().flat_map(|block| &block.0).all(|weight| (-max..=max).contains(weight))
        };
        let max_sum = i32::MAX / (super::HIDDEN_UNIT * super::HIDDEN_UNIT);
        let sums = self.output.chunks_exact(2 * self.width).map(|bucket| {
            bucket.iter().flat_map(|block| &block.0).map(|&weight| i32::from(weight).abs()).sum::<i32>()
        });
        below(&self.weights, MAX_WEIGHT)
            && below(&self.biases, MAX_BIAS)
            && below(&self.output, MAX_OUTPUT)
            && sums.into_iter().all(|sum| sum <= max_sum)
            && self.output_biases.iter().all(|bias| bias.unsigned_abs() < 1 << 20)
    }

    /// Returns the network in the file format.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        let sizes = [
            VERSION,
            self.variant().info().number,
            self.inputs.count() as u16,
            self.hidden() as u16,
            self.buckets as u16,
            self.scale as u16,
        ];
        for (index, size) in sizes.into_iter().enumerate() {
            bytes[8 + 2 * index..][..2].copy_from_slice(&size.to_le_bytes());
        }
        for &weight in self.weights.iter().flat_map(|block| &block.0) {
            if let Some(weight) =
                i8::try_from(weight).ok().map(|weight| weight as u8).filter(|&byte| byte != ESCAPE)
            {
                bytes.push(weight);
            } else {
                bytes.push(ESCAPE);
                bytes.extend(weight.to_le_bytes());
            }
        }
        let blocks = self.biases.iter().chain(&self.output);
        bytes.extend(blocks.flat_map(|block| &block.0).flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Returns a network with random weights, for tests.
    #[cfg(test)]
    pub(crate) fn random(variant: Variant, hidden: usize, buckets: usize, seed: u64) -> Self {
        Self::random_with_inputs(Inputs::of(variant, 1), hidden, buckets, seed)
    }

    /// Returns a network with these inputs and random weights.
    #[cfg(test)]
    pub(crate) fn random_with_inputs(inputs: Inputs, hidden: usize, buckets: usize, seed: u64) -> Self {
        let mut random = crate::random::Random::new(seed, 0);
        let width = hidden / LANES;
        let mut draw = |rows: usize, max: usize| -> Vec<Block> {
            let mut weight = || random.below(2 * max + 1) as i16 - max as i16;
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
    fn a_network_round_trips() {
        for variant in Variant::ALL {
            for (hidden, buckets, king_buckets) in [(32, 1, 1), (64, 4, 1), (128, 8, 1), (64, 2, 4)] {
                if !Inputs::is_supported(variant, king_buckets) {
                    continue;
                }
                let mut network =
                    Network::random_with_inputs(Inputs::of(variant, king_buckets), hidden, buckets, 3);
                let large = [127, 128, -127, -128, -129, 0, MAX_WEIGHT, -MAX_WEIGHT];
                network.weights[5].0[..large.len()].copy_from_slice(&large);
                let bytes = network.to_bytes();
                let weights = network.inputs.count() * hidden;
                let after = 2 * (1 + 2 * buckets) * hidden + 4 * buckets;
                assert_eq!(bytes.len(), HEADER + weights + 2 * 5 + after, "a byte each, except five");
                assert_eq!(Network::from_bytes(variant, &bytes).as_ref(), Ok(&network));

                let mut wide = bytes[..HEADER].to_vec();
                wide[8] = 1;
                wide.extend(network.weights.iter().flat_map(|block| block.0).flat_map(i16::to_le_bytes));
                wide.extend(&bytes[bytes.len() - after..]);
                let checksum = checksum(&wide);
                wide[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
                assert_eq!(Network::from_bytes(variant, &wide), Ok(network), "version 1");
            }
        }
    }

    #[test]
    fn a_network_has_one_or_four_king_buckets_and_four_require_a_single_king() {
        let error = |variant: Variant, inputs: usize| {
            let mut bytes = Network::random(variant, 32, 1, 1).to_bytes();
            bytes[12..14].copy_from_slice(&(inputs as u16).to_le_bytes());
            Network::from_bytes(variant, &bytes).expect_err("a refusal")
        };
        assert!(matches!(error(Variant::Chess, 4 * 768), ReadNetworkError::Length { .. }));
        assert!(matches!(error(Variant::Chess, 2 * 768), ReadNetworkError::Size { .. }));
        assert!(matches!(error(Variant::Chess, 4 * 768 + 1), ReadNetworkError::Size { .. }));
        assert!(matches!(error(Variant::Chess, 0), ReadNetworkError::Size { .. }));
        assert!(matches!(error(Variant::Interweave, 4 * 652), ReadNetworkError::Size { .. }));
    }

    #[test]
    fn an_invalid_network_is_refused_with_a_one_line_message() {
        let good = Network::random(Variant::Chess, 32, 1, 1).to_bytes();
        let refusal = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = good.clone();
            change(&mut bytes);
            let error = Network::from_bytes(Variant::Chess, &bytes).expect_err("a refusal").to_string();
            assert!(!error.contains('\n'));
            error
        };
        assert_eq!(refusal(&|bytes| bytes.clear()), "this is not a network file");
        assert_eq!(refusal(&|bytes| bytes[0] = 0), "this is not a network file");
        assert_eq!(refusal(&|bytes| bytes[8] = 9), "the network has format version 9, not 2 or 1");
        assert_eq!(refusal(&|bytes| bytes[10] = 1), "the network is for baroque, not for chess");
        assert_eq!(refusal(&|bytes| bytes[10] = 7), "the network is for an unknown variant, not for chess");
        assert_eq!(
            refusal(&|bytes| bytes[14] = 33),
            "the network has 768 inputs, 33 hidden values and 1 output buckets, which is not supported"
        );
        assert_eq!(refusal(&|bytes| bytes.truncate(100)), "the network is 100 bytes long instead of 24804");
        assert_eq!(refusal(&|bytes| bytes.push(0)), "the network is 24805 bytes long instead of 24804");
        assert_eq!(refusal(&|bytes| bytes[300] ^= 1), "the network is damaged: its checksum is wrong");
        let too_large = |bytes: &mut Vec<u8>| {
            bytes.splice(HEADER..=HEADER, [ESCAPE, 79, 2]);
            let checksum = checksum(bytes);
            bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        };
        assert_eq!(refusal(&too_large), "the network has weights that are too large");
    }
}
