//! The optimizer: `AdamW` (Loshchilov and Hutter, 2019), with several threads for each batch.

use std::thread;

use super::model::{Lanes, Model, Sample};

/// The decay rates of the running means of the gradient and of its square.
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// The weight decay per step, relative to the learning rate.
const DECAY: f32 = 0.01;

/// The state of the optimizer.
pub(super) struct Optimizer {
    first_moments: Vec<Lanes>,
    squares: Vec<Lanes>,
    /// A gradient for each thread, reused for all batches to avoid allocations.
    gradients: Vec<Vec<Lanes>>,
    steps: i32,
}

impl Optimizer {
    pub(super) fn new(model: &Model) -> Self {
        let zero = || vec![Lanes::ZERO; model.parameters.len()];
        Self { first_moments: zero(), squares: zero(), gradients: Vec::new(), steps: 0 }
    }

    /// Trains the model on a batch. Returns the sum of the squared errors before the update.
    pub(super) fn train_batch(
        &mut self,
        model: &mut Model,
        count: usize,
        make: &(impl Fn(usize) -> Sample + Sync),
        rate: f32,
        threads: usize,
    ) -> f64 {
        let threads = threads.clamp(1, count.max(1));
        self.gradients.resize_with(threads, || vec![Lanes::ZERO; model.parameters.len()]);
        let share = count.div_ceil(threads);
        let loss = thread::scope(|scope| {
            let model = &*model;
            let mut tasks = Vec::new();
            for (thread, gradient) in self.gradients.iter_mut().enumerate() {
                let range = (thread * share).min(count)..((thread + 1) * share).min(count);
                tasks.push(move || {
                    gradient.fill(Lanes::ZERO);
                    model.add_gradients(range, make, gradient)
                });
            }
            // This thread processes the last share.
            let own = tasks.pop();
            let others: Vec<_> = tasks.into_iter().map(|work| scope.spawn(work)).collect();
            let own = own.map_or(0.0, |work| work());
            own + others.into_iter().map(|work| work.join().unwrap_or(f64::NAN)).sum::<f64>()
        });
        let (first, others) = self.gradients.split_at_mut(1);
        for other in others {
            for (sum, gradient) in first[0].iter_mut().zip(other) {
                sum.add(gradient);
            }
        }
        self.step(model, count, rate);
        loss
    }

    fn step(&mut self, model: &mut Model, count: usize, rate: f32) {
        self.steps += 1;
        let first = 1.0 / (1.0 - FIRST_DECAY.powi(self.steps));
        let second = 1.0 / (1.0 - SECOND_DECAY.powi(self.steps));
        let share = 1.0 / count.max(1) as f32;
        let moments = self.first_moments.iter_mut().zip(&mut self.squares);
        let weights = model.parameters.iter_mut().zip(&self.gradients[0]);
        for ((weights, gradients), (means, squares)) in weights.zip(moments) {
            for lane in 0..Lanes::COUNT {
                let gradient = gradients.0[lane] * share;
                let mean = FIRST_DECAY * means.0[lane] + (1.0 - FIRST_DECAY) * gradient;
                let square = SECOND_DECAY * squares.0[lane] + (1.0 - SECOND_DECAY) * gradient * gradient;
                means.0[lane] = mean;
                squares.0[lane] = square;
                let weight = weights.0[lane];
                let change = mean * first / ((square * second).sqrt() + EPSILON) + DECAY * weight;
                weights.0[lane] = weight - rate * change;
            }
        }
        model.clip();
    }
}
