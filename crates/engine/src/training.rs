//! Trains networks on positions from [`datagen`](crate::datagen): gradient descent on the CPU, in plain
//! Rust, with 32-bit floats. The result is rounded to a [`Network`].
//!
//! A network learns to predict expected points, from 0 to 1. Its target is a mixture of the actual result of
//! the game and the search score of the position, which a logistic function converts to points. The width of
//! this function is given, or taken from the network to continue from, or else fitted to the games.

mod data;
mod model;
mod optimizer;

use std::{io, path::PathBuf, sync::Arc};

use adoube_rules::Variant;

use crate::{
    datagen::Record,
    network::{Network, NetworkEvaluator, placement::Inputs},
    random::Random,
};

pub(crate) use data::for_each_record;

use data::Data;
use model::{Model, Sample};
use optimizer::Optimizer;

/// The settings for training a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// The variant.
    pub variant: Variant,
    /// The files of training positions.
    pub files: Vec<PathBuf>,
    /// The network to continue from. It must have the same variant and number of output buckets as the new
    /// network, and no more hidden values or king buckets. If `None`, training starts from new weights, most
    /// of them random.
    pub from: Option<Arc<Network>>,
    /// The size of the hidden layer: 32, 64, 96, 128, 192, 256, 384 or 512.
    pub hidden: usize,
    /// The number of output buckets, one of which is selected by the number of men.
    pub buckets: usize,
    /// The number of king buckets, 1 or 4. Each has its own input weights, and the square of the side's own
    /// king selects one.
    pub king_buckets: usize,
    /// The number of times that every position is used.
    pub epochs: u32,
    /// The number of positions between two updates of the weights.
    pub batch: usize,
    /// The learning rates at the beginning and at the end, with a cosine schedule between them.
    pub rates: [f32; 2],
    /// The weight of the game result in the target, from 0 to 1. The search score gets the rest.
    pub result_share: f32,
    /// The score, in units of the search, at which the side to move expects 73% of the points. `None` means
    /// the scale of the network to continue from or, without one, a scale fitted to the games.
    pub scale: Option<f32>,
    /// The seed for the order of positions and the initial weights.
    pub seed: u64,
    /// The number of training threads.
    pub threads: usize,
    /// The number of positions in memory that are shuffled together.
    pub pool: usize,
}

impl Recipe {
    /// Returns the usual recipe for a variant and some files.
    pub fn new(variant: Variant, files: Vec<PathBuf>) -> Self {
        Self {
            variant,
            files,
            from: None,
            hidden: 64,
            buckets: 1,
            king_buckets: 1,
            epochs: 20,
            batch: 16_384,
            rates: [1e-3, 1e-5],
            result_share: 0.5,
            scale: None,
            seed: 1,
            threads: 1,
            pool: 1 << 24,
        }
    }
}

/// The progress of training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Progress {
    /// The files were opened, and the validation positions were read.
    Read {
        /// The number of positions in the files, including those for validation.
        positions: u64,
        /// The number of validation positions, from games that are not used for training.
        validation: usize,
        /// The score, in units of the search, at which the side to move expects 73% of the points.
        scale: f32,
    },
    /// An epoch is finished.
    Epoch {
        /// The number of the epoch, from 1.
        number: u32,
        /// The mean squared error on the training positions during the epoch; points range from 0 to 1.
        loss: f64,
        /// The same error for the validation positions, after the epoch.
        validation_loss: f64,
    },
}

/// The result of training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The network.
    pub network: Network,
    /// The mean squared error on the validation positions.
    pub validation_loss: f64,
    /// The same error with the rounded network.
    pub rounded_loss: f64,
    /// The largest change in an evaluation from rounding the weights, over the validation positions, in units
    /// of the search.
    pub max_rounding: f32,
}

/// The reason why training failed.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be read.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    File(PathBuf, io::Error),
    /// A file is for another variant.
    #[error("{path} is for {1}", path = .0.display())]
    Game(PathBuf, Variant),
    /// There are too few positions for validation.
    #[error("there are only {0} positions, which is too few")]
    TooFew(u64),
    /// The number of hidden values is not supported.
    #[error("a hidden layer must have 32, 64, 96, 128, 192, 256, 384 or 512 values, not {0}")]
    Hidden(usize),
    /// The number of output buckets is not supported.
    #[error("a network must have 1 to {max} output buckets, not {0}", max = Network::MAX_BUCKETS)]
    Buckets(usize),
    /// The variant does not support this number of king buckets.
    #[error(
        "the number of king buckets must be 1 or {max} (in interweave, 1), not {0}",
        max = Inputs::KING_BUCKETS
    )]
    KingBuckets(usize),
    /// The network to continue from is for another variant, or its sizes do not fit.
    #[error(
        "training cannot continue from a network for {0} with {1} hidden values, {2} output buckets and {3} king buckets: the new one must have the same variant and output buckets, and at least as many hidden values and king buckets"
    )]
    From(Variant, usize, usize, usize),
    /// The integer and floating-point evaluations of the rounded network differ, which is a bug in this
    /// program.
    #[error("the rounded network is off by {0} units of the search")]
    Rounding(f32),
}

/// The largest difference allowed between integer and floating-point evaluations, in units of the search.
const MAX_DIFFERENCE: f32 = 2.0;

/// Trains a network.
pub fn train(recipe: &Recipe, mut report: impl FnMut(Progress)) -> Result<Trained, TrainError> {
    if !model::HIDDEN.contains(&recipe.hidden) {
        return Err(TrainError::Hidden(recipe.hidden));
    }
    if !(1..=Network::MAX_BUCKETS).contains(&recipe.buckets) {
        return Err(TrainError::Buckets(recipe.buckets));
    }
    if !Inputs::is_supported(recipe.variant, recipe.king_buckets) {
        return Err(TrainError::KingBuckets(recipe.king_buckets));
    }
    if let Some(from) = &recipe.from
        && (from.variant() != recipe.variant
            || from.buckets() != recipe.buckets
            || from.hidden() > recipe.hidden
            || from.inputs().buckets() > recipe.king_buckets)
    {
        let king_buckets = from.inputs().buckets();
        return Err(TrainError::From(from.variant(), from.hidden(), from.buckets(), king_buckets));
    }
    let mut data = Data::open(recipe)?;
    let from_scale = || recipe.from.as_ref().map(|from| from.scale() as f32);
    let scale = recipe.scale.or_else(from_scale).unwrap_or_else(|| fit_scale(&data.validation));
    report(Progress::Read { positions: data.positions(), validation: data.validation.len(), scale });
    let inputs = Inputs::of(recipe.variant, recipe.king_buckets);
    let sample = |record: &Record, mirror| Sample::new(inputs, record, recipe, scale, mirror);
    let validation: Vec<Sample> = data.validation.iter().map(|record| sample(record, false)).collect();
    let mut random = Random::new(recipe.seed, 1);
    let mut model = Model::random(inputs, recipe.hidden, recipe.buckets, &mut random);
    if let Some(from) = &recipe.from {
        model.begin_with(from);
    }
    let mut optimizer = Optimizer::new(&model);
    let steps = data.positions().div_ceil(recipe.batch as u64) * u64::from(recipe.epochs);
    let mut step = 0;
    let mut validation_loss = 0.0;
    for number in 1..=recipe.epochs {
        let (mut loss, mut count) = (0.0, 0);
        data.each_batch(&mut random, |batch, random| {
            let mirrors: Vec<u64> = (0..batch.len().div_ceil(64)).map(|_| random.next()).collect();
            let rate = rate_at(recipe, step as f32 / steps.max(1) as f32);
            step += 1;
            let make = |index: usize| {
                let mirror =
                    inputs.distinguishes_left_from_right() && mirrors[index / 64] >> (index % 64) & 1 != 0;
                sample(&batch[index], mirror)
            };
            loss += optimizer.train_batch(&mut model, batch.len(), &make, rate, recipe.threads);
            count += batch.len();
        })?;
        validation_loss = model.loss(&validation);
        report(Progress::Epoch { number, loss: loss / count.max(1) as f64, validation_loss });
    }
    finish(&model, &data.validation, &validation, scale, validation_loss)
}

/// Rounds the network, and checks its integer evaluation against a floating-point one.
fn finish(
    model: &Model,
    records: &[Record],
    samples: &[Sample],
    scale: f32,
    validation_loss: f64,
) -> Result<Trained, TrainError> {
    let network = model.round(scale);
    let rounded = Model::of_network(&network);
    let scale = scale.round();
    let mut evaluator = NetworkEvaluator::new(network.clone().into());
    let (mut max_rounding, mut max_difference, mut loss) = (0.0_f32, 0.0_f32, 0.0);
    for (record, sample) in records.iter().zip(samples) {
        let whole = evaluator.value_of(&record.placement(network.variant()), record.side_to_move()) as f32;
        max_difference = max_difference.max((whole - scale * rounded.output(sample)).abs());
        max_rounding = max_rounding.max((whole - scale * model.output(sample)).abs());
        loss += f64::from(model::points(whole / scale) - sample.target).powi(2);
    }
    if max_difference > MAX_DIFFERENCE {
        return Err(TrainError::Rounding(max_difference));
    }
    let rounded_loss = loss / samples.len() as f64;
    Ok(Trained { network, validation_loss, rounded_loss, max_rounding })
}

/// Returns the learning rate at a point in the training, where 0 is the beginning and 1 the end.
fn rate_at(recipe: &Recipe, point: f32) -> f32 {
    // The warm-up is short: it only has to last until the direction of the gradients is known.
    const START: f32 = 0.01;
    let [first, last] = recipe.rates;
    let cosine = last + (first - last) * 0.5 * (1.0 + (point * std::f32::consts::PI).cos());
    cosine * (point / START + 0.05).min(1.0)
}

/// Returns the scale at which the search scores best predict the results of the games.
fn fit_scale(records: &[Record]) -> f32 {
    let error = |scale: f32| -> f64 {
        let errors = records.iter().map(|record| {
            let predicted = model::points(f32::from(record.score()) / scale);
            f64::from(predicted - f32::from(record.result()) / 2.0).powi(2)
        });
        errors.sum()
    };
    let scales = (20..=300).map(|step| step as f32 * 5.0);
    scales.min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(400.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::{self, Writer};

    #[test]
    fn a_network_learns_from_a_few_games_and_rounding_changes_little() {
        for variant in Variant::ALL {
            let games = datagen::Recipe { variant, seed: 11, nodes: 40, network: None };
            let path = std::env::temp_dir().join(format!("adoube-training-{variant}-{}", std::process::id()));
            let mut writer = Writer::open(&path, &games.header()).expect("a file");
            for number in 0..60 {
                writer.add(&games.play(number).expect("memory")).expect("disk space");
            }
            writer.flush().expect("disk space");
            let recipe = Recipe {
                hidden: 32,
                buckets: 2,
                epochs: 12,
                batch: 256,
                rates: [3e-3, 1e-4],
                result_share: 0.2,
                pool: 500,
                threads: 2,
                ..Recipe::new(variant, vec![path.clone()])
            };
            let mut losses = Vec::new();
            let trained = train(&recipe, |progress| {
                if let Progress::Epoch { loss, .. } = progress {
                    losses.push(loss);
                }
            });
            let trained = trained.expect("a network");
            assert!(losses[11] < 0.7 * losses[0], "{variant}: {losses:?}");
            assert!(trained.max_rounding < 60.0, "{variant}: {trained:?}");
            assert!((trained.rounded_loss - trained.validation_loss).abs() < 0.002, "{variant}");
            let bytes = trained.network.to_bytes();
            assert_eq!(Network::from_bytes(variant, &bytes).as_ref(), Ok(&trained.network));

            // A wider network with more king buckets starts with this one's outputs, so its error in the
            // first epoch is about this one's error in the last.
            let king_buckets = if variant.info().royal.is_none() { 1 } else { 4 };
            let wider = Recipe {
                hidden: 64,
                king_buckets,
                from: Some(trained.network.into()),
                epochs: 1,
                rates: [1e-6; 2],
                ..recipe
            };
            let mut first = None;
            let trained = train(&wider, |progress| {
                if let Progress::Epoch { loss, .. } = progress {
                    first = Some(loss);
                }
            });
            let _ = std::fs::remove_file(&path);
            let network = trained.expect("a network").network;
            assert_eq!((network.hidden(), network.inputs().buckets()), (64, king_buckets));
            let first = first.expect("an epoch");
            assert!((first - losses[11]).abs() < 0.1 * losses[11], "{variant}: {first} {losses:?}");
        }
    }

    #[test]
    fn unsuitable_training_data_is_reported() {
        let path = std::env::temp_dir().join(format!("adoube-few-{}", std::process::id()));
        let games = datagen::Recipe { variant: Variant::Chess, seed: 1, nodes: 40, network: None };
        let mut writer = Writer::open(&path, &games.header()).expect("a file");
        writer.flush().expect("disk space");
        let error = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = Recipe::new(Variant::Chess, vec![path.clone()]);
            change(&mut recipe);
            train(&recipe, |_| {}).expect_err("training fails").to_string()
        };
        assert_eq!(error(&|_| {}), "there are only 0 positions, which is too few");
        assert!(error(&|recipe| recipe.variant = Variant::Baroque).ends_with(" is for chess"));
        assert!(error(&|recipe| recipe.hidden = 33).ends_with("not 33"));
        assert!(error(&|recipe| recipe.buckets = 0).ends_with("not 0"));
        assert!(error(&|recipe| recipe.files = vec!["/nowhere".into()]).starts_with("/nowhere: "));
        let from = |recipe: &mut Recipe, variant, hidden, buckets| {
            recipe.from = Some(Network::random(variant, hidden, buckets, 1).into());
        };
        assert!(error(&|recipe| recipe.king_buckets = 2).ends_with("not 2"));
        let requirement =
            "the same variant and output buckets, and at least as many hidden values and king buckets";
        assert!(error(&|recipe| from(recipe, Variant::Baroque, 32, 1)).ends_with(requirement));
        assert!(error(&|recipe| from(recipe, Variant::Chess, 32, 2)).ends_with(requirement));
        assert!(
            error(&|recipe| from(recipe, Variant::Chess, 96, 1))
                .contains(" with 96 hidden values, 1 output buckets")
        );
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn the_learning_rate_falls_from_first_to_last() {
        let recipe = Recipe::new(Variant::Chess, Vec::new());
        assert!(rate_at(&recipe, 0.0) < 1e-4);
        assert!((rate_at(&recipe, 0.02) - 1e-3).abs() < 1e-5);
        assert!((rate_at(&recipe, 0.5) - 5.05e-4).abs() < 1e-5);
        assert!((rate_at(&recipe, 1.0) - 1e-5).abs() < 1e-7);
    }
}
