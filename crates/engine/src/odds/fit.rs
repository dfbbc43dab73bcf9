//! Fits the odds of a variant to games.

use std::{io, path::Path};

use adoube_rules::Variant;

use super::{Odds, logistic};
use crate::training::{TrainError, for_each_record};

/// The width of a bin of scores, in units of the search, and the index of the last bin. Larger scores contain
/// little information.
const STEP: i32 = 10;
const STEPS: usize = 100;

/// The numbers of positions with about the same score, by the results of their games.
#[derive(Clone, Copy, Default)]
struct ResultCounts {
    won: f64,
    drawn: f64,
    lost: f64,
}

impl Odds {
    /// Returns the odds that best explain the results of the games in some files, and the number of positions
    /// used.
    pub fn fit(variant: Variant, files: &[impl AsRef<Path>]) -> Result<(Self, u64), TrainError> {
        let mut ends = vec![ResultCounts::default(); STEPS + 1];
        let mut positions = 0;
        for path in files {
            for_each_record(variant, path.as_ref(), |record| {
                // A loss is a win seen from the other side.
                let score = i32::from(record.score());
                let result = if score < 0 { 2 - record.result() } else { record.result() };
                let step = score.unsigned_abs() as usize / STEP as usize;
                if let Some(ends) = ends.get_mut(step) {
                    match result {
                        0 => ends.lost += 1.0,
                        1 => ends.drawn += 1.0,
                        _ => ends.won += 1.0,
                    }
                    positions += 1;
                }
            })?;
        }
        if positions == 0 {
            let path = files.first().map_or_else(Default::default, |path| path.as_ref().to_owned());
            return Err(TrainError::File(path, io::Error::other("the file has no positions")));
        }
        // Minimise the negative log-likelihood, one parameter at a time, in ever smaller steps.
        let mut best = Odds { half_win_score: 100.0, width: 150.0 };
        let mut min = improbability(best, &ends);
        let mut stride = 64.0;
        while stride > 0.4 {
            let tries = [(stride, 0.0), (-stride, 0.0), (0.0, stride), (0.0, -stride)];
            let better = tries.into_iter().find_map(|(half_win, width)| {
                let odds = Odds {
                    half_win_score: (best.half_win_score + half_win).max(0.0),
                    width: (best.width + width).max(10.0),
                };
                let improbability = improbability(odds, &ends);
                (improbability < min).then_some((odds, improbability))
            });
            match better {
                Some(found) => (best, min) = found,
                None => stride /= 2.0,
            }
        }
        Ok((best, positions))
    }
}

/// Returns the negative log-likelihood of the results for these odds.
fn improbability(odds: Odds, ends: &[ResultCounts]) -> f64 {
    let improbability = |(step, ends): (usize, &ResultCounts)| {
        let score = f64::from(STEP) * (step as f64 + 0.5);
        let [win, loss] = [score, -score].map(|x| logistic((x - odds.half_win_score) / odds.width));
        let draw = 1.0 - win - loss;
        let term = |count: f64, chance: f64| if count > 0.0 { -count * chance.max(1e-9).ln() } else { 0.0 };
        term(ends.won, win) + term(ends.drawn, draw) + term(ends.lost, loss)
    };
    ends.iter().enumerate().map(improbability).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        datagen::{Header, Record, Writer},
        network::placement::Placement,
        random::Random,
    };

    #[test]
    fn fitted_odds_are_those_that_generated_the_games() {
        let true_odds = Odds { half_win_score: 180.0, width: 90.0 };
        let path = std::env::temp_dir().join(format!("adoube-odds-{}", std::process::id()));
        let variant = Variant::Chess;
        let mut writer = Writer::open(&path, &Header { variant, seed: 1, nodes: 1 }).expect("a file");
        let mut random = Random::new(3, 3);
        let mut records = Vec::new();
        for game in 0..40_000 {
            let score = random.below(1_601) as i32 - 800;
            let [win, draw, _] = true_odds.chances(crate::Score::of_evaluation(score));
            let number = random.below(1 << 20) as f64 / f64::from(1 << 20);
            let mut record =
                Record::new(&Placement::EMPTY, adoube_rules::Color::White, score as i16, game / 100);
            record.set_result(if number < win { 2 } else { u8::from(number < win + draw) });
            records.push(record);
        }
        writer.add(&crate::datagen::Played { number: 0, plies: 1, records }).expect("disk space");
        writer.flush().expect("disk space");
        let found = Odds::fit(variant, &[&path]);
        let _ = std::fs::remove_file(&path);
        let (found, positions) = found.expect("games");
        assert_eq!(positions, 40_000);
        assert!((found.half_win_score - 180.0).abs() < 8.0 && (found.width - 90.0).abs() < 6.0, "{found:?}");
    }
}
