//! The network with floating-point weights, and the gradients of its errors.

use std::ops::Range;

use super::Recipe;
use crate::{
    datagen::Record,
    network::{HIDDEN_UNIT, Network, OUTPUT_UNIT, placement::Inputs},
    random::Random,
};

/// The sizes of a hidden layer for which the loops are compiled.
pub(super) const HIDDEN: [usize; 8] = [32, 64, 96, 128, 192, 256, 384, 512];

/// Sixteen numbers, which fill a cache line.
#[repr(align(64))]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Lanes(pub(super) [f32; Self::COUNT]);

impl Lanes {
    pub(super) const COUNT: usize = 16;
    pub(super) const ZERO: Self = Self([0.0; Self::COUNT]);

    #[expect(
        clippy::inline_always,
        reason = "inlined into loops with a target feature, it is compiled for that feature"
    )]
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for lane in 0..Self::COUNT {
            self.0[lane] += other.0[lane];
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "inlined into loops with a target feature, it is compiled for that feature"
    )]
    #[inline(always)]
    fn map(&self, other: &Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = Self::ZERO;
        for lane in 0..Self::COUNT {
            result.0[lane] = f(self.0[lane], other.0[lane]);
        }
        result
    }
}

/// Returns the expected points for an output.
#[inline]
pub(super) fn points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// A position as the network sees it, with its target.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// The active inputs as each side sees them: first the side to move, then the opponent.
    active: [arrayvec::ArrayVec<u16, { Inputs::MAX_ACTIVE }>; 2],
    bucket: usize,
    /// The expected points.
    pub(super) target: f32,
}

impl Sample {
    pub(super) fn new(inputs: Inputs, record: &Record, recipe: &Recipe, scale: f32, mirror: bool) -> Self {
        let mut placement = record.placement(inputs.variant);
        if mirror {
            placement = placement.mirrored();
        }
        let side = record.side_to_move();
        let active = [side, !side].map(|color| {
            let mut active = arrayvec::ArrayVec::new();
            let view = inputs.view(&placement, color);
            inputs.for_each_input(view, &placement, |index| {
                // Records have at most 32 men.
                let _ = active.try_push(index as u16);
            });
            active
        });
        let result = f32::from(record.result()) / 2.0;
        let predicted = points(f32::from(record.score()) / scale);
        let target = recipe.result_share * result + (1.0 - recipe.result_share) * predicted;
        Self { active, bucket: Network::bucket(placement.men(), recipe.buckets), target }
    }
}

/// A network with floating-point weights.
#[derive(Clone, Debug)]
pub(super) struct Model {
    inputs: Inputs,
    /// The number of [`Lanes`] in the hidden layer.
    width: usize,
    buckets: usize,
    /// The weights of each input, then the biases, then the output weights of each bucket for the side to
    /// move and for the opponent, then the output biases.
    pub(super) parameters: Vec<Lanes>,
}

/// The largest weight. Its rounded value is within the limits of a network.
const MAX_WEIGHT: f32 = 1.98;
/// The largest initial input weight.
const FIRST_WEIGHT: f32 = 0.1;
/// The approximate initial hidden values. They must not be zero, because a hidden value of zero would not
/// learn.
const FIRST_BIAS: f32 = 0.2;

impl Model {
    fn zero(inputs: Inputs, hidden: usize, buckets: usize) -> Self {
        let width = hidden / Lanes::COUNT;
        let count = (inputs.count() + 1 + 2 * buckets) * width + buckets.div_ceil(Lanes::COUNT);
        Self { inputs, width, buckets, parameters: vec![Lanes::ZERO; count] }
    }

    pub(super) fn random(inputs: Inputs, hidden: usize, buckets: usize, random: &mut Random) -> Self {
        let mut model = Self::zero(inputs, hidden, buckets);
        let weights = model.biases_at();
        let (weights, rest) = model.parameters.split_at_mut(weights);
        let (biases, rest) = rest.split_at_mut(model.width);
        // Rarely active inputs start with zero weights, because random ones would remain as noise.
        let by_bucket = weights.chunks_exact_mut(inputs.inputs_per_bucket() * model.width);
        let men = by_bucket.flat_map(|bucket| &mut bucket[..inputs.men() * model.width]);
        men.flat_map(|lanes| &mut lanes.0).for_each(|w| *w = random.signed() * FIRST_WEIGHT);
        biases.iter_mut().flat_map(|lanes| &mut lanes.0).for_each(|w| *w = FIRST_BIAS);
        let max = 1.0 / (2.0 * hidden as f32).sqrt();
        let output = &mut rest[..2 * buckets * model.width];
        output.iter_mut().flat_map(|lanes| &mut lanes.0).for_each(|w| *w = random.signed() * max);
        model
    }

    /// Copies the weights of a network to the first hidden values. If the network has only one king bucket,
    /// its weights are copied to every king bucket. The other hidden values do not affect the output until
    /// they are trained.
    pub(super) fn begin_with(&mut self, network: &Network) {
        let from = Self::of_network(network);
        let (width, output_at, biases_at) = (self.width, self.output_at(), self.output_biases_at());
        self.parameters[output_at..biases_at].fill(Lanes::ZERO);
        // Each row has one number per hidden value. The rows of the inputs come first, then the row of
        // biases, then the rows of the output.
        let rows = self.inputs.count() + 1 + 2 * self.buckets;
        for row in 0..rows {
            let source = match row.checked_sub(self.inputs.count()) {
                Some(rest) => from.inputs.count() + rest,
                None => row % from.inputs.count(),
            };
            let before = &from.parameters[source * from.width..][..from.width];
            self.parameters[row * width..][..from.width].copy_from_slice(before);
        }
        self.parameters[biases_at..].copy_from_slice(&from.parameters[from.output_biases_at()..]);
    }

    fn biases_at(&self) -> usize {
        self.inputs.count() * self.width
    }

    fn output_at(&self) -> usize {
        self.biases_at() + self.width
    }

    fn output_biases_at(&self) -> usize {
        self.output_at() + 2 * self.buckets * self.width
    }

    fn output_bias(&self, bucket: usize) -> f32 {
        self.parameters[self.output_biases_at() + bucket / Lanes::COUNT].0[bucket % Lanes::COUNT]
    }

    /// Limits all weights and hidden biases to the range allowed in a rounded network.
    pub(super) fn clip(&mut self) {
        let end = self.output_biases_at();
        for weight in self.parameters[..end].iter_mut().flat_map(|lanes| &mut lanes.0) {
            *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }

    /// Returns the output of the network for a position.
    pub(super) fn output(&self, sample: &Sample) -> f32 {
        let mut sum = Lanes::ZERO;
        let output = &self.parameters[self.output_at() + 2 * sample.bucket * self.width..];
        for (side, active) in sample.active.iter().enumerate() {
            for at in 0..self.width {
                let mut values = self.parameters[self.biases_at() + at];
                for &row in active {
                    values.add(&self.parameters[usize::from(row) * self.width + at]);
                }
                sum.add(&values.map(&output[side * self.width + at], contribution));
            }
        }
        sum.0.iter().sum::<f32>() + self.output_bias(sample.bucket)
    }

    /// Returns the mean squared error.
    pub(super) fn loss(&self, samples: &[Sample]) -> f64 {
        let errors =
            samples.iter().map(|sample| f64::from(points(self.output(sample)) - sample.target).powi(2));
        errors.sum::<f64>() / samples.len().max(1) as f64
    }

    /// Adds the gradients of the squared errors of some positions to `gradient`. Returns the sum of the
    /// squared errors.
    pub(super) fn add_gradients(
        &self,
        range: Range<usize>,
        make: &impl Fn(usize) -> Sample,
        gradient: &mut [Lanes],
    ) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the check above has shown that the processor has these instructions.
            // Measured: without them, half as many positions a second.
            #[expect(unsafe_code, reason = "calling a function with a target feature is unsafe")]
            return unsafe { self.add_gradients_avx2(range, make, gradient) };
        }
        self.add_gradients_of_width(range, make, gradient)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_gradients_avx2(
        &self,
        range: Range<usize>,
        make: &impl Fn(usize) -> Sample,
        gradient: &mut [Lanes],
    ) -> f64 {
        self.add_gradients_of_width(range, make, gradient)
    }

    #[expect(
        clippy::inline_always,
        reason = "inlined into a function with a target feature, it is compiled for that feature"
    )]
    #[inline(always)]
    fn add_gradients_of_width(
        &self,
        range: Range<usize>,
        make: &impl Fn(usize) -> Sample,
        gradient: &mut [Lanes],
    ) -> f64 {
        let mut sum = 0.0;
        for index in range {
            let sample = make(index);
            sum += f64::from(match self.width {
                2 => self.add_gradient::<2>(&sample, gradient),
                4 => self.add_gradient::<4>(&sample, gradient),
                6 => self.add_gradient::<6>(&sample, gradient),
                8 => self.add_gradient::<8>(&sample, gradient),
                12 => self.add_gradient::<12>(&sample, gradient),
                16 => self.add_gradient::<16>(&sample, gradient),
                24 => self.add_gradient::<24>(&sample, gradient),
                _ => self.add_gradient::<32>(&sample, gradient),
            });
        }
        sum
    }

    /// Adds the gradient of the squared error of a position to `gradient`. Returns the squared error.
    #[expect(
        clippy::inline_always,
        reason = "inlined into a function with a target feature, it is compiled for that feature"
    )]
    #[inline(always)]
    fn add_gradient<const WIDTH: usize>(&self, sample: &Sample, gradient: &mut [Lanes]) -> f32 {
        let mut values = [[Lanes::ZERO; WIDTH]; 2];
        let (biases_at, output_at) = (self.biases_at(), self.output_at() + 2 * sample.bucket * WIDTH);
        let output = &self.parameters[output_at..output_at + 2 * WIDTH];
        let mut sum = Lanes::ZERO;
        for side in 0..2 {
            let values = &mut values[side];
            values.copy_from_slice(&self.parameters[biases_at..biases_at + WIDTH]);
            for &row in &sample.active[side] {
                let weights = &self.parameters[usize::from(row) * WIDTH..][..WIDTH];
                for at in 0..WIDTH {
                    values[at].add(&weights[at]);
                }
            }
            for at in 0..WIDTH {
                sum.add(&values[at].map(&output[side * WIDTH + at], contribution));
            }
        }
        let predicted = points(sum.0.iter().sum::<f32>() + self.output_bias(sample.bucket));
        let error = predicted - sample.target;
        let slope = 2.0 * error * predicted * (1.0 - predicted);

        let bias_at = self.output_biases_at() + sample.bucket / Lanes::COUNT;
        gradient[bias_at].0[sample.bucket % Lanes::COUNT] += slope;
        for side in 0..2 {
            // Replace each hidden value by the derivative with respect to it, after its last use.
            let values = &mut values[side];
            for at in 0..WIDTH {
                let weights = &output[side * WIDTH + at];
                let of_output = &mut gradient[output_at + side * WIDTH + at];
                of_output.add(&values[at].map(&values[at], |value, _| contribution(value, slope)));
                values[at] = values[at].map(weights, |value, weight| {
                    let inside = if value > 0.0 && value < 1.0 { value } else { 0.0 };
                    2.0 * inside * weight * slope
                });
                gradient[biases_at + at].add(&values[at]);
            }
            for &row in &sample.active[side] {
                let gradient = &mut gradient[usize::from(row) * WIDTH..][..WIDTH];
                for at in 0..WIDTH {
                    gradient[at].add(&values[at]);
                }
            }
        }
        error * error
    }

    /// Returns the network with integer weights.
    pub(super) fn round(&self, scale: f32) -> Network {
        let flat = |range: Range<usize>, unit: i32| -> Vec<i16> {
            let weights = self.parameters[range].iter().flat_map(|lanes| lanes.0);
            weights.map(|weight| (weight * unit as f32).round() as i16).collect()
        };
        let weights = flat(0..self.output_at(), HIDDEN_UNIT);
        let output = flat(self.output_at()..self.output_biases_at(), OUTPUT_UNIT);
        let unit = (HIDDEN_UNIT * OUTPUT_UNIT) as f32;
        let biases = (0..self.buckets).map(|bucket| (self.output_bias(bucket) * unit).round() as i32);
        let scale = scale.round().clamp(1.0, f32::from(u16::MAX)) as i32;
        Network::from_weights(self.inputs, self.buckets, scale, &weights, &output, biases.collect())
    }

    /// Returns the model of a network: the reverse of [`round`](Self::round).
    pub(super) fn of_network(network: &Network) -> Self {
        let mut model = Self::zero(network.inputs(), network.hidden(), network.buckets());
        let (weights, output, biases) = network.weights();
        let (end, biases_at) = (model.output_at(), model.output_biases_at());
        let (first, rest) = model.parameters.split_at_mut(end);
        let fill = |lanes: &mut [Lanes], weights: Vec<i16>, unit: i32| {
            for (place, weight) in lanes.iter_mut().flat_map(|lanes| &mut lanes.0).zip(weights) {
                *place = f32::from(weight) / unit as f32;
            }
        };
        fill(first, weights, HIDDEN_UNIT);
        fill(&mut rest[..biases_at - end], output, OUTPUT_UNIT);
        for (place, bias) in rest[biases_at - end..].iter_mut().flat_map(|lanes| &mut lanes.0).zip(biases) {
            *place = *bias as f32 / (HIDDEN_UNIT * OUTPUT_UNIT) as f32;
        }
        model
    }
}

/// Returns the contribution of a hidden value: clipped to 0 … 1, squared, and weighted.
#[expect(
    clippy::inline_always,
    reason = "inlined into loops with a target feature, it is compiled for that feature"
)]
#[inline(always)]
fn contribution(value: f32, weight: f32) -> f32 {
    let clipped = value.clamp(0.0, 1.0);
    clipped * clipped * weight
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;
    use crate::datagen;

    #[test]
    fn gradients_agree_with_finite_differences() {
        // Each size has its own loops.
        for (at, hidden) in HIDDEN.into_iter().enumerate() {
            let variant = Variant::ALL[at % 3];
            let games = datagen::Recipe { variant, seed: 2, nodes: 30, network: None };
            let records = games.play(1).expect("memory").records;
            let recipe = Recipe { buckets: 3, ..Recipe::new(variant, Vec::new()) };
            let king_buckets = if Inputs::is_supported(variant, 4) && at % 2 == 1 { 4 } else { 1 };
            let inputs = Inputs::of(variant, king_buckets);
            let samples: Vec<_> = records
                .iter()
                .take(12)
                .map(|record| Sample::new(inputs, record, &recipe, 300.0, true))
                .collect();
            let mut model = Model::random(inputs, hidden, recipe.buckets, &mut Random::new(3, 3));
            // Enlarge the output weights, so that the gradients stand out from 32-bit rounding errors.
            let output = model.output_at()..model.output_biases_at();
            for weight in model.parameters[output].iter_mut().flat_map(|lanes| &mut lanes.0) {
                *weight *= 8.0;
            }
            let mut gradient = vec![Lanes::ZERO; model.parameters.len()];
            let loss = model.add_gradients(0..samples.len(), &|index| samples[index].clone(), &mut gradient);
            let count = samples.len() as f64;
            assert!((loss / count - model.loss(&samples)).abs() < 1e-6);
            let mut checked = 0;
            let mut random = Random::new(4, 4);
            let outputs = model.output_at()..model.parameters.len();
            // Check some active inputs, and some that may not be active.
            let active: Vec<_> = (0..outputs.start).filter(|&at| gradient[at] != Lanes::ZERO).collect();
            let drawn = (0..200).map(|index| match index % 4 {
                0 => random.below(outputs.start),
                _ => active[random.below(active.len())],
            });
            let places: Vec<_> = drawn.chain(outputs.clone()).collect();
            for place in places {
                let lane = random.below(Lanes::COUNT);
                let found = gradient[place].0[lane];
                if place >= model.output_biases_at() && lane >= model.buckets {
                    assert!(found == 0.0);
                    continue;
                }
                let weight = model.parameters[place].0[lane];
                let mut loss_at = |weight: f32| {
                    model.parameters[place].0[lane] = weight;
                    model.loss(&samples) * count
                };
                let step = 2e-3;
                let slope = (loss_at(weight + step) - loss_at(weight - step)) / f64::from(2.0 * step);
                loss_at(weight);
                let error = (slope - f64::from(found)).abs();
                assert!(error < 1e-3 + 0.06 * slope.abs(), "{variant} {place} {lane}: {slope} {found}");
                checked += usize::from(slope.abs() > 3e-3);
            }
            assert!(checked > 30, "{checked}");
        }
    }
}
