//! Small networks that evaluate positions, each for one variant.
//!
//! A network has one hidden layer, whose weights both sides share. Each side sees the board from its own end,
//! and the output is a weighted sum of the hidden values of both views, those of the side to move first. Only
//! a few men change between two positions in a line, so the hidden layer is not recomputed but updated with
//! their weights: the network is *efficiently updatable* (NNUE, Nasu, 2018). See `docs/networks.md` for how
//! networks are trained, and how much strength they add.
//!
//! All numbers are integers. Hidden values are stored as `HIDDEN_UNIT` times the true value, then clipped to
//! 0 … 1 and squared for the sum; output weights are stored as `OUTPUT_UNIT` times the true weight.

mod embedded;
mod evaluator;
mod file;
mod kernels;
pub(crate) mod placement;

use adoube_rules::Variant;

pub use embedded::embedded;
pub use evaluator::NetworkEvaluator;
pub use file::ReadNetworkError;

use kernels::{Block, LANES};
use placement::Inputs;

/// The integer for a hidden value of 1.
pub(crate) const HIDDEN_UNIT: i32 = 255;
/// The integer for an output weight of 1.
pub(crate) const OUTPUT_UNIT: i32 = 64;

/// The largest input weight and bias. No 16-bit sum of 52 such weights and one such bias overflows.
const MAX_WEIGHT: i16 = 590;
const MAX_BIAS: i16 = 1_900;
/// The largest output weight: its product with a hidden value fits in 16 bits.
const MAX_OUTPUT: i16 = 127;

/// A network for one variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    inputs: Inputs,
    /// The number of [`Block`]s in the hidden layer.
    width: usize,
    /// The number of output buckets; the number of men selects one.
    buckets: usize,
    /// The value of an output of 1, in units of the search.
    scale: i32,
    /// The weights of each input, in order.
    weights: Vec<Block>,
    biases: Vec<Block>,
    /// The output weights: for each bucket those for the side to move, then those for the opponent.
    output: Vec<Block>,
    output_biases: Vec<i32>,
}

impl Network {
    /// The size of the hidden layer is a multiple of this.
    pub const HIDDEN_STEP: usize = LANES;
    /// The largest hidden layer.
    pub const MAX_HIDDEN: usize = 512;
    /// The maximum number of output buckets.
    pub const MAX_BUCKETS: usize = 16;

    /// Returns the variant of the network.
    pub fn variant(&self) -> Variant {
        self.inputs.variant
    }

    /// Returns the number of values in the hidden layer.
    pub fn hidden(&self) -> usize {
        self.width * LANES
    }

    /// Returns the number of output buckets.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn scale(&self) -> i32 {
        self.scale
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// Builds a network. `weights` contains the input weights followed by the hidden biases.
    pub(crate) fn from_weights(
        inputs: Inputs,
        buckets: usize,
        scale: i32,
        weights: &[i16],
        output: &[i16],
        output_biases: Vec<i32>,
    ) -> Self {
        let blocks =
            |weights: &[i16]| -> Vec<Block> { weights.as_chunks().0.iter().map(|&b| Block(b)).collect() };
        let (mut weights, output) = (blocks(weights), blocks(output));
        let width = output.len() / (2 * buckets);
        let biases = weights.split_off(inputs.count() * width);
        Self { inputs, width, buckets, scale, weights, biases, output, output_biases }
    }

    /// Returns the input weights followed by the hidden biases, the output weights, and the output biases.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn weights(&self) -> (Vec<i16>, Vec<i16>, &[i32]) {
        let flat = |blocks: &[Block]| blocks.iter().flat_map(|block| block.0).collect::<Vec<_>>();
        let mut weights = flat(&self.weights);
        weights.extend(flat(&self.biases));
        (weights, flat(&self.output), &self.output_biases)
    }

    /// Returns the output bucket for a number of men.
    #[inline]
    pub(crate) fn bucket(men: usize, buckets: usize) -> usize {
        (men.saturating_sub(1) * buckets / 32).min(buckets - 1)
    }

    /// Returns the output for the hidden values of both views, in units of the search.
    #[inline]
    fn weigh(&self, own: &[Block], other: &[Block], men: usize) -> i32 {
        let bucket = Self::bucket(men, self.buckets);
        let weights = &self.output[bucket * 2 * self.width..][..2 * self.width];
        let (for_own, for_other) = weights.split_at(self.width);
        let sum = kernels::weighted_sum(own, for_own).wrapping_add(kernels::weighted_sum(other, for_other));
        let sum = i64::from(sum / HIDDEN_UNIT + self.output_biases[bucket]);
        (sum * i64::from(self.scale) / i64::from(HIDDEN_UNIT * OUTPUT_UNIT)) as i32
    }
}
